"""The Bayesian signed rank test: which of two models has the larger Walsh averages, how surely.

d are the differences of n data sets. Their distribution is unknown: a Dirichlet process, whose
prior weighs as much as half a data set with a difference of 0.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.forward import forwards
from ..._base.parallel import Checkpoint, run_all
from ..._base.types import RandomState, Vector
from ..._inputs.pairs import as_pairs
from ..._inputs.randomness import as_entropy, check_resamples, key_of
from ..._inputs.scores import ScoreTable
from ..._inputs.workers import Workers, as_workers
from ...kernels.drawing.dirichlet import count_largest
from ...kernels.ties import ROUNDING
from .posterior import PosteriorResult, Practice, as_region, posterior_probabilities
from .signed_ranks import signed_ranks
from .sizes import Sized, sized_pairs

Counts = NDArray[np.int64]
Indexes = NDArray[np.intp]

NEAR = 1e-12  # of the sum of its terms' sizes: a sum that may be 0 but for rounding
DRAWS = 4096  # in a call of the kernel: some milliseconds


@dataclass(frozen=True, eq=False, kw_only=True)
class BayesSignedRankResult(PosteriorResult):
    """Result of `bayes_signed_rank`: shares of draws from the posterior."""

    n_resamples: int
    seed: int
    _bounds: Bounds = field(repr=False)
    _turned: bool = field(repr=False)

    rows: ClassVar[str] = "data sets"
    title: ClassVar[str] = "Bayesian signed rank test"


@forwards(as_region)
def bayes_signed_rank(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    n_resamples: int = 50_000,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    **practice: Unpack[Practice],
) -> BayesSignedRankResult:
    """Say how probable it is that either model is better, by the averages of pairs of data sets.

    Parameters
    ----------
    n_resamples : int, default=50000
        Draws from the posterior; the probabilities have a standard error of at most
        0.5 / sqrt(n_resamples).
    rng : None, int or numpy.random.Generator, optional
        The seed. The same seed gives the same draws for any `n_jobs`.

    Returns
    -------
    BayesSignedRankResult
        With ``probability_a`` (that the first model is better), ``probability_rope`` (that both
        are practically equivalent) and ``probability_b``, ``rope``, ``higher_is_better``,
        ``names``, ``n``, ``n_dropped``, ``n_resamples``, ``seed``, ``method``, ``status`` and
        ``summary()``.

    See Also
    --------
    bayes_sign : Only the signs count.
    wilcoxon_test : The test that this replaces.

    Notes
    -----
    Data sets get random weights from a Dirichlet distribution, and so does the prior: half a data
    set with a difference of 0. A draw weighs the averages (d_i + d_j) / 2 of all pairs that lie
    above the region, within it and below it, and the probabilities say how often each weighs most.
    A draw takes O(n) by running sums over the sorted differences. The region holds its ends, and
    averages that are beyond them by 2^-50 of the scores, which is rounding; without a region,
    differences cancel that tie in `wilcoxon_test`. Other programs count half of the averages at an
    end as beyond it. The order of the data sets does not matter, and swapping the models swaps the
    result.

    References
    ----------
    .. [1] A. Benavoli, G. Corani, F. Mangili, M. Zaffalon, F. Ruggeri (2014), Proceedings of
       Machine Learning Research 32(2), 1026-1034.
    .. [2] A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017), Journal of Machine Learning
       Research 18(77), 1-36.

    Examples
    --------
    >>> import fastcompare as fc
    >>> d = [.05, .02, .03, .04, .02, .06, .03, .005, 0, -.02]
    >>> result = fc.bayes_signed_rank(d, rng=0)
    >>> result.probability_a > 0.9
    True
    """
    region, higher, nan_policy = as_region(**practice)
    count, workers = check_resamples(n_resamples), as_workers(n_jobs, executor, None)
    seed = as_entropy(rng)
    pairs = as_pairs(scores_a, scores_b, nan_policy=nan_policy)
    d = pairs.differences

    shares = d / d.size
    # so that swapping the models swaps the result, of whichever unit
    turned = math.fsum(shares) < -NEAR * math.fsum(np.abs(shares))
    signed = sized_pairs(pairs)._replace(d=-d if turned else d)
    bounds = average_bounds(signed, region)
    wins = posterior_wins(bounds, count, seed, workers)
    chances = (wins[::-1] if turned else wins) / count

    return BayesSignedRankResult(
        **posterior_probabilities(chances.tolist(), higher),
        rope=region,
        higher_is_better=higher,
        names=pairs.names,
        n=d.size,
        n_dropped=pairs.n_dropped,
        n_resamples=count,
        seed=seed,
        method=f"Bayesian signed rank test, {count} draws",
        status="ok",
        _bounds=bounds,
        _turned=turned,
    )


class Bounds(NamedTuple):
    """Differences in order and the prior's 0 at index `prior`, as ends that rounding leaves open.

    The average of i and j lies above the region if low[i] + low[j] > 2 region, and below it if
    high[i] + high[j] < -2 region.
    """

    low: Vector
    high: Vector
    prior: int
    region: float

    def places(self) -> tuple[Indexes, Indexes]:
        """Return for each i the first j that is not below the region, and the first above it."""
        # infinite bounds are in order, too
        with np.errstate(over="ignore"):
            starts = np.searchsorted(self.low, 2.0 * self.region - self.low, "right")
            stops = np.searchsorted(self.high, -2.0 * self.region - self.high, "left")
        return stops, starts


def average_bounds(differences: Sized, region: float) -> Bounds:
    """Return the bounds that say which averages of two differences lie beyond the region.

    Without a region it is that of the larger size: ranks say it, which tie as sizes do. With one,
    averages lie within it up to the room of both.
    """
    d = differences.d
    room = np.maximum(np.where(d == 0.0, 0.0, differences.room), ROUNDING * region)
    if region == 0.0:
        d, room = signed_ranks(differences, "wilcox").t.astype(np.float64), np.zeros(d.size)
    order = np.argsort(d)
    prior = int(np.searchsorted(d[order], 0.0))
    d, room = np.insert(d[order], prior, 0.0), np.insert(room[order], prior, 0.0)
    # the kernel goes along one order: only sizes with more room than their neighbours give way
    low = np.maximum.accumulate(d - room)
    high = np.minimum.accumulate((d + room)[::-1])[::-1]
    return Bounds(low, high, prior, region)


def posterior_wins(bounds: Bounds, n_resamples: int, seed: int, workers: Workers) -> Counts:
    """Return in how many draws the averages above the region, within and below it weigh most."""
    stops, starts = bounds.places()
    key = np.uint64(key_of(seed))
    count = partial(count_wins, stops, starts, bounds.prior, n_resamples, key)
    parts = run_all(count, range(0, n_resamples, DRAWS), **workers)
    return np.asarray(np.sum(parts, axis=0))


def count_wins(
    stops: Counts,
    starts: Counts,
    prior: int,
    n_resamples: int,
    key: np.uint64,
    first: int,
    checkpoint: Checkpoint,
) -> Counts:
    """Return the wins of `posterior_wins` in some draws from `first` on."""
    wins = np.zeros(3, np.int64)
    count_largest(stops, starts, prior, first, min(first + DRAWS, n_resamples), key, wins)
    return wins
