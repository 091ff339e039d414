"""Cliques: the largest groups of models of which no two differ significantly.

A set of models is a Python integer: bit j says that model j is in it.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError

Group = tuple[int, ...]
Cliques = tuple[Group, ...]
MOST = 10_000  # groups: nobody reads more, and 40 models can have 2,125,764


def cliques_of(apart: NDArray[np.bool_], average_ranks: NDArray[np.float64]) -> Cliques:
    """Return the groups of two models and more, by the models' indices, best first.

    `apart` (k, k) says which pairs differ significantly; each group begins with its best model.
    """
    return tuple(group for group in groups_of(apart, average_ranks) if len(group) > 1)


def groups_of(apart: NDArray[np.bool_], average_ranks: NDArray[np.float64]) -> Cliques:
    """Return the cliques, and models that differ from all others as groups of one."""
    order = np.argsort(average_ranks, kind="stable")
    ordered = apart[np.ix_(order, order)]
    found = intervals(ordered)
    groups = sorted(maximal_cliques(ordered)) if found is None else found
    return tuple(tuple(order[list(group)].tolist()) for group in groups)


def intervals(ordered: NDArray[np.bool_]) -> list[Group] | None:
    """Return the groups if each is an interval of ranks, else None.

    With a critical difference they always are, and this takes quadratic time whatever they are.
    """
    later = np.triu(ordered, 1)
    # The first later model that differs from each; past the last model where none does.
    ends = np.where(later.any(axis=1), later.argmax(axis=1), len(later))
    after = np.arange(len(later)) >= ends[:, None]
    if not np.array_equal(later, after) or np.any(np.diff(ends) < 0):
        return None
    is_largest = np.diff(ends, prepend=0) > 0
    return [tuple(range(i, ends[i])) for i in np.flatnonzero(is_largest).tolist()]


def maximal_cliques(apart: NDArray[np.bool_]) -> list[Group]:
    """Return the groups in general: Bron and Kerbosch 1973, doi:10.1145/362342.362367.

    With the pivot of Tomita et al. 2006: whoever is like most candidates.
    """
    alike = [bits_set(row) & ~(1 << j) for j, row in enumerate(~apart)]
    found = []
    branches = [(0, (1 << len(alike)) - 1, 0)]  # members, who may join, who did in other branches
    while branches:
        members, candidates, done = branches.pop()
        if not candidates | done:
            found.append(tuple(bits(members)))
            check_number(len(found))
        if not candidates:
            continue
        pivot = max(bits(candidates | done), key=lambda j: (candidates & alike[j]).bit_count())
        for j in bits(candidates & ~alike[pivot]):
            branches.append((members | 1 << j, candidates & alike[j], done & alike[j]))
            candidates ^= 1 << j
            done |= 1 << j
    return found


def bits_set(row: NDArray[np.bool_]) -> int:
    """Return the set of the models whose value is True."""
    return int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")


def bits(models: int) -> Iterator[int]:
    """Yield the models of a set."""
    while models:
        yield (models & -models).bit_length() - 1
        models &= models - 1


def check_number(count: int) -> None:
    """Raise if the groups are too many."""
    if count > MOST:
        raise InvalidValueError(
            f"`cliques` are more than {MOST:,} groups of models that do not differ: too many to "
            "show. Read `matrix('adjusted_pvalue')` instead, or choose a test with a critical "
            "difference."
        )
