"""What a simulation found: type I errors as bars, and power as curves."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .._inputs.rankings import check_axes, require
from ._canvas import LITERAL, cleaned, new_axes, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW, WIDTH, HEIGHT = 2.0, 30.0, 22.0  # em
PAD, BELOW, ABOVE = 1.5, 4.0, 2.0
LEFT, KEY = 5.0, 6.0  # em: labels of the y axis; a line of the legend without its name
BAR = 0.6  # of a row
ROOM = 1.2  # of the longest bar: for its number
FIELDS = ("tests", "rate", "alpha", "confidence_interval")
LINES, MARKERS = ("-", "--", "-.", ":"), "os^Dv*P"  # 28 pairs until one returns
BESIDE: Mapping[str, Any] = {"xytext": (5, 0), "textcoords": "offset points", "va": "center"}
NOMINAL: Mapping[str, Any] = {"color": "black", "linestyle": (0, (6, 4)), "linewidth": 1}


def error_rates(result: Any, *, confidence_level: float = 0.95, ax: "Axes | None" = None) -> "Axes":
    """Draw how often each test rejects, as bars beside the line of the level that it promises.

    Whiskers are the intervals that the number of trials leaves open.

    Parameters
    ----------
    result : ErrorRatesResult
        Of `fastcompare.simulate.simulate_error_rates`.
    confidence_level : float, default=0.95
        Of the whiskers, between 0 and 1.
    ax : matplotlib Axes, optional
        Where to draw. By default a new figure, large enough for the number of tests and the lengths
        of their names.

    Returns
    -------
    matplotlib Axes
        Its x values are rates; the first test is on top.

    See Also
    --------
    power_curves : Rates by effect or sample size.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.DietterichClassifiers()
    >>> result = fc.simulate_error_rates(None, design, n_trials=1000, rng=0)
    >>> ax = fc.plots.error_rates(result)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    require(result, (*FIELDS, "effect"))
    names = cleaned(result.tests)
    low, high = result.confidence_interval(confidence_level)

    if ax is None:
        left, side = widest(names) + PAD, ROW * len(names)
        ax = placed(left, WIDTH, BELOW, side, right=PAD)
    rows = np.arange(len(names))
    ax.barh(rows, result.rate, BAR, color="0.8", edgecolor="black")
    ax.hlines(rows, low, high, color="black", linewidth=2)
    clear = np.maximum(high, result.alpha)  # of the line of the level
    for row, (x, rate) in enumerate(zip(clear.tolist(), result.rate.tolist(), strict=True)):
        ax.annotate(f"{100 * rate:.3g} %", (x, row), **BESIDE)
    ax.axvline(result.alpha, **NOMINAL)
    ax.set(xlim=(0, ROOM * max(*high, 1.5 * result.alpha)), ylim=(len(names) - 0.5, -0.5))
    ax.set_xlabel("Type I error" if result.effect == 0 else "Power")
    ax.set_yticks(rows, names, **LITERAL)
    return ax


def power_curves(
    result: Any, *, confidence_level: float = 0.95, ax: "Axes | None" = None
) -> "Axes":
    """Draw a curve of power for each test, by effect or by sample size.

    Parameters
    ----------
    result : PowerResult
        Of `fastcompare.simulate.simulate_power`.
    confidence_level : float, default=0.95
        Of the bands that the number of trials leaves open, between 0 and 1.
    ax : matplotlib Axes, optional
        Where to draw. By default a new figure with the legend beside it.

    Returns
    -------
    matplotlib Axes
        Its x values are effects or sizes, its y values rates.

    See Also
    --------
    error_rates : Rates without an effect.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = fc.simulate.BinormalScores()
    >>> power = fc.simulate.simulate_power(
    ...     "delong", design, effects=[0, 0.05, 0.1], n_trials=500, rng=0
    ... )
    >>> ax = fc.plots.power_curves(power)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    require(result, (*FIELDS, "varied", "effects", "sizes"))
    names = cleaned(result.tests)
    x, label = (
        (result.sizes, "Sample size") if result.varied == "size" else (result.effects, "Effect")
    )
    low, high = result.confidence_interval(confidence_level)

    if ax is None:
        ax = placed(LEFT, WIDTH, BELOW, HEIGHT, right=widest([*names, "nominal level"]) + KEY)
    for j, (name, rates) in enumerate(zip(names, result.rate, strict=True)):
        ax.fill_between(x, low[j], high[j], color="0.85", linewidth=0)
        style = LINES[j % len(LINES)] + MARKERS[j % len(MARKERS)]
        ax.plot(x, rates, style, color="black", mfc="white", label=name)
    ax.axhline(result.alpha, label="nominal level", **NOMINAL)
    ax.set(ylim=(-0.02, 1.02), xlabel=label, ylabel="Power")
    legend = ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    for text in legend.get_texts():
        text.set(**LITERAL)
    return ax


def placed(left: float, width: float, bottom: float, height: float, *, right: float) -> "Axes":
    """Return the axes of a new figure with this room around them, in em."""
    whole = left + width + right, bottom + height + ABOVE
    ax = new_axes(*whole)
    ax.set_position((left / whole[0], bottom / whole[1], width / whole[0], height / whole[1]))
    return ax
