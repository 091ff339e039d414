"""Counts and amounts in place of labels: tables of right and wrong answers, of labels, and ratios.

Data frames have labels: pandas' in the index and the columns, those of others in the first column
and the names. Arrays and nested lists have none: right answers come first, and labels in one order.
A ratio has a numerator and a denominator for each item and model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._adapters.frames import check_indexes, frame_columns, frame_labels, is_frame, refuse_lazy
from .._base.exceptions import InvalidTypeError, InvalidValueError, invalid_type, invalid_value
from .._base.memory import reserve
from .._base.types import Vector
from .arrays import as_column, as_float_array, dimensions, read_once, refuse_illegal
from .items import ItemLinks, Items, Linking, link_items, options_with_index
from .labels import check_comparable, count_few_labels, listed_labels, number_labels
from .options import check_choice
from .predictions import as_labels, complete_rows
from .scores import (
    UNNAMED,
    ScoreTable,
    as_table,
    columns_of_two,
    model_columns,
    model_name,
    names_of_pair,
)
from .weights import LABELS, check_length

MARK_MISSING = ". Mark what is missing as NaN."
IN_NUMERATORS = "items in `numerators`"
RIGHT = frozenset({"true", "right", "correct", "1", "yes", "hit"})
WRONG = frozenset({"false", "wrong", "incorrect", "error", "0", "no", "miss"})
CURE = "or pass its values as an array, with right answers first"

Labels = tuple[Any, ...] | None


class Labelled(NamedTuple):
    """The cells of a table row by row, and the labels of its rows and columns, None for none."""

    rows: list[list[Any]]
    down: Labels = None
    across: Labels = None


def as_rows(name: str, table: object) -> Labelled:
    """Return the cells of a frame, an array or a nested list, as Python values; or raise.

    Integers stay exact.
    """
    if is_frame(table):
        return rows_of_frame(name, table)
    table = read_once(table)
    rows = table.tolist() if isinstance(table, np.ndarray) else table
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) for row in rows):
        raise invalid_value(name, "must be a square table of counts", table)
    return Labelled([list(row) for row in rows])


def rows_of_frame(name: str, table: object) -> Labelled:
    """Return the cells of a data frame and the labels of its rows and columns.

    Where there is a column more than rows, the first one has the labels of the rows.
    """
    columns = [as_column(name, column).values.tolist() for column in frame_columns(table)]
    down, across = frame_labels(table)
    if len(columns) == len(columns[0]) + 1:
        down = tuple(columns.pop(0))
        across = None if across is None else across[1:]
    return Labelled([list(row) for row in zip(*columns, strict=True)], down, across)


def right_first(name: str, table: Labelled) -> list[list[Any]]:
    """Return the cells of a 2 x 2 table with right answers in the first row and column.

    Without labels the table is taken to be so; raise if one side has labels, in the other order.
    """
    down, across = (order_of_answers(name, labels) for labels in (table.down, table.across))
    has_one_side = (down is None) != (across is None)
    if has_one_side and [1, 0] in (down, across):
        raise invalid_value(
            name,
            "begins with wrong answers in rows or columns and has no labels for the other",
            end=f": label both, {CURE}.",
        )
    return [[table.rows[i][j] for j in across or (0, 1)] for i in down or (0, 1)]


def order_of_answers(name: str, labels: Labels) -> list[int] | None:
    """Return the places of right and of wrong answers, [0, 1] or [1, 0]; None without labels.

    Raise if labels do not say which answers are right.
    """
    if labels is None:
        return None
    answers = [is_right(label) for label in labels]
    if sorted(answers, key=str) != [False, True]:
        raise invalid_value(
            name,
            "must have the labels True and False, 1 and 0, or 'right' and 'wrong'",
            listed_labels(list(labels)),
            f", which do not show which cases a model gets right: rename them, {CURE}.",
            show=", got {}",
        )
    return [answers.index(True), answers.index(False)]


def is_right(label: Any) -> bool | None:
    """Say whether a label means a right answer or a wrong one; None if it means neither.

    Of 'forest right' or 'a_correct' the last word counts.
    """
    words = label_text(label).lower().replace("_", " ").replace("-", " ").split()
    last_word = words[-1] if words else ""
    if last_word in RIGHT:
        return True
    return False if last_word in WRONG else None


def label_text(label: Any) -> str:
    """Return a label as text: "1" of 1.0, and the last of a tuple, as pandas has for levels."""
    last = label[-1] if isinstance(label, tuple) and label else label
    is_integer = isinstance(last, float | np.floating) and float(last).is_integer()
    return str(int(last) if is_integer else last).strip()


def in_one_order(name: str, table: Labelled) -> tuple[list[list[Any]], Labels]:
    """Return the cells with the columns in the order of the rows' labels, and these labels.

    Where only one side has labels, or none, the cells stay as they are.
    """
    if table.down is None or table.across is None:
        return table.rows, table.across if table.down is None else table.down
    down, across = ([label_text(label) for label in side] for side in (table.down, table.across))
    if sorted(down) != sorted(across) or len(set(down)) < len(down):
        raise invalid_value(
            name,
            "must have the same labels in rows and columns, each once",
            end=f", got {listed_labels(list(table.down))} and "
            f"{listed_labels(list(table.across))}: add empty rows or columns for those "
            "that are missing.",
        )
    places = [across.index(label) for label in down]
    return [[row[j] for j in places] for row in table.rows], table.down


def check_square(name: str, rows: Sequence[Sequence[Any]]) -> None:
    """Raise unless the table is square, with two rows or more."""
    if len(rows) < 2 or any(len(row) != len(rows) for row in rows):
        sizes = ", ".join(str(len(row)) for row in rows)
        raise invalid_value(name, "must be a square table", end=f", got rows of lengths {sizes}.")


MOST = 1 << 250  # so that products of four counts are floats


def as_labelled_square(name: str, table: object) -> tuple[list[list[int]], tuple[Any, ...] | None]:
    """Return a square table of counts, and the labels of its rows and columns if it has some.

    Columns are put in the order of the rows.
    """
    labelled = as_rows(name, table)
    check_square(name, labelled.rows)
    rows, labels = in_one_order(name, labelled)
    return as_square_counts(name, rows), labels


def as_square_counts(name: str, rows: list[list[Any]]) -> list[list[int]]:
    """Return the checked counts of a square table, or raise, also if all are 0."""
    check_square(name, rows)
    counts = [
        [
            value
            if type(value) is int and 0 <= value < MOST
            else as_count(f"{name}[{i}, {j}]", value)
            for j, value in enumerate(row)
        ]
        for i, row in enumerate(rows)
    ]
    if not any(map(any, counts)):
        raise invalid_value(name, "must contain at least one case", end=", got only counts of 0.")
    return counts


def as_four_counts(name: str, table: object) -> tuple[int, int, int, int]:
    """Return the four counts of a 2 x 2 table row by row, with right answers first."""
    labelled = as_rows(name, table)
    check_square(name, labelled.rows)
    if len(labelled.rows) != 2:
        raise invalid_value(
            name,
            "must be [[n11, n10], [n01, n00]], right answers first",
            end=f", got {len(labelled.rows)} rows. For labels of several classes pass y_true "
            "and two predictions, or, for the symmetry of this table, use bowker_test.",
        )
    rows = as_square_counts(name, right_first(name, labelled))
    return (*rows[0], *rows[1])  # type: ignore[return-value]


def check_countable(table: np.ndarray[Any, Any]) -> None:
    """Raise unless the cases of a table can be drawn anew: their number fits in 63 bits."""
    if table.dtype == object:
        raise invalid_value("method", "must be 'asymptotic' for 2^63 cases or more")


def as_count(name: str, value: object, least: int = 0) -> int:
    """Return a count of at least `least` as Python's integer, also of a whole float; or raise."""
    if isinstance(value, bool | np.bool_ | str | bytes) or not isinstance(
        value, Integral | float | np.floating
    ):
        raise invalid_type(name, "must be a count", value)
    is_integer = isinstance(value, Integral) or float(value).is_integer()
    if not (is_integer and int(value) >= least):
        raise invalid_value(name, f"must be a whole number of at least {least}", value)
    if int(value) >= MOST:
        raise invalid_value(name, "must be below 2^250", end=", got a number of more digits.")
    return int(value)


