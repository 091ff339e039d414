"""Net benefit of acting on probabilities above a threshold: curves, intervals and tests.

A net benefit is a share of true positives less the odds of the threshold times that of false
positives; a difference of two models has four shares, those of the cases that one model alone
treats. Each share x has Wilson's interval from l to u, and their sum with weights w that of MOVER
(Zou and Donner 2008, doi:10.1002/sim.3095),

    estimate - sqrt(sum_jk r_jk d_j d_k), d_j = w_j (x_j - l_j), or w_j (x_j - u_j) where w_j < 0

and above with the other ends; r_jk is the multinomial correlation of the terms. So an interval is
right where few cases are positive or none has changed, unlike Student's; how often both cover is in
`studies.calibration_coverage`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.text import amount, equation, show_number, show_pvalue
from .._base.types import Direction, Matrix, Undefined, Vector
from .._inference.infer import wilson_ends
from .._inference.pvalues import (
    normal_pvalues,
    normal_quantile,
    open_one_side,
    upper_tail,
    upper_tail_start,
)
from .._inference.status import warn_status
from .._inputs.options import ALTERNATIVES, check_choice, check_flag, check_level, check_undefined
from .._inputs.probabilities import Binary, as_binary_probabilities, as_thresholds, as_two_binary
from .._inputs.scores import UNNAMED
from .._results.records import ByReference, Record
from ..kernels.probabilities import count_at_least, sum_bins
from ._decomposition import CASES, NO_BIN_NUMBERS, POSITIVES, bucket_guide

BLOCK_CASES = 1 << 14  # whose benefits are in memory at once
MOST_STEPS, ROOT_TOLERANCE = 100, 1e-14  # of regula falsi; of z, relative


class Ends(NamedTuple):
    """The ends of intervals along thresholds."""

    low: Vector
    high: Vector


class WeightedShares(NamedTuple):
    """Weighted sums of c shares of n cases at t thresholds: counts (t, c) and weights (t, c)."""

    counts: Matrix
    weights: Matrix
    n: int

    def estimate(self) -> Vector:
        """Return the weighted sums (t,): net benefits, or their differences."""
        return np.asarray((self.counts * self.weights).sum(axis=1) / self.n)

    @np.errstate(under="ignore")
    def standard_error(self) -> Vector:
        """Return the standard errors of the sums."""
        squares = (self.counts * self.weights**2).sum(axis=1) / self.n
        variance: Vector = np.maximum(squares - self.estimate() ** 2, 0.0) / self.n
        return np.sqrt(variance)

    @np.errstate(under="ignore")
    def ends(self, z: Any) -> tuple[Vector, Vector]:
        """Return the MOVER interval of each sum, for a normal quantile z or one (t,) for each."""
        x = self.counts / self.n
        column: Any = np.reshape(z, (-1, 1))
        low, high = wilson_ends(x, self.n, column)
        to_low, to_high = self.weights * (x - low), self.weights * (high - x)
        negative = self.weights < 0.0  # such a share lowers the sum where it is at its upper end
        down, up = np.where(negative, -to_high, to_low), np.where(negative, -to_low, to_high)
        slope = np.sqrt(np.divide(x, 1.0 - x, out=np.zeros_like(x), where=x < 1.0))
        slope *= np.sign(self.weights)  # so that r_jk = -slope_j slope_k
        estimate = self.estimate()
        return estimate - joint_radius(down, slope), estimate + joint_radius(up, slope)

    def statistic(self) -> Vector:
        """Return the z (t,) at which each interval ends at 0, with the sign of the estimate."""
        estimate = self.estimate()
        sign = np.sign(estimate)

        def end_towards_zero(z: Vector) -> Vector:
            """Return the end on the side of 0 times the estimate's sign, decreasing in z."""
            low, high = self.ends(z)
            return np.where(sign < 0.0, -high, low)

        near, far = np.zeros(sign.size), np.ones(sign.size)  # z below and above the crossing
        at_near = np.abs(estimate)  # with z = 0 the interval is the estimate alone
        at_far = end_towards_zero(far)
        while (too_near := (at_far > 0.0) & (sign != 0.0)).any():
            far[too_near] *= 2.0
            at_far = end_towards_zero(far)
        return np.asarray(sign * find_crossings(end_towards_zero, near, far, at_near, at_far))


