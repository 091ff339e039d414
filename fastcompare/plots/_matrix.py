"""The p-values of all pairs of models as a heat map: the darker, the smaller."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._base.documented import documented
from .._base.types import Vector
from .._inputs.rankings import as_pvalue_matrix, check_axes
from ._canvas import LITERAL, cleaned, font_size, new_axes, size_of, widest

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
EDGE = "0.5"
MOST_WRITTEN = 15  # models whose p-values are written into the cells
CELL, BARE_CELL = 3.6, 1.5  # em
PAD = 1.5
LEGEND = 8.0


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
        With a cell for each pair; up to 15 models, its p-value is written in it.

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
    labels, pvalues, standing = as_pvalue_matrix(result)
    k = len(labels)
    order = np.argsort(standing, kind="stable")
    names = [cleaned(labels)[j] for j in order]
    cells = np.column_stack(np.tril_indices(k - 1))  # row i has model i + 1, column j model j
    p = pvalues[order[cells[:, 0] + 1], order[cells[:, 1]]]

    if ax is None:
        ax = sized_axes(names)
    draw_cells(ax, cells, p)
    if k <= MOST_WRITTEN:
        write_pvalues(ax, cells, p)
    ax.set(xlim=(0, k - 1), ylim=(k - 1, 0))
    ax.set_xticks(np.arange(k - 1) + 0.5, names[:-1], rotation=90, **LITERAL)
    ax.set_yticks(np.arange(k - 1) + 0.5, names[1:], **LITERAL)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return ax


def sized_axes(names: list[str]) -> "Axes":
    """Return the axes of a new figure with room for names on the left and below."""
    cell = CELL if len(names) <= MOST_WRITTEN else BARE_CELL
    side = cell * (len(names) - 1)
    left, below = widest(names[1:]) + PAD, widest(names[:-1]) + PAD
    width = left + side + PAD + LEGEND
    height = below + max(side, LEGEND) + PAD
    ax = new_axes(width, height)
    ax.set_position((left / width, 1 - (PAD + side) / height, side / width, side / height))
    return ax


def draw_cells(ax: "Axes", cells: Cells, p: Vector) -> None:
    """Draw a square for each pair, a class of p-values after the other."""
    from matplotlib.collections import PolyCollection

    squares = cells[:, None, ::-1] + np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    kinds = np.where(np.isnan(p), len(BOUNDS) + 1, np.digitize(p, BOUNDS))
    for kind, (words, style) in enumerate(CLASSES.items()):
        chosen = squares[kinds == kind]
        if chosen.size or words != UNDEFINED:
            ax.add_collection(
                PolyCollection(chosen, label=words, edgecolor=EDGE, linewidth=0.5, **style)
            )


def write_pvalues(ax: "Axes", cells: Cells, p: Vector) -> None:
    """Write each p-value into its cell, in a font that fits."""
    words = [short(value) for value in p.tolist()]
    cell = size_of(ax)[0] / (cells[-1, 0] + 1)
    size = min(font_size(), 0.9 * cell / widest(words))
    for (i, j), word, value in zip(cells, words, p, strict=True):
        color = "white" if value < LIGHT else "black"
        ax.text(j + 0.5, i + 0.5, word, ha="center", va="center", color=color, fontsize=size)


def short(p: float) -> str:
    """Return a p-value in few characters."""
    return "n/a" if np.isnan(p) else "<.001" if p < 0.001 else f"{p:.3f}"
