"""Labels of several classes, and tables of scores with a column for each class."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._adapters.frames import frame_columns, frame_names, is_frame, refuse_lazy
from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.types import Integers, Vector
from .arrays import Column, as_column
from .cases import check_indexes, check_lengths, find_missing, leave_out
from .labels import as_label_column, explain, is_whole, shown
from .options import check_choice
from .scores import as_scores, as_vector, models_of
from .weights import as_extras

ClassScores = ArrayLike | Mapping[Any, ArrayLike]


@dataclass(frozen=True, slots=True)
class ClassCases:
    """Class numbers (n,) from 0, for each model a vector of n scores a class, and the classes."""

    codes: NDArray[np.unsignedinteger[Any]]
    models: list[list[Vector]]
    classes: tuple[Any, ...]
    n_dropped: int = 0
    groups: Integers | None = None
    names: tuple[str, ...] = ()

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the models, which are two."""
        first, second = self.names
        return first, second


class Table(NamedTuple):
    """One model's columns of scores, how errors call them, and their keys (None: an array's)."""

    name: str
    vectors: list[Vector]
    titles: tuple[str, ...]
    keys: list[Any] | None = None

    def only(self, kept: NDArray[np.bool_]) -> "Table":
        """Return the same for some of the cases."""
        return self._replace(vectors=[vector[kept] for vector in self.vectors])


def check_closed_form(method: str, groups: object) -> None:
    """Raise for clusters with a bootstrap that draws the cases of each class apart."""
    if groups is not None and method != "delong":
        raise InvalidValueError(
            f"`method` must be 'delong' with `groups`, got {method!r}, which draws cases class by "
            "class: clusters hold several classes."
        )


def as_class_cases(
    y_true: object,
    *,
    classes: object = None,
    nan_policy: str = "raise",
    groups: object = None,
    **scores: object,
) -> ClassCases:
    """Return the checked labels and scores of the same cases, with their clusters if given.

    Each table comes as a keyword.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    labels, unlabelled = as_label_column("y_true", y_true)
    if labels.size == 0:
        raise InvalidValueError("`y_true` must hold at least one case, got 0 samples.")
    scores, names = models_of(scores)
    tables = [as_class_table(name, table, labels.size) for name, table in scores.items()]
    parts = [part for table in scores.items() for part in indexed_parts(*table)]
    extras = as_extras(labels.size, None, None, groups)
    check_indexes([("y_true", y_true), *parts, ("groups", groups)])

    dropped = 0
    vectors = [vector for table in tables for vector in table.vectors]
    titles = tuple(title for table in tables for title in table.titles)
    flagged = [("y_true", unlabelled), ("groups", extras.ungrouped)]
    missing = find_missing(flagged, vectors, titles, nan_policy)
    if missing is not None:
        kept, dropped = ~missing, leave_out(missing)
        labels, tables = labels[kept], [table.only(kept) for table in tables]
        extras = extras.only(kept)
    order, codes = number_classes(labels, classes, tables[0])
    models = [in_order_of(order, table) for table in tables]
    return ClassCases(codes, models, order, dropped, extras.clusters(), names)


def indexed_parts(name: str, table: object) -> list[tuple[str, object]]:
    """Return each part that may have an index of its own: a mapping's columns, or the table."""
    if isinstance(table, Mapping):
        return [(f"{name}[{key!r}]", column) for key, column in table.items()]
    return [(name, table)]


def as_class_table(name: str, table: object, n: int) -> Table:
    """Return the columns of a mapping, a data frame or an array of shape (n, c), or raise."""
    if isinstance(table, Mapping):
        return named_table(name, list(table), list(table.values()), n)
    if is_frame(table):
        refuse_lazy(name, table)
        keys = frame_names(table)
        refuse_twice(name, keys)
        return named_table(name, keys, frame_columns(table), n)
    array, missing = as_column(name, table)
    if array.ndim != 2 or array.shape[0] != n:
        hint = " Pass its transpose." if array.ndim == 2 and array.shape[1] == n else ""
        raise InvalidValueError(
            f"`{name}` must have shape ({n}, c), a row for each label in `y_true` and a column for "
            f"each class, got {array.shape}.{hint}"
        )
    titles = tuple(f"{name}[:, {j}]" for j in range(array.shape[1]))
    flags = [None if missing is None else missing[:, j] for j in range(array.shape[1])]
    columns = [Column(array[:, j], flag) for j, flag in enumerate(flags)]
    return Table(name, [as_vector(*both) for both in zip(titles, columns, strict=True)], titles)


