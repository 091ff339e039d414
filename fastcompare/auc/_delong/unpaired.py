"""DeLong's test of two AUCs on different cases, and the interval of such a difference by MOVER.

The test divides the difference by its standard error. Where one set is much smaller than the other,
that standard error rests on its few cases: of 5 + 5 against 50 + 500 cases with equal AUCs of .95
it rejects 52% at a level of 5%. Zou and Donner (2008), doi:10.1002/sim.3095, recover the variance
of a difference of estimates t1 and t2 from their intervals (l1, u1) and (l2, u2):

    low = t1 - t2 - sqrt((t1 - l1)^2 + (u2 - t2)^2)
    high = t1 - t2 + sqrt((u1 - t1)^2 + (t2 - l2)^2)

With score intervals this rejects 2.5% of those. A null value is rejected where it lies outside.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented
from ..._base.parallel import map_threads
from ..._base.types import Alternative, NanPolicy, Undefined, Vector
from ..._inference.infer import Inference, infer, infer_difference, test_from_statistic
from ..._inference.pvalues import normal_tail, welch_df
from ..._inference.roots import find_root
from ..._inference.status import sample_status, unvaried_status
from ..._inference.unseen import UnseenFailures, unseen_failures
from ..._inputs.options import check_choice, check_undefined, count_jobs
from ..._inputs.scores import as_cases, names_of_pair
from ..._resampling.bootstrap import Claim, as_claim
from ..._results.caution import with_caution
from ..._results.two_models import StudentResult
from .._components import Components, as_components, auc_variances, pair_moments
from .._differences import AUCDifference, caution
from .._intervals import IntervalInputs, auc_intervals, score, unvaried_bound

FEW_UNPAIRED = 20  # cases of a class: of 10 and 50 the level is 7 to 10%, of 20 and more below 6.1
LARGEST_SIZE_RATIO = 2.0  # of the smaller classes of two sets: beyond it MOVER is the test
SCORE_HINT = ": pass reference='score', which keeps its level with so few cases"
LARGEST_Z = 37.5  # score intervals for smaller p-values cannot be computed


class MoverEnds(NamedTuple):
    """MOVER limits of a difference of two AUCs, from the score intervals of both AUCs."""

    first: IntervalInputs
    second: IntervalInputs

    @property
    def estimate(self) -> float:
        """The difference, first minus second."""
        return self.first.auc - self.second.auc

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        (low_1, _), (_, high_2) = score(self.first, alpha), score(self.second, alpha)
        return self.estimate - math.hypot(self.first.auc - low_1, high_2 - self.second.auc)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return -MoverEnds(self.second, self.first).low(alpha)

    def statistic_at(self, null: float, _tail: str = "two-sided") -> float:
        """Return z: the interval with a normal tail beyond z on either side ends at `null`.

        z has the sign of estimate - null and is at most `LARGEST_Z`. `_tail` is only for the same
        arguments as of other intervals.
        """
        if self.estimate < null:
            return -MoverEnds(self.second, self.first).statistic_at(-null)

        def excess(z: float) -> float:
            """Return how far above `null` the interval with a normal tail beyond z begins."""
            return self.low(normal_tail(z)) - null

        if not excess(0.0) > 0.0:  # an estimate at `null`, but for rounding
            return 0.0
        if excess(LARGEST_Z) > 0.0:
            return LARGEST_Z
        return find_root(excess, 0.0, LARGEST_Z, xtol=1e-12, rtol=1e-14)


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongUnpairedResult(AUCDifference, StudentResult):
    """Result of `delong_unpaired_test`; `estimate` is ``auc[0] - auc[1]``."""

    variance: NDArray[np.float64]
    n_positive: tuple[int, int]
    n_negative: tuple[int, int]
    n_dropped: tuple[int, int]
    _tails: MoverEnds | None = field(repr=False, default=None)
    title: ClassVar[str] = "DeLong's test of two AUCs on different cases"

    def _caution(self) -> str:
        """Return a sentence about few cases, if the status says so."""
        return caution([self.status], (self.n_positive, self.n_negative), "Student's t")

    @property
    def _fewest(self) -> tuple[float, float]:
        """The sizes of the smaller classes of both sets."""
        first, second = map(min, zip(self.n_positive, self.n_negative, strict=True))
        return float(first), float(second)

    @property
    def _units(self) -> str:
        """The units among which a model may fail."""
        return "cases of the smaller class"

    def _failures(self) -> UnseenFailures:
        """Return the failures of the leading model that samples of this size may lack."""
        claim = self.alternative, self.margin
        return unseen_failures(self.estimate, self.auc, self._fewest, *claim)

    def _wald_limits(self, tail: float) -> tuple[float, float]:
        """Return the limits with this tail beyond each, by MOVER or by the standard error."""
        if self._tails is None:
            return super()._wald_limits(tail)
        return self._tails.low(tail), self._tails.high(tail)

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return score intervals of two AUCs of different cases."""
        if not math.isfinite(self.estimate):
            return None
        sizes = list(zip(self.n_positive, self.n_negative, strict=True))
        return auc_intervals(self.auc, np.sqrt(self.variance), sizes, level)


