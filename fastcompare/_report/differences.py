"""The sheets of tests of two models, of one estimate, and of all models together."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.text import plain
from .._results.measures import measure_of, names_of
from .models import model_sheets
from .sheets import Sheet, sheet_of
from .tables import Column, Row

PAIR = {"first": Column("first"), "second": Column("second")}
TESTED = {"statistic": Column("statistic", "statistic", 2), "pvalue": Column("p", "pvalue")}
OMNIBUS = {"test": Column("test"), **TESTED, "df": Column("df", "text", 3)}
WAYS = {"f": "F", "chi2": "chi-squared", "iman-davenport": "Iman-Davenport"}
POSTERIOR = {
    "probability_a": Column("first is better", "number"),
    "probability_rope": Column("equivalent", "number"),
    "probability_b": Column("second is better", "number"),
}
EVIDENCE = ("statistic", "df", "pvalue", "effect_size", "status", "method")


def difference_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a test of two models: their values if it has any, and one pair."""
    first, second = names_of(result)
    field = measure_of(result)
    values = getattr(result, field).tolist() if field else ()
    of_models = dict(zip((f"{field}_first", f"{field}_second"), values, strict=False))
    row = {
        "first": first,
        "second": second,
        **of_models,
        "difference": result.estimate,
        **evidence_of(result),
    }
    heads = {**PAIR, "difference": Column("difference", "number"), **evidence_heads(result)}
    if result.estimate is None:  # of whole curves
        del heads["difference"]
    return [*model_sheets(result), sheet_of("pairs", result.title, heads, [row])]


def estimate_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of one estimate with its interval, and p-value if it was tested."""
    row = {"estimate": result.estimate, **evidence_of(result)}
    heads = {
        "estimate": Column("estimate", "number"),
        "standard_error": Column("standard error", "number", 1),
        **evidence_heads(result),
    }
    if names := names_of(result):
        row, heads = {"model": " and ".join(names), **row}, {"model": Column("model"), **heads}
    return [sheet_of("estimates", result.title, heads, [row])]


def interval_of(result: Any) -> tuple[float | None, float | None]:
    """Return the interval of the one estimate of a result, if it has one."""
    try:
        low, high = result._interval()
    except (AttributeError, InvalidValueError):  # a permutation test need not have one
        return None, None
    return float(low), float(high)


def evidence_of(result: Any) -> Row:
    """Return standard error, interval, statistic, p-value and status of the one estimate."""
    low, high = interval_of(result)
    row: Row = {"standard_error": getattr(result, "standard_error", None)}
    row |= {"ci_low": low, "ci_high": high}
    return row | {name: plain(getattr(result, name)) for name in EVIDENCE if hasattr(result, name)}


def evidence_heads(result: Any) -> Mapping[str, Column]:
    """Return the columns of what says how sure the one estimate is."""
    tested = {name: head for name, head in TESTED.items() if hasattr(result, name)}
    return {"ci": Column(interval_head(result), "interval"), **tested}


def interval_head(result: Any) -> str:
    """Return the name of the default interval, as sentences call it."""
    return str(result._interval_title())


def calibration_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the intercept and the slope, and of the test of both."""
    lows, highs = result._interval()
    names, values = ("intercept", "slope"), (result.intercept, result.slope)
    cells = zip(names, values, result.standard_error, lows, highs, strict=True)
    keys = ("coefficient", "estimate", "standard_error", "ci_low", "ci_high")
    rows = [dict(zip(keys, plain(row), strict=True)) for row in cells]
    heads = {
        "coefficient": Column("coefficient"),
        "estimate": Column("estimate", "number"),
        "standard_error": Column("standard error", "number", 1),
        "ci": Column(interval_head(result), "interval"),
    }
    return [sheet_of("estimates", result.title, heads, rows), *omnibus_sheets(result)]


def test_called(result: Any) -> str:
    """Return the name of a test, of which its method alone may be one of several ways."""
    if " " in result.method:
        return str(result.method)
    name, test, _ = result.title.partition(" test")
    return f"{name}{test}, {WAYS.get(result.method, result.method)}"


def omnibus_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models and of the test of all of them."""
    df = np.atleast_1d(() if result.df is None else result.df).tolist()
    row = {
        "test": test_called(result),
        "method": result.method,
        "statistic": result.statistic,
        "df": ", ".join(f"{x:.4g}" for x in df if not math.isnan(x)),
        "pvalue": result.pvalue,
        "status": result.status,
    }
    return [*model_sheets(result), sheet_of("tests", result.title, OMNIBUS, [row])]


def posterior_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the three probabilities of a Bayesian comparison."""
    row = dict(zip(PAIR, names_of(result), strict=True))
    row |= {name: getattr(result, name) for name in (*POSTERIOR, "rope", "method")}
    return [sheet_of("pairs", result.title, {**PAIR, **POSTERIOR}, [row])]
