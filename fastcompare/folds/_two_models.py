"""Tests of two models by round besides Student's: five two-fold cross-validations, Bayes.

d_ij is the difference of the scores in half j of round i, s_i^2 = (d_i1 - d_i2)^2 / 2. The Bayesian
test has J rounds, differences with mean d and variance s^2; rounds correlate by
rho = n_test / (n_train + n_test).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.types import Alternative, Matrix, NanPolicy, Undefined, Vector
from .._inference.infer import OmnibusOutcome, infer
from .._inference.pvalues import (
    UNDEFINED,
    f_pvalue,
    pvalue_by_convention,
    ratio,
    student_quantile,
    student_tail,
)
from .._inference.status import warn_status
from .._inputs.options import (
    check_alternative,
    check_amount,
    check_flag,
    check_level,
    check_undefined,
)
from .._inputs.rounds import as_five_by_two, as_rounds, as_sizes, refuse_range
from .._inputs.scores import UNNAMED, ScoreTable
from .._results.records import ConfidenceInterval, OmnibusResult
from .._results.two_models import StudentResult
from ..kernels.signed_ranks import ROUNDING
from ..kernels.tables.folds import safe_mean, subtract_scores, sums_5x2cv
from ..paired._bayes import DEFAULT_ROPE, PosteriorResult, posterior_fields
from ._student import (
    DesignName,
    MetricResult,
    SizedRounds,
    equal_rounds_bound,
    rounds_moments,
    variance_status,
    warn_of_design,
    warn_of_splits,
)


class HalvesSums(NamedTuple):
    """The differences d (5, 2), their mean, the first one, d_11, and sums over the five rounds.

    `squares` is the sum of d_i1^2 + d_i2^2, `scatter` that of (d_i1 - d_i2)^2.
    """

    d: Matrix
    mean: float
    first: float
    squares: float
    scatter: float


@dataclass(frozen=True, eq=False, kw_only=True)
class HalvesRecord(MetricResult):
    """The fields that the 5x2cv t-test and F-test have."""

    differences: Matrix
    mean_difference: float
    n: int = 5


@dataclass(frozen=True, eq=False, kw_only=True)
class TTest5x2cvResult(HalvesRecord, StudentResult):
    """Result of `ttest_5x2cv`; `estimate` is the first difference of the first round."""

    title: ClassVar[str] = "5x2cv paired t-test"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        opposed = self.estimate * self.mean_difference < 0.0
        return (
            f"The first of ten differences in five two-fold cross-validations, the one that is "
            f"tested, is {self.estimate:.4g} ({self._interval_text('.4g')}; "
            f"{self.method}{self._hypothesis_text()}, {self._evidence()}); "
            f"{'but ' if opposed else ''}the mean of all ten is {self.mean_difference:.4g}."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class FTest5x2cvResult(HalvesRecord, OmnibusResult):
    """Result of `ftest_5x2cv`; there is no single estimate, hence no interval."""

    names: tuple[str, str] = UNNAMED
    title: ClassVar[str] = "Combined 5x2cv F-test"
    digits: ClassVar[str] = ".4g"
    _quantity: ClassVar[Any] = property(lambda self: f"{self.metric} over the ten halves")

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        low, high = self.differences.min(), self.differences.max()
        return (
            f"The ten differences in five two-fold cross-validations range from {low:.4g} to "
            f"{high:.4g}, with mean {self.mean_difference:.4g} ({self.method}, "
            f"{self._evidence()})."
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
    """Dietterich's 5x2cv paired t-test of scores from five two-fold cross-validations.

    Valid for five random splits of one data set into halves: both models are trained on each half
    and tested on the other. The numerator uses only one of the ten differences; `ftest_5x2cv` uses
    all.

    Parameters
    ----------
    scores_a, scores_b : array-like of shape (5, 2)
        The two models' scores by any metric, one row per split and one column per half.
    design : {'5x2cv', 'kfold', 'repeated-kfold', 'resampled', 'independent'}, optional
        Where the scores come from; warns for all but '5x2cv'.

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
        If a score is missing.

    Warns
    -----
    DesignWarning
        If `design` is not '5x2cv'.
    UndefinedResultWarning
        If the two differences of every round are equal, but not all 0.

    See Also
    --------
    ftest_5x2cv : Uses all differences; more powerful.
    ttest_corrected : For more rounds.

    Notes
    -----
    With the differences d_i1 and d_i2 in the two halves of round i, and s_i^2 = (d_i1 - m_i)^2 +
    (d_i2 - m_i)^2 around their mean m_i::

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
    warn_of_design("ttest_5x2cv", design, ("5x2cv",))

    standard_error = math.sqrt(sums.scatter / 10.0)  # Dietterich (1998), section 3.5
    # no difference only if all ten are 0; with a margin the first alone matters
    difference = sums.first if margin else sums.first or sums.squares
    status = variance_status(difference, standard_error, margin)
    warn_status(status, on_undefined)

    return TTest5x2cvResult(
        **infer(
            sums.first, standard_error, alternative, margin, df=5, unvaried=equal_rounds_bound(1)
        ),
        df=5,
        differences=sums.d,
        mean_difference=sums.mean,
        method="5x2cv paired t-test",
        status=status,
    )


