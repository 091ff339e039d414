"""Right and wrong answers of models on the same cases, in place of true and predicted labels.

They are read as predictions of a truth that is always True, so that all else stays as it is.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._adapters.frames import is_frame
from .._base.exceptions import InvalidTypeError, InvalidValueError
from .arrays import Column, as_column, read_once
from .codings import are_of_one_coding
from .labels import as_label_column
from .options import check_choice
from .predictions import Predictions, as_label_table, as_several_predictions, in_rows, with_several
from .scores import UNNAMED, pair_of


def as_answers(name: str, values: object) -> Column:
    """Return 1-d right and wrong answers as booleans, and which are missing."""
    answers, missing = as_label_column(name, values)
    if answers.dtype.kind == "b":
        return Column(answers, missing)
    if answers.dtype.kind not in "iuf":
        raise InvalidTypeError(
            f"`{name}` must hold right and wrong answers as True and False, or 1 and 0, got dtype "
            f"{answers.dtype}. Pass labels as `y_true` and predictions."
        )
    right = answers == 1
    legal = right | (answers == 0)
    if missing is not None:
        legal |= missing
    if not legal.all():
        first = int(np.argmin(legal))
        raise InvalidValueError(
            f"`{name}` must hold right and wrong answers as True and False, or 1 and 0, got "
            f"{answers[first]:g} at index {first}. Scores in between are for paired_mean_test."
        )
    return Column(right, missing)


def as_one_model(correct: object, nan_policy: str, groups: object) -> Predictions:
    """Return the right and wrong answers of one model."""
    columns = {"correct": as_answers("correct", correct)}
    return answered(columns, {"correct": correct}, nan_policy, groups)


def as_two_models(
    correct_a: object, correct_b: object, nan_policy: str, groups: object = None
) -> Predictions:
    """Return the right and wrong answers of two models, with the names that they bring along."""
    if correct_a is None:
        raise InvalidTypeError("`correct_b` must come with `correct_a`, the first model's answers.")
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    if groups is None and are_of_one_coding((correct_a, correct_b)):
        first: np.ndarray[Any, Any] = np.asarray(correct_a)
        if first.dtype.kind == "b":  # nothing to find: a third of the time of 1,000 cases
            truth = np.ones(first.size, np.bool_)
            return Predictions(truth, [first, np.asarray(correct_b)], UNNAMED)
    pair = pair_of("correct", correct_a, correct_b)
    given = {"correct_a": pair.a, "correct_b": pair.b}
    columns = {name: as_answers(name, values) for name, values in given.items()}
    return answered(columns, given, nan_policy, groups)._replace(names=pair.names)


def as_many_models(correct: object, nan_policy: str, groups: object = None) -> Predictions:
    """Return the right and wrong answers of at least two models, from a table."""
    correct = read_once(correct)
    named = isinstance(correct, Mapping) or is_frame(correct)
    n = 0 if named else len(as_column("correct", correct).values)
    columns, names, titles = as_label_table("correct", correct, n, as_answers)
    given = dict(correct) if isinstance(correct, Mapping) else {"correct": correct}
    found = answered(dict(zip(titles, columns, strict=True)), given, nan_policy, groups)
    return with_several(found._replace(names=names), "correct")


def as_models(
    y_true: object, predictions: object, correct: object, *, nan_policy: str, groups: object
) -> Predictions:
    """Return the labels of at least two models, or their right and wrong answers."""
    if are_answers({"correct": correct}, {"y_true": y_true, "predictions": predictions}):
        return as_many_models(correct, nan_policy, groups)
    if y_true is None or predictions is None:
        raise InvalidTypeError("pass `y_true` and `predictions`, or `correct`, but not both.")
    return as_several_predictions(y_true, predictions, nan_policy, groups)


def answered(
    columns: Mapping[str, Column], given: Mapping[str, object], nan_policy: str, groups: object
) -> Predictions:
    """Return answers of the same cases as predictions of a truth that is always True."""
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    of = f"answers in `{next(iter(columns))}`"
    found = in_rows(columns, given, groups, of, nan_policy=nan_policy)
    truth = np.ones(found.columns[0].size, np.bool_)
    return Predictions(truth, found.columns, tuple(columns), found.n_dropped, found.groups)


def are_answers(correct: Mapping[str, object], labels: Mapping[str, object]) -> bool:
    """Say whether right and wrong answers came in place of labels, or raise if both came."""
    if all(value is None for value in correct.values()):
        return False
    came = [name for name, value in labels.items() if value is not None]
    if came:
        given = " and ".join(f"`{name}`" for name in correct)
        raise InvalidTypeError(
            f"{given} must come without `{came[0]}`: which answers are right says it all."
        )
    return True


def is_listed(correct: object) -> bool:
    """Say whether answers came one by one, not as a count."""
    listed = (hasattr(correct, "__len__") or hasattr(correct, "__array__")) and not isinstance(
        correct, str | bytes
    )
    return listed and getattr(correct, "ndim", 1) > 0
