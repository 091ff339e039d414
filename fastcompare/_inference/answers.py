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
from .skewness import HallInterval, Skewness, floor_statistics, sums_skewness
from .unseen import ALPHA, UnseenFailures, unseen_failures

MOST_HALVINGS = 60  # after which nothing is left of an interval


class ClusterLayout(NamedTuple):
    """Sizes of the clusters (G,), and the sums of squared weights of items and of clusters.

    Weights sum to 1. Without clusters `sizes` is None, and the two sums are equal.
    """

    sizes: Integers | None
    squares: float
    cluster_squares: float

    def units(self, rho: Any) -> Any:
        """Return Kish's effective number of items, for the intraclass correlation `rho`."""
        return 1.0 / (self.squares + rho * (self.cluster_squares - self.squares))

    def failure_correlations(self, failures: Integers | None) -> tuple[float, float]:
        """Return two intraclass correlations of `failures`, their numbers in each cluster.

        The estimate by pairs within clusters, and that as if one more cluster consisted of
        failures.
        """
        if failures is None or self.sizes is None:
            return 0.0, 0.0
        n = int(self.sizes.sum())
        total = int(failures.sum())
        pairs = float(failures @ (self.sizes - 1))
        share = total / n
        if total == n:
            return 1.0, 1.0
        share_of_partners = float(failures @ (failures - 1)) / pairs if pairs > 0.0 else share
        rho = max((share_of_partners - share) / (1.0 - share), 0.0)
        n_with_failure = int(np.count_nonzero(failures))
        return rho, (n_with_failure * rho + 1.0) / (n_with_failure + 1.0)


def cluster_layout(cluster_sizes: Integers) -> ClusterLayout:
    """Return the layout of equally weighted items in clusters of these sizes."""
    n = float(cluster_sizes.sum())
    return ClusterLayout(cluster_sizes, 1.0 / n, float(np.square(cluster_sizes / n).sum()))


def item_layout(links: ItemLinks) -> ClusterLayout:
    """Return the layout of items in clusters, with weights, or both."""
    groups, weights = links.groups, links.weights
    shares = np.full(links.n, 1.0 / links.n) if weights is None else weights / weights.sum()
    squares = float(shares @ shares)
    if groups is None:
        return ClusterLayout(None, squares, squares)
    cluster_squares = float(np.square(np.bincount(groups, shares)).sum())
    return ClusterLayout(np.bincount(groups), squares, cluster_squares)


def count_by_cluster(chosen: NDArray[np.bool_], groups: Integers | None) -> Integers | None:
    """Return how many items of each cluster are chosen; None without clusters."""
    if groups is None:
        return None
    return np.bincount(groups[chosen], minlength=int(groups.max()) + 1)


class LinkedAnswers(NamedTuple):
    """Differences D of accuracies on items in clusters or with weights, of one or several pairs.

    `lone_shares` are b and c, the shares of items that only the first and only the second model has
    right; `failure_units` the effective numbers k of failures of the first and of the second model.
    `scale` has the accuracies, and k as if one more cluster consisted of failures. Answers are
    coded by two numbers, `width` apart; all fields are in units of it.
    """

    estimate: Any
    standard_error: Any
    df: float
    lone_shares: tuple[Any, Any]
    failure_units: tuple[Any, Any]
    scale: ItemScale
    width: float = 1.0
    skewness: Skewness = Skewness()

    def for_margin_claims(self) -> "LinkedAnswers":
        """Return the differences with the cautious k of `scale`, as claims with a margin use it."""
        return self._replace(failure_units=self.scale.units)

    def failures(self, alternative: str, margin: float = 0.0) -> UnseenFailures:
        """Return the unseen failures of the better model that would explain a claim."""
        return self.scale.failures(self.estimate, alternative, margin / self.width)

    def statistic(self, null: Any) -> Any:
        """Return the statistics t of the hypotheses that the true differences are `null`.

        The variance is the larger one of CR2's and that of the model's restricted failures, unless
        unseen failures are too improbable to need it.
        """
        lead = np.asarray(self.estimate - null, np.float64)
        b, c = self.lone_shares
        units_1, units_2 = self.failure_units
        failure_variance = np.where(
            lead > 0.0,
            restricted_lone_share(b, c, null) / units_1,
            restricted_lone_share(c, b, -np.asarray(null)) / units_2,
        )
        square = np.square(self.standard_error)
        with np.errstate(divide="ignore", invalid="ignore"):
            with_failures = np.abs(lead) / np.sqrt(np.maximum(square, failure_variance))
            usual = np.abs(lead) / np.sqrt(square)
        unseen = unseen_failures(lead, self.scale.distances, self.scale.units, "two-sided")
        floor = np.minimum(usual, floor_statistics(unseen, np.full(lead.shape, self.df)))
        return np.where(lead == 0.0, 0.0, np.copysign(np.maximum(with_failures, floor), lead))

    def is_doubtful(self, pvalue: float, alternative: str, margin: float) -> bool:
        """Return whether a significant claim with a margin rests on clusters' sums being symmetric.

        It would not be significant if they were as skewed as the sample lets suspect. At a margin
        of .1, accuracies of .85 and .95 in 20 to 100 clusters of lognormal sizes, tests reject 8 to
        10% at 5%; without this warning up to 6.
        """
        if not (margin and pvalue <= ALPHA and self.standard_error > 0.0):
            return False
        moments = (self.estimate, self.standard_error, self.df)
        ends = HallInterval(*moments, float(self.skewness.suspected(alternative)))
        return ends.infer(alternative, margin / self.width)["pvalue"] > ALPHA

    def test(self, alternative: str, margin: float) -> tuple[float, PValue]:
        """Return the statistic and the p-value of a claim about one pair of models."""

        def statistic_at(null: float, tail: str) -> float:
            """Return the statistic at `null`, the same for all alternatives."""
            return float(self.statistic(null / self.width))

        return test_from_statistic(statistic_at, self.df, alternative, margin)

    def low(self, alpha: float) -> Any:
        """Return the lower ends of intervals with `alpha` below them."""
        quantile = student_quantile(alpha, self.df)
        low = np.full(np.shape(self.estimate), -1.0)
        high = np.array(self.estimate, np.float64)
        refuted = self.statistic(low) > quantile
        # Up from -1, which is not refuted where its variance is large, to a null that is.
        for _ in range(MOST_HALVINGS):
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
            lone_shares=self.lone_shares[::-1],
            failure_units=self.failure_units[::-1],
            scale=self.scale.swap_models(),
        )


