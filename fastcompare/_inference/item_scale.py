"""What scores can be at worst, and as how many independent items those of each model count.

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
from .means import MeanDesign, are_answers, cluster_totals
from .skewness import Scores, intraclass_correlation, nan_to_zero
from .unseen import SUCCESS, UnseenFailures, unseen_failures

Cells = tuple[NDArray[np.intp], NDArray[np.intp]]
RATINGS = 10.0  # the greatest whole number of a scale of ratings, which begin at 0 or 1
CONSTANT_CHANCE = 0.0501  # of failures whose size is unknown: just enough for a warning
FARTHEST = 10.0  # ranges of the scores: a score that far away is implausible


class ItemScale(NamedTuple):
    """Means and range of the scores of two models, of one pair or of each of several.

    Whether the lowest and the highest possible score are known, as of answers and of ratings, is
    `has_bounds`. `constant` are models all of whose scores are equal; `units` are the effective
    numbers of items of each.
    """

    means: tuple[Any, Any]
    low: Any
    high: Any
    units: tuple[Any, Any] = (0.0, 0.0)
    has_bounds: Any = False
    constant: tuple[Any, Any] = (False, False)

    @classmethod
    def of(cls, means: Vector, low: Vector, high: Vector, cells: Cells) -> "ItemScale":
        """Return the observed range of pairs of models from that of each."""
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
        """How far one score can take each model away from being better than the other."""
        one, other = self.means
        return (
            np.maximum(one - self.low, self.high - other),
            np.maximum(other - self.low, self.high - one),
        )

    def failures(self, estimate: Any, alternative: str, margin: float = 0.0) -> UnseenFailures:
        """Return the failures that would explain a difference; none where nothing is known."""
        lead = unseen_failures(estimate, self.distances, self.units, alternative, margin)
        first = np.equal(lead.model, 0)
        better, worse = (np.where(first, *pair) for pair in (self.means, self.means[::-1]))
        success = self.has_bounds & (self.high - worse > better - self.low)
        one, other = (flag & np.logical_not(self.has_bounds) for flag in self.constant)
        unknown = -np.expm1(math.log(CONSTANT_CHANCE) / lead.units)
        needed = (np.abs(estimate) + margin) / unknown
        hidden = (one | other) & (needed <= FARTHEST * (np.subtract(self.high, self.low)))
        model = np.where(success, 1 - np.asarray(lead.model), lead.model)
        share = np.where(hidden, unknown, 1.0)
        return UnseenFailures(
            np.where(self.has_bounds, lead.share, share)[()],
            lead.units,
            np.where(hidden, np.where(one, 0, 1), model)[()],
            np.where(success, SUCCESS, np.where(hidden, FAR, lead.event))[()],
        )


FAR = "A score far from those observed"


def item_scale(items: Items, design: MeanDesign, cells: Cells) -> ItemScale:
    """Return the scale of pairs of models that answered all items."""
    scores, (i, j) = items.scores, cells
    low, high = scores.min(axis=0), scores.max(axis=0)
    scale = ItemScale.of(design.means(scores), low, high, cells)
    constant = [(low == high)[m] for m in cells]
    if items.samples is not None and all(map(are_answers, items.samples)):
        has_bounds, scale = np.ones(i.size, np.bool_), scale._replace(low=0.0, high=1.0)
    else:
        rated = (scores == np.rint(scores)).all(axis=0) & (low >= 0.0) & (high <= RATINGS)
        rated = rated[i] & rated[j]
        scale = scale._replace(low=np.where(rated, np.minimum(scale.low, 1.0), scale.low))
        has_bounds = rated | two_valued(scores, scale, cells)
    units = model_units(scores - design.means(scores), items.links)
    by_model = (units[i], units[j]), (constant[0], constant[1])
    return scale._replace(units=by_model[0], has_bounds=has_bounds, constant=by_model[1])


def two_valued(scores: Matrix, scale: ItemScale, cells: Cells) -> NDArray[np.bool_]:
    """Return which pairs have scores of two values only."""
    flags = np.zeros(cells[0].size, np.bool_)
    inner = (scores > scores.min(axis=0)) & (scores < scores.max(axis=0))
    simple = ~inner.any(axis=0)
    for p in np.flatnonzero(simple[cells[0]] & simple[cells[1]]):
        both = scores[:, [cells[0][p], cells[1][p]]]
        flags[p] = ((both == both.min()) | (both == both.max())).all()
    return flags


def model_units(deviations: Matrix, links: ItemLinks) -> Vector:
    """Return the effective numbers of items of k models, by the intraclass correlation of each."""
    weights = np.ones(links.n) if links.weights is None else links.weights
    squares = float(weights @ weights)
    total = float(weights.sum()) ** 2
    if links.groups is None:
        return np.full(deviations.shape[1], total / squares)
    count = int(links.groups.max()) + 1
    sizes = cluster_totals(np.ones(links.n), links.groups, count)
    sums = cluster_totals(deviations, links.groups, count)
    rho = possible_correlation(sums, sizes, np.square(deviations).sum(axis=0))
    cluster_squares = np.square(np.bincount(links.groups, weights)).sum()
    return np.asarray(total / (squares + rho * (cluster_squares - squares)))


def possible_correlation(sums: Scores, sizes: Vector, square: Any) -> Any:
    """Return the intraclass correlation as if one more cluster had equal scores.

    So it is 1 where nothing varies; clusters count as many as the sum of squares rests on.
    """
    rho = intraclass_correlation(sums, sizes, square)
    with np.errstate(divide="ignore", invalid="ignore"):
        squares = np.square(sums / np.sqrt(square))
        hit = nan_to_zero(squares.sum(axis=0) ** 2 / np.square(squares).sum(axis=0))
    return (hit * rho + 1.0) / (hit + 1.0)


def clustered_units(deviations: Scores, sizes: Integers, design: MeanDesign) -> Any:
    """Return the effective numbers of items in clusters, by the correlation of differences."""
    part = design.parts[0]
    n = float(design.n)
    sums = cluster_totals(deviations, part.groups, part.total)
    return units_of_sums(sums, sizes, np.square(deviations).sum(axis=0), n)


def units_of_sums(sums: Scores, sizes: Integers, square: Any, n: float) -> Any:
    """Return the same from sums of deviations over clusters and the sum of all squares."""
    rho = possible_correlation(sums, sizes.astype(np.float64), square)
    return n / (1.0 + rho * (float(sizes @ sizes) / n - 1.0))
