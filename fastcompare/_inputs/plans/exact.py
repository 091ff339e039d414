"""What exact distributions of ranks require: few models and data sets, and no ties."""

from typing import NoReturn

import numpy as np

from ..._base.exceptions import InvalidValueError
from ..._base.types import Integers


def refuse_slow(shape: tuple[int, ...], most_steps: int, most_orders: int) -> NoReturn:
    """Raise, since counting all permutations would take too long."""
    n, k = shape
    raise InvalidValueError(
        f"`method='exact'` would take too long for {k} models on {n} data sets: more than "
        f"{most_steps:,} steps, or more than {most_orders:,} orders of the ranks of a data set. "
        "Pass method='permutation' or 'iman-davenport'."
    )


def check_untied(doubled: Integers, names: tuple[str, ...]) -> None:
    """Raise if two models tie on a data set, by twice their ranks (N, k)."""
    k = len(names)
    untied = 2 * k * (k + 1) * (2 * k + 1) // 3  # the sum of squares of 2, 4, ..., 2 k
    tied = np.flatnonzero((doubled**2).sum(axis=1) != untied)
    if tied.size:
        row = int(tied[0])
        shared = doubled[row].tolist()
        first = next(name for name, r in zip(names, shared, strict=True) if shared.count(r) > 1)
        raise InvalidValueError(
            f"`scores` must have no ties within a data set for the exact distribution, got one of "
            f"{first!r} in row {row}. Use friedman_pairwise_test."
        )


def check_few(n: int, k: int, most: int) -> None:
    """Raise where the distribution of differences of rank sums, N (k - 1) long, takes too long."""
    if n * (k - 1) > most:
        raise InvalidValueError(
            f"`scores` must have N (k - 1) <= {most:,} for the exact distribution, got {n:,} data "
            f"sets and {k:,} models. Use friedman_pairwise_test, whose approximation is good for "
            "so many."
        )


def check_exact_ranks(size: int, most: int) -> None:
    """Raise if the exact distribution of so many ranks would take too long."""
    if size > most:
        raise InvalidValueError(
            f"`method='exact'` takes at most {most} differences other than 0, got {size}. "
            "Pass method='normal'."
        )
