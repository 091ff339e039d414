"""Intervals for one AUC: functions of (auc, standard error, m, n, level, df) in one table."""

import math

from ..._inference.references import reference_quantile

Ends = tuple[float, float]


def two_sided_quantile(level: float, df: float = math.inf) -> float:
    """Return the quantile of a two-sided interval: Student's t, normal for infinite df."""
    return reference_quantile(0.5 * (1.0 - level), df)


def delong(
    auc: float, standard_error: float, m: int, n: int, level: float, df: float = math.inf
) -> Ends:
    """Return the symmetric interval of DeLong et al. (1988)."""
    radius = two_sided_quantile(level, df) * standard_error
    return auc - radius, auc + radius


def logit(
    auc: float, standard_error: float, m: int, n: int, level: float, df: float = math.inf
) -> Ends:
    """Return the interval that is symmetric for the log odds of the AUC, Pepe (2003), 5.2."""
    if auc in (0.0, 1.0):
        return math.nan, math.nan
    centre = math.log(auc / (1.0 - auc))
    radius = two_sided_quantile(level, df) * standard_error / (auc * (1.0 - auc))
    return expit(centre - radius), expit(centre + radius)


def expit(x: float) -> float:
    """Return 1 / (1 + exp(-x))."""
    return 0.0 if x <= -700.0 else 1.0 / (1.0 + math.exp(-x))  # NaN stays NaN


def newcombe(
    auc: float, standard_error: float, m: int, n: int, level: float, df: float = math.inf
) -> Ends:
    """Return method 5 of Newcombe (2006); the upper end mirrors the lower one of 1 - AUC."""
    z = two_sided_quantile(level)
    return newcombe_low(auc, m, n, z), 1.0 - newcombe_low(1.0 - auc, m, n, z)


def newcombe_low(auc: float, m: int, n: int, z: float) -> float:
    """Solve (auc - u)^2 = z^2 Var(u) for u below auc, Var being Newcombe's (2006), method 5."""
    from scipy.optimize import brentq

    if auc == 0.0:
        return 0.0
    half = 0.5 * (m + n) - 1.0  # N* - 1

    def excess(u: float) -> float:
        spread = z * z / (m * n) * (1.0 + half * ((1.0 - u) / (2.0 - u) + u / (1.0 + u)))
        if auc == 1.0:  # the factor 1 - u of both sides cancels, and with it the root u = 1
            return (1.0 - u) - spread * u
        return (auc - u) ** 2 - spread * u * (1.0 - u)

    return float(brentq(excess, 0.0, auc, xtol=1e-15, rtol=1e-14))


INTERVALS = {"delong": delong, "logit": logit, "newcombe": newcombe}
