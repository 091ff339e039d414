"""The columns that options name, and the roles of all columns, as one reading of a table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..._base.exceptions import InvalidValueError
from ..._base.text import join_names
from ..._base.types import Fields
from .column import Column
from .question import option
from .words import RATINGS, is_index, name_suggests, split_words

MAX_NAMED = 6  # names in a line
FEW_ROWS = 40  # tables of rounds, and of data sets, have fewer
CASES = ("scores", "labels", "probabilities")
ROLES_OF_NO_SCORES = ("id", "unit", "measure", "time")  # that names of other whole numbers suggest
TABLES = ("folds", "datasets", "items")


@dataclass(frozen=True, kw_only=True)
class Named:
    """The columns and the kind of data that options name, which are then not guessed."""

    label: str | None = None
    models: tuple[str, ...] | None = None
    id: str | None = None
    groups: str | None = None
    weights: str | None = None
    time: str | None = None
    event: str | None = None
    long: tuple[str, ...] | None = None
    kind: str | None = None
    scoring: str | None = None  # the metric of a search of which each candidate has several
    pos_label: Any = None
    kind_reason: str = "as specified"
    takes_items: bool = False  # whether rows must be independent items, though no kind is named
    label_reason: str = "as specified"
    models_reason: str = "as specified"
    sized: bool = False  # whether sizes of rounds, or their design, are specified
    for_cases: bool = False  # whether a test, a control or a design of cases is specified
    higher_is_better: bool | None = None  # as specified
    missing: str = "raise"
    paired: bool | None = None  # whether files have the same cases; None: their ids and labels say

    def with_kind(self, kind: str, reason: str) -> "Named":
        """Return the options with this kind and the reason for it, unless one was specified."""
        if self.kind is not None:
            return self
        reason += f"; {option_name('kind')} chooses another"
        return replace(self, kind=kind, kind_reason=reason)

    @property
    def no_readers(self) -> bool:
        """Whether options are specified that no study of readers takes, though its kind is not."""
        are_of_cases = self.sized or self.for_cases or self.higher_is_better is False
        return are_of_cases and self.kind != "readers"

    @cached_property
    def auxiliary(self) -> tuple[str, ...]:
        """The named columns of ids, clusters, weights, times and events."""
        names = (self.id, self.groups, self.weights, self.time, self.event)
        return tuple(name for name in names if name is not None)


class Clusters(NamedTuple):
    """A column of units with several rows each, which are not independent, and why it is one."""

    name: str
    values: Any
    why: str


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a table was read as: its kind, models and truth, and lines on how columns were read."""

    kind: str | None
    models: Mapping[str, Any]
    truth: Any = None
    label: str | None = None  # the column of the truth
    times: tuple[Any, Any] | None = None
    unpaired: tuple[tuple[Any, Any], ...] | None = None  # labels and a model's, of other cases
    folds: Any = None  # of each case, where AUCs of each fold are compared
    are_runs: bool = False  # whether all folds have the same cases
    classes: tuple[Any, ...] | None = None  # of probabilities (n, c) of each model
    options: Mapping[str, Any] = field(default_factory=dict)  # groups, weights, positive label
    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    clusters: Clusters | None = None  # that no option names
    metric: str = "score"
    called: tuple[
        str, ...
    ] = ()  # the metric, or the column of scores, where names of models do not
    higher_is_better: bool | None = None
    data: Any = None  # where the table is handed on as it is

    def with_first_lines(self, *lines: str) -> "Reading":
        """Return the reading with these lines before its `lines`."""
        return replace(self, lines=(*lines, *self.lines))


def is_design_of_cases(design: str | None) -> bool:
    """Return whether a design is specified that is none of reader studies."""
    return design not in (None, "crossed")


def quote_names(names: Iterable[str], most: int = MAX_NAMED) -> str:
    """Return names in quotes for a sentence, at most the first `most` of them."""
    quoted = [repr(str(name)) for name in names]
    return join_names(quoted, most) if quoted else "none"


def eligible_columns(columns: Mapping[str, Column], named: Named) -> dict[str, Column]:
    """Return the columns that may be labels or models: with values, and not named as ids, say."""
    return {
        name: column
        for name, column in columns.items()
        if name not in named.auxiliary and not is_index(name) and column.present.size
    }


