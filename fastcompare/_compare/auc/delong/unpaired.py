"""DeLong's test that AUCs measured on two independent sets of cases are equal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...._base.documented import documented
from ...._base.parallel import map_threads
from ...._base.types import Alternative, NanPolicy, Undefined
from ...._inference.infer import infer
from ...._inference.status import announce, sample_status, unvaried_status
from ...._inference.welch import welch_df
from ...._inputs.cases import as_cases
from ...._inputs.options import (
    check_alternative,
    check_choice,
    check_margin,
    check_undefined,
    count_jobs,
)
from ...._inputs.scores import names_of
from ...._results.records import StudentResult
from ..components import Components, as_components
from ..differences import AUCDifference, caution
from ..exact import auc_variances, pair_moments
from ..independent import unvaried_pairs

FEW_UNPAIRED = 20  # cases of a class: of 10 and 50 the level is 7 to 10 %, of 20 and more below 6.1
CURE = ": pass reference='t', which holds its level where both sets are as small"


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongUnpairedResult(AUCDifference, StudentResult):
    """Result of `delong_unpaired_test`; `estimate` is ``auc[0] - auc[1]``."""

    variance: NDArray[np.float64]
    n_positive: tuple[int, int]
    n_negative: tuple[int, int]
    n_dropped: tuple[int, int]
    title: ClassVar[str] = "DeLong's test of two AUCs of different cases"

    def _caution(self) -> str:
        return caution([self.status], (self.n_positive, self.n_negative), "Student's t")


def degrees_of_sets(components: list[Components], variance: NDArray[np.float64]) -> float:
    """Return the degrees of freedom of two variances, each estimated from all cases of a set."""
    return welch_df(variance.tolist(), [c.m + c.n for c in components])


def degrees_of_classes(components: list[Components], variance: NDArray[np.float64]) -> float:
    """Return the degrees of freedom of four variances, each estimated from a class of a set."""
    variances = [v for c in components for v in auc_variances(c)]
    return welch_df(variances, [size for c in components for size in (c.m, c.n)])


DEGREES = {"welch": degrees_of_sets, "t": degrees_of_classes}


@documented
def delong_unpaired_test(
    y_true_1: ArrayLike,
    y_score_1: ArrayLike,
    y_true_2: ArrayLike,
    y_score_2: ArrayLike,
    *,
    reference: str = "welch",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> DeLongUnpairedResult:
    """Test whether AUCs measured on two independent sets of cases differ.

    Use it for two test sets without a case in common. For two models on the same cases
    `delong_test` knows their correlation and finds smaller differences.

    Parameters
    ----------
    y_true_1, y_score_1 : array-like of shape (n_1,)
        Labels and scores of the first set.
    y_true_2, y_score_2 : array-like of shape (n_2,)
        Labels and scores of the second set.

    reference : {'welch', 't'}, default='welch'
        Where the degrees of freedom come from: 'welch' takes all cases of a set for its size, as
        R's pROC does; 't' is Satterthwaite's from the variances within the four classes.

    Returns
    -------
    DeLongUnpairedResult
        With ``statistic`` (t), ``df``, ``pvalue``, ``log_pvalue``, ``estimate`` (first minus
        second), ``standard_error``, ``auc`` (2,), ``variance`` (2,) and the rest as in
        `delong_test`.

    Warns
    -----
    UndefinedResultWarning
        If a set misses a class, has one case of a class, or, without a margin, both variances are
        0.
    SmallSampleWarning
        If a class of a set has fewer than 20 cases: ``status`` is "small_sample". At the 5 % level
        and 2, 5, 10 positives in both sets 'welch' rejects 19, 9 and 6 %, 't' 6, 5 and 5 %. Where
        the other set has 50 positives, both reject up to 36, 19 and 10 %.

    Notes
    -----
    With v = s^2(V10) / m + s^2(V01) / n of each set, of N = m + n cases::

        t = (AUC_1 - AUC_2) / sqrt(v_1 + v_2)
        df = (v_1 + v_2)^2 / (v_1^2 / (N_1 - 1) + v_2^2 / (N_2 - 1))

    ``reference="t"`` takes the four parts of v_1 + v_2, with m - 1 and n - 1, for df.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] X. Robin et al. (2011), doi:10.1186/1471-2105-12-77.

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
    margin = check_margin(margin)
    check_alternative(alternative, margin)
    check_choice("reference", reference, DEGREES)
    jobs = count_jobs(n_jobs)
    one = as_cases(y_true_1, pos_label, nan_policy, y_score_1=y_score_1)
    two = as_cases(y_true_2, pos_label, nan_policy, y_score_2=y_score_2)

    components = map_threads(as_components, (one, two), jobs)
    moments = [pair_moments(sample, 0, 0) for sample in components]

    auc = np.array([sample.auc[0] for sample in moments])
    variance = np.array([sample.covariance[0, 0] for sample in moments])
    estimate, standard_error = float(auc[0] - auc[1]), math.sqrt(variance.sum())
    df = DEGREES[reference](components, variance)
    status = unpaired_status(components, auc, standard_error, margin)
    announce(status, on_undefined, CURE if (status, reference) == ("small_sample", "welch") else "")
    unvaried = unvaried_pairs(min(c.m for c in components), min(c.n for c in components))

    return DeLongUnpairedResult(
        **infer(estimate, standard_error, alternative, margin, df=df, unvaried=unvaried),
        names=names_of(y_score_1, y_score_2),
        method="DeLong's unpaired test",
        status=status,
        df=df,
        auc=auc,
        variance=variance,
        n_positive=(components[0].m, components[1].m),
        n_negative=(components[0].n, components[1].n),
        n_dropped=(one.n_dropped, two.n_dropped),
    )


def unpaired_status(
    components: list[Components], auc: NDArray[np.float64], standard_error: float, margin: float
) -> str:
    """Return the status word of an unpaired difference."""
    status = sample_status(min(c.m for c in components), min(c.n for c in components), FEW_UNPAIRED)
    if status in ("one_class", "too_few") or standard_error > 0.0:
        return status
    alike = "constant_scores" if auc[0] == 0.5 else "perfect_separation"
    alike = "unvaried" if margin else alike
    return unvaried_status(float(auc[0] - auc[1]), margin, alike)
