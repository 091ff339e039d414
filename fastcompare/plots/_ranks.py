"""How the ranks of each model spread over the data sets, and a leaderboard of means."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._base.types import Matrix
from .._inputs.models import as_model_table
from .._inputs.pictures import check_axes, require
from ..ranks._ranks import as_ranks
from ._canvas import LITERAL, axes_of_rows, clean_names
from ._forest import Rows, draw_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BELOW, ABOVE = 4.0, 1.5  # em
MOST_DOTS = 200  # data sets that are drawn one by one
BOX = 0.7  # of a row: the height of a box, which dots of the same rank share


@documented
def rank_distribution(
    scores: Any,
    *,
    higher_is_better: bool = True,
    nan_policy: str = "raise",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the distribution of each model's ranks over the data sets, the best model on top.

    Boxes show the quartiles and the median, whiskers the lowest and the highest rank, diamonds the
    average rank. For up to 200 data sets, each is a dot.

    Parameters
    ----------
    scores : table of shape (N, k)
        Data sets in rows, models in columns: an array, a mapping from names to columns or a data
        frame.

    Returns
    -------
    matplotlib Axes
        Its x values are ranks; the best model is on top.

    See Also
    --------
    critical_difference : Average ranks with groups that do not differ significantly.

    Examples
    --------
    >>> import fastcompare as fc
    >>> ax = fc.plots.rank_distribution(fc.load_dataset_scores().scores)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    table = as_model_table(
        scores, rows="data sets", nan_policy=nan_policy, least_rows=1, finite=False
    )
    all_ranks = as_ranks(table.values, higher_is_better)
    order = np.argsort(all_ranks.sums, kind="stable")
    ranks = all_ranks.doubled[:, order] / 2.0
    names = clean_names(table.names[j] for j in order)

    if ax is None:
        ax = axes_of_rows(names, BELOW, ABOVE)
    draw_boxes(ax, ranks)
    if all_ranks.n <= MOST_DOTS:
        draw_dots(ax, ranks)
    rows = np.arange(all_ranks.k)
    ax.plot(all_ranks.average[order], rows, "D", color="white", mec="black", ms=6, zorder=4)
    ax.set(xlim=(0.5, all_ranks.k + 0.5), ylim=(all_ranks.k - 0.5, -0.5), xlabel="Rank (1 is best)")
    ax.locator_params(axis="x", integer=True)
    ax.set_yticks(rows, names, **LITERAL)
    return ax


def draw_boxes(ax: "Axes", ranks: Matrix) -> None:
    """Draw a box and whiskers for each model."""
    low, first, median, third, high = np.quantile(ranks, (0.0, 0.25, 0.5, 0.75, 1.0), axis=0)
    rows = np.arange(ranks.shape[1])
    ax.hlines(rows, low, first, color="black", linewidth=1, zorder=1)
    ax.hlines(rows, third, high, color="black", linewidth=1, zorder=1)
    ax.barh(rows, third - first, BOX, left=first, color="none", edgecolor="black", zorder=2)
    ax.vlines(median, rows - BOX / 2, rows + BOX / 2, color="black", linewidth=3, zorder=3)


def draw_dots(ax: "Axes", ranks: Matrix) -> None:
    """Draw a dot for each data set; those of the same rank lie beside each other."""
    tallies = [np.unique(column, return_counts=True) for column in ranks.T]
    most_ties = max(counts.max() for _, counts in tallies)
    x, y = [], []
    for row, (values, counts) in enumerate(tallies):
        x.append(np.repeat(values, counts))
        beside = [np.arange(count) - (count - 1) / 2 for count in counts.tolist()]
        y.append(row + np.concatenate(beside) * (BOX / most_ties))
    ax.plot(np.concatenate(x), np.concatenate(y), "o", color="0.5", ms=3, zorder=2)


def leaderboard(result: Any, *, ax: "Axes | None" = None, confidence_level: float = 0.95) -> "Axes":
    """Draw the models' means with their intervals and confidence sets of ranks.

    Intervals of two models that differ significantly may overlap: compare models by the rank sets,
    which are simultaneous, and by the letters. Models that share a letter do not differ
    significantly.

    Parameters
    ----------
    result : LeaderboardResult
        Of `fastcompare.leaderboard`.
    ax : matplotlib Axes, optional
        Axes to draw on; the font shrinks until everything fits. By default a new figure, large
        enough for all names.
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
    wanted = ("names", "means", "rank_low", "rank_high", "letters", "confidence_interval")
    require(result, wanted, "leaderboard")
    lowest, highest = result.rank_low.tolist(), result.rank_high.tolist()
    low, high = result.confidence_interval(confidence_level)
    ranks = [f"{a}" if a == b else f"{a}\u2013{b}" for a, b in zip(lowest, highest, strict=True)]
    columns = [("rank", ranks)] + ([("", result.letters)] if any(result.letters) else [])
    rows = Rows(
        names=[(name,) for name in clean_names(result.names)],
        middle=result.means,
        low=np.where(np.isnan(low), result.means, low),
        high=np.where(np.isnan(high), result.means, high),
        columns=columns,
        label=result._quantity,
    )
    return draw_rows(rows, ax)