def resembles_scores(column: Column, others: Iterable[Column]) -> bool:
    """Return whether whole numbers that all differ may be scores, as those of another column.

    Their median is in the range of other whole numbers, which repeat. Consecutive numbers are ids.
    """
    are_consecutive = np.ptp(column.present) == column.present.size - 1
    if are_consecutive:
        return False
    scores = [
        c
        for c in others
        if c.is_whole and c.is_number and not c.all_differ and not c.has_few_values
    ]
    scores = [c for c in scores if not any(map(partial(name_suggests, c.name), ROLES_OF_NO_SCORES))]
    middle = float(np.median(column.present))
    return any(c.present.min() <= middle <= c.present.max() for c in scores)


def is_row_name(column: Column, others: Iterable[Column] = ()) -> bool:
    """Return whether a column names the rows: texts, or whole numbers, that all differ.

    Numbers that are not called ids do so only beside scores, labels or numbers that repeat.
    """
    if column.is_bool or column.is_decimal or not column.all_differ:
        return False
    if column.texts is not None or name_suggests(column.name, "id") or column.n < 3:
        return True
    if name_suggests(column.name, "prediction") or resembles_scores(column, others):
        return False
    has_values = any(other.is_decimal or other.has_two for other in others)
    return has_values or not any(other.all_differ for other in others)


def model_lines(columns: Mapping[str, Column], models: Sequence[str]) -> list[str]:
    """Return lines on the columns of models, and on marks beside their numbers."""
    notes = [f"{name!r}: {columns[name].note}." for name in models if columns[name].note]
    return [f"Models: {quote_names(models)} ({option_name('models')} chooses).", *notes]


def refuse_empty_names(column: Column, what: str) -> None:
    """Raise if a column that must name a model or a row (`what`) has an empty cell."""
    if column.missing.any():
        row = int(np.flatnonzero(column.missing)[0])
        raise InvalidValueError(
            f"column {column.name!r} is empty in row {row}: it must name a {what}.",
            parameter=column.name,
            rule=f"must name a {what}",
            row=row,
        )


def unused_column_lines(
    columns: Mapping[str, Column], taken: Iterable[str], why: Mapping[str, str]
) -> list[str]:
    """Return lines on the columns that are not `taken`: row names, and others with the reason.

    Columns without a reason in `why` are described by their values.
    """
    used = {*taken}
    unused = [name for name in columns if name not in used and not is_index(name)]
    ids = [name for name in unused if name not in why and not columns[name].is_decimal]
    ids = [name for name in ids if columns[name].all_differ]
    names_by_reason: dict[str, list[str]] = {}
    for name in unused:
        if name not in ids:
            reason = why.get(name) or describe_values(columns[name])
            names_by_reason.setdefault(reason, []).append(name)
    lines = [f"Not used: {quote_names(ids)} (all values differ)."] if ids else []
    lines += [f"Not used: {quote_names(x)} ({reason})." for reason, x in names_by_reason.items()]
    return lines


def describe_values(column: Column) -> str:
    """Return a column's values in a few words: "always 3", "dates", "text with 12 values"."""
    if not column.present.size:
        return "empty"
    if column.is_constant:
        return f"always {column.label_texts[0]!r:.40}"
    if column.is_date:
        return "dates"
    if column.has_two:
        return f"two values, {' and '.join(map(repr, column.label_texts))}"
    size = column.distinct.size
    if column.texts is not None:
        return f"text with {size} values"
    return f"{'whole numbers' if column.is_whole else 'numbers'} with {size} values"


def option_name(name: str) -> str:
    """Return an option's name as users type it, without a value: `label=`, or `--label`."""
    with_empty_value = option(**{name: ""})  # label='' or --label ''
    return with_empty_value.partition(" ")[0].removesuffix("''")


def groups_and_weights(columns: Mapping[str, Column], named: Named) -> Fields:
    """Return the columns of clusters and weights that were named, by the options of tests."""
    names = {"groups": named.groups, "sample_weight": named.weights}
    return {
        option: columns[name].values()
        for option, name in names.items()
        if name is not None and name in columns
    }


def refuse_metrics(by: str, metrics: Sequence[str], *, or_models: bool = False) -> NoReturn:
    """Raise for a table with one number of each model and metric, which no test can compare.

    With `or_models` the columns may be models after all, and the message says how to say so.
    """
    are_ratings = any({*split_words(name)} & RATINGS for name in metrics)
    cases = "battles, or by values of several cases" if are_ratings else "values of several cases"
    ways = [f"`{option(kind=kind)}`" for kind in ("items", "datasets")]
    rows = f", by {by!r}" if by else ""
    way = f" If each row is an item or a data set, and columns are models: {' or '.join(ways)}."
    raise InvalidValueError(
        f"one number of each model for each metric or count ({quote_names(metrics)}){rows}: a "
        f"difference can be tested only by {cases}, data sets or rounds.{way if or_models else ''}",
        parameter=by,
    )
