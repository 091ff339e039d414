"""From an estimate and its standard error to what every z or t test says."""

import math
from collections.abc import Callable
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
        p = reference_pvalue(statistic, df, tail)
    return inferred(estimate, standard_error, statistic, p, alternative, margin, unvaried)


def judged(
    statistic_at: Callable[[float, str], float], df: float, alternative: str, margin: float
) -> tuple[float, PValue]:
    """Return the statistic and p-value of a claim, from the statistic of any null value.

    Equivalence is the weaker one of both claims (Schuirmann 1987).
    """
    nulls = {"greater": -margin, "less": margin, "two-sided": 0.0}
    tails = [alternative] if alternative in nulls else ["greater", "less"]
    found = []
    for tail in tails:
        statistic = statistic_at(nulls[tail], tail)
        found.append((reference_pvalue(statistic, df, tail), statistic))
    p, statistic = max(found)
    return statistic, p


def reference_pvalue(statistic: float, df: float, alternative: str) -> PValue:
    """Return the p-value by Student's t, for infinite degrees of freedom by the normal."""
    infinite = df == math.inf
    return (
        normal_pvalue(statistic, alternative)
        if infinite
        else student_pvalue(statistic, df, alternative)
    )


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
