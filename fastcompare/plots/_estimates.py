"""What a forest shows of a result: estimates with intervals, their names, and what they measure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._base.text import equation, show_pvalue
from .._base.types import Vector
from .._compare.own_intervals import own_ends
from .._inference.pvalues import open_side
from .._inputs.pictures import refuse_picture
from .._inputs.scores import UNNAMED
from .._results.measures import MEASURES, best_first, measure_of
from .._results.records import interval_title

MINUS = "\u2212"
MARGINS = {"equivalence": (-1.0, 1.0), "greater": (-1.0,), "less": (1.0,), "two-sided": ()}
QUANTITIES = {  # fields of results, and what they hold
    "auc": "AUC",
    "accuracy": "accuracy",
    "losses": "mean loss",
    "kappa": "Cohen's kappa",
    "means": "mean score",
    "n_zero": "score",
}
KNOWN = "delong_test, delong_pairwise_test, paired_mean_test, roc_auc_interval and the like"
WITH_MODELS = (
    "leaderboard, delong_pairwise_test, delong_covariance, mean_covariance, bradley_terry or "
    "mcnemar_pairwise_test"
)


@dataclass(frozen=True, kw_only=True)
class Estimates:
    """Names in parts, estimates with intervals, what they are, and p-values where known."""

    names: Sequence[tuple[str, ...]]
    ends: tuple[Vector, Vector, Vector]  # low, middle, high
    quantity: str
    interval: str
    pvalues: Vector | None = None
    head: str = "p"
    null: float | None = None
    margins: tuple[float, ...] = ()
    statement: str = ""  # of a test of all, to stand below them


def differences_of_pairs(result: Any, level: float, simultaneous: bool = False) -> Estimates:
    """Return the differences of all pairs of a result."""
    ends = result.confidence_interval(level, simultaneous=simultaneous)
    low, high = open_side(result.alternative, *ends)
    adjusted = result.correction != "none" and len(result.pairs) > 1
    return Estimates(
        names=[(f"{a} {MINUS}", b) for a, b in result.pairs],
        ends=as_ends(low, result.estimate, high),
        quantity=f"difference in {result.quantity}",
        interval="simultaneous " * simultaneous + interval_title(result.alternative, level),
        pvalues=np.asarray(result.adjusted_pvalue),
        head="adjusted p" if adjusted else "p",
        null=0.0,
    )


def difference_of_two(result: Any, level: float) -> Estimates:
    """Return the difference of two models."""
    low, high = open_side(result.alternative, *result.confidence_interval(level))
    first, second = ("first", "second") if result.names == UNNAMED else result.names
    margin = float(getattr(result, "margin", 0.0))
    words = interval_title(result.alternative, level)
    return Estimates(
        names=[(f"{first} {MINUS}", second)],
        ends=as_ends([low], [result.estimate], [high]),
        quantity=f"difference in {quantity_of(result)}",
        interval=f"{words}; broken: margin {margin:g}" if margin else words,
        pvalues=np.array([result.pvalue]),
        null=0.0,
        margins=tuple(side * margin for side in MARGINS[result.alternative]) if margin else (),
    )


def one_estimate(result: Any, level: float) -> Estimates:
    """Return one number with its interval, and the value that a test asks about."""
    alternative = getattr(result, "alternative", "two-sided")
    low, high = open_side(alternative, *result.confidence_interval(level))
    pvalue = getattr(result, "pvalue", None)
    return Estimates(
        names=[(result.title,)],
        ends=as_ends([low], [result.estimate], [high]),
        quantity=quantity_of(result),
        interval=interval_title(alternative, level),
        pvalues=None if pvalue is None else np.array([pvalue]),
        null=getattr(result, "null", None),
    )


def quantity_of(result: Any) -> str:
    """Return the name of the numbers of a result."""
    for field in ("quantity", "metric", "measure"):
        if isinstance(found := getattr(result, field, None), str) and found:
            return found
    held = (words for field, words in QUANTITIES.items() if hasattr(result, field))
    return next(held, "estimate")


def as_ends(low: Any, middle: Any, high: Any) -> tuple[Vector, Vector, Vector]:
    """Return the ends of intervals around estimates, as arrays of one length."""
    ends = [np.asarray(x, np.float64) for x in (low, middle, high)]
    low, middle, high = np.broadcast_arrays(*ends)
    return low, middle, high


def models_of(result: Any, level: float) -> Estimates:
    """Return each model's own number with its interval, or raise where a result has none."""
    ends = own_ends(result, level)
    field = measure_of(result)
    stated = hasattr(result, "pvalue") and not hasattr(result, "confidence_interval")
    if not field or (ends is None and not stated):
        refuse_picture(result, "estimates of each model", WITH_MODELS)
    middle = np.asarray(getattr(result, field))
    low, high = (middle, middle) if ends is None else ends
    order = best_first(result, field)
    quantity = getattr(result, "metric", MEASURES[field])
    p = equation("p", show_pvalue(result.pvalue)) if stated else ""
    return Estimates(
        names=[(result.names[j],) for j in order],
        ends=as_ends(low[order], middle[order], high[order]),
        quantity=quantity,
        interval=quantity if ends is None else interval_title("two-sided", level),
        statement=f"{result.title}: {p}" if stated else "",
    )


