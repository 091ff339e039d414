"""The exact null distribution of Friedman's statistic: all permutations of ranks within data sets.

The statistic grows with the sum of the squared rank sums, which does not care about the order of
the models. So the states are the sorted rank sums, data set by data set; the first one can be left
as it is. How many ways lead to each state is counted in whole numbers.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers
from ..._inference.pvalues import TINY, PValue
from ..._inputs.exact_ranks import refuse_slow

MOST_ORDERS = 40_320  # of the ranks of a data set: 8 models without ties
MOST_STEPS = 5_000_000  # from a state to the next: a second; those to the end take a tenth
CHUNK = 1 << 20  # steps at a time, for memory

Counts = NDArray[np.object_]


def exact_pvalue(doubled: Integers) -> PValue:
    """Return P(sum R_j^2 at least as large as here) by the doubled ranks (N, k) of all data sets.

    Kinds of data sets differ in their ties; those with the most orders come first.
    """
    observed = int((doubled.sum(axis=0) ** 2).sum())
    kinds = Counter(map(tuple, np.sort(doubled, axis=1).tolist()))
    rows = sorted(kinds.elements(), key=lambda row: (-count_orders(row), row))
    small = np.min_scalar_type(2 * doubled.size)  # as few bytes as possible: half the time
    states, counts, steps = np.array(rows[:1], small), np.ones(1, object), 0
    for i in range(1, len(rows)):
        is_last = i == len(rows) - 1
        steps += len(states) * count_orders(rows[i]) // (10 if is_last else 1)
        if steps > MOST_STEPS or count_orders(rows[i]) > MOST_ORDERS:
            refuse_slow(doubled.shape, MOST_STEPS, MOST_ORDERS)
        if i == 1 or rows[i] != rows[i - 1]:
            orders = np.array(list(distinct_orders(Counter(rows[i]), len(rows[i]))), small)
        if not is_last:
            states, counts = after_row(states, counts, orders)
    ways = sum(counts * ways_to(observed, states.astype(np.int64), orders.astype(np.int64)))
    every = math.prod(map(count_orders, rows[1:]))
    p = ways / every
    return PValue(p, math.log(p) if p >= TINY else math.log(ways) - math.log(every))


def count_orders(row: Sequence[int]) -> int:
    """Return how many different orders these ranks have."""
    ties = Counter(row).values()
    return math.factorial(len(row)) // math.prod(map(math.factorial, ties))


def distinct_orders(left: Counter[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield the different orders of the `size` ranks that are left; `left` is restored."""
    if not size:
        yield ()
    for rank, count in left.items():
        if count:
            left[rank] = count - 1
            for rest in distinct_orders(left, size - 1):
                yield (rank, *rest)
            left[rank] = count


def ways_to(observed: int, states: Integers, orders: Integers) -> Counts:
    """Return how many orders of the last data set make |state + order|^2 at least `observed`.

    By |s|^2 + 2 s'o + |o|^2: a tenth of the time of forming the sums.
    """
    needed = observed - (states**2).sum(axis=1) - (orders[0] ** 2).sum()
    size = max(1, CHUNK // len(orders))
    found = [
        (2 * states[at : at + size] @ orders.T >= needed[at : at + size, None]).sum(axis=1)
        for at in range(0, len(states), size)
    ]
    return np.concatenate(found).astype(object)


def after_row(states: Integers, counts: Counts, orders: Integers) -> tuple[Integers, Counts]:
    """Return the states after one more data set with these orders of its ranks."""
    size = max(1, CHUNK // len(orders))
    chunks = range(0, len(states), size)
    parts = [
        merged_states(
            np.sort(states[at : at + size, None, :] + orders, axis=2).reshape(-1, orders.shape[1]),
            np.repeat(counts[at : at + size], len(orders)),
        )
        for at in chunks
    ]
    if len(parts) == 1:
        return parts[0]
    different, ways = zip(*parts, strict=True)
    return merged_states(np.concatenate(different), np.concatenate(ways))


def merged_states(states: Integers, counts: Counts) -> tuple[Integers, Counts]:
    """Return the different states with the sums of their counts."""
    order = np.lexsort(states.T)
    states, counts = states[order], counts[order]
    starts = np.flatnonzero(np.append(True, (states[1:] != states[:-1]).any(axis=1)))
    return states[starts], np.add.reduceat(counts, starts)
