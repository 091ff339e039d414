"""Probabilities that models predict for the classes of the same cases.

One column is the probability of the positive class. A table has a column for each class, in the
order of the sorted labels, of `classes` or of its names. Weighted agreement needs the order of
labels, and the distance between two of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._adapters.frames import check_indexes, frame_columns, frame_names, is_frame, refuse_lazy
from .._base.exceptions import (
    hint,
    invalid_type,
    invalid_value,
)
from .._base.types import Integers, NanPolicy, Vector
from .arrays import (
    BITS_OF_ONE,
    Column,
    as_column,
    as_float_array,
    plain_chances,
    read_once,
    refuse_illegal,
)
from .labels import as_label_column, is_whole, listed_labels, unknown_coding
from .options import as_count, check_choice, check_within
from .scores import (
    Named,
    as_cases,
    as_scores,
    as_table,
    as_vector,
    check_lengths,
    find_missing,
    leave_out,
    model_columns,
    named_models,
    titled_pair,
)
from .weights import as_extras

TWO_CLASSES = "delong_test(y_true, y_score_a, y_score_b)"
ClassScores = ArrayLike | Mapping[Any, ArrayLike]


@dataclass(frozen=True, slots=True)
class ClassCases(Named):
    """Class numbers (n,) from 0, for each model a vector of n scores a class, and the classes."""

    codes: NDArray[np.unsignedinteger[Any]]
    models: list[list[Vector]]
    classes: tuple[Any, ...]
    n_dropped: int = 0
    groups: Integers | None = None
    names: tuple[str, ...] = ()


class Table(NamedTuple):
    """One model's columns of scores, how errors call them, and their keys (None: an array's)."""

    name: str
    vectors: list[Vector]
    titles: tuple[str, ...]
    keys: list[Any] | None = None

    def only(self, selected: NDArray[np.bool_]) -> Table:
        """Return the table of the selected cases."""
        return self._replace(vectors=[vector[selected] for vector in self.vectors])


def check_closed_form(method: str, groups: object) -> None:
    """Raise for clusters with a bootstrap that draws the cases of each class separately."""
    if groups is not None and method != "delong":
        raise invalid_value(
            "method",
            "must be 'delong' with `groups`",
            method,
            ", which resamples within classes, but clusters contain several classes.",
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

    Each model's table of scores, a column for each class, comes as a keyword.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    labels, unlabelled = as_label_column("y_true", y_true)
    if labels.size == 0:
        raise invalid_value("y_true", "must contain at least one case", end=", got 0 samples.")
    scores, names = named_models(scores)
    tables = [as_class_table(name, table, labels.size) for name, table in scores.items()]
    parts = [part for name, table in scores.items() for part in indexed_parts(name, table)]
    extras = as_extras(labels.size, None, None, groups)
    check_indexes([("y_true", y_true), *parts, ("groups", groups)])

    dropped = 0
    vectors = [vector for table in tables for vector in table.vectors]
    titles = tuple(title for table in tables for title in table.titles)
    flagged = [("y_true", unlabelled), ("groups", extras.ungrouped)]
    missing = find_missing(flagged, vectors, titles, nan_policy)
    if missing is not None:
        complete = ~missing
        dropped = leave_out(missing)
        labels, tables = labels[complete], [table.only(complete) for table in tables]
        extras = extras.only(complete)
    order, codes = number_classes(labels, classes, tables[0])
    models = [in_class_order(order, table) for table in tables]
    return ClassCases(codes, models, order, dropped, extras.clusters(), names)


def indexed_parts(name: str, table: object) -> list[tuple[str, object]]:
    """Return (name in errors, value) of what may have an index of rows: each column, or the table.

    Columns of a mapping may have different ones.
    """
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
        if array.shape == (n,) and name.startswith("y_score"):
            other = f"roc_auc(y_true, {name})" if name == "y_score" else TWO_CLASSES
            hint = f" Of two classes, with one score a case, call {other}."
        raise invalid_value(
            name,
            f"must have shape ({n}, c), a row for each label in `y_true` and a column for each "
            "class",
            array.shape,
            f".{hint}",
        )
    titles = tuple(f"{name}[:, {j}]" for j in range(array.shape[1]))
    vectors = []
    for j, title in enumerate(titles):
        column = Column(array[:, j], None if missing is None else missing[:, j])
        vectors.append(as_vector(title, column))
    return Table(name, vectors, titles)


def named_table(name: str, keys: list[Any], columns: list[Any], n: int) -> Table:
    """Return the columns of a mapping or a data frame, of n cases; raise if two have one name."""
    refuse_twice(name, [label_text(key) for key in keys])
    titles = tuple(f"{name}[{key!r}]" for key in keys)
    vectors = [as_scores(title, values) for title, values in zip(titles, columns, strict=True)]
    check_lengths(n, vectors, titles)
    return Table(name, vectors, titles, keys)


def refuse_twice(name: str, keys: list[str]) -> None:
    """Raise if two columns have the same name."""
    if twice := sorted({key for key in keys if keys.count(key) > 1}):
        raise invalid_value(name, "has columns of the same name", end=f": {', '.join(twice)}.")


def label_text(label: object) -> str:
    """Return a label as a column's name shows it: 1.0, 1 and "1" have the same name."""
    if isinstance(label, float) and is_whole(label):
        return str(int(label))
    return str(label)


