"""Statistics with degrees of freedom of their own: normal where infinite, else Student's t."""

import math

import numpy as np

from .._base.types import Vector
from .pvalues import (
    log_normal_pvalues,
    log_student_pvalues,
    normal_pvalues,
    normal_quantile,
    student_pvalues,
    student_quantile,
)


def reference_pvalues(t: Vector, standard_error: Vector, df: Vector, alternative: str) -> Vector:
    """Return the p-values of statistics, each with degrees of freedom of its own.

    The conventions for a standard error of 0, where there are none, are those of `normal_pvalues`.
    """
    pvalue = normal_pvalues(t, standard_error, alternative)
    student = np.isfinite(df)
    if student.any():
        pvalue[student] = student_pvalues(t[student], df[student], alternative)
    return pvalue


def log_reference_pvalues(t: Vector, pvalue: Vector, df: Vector, alternative: str) -> Vector:
    """Return the logarithms of `reference_pvalues`, by an expansion where those underflow."""
    log_p = log_normal_pvalues(t, pvalue, alternative)
    for degrees in np.unique(df[np.isfinite(df)]):
        own = df == degrees
        log_p[own] = log_student_pvalues(t[own], pvalue[own], float(degrees), alternative)
    return log_p


def reference_quantile(upper: float, df: float) -> float:
    """Return the point that the statistic exceeds with probability `upper`."""
    return normal_quantile(upper) if df == math.inf else student_quantile(upper, df)


def reference_quantiles(upper: float, df: Vector) -> Vector:
    """Return `reference_quantile` for an array of degrees of freedom, undefined ones as normal."""
    from scipy.special import stdtrit

    quantile = np.full(df.shape, normal_quantile(upper))
    student = np.isfinite(df)
    if student.any():
        quantile[student] = -stdtrit(df[student], upper)
    return quantile
