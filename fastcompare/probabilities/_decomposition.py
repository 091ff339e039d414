"""Parts of the Brier score, the score against a reference, and Spiegelhalter's test."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.parallel import map_threads
from .._base.text import equation, show_number, show_pvalue
from .._base.types import Direction, Fields, Integers, Matrix, Undefined, Vector
from .._inference.infer import infer
from .._inference.status import warn_status
from .._inputs.options import ALTERNATIVES, check_choice, check_undefined
from .._inputs.probabilities import (
    Binary,
    Labels,
    Probabilities,
    Reading,
    as_bin_count,
    as_binary_probabilities,
    as_probabilities,
)
from .._results.records import Record
from .._results.two_models import NormalResult
from ..kernels import probabilities as kernels
from ..kernels.sorting.native import sort_keys
from ..kernels.sorting.shared import split_evenly
from ..kernels.sums import ONE
from ._losses import brier_totals, mean_brier_loss

BINS = ("uniform", "quantile")
NO_BIN_NUMBERS = np.empty(0, np.int64)
CASES_PER_JOB = 1 << 17  # that a thread sums up at a time: a millisecond
# rows of `sums_by_bin`: the sums of 1, p, p (1 - p), p - y and y over the cases of each bin
CASES, FORECASTS, LABEL_VARIANCES, EXCESSES, POSITIVES = range(5)


@dataclass(frozen=True, eq=False, kw_only=True)
class BrierDecompositionResult(Record):
    """Result of `brier_decomposition`; arrays have one entry per non-empty bin."""

    brier_score: float
    reliability: float
    resolution: float
    uncertainty: float
    within_bin: float
    counts: Integers
    mean_probability: Vector
    observed_rate: Vector
    n: int
    n_dropped: int
    _keys: NDArray[np.uint64] | None = field(repr=False, default=None)
    _bins: Bins = field(repr=False)
    title: ClassVar[str] = "Decomposition of the Brier score"
    _follows_sample: ClassVar[bool] = True
    _picture: ClassVar[str] = "reliability"

    def _compute__bins(self) -> Bins:
        assert self._keys is not None  # fields of binned probabilities hold `_bins` itself
        return distinct_bins(self._keys)

    def _compute_counts(self) -> Integers:
        return self._bins.sizes

    def _compute_mean_probability(self) -> Vector:
        return self._bins.forecast

    def _compute_observed_rate(self) -> Vector:
        return self._bins.rate

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        within = f" {self.within_bin:+.4f} (within bins)" if self.within_bin else ""
        return (
            f"The Brier score of {self.brier_score:.4f} is {self.reliability:.4f} (reliability) - "
            f"{self.resolution:.4f} (resolution) + {self.uncertainty:.4f} (uncertainty){within}."
        )


@with_engine_options(as_binary_probabilities)
def brier_decomposition(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    n_bins: int | None = None,
    bins: str = "uniform",
    **reading: Unpack[Binary],
) -> BrierDecompositionResult:
    """Decompose the Brier score into reliability, resolution and uncertainty.

    Parameters
    ----------
    n_bins : int, optional
        Number of bins; by default every distinct probability is a bin.
    bins : {'uniform', 'quantile'}, default='uniform'
        Bins of equal width, closed on the left, or with equal numbers of cases.

    Returns
    -------
    BrierDecompositionResult
        With ``brier_score`` = ``reliability`` - ``resolution`` + ``uncertainty`` + ``within_bin``;
        for a reliability diagram ``counts``, ``mean_probability`` and ``observed_rate`` of the
        non-empty bins.

    Notes
    -----
    ``within_bin`` is the variance of the probabilities within bins minus twice their covariance
    with the labels (Stephenson et al. 2008). With bins, the other three terms alone do not add up
    to the Brier score; without bins, it is 0.

    References
    ----------
    .. [1] A. H. Murphy (1973), doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2.
    .. [2] D. B. Stephenson, C. A. S. Coelho, I. T. Jolliffe (2008), doi:10.1175/2007WAF2006116.1.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, p = [0, 0, 0, 1, 1, 1, 1], [.1, .1, .4, .4, .4, .8, .8]
    >>> print(fc.brier_decomposition(y, p).summary())
    The Brier score of 0.1400 is 0.0448 (reliability) - 0.1497 (resolution) + 0.2449
    (uncertainty). There were 7 cases.
    """
    check_choice("bins", bins, BINS)
    count = None if n_bins is None else as_bin_count(n_bins)
    cases = as_binary_probabilities(y_true, y_prob, **reading)
    y = cases.labels
    p = cases.models[0]
    return BrierDecompositionResult.from_fields(
        brier_score=mean_brier_loss(y, p),
        **(distinct_parts(y, p) if count is None else binned_parts(y, p, count, bins)),
        n=y.size,
        n_dropped=cases.n_dropped,
    )


class Bins(NamedTuple):
    """Sizes, mean probabilities and rates of positives of bins."""

    sizes: Integers
    forecast: Vector
    rate: Vector


@np.errstate(under="ignore")
def binned_parts(labels: Labels, p: Vector, count: int, bins: str) -> Fields:
    """Return the fields of the Brier score's parts over bins of equal width or size."""
    bin_of = np.empty(p.size, np.int64)
    sums = sums_by_bin(labels, p, count, bins, bin_of)
    forecast, rate = sums[FORECASTS] / sums[CASES], sums[POSITIVES] / sums[CASES]
    sizes = sums[CASES].astype(np.int64)
    base = int(np.count_nonzero(labels)) / labels.size
    within_p, within_y = p - forecast[bin_of], labels - rate[bin_of]
    return {
        "reliability": float((sizes * (forecast - rate) ** 2).sum()) / p.size,
        "resolution": float((sizes * (rate - base) ** 2).sum()) / p.size,
        "uncertainty": base * (1.0 - base),
        "within_bin": float((within_p * (within_p - 2.0 * within_y)).mean()),
        "_bins": Bins(sizes, forecast, rate),
    }


