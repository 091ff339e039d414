"""Predicted labels of the same cases, of any kind, beside the true ones.

`correct` is all that a comparison of accuracies needs; `codes` numbers the classes where it matters
which label was predicted.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.exceptions import InvalidValueError
from .arrays import Column, as_column
from .cases import check_indexes, find_missing, leave_out
from .codings import are_of_one_coding, check_comparable, check_met, is_table_of_one_coding
from .labels import as_label_array, shown, with_nan
from .numbering import number_labels
from .options import check_choice
from .scores import UNNAMED, as_names, columns_of, named_columns, pair_of
from .weights import LABELS, as_extras, check_length

Labels = NDArray[Any]
LabelTable = ArrayLike | Mapping[str, ArrayLike]
BLOCK = 1 << 16  # cases whose scratch stays in the cache


class Predictions(NamedTuple):
    """True labels (n,), k vectors or an array (k, n) of predicted ones, names, cases left out.

    All labels are of one kind, numbers or strings. Groups (n,) number the clusters from 0.
    """

    truth: Labels
    predicted: list[Labels] | Labels
    names: tuple[str, ...]
    n_dropped: int = 0
    groups: NDArray[np.int64] | None = None


class Codes(NamedTuple):
    """Numbers (n,) and (k, n) that stand for labels, by their place among the sorted classes."""

    truth: NDArray[np.int64]
    predicted: NDArray[np.int64]
    classes: tuple[Any, ...]


def as_predictions(
    y_true: object,
    *,
    nan_policy: str = "raise",
    groups: object = None,
    table: object = None,
    **predictions: object,
) -> Predictions:
    """Return the checked true and predicted labels of the same cases, with clusters if given.

    The predictions come as keywords, one model each under the name of the parameter, or all in
    `table`, which errors call `predictions`.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    given: list[Any] = list(predictions.values())
    if given and groups is None and are_of_one_coding((y_true, *given)):
        return Predictions(np.asarray(y_true), given, tuple(predictions))
    truth = as_labels("y_true", y_true)
    if predictions:
        columns, names = [as_labels(*both) for both in predictions.items()], tuple(predictions)
        titles = names
    else:
        columns, names, titles = as_label_table("predictions", table, truth.values.size)
        predictions = dict(table) if isinstance(table, Mapping) else {"predictions": table}
    every = {"y_true": truth, **dict(zip(titles, columns, strict=True))}
    sources = {"y_true": y_true, **predictions}
    found = in_rows(every, sources, groups, LABELS, nan_policy=nan_policy)
    labels, *predicted = found.columns
    columns_by_title = {"y_true": labels, **dict(zip(titles, predicted, strict=True))}
    check_comparable(columns_by_title)
    check_met(columns_by_title)
    return Predictions(labels, predicted, names, found.n_dropped, found.groups)


class Rows(NamedTuple):
    """Columns (n,) of the cases that miss nothing, how many were left out, numbers of clusters."""

    columns: list[Labels]
    n_dropped: int
    groups: NDArray[np.int64] | None


def in_rows(
    columns: Mapping[str, Column],
    sources: Mapping[str, object],
    groups: object,
    of: str,
    *,
    nan_policy: str,
) -> Rows:
    """Return columns of the same cases without those that miss a value, or raise.

    `sources` are what the columns came from; errors call the cases what `of` says.
    """
    (title, first), *others = columns.items()
    n = first.values.size
    if n == 0:
        raise InvalidValueError(f"`{title}` must hold at least one case, got 0 samples.")
    for name, column in others:
        check_length(name, column.values.size, n, of)
    extras = as_extras(n, None, None, groups, of)
    check_indexes([*sources.items(), ("groups", groups)])

    flagged = [(name, column.missing) for name, column in columns.items()]
    missing = find_missing([*flagged, ("groups", extras.ungrouped)], [], (), nan_policy)
    values = [column.values for column in columns.values()]
    if missing is None:
        return Rows(values, 0, extras.clusters())
    kept, dropped = ~missing, leave_out(missing)
    return Rows([labels[kept] for labels in values], dropped, extras.only(kept).clusters())


def as_pair_predictions(
    y_true: object, y_pred_a: object, y_pred_b: object, nan_policy: str, groups: object = None
) -> Predictions:
    """Return the checked labels of two models, with the names that they bring along."""
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    if groups is None and are_of_one_coding((y_true, y_pred_a, y_pred_b)):
        return Predictions(y_true, [y_pred_a, y_pred_b], UNNAMED)  # type: ignore[arg-type,list-item]
    pair = pair_of("y_pred", y_pred_a, y_pred_b)
    cases = as_predictions(
        y_true, nan_policy=nan_policy, groups=groups, y_pred_a=pair.a, y_pred_b=pair.b
    )
    return cases._replace(names=pair.names)


