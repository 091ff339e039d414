"""Predicted labels of the same cases beside the true ones, or right and wrong answers.

`correct` is all that a comparison of accuracies needs; `codes` numbers the classes where it matters
which label was predicted. Answers are read as predictions of a truth that is always True. Measures
have names and averages over classes, or are users' functions.
"""

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._adapters.frames import check_indexes, is_frame
from .._base.exceptions import (
    InvalidTypeError,
    InvalidValueError,
    hint,
    invalid_type,
    invalid_value,
)
from .arrays import Column, as_column, read_once, refuse_list_of_columns
from .labels import (
    are_of_one_coding,
    are_positive,
    as_label_array,
    as_label_column,
    check_common_labels,
    check_comparable,
    is_table_of_one_coding,
    listed_labels,
    number_labels,
    with_nan,
)
from .options import check_choice, check_flag
from .scores import (
    UNNAMED,
    as_names,
    find_missing,
    leave_out,
    model_columns,
    names_by_number,
    split_columns,
    titled_pair,
)
from .weights import LABELS, as_extras, check_length

Labels = NDArray[Any]
LabelTable = ArrayLike | Mapping[str, ArrayLike]
BLOCK = 1 << 16  # cases whose scratch stays in the cache


class Predictions(NamedTuple):
    """True labels (n,), k vectors or an array (k, n) of predicted ones, names, cases left out.

    All labels are of one kind, such as numbers or strings. Groups (n,) number the clusters from 0.
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
    models: list[Any] = list(predictions.values())
    if models and groups is None and are_of_one_coding((y_true, *models)):
        return Predictions(np.asarray(y_true), models, tuple(predictions))
    truth = as_labels("y_true", y_true)
    if predictions:
        columns = [as_labels(name, values) for name, values in predictions.items()]
        names = tuple(predictions)
        titles = names
    else:
        columns, names, titles = as_label_table("predictions", table, truth.values.size)
        predictions = dict(table) if isinstance(table, Mapping) else {"predictions": table}
    all_columns = {"y_true": truth, **dict(zip(titles, columns, strict=True))}
    sources = {"y_true": y_true, **predictions}
    rows = complete_rows(all_columns, sources, groups, LABELS, nan_policy=nan_policy)
    labels, *predicted = rows.columns
    columns_by_title = {"y_true": labels, **dict(zip(titles, predicted, strict=True))}
    check_comparable(columns_by_title)
    check_common_labels(columns_by_title)
    return Predictions(labels, predicted, names, rows.n_dropped, rows.groups)


class Rows(NamedTuple):
    """Columns (n,) of the cases that miss nothing, how many were left out, numbers of clusters."""

    columns: list[Labels]
    n_dropped: int
    groups: NDArray[np.int64] | None


def complete_rows(
    columns: Mapping[str, Column],
    sources: Mapping[str, object],
    groups: object,
    cases: str,
    *,
    nan_policy: str,
) -> Rows:
    """Return columns of the same cases, without cases with a missing value, or raise.

    `sources` are the arguments by name, whose indexes must agree; errors call the cases `cases`.
    """
    (title, first), *others = columns.items()
    n = first.values.size
    if n == 0:
        raise invalid_value(title, "must contain at least one case", end=", got 0 samples.")
    for name, column in others:
        check_length(name, column.values.size, n, cases)
    extras = as_extras(n, None, None, groups, cases)
    check_indexes([*sources.items(), ("groups", groups)])

    flagged = [(name, column.missing) for name, column in columns.items()]
    missing = find_missing([*flagged, ("groups", extras.ungrouped)], [], (), nan_policy)
    values = [column.values for column in columns.values()]
    if missing is None:
        return Rows(values, 0, extras.clusters())
    complete = ~missing
    dropped = leave_out(missing)
    return Rows([labels[complete] for labels in values], dropped, extras.only(complete).clusters())


def as_pair_predictions(
    y_true: object, y_pred_a: object, y_pred_b: object, nan_policy: str, groups: object = None
) -> Predictions:
    """Return the checked labels of two models, with the names of columns or Series, or a and b."""
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    if groups is None and are_of_one_coding((y_true, y_pred_a, y_pred_b)):
        return Predictions(y_true, [y_pred_a, y_pred_b], UNNAMED)  # type: ignore[arg-type,list-item]
    predictions, names = titled_pair("y_pred", y_pred_a, y_pred_b)
    cases = as_predictions(y_true, nan_policy=nan_policy, groups=groups, **predictions)
    return cases._replace(names=names)


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
        raise invalid_value(name, "must contain at least two models", end=", got one.")
    return cases


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
        fractions = np.unique(present[present != np.floor(present)]).tolist()
        listed = f" ({listed_labels(fractions, 3)})" if fractions else ""
        raise invalid_value(
            name,
            "must contain labels",
            end=f", got continuous or infinite values{listed}: {hint('threshold them first')}, "
            f"or compare probabilities {hint('by scoring_test')}.",
        )
    return Column(labels, missing)


def as_zeros_and_ones(values: Labels) -> NDArray[np.int8] | None:
    """Return floats that are all 0 or 1 as integers, None if any is something else.

    Memory is read once, for all checks: NaN, infinity, fractions. One after the other they make
    McNemar's test of such labels take 8 passes over them instead of 3.5 (see bench_labels).
    """
    ones = np.empty(values.size, np.bool_)
    for start in range(0, values.size, BLOCK):
        x, is_one = values[start : start + BLOCK], ones[start : start + BLOCK]
        np.equal(x, 1, out=is_one)
        if np.count_nonzero(is_one) + np.count_nonzero(x == 0) < x.size:
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
    named = model_columns(name, table)
    if named is not None:
        titles = tuple(f"{name}[{label!r}]" for label in named)
        columns = [
            read(title, values) for title, values in zip(titles, named.values(), strict=True)
        ]
        return columns, tuple(named), titles
    unread = split_columns(name, as_column(name, table), n)
    titles = tuple(f"{name}[:, {j}]" for j in range(len(unread)))
    columns = []
    for title, (values, flags) in zip(titles, unread, strict=True):
        labels, nan = read(title, values)
        missing = [mask for mask in (flags, nan) if mask is not None and mask.any()]
        columns.append(Column(labels, np.logical_or.reduce(missing) if missing else None))
    return columns, names_by_number(len(unread)), titles


def correct(predictions: Predictions) -> NDArray[np.uint8]:
    """Return 1 where a model is right and 0 where it is wrong, of shape (k, n)."""
    truth, predicted = predictions.truth, predictions.predicted
    if isinstance(predicted, np.ndarray):  # (k, n), mostly a transposed table of cases in rows
        # cases by cases, as the table lies in memory: for 10^5 a third of the time of columns
        right = np.ascontiguousarray(np.equal(truth[:, None], predicted.T).T)
    else:
        right = np.empty((len(predicted), truth.size), np.bool_)
        for row, labels in zip(right, predicted, strict=True):
            np.equal(truth, labels, out=row)
    return right.view(np.uint8)


def codes(predictions: Predictions) -> Codes:
    """Return true and predicted labels as the numbers of their classes, and the sorted classes."""
    columns = [predictions.truth, *predictions.predicted]
    classes, numbers = number_labels(columns)
    return Codes(numbers[0], numbers[1:], classes)


def as_answers(name: str, values: object) -> Column:
    """Return 1-d right and wrong answers as booleans, and which are missing, or raise."""
    answers, missing = as_label_column(name, values)
    if answers.dtype.kind == "b":
        return Column(answers, missing)
    if answers.dtype.kind not in "iuf":
        raise invalid_type(
            name,
            "must contain right and wrong answers as True and False, or 1 and 0",
            answers.dtype,
            ". Pass labels as `y_true` and predictions.",
            show=", got dtype {}",
        )
    right = answers == 1
    legal = right | (answers == 0)
    if missing is not None:
        legal |= missing
    if not legal.all():
        first = int(np.argmin(legal))
        raise invalid_value(
            name,
            "must contain right and wrong answers as True and False, or 1 and 0",
            answers[first],
            f" at index {first}. Scores in between are for paired_mean_test.",
            show=", got {:g}",
            row=first,
        )
    return Column(right, missing)


def as_one_model(correct: object, nan_policy: str, groups: object) -> Predictions:
    """Return the right and wrong answers of one model, as predictions of an always true label."""
    columns = {"correct": as_answers("correct", correct)}
    return predictions_from_answers(columns, {"correct": correct}, nan_policy, groups)


def as_two_models(
    correct_a: object, correct_b: object, nan_policy: str, groups: object = None
) -> Predictions:
    """Return the right and wrong answers of two models as predictions of an always true label.

    Their names are those of columns or Series, else "a" and "b".
    """
    if correct_a is None:
        raise invalid_type("correct_b", "requires `correct_a`, the first model's answers.", end="")
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    if groups is None and are_of_one_coding((correct_a, correct_b)):
        first: np.ndarray[Any, Any] = np.asarray(correct_a)
        if first.dtype.kind == "b":  # nothing to find: a third of the time of 1,000 cases
            truth = np.ones(first.size, np.bool_)
            return Predictions(truth, [first, np.asarray(correct_b)], UNNAMED)
    sources, names = titled_pair("correct", correct_a, correct_b)
    columns = {name: as_answers(name, values) for name, values in sources.items()}
    return predictions_from_answers(columns, sources, nan_policy, groups)._replace(names=names)


def as_many_models(correct: object, nan_policy: str, groups: object = None) -> Predictions:
    """Return the right and wrong answers of at least two models, from a table.

    As predictions of an always true label.
    """
    correct = read_once(correct)
    refuse_list_of_columns("correct", correct)
    has_names = isinstance(correct, Mapping) or is_frame(correct)
    n = 0 if has_names else len(as_column("correct", correct).values)  # only arrays are checked
    columns, names, titles = as_label_table("correct", correct, n, as_answers)
    sources = dict(correct) if isinstance(correct, Mapping) else {"correct": correct}
    predictions = predictions_from_answers(
        dict(zip(titles, columns, strict=True)), sources, nan_policy, groups
    )
    return with_several(predictions._replace(names=names), "correct")


def as_models(
    y_true: object, predictions: object, correct: object, *, nan_policy: str, groups: object
) -> Predictions:
    """Return the labels of at least two models, or their right and wrong answers."""
    if are_answers({"correct": correct}, {"y_true": y_true, "predictions": predictions}):
        return as_many_models(correct, nan_policy, groups)
    if y_true is None or predictions is None:
        raise InvalidTypeError(
            "pass `y_true` and `predictions`, or `correct`, but not both.", parameter="y_true"
        )
    return as_several_predictions(y_true, predictions, nan_policy, groups)


def predictions_from_answers(
    columns: Mapping[str, Column], sources: Mapping[str, object], nan_policy: str, groups: object
) -> Predictions:
    """Return answers of the same cases as predictions of a truth that is always True.

    `sources` are the arguments by name, whose indexes must agree.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    cases = f"answers in `{next(iter(columns))}`"
    rows = complete_rows(columns, sources, groups, cases, nan_policy=nan_policy)
    truth = np.ones(rows.columns[0].size, np.bool_)
    return Predictions(truth, rows.columns, tuple(columns), rows.n_dropped, rows.groups)


