"""Scores of models by round: folds of a cross-validation, or random splits of one data set.

They are passed as columns, or come from estimators that are fitted by a scheme of splits, or from
the `cv_results_` of scikit-learn's searches.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._adapters.frames import check_indexes, is_frame, refuse_lazy
from .._adapters.sklearn import plan_of_cv
from .._base.exceptions import (
    DroppedCasesWarning,
    InvalidValueError,
    hint,
    invalid_type,
    invalid_value,
    warn,
)
from .._base.types import Vector
from .arrays import (
    Numbers,
    as_column,
    as_exact,
    as_float_array,
    exact_columns,
    exact_differences,
    exact_order,
    holds_flushed,
    read_once,
)
from .labels import as_label_column
from .models import as_matrix, as_numbers, exact_table, find_nan
from .options import as_real, check_choice, check_mapping, has_direction
from .scores import (
    UNNAMED,
    as_names,
    columns_of_two,
    find_missing,
    is_plain,
    leave_out,
    model_columns,
    names_by_number,
    names_of_pair,
    refuse_missing,
)

PARAMETERS = ("scores_a", "scores_b")


class Rounds(NamedTuple):
    """Scores (2, J) of two models in the same rounds, their names, and how many are left out.

    `difference_scores` are scores with the same differences, where float64 would merge integers.
    """

    scores: Vector
    names: tuple[str, str] = UNNAMED
    n_dropped: int = 0
    difference_scores: Vector | None = None


def as_rounds(scores_a: object, scores_b: object = None, *, nan_policy: str = "raise") -> Rounds:
    """Return the checked scores of two models, or the two columns of a table, of complete rounds.

    Plain arrays come first, in 8 µs of some 50 that a whole test may take; others may take longer.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    if type(scores_a) is type(scores_b) is np.ndarray and scores_a.ndim == 1:
        are_alike = scores_a.shape == scores_b.shape and scores_a.dtype == scores_b.dtype
        if are_alike and scores_a.size > 1 and is_plain(scores_a):
            scores = np.array((scores_a, scores_b))
            if np.isfinite(scores).all() and not holds_flushed(scores):
                return Rounds(scores)
    scores_a, scores_b = read_once(scores_a), read_once(scores_b)
    columns, names = as_two_columns(scores_a, scores_b)
    dropped = 0
    in_table = scores_b is None and names != UNNAMED
    titles = tuple(f"scores_a[{name!r}]" for name in names) if in_table else PARAMETERS
    missing = find_missing([], columns, titles, nan_policy)
    if missing is not None:
        dropped = leave_out(missing)
        columns = [column[~missing] for column in columns]
    exact = exact_pair(scores_a, scores_b)
    if columns[0].size < 2:
        raise invalid_value(
            "scores_a",
            "must contain at least two rounds without missing values",
            columns[0].size,
            ": one difference does not determine a variance.",
        )
    difference_scores = None if exact is None else differences_over_zeros(exact, missing)
    return Rounds(np.array(columns), names, dropped, difference_scores)


def exact_pair(scores_a: object, scores_b: object) -> list[Numbers] | None:
    """Return the scores of two models as Python numbers if float64 would merge integers."""
    if scores_b is None:
        table = exact_table("scores_a", scores_a)
        return None if table is None else list(table.T)
    named_scores = zip(PARAMETERS, (scores_a, scores_b), strict=True)
    return exact_columns([as_column(name, values) for name, values in named_scores])


def differences_over_zeros(pair: list[Numbers], missing: NDArray[np.bool_] | None = None) -> Vector:
    """Return scores (2, J) of complete rounds with the exact differences: these, and zeros."""
    d = exact_differences(*(numbers.ravel() for numbers in pair)).differences
    complete = d if missing is None else d[~missing]
    return np.array((complete, np.zeros(complete.size)))


def as_two_columns(scores_a: object, scores_b: object) -> tuple[list[Vector], tuple[str, str]]:
    """Return two equally long columns of finite numbers or NaN, and the names of the models."""
    if scores_b is None:
        table, names = as_matrix("scores_a", scores_a, "rounds")
        if len(names) != 2:
            raise invalid_value(
                "scores_a",
                "must have two columns if `scores_b` is omitted",
                len(names),
                ". Compare more models by ttest_corrected_pairwise_test.",
            )
        pair = columns_of_two("scores_a", scores_a)
        columns = [as_numbers("scores_a", column) for column in table.T]
        return columns, UNNAMED if pair is None else pair.names
    named_scores = dict(zip(PARAMETERS, (scores_a, scores_b), strict=True))
    columns = [as_numbers(name, values) for name, values in named_scores.items()]
    if columns[0].size != columns[1].size:
        raise InvalidValueError(
            "`scores_a` and `scores_b` must contain scores of the same rounds, got "
            f"{columns[0].size} and {columns[1].size}. Compare models with different rounds by "
            "ttest_unpaired.",
            parameter="scores_a",
        )
    check_indexes(list(named_scores.items()))
    return columns, names_of_pair(scores_a, scores_b)


