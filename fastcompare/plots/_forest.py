"""A forest: estimates or differences with their intervals, one below the other."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._base.text import show_pvalue
from .._inputs.options import check_choice, check_flag, check_level
from .._inputs.pictures import as_results
from .._inputs.rankings import check_axes
from ._canvas import cleaned
from ._estimates import MINUS, Estimates, estimates_of, several_estimates
from ._rows import Rows, draw_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_DIGITS = 6


@documented
def forest(
    result: Any,
    *,
    of: str = "auto",
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw estimates or differences of models with their intervals, one below the other.

    A line stands where there is no difference, broken ones at the margins that a test was told.
    Numbers and p-values are written beside the intervals; arrows are intervals without an end.

    Parameters
    ----------
    result : result with intervals, or several
        Of a test of two models, of all pairs or of all models, an interval, a leaderboard; or a
        mapping of names to such results, or a list of them, under each other. A test of all models
        is stated below their numbers, which have intervals where it knows them.
    of : {'auto', 'differences', 'models'}, default='auto'
        Differences where models were tested against each other, or each model's own number, the
        best on top.
    simultaneous : bool, default=False
        Of pairs: intervals that cover all together.

    Returns
    -------
    matplotlib Axes
        Its x and y values are multiples of the size of the font. Where the axes are narrow, names
        stand above their intervals.

    See Also
    --------
    leaderboard : Means with the ranks that the data leave.
    pvalue_matrix : All pairs where they are too many for a row each.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> ax = fc.plots.forest(fc.delong_pairwise_test(data.y_true, data.scores))
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    check_choice("of", of, ("auto", "differences", "models"))
    level, together = check_level(confidence_level), check_flag("simultaneous", simultaneous)
    several = as_results(result)
    if several is None:
        found = estimates_of(result, of, level, together)
    else:
        found = several_estimates(several, of, level)
    return draw_rows(rows_of(found), ax)


def rows_of(found: Estimates) -> Rows:
    """Return the rows of a picture."""
    low, middle, high = found.ends
    kind, broken, margin = found.interval.partition(";")
    columns = [(kind, written(low, middle, high))]
    if found.pvalues is not None:
        columns.append((found.head, [show_pvalue(p) for p in found.pvalues.tolist()]))
    return Rows(
        names=[tuple(cleaned(parts)) for parts in found.names],
        middle=middle,
        low=np.where(np.isnan(low), middle, low),
        high=np.where(np.isnan(high), middle, high),
        columns=columns,
        label=found.quantity + broken + margin,
        statement=found.statement,
        null=found.null,
        marks=found.margins,
    )


def written(low: Any, middle: Any, high: Any) -> list[str]:
    """Return estimates with intervals as texts, with digits that tell the ends apart."""
    widths = np.concatenate((high - middle, middle - low))
    widths = widths[np.isfinite(widths) & (widths > 0.0)]
    known = middle[np.isfinite(middle)]
    spread = float(np.ptp(known)) if known.size else 0.0
    size = float(np.median(widths)) if widths.size else spread / 10.0 or 0.01
    digits = int(np.clip(2 - math.floor(math.log10(size)) - 1, 0, MOST_DIGITS))
    rows = zip(low.tolist(), middle.tolist(), high.tolist(), strict=True)
    return [
        number(b, digits) + ("" if a == c else f" ({number(a, digits)} to {number(c, digits)})")
        for a, b, c in rows
    ]


def number(x: float, digits: int) -> str:
    """Return a number as pictures write it."""
    if not math.isfinite(x):
        return "n/a" if math.isnan(x) else f"{MINUS if x < 0 else ''}\u221e"
    rounded = f"{x:.{digits}f}"
    return (rounded.lstrip("-") if float(rounded) == 0.0 else rounded).replace("-", MINUS)