def are_answers(correct: Mapping[str, object], labels: Mapping[str, object]) -> bool:
    """Say whether right and wrong answers came in place of labels, or raise if both came."""
    if all(value is None for value in correct.values()):
        return False
    came = [name for name, value in labels.items() if value is not None]
    if came:
        titles = " and ".join(f"`{name}`" for name in correct)
        raise InvalidTypeError(
            f"{titles} must be passed without `{came[0]}`: it contains all that is needed.",
            parameter=next(iter(correct)),
        )
    return True


def is_listed(correct: object) -> bool:
    """Say whether answers came one by one, not as a count."""
    is_sequence = hasattr(correct, "__len__") or hasattr(correct, "__array__")
    is_text = isinstance(correct, str | bytes)
    return is_sequence and not is_text and getattr(correct, "ndim", 1) > 0


Metric = str | Callable[[NDArray[Any], NDArray[Any]], float]
OF_A_CLASS = ("precision", "recall", "f1")
METRICS = ("accuracy", "balanced-accuracy", "mcc", "cohen-kappa", *OF_A_CLASS)


def check_metric(metric: object, average: object, pos_label: object) -> None:
    """Raise unless metric and average are known, and `pos_label` goes with them."""
    check_choice("average", average, ("binary", "macro", "weighted"))
    if not callable(metric):
        check_choice("metric", metric, METRICS)
    if pos_label is not None and (callable(metric) or average != "binary"):
        rule = "average='binary'" if average != "binary" else "metrics specified by name"
        raise invalid_value("pos_label", f"is for {rule}", pos_label, ": omit it.")


def check_strata(stratified: object, groups: object) -> None:
    """Raise if replicates should draw clusters, and also cases within classes."""
    if check_flag("stratified", stratified) and groups is not None:
        raise InvalidValueError(
            "`stratified=True` and `groups` cannot both be specified: clusters contain several "
            "classes. Omit one.",
            parameter="stratified",
        )


def positive_classes(classes: NDArray[Any], pos_label: object) -> NDArray[np.bool_]:
    """Return flags of the classes that occur, true for the positive one; raise for more than two.

    The positive class may not occur.
    """
    present = classes.tolist()
    if len(present) > 2:
        raise invalid_value(
            "average='binary'",
            f"takes two classes, found {len(present)}",
            end=f": {listed_labels(present)}. Pass average='macro' or 'weighted'.",
        )
    return are_positive("y_true", classes, pos_label).view(np.bool_)


def as_value(value: object) -> float:
    """Return the value of a user's metric as a float, or raise."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, Real | np.bool_):
        raise invalid_type("metric", "must return a number", value)
    return float(value)
