"""A leaderboard: the mean of each model with its interval, and the ranks that the data leave."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .._inputs.rankings import as_board, check_axes
from ._canvas import cleaned
from ._rows import Rows, draw_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    ranks = [f"{a}" if a == b else f"{a}\u2013{b}" for a, b in zip(*found.ranks, strict=True)]
    columns = [("rank", ranks)] + ([("", found.letters)] if any(found.letters) else [])
    rows = Rows(
        names=[(name,) for name in cleaned(found.names)],
        middle=found.means,
        low=np.where(np.isnan(low), found.means, low),
        high=np.where(np.isnan(high), found.means, high),
        columns=columns,
        label="mean score",
    )
    return draw_rows(rows, ax)
