"""Expected calibration error, the test of calibration, and intervals that invert it.

Bin b holds n_b of n cases, with mean probability p_b and rate of positives r_b; its gap is D_b =
n_b / n (p_b - r_b), and S = sum |D_b| the observed error. If the gaps of the population are mu_b,
the true error is theta = sum |mu_b|. S* of a sample from it exceeds theta on average, so theta is
tested by how often S* is above, or below, S, for the mu that fits the gaps best among those with
this theta: |mu_b| = max(|D_b| - pull * v_b, 0), with the variances v_b of the gaps. A negative pull
gives errors above S. S* is taken as Pearson's type III with its first three moments, of folded
normal distributions, and binomial ones in bins with few positives or negatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.memory import reserve
from .._base.parallel import Checkpoint, no_progress
from .._base.text import amount, equation, show_number, show_pvalue
from .._base.types import Fields, Integers, Matrix, NanPolicy, Undefined, Vector
from .._inference.pvalues import normal_tail
from .._inference.roots import find_root
from .._inference.status import warn_status
from .._inputs.options import as_choice, check_choice, check_level, check_undefined
from .._inputs.probabilities import Labels, as_bin_count, as_binary_probabilities
from .._resampling import bootstrap
from .._resampling.labels import BinnedRandomLabels, random_labels_by_bin
from .._resampling.weights import Weights, row_slices
from ..kernels.drawing.exchange import add_weighted_sums
from ..kernels.drawing.streams import LANES
from ..kernels.normals import distance_moments, folded_moments
from ._decomposition import (
    BINS,
    CASES,
    EXCESSES,
    FORECASTS,
    LABEL_VARIANCES,
    POSITIVES,
    sums_by_bin,
)

# expected positives and negatives of a bin from which its gap counts as normal
FEWEST_EXPECTED_LABELS = 9.0
NEGLIGIBLE_SKEWNESS = 1e-3  # skewness below which the distribution is normal
JUST_ABOVE_ONE = 1.0 + 2.0**-40  # so that the strongest pull leaves no gap by rounding
# cases with the bin's mean probability, and one with 1/2, that smooth a bin's rate
PRIOR_CASES = 2.0


class ErrorMoments(NamedTuple):
    """Mean, variance and third central moment of the calibration error of a random sample.

    `half_step` is a continuity correction: half the distance of neighbouring values, 1 / n, times
    the share of the variance that comes from bins with few positives or negatives.
    """

    mean: float
    variance: float
    third: float
    half_step: float

    def upper_tail(self, error: float) -> float:
        """Return the probability of this error or a greater one."""
        return type_three_tail(error - self.half_step, self)

    def lower_tail(self, error: float) -> float:
        """Return the probability of this error or a smaller one."""
        return 1.0 - type_three_tail(error + self.half_step, self)


def type_three_tail(x: float, moments: ErrorMoments) -> float:
    """Return the chance that a variable of Pearson's type III with these moments exceeds x."""
    mean, variance, third, _ = moments
    if not variance > 0.0:
        return float(mean >= x)
    from scipy.special import gammainc, gammaincc

    deviation = math.sqrt(variance)
    z = (x - mean) / deviation
    skewness = third / variance / deviation  # two divisions, as variance * deviation may be 0
    if abs(skewness) < NEGLIGIBLE_SKEWNESS:
        return normal_tail(z)
    shape = 4.0 / (skewness * skewness)
    tail = gammaincc if skewness > 0.0 else gammainc
    return float(tail(shape, max(shape + 2.0 * z / skewness, 0.0)))


@dataclass(frozen=True, eq=False)
class BinGaps:
    """The non-empty bins: numbers of cases, mean probabilities and rates of positives.

    `label_variance_share` is sum p (1 - p) over n_b p_b (1 - p_b): how much of the variance of
    labels with one common probability is left, since probabilities in a bin differ.
    """

    counts: Vector
    forecast: Vector
    rate: Vector
    label_variance_share: Vector

    @cached_property
    def n(self) -> float:
        """The number of cases."""
        return float(self.counts.sum())

    @cached_property
    def shares(self) -> Vector:
        """The bins' shares of the cases."""
        return np.asarray(self.counts / self.n)

    @property
    def observed_gaps(self) -> Vector:
        """The observed gaps D_b = n_b / n (p_b - r_b)."""
        return np.asarray(self.shares * (self.forecast - self.rate))

    def variances(self) -> Vector:
        """Return the variances v_b of the gaps, from smoothed rates, which are never 0 or 1."""
        prior_positives = PRIOR_CASES * self.forecast + 0.5
        rate = (self.counts * self.rate + prior_positives) / (self.counts + PRIOR_CASES + 1.0)
        return self.label_variances(rate)

    def label_variances(self, rate: Vector) -> Vector:
        """Return the variances of the gaps if these are the true rates of positives."""
        return np.asarray(self.shares * rate * (1.0 - rate) * self.label_variance_share / self.n)


