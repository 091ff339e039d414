"""Student's t of a mean whose scores are skewed: the end on the side of the long tail moves out.

The mean varies as the sum of independent numbers u (G,) around 0, a row a cluster: SE^2 = sum u^2.
Its skewness is a = sum u^3 / SE^3, that of one score over sqrt(n) where items count equally.
Clusters of n_g items vary as v_g = n_g (1 + (n_g - 1) rho), where rho is their intraclass
correlation: sums that are unlike by their sizes alone pass for skewness, u / sqrt(v) do not; what
these show counts sqrt(G) sum v^1.5 / (sum v)^1.5 times. Hall (1992), J. R. Statist. Soc. B 54,
221-228, transforms t by the cubic

    h(t) = t + a t^2 / 3 + a^2 t^3 / 27 + a / 6

which rises, and whose inverse is 3 ((1 + a (q - a / 6))^(1/3) - 1) / a. His h errs where tails are
heavy on both sides (11% of lognormal less lognormal at a level of 5%), t where one is. So a test
rejects only if both do, and the interval contains all values that either does not reject.

A sample shows too little of a long tail, and an outlier of a symmetric distribution passes for one.
Its skewness is taken (1 + 10 / n) times, and used where sum u^3 exceeds 1.2 times the root of sum
u^6, its standard deviation were the distribution symmetric: lognormal scores of 50 items err in 6%
in place of 9, and tests of normal, t and lognormal scores of both models keep 98% of the power of
Student's t (83 to 95% where all skewness is used). Where it is not evident but would make a
difference insignificant, the result warns; in one-sided tests (1 + 30 / n) times as much would.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers, Vector
from .infer import (
    Inference,
    RareDifferenceBound,
    ZeroVarianceBound,
    infer_difference,
    test_from_statistic,
)
from .pvalues import reference_quantile
from .unseen import UnseenFailures, allowed_failures, least_unexplained, probability_of_few

Scores = NDArray[np.float64]

MOST = 1 << 14  # items: of more, skewness hardly moves the level, and is not asked for
FEWEST = 3.0  # numbers, beyond which a skewness is computed
EVIDENT = 1.2  # times its standard deviation under symmetry, from which skewness is used
HIDDEN, HIDDEN_ONE_SIDED = 10.0, 30.0  # over n: how much more skewness there may be than is shown
FEWEST_CLUSTERS = 5  # effective ones: below, the correction costs 13 points of power, for no level
SKEWED = "Hall's correction for skewness"


class Skewness(NamedTuple):
    """Skewness of means that samples of n show, and whether it is evident; scalars or arrays."""

    from_sample: Any = 0.0
    n: Any = math.inf
    evident: Any = False

    @property
    def used(self) -> Any:
        """The skewness that tests use: 0 where it is not evident."""
        return np.where(self.evident, self.suspected("two-sided"), 0.0)

    def suspected(self, alternative: str) -> Any:
        """Return how much skewness there may be."""
        hidden = HIDDEN if alternative == "two-sided" else HIDDEN_ONE_SIDED
        return (1.0 + hidden / self.n) * self.from_sample


def influence_skewness(roots: Scores, n: float) -> Skewness:
    """Return the skewness of means, of one or of each column of (G, P)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        units = roots / np.sqrt(np.square(roots).sum(axis=0))
    cubes = units * units * units  # units**3 calls pow(), which takes many times as long
    return skewness_by_moments(cubes.sum(axis=0), np.square(cubes).sum(axis=0), n)


def skewness_by_moments(cubes: Any, sixths: Any, n: float) -> Skewness:
    """Return the skewness of means from sums of u^3 and u^6, where those of u^2 are 1.

    That of one number is G as programs of statistics have it; 0 of equal numbers.
    """
    if not n > FEWEST:
        return Skewness(np.zeros_like(cubes), n, np.zeros(np.shape(cubes), np.bool_))
    unbiased = math.sqrt(n * (n - 1.0)) / (n - 2.0)
    with np.errstate(invalid="ignore"):
        evident = np.abs(cubes) > EVIDENT * np.sqrt(sixths)
    return Skewness(nan_to_zero(cubes) * unbiased, n, evident)


