"""What every bootstrap test takes and returns, and the steps from replicates to a result."""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from .._base.text import equation, hypothesis_text, show_pvalue
from .._base.types import AnyArray, Fields, Progress, RandomState, Vector
from .._inference.infer import ZeroVarianceBound, infer_difference
from .._inference.pvalues import CERTAIN, UNDEFINED, claim_ends, statistic_with_margin
from .._inputs.options import (
    ALONE,
    Workers,
    as_entropy,
    as_workers,
    check_alternative,
    check_flag,
    check_margin,
    check_resamples,
    hash_seed,
)
from .._results.records import IntervalEstimate
from .._results.two_models import Result, TwoModels
from .replicates import METHODS, Tails, bootstrap_tails, replicate_pvalue
from .weights import PoissonRows, Statistic, Strata, weighted_replicates

TITLES = {
    "percentile": "percentile bootstrap",
    "basic": "basic bootstrap",
    "bca": "BCa bootstrap",
    "normal": "bootstrap with normal approximation",
    "studentized": "studentized bootstrap",
    "poisson": "Poisson bootstrap",
    "permutation": "permutation test",
}
UNSTUDENTIZED = METHODS[:-1]  # all but the last, which needs standard errors of replicates


class Draws(NamedTuple):
    """How many replicates to draw, from which seed, by which threads, and whether to keep them."""

    n: int
    seed: int
    workers: Workers
    keep: bool = False

    def on_this_thread(self) -> Draws:
        """Return the same options without other threads or an executor, so that they pickle."""
        return self._replace(workers=ALONE)


class Claim(NamedTuple):
    """The alternative hypothesis, and the margin by which the null hypothesis is shifted."""

    alternative: str = "two-sided"
    margin: float = 0.0


class DrawOptions(TypedDict, total=False):
    """Options of every function that draws replicates."""

    n_resamples: int
    rng: RandomState
    n_jobs: int
    executor: Executor | None
    progress: Progress


