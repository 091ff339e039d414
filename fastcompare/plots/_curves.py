"""ROC, precision-recall and reliability curves of models of the same cases."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.text import show_number, stated_ends
from .._base.types import Integers, NanPolicy, RandomState, Vector
from .._inference.infer import wilson_ends
from .._inference.pvalues import normal_quantile
from .._inputs.options import check_choice, check_flag, check_level
from .._inputs.pictures import as_results, check_axes, refuse_picture
from .._inputs.scores import Cases, ScoreTable, as_cases
from ..auc._curves import average_precision, average_precision_interval, roc_curve_band
from ..auc._one_model import roc_auc_interval
from ..probabilities._decomposition import brier_decomposition
from ._canvas import Key, clean_names, curve_style, draw_band, draw_key, keyed_axes, model_color

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SQUARE = 26.0  # em: the sides of a new picture
BANDS = ("pointwise", "simultaneous")
AIR = 0.02  # of the axes, around the curves
GUIDE: Mapping[str, Any] = {"color": "0.5", "linewidth": 0.8, "linestyle": (0, (2, 3)), "zorder": 1}


class CumulativeCounts(NamedTuple):
    """True and false positives at each distinct score as a threshold, from the highest on."""

    true: Integers
    false: Integers

    @classmethod
    def of(cls, labels: Any, scores: Vector) -> "CumulativeCounts":
        """Return the counts of a model; cases of equal score are counted together."""
        order = np.argsort(scores, kind="stable")[::-1]
        ranked = scores[order]
        last_of_score = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
        true = np.cumsum(labels[order], dtype=np.int64)[last_of_score]
        return cls(true, last_of_score + 1 - true)

    def turning_points(self) -> tuple[Integers, Integers]:
        """Return false and true positives, from 0 on, at the points where the ROC curve turns."""
        false, true = (np.append(0, counts) for counts in (self.false, self.true))
        turns = (np.diff(false, 2) != 0) | (np.diff(true, 2) != 0)
        is_corner = np.concatenate(([True], turns, [True]))
        return false[is_corner], true[is_corner]


@documented
def roc_curves(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    band: str | None = None,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1999,
    rng: RandomState = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the ROC curves of models on the same cases, with their AUCs and intervals.

    Parameters
    ----------
    scores : array-like of shape (n,) or (n, k), mapping or data frame
        Scores, one column per model; column names are shown in the legend.
    band : {'pointwise', 'simultaneous'}, optional
        Bootstrap bands of the sensitivities by `roc_curve_band`: pointwise, or for the whole curve.
    confidence_level : float, default=0.95
        Confidence level of the bands and of the AUCs' intervals (those of `roc_auc_interval`).
    n_resamples : int, default=1999
        Number of bootstrap replicates of the bands.

    Returns
    -------
    matplotlib Axes
        Its x values are false positive rates, its y values true positive rates. The legend is
        below.

    See Also
    --------
    precision_recall_curves : For rare positives.
    forest : Only the AUCs or their differences.

    References
    ----------
    .. [1] T. Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> ax = fc.plots.roc_curves(data.y_true, data.scores)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    if band is not None:
        check_choice("band", band, BANDS)
    level = check_level(confidence_level)
    cases = as_cases(y_true, pos_label, nan_policy, groups, table=scores)
    options: Any = {"groups": cases.groups, "confidence_level": level}
    details = [interval_text(roc_auc_interval(cases.labels, s, **options)) for s in cases.scores]

    ax, key = square_axes(ax, legend_names(cases), details, f"AUC ({100 * level:g}% CI)")
    m, n = class_counts(cases)
    handles = []
    for j, vector in enumerate(cases.scores):
        false, true = CumulativeCounts.of(cases.labels, vector).turning_points()
        handles += ax.plot(false / n, true / m, **curve_style(j))
        if band is not None:
            drawing: Any = {
                "simultaneous": band == "simultaneous",
                "n_resamples": n_resamples,
                "rng": rng,
            }
            curve = roc_curve_band(cases.labels, vector, **options, **drawing)
            draw_band(ax, j, curve.fpr, curve.low, curve.high)
    return with_chance(ax, key, handles)


def with_chance(ax: "Axes", key: Key, handles: list[Any]) -> "Axes":
    """Add the line of chance, labels and legend to the axes of ROC curves; return the axes."""
    ax.plot([0, 1], [0, 1], gid="chance", **GUIDE)
    ax.set(xlabel="False positive rate", ylabel="True positive rate")
    draw_key(ax, key, handles)
    return ax


def roc_band(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw a ROC curve with its confidence band.

    Parameters
    ----------
    result : ROCBandResult
        Of `roc_curve_band`.
    ax : matplotlib Axes, optional
        Axes to draw on.

    Returns
    -------
    matplotlib Axes
        As for `roc_curves`, which draws the whole curves.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> band = fc.roc_curve_band(data.y_true, data.scores["naive_bayes"], n_resamples=99, rng=0)
    >>> ax = fc.plots.roc_band(band)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    if not hasattr(result, "tpr"):
        refuse_picture(result, "a band", "roc_curve_band")
    kind = "simultaneous" if result.simultaneous else "pointwise"
    ax, key = square_axes(ax, [f"{kind} {100 * result.confidence_level:g}% band"], [""], "")
    handles = ax.plot(result.fpr, result.tpr, **curve_style(0))
    draw_band(ax, 0, result.fpr, result.low, result.high)
    return with_chance(ax, key, handles)


@documented
def precision_recall_curves(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    intervals: bool = False,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1999,
    rng: RandomState = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw the precision-recall curves of models on the same cases, with average precisions.

    Curves are step functions, because precision is not linear in recall between thresholds [1]_.
    The dashed line is the precision of a random model.

    Parameters
    ----------
    scores : array-like of shape (n,) or (n, k), mapping or data frame
        Scores, one column per model; column names are shown in the legend.
    intervals : bool, default=False
        Show the intervals of `average_precision_interval` in the legend.

    Returns
    -------
    matplotlib Axes
        Its x values are recalls, its y values precisions. The legend is below.

    See Also
    --------
    roc_curves : The same for sensitivity and specificity.

    References
    ----------
    .. [1] J. Davis, M. Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> ax = fc.plots.precision_recall_curves(data.y_true, data.scores)
    >>> ax.figure.savefig("picture.svg")  # doctest: +SKIP
    """
    check_axes(ax)
    level = check_level(confidence_level)
    with_intervals = check_flag("intervals", intervals)
    cases = as_cases(y_true, pos_label, nan_policy, groups, table=scores)
    labels = cases.labels
    title = "average precision"
    if with_intervals:
        drawing: Any = {"groups": cases.groups, "n_resamples": n_resamples, "rng": rng}
        options = drawing | {"confidence_level": level}
        estimates = [average_precision_interval(labels, s, **options) for s in cases.scores]
        details, title = list(map(interval_text, estimates)), f"{title} ({100 * level:g}% CI)"
    else:
        details = [show_number(average_precision(labels, s), ".3f") for s in cases.scores]

    ax, key = square_axes(ax, legend_names(cases), details, title)
    m, n = class_counts(cases)
    handles = []
    for j, vector in enumerate(cases.scores):
        steps = CumulativeCounts.of(labels, vector)
        precision = steps.true / (steps.true + steps.false)
        recall, precision = np.append(0.0, steps.true / m), np.append(precision[0], precision)
        handles += ax.plot(recall, precision, drawstyle="steps-pre", **curve_style(j))
    ax.plot([0, 1], [m / (m + n)] * 2, gid="chance", **GUIDE)
    ax.set(xlabel="Recall", ylabel="Precision")
    draw_key(ax, key, handles)
    return ax


