"""Probabilities that models gave to the classes of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._adapters.frames import is_frame
from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.types import Integers, NanPolicy, Vector
from .arrays import as_column, as_float_array, read_once
from .cases import as_cases
from .labels import as_label_column
from .multiclass import as_class_cases
from .options import check_choice, check_within
from .scores import as_table, named_columns, pair_of

Labels = NDArray[np.unsignedinteger[Any]]
Rule = str | Callable[[Labels, Vector], ArrayLike]
Probabilities = ArrayLike | Mapping[Any, ArrayLike]

SHIFTING = ("auto", "t", "bootstrap")  # methods that take a margin
CLUSTERED = ("auto", "t", "permutation")  # methods that take clusters
MOST_BINS = 10**6  # of calibration: more would only cost memory
BITS_OF_ONE = np.float64(1.0).view(np.uint64)
SUM_TOLERANCE = 1e-5  # sums of a thousand float32 probabilities are closer to 1


@dataclass(frozen=True, slots=True)
class Forecasts:
    """Class numbers (n,), and for each model probabilities of class 1 (n,) or of all (n, c)."""

    labels: Labels
    models: list[Vector]
    classes: tuple[Any, ...] | None
    n_dropped: int = 0
    groups: Integers | None = None


class Reading(TypedDict, total=False):
    """Options of every function that takes probabilities of two classes or of several."""

    classes: ArrayLike | None
    pos_label: object
    nan_policy: NanPolicy


def as_probabilities(
    y_true: object,
    probabilities: Mapping[str, object],
    groups: object = None,
    *,
    classes: ArrayLike | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> Forecasts:
    """Return the checked labels and probabilities; each model's come under their parameter.

    They are of several classes where `classes` is given or anything is a table. Functions that
    forward these options show the entries below.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Of any kind with a
        table of probabilities.
    y_prob : array-like of shape (n,) or (n, c), mapping or data frame
        Probabilities of the positive class; or a column for each of several classes, in the order
        of the sorted labels, of `classes`, or named like the labels, in rows that sum to 1 (within
        1e-5).
    classes : array-like of shape (c,), optional
        The labels in the order of the columns; also names a class that has no case.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with cases that miss a label or a probability.
    """
    probabilities = read_once(probabilities)
    tables = [name for name, values in probabilities.items() if is_table(name, values)]
    if classes is None and not tables:
        found = as_cases(y_true, pos_label, nan_policy, groups, **probabilities)
        for name, vector in zip(probabilities, found.scores, strict=True):
            check_range(name, vector)
        return Forecasts(found.labels, list(found.scores), None, found.n_dropped, found.groups)
    if pos_label is not None:
        raise InvalidValueError(
            "`pos_label` is for two classes and one column of probabilities: leave it out, or pass "
            "the column of that class."
        )
    several = as_class_cases(
        y_true, classes=classes, nan_policy=nan_policy, groups=groups, **probabilities
    )
    models = [np.stack(vectors, axis=1) for vectors in several.models]
    for name, table in zip(probabilities, models, strict=True):
        check_range(name, table)
        check_sums(name, table)
    return Forecasts(several.codes, models, several.classes, several.n_dropped, several.groups)


def as_probability_table(
    y_true: object, table: object, groups: object = None, **reading: Unpack[Reading]
) -> tuple[Forecasts, tuple[str, ...]]:
    """Return the labels and probabilities of at least two models, and the models' names.

    `table` has a column for each model; a mapping may hold tables with a column for each class. It
    is called `probabilities` in errors.
    """
    y_true, table = read_once(y_true), read_once(table)
    columns = named_columns("probabilities", table)
    if columns is None:
        n = as_label_column("y_true", y_true).values.size
        columns = dict(zip(*as_table("probabilities", table, n)[::-1], strict=True))
        titles = [f"probabilities[:, {j}]" for j in range(len(columns))]
    else:
        titles = [f"probabilities[{name!r}]" for name in columns]
    if len(columns) < 2:
        raise InvalidValueError(
            f"`probabilities` must hold at least two models, got {len(columns)}."
        )
    given = dict(zip(titles, columns.values(), strict=True))
    return as_probabilities(y_true, given, groups, **reading), tuple(columns)


class Binary(TypedDict, total=False):
    """Options of every function that takes probabilities of the positive class."""

    pos_label: object
    nan_policy: NanPolicy


def as_binary_probabilities(
    y_true: object,
    y_prob: object,
    groups: object = None,
    *,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> Forecasts:
    """Return the checked labels and one model's probabilities of two classes."""
    given = {"y_prob": as_single("y_prob", y_prob)}
    return as_probabilities(y_true, given, groups, pos_label=pos_label, nan_policy=nan_policy)


def as_two_binary(
    y_true: object, y_prob_a: object, y_prob_b: object, **reading: Unpack[Binary]
) -> tuple[Forecasts, tuple[str, str]]:
    """Return the checked labels, two models' probabilities of two classes, and their names."""
    a, b, names = pair_of("y_prob", y_prob_a, y_prob_b)
    given = {name: as_single(name, values) for name, values in (("y_prob_a", a), ("y_prob_b", b))}
    return as_probabilities(y_true, given, **reading), names


