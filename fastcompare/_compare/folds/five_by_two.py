"""Tests of five two-fold cross-validations: Dietterich's t and Alpaydin's F.

Notation: d_ij is the difference of the scores in half j of round i, s_i^2 = (d_i1 - d_i2)^2 / 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.types import Alternative, Matrix, Undefined, Vector
from ..._inference.infer import infer
from ..._inference.pvalues import UNDEFINED, degenerate, f_pvalue, ratio
from ..._inference.status import announce
from ..._inputs.options import check_alternative, check_amount, check_undefined
from ..._inputs.rounds import as_five_by_two, refuse_range
from ..._results.omnibus import OmnibusResult
from ..._results.records import Record, StudentResult
from ...kernels.tables.folds import average, rounding, sums_5x2cv
from .designs import DesignName, heed_design
from .student import unvaried_rounds, variance_status


class HalvesSums(NamedTuple):
    """Differences (5, 2), their mean, the first, the sums of d^2 and of (d1 - d2)^2."""

    d: Matrix
    mean: float
    first: float
    squares: float
    scatter: float


@dataclass(frozen=True, eq=False, kw_only=True)
class HalvesRecord(Record):
    """What both tests say of five two-fold cross-validations."""

    differences: Matrix
    mean_difference: float
    n: int = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class TTest5x2cvResult(HalvesRecord, StudentResult):
    """Result of `ttest_5x2cv`; `estimate` is the difference in the first half of round one."""

    title: ClassVar[str] = "5x2cv paired t-test"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"The mean difference over five two-fold cross-validations is "
            f"{self.mean_difference:.4g}, the first one {self.estimate:.4g} "
            f"({self._stated_interval('.4g')}; {self.method}{self._stated_claim()}, "
            f"{self._evidence()})."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class FTest5x2cvResult(HalvesRecord, OmnibusResult):
    """Result of `ftest_5x2cv`; there is no single estimate, hence no interval."""

    title: ClassVar[str] = "Combined 5x2cv F-test"
    digits: ClassVar[str] = ".4g"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"The mean difference over five two-fold cross-validations is "
            f"{self.mean_difference:.4g} ({self.method}, {self._evidence()})."
        )


@documented
def ttest_5x2cv(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    design: DesignName | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    on_undefined: Undefined = "warn",
) -> TTest5x2cvResult:
    """Run the 5x2cv paired t-test on the scores of five two-fold cross-validations.

    Valid for five random halvings of one data set: each half trains both models once, and tests
    them once. The statistic takes one difference of the ten; `ftest_5x2cv` takes all.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (5, 2)
        Any metric of the two models: a row for each halving, a column for each half.
    design : {'5x2cv', 'kfold', 'repeated-kfold', 'resampled', 'independent'}, optional
        Where the scores come from; any but '5x2cv' is warned of.

    Returns
    -------
    TTest5x2cvResult
        With ``statistic`` (t), ``df`` (5), ``pvalue``, ``log_pvalue``, ``estimate`` (the first
        difference of the first round), ``standard_error``, ``differences`` (5, 2),
        ``mean_difference``, ``status``, ``confidence_interval(confidence_level)`` and
        ``summary()``.

    Raises
    ------
    InvalidValueError
        If a score is missing: nothing can be left out.

    Warns
    -----
    DesignWarning
        If `design` is not '5x2cv'.
    UndefinedResultWarning
        If the two differences of every round are equal, but not all 0.

    See Also
    --------
    ftest_5x2cv : Does not depend on which difference comes first.
    ttest_corrected : For more rounds.

    Notes
    -----
    With the differences d_i1 and d_i2 of both halves of round i, and s_i^2 = (d_i1 - m_i)^2 + (d_i2
    - m_i)^2 around their mean m_i::

        t = d_11 / sqrt((s_1^2 + ... + s_5^2) / 5),    df = 5

    References
    ----------
    .. [1] T. G. Dietterich (1998), doi:10.1162/089976698300017197, section 3.5.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a = [[.82, .79], [.83, .81], [.80, .82], [.84, .80], [.81, .83]]
    >>> result = fc.ttest_5x2cv(a, [[.80] * 2] * 5)
    >>> round(result.statistic, 5), round(result.pvalue, 6)
    (1.03975, 0.346098)
    """
    margin = check_amount("margin", margin, 0.0)
    check_alternative(alternative, margin)
    check_undefined(on_undefined)
    sums = halves_sums(scores_a, scores_b)
    heed_design("ttest_5x2cv", design, ("5x2cv",))

    standard_error = math.sqrt(sums.scatter / 10.0)  # Dietterich (1998), section 3.5
    differ = 0.0 if margin else sums.squares  # the first difference alone is judged by a margin
    status = variance_status(sums.first or differ, standard_error, margin)
    announce(status, on_undefined)

    return TTest5x2cvResult(
        **infer(sums.first, standard_error, alternative, margin, df=5, unvaried=unvaried_rounds(1)),
        df=5,
        differences=sums.d,
        mean_difference=sums.mean,
        method="5x2cv paired t-test",
        status=status,
    )


def ftest_5x2cv(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    design: DesignName | None = None,
    on_undefined: Undefined = "warn",
) -> FTest5x2cvResult:
    """Run the combined 5x2cv F-test on the scores of five two-fold cross-validations.

    Valid for the design of `ttest_5x2cv`. It has more power, and neither the order of the rounds
    nor that of the halves matters.

    Parameters
    ----------
    scores_a, scores_b, design, on_undefined
        As in `ttest_5x2cv`.

    Returns
    -------
    FTest5x2cvResult
        With ``statistic`` (F), ``df`` (10, 5), ``pvalue``, ``log_pvalue``, ``differences`` (5, 2),
        ``mean_difference``, ``status`` and ``summary()``.

    Warns
    -----
    DesignWarning, UndefinedResultWarning
        As `ttest_5x2cv`, which refuses missing scores, too.

    See Also
    --------
    ttest_5x2cv : Dietterich's test, which has a direction and an interval.

    Notes
    -----
    With the differences d_i1 and d_i2 of both halves of round i, and s_i^2 = (d_i1 - m_i)^2 + (d_i2
    - m_i)^2 around their mean m_i::

        F = sum over i of (d_i1^2 + d_i2^2) / (2 (s_1^2 + ... + s_5^2)),    df = (10, 5)

    References
    ----------
    .. [1] E. Alpaydin (1999), doi:10.1162/089976699300016007.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a = [[.82, .79], [.83, .81], [.80, .82], [.84, .80], [.81, .83]]
    >>> print(fc.ftest_5x2cv(a, [[.80] * 2] * 5).summary())
    The mean difference over five two-fold cross-validations is 0.015 (combined 5x2cv F-test,
    F(10, 5) = 1.216, p = 0.4389).
    """
    check_undefined(on_undefined)
    sums = halves_sums(scores_a, scores_b)
    heed_design("ftest_5x2cv", design, ("5x2cv",))

    f = ratio(sums.squares, sums.scatter)  # Alpaydin (1999), equation 3
    status = variance_status(sums.squares, sums.scatter)
    p = f_pvalue(f, 10, 5) if status == "ok" else degenerate(f, sums.scatter) or UNDEFINED
    announce(status, on_undefined)

    return FTest5x2cvResult(
        statistic=f,
        df=(10, 5),
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        differences=sums.d,
        mean_difference=sums.mean,
        n_dropped=0,
        method="combined 5x2cv F-test",
        status=status,
    )


def halves_sums(scores_a: ArrayLike, scores_b: ArrayLike) -> HalvesSums:
    """Return the checked differences with the sums that both tests take."""
    a, b = as_five_by_two(scores_a, scores_b)
    with np.errstate(over="ignore"):
        d = a - b
    sums = sums_5x2cv(settled_halves(a, b), 0.0)
    if not sums[1] + sums[2] < math.inf:
        refuse_range()
    return HalvesSums(d.reshape(5, 2), average(d), *sums)


def settled_halves(a: Vector, b: Vector) -> Matrix:
    """Return the differences (5, 2), those of a round the same where rounding alone parts them."""
    d = np.empty((5, 2))
    for own, first, second in zip(d, a.reshape(5, 2), b.reshape(5, 2), strict=True):
        if rounding(first, second, own):
            own[:] = own[0]
    return d