def class_counts(cases: Cases) -> tuple[int, int]:
    """Return the numbers of positives and negatives, at least 1, since rates divide by them."""
    m = int(np.count_nonzero(cases.labels))
    return max(m, 1), max(cases.labels.size - m, 1)


def interval_text(result: Any) -> str:
    """Return ``0.850 (0.800 to 0.900)``, an estimate with its interval."""
    form = ".3f"
    return (
        f"{show_number(result.estimate, form)} ({stated_ends(result.confidence_interval(), form)})"
    )


def legend_names(cases: Cases) -> list[str]:
    """Return the names of models; of a single one without a name, nothing."""
    return [""] if cases.names == ("model 1",) else clean_names(cases.names)


def square_axes(
    ax: "Axes | None", names: list[str], details: list[str], title: str, lowest: float = 0.0
) -> tuple["Axes", Key]:
    """Return axes with x and y from 0 to 1, and room for a key; and the key.

    Where `lowest` is negative, y begins there: at the lower end of a strip below 0.
    """
    is_new = ax is None
    ax, key = keyed_axes(ax, names, details, title, width=SQUARE, height=SQUARE * (1.0 - lowest))
    if is_new:
        ax.set_aspect("equal")
    ax.set(xlim=(-AIR, 1.0 + AIR), ylim=(lowest or -AIR, 1.0 + AIR))
    return ax, key


RATES = (0.0, 0.25, 0.5, 0.75, 1.0)
MOST_WHISKERS = 30  # bins of a model that have intervals
STRIP_LOW, STRIP_HIGH = -0.18, -0.04  # where the numbers of cases are drawn, below rates of 0


