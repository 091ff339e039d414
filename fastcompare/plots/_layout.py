"""Where the parts of a critical-difference diagram lie, in em from its upper left corner.

CD = 1.25
|-------|
1   2   3   4      the axis of average ranks
+---+-+-+---+
| ======|=  |      a bar for each clique
A | |     C |
B-+ +-------D      names, the outermost first; half of them on each side
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .._base.types import Vector
from ._bars import Bar, bars_of, levels_of
from ._canvas import LINE, widest, width_of, wrapped

ROW, LEVEL = 1.5, 0.65  # from one name, from one bar to the next
PAD = 0.6  # between a name and the border, between a name and its line
LEAST, USUAL, MOST, PER_RANK = 12.0, 26.0, 60.0, 1.5  # lengths of the axis
CD_TEXT, CD_LINE, CD_HEIGHT = 1.0, 2.1, 2.2  # what is above the axis where there is a CD
AXIS, TICK, TICK_TEXT = 2.2, 0.4, 1.1
BARS, NAMES, NOTES = 0.9, 1.4, 1.6  # from what is above to the first of each
NOTE_SIZE = 0.85
BAR_GAP = 0.5
NAMED = 3  # groups that the note lists


@dataclass(frozen=True)
class Ranking:
    """Models with their average ranks, cliques (indices) and CD, for a diagram."""

    names: Sequence[str]
    ranks: Vector
    cliques: Sequence[tuple[int, ...]]
    critical_difference: float | None
    best: str
    control: str | None = None
    caption: str = ""
    single: bool = False  # whether all names stand on the left

    @property
    def k(self) -> int:
        """The number of models."""
        return self.ranks.size

    @property
    def cd(self) -> float:
        """The CD, 0 without one."""
        return self.critical_difference or 0.0

    @property
    def cd_text(self) -> str:
        """What is written above the bar of the CD."""
        return f"CD = {self.cd:.4g}"

    @cached_property
    def sides(self) -> tuple[list[int], list[int]]:
        """The models with names on the left and on the right, each the outermost first."""
        order = np.argsort(self.ranks, kind="stable").tolist()
        if self.best == "right":
            order.reverse()
        half = self.k if self.single else (self.k + 1) // 2
        return order[:half], order[half:][::-1]

    @cached_property
    def margins(self) -> tuple[float, float]:
        """The widths of the names on the left and on the right, with what is around them."""
        beside = 3 * PAD + self.number
        left, right = (widest(self.names[j] for j in side) + beside for side in self.sides)
        return left, (3 * PAD if self.single else right)

    @cached_property
    def numbers(self) -> list[str]:
        """The average ranks, as they are written."""
        return [f"{rank:.2f}" for rank in self.ranks.tolist()]

    @cached_property
    def number(self) -> float:
        """The width of an average rank."""
        return widest(self.numbers)

    def width(self, axis: float = 0.0) -> float:
        """Return the width of a diagram whose axis has this length, by default the usual one."""
        axis = axis or float(np.clip(PER_RANK * (self.k - 1), USUAL, MOST))
        left, right = self.margins
        beside = max(axis * self.cd / (self.k - 1), width_of(self.cd_text) if self.cd else 0.0)
        return left + max(axis + right, beside + PAD)

    @property
    def least_width(self) -> float:
        """The width of a diagram with the shortest axis."""
        return self.width(LEAST)


@dataclass(frozen=True)
class Layout:
    """A diagram of a given width."""

    ranking: Ranking
    width: float

    @cached_property
    def per_rank(self) -> float:
        """How far one rank is from the next."""
        ranking = self.ranking
        left, right = ranking.margins
        lengths = [(self.width - left - right) / (ranking.k - 1)]
        if ranking.cd:
            lengths.append((self.width - left - PAD) / ranking.cd)
        return min(lengths)

    @property
    def axis_ends(self) -> tuple[float, float]:
        """Where the axis begins and ends."""
        left = self.ranking.margins[0]
        return left, left + self.per_rank * (self.ranking.k - 1)

    def rank_at(self, x: float) -> float:
        """Return the rank that belongs to a distance from the left border."""
        from_end = (x - self.axis_ends[0]) / self.per_rank
        return 1.0 + from_end if self.ranking.best == "left" else self.ranking.k - from_end

    @property
    def axis(self) -> float:
        """How far down the axis is."""
        return AXIS + (CD_HEIGHT if self.ranking.cd else 0.0)

    @cached_property
    def bars(self) -> list[Bar]:
        """The bars of the cliques."""
        ranking = self.ranking
        return bars_of(ranking.cliques, ranking.ranks, BAR_GAP / self.per_rank)

    @cached_property
    def bar_heights(self) -> list[float]:
        """How far down each bar is."""
        levels = levels_of(self.bars, BAR_GAP / self.per_rank)
        return [self.axis + BARS + LEVEL * level for level in levels]

    def name_height(self, row: int) -> float:
        """Return how far down the names of a row are."""
        return max([self.axis, *self.bar_heights]) + NAMES + ROW * row

    @cached_property
    def notes(self) -> list[str]:
        """The lines of the note: what was tested, and what no bar can show."""
        ranking = self.ranking
        words = broken_note(self.bars, ranking.names)
        if ranking.control is not None:
            words = control_note(ranking.control, ranking.cliques[0])
        room = (self.width - 2 * PAD) / NOTE_SIZE
        return [*wrapped(ranking.caption, room), *wrapped(words, room)]

    def note_height(self, line: int) -> float:
        """Return how far down a line of the note is."""
        return self.name_height(len(self.ranking.sides[0]) - 1) + NOTES + NOTE_SIZE * LINE * line

    @property
    def height(self) -> float:
        """The height of the diagram."""
        last_name = self.name_height(len(self.ranking.sides[0]) - 1)
        return 2 * PAD + (self.note_height(len(self.notes) - 1) if self.notes else last_name)

    @property
    def ticks(self) -> tuple[list[int], list[int]]:
        """The ranks with a tick, and those whose number is written: as many as there is room."""
        k = self.ranking.k
        room = (width_of(str(k)) + 0.8) / self.per_rank
        step = next((s for s in (1, 2, 5) if s >= room), 10 * max(1, round(room / 10 + 0.5)))
        inner = [r for r in range(step, k, step) if r - 1 >= room and k - r >= room]
        return list(range(1, k + 1)), [1, *inner, k]


def control_note(control: str, group: tuple[int, ...]) -> str:
    """Return the note on the bar where only pairs with a control are tested."""
    if len(group) == 1:
        return f"All models differ significantly from {control}."
    return f"The bar joins {control} with the models that do not differ significantly from it."


def broken_note(bars: Sequence[Bar], names: Sequence[str]) -> str:
    """Return which groups have a model between them that is none of theirs; empty without any."""
    broken = [bar for bar in bars if bar.others]
    if not broken:
        return ""
    groups = [
        f"{listed(names, bar.members)} leave out {listed(names, bar.others)}"
        for bar in broken[:NAMED]
    ]
    more = f"; and {len(broken) - NAMED} more" if len(broken) > NAMED else ""
    return (
        "A broken bar leaves out models that differ significantly from one of its group: "
        f"{'; '.join(groups)}{more}."
    )


def listed(names: Sequence[str], chosen: Sequence[int]) -> str:
    """Return some names in a row."""
    *most, last = (names[j] for j in chosen)
    return f"{', '.join(most)} and {last}" if most else last
