"""Pictures of simulated rates: type I errors beside the nominal level, and curves of power."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._inputs.options import check_choice
from .._inputs.pictures import check_axes, require
from ._canvas import (
    BELOW,
    LITERAL,
    ROW_PAD,
    SHADE,
    axes_of_rows,
    chart_axes,
    clean_names,
    curve_style,
    draw_key,
    font_size,
    ink,
    keyed_axes,
    model_color,
    size_of_figure,
    widest,
    without_spines,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ABOVE = 2.0  # em
BAR = 0.6  # of a row
VEIL = 0.15  # how much a band covers
ROOM = 1.2  # of the longest bar: for its number
FAR = 6.0  # levels, beyond which a linear axis does not show the level itself well
LEAST = 0.2  # of the level: where a logarithmic axis begins
MOST_NAMES = 0.45  # of the width of given axes, beyond which names stand above their bars
MARK = 3.6  # em between numbers of the axis
FIELDS = ("tests", "rate", "alpha", "confidence_interval")
BESIDE: Any = {"xytext": (5, 0), "textcoords": "offset points", "va": "center"}
NOMINAL: Any = {"color": "black", "linestyle": (0, (6, 4)), "linewidth": 1, "zorder": 1}


@documented
def error_rates(
    result: Any, *, scale: str = "auto", confidence_level: float = 0.95, ax: "Axes | None" = None
) -> "Axes":
    """Draw how often each test rejects, compared with its nominal level.

    Whiskers are confidence intervals for the number of trials. Rates are bars, or dots on a
    logarithmic axis, with a rate of 0 at its left end.

    Parameters
    ----------
    result : ErrorRatesResult
        Of `fastcompare.simulate.simulate_error_rates`.
    scale : {'auto', 'linear', 'log'}, default='auto'
        'auto' is logarithmic if a type I error rate exceeds 6 times the level.
    confidence_level : float, default=0.95
        Confidence level of the whiskers, between 0 and 1.
    ax : matplotlib Axes, optional
        Axes to draw on. By default a new figure, large enough for all names. In narrow axes, names
        are above their rates.

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
    check_choice("scale", scale, ("auto", "linear", "log"))
    require(result, (*FIELDS, "effect"))
    names = clean_names(result.tests)
    alpha = result.alpha
    low, high = result.confidence_interval(confidence_level)
    exceeds_level = result.effect == 0 and float(np.max(high)) > FAR * alpha
    is_logarithmic = scale == "log" or (scale == "auto" and exceeds_level)

    ax, above = named_rows(ax, names)
    rows = np.arange(len(names)) + (0.5 * BAR if above else 0.0)
    if is_logarithmic:
        draw_dots(ax, rows, result.rate, low, high, alpha)
    else:
        ax.barh(rows, result.rate, 0.5 * BAR if above else BAR, color=SHADE, edgecolor=ink())
        ax.set_xlim(0, ROOM * max(*high, 1.5 * alpha))
    axis_low = ax.get_xlim()[0]
    ax.hlines(rows, np.maximum(low, axis_low), high, color=ink(), linewidth=2)
    text_start = np.maximum(high, alpha)  # right of the whisker and of the line of the level
    for row, x, rate in zip(rows.tolist(), text_start.tolist(), result.rate.tolist(), strict=True):
        ax.annotate(f"{100 * rate:.3g}%", (x, row), **BESIDE)
    ax.axvline(alpha, **NOMINAL)
    ax.set_ylim(len(names) - 0.5 + 0.5 * above, -0.5)
    ax.set_xlabel("Type I error" if result.effect == 0 else "Power")
    return ax