def number_classes(
    labels: NDArray[Any], classes: object, table: Table
) -> tuple[tuple[Any, ...], NDArray[np.unsignedinteger[Any]]]:
    """Return the classes in the order of the columns, and the index of each case's; or raise."""
    unique_labels, inverse = np.unique(labels, return_inverse=True)
    present = unique_labels.tolist()
    if labels.dtype.kind == "f" and not all(map(is_whole, present)):
        raise unknown_coding("y_true", labels)
    order = class_order(present, classes, table)
    if unknown := [label for label in present if label not in order]:
        where = f"the columns of `{table.name}`" if classes is None else "`classes`"
        raise invalid_value(
            "y_true", f"contains labels that are not in {where}", end=f": {listed_labels(unknown)}."
        )
    if len(order) < 2:
        raise invalid_value(
            "y_true", f"must contain two classes or more, found {listed_labels(present)}"
        )
    numbers = np.array([order.index(label) for label in present])
    return order, numbers.astype(np.min_scalar_type(len(order)))[inverse]


def class_order(present: list[Any], classes: object, table: Table) -> tuple[Any, ...]:
    """Return `classes` if given, else what the columns are called, else the sorted labels."""
    if classes is not None:
        return tuple(as_classes(classes))
    if table.keys is None:
        return tuple(present)
    by_text = {label_text(label): label for label in present}
    return tuple(by_text.get(label_text(key), key) for key in table.keys)


def as_classes(classes: object) -> list[Any]:
    """Return the given classes as Python values, all different, or raise."""
    if isinstance(classes, str | bytes):
        raise invalid_type("classes", "must be a list of labels", classes)
    labels, missing = as_label_column("classes", classes)
    order = list(labels.tolist())
    if missing is not None or len(set(order)) < len(order):
        raise invalid_value(
            "classes", "must contain every label once", listed_labels(order), show=", got {}"
        )
    return order


def in_class_order(classes: tuple[Any, ...], table: Table) -> list[Vector]:
    """Return a table's columns in the order of the classes, or raise."""
    keys = classes if table.keys is None else table.keys
    if len(table.vectors) != len(classes):
        raise invalid_value(
            table.name,
            f"must have a column for each of the {len(classes)} classes "
            f"{listed_labels(list(classes))}",
            len(table.vectors),
            ". Name the columns by `classes` if a class has no cases here.",
        )
    by_text = dict(zip(map(label_text, keys), table.vectors, strict=True))
    if lacking := [label for label in classes if label_text(label) not in by_text]:
        raise invalid_value(table.name, f"has no column for {listed_labels(lacking)}")
    return [by_text[label_text(label)] for label in classes]


