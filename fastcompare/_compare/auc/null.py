"""A test of one AUC against 0.5, or against any other value."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented
from ..._base.text import counted, equation, figure, show_pvalue
from ..._base.types import Direction, NanPolicy, Undefined
from ..._inference.pvalues import (
    CERTAIN,
    UNDEFINED,
    PValue,
    claim_ends,
    normal_pvalue,
    ratio,
    student_pvalue,
)
from ..._inference.rank_sums import MOST_ADDITIONS, rank_additions, rank_sum_pvalue
from ..._inference.status import announce
from ..._inputs.cases import Cases, as_cases, refuse_extras
from ..._inputs.nulls import NULL_METHODS, check_null, check_work
from ..._inputs.options import (
    ALTERNATIVES,
    as_choice,
    check_choice,
    check_level,
    check_undefined,
)
from ..._results.records import ConfidenceInterval, Estimate
from .delong.design import effective_sizes, pair_of_cases
from .intervals import PRIOR, Evidence, score
from .single import single_status

TITLES = {
    "score": "score test",
    "exact": "exact Mann-Whitney test",
    "asymptotic": "Mann-Whitney test, normal approximation",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCTestResult(Estimate):
    """Result of `roc_auc_test`; `estimate` is the AUC."""

    null: float
    statistic: float
    pvalue: float
    log_pvalue: float
    alternative: str
    df: float
    n_positive: int
    n_negative: int
    n_dropped: int
    design: str
    _sizes: tuple[float, float] = field(repr=False)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "Test of one area under the ROC curve"

    @documented
    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of the AUC that the score test inverts to, as in `roc_auc_interval`.

        Returns
        -------
        ConfidenceInterval
            One-sided where the alternative is: 'greater' ends at 1.
        """
        level = check_level(confidence_level)
        if math.isnan(self.estimate) or self.status == "too_few_clusters":
            return ConfidenceInterval(math.nan, math.nan)
        found = Evidence(self.estimate, self.standard_error, *self._sizes)
        low, high = claim_ends(
            self.alternative,
            level,
            lambda tail: score_end(found, tail, upper=False),
            lambda tail: score_end(found, tail, upper=True),
        )
        return ConfidenceInterval(max(low, 0.0), min(high, 1.0))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the 95 % interval as plain Python values."""
        return {**super().to_dict(), "confidence_interval": list(self.confidence_interval())}

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        t = "t" if math.isnan(self.df) else f"t({self.df:.4g})"
        letter = {TITLES["exact"]: "U", TITLES["asymptotic"]: "z"}.get(self.method, t)
        by_score = "" if letter == t else " by the score test"
        return (
            f"The AUC is {figure(self.estimate)} ({self._stated_interval()}{by_score}; "
            f"{self.method} against {self.null:g}, "
            f"{equation(letter, figure(self.statistic, '.4g'))}, "
            f"{equation('p', show_pvalue(self.pvalue))}; {counted(self.n_positive, 'positive')}, "
            f"{counted(self.n_negative, 'negative')})."
        )


class Tested(NamedTuple):
    """The statistic, its degrees of freedom (infinite: normal; NaN: neither), and the p-value."""

    statistic: float
    df: float
    p: PValue


@documented
def roc_auc_test(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    null: float = 0.5,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> AUCTestResult:
    """Test whether one AUC differs from 0.5, or from any other value.

    Parameters
    ----------
    null : float, default=0.5
        The AUC under the null hypothesis, between 0 and 1. Against 0.8 'greater' claims an AUC of
        more than 0.8.
    method : {'auto', 'score', 'exact', 'asymptotic'}, default='auto'
        'auto' takes 'score', which inverts the default interval of `roc_auc_interval`, for any
        `null`. The others test against 0.5 that positives and negatives have the same
        distribution, by Mann and Whitney: 'exact' counts all choices of the positives, given the
        ties; 'asymptotic' is normal, with the variance under ties.
    sample_weight, frequency_weight, groups
        As in `delong_test`; for 'score' only.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims that the AUC is above `null`. Choose it before you see the data.

    Returns
    -------
    AUCTestResult
        With ``estimate`` (the AUC), ``standard_error`` (DeLong's), ``statistic`` (t, for 'exact' U,
        for 'asymptotic' z), ``df``, ``pvalue``, ``log_pvalue``, ``null``, ``method``,
        ``n_positive``, ``n_negative``, ``design``, ``status`` and
        ``confidence_interval(confidence_level)``, that of 'score'.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing, or in one cluster, or all scores are equal.
    SmallSampleWarning
        'few_clusters' for few clusters, 'small_sample' for sampling weights that leave fewer than 3
        effective cases of a class.

    See Also
    --------
    roc_auc_interval : The interval at the level of the call.
    delong_test : Two models.

    Notes
    -----
    With the AUC A, the null value u, DeLong's variance D and Newcombe's V (2006)::

        'score':       t = (A - u) / sqrt(V(u) (4 + d(A) D / V(A)) / (4 + d(A))),    df = 4 + d(u)
        'asymptotic':  z = (A - 1/2) / SE,  SE^2 = sum (R_i - (N + 1) / 2)^2 / (m n N (N - 1))
        'exact':       U = m n A, by all orders of the ranks R that are there

    where d(u) = 2 u (1 - u) f, and f are Satterthwaite's degrees of freedom of D: docs/coverage.md.

    Two classes can have an AUC of 0.5 and yet different distributions: one is more spread. Then
    Mann and Whitney's tests err in up to 18 % at the 5 % level where the class with more spread is
    rare, and 'score' in up to 7 % (docs/coverage.md). Where the distributions are equal, 'exact'
    never errs in more than 5 %, and has more power than 'score' for ten cases or less of a class.

    References
    ----------
    .. [1] H. B. Mann, D. R. Whitney (1947), doi:10.1214/aoms/1177730491.
    .. [2] R. G. Newcombe (2006), doi:10.1002/sim.2324.
    .. [3] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0] * 6 + [1] * 7
    >>> a = [.1, .2, .05, .3, .1, .6, .6, .7, .8, .99, .8, .67, .5]
    >>> print(fc.roc_auc_test(y, a).summary())
    The AUC is 0.9643 (95 % CI 0.6105 to 0.9982; score test against 0.5,
    t(9.348) = 2.878, p = 0.0175; 7 positives, 6 negatives).
    >>> round(fc.roc_auc_test(y, a, method="exact").pvalue, 6)
    0.003497
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, NULL_METHODS)
    check_choice("alternative", alternative, ALTERNATIVES)
    method = "score" if method == "auto" else method
    against = check_null(null, method)
    cases = as_cases(
        y_true, pos_label, nan_policy, groups, sample_weight, frequency_weight, y_score=y_score
    )
    if method != "score":
        refuse_extras(cases, method, "'score'")

    result = tested_auc(cases, method, against, alternative)
    announce(result.status, on_undefined)
    return result


