"""Statistics to p-values, their logarithms, and intervals; the only reader of `alternative`.

For statistics with a normal distribution, Student's t, F and chi-squared; infinite degrees of
freedom mean the normal one, and Welch's are those of a sum whose parts vary unequally. Tails are
survival functions, so small p-values keep their digits; below 1e-290 the logarithm comes from an
expansion, so it stays finite where the p-value underflows. Only then, and for t, F and chi-squared,
is SciPy imported.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from .._base.text import plain_sum
from .._base.types import Vector


def log_beta_tail(a: float, b: float, log_r: float) -> float:
    """Return the logarithm of the regularised incomplete beta function I_x(a, b), x = 1 / (1 + r).

    It is the upper tail of F(df1, df2) with a = df2 / 2, b = df1 / 2, r = df1 F / df2, and twice
    that of Student's t with b = 1/2, r = t^2 / df. By its continued fraction, DLMF 8.17.22
    (https://dlmf.nist.gov/8.17#E22), from the log_front.
    """
    from scipy.special import betaln

    # log(1 + r), with all digits for small r and no overflow for large r
    log_x = -math.log1p(math.exp(log_r)) if log_r < 0 else -log_r - math.log1p(math.exp(-log_r))
    x = math.exp(log_x)
    value = d = 1.0 / (1.0 - (a + b) / (a + 1.0) * x)  # c and d: Lentz's ratios of convergents
    c, i = 1.0, 0
    change = 0.0
    while abs(change - 1.0) > 1e-15:
        i += 1
        for numerator in (
            i * (b - i) / ((a + 2 * i - 1) * (a + 2 * i)) * x,
            -(a + i) * (a + b + i) / ((a + 2 * i) * (a + 2 * i + 1)) * x,
        ):
            c, d = 1.0 + numerator / c, 1.0 / (1.0 + numerator * d)
            change = c * d
            value *= change
    log_front = a * log_x + b * (log_r + log_x) - math.log(a) - float(betaln(a, b))
    return log_front + math.log(value)


def log_chi2_tail(x: float, df: float) -> float:
    """Return the logarithm of a far upper tail of the chi-squared distribution.

    Gamma(a, y) = y^a e^-y U(1, 1 + a, y), DLMF 8.5.3 (https://dlmf.nist.gov/8.5#E3).
    """
    from scipy.special import gammaln, hyperu

    a, y = 0.5 * df, 0.5 * x
    return a * math.log(y) - y + math.log(float(hyperu(1.0, 1.0 + a, y))) - float(gammaln(a))


Real = TypeVar("Real", float, Vector)

SQRT2 = math.sqrt(2.0)
UNBOUNDED = (-math.inf, math.inf)
TINY = 1e-290  # below, a p-value loses digits as a subnormal number


class PValue(NamedTuple):
    """A p-value and its natural logarithm."""

    pvalue: float
    log_pvalue: float

    def at_least(self, smallest: float) -> "PValue":
        """Return this p-value, or `smallest` if that is greater."""
        return PValue(smallest, math.log(smallest)) if smallest > self.pvalue else self


UNDEFINED = PValue(math.nan, math.nan)
CERTAIN = PValue(1.0, 0.0)


def ratio(estimate: float, standard_error: float) -> float:
    """Return estimate / standard error: 0 for 0 / 0, else infinite for a standard error of 0."""
    if standard_error > 0.0:
        return estimate / standard_error
    if math.isnan(estimate) or math.isnan(standard_error):
        return math.nan
    return math.copysign(math.inf, estimate) if estimate else 0.0


def statistic_with_margin(
    estimate: float, standard_error: float, alternative: str, margin: float
) -> tuple[float, str]:
    """Return (estimate +- margin) / standard error and the alternative of its p-value.

    A margin is added for 'greater' and subtracted for 'less'. For equivalence it is the less
    significant one of these two tests (Schuirmann 1987).
    """
    above = ratio(estimate + margin, standard_error)
    below = ratio(estimate - margin, standard_error)
    if alternative == "equivalence":
        return (above, "greater") if above <= -below else (below, "less")
    return (below, "less") if alternative == "less" else (above, alternative)


def score_pvalue(
    z_of: Callable[[float], float], alternative: str, margin: float, df: float = math.inf
) -> tuple[float, PValue]:
    """Return the score statistic at the margin, z or t, and its p-value.

    `z_of(D)` is the statistic of the hypothesis that the true difference is D. For equivalence it
    is the less significant one of two tests (Schuirmann 1987).
    """
    above = z_of(-margin)
    below = z_of(margin)
    tail = alternative
    if alternative == "equivalence":
        tail = "greater" if above <= -below else "less"
    z = below if tail == "less" else above
    return z, normal_pvalue(z, tail) if df == math.inf else student_pvalue(z, df, tail)


def upper_tail_start(statistic: Real, alternative: str) -> tuple[Real, float]:
    """Return the start of the tail whose chance is the p-value, and its factor, 2 if two-sided.

    For example (2.5, 2) for a two-sided statistic of -2.5, and (-2.5, 1) for 'greater'.
    """
    if alternative == "two-sided":
        return abs(statistic), 2.0
    return (-statistic if alternative == "less" else statistic), 1.0


def continuity_corrected_z(
    root: Real, difference: Real, error: Real, alternative: str, continuity: float
) -> Real:
    """Return z of a one-sided claim: (difference - continuity) / error, for 'less' with a plus.

    Of a two-sided one it is `root`, the square root of a chi-squared statistic that is corrected.
    """
    if alternative == "two-sided":
        return root
    correction = continuity if alternative == "greater" else -continuity
    return (difference - correction) / error


def pvalue_by_convention(statistic: float, standard_error: float) -> PValue | None:
    """Return the p-value of a degenerate test: NaN if the statistic is infinite or NaN.

    1 if the standard error alone is 0 (so is the statistic, then), None if the test is regular.
    """
    if math.isnan(statistic) or math.isinf(statistic):
        return UNDEFINED
    return CERTAIN if standard_error == 0.0 else None


def normal_tail(z: float) -> float:
    """Return the chance that a standard normal variable exceeds z."""
    return 0.5 * math.erfc(z / SQRT2)


def bare_normal_pvalue(z: float, alternative: str) -> float:
    """Return the p-value of a standard normal statistic, without its logarithm."""
    start, sides = upper_tail_start(z, alternative)
    return 0.5 * sides * math.erfc(start / SQRT2)


def bare_reference_pvalue(statistic: float, df: float, alternative: str) -> float:
    """Return the p-value by Student's t, or the normal for infinite `df`, without its logarithm."""
    if df == math.inf:
        return bare_normal_pvalue(statistic, alternative)
    start, sides = upper_tail_start(statistic, alternative)
    return sides * student_tail(start, df)


def normal_pvalue(z: float, alternative: str) -> PValue:
    """Return the p-value of a standard normal statistic."""
    p = bare_normal_pvalue(z, alternative)
    if p >= TINY:
        return PValue(p, math.log(p))
    from scipy.special import log_ndtr

    start, sides = upper_tail_start(z, alternative)
    return PValue(p, math.log(sides) + float(log_ndtr(-start)))


def ratios(estimate: Vector, standard_error: Vector) -> Vector:
    """Return `ratio` of arrays: estimate / standard error, 0 for 0 / 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        z = estimate / standard_error
    z[(estimate == 0.0) & (standard_error == 0.0)] = 0.0
    return z


def normal_pvalues(z: Vector, standard_error: Vector, alternative: str) -> Vector:
    """Return `normal_pvalue` for arrays, with the conventions for a standard error of 0."""
    start, sides = upper_tail_start(z, alternative)
    # math.erfc as in normal_pvalue: the same z gives the same bits there and here
    tails = np.fromiter(map(math.erfc, (start / SQRT2).tolist()), np.float64, start.size)
    p = 0.5 * sides * tails
    p[~np.isfinite(z)] = math.nan
    p[(z == 0.0) & (standard_error == 0.0)] = 1.0
    return p


def student_tail(t: float, df: float) -> float:
    """Return the chance that Student's t with `df` degrees of freedom exceeds t."""
    from scipy.special import stdtr

    return float(stdtr(df, -t))


def student_pvalue(t: float, df: float, alternative: str) -> PValue:
    """Return the p-value of Student's t with `df` degrees of freedom."""
    start, sides = upper_tail_start(t, alternative)
    p = sides * student_tail(start, df)
    if p >= TINY:
        return PValue(p, math.log(p))
    tail = log_beta_tail(0.5 * df, 0.5, 2.0 * math.log(start) - math.log(df))
    return PValue(p, math.log(0.5 * sides) + tail)


def student_pvalues(t: Vector, df: float | Vector, alternative: str) -> Vector:
    """Return `student_pvalue` for an array of statistics, NaN where those are not finite."""
    from scipy.special import stdtr

    start, sides = upper_tail_start(t, alternative)
    return np.asarray(np.where(np.isfinite(t), sides * stdtr(df, -start), math.nan))


def f_pvalue(f: float, df1: float, df2: float) -> PValue:
    """Return the p-value of an F statistic with `df1` and `df2` degrees of freedom."""
    from scipy.special import fdtrc

    p = float(fdtrc(df1, df2, f))
    if p >= TINY:
        return PValue(p, math.log(p))
    return PValue(p, log_beta_tail(0.5 * df2, 0.5 * df1, math.log(df1 / df2) + math.log(f)))


def f_pvalues(f: Vector, df1: float | Vector, df2: float | Vector) -> Vector:
    """Return `f_pvalue` for an array of statistics, NaN where those are not finite."""
    from scipy.special import fdtrc

    return np.asarray(np.where(np.isfinite(f), fdtrc(df1, df2, f), math.nan))


def chi2_pvalue(x: float, df: float) -> PValue:
    """Return the p-value of a chi-squared statistic with `df` degrees of freedom."""
    from scipy.special import chdtrc

    p = float(chdtrc(df, x))
    return PValue(p, math.log(p) if p >= TINY else log_chi2_tail(x, df))


def chi2_pvalues(x: Vector, df: float) -> Vector:
    """Return `chi2_pvalue` for an array of statistics, NaN where those are not finite."""
    from scipy.special import chdtrc

    return np.asarray(np.where(np.isfinite(x), chdtrc(df, x), math.nan))


def normal_quantile(upper: float) -> float:
    """Return the point that a standard normal variable exceeds with probability `upper`."""
    from scipy.special import ndtri

    return -float(ndtri(upper))


def student_quantile(upper: float, df: float) -> float:
    """Return the point that Student's t exceeds with probability `upper`."""
    from scipy.special import stdtrit

    return -float(stdtrit(df, upper))


def interval_ends(
    estimate: Real,
    standard_error: Real,
    alternative: str,
    quantile: Real | float,
    bounds: tuple[float, float],
) -> tuple[Real | float, Real | float]:
    """Return estimate -+ quantile standard errors, the interval that inverts the test.

    A one-sided interval ends at the bound of the parameter.
    """
    radius = quantile * standard_error
    return open_one_side(alternative, estimate - radius, estimate + radius, bounds)


def open_one_side(
    alternative: str, low: Real, high: Real, bounds: tuple[float, float] = UNBOUNDED
) -> tuple[Real | float, Real | float]:
    """Return the ends of an interval, for 'less' and 'greater' one of them moved to the bound."""
    return (
        bounds[0] if alternative == "less" else low,
        bounds[1] if alternative == "greater" else high,
    )


def upper_tail(confidence_level: float, alternative: str) -> float:
    """Return the probability beyond each end of an interval: (1 - level) / 2 if two-sided.

    1 - level for one-sided intervals and for equivalence, which at level alpha means that the
    1 - 2 alpha interval lies within the margins.
    """
    alpha = 1.0 - confidence_level
    return 0.5 * alpha if alternative == "two-sided" else alpha


def claim_pvalue(
    alternative: str,
    margin: float,
    above: Callable[[float], float],
    below: Callable[[float], float],
) -> PValue:
    """Return the p-value of a claim from the functions `above` and `below`.

    `above(x)` and `below(x)` are the p-values of the claims that the parameter is above and below
    x. Equivalence takes the larger one of two (Schuirmann 1987), two-sided tests twice the smaller
    one at 0.
    """
    if alternative == "greater":
        p = above(-margin)
    elif alternative == "less":
        p = below(margin)
    elif alternative == "equivalence":
        p = max(above(-margin), below(margin))
    else:
        p = min(1.0, 2.0 * min(above(0.0), below(0.0)))
    return PValue(p, math.log(p) if p > 0.0 else -math.inf)


def claim_pvalue_at_null(
    alternative: str, margin: float, pvalue_at: Callable[[float, str], PValue]
) -> PValue:
    """Return the p-value of a claim from `pvalue_at(null, alternative)`, moved by the margin.

    Equivalence takes the larger one of two (Schuirmann 1987).
    """
    if alternative == "equivalence":
        return max(pvalue_at(-margin, "greater"), pvalue_at(margin, "less"))
    null = {"greater": -margin, "less": margin}.get(alternative, 0.0)
    return pvalue_at(null, alternative)


def claim_ends(
    alternative: str,
    confidence_level: float,
    low: Callable[[float], float],
    high: Callable[[float], float],
) -> tuple[float, float]:
    """Return the ends of an interval from the functions `low(alpha)` and `high(alpha)`.

    It inverts `claim_pvalue`; the open side of a one-sided interval is infinite.
    """
    alpha = upper_tail(confidence_level, alternative)
    return (
        -math.inf if alternative == "less" else low(alpha),
        math.inf if alternative == "greater" else high(alpha),
    )


def reference_pvalue(statistic: float, df: float, alternative: str) -> PValue:
    """Return the p-value by Student's t, for infinite degrees of freedom by the normal."""
    if df == math.inf:
        return normal_pvalue(statistic, alternative)
    return student_pvalue(statistic, df, alternative)


def reference_pvalues(t: Vector, standard_error: Vector, df: Vector, alternative: str) -> Vector:
    """Return the p-values of statistics, each by Student's t with its degrees of freedom.

    Infinite or NaN ones mean the normal distribution; for a standard error of 0 the conventions are
    those of `normal_pvalues`.
    """
    pvalue = normal_pvalues(t, standard_error, alternative)
    student = np.isfinite(df)
    if student.any():
        pvalue[student] = student_pvalues(t[student], df[student], alternative)
    return pvalue


def log_reference_pvalues(
    t: Vector, pvalue: Vector, df: Vector | float, alternative: str
) -> Vector:
    """Return the logarithms of `reference_pvalues`, by an expansion where those underflow."""
    degrees = np.broadcast_to(df, pvalue.shape)
    with np.errstate(divide="ignore"):
        log_p = np.log(pvalue)
    for i in np.flatnonzero(pvalue < TINY):
        log_p[i] = reference_pvalue(float(t[i]), float(degrees[i]), alternative).log_pvalue
    return log_p


def reference_quantile(upper: float, df: float) -> float:
    """Return the upper quantile of Student's t, or of the normal for infinite `df`."""
    return normal_quantile(upper) if df == math.inf else student_quantile(upper, df)


def reference_quantiles(upper: float, df: Vector) -> Vector:
    """Return `reference_quantile` for an array of degrees of freedom, undefined ones as normal."""
    from scipy.special import stdtrit

    quantile = np.full(df.shape, normal_quantile(upper))
    student = np.isfinite(df)
    if student.any():
        quantile[student] = -stdtrit(df[student], upper)
    return quantile


def welch_df(variances: Sequence[float], sample_sizes: Sequence[float]) -> float:
    """Return Welch's (1947) degrees of freedom of a sum of variances of means.

    `sample_sizes` are the numbers of independent values of the means. NaN if all variances are 0.
    """
    terms = zip(variances, sample_sizes, strict=True)
    squares = [v * v / (n - 1) for v, n in terms if v > 0.0]
    return plain_sum(variances) ** 2 / plain_sum(squares) if squares else math.nan


def welch_dfs(variances: Any, sample_sizes: Any) -> Vector:
    """Return `welch_df` for arrays; the first axis of `variances` is along the parts of a sum."""
    total = sum(variances)
    squares = sum(v * v / (n - 1) for v, n in zip(variances, sample_sizes, strict=True))
    df: Vector = np.full(np.shape(total), math.nan)
    np.divide(total * total, squares, out=df, where=np.asarray(squares > 0.0))
    return df
