"""The sheets of tests of two models, of one estimate, and of results of other shapes.

Models come best first. Results without a form of their own show their fields of one length and
their single numbers; simulations show rates of rejection with intervals for the number of trials,
and recommendations a row for each test.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.text import as_builtin, interval_title, show_number
from .._results.pairs import best_first, model_measure, model_names
from .formats import (
    UNDEFINED,
    Column,
    Row,
    Sheet,
    is_series,
    make_sheet,
    measure_head,
    parallel_fields,
    row_getter,
)

MODEL_HEADS: Mapping[str, Column] = {  # further fields with a value a model
    "standard_error": Column("standard error", "number", 1),
    "elo": Column("Elo", "points", 2),
    "n": Column("n", "count", 2),
    "medians": Column("median", "number"),
    "mads": Column("MAD", "number", 1),
}
LEADERBOARD_HEADS = {
    "model": Column("model"),
    "rank": Column("rank", "count"),
    "mean": Column("", "number"),
    "standard_error": Column("standard error", "number", 1),
    "ci": Column("", "interval"),
    "ranks": Column("ranks", "count"),
    "letters": Column("letters", "text", 1),
}


def model_sheets(result: Any) -> list[Sheet]:
    """Return the sheet with a value for each model, the best first; none without such values."""
    names, field = model_names(result), model_measure(result)
    if not field:
        return []
    columns = {"model": list(names)}
    columns |= parallel_fields(result, (field, *MODEL_HEADS), len(names))
    heads = {"model": Column("model"), field: Column(measure_head(result, field), "number")}
    heads |= {name: head for name, head in MODEL_HEADS.items() if name in columns}
    limits = result._model_limits(result._level)
    if limits is not None:
        columns["ci_low"], columns["ci_high"] = map(as_builtin, limits)
        heads["ci"] = interval_column(result._level)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    order = best_first(result, field)
    return [Sheet("models", result.title, heads, len(rows), row_getter(rows), order)]


def leaderboard_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of models with ranks, means, intervals and letters, and of the best one."""
    low, high = result._interval()
    columns = {
        "model": result.names,
        "rank": result.rank,
        "mean": result.means,
        "standard_error": result.standard_error,
        "ci_low": low,
        "ci_high": high,
        "rank_low": result.rank_low,
        "rank_high": result.rank_high,
        "letters": result.letters,
    }
    rank_limits = zip(result.rank_low.tolist(), result.rank_high.tolist(), strict=True)
    columns["ranks"] = [
        str(lowest) if lowest == highest else f"{lowest}-{highest}"
        for lowest, highest in rank_limits
    ]
    mean = Column(result._quantity, "number")
    heads = {**LEADERBOARD_HEADS, "mean": mean, "ci": interval_column(result._level)}
    return [make_sheet("models", result.title, heads, rows_along(columns)), winner_sheet(result)]


def winner_sheet(result: Any) -> Sheet:
    """Return the sheet of the best model, with the estimate that allows for its selection."""
    low, high = result.winner_interval(result._level)
    row = {"model": result.names[0], "mean": result.winner_estimate, "ci_low": low, "ci_high": high}
    mean = Column(result._quantity, "number")
    heads = {"model": Column("model"), "mean": mean, "ci": interval_column(result._level)}
    return make_sheet("winner", "The best model, allowing for its selection", heads, [row])


def interval_column(level: float) -> Column:
    """Return the head of a column of two-sided intervals at this level."""
    return Column(interval_title("two-sided", level), "interval")


PAIR_HEADS = {"first": Column("first"), "second": Column("second")}
TEST_COLUMNS = {"statistic": Column("statistic", "statistic", 2), "pvalue": Column("p", "pvalue")}
OMNIBUS_HEADS = {"test": Column("test"), **TEST_COLUMNS, "df": Column("df", "text", 3)}
METHOD_TITLES = {"f": "F", "chi2": "chi-squared", "iman-davenport": "Iman-Davenport"}
POSTERIOR_HEADS = {
    "probability_a": Column("first is better", "number"),
    "probability_rope": Column("equivalent", "number"),
    "probability_b": Column("second is better", "number"),
}
EVIDENCE_FIELDS = ("statistic", "df", "pvalue", "effect_size", "status", "method")


