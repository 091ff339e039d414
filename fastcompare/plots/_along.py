"""Curves along thresholds or horizons: of models, or of the difference of two, with their bands."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._base.documented import documented
from .._base.types import Vector
from .._inputs.options import check_choice, check_flag, check_level
from .._inputs.pictures import as_results, check_axes, refuse_picture
from ._canvas import INK, clean_names, curve_style, draw_band, draw_key, keyed_axes, names_of_two

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MODELS = ("first model", "second model")
BELOW_ZERO = 0.15  # of the highest curve: how far down net benefits are drawn
MOST_CUTS, MOST_HORIZONS = 12, 20  # up to which each has a marker
WITH_BENEFITS = "net_benefit or net_benefit_test"
WITH_HORIZONS = (
    "auc_at_interval, auc_at_test and their like for Brier scores, with several horizons"
)


class Curve(NamedTuple):
    """A curve: values by x in increasing order, with a band of intervals if there is one."""

    name: str
    x: Vector
    values: Vector
    band: tuple[Vector, Vector] | None = None


CurvesOf = Callable[[str, Any, str, float, bool], list[Curve]]


def curves_of_all(
    result: Any, curves_of: CurvesOf, of: str, confidence_level: float, simultaneous: bool
) -> tuple[list[Curve], Any]:
    """Return the curves of one result or of several by name, and the first result, or raise."""
    check_choice("of", of, ("models", "difference"))
    level = check_level(confidence_level)
    is_simultaneous = check_flag("simultaneous", simultaneous)
    results = as_results(result) or {"the model": result}
    curves: list[Curve] = []
    for name, one_result in results.items():
        curves += curves_of(str(name), one_result, of, level, is_simultaneous)
    return curves, next(iter(results.values()))


def draw_curves(
    ax: "Axes | None",
    curves: list[Curve],
    guides: list[Curve],
    most_marked: int,
    labels: tuple[str, str],
    *,
    null: bool,
) -> "Axes":
    """Draw the curves of models with their bands, and `guides`, those of strategies.

    NaN are gaps. Up to `most_marked` points of a curve have markers; `labels` are those of x and y;
    `null` draws a line at 0.
    """
    ax, key = keyed_axes(ax, clean_names([curve.name for curve in [*curves, *guides]]))
    handles = []
    for j, curve in enumerate(curves):
        look = curve_style(j, markers=curve.x.size <= most_marked)
        handles += ax.plot(curve.x, curve.values, **look)
        if curve.band is not None:
            draw_band(ax, j, curve.x, *curve.band)
    for curve, color in zip(guides, ("0.55", INK), strict=False):
        handles += ax.plot(curve.x, curve.values, color=color, linewidth=0.9, zorder=1)
    if null:
        ax.axhline(0.0, color=INK, linewidth=0.9, zorder=1, gid="null")
    if guides:
        top = max(float(curve.values.max()) for curve in [*curves, *guides])
        low, high = ax.get_ylim()
        ax.set_ylim(max(low, -BELOW_ZERO * max(top, 1e-9)), high)
    x_label, y_label = labels
    ax.set(xlabel=x_label, ylabel=y_label)
    draw_key(ax, key, handles)
    return ax


@documented
def decision_curves(
    result: Any,
    *,
    of: str = "models",
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw decision curves: net benefits by threshold, with those of treating all and none.

    Parameters
    ----------
    result : NetBenefitResult or NetBenefitTestResult, or several
        Of `net_benefit` or `net_benefit_test` with several thresholds; or a mapping of names to
        results of `net_benefit` for the same cases.
    of : {'models', 'difference'}, default='models'
        For a test: draw both models' net benefits, or their difference with its interval.
    simultaneous : bool, default=False
        Widen the bands so that they cover the whole curve.

    Returns
    -------
    matplotlib Axes
        Its x values are thresholds, its y values net benefits per case, cut off far below 0.

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
    curves, first = curves_of_all(result, benefit_curves, of, confidence_level, simultaneous)
    x = "Threshold of the probability"
    if of == "difference":
        words = "Difference of net benefits"
        return draw_curves(ax, curves, [], MOST_CUTS, (x, words), null=True)
    return draw_curves(
        ax, curves, treat_all_and_none(first), MOST_CUTS, (x, "Net benefit"), null=False
    )


def benefit_curves(
    name: str, result: Any, of: str, level: float, simultaneous: bool
) -> list[Curve]:
    """Return the net benefits of a result by threshold, or raise.

    Of a test they are those of both models, without bands, or where `of` is 'difference' that.
    """
    if not hasattr(result, "thresholds"):
        refuse_picture(result, "net benefits", WITH_BENEFITS)
    cuts = result.thresholds
    is_test = hasattr(result, "net_benefits")
    if of == "difference" and not is_test:
        refuse_picture(result, "a difference of net benefits", "net_benefit_test")
    if is_test and of == "models":
        both = zip(names_of_two(result, MODELS), result.net_benefits, strict=True)
        return [Curve(model, cuts, values) for model, values in both]
    band = result.confidence_interval(level, simultaneous=simultaneous)
    return [Curve("difference" if is_test else name, cuts, result.estimate, (band.low, band.high))]


def treat_all_and_none(result: Any) -> list[Curve]:
    """Return the net benefits of treating all and none."""
    cuts = result.thresholds
    share = float(result._treatments.positive.mean())
    everybody = share - (1.0 - share) * cuts / (1.0 - cuts)
    return [Curve("treat all", cuts, everybody), Curve("treat none", cuts, np.zeros(cuts.size))]


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
    check_axes(ax)
    curves, first = curves_of_all(result, curves_by_horizon, of, confidence_level, simultaneous)
    differ = of == "difference"
    words = f"Difference in {first.measure}" if differ else first.measure
    return draw_curves(ax, curves, [], MOST_HORIZONS, ("Horizon", words), null=differ)


def curves_by_horizon(
    name: str, result: Any, of: str, level: float, simultaneous: bool
) -> list[Curve]:
    """Return the estimates of a result by horizon, from the shortest on, or raise.

    Of a test they are those of both models, or where `of` is 'difference' that.
    """
    if not hasattr(result, "horizons"):
        refuse_picture(result, "values at several horizons", WITH_HORIZONS)
    is_test = hasattr(result, "_curves")
    if of == "difference" and not is_test:
        refuse_picture(result, "a difference at several horizons", "auc_at_test")
    sources = {"difference" if is_test else name: result}
    if is_test and of == "models":
        sources = dict(zip(names_of_two(result, MODELS), result._curves, strict=True))
    order = np.argsort(result.horizons)
    curves = []
    for title, source in sources.items():
        low, high = source.confidence_interval(level, simultaneous=simultaneous)
        band = low[order], high[order]
        curves.append(Curve(title, source.horizons[order], source.estimate[order], band))
    return curves