def draw_dots(ax: "Axes", rows: Any, rate: Any, low: Any, high: Any, level: float) -> None:
    """Draw rates as dots on a logarithmic axis of percentages, those of 0 at its left end.

    `low` and `high` are the ends of the rates' intervals, `level` is the nominal one.
    """
    lowest = min([LEAST * level, *low[low > 0.0].tolist()])
    highest = float(np.max(high))
    start = 0.9 * lowest
    ax.set_xscale("log")
    ax.set_xlim(start, highest * (highest / lowest) ** 0.25)  # room for numbers on the right
    ax.plot(np.maximum(rate, start), rows, "o", color=model_color(0), clip_on=False, zorder=3)
    marks = rate_marks(ax, level, start, 1.05 * highest)
    ax.set_xticks(marks, [f"{100 * mark:.3g}%" for mark in marks])
    ax.set_xticks([], minor=True)


def rate_marks(ax: "Axes", level: float, low: float, high: float) -> list[float]:
    """Return the ticks of a logarithmic axis: the level, and round rates that leave room."""
    round_rates = (step * 10.0**-k for k in range(8) for step in (5, 2, 1))
    log_low, log_high = np.log(ax.get_xlim())
    gap = MARK * font_size() / row_width(ax) * (log_high - log_low)
    marks = [level]
    for rate in round_rates:
        is_near = np.abs(np.log(rate) - np.log(marks)).min() < gap
        if low <= rate <= min(high, 1.0) and not is_near:
            marks.append(rate)
    return marks


def named_rows(ax: "Axes | None", names: list[str]) -> tuple["Axes", bool]:
    """Return axes with a row for each name, and whether the names stand above their rows."""
    rows = np.arange(len(names))
    name_room = widest(names) + ROW_PAD
    if ax is None:
        ax = axes_of_rows(names, BELOW, ABOVE)
        above = False
    else:
        em = font_size()
        box = ax.get_position()
        above = name_room * em > MOST_NAMES * (box.x1 * size_of_figure(ax)[0])
        ax = chart_axes(ax, None, left_margin=ROW_PAD if above else name_room)
    if above:
        ax.set_yticks([])
        size = min(font_size(), 0.98 * row_width(ax) / widest(names))
        for row, name in zip(rows.tolist(), names, strict=True):
            ax.annotate(
                name,
                (0.0, row - 0.2),
                xycoords=("axes fraction", "data"),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
                fontsize=size,
                bbox={"facecolor": ax.get_facecolor(), "linewidth": 0, "pad": 0.3},
                **LITERAL,
            )
    else:
        ax.set_yticks(rows, names, **LITERAL)
    return without_spines(ax), above


def row_width(ax: "Axes") -> float:
    """Return how many points a name above its row may be wide."""
    return size_of_figure(ax)[0] * float(ax.get_position().width) - 3.0


@documented
def power_curves(
    result: Any, *, confidence_level: float = 0.95, ax: "Axes | None" = None
) -> "Axes":
    """Draw the power of each test by effect or by sample size.

    Parameters
    ----------
    result : PowerResult
        Of `fastcompare.simulate.simulate_power`.
    confidence_level : float, default=0.95
        Confidence level of the bands, between 0 and 1.
    ax : matplotlib Axes, optional
        Axes to draw on. By default a new figure. The legend is below.

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
    names = clean_names(result.tests)
    x, label = result.effects, "Effect"
    if result.varied == "size":
        x, label = result.sizes, "Sample size"
    low, high = result.confidence_interval(confidence_level)

    ax, key = keyed_axes(ax, [*names, "nominal level"])
    handles = []
    for j, (name, rates) in enumerate(zip(names, result.rate, strict=True)):
        veil: Any = {"color": model_color(j), "alpha": VEIL, "linewidth": 0}
        ax.fill_between(x, low[j], high[j], **veil)
        handles += ax.plot(x, rates, mfc="white", label=name, **curve_style(j, markers=True))
    handles.append(ax.axhline(result.alpha, label="nominal level", **NOMINAL))
    ax.set(ylim=(-0.02, 1.02), xlabel=label, ylabel="Power")
    draw_key(ax, key, handles)
    return ax