def difference_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a test of two models: the models if they have values, and the pair."""
    models = model_sheets(result)
    row = dict(zip(PAIR_HEADS, model_names(result), strict=True))
    for sheet in models:  # one, or none
        _, field, *_ = sheet.heads  # the second head, after that of names, is of the values
        values = zip(PAIR_HEADS, sheet.rows(), strict=False)
        row |= {f"{field}_{place}": model[field] for place, model in values}
    row |= {"difference": result.estimate, **estimate_evidence(result)}
    difference = Column(result._difference_title, "number")
    heads = {**PAIR_HEADS, "difference": difference, **evidence_heads(result)}
    if result.estimate is None:  # of whole curves
        del heads["difference"]
    return [*models, make_sheet("pairs", result.title, heads, [row])]


def estimate_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of one estimate with its interval, and p-value if it was tested."""
    row = {"estimate": result.estimate, **estimate_evidence(result)}
    heads = {
        "estimate": Column("estimate", "number"),
        "standard_error": Column("standard error", "number", 1),
        **evidence_heads(result),
    }
    if names := model_names(result):
        row = {"model": " and ".join(names), **row}
        heads = {"model": Column("model"), **heads}
    return [make_sheet("estimates", result.title, heads, [row])]


def estimate_interval(result: Any) -> tuple[float | None, float | None]:
    """Return the limits of a result's interval; None and None if it has no interval."""
    try:
        low, high = result._interval()
    except (AttributeError, InvalidValueError):  # a permutation test need not have one
        return None, None
    return float(low), float(high)


def estimate_evidence(result: Any) -> Row:
    """Return the cells of an estimate: standard error, interval, statistic, p-value, status."""
    low, high = estimate_interval(result)
    row: Row = {"standard_error": getattr(result, "standard_error", None)}
    row |= {"ci_low": low, "ci_high": high}
    return row | {name: getattr(result, name) for name in EVIDENCE_FIELDS if hasattr(result, name)}


def evidence_heads(result: Any) -> Mapping[str, Column]:
    """Return the heads of interval, statistic and p-value, the last two if a result has them."""
    tested = {name: head for name, head in TEST_COLUMNS.items() if hasattr(result, name)}
    if "statistic" in tested:
        title = getattr(result, "_statistic_title", "statistic")
        tested["statistic"] = tested["statistic"]._replace(name=title)
    return {"ci": Column(result._interval_title(), "interval"), **tested}


def horizon_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of a measure by horizon, with the values of both models of a test."""
    low, high = result._interval()
    columns = {"horizon": result.horizons}
    heads = {"horizon": Column("horizon", "plain")}
    key, title = "estimate", result.measure
    if hasattr(result, "adjusted_pvalue"):  # a test of two models
        key = title = "difference"
        for place, name, values in zip(PAIR_HEADS, result.names, result.values, strict=True):
            columns[place], heads[place] = values, Column(f"{result.measure}, {name}", "number")
    columns |= {key: result.estimate, "ci_low": low, "ci_high": high}
    heads |= {key: Column(title, "number")}
    heads["ci"] = Column(result._interval_title(), "interval")
    for name in ("pvalue", "adjusted_pvalue"):
        if hasattr(result, name):
            columns[name], heads[name] = getattr(result, name), Column(FIELD_TITLES[name], "pvalue")
    return [make_sheet("values", result.title, heads, rows_along(columns))]


def rows_along(columns: Mapping[str, Any]) -> list[Row]:
    """Return the rows of the table with these columns, which have one length."""
    cells = zip(*map(as_builtin, columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in cells]


def bin_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the ratio of observed to expected events, and of rates by bins."""
    low, high = result.observed_interval(result._level)
    columns = {
        "probability": result.mean_probability,
        "rate": result.observed_rate,
        "ci_low": low,
        "ci_high": high,
        "events": result.n_events,
        "cases": result.counts,
    }
    heads = {
        "probability": Column("mean probability", "number"),
        "rate": Column("observed rate", "number"),
        "ci": interval_column(result._level),
        "events": Column("events", "count", 1),
        "cases": Column("cases", "count", 2),
    }
    sheet = make_sheet("values", result.title, heads, rows_along(columns))
    return [*estimate_sheets(result), sheet]


def calibration_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the intercept and the slope, and of the test of both."""
    low, high = result._interval()
    columns = {
        "coefficient": ("intercept", "slope"),
        "estimate": (result.intercept, result.slope),
        "standard_error": result.standard_error,
        "ci_low": low,
        "ci_high": high,
    }
    heads = {
        "coefficient": Column("coefficient"),
        "estimate": Column("estimate", "number"),
        "standard_error": Column("standard error", "number", 1),
        "ci": Column(result._interval_title(), "interval"),
    }
    sheet = make_sheet("estimates", result.title, heads, rows_along(columns))
    return [sheet, *omnibus_sheets(result)]


def method_title(result: Any) -> str:
    """Return the method of a test for people, after the test's short title where it has one."""
    method = METHOD_TITLES.get(result.method, result.method)
    return ", ".join(filter(None, (result._short_title, method)))


