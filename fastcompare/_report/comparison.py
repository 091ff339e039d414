"""All pairs of models as sheets, with intervals at a chosen level."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.text import as_builtin, correction_title, interval_title, join_names
from .._inputs.options import check_level
from .._results.headlines import contradicts_pvalue, order_by_pvalue, significance, swaps_models
from .._results.pairs import ALL_PAIRS, best_first, model_measure, model_names
from .._results.presentation import presentation
from .differences import MODEL_HEADS, omnibus_sheets
from .formats import (
    INTERVAL_FIELDS,
    PVALUE_FIELDS,
    Column,
    Indices,
    Row,
    Sheet,
    measure_head,
    row_getter,
)

CASE_COUNTS = {  # columns of models, and the counts of a run of an evaluation
    "n_items": Column("items", "count", 2),
    "n_samples": Column("samples", "count", 3),
    "n_missing": Column("missing", "count", 3),
    "n_errors": Column("errors", "count", 3),
    "n_unscored": Column("unscored", "count", 3),
}
ALPHA = 0.05  # of marks, where a test of one pair has no level
LEVEL = 0.95  # of intervals that nobody asked for
MOST_CHECKED = 45  # pairs, whose intervals may take long


@dataclass(frozen=True)
class PresentedResult:
    """A result, and the level at which its intervals are presented."""

    about: ClassVar[str] = ""  # where the data come from, where tables say it

    record: Any
    confidence_level: float = LEVEL
    simultaneous: bool | None = None  # by default where p-values are adjusted

    @property
    def level(self) -> float | None:
        """The level of the intervals, unless it is the usual one."""
        return None if self.confidence_level == LEVEL else self.confidence_level

    @property
    def title(self) -> str:
        """The title of the result."""
        return str(self.record.title)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return model_names(self.record)

    def summary(self) -> str:
        """Return the summary of the result, with intervals at the level of the tables."""
        return str(self.record.summary(confidence_level=self.level))

    def __str__(self) -> str:
        return str(presentation("_report.screen").to_screen(self))


class PairColumns(NamedTuple):
    """The columns of the tables of models and of pairs, of one kind of result.

    Mappings go from keys of rows to fields of the result, or to heads of columns. A head without
    a name takes that of the quantity.
    """

    value_key: str  # what rows of pairs call the value of a model
    value_field: str  # the field of the result with the values of all models
    models: Mapping[str, str]
    heads: Mapping[str, Column]  # of the table of models, beside names and intervals
    pairs: Mapping[str, str]
    evidence: Mapping[str, Column] = {"t": Column("t", "statistic", 2)}  # of a pair, beside p
    quantity: str = ""  # whose differences are tested; '' for the quantity of the result
    test: str = "{of.title}"  # a format for the title of the table of pairs


STANDARD_ERROR_HEAD = {"standard_error": Column("standard error", "number", 1)}
COLUMNS_BY_KIND: Mapping[str, PairColumns] = {
    "auc": PairColumns(
        value_key="auc",
        value_field="auc",
        models={"auc": "auc", "standard_error": "auc_standard_error"},
        heads={"auc": Column("AUC", "number"), **STANDARD_ERROR_HEAD},
        pairs={**INTERVAL_FIELDS, "z": "statistic", **PVALUE_FIELDS, "method": "method"},
        evidence={"z": Column("statistic", "statistic", 2)},
    ),
    "labels": PairColumns(
        value_key="accuracy",
        value_field="accuracy",
        models={"n_correct": "_n_correct", "accuracy": "accuracy"},
        heads={"n_correct": Column("right", "count", 1), "accuracy": Column("accuracy", "number")},
        pairs={
            **{"n10": "n10", "n01": "n01", **INTERVAL_FIELDS},
            **{"method": "method", "statistic": "statistic", **PVALUE_FIELDS},
        },
        evidence={"n10": Column("n10", "count", 2), "n01": Column("n01", "count", 2)},
        test="{of.title} ({of.method})",
    ),
    "folds": PairColumns(
        value_key="mean",
        value_field="means",
        models={"mean": "means"},
        heads={"mean": Column("", "number")},
        pairs={
            **INTERVAL_FIELDS,
            "effect_size": "effect_size",
            "t": "statistic",
            "df": "df",
            **PVALUE_FIELDS,
        },
    ),
    "evals": PairColumns(
        value_key="mean",
        value_field="means",
        models={},
        heads={**CASE_COUNTS, "mean": Column("", "number"), **STANDARD_ERROR_HEAD},
        pairs={**INTERVAL_FIELDS, "df": "df", "t": "statistic", **PVALUE_FIELDS},
        evidence={"t": Column("t", "statistic", 2), "df": Column("df", "df", 2)},
    ),
}
COMPUTED_FIELDS = ("estimate", "low", "high")
MEDIAN_FIELDS = {"median": "medians", "mad": "mads"}
VALUE_KEYS = {"means": "mean", "losses": "loss", "strengths": "strength"}


def columns_of_result(result: Any) -> PairColumns:
    """Return the columns of a result of pairs that `COLUMNS_BY_KIND` does not list.

    They are those of its fields that are not None. `COMPUTED_FIELDS`, which take long to compute,
    are not looked at: every such result has them.
    """
    value_field = model_measure(result)
    value_key = VALUE_KEYS.get(value_field, value_field.removesuffix("s"))
    statistics = {"statistic": "statistic", "effect_size": "effect_size"}
    fields = {**INTERVAL_FIELDS, **statistics, **PVALUE_FIELDS}
    lacking = {
        field
        for field in fields.values()
        if field not in COMPUTED_FIELDS and getattr(result, field, None) is None
    }
    quantity = measure_head(result, value_field)
    medians = {key: field for key, field in MEDIAN_FIELDS.items() if hasattr(result, field)}
    median_heads = {key: MODEL_HEADS[field] for key, field in medians.items()}
    evidence = {"statistic": Column("statistic", "statistic", 2)}
    if "effect_size" not in lacking:
        evidence["effect_size"] = Column("effect size", "number", 2)
    return PairColumns(
        value_key=value_key,
        value_field=value_field,
        models={value_key: value_field, **medians},
        heads={value_key: Column(quantity, "number"), **median_heads},
        pairs={key: field for key, field in fields.items() if field not in lacking},
        evidence=evidence,
        quantity=quantity,
    )


@dataclass(frozen=True)
class PresentedPairs(PresentedResult):
    """A result of all pairs of models, as sheets."""

    presented: str = ""  # a key of `COLUMNS_BY_KIND`; '' for that which the result names

    @property
    def result(self) -> Any:
        """The result of all pairs; a subclass may present another one as such."""
        return self.record

    @cached_property
    def columns(self) -> PairColumns:
        """The columns of models and of pairs."""
        columns = COLUMNS_BY_KIND.get(self.presented or self.result._presented)
        return columns_of_result(self.result) if columns is None else columns

    @cached_property
    def models(self) -> list[Row]:
        """A row for each model: its values, and the limits of its interval if there is one."""
        result, columns = self.result, self.columns
        cells: dict[str, Any] = {"model": result.names}
        cells |= dict.fromkeys(columns.heads, (None,) * len(result.names))
        cells |= {key: getattr(result, field) for key, field in columns.models.items()}
        limits = result._model_limits(self.confidence_level)
        if limits is not None:
            cells["ci_low"], cells["ci_high"] = limits
        rows = zip(*map(as_builtin, cells.values()), strict=True)
        return [dict(zip(cells, row, strict=True)) for row in rows]

    def pairs(self, chosen: Sequence[int] | None = None) -> Iterator[Row]:
        """Yield a row for each pair: the values of both models, and the columns of pairs.

        `chosen` are indices of pairs, by default all.
        """
        result = self.result
        indices = range(len(result.pairs)) if chosen is None else chosen
        cells = self.cells(np.asarray(indices, np.intp))
        key = self.columns.value_key
        values = getattr(result, self.columns.value_field).tolist()
        value_of = dict(zip(result.names, values, strict=True))
        for p, *row in zip(indices, *cells, strict=True):
            first, second = result.pairs[p]
            yield {
                "first": first,
                "second": second,
                f"{key}_first": value_of[first],
                f"{key}_second": value_of[second],
                **dict(zip(self.columns.pairs, row, strict=True)),
            }

    def cells(self, chosen: NDArray[np.intp]) -> list[list[Any]]:
        """Return the columns of the chosen pairs; intervals are computed for these pairs only."""
        result = self.result
        size = len(self.result.pairs)
        low, high = result._intervals_at(chosen, *self.levels_of_each)
        computed = {"estimate": result._estimates(chosen), "low": low, "high": high}
        return [
            computed[field].tolist()
            if field in computed
            else np.broadcast_to(getattr(result, field), size)[chosen].tolist()
            for field in self.columns.pairs.values()
        ]

    @property
    def is_simultaneous(self) -> bool:
        """Whether intervals cover simultaneously: by default if p-values are adjusted."""
        if len(self.result.pairs) < 2:
            return False
        return bool(self.result._adjusts if self.simultaneous is None else self.simultaneous)

    @cached_property
    def levels_of_each(self) -> tuple[float, float]:
        """The level of each interval, and of those of identical models.

        They are higher than `confidence_level` if intervals are simultaneous.
        """
        level = check_level(self.confidence_level)
        if not self.is_simultaneous:
            return level, level
        return float(self.result._level_of_each(level)), self.result._bonferroni_level(level)

    @cached_property
    def interval_conflict(self) -> str:
        """The note on pairs whose simultaneous interval contradicts the adjusted p-value, or ''.

        They may, since no intervals belong to step-down p-values and those shown are by another
        method. More than `MOST_CHECKED` pairs are not compared.
        """
        result = self.result
        alpha = getattr(self.result, "alpha", ALPHA)
        has_level_of_test = math.isclose(1.0 - self.confidence_level, alpha)
        if not (self.is_simultaneous and has_level_of_test and len(result.pairs) <= MOST_CHECKED):
            return ""
        low, high = result._intervals_at(ALL_PAIRS, *self.levels_of_each)
        disagrees = contradicts_pvalue(result, low, high)
        pairs = [" against ".join(result.pairs[p]) for p in np.flatnonzero(disagrees).tolist()]
        if not pairs:
            return ""
        named = join_names(pairs, 3)  # the first three, and how many more
        return f"adjusted p-values decide where simultaneous intervals disagree: {named}"

    @property
    def method(self) -> str:
        """The methods of the pairs' tests, which may differ by the number of discordant cases."""
        return ", ".join(np.unique(self.result.method).tolist())

    @property
    def quantity(self) -> str:
        """The quantity whose differences are tested, as tables name it."""
        return self.columns.quantity or str(self.result.quantity)

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, best first, and of the pairs, by p-value.

        Between them is the sheet of the omnibus test, if there was one.
        """
        omnibus = getattr(self.result, "omnibus", None)
        sheets = [self.model_sheet()]
        if omnibus is not None:
            *_, test_sheet = omnibus_sheets(omnibus)  # without that of the models
            sheets.append(test_sheet)
        if self.result.pairs:
            sheets.append(self.pair_sheet())
        return sheets

    def model_sheet(self) -> Sheet:
        """Return the sheet of the models, the best first."""
        heads = {
            key: head._replace(name=head.name or self.quantity)
            for key, head in self.columns.heads.items()
        }
        heads = {"model": Column(getattr(self.result, "_thing", "model")), **heads}
        if "ci_low" in self.models[0]:
            heads["ci"] = Column(f"{100 * self.confidence_level:g}% CI", "interval")
        rows = self.models
        title = self.about or self.title
        return Sheet("models", title, heads, len(rows), row_getter(rows), self.model_order())

    def model_order(self) -> Indices:
        """Return the indices of the models, the best first."""
        return best_first(self.result, model_measure(self.result))

    def pair_heads(self) -> dict[str, Column]:
        """Return the heads of the table of pairs; a column of status only if one is not 'ok'."""
        prefix = "simultaneous " if self.is_simultaneous else ""
        interval = interval_title(self.result.alternative, self.confidence_level)
        heads = {
            "first": Column("first"),
            "second": Column("second"),
            "difference": Column(self.result._difference_title, "number"),
            "ci": Column(prefix + interval, "interval"),
            **self.columns.evidence,
            "pvalue": Column("p", "pvalue", 1),
            "adjusted_pvalue": Column("adjusted p", "pvalue"),
            "significant": Column("", "mark"),
        }
        if not np.all(self.result.status == "ok"):
            heads["status"] = Column("status", spare=2)
        return heads

    @property
    def pair_title(self) -> str:
        """The title of the table of pairs."""
        test = self.columns.test.format(of=self)
        each = f"{self.quantity} of the first minus {self.quantity} of the second"
        return f"{test}: {self.result._stated_difference or each}, {self.result.alternative}"

    def pair_sheet(self) -> Sheet:
        """Return the sheet of the pairs, with marks for differences that are significant."""
        result = self.result
        adjusted = np.atleast_1d(result.adjusted_pvalue)
        significant = adjusted <= getattr(result, "alpha", ALPHA)

        def rows(indices: Indices) -> Iterator[Row]:
            for p, row in zip(indices, self.pairs(indices), strict=True):
                yield {**row, "significant": bool(significant[p])}

        def display_rows(indices: Indices) -> Iterator[Row]:
            swaps = swaps_models(result, np.asarray(indices, np.intp)).tolist()
            for swap, row in zip(swaps, rows(indices), strict=True):
                yield self.swapped_row(row) if swap else row

        notes = (marks_note(result, bool(significant.any())), self.interval_conflict)
        note = "; ".join(filter(None, notes))
        order = order_by_pvalue(result)
        heads = self.pair_heads()
        size = len(result.pairs)
        return Sheet("pairs", self.pair_title, heads, size, rows, order, note, display_rows)

    def swapped_row(self, row: Row) -> Row:
        """Return the row of a pair with the second model first: differences change their signs."""
        key = self.columns.value_key
        exchanged = (("first", "second"), (f"{key}_first", f"{key}_second"), ("n10", "n01"))
        swapped = dict(row)
        for first, second in exchanged:
            if first in row:
                swapped |= {first: row[second], second: row[first]}
        for name, field in self.columns.pairs.items():
            if field in self.result.signed:
                swapped[name] = -row[name]
        return swapped | {"ci_low": -row["ci_high"], "ci_high": -row["ci_low"]}


def pairs_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models and of the pairs."""
    return PresentedPairs(result, result._level).sheets()


def marks_note(result: Any, marked: bool) -> str:
    """Return the note below the table of pairs: what a mark means, or that nothing is marked.

    '' if nothing is marked and there is one pair, or no p-value is defined.
    """
    if marked:
        return f"* {marks_rule(result)}"
    is_tested = len(result.pairs) > 1 and not np.isnan(result.adjusted_pvalue).all()
    return f"no difference is {marks_rule(result)}" if is_tested else ""


def marks_rule(result: Any) -> str:
    """Return the meaning of a mark: ``significant at the 5% level (Holm-adjusted)``."""
    level = f"{significance(result)} at the {100 * getattr(result, 'alpha', ALPHA):g}% level"
    if len(result.pairs) == 1 or result.correction == "none":
        return level
    return f"{level} ({correction_title(result.correction)}-adjusted)"