@np.errstate(under="ignore")
def find_crossings(
    function: Callable[[Vector], Vector], low: Vector, high: Vector, at_low: Vector, at_high: Vector
) -> Vector:
    """Return the roots (t,) of t decreasing functions, each between its `low` and its `high`.

    `at_low` and `at_high` are the functions' values there. By the Illinois method, regula falsi in
    which the value of an end that stays twice is halved (Dowell and Jarratt 1971,
    doi:10.1007/BF01934364): some ten steps where bisection takes fifty.
    """
    root = low
    moved_end = np.zeros(low.size)  # by the step before: 1 for `low`, -1 for `high`
    for _ in range(MOST_STEPS):
        before = root
        difference = at_low - at_high
        root = high - at_high * np.divide(
            low - high, difference, out=0.0 * high, where=difference != 0.0
        )
        value = function(root)
        moves_low = value > 0.0  # a decreasing function is 0 above this point
        at_high = np.where(moves_low, np.where(moved_end > 0.0, 0.5, 1.0) * at_high, value)
        at_low = np.where(moves_low, value, np.where(moved_end < 0.0, 0.5, 1.0) * at_low)
        low, high = np.where(moves_low, root, low), np.where(moves_low, high, root)
        moved_end = np.where(moves_low, 1.0, -1.0)
        if (np.abs(root - before) <= ROOT_TOLERANCE * root).all():
            break
    return root


def joint_radius(parts: Matrix, slope: Matrix) -> Vector:
    """Return sqrt(sum_jk r_jk d_j d_k) of parts d (t, c): r_jk = -slope_j slope_k, r_jj = 1."""
    size = np.abs(parts)
    mixed = size * slope
    square = (size**2).sum(axis=1) - mixed.sum(axis=1) ** 2 + (mixed**2).sum(axis=1)
    radius: Vector = np.sqrt(np.maximum(square, 0.0))
    return radius