def tested_auc(cases: Cases, method: str, null: float, alternative: str) -> AUCTestResult:
    """Return the AUC with its test against `null`."""
    moments, m, n, design, _, _ = pair_of_cases(cases)
    auc, error = float(moments.auc[0]), math.sqrt(moments.covariance[0, 0])
    sizes = effective_sizes(cases)
    found = Evidence(auc, error, *sizes)
    status = design.status(single_status((m, n), found, "score"))
    tested = Tested(math.nan, math.nan, UNDEFINED)
    if status not in ("one_class", "too_few_clusters"):
        tested = TESTS[method](cases, found, null, alternative)
    return AUCTestResult(
        estimate=auc,
        standard_error=error,
        statistic=tested.statistic,
        pvalue=tested.p.pvalue,
        log_pvalue=tested.p.log_pvalue,
        alternative=alternative,
        null=null,
        df=tested.df,
        method=TITLES[method],
        status=status,
        n_positive=m,
        n_negative=n,
        n_dropped=cases.n_dropped,
        design=design.kind,
        _sizes=sizes,
    )


def score_test(cases: Cases, found: Evidence, null: float, alternative: str) -> Tested:
    """Return the test that inverts to the interval 'score'."""
    error = math.sqrt(found.scale * found.model(null) * null * (1.0 - null))
    t, df = (found.auc - null) / error, PRIOR + found.telling(null)
    return Tested(t, df, student_pvalue(t, df, alternative))


def score_end(found: Evidence, tail: float, *, upper: bool) -> float:
    """Return an end of 'score' with this tail beyond it; with more than a half it is the other."""
    beyond = tail > 0.5
    return score(found, 1.0 - tail if beyond else tail)[upper != beyond]


def exact_test(cases: Cases, found: Evidence, null: float, alternative: str) -> Tested:
    """Return Mann and Whitney's exact test, given the ties."""
    ranks = doubled_ranks(cases)
    check_work(rank_additions(ranks, round(found.m)), MOST_ADDITIONS)
    p = rank_sum_pvalue(ranks, cases.labels.view(np.bool_), alternative)
    return Tested(found.auc * found.m * found.n, math.nan, p)


def asymptotic_test(cases: Cases, found: Evidence, null: float, alternative: str) -> Tested:
    """Return Mann and Whitney's test by their variance, less that of ties."""
    ranks = doubled_ranks(cases)
    centred = (ranks - (ranks.size + 1)).astype(np.float64)  # twice the distance from the mean
    m, n, size = found.m, found.n, ranks.size
    variance = float(centred @ centred) / (4.0 * m * n * size * (size - 1.0))
    z = ratio(found.auc - null, math.sqrt(variance))
    return Tested(z, math.inf, normal_pvalue(z, alternative) if variance else CERTAIN)


TESTS = {"score": score_test, "exact": exact_test, "asymptotic": asymptotic_test}


def doubled_ranks(cases: Cases) -> NDArray[np.int64]:
    """Return twice the midranks of all cases, whole numbers."""
    _, which, counts = np.unique(cases.scores[0], return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((2 * last - counts + 1)[which], np.int64)