def sums_skewness(sums: Scores, sizes: Integers, square: float | Vector) -> Skewness:
    """Return the skewness of means from sums of deviations (G,) or (G, P) over clusters.

    `square` is the sum of squares of all deviations, which gives the intraclass correlation.
    """
    count = sizes[sizes > 0].astype(np.float64)
    n, sums = count.sum(), sums[sizes > 0]
    if n > MOST or n * n < FEWEST_CLUSTERS * (count @ count):
        return Skewness()
    if count.min() == count.max():  # a third of the time
        return influence_skewness(sums, count.size)
    rho = intraclass_correlation(sums, count, square)
    unit = (count / (n - count), count * (count - 1.0) / (n - count))
    variance = np.add.outer(unit[0], np.zeros_like(rho)) + np.multiply.outer(unit[1], rho)
    skewness = influence_skewness((sums.T / np.sqrt(n - count)).T / np.sqrt(variance), count.size)
    stretch = (variance**1.5).sum(axis=0) / variance.sum(axis=0) ** 1.5 * np.sqrt(count.size)
    return skewness._replace(from_sample=skewness.from_sample * stretch)


def intraclass_correlation(sums: Scores, sizes: Vector, square: float | Vector) -> Any:
    """Return the intraclass correlation by pairs within clusters, 0 to 1; 0 without any pair.

    Of sums of deviations over clusters (G,) or (G, P), and the sum of all squares.
    """
    n = sizes.sum()
    pairs = float(sizes @ (sizes - 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        within = n * (np.square(sums).sum(axis=0) - square) / (pairs * np.asarray(square))
    return np.clip(nan_to_zero(within), 0.0, 1.0)


def nan_to_zero(x: Any) -> Any:
    """Return numbers with 0 for NaN; of one number in a third of the time of np.nan_to_num."""
    return np.where(np.isnan(x), 0.0, x)[()]


def skewed_t(t: Any, skewness: Any, alternative: str, enough: Any = -np.inf) -> Any:
    """Return the statistics that Student's t judges: t or h(t), whichever says less.

    Two-sided that is 0 where they differ in sign. Of t that is larger, at least `enough` is left:
    the statistic as improbable as a sample without failures that would explain the difference.
    """
    h = halls(t, skewness)
    upper = np.where(t > 0.0, np.minimum(t, enough), -np.inf)
    lower = np.where(t < 0.0, np.maximum(t, -enough), np.inf)
    less = np.maximum(np.minimum(t, h), upper)
    more = np.minimum(np.maximum(t, h), lower)
    if alternative == "two-sided":
        return np.maximum(less, 0.0) + np.minimum(more, 0.0)
    return more if alternative == "less" else less


def halls(t: Any, skewness: Any) -> Any:
    """Return Hall's cubic (1992): the statistic that the skewness of a mean makes of t."""
    return t + skewness * (t * t / 3.0 + skewness * t**3 / 27.0 + 1.0 / 6.0)


def skewed_statistics(
    t: Vector, skewness: Vector | float, alternative: str, enough: Vector | float = -np.inf
) -> Vector:
    """Return the statistic of each pair for Student's t: t itself where scores are not skewed."""
    with np.errstate(invalid="ignore"):  # where t is infinite
        return np.where(np.asarray(skewness) == 0.0, t, skewed_t(t, skewness, alternative, enough))


def enough_statistics(failures: UnseenFailures, df: Vector, allowed: Any = 0.0) -> Vector:
    """Return statistics as improbable as samples with so few failures that would explain a lead."""
    from scipy.special import ndtri, stdtrit

    probability = probability_of_few(failures.share, failures.units, allowed)
    upper = np.broadcast_to(probability, df.shape)
    with np.errstate(invalid="ignore"):
        lower: Vector = np.where(np.isinf(df), ndtri(upper), stdtrit(df, upper))
    return -lower


def capped_statistics(
    t: Vector,
    skewness: Any,
    alternative: str,
    failures: UnseenFailures,
    df: Any,
    allowed: Any = None,
) -> Vector:
    """Return the statistic of each pair, whose cubic so few failures bound; t where none is skewed.

    So many are `allowed`, by default those of AUCs. Only skewed pairs need quantiles of Student's
    t, which take most of the time.
    """
    skewed = np.flatnonzero(np.broadcast_to(skewness, t.shape))
    allowed = allowed_failures(failures.units) if allowed is None else allowed
    cubic, share, units, df, allowed = (
        np.broadcast_to(x, t.shape)[skewed]
        for x in (skewness, failures.share, failures.units, df, allowed)
    )
    enough = enough_statistics(UnseenFailures(share, units), df, allowed)
    statistic = t.copy()
    statistic[skewed] = skewed_statistics(t[skewed], cubic, alternative, enough)
    return statistic


def skewed_reach(
    quantile: Any, skewness: Any, enough: tuple[Any, Any] = (np.inf, np.inf)
) -> tuple[Any, Any]:
    """Return how many standard errors the ends lie below and above the mean, by t or by Hall.

    By Hall at most so many as are `enough` to exclude failures that the sample may lack.
    """
    low, high = (inverse_cubic(q, skewness) for q in (quantile, -quantile))
    below = np.maximum(quantile, np.minimum(low, enough[0]))
    return below, np.maximum(quantile, np.minimum(-high, enough[1]))


def inverse_cubic(q: Any, skewness: Any) -> Any:
    """Return t where h(t) = q."""
    moved = q - skewness / 6.0
    y = np.cbrt(1.0 + skewness * moved)
    return 3.0 * moved / (y * y + y + 1.0)  # (y - 1) / skewness, without its cancellation


class SkewedEnds(NamedTuple):
    """Ends of intervals by Student's t, that on the side of the long tail by Hall's cubic.

    `distances` of both models' measures from the worst value, independent `units`, and how many
    failures are `allowed`, bound what Hall's cubic may cost (`unseen_failures`); by default nothing
    does.
    """

    estimate: float
    standard_error: float
    df: float
    skewness: float
    distances: tuple[float, float] = (math.inf, math.inf)
    units: float = 0.0
    allowed: float = 0.0

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return self.estimate - self.reach(alpha)[0] * self.standard_error

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return self.estimate + self.reach(alpha)[1] * self.standard_error

    def reach(self, alpha: float) -> tuple[float, float]:
        """Return how many standard errors the ends lie below and above the estimate."""
        first, second = (
            float(least_unexplained(distance, self.units, alpha, self.allowed))
            / self.standard_error
            for distance in self.distances
        )
        quantile = reference_quantile(alpha, self.df)
        below, above = skewed_reach(quantile, self.skewness, (first, second))
        return float(below), float(above)

    def infer(
        self,
        alternative: str,
        margin: float = 0.0,
        unvaried: ZeroVarianceBound | RareDifferenceBound | None = None,
    ) -> Inference:
        """Return the statistic and p-value of a claim, that rare differences may bound."""
        test = test_from_statistic(self.statistic_at, self.df, alternative, margin)
        return infer_difference(
            self.estimate, self.standard_error, *test, alternative, margin, unvaried
        )

    def statistic_at(self, null: float, tail: str) -> float:
        """Return the statistic of a hypothesis, `skewed_t` of numbers."""
        lead = self.estimate - null
        t = lead / self.standard_error
        h = halls(t, self.skewness)
        less, more = (t, h) if t <= h else (h, t)
        if lead > 0.0 and less < t:
            less = max(less, min(t, self.enough(lead, self.distances[0])))
        elif lead < 0.0 and more > t:
            more = min(more, max(t, -self.enough(-lead, self.distances[1])))
        if tail == "two-sided":
            return max(less, 0.0) + min(more, 0.0)
        return more if tail == "less" else less

    def enough(self, lead: float, distance: float) -> float:
        """Return the statistic as improbable as a sample with few failures that explain a lead."""
        if lead >= distance:
            return math.inf
        upper = float(probability_of_few(lead / distance, self.units, self.allowed))
        return reference_quantile(upper, self.df) if upper < 1.0 else -math.inf
