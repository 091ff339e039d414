"""Estimators, the cases they are fitted to, and the scheme by which these are split."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._adapters.frames import refuse_lazy
from .._base.exceptions import InvalidTypeError, InvalidValueError
from .cases import check_indexes
from .labels import as_label_column
from .options import check_choice
from .scores import as_names


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
    """Return the scheme of a name: one of `SCHEMES`, or '5x2cv' with other numbers."""
    numbers = REPEATED.fullmatch(scheme) if isinstance(scheme, str) else None
    if numbers is not None:
        return Scheme(numbers[0], int(numbers[1]), int(numbers[2]))
    check_choice("scheme", scheme, SCHEMES)
    return NAMED[str(scheme)]


def as_estimators(estimators: object) -> Mapping[str, Any]:
    """Return at least two estimators by name, or raise; none is touched."""
    if not isinstance(estimators, Mapping):
        raise InvalidTypeError(
            "`estimators` must be a mapping from names to estimators, got a "
            f"{type(estimators).__name__}."
        )
    named = dict(zip(as_names("estimators", list(estimators)), estimators.values(), strict=True))
    if len(named) < 2:
        raise InvalidValueError("`estimators` must hold at least two models, got one.")
    for name, estimator in named.items():
        if isinstance(estimator, type):
            raise InvalidTypeError(
                f"`estimators[{name!r}]` must be an estimator, got the class "
                f"{estimator.__name__}: call it."
            )
        if not (hasattr(estimator, "fit") and hasattr(estimator, "get_params")):
            raise InvalidTypeError(
                f"`estimators[{name!r}]` must have the methods `fit` and `get_params` of "
                f"scikit-learn's estimators, got a {type(estimator).__name__}."
            )
    return named


def as_problem(X: Any, y: Any, groups: object) -> Problem:
    """Return features, targets and clusters of the same cases, or raise."""
    targets = as_complete("y", y)
    counted = {"X": count_rows(X)}
    clusters = None
    if groups is not None:
        clusters = np.unique(as_complete("groups", groups), return_inverse=True)[1]
        counted["groups"] = clusters.size
    for name, rows in counted.items():
        if rows != targets.size:
            raise InvalidValueError(
                f"`{name}` must have a row for each of the {targets.size} cases in `y`, got {rows}."
            )
    check_indexes([("X", X), ("y", y), ("groups", groups)])
    rows = X.tocsr() if hasattr(X, "tocsr") else X  # not every sparse format has rows to take
    return Problem(rows, y if getattr(y, "ndim", 1) == 1 else targets, targets, clusters)


def refuse_scheme(scheme: Scheme, error: ValueError) -> NoReturn:
    """Raise since scikit-learn cannot split these cases so."""
    raise InvalidValueError(
        f"`scheme` {scheme.name!r} cannot split these cases: {error}"
    ) from error


def as_complete(name: str, values: object) -> NDArray[Any]:
    """Return a column of which nothing is missing, or raise."""
    column, missing = as_label_column(name, values)
    if missing is not None:
        raise InvalidValueError(
            f"`{name}` has {np.count_nonzero(missing)} missing values (NaN), the first at index "
            f"{missing.argmax()}. Leave these cases out of `X` and `y`."
        )
    return column


def count_rows(X: Any) -> int:
    """Return how many cases a table of features has: an array, a frame, a sparse matrix, a list."""
    refuse_lazy("X", X)
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape):
        return int(shape[0])
    if not hasattr(X, "__len__") or isinstance(X, Mapping | str):
        raise InvalidTypeError(f"`X` must be a table with a row a case, got a {type(X).__name__}.")
    return len(X)