Labels = NDArray[np.unsignedinteger[Any]]
Rule = str | Callable[[Labels, Vector], ArrayLike]
Probabilities = ArrayLike | Mapping[Any, ArrayLike]

SHIFTING = ("auto", "t", "bootstrap")  # methods that take a margin
CLUSTERED = ("auto", "t", "permutation")  # methods that take clusters
MOST_BINS = 10**6  # of calibration: more would only cost memory
SUM_TOLERANCE = 1e-5  # sums of a thousand float32 probabilities are closer to 1


class Forecasts(NamedTuple):
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

    They are of several classes if `classes` is given or any model's are a table. Functions that
    forward these options show the entries below.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. With a table of
        probabilities, labels of any type.
    y_prob : array-like of shape (n,) or (n, c), mapping or data frame
        Probabilities of the positive class; or of several classes, one column per class, in the
        order of the sorted labels or of `classes`, or named by the labels, with rows that sum to 1
        (within 1e-5).
    classes : array-like of shape (c,), optional
        The labels in the order of the columns; may include a class without cases.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle cases with a missing label or probability.
    """
    has_default_policy = type(nan_policy) is str and nan_policy == "raise"
    if has_default_policy and classes is pos_label is groups is None:
        plain = plain_chances(y_true, list(probabilities.values()))
        if plain is not None:
            return Forecasts(*plain, None)
    probabilities = read_once(probabilities)
    tables = [name for name, values in probabilities.items() if is_table(name, values)]
    if classes is None and not tables:
        cases = as_cases(y_true, pos_label, nan_policy, groups, **probabilities)
        for name, vector in zip(probabilities, cases.scores, strict=True):
            check_range(name, vector)
        return Forecasts(cases.labels, list(cases.scores), None, cases.n_dropped, cases.groups)
    if pos_label is not None:
        raise invalid_value(
            "pos_label",
            "is for two classes and one column of probabilities",
            end=": omit it, or pass the column of that class.",
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
    columns = model_columns("probabilities", table)
    if columns is None:
        n = as_label_column("y_true", y_true).values.size
        vectors, names = as_table("probabilities", table, n)
        columns = dict(zip(names, vectors, strict=True))
        titles = [f"probabilities[:, {j}]" for j in range(len(columns))]
    else:
        titles = [f"probabilities[{name!r}]" for name in columns]
    if len(columns) < 2:
        raise invalid_value("probabilities", "must contain at least two models", len(columns))
    columns_by_title = dict(zip(titles, columns.values(), strict=True))
    return as_probabilities(y_true, columns_by_title, groups, **reading), tuple(columns)


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
    columns_by_title = {"y_prob": as_single("y_prob", y_prob)}
    return as_probabilities(
        y_true, columns_by_title, groups, pos_label=pos_label, nan_policy=nan_policy
    )


def as_two_binary(
    y_true: object, y_prob_a: object, y_prob_b: object, **reading: Unpack[Binary]
) -> tuple[Forecasts, tuple[str, str]]:
    """Return the checked labels, two models' probabilities of two classes, and their names."""
    models, names = titled_pair("y_prob", y_prob_a, y_prob_b)
    columns_by_title = {name: as_single(name, values) for name, values in models.items()}
    return as_probabilities(y_true, columns_by_title, **reading), names


