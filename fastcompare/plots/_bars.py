"""The bars of a critical-difference diagram: one for each clique, in units of ranks.

A bar covers the ranks from its best member to its worst. Where a model between them is no member,
the bar is broken there: `solid` has its parts, `links` what joins them and stays clear of the
model.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from .._base.types import Vector

Span = tuple[float, float]


class Bar(NamedTuple):
    """Where a clique is drawn, and which models within its ranks are no members."""

    members: tuple[int, ...]
    others: tuple[int, ...]
    solid: tuple[Span, ...]
    links: tuple[Span, ...]

    @property
    def span(self) -> Span:
        """The ranks from end to end."""
        return self.solid[0][0], self.solid[-1][1]


def bars_of(cliques: Sequence[tuple[int, ...]], ranks: Vector, gap: float) -> list[Bar]:
    """Return the bars of cliques of two models and more, best first; `gap` is a small distance."""
    bars = [bar_of(clique, ranks, gap) for clique in cliques if len(clique) > 1]
    return sorted(bars, key=lambda bar: bar.span)


def bar_of(clique: tuple[int, ...], ranks: Vector, gap: float) -> Bar:
    """Return a clique's bar, from its first member to its last."""
    members = sorted(clique, key=lambda j: ranks[j])
    outside = np.setdiff1d(np.arange(ranks.size), members)
    low, high = ranks[members[0]], ranks[members[-1]]
    others = outside[(ranks[outside] >= low) & (ranks[outside] <= high)]
    runs = runs_of(ranks[members], ranks[others])
    solid = tuple(widened(run, ranks[outside], gap) for run in runs)
    between = [(a[1], b[0]) for a, b in pairwise(solid)]
    links = tuple(part for span in between for part in clear_of(span, ranks[others], gap))
    return Bar(tuple(members), tuple(others.tolist()), solid, links)


def runs_of(members: Vector, others: Vector) -> list[Span]:
    """Return the spans of ranks in which members follow each other with nobody between them."""
    runs = [[float(members[0])]]
    for previous, rank in pairwise(members):
        if rank > previous and ((others >= previous) & (others <= rank)).any():
            runs.append([])
        runs[-1].append(float(rank))
    return [(run[0], run[-1]) for run in runs]


def widened(run: Span, outside: Vector, gap: float) -> Span:
    """Return the span; that of one rank gets ends, which do not come near a model outside."""
    low, high = run
    if low < high:
        return run
    below, above = outside[outside <= low], outside[outside >= high]
    return (
        low - min(gap / 2, (low - below.max()) / 3 if below.size else gap),
        high + min(gap / 2, (above.min() - high) / 3 if above.size else gap),
    )


def clear_of(span: Span, others: Vector, gap: float) -> Iterator[Span]:
    """Yield the parts of a span that keep this distance from the others."""
    start, end = span
    for rank in np.sort(others[(others > start) & (others < end)]).tolist():
        if rank - gap > start:
            yield start, rank - gap
        start = max(start, rank + gap)
    if end > start:
        yield start, end


def levels_of(bars: Sequence[Bar], gap: float) -> list[int]:
    """Return a level for each bar, the first one on which it is this far from all before it."""
    ends: list[float] = []
    levels = []
    for bar in bars:
        start, end = bar.span
        level = next((i for i, last in enumerate(ends) if last + gap <= start), len(ends))
        ends[level : level + 1] = [end]
        levels.append(level)
    return levels
