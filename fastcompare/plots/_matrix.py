"""The p-values of all pairs of models as a heat map: the darker, the smaller."""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.documented import documented
from .._base.types import Matrix, Vector
from .._inputs.costs import check_drawn
from .._inputs.rankings import as_pvalue_matrix, check_axes
from ._canvas import LINE, LITERAL, cleaned, font_size, new_axes, size_of, widest, wrapped
from ._charts import below_axes, size_of_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Cells = NDArray[np.intp]
BOUNDS = (0.001, 0.01, 0.05, 0.1)
UNDEFINED = "undefined"
CLASSES: Mapping[str, Mapping[str, Any]] = {
    "p < 0.001": {"facecolor": "0.15"},
    "p < 0.01": {"facecolor": "0.4"},
    "p < 0.05": {"facecolor": "0.65"},
    "p < 0.1": {"facecolor": "0.85"},
    "p \u2265 0.1": {"facecolor": "white"},
    UNDEFINED: {"facecolor": "white", "hatch": "////"},
}
LIGHT = 0.01  # below it the cells are dark and the text is white
EDGES: Mapping[str, Any] = {"edgecolor": "0.5", "linewidth": 0.5}
MOST_WRITTEN = 15  # models whose p-values are written into the cells
CELL, BARE_CELL = 3.6, 1.5  # em
PAD, EDGE = 1.5, 0.6
LEGEND, KEY = 8.0, 27.0  # em: the width of the legend beside the cells, and below them
BESIDE: Mapping[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
MOST_NAMES, LEAST = 0.6, 0.3  # of given axes: the width of names, the least height of cells
ROW, LEAST_TEXT = 1.2, 4.5  # em from one name to the next; points: smaller p-values are left out


@documented
def pvalue_matrix(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the adjusted p-values of all pairs of models as a heat map.

    Parameters
    ----------
    result : result of a test of all pairs
        With ``names`` and a p-value of each pair. The models stand from the best on.

    Returns
    -------
    matplotlib Axes
        With a cell for each pair; up to 15 models, its p-value is written in it. The title is the
        test and its correction. In given axes, which may be narrow, columns are numbered.

    See Also
    --------
    critical_difference : The same at a glance, by average ranks.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.nemenyi_test(fc.load_dataset_scores().scores)
    >>> ax = fc.plots.pvalue_matrix(result)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    found = as_pvalue_matrix(result)
    labels, pvalues, standing = found[:3]
    order = np.argsort(standing, kind="stable")
    names = cleaned(labels[j] for j in order)
    return draw_triangle(names, pvalues[np.ix_(order, order)], found.caption, PVALUES, ax)


class Shades(NamedTuple):
    """Classes of numbers with their looks, below which they are light on dark, and as texts."""

    bounds: tuple[float, ...]
    looks: Mapping[str, Mapping[str, Any]]
    light: float
    short: Callable[[float], str]


def draw_triangle(
    names: list[str], table: Matrix, caption: str, shades: Shades, ax: "Axes | None"
) -> "Axes":
    """Draw the numbers (k, k) of pairs of models below the diagonal, and return the axes."""
    k = len(names)
    check_drawn(k * (k - 1) // 2, "squares")
    cells = np.column_stack(np.tril_indices(k - 1))  # row i has model i + 1, column j model j
    values = table[cells[:, 0] + 1, cells[:, 1]]
    frame = own_frame(names, caption) if ax is None else frame_of(ax, names, caption)
    ax = frame.ax
    draw_cells(ax, cells, values, shades)
    if k <= MOST_WRITTEN:
        write_cells(ax, cells, values, shades)
    ax.set(xlim=(0, k - 1), ylim=(k - 1, frame.top))
    style: Any = {"fontsize": frame.em, **LITERAL}
    ax.set_xticks(np.arange(k - 1) + 0.5, frame.columns, rotation=frame.turned, **style)
    ax.set_yticks(np.arange(frame.top, k - 1) + 0.5, frame.rows, **style)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(frame.title, x=frame.title_at, ha="left", fontsize=frame.title_em, **LITERAL)
    ax.legend(frameon=False, **frame.legend)
    return ax


class Frame(NamedTuple):
    """Axes, labels of rows and columns, the title, and where these and the legend stand."""

    ax: "Axes"
    rows: list[str]
    columns: list[str]
    top: int
    turned: float
    em: float
    title: str
    title_at: float
    title_em: float
    legend: Mapping[str, Any]


def own_frame(names: list[str], caption: str) -> Frame:
    """Return new axes with room for names on the left and below, and the legend beside them."""
    cell = CELL if len(names) <= MOST_WRITTEN else BARE_CELL
    side, em = cell * (len(names) - 1), font_size()
    left, below = widest(names[1:]) + PAD, widest(names[:-1]) + PAD
    width = left + side + PAD + LEGEND
    title = wrapped(caption, width - 2.0 * EDGE)
    above = PAD + LINE * len(title)
    height = below + max(side, LEGEND) + above
    ax = new_axes(width, height)
    ax.set_position((left / width, 1 - (above + side) / height, side / width, side / height))
    at, legend = (EDGE - left) / side, BESIDE
    return Frame(ax, names[1:], names[:-1], 0, 90.0, em, "\n".join(title), at, em, legend)


def frame_of(ax: "Axes", names: list[str], caption: str) -> Frame:
    """Return given axes, made smaller so that names fit; columns have the numbers of models."""
    box, font, k = ax.get_position(), font_size(), len(names)
    width, height = size_of_figure(ax)
    spec = ax.get_subplotspec()
    x = 0.0 if spec is None or spec.is_first_col() else box.x0 * width
    y = 0.0 if spec is None or spec.is_last_row() else box.y0 * height
    right, top = min(box.x1 + EDGE * font / width, 1.0) * width, box.y1 * height
    rows = [f"{name}  {j}" for j, name in enumerate(names, 1)]
    em = min(font, MOST_NAMES * (right - x) / (widest(rows) + PAD))
    small = min(font, (right - x) / KEY)
    lines = wrapped(caption, (right - x) / small - 2.0 * EDGE)
    above, lowest = LINE * small * (len(lines) + 0.5), y + 1.6 * em + 4.0 * small
    down = max(top - above - lowest, LEAST * (top - y))
    em = min(em, down / (ROW * k))
    left = x + (widest(rows) + PAD) * em
    side = (right - EDGE * font - left, down)
    bottom = top - above - side[1]
    free = ax.figure.get_layout_engine() is None  # which makes room by itself
    if free:
        ax.set_position((left / width, bottom / height, side[0] / width, side[1] / height))
    legend = {"ncols": 3, "fontsize": small, "columnspacing": 1.0, "handlelength": 1.5}
    legend |= below_axes(ax, left - x, 2.0 * em)
    step = max(1, math.ceil(1.3 * widest([str(k)]) * em * (k - 1) / side[0]))
    columns = [str(j) if (j - 1) % step == 0 else "" for j in range(1, k)]
    at = (x + EDGE * small - left) / side[0] if free else 0.0
    return Frame(ax, rows, columns, -1, 0.0, em, "\n".join(lines), at, small, legend)


def draw_cells(ax: "Axes", cells: Cells, values: Vector, shades: Shades) -> None:
    """Draw a square for each pair, a class of numbers after the other."""
    from matplotlib.collections import PolyCollection

    squares = cells[:, None, ::-1] + np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    bounds = shades.bounds
    kinds = np.where(np.isnan(values), len(bounds) + 1, np.digitize(values, bounds))
    for kind, (words, style) in enumerate(shades.looks.items()):
        chosen = squares[kinds == kind]
        if chosen.size or words != UNDEFINED:
            ax.add_collection(PolyCollection(chosen, label=words, clip_on=False, **EDGES, **style))


def write_cells(ax: "Axes", cells: Cells, values: Vector, shades: Shades) -> None:
    """Write each number into its cell, in a font that fits."""
    words = [shades.short(value) for value in values.tolist()]
    cell = size_of(ax)[0] / (cells[-1, 0] + 1)
    size = min(font_size(), 0.9 * cell / widest(words))
    if size < LEAST_TEXT:
        return
    for (i, j), word, value in zip(cells, words, values, strict=True):
        color = "white" if value < shades.light else "black"
        ax.text(j + 0.5, i + 0.5, word, ha="center", va="center", color=color, fontsize=size)


def short(p: float) -> str:
    """Return a p-value in few characters."""
    return "n/a" if np.isnan(p) else "<.001" if p < 0.001 else f"{p:.3f}"


PVALUES = Shades(BOUNDS, CLASSES, LIGHT, short)