def named_table(name: str, keys: list[Any], columns: list[Any], n: int) -> Table:
    """Return the columns of a mapping or a data frame, or raise."""
    refuse_twice(name, [text_of(key) for key in keys])
    titles = tuple(f"{name}[{key!r}]" for key in keys)
    vectors = [as_scores(*both) for both in zip(titles, columns, strict=True)]
    check_lengths(n, vectors, titles)
    return Table(name, vectors, titles, keys)


def refuse_twice(name: str, keys: list[str]) -> None:
    """Raise if two columns have the same name."""
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise InvalidValueError(f"`{name}` has columns of the same name: {', '.join(twice)}.")


def text_of(label: object) -> str:
    """Return a label as a column's name shows it: 1.0, 1 and "1" are called alike."""
    if isinstance(label, float) and is_whole(label):
        return str(int(label))
    return str(label)


def number_classes(
    labels: NDArray[Any], classes: object, table: Table
) -> tuple[tuple[Any, ...], NDArray[np.unsignedinteger[Any]]]:
    """Return the classes in the order of the columns, and the number of each case's class."""
    found, inverse = np.unique(labels, return_inverse=True)
    present = found.tolist()
    if labels.dtype.kind == "f" and not all(map(is_whole, present)):
        raise InvalidValueError(explain("y_true", labels))
    order = class_order(present, classes, table)
    if unknown := [label for label in present if label not in order]:
        where = f"the columns of `{table.name}`" if classes is None else "`classes`"
        raise InvalidValueError(f"`y_true` holds labels that are not in {where}: {shown(unknown)}.")
    if len(order) < 2:
        raise InvalidValueError(f"`y_true` must hold two classes or more, found {shown(present)}.")
    numbers = np.array([order.index(label) for label in present])
    return order, numbers.astype(np.min_scalar_type(len(order)))[inverse]


def class_order(present: list[Any], classes: object, table: Table) -> tuple[Any, ...]:
    """Return `classes` if given, else what the columns are called, else the sorted labels."""
    if classes is not None:
        return tuple(as_classes(classes))
    if table.keys is None:
        return tuple(present)
    by_text = {text_of(label): label for label in present}
    return tuple(by_text.get(text_of(key), key) for key in table.keys)


def as_classes(classes: object) -> list[Any]:
    """Return the given classes as Python values, all different, or raise."""
    if isinstance(classes, str | bytes):
        raise InvalidTypeError(f"`classes` must be a list of labels, got {classes!r}.")
    labels, missing = as_label_column("classes", classes)
    order = list(labels.tolist())
    if missing is not None or len(set(order)) < len(order):
        raise InvalidValueError(f"`classes` must hold every label once, got {shown(order)}.")
    return order


def in_order_of(classes: tuple[Any, ...], table: Table) -> list[Vector]:
    """Return a table's columns in the order of the classes, or raise."""
    keys = classes if table.keys is None else table.keys
    if len(table.vectors) != len(classes):
        raise InvalidValueError(
            f"`{table.name}` must have a column for each of the {len(classes)} classes "
            f"{shown(list(classes))}, got {len(table.vectors)}. Name the columns by `classes` if a "
            "class has no cases here."
        )
    by_text = dict(zip(map(text_of, keys), table.vectors, strict=True))
    if lacking := [label for label in classes if text_of(label) not in by_text]:
        raise InvalidValueError(f"`{table.name}` has no column for {shown(lacking)}.")
    return [by_text[text_of(label)] for label in classes]
