"""Decision curves: what acting on probabilities above a threshold gains."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._base.documented import documented
from .._base.types import Vector
from .._inputs.options import check_choice, check_flag, check_level
from .._inputs.pictures import as_results, refuse_picture
from .._inputs.rankings import check_axes
from ._canvas import cleaned
from ._charts import charted, draw_key, key_for
from ._theme import INK, color_of, curve_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

VEIL = 0.18
BELOW_ZERO = 0.15  # of the highest curve: how far down the picture goes
KNOWN = "net_benefit or net_benefit_test"
MARKED = 12  # thresholds: up to so many have markers


class Benefit(NamedTuple):
    """A curve, and its band where there is one."""

    name: str
    thresholds: Vector
    values: Vector
    band: tuple[Vector, Vector] | None = None


@documented
def decision_curves(
    result: Any,
    *,
    of: str = "models",
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw net benefits by threshold, beside those of treating everybody and nobody.

    Parameters
    ----------
    result : NetBenefitResult or NetBenefitTestResult, or several
        Of `net_benefit` or `net_benefit_test` with several thresholds; or a mapping of names to
        results of `net_benefit` for the same cases.
    of : {'models', 'difference'}, default='models'
        What to draw of a test: both models' net benefits, or their difference with its interval.
    simultaneous : bool, default=False
        Widen the bands so that they cover the whole curve.

    Returns
    -------
    matplotlib Axes
        Its x values are thresholds, its y values net benefits a case. Far below 0 it is cut off.

    References
    ----------
    .. [1] A. J. Vickers, E. B. Elkin (2006), doi:10.1177/0272989X06295361.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> cuts = [0.1, 0.2, 0.3, 0.4, 0.5]
    >>> found = fc.net_benefit(data.y_true, data.scores["naive_bayes"], cuts)
    >>> ax = fc.plots.decision_curves(found)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    check_choice("of", of, ("models", "difference"))
    level, together = check_level(confidence_level), check_flag("simultaneous", simultaneous)
    several = as_results(result)
    found = {"the model": result} if several is None else several
    curves = [
        curve
        for name, one in found.items()
        for curve in curves_of(str(name), one, of, level, together)
    ]
    guides = [] if of == "difference" else strategies(next(iter(found.values())))
    return draw_curves(curves, guides, of, ax)


def curves_of(name: str, result: Any, of: str, level: float, together: bool) -> list[Benefit]:
    """Return the curves of a result, or raise."""
    if not hasattr(result, "thresholds"):
        refuse_picture(result, "net benefits", KNOWN)
    cuts, tested = result.thresholds, hasattr(result, "net_benefits")
    if of == "difference" and not tested:
        refuse_picture(result, "a difference of net benefits", "net_benefit_test")
    if tested and of == "models":
        called = result.names if result.names != ("a", "b") else ("first model", "second model")
        both = zip(called, result.net_benefits, strict=True)
        return [Benefit(model, cuts, values) for model, values in both]
    band = result.confidence_interval(level, simultaneous=together)
    return [Benefit("difference" if tested else name, cuts, result.estimate, (band.low, band.high))]


def strategies(result: Any) -> list[Benefit]:
    """Return the net benefits of treating everybody and nobody."""
    cuts, share = result.thresholds, float(result._treatments.positive.mean())
    everybody = share - (1.0 - share) * cuts / (1.0 - cuts)
    return [Benefit("treat all", cuts, everybody), Benefit("treat none", cuts, np.zeros(cuts.size))]


def draw_curves(curves: list[Benefit], guides: list[Benefit], of: str, ax: "Axes | None") -> "Axes":
    """Draw the curves of models over those of strategies."""
    names = cleaned([curve.name for curve in [*curves, *guides]])
    key = key_for(ax, names, [""] * len(names))
    ax = charted(ax, key)
    handles = []
    for j, curve in enumerate(curves):
        look = curve_style(j, markers=curve.thresholds.size <= MARKED)
        handles += ax.plot(curve.thresholds, curve.values, **look)
        if curve.band is not None:
            veil: Any = {"color": color_of(j), "alpha": VEIL, "linewidth": 0, "gid": f"band {j}"}
            ax.fill_between(curve.thresholds, *curve.band, **veil)
    for curve, color in zip(guides, ("0.55", INK), strict=False):
        handles += ax.plot(curve.thresholds, curve.values, color=color, linewidth=0.9, zorder=1)
    if of == "difference":
        ax.axhline(0.0, color=INK, linewidth=0.9, zorder=1, gid="null")
    else:
        top = max(float(curve.values.max()) for curve in [*curves, *guides])
        low, high = ax.get_ylim()
        ax.set_ylim(max(low, -BELOW_ZERO * max(top, 1e-9)), high)
    words = "Difference of net benefits" if of == "difference" else "Net benefit"
    ax.set(xlabel="Threshold of the probability", ylabel=words)
    draw_key(ax, key, handles)
    return ax
