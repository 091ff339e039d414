"""ROC and precision-recall curves of models of the same cases."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.types import Integers, NanPolicy, RandomState, Vector
from .._compare.auc.curves.band import roc_curve_band
from .._compare.auc.curves.precision import average_precision, average_precision_interval
from .._compare.auc.single import roc_auc_interval
from .._inputs.cases import Cases, as_cases
from .._inputs.options import check_choice, check_flag, check_level
from .._inputs.pictures import refuse_picture
from .._inputs.rankings import check_axes
from .._inputs.scores import ScoreTable
from ._canvas import cleaned
from ._charts import Key, charted, draw_key, key_for
from ._theme import color_of, curve_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SQUARE = 26.0  # em: the sides of a new picture
BANDS = ("pointwise", "simultaneous")
VEIL = 0.18  # how much a band covers
AIR = 0.02
GUIDE: Mapping[str, Any] = {"color": "0.5", "linewidth": 0.8, "linestyle": (0, (2, 3)), "zorder": 1}


class Steps(NamedTuple):
    """Cases that a model's thresholds call positive, from the highest on: true ones and false."""

    true: Integers
    false: Integers

    @classmethod
    def of(cls, labels: Any, scores: Vector) -> "Steps":
        """Return the counts at each distinct score, those of equal scores together."""
        order = np.argsort(scores, kind="stable")[::-1]
        ranked = scores[order]
        last = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
        true = np.cumsum(labels[order], dtype=np.int64)[last]
        return cls(true, last + 1 - true)

    def corners(self) -> tuple[Integers, Integers]:
        """Return both counts from 0 on, at the points where the curve turns."""
        false, true = (np.append(0, counts) for counts in (self.false, self.true))
        turns = (np.diff(false, 2) != 0) | (np.diff(true, 2) != 0)
        kept = np.concatenate(([True], turns, [True]))
        return false[kept], true[kept]


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
    """Draw the ROC curves of models of the same cases, with their AUCs and intervals of these.

    Parameters
    ----------
    scores : array-like of shape (n,) or (n, k), mapping or data frame
        A column of scores for each model; names reach the legend.
    band : {'pointwise', 'simultaneous'}, optional
        Bootstrap bands of the sensitivities, of `roc_curve_band`: of each point alone, or around
        the whole curve.
    confidence_level : float, default=0.95
        Of the bands and of the AUCs' intervals, which are those of `roc_auc_interval`.
    n_resamples : int, default=1999
        Replicates of the bands.

    Returns
    -------
    matplotlib Axes
        Its x values are false positive rates, its y values true positive rates. The legend is
        below.

    See Also
    --------
    precision_recall_curves : Where positives are rare.
    forest : The AUCs or their differences alone.

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
    known: Any = {"groups": cases.groups, "confidence_level": level}
    details = [interval_text(roc_auc_interval(cases.labels, s, **known)) for s in cases.scores]

    ax, key = squared(ax, named(cases), details, f"AUC ({100 * level:g} % CI)")
    m, n = counts_of(cases)
    handles = []
    for j, vector in enumerate(cases.scores):
        false, true = Steps.of(cases.labels, vector).corners()
        handles += ax.plot(false / n, true / m, **curve_style(j))
        if band is not None:
            drawing: Any = {
                "simultaneous": band == BANDS[1],
                "n_resamples": n_resamples,
                "rng": rng,
            }
            found = roc_curve_band(cases.labels, vector, **known, **drawing)
            veil: Any = {"color": color_of(j), "alpha": VEIL, "linewidth": 0, "gid": f"band {j}"}
            ax.fill_between(found.fpr, found.low, found.high, **veil)
    ax.plot([0, 1], [0, 1], gid="chance", **GUIDE)
    ax.set(xlabel="False positive rate", ylabel="True positive rate")
    draw_key(ax, key, handles)
    return ax


def roc_band(result: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw a ROC curve at given false positive rates with its confidence band.

    Parameters
    ----------
    result : ROCBandResult
        Of `roc_curve_band`.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        As of `roc_curves`, which draws the curves themselves.

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
    ax, key = squared(ax, [f"{kind} {100 * result.confidence_level:g} % band"], [""], "")
    handles = ax.plot(result.fpr, result.tpr, **curve_style(0))
    veil: Any = {"color": color_of(0), "alpha": VEIL, "linewidth": 0, "gid": "band 0"}
    ax.fill_between(result.fpr, result.low, result.high, **veil)
    ax.plot([0, 1], [0, 1], gid="chance", **GUIDE)
    ax.set(xlabel="False positive rate", ylabel="True positive rate")
    draw_key(ax, key, handles)
    return ax


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
    """Draw the precision-recall curves of models of the same cases, with average precisions.

    Curves are steps: between two thresholds no line can be drawn, since precision is not linear in
    recall [1]_. A broken line is the precision of chance.

    Parameters
    ----------
    scores : array-like of shape (n,) or (n, k), mapping or data frame
        A column of scores for each model; names reach the legend.
    intervals : bool, default=False
        Write the bootstrap intervals of `average_precision_interval` into the legend.

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
    level, shown = check_level(confidence_level), check_flag("intervals", intervals)
    cases = as_cases(y_true, pos_label, nan_policy, groups, table=scores)
    labels, title = cases.labels, "average precision"
    if shown:
        drawing: Any = {"groups": cases.groups, "n_resamples": n_resamples, "rng": rng}
        known = drawing | {"confidence_level": level}
        found = [average_precision_interval(labels, s, **known) for s in cases.scores]
        details, title = list(map(interval_text, found)), f"{title} ({100 * level:g} % CI)"
    else:
        details = [f"{average_precision(labels, s):.3f}" for s in cases.scores]

    ax, key = squared(ax, named(cases), details, title)
    m, n = counts_of(cases)
    handles = []
    for j, vector in enumerate(cases.scores):
        steps = Steps.of(labels, vector)
        precision = steps.true / (steps.true + steps.false)
        recall, precision = np.append(0.0, steps.true / m), np.append(precision[0], precision)
        handles += ax.plot(recall, precision, drawstyle="steps-pre", **curve_style(j))
    ax.plot([0, 1], [m / (m + n)] * 2, gid="chance", **GUIDE)
    ax.set(xlabel="Recall", ylabel="Precision")
    draw_key(ax, key, handles)
    return ax


def counts_of(cases: Cases) -> tuple[int, int]:
    """Return the numbers of positives and negatives, at least 1, since rates divide by them."""
    m = int(np.count_nonzero(cases.labels))
    return max(m, 1), max(cases.labels.size - m, 1)


def interval_text(result: Any) -> str:
    """Return an estimate with its interval."""
    low, high = result.confidence_interval()
    return f"{result.estimate:.3f} ({low:.3f} to {high:.3f})"


def named(cases: Cases) -> list[str]:
    """Return the names of models; of a single one without a name, nothing."""
    return [""] if cases.names == ("model 1",) else cleaned(cases.names)


def squared(
    ax: "Axes | None", names: list[str], details: list[str], title: str
) -> tuple["Axes", Key]:
    """Return square axes from 0 to 1 with room for a key below, and the key."""
    new, key = ax is None, key_for(ax, names, details, title, width=SQUARE)
    ax = charted(ax, key, SQUARE, SQUARE)
    if new:
        ax.set_aspect("equal")
    ax.set(xlim=(-AIR, 1.0 + AIR), ylim=(-AIR, 1.0 + AIR))
    return ax, key