def omnibus_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models, if they have values, and of the test of all of them."""
    df = np.atleast_1d(() if result.df is None else result.df).tolist()
    row = {
        "test": method_title(result),
        "method": result.method,
        "statistic": result.statistic,
        "df": ", ".join(f"{x:.4g}" for x in df if not math.isnan(x)),
        "pvalue": result.pvalue,
        "status": result.status,
    }
    return [*model_sheets(result), make_sheet("tests", result.title, OMNIBUS_HEADS, [row])]


def posterior_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the three probabilities of a Bayesian comparison."""
    row = dict(zip(PAIR_HEADS, model_names(result), strict=True))
    row |= {name: getattr(result, name) for name in (*POSTERIOR_HEADS, "rope", "method")}
    return [make_sheet("pairs", result.title, {**PAIR_HEADS, **POSTERIOR_HEADS}, [row])]


ALWAYS_SHOWN_FIELDS = ("first", "second", "pairs", "estimate", "pvalue", "adjusted_pvalue")
NOT_OF_PAIRS = ("covariance", "contrast", "table", "net_benefits")  # square, but not of pairs
HIDDEN_FIELDS = ("seed", "status")
FIELD_TITLES = {"pvalue": "p", "adjusted_pvalue": "adjusted p", "log_pvalue": "log p"}


def fact_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of a result without a form of its own.

    Models, estimates with intervals, pairs, fields of one length, and single numbers.
    """
    sheets = [*model_sheets(result), *nested_estimate_sheets(result), *matrix_sheets(result)]
    sheets += parallel_field_sheets(result)
    numbers = number_sheet(result)
    return [*sheets, numbers] if numbers.size else sheets


def nested_estimate_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the estimates among a result's fields, each with its interval, if any."""
    fields = [getattr(result, name) for name in result._field_names()]
    measures = [
        field
        for field in fields
        if hasattr(field, "estimate") and hasattr(field, "confidence_interval")
    ]
    rows: list[Row] = []
    for measure in measures:
        (sheet,) = estimate_sheets(measure)
        (row,) = sheet.rows()
        rows.append({"measure": measure.title, **row})
    heads = {
        "measure": Column("measure"),
        "estimate": Column("estimate", "number"),
        "ci": Column(interval_title("two-sided", result._level), "interval"),
    }
    return [make_sheet("estimates", result.title, heads, rows)] if rows else []


def matrix_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of all pairs of models by the result's arrays of shape (k, k), if any."""
    names = model_names(result)
    first, second = np.triu_indices(len(names), 1)
    fields = {
        name: getattr(result, name) for name in result._field_names() if name not in NOT_OF_PAIRS
    }
    arrays = {name: value for name, value in fields.items() if isinstance(value, np.ndarray)}
    squares = [name for name, value in arrays.items() if value.shape == (len(names), len(names))]
    if not squares or not first.size:
        return []
    columns: dict[str, Sequence[Any]] = {
        "first": [names[j] for j in first],
        "second": [names[j] for j in second],
    }
    columns |= {name: fields[name][first, second].tolist() for name in squares}
    return [columns_sheet("pairs", result.title, columns)]


def parallel_field_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the one-dimensional fields of the length that most of them have, if any.

    Fields with a value for each model, which another sheet has, and of length 1, unless of
    thresholds, do not count.
    """
    values = (getattr(result, name) for name in result._field_names())
    sizes = [len(value) for value in values if is_series(value)]
    has_curves = hasattr(result, "thresholds")  # which may be as many as the models
    n_models = 0 if has_curves else len(model_names(result))
    sizes = [size for size in sizes if (size > 1 or has_curves) and size != n_models]
    if not sizes:
        return []
    size = max(sizes, key=lambda n: (sizes.count(n), n))  # of two as frequent the larger
    fields = (name for name in result._field_names() if name != "names")
    columns = dict(parallel_fields(result, fields, size))
    pairs = getattr(result, "pairs", ())
    if len(pairs) == size:
        first, second = map(list, zip(*pairs, strict=True))
        return [columns_sheet("pairs", result.title, {"first": first, "second": second, **columns})]
    return [columns_sheet("values", result.title, columns)]


def columns_sheet(kind: str, title: str, columns: Mapping[str, Sequence[Any]]) -> Sheet:
    """Return a sheet of columns by the names of fields, from which heads and forms follow.

    Later columns are more dispensable than earlier ones, but for `ALWAYS_SHOWN_FIELDS`.
    """
    heads = {}
    for place, (name, cells) in enumerate(columns.items()):
        spare = 0 if name in ALWAYS_SHOWN_FIELDS else place
        heads[name] = Column(field_title(name), column_form(name, cells), spare)
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return make_sheet(kind, title, heads, rows)


def batch_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of a batch result: a row for each problem."""
    size = result.pvalue.size
    columns: dict[str, Sequence[Any]] = {"problem": range(size)}
    columns |= parallel_fields(result, result._field_names(), size)
    return [columns_sheet("problems", result.title, columns)]


