"""What exact distributions of ranks require: few models and data sets, and no ties."""

from typing import NoReturn

import numpy as np

from ..._base.exceptions import invalid_value
from ..._base.types import Integers


def refuse_slow(shape: tuple[int, ...], most_steps: int, most_orders: int) -> NoReturn:
    """Raise, since counting all permutations would take too long."""
    n, k = shape
    raise invalid_value(
        "method='exact'",
        f"would take too long for {k} models on {n} data sets",
        end=f": more than {most_steps:,} steps, or more than {most_orders:,} orders of the "
        "ranks of a data set. Pass method='permutation' or 'iman-davenport'.",
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
        raise invalid_value(
            "scores",
            "must have no ties within a data set for the exact distribution",
            first,
            f" in row {row}. Use friedman_pairwise_test.",
            show=", got one of {!r}",
            row=row,
        )


def check_few(n: int, k: int, most: int) -> None:
    """Raise where the distribution of differences of rank sums, N (k - 1) long, takes too long."""
    if n * (k - 1) > most:
        raise invalid_value(
            "scores",
            f"must have N (k - 1) <= {most:,} for the exact distribution",
            end=f", got {n:,} data sets and {k:,} models. Use friedman_pairwise_test, whose "
            "approximation is good for so many.",
        )


def check_exact_ranks(size: int, most: int) -> None:
    """Raise if the exact distribution of the rank statistic of `size` ranks would take too long."""
    if size > most:
        raise invalid_value(
            "method='exact'",
            f"takes at most {most} differences other than 0",
            size,
            ". Pass method='normal'.",
            show=", got {}",
        )
