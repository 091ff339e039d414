"""The difference of two shares of right answers to items in clusters, or with weights.

Of n items b are right by the first model only and c by the second only, as shares of n; D = b - c.
Failures of the better model may be rare and come in whole clusters: a sample that has few of them
has a small standard error, too. As in score tests, let the model that is claimed to be better fail
alone as often as the null hypothesis D0 has it, by Tango's (1998) estimate c', which is (b + c) / 2
at D0 = 0. These failures have an intraclass correlation r, so that the variance is at least

    c' / k,    k = n / (1 + r (sum n_g^2 / n - 1))

or, with weights, k = W^2 / (sum w^2 + r (sum W_g^2 - sum w^2)): Kish's effective number where there
are no clusters. Otherwise it is CR2's, and both have Student's t with Satterthwaite's df.

What pairs within clusters show of r is used in tests of equality; claims with a margin take it as
if one more cluster had no other answers, so that r is 1 where there are no failures at all. With
that k, too, failures that the sample lacks bound the p-value (`unseen`): no greater variance is
needed where they are improbable.

One model fails on 8% of 50 or 100 clusters of lognormal sizes, the other on 8% of cases: t rejects
17 and 14% at 5%, this test 3.3 and 3.1, with 98% of the power of t where that keeps its level.
Claims of non-inferiority by .05: 1.1 and 3.6 in place of 21 and 18 (700 samples each).
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers, Vector
from .._inputs.items import ItemLinks
from .infer import test_from_statistic
from .item_scale import Cells, ItemScale
from .pvalues import PValue, student_quantile
from .roots import find_roots
from .skewness import SkewedEnds, Skewness, enough_statistics, sums_skewness
from .unseen import ALPHA, UnseenFailures, unseen_failures

MOST_HALVINGS = 60  # after which nothing is left of an interval


class Layout(NamedTuple):
    """How many items each cluster has; sums of squares of weights, of items and of clusters.

    Weights sum to 1. Without clusters `sizes` is None, and both sums are equal.
    """

    sizes: Integers | None
    squares: float
    cluster_squares: float

    def units(self, rho: Any) -> Any:
        """Return as how many independent items all count, by their intraclass correlation."""
        return 1.0 / (self.squares + rho * (self.cluster_squares - self.squares))

    def correlations(self, failures: Integers | None) -> tuple[float, float]:
        """Return that of items on which one model alone fails, so many in each cluster.

        What pairs within clusters show, and as if one more cluster had no other answer.
        """
        if failures is None or self.sizes is None:
            return 0.0, 0.0
        n = int(self.sizes.sum())
        total = int(failures.sum())
        pairs = float(failures @ (self.sizes - 1))
        share = total / n
        if total == n:
            return 1.0, 1.0
        both = float(failures @ (failures - 1)) / pairs if pairs > 0.0 else share
        rho = max((both - share) / (1.0 - share), 0.0)
        hit = int(np.count_nonzero(failures))
        return rho, (hit * rho + 1.0) / (hit + 1.0)


def cluster_layout(sizes: Integers) -> Layout:
    """Return the layout of items in clusters of these sizes."""
    n = float(sizes.sum())
    return Layout(sizes, 1.0 / n, float(np.square(sizes / n).sum()))


def item_layout(links: ItemLinks) -> Layout:
    """Return the layout of items in clusters, with weights, or both."""
    groups, weights = links.groups, links.weights
    shares = np.full(links.n, 1.0 / links.n) if weights is None else weights / weights.sum()
    squares = float(shares @ shares)
    if groups is None:
        return Layout(None, squares, squares)
    cluster_squares = float(np.square(np.bincount(groups, shares)).sum())
    return Layout(np.bincount(groups), squares, cluster_squares)


def count_by_cluster(chosen: NDArray[np.bool_], groups: Integers | None) -> Integers | None:
    """Return how many items of each cluster are chosen; None without clusters."""
    if groups is None:
        return None
    return np.bincount(groups[chosen], minlength=int(groups.max()) + 1)


class LinkedAnswers(NamedTuple):
    """Differences D of right answers, of one pair of models or of each of several.

    `alone` are the shares b and c, `failure_units` the k of failures of the first and of the second
    model alone. `scale` has both accuracies, and k as if one more cluster had no other answers.
    `width` is the distance of both answers, and all else is in units of it.
    """

    estimate: Any
    standard_error: Any
    df: float
    alone: tuple[Any, Any]
    failure_units: tuple[Any, Any]
    scale: ItemScale
    width: float = 1.0
    skewness: Skewness = Skewness()

    def of_margin(self) -> "LinkedAnswers":
        """Return the same for claims with a margin, which rare failures decide."""
        return self._replace(failure_units=self.scale.units)

    def failures(self, alternative: str, margin: float = 0.0) -> UnseenFailures:
        """Return the failures of the better model that would explain a claim."""
        return self.scale.failures(self.estimate, alternative, margin / self.width)

    def statistic(self, null: Any) -> Any:
        """Return the statistics t of true differences."""
        away = np.asarray(self.estimate - null, np.float64)
        failing = np.where(
            away > 0.0,
            lone_failures(*self.alone, null) / self.failure_units[0],
            lone_failures(*self.alone[::-1], -np.asarray(null)) / self.failure_units[1],
        )
        square = np.square(self.standard_error)
        with np.errstate(divide="ignore", invalid="ignore"):
            least = np.abs(away) / np.sqrt(np.maximum(square, failing))
            most = np.abs(away) / np.sqrt(square)
        failures = unseen_failures(away, self.scale.distances, self.scale.units, "two-sided")
        most = np.minimum(most, enough_statistics(failures, np.full(away.shape, self.df)))
        return np.where(away == 0.0, 0.0, np.copysign(np.maximum(least, most), away))

    def is_doubtful(self, pvalue: float, alternative: str, margin: float) -> bool:
        """Return whether a claim with a margin would not be made, were clusters' sums as skewed.

        At a margin of .1, accuracies of .85 and .95 in 20 to 100 clusters of lognormal sizes: 8 to
        10% at 5%, without a warning up to 6.
        """
        if not (margin and pvalue <= ALPHA and self.standard_error > 0.0):
            return False
        moments = (self.estimate, self.standard_error, self.df)
        ends = SkewedEnds(*moments, float(self.skewness.suspected(alternative)))
        return ends.infer(alternative, margin / self.width)["pvalue"] > ALPHA

    def test(self, alternative: str, margin: float) -> tuple[float, PValue]:
        """Return the statistic and the p-value of a claim of one pair."""

        def statistic_at(null: float, tail: str) -> float:
            return float(self.statistic(null / self.width))

        return test_from_statistic(statistic_at, self.df, alternative, margin)

    def low(self, alpha: float) -> Any:
        """Return the lower ends of intervals with `alpha` below them."""
        quantile = student_quantile(alpha, self.df)
        low = np.full(np.shape(self.estimate), -1.0)
        high = np.array(self.estimate, np.float64)
        refuted = self.statistic(low) > quantile
        for _ in range(MOST_HALVINGS):  # the variance at -1 may be so large that it is not refuted
            if refuted.all():
                break
            middle = np.where(refuted, low, 0.5 * (low + high))
            refuted = self.statistic(middle) > quantile
            low, high = np.where(refuted, middle, low), np.where(refuted, high, middle)
        ends = find_roots(lambda null: self.statistic(null) - quantile, low, high)
        return self.width * ends[()]

    def high(self, alpha: float) -> Any:
        """Return the upper ends of intervals with `alpha` above them."""
        return -self.swap_models().low(alpha)

    def swap_models(self) -> "LinkedAnswers":
        """Return the differences of the second model less the first."""
        return self._replace(
            estimate=-self.estimate,
            alone=self.alone[::-1],
            failure_units=self.failure_units[::-1],
            scale=self.scale.swap_models(),
        )


def linked_answers(
    moments: tuple[Any, Any, float],
    alone: tuple[Any, Any],
    accuracies: tuple[Any, Any],
    clusters: tuple[Integers | None, Integers | None],
    layout: Layout,
    width: float = 1.0,
) -> LinkedAnswers:
    """Return the differences of one pair of models.

    `moments` are the estimate, its standard error and degrees of freedom; `alone` the shares of
    items that only the first and only the second model has right, `clusters` how many in each.
    """
    estimate, error, df = moments
    if error == 0.0:  # equal differences in all clusters say nothing of others
        lead = estimate / width
        error = width * math.sqrt(max(sum(alone) - lead * lead, 0.0) * layout.squares)
    of_second, of_first = (layout.correlations(counts) for counts in clusters)
    failure_units, possible = (
        (layout.units(of_first[i]), layout.units(of_second[i])) for i in range(2)
    )
    scale = ItemScale(accuracies, 0.0, 1.0, possible, True)
    answers = LinkedAnswers(estimate / width, error / width, df, alone, failure_units, scale, width)
    above, below = clusters
    if above is None or below is None or layout.sizes is None:
        return answers
    n = float(layout.sizes.sum())
    d = float(above.sum() - below.sum())
    sums = above - below - layout.sizes * (d / n)
    square = float(above.sum() + below.sum()) - d * d / n
    return answers._replace(skewness=sums_skewness(sums, layout.sizes, square))


def pair_answers(
    moments: tuple[Vector, Vector, float],
    right: NDArray[np.bool_],
    links: ItemLinks,
    cells: Cells,
    width: float = 1.0,
) -> LinkedAnswers:
    """Return the differences of pairs of models whose answers (n, k) are right or wrong."""
    weights, groups = links.weights, links.groups
    layout = item_layout(links)
    weight = np.full(links.n, 1.0 / links.n) if weights is None else weights / weights.sum()
    shares = (weight @ right).tolist()
    every = []
    estimates, errors, df = moments
    pairs = zip(*(part.tolist() for part in (*cells, estimates, errors)), strict=True)
    for i, j, estimate, error in pairs:
        lone = right[:, i] & ~right[:, j], right[:, j] & ~right[:, i]
        by_one, by_other = (float(weight @ chosen) for chosen in lone)
        above, below = (count_by_cluster(chosen, groups) for chosen in lone)
        one = (estimate, error, df), (by_one, by_other), (shares[i], shares[j])
        every.append(linked_answers(*one, (above, below), layout, width))
    return stacked_answers(every)


def stacked_answers(every: Sequence[LinkedAnswers]) -> LinkedAnswers:
    """Return the differences of several pairs as one."""

    def column(value: Callable[[LinkedAnswers], float]) -> Vector:
        return np.array([value(one) for one in every], np.float64)

    def both(values: Callable[[LinkedAnswers], tuple[Any, Any]]) -> tuple[Vector, Vector]:
        return column(lambda one: values(one)[0]), column(lambda one: values(one)[1])

    means, units = both(lambda one: one.scale.means), both(lambda one: one.scale.units)
    return LinkedAnswers(
        column(lambda one: one.estimate),
        column(lambda one: one.standard_error),
        every[0].df,
        both(lambda one: one.alone),
        both(lambda one: one.failure_units),
        ItemScale(means, 0.0, 1.0, units, True),
        every[0].width,
    )


def lone_failures(first: Any, second: Any, null: Any) -> Any:
    """Return Tango's (1998) share of items that only the second model has right, if D is `null`."""
    linear = (2.0 - first + second) * null - first - second
    constant = -second * null * (1.0 - null)
    return (np.sqrt(np.maximum(linear * linear - 8.0 * constant, 0.0)) - linear) / 4.0