def coefficients_of(result: Any, level: float) -> Estimates:
    """Return the intercept and the slope of a calibration, which should be 0 and 1."""
    low, high = result.confidence_interval(level)
    return Estimates(
        names=[("intercept",), ("slope",)],
        ends=as_ends(low, [result.intercept, result.slope], high),
        quantity="coefficient; broken: calibrated",
        interval=interval_title("two-sided", level),
        margins=(0.0, 1.0),
        statement=f"{result.title}: {equation('p', show_pvalue(result.pvalue))}",
    )


def estimates_of(result: Any, of: str, level: float, simultaneous: bool) -> Estimates:
    """Return the estimates of one result, or raise."""
    pairs = hasattr(result, "pairs") and hasattr(result, "confidence_interval")
    if of == "models":
        return models_of(result, level)
    if hasattr(result, "slope"):
        return coefficients_of(result, level)
    if pairs:
        return differences_of_pairs(result, level, simultaneous)
    if not (hasattr(result, "estimate") and hasattr(result, "confidence_interval")):
        if of == "auto":
            return models_of(result, level)
        refuse_picture(result, "differences with intervals", KNOWN)
    if np.ndim(result.estimate):
        refuse_picture(result, "an estimate with an interval", KNOWN)
    if len(getattr(result, "names", ())) == 2 and hasattr(result, "alternative"):
        return difference_of_two(result, level)
    return one_estimate(result, level)


def several_estimates(results: dict[str, Any], of: str, level: float) -> Estimates:
    """Return the estimates of several results under each other, by their names."""
    found = []
    for name, result in results.items():
        one = estimates_of(result, of, level, False)
        names = [(name,)] if len(one.names) == 1 else [(f"{name}:", *parts) for parts in one.names]
        found.append(replace(one, names=names) if isinstance(name, str) else one)
    first = found[0]
    stacked = [np.concatenate(ends) for ends in zip(*(one.ends for one in found), strict=True)]
    known = [one.pvalues for one in found if one.pvalues is not None]
    return Estimates(
        names=[parts for one in found for parts in one.names],
        ends=as_ends(*stacked),
        quantity=joined_words(one.quantity for one in found),
        interval=joined_words(one.interval for one in found),
        pvalues=np.concatenate(known) if len(known) == len(found) else None,
        head=first.head,
        null=first.null,
        margins=first.margins,
    )


def joined_words(words: Any) -> str:
    """Return distinct words in one text."""
    return " / ".join(dict.fromkeys(words))