@documented
def ftest_5x2cv(
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    design: DesignName | None = None,
    on_undefined: Undefined = "warn",
) -> FTest5x2cvResult:
    """Alpaydin's combined 5x2cv F-test of scores from five two-fold cross-validations.

    Valid for the design of `ttest_5x2cv`. It has more power and does not depend on the order of
    rounds or halves.

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
        As in `ttest_5x2cv`; missing scores are an error, too.

    See Also
    --------
    ttest_5x2cv : Dietterich's test, which has a direction and an interval.

    Notes
    -----
    With the differences d_i1 and d_i2 in the two halves of round i, and s_i^2 = (d_i1 - m_i)^2 +
    (d_i2 - m_i)^2 around their mean m_i::

        F = sum over i of (d_i1^2 + d_i2^2) / (2 (s_1^2 + ... + s_5^2)),    df = (10, 5)

    References
    ----------
    .. [1] E. Alpaydin (1999), doi:10.1162/089976699300016007.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a = [[.82, .79], [.83, .81], [.80, .82], [.84, .80], [.81, .83]]
    >>> print(fc.ftest_5x2cv(a, [[.80] * 2] * 5).summary())
    The two models do not differ significantly in score over the ten halves. The ten differences in
    five two-fold cross-validations range from -0.01 to 0.04, with mean 0.015 (combined 5x2cv
    F-test, F(10, 5) = 1.216, p = 0.4389).
    """
    check_undefined(on_undefined)
    sums = halves_sums(scores_a, scores_b)
    warn_of_design("ftest_5x2cv", design, ("5x2cv",))

    f = ratio(sums.squares, sums.scatter)  # Alpaydin (1999), equation 3
    status = variance_status(sums.squares, sums.scatter)
    p = f_pvalue(f, 10, 5) if status == "ok" else pvalue_by_convention(f, sums.scatter) or UNDEFINED
    warn_status(status, on_undefined)

    return FTest5x2cvResult(
        **OmnibusOutcome(f, (10, 5), p, status).fields(),
        differences=sums.d,
        mean_difference=sums.mean,
        n_dropped=0,
        method="combined 5x2cv F-test",
    )


def halves_sums(scores_a: ArrayLike, scores_b: ArrayLike) -> HalvesSums:
    """Return the checked differences of ten halves, with the sums that t and F take."""
    a, b = as_five_by_two(scores_a, scores_b)
    with np.errstate(over="ignore"):
        d = a - b
    first, squares, scatter = sums_5x2cv(halves_without_rounding(a, b), 0.0)
    if not squares + scatter < math.inf:
        refuse_range("scores_a", "scores_b")
    mean = safe_mean(d)
    largest = max(np.abs(a).max(), np.abs(b).max())
    mean = 0.0 if abs(mean) <= ROUNDING * largest else mean  # what rounding leaves has no sign
    return HalvesSums(d.reshape(5, 2), mean, first, squares, scatter)


def halves_without_rounding(a: Vector, b: Vector) -> Matrix:
    """Return the differences (5, 2), equal in a round where they differ only by rounding."""
    d = np.empty((5, 2))
    for differences, of_a, of_b in zip(d, a.reshape(5, 2), b.reshape(5, 2), strict=True):
        range_by_rounding = subtract_scores(of_a, of_b, differences)
        if range_by_rounding:
            differences[:] = differences[0]
    return d


@dataclass(frozen=True, eq=False, kw_only=True)
class BayesTResult(SizedRounds, PosteriorResult):
    """Result of `bayes_correlated_ttest`; `estimate` is the mean of first minus second."""

    estimate: float
    scale: float
    df: int

    rows: ClassVar[str] = "rounds"
    title: ClassVar[str] = "Bayesian correlated t-test"

    def credible_interval(self, level: float = 0.95) -> ConfidenceInterval:
        """Return the central credible interval of the mean difference.

        Parameters
        ----------
        level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; NaN where the differences do not vary, but are not 0.
        """
        quantile = student_quantile(0.5 * (1.0 - check_level(level)), self.df)
        radius = math.nan if self.status == "zero_variance" else quantile * self.scale
        return ConfidenceInterval(self.estimate - radius, self.estimate + radius)


