"""Whether battles have a finite estimate, and which models keep them from it.

Ford (1957), doi:10.2307/2308513: strengths are finite exactly if every model leads to every other
by wins, a tie leading both ways. The parameters of ties and of the order can be infinite even then:
of a win and a tie, without a loss, the strength and nu grow together. In general an exponential
family has a finite, unique estimate exactly if no direction z of its parameters leaves all observed
outcomes the likeliest ones, that is

    (c_o - c_o') z >= 0   for every observed outcome o and every other one o' of its battle

only for z = 0, where c_o is what outcome o counts for the parameters.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.memory import reserve
from ..._base.types import Integers
from ..._inputs.battles import LOST, TIED, WON, Design
from ...kernels.battles import number_components
from .battle_model import Counts, Family

Flags = NDArray[np.bool_]
Groups = tuple[tuple[int, ...], ...]
Row = tuple[float, float, float, float]
KINDS = (WON, LOST, TIED)
COUNTED = {WON: (0.5, 0.0), LOST: (-0.5, 0.0), TIED: (0.0, 1.0)}  # for x and log nu
NOTHING = 1e-7  # the precision of a linear programme
LISTED = 5  # models that a message names


class Graph(NamedTuple):
    """The groups of models that lead to each other, and which groups (g, g) lead to which.

    `parts` (g,) numbers what no battle joins.
    """

    groups: Groups
    leads: Flags
    parts: Integers

    @property
    def connected(self) -> bool:
        """Whether all models lead to each other."""
        return len(self.groups) == 1

    def told(self, names: tuple[str, ...]) -> str:
        """Return who is apart from the others, for a warning; "" if nobody is."""
        if self.connected:
            return ""
        if self.parts.any():
            parts = [self._named(self.parts == part, names) for part in np.unique(self.parts)]
            return f" (no battle joins {' and '.join(parts)})"
        above, below = (self._named(self.leads.sum(axis=i) == 0, names) for i in (0, 1))
        rest = "against the others"
        return f" ({above} never lost or tied {rest}, {below} never won or tied {rest})"

    def _named(self, chosen: Flags, names: tuple[str, ...]) -> str:
        return listed([names[j] for g in np.flatnonzero(chosen) for j in self.groups[g]])


def listed(names: Sequence[str]) -> str:
    """Return the names of models, not too many of them."""
    told = ", ".join(names[:LISTED])
    return f"{{{told}, …}}" if len(names) > LISTED else f"{{{told}}}"


def graph_of(counts: Counts) -> Graph:
    """Return who leads to whom by wins and ties."""
    edges = (counts.wins + counts.tied + counts.tied.T) > 0.0
    labels = components_of(edges)
    if not labels.any():
        return Graph((tuple(range(len(labels))),), np.zeros((1, 1), bool), np.zeros(1, np.int64))
    found, first = np.unique(labels, return_index=True)
    member = (labels == found[:, None]).astype(np.float64)
    leads = (member @ edges @ member.T) > 0.0
    np.fill_diagonal(leads, False)
    for g in range(len(leads)):  # groups that this one leads to come before it
        leads[g] |= leads[leads[g]].any(axis=0)
    order = np.argsort(first)
    groups = tuple(tuple(np.flatnonzero(labels == g).tolist()) for g in order)
    parts = components_of(edges | edges.T)[first[order]]
    return Graph(groups, leads[np.ix_(order, order)], parts)


def components_of(edges: Flags) -> Integers:
    """Return the number of the group that each model belongs to."""
    k = len(edges)
    reserve((k, k))
    labels, found = np.full(k, -1), np.full(k, -1)
    low, stack, path = np.zeros((3, k), np.int64)
    number_components(
        edges.astype(np.uint8), found, low, stack, path, np.zeros(k, np.int64), labels
    )
    return labels


def has_estimate(counts: Counts, design: Design, family: Family) -> bool:
    """Return whether models that lead to each other have a finite, unique estimate."""
    if not (family.ties or family.order):
        return True
    return is_plain(counts, design, family) or Directions.of(counts, design, family).are_bounded()


def is_plain(counts: Counts, design: Design, family: Family) -> bool:
    """Return whether two or three models alone bound the parameters besides the strengths.

    Wins in a circle bound nu from above; any tie does so from below, and the strengths need no
    more. If most of the winners in a circle were shown second, they bound d from above, shown first
    from below.
    """
    if family.ties and not in_circle(counts.wins > 0.0, counts.wins > 0.0):
        return False
    half = counts.tied if design.ties == "half" else np.zeros_like(counts.tied)
    as_first, as_second = counts.won + half > 0.0, (counts.lost + half).T > 0.0
    return not family.order or (in_circle(as_first, as_second) and in_circle(as_second, as_first))


def in_circle(most: Flags, rest: Flags) -> bool:
    """Return whether two edges of `most` are a circle, or are so with one of `rest` or `most`."""
    known = most.astype(np.float64)
    return both_ways(most) or bool(((known @ known > 0.0) & (most | rest).T).any())


def both_ways(edges: Flags) -> bool:
    """Return whether two models lead to each other."""
    return bool((edges & edges.T).any())


class Directions(NamedTuple):
    """The rows c_o - c_o' of all observed outcomes, less the parameter of the first strength."""

    rows: Any

    @classmethod
    def of(cls, counts: Counts, design: Design, family: Family) -> "Directions":
        """Return the rows as a sparse array."""
        from scipy.sparse import csr_array

        entries = [
            (row, np.stack([first, second, np.full_like(first, -2), np.full_like(first, -1)], 1))
            for outcome, table in zip(KINDS, counts, strict=True)
            for first, second in [np.nonzero(table)]
            for row in compared(outcome, design, family)
        ]
        values = np.concatenate([np.tile(row, (len(at), 1)) for row, at in entries])
        columns = np.concatenate([at for _, at in entries]) % (family.k + 2)
        starts = np.arange(0, values.size + 1, 4)
        shape = len(values), family.k + 2
        every = csr_array((values.ravel(), columns.ravel(), starts), shape=shape)
        return cls(every[:, family.chosen[1:]])

    def are_bounded(self) -> bool:
        """Return whether no direction has only products of at least 0, but that of none.

        A linear programme finds the direction with the largest sum of products.
        """
        from scipy.optimize import linprog

        limits, gain = np.zeros(self.rows.shape[0]), self.rows.sum(axis=0)
        found = linprog(-gain, A_ub=-self.rows, b_ub=limits, bounds=(-1.0, 1.0))
        products = (self.rows.T @ self.rows).toarray()
        return -float(found.fun) <= NOTHING and float(np.linalg.eigvalsh(products)[0]) > NOTHING


def compared(outcome: int, design: Design, family: Family) -> list[Row]:
    """Return c_o - c_o' for both models' strengths, log nu and d, for each other outcome."""
    x, tie = COUNTED[outcome]
    others = [COUNTED[kind] for kind in KINDS[: 3 if family.ties else 2] if kind != outcome]
    gaps = [(x - x_other, tie - tie_other) for x_other, tie_other in others]
    return [(dx, -dx, dt if family.ties else 0.0, dx) for dx, dt in gaps]