def as_five_by_two(scores_a: object, scores_b: object) -> tuple[Vector, Vector]:
    """Return the scores (10,) of two models in five two-fold cross-validations, or raise."""
    scores_a, scores_b = read_once(scores_a), read_once(scores_b)
    named_scores = list(zip(PARAMETERS, (scores_a, scores_b), strict=True))
    a, b = (as_halves(name, scores) for name, scores in named_scores)
    if not (type(scores_a) is type(scores_b) is np.ndarray):
        check_indexes(named_scores)
    exact = exact_5x2cv_differences(scores_a, scores_b)
    return (a, b) if exact is None else (exact[0], exact[1])


def exact_5x2cv_differences(scores_a: object, scores_b: object) -> Vector | None:
    """Return scores (2, 10) with the exact differences: these, and zeros.

    None if float64 keeps integers distinct, and so the scores themselves will do.
    """
    tables = [exact_table("scores", scores) for scores in (scores_a, scores_b)]
    if all(table is None for table in tables):
        return None
    pair = [
        as_exact(as_matrix("scores", scores, "rounds")[0]) if table is None else table
        for scores, table in zip((scores_a, scores_b), tables, strict=True)
    ]
    return differences_over_zeros(pair)


def as_halves(name: str, scores: object) -> Vector:
    """Return one model's scores, which must be (5, 2), as (10,) of finite numbers, or raise."""
    if type(scores) is not np.ndarray and is_frame(scores):
        halves, _names = as_matrix(name, scores, "rounds")
    else:
        halves = as_float_array(name, scores)
    if halves.shape != (5, 2):
        raise invalid_value(
            name,
            "must have shape (5, 2): five rounds, each with the scores of its two halves",
            halves.shape,
            show="; got {!r}",
        )
    finite = np.isfinite(halves)
    if not finite.all():
        i, j = np.argwhere(~finite)[0]
        raise invalid_value(
            name,
            "must contain ten finite numbers",
            end=f", got {halves[i, j]:g} in round {i}, half {j}: 5x2cv needs all of them.",
        )
    return np.array(halves, order="C").reshape(10)  # writeable, as kernels take it


def as_round_rows(name: str, values: object) -> Vector:
    """Return scores (B, J), a comparison in each row, as C-ordered float64, or raise.

    Kernels find numbers that are not finite.
    """
    rows = as_float_array(name, values)
    if rows.ndim != 2 or not rows.size or rows.shape[1] < 2:
        raise invalid_value(name, "must have shape (B, J) with at least two rounds J", rows.shape)
    return rows if is_plain(rows) else np.array(rows, dtype=np.float64, order="C")


def as_paired_rows(scores_a: object, scores_b: object) -> tuple[Vector, Vector]:
    """Return the scores (B, J) of the first and of the second models, or raise."""
    scores_a, scores_b = read_once(scores_a), read_once(scores_b)
    a, b = as_round_rows("scores_a", scores_a), as_round_rows("scores_b", scores_b)
    if a.shape != b.shape:
        raise InvalidValueError(
            f"`scores_a` and `scores_b` must have the same shape, got {a.shape} and {b.shape}.",
            parameter="scores_a",
        )
    exact = exact_pair(scores_a, scores_b)
    if exact is not None:
        differences, zeros = differences_over_zeros(exact)
        return differences.reshape(a.shape), zeros.reshape(a.shape)
    return a, b


def refuse_infinite(name: str, rows: Vector, *, first: int) -> None:
    """Raise for the first number that is not finite in the comparison `first`, if there is one."""
    wrong = np.flatnonzero(~np.isfinite(rows[first]))
    if wrong.size:
        raise invalid_value(
            name,
            "must contain finite numbers",
            end=f", got {rows[first, wrong[0]]:g} in comparison {first}, round {wrong[0]}: a "
            "batch cannot drop rounds.",
        )


def refuse_range(*names: str) -> NoReturn:
    """Raise since differences of finite scores, or their squares, leave the range of floats."""
    raise InvalidValueError(
        f"{' and '.join(f'`{name}`' for name in names)} have differences whose squares are too "
        "large or too small for float64: multiply all scores by the same number.",
        parameter=names[0],
    )


