"""Models at a horizon t: the AUC of who has an event by then, and the Brier score of chances of it.

X_i is the time of case i, d_i = 1 if its event was seen, w_i its weight, 1 by default, and G the
Kaplan-Meier estimate of the times of censoring, cases leaving by their events first. Events by the
horizon, X_i <= t and d_i = 1, weigh a_i = w_i / G(X_i-); controls, X_j > t, weigh w_j for the AUC,
w_j / G(t) for the Brier score; whoever is censored by t counts by G alone. With scores s and
predicted chances r of an event by t

    AUC(t) = sum_i a_i sum_j w_j [s_i > s_j] / (sum_i a_i sum_j w_j)
    Brier(t) = (sum_i a_i (1 - r_i)^2 + sum_j w_j r_j^2 / G(t)) / sum w

(Hung and Chiang 2010, Blanche et al. 2013; Graf et al. 1999). The cases' components
e_m = w_m dT/dw_m, which add up to 0, give variances. They know that G is estimated, too: with
A_i = -w_i dT/dw_i of an event, G being fixed, `Censoring.components` adds what w_m moves of G.
Everything is in the order of time.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import map_threads
from .._base.types import Integers, Matrix, Vector
from .._inference.clusters import fewest_df, shares_df
from .._inference.infer import ZeroVarianceBound, sum_over_largest
from .._inference.pvalues import welch_df
from ..kernels.horizon import (
    KINDS,
    auc_errors,
    brier_losses,
    horizon_wins,
    sum_squared_roots,
    write_score_order,
)
from ._pairs import ROUNDING, TimeOrdered, as_integer_weights
from ._variance import cluster_overlaps

FEWEST_EVENTS = 10.0  # effective events: below, if there are more, weights are heavy
HEAVIEST_WEIGHT = 20.0  # of an event: above, weights are heavy
# G at the horizon: below, with few controls, intervals of Brier scores lie too low
MIN_UNCENSORED = 0.5
FEW_CONTROLS = 16.0  # in effect: with fewer these cover 90 to 93%, times_horizons.md
FEW_FOR_T = 3  # events, or controls
TINY = 1e-9  # a kind counts for at least 1 + TINY cases, so that df is above 0


Ranked = tuple[NDArray[np.uint64], NDArray[np.bool_]]  # places by score, whether a new score begins


def rank_models(ordered: TimeOrdered, n_jobs: int) -> list[Ranked]:
    """Return for each model the cases' places sorted by its scores, and where scores change.

    These serve all horizons.
    """

    def rank(model: int) -> Ranked:
        """Return the cases' places (n,) by a model's score, and where (n,) a new score begins."""
        n = ordered.order.size
        places, is_new = np.empty(n, np.uint64), np.empty(n, np.bool_)
        write_score_order(ordered.scores(model), places, is_new)
        return places, is_new

    return map_threads(rank, range(len(ordered.cases.scores)), n_jobs)


def effective_number(weights: Vector) -> float:
    """Return the effective number of weights, (sum w)^2 / sum w^2 (Kish 1965); 0 if all are 0."""
    return float(weights.sum() ** 2 / np.square(weights).sum()) if weights.any() else 0.0


@dataclass(frozen=True)
class Variation:
    """How cases' components (estimated effects on an estimate) add up to variances.

    `kinds` are 1 for events, 2 controls, 0 others.

    The variance is the sum over kinds of n / (n - 1) times the sum of squared components, where
    `counts` (3,) are the kinds' effective numbers of cases: without censoring DeLong's. Degrees of
    freedom are Satterthwaite's. For clusters each kind has CR2, with df by `cluster_overlap`.
    """

    kinds: NDArray[np.uint8]
    counts: Vector
    groups: Integers | None

    @cached_property
    def cluster_counts(self) -> Integers:
        """The numbers (3, G) of cases of each kind in each cluster."""
        groups = np.asarray(self.groups)
        return np.array(
            [np.bincount(groups[self.kinds == kind], minlength=self.rows) for kind in range(3)]
        )

    @cached_property
    def rows(self) -> int:
        """The number of independent cases or clusters."""
        return self.kinds.size if self.groups is None else int(self.groups.max()) + 1

    @property
    def fewest_df(self) -> float:
        """The fewest degrees of freedom that clusters leave a variance; NaN for none."""
        return fewest_df(self.cluster_counts[1:])

    def factors(self, one_sample: bool) -> Vector:
        """Return the factors (3, 1) of components, or (3, G) of their sums over clusters.

        With `one_sample` the same for all kinds, by the number of all cases. The factor is 1 for a
        single case, and for a cluster that contains all.
        """
        if self.groups is None:
            n = np.full(3, float(self.rows)) if one_sample else self.counts
            return np.sqrt(np.where(n > 1.0, n / np.maximum(n - 1.0, TINY), 1.0))[:, None]
        counts = self.cluster_counts
        if one_sample:
            counts = np.broadcast_to(counts.sum(axis=0), counts.shape)
        total = counts.sum(axis=1, keepdims=True)
        elsewhere = np.where(counts < total, total - counts, np.maximum(total, 1))
        return np.asarray(np.sqrt(np.maximum(total, 1) / elsewhere))

    def estimate_variance(
        self, components: Vector, *, one_sample: bool
    ) -> tuple[float, float, Vector]:
        """Return an estimate's variance from its components, the df, and its influence (G,).

        The variance is the sum of squared influence of cases or clusters; sums of products of two
        models' influence are covariances.
        """
        factors = self.factors(one_sample)
        if self.groups is None:  # each case is of one kind
            influence, squares = np.empty(components.size), np.empty(KINDS + 1)
            sum_squared_roots(
                components, self.kinds, np.ascontiguousarray(factors[:, 0]), influence, squares
            )
            return float(squares[KINDS]), self.df(squares[:KINDS]), influence
        components_by_kind = (np.where(self.kinds == kind, components, 0.0) for kind in range(3))
        cluster_sums = [
            np.bincount(self.groups, of_kind, self.rows) for of_kind in components_by_kind
        ]
        influence_by_kind = factors * cluster_sums  # (3, G)
        influence = influence_by_kind.sum(axis=0)
        variance = float(np.square(influence).sum())
        return variance, self.df(np.square(influence_by_kind).sum(axis=1)), influence

    def df(self, shares: Vector) -> float:
        """Return Satterthwaite's degrees of freedom for the variance terms (3,) of the kinds."""
        if self.groups is None:
            return welch_df(shares.tolist(), [max(n, 1.0 + TINY) for n in self.counts])
        return float(shares_df(shares, self.overlaps))

    @cached_property
    def overlaps(self) -> Matrix:
        """`cluster_overlap` (3, 3) of every two kinds."""
        return cluster_overlaps(self.cluster_counts)