def as_single(name: str, values: object) -> Any:
    """Return one column, read once; raise for a table of several classes."""
    values = read_once(values)
    if is_table(name, values):
        raise InvalidValueError(
            f"`{name}` must be 1-d, the probabilities of the positive class. Compare one class "
            "with the rest: pass y_true == label and that class's column."
        )
    return values


def is_table(name: str, values: object) -> bool:
    """Say whether values have a column for each of several classes; two need names to be clear."""
    if isinstance(values, Mapping) or is_frame(values):
        return True
    shape = as_column(name, values).values.shape
    return len(shape) == 2 and shape[1] > 2


def check_range(name: str, values: Vector) -> None:
    """Raise unless all values are from 0 to 1."""
    if values.view(np.uint64).max() <= BITS_OF_ONE:
        return  # one pass: NaN, numbers above 1 and below 0, and -0.0, have greater bits
    if values.min() >= 0.0 and values.max() <= 1.0:
        return
    wrong = np.argwhere(~((values >= 0.0) & (values <= 1.0)))
    if wrong.size:
        where = tuple(wrong[0].tolist())
        raise InvalidValueError(
            f"`{name}` must hold probabilities from 0 to 1; {len(wrong)} are not, the first is "
            f"{values[where]:g} at index {', '.join(map(str, where))} (least {values.min():g}, "
            f"greatest {values.max():g}). Scores need calibration first, logits a sigmoid."
        )


def check_sums(name: str, table: Vector) -> None:
    """Raise unless the probabilities of each case sum to 1."""
    sums = table.sum(axis=1)
    wrong = np.flatnonzero(abs(sums - 1.0) > SUM_TOLERANCE)
    if wrong.size:
        raise InvalidValueError(
            f"`{name}` must have rows that sum to 1 (within {SUM_TOLERANCE:g}); {wrong.size} do "
            f"not, the first is row {wrong[0]} with {sums[wrong[0]]:g}. Divide each by its sum, if "
            "these are weights."
        )


def check_rule(rule: object, clip: object, rules: tuple[str, ...]) -> float | None:
    """Return the checked `clip`; raise unless `rule` is callable or one of `rules`."""
    if not callable(rule):
        check_choice("rule", rule, rules)
    if clip is None:
        return None
    if rule != "log":
        raise InvalidValueError(f"`clip` is for the log loss alone, got it with rule={rule!r}.")
    return check_within("clip", clip, 0.0, 0.5)


def check_heeded(method: str, margin: float, groups: object) -> None:
    """Raise for clusters or a margin that the method would not heed."""
    if groups is not None and method not in CLUSTERED:
        raise InvalidValueError(
            f"`method` must be 't' or 'permutation' with `groups`, got {method!r}, which takes "
            "cases as independent."
        )
    if margin and method not in SHIFTING:
        raise InvalidValueError(
            f"`method` must be 't' or 'bootstrap' with a margin, got {method!r}, whose null "
            "hypothesis is not about the mean."
        )


def as_losses(values: object, n: int) -> Vector:
    """Return the losses that a user's rule gave for n cases, or raise."""
    losses = as_float_array("rule", values)
    if losses.shape != (n,):
        raise InvalidValueError(
            f"`rule` must return a loss for each of the {n} cases, got shape {losses.shape}."
        )
    missing = np.flatnonzero(np.isnan(losses))
    if missing.size:
        raise InvalidValueError(
            f"`rule` returned {missing.size} missing values (NaN), the first at index {missing[0]}."
        )
    return losses


def as_thresholds(values: object) -> Vector:
    """Return one or several probabilities strictly between 0 and 1, 1-d, or raise."""
    thresholds = as_float_array("thresholds", values)
    if thresholds.ndim > 1 or thresholds.size == 0:
        raise InvalidValueError(
            f"`thresholds` must be a number or 1-d and not empty, got shape {thresholds.shape}."
        )
    thresholds = np.array(thresholds, ndmin=1)  # a copy: results hold it
    wrong = np.flatnonzero(~((thresholds > 0.0) & (thresholds < 1.0)))
    if wrong.size:
        raise InvalidValueError(
            "`thresholds` must be between 0 and 1, where the odds are finite; got "
            f"{thresholds[wrong[0]]:g} at index {wrong[0]}."
        )
    return thresholds


def as_bin_count(n_bins: object) -> int:
    """Return the number of bins, at least 1, or raise."""
    if isinstance(n_bins, bool) or not isinstance(n_bins, int | np.integer):
        raise InvalidTypeError(f"`n_bins` must be an integer, got {n_bins!r}.")
    if n_bins < 1:
        raise InvalidValueError(f"`n_bins` must be at least 1, got {n_bins}.")
    if n_bins > MOST_BINS:
        raise InvalidValueError(f"`n_bins` must be at most {MOST_BINS}: more bins hold no cases.")
    return int(n_bins)
