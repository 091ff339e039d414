"""Scores that are compared by their order, with labels, weights and clusters of the same cases.

A model is a vector or a column of a table. Two models are two arguments, or the two columns of one
data frame or mapping; their names come from there, or from the names of two Series.
"""

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._adapters.device import RemoteCases
from .._adapters.frames import (
    check_indexes,
    frame_columns,
    frame_labels,
    frame_names,
    is_frame,
    refuse_lazy,
    series_name,
)
from .._base.exceptions import (
    DroppedCasesWarning,
    InvalidValueError,
    invalid_type,
    invalid_value,
    warn,
)
from .._base.text import amount
from .._base.types import Matrix, Vector, WeightKind
from .arrays import (
    FLOAT64,
    SMALLEST_SUBNORMAL,
    Column,
    as_column,
    holds_wide_integers,
    refuse_flushed,
    to_float64,
)
from .labels import are_positive, as_label_column, classes, refuse_columns
from .names import called_otherwise, on_other_cases, refuse_doubtful
from .options import check_choice
from .weights import WeightsOrClusters, as_extras

ScoreTable = ArrayLike | Mapping[str, ArrayLike]
UNNAMED = ("a", "b")
CASES_COPIED = 1 << 10  # of a table that are transposed at a time
# bytes of the models that are copied at a time: 3 to 50 MB take as long, all at once ten times that
COPIED = 1 << 24
LARGE = 1 << 26  # bytes of a table that is not copied whole


class Pair(NamedTuple):
    """What two models gave, unchecked, and their names."""

    a: Any
    b: Any
    names: tuple[str, str] = UNNAMED


def as_scores(name: str, values: object, labels: NDArray[Any] | None = None) -> Vector:
    """Return one model's scores as C-ordered float64 in the same order, NaN where missing.

    A writeable array that is so already comes back as it is, since kernels only read it; a
    read-only one is copied, for Numba compiles other code for its type. `labels` are for an error
    that names the function for scores of several classes.
    """
    if type(values) is np.ndarray and values.ndim == 1 and is_plain(values):
        if SMALLEST_SUBNORMAL * 1.0 == 0.0:
            refuse_flushed(name, values)
        return values
    return as_vector(name, as_column(name, values), labels)


def as_vector(name: str, column: Column, labels: NDArray[Any] | None = None) -> Vector:
    """Return a column as a vector of scores, C-ordered float64 with NaN where missing, or raise."""
    array, missing = column
    vector = as_doubles_or_ranks(name, one_model(name, array, labels))
    if missing is not None and missing.any():
        vector = vector.copy()
        vector[missing.ravel()] = np.nan
    return vector


def is_plain(array: NDArray[Any]) -> bool:
    """Say whether kernels take the array as it is: each other layout would be compiled anew."""
    return array.dtype == FLOAT64 and array.dtype.isnative and array.flags.carray


def as_doubles_or_ranks(name: str, array: NDArray[Any]) -> Vector:
    """Return numbers as C-ordered float64; of integers beyond 2^53 their dense ranks.

    Ranks keep the order, in which float64 would merge some integers.
    """
    if holds_wide_integers(array):
        return np.unique(array, return_inverse=True)[1].astype(np.float64)
    vector = to_float64(name, array)
    return vector if is_plain(vector) else np.array(vector, dtype=FLOAT64, order="C")


def one_model(name: str, array: NDArray[Any], labels: NDArray[Any] | None) -> NDArray[Any]:
    """Return the array of one model's scores as 1-d, or raise.

    A single column is one model; for others the error says, by the labels, what to call instead.
    """
    if array.ndim == 2 and array.shape[1] == 1:
        return array.ravel()
    if array.ndim == 2 and labels is not None:
        refuse_columns(name, array.shape, len(classes(labels)))
    if array.ndim == 2 and array.shape[1] == 2:
        raise invalid_value(
            name,
            "must be 1-d",
            array.shape,
            ". Pass column 1, the scores of the positive class, if this is the output of "
            "predict_proba.",
            show=", got shape {!r}",
        )
    if array.ndim != 1:
        raise invalid_value(name, "must be 1-d", array.shape, show=", got shape {!r}")
    return array


