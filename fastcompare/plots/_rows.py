"""Rows with an interval each, between names and columns of text: forests and leaderboards.

        name |  --o--    | text  text

Where that is too wide to read, names stand above their intervals. Rows lie from the first one
down; sizes are in em from the upper left corner.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.types import Vector
from .._inputs.costs import check_drawn
from ._canvas import (
    LINE,
    LITERAL,
    READABLE,
    font_size,
    new_axes,
    size_of,
    widest,
    width_of,
    wrapped,
)
from ._theme import ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, PAD = 1.5, 0.8
BELOW_NAME = 0.35  # between a name and the interval below it
LEAST, USUAL = 11.0, 26.0  # widths of the part with intervals
HEAD, FOOT = 1.6, 3.6  # above the first row, below the last one
TICK, TICK_TEXT, LABEL = 0.35, 1.1, 2.4  # below the axis
THIN, THICK = 0.07, 0.14  # widths of lines
DOT = 0.55
GRID, AIR = "0.9", 0.04  # of the range of the numbers: air at both ends


@dataclass(frozen=True)
class Rows:
    """Names (in parts that belong together), estimates with intervals, columns of text.

    A column is its head and a text for each row; lines go down at `null` and, broken, at `marks`.
    """

    names: Sequence[tuple[str, ...]]
    middle: Vector
    low: Vector
    high: Vector
    columns: Sequence[tuple[str, Sequence[str]]]
    label: str
    null: float | None = None
    marks: tuple[float, ...] = ()
    stacked: bool = False
    statement: str = ""  # below the axis, in as many lines as it takes

    @cached_property
    def beside(self) -> list[float]:
        """The widths of the columns of text, each with the space before it."""
        return [widest([head, *texts]) + PAD for head, texts in self.columns]

    @cached_property
    def lines(self) -> list[tuple[str, ...]]:
        """The lines of each name: one, or where it stands above its interval one a part."""
        whole = [" ".join(parts) for parts in self.names]
        if not self.stacked or widest(whole) <= LEAST + sum(self.beside):
            return [(name,) for name in whole]
        return list(self.names)

    @cached_property
    def left(self) -> float:
        """Where intervals may begin."""
        names = widest(line for lines in self.lines for line in lines)
        return PAD if self.stacked else names + 2.0 * PAD

    def width(self, middle: float = USUAL) -> float:
        """Return the width of a picture whose intervals have so much room."""
        whole = self.left + sum(self.beside) + middle + PAD
        if self.stacked:
            names = widest(line for lines in self.lines for line in lines)
            return max(whole, names + 2.0 * PAD)
        return whole

    @cached_property
    def row(self) -> float:
        """The height of a row."""
        return ROW + (LINE * max(map(len, self.lines)) + BELOW_NAME if self.stacked else 0.0)

    @property
    def foot(self) -> float:
        """How far down the axis is."""
        return HEAD + self.row * len(self.names)

    @property
    def height(self) -> float:
        """The height of the picture."""
        lines = len(self.told(self.width(LEAST))) if self.statement else 0
        return self.foot + FOOT + LINE * lines

    def told(self, width: float) -> list[str]:
        """Return the lines of the statement in a picture of this width."""
        return wrapped(self.statement, width - 2.0 * PAD) if self.statement else []

    @cached_property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest number that is drawn."""
        lines = [] if self.null is None else [self.null]
        ends = np.concatenate((self.middle, self.low, self.high, lines, self.marks))
        ends = ends[np.isfinite(ends)]
        low, high = (float(ends.min()), float(ends.max())) if ends.size else (0.0, 0.0)
        room = AIR * (high - low) or 0.5
        return low - room, high + room

    def scale(self, width: float, height: float) -> float:
        """Return the largest font, in points, with which the picture fits so many points."""
        return min(font_size(), width / self.width(LEAST), height / self.height)


def draw_rows(rows: Rows, ax: "Axes | None") -> "Axes":
    """Draw rows, on new axes if there are none, and return the axes."""
    check_drawn(len(rows.names))
    if ax is None:
        ax = new_axes(rows.width(), rows.height)
    width, height = size_of(ax)
    em, above = rows.scale(width, height), replace(rows, stacked=True)
    if em < READABLE and above.scale(width, height) > em:
        rows, em = above, above.scale(width, height)
    ax.set(xlim=(0.0, width / em), ylim=(-height / em, 0.0))
    ax.set_axis_off()
    room = width / em - rows.left - sum(rows.beside) - PAD
    draw_scale(ax, rows, room, em)
    draw_texts(ax, rows, room, em)
    draw_intervals(ax, rows, room, em)
    return ax


