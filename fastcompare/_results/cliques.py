"""Cliques: the maximal groups of models of which no two differ significantly.

A set of models is a Python integer: bit j says that model j is in it.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import invalid_value

Group = tuple[int, ...]
Cliques = tuple[Group, ...]
MOST_GROUPS = 10_000  # groups: nobody reads more, and 40 models can have 2,125,764


def models_in_cliques(differs: NDArray[np.bool_], average_ranks: NDArray[np.float64]) -> Cliques:
    """Return the groups of two models and more, by the models' indices, best first.

    `differs` (k, k) says which pairs differ significantly; each group begins with its best model.
    """
    return tuple(group for group in significance_groups(differs, average_ranks) if len(group) > 1)


def significance_groups(differs: NDArray[np.bool_], average_ranks: NDArray[np.float64]) -> Cliques:
    """Return the cliques, and models that differ from all others as groups of one."""
    order = np.argsort(average_ranks, kind="stable")
    ordered = differs[np.ix_(order, order)]
    adjacent = groups_of_adjacent_ranks(ordered)
    groups = sorted(maximal_cliques(ordered)) if adjacent is None else adjacent
    return tuple(tuple(order[list(group)].tolist()) for group in groups)


def groups_of_adjacent_ranks(ordered: NDArray[np.bool_]) -> list[Group] | None:
    """Return the cliques if each consists of models with adjacent ranks, else None.

    `ordered` (k, k) says which models differ, the models in the order of their ranks. With a
    critical difference cliques always are adjacent ranks; this takes quadratic time in any case.
    """
    k = len(ordered)
    differs_later = np.triu(ordered, 1)
    # The first later model that differs from each; past the last model where none does.
    ends = np.where(differs_later.any(axis=1), differs_later.argmax(axis=1), k)
    is_from_end_on = np.arange(k) >= ends[:, None]
    if not np.array_equal(differs_later, is_from_end_on) or np.any(np.diff(ends) < 0):
        return None
    is_largest = np.diff(ends, prepend=0) > 0
    return [tuple(range(i, ends[i])) for i in np.flatnonzero(is_largest).tolist()]


def maximal_cliques(differs: NDArray[np.bool_]) -> list[Group]:
    """Return all maximal cliques by the algorithm of Bron and Kerbosch 1973.

    doi:10.1145/362342.362367, with the pivot of Tomita et al. 2006: the model that does not differ
    from the most candidates.
    """
    packed = np.packbits(~differs, axis=1, bitorder="little")
    neighbours = [  # of each model: those that do not differ from it, without itself
        int.from_bytes(row.tobytes(), "little") & ~(1 << j) for j, row in enumerate(packed)
    ]
    cliques = []
    # members, models that may join them, and models that joined them in other branches
    branches = [(0, (1 << len(neighbours)) - 1, 0)]
    while branches:
        members, candidates, done = branches.pop()
        if not candidates | done:
            cliques.append(tuple(members_of(members)))
            check_group_count(len(cliques))
        if not candidates:
            continue
        pivot = max(
            members_of(candidates | done), key=lambda j: (candidates & neighbours[j]).bit_count()
        )
        for j in members_of(candidates & ~neighbours[pivot]):
            branches.append((members | 1 << j, candidates & neighbours[j], done & neighbours[j]))
            candidates ^= 1 << j
            done |= 1 << j
    return cliques


def members_of(models: int) -> Iterator[int]:
    """Yield the indices of the models in a set, which is an integer: its bits that are 1."""
    while models:
        yield (models & -models).bit_length() - 1
        models &= models - 1


def check_group_count(count: int) -> None:
    """Raise if there are more cliques than `MOST_GROUPS`."""
    if count > MOST_GROUPS:
        raise invalid_value(
            "cliques",
            f"are more than {MOST_GROUPS:,} groups of models that do not differ",
            end=": too many to show. Read `matrix('adjusted_pvalue')` instead, or choose a "
            "test with a critical difference.",
        )