@dataclass(frozen=True)
class AtHorizon:
    """Cases in the order of time, with the weights of events and controls at a horizon."""

    ordered: TimeOrdered
    horizon: float

    @cached_property
    def cut(self) -> int:
        """The number of cases with a time up to the horizon: the place of the first control."""
        time, order = self.ordered.cases.time, self.ordered.order
        return bisect_right(order, self.horizon, key=time.__getitem__)

    @cached_property
    def kind(self) -> NDArray[np.uint8]:
        """For each place 1 for an event by the horizon, and 0 for another case."""
        kind = self.ordered.event_observed.copy()
        kind[self.cut :] = 0
        return kind

    @cached_property
    def p_uncensored(self) -> Vector:
        """G(X-), P(uncensored) just before the time X of each place."""
        censoring = self.ordered.censoring
        return np.asarray(censoring.before[censoring.number])

    @cached_property
    def events(self) -> Vector:
        """The weights w / G(X-) of events by the horizon, 0 elsewhere."""
        return np.asarray(np.where(self.kind == 1, self.ordered.weights / self.p_uncensored, 0.0))

    @cached_property
    def weights_of_events(self) -> Vector:
        """The weights of the events by the horizon alone."""
        return np.asarray(self.events[self.kind == 1])

    @cached_property
    def controls(self) -> Vector:
        """The weights of controls, 0 elsewhere."""
        weights = self.ordered.weights.copy()
        weights[: self.cut] = 0.0
        return weights

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """How many events by the horizon and how many controls there are."""
        return int(np.count_nonzero(self.kind)), self.kind.size - self.cut

    @cached_property
    def effective_sizes(self) -> tuple[float, float]:
        """The effective numbers of events and of controls (Kish 1965)."""
        return effective_number(self.weights_of_events), effective_number(self.controls[self.cut :])

    @property
    def independent_sizes(self) -> tuple[float, float]:
        """The effective numbers of events and of controls, or of the clusters that contain them."""
        if self.ordered.cases.groups is None:
            return self.effective_sizes
        _, events, controls = self.variation.cluster_counts.astype(np.float64)
        return effective_number(events), effective_number(controls)

    @property
    def units(self) -> float:
        """The weight of the smaller kind over its heaviest: a number of pairs for exact bounds."""
        both = self.weights_of_events, self.controls[self.cut :]
        return min(sum_over_largest(weights) for weights in both)

    @cached_property
    def kinds(self) -> NDArray[np.uint8]:
        """For each place 1 for an event by the horizon, 2 for a control, 0 if censored by then."""
        kinds = self.kind.copy()
        kinds[self.cut :] = 2
        return kinds

    @cached_property
    def variation(self) -> Variation:
        """How components of an AUC or a Brier score at the horizon add up to variances."""
        cases, order = self.ordered.cases, self.ordered.order
        censored = self.ordered.weights[self.kinds == 0]
        counts = np.array([effective_number(censored), *self.effective_sizes])
        groups = None if cases.groups is None else cases.groups[order]
        return Variation(self.kinds, counts, groups)

    @cached_property
    def uncensored(self) -> float:
        """G at the horizon, after those censored then."""
        censoring = self.ordered.censoring
        cut = self.cut
        if not cut:
            return 1.0
        last = int(censoring.number[cut - 1])  # the last time up to the horizon
        return float(
            censoring.before[last]
            * (1.0 - censoring.censored_weight[last] / censoring.at_risk[last])
        )

    @property
    def weights(self) -> Vector | None:
        """The weights of the cases, None if all are equal."""
        return None if self.ordered.cases.weights is None else self.ordered.weights

    @property
    def status(self) -> str:
        """The status word by the events and controls, whatever the models are."""
        inverse_probabilities = 1.0 / self.p_uncensored[self.kind == 1]
        heaviest = float(inverse_probabilities.max(initial=0.0))
        effective_events, _ = self.effective_sizes
        return case_status(self.sizes, heaviest, effective_events)


