"""A confidence band around one model's ROC curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ...._base.forward import forwards
from ...._base.memory import reserve
from ...._base.text import counted
from ...._base.types import Undefined, Vector
from ...._inference.status import announce
from ...._inputs.cases import Cases
from ...._inputs.options import check_flag, check_level, check_undefined
from ...._inputs.ranges import as_rates
from ...._resampling.bootstrap import Draws, draw
from ...._resampling.replicates import Ordered
from ...._results.records import Record
from ..bootstrap.paired import Sampling, as_resampling
from ..bootstrap.walks import Units, class_sizes
from .replicates import interval_status
from .statistics import Measure, statistic_of


@dataclass(frozen=True, eq=False, kw_only=True)
class ROCBandResult(Record):
    """Result of `roc_curve_band`: the curve and its band at the rates `fpr`."""

    fpr: Vector
    tpr: Vector
    low: Vector
    high: Vector
    confidence_level: float
    simultaneous: bool
    status: str
    n_resamples: int
    n_left_out: int
    seed: int
    resampling: str
    n_positive: int
    n_negative: int
    n_dropped: int
    title: ClassVar[str] = "Confidence band of a ROC curve"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        kind = "simultaneous" if self.simultaneous else "pointwise"
        widths = self.high - self.low
        if np.isnan(widths).all():
            return f"The {kind} confidence band of the ROC curve is undefined."
        return (
            f"The {kind} {100 * self.confidence_level:g} % confidence band of the ROC curve has a "
            f"mean width of {widths.mean():.4f} in sensitivity and is at most {widths.max():.4f} "
            f"wide ({self.fpr.size} points from FPR {self.fpr[0]:g} to {self.fpr[-1]:g}, "
            f"{self.n_resamples} resamples, {self.resampling}; "
            f"{counted(self.n_positive, 'positive')}, {counted(self.n_negative, 'negative')})."
        )


@forwards(as_resampling)
def roc_curve_band(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: int | ArrayLike = 101,
    simultaneous: bool = True,
    confidence_level: float = 0.95,
    on_undefined: Undefined = "warn",
    **sampling: Unpack[Sampling],
) -> ROCBandResult:
    """Return the ROC curve with a bootstrap confidence band for the sensitivity at given FPRs.

    Parameters
    ----------
    fpr : int or array-like, default=101
        Ascending false positive rates, or how many equidistant ones from 0 to 1.
    simultaneous : bool, default=True
        Cover the curve at all points together. False gives an interval for each point alone.

    Returns
    -------
    ROCBandResult
        With ``fpr``, ``tpr``, ``low``, ``high``, ``n_resamples`` (those that count),
        ``n_left_out``, ``seed``, ``resampling``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates do not vary.

    Notes
    -----
    The pointwise band consists of percentiles; near 0 and 1 those are too narrow. The simultaneous
    one is as wide, in standard deviations of the replicates, as their largest deviation anywhere
    (the quantile of that over the replicates), and cut to [0, 1]. So that it has a width where no
    replicate leaves 0 or 1, a standard deviation is at least the binomial one of
    (m tpr + 1/2) / (m + 1), m positives. At FPR 0 both begin at 0, since no sample tells a curve
    that starts above 0 from one that only rises fast.

    References
    ----------
    .. [1] G. Campbell (1994), doi:10.1002/sim.4780130508.
    .. [2] S. A. Macskassy, F. Provost, S. Rosset (2005), doi:10.1145/1102351.1102419.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> band = fc.roc_curve_band(data.y_true, data.scores["decision_tree"], fpr=11, rng=0)
    >>> bool((band.low <= band.tpr).all() and (band.tpr <= band.high).all())
    True
    """
    check_undefined(on_undefined)
    level, rates = check_level(confidence_level), as_rates("fpr", fpr)
    together = check_flag("simultaneous", simultaneous)
    cases, units, draws = as_resampling(y_true, {"y_score": y_score}, **sampling)

    result = curve_band(cases, rates, units, draws, level, together)
    announce(result.status, on_undefined)
    return result


def curve_band(
    cases: Cases, rates: Vector, units: Units, draws: Draws, level: float, simultaneous: bool
) -> ROCBandResult:
    """Return the curve and its band at these rates."""
    sizes = class_sizes(cases)
    statistic = statistic_of(Measure("ROC curve", "height", tuple(rates.tolist())), cases, units)
    tpr, drawn = statistic.on_data(), np.empty((rates.size, 0))
    if min(sizes) > 1:
        reserve((rates.size, draws.n), hint="ask for fewer resamples or points")
        drawn = draw(statistic.drawn(units), units.sizes, draws)
    kept = drawn[:, np.isfinite(drawn[0])]
    low, high, spread = edges(tpr, kept, rates, level, sizes[0] if simultaneous else None)
    return ROCBandResult(
        fpr=rates,
        tpr=tpr,
        low=low,
        high=high,
        confidence_level=level,
        simultaneous=simultaneous,
        status=interval_status(sizes, spread),
        n_resamples=kept.shape[1],
        n_left_out=drawn.shape[1] - kept.shape[1],
        seed=draws.seed,
        resampling=units.title,
        n_positive=sizes[0],
        n_negative=sizes[1],
        n_dropped=cases.n_dropped,
    )


class Edges(NamedTuple):
    """The band, and the largest range of the replicates at a point; NaN without replicates."""

    low: Vector
    high: Vector
    spread: float


def edges(tpr: Vector, drawn: Vector, rates: Vector, level: float, m: int | None) -> Edges:
    """Return the band from replicates (points, B): simultaneous for m positives, or pointwise."""
    if drawn.shape[1] < 2:
        return Edges(np.full(tpr.size, np.nan), np.full(tpr.size, np.nan), math.nan)
    low, high = pointwise(drawn, level) if m is None else simultaneously(tpr, drawn, level, m)
    low = np.where(rates == 0.0, 0.0, low)
    spread = float(np.ptp(drawn, axis=1).max())
    return Edges(np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0), spread)


def pointwise(drawn: Vector, level: float) -> tuple[Vector, Vector]:
    """Return the percentiles of every point."""
    tail, points = 0.5 * (1.0 - level), [Ordered(values) for values in drawn]
    return np.array([p.low(tail) for p in points]), np.array([p.high(tail) for p in points])


def simultaneously(tpr: Vector, drawn: Vector, level: float, m: int) -> tuple[Vector, Vector]:
    """Return the band that as many replicates as the level says stay within everywhere."""
    rate = (m * tpr + 0.5) / (m + 1.0)
    # without the binomial errors such 95 % bands cover 48 % of curves of 50 + 50 cases
    errors = np.maximum(np.std(drawn, axis=1, ddof=1), np.sqrt(rate * (1.0 - rate) / m))
    farthest = (np.abs(drawn - tpr[:, None]) / errors[:, None]).max(axis=0)
    width = Ordered(farthest).high(1.0 - level) * errors
    return tpr - width, tpr + width
