"""What all pictures share: style, axes of the right size, widths of texts, legends below charts.

Sizes are in em, the size of the font, until something is drawn; an inch has 72 points. Colours are
Okabe and Ito's [1]_, from the darkest on; each line has its own dashes and marker besides, so that
curves differ in grey, too. Legends never cover a curve: they have one name with its numbers in each
line, or where the picture is narrow the numbers below the name.

.. [1] M. Okabe, K. Ito (2008), https://jfly.uni-koeln.de/color/
"""

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .._base.text import clean
from .._inputs.options import check_flag
from .._inputs.scores import UNNAMED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 72.0  # in an inch
LARGEST = 200.0  # inches: past 2^16 pixels matplotlib draws nothing
LITERAL: Mapping[str, Any] = {"parse_math": False, "usetex": False}  # of every text with names
REFERENCE = 10.0  # points: the size of font at which widths are measured
SLACK = 1.04  # fonts fit to pixels get up to 3% wider
LINE = 1.25  # em: from one line of a text to the next
READABLE = 7.0  # points: below it, pictures look for another layout


def matplotlib() -> Any:
    """Return the matplotlib module, or raise with the pip line."""
    try:
        import matplotlib as module
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'fastcompare[plot]'.") from error
    return module


def font_size() -> float:
    """Return the size of the user's font in points."""
    return float(matplotlib().rcParams["font.size"])


def new_axes(
    width: float, height: float, inside: tuple[float, float, float, float] | None = None
) -> "Axes":
    """Return the axes of a new figure of this size in em.

    They fill the figure, or the rectangle `inside` it: left, bottom, width, height.
    """
    em = font_size() / POINTS
    size = min(width * em, LARGEST), min(height * em, LARGEST)
    from matplotlib import pyplot

    x, below, across, up = inside or (0.0, 0.0, width, height)
    place = x / width, below / height, across / width, up / height
    axes: Axes = pyplot.figure(figsize=size).add_axes(place)
    return axes


ROW, ROW_WIDTH, ROW_PAD = 2.0, 30.0, 1.5  # em of a row below its like, and around names


def axes_of_rows(names: Sequence[str], below: float, above: float) -> "Axes":
    """Return the axes of a new figure that has a row for each name, with room for the names.

    `below` and `above` are em below and above the rows.
    """
    name_width = widest(names) + ROW_PAD
    down = ROW * len(names)
    inside = name_width, below, ROW_WIDTH, down
    return new_axes(name_width + ROW_WIDTH + ROW_PAD, below + down + above, inside)


def axes_size(ax: "Axes") -> tuple[float, float]:
    """Return the width and height of axes in points."""
    per_inch = ax.figure.dpi
    return float(ax.bbox.width / per_inch * POINTS), float(ax.bbox.height / per_inch * POINTS)


def text_width(text: str) -> float:
    """Return the width of a text in em."""
    matplotlib()
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # drawing will warn of what the font has not
        font = FontProperties(size=REFERENCE)
        width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return SLACK * float(width) / REFERENCE


def widest(texts: Iterable[str]) -> float:
    """Return the width of the widest text in em."""
    return max(map(text_width, texts), default=0.0)


def clean_names(names: Iterable[str]) -> list[str]:
    """Return names with control characters and marks of writing direction made visible."""
    return [clean(name) for name in names]