def as_single(name: str, values: object) -> Any:
    """Return one column, read once; raise for a table of several classes."""
    if type(values) is np.ndarray and values.ndim == 1:
        return values
    values = read_once(values)
    if is_table(name, values):
        raise invalid_value(
            name,
            "must be 1-d, the probabilities of the positive class",
            end=f". Compare one class with the rest: {hint('pass y_true == label')} and that "
            "class's column.",
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
    # one pass over most: only NaN, numbers above 1 or below 0, and -0.0 have greater bits than 1
    if values.view(np.uint64).max() <= BITS_OF_ONE:
        return
    if values.min() >= 0.0 and values.max() <= 1.0:  # with -0.0
        return
    way = (
        f" (smallest {values.min():g}, largest {values.max():g}). Scores need calibration first, "
        "logits a sigmoid."
    )
    legal = (values >= 0.0) & (values <= 1.0)
    refuse_illegal(name, "contain probabilities from 0 to 1", values, legal, way)


def check_sums(name: str, table: Vector) -> None:
    """Raise unless the probabilities of each case sum to 1."""
    sums = table.sum(axis=1)
    wrong = np.flatnonzero(abs(sums - 1.0) > SUM_TOLERANCE)
    if wrong.size:
        raise invalid_value(
            name,
            f"must have rows that sum to 1 (within {SUM_TOLERANCE:g})",
            end=f"; {wrong.size} do not, the first is row {wrong[0]} with {sums[wrong[0]]:g}. "
            "Divide each by its sum, if these are weights.",
        )


def check_rule(rule: object, clip: object, rules: tuple[str, ...]) -> float | None:
    """Return the checked `clip`; raise unless `rule` is callable or one of `rules`."""
    if not callable(rule):
        check_choice("rule", rule, rules)
    if clip is None:
        return None
    if rule != "log":
        raise invalid_value("clip", "is only for the log loss", end=f", got it with rule={rule!r}.")
    return check_within("clip", clip, 0.0, 0.5)


def check_heeded(method: str, margin: float, groups: object) -> None:
    """Raise for clusters, or for a margin, that the method would ignore."""
    if groups is not None and method not in CLUSTERED:
        raise invalid_value(
            "method",
            "must be 't' or 'permutation' with `groups`",
            method,
            ", which assumes independent cases.",
        )
    if margin and method not in SHIFTING:
        raise invalid_value(
            "method",
            "must be 't' or 'bootstrap' with a margin",
            method,
            ", whose null hypothesis is not about the mean.",
        )


def as_losses(values: object, n: int) -> Vector:
    """Return the losses that a user's rule gave for n cases, or raise."""
    losses = as_float_array("rule", values)
    if losses.shape != (n,):
        raise invalid_value(
            "rule",
            f"must return a loss for each of the {n} cases",
            losses.shape,
            show=", got shape {!r}",
        )
    missing = np.flatnonzero(np.isnan(losses))
    if missing.size:
        raise invalid_value(
            "rule",
            f"returned {missing.size} missing values (NaN), the first at index {missing[0]}",
            row=missing[0],
        )
    return losses


def check_nonnegative_losses(losses: Vector) -> None:
    """Raise if a loss is negative: the gamma interval of a mean is for losses of at least 0."""
    negative = np.flatnonzero(losses < 0.0)
    if negative.size:
        raise invalid_value(
            "rule",
            "must return losses of at least 0 for an interval",
            losses[negative[0]],
            f" at index {negative[0]}: subtract the least possible loss in `rule`.",
            show="; got {:g}",
            row=negative[0],
        )


def as_thresholds(values: object) -> Vector:
    """Return one or several probabilities strictly between 0 and 1, 1-d, or raise."""
    if type(values) is float and 0.0 < values < 1.0:
        return np.array([values])
    thresholds = as_float_array("thresholds", values)
    if thresholds.ndim > 1 or thresholds.size == 0:
        raise invalid_value(
            "thresholds",
            "must be a number or 1-d and not empty",
            thresholds.shape,
            show=", got shape {!r}",
        )
    thresholds = np.array(thresholds, ndmin=1)  # a copy: results hold it
    has_odds = (thresholds > 0.0) & (thresholds < 1.0)
    if not has_odds.all():
        first = np.flatnonzero(~has_odds)[0]
        raise invalid_value(
            "thresholds",
            "must be between 0 and 1, where the odds are finite",
            thresholds[first],
            f" at index {first}.",
            show="; got {:g}",
            row=first,
        )
    return thresholds


def as_bin_count(n_bins: object) -> int:
    """Return the number of bins, at least 1, or raise."""
    number = as_count("n_bins", n_bins, 1)
    if number > MOST_BINS:
        raise invalid_value(
            "n_bins", f"must be at most {MOST_BINS}", end=": more bins would be empty."
        )
    return number
