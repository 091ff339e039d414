"""Pictures of reader studies: figures of merit by reader, and the power of planned studies."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .._base.documented import documented
from .._base.text import amount
from .._inputs.pictures import check_axes, refuse_picture, require
from ._canvas import LITERAL, clean_names, curve_style, draw_key, ink, keyed_axes, model_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WITH_READERS = "reader_study, reader_study_test or reader_study_pairwise_test"
SIDE = 24.0  # em
MOST_NAMED = 12  # readers in the legend: of more, all have one look
BESIDE = 0.16  # of the distance of treatments: how far means stand from them


@documented
def readers(result: Any, *, confidence_level: float = 0.95, ax: "Axes | None" = None) -> "Axes":
    """Draw what each reader reaches under each treatment as a line, and the means with intervals.

    Parameters
    ----------
    result : ReaderStudyResult, ReaderStudyTestResult and their like
        Of `reader_study`, `reader_study_test` or `reader_study_pairwise_test`.
    confidence_level : float, default=0.95
        Of the intervals of the means, between 0 and 1.
    ax : matplotlib Axes, optional
        Where to draw. By default a new figure. The legend is below.

    Returns
    -------
    matplotlib Axes
        Its x values are the treatments, its y values figures of merit.

    Examples
    --------
    >>> import fastcompare as fc
    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> alone = {"Ann": [1, 2, 4, 2, 3, 5, 4, 2], "Bo": [1, 3, 2, 2, 4, 5, 3, 1]}
    >>> aided = {"Ann": [1, 2, 3, 2, 4, 5, 4, 3], "Bo": [1, 2, 2, 3, 4, 5, 4, 2]}
    >>> study = fc.reader_study({"alone": alone, "aided": aided}, truth=truth,
    ...                         on_undefined="ignore")
    >>> ax = fc.plots.readers(study)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    study = getattr(result, "study", result)
    if not hasattr(study, "figures"):
        refuse_picture(result, "figures of readers", WITH_READERS)
    low, high = study.confidence_interval(confidence_level)
    x = np.arange(len(study.treatments))
    many = len(study.readers) > MOST_NAMED
    names = [f"{len(study.readers)} readers"] if many else clean_names(study.readers)
    mean = f"mean, {100.0 * confidence_level:g}% CI"
    ax, key = keyed_axes(ax, [mean, *names], width=SIDE, height=SIDE)
    lines = []
    for j, values in enumerate(study.figures.T):
        look = {"color": model_color(0), "alpha": 0.5} if many else curve_style(j, markers=True)
        lines += ax.plot(x, values, **look)
    error = np.stack([study.values - low, high - study.values])
    mean_x = np.where(x == 0, x - BESIDE, x + BESIDE)  # left of the first, right of the others
    bars = ax.errorbar(mean_x, study.values, error, fmt="D", color=ink(), capsize=4)
    ax.set_xticks(x, clean_names(study.treatments), **LITERAL)
    ax.set_xlim(-0.4, x[-1] + 0.4)
    quantity = study._study.quantity
    ax.set_ylabel(quantity[0].upper() + quantity[1:])
    draw_key(ax, key, [bars, *lines[: len(names)]])  # of many readers one line stands for all
    return ax


@documented
def reader_power(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the power of a planned study by its cases, a curve for each number of readers.

    Parameters
    ----------
    result : ReaderStudyPowerResult
        Of `reader_study_power`.
    ax : matplotlib Axes, optional
        Where to draw. By default a new figure. The legend is below.

    Returns
    -------
    matplotlib Axes
        Its x values are cases, its y values power.

    Examples
    --------
    >>> import fastcompare as fc
    >>> components = {"treatment_reader": 0.0002, "error": 0.0008, "cov1": 0.00034,
    ...               "cov2": 0.00034, "cov3": 0.00024}
    >>> plan = fc.reader_study_power(components, pilot_cases=114, difference=0.05,
    ...                              readers=[5, 10], cases=range(50, 400, 50))
    >>> ax = fc.plots.reader_power(plan)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    require(result, ("power", "readers", "cases"))
    names = [amount(readers, "reader") for readers in result.readers.tolist()]
    ax, key = keyed_axes(ax, names)
    order = np.argsort(result.cases, kind="stable")
    handles = []
    for j, power in enumerate(result.power):
        look = curve_style(j, markers=True)
        handles += ax.plot(result.cases[order], power[order], mfc="white", **look)
    ax.set(ylim=(-0.02, 1.02), xlabel="Cases", ylabel="Power")
    draw_key(ax, key, handles)
    return ax