def wrap_text(text: str, width: float) -> list[str]:
    """Return the lines of a text that is broken between words to fit a width in em."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def write_text(
    ax: "Axes", x: float, down: float, words: str, size: float, side: str, **style: Any
) -> None:
    """Write words, literally, at x and `down` em below 0; `side` is their horizontal alignment."""
    text_style: Any = {"fontsize": size, "ha": side, "va": "center_baseline"}
    ax.text(x, -down, words, **text_style, **LITERAL, **style)


def names_of_two(result: Any, unnamed: tuple[str, str] = ("first", "second")) -> tuple[str, str]:
    """Return the names of the two models of a result, or `unnamed` if it has none."""
    named: tuple[str, str] = unnamed if result.names == UNNAMED else result.names
    return named


COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
LINES = ("-", "--", "-.", ":", (0, (7, 1.5, 1, 1.5, 1, 1.5)), (0, (9, 3)))
NAMED_LINES = 4  # those that are enough with markers
MARKERS = "os^Dv*P"  # 28 pairs with these until one returns
INK, SHADE = "black", "0.8"
STYLE = {"on": True}


def style(on: bool = True) -> ExitStack:
    """Switch fastcompare's plot style on or off, permanently or in a ``with`` block.

    Without it, colours and lines are those of your ``rcParams`` and style sheets, and axes keep all
    their spines. Fonts are always yours.

    Parameters
    ----------
    on : bool, default=True
        Whether to use fastcompare's style.

    Returns
    -------
    context manager
        Leaving it restores the previous style.

    Examples
    --------
    >>> import fastcompare as fc
    >>> with fc.plots.style(False):
    ...     ax = fc.plots.forest(fc.roc_auc_interval([0, 1, 0, 1, 1], [1, 2, 3, 4, 5]))
    """
    before = STYLE["on"]
    STYLE["on"] = check_flag("on", on)
    restored = ExitStack()
    restored.callback(STYLE.update, on=before)
    return restored


def ink() -> Any:
    """Return the colour of lines and marks that belong to no single model."""
    if STYLE["on"]:
        return INK
    from matplotlib import rcParams

    return rcParams["axes.edgecolor"]


def model_color(j: int) -> Any:
    """Return the colour of model j."""
    return COLORS[j % len(COLORS)] if STYLE["on"] else f"C{j}"


def curve_style(j: int, markers: bool = False) -> Mapping[str, Any]:
    """Return the look of the curve of model j."""
    if not STYLE["on"]:
        return {"color": model_color(j)} | ({"marker": "o"} if markers else {})
    lines = LINES[:NAMED_LINES] if markers else LINES
    looks = {"color": model_color(j), "linestyle": lines[j % len(lines)], "linewidth": 1.5}
    return looks | ({"marker": MARKERS[j % len(MARKERS)], "markersize": 4.5} if markers else {})


VEIL = 0.18  # how much a band covers


def draw_band(ax: "Axes", j: int, x: Any, low: Any, high: Any) -> None:
    """Draw the band around the curve of model j."""
    style: Any = {"color": model_color(j), "alpha": VEIL, "linewidth": 0, "gid": f"band {j}"}
    ax.fill_between(x, low, high, **style)


def without_spines(ax: "Axes") -> "Axes":
    """Return axes without the spines that the style leaves out."""
    if STYLE["on"]:
        ax.spines[["top", "right"]].set_visible(False)
    return ax


LEFT_ROOM, BELOW, EDGE = 5.6, 3.6, 1.2  # em: room for labels, and on the other sides
WIDTH, HEIGHT = 28.0, 21.0  # em of the axes of new figures
HANDLE, BETWEEN = 3.2, 2.0  # em: what stands before a text of the legend, between its columns
SPACE = 0.35  # em between entries
ONE_LINE = 0.75  # of the user's font: the smallest at which numbers stay beside their names
LEAST_SHARE = 0.35  # of the height of given axes: what a legend leaves


@dataclass(frozen=True)
class Key:
    """The layout of a legend: names, their numbers (`details`), a title.

    It has `available_width` em, and should be no higher than `tallest` em.
    """

    names: Sequence[str]
    details: Sequence[str]
    title: str
    available_width: float
    tallest: float

    @cached_property
    def narrow(self) -> bool:
        """Whether the numbers stand below their names."""
        full_width = widest(self.join_details("  ")) + HANDLE
        return any(self.details) and ONE_LINE * full_width > self.available_width

    def join_details(self, between: str) -> list[str]:
        """Return the texts of name and number, with `between` between them."""
        named_details = zip(self.names, self.details, strict=True)
        return [between.join(filter(None, texts)) for texts in named_details]

    @cached_property
    def labels(self) -> list[str]:
        """The texts of the entries."""
        return self.join_details("\n" if self.narrow else "  ")

    @cached_property
    def entry_width(self) -> float:
        """The width of the widest entry, or of the title if that is wider."""
        lines = [line for label in self.labels for line in label.split("\n")]
        return max(widest(lines) + HANDLE, widest([self.title]))

    @property
    def columns(self) -> int:
        """The number of entries in a row, at least 1."""
        n_fitting = int((self.available_width + BETWEEN) / (self.entry_width + BETWEEN))
        return max(1, min(len(self.names), n_fitting))

    @property
    def unscaled_height(self) -> float:
        """The height in em of the legend's font, which may be smaller than the user's."""
        rows = math.ceil(len(self.names) / self.columns)
        title_height = (LINE + SPACE) * bool(self.title)
        border = 0.6
        return rows * (LINE * (1 + self.narrow) + SPACE) + title_height + border

    @property
    def scale(self) -> float:
        """The size of the legend's font, as a share of the user's."""
        of_width = self.available_width / self.entry_width
        return min(1.0, of_width, self.tallest / self.unscaled_height)

    @property
    def height(self) -> float:
        """The height in em of the user's font."""
        return self.scale * self.unscaled_height