def as_several_predictions(
    y_true: object, predictions: object, nan_policy: str, groups: object = None
) -> Predictions:
    """Return the checked labels of at least two models, from a table."""
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    if groups is not None:
        return with_several(
            as_predictions(y_true, nan_policy=nan_policy, groups=groups, table=predictions)
        )
    if is_table_of_one_coding(y_true, predictions):
        truth, table = np.asarray(y_true), np.asarray(predictions)
        return Predictions(truth, table.T, names_by_number(table.shape[1]))
    if type(predictions) is dict and len(predictions) > 1:
        columns = list(predictions.values())
        if are_of_one_coding((y_true, *columns)):
            return Predictions(np.asarray(y_true), columns, as_names("predictions", [*predictions]))
    return with_several(as_predictions(y_true, nan_policy=nan_policy, table=predictions))


def with_several(cases: Predictions, name: str = "predictions") -> Predictions:
    """Return the cases if at least two models labelled them, or raise."""
    if len(cases.names) < 2:
        raise InvalidValueError(f"`{name}` must hold at least two models, got one.")
    return cases


def names_by_number(k: int) -> tuple[str, ...]:
    """Return the names of the models of an array."""
    return tuple([f"model {j + 1}" for j in range(k)])


def as_labels(name: str, values: object) -> Column:
    """Return 1-d labels and which are missing; refuse numbers with a fraction."""
    column = as_label_array(name, values)
    if column.values.dtype.kind == "f" and column.missing is None:
        binary = as_zeros_and_ones(column.values)
        if binary is not None:
            return Column(binary)
        if are_whole(column.values):
            return column
    labels, missing = with_nan(column)
    if labels.dtype.kind != "f":
        return Column(labels, missing)
    present = labels if missing is None else labels[~missing]
    if not are_whole(present):
        found = np.unique(present[present != np.floor(present)]).tolist()
        listed = f" ({shown(found)})" if found else ""
        raise InvalidValueError(
            f"`{name}` must hold labels, got continuous or infinite values{listed}: threshold them "
            "first, or compare probabilities by scoring_test."
        )
    return Column(labels, missing)


def as_zeros_and_ones(values: Labels) -> NDArray[np.int8] | None:
    """Return floats that are all 0 or 1 as integers, None if any is something else.

    Memory is read once, for all checks: NaN, infinity, fractions. One after the other they make
    McNemar's test of such labels take 8 passes over them instead of 3.5 (see bench_labels).
    """
    ones = np.empty(values.size, np.bool_)
    for start in range(0, values.size, BLOCK):
        x, one = values[start : start + BLOCK], ones[start : start + BLOCK]
        np.equal(x, 1, out=one)
        if np.count_nonzero(one) + np.count_nonzero(x == 0) < x.size:
            return None
    return ones.view(np.int8)


def are_whole(values: Labels) -> bool:
    """Say whether all floats are whole numbers; infinity and NaN are none."""
    blocks = (values[start : start + BLOCK] for start in range(0, values.size, BLOCK))
    return all(bool(((x == np.floor(x)) & np.isfinite(x)).all()) for x in blocks)


def as_label_table(
    name: str, table: object, n: int, read: Callable[[str, object], Column] = as_labels
) -> tuple[list[Column], tuple[str, ...], tuple[str, ...]]:
    """Return the k columns of a table of labels, the names of the models, and how errors call them.

    `table` is a mapping or data frame of columns, or an array of shape (n, k); `read` checks each.
    """
    named = named_columns(name, table)
    if named is not None:
        titles = tuple(f"{name}[{label!r}]" for label in named)
        columns = [read(*both) for both in zip(titles, named.values(), strict=True)]
        return columns, tuple(named), titles
    parts = columns_of(name, as_column(name, table), n)
    titles = tuple(f"{name}[:, {j}]" for j in range(len(parts)))
    columns = []
    for title, (values, flags) in zip(titles, parts, strict=True):
        labels, nan = read(title, values)
        absent = [mask for mask in (flags, nan) if mask is not None and mask.any()]
        columns.append(Column(labels, np.logical_or.reduce(absent) if absent else None))
    return columns, names_by_number(len(parts)), titles


def correct(predictions: Predictions) -> NDArray[np.uint8]:
    """Return 1 where a model is right and 0 where it is wrong, of shape (k, n)."""
    truth, predicted = predictions.truth, predictions.predicted
    if isinstance(predicted, np.ndarray):  # of 10^5 cases in rows a third of the time of columns
        right = np.ascontiguousarray(np.equal(truth[:, None], predicted.T).T)
    else:
        right = np.empty((len(predicted), truth.size), np.bool_)
        for row, labels in zip(right, predicted, strict=True):
            np.equal(truth, labels, out=row)
    return right.view(np.uint8)


def codes(predictions: Predictions) -> Codes:
    """Return the labels as numbers of their classes, which are all that occur anywhere."""
    columns = [predictions.truth, *predictions.predicted]
    classes, numbers = number_labels(columns)
    return Codes(numbers[0], numbers[1:], classes)
