"""Long tables: a row an answer, with its model, item and score, into tables of models.

Rows are joined by the labels of their items, never by their places.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.types import Integers, Vector
from .arrays import as_float_array
from .items import check_finite_scores
from .labels import as_label_column
from .options import check_choice
from .scores import named_columns

ROLES = ("model", "item", "score", "sample", "group", "weight", "task")
ATTRIBUTES = ("group", "weight", "task")  # of an item, the same in all of its rows
NAMED = 3  # answers that an error names


class LongTable(NamedTuple):
    """Scores (n, k) or (n, k, K), NaN for missing ones; names of models, items and samples."""

    scores: NDArray[np.float64]
    models: tuple[str, ...]
    items: tuple[Any, ...]
    attributes: dict[str, NDArray[Any] | None]


class Coded(NamedTuple):
    """Labels and the number of that of each row, in the order in which they appear."""

    labels: NDArray[Any]
    numbers: Integers


def as_long_table(frame: object, **roles: str | None) -> LongTable:
    """Return the checked table of a frame whose columns have these roles."""
    columns = checked_columns(frame, roles)
    coded = {role: as_codes(role, roles[role], columns[role]) for role in ("model", "item")}
    if "sample" in columns:
        coded["sample"] = as_codes("sample", roles["sample"], columns["sample"])
    score = as_float_array(f"frame[{roles['score']!r}]", columns["score"])
    check_sizes(coded, score, roles)
    check_finite_scores(f"frame[{roles['score']!r}]", score)
    shape = tuple(coded[role].labels.size for role in ("item", "model"))
    places = [coded["item"].numbers, coded["model"].numbers]
    if "sample" in coded:
        shape, places = (*shape, coded["sample"].labels.size), [*places, coded["sample"].numbers]
    flat = np.ravel_multi_index(tuple(places), shape)
    check_once(flat, coded, places)
    scores = np.full(int(np.prod(shape)), np.nan)
    scores[flat] = score
    attributes = {role: attribute(role, columns, coded["item"], roles) for role in ATTRIBUTES}
    models = tuple(map(str, coded["model"].labels.tolist()))
    check_names(models)
    return LongTable(
        scores.reshape(shape), models, tuple(coded["item"].labels.tolist()), attributes
    )


def checked_columns(frame: object, roles: Mapping[str, str | None]) -> dict[str, object]:
    """Return the columns of the roles that are given, or raise."""
    columns = named_columns("frame", frame)
    if columns is None:
        raise InvalidTypeError(
            "`frame` must be a data frame or a mapping from names to columns, got "
            f"{type(frame).__name__}."
        )
    for role, name in roles.items():
        if name is not None:
            check_choice(role, name, tuple(columns))
    given = [name for name in roles.values() if name is not None]
    if twice := {name for name in given if given.count(name) > 1}:
        raise InvalidValueError(f"`frame` has one column for two roles: {sorted(twice)[0]!r}.")
    return {role: columns[name] for role, name in roles.items() if name is not None}


def as_codes(role: str, name: str | None, values: object) -> Coded:
    """Return the labels of a column in the order in which they appear, or raise."""
    labels, missing = as_label_column(f"frame[{name!r}]", values)
    if missing is not None and missing.any():
        raise InvalidValueError(
            f"`frame[{name!r}]` must name the {role} of every row; {np.count_nonzero(missing)} are "
            f"missing, the first in row {np.flatnonzero(missing)[0]}. Drop these rows."
        )
    found, first, numbers = np.unique(labels, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    ranks = np.empty(order.size, np.int64)
    ranks[order] = np.arange(order.size)
    return Coded(found[order], ranks[numbers])


def check_sizes(coded: Mapping[str, Coded], score: Vector, roles: Mapping[str, Any]) -> None:
    """Raise unless all columns are as long as each other."""
    n = coded["model"].numbers.size
    sizes = {role: one.numbers.size for role, one in coded.items()} | {"score": score.size}
    for role, size in sizes.items():
        if size != n:
            raise InvalidValueError(
                f"`frame[{roles[role]!r}]` must have a value for each of the {n} rows, got {size}."
            )
    if not n:
        raise InvalidValueError("`frame` must have at least one row, got 0.")


def check_once(flat: Integers, coded: Mapping[str, Coded], places: list[Integers]) -> None:
    """Raise if an answer is there twice."""
    order = np.argsort(flat, kind="stable")
    again = order[1:][flat[order][1:] == flat[order][:-1]]
    if not again.size:
        return
    rows = np.sort(again)[:NAMED].tolist()
    titles = [("item", places[0]), ("model", places[1])]
    titles += [("sample", places[2])] if len(places) > 2 else []
    named = "; ".join(
        ", ".join(f"{role} {coded[role].labels[at[row]].item()!r}" for role, at in titles)
        + f" in row {row}"
        for row in rows
    )
    more = f" and {again.size - NAMED} more" if again.size > NAMED else ""
    hint = "" if len(places) > 2 else " If these are samples, name their column by `sample`."
    raise InvalidValueError(
        f"`frame` must have each answer once, got {again.size} again: {named}{more}.{hint}"
    )


def attribute(
    role: str, columns: Mapping[str, object], items: Coded, roles: Mapping[str, Any]
) -> NDArray[Any] | None:
    """Return a value of each item, which all of its rows must agree on; None without a column."""
    if role not in columns:
        return None
    name = f"frame[{roles[role]!r}]"
    if role == "weight":
        values = as_float_array(name, columns[role])
        missing: NDArray[np.bool_] | None = np.isnan(values)
    else:
        values, missing = as_label_column(name, columns[role])
    if values.shape != items.numbers.shape:
        raise InvalidValueError(f"`{name}` must have a {role} in each of the rows.")
    absent = np.flatnonzero(missing if missing is not None else ())
    if absent.size:
        raise InvalidValueError(
            f"`{name}` must have a {role} in each of the rows; {absent.size} miss it, the first is "
            f"row {absent[0]}. Fill them in, or drop these rows."
        )
    first = np.full(items.labels.size, -1)
    first[items.numbers[::-1]] = np.arange(items.numbers.size)[::-1]
    own = values[first]
    differ = np.flatnonzero(own[items.numbers] != values)
    if differ.size:
        row = int(differ[0])
        item = items.labels[items.numbers[row]].item()
        raise InvalidValueError(
            f"`{name}` must be the same in all rows of an item; item {item!r} has "
            f"{own[items.numbers[row]].item()!r} and, in row {row}, {values[row].item()!r}."
        )
    return np.asarray(own)


def check_names(models: tuple[str, ...]) -> None:
    """Raise if two models have the same name as text: 1 and "1"."""
    if len(set(models)) < len(models):
        raise InvalidValueError("`frame` has models of the same name as text. Rename one.")
