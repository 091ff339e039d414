"""Axes of charts with room for their labels, and legends below them that never cover a curve.

Charts have numbers on both axes, and a legend of names with numbers, which may be long: one in each
line, or where the picture is narrow its numbers below the name.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ._canvas import LINE, LITERAL, POINTS, font_size, new_axes, size_of, widest, width_of
from ._theme import dressed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEFT, BELOW, EDGE = 5.6, 3.6, 1.2  # em: room for labels, and on the other sides
WIDTH, HEIGHT = 28.0, 21.0  # em of the axes of new figures
HANDLE, BETWEEN = 3.2, 2.0  # em: what stands before a text of the legend, between its columns
SPACE = 0.35  # em between entries
ONE_LINE = 0.75  # of the user's font: the smallest at which numbers stay beside their names
LEAST_SHARE = 0.35  # of the height of given axes: what a legend leaves


@dataclass(frozen=True)
class Key:
    """A legend that fits `room` em: names, numbers that belong to them, and a title."""

    names: Sequence[str]
    details: Sequence[str]
    title: str
    room: float
    tallest: float = math.inf

    @cached_property
    def narrow(self) -> bool:
        """Whether the numbers stand below their names."""
        whole = widest(self.joined("  ")) + HANDLE
        return any(self.details) and ONE_LINE * whole > self.room

    def joined(self, between: str) -> list[str]:
        """Return names and numbers in one text each."""
        both = zip(self.names, self.details, strict=True)
        return [between.join(filter(None, texts)) for texts in both]

    @cached_property
    def labels(self) -> list[str]:
        """The texts of the entries."""
        return self.joined("\n" if self.narrow else "  ")

    @cached_property
    def widest(self) -> float:
        """The width of an entry."""
        lines = [line for label in self.labels for line in label.split("\n")]
        return max(widest(lines) + HANDLE, widest([self.title]))

    @property
    def columns(self) -> int:
        """How many entries stand beside each other."""
        return max(1, min(len(self.names), int((self.room + BETWEEN) / (self.widest + BETWEEN))))

    @property
    def lines(self) -> float:
        """The height in em of its own font."""
        rows = math.ceil(len(self.names) / self.columns)
        heads = (LINE + SPACE) * bool(self.title)
        return rows * (LINE * (1 + self.narrow) + SPACE) + heads + 0.6

    @property
    def scale(self) -> float:
        """The size of the font, as a share of the user's."""
        return min(1.0, self.room / self.widest, self.tallest / self.lines)

    @property
    def height(self) -> float:
        """The height in em of the user's font."""
        return self.scale * self.lines


def charted(
    ax: "Axes | None",
    key: Key | None,
    width: float = WIDTH,
    height: float = HEIGHT,
    left: float = LEFT,
) -> "Axes":
    """Return axes with room below for a key: new ones of this size in em, or given ones.

    Given axes become smaller, unless a layout engine of their figure makes room by itself.
    """
    below = BELOW + (key.height if key else 0.0)
    if ax is None:
        whole = left + width + EDGE, below + height + EDGE
        ax = new_axes(*whole)
        ax.set_position((left / whole[0], below / whole[1], width / whole[0], height / whole[1]))
    elif ax.figure.get_layout_engine() is None:
        lift(ax, below, left)
    return dressed(ax)


def lift(ax: "Axes", below: float, room: float) -> None:
    """Make given axes smaller: so many em below them, and left of them room for labels."""
    em, box = font_size(), ax.get_position()
    height = size_of_figure(ax)[1]
    spec = ax.get_subplotspec()
    lowest = spec is None or spec.is_last_row()
    free = box.y0 * height if lowest else BELOW * em  # other axes begin where labels end
    bottom = box.y0 + max(0.0, below * em - free) / height
    bottom = min(bottom, box.y1 - LEAST_SHARE * box.height)
    left = left_end(ax, room)
    ax.set_position((left, bottom, box.x1 - left, box.y1 - bottom))


def size_of_figure(ax: "Axes") -> tuple[float, float]:
    """Return the width and height of the figure of axes, in points."""
    width, height = (float(side) / ax.figure.dpi * POINTS for side in ax.figure.bbox.size)
    return width, height


def left_end(ax: "Axes", room: float = LEFT) -> float:
    """Return where given axes begin, as a share of the figure, so that labels have room."""
    spec, box = ax.get_subplotspec(), ax.get_position()
    if ax.figure.get_layout_engine() or not (spec is None or spec.is_first_col()):
        return float(box.x0)
    width = size_of_figure(ax)[0]
    return float(min(max(box.x0, room * font_size() / width), box.x1 - LEAST_SHARE * box.width))


def key_for(
    ax: "Axes | None",
    names: Sequence[str],
    details: Sequence[str],
    title: str = "",
    *,
    width: float = WIDTH,
) -> Key:
    """Return the key for axes: as wide as these with their labels, and not too high for them."""
    if ax is None:
        return Key(names, details, title, LEFT + width - EDGE)
    em, (across, down) = font_size(), size_of(ax)
    box = ax.get_position()
    across *= (box.x1 - left_end(ax)) / box.width
    most = (1.0 - LEAST_SHARE) * down + box.y0 * down / box.height - BELOW * em
    return Key(names, details, title, across / em + reach(ax), max(most / em, 1.0))


def reach(ax: "Axes") -> float:
    """Return how many em left of axes a key begins: less where other axes are there."""
    spec = ax.get_subplotspec()
    return LEFT - EDGE if spec is None or spec.is_first_col() else BETWEEN


def below_axes(ax: "Axes", left: float, down: float) -> Mapping[str, Any]:
    """Return where a legend stands, so many points left of the axes' corner and below it."""
    from matplotlib.transforms import ScaledTranslation

    shift = ScaledTranslation(-left / POINTS, -down / POINTS, ax.figure.dpi_scale_trans)
    place = {"loc": "upper left", "bbox_to_anchor": (0.0, 0.0), "borderaxespad": 0.0}
    return {**place, "bbox_transform": ax.transAxes + shift}


def draw_key(ax: "Axes", key: Key, handles: Sequence[Any]) -> None:
    """Write the key below the axes, and labels of these no longer than they are."""
    em, (width, height) = font_size(), size_of(ax)
    for axis, side in ((ax.xaxis, width), (ax.yaxis, height)):
        longest = width_of(axis.label.get_text()) * em
        axis.label.set_fontsize(em * min(1.0, side / longest) if longest else em)
    legend = ax.legend(
        list(handles),
        key.labels,
        title=key.title or None,
        **below_axes(ax, reach(ax) * em, BELOW * em),
        borderpad=0.1,
        fontsize=key.scale * em,
        title_fontsize=key.scale * em,
        ncols=key.columns,
        columnspacing=BETWEEN,
        labelspacing=SPACE,
        handlelength=HANDLE - 1.0,
        alignment="left",
        frameon=False,
    )
    for text in [*legend.get_texts(), legend.get_title()]:
        text.set(**LITERAL)