def as_share(correct: object, n: object, which: str = "") -> tuple[int, int]:
    """Return x and n, with x at most n and n at least 1, or raise; `which` follows their names."""
    x, total = as_count(f"correct{which}", correct), as_count(f"n{which}", n)
    if not 0 < total >= x:
        raise invalid_value(
            f"n{which}",
            f"must be at least 1 and at least `correct{which}`",
            end=f", got {x} of {total}.",
        )
    return x, total


def as_two_shares(correct: object, n: object) -> list[tuple[int, int]]:
    """Return x and n of two samples, or raise."""
    for name, pair in (("correct", correct), ("n", n)):
        if not isinstance(pair, list | tuple | np.ndarray) or np.shape(pair) != (2,):
            raise invalid_type(name, "must be two counts, one a sample", pair)
    pairs: Any = zip(correct, n, strict=True)  # type: ignore[call-overload]
    return [as_share(x, total, f"[{i}]") for i, (x, total) in enumerate(pairs)]


def is_table_alone(y_pred_a: object, y_pred_b: object, groups: object = None) -> bool:
    """Say whether a table of counts came in place of labels; raise if only some labels came.

    A data frame or mapping of two columns holds the labels of both models.
    """
    has_two_models = y_pred_b is not None or columns_of_two("y_pred_a", y_pred_a) is not None
    if y_pred_a is not None and has_two_models:
        return False
    if any(argument is not None for argument in (y_pred_a, y_pred_b, groups)):
        raise invalid_type(
            "y_true",
            "must come with both `y_pred_a` and `y_pred_b`, or a table of counts alone",
            end="." if groups is None else ": clusters need the labels.",
        )
    return True


