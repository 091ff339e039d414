"""Results of data with imputed values, pooled by Rubin's rules.

Of m imputations with estimates Q_i of variance B, and variances U_i whose mean is U,

    Q = mean Q_i,    T = U + (1 + 1 / m) B,    r = (1 + 1 / m) B / U,    l = (1 + 1 / m) B / T

and with v degrees of freedom of complete data, Barnard and Rubin's (1999) are

    1 / df = 1 / v_m + 1 / v_o,    v_m = (m - 1) / l^2,    v_o = (v + 1) / (v + 3) v (1 - l)

v_m are Rubin's (1987), those of v infinite. Where all estimates are equal nothing is lost by
missing values, and df is v: v_o alone would be below. The fraction of missing information is
(r + 2 / (df + 3)) / (r + 1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .._base.documented import documented
from .._base.exceptions import SmallSampleWarning, UndefinedResultWarning
from .._base.text import amount
from .._base.types import Fields, Undefined, Vector
from .._inference.infer import infer
from .._inference.pvalues import reference_quantile
from .._inference.status import STATUSES, warn_status
from .._inputs.options import check_undefined
from .._inputs.plans.results import as_same_results
from .records import IntervalEstimate
from .two_models import StudentResult


class PooledMoments(NamedTuple):
    """A pooled estimate with its variances and degrees of freedom, by Rubin's rules."""

    estimate: float
    standard_error: float
    df: float
    within_variance: float
    between_variance: float
    relative_increase: float
    missing_information: float

    @property
    def fields(self) -> Fields:
        """The moments, as fields of a pooled result."""
        return Fields(**self._asdict())


def pool_by_rubins_rules(
    estimates: Vector, standard_errors: Vector, complete_df: float
) -> PooledMoments:
    """Return the pooled estimate of m data sets; complete data would have `complete_df`.

    Estimates whose differences are no more than rounding count as equal.
    """
    m = estimates.size
    mean = float(estimates.mean())
    within = float(np.square(standard_errors).mean())
    between = float(estimates.var(ddof=1))
    if np.ptp(estimates) <= 2.0**-49 * float(np.abs(estimates).max()):
        between = 0.0
    added_variance = (1.0 + 1.0 / m) * between
    total = within + added_variance
    if within == 0.0 < added_variance and math.isfinite(complete_df):
        total = math.nan  # Barnard and Rubin's degrees of freedom are 0
    if math.isnan(total):
        undefined = {"relative_increase": math.nan, "missing_information": math.nan}
        return PooledMoments(mean, math.nan, math.nan, within, between, **undefined)
    if added_variance == 0.0:  # the mean of equal numbers rounds
        nothing_missing = {"relative_increase": 0.0, "missing_information": 0.0}
        return PooledMoments(
            float(estimates[0]), math.sqrt(total), complete_df, within, 0.0, **nothing_missing
        )
    lost_share = added_variance / total
    df = barnard_rubin_df(m, lost_share, complete_df)
    relative_increase = added_variance / within if within > 0.0 else math.inf
    # (r + 2 / (df + 3)) / (r + 1), also for an infinite r
    missing_information = lost_share + (1.0 - lost_share) * 2.0 / (df + 3.0)
    return PooledMoments(
        mean, math.sqrt(total), df, within, between, relative_increase, missing_information
    )


def barnard_rubin_df(m: int, lost_share: float, complete_df: float) -> float:
    """Return the degrees of freedom of m imputations (Barnard and Rubin 1999).

    `lost_share` is the share of the variance that is due to missing values.
    """
    df_of_imputations = (m - 1.0) / lost_share**2
    if math.isinf(complete_df) or math.isnan(complete_df):
        return df_of_imputations if math.isinf(complete_df) else math.nan
    df_of_observed = (complete_df + 1.0) / (complete_df + 3.0) * complete_df * (1.0 - lost_share)
    return df_of_imputations * df_of_observed / (df_of_imputations + df_of_observed)


class PooledQuantity(NamedTuple):
    """The title, quantity, direction and bounds of the pooled results."""

    title: str
    quantity: str
    higher_is_better: bool
    bounds: tuple[float, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledFields:
    """Fields that pooled tests and pooled intervals have in common."""

    m: int
    within_variance: float
    between_variance: float
    relative_increase: float
    missing_information: float
    _source: PooledQuantity = field(repr=False)

    @property
    def bounds(self) -> tuple[float, float]:
        """The range of the estimate."""
        return self._source.bounds

    def _imputations_text(self) -> str:
        """Return the number of imputations and the percentage of missing information, in words."""
        text = f"Rubin's rules for {amount(self.m, 'imputation')}"
        if math.isnan(self.missing_information):
            return text
        return f"{text}, {100.0 * self.missing_information:.3g}% of the information missing"


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledResult(PooledFields, StudentResult):  # type: ignore[override]
    """Result of `pool` for a test of two models; `estimate` is first minus second."""

    title: ClassVar[str] = "Pooled test of imputed data"

    @property
    def _quantity(self) -> str:  # type: ignore[override]
        return self._source.quantity

    @property
    def higher_is_better(self) -> bool:
        """Whether a positive difference means that the first model is better."""
        return self._source.higher_is_better

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"The pooled difference is {self.estimate:.4g} ({self._interval_prefix('.4g')}"
            f"{self._imputations_text()}{self._hypothesis_text()}, {self._evidence()})."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledIntervalResult(PooledFields, IntervalEstimate):  # type: ignore[override]
    """Result of `pool` for an estimate of one model with its interval."""

    df: float
    title: ClassVar[str] = "Pooled estimate of imputed data"

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the two-sided confidence limits by Student's t; NaN without a standard error."""
        if not self.standard_error > 0.0:
            return math.nan, math.nan
        radius = reference_quantile(0.5 * (1.0 - level), self.df) * self.standard_error
        return self.estimate - radius, self.estimate + radius

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"The pooled estimate is {self.estimate:.4f} ({self._interval_prefix()}"
            f"{self._imputations_text()}; {self._source.title})."
        )


