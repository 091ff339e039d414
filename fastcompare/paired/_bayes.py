"""Bayesian comparisons of two models: the sign test and the signed rank test.

d are the differences of n data sets. The prior of the three shares of the sign test weighs as much
as one data set on which the models are equivalent. In the signed rank test the distribution of d is
a Dirichlet process, whose prior weighs as much as half a data set with a difference of 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.parallel import Checkpoint, run_all
from .._base.text import amount
from .._base.types import Fields, NanPolicy, RandomState, Undefined, Vector
from .._inputs.models import as_pairs
from .._inputs.options import (
    Workers,
    as_entropy,
    as_workers,
    check_amount,
    check_flag,
    check_resamples,
    check_undefined,
    hash_seed,
)
from .._inputs.scores import ScoreTable
from .._results.two_models import TwoModels
from ..kernels.drawing.resampling import count_largest_share
from ..kernels.signed_ranks import ROUNDING
from ._columns import SizedDifferences, sized_pairs
from ._wilcoxon import signed_ranks

DEFAULT_ROPE = 0.01  # a point of accuracy, as in Benavoli and others (2017)


class BayesOptions(TypedDict, total=False):
    """Options of Bayesian comparisons of two models."""

    rope: float
    higher_is_better: bool
    nan_policy: NanPolicy
    on_undefined: Undefined


def as_bayes_options(
    *,
    rope: float = DEFAULT_ROPE,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> tuple[float, bool, NanPolicy]:
    """Return the checked `rope`, `higher_is_better` and `nan_policy`.

    Tests that forward them show the entries below.

    Parameters
    ----------
    rope : float, default=0.01
        Half-width of the region of practical equivalence, in the unit of the scores: differences up
        to this size count as none; 0 for no region.
    higher_is_better : bool, default=True
        False for errors and losses.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        Has no effect: these probabilities are always defined.
    """
    check_undefined(on_undefined)
    limit = check_amount("rope", rope, 0.0)
    return limit, check_flag("higher_is_better", higher_is_better), nan_policy


@dataclass(frozen=True, eq=False, kw_only=True)
class PosteriorResult(TwoModels):
    """How probable it is that either model is better; differences up to `rope` count as none."""

    probability_a: float
    probability_rope: float
    probability_b: float
    rope: float
    higher_is_better: bool
    n: int
    n_dropped: int
    method: str
    status: str

    rows: ClassVar[str] = "pairs"
    _sheets: ClassVar[str] = "posterior"
    _picture: ClassVar[str] = "posterior"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        first, second = self._display_names
        method = f"({self.method}, {amount(self.n, self.rows.removesuffix('s'))})"
        if math.isnan(self.probability_rope):
            return f"Whether {first} is better than {second} is undefined {method}."
        return (
            f"The probability that {first} is better than {second} is {self.probability_a:.4f}, "
            f"that it is worse {self.probability_b:.4f}, and that both are equivalent (within "
            f"{self.rope:g}) {self.probability_rope:.4f} {method}."
        )


def posterior_fields(
    of_difference: Sequence[float], rope: float, higher_is_better: bool, names: tuple[str, str]
) -> Fields:
    """Return the fields with the probabilities that either model is better, or neither.

    `of_difference` are those of a difference above, within and below the region of equivalence.
    """
    above, within, below = of_difference
    first, second = (above, below) if higher_is_better else (below, above)
    return Fields(
        probability_a=first,
        probability_rope=within,
        probability_b=second,
        rope=rope,
        higher_is_better=higher_is_better,
        names=names,
    )


Counts = NDArray[np.int64]
Indices = NDArray[np.intp]

RELATIVE_TOLERANCE = 1e-12  # of the sum of |terms|: a sum up to here may be 0 but for rounding
DRAWS_PER_CALL = 4096  # of the kernel: some milliseconds


@dataclass(frozen=True, eq=False, kw_only=True)
class BayesSignedRankResult(PosteriorResult):
    """Result of `bayes_signed_rank`: posterior probabilities from random draws."""

    n_resamples: int
    seed: int
    _bounds: AverageBounds = field(repr=False)
    _signs_reversed: bool = field(repr=False)

    rows: ClassVar[str] = "data sets"
    title: ClassVar[str] = "Bayesian signed rank test"


@with_engine_options(as_bayes_options)
def bayes_signed_rank(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    n_resamples: int = 50_000,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    **practice: Unpack[BayesOptions],
) -> BayesSignedRankResult:
    """Return the posterior probability that either model is better: Bayesian signed-rank test.

    Parameters
    ----------
    n_resamples : int, default=50000
        Number of draws from the posterior; the probabilities have a standard error of at most 0.5 /
        sqrt(n_resamples).
    rng : None, int or numpy.random.Generator, optional
        Seed. The same seed gives the same draws for any `n_jobs`.

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
    Each draw gives the data sets, and the prior (half a data set with a difference of 0), random
    weights from a Dirichlet distribution. It sums the weights of the Walsh averages (d_i + d_j) / 2
    above, within and below the region of practical equivalence; the probabilities are how often
    each sum is the largest. A draw takes O(n) operations. The region includes its ends, and
    averages beyond them by up to 2^-50 of the scores (rounding); without a region, differences that
    tie in `wilcoxon_test` cancel. Other programs count half of the averages at an end as beyond it.
    The order of the data sets does not matter, and swapping the models swaps the result.

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
    region, higher, nan_policy = as_bayes_options(**practice)
    count = check_resamples(n_resamples)
    workers = as_workers(n_jobs, executor, None)
    seed = as_entropy(rng)
    pairs = as_pairs(scores_a, scores_b, nan_policy=nan_policy)
    d = pairs.differences

    shares = d / d.size  # whose sums do not overflow
    # signs with a mean of at least 0, so that swapping the models swaps the result
    reversed_signs = math.fsum(shares) < -RELATIVE_TOLERANCE * math.fsum(np.abs(shares))
    signed = sized_pairs(pairs)._replace(d=-d if reversed_signs else d)
    bounds = average_bounds(signed, region)
    wins = posterior_wins(bounds, count, seed, workers)
    chances = (wins[::-1] if reversed_signs else wins) / count

    return BayesSignedRankResult(
        **posterior_fields(chances.tolist(), region, higher, pairs.names),
        n=d.size,
        n_dropped=pairs.n_dropped,
        n_resamples=count,
        seed=seed,
        method=f"Bayesian signed rank test, {count} draws",
        status="ok",
        _bounds=bounds,
        _signs_reversed=reversed_signs,
    )


