"""Pairs of cases whose order in time is known, and which of them models order right.

Case i comes before j if its event was seen and X_i < X_j, or X_i = X_j and j is censored. A pair
weighs a_i v_j: 1 in Harrell's C; with case weights w the product of both; in Uno's C the event's
weight is w_i / G(X_i-)^2, where G is the Kaplan-Meier estimate of being uncensored, and cases
leave by their events before they are censored (Uno et al. 2011). With U and p the weights of pairs
that are won, a tie by half, and of all pairs::

    C = sum U_i / sum p_i

Weights become whole numbers, so that sums do not depend on the order: models that order the same
pairs the same way have the same C, and differ by exactly 0. Everything here is in the order of
time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import DroppedCasesWarning
from .._base.parallel import map_threads
from .._base.types import AnyArray, Integers, Matrix, Vector
from .._inputs.times import Times, as_times
from ..kernels.concordance import (
    count_pairs,
    doubled_wins_by_scratch,
    order_in_time,
    sum_error_products,
    sum_pairs_by_role,
    weigh_pairs,
    weighted_wins,
)
from ..kernels.horizon import censoring_errors, censoring_steps, untied_censoring_errors
from ._variance import EffectiveByPairs, NumberByKind, effective_numbers, sums_by_kind

Scale = tuple[float, int] | None  # the greatest of some weights, and their number
BITS = 60  # of the sum of all weights
THREADS_FROM = 20_000  # cases: with fewer, starting a thread takes as long as it saves
EXACT_BELOW = 1 << 20  # cases: 2 n^3 fits 63 bits
ROUNDING = 2.0**-48  # relative error of weighted sums that count as 0
NARROW = 1 << 30  # cases: below, numbers of concordant pairs fit 32 bits


@dataclass(frozen=True)
class TimeOrdered:
    """Cases in the order of time, events first among equal times.

    For each place in this order `order` is the number of its case, `tie_start` the first place with
    the same time, `event_observed` whether the case had an event, and `event` whether that counts
    (before `tau`). Strata follow each other, each in the order of its times; `strata` has them one
    by one, with places of their own.
    """

    cases: Times
    order: Integers
    tie_start: Integers
    event_observed: NDArray[np.uint8]
    event: NDArray[np.uint8]
    strata: tuple[TimeOrdered, ...] = ()

    @property
    def n_events(self) -> int:
        """How many events count."""
        return int(np.count_nonzero(self.event))

    @cached_property
    def weights(self) -> Vector:
        """The weights of the cases, 1 by default."""
        weights = self.cases.weights
        return np.ones(self.order.size) if weights is None else weights[self.order]

    def scores(self, model: int) -> Vector:
        """Return the scores of a model."""
        return np.asarray(self.cases.scores[model][self.order])

    @cached_property
    def censoring(self) -> Censoring:
        """The distribution of the times of censoring."""
        return censoring_distribution(self)


def order_by_time(cases: Times, tau: float | None = None) -> TimeOrdered:
    """Return cases in the order of time; events from `tau` on do not count."""
    if cases.strata is not None:
        return order_by_stratum(cases, tau)
    dtype = np.int32 if cases.time.size < NARROW else np.int64  # half the memory for few
    order, tie_start = np.empty((2, cases.time.size), dtype)
    order_in_time(cases.time, cases.event, order, tie_start)
    return with_events(cases, order, tie_start, tau)


def with_events(
    cases: Times, order: Integers, tie_start: Integers, tau: float | None
) -> TimeOrdered:
    """Return cases in this order, with flags of the events that count: those before `tau`."""
    event_observed = cases.event[order]
    event = event_observed if tau is None else event_observed & (cases.time[order] < tau)
    return TimeOrdered(cases, order, tie_start, event_observed, event)


def order_by_stratum(cases: Times, tau: float | None) -> TimeOrdered:
    """Return cases stratum by stratum, each in the order of time."""
    strata = np.asarray(cases.strata)
    by_stratum = np.argsort(strata, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(strata)))).tolist()
    parts = []
    tie_start = np.empty(strata.size, np.int64)
    for start, stop in pairwise(starts):
        numbers = by_stratum[start:stop]
        order, ties = np.empty((2, numbers.size), np.int64)
        order_in_time(cases.time[numbers], cases.event[numbers], order, ties)
        parts.append(with_events(cases, numbers[order], ties, tau))
        tie_start[start:stop] = ties + start
    order = np.concatenate([part.order for part in parts])
    return replace(with_events(cases, order, tie_start, tau), strata=tuple(parts))


@dataclass(frozen=True)
class Censoring:
    """The Kaplan-Meier estimate G of being uncensored at a time.

    For each distinct time `starts` is its first place, `censored_weight` the weight of the cases
    censored then, `at_risk` that of the cases at risk after its events, `before` G just before it.
    `number` is the number of each place's time.
    """

    number: Integers
    starts: Integers
    censored_weight: Vector
    at_risk: Vector
    before: Vector
    event_observed: NDArray[np.uint8]
    weights: Vector

    def components(self, coefficients: Vector) -> Vector:
        """Return the cases' components by the estimation of G; `coefficients` are those of log G.

        See `censoring_errors`.
        """
        components = np.empty(coefficients.size)
        cases = self.event_observed, self.weights, components
        times = self.at_risk, self.censored_weight
        if self.starts.size == components.size:  # no two cases have the same time
            untied_censoring_errors(coefficients, *times, *cases)
        else:
            censoring_errors(coefficients, self.starts, *times, *cases)
        return components


def censoring_distribution(ordered: TimeOrdered) -> Censoring:
    """Return the Kaplan-Meier estimate of the times of censoring."""
    weights = ordered.weights
    first = ordered.tie_start == np.arange(ordered.tie_start.size)
    starts = np.flatnonzero(first)
    number = np.cumsum(first)
    number -= 1

    def sum_ties(values: AnyArray) -> AnyArray:
        """Return the sums over cases with the same time; without ties the values themselves."""
        return values if starts.size == values.size else np.add.reduceat(values, starts)

    everyone = sum_ties(weights)
    gone = sum_ties(weights * ordered.event_observed)
    has_censored = sum_ties(ordered.event_observed == 0) > 0
    at_risk, censored_weight, before = np.empty((3, starts.size))
    censoring_steps(everyone, gone, has_censored, at_risk, censored_weight, before)
    return Censoring(
        number, starts, censored_weight, at_risk, before, ordered.event_observed, weights
    )


@dataclass(frozen=True)
class UnweightedPairs:
    """Pairs of equal weight: the number that each place is in, and twice its concordant ones."""

    pairs: Integers
    total: int  # of all pairs
    concordant: list[Integers]  # of each model
    concordant_sums: list[int]  # of each model, over places

    def doubled_wins(self, i: int, j: int | None = None) -> int:
        """Return twice the concordant pairs of model i, or their difference from model j's."""
        wins = self.concordant_sums[i] - (0 if j is None else self.concordant_sums[j])
        return wins // 2  # a pair counts for both of its cases

    @property
    def p_uncensored(self) -> None:
        """None: probabilities of being uncensored do not enter Harrell's C."""
        return None

    def estimate(self, i: int, j: int | None = None) -> float:
        """Return the concordance of model i, or its difference from that of j, rounded once."""
        return self.doubled_wins(i, j) / (2 * self.total) if self.total else math.nan

    def components(self, i: int, j: int | None = None, mean: float | None = None) -> Vector:
        """Return the cases' components (U_i - C p_i) / P of a concordance, or of a difference.

        U_i - C p_i is computed in exact integers where those fit. `mean`, if given, replaces C by
        that of all strata.
        """
        concordant = (
            self.concordant[i] if j is None else self.concordant[i] - self.concordant[j]
        ).astype(np.int64)
        if mean is not None:
            return np.asarray((0.5 * concordant - mean * self.pairs) / self.total)
        total = self.total
        concordant_sum = int(concordant.sum())
        if concordant.size <= EXACT_BELOW:
            # 4 P (U_i - C p_i), with twice the U_i, and 4 P C as their sum
            exact = 2 * total * concordant - concordant_sum * self.pairs.astype(np.int64)
            return np.asarray(exact / (4.0 * total * total))
        return np.asarray((0.5 * concordant - concordant_sum / (4 * total) * self.pairs) / total)

    def products(self, i: int, j: int, event: NDArray[np.uint8]) -> Matrix:
        """Return sums (2, 4) over other cases and events: of e_i^2, e_i e_j, e_j^2, (e_i - e_j)^2.

        One pass without arrays of components takes a fifth of the time for a million cases.
        """
        sums = np.empty((2, 4))
        exact = event.size <= EXACT_BELOW
        sum_error_products(
            self.concordant[i], self.concordant[j], self.pairs, event, self.total, exact, sums
        )
        return sums

    def effective_sizes(self, ordered: TimeOrdered) -> EffectiveByPairs:
        """Return Kish's effective numbers of other cases and events by their pairs.

        Without case weights both pairs of numbers are the same.
        """
        out = np.empty((2, 2))
        sum_pairs_by_role(ordered.event, ordered.tie_start, self.pairs, out)
        sums, squares = out
        sizes = effective_numbers(sums, squares)
        return EffectiveByPairs(unweighted=sizes, weighted=sizes)

    def weights_by_role(
        self, event: NDArray[np.uint8], tie_start: Integers
    ) -> tuple[Vector, Vector, float]:
        """Return each place's number of pairs as an event, and as a later case; sum of squares.

        The latter is the sum of squared weights of all pairs: their number.
        """
        before = np.concatenate(([0], np.cumsum(event)))[tie_start]  # events of earlier times
        as_later = np.where(event > 0, before, self.pairs).astype(float)
        return self.pairs - as_later, as_later, float(self.total)