@documented
def pool(
    results: Sequence[Any], *, on_undefined: Undefined = "warn"
) -> PooledResult | PooledIntervalResult:
    """Return the pooled result of the same test, or interval, of several imputed data sets.

    Parameters
    ----------
    results : sequence of results
        One result of each imputed data set, at least two, of the same function with the same
        options and models: any test of two models, or interval of one, that has an estimate and a
        standard error.

    Returns
    -------
    PooledResult or PooledIntervalResult
        With ``estimate``, ``standard_error``, ``df``, ``confidence_interval()``, ``m`` (the number
        of imputations), ``within_variance``, ``between_variance``, ``relative_increase`` (of the
        variance, by missing values), ``missing_information`` (the fraction of missing information),
        ``method``, ``status`` and ``summary()``; of a test also ``names``, ``statistic``,
        ``pvalue``, ``log_pvalue``, ``alternative`` and ``margin``.

    Warns
    -----
    UndefinedResultWarning
        If a standard error is undefined, or all variances are 0 although the estimate is not.
    SmallSampleWarning
        If any of the results has such a warning.

    See Also
    --------
    delong_test, paired_mean_test, concordance_test : Some tests whose results can be pooled.

    Notes
    -----
    Rubin's rules: with estimates Q_i, the mean U of their variances and the variance B of the Q_i,
    the pooled estimate is the mean of the Q_i and its variance T = U + (1 + 1 / m) B. The degrees
    of freedom are Barnard and Rubin's [2]_, from those of the results, of which the fewest count;
    Rubin's [1]_ if these are infinite, as of a normal statistic. If all estimates are equal, the
    degrees of freedom are those of the results. Imputations must be proper: they vary as the values
    that are missing may, given all that is known.

    P-value and interval are those of Student's t, also for tests that have others: exact, by
    resampling, or of scores. Estimates near a bound, such as an AUC of .99, are pooled without a
    transformation.

    References
    ----------
    .. [1] D. B. Rubin (1987), doi:10.1002/9780470316696.
    .. [2] J. Barnard, D. B. Rubin (1999), doi:10.1093/biomet/86.4.948.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(1)
    >>> a, b = rng.normal(size=(2, 50)) + [[0.4], [0.0]]
    >>> missing = np.arange(50) < 10  # of the second model's scores, here drawn five times
    >>> imputed = [np.where(missing, rng.normal(size=50), b) for _ in range(5)]
    >>> print(fc.pool([fc.paired_mean_test(a, scores) for scores in imputed]).summary())
    The first model has a significantly higher mean score than the second model. The pooled
    difference is 0.456 (95% CI 0.08779 to 0.8242; Rubin's rules for 5 imputations, 11.7% of the
    information missing, t(41.03) = 2.501, p = 0.0165).
    """
    check_undefined(on_undefined)
    imputed = as_same_results(results)
    moments = np.array([(result.estimate, result.standard_error) for result in imputed])
    complete_df = min(float(getattr(result, "df", math.inf)) for result in imputed)
    pooled = pool_by_rubins_rules(moments[:, 0], moments[:, 1], complete_df)

    status = pooled_status([result.status for result in imputed], pooled)
    warn_status(status, on_undefined)
    return pooled_result(imputed, pooled, status)


def pooled_result(
    results: list[Any], pooled: PooledMoments, status: str
) -> PooledResult | PooledIntervalResult:
    """Return a pooled test, or a pooled interval where intervals were pooled."""
    first = results[0]
    source = PooledQuantity(
        first.title,
        getattr(first, "_quantity", ""),
        getattr(first, "higher_is_better", True),
        first.bounds,
    )
    shared_fields = Fields(m=len(results), method="Rubin's rules", status=status, _source=source)
    fields = Fields(**pooled.fields, **shared_fields)
    if isinstance(first, IntervalEstimate):
        level = first.confidence_level
        return PooledIntervalResult(**fields, confidence_level=level)
    claim = first.alternative, first.margin
    test = infer(pooled.estimate, pooled.standard_error, *claim, df=pooled.df)
    return PooledResult(**{**fields, **test}, names=first.names)


def pooled_status(statuses: list[str], pooled: PooledMoments) -> str:
    """Return the status of a pooled result: undefined, or rough if one of the results is."""
    if pooled.standard_error == 0.0:
        return "zero_variance" if pooled.estimate else "no_difference"
    is_undefined = math.isnan(pooled.standard_error)
    wanted = UndefinedResultWarning if is_undefined else SmallSampleWarning
    default = "zero_variance" if is_undefined else "ok"
    return next((word for word in statuses if STATUSES[word].category is wanted), default)
