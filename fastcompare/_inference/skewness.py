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
from .unseen import (
    UnseenFailures,
    allowed_failures,
    probability_of_at_most,
    smallest_unexplained_lead,
)

Scores = NDArray[np.float64]

MOST_ITEMS = 1 << 14  # with more items, skewness hardly moves the level, and is not computed
FEWEST_UNITS = 3.0  # a skewness needs more units than this
EVIDENT = 1.2  # standard deviations under symmetry, beyond which skewness is used
HIDDEN, HIDDEN_ONE_SIDED = 10.0, 30.0  # over n: the skewness that a sample does not show, relative
FEWEST_CLUSTERS = 5  # effective ones: below, the correction costs 13 points of power, for no level
SKEWED = "Hall's correction for skewness"


class Skewness(NamedTuple):
    """The skewness of means that samples of n units show, and whether it is evident.

    Scalars, or arrays over pairs of models.
    """

    from_sample: Any = 0.0
    n: Any = math.inf
    evident: Any = False

    @property
    def used(self) -> Any:
        """The skewness that tests use: 0 where it is not evident."""
        return np.where(self.evident, self.suspected("two-sided"), 0.0)

    def suspected(self, alternative: str) -> Any:
        """Return (1 + c / n) times the sample's skewness; c is 10, for one-sided tests 30."""
        hidden = HIDDEN if alternative == "two-sided" else HIDDEN_ONE_SIDED
        return (1.0 + hidden / self.n) * self.from_sample


def influence_skewness(influence: Scores, n: float) -> Skewness:
    """Return the skewness of means from the influence u of G units, (G,) or a column a mean."""
    with np.errstate(divide="ignore", invalid="ignore"):
        units = influence / np.sqrt(np.square(influence).sum(axis=0))
    cubes = units * units * units  # units**3 calls pow(), which takes many times as long
    return skewness_by_moments(cubes.sum(axis=0), np.square(cubes).sum(axis=0), n)


def skewness_by_moments(cubes: Any, sixths: Any, n: float) -> Skewness:
    """Return the skewness of means from `cubes` = sum u^3 and `sixths` = sum u^6, if sum u^2 = 1.

    The usual adjusted coefficient: sum u^3 times sqrt(n (n - 1)) / (n - 2). 0 if nothing varies, or
    n is at most 3.
    """
    if not n > FEWEST_UNITS:
        return Skewness(np.zeros_like(cubes), n, np.zeros(np.shape(cubes), np.bool_))
    unbiased = math.sqrt(n * (n - 1.0)) / (n - 2.0)
    with np.errstate(invalid="ignore"):
        evident = np.abs(cubes) > EVIDENT * np.sqrt(sixths)
    return Skewness(nan_to_zero(cubes) * unbiased, n, evident)


def sums_skewness(
    cluster_sums: Scores, cluster_sizes: Integers, sum_of_squares: float | Vector
) -> Skewness:
    """Return the skewness of means from sums of deviations (G,) or (G, P) over clusters.

    `sum_of_squares` is that of all deviations, from which the intraclass correlation follows.
    """
    sizes = cluster_sizes[cluster_sizes > 0].astype(np.float64)
    n, cluster_sums = sizes.sum(), cluster_sums[cluster_sizes > 0]
    if n > MOST_ITEMS or n * n < FEWEST_CLUSTERS * (sizes @ sizes):
        return Skewness()
    if sizes.min() == sizes.max():  # the same result in a third of the time
        return influence_skewness(cluster_sums, sizes.size)
    rho = intraclass_correlation(cluster_sums, sizes, sum_of_squares)
    independent = sizes / (n - sizes)
    correlated = sizes * (sizes - 1.0) / (n - sizes)
    # (G,) or (G, P): independent + correlated * rho
    variance = np.add.outer(independent, np.zeros_like(rho)) + np.multiply.outer(correlated, rho)
    skewness = influence_skewness(
        (cluster_sums.T / np.sqrt(n - sizes)).T / np.sqrt(variance), sizes.size
    )
    # What u / sqrt(v) show counts so many times, by the module docstring.
    stretch = (variance**1.5).sum(axis=0) / variance.sum(axis=0) ** 1.5 * np.sqrt(sizes.size)
    return skewness._replace(from_sample=skewness.from_sample * stretch)


