"""A leaderboard: the mean of each model with its interval, and the ranks that the data leave.

        name |  --o--    | rank  letters

Rows lie from the best model down; sizes are in em from the upper left corner.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.types import Vector
from .._inputs.rankings import as_board, check_axes
from ._canvas import LITERAL, cleaned, font_size, new_axes, size_of, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, PAD = 1.5, 0.8
LEAST, USUAL = 11.0, 26.0  # widths of the part with intervals
HEAD, FOOT = 1.6, 3.6  # above the first row, below the last one
TICK, TICK_TEXT, LABEL = 0.35, 1.1, 2.4  # below the axis
THIN, THICK = 0.07, 0.14  # widths of lines
DOT = 0.55


@dataclass(frozen=True)
class Board:
    """Names, means, ends of intervals, and the two columns of text on the right."""

    names: list[str]
    means: Vector
    low: Vector
    high: Vector
    ranks: list[str]
    letters: list[str]

    @cached_property
    def columns(self) -> tuple[float, float, float]:
        """The widths of the names, the ranks and the letters, with what is around them."""
        ranks = widest([*self.ranks, "rank"]) + PAD
        letters = widest(self.letters) + PAD if any(self.letters) else 0.0
        return widest(self.names) + 2.0 * PAD, ranks, letters

    def width(self, middle: float = USUAL) -> float:
        """Return the width of a picture whose intervals have so much room."""
        return sum(self.columns) + middle + PAD

    @property
    def height(self) -> float:
        """The height of the picture."""
        return HEAD + ROW * len(self.names) + FOOT

    @cached_property
    def span(self) -> tuple[float, float]:
        """The lowest and the highest number that is drawn."""
        ends = np.concatenate((self.means, self.low, self.high))
        low, high = float(ends[np.isfinite(ends)].min()), float(ends[np.isfinite(ends)].max())
        room = 0.04 * (high - low) or 0.5
        return low - room, high + room


def leaderboard(result: Any, *, ax: "Axes | None" = None, confidence_level: float = 0.95) -> "Axes":
    """Draw the means of models with their intervals, and write the ranks that the data leave.

    Intervals of two models that differ may overlap: which are above which is said by the ranks,
    which hold together, and by the letters. Models that share a letter do not differ.

    Parameters
    ----------
    result : LeaderboardResult
        Of `fastcompare.leaderboard`.
    ax : matplotlib Axes, optional
        Where to draw; the font shrinks until all fits. By default a new figure, large enough for
        the number of models and the lengths of their names.
    confidence_level : float, default=0.95
        Of the intervals.

    Returns
    -------
    matplotlib Axes
        Its x and y values are multiples of the size of the font.

    See Also
    --------
    critical_difference : Average ranks over data sets.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.leaderboard({"a": [1, 0, 1, 1, 0, 1], "b": [0, 0, 1, 0, 0, 1]})
    >>> ax = fc.plots.leaderboard(result)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    found = as_board(result)
    low, high = result.confidence_interval(confidence_level)
    board = Board(
        cleaned(found.names),
        found.means,
        np.where(np.isnan(low), found.means, low),
        np.where(np.isnan(high), found.means, high),
        [f"{a}" if a == b else f"{a}\u2013{b}" for a, b in zip(*found.ranks, strict=True)],
        list(found.letters),
    )
    if ax is None:
        ax = new_axes(board.width(), board.height)
    em, middle = fitted(board, *size_of(ax))
    width, height = (side / em for side in size_of(ax))
    ax.set(xlim=(0.0, width), ylim=(-height, 0.0))
    ax.set_axis_off()
    draw_scale(ax, board, middle, em)
    draw_rows(ax, board, middle, em)
    return ax


def fitted(board: Board, width: float, height: float) -> tuple[float, float]:
    """Return the size of the font in points, and the room for intervals in em."""
    em = min(font_size(), width / board.width(LEAST), height / board.height)
    return em, width / em - board.width(0.0)


def place(board: Board, value: Any, middle: float) -> Any:
    """Return how far right a number is; infinite ones are at the border."""
    low, high = board.span
    return board.columns[0] + np.clip((value - low) / (high - low), 0.0, 1.0) * middle


def draw_scale(ax: "Axes", board: Board, middle: float, em: float) -> None:
    """Draw the axis of means below the rows, and the head of the ranks above them."""
    from matplotlib.ticker import MaxNLocator

    low, high = board.span
    down = -(HEAD + ROW * len(board.names))
    locator = MaxNLocator(max(2, int(middle / 4.0)), steps=[1, 2, 5, 10])
    marks: Vector = np.asarray(locator.tick_values(low, high))
    marks = marks[(marks >= low) & (marks <= high)]
    digits = max(0, -math.floor(math.log10(marks[1] - marks[0]) + 1e-9)) if marks.size > 1 else 2
    at = place(board, marks, middle)
    ends = place(board, np.array([low, high]), middle)
    ax.plot(ends, [down, down], color="black", linewidth=THIN * em)
    ax.vlines(at, down - TICK, down, color="black", linewidth=THIN * em)
    ax.vlines(at, down, -HEAD, color="0.9", linewidth=THIN * em, zorder=0)
    for x, mark in zip(at.tolist(), marks.tolist(), strict=True):
        text(ax, x, -down + TICK_TEXT, f"{mark:.{digits}f}", em, "center")
    text(ax, float(ends.mean()), -down + LABEL, "mean score", em, "center")
    text(ax, board.columns[0] + middle + PAD, 0.5 * HEAD, "rank", em, "left")


def draw_rows(ax: "Axes", board: Board, middle: float, em: float) -> None:
    """Draw each model's name, interval, mean, ranks and letters."""
    names, ranks, _ = board.columns
    low, mean, high = (place(board, x, middle) for x in (board.low, board.means, board.high))
    for j, name in enumerate(board.names):
        down = HEAD + ROW * (j + 0.5)
        text(ax, names - PAD, down, name, em, "right")
        ax.plot(
            [low[j], high[j]], [-down] * 2, color="black", linewidth=THICK * em, gid=f"model {j}"
        )
        ax.plot(mean[j], -down, "o", color="black", markersize=DOT * em, markeredgewidth=0.0)
        text(ax, names + middle + PAD, down, board.ranks[j], em, "left")
        text(ax, names + middle + PAD + ranks, down, board.letters[j], em, "left")


def text(ax: "Axes", x: float, down: float, words: str, em: float, side: Any) -> None:
    """Write words whose middle is so many em down."""
    ax.text(x, -down, words, fontsize=em, ha=side, va="center_baseline", **LITERAL)