@dataclass(frozen=True)
class WeightedPairs:
    """Pairs that weigh a_i v_j: whole weights a of `events` and v of `cases`.

    `later` is for each place the sum of v over the later cases that it is paired with as an event,
    `earlier` the sum of a over earlier events; `concordant` twice these sums over the pairs that a
    model orders right.
    """

    events: Vector
    cases: Vector
    later: Integers
    earlier: Integers
    concordant: list[tuple[Integers, Integers]]
    censoring: Censoring | None

    @cached_property
    def total(self) -> float:
        """The sum of the weights of all pairs."""
        return float(self.events @ self.later)

    def doubled_wins(self, i: int, j: int | None = None) -> float:
        """Return twice the concordant weight of model i, or its difference from model j's."""
        later, _ = self.concordant_weights(i, j)
        return float(self.events @ later)

    def estimate(self, i: int, j: int | None = None) -> float:
        """Return the concordance of model i, or its difference from that of model j."""
        return self.doubled_wins(i, j) / (2.0 * self.total) if self.total else math.nan

    def concordant_weights(self, i: int, j: int | None) -> tuple[Integers, Integers]:
        """Return `concordant` of model i, less that of j: over later cases, and earlier events."""
        later, earlier = self.concordant[i]
        if j is None:
            return later, earlier
        less_later, less_earlier = self.concordant[j]
        return later - less_later, earlier - less_earlier

    def components(self, i: int, j: int | None = None, mean: float | None = None) -> Vector:
        """Return the cases' components (U_i - C p_i) / P, plus those by Uno's estimated weights.

        `mean`, if given, replaces C by that of all strata.
        """
        later, earlier = self.concordant_weights(i, j)
        mean = self.estimate(i, j) if mean is None else mean
        concordant = 0.5 * (self.events * later + self.cases * earlier)
        expected = mean * (self.events * self.later + self.cases * self.earlier)
        components = zero_rounding(concordant, expected) / self.total
        if self.censoring is None:
            return components
        event_components = (
            zero_rounding(0.5 * self.events * later, mean * self.events * self.later) / self.total
        )
        return components + self.censoring.components(-2.0 * event_components)  # weights have G^-2

    @property
    def p_uncensored(self) -> Vector | None:
        """P(uncensored) just before each place's time, for Uno's C; None for Harrell's."""
        censoring = self.censoring
        return None if censoring is None else censoring.before[censoring.number]

    def effective_sizes(self, ordered: TimeOrdered) -> EffectiveByPairs:
        """Return Kish's effective numbers of other cases and events, by the weight of their pairs.

        Without the cases' own weights, and with them.
        """

        def by_kind(x: Vector) -> NumberByKind:
            """Return the effective numbers of other cases and of events by the weights x."""
            return effective_numbers(*(sums_by_kind(ordered.event, x**p) for p in (1, 2)))

        weights = np.where(ordered.event > 0, self.events * self.later, self.cases * self.earlier)
        return EffectiveByPairs(by_kind(weights / ordered.weights), by_kind(weights))

    def weights_by_role(
        self, event: NDArray[np.uint8], tie_start: Integers
    ) -> tuple[Vector, Vector, float]:
        """Return each place's weight of pairs as an event, and as a later case; sum of squares.

        The latter is that of the weights of all pairs, (a_i v_j)^2, approximately: sum v^2 / sum v
        replaces one v_j.
        """
        as_event, as_later = self.events * self.later, self.cases * self.earlier
        average_case = float(self.cases @ self.cases) / float(self.cases.sum())
        return as_event, as_later, float(np.square(self.events) @ self.later) * average_case