def df_of_sets(components: list[Components], variance: NDArray[np.float64]) -> float:
    """Return the df of v_1 + v_2 if each variance has N - 1 df, from a set of N cases."""
    return welch_df(variance.tolist(), [c.m + c.n for c in components])


def df_of_classes(components: list[Components], variance: NDArray[np.float64]) -> float:
    """Return the df of v_1 + v_2 if each class's term of a variance has m - 1 or n - 1 df.

    `variance` is only for the same arguments as of `df_of_sets`.
    """
    variances = [v for c in components for v in auc_variances(c)]
    return welch_df(variances, [size for c in components for size in (c.m, c.n)])


DF_BY_REFERENCE = {"welch": df_of_sets, "t": df_of_classes}
REFERENCES = ("auto", *DF_BY_REFERENCE, "score")


def default_reference(components: list[Components]) -> str:
    """Return the reference for 'auto': 'score' for a small and a much larger set, else 'welch'."""
    smaller, larger = sorted(min(c.m, c.n) for c in components)
    is_unequal = smaller < FEW_UNPAIRED and larger > LARGEST_SIZE_RATIO * smaller
    return "score" if is_unequal else "welch"


@documented
def delong_unpaired_test(
    y_true_1: ArrayLike,
    y_score_1: ArrayLike,
    y_true_2: ArrayLike,
    y_score_2: ArrayLike,
    *,
    reference: str = "auto",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> DeLongUnpairedResult:
    """Test whether AUCs measured on two independent sets of cases differ.

    Use it for two test sets that share no case. For two models on the same cases, `delong_test`
    uses their correlation and has more power.

    Parameters
    ----------
    y_true_1, y_score_1 : array-like of shape (n_1,)
        Labels and scores of the first set.
    y_true_2, y_score_2 : array-like of shape (n_2,)
        Labels and scores of the second set.

    reference : {'auto', 'welch', 't', 'score'}, default='auto'
        'welch' is Student's t with degrees of freedom from the total number of cases of each set,
        as in R's pROC; 't' takes Satterthwaite's from the variances within the four classes.
        'score' recovers the variance of the difference from both score intervals (MOVER). 'auto'
        is 'score' if one set has fewer than 20 cases of a class and the other more than twice as
        many in its smaller class, 'welch' otherwise.

    Returns
    -------
    DeLongUnpairedResult
        With ``statistic`` (t), ``df``, ``pvalue``, ``log_pvalue``, ``estimate`` (first minus
        second), ``standard_error``, ``auc`` (2,), ``variance`` (2,) and the rest as in
        `delong_test`.

    Warns
    -----
    UndefinedResultWarning
        If a set lacks a class or has one case of a class, or, without a margin, if both variances
        are 0.
    SmallSampleWarning
        'small_sample', if a class has fewer than 20 cases, unless `reference` is 'score': with 2, 5
        and 10 positives in both sets 'welch' rejects 19, 9 and 6% of true null hypotheses at the 5%
        level. 'unseen_failures', as in `delong_test`.

    Notes
    -----
    With v = s^2(V10) / m + s^2(V01) / n for each set of N = m + n cases::

        t = (AUC_1 - AUC_2) / sqrt(v_1 + v_2)
        df = (v_1 + v_2)^2 / (v_1^2 / (N_1 - 1) + v_2^2 / (N_2 - 1))

    ``reference="t"`` computes df from the four parts of v_1 + v_2, with m - 1 and n - 1. Both rest
    on the variance of the smaller set: with 5 + 5 against 50 + 500 cases and AUCs of .6, .8 and .95
    'welch' rejects 15, 17 and 52% at the 5% level, 'score' 2 to 3%, whose interval is::

        AUC_1 - AUC_2 - sqrt((AUC_1 - l_1)^2 + (u_2 - AUC_2)^2),
        AUC_1 - AUC_2 + sqrt((u_1 - AUC_1)^2 + (AUC_2 - l_2)^2)

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] X. Robin et al. (2011), doi:10.1186/1471-2105-12-77.
    .. [3] G. Y. Zou, A. Donner (2008), doi:10.1002/sim.3095.

    Examples
    --------
    >>> import fastcompare as fc
    >>> one = [0, 0, 0, 1, 1, 1], [.1, .4, .2, .3, .8, .9]
    >>> two = [0, 0, 0, 1, 1, 1], [.5, .4, .7, .3, .8, .6]
    >>> result = fc.delong_unpaired_test(*one, *two)
    >>> round(result.statistic, 4), round(result.df, 3), round(result.pvalue, 4)
    (0.9487, 7.353, 0.3729)
    """
    check_undefined(on_undefined)
    claim = as_claim(alternative, margin)
    check_choice("reference", reference, REFERENCES)
    jobs = count_jobs(n_jobs)
    one = as_cases(y_true_1, pos_label, nan_policy, y_score_1=y_score_1)
    two = as_cases(y_true_2, pos_label, nan_policy, y_score_2=y_score_2)

    components = map_threads(as_components, (one, two), jobs)
    moments = [pair_moments(sample, 0, 0) for sample in components]
    auc, variance = np.array([(each.auc[0], each.covariance[0, 0]) for each in moments]).T
    by = default_reference(components) if reference == "auto" else reference
    by_ends = by == "score" and variance.any() and np.isfinite(auc).all()
    tails = mover_ends(components, auc, variance) if by_ends else None
    df = DF_BY_REFERENCE.get(by, df_of_sets)(components, variance) if tails is None else math.inf
    test = unpaired_inference(components, auc, variance, df, tails, claim)
    few = FEW_UNPAIRED if tails is None else 0
    status = unpaired_status(components, auc, test["standard_error"], claim.margin, few)
    result = DeLongUnpairedResult(
        **test,
        names=names_of_pair(y_score_1, y_score_2),
        method="MOVER of score intervals" if tails else "DeLong's unpaired test",
        status=status,
        df=df,
        auc=auc,
        variance=variance,
        n_positive=(components[0].m, components[1].m),
        n_negative=(components[0].n, components[1].n),
        n_dropped=(one.n_dropped, two.n_dropped),
        _tails=tails,
    )
    return with_caution(result, on_undefined, SCORE_HINT if status == "small_sample" else "")


def unpaired_inference(
    components: list[Components],
    auc: Vector,
    variance: Vector,
    df: float,
    tails: MoverEnds | None,
    claim: Claim,
) -> Inference:
    """Return statistic and p-value of the difference, by MOVER (`tails`) or by its SE."""
    first, second = auc.tolist()
    estimate = first - second
    error = math.sqrt(variance.sum())
    if tails is not None:
        test = test_from_statistic(tails.statistic_at, df, *claim)
        return infer_difference(estimate, error, *test, *claim)
    unvaried = unvaried_bound(min(c.m for c in components), min(c.n for c in components))
    return infer(estimate, error, *claim, df=df, unvaried=unvaried)


def mover_ends(
    components: list[Components], auc: NDArray[np.float64], variance: NDArray[np.float64]
) -> MoverEnds:
    """Return the MOVER limits from the AUCs of both sets and their variances."""
    errors = np.sqrt(variance).tolist()
    rows = zip(auc.tolist(), errors, components, strict=True)
    first, second = (IntervalInputs(value, error, c.m, c.n) for value, error, c in rows)
    return MoverEnds(first, second)


def unpaired_status(
    components: list[Components],
    auc: Vector,
    standard_error: float,
    margin: float,
    fewest_cases: int,
) -> str:
    """Return the status word of an unpaired difference, 'small_sample' below `fewest_cases`."""
    status = sample_status(min(c.m for c in components), min(c.n for c in components), fewest_cases)
    if status in ("one_class", "too_few") or standard_error > 0.0:
        return status
    first, second = auc.tolist()
    if_equal = "constant_scores" if first == 0.5 else "perfect_separation"
    if_equal = "unvaried" if margin else if_equal
    return unvaried_status(first - second, margin, if_equal)
