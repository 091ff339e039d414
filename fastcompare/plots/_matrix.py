"""Squares of all pairs of models, and the table of two models as a mosaic.

The p-values of all pairs are a heat map, the darker, the smaller; so is how often two models give
different answers, the darker, the less. A mosaic shows which cases both models get right, one of
them, or none.
"""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.documented import documented
from .._base.text import show_count
from .._base.types import Matrix, Vector
from .._inputs.options import check_marks
from .._inputs.pictures import as_pvalue_matrix, check_axes, refuse_picture
from ._canvas import (
    COLORS,
    INK,
    LINE,
    LITERAL,
    axes_size,
    below_axes,
    clean_names,
    draw_key,
    font_size,
    keyed_axes,
    names_of_two,
    new_axes,
    size_of_figure,
    text_width,
    widest,
    wrap_text,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Cells = NDArray[np.intp]
GREYS = ("0.15", "0.4", "0.65", "0.85", "white")
EDGES: Mapping[str, Any] = {"edgecolor": "0.5", "linewidth": 0.5}
MOST_WRITTEN = 15  # models whose p-values are written into the cells
CELL, BARE_CELL = 3.6, 1.5  # em
PAD, EDGE = 1.5, 0.6  # em: around names, and along the border of the picture
LEGEND, KEY = 8.0, 27.0  # em: the width of the legend beside the cells, and below them
BESIDE: Mapping[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)}
MOST_NAMES, LEAST = 0.6, 0.3  # of given axes: the width of names, the least height of cells
ROW = 1.2  # em from one name to the next
LEAST_TEXT = 4.5  # points: smaller text is left out


