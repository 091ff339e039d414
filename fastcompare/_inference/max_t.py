"""The largest |z| or |t| of many differences at once: p-values, critical values, joint levels.

The differences are jointly normal: Z has a row of unit length in `root` for each, times a standard
normal vector of as many dimensions as the covariance has rank r. The direction u of that vector is
independent of its length R, so with m(u) the largest component of Z in that direction

    P(max |Z_p| >= c) = mean over u of P(R >= c / m(u)),

and R^2 is chi-squared with r degrees of freedom, or r F(r, df) for a multivariate t: Genz, Bretz
(2009), doi:10.1007/978-3-642-01689-9, section 4.1. The mean over u is exact for r = 1 and goes by
equal angles for r = 2 (errors below 1e-9), by points that fill the sphere evenly up to r = 12
(1e-7 for 4 models, 3e-6 for 5, 5e-5 for 8, 1e-4 for 13) and by random draws beyond:
they have a standard error of .04% at 5% to 45 models, .3% for 1,000.

For all pairs of k models, whose estimates have a known covariance, the level of each interval such
that all cover together is a mean over fixed draws of the largest |z| or |t|: Hothorn, Bretz,
Westfall (2008), doi:10.1002/bimj.200810425, section 3. The share beyond the 95% point has a
standard error of .04% to 45 models, .1% for 100 and .3% for 1,000.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import interruptible
from .._base.types import Integers, Matrix, Vector
from ..kernels.drawing.purposes import GAPS
from ..kernels.drawing.streams import WORDS, draw_normal_numbers, fill_words
from ..kernels.normals import largest_differences
from ..kernels.sums import U
from .infer import LARGE
from .pvalues import (
    normal_tail,
    reference_quantile,
    student_tail,
)

MOST_DRAWS, FEWEST_DRAWS = 1 << 18, 1 << 12
WORK = 1 << 28  # draws times pairs: 0.3 s for 100 models; the fewest take 2 s for 1,000
BLOCK = 1 << 11  # draws at a time: those of a hundred models stay in the cache
SEED = U(2008)


def level_of_each(
    covariance: Matrix,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    level: float,
    alternative: str,
    df: float = math.inf,
) -> float:
    """Return the level of each interval such that those of all `pairs` cover together at `level`.

    `covariance` (k, k) is that of the models' estimates, up to a factor; differences without
    variance are left out. With finite `df` the standard deviation, common to all, is estimated with
    so many degrees of freedom.
    """
    first, second = pairs
    two_sided = alternative == "two-sided"
    # At level alpha equivalence means that the 1 - 2 alpha interval lies within the margins.
    coverage = 2.0 * level - 1.0 if alternative == "equivalence" else level
    bonferroni = 1.0 - (1.0 - level) / max(first.size, 1)
    largest = draw_largest_statistics(covariance, first, second, alternative, df)
    if not largest.size:
        return bonferroni
    point = float(np.quantile(largest, coverage, method="higher"))
    tail = normal_tail(point) if df == math.inf else student_tail(point, df)
    each = 1.0 - (2.0 if two_sided else 1.0) * tail
    return min(max(each, level), bonferroni)


def draw_largest_statistics(
    covariance: Matrix,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    alternative: str,
    df: float,
) -> Vector:
    """Return draws of the largest statistic of all pairs, in absolute value unless one-sided.

    Empty if no difference varies.
    """
    variance = np.diag(covariance)
    error = np.sqrt(
        np.maximum(variance[first] + variance[second] - 2 * covariance[first, second], 0)
    )
    varies = error > 1e-8 * math.sqrt(max(variance.max(initial=0.0), 0.0))
    if not varies.any() or not np.isfinite(covariance).all():
        return np.empty(0)
    weights = np.zeros(covariance.shape)
    weights[first[varies], second[varies]] = 1.0 / error[varies]
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    one_sided = alternative in ("less", "greater")
    draws = min(max(WORK // first.size, FEWEST_DRAWS), MOST_DRAWS)
    draws_of_largest = np.full((-(-draws // BLOCK), BLOCK), -math.inf)
    for block, largest in enumerate(draws_of_largest):
        z = standard_normals(block, len(covariance) + 1)  # the last row is for draw_scale
        largest_differences(root @ z[:-1], weights, one_sided, largest)
        largest /= draw_scale(z[-1], df)
    return draws_of_largest.ravel()


def draw_scale(z: Vector, df: float) -> Vector | float:
    """Return draws of the estimated over the true standard deviation, from normal draws z.

    sqrt(chi^2 / df) by inversion, or 1 for infinite `df`.
    """
    if df == math.inf:
        return 1.0
    from scipy.special import chdtri, ndtr

    return np.asarray(np.sqrt(chdtri(df, ndtr(z)) / df))


def standard_normals(block: int, n_rows: int) -> Matrix:
    """Return a block of draws (n_rows, BLOCK), the same ones in every call."""
    z = np.empty(n_rows * BLOCK)
    words = np.empty(-(-2 * z.size // WORDS) * WORDS, np.uint32)
    fill_words(words, U(0), U(block), GAPS, SEED)
    draw_normal_numbers(words, z)
    return z.reshape(n_rows, BLOCK)


ANGLES = 1 << 16  # for r = 2: the error is that of trapezoids at a few kinks
SPHERE = 1 << 18  # even directions: the error falls nearly as their number
SEQUENCES = 12  # dimensions: beyond, evenly spread directions are no better than random ones
GOLDEN = 7  # dimensions: from 8 on, steps by roots of primes err half as much
PRIMES = np.array([2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0, 31.0])
BINS = 1 << 11  # of m(u), each as its mean: below 1e-8
PRODUCTS = 1 << 7  # differences: for more, those of models are cheaper than products with rows
NODES = 1 << 9  # points between which logarithms of p-values are straight, for more than PRODUCTS
EVEN = 1e-9  # the error of equal angles
NEGLIGIBLE = 1e-13  # of the largest variance, in any direction
CLEAR = 6.0  # standard errors

Flags = NDArray[np.bool_]


class Differences(NamedTuple):
    """P differences of unit variance: (root[first] - root[second]) * scale, as rows.

    `root` (k, r) has a row for each estimate, whose products are their covariance. If `second` is
    None the differences are the rows `first` themselves. `scale` is 0 for those that do not vary.
    """

    root: Matrix
    first: Integers
    second: Integers | None
    scale: Vector

    def only(self, chosen: Flags) -> "Differences":
        """Return the differences that are flagged."""
        second = None if self.second is None else self.second[chosen]
        return self._replace(first=self.first[chosen], second=second, scale=self.scale[chosen])

    @property
    def varies(self) -> Flags:
        """Which differences have a variance above 0."""
        return np.asarray(self.scale != 0.0)

    def both_ways(self) -> "Differences":
        """Return all differences, followed by all of them with the opposite sign."""
        if self.second is None:
            twice = np.concatenate((self.first, self.first))
            return self._replace(first=twice, scale=np.concatenate((self.scale, -self.scale)))
        first = np.concatenate((self.first, self.second))
        second = np.concatenate((self.second, self.first))
        return self._replace(
            first=first, second=second, scale=np.concatenate((self.scale, self.scale))
        )

    def rows(self) -> Matrix:
        """Return the differences as rows (P, r) of unit length."""
        rows = self.root[self.first]
        if self.second is not None:
            rows = rows - self.root[self.second]
        return np.asarray(rows * self.scale[:, None])

    def weights(self) -> Matrix:
        """Return the scale (k, k) of each pair of models, 0 for pairs that are not compared."""
        weights = np.zeros((len(self.root),) * 2)
        weights[self.first, self.second] = self.scale
        return weights


def differences_of_models(
    covariance: Matrix, first: NDArray[np.intp], second: NDArray[np.intp]
) -> Differences:
    """Return the differences of pairs of models whose estimates have this covariance."""
    centred = covariance - covariance.mean(axis=0)
    centred -= centred.mean(axis=1)[:, None]  # what moves all models alike moves no difference
    root = covariance_root(0.5 * (centred + centred.T))
    gram = root @ root.T
    square = np.diag(gram)
    return scaled_differences(
        root, first, second, square[first] + square[second] - 2.0 * gram[first, second]
    )


def differences_of_rows(rows: Matrix) -> Differences:
    """Return differences whose covariances are the products of these rows (P, G)."""
    root = rows
    if rows.shape[1] > len(rows):
        root = covariance_root(rows @ rows.T)
    every = np.arange(len(root))
    return scaled_differences(root, every, None, np.square(root).sum(axis=1))


def scaled_differences(
    root: Matrix, first: Integers, second: Integers | None, square: Vector
) -> Differences:
    """Return differences scaled to unit variance, from their variances `square`; 0 stays 0."""
    square = np.maximum(square, 0.0)
    varies = square > 1e-16 * square.max(initial=0.0)
    scale = np.zeros(square.shape)
    scale[varies] = 1.0 / np.sqrt(square[varies])
    return Differences(root, first, second, scale)


def covariance_root(covariance: Matrix) -> Matrix:
    """Return a matrix (k, r) with root @ root.T = covariance, where r is the rank (at least 1).

    All 0 with r = 1 if a covariance is not finite, so that no difference varies.
    """
    if not np.isfinite(covariance).all():
        return np.zeros((len(covariance), 1))
    values, vectors = interruptible(len(covariance) > LARGE, np.linalg.eigh, covariance)
    positive = values > NEGLIGIBLE * values.max(initial=0.0)  # `initial` for an empty matrix
    if not positive.any():
        return np.zeros((len(covariance), 1))
    return np.asarray(vectors[:, positive] * np.sqrt(values[positive]))


@dataclass(frozen=True, slots=True)
class LargestStatistic:
    """The distribution of the largest of `count` differences, in absolute value unless one-sided.

    `cosines` are values of m(u) of the module docstring, `shares` the shares of directions u that
    have them; `draws` is the number of directions.
    """

    cosines: Vector
    shares: Vector
    rank: int
    count: int
    draws: int
    one_sided: bool
    df: float

    def tails(self, points: Vector) -> Vector:
        """Return P(largest >= point) for each of the points; of many by interpolation."""
        if points.size <= PRODUCTS:
            return np.array([self.tail(point) for point in points.tolist()])
        finite = points[np.isfinite(points)]
        nodes = np.linspace(finite.min(initial=0.0), finite.max(initial=1.0), NODES)
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log([self.tail(node) for node in nodes.tolist()]), -745.0)
        chances = np.exp(np.interp(points, nodes, logs))
        return np.asarray(np.where(points == math.inf, 0.0, chances))

    def tail(self, point: float) -> float:
        """Return P(largest >= point)."""
        return float(self.shares @ self.chances(point))

    def error(self, point: float) -> float:
        """Return the standard error of `tail` as if directions were random; even ones err less."""
        if self.rank <= 2:
            return EVEN if self.rank == 2 else 0.0
        chances = self.chances(point)
        variance = self.shares @ np.square(chances - self.shares @ chances)
        return math.sqrt(float(variance) / self.draws)

    def is_clear(self, point: float, tail: float) -> bool:
        """Return whether P(largest >= point) differs from `tail` by far more than its error."""
        return abs(self.tail(point) - tail) > CLEAR * self.error(point)

    def chances(self, point: float) -> Vector:
        """Return P(m R >= point) for each value of m.

        Where m has the sign of the point, R must be long enough, or short enough for negative ones.
        """
        same_sign = self.cosines > 0.0 if point > 0.0 else self.cosines < 0.0
        chances = np.full(self.cosines.shape, 0.0 if point > 0.0 else 1.0)
        lengths = length_tails(point / self.cosines[same_sign], self.rank, self.df)
        chances[same_sign] = lengths if point > 0.0 else 1.0 - lengths
        return chances

    def point(self, tail: float) -> float:
        """Return the point that the largest statistic exceeds with probability `tail`.

        It lies between the quantile of one difference and Bonferroni's for all.
        """
        share = tail if self.one_sided else 0.5 * tail
        low, high = (reference_quantile(share / count, self.df) for count in (1, self.count))
        below, above = (math.log(self.tail(end) / tail) for end in (low, high))  # log ratios
        while high - low > 1e-12 * high and below > 0.0 > above:  # Illinois' false position
            middle = high + (high - low) * above / (below - above)
            log_ratio = math.log(self.tail(middle) / tail)
            if log_ratio > 0.0:
                low, below, above = middle, log_ratio, 0.5 * above
            else:
                high, above, below = middle, log_ratio, 0.5 * below
        return high if below > 0.0 else low


def length_tails(lengths: Vector, rank: int, df: float) -> Vector:
    """Return P(R >= length) of an r-variate standard normal vector, or a t one with finite `df`."""
    from scipy.special import chdtrc, fdtrc

    square = np.square(lengths)
    return np.asarray(chdtrc(rank, square) if df == math.inf else fdtrc(rank, df, square / rank))


def largest_statistic(
    differences: Differences,
    *,
    one_sided: bool = False,
    df: float = math.inf,
    most_directions: int | None = None,
) -> LargestStatistic | None:
    """Return the distribution of the largest of all differences that vary, None if none does.

    `most_directions` limits the number of directions.
    """
    varying = differences.only(differences.varies)
    count = varying.scale.size
    rank = varying.root.shape[1]
    if not count:
        return None
    maxima = largest_cosines(varying, number_of_directions(rank, count, most_directions), one_sided)
    # Equal or nearly equal maxima are grouped into bins, each represented by its mean.
    low, high = float(maxima.min()), float(maxima.max())
    places = np.zeros(maxima.size, np.int64)
    if high > low:
        bins = min(BINS, max(64, maxima.size >> 3))
        places = np.minimum((maxima - low) * (bins / (high - low)), bins - 1).astype(np.int64)
    counts = np.bincount(places)
    used = counts > 0
    cosines = np.bincount(places, maxima)[used] / counts[used]
    return LargestStatistic(
        cosines, counts[used] / maxima.size, rank, count, maxima.size, one_sided, df
    )


def number_of_directions(rank: int, count: int, most_directions: int | None = None) -> int:
    """Return how many directions u to take for `count` differences in `rank` dimensions.

    From rank 3 on at most `most_directions`.
    """
    if rank <= 2:
        return (2, ANGLES)[rank - 1]
    most_directions = most_directions or (SPHERE if rank <= SEQUENCES else MOST_DRAWS)
    return min(max(WORK // count, FEWEST_DRAWS), most_directions)


def largest_cosines(differences: Differences, n_directions: int, one_sided: bool) -> Vector:
    """Return m(u) of each direction u: the largest difference in it, or its absolute value."""
    rank = differences.root.shape[1]
    maxima = np.full(n_directions, -math.inf)
    if differences.second is None or differences.scale.size <= PRODUCTS:
        rows = differences.rows()
        for start in range(0, n_directions, BLOCK):
            cosines = rows @ directions(start, n_directions, rank)
            cosines = cosines if one_sided else np.abs(cosines, out=cosines)
            maxima[start : start + BLOCK] = cosines.max(axis=0)
        return maxima
    from ..kernels.normals import largest_differences

    weights = differences.weights()
    for start in range(0, n_directions, BLOCK):
        models = differences.root @ directions(start, n_directions, rank)
        largest_differences(models, weights, one_sided, maxima[start : start + BLOCK])
    return maxima


def directions(start: int, total: int, rank: int) -> Matrix:
    """Return the unit vectors (rank, n) from number `start` on, n <= BLOCK of `total`.

    They are the same in every call: evenly spread up to 12 dimensions, random beyond.
    """
    if rank == 1:
        return np.array([[1.0, -1.0]])
    if rank <= SEQUENCES:
        return even_directions(total, rank)[:, start : start + BLOCK]
    z = standard_normals(start // BLOCK, rank)[:, : total - start]
    return np.asarray(z / np.sqrt(np.square(z).sum(axis=0)))


@lru_cache(maxsize=2)  # at most 25 MB each; step-down tests ask for the same ones again and again
def even_directions(total: int, rank: int) -> Matrix:
    """Return `total` unit vectors (rank, total) that fill the sphere evenly; they are cached."""
    return np.asarray(sphere_points(np.arange(total), total, rank))


def sphere_points(index: Integers, total: int, rank: int) -> Matrix:
    """Return unit vectors (rank, n) that fill the sphere evenly, the numbers `index` of `total`.

    Each comes from rank - 1 numbers between 0 and 1: pairs of coordinates have squared radii by
    broken sticks (Dirichlet's distribution) and angles; for an odd rank the last coordinate is
    single, and uniform as on a sphere in three dimensions. In few dimensions the first number is
    equally spaced, which halves the error or better there and no longer does for rank 5.
    """
    numbers = iter(evenly_spread_numbers(index, total, rank))
    rows, radii, single = [], [], []
    square = np.ones(index.size)  # of the length in the coordinates that are not yet placed
    for plane in range(rank // 2):
        planes_left = 0.5 * rank - plane - 1.0
        if planes_left == 0.0:
            share = np.zeros(index.size)
        elif planes_left == 0.5:
            uniform = 2.0 * next(numbers) - 1.0
            single = [np.sqrt(square) * uniform]
            share = uniform * uniform
        else:
            share = next(numbers) ** (1.0 / planes_left)
        radii.append(np.sqrt(square * (1.0 - share)))
        square = square * share
    for radius, number in zip(radii, numbers, strict=True):
        angle = 2.0 * math.pi * number
        rows += [radius * np.cos(angle), radius * np.sin(angle)]
    return np.stack(rows + single)


def evenly_spread_numbers(index: Integers, total: int, rank: int) -> Matrix:
    """Return rank - 1 rows of numbers in (0, 1): fractional parts of multiples of irrational steps.

    Up to rank 4 the first row is equally spaced instead. The steps are powers of the generalised
    golden ratio, from rank 8 on roots of primes, which err less there.
    """
    spaced = rank <= 4
    d = rank - 2 if spaced else rank - 1
    steps = np.sqrt(PRIMES[:d]) if rank > GOLDEN else golden_powers(d)
    numbers, _ = np.modf(0.5 + np.outer(steps, index + 1.0))
    return np.vstack(((index + 0.5) / total, numbers)) if spaced else numbers


def golden_powers(d: int) -> Vector:
    """Return 1 / x, ..., 1 / x^d for the root x of x^(d + 1) = x + 1."""
    golden = 2.0
    for _ in range(64):
        golden = (1.0 + golden) ** (1.0 / (d + 1))
    return np.asarray(golden ** -np.arange(1.0, d + 1.0))