def zero_rounding(observed: Vector, expected: Vector) -> Vector:
    """Return observed - expected, 0 where it is within rounding of `expected`."""
    differences = observed - expected
    return np.where(abs(differences) <= ROUNDING * abs(expected), 0.0, differences)


def concordant_pairs(
    ordered: TimeOrdered, method: str, n_jobs: int = 1
) -> UnweightedPairs | WeightedPairs:
    """Return all pairs and the concordant ones of all models, by 'harrell' or 'uno'."""
    models = range(len(ordered.cases.scores))
    n_jobs = n_jobs if ordered.tie_start.size >= THREADS_FROM else 1
    if method == "uno" or ordered.cases.weights is not None:
        return weighted_concordant_pairs(ordered, method, n_jobs)
    event, tie_start = ordered.event, ordered.tie_start

    def count_concordant(model: int) -> tuple[Integers, int]:
        """Return twice the number (n,) of concordant pairs of each case by a model, and the sum."""
        concordant = np.empty(tie_start.size, tie_start.dtype)
        scores = ordered.scores(model)
        scratch = scores.view(np.uint64)  # one array for both
        doubled_wins_by_scratch(scores, event, tie_start, scratch, concordant)
        return concordant, int(concordant.sum(dtype=np.int64))

    concordant, concordant_sums = zip(*map_threads(count_concordant, models, n_jobs), strict=True)
    # not before: the counts of concordant pairs take much memory for a while
    pairs = np.empty(tie_start.size, tie_start.dtype)
    return UnweightedPairs(
        pairs, int(count_pairs(event, tie_start, pairs)), list(concordant), list(concordant_sums)
    )