class AverageBounds(NamedTuple):
    """Lower and upper bounds of sorted differences, up to rounding; the prior's 0 is at `prior`.

    The average of i and j lies above the region of equivalence if low[i] + low[j] > 2 region, and
    below it if high[i] + high[j] < -2 region.
    """

    low: Vector
    high: Vector
    prior: int
    region: float

    def region_edges(self) -> tuple[Indices, Indices]:
        """Return for each i the first j whose average is not below the region, and is above it."""
        # infinite bounds are in order, too
        with np.errstate(over="ignore"):
            starts = np.searchsorted(self.low, 2.0 * self.region - self.low, "right")
            stops = np.searchsorted(self.high, -2.0 * self.region - self.high, "left")
        return stops, starts


def average_bounds(differences: SizedDifferences, region: float) -> AverageBounds:
    """Return the bounds that decide which averages of two differences lie beyond the region.

    Without a region an average has the sign of the larger |d|, so signed ranks replace differences,
    which tie as in `wilcoxon_test`. With one, rounding of both differences is allowed for.
    """
    d = differences.d
    rounding = np.maximum(np.where(d == 0.0, 0.0, differences.rounding), ROUNDING * region)
    if region == 0.0:
        d = signed_ranks(differences, "wilcox").astype(np.float64)
        rounding = np.zeros(d.size)
    order = np.argsort(d)
    prior = int(np.searchsorted(d[order], 0.0))
    d = np.insert(d[order], prior, 0.0)
    rounding = np.insert(rounding[order], prior, 0.0)
    # bounds must be in one order: those with larger errors than their neighbours are moved
    low = np.maximum.accumulate(d - rounding)
    high = np.minimum.accumulate((d + rounding)[::-1])[::-1]
    return AverageBounds(low, high, prior, region)


def posterior_wins(bounds: AverageBounds, n_resamples: int, seed: int, workers: Workers) -> Counts:
    """Return in how many draws averages above, within and below the region have most weight."""
    stops, starts = bounds.region_edges()
    key = np.uint64(hash_seed(seed))
    count = partial(count_wins, stops, starts, bounds.prior, n_resamples, key)
    counts = run_all(count, range(0, n_resamples, DRAWS_PER_CALL), **workers)
    return np.asarray(np.sum(counts, axis=0))


def count_wins(
    stops: Counts,
    starts: Counts,
    prior: int,
    n_resamples: int,
    key: np.uint64,
    first: int,
    checkpoint: Checkpoint,
) -> Counts:
    """Return the counts of `posterior_wins` among at most 4096 draws from number `first` on."""
    wins = np.zeros(3, np.int64)
    count_largest_share(
        stops, starts, prior, first, min(first + DRAWS_PER_CALL, n_resamples), key, wins
    )
    return wins


