"""The style of pictures, and how it is switched off.

Colours are Okabe and Ito's, which people with any kind of colour vision tell apart, from the
darkest on; each line has its own dashes and marker besides, so that curves differ in grey, too.

.. [1] M. Okabe, K. Ito (2008), https://jfly.uni-koeln.de/color/
"""

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .._inputs.options import check_flag

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
LINES = ("-", "--", "-.", ":", (0, (7, 1.5, 1, 1.5, 1, 1.5)), (0, (9, 3)))
NAMED_LINES = 4  # those that are enough with markers
MARKERS = "os^Dv*P"  # 28 pairs with these until one returns
INK, SHADE = "black", "0.8"
STATE = {"on": True}


class Restored:
    """What `style` returns: leaving its ``with`` block brings back the style before."""

    def __init__(self, before: bool) -> None:
        self.before = before

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        STATE["on"] = self.before


def style(on: bool = True) -> Restored:
    """Switch the style of the pictures on or off, for good or for a ``with`` block.

    Without it, colours and lines are those of your own ``rcParams`` and style sheets, and axes keep
    all their spines. Fonts are yours in either case.

    Parameters
    ----------
    on : bool, default=True
        Whether pictures have the style of this package.

    Returns
    -------
    context manager
        Leaving it brings back the style before.

    Examples
    --------
    >>> import fastcompare as fc
    >>> with fc.plots.style(False):
    ...     ax = fc.plots.forest(fc.roc_auc_interval([0, 1, 0, 1, 1], [1, 2, 3, 4, 5]))
    """
    before = STATE["on"]
    STATE["on"] = check_flag("on", on)
    return Restored(before)


def ink() -> Any:
    """Return the colour of what is drawn once: intervals, frames, diagrams."""
    if STATE["on"]:
        return INK
    from matplotlib import rcParams

    return rcParams["axes.edgecolor"]


def color_of(j: int) -> Any:
    """Return the colour of model j."""
    return COLORS[j % len(COLORS)] if STATE["on"] else f"C{j}"


def curve_style(j: int, markers: bool = False) -> Mapping[str, Any]:
    """Return the look of the curve of model j."""
    if not STATE["on"]:
        return {"color": color_of(j)} | ({"marker": "o"} if markers else {})
    lines = LINES[:NAMED_LINES] if markers else LINES
    looks = {"color": color_of(j), "linestyle": lines[j % len(lines)], "linewidth": 1.5}
    return looks | ({"marker": MARKERS[j % len(MARKERS)], "markersize": 4.5} if markers else {})


def dressed(ax: "Axes") -> "Axes":
    """Return axes without the spines that the style leaves out."""
    if STATE["on"]:
        ax.spines[["top", "right"]].set_visible(False)
    return ax
