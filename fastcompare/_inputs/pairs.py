"""Columns of numbers that belong together row by row, or one column of their differences."""

from typing import NamedTuple

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.types import Vector
from .arrays import as_column, as_float_array, read_once
from .cases import check_indexes, find_missing, leave_out
from .exact import exact_columns, exact_differences
from .models import ModelTable, as_model_table
from .options import check_choice
from .scores import UNNAMED, Pair, columns_of_two, pair_of, titled


class Pairs(NamedTuple):
    """Differences (n,), the columns that they come from, and how many pairs are left out.

    A column of differences alone stands for scores against 0. `exact` are the sizes of differences
    of integers that float64 does not hold.
    """

    differences: Vector
    columns: list[Vector]
    n_dropped: int
    names: tuple[str, str] = UNNAMED
    exact: Vector | None = None


def as_pairs(scores_a: object, scores_b: object = None, *, nan_policy: str = "raise") -> Pairs:
    """Return the checked differences of two columns, or the first itself where it is the only."""
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    scores_a, scores_b = read_once(scores_a), read_once(scores_b)
    pair = two_of(scores_a, scores_b)
    given = titled("scores", pair, scores_b is None) if pair else {"scores_a": scores_a}
    columns = [as_numbers_or_infinite(name, values) for name, values in given.items()]
    if len({column.size for column in columns}) > 1:
        raise InvalidValueError(
            "`scores_a` and `scores_b` must be equally long, got "
            f"{columns[0].size} and {columns[1].size}."
        )
    check_indexes(list(given.items()))
    names = UNNAMED if pair is None else pair.names
    exact = exact_columns([as_column(name, values) for name, values in given.items()])
    if exact is None:
        differences = first_less_second(columns)
        if np.isfinite(differences).all():  # so are the columns then
            return Pairs(differences, columns, 0, names)
    for name, column in zip(given, columns, strict=True):
        check_finite(name, column)
    missing = find_missing([], columns, tuple(given), nan_policy)
    dropped = 0
    if missing is not None:
        dropped = leave_out(missing)
        columns = [column[~missing] for column in columns]
        exact = exact and [column.ravel()[~missing] for column in exact]
    if exact is not None:
        d, sizes = exact_differences(exact[0].ravel(), exact[1].ravel() if pair else 0)
        return Pairs(d, columns, dropped, names, sizes)
    return Pairs(finite_differences(columns), columns, dropped, names)


def finite_differences(columns: list[Vector]) -> Vector:
    """Return the differences of finite columns, or raise if one is infinite."""
    differences = first_less_second(columns)
    if not np.isfinite(differences).all():
        raise InvalidValueError(
            "`scores_a` - `scores_b` exceeds what float64 holds: divide both by 2 or more."
        )
    return differences


@np.errstate(over="ignore", invalid="ignore")
def first_less_second(columns: list[Vector]) -> Vector:
    """Return the differences of two columns, a copy of the only one."""
    return columns[0].copy() if len(columns) == 1 else columns[0] - columns[1]


def two_of(scores_a: object, scores_b: object) -> Pair | None:
    """Return the scores of two models; None for a single column, which holds differences."""
    if scores_b is None:
        return columns_of_two("scores_a", scores_a)
    return pair_of("scores", scores_a, scores_b)


def as_pair_table(scores: object, *, nan_policy: str = "raise") -> ModelTable:
    """Return the checked scores of at least two models, a row a data set."""
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy)
    with np.errstate(over="ignore"):
        spread = np.ptp(table.values, axis=1)
    if not np.isfinite(spread).all():
        raise InvalidValueError(
            "differences of `scores` exceed what float64 holds: divide all by 2 or more."
        )
    return table


def check_exact_ranks(size: int, most: int) -> None:
    """Raise if the exact distribution of so many ranks would take too long."""
    if size > most:
        raise InvalidValueError(
            f"`method='exact'` takes at most {most} differences other than 0, got {size}. "
            "Pass method='normal'."
        )


def as_numbers(name: str, values: object) -> Vector:
    """Return at least one number, finite or NaN, as 1-d float64, or raise."""
    column = as_numbers_or_infinite(name, values)
    check_finite(name, column)
    return column


def as_numbers_or_infinite(name: str, values: object) -> Vector:
    """Return at least one number as 1-d float64, or raise."""
    column = as_float_array(name, values)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column.ravel()
    if column.ndim != 1:
        raise InvalidValueError(f"`{name}` must be 1-d, got shape {column.shape}.")
    if column.size == 0:
        raise InvalidValueError(f"`{name}` must hold at least one number, got 0.")
    return column


def check_finite(name: str, column: Vector) -> None:
    """Raise if a number is infinite; NaN may be."""
    if np.isinf(column).any():
        infinite = np.flatnonzero(np.isinf(column))
        raise InvalidValueError(
            f"`{name}` must hold finite numbers; {infinite.size} are not, the first is "
            f"{column[infinite[0]]:g} at index {infinite[0]}. Leave these pairs out."
        )
