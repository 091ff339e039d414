"""AUCs within groups, group by group: a forest of few groups, a histogram of many."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._base.text import DIFFERENCE, amount, interval_title
from .._base.types import Vector
from .._inputs.options import check_level
from .._inputs.pictures import check_axes, refuse_picture
from ._canvas import curve_style, draw_key, ink, keyed_axes, model_color, names_of_two
from ._estimates import Estimates, as_intervals
from ._forest import draw_rows, picture_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WITH_GROUPS = "within_auc_test, within_auc_interval or within_auc_pairwise_test"
MOST_ROWS = 30  # groups of a forest; of more a histogram
ALL = "all groups"


@documented
def within_groups(
    result: Any, *, confidence_level: float = 0.95, ax: "Axes | None" = None
) -> "Axes":
    """Draw the AUCs within groups, or of two models their differences, group by group.

    Up to 30 groups are a forest, the mean of all groups at its end; more are a histogram, with the
    mean of all groups and its interval. Of several models each has a histogram of its AUCs.

    Parameters
    ----------
    result : WithinAUCResult and its like
        Of `within_auc_test`, `within_auc_interval` or `within_auc_pairwise_test`.
    confidence_level : float, default=0.95
        Of each interval, between 0 and 1.

    Returns
    -------
    matplotlib Axes
        Of a histogram its x values are AUCs or differences, and its y values numbers of groups.

    See Also
    --------
    forest : The mean over all groups alone.

    Examples
    --------
    >>> import fastcompare as fc
    >>> user = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]
    >>> click = [0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1]
    >>> score = [2, 5, 1, 4, 1, 3, 2, 2, 6, 5, 4, 8, 2, 1, 3, 0, 7, 3, 5, 4]
    >>> ax = fc.plots.within_groups(fc.within_auc_interval(click, score, user))
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    level = check_level(confidence_level)
    if not hasattr(result, "group_auc"):
        refuse_picture(result, "AUCs of groups", WITH_GROUPS)
    if not hasattr(result, "group_interval"):
        return histogram_of_models(result, ax)
    if result.n_groups <= MOST_ROWS:
        return draw_rows(picture_rows(group_estimates(result, level)), ax)
    return histogram(result, level, ax)


def group_values(result: Any) -> tuple[Vector, str, float | None]:
    """Return the numbers of the groups, what they are in words, and where a line is drawn.

    Of one model they are AUCs without a line (None), of two models differences with a line at 0.
    """
    if result.group_auc.ndim == 1:
        return result.group_auc, "AUC within a group", None
    first, second = names_of_two(result)
    difference = result.group_auc[:, 0] - result.group_auc[:, 1]
    return difference, f"AUC of {first} minus that of {second}, within a group", 0.0


def group_estimates(result: Any, level: float) -> Estimates:
    """Return the estimates, with intervals, of each group and of all groups together."""
    values, quantity, null = group_values(result)
    ends = zip(result.group_interval(level), result.confidence_interval(level), strict=True)
    low, high = (np.append(groups, every) for groups, every in ends)
    return Estimates(
        names=[(str(label),) for label in result.groups.tolist()] + [(ALL,)],
        intervals=as_intervals(low, np.append(values, result.estimate), high),
        quantity=quantity,
        interval=interval_title("two-sided", level),
        measure="AUC" if null is None else DIFFERENCE,
        null=null,
    )


def histogram(result: Any, level: float, ax: "Axes | None") -> "Axes":
    """Draw how many groups have which value, and the mean of all with its interval."""
    values, quantity, null = group_values(result)
    title = interval_title("two-sided", level)
    names = [amount(result.n_groups, "group"), f"mean, {result.weights} weights", title]
    ax, key = keyed_axes(ax, names)
    counts, edges = np.histogram(values, "auto")
    bars = ax.stairs(counts, edges, fill=True, color=model_color(0), alpha=0.5)
    mean = ax.axvline(result.estimate, color=ink(), linewidth=1.5)
    band = ax.axvspan(*result.confidence_interval(level), color=ink(), alpha=0.2, linewidth=0)
    if null is not None:
        ax.axvline(null, color=ink(), linewidth=0.8, linestyle=":")
    ax.set(xlabel=quantity, ylabel="Groups")
    draw_key(ax, key, [bars, mean, band])
    return ax


def histogram_of_models(result: Any, ax: "Axes | None") -> "Axes":
    """Draw how many groups have which AUC by each model."""
    ax, key = keyed_axes(ax, list(result.names))
    edges = np.histogram_bin_edges(result.group_auc, "auto")
    handles = [
        ax.stairs(np.histogram(column, edges)[0], edges, **curve_style(j))
        for j, column in enumerate(result.group_auc.T)
    ]
    ax.set(xlabel="AUC within a group", ylabel="Groups")
    draw_key(ax, key, handles)
    return ax