@dataclass(frozen=True, eq=False, slots=True)
class Treatments:
    """Labels and the probabilities (n,) of one model or two, with thresholds for treatment."""

    positive: NDArray[np.bool_]
    models: tuple[Vector, ...]
    thresholds: Vector

    @classmethod
    def of(
        cls, positive: NDArray[np.bool_], models: Sequence[Vector], thresholds: Vector
    ) -> Treatments:
        """Return the treatments with copies of the probabilities, as bands are computed later."""
        return cls(positive, tuple(p.copy() for p in models), thresholds)

    def covariance(self) -> Matrix:
        """Return the covariance (t, t) of one case's net benefit at all thresholds.

        Of two models, of the difference between their net benefits from a case.
        """
        cuts = self.thresholds
        n = self.positive.size
        odds = cuts / (1.0 - cuts)
        total: Vector = np.zeros(cuts.size)
        products: Matrix = np.zeros((cuts.size, cuts.size))
        for start in range(0, n, BLOCK_CASES):
            rows = slice(start, start + BLOCK_CASES)
            treated = [(p[rows, None] >= cuts).astype(np.float64) for p in self.models]
            benefit = treated[0] - treated[1] if len(treated) == 2 else treated[0]
            benefit *= np.where(self.positive[rows, None], 1.0, -odds)
            total += benefit.sum(axis=0)
            products += benefit.T @ benefit
        return np.asarray(products / n - np.outer(total / n, total / n))

    def covariance_with_zero(self) -> tuple[Matrix, tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Return `covariance` with a last row and column of 0, and the pairs (j, t) of each j < t.

        The last variable is the constant 0, so tests of these pairs test each benefit against 0.
        """
        count = self.thresholds.size
        covariance = np.zeros((count + 1, count + 1))
        covariance[:-1, :-1] = self.covariance()
        return covariance, (np.arange(count), np.full(count, count))

    def largest_statistics(self, alternative: str) -> Vector:
        """Return draws of the largest statistic of all thresholds under the null hypothesis."""
        from .._inference.max_t import draw_largest_statistics

        covariance, pairs = self.covariance_with_zero()
        return draw_largest_statistics(covariance, *pairs, alternative, math.inf)

    def level_of_each(self, level: float, alternative: str) -> float:
        """Return the level of each interval such that all cover together at `level`."""
        from .._inference.max_t import level_of_each

        return level_of_each(*self.covariance_with_zero(), level, alternative)


@dataclass(frozen=True, eq=False, kw_only=True)
class BenefitCurve(Record):
    """Net benefits, or differences, along thresholds."""

    thresholds: Vector
    estimate: Vector
    standard_error: Vector
    n: int
    n_dropped: int
    _shares: WeightedShares = field(repr=False)
    _treatments: Treatments = field(repr=False)

    _picture: ClassVar[str] = "decision_curves"

    @property
    def _alternative(self) -> str:
        return "two-sided"

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> Ends:
        """Return the interval at each threshold.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        simultaneous : bool, default=False
            Widen the intervals so that those of all thresholds cover together: a band.

        Returns
        -------
        Ends
            ``(low, high)``, two arrays (t,), cut to what a net benefit can be.
        """
        level = check_level(confidence_level)
        is_band = check_flag("simultaneous", simultaneous)
        if is_band and self.thresholds.size > 1:
            level = self._treatments.level_of_each(level, self._alternative)
        z = normal_quantile(upper_tail(level, self._alternative))
        odds = self.thresholds / (1.0 - self.thresholds)
        least, greatest = self._range(odds)
        lower, upper = self._shares.ends(abs(z))
        if z < 0.0:  # a one-sided limit of a level below 50% is on the estimate's other side
            lower, upper = upper, lower
        low, high = open_one_side(self._alternative, lower, upper)
        return Ends(np.maximum(low, least), np.minimum(high, greatest))

    def _range(self, odds: Vector) -> tuple[Vector, Vector]:
        """Return the least and the greatest estimate possible at thresholds with these odds."""
        return -odds, np.ones_like(odds)


FEW_THRESHOLDS = 32  # thresholds up to which comparing with each is faster

Counts = NDArray[np.int64]


def count_at_or_above(positive: NDArray[np.bool_], p: Vector, cuts: Vector) -> Counts:
    """Return the numbers (2, t) of positives and negatives with a probability of at least a cut."""
    counts = np.zeros((2, cuts.size), np.int64)
    labels = positive.view(np.uint8)
    if cuts.size <= FEW_THRESHOLDS:
        count_at_least(labels, p, cuts, counts)
        return counts
    order = np.argsort(cuts)
    sums = np.zeros((cuts.size + 1, 5))
    edges = cuts[order]
    sum_bins(labels, p, edges, bucket_guide(edges), NO_BIN_NUMBERS, sums)
    sums_above_edges = sums[:0:-1].cumsum(axis=0)[::-1]  # (t, 5): of the bins above each edge
    n_reaching, hits = sums_above_edges[:, CASES], sums_above_edges[:, POSITIVES]
    counts[:, order] = hits, n_reaching - hits
    return counts


@dataclass(frozen=True, eq=False, kw_only=True)
class NetBenefitResult(BenefitCurve):
    """Result of `net_benefit`; arrays have one entry per threshold."""

    treat_all: Vector
    prevalence: float
    _counts: Counts = field(repr=False)  # from which estimates are computed when they are read
    title: ClassVar[str] = "Net benefit"
    _follows_sample: ClassVar[bool] = True

    def _compute__shares(self) -> WeightedShares:
        odds = self.thresholds / (1.0 - self.thresholds)
        weights = np.stack([np.ones_like(odds), -odds], axis=1)
        return WeightedShares(self._counts.T.astype(np.float64, order="C"), weights, self.n)

    def _compute_estimate(self) -> Vector:
        return self._shares.estimate()

    def _compute_standard_error(self) -> Vector:
        return self._shares.standard_error()

    def _compute_treat_all(self) -> Vector:
        odds = self.thresholds / (1.0 - self.thresholds)
        return self.prevalence - (1.0 - self.prevalence) * odds

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        best = int(np.argmax(self.estimate - np.maximum(self.treat_all, 0.0)))
        return (
            f"At a threshold of {self.thresholds[best]:g} the net benefit is "
            f"{self.estimate[best]:.4f} ({self._interval_text(at=best)}), that of "
            f"treating all {self.treat_all[best]:.4f} and of treating none 0."
        )


@with_engine_options(as_binary_probabilities)
def net_benefit(
    y_true: ArrayLike, y_prob: ArrayLike, thresholds: ArrayLike = 0.5, **reading: Unpack[Binary]
) -> NetBenefitResult:
    """Return the net benefit of treating cases at or above a threshold (decision curves).

    Parameters
    ----------
    thresholds : float or array-like of shape (t,), default=0.5
        Threshold probabilities for treatment, between 0 and 1; several give a decision curve.

    Returns
    -------
    NetBenefitResult
        With ``thresholds``, ``estimate`` (true positives minus false positives times the odds of
        the threshold, per case), ``standard_error``, ``treat_all`` (the net benefit of treating
        every case), each (t,), ``prevalence``, and ``confidence_interval(level,
        simultaneous=False)``.

    See Also
    --------
    net_benefit_test : Whether those of two models differ.

    Notes
    -----
    Intervals combine Wilson's intervals of the true and of the false positives [2]_, so they are
    valid even if almost no case is positive. ``simultaneous=True`` gives a band for the whole
    curve.

    References
    ----------
    .. [1] A. J. Vickers, E. B. Elkin (2006), doi:10.1177/0272989X06295361.
    .. [2] G. Y. Zou, A. Donner (2008), doi:10.1002/sim.3095.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.net_benefit([1, 0, 1, 0], [.9, .3, .7, .1], [.2, .5])
    >>> result.estimate.round(4).tolist(), result.treat_all.round(4).tolist()
    ([0.4375, 0.5], [0.375, 0.0])
    """
    cuts = as_thresholds(thresholds)
    cases = as_binary_probabilities(y_true, y_prob, **reading)
    p = cases.models[0]
    positive = cases.labels.view(np.bool_)
    n = cases.labels.size

    return NetBenefitResult.from_fields(
        thresholds=cuts,
        prevalence=int(np.count_nonzero(positive)) / n,
        n=n,
        n_dropped=cases.n_dropped,
        _counts=count_at_or_above(positive, p, cuts),
        _treatments=Treatments.of(positive, [p], cuts),
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class NetBenefitTestResult(ByReference, BenefitCurve):
    """Result of `net_benefit_test`; arrays have one entry per threshold."""

    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    net_benefits: Matrix
    alternative: str
    names: tuple[str, str] = UNNAMED
    status: str = "ok"
    title: ClassVar[str] = "Difference of net benefits"

    @property
    def _alternative(self) -> str:
        return self.alternative

    def _range(self, odds: Vector) -> tuple[Vector, Vector]:
        """Return the least and the greatest difference possible at thresholds with these odds."""
        return -np.maximum(odds, 1.0), np.maximum(odds, 1.0)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        at = int(np.argmin(np.nan_to_num(self.pvalue, nan=1.0)))  # the threshold in the sentence
        interval = self._interval_text(at=at)
        p = equation("p", show_pvalue(float(self.pvalue[at])))
        where, many = f"At a threshold of {self.thresholds[at]:g} ", ""
        count = self.thresholds.size
        if count > 1:
            threshold = f"a threshold of {self.thresholds[at]:g}"
            where = f"The smallest of {count} p-values is at {threshold}: "
            interval = f"unadjusted {interval}"
            adjusted = equation("adjusted p", show_pvalue(float(self.adjusted_pvalue[at])))
            many = f", {adjusted} for {count} thresholds"
        first, second = (f"{benefit:.4f}" for benefit in self.net_benefits[:, at])
        called = "" if self.names == UNNAMED else f" ({' and '.join(self.names)})"
        return (
            f"{where}the net benefits are {first} and {second}"
            f"{called}, a difference of {self.estimate[at]:.4f} ({interval}; "
            f"{equation('z', show_number(self.statistic[at], '.3f'))}, {p}{many}; "
            f"{amount(self.n, 'case')})."
        )


@with_engine_options(as_binary_probabilities)
def net_benefit_test(
    y_true: ArrayLike,
    y_prob_a: ArrayLike,
    y_prob_b: ArrayLike | None = None,
    thresholds: ArrayLike = 0.5,
    *,
    alternative: Direction = "two-sided",
    on_undefined: Undefined = "warn",
    **reading: Unpack[Binary],
) -> NetBenefitTestResult:
    """Test the difference between two models' net benefits on the same cases.

    Parameters
    ----------
    y_prob_a, y_prob_b : array-like of shape (n,), mapping or data frame
        The two models' probabilities of the positive class. A data frame or mapping with two
        columns may replace both.
    thresholds : float or array-like of shape (t,), default=0.5
        Threshold probabilities for treatment, between 0 and 1; several give a decision curve.

    Returns
    -------
    NetBenefitTestResult
        With ``thresholds``, ``estimate`` (the first model's net benefit minus the second's),
        ``standard_error``, ``statistic`` (z), ``pvalue``, ``adjusted_pvalue`` (for several
        thresholds), ``log_pvalue``, each (t,); ``net_benefits`` (2, t), ``names``, ``n``,
        ``confidence_interval(level, simultaneous=False)`` and ``summary()``.

    See Also
    --------
    net_benefit : One model's, with intervals.

    Notes
    -----
    With TP true and FP false positives among n cases at the threshold t::

        net benefit = TP / n - FP / n * t / (1 - t)

    Only cases that exactly one model would treat are discordant. The statistic is the z at which
    the MOVER interval [2]_ ends at 0; it is valid even if few discordant cases are positive.
    Adjusted p-values and simultaneous intervals use the largest of the statistics at all
    thresholds, which are jointly normal.

    References
    ----------
    .. [1] A. J. Vickers, A. M. Cronin, E. B. Elkin, M. Gonen (2008), doi:10.1186/1472-6947-8-53.
    .. [2] G. Y. Zou, A. Donner (2008), doi:10.1002/sim.3095.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, p, q = [1, 0, 1, 0, 1, 0], [.9, .3, .7, .1, .6, .4], [.8, .6, .4, .2, .3, .6]
    >>> result = fc.net_benefit_test(y, p, q, [.35, .5])
    >>> result.estimate.round(4).tolist(), result.pvalue.round(4).tolist()
    ([0.2564, 0.6667], [0.2195, 0.0307])
    """
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    cuts = as_thresholds(thresholds)
    cases, names = as_two_binary(y_true, y_prob_a, y_prob_b, **reading)
    positive = cases.labels == 1
    shares, benefits = shares_and_benefits(positive, cases.models, cuts)

    error, z = shares.standard_error(), shares.statistic()
    p = normal_pvalues(z, error, alternative)
    treatments = Treatments.of(positive, cases.models, cuts)
    status = "ok" if error.any() or z.any() else "no_difference"
    warn_status(status, on_undefined)
    return NetBenefitTestResult(
        thresholds=cuts,
        estimate=shares.estimate(),
        standard_error=error,
        statistic=z,
        pvalue=p,
        adjusted_pvalue=adjusted_pvalues(treatments, z, p, alternative),
        net_benefits=benefits,
        alternative=alternative,
        names=names,
        status=status,
        n=positive.size,
        n_dropped=cases.n_dropped,
        _shares=shares,
        _treatments=treatments,
    )


def shares_and_benefits(
    positive: NDArray[np.bool_], models: list[Vector], cuts: Vector
) -> tuple[WeightedShares, Matrix]:
    """Return the shares of cases that one model alone would treat, and net benefits (2, t).

    The four shares are of positives by the first and by the second model, then of negatives.
    """
    a, b = models
    odds = cuts / (1.0 - cuts)
    first, second, both = (count_at_or_above(positive, p, cuts) for p in (a, b, np.minimum(a, b)))
    ones = np.ones_like(odds)
    discordant = np.stack([first - both, second - both], axis=1)  # (class, model, threshold)
    counts = discordant.reshape(4, -1).T.astype(np.float64, order="C")
    weights = np.stack([ones, -ones, -odds, odds], axis=1)
    hits, false_positives = np.stack([first, second], axis=1)
    net_benefits = (hits - false_positives * odds) / positive.size
    return WeightedShares(counts, weights, positive.size), net_benefits


def adjusted_pvalues(treatments: Treatments, z: Vector, p: Vector, alternative: str) -> Vector:
    """Return p-values adjusted by the largest statistic of all thresholds (max-t).

    They are at least p, and at most Bonferroni's.
    """
    if z.size == 1:
        return p
    largest = treatments.largest_statistics(alternative)
    if not largest.size:  # no statistic varies, so there are no correlations
        return np.asarray(np.minimum(z.size * p, 1.0))
    ordered = np.sort(largest)
    observed, _ = upper_tail_start(z, alternative)
    n_at_least = ordered.size - np.searchsorted(ordered, observed, "left")
    return np.clip((n_at_least + 1.0) / (ordered.size + 1.0), p, np.minimum(z.size * p, 1.0))