def linked_answers(
    moments: tuple[Any, Any, float],
    lone_shares: tuple[Any, Any],
    accuracies: tuple[Any, Any],
    clusters: tuple[Integers | None, Integers | None],
    layout: ClusterLayout,
    width: float = 1.0,
) -> LinkedAnswers:
    """Return the difference of one pair of models.

    `moments` are the estimate, its standard error and degrees of freedom; `lone_shares` the shares
    of items that only the first and only the second model has right, `clusters` their numbers in
    each cluster.
    """
    estimate, error, df = moments
    if error == 0.0:  # equal differences in all clusters say nothing of others: as if of items
        lead = estimate / width
        error = width * math.sqrt(max(sum(lone_shares) - lead * lead, 0.0) * layout.squares)
    above, below = clusters
    rho_2, cautious_rho_2 = layout.failure_correlations(above)  # where the second model fails
    rho_1, cautious_rho_1 = layout.failure_correlations(below)
    failure_units = layout.units(rho_1), layout.units(rho_2)
    cautious_units = layout.units(cautious_rho_1), layout.units(cautious_rho_2)
    scale = ItemScale(accuracies, low=0.0, high=1.0, units=cautious_units, has_bounds=True)
    answers = LinkedAnswers(
        estimate / width, error / width, df, lone_shares, failure_units, scale, width
    )
    if above is None or below is None or layout.sizes is None:
        return answers
    n = float(layout.sizes.sum())
    d = float(above.sum() - below.sum())
    # Deviations of the differences, each -1, 0 or 1: their sums by cluster, the sum of squares.
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
    """Return the differences of pairs `cells` of models from flags `right` (n, k)."""
    weights, groups = links.weights, links.groups
    layout = item_layout(links)
    weight = np.full(links.n, 1.0 / links.n) if weights is None else weights / weights.sum()
    accuracies = (weight @ right).tolist()
    answers_by_pair = []
    estimates, errors, df = moments
    columns = (*cells, estimates, errors)
    for i, j, estimate, error in zip(*(column.tolist() for column in columns), strict=True):
        only_first, only_second = right[:, i] & ~right[:, j], right[:, j] & ~right[:, i]
        answers = linked_answers(
            (estimate, error, df),
            (float(weight @ only_first), float(weight @ only_second)),
            (accuracies[i], accuracies[j]),
            (count_by_cluster(only_first, groups), count_by_cluster(only_second, groups)),
            layout,
            width,
        )
        answers_by_pair.append(answers)
    return stack_answers(answers_by_pair)


def stack_answers(answers_by_pair: Sequence[LinkedAnswers]) -> LinkedAnswers:
    """Return the differences of several pairs as one object whose fields are arrays over pairs."""

    def column(value: Callable[[LinkedAnswers], float]) -> Vector:
        """Return a number of each pair."""
        return np.array([value(pair) for pair in answers_by_pair], np.float64)

    def two_columns(values: Callable[[LinkedAnswers], tuple[Any, Any]]) -> tuple[Vector, Vector]:
        """Return a number for each model of a pair: of all first models, and of all second ones."""
        first, second = zip(*map(values, answers_by_pair), strict=True)
        return np.array(first, np.float64), np.array(second, np.float64)

    means = two_columns(lambda pair: pair.scale.means)
    units = two_columns(lambda pair: pair.scale.units)
    return LinkedAnswers(
        column(lambda pair: pair.estimate),
        column(lambda pair: pair.standard_error),
        answers_by_pair[0].df,
        two_columns(lambda pair: pair.lone_shares),
        two_columns(lambda pair: pair.failure_units),
        ItemScale(means, low=0.0, high=1.0, units=units, has_bounds=True),
        answers_by_pair[0].width,
    )


def restricted_lone_share(share_b: Any, share_c: Any, null: Any) -> Any:
    """Return Tango's (1998) estimate of c, the share that only the second model has right.

    It is restricted to D = `null`; `share_b` and `share_c` are the observed shares b and c.
    """
    linear = (2.0 - share_b + share_c) * null - share_b - share_c
    constant = -share_c * null * (1.0 - null)
    return (np.sqrt(np.maximum(linear * linear - 8.0 * constant, 0.0)) - linear) / 4.0