def chart_axes(
    ax: "Axes | None",
    key: Key | None,
    width: float = WIDTH,
    height: float = HEIGHT,
    left_margin: float = LEFT_ROOM,
) -> "Axes":
    """Return axes with room below for a key: new ones of this size in em, or given ones.

    Given axes become smaller, unless a layout engine of their figure makes room by itself.
    """
    below = BELOW + (key.height if key else 0.0)
    if ax is None:
        size = left_margin + width + EDGE, below + height + EDGE
        ax = new_axes(*size, (left_margin, below, width, height))
    elif ax.figure.get_layout_engine() is None:
        shrink_axes(ax, below, left_margin)
    return without_spines(ax)


def shrink_axes(ax: "Axes", below: float, left_margin: float) -> None:
    """Make given axes smaller, with margins of `below` em below and `left_margin` em left."""
    em = font_size()
    box = ax.get_position()
    height = size_of_figure(ax)[1]
    spec = ax.get_subplotspec()
    is_lowest = spec is None or spec.is_last_row()
    space_below = box.y0 * height if is_lowest else BELOW * em  # other axes begin where labels end
    bottom = box.y0 + max(0.0, below * em - space_below) / height
    bottom = min(bottom, box.y1 - LEAST_SHARE * box.height)
    x0 = left_end(ax, left_margin)
    ax.set_position((x0, bottom, box.x1 - x0, box.y1 - bottom))


def size_of_figure(ax: "Axes") -> tuple[float, float]:
    """Return the width and height of the figure of axes, in points."""
    width, height = (float(side) / ax.figure.dpi * POINTS for side in ax.figure.bbox.size)
    return width, height


def left_end(ax: "Axes", margin: float = LEFT_ROOM) -> float:
    """Return the left end of given axes, as a share of the figure, that leaves room for labels."""
    spec, box = ax.get_subplotspec(), ax.get_position()
    if ax.figure.get_layout_engine() or not (spec is None or spec.is_first_col()):
        return float(box.x0)
    width = size_of_figure(ax)[0]
    return float(min(max(box.x0, margin * font_size() / width), box.x1 - LEAST_SHARE * box.width))


def keyed_axes(
    ax: "Axes | None",
    names: Sequence[str],
    details: Sequence[str] = (),
    title: str = "",
    *,
    width: float = WIDTH,
    height: float = HEIGHT,
) -> tuple["Axes", Key]:
    """Return axes, new ones of this size or given ones, with room for a key below, and the key.

    The key is as wide as the axes with their labels, and not too high for them.
    """
    available_width = LEFT_ROOM + width - EDGE
    tallest = math.inf
    if ax is not None:
        em = font_size()
        across, down = axes_size(ax)
        box = ax.get_position()
        across *= (box.x1 - left_end(ax)) / box.width  # once there is room for labels
        space_below = box.y0 * down / box.height
        most_height = (1.0 - LEAST_SHARE) * down + space_below - BELOW * em
        available_width = across / em + key_offset(ax)
        tallest = max(most_height / em, 1.0)
    key = Key(names, details or [""] * len(names), title, available_width, tallest)
    return chart_axes(ax, key, width, height), key


def key_offset(ax: "Axes") -> float:
    """Return how many em left of its axes a key begins: less if other axes are on the left."""
    spec = ax.get_subplotspec()
    return LEFT_ROOM - EDGE if spec is None or spec.is_first_col() else BETWEEN


def below_axes(ax: "Axes", offset: float, down: float) -> Mapping[str, Any]:
    """Return matplotlib's options for a legend whose upper left corner is outside the axes.

    It is `offset` points left of, and `down` points below, their lower left corner.
    """
    from matplotlib.transforms import ScaledTranslation

    shift = ScaledTranslation(-offset / POINTS, -down / POINTS, ax.figure.dpi_scale_trans)
    place = {"loc": "upper left", "bbox_to_anchor": (0.0, 0.0), "borderaxespad": 0.0}
    return {**place, "bbox_transform": ax.transAxes + shift}


def draw_key(ax: "Axes", key: Key, handles: Sequence[Any]) -> None:
    """Draw the key below the axes, whose labels shrink until they are no longer than the axes."""
    em, (width, height) = font_size(), axes_size(ax)
    for axis, side in ((ax.xaxis, width), (ax.yaxis, height)):
        longest = text_width(axis.label.get_text()) * em
        axis.label.set_fontsize(em * min(1.0, side / longest) if longest else em)
    legend = ax.legend(
        list(handles),
        key.labels,
        title=key.title or None,
        **below_axes(ax, key_offset(ax) * em, BELOW * em),
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