def distinct_parts(labels: Labels, p: Vector) -> Fields:
    """Return the fields of the Brier score's parts, with a bin for each distinct probability.

    By one sort of keys that are a probability's bits followed by its label's: a third of the time
    of np.unique.
    """
    keys = p.view(np.uint64) << ONE  # no probability needs its highest bit, the sign (-0 is 0)
    keys |= labels
    sort_keys(keys)
    base = int(np.count_nonzero(labels)) / labels.size
    sums = np.empty(2)
    kernels.murphy_parts(keys, base, sums)
    reliability, resolution = (sums / p.size).tolist()
    return {
        "reliability": reliability,
        "resolution": resolution,
        "uncertainty": base * (1.0 - base),
        "within_bin": 0.0,  # only the means' rounding errors
        "_keys": keys,
    }


def distinct_bins(keys: NDArray[np.uint64]) -> Bins:
    """Return a bin for each distinct probability, from the sorted keys of `distinct_parts`."""
    count = kernels.count_distinct(keys)
    (forecast, rate), sizes = np.empty((2, count)), np.empty(count, np.int64)
    kernels.tabulate_probabilities(keys, 0, forecast.view(np.uint64), forecast, sizes, rate)
    return Bins(sizes, forecast, rate)


def sums_by_bin(
    labels: Labels,
    p: Vector,
    count: int,
    bins: str,
    numbers: Integers = NO_BIN_NUMBERS,
    n_jobs: int = 1,
) -> Matrix:
    """Return the sums (5, bins) of 1, p, p (1 - p), p - y and y over each non-empty bin.

    The index of each case's bin is written to `numbers`, unless that is an empty array. Cases are
    split into the same stretches for any number of threads, so sums do not depend on it.
    """
    inner = np.arange(1, count) / count
    edges, guide = (inner, NO_BIN_NUMBERS) if bins == "uniform" else quantile_edges(p, inner)
    stretches = split_evenly(p.size, max(1, -(-p.size // CASES_PER_JOB)))
    sums_of_stretches = np.zeros((len(stretches), count, 5))

    def add(job: int) -> None:
        """Add the cases of one stretch to its sums."""
        rows = stretches[job]
        cases = labels[rows], p[rows], edges, guide, numbers[rows]
        kernels.sum_bins(*cases, sums_of_stretches[job])

    map_threads(add, range(len(stretches)), n_jobs)
    sums = sums_of_stretches.sum(axis=0)
    used = sums[:, CASES] > 0.0
    if numbers.size and not used.all():
        numbers[:] = (np.cumsum(used) - 1)[numbers]  # the index among the bins that are used
    return np.ascontiguousarray(sums[used].T)


@np.errstate(under="ignore")
def quantile_edges(p: Vector, inner: Vector) -> tuple[Vector, Integers]:
    """Return NumPy's quantiles of p, bit for bit, and the number of quantiles below each bucket.

    Only probabilities in the buckets of quantiles are sorted: half the time of NumPy's partition.
    """
    counts, is_needed = np.zeros((2, kernels.BUCKETS), np.int64)
    kernels.count_buckets(p, counts)
    position = (p.size - 1) * inner  # of a quantile among the sorted probabilities
    low = position.astype(np.int64)
    ranks = np.stack((low, np.minimum(low + 1, p.size - 1)))  # of its neighbours
    buckets = np.searchsorted(np.cumsum(counts), ranks, "right")
    is_needed[buckets] = 1
    values = np.empty(int(counts @ is_needed) + 1)  # the last one is overwritten again and again
    kernels.gather_buckets(p, is_needed, values)
    values = np.abs(values[:-1])  # no -0.0
    sort_keys(values.view(np.uint64))
    n_left_out_below = np.cumsum(counts * (1 - is_needed))[buckets]
    a, b = values[ranks - n_left_out_below]
    t, step = position - low, b - a
    edges = np.where(t < 0.5, a + step * t, b - step * (1.0 - t))  # rounded as NumPy does it
    return edges, bucket_guide(edges)


def bucket_guide(edges: Vector) -> Integers:
    """Return the number of edges below each bucket of probabilities, as `sum_bins` needs it."""
    counts = np.zeros(kernels.BUCKETS, np.int64)
    kernels.count_buckets(edges, counts)
    return np.cumsum(counts) - counts


@with_engine_options(as_probabilities)
def brier_skill_score(
    y_true: ArrayLike,
    y_prob: Probabilities,
    *,
    reference: Probabilities | None = None,
    on_undefined: Undefined = "warn",
    **reading: Unpack[Reading],
) -> float:
    """Return the Brier skill score: the relative improvement over a reference's Brier score.

    Parameters
    ----------
    reference : array-like, mapping or data frame, optional
        Another model's probabilities, in the shape of `y_prob`; by default the class frequencies of
        these cases.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do if the reference's score is 0.

    Returns
    -------
    float
        1 - score / (reference's score): 1 is perfect, 0 as good as the reference, negative worse.

    Warns
    -----
    UndefinedResultWarning
        If the reference's score is 0, as for class frequencies with only one class; the result is
        NaN.

    References
    ----------
    .. [1] A. H. Murphy (1973), doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.brier_skill_score([1, 0, 1, 0], [.9, .2, .7, .1]), 4)
    0.85
    """
    check_undefined(on_undefined)
    probabilities = (
        {"y_prob": y_prob} if reference is None else {"y_prob": y_prob, "reference": reference}
    )
    cases = as_probabilities(y_true, probabilities, **reading)
    labels = cases.labels
    p = cases.models[0]
    base = class_frequencies(labels, p) if reference is None else cases.models[1]
    score, reference_score = (mean_brier_loss(labels, q) for q in (p, base))
    warn_status("ok" if reference_score else "perfect_reference", on_undefined)
    return 1.0 - score / reference_score if reference_score else math.nan


def class_frequencies(labels: Labels, p: Vector) -> Vector:
    """Return the class frequencies as every case's probabilities, in the shape of p."""
    if p.ndim == 1:
        return np.full(p.size, labels.mean())
    return np.tile(np.bincount(labels, minlength=p.shape[1]) / labels.size, (labels.size, 1))


@dataclass(frozen=True, eq=False, kw_only=True)
class SpiegelhalterResult(NormalResult):
    """Result of `spiegelhalter_test`; `estimate` is the Brier score minus its expectation."""

    brier_score: float
    n: int
    n_dropped: int
    names: ClassVar[tuple[()]] = ()  # type: ignore[misc]  # there is one model
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    title: ClassVar[str] = "Spiegelhalter's test of calibration"
    _follows_sample: ClassVar[bool] = True
    _sheets: ClassVar[str] = "estimate"

    def _zero_variance_limits(self, level: float) -> tuple[float, float]:
        return math.nan, math.nan  # nothing is known, even of a score at its expectation

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        z = equation("z", show_number(self.statistic, ".3f"))
        p = equation("p", show_pvalue(self.pvalue))
        return (
            f"The Brier score is {self.brier_score:.4f}, {self.estimate:+.4f} from its expectation "
            f"for calibrated probabilities (Spiegelhalter's test, {z}, {p})."
        )


SIMULATION_HINT = "; calibration_error has a simulated p-value"
# the skewness of z from which tests at 5% reject more than 6% of calibrated samples: one-sided ones
# on average, two-sided ones for one in ten of 1,500 sets of probabilities
LARGEST_SKEWNESS = {"greater": 0.35, "two-sided": 0.8, "less": math.inf}


@np.errstate(under="ignore")
def is_score_skewed(p: Vector, variance: float, alternative: str) -> bool:
    """Return whether z of calibrated probabilities p is too skewed for the normal distribution.

    With w = 1 - 2 p the third moment is sum w^4 p (1 - p), which is at most the variance, so the
    skewness is at most 1 / sqrt(variance).
    """
    most = LARGEST_SKEWNESS[alternative]
    if most * math.sqrt(variance) >= 1.0:
        return False
    return bool(np.sum((1.0 - 2.0 * p) ** 4 * p * (1.0 - p)) > most * variance**1.5)


@with_engine_options(as_binary_probabilities)
def spiegelhalter_test(
    y_true: ArrayLike,
    y_prob: ArrayLike,
    *,
    alternative: Direction = "two-sided",
    on_undefined: Undefined = "warn",
    **reading: Unpack[Binary],
) -> SpiegelhalterResult:
    """Spiegelhalter's test of calibration, by the Brier score.

    Parameters
    ----------
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': the score is worse than expected under calibration (overconfidence).

    Returns
    -------
    SpiegelhalterResult
        With ``statistic`` (z), ``pvalue``, ``log_pvalue``, ``estimate`` (the mean of
        (p - y)² - p (1 - p)), ``standard_error`` (exact for calibrated probabilities),
        ``brier_score``, ``n``, ``status``, ``confidence_interval(confidence_level)``.

    Warns
    -----
    UndefinedResultWarning
        'certain_score', if all probabilities are 0, 1/2 or 1: calibrated, they have no variance.
    SmallSampleWarning
        If so few cases determine the score that z is skewed, and its upper tail too heavy.

    See Also
    --------
    calibration_error : Its p-value is simulated, so that it holds for any number of cases.
    calibration_test : Slope and intercept.

    Notes
    -----
    With labels y and probabilities p::

        z = sum (y - p) (1 - 2 p) / sqrt(sum (1 - 2 p)^2 p (1 - p))

    A large p-value does not prove calibration: miscalibration that cancels in the Brier score is
    not detected. z is skewed where few cases determine it, as of 50 with probabilities of 0.002.

    References
    ----------
    .. [1] D. J. Spiegelhalter (1986), doi:10.1002/sim.4780050506.

    Examples
    --------
    >>> import fastcompare as fc
    >>> cases = fc.load_predictions()
    >>> result = fc.spiegelhalter_test(cases.y_true, cases.scores["random_forest"])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (-2.3635, 0.0181)
    """
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    cases = as_binary_probabilities(y_true, y_prob, **reading)
    y = cases.labels
    p = cases.models[0]

    # `excess` is the sum of (p - y)^2 - p (1 - p), which is (y - p) (1 - 2 p), since y^2 = y
    score, excess, variance = brier_totals(y, p)
    inference = infer(excess / p.size, math.sqrt(variance) / p.size, alternative)
    status = "small_sample" if is_score_skewed(p, variance, alternative) else "ok"
    if not variance:
        status = "certain_score"
        inference |= {"pvalue": math.nan, "log_pvalue": math.nan}
        inference["statistic"] = inference["statistic"] or math.nan  # 0 / 0
    warn_status(status, on_undefined, SIMULATION_HINT * (status == "small_sample"))

    return SpiegelhalterResult(
        **inference,
        method="Spiegelhalter's test",
        status=status,
        brier_score=score / p.size,
        n=p.size,
        n_dropped=cases.n_dropped,
    )
