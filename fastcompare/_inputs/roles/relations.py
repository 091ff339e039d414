"""What columns are to each other: labels by a threshold, classes that sum to one, nested units."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..arrays import FIRST
from .column import Column, written_decimals

MANY_ROWS = 1000
REPEATED = 1.5  # rows of a case, or models of it, that there are at least on average
SHARED = 0.5  # of all pairs of two columns that a crossed table has at least


def is_threshold(labels: Column, scores: Column) -> bool:
    """Return whether two values are those of scores above and below a threshold."""
    if scores.is_constant or scores.numbers is None:
        return False
    codes, values = labels.codes, scores.numbers
    complete = ~(labels.missing | scores.missing)
    first_code = codes[complete].min(initial=0)
    for rows in (slice(MANY_ROWS), slice(None)):  # the first ones settle most
        is_first = codes[rows][complete[rows]] == first_code
        below, above = (
            values[rows][complete[rows]][is_first],
            values[rows][complete[rows]][~is_first],
        )
        if below.size and above.size and not are_apart(below, above):
            return False
    return bool(below.size and above.size)


def are_apart(below: NDArray[Any], above: NDArray[Any]) -> bool:
    """Return whether all numbers of one group are at most those of another."""
    return bool(below.max() <= above.min() or above.max() <= below.min())


def is_nested(inner: Column, outer: Column) -> bool:
    """Return whether each value of a column has one value of another, which has fewer."""
    pairs = np.stack([inner.codes, outer.codes], axis=1)
    return bool(
        outer.distinct.size < inner.distinct.size == len(np.unique(pairs, axis=0))
        and inner.distinct.size > 1
    )


def is_crossed(models: Column, rows: Column) -> bool:
    """Return whether each row of a table has most of some models once."""
    k, m = models.distinct.size, rows.distinct.size
    if not 2 <= k <= models.n // 2 or m < 2 or models.missing.any() or rows.missing.any():
        return False
    pairs = models.codes * m + rows.codes
    if SHARED * k * m > models.n or models.n > k * m or REPEATED * m > models.n:
        return False
    return bool(np.unique(pairs).size == models.n)


def is_agreed(values: Column, rows: Column) -> bool:
    """Return whether all rows of a case have the same value."""
    first = np.full(rows.distinct.size, -2)
    first[rows.codes[::-1]] = values.codes[::-1]
    return bool((first[rows.codes] == values.codes).all())


def sum_to_one(columns: Sequence[Column], decimals: int = 2) -> bool:
    """Return whether all rows sum to one, but for the rounding of the digits that are written."""
    if len(columns) < 2 or not all(column.is_share and column.is_number for column in columns):
        return False
    if sum(column.is_decimal for column in columns) < decimals:
        return False
    table = np.stack([np.asarray(column.numbers, float) for column in columns], axis=1)
    tolerance = len(columns) * 0.5 * 10.0 ** -written_decimals(columns) + 1e-6
    parts = table[:FIRST], table
    if not all(bool((np.abs(part.sum(axis=1) - 1.0) <= tolerance).all()) for part in parts):
        return False
    return bool(abs(table.sum(axis=1).mean() - 1.0) <= tolerance / 3)


MARKED = re.compile(r"\W*([^_\W]+)[_\W]+(.+)")
PROBABILITY = "(?:p|pr|pred|prob|proba|probability|score)"
OF_PROBABILITY = re.compile(rf"[\W_]{{1,9}}{PROBABILITY}$", re.I)
AT_ENDS = re.compile(rf"^(?:{PROBABILITY}(?![^\W_]))?[\W_]+|[\W_]+$", re.I)
OF_CLASS = "(?:class|cls|klasse|label|c|p|prob|proba)?"  # before a class that is a number
NUMBERED = re.compile(r"(\d+)([^\W\d_].*)")


class ClassName(NamedTuple):
    """A name of a column of probabilities in two parts."""

    model: str
    label: str


def class_blocks(
    columns: Mapping[str, Column], labels: Sequence[str] = ()
) -> dict[str, dict[str, str]]:
    """Return by model the columns of its classes, which sum to one; none where there are no such.

    Names are a model and a class in either order, between a mark: `a_0`, `p_cat`, `cat.old`. The
    labels of the truth tell where a name of several words is divided.
    """
    shares = [name for name, column in columns.items() if column.is_number and column.is_share]
    if len(shares) < 2:
        return {}
    for parts in (partial(labelled_parts, labels=labels), last_parts, first_parts):
        groups: dict[str, dict[str, str]] = {}
        for name in shares:
            if (class_name := parts(name)) is not None:
                groups.setdefault(class_name.model, {})[class_name.label] = name
        blocks = {
            model: names
            for model, names in groups.items()
            if sum_to_one([columns[name] for name in names.values()])
        }
        blocks |= certain_blocks(columns, groups, {frozenset(names) for names in blocks.values()})
        blocks = {model: names for model, names in groups.items() if model in blocks}
        if blocks and len({frozenset(names) for names in blocks.values()}) == 1:
            return called_by_model(blocks)
    if len(shares) > 2 and sum_to_one([columns[name] for name in shares]):
        return {"": {name: name for name in shares}}
    return {}


def certain_blocks(
    columns: Mapping[str, Column],
    groups: Mapping[str, dict[str, str]],
    classes: set[frozenset[str]],
) -> dict[str, dict[str, str]]:
    """Return the classes of models that are as good as certain, as trees are, beside others'."""
    return {
        model: names
        for model, names in groups.items()
        if frozenset(names) in classes
        and sum_to_one([columns[name] for name in names.values()], decimals=0)
    }


def called_by_model(blocks: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Return the columns of classes by models alone: `lr` for columns like `lr_prob_0`."""
    names = [OF_PROBABILITY.sub("", model) for model in blocks]
    if not all(names) or len({*names}) < len(names):
        return blocks
    return dict(zip(names, blocks.values(), strict=True))


def labelled_parts(name: str, labels: Sequence[str]) -> ClassName | None:
    """Return a name as a model and one of some classes, the longest that it has as a word."""
    for label in sorted(labels, key=len, reverse=True):
        of_class = OF_CLASS if label.isdigit() else ""
        pattern = rf"(?<![^\W_]){of_class}{re.escape(label)}(?![^\W_])"
        for match in [*re.finditer(pattern, name, re.I)][-1:]:
            rest = (name[: match.start()], name[match.end() :])
            model = " ".join(filter(None, (AT_ENDS.sub("", part) for part in rest)))
            if model:
                return ClassName(model, label)
    return None


def last_parts(name: str) -> ClassName | None:
    """Return a name as a model and a class, which is last."""
    backwards = name[::-1]  # in linear time
    match = MARKED.fullmatch(backwards) or NUMBERED.fullmatch(backwards)
    return match and ClassName(match[2][::-1], match[1][::-1])


def first_parts(name: str) -> ClassName | None:
    """Return a name as a model and a class, which is first."""
    match = re.fullmatch(r"([^_\W]+)[_\W]+(.+)", name)
    return match and ClassName(match[2], match[1])


def coarsest(units: Iterable[Column], least: int) -> Column | None:
    """Return the unit that contains others: the coarsest of at least so many values."""
    every = sorted(units, key=lambda column: column.distinct.size)
    return next((one for one in every if one.distinct.size >= least), every[-1] if every else None)


def rows_of_pairs(models: Column, rows: Column) -> NDArray[np.int64]:
    """Return the row of each case (n) and model (k), -1 where it has none."""
    places = np.full((rows.distinct.size, models.distinct.size), -1)
    places[rows.codes, models.codes] = np.arange(models.n)
    return places