def as_table(
    name: str, scores: object, n: int, labels: NDArray[Any] | None = None
) -> tuple[Sequence[Vector], tuple[str, ...]]:
    """Return the k columns of a table of scores as vectors, and the names of the models.

    `scores` is a mapping or data frame of columns, or an array of shape (n, k); `n` is the number
    of cases. Those of a large array are copied some at a time, on demand.
    """
    named = model_columns(name, scores)
    if named is not None:
        vectors = [as_scores(f"{name}[{key!r}]", column, labels) for key, column in named.items()]
        return vectors, tuple(named)
    table = as_column(name, scores)
    columns = split_columns(name, table, n)
    names = names_by_number(len(columns))
    if is_wide(table):
        is_large = table.values.nbytes >= LARGE
        return Columns(table.values) if is_large else list(transpose(table.values)), names
    return [as_vector(name, column) for column in columns], names


def is_wide(table: Column) -> bool:
    """Say whether a table is of floats without flags, with each case's scores side by side."""
    array = table.values
    is_float = array.ndim == 2 and array.dtype in (FLOAT64, np.float32) and array.dtype.isnative
    return is_float and table.missing is None and not array.flags.f_contiguous


class Columns(Sequence[Vector]):
    """The columns of a large table, copied for some models at a time, in place of all at once.

    `cached` is the number of the block of models that was copied last, and its scores in rows.
    """

    def __init__(self, table: NDArray[Any]) -> None:
        self.table = table
        self.width = max(8, COPIED // (8 * len(table)))  # models; 8 doubles fill a line of cache
        self.cached = -1, np.empty((0, 0))

    def __len__(self) -> int:
        return int(self.table.shape[1])

    def __getitem__(self, model: Any) -> Any:
        """Return the scores of a model, by its number; a block of models is transposed once."""
        block, row = divmod(range(len(self))[model], self.width)
        # both are read at once: another thread may ask for other models meanwhile
        cached_block, rows = self.cached
        if cached_block != block:
            first = block * self.width
            rows = transpose(self.table[:, first : first + self.width])
            self.cached = block, rows
        return rows[row]


def scores_of_job(
    scores: Sequence[Vector], models: Sequence[int], job: int, jobs: int
) -> Iterator[tuple[int, Vector]]:
    """Yield (model, its scores) for the models of one job of several, which run in threads.

    Of a large table a job gets neighbouring columns, which it copies by itself.
    """
    if not isinstance(scores, Columns):
        for model in models[job::jobs]:
            yield model, scores[model]
        return
    neighbours = models[len(models) * job // jobs : len(models) * (job + 1) // jobs]
    if not neighbours:
        return
    first, last = neighbours[0], neighbours[-1]
    columns = Columns(scores.table[:, first : last + 1])
    for model in neighbours:
        yield model, columns[model - first]


def least_scores(vectors: Sequence[Vector]) -> Sequence[float]:
    """Return the least score of each model, NaN where one is missing."""
    if isinstance(vectors, Columns):
        least: list[float] = np.minimum.reduce(vectors.table, axis=0).tolist()
        return least
    return [np.minimum.reduce(vector) for vector in vectors]


def transpose(table: NDArray[Any]) -> Matrix:
    """Return the columns as rows, copied some cases at a time: so a line of cache is read once.

    50 models of 10^5 cases: a quarter of the time of a copy a column, half of NumPy's transpose.
    """
    rows = np.empty(table.shape[::-1])
    for start in range(0, len(table), CASES_COPIED):
        cases = slice(start, start + CASES_COPIED)
        rows[:, cases] = table[cases].T
    return rows


def named_columns(name: str, scores: object) -> dict[str, Any] | None:
    """Return a mapping's or frame's columns by name; None for a plain array."""
    if isinstance(scores, Mapping):
        return dict(zip(as_names(name, list(scores)), scores.values(), strict=True))
    if is_frame(scores):
        refuse_lazy(name, scores)
        return dict(zip(as_names(name, frame_names(scores)), frame_columns(scores), strict=True))
    return None


def model_columns(name: str, table: object) -> dict[str, Any] | None:
    """Return a table's columns by name, None for an array.

    Raise for a column of a frame whose name is not like that of a model, such as "id".
    """
    columns = named_columns(name, table)
    if columns is not None and not isinstance(table, Mapping):
        refuse_doubtful(called_otherwise(columns), columns, lambda _: "pass a dict of columns")
    return columns


def named_pair(name: str, a: object, b: object = None) -> Pair:
    """Return the unchecked values of two models, and the names of the models, or raise.

    Where there is no `b`, `a` must be a data frame or a mapping of two columns. `name` is that of
    both parameters without "_a" and "_b".
    """
    if type(a) is type(b) is np.ndarray:
        return Pair(a, b)
    if b is None:
        columns = columns_of_two(f"{name}_a", a)
        if columns is not None:
            return columns
        raise invalid_type(
            f"{name}_b",
            f"must be specified, unless `{name}_a` is a data frame or a mapping of two models",
        )
    return Pair(a, b, names_of_pair(a, b))


def named_models(arguments: Mapping[str, object]) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return {name in errors: values} of each model, and the names of the models.

    Two arguments are those of two models, the second None if the first one is a table of both;
    otherwise each argument is a model.
    """
    if len(arguments) != 2:
        return dict(arguments), tuple(arguments)
    (first, a), (_second, b) = arguments.items()
    values, names = titled_pair(first.removesuffix("_a"), a, b)
    titles = values if b is None else arguments
    return dict(zip(titles, values.values(), strict=True)), names


def titled_pair(name: str, a: object, b: object) -> tuple[dict[str, object], tuple[str, str]]:
    """Return {name in errors: values} of two models, and the names of the models.

    Errors name a parameter, or a column of the first one. `name` is that of both parameters without
    "_a" and "_b".
    """
    pair = named_pair(name, a, b)
    return by_title(name, pair, alone=b is None), pair.names


def by_title(name: str, pair: Pair, alone: bool) -> dict[str, object]:
    """Return {name in errors: values} of two models: parameters, or columns of the first one.

    `name` is that of both parameters without "_a" and "_b"; `alone` says that the first one is a
    table of both models.
    """
    columns = [f"{name}_a[{model!r}]" for model in pair.names]
    titles = columns if alone else [f"{name}_a", f"{name}_b"]
    return dict(zip(titles, (pair.a, pair.b), strict=True))


def plain_columns(columns: Mapping[Any, Any], b: object) -> Pair:
    """Return the two columns of `columns` as a pair, with their names; else `columns` and `b`.

    They are a pair if there is no `b` and their names are strings.
    """
    if b is not None or len(columns) != 2 or not all(type(name) is str for name in columns):
        return Pair(columns, b)
    (first, a), (second, b) = columns.items()
    return Pair(a, b, (first, second))


def columns_of_two(name: str, table: object) -> Pair | None:
    """Return the columns of a data frame or a mapping of two models; None for a single column."""
    columns = model_columns(name, table)
    if columns is None or len(columns) == 1:
        return None
    if len(columns) != 2:
        raise invalid_value(
            name,
            "must contain two models if the second argument is omitted",
            len(columns),
            f": {', '.join(columns)}.",
        )
    (first, a), (second, b) = columns.items()
    return Pair(a, b, (first, second))


def names_of_pair(a: object, b: object) -> tuple[str, str]:
    """Return the names of two Series or frames, or "a" and "b" if they lack names or share one."""
    first, second = model_name(a, UNNAMED[0]), model_name(b, UNNAMED[1])
    return UNNAMED if first == second else (first, second)


def names_by_number(k: int) -> tuple[str, ...]:
    """Return the names of k models of an array: "model 1", "model 2", ..."""
    return tuple([f"model {j + 1}" for j in range(k)])


def default_titles(k: int) -> tuple[str, ...]:
    """Return the names of k models without names: "a" and "b" of two, else numbered ones."""
    return UNNAMED if k == 2 else names_by_number(k)


def model_name(value: object, default: str) -> str:
    """Return the name of a Series or of a frame's only column, else `default`."""
    if is_frame(value):
        names = frame_labels(value)[1] or ()
        return str(names[0]) if len(names) == 1 else default
    return series_name(value) or default


def as_names(name: str, labels: Sequence[object]) -> tuple[str, ...]:
    """Return model names as strings, all different, or raise."""
    names = tuple(map(str, labels))
    if not names:
        raise invalid_value(name, "must contain at least one model")
    if twice := {label for label in names if names.count(label) > 1}:
        raise invalid_value(
            name, "has models of the same name", end=f": {', '.join(sorted(twice))}."
        )
    return names


def split_columns(name: str, table: Column, n: int) -> list[Column]:
    """Return the columns of an (n, k) array, or of (n,) as one, or raise on another shape."""
    array, missing = table
    if array.ndim == 1:
        return [table]
    if array.ndim != 2 or not array.shape[1]:
        raise invalid_value(name, f"must have shape ({n}, k)", array.shape)
    rows, k = array.shape
    if rows != n:
        hint = " Pass its transpose: cases in rows, models in columns." if k == n else ""
        raise invalid_value(name, f"must have {n} rows like `y_true`", array.shape, f".{hint}")
    if rows == k and k > 1:
        raise invalid_value(
            name,
            f"is square, {array.shape}, so its axis is ambiguous",
            end=": pass a mapping from model names to scores.",
        )
    return [Column(array[:, j], None if missing is None else missing[:, j]) for j in range(k)]


def as_score_rows(**tables: object) -> list[Matrix]:
    """Return tables (B, n), with a problem in each row, as float64; raise unless of one shape."""
    matrices = [one_score_table(name, values) for name, values in tables.items()]
    shapes = [table.shape for table in matrices]
    if len(set(shapes)) > 1:
        names = " and ".join(f"`{name}`" for name in tables)
        listed = " and ".join(map(str, shapes))
        raise InvalidValueError(
            f"{names} must have the same shape, got {listed}.",
            parameter=next(iter(tables)),
            value=shapes[0],
        )
    return matrices


def one_score_table(name: str, values: object) -> Matrix:
    """Return a table (B, n), with a problem in each row, as C-ordered float64 without NaN."""
    array, missing = as_column(name, values)
    if array.ndim != 2 or not array.size:
        raise invalid_value(name, "must have shape (B, n)", array.shape)
    rows = as_doubles_or_ranks(name, array).reshape(array.shape)
    if (missing is not None and missing.any()) or np.isnan(rows.min()):
        flags = np.isnan(rows) if missing is None else missing | np.isnan(rows)
        problem, case = np.argwhere(flags)[0]
        raise invalid_value(
            name,
            f"has {amount(int(np.count_nonzero(flags)), 'missing value')} (NaN), the first in "
            f"problem {problem}, case {case}",
            end=": a batch cannot drop cases.",
        )
    return rows


class Named:
    """Something with the `names` of models."""

    __slots__ = ()
    names: tuple[str, ...]

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the models, which are two."""
        first, second = self.names
        return first, second


@dataclass(frozen=True, slots=True)
class Cases(Named):
    """Labels (n,) of 0 and 1, k vectors of n scores, the names of the models, cases left out.

    Weights (n,) are above 0: a case of weight 0 does not count. Groups (n,) number the clusters
    from 0. Cases on a device are `remote`: labels are there alone, and so are the vectors.
    """

    labels: NDArray[np.uint8]
    scores: Sequence[Vector]
    names: tuple[str, ...]
    n_dropped: int = 0
    weights: Vector | None = None
    weight_kind: WeightKind | None = None
    groups: NDArray[np.int64] | None = None
    remote: RemoteCases | None = None

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of positives and negatives."""
        if self.remote is not None:
            return self.remote.m, self.remote.n
        m = int(np.count_nonzero(self.labels.view(np.bool_)))
        return m, self.labels.size - m


def as_cases(
    y_true: object,
    pos_label: object = None,
    nan_policy: str = "raise",
    groups: object = None,
    sample_weight: object = None,
    frequency_weight: object = None,
    *,
    table: object = None,
    **scores: object,
) -> Cases:
    """Return the checked labels and scores of the same cases, with weights or clusters if given.

    The scores come as keywords, one model each under the name of the parameter, or all in `table`,
    which errors call `scores`.
    """
    extras = sample_weight, frequency_weight, groups
    cases, extra = read_cases(y_true, pos_label, nan_policy, extras, table, scores)
    return with_positive_weights(replace(cases, groups=extra.clusters()))


def read_cases(
    y_true: object,
    pos_label: object,
    nan_policy: str,
    extra_options: tuple[object, object, object],
    table: object,
    scores: dict[str, object],
) -> tuple[Cases, WeightsOrClusters]:
    """Return the checked cases with their weights, without clusters, and the `WeightsOrClusters`.

    `extra_options` are sampling weights, frequency weights and clusters; `scores` are those of each
    model by parameter, or {} if they are in `table`.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    labels, unlabelled = as_label_column("y_true", y_true)
    if labels.size == 0:
        raise invalid_value("y_true", "must contain at least one case", end=", got 0 samples.")
    if not scores:
        vectors, names = as_table("scores", table, labels.size, labels)
        titles = names
        scores = dict(table) if isinstance(table, Mapping) else {"scores": table}
    else:
        scores, names = named_models(scores)
        vectors = [as_scores(name, values, labels) for name, values in scores.items()]
        titles = tuple(scores)
    check_lengths(labels.size, vectors, titles)
    extras = as_extras(labels.size, *extra_options)
    besides = zip(("sample_weight", "frequency_weight", "groups"), extra_options, strict=True)
    check_indexes([("y_true", y_true), *scores.items(), *besides])

    dropped = 0
    flagged = [("y_true", unlabelled), ("groups", extras.ungrouped)]
    missing = find_missing(flagged, vectors, titles, nan_policy)
    if missing is not None:
        complete = ~missing
        dropped = leave_out(missing)
        labels, vectors = labels[complete], [vector[complete] for vector in vectors]
        extras = extras.only(complete)
    positive = are_positive("y_true", labels, pos_label)
    cases = Cases(positive, vectors, names, dropped, extras.weights, extras.weight_kind)
    return cases, extras


def leave_out(
    missing: NDArray[np.bool_], what: str = "cases", values: str = "label, score or cluster"
) -> int:
    """Return how many cases are left out, with a warning; raise if those are all.

    Messages call the cases `what`, and what they miss `values`.
    """
    dropped = int(np.count_nonzero(missing))
    if dropped == missing.size:
        raise InvalidValueError(
            f"every {what[:-1]} has a missing value: 0 samples are left.", parameter="nan_policy"
        )
    warn(f"{dropped} of {missing.size} {what} dropped: missing {values}.", DroppedCasesWarning)
    return dropped


def with_positive_weights(cases: Cases) -> Cases:
    """Return the cases without those of weight 0."""
    if cases.weights is None or cases.weights.all():
        return cases
    has_weight = cases.weights > 0.0
    scores = [vector[has_weight] for vector in cases.scores]
    return replace(
        cases, labels=cases.labels[has_weight], scores=scores, weights=cases.weights[has_weight]
    )


def check_lengths(n: int, vectors: Sequence[Vector], names: tuple[str, ...]) -> None:
    """Raise unless every vector has as many scores as there are labels."""
    in_table = [len(vectors.table)] * len(vectors) if isinstance(vectors, Columns) else None
    sizes = in_table or [vector.size for vector in vectors]  # a table's columns are not copied
    for size, name in zip(sizes, names, strict=True):
        if size != n:
            raise invalid_value(
                name,
                f"must have one score for each of the {n} labels in `y_true`",
                size,
                f".{on_other_cases(name)}",
            )


def find_missing(
    flagged: Sequence[tuple[str, NDArray[np.bool_] | None]],
    vectors: Sequence[Vector],
    names: tuple[str, ...],
    nan_policy: str,
) -> NDArray[np.bool_] | None:
    """Return which cases miss anything, None if none does; raise if some do and that is the policy.

    Labels and clusters are `flagged`, as (name, which are missing or None); missing scores are NaN
    in `vectors`, which errors call `names`.
    """
    missing_flags = [(name, flags) for name, flags in flagged if flags is not None]
    for j, lowest in enumerate(least_scores(vectors)):  # no array of flags for clean scores
        if lowest != lowest:
            missing_flags.append((names[j], np.isnan(vectors[j])))
    if missing_flags and nan_policy == "raise":
        refuse_missing(*missing_flags[0])
    return np.logical_or.reduce([flags for _, flags in missing_flags]) if missing_flags else None


def refuse_missing(
    name: str,
    missing: NDArray[np.bool_],
    remedy: str = "Drop these cases, or pass nan_policy='omit'.",
) -> NoReturn:
    """Raise, saying how many values are missing and where the first one is."""
    where = np.flatnonzero(missing)
    raise invalid_value(
        name,
        f"has {amount(where.size, 'missing value')} (NaN), the first at index {where[0]}",
        end=f". {remedy}",
        row=where[0],
    )


def check_several(scores: Sized) -> None:
    """Raise unless there are two models to compare."""
    if len(scores) < 2:
        raise invalid_value("scores", "must contain at least two models", end=", got one.")


def refuse_extras(cases: Cases, method: str, alternatives: str) -> None:
    """Raise if the cases have weights or clusters, which `method` does not support."""
    if cases.weights is not None or cases.groups is not None:
        raise invalid_value(
            f"method={method!r}",
            "supports neither weights nor `groups`",
            end=f": choose {alternatives}.",
        )