def intraclass_correlation(
    cluster_sums: Scores, cluster_sizes: Vector, sum_of_squares: float | Vector
) -> Any:
    """Return the intraclass correlation, 0 to 1, by pairs of cases within clusters.

    `cluster_sums` (G,) or (G, P) are sums of deviations, `sum_of_squares` that of all deviations.
    """
    n = cluster_sizes.sum()
    pairs = float(cluster_sizes @ (cluster_sizes - 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = (
            n
            * (np.square(cluster_sums).sum(axis=0) - sum_of_squares)
            / (pairs * np.asarray(sum_of_squares))
        )
    return np.clip(nan_to_zero(correlation), 0.0, 1.0)


def nan_to_zero(x: Any) -> Any:
    """Return x with 0 in place of NaN; for a scalar in a third of the time of np.nan_to_num."""
    return np.where(np.isnan(x), 0.0, x)[()]


def skewed_t(t: Any, skewness: Any, alternative: str, floor: Any = -np.inf) -> Any:
    """Return t or Hall's h(t), whichever is less significant, to be compared with Student's t.

    Two-sided that is 0 where they differ in sign. A larger |t| is not reduced below `floor`: the
    statistic as improbable as a sample without the failures that would explain the difference.
    """
    h = hall_transform(t, skewness)
    least_positive = np.where(t > 0.0, np.minimum(t, floor), -np.inf)
    greatest_negative = np.where(t < 0.0, np.maximum(t, -floor), np.inf)
    for_greater = np.maximum(np.minimum(t, h), least_positive)
    for_less = np.minimum(np.maximum(t, h), greatest_negative)
    if alternative == "two-sided":
        return np.maximum(for_greater, 0.0) + np.minimum(for_less, 0.0)
    return for_less if alternative == "less" else for_greater


def hall_transform(t: Any, skewness: Any) -> Any:
    """Return Hall's (1992) cubic h(t) = t + a t^2 / 3 + a^2 t^3 / 27 + a / 6 of skewness a."""
    return t + skewness * (t * t / 3.0 + skewness * t**3 / 27.0 + 1.0 / 6.0)


def skewed_statistics(
    t: Vector, skewness: Vector | float, alternative: str, floor: Vector | float = -np.inf
) -> Vector:
    """Return `skewed_t` of each pair, and t itself where the skewness is 0."""
    with np.errstate(invalid="ignore"):  # where t is infinite
        return np.where(np.asarray(skewness) == 0.0, t, skewed_t(t, skewness, alternative, floor))


def floor_statistics(failures: UnseenFailures, df: Vector, allowed: Any = 0.0) -> Vector:
    """Return the t statistics whose upper tail is P(at most `allowed` failures are in the sample).

    The failures are those that would explain a lead: corrections leave t at least so large.
    """
    from scipy.special import ndtri, stdtrit

    probability = probability_of_at_most(failures.share, failures.units, allowed)
    upper = np.broadcast_to(probability, df.shape)
    with np.errstate(invalid="ignore"):
        lower: Vector = np.where(np.isinf(df), ndtri(upper), stdtrit(df, upper))
    return -lower


def floored_skewed_statistics(
    t: Vector,
    skewness: Any,
    alternative: str,
    failures: UnseenFailures,
    df: Any,
    allowed: Any = None,
) -> Vector:
    """Return `skewed_statistics` of each pair, not reduced below `floor_statistics`.

    `allowed` is the number of failures in the sample, by default that of AUCs. Only skewed pairs
    need quantiles of Student's t, which take most of the time.
    """
    skewed = np.flatnonzero(np.broadcast_to(skewness, t.shape))
    allowed = allowed_failures(failures.units) if allowed is None else allowed
    coefficient, share, units, df, allowed = [
        np.broadcast_to(x, t.shape)[skewed]
        for x in (skewness, failures.share, failures.units, df, allowed)
    ]
    floor = floor_statistics(UnseenFailures(share, units), df, allowed)
    statistic = t.copy()
    statistic[skewed] = skewed_statistics(t[skewed], coefficient, alternative, floor)
    return statistic


def skewed_radii(
    quantile: Any, skewness: Any, largest: tuple[Any, Any] = (np.inf, np.inf)
) -> tuple[Any, Any]:
    """Return the distances of an interval's ends below and above the mean, in standard errors.

    The larger one of Student's `quantile` and Hall's, which is at most `largest`: as far as it
    excludes failures that the sample may lack.
    """
    largest_below, largest_above = largest
    below = np.minimum(inverse_hall_transform(quantile, skewness), largest_below)
    above = np.minimum(-inverse_hall_transform(-quantile, skewness), largest_above)
    return np.maximum(quantile, below), np.maximum(quantile, above)


def inverse_hall_transform(q: Any, skewness: Any) -> Any:
    """Return t with h(t) = q, for Hall's cubic h of this skewness."""
    moved = q - skewness / 6.0
    y = np.cbrt(1.0 + skewness * moved)
    return 3.0 * moved / (y * y + y + 1.0)  # (y - 1) / skewness, without its cancellation


class HallInterval(NamedTuple):
    """An interval by Student's t, whose end on the side of the long tail is Hall's.

    `distances` are those of both models' measures from the worst value, `units` the number of
    independent units; with the number of `allowed` failures they limit how far Hall's cubic moves
    an end (`unseen_failures`). By default nothing does.
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
        below, _ = self.reach(alpha)
        return self.estimate - below * self.standard_error

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        _, above = self.reach(alpha)
        return self.estimate + above * self.standard_error

    def reach(self, alpha: float) -> tuple[float, float]:
        """Return the distances of the ends below and above the estimate, in standard errors."""
        first, second = (
            float(smallest_unexplained_lead(distance, self.units, alpha, self.allowed))
            / self.standard_error
            for distance in self.distances
        )
        quantile = reference_quantile(alpha, self.df)
        below, above = skewed_radii(quantile, self.skewness, (first, second))
        return float(below), float(above)

    def infer(
        self,
        alternative: str,
        margin: float = 0.0,
        unvaried: ZeroVarianceBound | RareDifferenceBound | None = None,
    ) -> Inference:
        """Return the statistic and p-value of a claim; `unvaried` may bound the p-value."""
        test = test_from_statistic(self.statistic_at, self.df, alternative, margin)
        return infer_difference(
            self.estimate, self.standard_error, *test, alternative, margin, unvaried
        )

    def statistic_at(self, null: float, tail: str) -> float:
        """Return the statistic of the hypothesis that the estimand is `null`, by `skewed_t`."""
        lead = self.estimate - null
        t = lead / self.standard_error
        h = hall_transform(t, self.skewness)
        for_greater, for_less = (t, h) if t <= h else (h, t)
        distance_1, distance_2 = self.distances
        if lead > 0.0 and for_greater < t:
            for_greater = max(for_greater, min(t, self.floor(lead, distance_1)))
        elif lead < 0.0 and for_less > t:
            for_less = min(for_less, max(t, -self.floor(-lead, distance_2)))
        if tail == "two-sided":
            return max(for_greater, 0.0) + min(for_less, 0.0)
        return for_less if tail == "less" else for_greater

    def floor(self, lead: float, distance: float) -> float:
        """Return the `floor_statistics` of a lead, for a better model `distance` from the worst."""
        if lead >= distance:
            return math.inf
        upper = float(probability_of_at_most(lead / distance, self.units, self.allowed))
        return reference_quantile(upper, self.df) if upper < 1.0 else -math.inf
