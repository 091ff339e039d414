"""The estimates and intervals that a forest shows, of one result or several, and their texts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._base.text import ALPHA, DIFFERENCE, SMALLEST_END, equation, interval_title, show_pvalue
from .._base.types import Vector
from .._inference.pvalues import open_one_side
from .._inputs.pictures import refuse_picture
from .._results.headlines import contradicts_pvalue, order_by_pvalue, swaps_models
from .._results.pairs import MEASURES, best_first, model_measure
from ._canvas import names_of_two

MINUS = "\u2212"
CONFLICT = "Adjusted p-values decide where simultaneous intervals disagree."
LONGEST_HEAD = 14  # characters of a quantity above a column: numbers with intervals have 20
MARGINS = {"equivalence": (-1.0, 1.0), "greater": (-1.0,), "less": (1.0,), "two-sided": ()}
QUANTITIES = {  # fields of results, and what they hold
    "auc": "AUC",
    "accuracy": "accuracy",
    "losses": "mean loss",
    "kappa": "Cohen's kappa",
    "means": "mean score",
    "n_zero": "score",
}
WITH_ESTIMATES = (
    "delong_test, delong_pairwise_test, paired_mean_test, roc_auc_interval and the like"
)
WITH_MODELS = (
    "leaderboard, delong_pairwise_test, delong_covariance, mean_covariance, bradley_terry or "
    "mcnemar_pairwise_test"
)


@dataclass(frozen=True, kw_only=True)
class Estimates:
    """The content of a forest: names, estimates with intervals, labels, and p-values if any.

    Names are in parts, which may stand in separate lines.
    """

    names: Sequence[tuple[str, ...]]
    intervals: tuple[Vector, Vector, Vector]  # low, middle, high
    quantity: str
    interval: str
    measure: str = DIFFERENCE  # what the column of numbers begins with
    pvalues: Vector | None = None
    head: str = "p"
    null: float | None = None
    margins: tuple[float, ...] = ()
    statement: str = ""  # to stand below them: of a test of all, or that intervals disagree


def differences_of_pairs(result: Any, level: float, simultaneous: bool | None = None) -> Estimates:
    """Return the differences of all pairs of a result, in order of their p-values.

    Of several pairs, tested without a direction, the better model is named first.
    """
    adjusts = getattr(result, "_adjusts", False) if simultaneous is None else simultaneous
    ends = result.confidence_interval(level, simultaneous=adjusts)
    interval = interval_title(result.alternative, level)
    noted = "; simultaneous intervals" if adjusts else ""  # the column stays as narrow as it was
    low, high = map(np.asarray, open_one_side(result.alternative, *ends))
    has_level_of_test = math.isclose(1.0 - level, getattr(result, "alpha", ALPHA))
    disagree = adjusts and has_level_of_test and contradicts_pvalue(result, low, high).any()
    adjusted = result.correction != "none" and len(result.pairs) > 1
    order, swaps = order_by_pvalue(result), swaps_models(result)
    low, middle, high = swapped_intervals(as_intervals(low, result.estimate, high), swaps)
    pairs = [pair[::-1] if swap else pair for pair, swap in zip(result.pairs, swaps, strict=True)]
    return Estimates(
        names=[(f"{a} {MINUS}", b) for a, b in (pairs[p] for p in order)],
        intervals=as_intervals(low[order], middle[order], high[order]),
        quantity=f"{result._difference_title} in {result.quantity}",
        interval=f"simultaneous {interval}" if simultaneous else interval + noted,
        pvalues=np.atleast_1d(result.adjusted_pvalue)[order],
        head="adjusted p" if adjusted else "p",
        null=0.0,
        statement=CONFLICT if disagree else "",
    )


def swapped_intervals(
    ends: tuple[Vector, Vector, Vector], swaps: Any
) -> tuple[Vector, Vector, Vector]:
    """Return low ends, estimates and high ends, with other signs where the models are swapped."""
    low, middle, high = ends
    return (
        np.where(swaps, -high, low),
        np.where(swaps, -middle, middle),
        np.where(swaps, -low, high),
    )


def difference_of_two(result: Any, level: float) -> Estimates:
    """Return the difference of two models."""
    low, high = open_one_side(result.alternative, *result.confidence_interval(level))
    first, second = names_of_two(result)
    margin = float(getattr(result, "margin", 0.0))
    words = interval_title(result.alternative, level)
    return Estimates(
        names=[(f"{first} {MINUS}", second)],
        intervals=as_intervals([low], [result.estimate], [high]),
        quantity=f"{result._difference_title} in {quantity_name(result)}",
        interval=f"{words}; broken: margin {margin:g}" if margin else words,
        pvalues=np.array([result.pvalue]),
        null=0.0,
        margins=tuple(side * margin for side in MARGINS[result.alternative]) if margin else (),
    )


def one_estimate(result: Any, level: float) -> Estimates:
    """Return one number with its interval, and the value that a test asks about."""
    alternative = getattr(result, "alternative", "two-sided")
    low, high = open_one_side(alternative, *result.confidence_interval(level))
    pvalue = getattr(result, "pvalue", None)
    return Estimates(
        names=[(result.title,)],
        intervals=as_intervals([low], [result.estimate], [high]),
        quantity=quantity_name(result),
        interval=interval_title(alternative, level),
        measure=short_name(quantity_name(result)),
        pvalues=None if pvalue is None else np.array([pvalue]),
        null=getattr(result, "null", None),
    )


def quantity_name(result: Any) -> str:
    """Return the quantity of a result, for the axis: ``AUC``, ``mean loss``, ``estimate``."""
    for field in ("quantity", "metric", "measure"):
        if isinstance(name := getattr(result, field, None), str) and name:
            return name
    by_field = (words for field, words in QUANTITIES.items() if hasattr(result, field))
    return next(by_field, "estimate")


def short_name(quantity: str) -> str:
    """Return the name of a quantity for the head of a column, ``estimate`` if it is long."""
    return quantity if len(quantity) <= LONGEST_HEAD else "estimate"


def as_intervals(low: Any, middle: Any, high: Any) -> tuple[Vector, Vector, Vector]:
    """Return the ends of intervals around estimates, as arrays of one length."""
    ends = [np.asarray(x, np.float64) for x in (low, middle, high)]
    low, middle, high = np.broadcast_arrays(*ends)
    return low, middle, high


def model_estimates(result: Any, level: float) -> Estimates:
    """Return each model's own number with its interval, or raise where a result has none.

    The p-value of an omnibus test is stated below; without intervals there are numbers alone.
    """
    ends = result._model_limits(level)
    field = model_measure(result)
    is_omnibus = hasattr(result, "pvalue") and not hasattr(result, "confidence_interval")
    if not field or (ends is None and not is_omnibus):
        refuse_picture(result, "estimates of each model", WITH_MODELS)
    middle = np.asarray(getattr(result, field))
    low, high = (middle, middle) if ends is None else ends
    order = best_first(result, field)
    default = quantity_name(result) if field == "values" else MEASURES[field]
    quantity = getattr(result, "metric", default)
    p = equation("p", show_pvalue(result.pvalue)) if is_omnibus else ""
    return Estimates(
        names=[(result.names[j],) for j in order],
        intervals=as_intervals(low[order], middle[order], high[order]),
        quantity=quantity,
        interval="" if ends is None else interval_title("two-sided", level),
        measure=short_name(quantity),
        statement=f"{result.title}: {p}" if is_omnibus else "",
    )


def calibration_coefficients(result: Any, level: float) -> Estimates:
    """Return the intercept and the slope of a calibration, which should be 0 and 1."""
    low, high = result.confidence_interval(level)
    return Estimates(
        names=[("intercept",), ("slope",)],
        intervals=as_intervals(low, [result.intercept, result.slope], high),
        quantity="coefficient; broken: calibrated",
        interval=interval_title("two-sided", level),
        measure="coefficient",
        margins=(0.0, 1.0),
        statement=f"{result.title}: {equation('p', show_pvalue(result.pvalue))}",
    )


def result_estimates(result: Any, of: str, level: float, simultaneous: bool | None) -> Estimates:
    """Return the estimates of one result, or raise."""
    pairs = hasattr(result, "pairs") and hasattr(result, "confidence_interval")
    if of == "models":
        return model_estimates(result, level)
    if hasattr(result, "slope"):
        return calibration_coefficients(result, level)
    if pairs:
        return differences_of_pairs(result, level, simultaneous)
    if not (hasattr(result, "estimate") and hasattr(result, "confidence_interval")):
        if of == "auto":
            return model_estimates(result, level)
        refuse_picture(result, "differences with intervals", WITH_ESTIMATES)
    if np.ndim(result.estimate):
        refuse_picture(result, "an estimate with an interval", WITH_ESTIMATES)
    if len(getattr(result, "names", ())) == 2 and hasattr(result, "alternative"):
        return difference_of_two(result, level)
    return one_estimate(result, level)


def several_estimates(results: dict[str, Any], of: str, level: float) -> Estimates:
    """Return the estimates of several results, below each other, with their names in front.

    Results of a list have numbers as names, which are left out. Lines are those of the first
    result.
    """
    sources = []
    for name, result in results.items():
        source = result_estimates(result, of, level, None)
        if isinstance(name, str):
            is_single = len(source.names) == 1
            names = [(name,) if is_single else (f"{name}:", *parts) for parts in source.names]
            source = replace(source, names=names)
        sources.append(source)
    low, middle, high = zip(*(source.intervals for source in sources), strict=True)
    pvalues = [source.pvalues for source in sources if source.pvalues is not None]
    return Estimates(
        names=[parts for source in sources for parts in source.names],
        intervals=(np.concatenate(low), np.concatenate(middle), np.concatenate(high)),
        quantity=joined_words(source.quantity for source in sources),
        interval=joined_words(source.interval for source in sources),
        measure=joined_words(source.measure for source in sources),
        pvalues=np.concatenate(pvalues) if len(pvalues) == len(sources) else None,
        head=joined_words(source.head for source in sources),
        null=sources[0].null,
        margins=sources[0].margins,
    )


def joined_words(words: Any) -> str:
    """Return distinct words in one text."""
    return " / ".join(dict.fromkeys(words))


MOST_DIGITS = 6


def interval_texts(low: Any, middle: Any, high: Any) -> list[str]:
    """Return estimates with intervals as texts, with two digits of the median half-width.

    Without intervals digits are those of a tenth of the range of estimates.
    """
    widths = np.concatenate((high - middle, middle - low))
    widths = widths[np.isfinite(widths) & (widths > 0.0)]
    finite = middle[np.isfinite(middle)]
    extent = float(np.ptp(finite)) if finite.size else 0.0
    size = float(np.median(widths)) if widths.size else extent / 10.0 or 0.01
    digits = int(np.clip(2 - math.floor(math.log10(size)) - 1, 0, MOST_DIGITS))
    rows = zip(low.tolist(), middle.tolist(), high.tolist(), strict=True)
    return [
        number(b, digits)
        + ("" if a == c else f" ({limit_text(a, digits)} to {limit_text(c, digits)})")
        for a, b, c in rows
    ]


def limit_text(x: float, digits: int) -> str:
    """Return a limit of an interval, with as many digits as show on which side of 0 it is."""
    if SMALLEST_END <= abs(x) < math.inf and float(f"{x:.{digits}f}") == 0.0:
        digits = -math.floor(math.log10(abs(x)))
    return number(x, digits)


def number(x: float, digits: int) -> str:
    """Return a number as pictures write it."""
    if not math.isfinite(x):
        return "n/a" if math.isnan(x) else f"{MINUS if x < 0 else ''}\u221e"
    rounded = f"{x:.{digits}f}"
    return (rounded.lstrip("-") if float(rounded) == 0.0 else rounded).replace("-", MINUS)
