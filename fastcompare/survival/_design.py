"""Concordances of models on the same cases, with the influence of each case, for all tests."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Fields, Integers, Matrix, Vector
from .._inference.clusters import FEWEST_DF, NORMAL_DF, cluster_status
from .._inference.infer import ZeroVarianceBound, sum_over_largest
from .._inference.pvalues import welch_df
from .._inference.status import unvaried_status
from .._inputs.times import Times
from ..auc._intervals import PAIRS, IntervalInputs, SharedPairs
from ._pairs import TimeOrdered, UnweightedPairs, WeightedPairs
from ._variance import VarianceEstimate, Variation

UNKNOWN = ("no_pairs", "one_event", "too_few_clusters")  # status words of undefined variances
TITLES = {"harrell": "Harrell's C", "uno": "Uno's C"}
FEW_EVENTS = 3  # with fewer events the t-test does not keep its level
FEW_WEIGHTED = 10  # effective events by sampling weights: with fewer the t-test rejects 8% at 5%
FEW_NORMAL = 30  # with 20 events the normal distribution rejects up to 8.5%: times_levels.md
HEAVIEST_WEIGHT = 20.0  # of Uno's weights; above, few events determine a concordance
FEWEST_EFFECTIVE = 10.0  # effective events by Uno's weights; or half of all, if that is less
SQUARES_I, CROSS_PRODUCTS, SQUARES_J, SQUARED_DIFFERENCES = range(4)  # columns of `products`


class ModelVariance(NamedTuple):
    """The variance of a model's concordance, and the influence (n,) of cases or clusters on it."""

    estimate: VarianceEstimate
    influence: Vector