def as_draws(
    keep: object = False,
    *,
    n_resamples: int = 9999,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> Draws:
    """Return the checked options of drawing replicates."""
    count = check_resamples(n_resamples)
    keep_values = check_flag("keep", keep)
    workers = as_workers(n_jobs, executor, progress)
    return Draws(count, as_entropy(rng), workers, keep_values)


def as_claim(alternative: str, margin: object = 0.0, width: float = 1.0) -> Claim:
    """Return the checked alternative and margin, at most `width`, the range of the measure."""
    size = check_margin(margin, width)
    check_alternative(alternative, size)
    return Claim(alternative, size)


def draw_replicates(
    statistic: Statistic, strata_sizes: tuple[int, ...], draws: Draws, *, poisson: bool = False
) -> NDArray[Any]:
    """Return s statistics of each of B = `draws.n` bootstrap replicates, of shape (s, B).

    The weights of units are multinomial within strata of `strata_sizes` units, or independent
    Poisson counts.
    """
    seed = hash_seed(draws.seed)
    strata = PoissonRows(sum(strata_sizes), seed) if poisson else Strata(strata_sizes, seed)
    return weighted_replicates(statistic, strata, draws.n, **draws.workers)


class ByTails:
    """A result whose interval ends at quantiles of its replicates, or at the measure's bounds."""

    __slots__ = ()

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the interval at this level, an open side at the bound."""
        test: Any = self
        assert test._tails is not None  # else the standard error is 0 or NaN
        alternative = getattr(test, "alternative", "two-sided")
        low, high = claim_ends(alternative, level, test._tails.low, test._tails.high)
        return clip_open_end(low, test.bounds), clip_open_end(high, test.bounds)


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapResult(ByTails, Result):
    """A test by resampling; p-value and interval use the same order statistics."""

    n_resamples: int
    n_left_out: int
    seed: int
    distribution: Vector | None
    _tails: Tails | None = field(repr=False)

    def _evidence(self) -> str:
        """Return '9999 resamples, p = 0.0123'."""
        return f"{self.n_resamples} resamples, {equation('p', show_pvalue(self.pvalue))}"


@dataclass(frozen=True, eq=False, kw_only=True)
class PermutationResult(TwoModels):
    """A test by exchanges of two models, all of them or random ones; it has no interval."""

    statistic: float
    pvalue: float
    log_pvalue: float
    estimate: Any  # None of whole curves
    alternative: str
    exact: bool
    n_resamples: int
    seed: int | None
    n_dropped: int
    method: str
    status: str
    distribution: AnyArray | None

    _sheets: ClassVar[str] = "difference"
    _picture: ClassVar[str] = "forest"

    def _method_and_pvalue(self, replicates: str = "random exchanges") -> str:
        """Return the test with its p-value, as sentences name them."""
        how = "exact" if self.exact else f"{self.n_resamples} {replicates}"
        claim = hypothesis_text(self.alternative, 0.0)
        return f"{self.method}{claim}, {how}, {equation('p', show_pvalue(self.pvalue))}"


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapInterval(ByTails, IntervalEstimate):
    """An estimate, with an interval by replicates unless `seed` is None: then there are none."""

    n_resamples: int = 0
    n_left_out: int = 0
    seed: int | None = None
    _tails: Tails | None = field(repr=False, default=None)

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the interval at this level; NaN if no replicate varies."""
        return (math.nan, math.nan) if self._tails is None else super()._ends(level)


class Bounded:
    """A result whose estimates lie between `bounds` that depend on the measure."""

    __slots__ = ()
    bounds: ClassVar[Any] = property(
        lambda self: self._bounds, doc="The smallest and the largest possible estimate."
    )


def clip_open_end(end: float, bounds: tuple[float, float]) -> float:
    """Return the end of an interval, or the nearer bound in place of an infinite end."""
    smallest, largest = bounds
    return min(max(end, smallest), largest) if math.isinf(end) else end


class ReplicateSummary(NamedTuple):
    """An estimate with its finite replicates (`values`); `tails` is None if they do not vary."""

    method: str
    estimate: float
    standard_error: float
    values: Vector
    n_left_out: int
    tails: Tails | None


def summarize_replicates(
    method: str,
    estimate: float,
    values: Vector,
    *,
    acceleration: float = 0.0,
    error: float = math.nan,
    replicate_errors: Vector | None = None,
) -> ReplicateSummary:
    """Return an estimate with its replicates, without those that are NaN.

    For 'studentized', `error` is the standard error of the estimate, `replicate_errors` those
    of the replicates; replicates with an error of 0 are left out.
    """
    usable = np.isfinite(values)
    if replicate_errors is not None:
        usable &= replicate_errors > 0.0
    usable_values = values[usable]
    scale = 1.0 if replicate_errors is None else error / replicate_errors[usable]
    too_few = error > 0.0 and usable_values.size < 2
    if replicate_errors is None or too_few:
        error = standard_deviation(usable_values)
    tails = None
    if error > 0.0:
        tails = bootstrap_tails(
            method, usable_values, estimate, acceleration=acceleration, scale=scale
        )
    n_left_out = values.size - usable_values.size
    return ReplicateSummary(method, estimate, error, usable_values, n_left_out, tails)


def interval_fields(summary: ReplicateSummary, draws: Draws) -> Fields:
    """Return the fields of a `BootstrapInterval` that follow from replicates."""
    return Fields(
        estimate=summary.estimate,
        standard_error=summary.standard_error,
        n_resamples=summary.values.size,
        n_left_out=summary.n_left_out,
        seed=draws.seed,
        _tails=summary.tails,
    )


def bootstrap_fields(
    summary: ReplicateSummary, draws: Draws, claim: Claim, unvaried: ZeroVarianceBound | None
) -> Fields:
    """Return the fields of a `BootstrapResult` that follow from replicates."""
    statistic, _ = statistic_with_margin(summary.estimate, summary.standard_error, *claim)
    p = UNDEFINED if statistic or math.isnan(summary.standard_error) else CERTAIN
    if summary.tails is not None:
        p = replicate_pvalue(summary.tails, *claim)
    return {
        **infer_difference(
            summary.estimate, summary.standard_error, statistic, p, *claim, unvaried
        ),
        "method": TITLES[summary.method],
        "n_resamples": summary.values.size,
        "n_left_out": summary.n_left_out,
        "seed": draws.seed,
        "distribution": summary.values if draws.keep else None,
        "_tails": summary.tails,
    }


def snap_to_points(replicates: Vector, points: tuple[float, ...], tolerance: float) -> Vector:
    """Return the replicates; those at most `tolerance` from one of the points are moved onto it.

    So they tie with the points, as they would in exact arithmetic.
    """
    for point in points:
        replicates = np.where(np.abs(replicates - point) <= tolerance, point, replicates)
    return replicates


def standard_deviation(values: Vector) -> float:
    """Return the standard deviation, exactly 0 if all values are equal; NaN for less than two."""
    if values.size < 2:
        return math.nan
    return 0.0 if (values == values[0]).all() else float(np.std(values, ddof=1))


def bca_acceleration(influence: Vector) -> float:
    """Return the acceleration of the BCa method from each unit's influence on the estimate.

    Several samples (Davison and Hinkley 1997, section 5.3.2): influences l / n of each sample,
    cubed and squared, are summed over all samples.
    """
    squares = influence * influence
    total = float(squares.sum())
    return float((squares * influence).sum()) / (6.0 * total**1.5) if total > 0.0 else 0.0


def jackknife_influence(strata: list[Vector]) -> Vector:
    """Return the influence (g - 1) / g (mean - t) of each of g groups, stratum after stratum.

    t are the leave-one-group-out estimates of each stratum; NaN among them are left out. They are
    shifted before their mean, so that equal ones have an influence of exactly 0.
    """
    influences = []
    for values in strata:
        shifts = values[np.isfinite(values)]
        shifts = shifts - shifts[:1]
        mean = shifts.sum() / max(shifts.size, 1)
        influences.append((mean - shifts) * (1.0 - 1.0 / values.size))
    return np.concatenate(influences)
