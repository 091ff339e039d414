"""From an estimate and its standard error to what every z or t test says."""

import math
from typing import TypedDict

from .pvalues import PValue, degenerate, normal_pvalue, shifted, student_pvalue
from .unvaried import Rare, Unvaried


class Inference(TypedDict):
    """Fields of a `Result` that follow from an estimate, its standard error and the claim."""

    estimate: float
    standard_error: float
    statistic: float
    pvalue: float
    log_pvalue: float
    alternative: str
    margin: float
    _unvaried: Unvaried | Rare | None


def infer(
    estimate: float,
    standard_error: float,
    alternative: str,
    margin: float = 0.0,
    *,
    df: float = math.inf,
    unvaried: Unvaried | Rare | None = None,
) -> Inference:
    """Return the statistic and p-value of an estimate, with what they came from.

    The statistic is Student's t with `df` degrees of freedom, or normal for infinitely many. Where
    the standard error is 0, `unvaried` judges claims with a margin; rare differences bound those.
    """
    statistic, tail = shifted(estimate, standard_error, alternative, margin)
    p = degenerate(statistic, standard_error)
    if p is None:
        infinite = df == math.inf
        p = normal_pvalue(statistic, tail) if infinite else student_pvalue(statistic, df, tail)
    return inferred(estimate, standard_error, statistic, p, alternative, margin, unvaried)


def inferred(
    estimate: float,
    standard_error: float,
    statistic: float,
    p: PValue,
    alternative: str,
    margin: float = 0.0,
    unvaried: Unvaried | Rare | None = None,
) -> Inference:
    """Return the fields of a test whose p-value has come from elsewhere.

    For claims with a margin it is that of `unvaried` where the standard error is 0, and at least
    that of rare differences.
    """
    if isinstance(unvaried, Rare):
        p = p.at_least(unvaried.pvalue(alternative, margin))
    elif standard_error > 0.0 or math.isnan(standard_error):
        unvaried = None
    elif unvaried is not None and margin:
        p = unvaried.pvalue(estimate, alternative, margin)
    return Inference(
        estimate=estimate,
        standard_error=standard_error,
        statistic=statistic,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        alternative=alternative,
        margin=margin,
        _unvaried=unvaried,
    )