@dataclass(frozen=True)
class ConcordanceSample:
    """Models on the same cases: their concordant pairs, and the variances of concordances."""

    ordered: TimeOrdered
    pairs: UnweightedPairs | WeightedPairs
    variation: Variation
    method: str
    tau: float | None

    @property
    def cases(self) -> Times:
        """The cases in the user's order."""
        return self.ordered.cases

    @property
    def k(self) -> int:
        """How many models there are."""
        return len(self.cases.scores)

    @cached_property
    def values(self) -> Vector:
        """The concordances (k,)."""
        return np.array([self.pairs.estimate(model) for model in range(self.k)])

    def estimate_variance(self, i: int, j: int | None = None) -> VarianceEstimate:
        """Return the variance of model i's concordance, or of its difference from model j's.

        NaN where the status is in UNKNOWN, as with fewer than two events.
        """
        if self.status in UNKNOWN:
            return VarianceEstimate(math.nan, math.nan)
        if self.has_influence:
            if j is None:
                return self.model_variances[i].estimate
            return self.variation.estimate_variance(self.pairs.components(i, j))
        if j is not None:
            squares = self.products(i, j)[:, SQUARED_DIFFERENCES]
            return self.variation.of_shares(self.variation.factors * squares)
        # model i's squares are in the products of any pair with it that were computed before
        first, second = next((pair for pair in self.product_sums if i in pair), (i, i))
        squares = self.products(first, second)[:, SQUARES_I if first == i else SQUARES_J]
        return self.variation.of_shares(self.variation.factors * squares)

    @property
    def has_influence(self) -> bool:
        """Whether variances come from arrays of influence: with clusters or weights.

        Else sums of products of components, without an array of these, are faster.
        """
        return self.variation.groups is not None or isinstance(self.pairs, WeightedPairs)

    @cached_property
    def model_variances(self) -> list[ModelVariance]:
        """The variance of each concordance, with the influence of cases, for covariances."""
        all_components = (self.pairs.components(model) for model in range(self.k))
        return [
            ModelVariance(
                self.variation.estimate_variance(components), self.variation.influence(components)
            )
            for components in all_components
        ]

    @cached_property
    def product_sums(self) -> dict[tuple[int, int], Matrix]:
        """A cache of `products` of two models, by their numbers."""
        return {}

    def products(self, i: int, j: int) -> Matrix:
        """Return the sums (2, 4) of products of two models' components, computed once.

        Rows are other cases and events; columns are squares of model i, products, squares of j, and
        squared differences.
        """
        assert isinstance(self.pairs, UnweightedPairs)
        if (i, j) not in self.product_sums:
            self.product_sums[i, j] = self.pairs.products(i, j, self.ordered.event)
        return self.product_sums[i, j]

    @cached_property
    def covariance(self) -> Matrix:
        """The covariance (k, k) of the concordances."""
        covariance = np.full((self.k, self.k), math.nan)
        if self.status in UNKNOWN:
            return covariance
        if self.has_influence:
            influences = [model.influence for model in self.model_variances]
            return np.array([[float(a @ b) for b in influences] for a in influences])
        pairs = [(i, j) for i in range(self.k) for j in range(i + 1, self.k)]
        for i, j in pairs or [(0, 0)]:  # a single model has its variance from (0, 0)
            products = self.variation.factors @ self.products(i, j)
            covariance[i, i] = products[SQUARES_I]
            covariance[j, j] = products[SQUARES_J]
            covariance[i, j] = covariance[j, i] = products[CROSS_PRODUCTS]
        return covariance

    @cached_property
    def status(self) -> str:
        """The status word of the cases, whatever the models are."""
        events = self.ordered.n_events
        if not self.pairs.total:
            return "no_pairs"
        if events < 2:
            return "one_event"
        if self.variation.groups is not None:
            fewest = NORMAL_DF if self.variation.published else FEWEST_DF
            word = cluster_status(self.variation.df, fewest=fewest)
            if word != "ok":
                return word
        return self.case_status(self.variation.counts.events)

    def case_status(self, n_events: float) -> str:
        """Return the status word by the number of events and by weights: 'ok' if both suffice."""
        if self.has_heavy_weights:
            return "heavy_weights"
        enough = FEW_NORMAL if self.variation.published else FEW_EVENTS
        few = n_events < enough
        if self.variation.weights is not None:
            few |= bool(self.variation.effective_by_pairs.weighted.events < FEW_WEIGHTED)
        return "small_sample" if few else "ok"

    @property
    def cluster_df(self) -> float | None:
        """The fewest degrees of freedom that clusters leave a variance; None without clusters."""
        return None if self.variation.groups is None else self.variation.df

    @property
    def has_heavy_weights(self) -> bool:
        """Whether few events, by Uno's weights 1 / P(uncensored)^2, determine a concordance."""
        p_uncensored = self.pairs.p_uncensored
        if p_uncensored is None:
            return False
        weights = np.square(1.0 / p_uncensored[self.ordered.event > 0])
        effective_events = float(weights.sum()) ** 2 / float(weights @ weights)
        few = effective_events < min(FEWEST_EFFECTIVE, 0.5 * weights.size)
        return bool(weights.max() > HEAVIEST_WEIGHT or few)

    def interval_inputs(self) -> tuple[IntervalInputs, ...]:
        """Return the inputs of the score intervals of all concordances."""
        return tuple(
            model._replace(shared=self.shared_pairs) if model.m else model
            for model in self.unpaired_inputs
        )

    @property
    def unpaired_inputs(self) -> list[IntervalInputs]:
        """The inputs of the models' score intervals without `shared_pairs`.

        With 0 cases if variances are undefined.
        """
        others, events = (0.0, 0.0) if self.status in UNKNOWN else self.variation.counts
        estimates = [self.estimate_variance(model) for model in range(self.k)]
        return [
            IntervalInputs(value, math.sqrt(estimate.variance), events, others, estimate.df)
            for value, estimate in zip(self.values.tolist(), estimates, strict=True)
        ]

    def without_models(self) -> ConcordanceSample:
        """Return a small copy without scores, from which `shared_pairs` can be computed."""
        cases = replace(self.cases, time=np.empty(0), event=np.empty(0, np.uint8), scores=())
        order = self.ordered.order[:0].copy()
        event_observed = self.ordered.event_observed[:0].copy()
        ordered = replace(self.ordered, cases=cases, order=order, event_observed=event_observed)
        return replace(self, ordered=ordered, pairs=replace(self.pairs, concordant=[]))  # type: ignore[arg-type]

    @cached_property
    def shared_pairs(self) -> SharedPairs:
        """The sums of products of weights over all pairs of pairs of cases, by the shared case.

        A shared case is an event, or a later case, in both pairs (`same_role`), or each in one of
        them. Unequal weights and clusters inflate the variance.
        """
        as_event, as_later, squares = self.pairs.weights_by_role(
            self.ordered.event, self.ordered.tie_start
        )
        # without the products of each pair with itself, which shares both cases
        same_role = float(as_event @ as_event + as_later @ as_later) - 2.0 * squares
        other_role = 2.0 * float(as_event @ as_later)
        sizes = np.maximum(self.variation.effective_sizes, 1.0)
        plain = np.bincount(self.ordered.event, np.square(as_event + as_later), 2)
        inflated = plain * np.maximum(self.variation.sizes, 1) / sizes
        inflation = float(inflated.sum() / plain.sum())
        df = welch_df(inflated.tolist(), np.maximum(sizes, 2.0).tolist())
        total = float(as_event.sum())
        return SharedPairs(total * total, squares, same_role, other_role, df, inflation)

    def zero_variance_status(self, estimate: float, margin: float = 0.0) -> str:
        """Return the status word of a difference whose estimated variance is 0."""
        return self.status if self.status in UNKNOWN else unvaried_status(estimate, margin)

    @property
    def zero_variance_bound(self) -> ZeroVarianceBound:
        """The exact bound for a difference that is the same on all pairs, by disjoint pairs.

        They are at most half the number of clusters, or of weighted cases, in effect.
        """
        cases = self.cases
        n_pairs = matched_pairs(self.ordered.event, self.ordered.tie_start)
        if cases.groups is not None:
            n_pairs = min(n_pairs, sum_over_largest(np.bincount(cases.groups)) / 2)
        elif cases.weights is not None:
            n_pairs = min(n_pairs, sum_over_largest(cases.weights) / 2)
        return ZeroVarianceBound(n_pairs, name=PAIRS)

    def fields(self) -> Fields:
        """Return the fields of results that say what was compared."""
        return Fields(
            n=self.ordered.order.size,
            n_events=self.ordered.n_events,
            tau=self.tau,
            n_dropped=self.cases.n_dropped,
        )

    @property
    def title(self) -> str:
        """What is compared, and of which cases."""
        kinds = {"clusters": self.cases.groups, "sampling weights": self.cases.weights}
        suffixes = [kind for kind, values in kinds.items() if values is not None]
        within = "" if self.cases.strata is None else " within strata"
        return ", ".join([TITLES[self.method] + within, *suffixes])


def matched_pairs(event: NDArray[np.uint8], tie_start: Integers) -> float:
    """Return a lower bound of the number of disjoint pairs of known order (no common case).

    The first m events in time are each paired with one of the last m cases; m is halved until all
    of these are later.
    """
    events = np.flatnonzero(event)
    n = event.size
    m = min(events.size, n // 2)
    while m and not tie_start[events[m - 1]] < tie_start[n - m]:
        m //= 2
    return float(m)