POINTS_PER_DEVIATION = 8.0  # of the integral, a standard deviation of the narrowest variable
TRUNCATED_PROBABILITY = 1e-18  # beyond either end of the integral


def probabilities_of_largest_gamma(shapes: Sequence[float]) -> NDArray[np.float64]:
    """Return the probability of each of independent gamma variables to be the largest.

    A shape of 0 stands for a variable that is 0. P(X_i is the largest) is the integral of f_i prod
    F_j over j other than i. In log x it is smooth and falls off quickly, so that sums over
    equidistant points converge exponentially: 12 digits by a few hundred points.
    """
    from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

    positive_shapes = np.array([shape for shape in shapes if shape > 0.0])[:, None]
    # its variable bounds the largest one from below, and no other has a larger upper quantile
    largest_shape = float(positive_shapes.max())
    low = math.log(gammaincinv(largest_shape, TRUNCATED_PROBABILITY))
    high = math.log(gammainccinv(largest_shape, TRUNCATED_PROBABILITY))
    n_points = math.ceil(POINTS_PER_DEVIATION * math.sqrt(largest_shape) * (high - low)) + 2
    points = np.linspace(low, high, n_points)
    x = np.exp(points)
    density = np.exp(positive_shapes * points - x - gammaln(positive_shapes))
    below = gammainc(positive_shapes, x)
    chances: NDArray[np.float64] = np.zeros(len(shapes))
    others = [np.delete(below, i, axis=0).prod(axis=0) for i in range(len(positive_shapes))]
    chances[np.array(shapes) > 0.0] = (density * others).sum(axis=1)
    return chances / math.fsum(chances)  # fsum: the same for shapes in any order


ROPE_PRIOR = 1.0  # data sets on which the models are equivalent


@dataclass(frozen=True, eq=False, kw_only=True)
class BayesSignResult(PosteriorResult):
    """Result of `bayes_sign`: the number of data sets and the probability of each outcome."""

    n_a: int
    n_rope: int
    n_b: int

    rows: ClassVar[str] = "data sets"
    title: ClassVar[str] = "Bayesian sign test"


@with_engine_options(as_bayes_options)
def bayes_sign(
    scores_a: ScoreTable, scores_b: ArrayLike | None = None, **practice: Unpack[BayesOptions]
) -> BayesSignResult:
    """Return the posterior probability that either model is better: Bayesian sign test.

    Returns
    -------
    BayesSignResult
        With ``probability_a`` (that the first model is better), ``probability_rope`` (that both are
        practically equivalent) and ``probability_b``, the numbers of data sets ``n_a``, ``n_rope``
        and ``n_b`` of each kind, ``rope``, ``higher_is_better``, ``names``, ``n``, ``n_dropped``,
        ``method``, ``status`` and ``summary()``.

    See Also
    --------
    bayes_signed_rank : Uses the sizes of the differences, too.
    sign_test : The test that this replaces.

    Notes
    -----
    The proportions of data sets with each outcome have a Dirichlet posterior with the three counts,
    plus one for equivalence (the prior). The probability of an outcome is that its proportion is
    the largest. It is integrated to 12 digits, without random draws. The region includes its ends,
    and differences beyond them by up to 2^-50 of their scores (rounding); without a region only
    equal scores are equivalent.

    References
    ----------
    .. [1] A. Benavoli, G. Corani, J. Demšar, M. Zaffalon (2017), Journal of Machine Learning
       Research 18(77), 1-36.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.bayes_sign([.05, .02, .03, .04, .02, .06, .03, .005, 0, -.02])
    >>> round(result.probability_a, 5), round(result.probability_rope, 5)
    (0.90529, 0.08881)
    >>> round(result.probability_b, 6)
    0.005901
    """
    region, higher, nan_policy = as_bayes_options(**practice)
    pairs = as_pairs(scores_a, scores_b, nan_policy=nan_policy)

    d, _, rounding = sized_pairs(pairs)
    # with a region, differences within rounding errors of its end count as in it
    limit = region + np.where(region > 0.0, np.maximum(rounding, ROUNDING * region), 0.0)
    above = int(np.count_nonzero(d > limit))
    below = int(np.count_nonzero(d < -limit))
    within = d.size - above - below
    chances = probabilities_of_largest_gamma((above, within + ROPE_PRIOR, below))

    return BayesSignResult(
        **posterior_fields(chances.tolist(), region, higher, pairs.names),
        n_a=above if higher else below,
        n_rope=within,
        n_b=below if higher else above,
        n=d.size,
        n_dropped=pairs.n_dropped,
        method="Bayesian sign test",
        status="ok",
    )
