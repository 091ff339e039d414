"""The worst possible score, and each model's effective number of independent items.

Right and wrong answers, whatever their coding, and ratings (whole numbers up to 10, from 0 or 1)
have a worst value; of other scores it is the lowest or the highest that came. `unseen` has the rule
for failures of the better model that a sample lacks.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers, Matrix, Vector
from .._inputs.items import ItemLinks, Items
from .means import MeanDesign, are_zero_or_one, cluster_totals
from .skewness import Scores, intraclass_correlation, nan_to_zero
from .unseen import SUCCESS, UnseenFailures, unseen_failures

Cells = tuple[NDArray[np.intp], NDArray[np.intp]]
RATINGS = 10.0  # the greatest whole number of a scale of ratings, which begin at 0 or 1
CONSTANT_CHANCE = 0.0501  # taken for failures of unknown size: just enough for a warning
FAR_SCORE = "A score far from those observed"
FARTHEST_RANGES = 10.0  # times the range of scores: a score farther away is implausible


class ItemScale(NamedTuple):
    """Means and range of two models' scores, for one pair of models or as arrays over pairs.

    `low` and `high` are the lowest and the highest possible score if `has_bounds` (answers and
    ratings), else the observed ones. `units` are each model's effective number of items;
    `constant` says whether all its scores are equal.
    """

    means: tuple[Any, Any]
    low: Any
    high: Any
    units: tuple[Any, Any] = (0.0, 0.0)
    has_bounds: Any = False
    constant: tuple[Any, Any] = (False, False)

    @classmethod
    def of(cls, means: Vector, low: Vector, high: Vector, cells: Cells) -> "ItemScale":
        """Return the scales of pairs `cells` of models, from the means and range of each model."""
        i, j = cells
        lowest, highest = np.minimum(low[i], low[j]), np.maximum(high[i], high[j])
        return cls((means[i], means[j]), lowest, highest)

    def swap_models(self) -> "ItemScale":
        """Return the scale of the second model and the first."""
        return self._replace(
            means=self.means[::-1], units=self.units[::-1], constant=self.constant[::-1]
        )

    @property
    def distances(self) -> tuple[Any, Any]:
        """By how much one unseen score can change the difference of means, against each model.

        The worst score of the model itself, or the best score of the other one.
        """
        first, second = self.means
        return (
            np.maximum(first - self.low, self.high - second),
            np.maximum(second - self.low, self.high - first),
        )

    def failures(self, estimate: Any, alternative: str, margin: float = 0.0) -> UnseenFailures:
        """Return the unseen failures that would explain a difference of means.

        They need not be of the better model: a success of the worse one has the same effect where
        its mean is farther from the best score. The share is 1 where the bounds are not known.
        """
        failures = unseen_failures(estimate, self.distances, self.units, alternative, margin)
        first_is_better = np.equal(failures.model, 0)
        mean_1, mean_2 = self.means
        better = np.where(first_is_better, mean_1, mean_2)
        worse = np.where(first_is_better, mean_2, mean_1)
        success = self.has_bounds & (self.high - worse > better - self.low)
        # A model whose scores are all equal may have far ones that none of the items shows.
        has_no_bounds = np.logical_not(self.has_bounds)
        first_constant, second_constant = (flag & has_no_bounds for flag in self.constant)
        far_share = -np.expm1(math.log(CONSTANT_CHANCE) / failures.units)
        distance = (np.abs(estimate) + margin) / far_share
        is_plausible = distance <= FARTHEST_RANGES * np.subtract(self.high, self.low)
        far = (first_constant | second_constant) & is_plausible
        model = np.where(success, 1 - np.asarray(failures.model), failures.model)
        share = np.where(far, far_share, 1.0)
        return UnseenFailures(  # [()] makes scalars of arrays without dimensions
            np.where(self.has_bounds, failures.share, share)[()],
            failures.units,
            np.where(far, np.where(first_constant, 0, 1), model)[()],
            np.where(success, SUCCESS, np.where(far, FAR_SCORE, failures.event))[()],
        )


def item_scale(items: Items, design: MeanDesign, cells: Cells) -> ItemScale:
    """Return the scales of pairs `cells` of models that answered all items."""
    scores, (i, j) = items.scores, cells
    low, high = scores.min(axis=0), scores.max(axis=0)
    scale = ItemScale.of(design.means(scores), low, high, cells)
    if items.samples is not None and all(map(are_zero_or_one, items.samples)):
        has_bounds = np.ones(i.size, np.bool_)
        scale = scale._replace(low=0.0, high=1.0)
    else:
        has_ratings = (scores == np.rint(scores)).all(axis=0) & (low >= 0.0) & (high <= RATINGS)
        both_have = has_ratings[i] & has_ratings[j]
        # Ratings begin at 1, unless one of 0 shows that they begin there.
        scale = scale._replace(low=np.where(both_have, np.minimum(scale.low, 1.0), scale.low))
        has_bounds = both_have | are_two_valued(scores, scale, cells)
    units = effective_items_by_model(scores - design.means(scores), items.links)
    constant = low == high
    return scale._replace(
        units=(units[i], units[j]), has_bounds=has_bounds, constant=(constant[i], constant[j])
    )


def are_two_valued(scores: Matrix, scale: ItemScale, cells: Cells) -> NDArray[np.bool_]:
    """Return which pairs of models have scores of only two different values."""
    i, j = cells
    flags = np.zeros(i.size, np.bool_)
    inner = (scores > scores.min(axis=0)) & (scores < scores.max(axis=0))
    model_is_two_valued = ~inner.any(axis=0)
    for p in np.flatnonzero(model_is_two_valued[i] & model_is_two_valued[j]):
        both = scores[:, [i[p], j[p]]]
        flags[p] = ((both == both.min()) | (both == both.max())).all()
    return flags


def effective_items_by_model(deviations: Matrix, links: ItemLinks) -> Vector:
    """Return the effective numbers (k,) of independent items from deviations (n, k) of scores.

    By Kish's formula, with the intraclass correlation of each model's scores within clusters.
    """
    weights = np.ones(links.n) if links.weights is None else links.weights
    squares = float(weights @ weights)
    total = float(weights.sum()) ** 2
    if links.groups is None:
        return np.full(deviations.shape[1], total / squares)
    count = int(links.groups.max()) + 1
    sizes = cluster_totals(np.ones(links.n), links.groups, count)
    sums = cluster_totals(deviations, links.groups, count)
    rho = conservative_icc(sums, sizes, np.square(deviations).sum(axis=0))
    cluster_squares = np.square(np.bincount(links.groups, weights)).sum()
    return np.asarray(total / (squares + rho * (cluster_squares - squares)))


def conservative_icc(cluster_sums: Scores, cluster_sizes: Vector, sum_of_squares: Any) -> Any:
    """Return the intraclass correlation as if one more cluster had a correlation of 1.

    So it is 1 where nothing varies. The observed clusters count by their effective number,
    (sum S^2)^2 / sum S^4 of their `cluster_sums` S.
    """
    rho = intraclass_correlation(cluster_sums, cluster_sizes, sum_of_squares)
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.square(cluster_sums / np.sqrt(sum_of_squares))
        n_effective = nan_to_zero(squares.sum(axis=0) ** 2 / np.square(squares).sum(axis=0))
    return (n_effective * rho + 1.0) / (n_effective + 1.0)


def effective_items(deviations: Scores, cluster_sizes: Integers, design: MeanDesign) -> Any:
    """Return the effective number of items in clusters of these sizes, from deviations (n, ...)."""
    term = design.terms[0]
    n = float(design.n)
    sums = cluster_totals(deviations, term.groups, term.total)
    return effective_items_of_sums(sums, cluster_sizes, np.square(deviations).sum(axis=0), n)


def effective_items_of_sums(
    cluster_sums: Scores, cluster_sizes: Integers, sum_of_squares: Any, n: float
) -> Any:
    """Return the effective number of n items from sums of deviations over clusters.

    `sum_of_squares` is the sum of all squared deviations.
    """
    rho = conservative_icc(cluster_sums, cluster_sizes.astype(np.float64), sum_of_squares)
    return n / (1.0 + rho * (float(cluster_sizes @ cluster_sizes) / n - 1.0))