def number_sheet(result: Any) -> Sheet:
    """Return the sheet of a result's single numbers and words, without sentences."""
    fields = {
        name: getattr(result, name) for name in result._field_names() if name not in HIDDEN_FIELDS
    }
    rows = [
        {"name": field_title(name), "value": number_text(value)}
        for name, value in fields.items()
        if np.isscalar(value) and not is_sentence(value)
    ]
    return make_sheet("numbers", result.title, {"name": Column(""), "value": Column("")}, rows)


def is_sentence(value: Any) -> bool:
    """Return whether a value is an empty text, or a text that ends with a full stop."""
    return isinstance(value, str) and (not value or value.endswith("."))


def number_text(value: Any) -> str:
    """Return a flag as yes or no, a number with six digits, anything else as text."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float):
        return UNDEFINED if math.isnan(value) else show_number(value, ".6g")
    return str(value)


def field_title(name: str) -> str:
    """Return the name of a field for people: ``n_trials`` is ``number of trials``."""
    if name.startswith("n_"):
        preposition = "of " if name.endswith("s") else ""  # trials; but not positive
        return f"number {preposition}{name[2:]}".replace("_", " ")
    return FIELD_TITLES.get(name, name.replace("_", " "))


def column_form(name: str, cells: Sequence[Any]) -> str:
    """Return the key of `formats.FORMS` for a column of these cells."""
    if name in ("pvalue", "adjusted_pvalue"):
        return "pvalue"
    if all(isinstance(cell, int) for cell in cells):
        return "count"
    return "text" if any(isinstance(cell, str) for cell in cells) else "number"


RATE_HEADS = {
    "test": Column("test"),
    "effect": Column("effect", "plain"),
    "size": Column("size", "count"),
    "rate": Column("rate", "number"),
    "ci": Column("", "interval"),
    "n_rejected": Column("rejected", "count", 2),
    "n_undefined": Column("undefined", "count", 1),
}


def rates_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of rates, a row for each test and effect or size, and that of the design."""
    points = varied_points(result)
    shape = len(result.tests), len(points)
    arrays = {name: getattr(result, name) for name in ("rate", "n_rejected", "n_undefined")}
    arrays["ci_low"], arrays["ci_high"] = result._interval()
    tables = {name: np.reshape(array, shape).tolist() for name, array in arrays.items()}
    rows = [
        {"test": test, **point, **{name: table[i][j] for name, table in tables.items()}}
        for i, test in enumerate(result.tests)
        for j, point in enumerate(points)
    ]
    all_heads = {**RATE_HEADS, "ci": Column(result._interval_title(), "interval")}
    heads = {name: head for name, head in all_heads.items() if name in rows[0] or name == "ci"}
    return [make_sheet("rates", result.title, heads, rows), number_sheet(result)]


def varied_points(result: Any) -> list[Row]:
    """Return the effects or sizes that were varied, ``[{"effect": 0.1}, ...]``; else ``[{}]``."""
    varied = getattr(result, "varied", None)
    if varied is None:
        return [{}]
    return [{varied: value} for value in getattr(result, f"{varied}s").tolist()]


TEST_HEADS = {
    "test": Column("test"),
    "role": Column("role"),
    "reason": Column("reason", "text", 1),
    "wrong": Column("the wrong test", "text", 2),
    "rate": Column("its type I error, %", "text", 2),
    "reference": Column("reference", "text", 3),
}


def advice_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of recommended tests, each with the wrong one and its type I error."""
    rows = [
        {
            **{name: getattr(test, name) for name in ("test", "role", "reason")},
            "wrong": "" if test.wrong is None else test.wrong.test,
            "rate": "" if test.wrong is None else f"{test.wrong.rate:g}",
            "reference": test.reference,
        }
        for test in result.tests
    ]
    return [make_sheet("tests", result.title, TEST_HEADS, rows)]
