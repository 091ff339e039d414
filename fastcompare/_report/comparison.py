"""All pairs of models as sheets, at the level of intervals and from the source that users name."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.text import correction_title, interval_title, join_names, plain
from .._inputs.options import check_level
from .._results.headlines import second_is_better, surest_first
from .._results.pairs import EVERY, best_first, model_measure, model_names
from .._results.presentation import presentation
from .differences import MODEL_HEADS, omnibus_sheets
from .formats import MEASURED, TESTED, Column, Indices, Row, Sheet, measure_head, row_getter

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
    """A result, and the level of its intervals."""

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
    """The columns of tests of pairs: keys of rows with fields of the result, and heads.

    A head without a name is that of the quantity.
    """

    value: tuple[str, str]  # of a model: what rows of pairs call it, and the field of all
    models: Mapping[str, str]
    heads: Mapping[str, Column]  # of the table of models, beside names and intervals
    pairs: Mapping[str, str]
    evidence: Mapping[str, Column] = {"t": Column("t", "statistic", 2)}  # of a pair, beside p
    quantity: str = ""  # of which differences are, by default the result's
    test: str = "{of.title}"


ERROR = {"standard_error": Column("standard error", "number", 1)}
COLUMNS: Mapping[str, PairColumns] = {
    "auc": PairColumns(
        value=("auc", "auc"),
        models={"auc": "auc", "standard_error": "auc_standard_error"},
        heads={"auc": Column("AUC", "number"), **ERROR},
        pairs={**MEASURED, "z": "statistic", **TESTED, "method": "method"},
        evidence={"z": Column("statistic", "statistic", 2)},
    ),
    "labels": PairColumns(
        value=("accuracy", "accuracy"),
        models={"n_correct": "_n_correct", "accuracy": "accuracy"},
        heads={"n_correct": Column("right", "count", 1), "accuracy": Column("accuracy", "number")},
        pairs={
            **{"n10": "n10", "n01": "n01", **MEASURED},
            **{"method": "method", "statistic": "statistic", **TESTED},
        },
        evidence={"n10": Column("n10", "count", 2), "n01": Column("n01", "count", 2)},
        test="{of.title} ({of.method})",
    ),
    "folds": PairColumns(
        value=("mean", "means"),
        models={"mean": "means"},
        heads={"mean": Column("", "number")},
        pairs={**MEASURED, "effect_size": "effect_size", "t": "statistic", "df": "df", **TESTED},
    ),
    "evals": PairColumns(
        value=("mean", "means"),
        models={},
        heads={**CASE_COUNTS, "mean": Column("", "number"), **ERROR},
        pairs={**MEASURED, "df": "df", "t": "statistic", **TESTED},
        evidence={"t": Column("t", "statistic", 2), "df": Column("df", "df", 2)},
    ),
}
ENDS = ("estimate", "low", "high")
MEDIANS = {"median": "medians", "mad": "mads"}
WORDS = {"means": "mean", "losses": "loss", "strengths": "strength"}


def columns_of_result(result: Any) -> PairColumns:
    """Return the columns of whatever a result has a value of for each model.

    Estimates and intervals, which may take long, all results have.
    """
    name = model_measure(result)
    key = WORDS.get(name, name.removesuffix("s"))
    every = {**MEASURED, "statistic": "statistic", "effect_size": "effect_size", **TESTED}
    lacking = [n for n in every.values() if n not in ENDS and getattr(result, n, None) is None]
    quantity = measure_head(result, name)
    medians = {key: n for key, n in MEDIANS.items() if hasattr(result, n)}
    evidence = {"statistic": Column("statistic", "statistic", 2)}
    effect_size = {"effect_size": Column("effect size", "number", 2)}
    return PairColumns(
        value=(key, name),
        models={key: name, **medians},
        heads={key: Column(quantity, "number")}
        | {key: MODEL_HEADS[n] for key, n in medians.items()},
        pairs={key: n for key, n in every.items() if n not in lacking},
        evidence=evidence | ({} if "effect_size" in lacking else effect_size),
        quantity=quantity,
    )


@dataclass(frozen=True)
class ShownPairs(PresentedResult):
    """All pairs of models."""

    presented: str = ""  # as one of `COLUMNS`, by default that of the result

    @property
    def result(self) -> Any:
        """The result of all pairs."""
        return self.record

    @cached_property
    def columns(self) -> PairColumns:
        """The columns of models and of pairs."""
        return COLUMNS.get(self.presented or self.result._presented) or columns_of_result(
            self.result
        )

    @cached_property
    def models(self) -> list[Row]:
        """What is known of each model."""
        result, columns = self.result, self.columns
        cells: dict[str, Any] = {"model": result.names}
        cells |= dict.fromkeys(columns.heads, (None,) * len(result.names))
        cells |= {key: getattr(result, field) for key, field in columns.models.items()}
        ends = result._model_limits(self.confidence_level)
        cells |= {} if ends is None else dict(zip(("ci_low", "ci_high"), ends, strict=True))
        rows = zip(*map(plain, cells.values()), strict=True)
        return [dict(zip(cells, row, strict=True)) for row in rows]

    def pairs(self, chosen: Sequence[int] | None = None) -> Iterator[Row]:
        """Yield what is known of each pair: values of both models, and the columns of pairs.

        Of all pairs, or of those with these indices.
        """
        result = self.result
        indices = range(len(result.pairs)) if chosen is None else chosen
        cells = self.cells(np.asarray(indices, np.intp))
        key, field = self.columns.value
        value = dict(zip(result.names, getattr(result, field).tolist(), strict=True))
        for p, *row in zip(indices, *cells, strict=True):
            first, second = result.pairs[p]
            yield {
                "first": first,
                "second": second,
                f"{key}_first": value[first],
                f"{key}_second": value[second],
                **dict(zip(self.columns.pairs, row, strict=True)),
            }

    def cells(self, chosen: NDArray[np.intp]) -> list[list[Any]]:
        """Return the columns of these pairs; intervals may take long, and are of these alone."""
        result = self.result
        size = len(self.result.pairs)
        low, high = result._intervals(chosen, self.level_of_each, False)
        columns = {"estimate": result._estimates(chosen), "low": low, "high": high}
        return [
            columns[field].tolist()
            if field in columns
            else np.broadcast_to(getattr(result, field), size)[chosen].tolist()
            for field in self.columns.pairs.values()
        ]

    @property
    def is_simultaneous(self) -> bool:
        """Whether the intervals cover simultaneously: by default, beside adjusted p-values."""
        if len(self.result.pairs) < 2:
            return False
        return bool(self.result._adjusts if self.simultaneous is None else self.simultaneous)

    @cached_property
    def level_of_each(self) -> float:
        """The level of each interval: that of all, or what makes all cover together."""
        level = check_level(self.confidence_level)
        return float(self.result._level_of_each(level)) if self.is_simultaneous else level

    @cached_property
    def conflict(self) -> str:
        """Which simultaneous intervals do not agree with the adjusted p-values, in words.

        They are of another method, and step-down p-values have no intervals. Of many pairs nobody
        reads them all.
        """
        result = self.result
        alpha = getattr(self.result, "alpha", ALPHA)
        of_alpha = math.isclose(1.0 - self.confidence_level, alpha)
        if not (self.is_simultaneous and of_alpha and len(result.pairs) <= MOST_CHECKED):
            return ""
        low, high = result._intervals(EVERY, self.level_of_each, False)
        excludes = (low > 0.0) | (high < 0.0)
        differ = (excludes != (result.adjusted_pvalue <= alpha)) & ~np.isnan(low + high)
        pairs = [" against ".join(result.pairs[p]) for p in np.flatnonzero(differ).tolist()]
        if not pairs:
            return ""
        first = join_names(pairs, 3)
        return f"adjusted p-values decide where simultaneous intervals disagree: {first}"

    @property
    def method(self) -> str:
        """The methods of the tests: that of a pair may depend on its discordant cases."""
        return ", ".join(np.unique(self.result.method).tolist())

    @property
    def quantity(self) -> str:
        """What of the first model less what of the second is tested."""
        return self.columns.quantity or str(self.result.quantity)

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, the best first, and of the pairs, the surest first.

        Between them stands the test of all models, if there was one.
        """
        omnibus = getattr(self.result, "omnibus", None)
        joint_sheet = [] if omnibus is None else omnibus_sheets(omnibus)[-1:]
        return [
            self.model_sheet(),
            *joint_sheet,
            *([self.pair_sheet()] if self.result.pairs else []),
        ]

    def model_sheet(self) -> Sheet:
        """Return the sheet of the models."""
        heads = {
            key: head._replace(name=head.name or self.quantity)
            for key, head in self.columns.heads.items()
        }
        heads = {"model": Column(getattr(self.result, "_thing", "model")), **heads}
        if "ci_low" in self.models[0]:
            heads["ci"] = Column(f"{100 * self.confidence_level:g}% CI", "interval")
        rows = self.models
        title = self.about or self.title
        return Sheet("models", title, heads, len(rows), row_getter(rows), self.standing())

    def standing(self) -> Indices:
        """Return the order of the models, the best first."""
        return best_first(self.result, model_measure(self.result))

    def pair_heads(self) -> dict[str, Column]:
        """Return the columns of the table of pairs; words of status only where one says much."""
        prefix = "simultaneous " if self.is_simultaneous else ""
        interval = interval_title(self.result.alternative, self.confidence_level)
        heads = {
            "first": Column("first"),
            "second": Column("second"),
            "difference": Column("difference", "number"),
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
        """Return the sheet of the pairs, with marks for those that hold after correction."""
        result = self.result
        adjusted = np.atleast_1d(result.adjusted_pvalue)
        significant = adjusted <= getattr(result, "alpha", ALPHA)

        def cells(indices: Indices) -> Iterator[Row]:
            for p, row in zip(indices, self.pairs(indices), strict=True):
                yield {**row, "significant": bool(significant[p])}

        def people(indices: Indices) -> Iterator[Row]:
            turned = second_is_better(result, np.asarray(indices, np.intp)).tolist()
            for turn, row in zip(turned, cells(indices), strict=True):
                yield self.turned_row(row) if turn else row

        note = "; ".join(filter(None, (marks_note(result, bool(significant.any())), self.conflict)))
        order = surest_first(result)
        heads = self.pair_heads()
        size = len(result.pairs)
        return Sheet("pairs", self.pair_title, heads, size, cells, order, note, people)

    def turned_row(self, row: Row) -> Row:
        """Return the row of a pair with the second model first."""
        key = self.columns.value[0]
        signed = self.result.signed
        swapped = (("first", "second"), (f"{key}_first", f"{key}_second"), ("n10", "n01"))
        turned = dict(row)
        for one, other in swapped:
            if one in row:
                turned |= {one: row[other], other: row[one]}
        fields = self.columns.pairs
        turned |= {name: -row[name] for name, field in fields.items() if field in signed}
        return turned | {"ci_low": -row["ci_high"], "ci_high": -row["ci_low"]}


def pairs_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models and of the pairs."""
    return ShownPairs(result, result._level).sheets()


def marks_note(result: Any, marked: bool) -> str:
    """Return the note below the table of pairs: what the marks mean, or that there are none.

    It names the correction, which a table alone does not.
    """
    if marked:
        return f"* {marks_rule(result)}"
    is_tested = len(result.pairs) > 1 and not np.isnan(result.adjusted_pvalue).all()
    return f"no difference is {marks_rule(result)}" if is_tested else ""


def marks_rule(result: Any) -> str:
    """Return the rule of the marks, for people."""
    level = f"significant at the {100 * getattr(result, 'alpha', ALPHA):g}% level"
    if len(result.pairs) == 1 or result.correction == "none":
        return level
    return f"{level} ({correction_title(result.correction)}-adjusted)"