def root_between(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function is 0 between two points, or the better point if signs are equal."""
    at_low, at_high = function(low), function(high)
    if at_low * at_high >= 0.0:
        return low if abs(at_low) < abs(at_high) else high
    return find_root(function, low, high, xtol=1e-9 * (high - low), rtol=1e-9)


class ErrorInversion:
    """The true calibration errors that the observed one does not reject, as in the module's text.

    The population's gaps with a given true error follow from one number, `pull`.
    """

    @np.errstate(under="ignore")
    def __init__(self, gaps: BinGaps) -> None:
        """Prepare what does not depend on the true error."""
        observed = gaps.observed_gaps
        self.gaps, self.sizes = gaps, np.abs(observed)
        self.error = float(self.sizes.sum())
        self.variances = gaps.variances()
        self.signs = np.where(observed >= 0.0, 1.0, -1.0)
        lower = gaps.shares * gaps.forecast
        upper = gaps.shares * (1.0 - gaps.forecast)
        # the largest gaps, where rates are 0 or 1: of the observed sign, and of either sign
        self.same_side_limits = np.where(observed >= 0.0, lower, upper)
        self.limits = np.maximum(lower, upper)
        self.strongest_pull = float((self.sizes / self.variances).max()) * JUST_ABOVE_ONE

    def true_gaps(self, pull: float) -> Vector:
        """Return the sizes |mu_b| of the population's gaps."""
        return np.clip(self.sizes - pull * self.variances, 0.0, self.limits)

    def true_error(self, pull: float) -> float:
        """Return the true error theta, the sum of |mu_b|."""
        return float(self.true_gaps(pull).sum())

    @np.errstate(under="ignore")
    def moments(self, pull: float) -> ErrorMoments:
        """Return the moments of the error of a sample from a population with this `pull`.

        Gaps have the observed signs, unless a rate of 0 or 1 forbids it. Labels vary from sample to
        sample, and so do the bins' shares of the cases.
        """
        gaps = self.gaps
        sizes = self.true_gaps(pull)
        signs = np.where(sizes > self.same_side_limits, -self.signs, self.signs)
        rate = np.clip(gaps.forecast - signs * sizes / gaps.shares, 0.0, 1.0)
        by_bin = np.empty((3, sizes.size))
        folded_moments(sizes, np.sqrt(gaps.label_variances(rate)), by_bin)
        rarer = np.minimum(rate, 1.0 - rate)
        sparse = np.flatnonzero(gaps.counts * rarer < FEWEST_EXPECTED_LABELS)
        if sparse.size:
            forecast_of_rarer = np.where(rate > 0.5, 1.0 - gaps.forecast, gaps.forecast)[sparse]
            counts = gaps.counts[sparse]
            sparse_moments = np.empty((3, sparse.size))
            distance_moments(counts, rarer[sparse], counts * forecast_of_rarer, sparse_moments)
            # of counts of labels: divided by n, n^2 and n^3 they are those of gaps
            by_bin[:, sparse] = sparse_moments / gaps.n ** np.array([[1.0], [2.0], [3.0]])
        mean, variance, third = by_bin.sum(axis=1).tolist()
        sparse_share = float(by_bin[1, sparse].sum()) / variance if variance > 0.0 else 1.0
        share_variance = float((sizes * sizes / gaps.shares).sum() - sizes.sum() ** 2)
        return ErrorMoments(
            mean, variance + max(share_variance, 0.0) / gaps.n, third, 0.5 * sparse_share / gaps.n
        )

    def corrected_error(self) -> tuple[float, float]:
        """Return the true error whose samples' mean is the observed one, and their deviation.

        That is 0 if even the mean of calibrated probabilities is no smaller.
        """
        pull = self.strongest_pull
        if self.moments(pull).mean < self.error:
            # samples' mean error falls as the pull grows
            pull = root_between(lambda x: self.moments(x).mean - self.error, 0.0, pull)
        return self.true_error(pull), math.sqrt(self.moments(pull).variance)

    def ends(self, tail: float) -> tuple[float, float]:
        """Return the interval for the true error with probability `tail` beyond either end."""
        return self.low(tail), self.high(tail)

    def low(self, tail: float) -> float:
        """Return the smallest true error with P(sample's error >= observed) of at least `tail`."""
        if self.moments(self.strongest_pull).upper_tail(self.error) >= tail:
            return 0.0
        return self.true_error(
            root_between(
                lambda pull: self.moments(pull).upper_tail(self.error) - tail,
                0.0,
                self.strongest_pull,
            )
        )

    def high(self, tail: float) -> float:
        """Return the largest true error with P(sample's error <= observed) of at least `tail`.

        If that probability is below 2 `tail` for calibrated probabilities, `tail` is half of it.
        """
        tail = min(tail, 0.5 * self.moments(self.strongest_pull).lower_tail(self.error))

        def tail_excess(pull: float) -> float:
            """Return how far the probability of an error as small is below `tail`."""
            return tail - self.moments(pull).lower_tail(self.error)

        far = -max(self.strongest_pull, 1.0)
        greatest = float(self.limits.sum())
        while tail_excess(far) < 0.0:
            if self.true_error(far) >= greatest:
                return greatest
            far *= 2.0
        return self.true_error(root_between(tail_excess, far, self.strongest_pull))


BOOTSTRAPS = ("basic", "percentile", "normal")
INVERSION = "inversion"
METHODS = (INVERSION, *BOOTSTRAPS)
ROUNDING = 2.0**-46  # of the number of cases: sums of probabilities are right to that


@dataclass(frozen=True, eq=False, kw_only=True)
class CalibrationErrorResult(bootstrap.BootstrapInterval):
    """Result of `calibration_error`."""

    expected: float
    pvalue: float
    debiased: float
    bins: str
    n_bins: int
    n: int
    n_dropped: int
    _sample: PValueInputs = field(repr=False)
    _gaps: BinGaps = field(repr=False)
    _inversion: ErrorInversion | None = field(repr=False)
    _label_draws: BinnedRandomLabels = field(repr=False, init=False)
    _corrected: tuple[float, float] = field(repr=False, init=False)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "Expected calibration error"
    _picture: ClassVar[str] = "reliability"

    def _compute__label_draws(self) -> BinnedRandomLabels:
        return random_labels_by_bin(np.sort(self._sample.p), np.cumsum(self._sample.sizes))

    def _compute_expected(self) -> float:
        return self._label_draws.expected_error() / self.n

    def _compute_pvalue(self) -> float:
        return calibrated_pvalue(self._label_draws, self._sample)

    def _compute__inversion(self) -> ErrorInversion:
        return ErrorInversion(self._gaps)

    def _compute__corrected(self) -> tuple[float, float]:
        return ErrorInversion(self._gaps).corrected_error() if self.n > 1 else (math.nan, math.nan)

    def _compute_debiased(self) -> float:
        return self._corrected[0]

    def _compute_standard_error(self) -> float:
        return self._corrected[1]

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the ends of the interval: those of the inverted test if there is one."""
        if self._inversion is None:
            return super()._ends(level)
        tail = 0.5 * (1.0 - level)
        low, high = self._inversion.ends(tail)
        if low > 0.0 and self.pvalue > tail:  # moments alone exclude 0, the simulation does not
            low = 0.0
        return low, high

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        how = "" if self.method == INVERSION else f" by the {self.method} bootstrap"
        return (
            f"The expected calibration error over {self.n_bins} {self.bins} bins is "
            f"{self.estimate:.4f}, compared with {self.expected:.4f} expected for calibrated "
            f"probabilities (one-sided {equation('p', show_pvalue(self.pvalue))}, "
            f"{self.n_resamples} simulated label vectors); corrected for bias it is "
            f"{show_number(self.debiased)} ({self._interval_text()}{how}; "
            f"{amount(self.n, 'case')})."
        )


class BinnedCases(NamedTuple):
    """Labels, probabilities, the sums of `sums_by_bin`, and each case's bin (or an empty array)."""

    y: Labels
    p: Vector
    sums: Matrix
    bin_of: Integers

    @property
    def sizes(self) -> Integers:
        """How many cases are in each bin."""
        return np.asarray(self.sums[CASES], np.int64)

    @property
    def error(self) -> float:
        """The expected calibration error: sum over bins of |sum of p - y|, over n."""
        return float(np.abs(self.sums[EXCESSES]).sum()) / self.p.size


class PValueInputs(NamedTuple):
    """What the p-value is computed from on demand; picklable, `p` is a copy."""

    p: Vector
    sizes: Integers
    positives: Integers
    draws: bootstrap.Draws


@dataclass(frozen=True, slots=True)
class BinnedErrors:
    """Bootstrap statistic: the calibration error; `d` are p - y sorted by bin, ending at `stops`.

    n times the error is the sum over bins of |sum of p - y|: linear in the weights within a bin.
    """

    d: Vector
    stops: Integers

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the errors of 64 replicates."""
        errors = np.zeros(LANES)
        start = 0
        for stop in self.stops.tolist():
            sums = np.zeros(LANES)
            for part in row_slices(stop - start):
                checkpoint()
                rows = slice(start + part.start, start + part.stop)
                add_weighted_sums(weights[rows], self.d[rows], sums)
            errors += np.abs(sums)
            start = stop
        with np.errstate(under="ignore"):
            return errors / self.d.size


@with_engine_options(bootstrap.as_draws)
def calibration_error(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int = 10,
    bins: str = "uniform",
    method: str = INVERSION,
    confidence_level: float = 0.95,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[bootstrap.DrawOptions],
) -> CalibrationErrorResult:
    """Return the expected calibration error (ECE), with a test of calibration and an interval.

    It is the mean over cases of the absolute difference between the mean probability and the
    proportion of positives in their bin.

    Parameters
    ----------
    n_bins : int, default=10
        Number of bins.
    bins : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width, closed on the left, or with equal numbers of cases; replicates use the
        same bins.
    method : {'inversion', 'basic', 'percentile', 'normal'}, default='inversion'
        'inversion' inverts the test: it contains the true errors for which the observed error is
        not extreme, and needs no replicates. The others are bootstraps, which undercover if the
        true error is near 0, where the error of a sample is biased upwards.
    n_resamples : int, default=9999
        Number of simulated label vectors for the p-value, and of bootstrap replicates.

    Returns
    -------
    CalibrationErrorResult
        With ``estimate``; ``expected`` (its exact mean if the probabilities are calibrated);
        ``pvalue`` (the probability of an error at least as large in that case); ``debiased`` (the
        true error at which the estimate equals its mean, 0 if it is below ``expected``);
        ``standard_error`` (of the estimate); ``confidence_interval()`` (for the true error, so it
        need not contain the estimate); ``n_bins`` (non-empty ones), ``n``, ``seed``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        If there is only one case.

    See Also
    --------
    brier_decomposition : The bins of a reliability diagram.

    Notes
    -----
    The true error is that of the population, in the same bins; it is 0 for calibrated
    probabilities, while that of a sample almost never is. The interval by inversion begins at 0
    unless the p-value is below its lower tail probability. With 10 bins it covered 92 to 100%, with
    50 to 2,000 cases and 1 to 50% positives, calibrated or not; the basic bootstrap about 40 to 80%
    if the probabilities are calibrated. `spiegelhalter_test` and `calibration_test` need no bins.
    The p-value is (b + 1) / (B + 1), where b of B simulated label vectors have an error at least as
    large [2]_.

    References
    ----------
    .. [1] M. Pakdaman Naeini, G. F. Cooper, M. Hauskrecht (2015), doi:10.1609/aaai.v29i1.9602.
    .. [2] J. Vaicenavicius, D. Widmann, C. Andersson, F. Lindsten, J. Roll, T. B. Schön (2019),
       Evaluating model calibration in classification, PMLR 89, 3459-3467.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, p = [0, 0, 0, 1, 1, 1, 1], [.1, .1, .4, .4, .4, .8, .8]
    >>> result = fc.calibration_error(y, p, rng=0)
    >>> round(result.estimate, 4), round(result.expected, 4), round(result.pvalue, 2)
    (0.2, 0.2182, 0.67)
    """
    check_undefined(on_undefined)
    check_choice("bins", bins, BINS)
    count, level = as_bin_count(n_bins), check_level(confidence_level)
    method = as_choice("method", method, METHODS)
    draws = bootstrap.as_draws(**drawing)
    cases = as_binary_probabilities(y_true, y_prob, pos_label=pos_label, nan_policy=nan_policy)
    y = cases.labels
    p = cases.models[0]

    bin_of = np.empty(0 if method == INVERSION else p.size, np.int64)
    sums = sums_by_bin(y, p, count, bins, bin_of, draws.workers["n_jobs"])
    binned = BinnedCases(y, p, sums, bin_of)
    status = "ok" if p.size > 1 else "one_case"
    warn_status(status, on_undefined)
    return CalibrationErrorResult.from_fields(
        **error_fields(method, binned, draws),
        **pvalue_fields(binned, draws),
        _gaps=gaps_by_bin(binned.sums),
        confidence_level=level,
        method=method,
        status=status,
        bins=bins,
        n_bins=binned.sums.shape[1],
        n=p.size,
        n_dropped=cases.n_dropped,
    )


def error_fields(method: str, binned: BinnedCases, draws: bootstrap.Draws) -> Fields:
    """Return the fields of the estimate and its interval; inversion is done later, on demand."""
    if method != INVERSION:
        return {**bootstrap_error_fields(method, binned, draws), "_inversion": None}
    fields: Fields = {"estimate": binned.error, "n_resamples": draws.n, "seed": draws.seed}
    if binned.p.size == 1:
        fields |= {"standard_error": math.nan, "_inversion": None}
    return fields


def pvalue_fields(binned: BinnedCases, draws: bootstrap.Draws) -> Fields:
    """Return the fields of the p-value, with an executor or a progress callback computed now.

    Else it is computed when it is read, from the fields returned.
    """
    p = binned.p
    sizes = binned.sizes
    positives = binned.sums[POSITIVES].astype(np.int64)
    reserve((draws.n,), hint="use fewer resamples")  # raises now, not when it is read
    workers = draws.workers
    is_lazy = workers["executor"] is None and workers["progress"] is no_progress
    sample = PValueInputs(p.copy() if is_lazy else np.sort(p), sizes, positives, draws)
    if is_lazy:
        return {"_sample": sample}
    label_draws = random_labels_by_bin(sample.p, np.cumsum(sizes))
    pvalue = calibrated_pvalue(label_draws, sample)
    return {
        "_sample": sample._replace(draws=draws.on_this_thread()),
        "_label_draws": label_draws,
        "pvalue": pvalue,
    }


def gaps_by_bin(bin_sums: Matrix) -> BinGaps:
    """Return the bins' gaps from the rows of `sums_by_bin`."""
    counts = bin_sums[CASES]
    with np.errstate(under="ignore"):
        means = bin_sums / counts
        forecast, label_variance = means[FORECASTS], means[LABEL_VARIANCES]
        variance_of_equal = forecast * (1.0 - forecast)
    share = np.divide(
        label_variance,
        variance_of_equal,
        out=np.ones_like(label_variance),
        where=(label_variance > 0.0) & (variance_of_equal > 0.0),
    )
    return BinGaps(counts, forecast, means[POSITIVES], np.minimum(share, 1.0))


def calibrated_pvalue(label_draws: BinnedRandomLabels, sample: PValueInputs) -> float:
    """Return P(error of calibrated probabilities >= the observed), simulated: (b + 1) / (B + 1).

    Errors are compared as sums over bins of |expected - drawn positives|; those within the
    rounding error of the sums of probabilities tie.
    """
    observed = label_draws.error(sample.positives) - ROUNDING * sample.p.size
    n_as_large = int(np.count_nonzero(label_draws.errors(sample.draws) >= observed))
    return (n_as_large + 1) / (sample.draws.n + 1)


def bootstrap_error_fields(method: str, binned: BinnedCases, draws: bootstrap.Draws) -> Fields:
    """Return the fields of an interval by a bootstrap of the cases."""
    p = binned.p
    by_bin = np.argsort(binned.bin_of, kind="stable")
    errors = BinnedErrors((p - binned.y)[by_bin], np.cumsum(binned.sizes))
    values = np.empty(0)
    if p.size > 1:
        (values,) = bootstrap.draw_replicates(errors, (p.size,), draws)
    return bootstrap.interval_fields(
        bootstrap.summarize_replicates(method, binned.error, values), draws
    )