def case_status(
    event_and_control_counts: tuple[int, int], heaviest: float, effective_events: float
) -> str:
    """Return the status word for these numbers of events and of controls.

    `heaviest` is the greatest 1 / G of an event, `effective_events` their effective number.
    """
    n_events, n_controls = event_and_control_counts
    fewest = min(n_events, n_controls)
    if fewest < 2:
        return "too_few" if fewest else "outside_horizon"
    if heaviest > HEAVIEST_WEIGHT or effective_events < FEWEST_EVENTS <= n_events:
        return "heavy_weights"
    return "small_sample" if fewest < FEW_FOR_T else "ok"


@dataclass(frozen=True)
class HorizonAUCs:
    """AUCs of all models at a horizon: weights of events and controls as whole numbers.

    `concordant` has for each model and case twice the weight that it wins among the other kind.
    """

    at: AtHorizon
    concordant: list[Integers]
    events: Integers
    controls: Integers
    one_sample: ClassVar[bool] = False  # components vary by kind, as DeLong's do

    @classmethod
    def of(cls, at: AtHorizon, models: list[Ranked], n_jobs: int) -> HorizonAUCs:
        """Return the AUCs of models whose scores are ranked."""
        n = at.kind.size
        nobody_censored = bool((at.p_uncensored[at.kind == 1] == 1.0).all())
        if at.weights is None and nobody_censored:
            events = at.kind.astype(np.int64)
        else:
            events = as_integer_weights(at.events, n)
        if at.weights is None:
            controls = (at.controls > 0.0).astype(np.int64)
        else:
            controls = as_integer_weights(at.controls, n)

        def count_concordant(ranked: Ranked) -> Integers:
            """Return twice the weight (n,) that each case wins among the other kind."""
            concordant = np.empty(n, np.int64)
            horizon_wins(*ranked, events, controls, concordant)
            return concordant

        return cls(at, map_threads(count_concordant, models, n_jobs), events, controls)

    @cached_property
    def totals(self) -> tuple[float, float]:
        """The weight of all events, and of all controls."""
        return float(self.events.sum()), float(self.controls.sum())

    @cached_property
    def event_weights(self) -> Vector:
        """The weights of events as floats."""
        return self.events.astype(np.float64)

    def estimate(self, i: int, j: int | None = None) -> float:
        """Return the AUC of model i, or its difference from that of model j."""
        events, controls = self.totals
        if not (events and controls):
            return math.nan
        concordant = self.concordant[i] if j is None else self.concordant[i] - self.concordant[j]
        return float(self.event_weights @ concordant) / (2.0 * events * controls)

    def components(self, i: int, j: int | None = None) -> Vector:
        """Return the cases' components of model i's AUC, or of its difference from model j's."""
        _, components = self.with_components(i, j)
        return components

    def with_components(self, i: int, j: int | None) -> tuple[float, Vector]:
        """Return the AUC or difference, and the cases' components of it."""
        n = self.at.kind.size
        mean = self.estimate(i, j)
        components, event_components = np.empty(n), np.empty(n)
        less = np.broadcast_to(np.int64(0), n) if j is None else self.concordant[j]
        auc_errors(
            self.concordant[i],
            less,
            self.events,
            self.controls,
            *self.totals,
            mean,
            ROUNDING,
            event_components,
            components,
        )
        np.negative(event_components, out=event_components)  # coefficients of log G: w / G
        components += self.at.ordered.censoring.components(event_components)
        return mean, components

    def bound(self) -> ZeroVarianceBound:
        """Return the exact bound for a difference of 0 on all pairs of an event and a control."""
        return ZeroVarianceBound(self.at.units, name="pairs of cases")