@documented
def bayes_correlated_ttest(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    n_train: float | None = None,
    n_test: float | None = None,
    cv: object = None,
    rope: float = DEFAULT_ROPE,
    design: DesignName | None = None,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> BayesTResult:
    """Return the posterior probability that either model is better: Bayesian correlated t-test.

    The Bayesian counterpart of `ttest_corrected`, valid for the same designs: random splits or
    repeated cross-validation of one data set, with both models on the same splits.

    Parameters
    ----------
    scores_a, scores_b
        As in `ttest_corrected`.
    rope : float, default=0.01
        Half-width of the region of practical equivalence, in the unit of the metric: mean
        differences up to this size count as none; 0 for no region.
    higher_is_better : bool, default=True
        False for errors and losses.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do if the probabilities are undefined for these data.

    Returns
    -------
    BayesTResult
        With ``probability_a`` (that the first model is better), ``probability_rope`` (that both
        are practically equivalent) and ``probability_b``; ``rope``, ``estimate`` (the mean
        difference), ``scale`` and ``df`` of the posterior, ``higher_is_better``, ``names``, ``n``
        (J, complete rounds), ``n_dropped``, ``n_train``, ``n_test``, ``method``, ``status``,
        ``credible_interval(level)`` and ``summary()``.

    Warns
    -----
    DesignWarning, UndefinedResultWarning
        As `ttest_corrected`.

    See Also
    --------
    ttest_corrected : A p-value from the same distribution.
    bayes_signed_rank : Two models on several data sets.

    Notes
    -----
    With a flat prior on the mean and the logarithm of the variance, the posterior of the mean
    difference is Student's t with J - 1 degrees of freedom, centre d and scale sqrt(s² (1 / J + rho
    / (1 - rho))). Without a region, the probability that the second model is better is the
    one-sided p-value of the corrected t-test. If all differences are 0, the probability of
    equivalence is 1, by convention.

    References
    ----------
    .. [1] G. Corani, A. Benavoli (2015), doi:10.1007/s10994-015-5486-z.
    .. [2] A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017), Journal of Machine Learning
       Research 18(77), 1-36.

    Examples
    --------
    >>> import fastcompare as fc
    >>> a, b = [.80, .82, .79, .85, .81], [.78, .79, .80, .81, .78]
    >>> print(fc.bayes_correlated_ttest(a, b, n_train=80, n_test=20).summary())
    The probability that the first is better than the second is 0.7975, that it is worse 0.0341,
    and that both are equivalent (within 0.01) 0.1684 (Bayesian correlated t-test, 5 rounds).
    """
    region = check_amount("rope", rope, 0.0)
    higher = check_flag("higher_is_better", higher_is_better)
    check_undefined(on_undefined)
    sizes = as_sizes(n_train, n_test, cv, design)
    rounds = as_rounds(scores_a, scores_b, nan_policy=nan_policy)
    n = rounds.scores.shape[1]
    warn_of_splits("bayes_correlated_ttest", n + rounds.n_dropped, sizes)

    _, estimate, squared_deviations = rounds_moments(rounds)
    # Corani and Benavoli (2015), Eq. 9; rho / (1 - rho) = n_test / n_train
    scale = math.sqrt(squared_deviations / (n - 1) * (1.0 / n + sizes.overlap))
    chances = posterior_probabilities(estimate, scale, n - 1, region)
    status = variance_status(estimate, scale)
    warn_status(status, on_undefined)

    return BayesTResult(
        **posterior_fields(chances, region, higher, rounds.names),
        estimate=estimate,
        scale=scale,
        df=n - 1,
        n=n,
        n_dropped=rounds.n_dropped,
        n_train=sizes.n_train,
        n_test=sizes.n_test,
        method="Bayesian correlated t-test",
        status=status,
    )


def posterior_probabilities(
    estimate: float, scale: float, df: int, rope: float
) -> tuple[float, float, float]:
    """Return the posterior probabilities that the mean difference is > rope, within it, < -rope.

    The posterior is Student's t with centre `estimate`, `scale` and `df`. Without a scale the
    probabilities are NaN, or 0, 1 and 0 if the estimate is 0.
    """
    if scale == 0.0:
        return (math.nan, math.nan, math.nan) if estimate else (0.0, 1.0, 0.0)
    above = student_tail((rope - estimate) / scale, df)
    below = student_tail((rope + estimate) / scale, df)
    # seen from the mean, the region is in the upper tail: small numbers are subtracted, not near 1
    distance = abs(estimate) / scale
    reach = rope / scale
    within = student_tail(distance - reach, df) - student_tail(distance + reach, df)
    return above, within, below
