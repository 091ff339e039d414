"""How often events happen, by their predicted probability: reliability diagrams."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.types import Integers, NanPolicy, Vector
from .._compare.probabilities.decomposition import brier_decomposition
from .._inference.proportions import wilson_ends
from .._inference.pvalues import normal_quantile
from .._inputs.cases import as_cases
from .._inputs.options import check_level
from .._inputs.pictures import as_results, refuse_picture
from .._inputs.rankings import check_axes
from .._inputs.scores import ScoreTable
from ._canvas import cleaned
from ._charts import charted, draw_key, key_for
from ._curves import AIR, GUIDE, SQUARE, named
from ._theme import color_of, curve_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RATES = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_WHISKERS = 30  # bins of a model that have intervals
STRIP = (-0.18, -0.04)  # where the numbers of cases are drawn, below rates of 0


class Bins(NamedTuple):
    """Cases, mean probabilities and rates of events of the bins of a model."""

    sizes: Integers
    forecast: Vector
    rate: Vector

    def error(self) -> float:
        """Return the expected calibration error over these bins."""
        return float((self.sizes * np.abs(self.forecast - self.rate)).sum() / self.sizes.sum())


def bins_of(result: Any) -> Bins:
    """Return the bins of a result, or raise where it has none."""
    if hasattr(result, "observed_rate"):
        return Bins(result.counts, result.mean_probability, result.observed_rate)
    if not hasattr(result, "n_bins"):
        refuse_picture(result, "bins", "brier_decomposition or calibration_error")
    sizes, positives = result._sample.sizes, result._sample.positives
    starts = np.cumsum(sizes) - sizes
    return Bins(
        sizes, np.add.reduceat(np.sort(result._sample.p), starts) / sizes, positives / sizes
    )


@documented
def reliability(result: Any, *, confidence_level: float = 0.95, ax: "Axes | None" = None) -> "Axes":
    """Draw the rates of events in bins against the probabilities that were predicted.

    Whiskers are Wilson's intervals of the rates; the lines below say how many cases a bin has.
    Calibrated probabilities lie on the diagonal.

    Parameters
    ----------
    result : BrierDecompositionResult or CalibrationErrorResult, or several
        Of `brier_decomposition` or `calibration_error`; or a mapping of names to such results.

    Returns
    -------
    matplotlib Axes
        Its x values are mean probabilities, its y values rates. The legend is below, with the
        expected calibration error over the bins.

    See Also
    --------
    calibration_curves : The same from labels and probabilities of models.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> found = fc.brier_decomposition(data.y_true, data.scores["naive_bayes"], n_bins=10)
    >>> ax = fc.plots.reliability(found)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    level = check_level(confidence_level)
    several = as_results(result)
    found = {"": result} if several is None else several
    bins = {str(name): bins_of(one) for name, one in found.items()}
    return draw_bins(bins, level, ax)


@documented
def calibration_curves(
    y_true: ArrayLike,
    probabilities: ScoreTable,
    *,
    n_bins: int = 10,
    bins: str = "uniform",
    confidence_level: float = 0.95,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw how often cases are positive, by the probabilities that models give them.

    Parameters
    ----------
    probabilities : array-like of shape (n,) or (n, k), mapping or data frame
        A column of probabilities of the positive class for each model.
    n_bins : int, default=10
        Bins of probabilities.
    bins : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width, or of equally many cases.

    Returns
    -------
    matplotlib Axes
        As of `reliability`.

    See Also
    --------
    reliability : The same from a result.

    References
    ----------
    .. [1] J. Bröcker, L. A. Smith (2007), doi:10.1175/WAF993.1.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> ax = fc.plots.calibration_curves(data.y_true, data.scores)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    level = check_level(confidence_level)
    cases = as_cases(y_true, pos_label, nan_policy, table=probabilities)
    found = {
        name: bins_of(brier_decomposition(cases.labels, p, n_bins=n_bins, bins=bins))
        for name, p in zip(named(cases), cases.scores, strict=True)
    }
    return draw_bins(found, level, ax)


def draw_bins(found: Mapping[str, Bins], level: float, ax: "Axes | None") -> "Axes":
    """Draw the bins of models by name."""
    details = [f"{bins.error():.3f}" for bins in found.values()]
    title = "expected calibration error; lines below: cases"
    new, key = ax is None, key_for(ax, cleaned(found), details, title, width=SQUARE)
    ax = charted(ax, key, SQUARE, SQUARE * (1.0 - STRIP[0]))
    if new:
        ax.set_aspect("equal")
    ax.plot([0, 1], [0, 1], gid="calibrated", **GUIDE)
    most = max(int(bins.sizes.max()) for bins in found.values())
    handles = []
    for j, bins in enumerate(found.values()):
        handles += ax.plot(bins.forecast, bins.rate, **curve_style(j, markers=True))
        if bins.sizes.size <= MOST_WHISKERS:
            ends = wilson_ends(bins.rate, bins.sizes, normal_quantile(0.5 * (1.0 - level)))
            ax.vlines(bins.forecast, *ends, color=color_of(j), linewidth=1, gid=f"interval {j}")
        top = STRIP[0] + (STRIP[1] - STRIP[0]) * bins.sizes / most
        shift = 0.006 * (j - 0.5 * (len(found) - 1))  # lines of models stand side by side
        ax.vlines(bins.forecast + shift, STRIP[0], top, color=color_of(j), linewidth=1.5)
    ax.set(xlim=(-AIR, 1.0 + AIR), ylim=(STRIP[0], 1.0 + AIR))
    ax.set(xlabel="Predicted probability", ylabel="Observed rate")
    ax.set_yticks(RATES)
    draw_key(ax, key, handles)
    return ax