def came_as_counts(labels: Mapping[str, object], counts: Mapping[str, object]) -> bool:
    """Say whether counts came in place of labels; raise if either is incomplete, or both came."""
    with_labels = [value is not None for value in labels.values()]
    with_counts = [value is not None for value in counts.values()]
    only_labels = all(with_labels) and not any(with_counts)
    only_counts = all(with_counts) and not any(with_labels)
    if not only_labels and not only_counts:
        first, second = (" and ".join(f"`{name}`" for name in kind) for kind in (labels, counts))
        raise InvalidTypeError(
            f"pass {first}, or {second}, but not both.", parameter=next(iter(labels))
        )
    return only_counts


COPIES = 4  # of a table, as whole numbers, that tests of it make
MANY_LABELS = "group the labels, unless they are ids or regression targets"


class LabelCounts(NamedTuple):
    """Counts with the first one's label in rows and the second one's in columns, and the classes.

    A table that came as counts has its labels for classes, or else numbers.
    """

    counts: list[list[int]]
    classes: tuple[Any, ...]
    n_dropped: int = 0
    names: tuple[str, str] = UNNAMED


def as_label_counts(nan_policy: str, **labels: Any) -> LabelCounts:
    """Return the counts of two columns of labels, each under its parameter; or raise.

    Where the second is None, the first is a table of counts.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    (first, first_labels), (second, second_labels) = labels.items()
    if second_labels is None:
        counts, labels_of_rows = as_labelled_square("table", first_labels)
        return LabelCounts(counts, labels_of_rows or tuple(range(len(counts))))
    columns = {name: as_labels(name, values) for name, values in labels.items()}
    sizes = [column.values.size for column in columns.values()]
    if sizes[0] != sizes[1] or not sizes[0]:
        raise InvalidValueError(
            f"`{first}` and `{second}` must label the same cases, at least one: got {sizes[0]} and "
            f"{sizes[1]} labels.",
            parameter=first,
        )
    rows = complete_rows(columns, labels, None, LABELS, nan_policy=nan_policy)
    check_comparable(dict(zip(labels, rows.columns, strict=True)))
    names = names_of_pair(first_labels, second_labels)
    few = count_few_labels(rows.columns)
    if few is not None:
        return LabelCounts(few.counts.tolist(), few.classes, rows.n_dropped, names)
    classes, (first_numbers, second_numbers) = number_labels(rows.columns)
    k = len(classes)
    reserve((k, k, COPIES), hint=MANY_LABELS)
    cells = np.bincount(k * first_numbers + second_numbers, minlength=k * k).reshape(k, k)
    return LabelCounts(cells.tolist(), classes, rows.n_dropped, names)


def as_ratio_table(
    terms: Mapping[str, object],
    nan_policy: str = "raise",
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
) -> Items:
    """Return numerators and denominators, (n, 2) of one model or (n, 4) of two, and their items.

    `terms` has each under the name of its parameter, a model's denominators after its numerators;
    the names of the models are those of their numerators.
    """
    titles = tuple(terms)
    by_identity: dict[int, Vector] = {}  # two models may share their denominators, read once
    for name, values in terms.items():
        if id(values) not in by_identity:
            by_identity[id(values)] = as_amounts(name, values)
    columns = [by_identity[id(values)] for values in terms.values()]
    rows = f"items in `{titles[0]}`"
    for name, column in zip(titles, columns, strict=True):
        check_length(name, column.size, columns[0].size, rows)
    linking = Linking(sample_weight=sample_weight, groups=groups, strata=strata)
    check_indexes([*terms.items(), *options_with_index(linking)])
    first_numerators, *other_numerators = [terms[title] for title in titles[::2]]
    names: tuple[str, ...] = (model_name(first_numerators, UNNAMED[0]),)
    if other_numerators:
        names = names_of_pair(first_numerators, other_numerators[0])
    table = Items(np.stack(columns, axis=1), names, ItemLinks(columns[0].size))
    items = link_items(table, titles, rows=rows, nan_policy=nan_policy, **linking)
    for name, column in zip(titles[1::2], items.scores.T[1::2], strict=True):
        check_denominators(name, column)
    return items


def as_ratio_columns(
    numerators: ScoreTable,
    denominators: ScoreTable,
    nan_policy: str = "raise",
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
) -> Items:
    """Return numerators and denominators (n, 2 k) of k models, and their items.

    Each model's denominators stand after its numerators; one column of denominators is that of all.
    """
    refuse_lazy("numerators", numerators)
    refuse_lazy("denominators", denominators)
    numerators, denominators = read_once(numerators), read_once(denominators)
    has_rows = is_frame(numerators) or dimensions("numerators", numerators)
    n_rows = len(numerators) if has_rows else 0  # type: ignore[arg-type]
    vectors, names = as_table("numerators", numerators, n_rows)
    check_several_columns("numerators", len(vectors))
    n = vectors[0].size
    of_numerators = zip((f"numerators[{name!r}]" for name in names), vectors, strict=True)
    of_denominators = denominator_columns(denominators, names, n)
    # (name in errors, column) of each model's numerators and then of its denominators
    terms = [term for pair in zip(of_numerators, of_denominators, strict=True) for term in pair]
    for title, column in terms:
        check_length(title, column.size, n, IN_NUMERATORS)
        refuse_illegal(title, "be finite", column, ~np.isinf(column), MARK_MISSING)
    linking = Linking(sample_weight=sample_weight, groups=groups, strata=strata)
    tables = [("numerators", numerators), ("denominators", denominators)]
    check_indexes([*tables, *options_with_index(linking)])
    table = Items(np.stack([column for _, column in terms], axis=1), names, ItemLinks(n))
    titles = tuple(title for title, _ in terms)
    items = link_items(table, titles, rows=IN_NUMERATORS, nan_policy=nan_policy, **linking)
    for title, column in zip(titles[1::2], items.scores.T[1::2], strict=True):
        check_denominators(title, column)
    return items


def denominator_columns(
    denominators: ScoreTable, names: tuple[str, ...], n: int
) -> list[tuple[str, Vector]]:
    """Return (name in errors, column) of each model's denominators, or raise.

    One column is that of all models; a table must have the columns of the numerators, `names`.
    """
    is_table = model_columns("denominators", denominators) is not None
    if not is_table and dimensions("denominators", denominators) < 2:
        return [("denominators", as_amounts("denominators", denominators))] * len(names)
    columns, titles = as_table("denominators", denominators, n)
    if titles != names:
        raise invalid_value(
            "denominators",
            "must be one column for all models, or have the columns of `numerators` in their order",
            end=f", got {list(titles)} beside {list(names)}.",
        )
    return [
        (f"denominators[{name!r}]", column) for name, column in zip(titles, columns, strict=True)
    ]


def check_several_columns(name: str, count: int) -> None:
    """Raise unless a table has a column for each of two models."""
    if count < 2:
        raise invalid_value(
            name, "must contain at least two models", end=", got one: use ratio_interval."
        )


def as_amounts(name: str, values: object) -> Vector:
    """Return a finite number for each item, NaN where missing, or raise."""
    numbers = as_float_array(name, values)
    if numbers.ndim == 2 and numbers.shape[1] == 1:
        numbers = numbers.ravel()
    if numbers.ndim != 1 or not numbers.size:
        raise invalid_value(
            name,
            "must have a number for each item, shape (n,)",
            numbers.shape,
            show=", got shape {!r}",
        )
    finite = ~np.isinf(numbers)
    refuse_illegal(name, "be finite", numbers, finite, MARK_MISSING)
    return numbers


def check_denominators(name: str, numbers: Vector) -> None:
    """Raise if a denominator is below 0, or none is above."""
    refuse_illegal(name, "be at least 0", numbers, numbers >= 0.0)
    if not numbers.any():
        raise invalid_value(
            name,
            "must be above 0 for some item",
            end=", got 0 for all: the ratio is undefined. Pass items with a denominator.",
        )