class Sizes(NamedTuple):
    """How many cases, or parts, a round trains and tests on (means, too), and the rounds' design.

    Sizes of None are those of rounds that are taken to be independent. `cv` is the splitter that
    determines the sizes, if they follow from one.
    """

    n_train: Any
    n_test: Any
    design: Any = None
    cv: Any = None

    @property
    def overlap(self) -> float:
        """n_test / n_train; 0 for independent rounds."""
        return 0.0 if self.n_train is None else self.n_test / self.n_train


def as_sizes(
    n_train: object, n_test: object, cv: Any, design: object = None, *, optional: bool = False
) -> Sizes:
    """Return the sizes of rounds, as specified or as those of a splitter, or raise.

    Where they are `optional` and omitted, rounds are taken to be independent.
    """
    if optional and n_train is n_test is cv is None:
        return Sizes(None, None, design)
    if cv is None:
        return Sizes(*check_sizes(n_train, n_test), design)
    if n_train is not None or n_test is not None:
        raise invalid_value(
            "cv",
            "must be omitted if `n_train` and `n_test` are specified",
            end=": it determines them.",
        )
    plan = plan_of_cv(cv, None, None, None)
    return Sizes(plan.n_train, plan.n_test, design or plan.design, cv)


def check_sizes(n_train: object, n_test: object) -> tuple[float, float]:
    """Return how many cases a round trains and tests on, or raise; means of several are fine."""
    if n_train is None or n_test is None:
        raise InvalidValueError(
            "`n_train` and `n_test` must be specified: the numbers of training and test cases per "
            "round. The correction depends on their ratio, which scores do not show. Or "
            f"{hint('pass `cv`, the splitter of the rounds')}.",
            parameter="n_train",
        )
    train, test = check_size("n_train", n_train), check_size("n_test", n_test)
    if not max(test / train, train / test, train + test) < np.inf:
        raise InvalidValueError(
            f"`n_train` and `n_test` must be numbers of cases, got {n_train!r} and {n_test!r}.",
            parameter="n_train",
        )
    return train, test


def check_size(name: str, value: object) -> float:
    """Return a finite number above 0, or raise."""
    number = as_real(name, value)
    if not 0.0 < number < np.inf:
        raise invalid_value(
            name, "must be above 0 and finite", value, ": the number of cases of a round."
        )
    return number


def as_own_rounds(
    scores: Mapping[str, object], *, nan_policy: str
) -> tuple[dict[str, Vector], int]:
    """Return the scores of each model in its own rounds, and how many missing ones are left out."""
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    columns = {}
    dropped = 0
    for name, values in scores.items():
        column = as_numbers(name, values)
        missing = np.isnan(column)
        if missing.any():
            if nan_policy == "raise":
                refuse_missing(name, missing)
            column = column[~missing]
            dropped += int(np.count_nonzero(missing))
        columns[name] = np.array(column)  # contiguous and writeable, as kernels take it
        if columns[name].size < 2:
            raise invalid_value(name, "must contain at least two scores", columns[name].size)
    if dropped:
        message = f"{dropped} rounds dropped: missing scores."
        warn(message, DroppedCasesWarning)
    return columns, dropped


def in_order_of_all(columns: Mapping[str, Vector], scores: Mapping[str, object]) -> list[Vector]:
    """Return the checked columns; where float64 would merge integers, their ranks among all scores.

    `scores` are the same columns as they came, with missing values.
    """
    sources = [as_column(name, values) for name, values in scores.items()]
    exact = exact_columns(sources)
    if exact is None:
        return list(columns.values())
    present = [
        numbers.ravel()[~find_nan(column).ravel()]
        for numbers, column in zip(exact, sources, strict=True)
    ]
    stops = np.cumsum([numbers.size for numbers in present])[:-1]
    ranks = exact_order(np.concatenate(present))
    return [np.array(ranks_of_model) for ranks_of_model in np.split(ranks, stops)]


def as_models(scores: object) -> dict[str, object]:
    """Return the scores of each of at least two models by name, from a mapping, frame or list."""
    named = model_columns("scores", scores)
    if named is None:
        if not isinstance(scores, list | tuple):
            raise invalid_type(
                "scores",
                "must be a mapping, or a list, of the scores of each model",
                type(scores).__name__,
                show=", got {}",
            )
        named = dict(zip(names_by_number(len(scores)), scores, strict=True))
    if len(named) < 2:
        raise invalid_value("scores", "must contain at least two models", len(named))
    return named


