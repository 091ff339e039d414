"""The columns that options name, and the roles of all columns, as one reading of a table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NoReturn

import numpy as np

from ..._base.exceptions import InvalidValueError
from ..._base.text import join_names
from ..._base.types import Fields
from .column import Column
from .question import option
from .words import RATINGS, is_index, speaks_for, split_words

MAX_NAMED = 6  # names in a line
CASES = ("scores", "labels", "probabilities")
NO_SCORES = ("id", "unit", "measure", "time")  # what names of other whole numbers speak for
TABLES = ("folds", "datasets", "items")


@dataclass(frozen=True, kw_only=True)
class Named:
    """The columns and the kind that options name; what is named is not questioned."""

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
    sized: bool = False  # whether sizes of rounds, or their design, are specified
    missing: str = "raise"
    paired: bool | None = None  # whether rows of several files are the same cases; None asks them

    def with_kind(self, kind: str, reason: str) -> "Named":
        """Return the same with a kind for a reason, unless one is specified."""
        if self.kind is not None:
            return self
        reason += f"; {option_name('kind')} chooses another"
        return replace(self, kind=kind, kind_reason=reason)

    @cached_property
    def auxiliary(self) -> tuple[str, ...]:
        """The columns that are named, but for the true labels and the models."""
        every = (self.id, self.groups, self.weights, self.time, self.event)
        return tuple(name for name in every if name is not None)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """The kind of a table, its models, what goes with them, and how each column was read."""

    kind: str | None
    models: Mapping[str, Any]
    truth: Any = None
    label: str | None = None  # the column of the truth
    times: tuple[Any, Any] | None = None
    unpaired: tuple[tuple[Any, Any], ...] | None = None  # labels and a model's, of other cases
    folds: Any = None  # of each case, where AUCs of each fold are compared
    classes: tuple[Any, ...] | None = None  # of probabilities (n, c) of each model
    options: Mapping[str, Any] = field(default_factory=dict)  # groups, weights, positive label
    lines: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    metric: str = "score"
    higher_is_better: bool | None = None
    data: Any = None  # where the table is handed on as it is

    def beginning(self, *lines: str) -> "Reading":
        """Return the same with lines before its own."""
        return replace(self, lines=(*lines, *self.lines))


def names_in(names: Iterable[str], most: int = MAX_NAMED) -> str:
    """Return names in quotes, of many the first few."""
    quoted = [repr(str(name)) for name in names]
    return join_names(quoted, most) if quoted else "none"


def candidates(columns: Mapping[str, Column], named: Named) -> dict[str, Column]:
    """Return the columns that may be labels or models: not empty, and not named otherwise."""
    return {
        name: column
        for name, column in columns.items()
        if name not in named.auxiliary and not is_index(name) and column.present.size
    }


def is_of_scores(column: Column, others: Iterable[Column]) -> bool:
    """Return whether whole numbers are like those of another column, which repeat, and no count."""
    if np.ptp(column.present) == column.present.size - 1:
        return False
    scores = [c for c in others if c.is_whole and c.is_number and not c.all_differ and not c.few]
    scores = [c for c in scores if not any(map(partial(speaks_for, c.name), NO_SCORES))]
    middle = float(np.median(column.present))
    return any(c.present.min() <= middle <= c.present.max() for c in scores)


def is_row_name(column: Column, others: Iterable[Column] = ()) -> bool:
    """Return whether a column names the rows: words or whole numbers that all differ."""
    if column.is_bool or column.is_decimal or not column.all_differ:
        return False
    if column.texts is not None or speaks_for(column.name, "id") or column.n < 3:
        return True
    if speaks_for(column.name, "prediction") or is_of_scores(column, others):
        return False
    return any(other.is_decimal or other.has_two for other in others) or all(
        not other.all_differ for other in others
    )


def asides(
    columns: Mapping[str, Column], taken: Iterable[str], why: Mapping[str, str]
) -> list[str]:
    """Return lines on the columns that are not used."""
    used = {*taken}
    rest = [name for name in columns if name not in used and not is_index(name)]
    ids = [name for name in rest if name not in why and not columns[name].is_decimal]
    ids = [name for name in ids if columns[name].all_differ]
    lines = [f"Row names: {names_in(ids)} (all different; not used)."] * bool(ids)
    reasons: dict[str, list[str]] = {}
    for name in rest:
        if name not in ids:
            reasons.setdefault(why.get(name) or nature(columns[name]), []).append(name)
    lines += [f"Not used: {names_in(names)} ({what})." for what, names in reasons.items()]
    return lines


def nature(column: Column) -> str:
    """Return words for the values of a column that has no role."""
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
    """Return an option without a value as whoever listens types it."""
    return option(**{name: ""}).partition(" ")[0].removesuffix("''")


def linked_options(columns: Mapping[str, Column], named: Named) -> Fields:
    """Return the clusters and weights that were named."""
    names = {"groups": named.groups, "sample_weight": named.weights}
    return {
        option: columns[name].values()
        for option, name in names.items()
        if name is not None and name in columns
    }


def refuse_metrics(by: str, metrics: Sequence[str], *, or_models: bool = False) -> NoReturn:
    """Raise for a table of one number of each model and metric; columns may be models after all."""
    rated = any({*split_words(name)} & RATINGS for name in metrics)
    cases = "battles, or by values of several cases" if rated else "values of several cases"
    ways = [f"`{option(kind=kind)}`" for kind in ("items", "datasets")]
    way = f" If each row is an item or a data set, and columns are models: {' or '.join(ways)}."
    raise InvalidValueError(
        f"one number of each model for each metric or count ({names_in(metrics)}), by {by!r}: a "
        f"difference can be tested only by {cases}, data sets or rounds.{way if or_models else ''}",
        parameter=by,
    )