@documented
def pvalue_matrix(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the adjusted p-values of all pairs of models as a heat map.

    Parameters
    ----------
    result : result of a test of all pairs
        A result with a p-value for each pair. The best model is first.

    Returns
    -------
    matplotlib Axes
        One cell per pair, with its p-value for up to 15 models. The title names the test and the
        correction. If `ax` is specified, which may be narrow, columns are numbered.

    See Also
    --------
    critical_difference : Average ranks with groups that do not differ significantly.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.nemenyi_test(fc.load_dataset_scores().scores)
    >>> ax = fc.plots.pvalue_matrix(result)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    compared = as_pvalue_matrix(result)
    order = np.argsort(compared.standing, kind="stable")
    names = clean_names(compared.names[j] for j in order)
    pvalues = compared.pvalues[np.ix_(order, order)]
    return draw_triangle(names, pvalues, compared.caption, PVALUES, ax)


class Shades(NamedTuple):
    """The shades of a heat map: bounds of its classes, their names, and how cells are written.

    Numbers below `white_text_below`, on dark cells, are written in white.
    """

    bounds: tuple[float, ...]
    names: tuple[str, ...]
    white_text_below: float
    as_text: Callable[[float], str]


def draw_triangle(
    names: list[str], table: Matrix, caption: str, shades: Shades, ax: "Axes | None"
) -> "Axes":
    """Draw the numbers (k, k) of pairs of models below the diagonal, and return the axes.

    The first row is of the second model and the last column of the last but one, so that no cell
    lies on the diagonal.
    """
    k = len(names)
    check_marks(k * (k - 1) // 2, "squares")
    rows, columns = np.tril_indices(k - 1)
    cells = np.column_stack((rows, columns))
    values = table[rows + 1, columns]
    frame = new_frame(names, caption) if ax is None else frame_in_axes(ax, names, caption)
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
    """Axes, labels of rows and columns, the title, and the positions of texts and legend.

    `top` is the y coordinate of the upper end: -1 leaves a row for the first model's name, which
    has no cells. `turned` are degrees by which labels of columns are turned, `em` and `title_em`
    sizes of fonts in points, and `title_at` is the title's start, as a share of the axes' width.
    """

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


def new_frame(names: list[str], caption: str) -> Frame:
    """Return new axes with room for names on the left and below, and the legend beside them."""
    cell = CELL if len(names) <= MOST_WRITTEN else BARE_CELL
    side = cell * (len(names) - 1)
    em = font_size()
    x = widest(names[1:]) + PAD
    below = widest(names[:-1]) + PAD
    width = x + side + PAD + LEGEND
    title = wrap_text(caption, width - 2.0 * EDGE)
    above = PAD + LINE * len(title)
    height = below + max(side, LEGEND) + above
    ax = new_axes(width, height, (x, height - above - side, side, side))
    return Frame(
        ax,
        rows=names[1:],
        columns=names[:-1],
        top=0,
        turned=90.0,
        em=em,
        title="\n".join(title),
        title_at=(EDGE - x) / side,
        title_em=em,
        legend=BESIDE,
    )


def frame_in_axes(ax: "Axes", names: list[str], caption: str) -> Frame:
    """Return given axes, made smaller so that names fit; columns have the numbers of models."""
    box = ax.get_position()
    font = font_size()
    k = len(names)
    width, height = size_of_figure(ax)
    spec = ax.get_subplotspec()
    x = 0.0 if spec is None or spec.is_first_col() else box.x0 * width
    y = 0.0 if spec is None or spec.is_last_row() else box.y0 * height
    right = min(box.x1 + EDGE * font / width, 1.0) * width
    top = box.y1 * height
    rows = [f"{name}  {j}" for j, name in enumerate(names, 1)]
    em = min(font, MOST_NAMES * (right - x) / (widest(rows) + PAD))
    small = min(font, (right - x) / KEY)
    lines = wrap_text(caption, (right - x) / small - 2.0 * EDGE)
    above = LINE * small * (len(lines) + 0.5)
    lowest = y + 1.6 * em + 4.0 * small  # of the cells: column numbers and legend are below
    down = max(top - above - lowest, LEAST * (top - y))
    em = min(em, down / (ROW * k))
    x_left = x + (widest(rows) + PAD) * em
    across = right - EDGE * font - x_left
    free = ax.figure.get_layout_engine() is None  # an engine makes room by itself
    if free:
        bottom = top - above - down
        ax.set_position((x_left / width, bottom / height, across / width, down / height))
    legend = {"ncols": 3, "fontsize": small, "columnspacing": 1.0, "handlelength": 1.5}
    legend |= below_axes(ax, x_left - x, 2.0 * em)
    step = max(1, math.ceil(1.3 * widest([str(k)]) * em * (k - 1) / across))
    columns = [str(j) if (j - 1) % step == 0 else "" for j in range(1, k)]
    title_at = (x + EDGE * small - x_left) / across if free else 0.0
    return Frame(ax, rows, columns, -1, 0.0, em, "\n".join(lines), title_at, small, legend)


def draw_cells(ax: "Axes", cells: Cells, values: Vector, shades: Shades) -> None:
    """Draw a square for each pair: those of a shade together, undefined ones hatched."""
    from matplotlib.collections import PolyCollection

    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    squares = cells[:, None, ::-1] + corners  # x is the column, y the row
    bounds = shades.bounds
    kinds = np.where(np.isnan(values), len(bounds) + 1, np.digitize(values, bounds))
    for kind, (name, grey) in enumerate(zip(shades.names, GREYS, strict=True)):
        chosen = squares[kinds == kind]
        looks = {"label": name, "facecolor": grey, **EDGES}
        ax.add_collection(PolyCollection(chosen, clip_on=False, **looks))
    if (chosen := squares[np.isnan(values)]).size:
        looks = {"label": "undefined", "facecolor": "white", "hatch": "////", **EDGES}
        ax.add_collection(PolyCollection(chosen, clip_on=False, **looks))


def write_cells(ax: "Axes", cells: Cells, values: Vector, shades: Shades) -> None:
    """Write each number into its cell, in a font that fits; nothing if that is too small to read.

    `cells` (P, 2) are rows and columns of the numbers (P,).
    """
    texts = [shades.as_text(value) for value in values.tolist()]
    width, _ = axes_size(ax)
    last_row, _ = cells[-1]
    cell_width = width / (last_row + 1)  # as many cells in the longest row, the last, as rows
    points = min(font_size(), 0.9 * cell_width / widest(texts))
    if points < LEAST_TEXT:
        return
    for (row, column), text, value in zip(cells, texts, values, strict=True):
        style: Any = {"ha": "center", "va": "center", "fontsize": points}
        color = "white" if value < shades.white_text_below else "black"
        ax.text(column + 0.5, row + 0.5, text, color=color, **style)


def short_pvalue(p: float) -> str:
    """Return a p-value in at most five characters: ``<.001``, ``0.012``, ``n/a``."""
    return "n/a" if np.isnan(p) else "<.001" if p < 0.001 else f"{p:.3f}"


PVALUES = Shades(
    bounds=(0.001, 0.01, 0.05, 0.1),
    names=("p < 0.001", "p < 0.01", "p < 0.05", "p < 0.1", "p \u2265 0.1"),
    white_text_below=0.01,
    as_text=short_pvalue,
)
SHARES = Shades(
    bounds=(0.02, 0.05, 0.1, 0.2),
    names=("< 2%", "< 5%", "< 10%", "< 20%", "\u2265 20%"),
    white_text_below=0.05,
    as_text=lambda share: f"{100.0 * share:.1f}",
)
CAPTION = "Percentage of cases on which exactly one of the two models is correct"


@documented
def agreement_map(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the disagreement of all pairs of models as a heat map.

    Parameters
    ----------
    result : AgreementMatrixResult
        From `agreement_matrix`. The most accurate model is first.

    Returns
    -------
    matplotlib Axes
        One cell per pair, darker for similar models, with the percentage for up to 15 models. If
        `ax` is specified, which may be narrow, columns are numbered.

    See Also
    --------
    mosaic : The 2 x 2 table of two models.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> labels = {name: score > 0.5 for name, score in data.scores.items()}
    >>> ax = fc.plots.agreement_map(fc.agreement_matrix(data.y_true, labels))
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    if not hasattr(result, "disagreement") or np.ndim(result.disagreement) != 2:
        refuse_picture(result, "the disagreement of all pairs", "agreement_matrix")
    if len(result.names) < 2:
        refuse_picture(result, "two models or more", "agreement_matrix of several models")
    order = np.argsort(-result.accuracy, kind="stable")
    names = clean_names(result.names[j] for j in order)
    shares = np.asarray(result.disagreement)[np.ix_(order, order)]
    return draw_triangle(names, shares, CAPTION, SHARES, ax)


SIDE = 22.0  # em
WITH_TABLE = "mcnemar_test, contingency_table or agreement"
TILES: tuple[Any, ...] = (  # both right, only the first, only the second, none
    {"facecolor": "0.92"},
    {"facecolor": COLORS[0], "hatch": "////"},
    {"facecolor": COLORS[1], "hatch": "...."},
    {"facecolor": "0.75"},
)


@documented
def mosaic(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw a mosaic plot of two models' correct and wrong answers: areas are proportions of cases.

    The first model is correct in the left column, the second in the lower part of a column.
    McNemar's test compares the two hatched areas, in which exactly one model is correct.

    Parameters
    ----------
    result : McNemarResult, ContingencyTableResult or AgreementResult
        Of `mcnemar_test`, `contingency_table` or `agreement`.

    Returns
    -------
    matplotlib Axes
        One rectangle per non-empty cell of the table; the legend below has the counts.

    Examples
    --------
    >>> import fastcompare as fc
    >>> found = fc.contingency_table([1, 1, 0, 0, 1], [1, 0, 0, 0, 1], [1, 1, 1, 0, 1])
    >>> ax = fc.plots.mosaic(found)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    table: Any = getattr(result, "table", None)
    if np.shape(table) != (2, 2) or not hasattr(result, "names"):
        refuse_picture(result, "a table of two models", WITH_TABLE)
    counts = np.asarray(table, np.float64)
    first, second = names_of_two(result)
    names = clean_names(["both right", f"only {first} right", f"only {second} right", "both wrong"])
    n = max(counts.sum(), 1.0)
    texts = list(map(show_count, counts.ravel().tolist()))
    shares = (100.0 * counts / n).ravel().tolist()
    details = [f"{text} ({share:.3g}%)" for text, share in zip(texts, shares, strict=True)]

    ax, key = keyed_axes(ax, names, details, f"{show_count(n)} cases", width=SIDE, height=SIDE)
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    draw_tiles(ax, counts / n, texts)
    from matplotlib.patches import Patch

    draw_key(ax, key, [Patch(edgecolor=INK, **style) for style in TILES])
    return ax


def draw_tiles(ax: "Axes", shares: Any, texts: list[str]) -> None:
    """Draw a tile for each share (2, 2) of the cases, with its text where there is room.

    Rows of `shares` are columns of tiles, as wide as their sum; each share is as high as its part
    of this sum. The first row is on the left, the first of its shares below.
    """
    from matplotlib.patches import Rectangle

    across, down = (side / font_size() for side in axes_size(ax))
    for cell, (column, row) in enumerate(np.ndindex(2, 2)):
        width = shares[column].sum()
        height = shares[column, row] / width if width else 0.0
        if not height:
            continue
        x = 0.0 if column == 0 else 1.0 - width
        y = 0.0 if row == 0 else 1.0 - height
        ax.add_patch(Rectangle((x, y), width, height, edgecolor=INK, linewidth=0.8, **TILES[cell]))
        if width * across > text_width(texts[cell]) + 1.0 and height * down > LINE + 0.5:
            style: Any = {"ha": "center", "va": "center", **LITERAL}
            style["bbox"] = {"facecolor": "white", "linewidth": 0, "pad": 1.5}
            ax.text(x + width / 2, y + height / 2, texts[cell], **style)