NO_CHANCES = np.empty(0)  # in place of a second model's


@dataclass(frozen=True)
class HorizonBrierScores:
    """Brier scores of all models at a horizon, from their predicted chances of an event by then."""

    at: AtHorizon
    chances: list[Vector]
    one_sample: ClassVar[bool] = True  # a mean of losses

    @property
    def is_sparse(self) -> bool:
        """Whether few controls represent many cases, most being censored by the horizon."""
        _, effective_controls = self.at.effective_sizes
        few = effective_controls < FEW_CONTROLS and min(self.at.sizes) > 1
        return few and self.at.uncensored < MIN_UNCENSORED

    @cached_property
    def total(self) -> float:
        """The sum of the cases' weights."""
        return float(self.at.ordered.weights.sum())

    def losses(self, i: int, j: int | None = None) -> Vector:
        """Return the cases' weighted losses by model i, or their differences from model j's."""
        less = NO_CHANCES if j is None else self.chances[j]
        weights = self.at.events, self.at.controls, self.at.uncensored
        losses = np.empty(self.chances[i].size)
        brier_losses(self.chances[i], less, *weights, losses)
        return losses

    def estimate(self, i: int, j: int | None = None) -> float:
        """Return the Brier score of model i, or its difference from that of model j."""
        if not min(self.at.sizes):
            return math.nan
        return float(self.losses(i, j).sum()) / self.total

    def components(self, i: int, j: int | None = None) -> Vector:
        """Return the cases' components of model i's Brier score, or its difference from j's."""
        _, components = self.with_components(i, j)
        return components

    def with_components(self, i: int, j: int | None) -> tuple[float, Vector]:
        """Return the Brier score or difference, and the cases' components, from the same losses."""
        losses = self.losses(i, j)
        estimate = float(losses.sum()) / self.total
        losses /= self.total
        cut = self.at.cut
        coefficients = np.zeros(losses.size)  # of log G
        np.negative(losses[:cut], out=coefficients[:cut])
        coefficients[cut] = -losses[cut:].sum()  # all controls share G(t): as if just after t
        expected = self.at.ordered.weights / self.total
        expected *= losses.sum()
        components = losses  # in place, as memory matters
        components -= expected
        components += self.at.ordered.censoring.components(coefficients)
        return estimate, components

    def bound(self) -> ZeroVarianceBound:
        """Return the exact bound for a difference of 0 on all cases whose outcome is known."""
        weights = self.at.events + self.at.controls / self.at.uncensored
        return ZeroVarianceBound(sum_over_largest(weights[weights > 0.0]))


HorizonMeasure = HorizonAUCs | HorizonBrierScores


class HorizonEstimate(NamedTuple):
    """An estimate, its standard error and df, and the influence of cases or clusters on it."""

    estimate: float
    standard_error: float
    df: float
    influence: Vector


def estimate_at(
    measured: HorizonMeasure, i: int, j: int | None, *, published: bool
) -> HorizonEstimate:
    """Return the AUC or Brier score of model i at a horizon, or its difference from model j's.

    If `published` the variance is that of one sample, and the reference normal (df infinite). With
    fewer than two events or controls all but the estimate is NaN.
    """
    at = measured.at
    variation = at.variation
    if min(at.sizes) < 2:
        estimate = measured.estimate(i, j)
        return HorizonEstimate(estimate, math.nan, math.nan, np.full(variation.rows, math.nan))
    one_sample = published or measured.one_sample
    estimate, components = measured.with_components(i, j)
    variance, df, influence = variation.estimate_variance(components, one_sample=one_sample)
    return HorizonEstimate(estimate, math.sqrt(variance), math.inf if published else df, influence)