def place(rows: Rows, value: Any, room: float) -> Any:
    """Return how far right a number is; infinite ones are at the border."""
    low, high = rows.span
    return rows.left + np.clip((value - low) / (high - low), 0.0, 1.0) * room


def draw_scale(ax: "Axes", rows: Rows, room: float, em: float) -> None:
    """Draw the axis of numbers below the rows, and the lines that go down from their heads."""
    from matplotlib.ticker import MaxNLocator

    low, high = rows.span
    down, color = -rows.foot, ink()
    locator = MaxNLocator(max(2, int(room / 4.0)), steps=[1, 2, 5, 10])
    marks: Vector = np.asarray(locator.tick_values(low, high))
    marks = marks[(marks >= low) & (marks <= high)]
    digits = max(0, -math.floor(math.log10(marks[1] - marks[0]) + 1e-9)) if marks.size > 1 else 2
    at = place(rows, marks, room)
    ends = place(rows, np.array([low, high]), room)
    ax.plot(ends, [down, down], color=color, linewidth=THIN * em)
    ax.vlines(at, down - TICK, down, color=color, linewidth=THIN * em)
    ax.vlines(at, down, -HEAD, color=GRID, linewidth=THIN * em, zorder=0)
    if rows.null is not None:
        x = place(rows, rows.null, room)
        ax.plot([x, x], [down, -HEAD], color=color, linewidth=THIN * em, gid="null", zorder=1)
    for j, mark in enumerate(rows.marks):
        x = place(rows, mark, room)
        broken = ax.plot([x, x], [down, -HEAD], color=color, linewidth=THIN * em, zorder=1)
        broken[0].set(linestyle=(0, (5, 3)), gid=f"margin {j}")
    for x, mark in zip(at.tolist(), marks.tolist(), strict=True):
        words = f"{mark:.{digits}f}".replace("-", "\u2212")
        text(ax, (x, -down + TICK_TEXT), words, em, "center")
    middle = float(ends.mean())
    half = 0.5 * width_of(rows.label) + PAD
    middle = max(half, min(middle, ax.get_xlim()[1] - half))
    text(ax, (middle, -down + LABEL), rows.label, em, "center")
    for j, line in enumerate(rows.told(ax.get_xlim()[1])):
        text(ax, (PAD, -down + LABEL + LINE * (j + 1.1)), line, em, "left")


def draw_texts(ax: "Axes", rows: Rows, room: float, em: float) -> None:
    """Write the names, the columns and their heads."""
    base = 0.5 * ROW  # from the lower end of a row up to its interval
    for j, lines in enumerate(rows.lines):
        top, middle = HEAD + rows.row * j, HEAD + rows.row * (j + 1) - base
        if rows.stacked:
            for i, line in enumerate(lines):
                text(ax, (PAD, top + LINE * (i + 0.5) + BELOW_NAME), line, em, "left", clear=True)
        else:
            text(ax, (rows.left - PAD, middle), lines[0], em, "right")
    x = rows.left + room + PAD
    for (head, texts), width in zip(rows.columns, rows.beside, strict=True):
        text(ax, (x, 0.5 * HEAD), head, em, "left")
        for j, words in enumerate(texts):
            text(ax, (x, HEAD + rows.row * (j + 1) - base), words, em, "left")
        x += width


def draw_intervals(ax: "Axes", rows: Rows, room: float, em: float) -> None:
    """Draw each interval with its estimate; an arrow where it goes on."""
    low, middle, high = (place(rows, x, room) for x in (rows.low, rows.middle, rows.high))
    style = {"color": ink(), "markeredgewidth": 0.0}
    for j in range(len(rows.names)):
        y = -(HEAD + rows.row * (j + 1) - 0.5 * ROW)
        ax.plot([low[j], high[j]], [y, y], linewidth=THICK * em, gid=f"model {j}", color=ink())
        ax.plot(middle[j], y, "o", markersize=DOT * em, **style)
        for end, marker, x in ((rows.low[j], "<", low[j]), (rows.high[j], ">", high[j])):
            if math.isinf(end):
                ax.plot(x, y, marker, markersize=DOT * em, gid=f"open {j} {marker}", **style)


def text(
    ax: "Axes", at: tuple[float, float], words: str, em: float, side: Any, clear: bool = False
) -> None:
    """Write words whose middle is so many em down, perhaps over lines that they hide."""
    style: Any = {"fontsize": em, "ha": side, "va": "center_baseline", **LITERAL}
    if clear:
        style["bbox"] = {"facecolor": ax.get_facecolor(), "linewidth": 0, "pad": 0.3}
    ax.text(at[0], -at[1], words, **style)