def check_unpaired_claim(method: str, alternative: str, models: int) -> None:
    """Raise unless the number of models and the direction suit the method."""
    if method == "mann-whitney" and models != 2:
        raise invalid_value("method='mann-whitney'", "takes two models", models, show=", got {}")
    if method != "mann-whitney" and has_direction(alternative):
        raise invalid_value("alternative", f"must be 'two-sided' with method={method!r}")


class Scheme(NamedTuple):
    """How cases are split: the number of repeats, and of folds in each (None: one random split)."""

    name: str
    n_repeats: int
    n_folds: int | None


NAMED = {
    "kfold": Scheme("kfold", 1, 10),
    "resampled": Scheme("resampled", 100, None),  # as many rounds as Bouckaert and Frank (2004)
}
SCHEMES = ("10x10cv", "5x2cv", *NAMED)
REPEATED = re.compile(r"([1-9][0-9]{0,3})x([2-9]|[1-9][0-9]{1,3})cv")


class Problem(NamedTuple):
    """The features and targets as they came, and the targets and clusters as arrays."""

    X: Any
    y: Any
    targets: NDArray[Any]
    groups: NDArray[Any] | None


def as_scheme(scheme: object) -> Scheme:
    """Return the scheme of a name, one of `SCHEMES` or '5x2cv' with other numbers; or raise."""
    match = REPEATED.fullmatch(scheme) if isinstance(scheme, str) else None
    if match is not None:
        n_repeats, n_folds = map(int, match.groups())
        return Scheme(match[0], n_repeats, n_folds)
    check_choice("scheme", scheme, SCHEMES)
    return NAMED[str(scheme)]


def as_estimators(estimators: object) -> Mapping[str, Any]:
    """Return at least two estimators by name, as they came, or raise."""
    mapping = check_mapping("estimators", estimators, "a mapping from names to estimators")
    named = dict(zip(as_names("estimators", list(mapping)), mapping.values(), strict=True))
    if len(named) < 2:
        raise invalid_value("estimators", "must contain at least two models", end=", got one.")
    for name, estimator in named.items():
        if isinstance(estimator, type):
            raise invalid_type(
                f"estimators[{name!r}]",
                "must be an estimator",
                estimator.__name__,
                ": call it.",
                show=", got the class {}",
            )
        if not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
            raise invalid_type(
                f"estimators[{name!r}]",
                "must have the methods `fit` and `get_params` of scikit-learn's estimators",
                type(estimator).__name__,
                show=", got a {}",
            )
    return named


def as_problem(X: Any, y: Any, groups: object) -> Problem:
    """Return features, targets and clusters of the same cases, or raise."""
    targets = as_complete("y", y)
    n_rows = {"X": count_rows(X)}
    clusters = None
    if groups is not None:
        clusters = np.unique(as_complete("groups", groups), return_inverse=True)[1]
        n_rows["groups"] = clusters.size
    for name, rows in n_rows.items():
        if rows != targets.size:
            raise invalid_value(
                name,
                f"must have a row for each of the {targets.size} cases in `y`",
                rows,
                show=", got {}",
            )
    check_indexes([("X", X), ("y", y), ("groups", groups)])
    features = X.tocsr() if hasattr(X, "tocsr") else X  # not every sparse format has rows to take
    y = y if getattr(y, "ndim", 1) == 1 else targets  # a single column as a vector
    return Problem(features, y, targets, clusters)


def refuse_scheme(scheme: Scheme, error: ValueError) -> NoReturn:
    """Raise since scikit-learn cannot split these cases so."""
    raise invalid_value(
        "scheme", f"{scheme.name!r} cannot split these cases", end=f": {error}"
    ) from error


def as_complete(name: str, values: object) -> NDArray[Any]:
    """Return a 1-d column of labels or numbers, or raise if any is missing."""
    column, missing = as_label_column(name, values)
    if missing is not None:
        refuse_missing(name, missing, "Drop these cases from `X` and `y`.")
    return column


def count_rows(X: Any) -> int:
    """Return how many cases a table of features has: an array, a frame, a sparse matrix, a list."""
    refuse_lazy("X", X)
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape):
        return int(shape[0])
    if not hasattr(X, "__len__") or isinstance(X, Mapping | str):
        raise invalid_type(
            "X", "must be a table, one row per case", type(X).__name__, show=", got a {}"
        )
    return len(X)


SPLIT_SCORE = re.compile(r"split(\d+)_test_(.+)")