def event_weights(ordered: TimeOrdered, method: str) -> Vector:
    """Return each place's weight as an event, 0 for others: w, or w / G(X-)^2 for Uno's C."""
    p_uncensored = ordered.censoring.before[ordered.censoring.number] if method == "uno" else 1.0
    return np.asarray(ordered.weights * ordered.event / np.square(p_uncensored))


def weighted_concordant_pairs(
    ordered: TimeOrdered, method: str, n_jobs: int, scales: tuple[Scale, Scale] = (None, None)
) -> WeightedPairs:
    """Return all weighted pairs, and the concordant weights of all models.

    `scales` of the weights of cases and of events (see `as_integer_weights`) make the whole weights
    of strata comparable.
    """
    event, tie_start = ordered.event, ordered.tie_start
    weights = None if ordered.cases.weights is None else ordered.weights
    cases = as_integer_weights(weights, tie_start.size, scales[0])
    events = as_integer_weights(event_weights(ordered, method), tie_start.size, scales[1])
    later, earlier = np.empty((2, tie_start.size), np.int64)
    weigh_pairs(event, tie_start, events, cases, later, earlier)

    def count_concordant(model: int) -> tuple[Integers, Integers]:
        """Return twice the weights of concordant later cases and earlier events of each place."""
        over_later, over_earlier = np.empty((2, tie_start.size), np.int64)
        weighted_wins(
            ordered.scores(model), event, tie_start, events, cases, over_later, over_earlier
        )
        return over_later, over_earlier

    concordant = map_threads(count_concordant, range(len(ordered.cases.scores)), n_jobs)
    censoring = ordered.censoring if method == "uno" else None
    return WeightedPairs(
        events.astype(float), cases.astype(float), later, earlier, concordant, censoring
    )


def as_integer_weights(weights: Vector | None, n: int, scale: Scale = None) -> Integers:
    """Return weights rounded to integers, as fine as a sum of 60 bits allows; ones for None.

    `scale` is the greatest weight and the number of weights whose sum must fit; by default those of
    `weights`. All are 0 if no weight is above 0.
    """
    if weights is None:
        return np.ones(n, np.int64)
    greatest, n = scale or (float(weights.max(initial=0.0)), n)
    if greatest == 0.0 or not weights.size:
        return np.zeros(weights.size, np.int64)
    return np.rint(weights / greatest * 2.0 ** (BITS - n.bit_length())).astype(np.int64)


EARLY = 0.1  # share censored before tau from which Uno's C is recommended: it moves Harrell's C
LEAST_CHANCE = 0.25  # of being uncensored just before an event: no weight of Uno's exceeds 16


class EarlyCensoring(NamedTuple):
    """The share of cases censored before `tau`, whether it is large, and a `tau` for Uno's C."""

    share: float
    early: bool
    tau: float | None


def early_censoring(time: object, event: object) -> EarlyCensoring:
    """Return how many cases are censored early, and a `tau`, from times and events alone.

    `tau` is the first time at which the estimated chance of being uncensored is below a quarter,
    None if there is no event from there on. Cases with a missing time or event do not count.
    """
    scores = np.zeros(len(time))  # type: ignore[arg-type] # times are read with any scores
    with catch_warnings():
        simplefilter("ignore", DroppedCasesWarning)
        ordered = order_by_time(as_times(time, event, nan_policy="omit", table={"none": scores}))
    moments = ordered.cases.time[ordered.order]
    event_observed = ordered.event_observed == 1
    censoring = ordered.censoring
    rare = censoring.before[censoring.number] < LEAST_CHANCE
    tau = float(moments[rare][0]) if (rare & event_observed).any() else None
    last = tau if tau is not None else float(moments[event_observed].max(initial=0.0))
    share = float(np.mean(~event_observed & (moments < last)))
    return EarlyCensoring(share, share >= EARLY, tau if share >= EARLY else None)
