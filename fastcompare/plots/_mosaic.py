"""A table of two models as a mosaic: which cases both get right, one of them, or none."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._inputs.pictures import refuse_picture
from .._inputs.rankings import check_axes
from .._inputs.scores import UNNAMED
from ._canvas import LINE, LITERAL, cleaned, font_size, size_of, width_of
from ._charts import charted, draw_key, key_for
from ._theme import COLORS, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDE = 22.0  # em
KNOWN = "mcnemar_test, contingency_table or agreement"
TILES: tuple[Any, ...] = (  # both right, only the first, only the second, none
    {"facecolor": "0.92"},
    {"facecolor": COLORS[0], "hatch": "////"},
    {"facecolor": COLORS[1], "hatch": "...."},
    {"facecolor": "0.75"},
)
NARROWEST = 0.02  # of the side, beyond which a tile holds no text


@documented
def mosaic(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the table of two models' right and wrong answers: areas are shares of the cases.

    The first model is right in the left column, the second in the lower part of a column. The two
    hatched areas, where one model alone is right, are what McNemar's test compares.

    Parameters
    ----------
    result : McNemarResult, ContingencyTableResult or AgreementResult
        Of `mcnemar_test`, `contingency_table` or `agreement`.

    Returns
    -------
    matplotlib Axes
        With a rectangle for each cell of the table that is not empty; the legend below has the
        counts.

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
        refuse_picture(result, "a table of two models", KNOWN)
    counts = np.asarray(table, np.float64)
    first, second = ("first", "second") if result.names == UNNAMED else result.names
    names = cleaned(["both right", f"only {first} right", f"only {second} right", "both wrong"])
    n = max(counts.sum(), 1.0)
    details = [f"{count:g} ({100 * count / n:.3g} %)" for count in counts.ravel().tolist()]

    key = key_for(ax, names, details, f"{n:g} cases", width=SIDE)
    ax = charted(ax, key, SIDE, SIDE)
    ax.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    draw_tiles(ax, counts / n, [f"{count:g}" for count in counts.ravel().tolist()])
    from matplotlib.patches import Patch

    draw_key(ax, key, [Patch(edgecolor=INK, **style) for style in TILES])
    return ax


def draw_tiles(ax: "Axes", shares: Any, words: list[str]) -> None:
    """Draw a tile for each share, with its count where it has room."""
    from matplotlib.patches import Rectangle

    across, down = (side / font_size() for side in size_of(ax))
    for cell, (column, row) in enumerate(np.ndindex(2, 2)):
        width = shares[column].sum()
        height = shares[column, row] / width if width else 0.0
        if not height:
            continue
        x, y = (0.0, 1.0 - width)[column], (0.0, 1.0 - height)[row]
        ax.add_patch(Rectangle((x, y), width, height, edgecolor=INK, linewidth=0.8, **TILES[cell]))
        if width * across > width_of(words[cell]) + 1.0 and height * down > LINE + 0.5:
            style: Any = {"ha": "center", "va": "center", **LITERAL}
            style["bbox"] = {"facecolor": "white", "linewidth": 0, "pad": 1.5}
            ax.text(x + width / 2, y + height / 2, words[cell], **style)