class Bins(NamedTuple):
    """The bins of a model: cases, mean probabilities, observed rates and their limits."""

    n_cases: Integers
    forecast: Vector
    rate: Vector
    limits: tuple[Vector, Vector]

    def error(self) -> float:
        """Return the expected calibration error over the bins, without those of undefined rates."""
        n_cases = np.where(np.isnan(self.rate), 0, self.n_cases)
        gaps = np.abs(self.forecast - self.rate)
        return float(np.nansum(n_cases * gaps) / max(n_cases.sum(), 1))


def calibration_bins(result: Any, level: float) -> Bins:
    """Return the bins of a result, with its own intervals or Wilson's; raise if it has no bins.

    A decomposition has the rates of its bins; those of a calibration error follow from its cases,
    sorted by bin.
    """
    if hasattr(result, "observed_rate"):
        sizes, forecast, rate = result.counts, result.mean_probability, result.observed_rate
    elif hasattr(result, "n_bins"):
        sizes = result._sample.sizes
        starts = np.cumsum(sizes) - sizes
        forecast = np.add.reduceat(np.sort(result._sample.p), starts) / sizes
        rate = result._sample.positives / sizes
    else:
        refuse_picture(
            result, "bins", "brier_decomposition, calibration_error or survival_calibration"
        )
    if hasattr(result, "observed_interval"):
        low, high = result.observed_interval(level)
    else:
        low, high = wilson_ends(rate, sizes, normal_quantile(0.5 * (1.0 - level)))
    return Bins(sizes, forecast, rate, (low, high))


@documented
def reliability(result: Any, *, confidence_level: float = 0.95, ax: "Axes | None" = None) -> "Axes":
    """Draw a reliability diagram: observed rates against predicted probabilities, in bins.

    Whiskers are Wilson's intervals of the rates, or at a horizon those of Kaplan-Meier estimates;
    the lines below show the number of cases in each bin. Calibrated probabilities lie on the
    diagonal.

    Parameters
    ----------
    result : BrierDecompositionResult, CalibrationErrorResult, or several
        Of `brier_decomposition`, `calibration_error` or `survival_calibration`; or a mapping of
        names to such results.

    Returns
    -------
    matplotlib Axes
        Its x values are mean probabilities, its y values observed rates. The legend below has the
        expected calibration error over the bins.

    See Also
    --------
    calibration_curves : The same from labels and probabilities.

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
    results = as_results(result) or {"": result}
    return draw_bins({str(name): calibration_bins(one, level) for name, one in results.items()}, ax)


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
    """Draw reliability diagrams of models, from labels and probabilities.

    Parameters
    ----------
    probabilities : array-like of shape (n,) or (n, k), mapping or data frame
        Probabilities of the positive class, one column per model.
    n_bins : int, default=10
        Number of bins.
    bins : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width, or with equal numbers of cases.

    Returns
    -------
    matplotlib Axes
        As for `reliability`.

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
    models = {
        name: calibration_bins(
            brier_decomposition(cases.labels, p, n_bins=n_bins, bins=bins), level
        )
        for name, p in zip(legend_names(cases), cases.scores, strict=True)
    }
    return draw_bins(models, ax)


def draw_bins(models: Mapping[str, Bins], ax: "Axes | None") -> "Axes":
    """Draw a reliability diagram of several models' bins, and return the axes."""
    details = [f"{bins.error():.3f}" for bins in models.values()]
    title = "expected calibration error; lines below: cases"
    ax, key = square_axes(ax, clean_names(models), details, title, lowest=STRIP_LOW)
    ax.plot([0, 1], [0, 1], gid="calibrated", **GUIDE)
    largest_bin = max(int(bins.n_cases.max()) for bins in models.values())
    handles = []
    for j, bins in enumerate(models.values()):
        handles += ax.plot(bins.forecast, bins.rate, **curve_style(j, markers=True))
        if bins.n_cases.size <= MOST_WHISKERS:
            ax.vlines(
                bins.forecast, *bins.limits, color=model_color(j), linewidth=1, gid=f"interval {j}"
            )
        top = STRIP_LOW + (STRIP_HIGH - STRIP_LOW) * bins.n_cases / largest_bin
        shift = 0.006 * (j - 0.5 * (len(models) - 1))  # lines of models stand side by side
        ax.vlines(bins.forecast + shift, STRIP_LOW, top, color=model_color(j), linewidth=1.5)
    ax.set(xlabel="Predicted probability", ylabel="Observed rate")
    ax.set_yticks(RATES)
    draw_key(ax, key, handles)
    return ax
