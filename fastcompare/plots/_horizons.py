"""AUCs and Brier scores of models by horizon, with their intervals."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._base.documented import documented
from .._base.types import Vector
from .._inputs.options import check_choice, check_flag, check_level
from .._inputs.pictures import as_results, check_axes, refuse_picture
from .._inputs.scores import UNNAMED
from ._canvas import INK, charted, cleaned, color_of, curve_style, draw_key, key_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

VEIL = 0.18  # how much a band covers
MARKED = 20  # horizons up to which each has a marker
KNOWN = "auc_at_interval, auc_at_test and their like for Brier scores, with several horizons"


class Curve(NamedTuple):
    """Values along horizons, in order, and their intervals."""

    name: str
    horizons: Vector
    values: Vector
    band: tuple[Vector, Vector]


@documented
def horizon_curves(
    result: Any,
    *,
    of: str = "models",
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw AUCs or Brier scores by horizon with their intervals, or differences of two models.

    Parameters
    ----------
    result : HorizonCurveResult or HorizonsTestResult, or several
        Of `auc_at_interval`, `auc_at_test`, `survival_brier_interval` or `survival_brier_test` with
        several horizons; or a mapping of names to results for single models.
    of : {'models', 'difference'}, default='models'
        For a test, draw both models with their intervals, or the difference with its interval.
    confidence_level : float, default=0.95
        Confidence level of the intervals.
    simultaneous : bool, default=False
        Widen the bands so that they cover all horizons of a curve together.

    Returns
    -------
    matplotlib Axes
        Its x values are horizons, its y values AUCs, Brier scores or differences.

    References
    ----------
    .. [1] P. Blanche, J.-F. Dartigues, H. Jacqmin-Gadda (2013), doi:10.1002/sim.5958.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> a, b = [5, 3, 3, 4, 2, 2, 6, 1, 1, 0], [5, 4, 1, 3, 4, 3, 2, 3, 1, 1]
    >>> result = fc.auc_at_test(time, event, a, b, horizon=[3.5, 4.5])
    >>> ax = fc.plots.horizon_curves(result)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_choice("of", of, ("models", "difference"))
    band = check_level(confidence_level), check_flag("simultaneous", simultaneous)
    check_axes(ax)
    found = as_results(result) or {"the model": result}
    curves = [curve for name in found for curve in curves_of(str(name), found[name], of, *band)]
    measure = next(iter(found.values())).measure
    return drawn(curves, f"Difference in {measure}" if of == "difference" else measure, of, ax)


def curves_of(name: str, result: Any, of: str, level: float, together: bool) -> list[Curve]:
    """Return the curves of a result, or raise."""
    if not hasattr(result, "horizons"):
        refuse_picture(result, "values at several horizons", KNOWN)
    tested = hasattr(result, "_curves")
    if of == "difference" and not tested:
        refuse_picture(result, "a difference at several horizons", "auc_at_test")
    parts = {name: result}
    if tested and of == "models":
        called = ("first model", "second model") if result.names == UNNAMED else result.names
        parts = dict(zip(called, result._curves, strict=True))
    elif tested:
        parts = {"difference": result}
    return [curve_of(title, one, level, together) for title, one in parts.items()]


def curve_of(name: str, result: Any, level: float, together: bool) -> Curve:
    """Return the estimates of a result with their intervals, in the order of the horizons."""
    order = np.argsort(result.horizons)
    low, high = result.confidence_interval(level, simultaneous=together)
    return Curve(name, result.horizons[order], result.estimate[order], (low[order], high[order]))


def drawn(curves: list[Curve], words: str, of: str, ax: "Axes | None") -> "Axes":
    """Draw curves with their bands; NaN are gaps."""
    names = cleaned([curve.name for curve in curves])
    key = key_for(ax, names, [""] * len(names))
    ax = charted(ax, key)
    handles = []
    for j, curve in enumerate(curves):
        look = curve_style(j, markers=curve.horizons.size <= MARKED)
        handles += ax.plot(curve.horizons, curve.values, **look)
        veil: Any = {"color": color_of(j), "alpha": VEIL, "linewidth": 0, "gid": f"band {j}"}
        low, high = curve.band
        ax.fill_between(curve.horizons, low, high, **veil)
    if of == "difference":
        ax.axhline(0.0, color=INK, linewidth=0.9, zorder=1, gid="null")
    ax.set(xlabel="Horizon", ylabel=words)
    draw_key(ax, key, handles)
    return ax
