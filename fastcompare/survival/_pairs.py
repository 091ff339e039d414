"""Pairs of cases whose order in time is known, and what models win of them.

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
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from warnings import catch_warnings, simplefilter

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import DroppedCasesWarning
from .._base.parallel import map_threads
from .._base.types import Integers, Matrix, Vector
from .._inputs.times import Times, as_times
from ..kernels.concordance import (
    count_pairs,
    doubled_wins_in,
    order_in_time,
    sum_errors,
    sum_sides,
    weigh_pairs,
    weighted_wins,
)
from ._variance import Parts, kish, totals

BITS = 60  # of the sum of all weights
THREADS_FROM = 20_000  # cases: of fewer a thread takes as long to start as it saves
EXACT_BELOW = 1 << 20  # cases: 2 n^3 fits 63 bits
ROUNDING = 2.0**-48
NARROW = 1 << 30  # cases, of which 32 bits hold the wins


@dataclass(frozen=True)
class InTime:
    """Cases in the order of time, events first among equal times.

    `event` says which events count: those before `tau`. `run` is where the run of equal times
    begins that holds a place, and `order` the number of its case.
    """

    cases: Times
    order: Integers
    run: Integers
    seen: NDArray[np.uint8]
    event: NDArray[np.uint8]

    @property
    def n_events(self) -> int:
        """How many events count."""
        return int(np.count_nonzero(self.event))

    @property
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
        return censoring_of(self)


def in_time(cases: Times, tau: float | None = None) -> InTime:
    """Return cases in the order of time, of whose events those before `tau` count."""
    kind = np.int32 if cases.time.size < NARROW else np.int64  # half the memory for few
    order, run = np.empty((2, cases.time.size), kind)
    order_in_time(cases.time, cases.event, order, run)
    seen = cases.event[order]
    event = seen if tau is None else seen & (cases.time[order] < tau)
    return InTime(cases, order, run, seen, event)


@dataclass(frozen=True)
class Censoring:
    """The censored weight `left` at each time and the weight `at_risk` of it; G before each time.

    `number` is the number of the time of each place. Who is at risk at a time is still there after
    its events.
    """

    number: Integers
    starts: Integers
    left: Vector
    at_risk: Vector
    before: Vector
    seen: NDArray[np.uint8]
    weights: Vector

    def part(self, own: Vector) -> Vector:
        """Return sum_i A_i w_m dlog G(X_i-) / dw_m for all m, where A is `own`.

        With B(t) the sum of A_i beyond t, c censored at t and Y at risk, each m at risk adds
        B c / (Y (Y - c)), and B / (Y - c) less if it is censored then.
        """
        sums = np.add.reduceat(own, self.starts)
        beyond = np.append(np.cumsum(sums[::-1])[::-1][1:], 0.0)
        rest = self.at_risk - self.left
        counts = (self.left > 0.0) & (beyond != 0.0)  # where none is at risk afterwards, B is 0
        step, less = np.zeros((2, sums.size))
        less[counts] = beyond[counts] / rest[counts]
        step[counts] = less[counts] * self.left[counts] / self.at_risk[counts]
        total = np.cumsum(step)
        before = np.concatenate(([0.0], total[:-1]))
        found = np.where(self.seen == 0, (total - less)[self.number], before[self.number])
        return np.asarray(self.weights * found)


def censoring_of(ordered: InTime) -> Censoring:
    """Return the Kaplan-Meier estimate of the times of censoring."""
    weights = ordered.weights
    first = ordered.run == np.arange(ordered.run.size)
    starts = np.flatnonzero(first)
    number = np.cumsum(first) - 1
    everyone = np.add.reduceat(weights, starts)
    gone = np.add.reduceat(weights * ordered.seen, starts)
    at_risk = np.cumsum(everyone[::-1])[::-1] - gone
    left = everyone - gone
    left[np.add.reduceat(ordered.seen == 0, starts) == 0] = 0.0  # not what rounding leaves
    with np.errstate(divide="ignore", invalid="ignore"):
        factors = np.where(left > 0.0, 1.0 - left / at_risk, 1.0)
    before = np.concatenate(([1.0], np.cumprod(factors)[:-1]))
    return Censoring(number, starts, left, at_risk, before, ordered.seen, weights)


@dataclass(frozen=True)
class Counted:
    """Pairs that count equally: how many each place is in, and twice what each model wins."""

    pairs: Integers
    total: int
    wins: list[Integers]
    won: list[int]  # the sums of those

    def estimate(self, i: int, j: int | None = None) -> float:
        """Return a model's concordance, or how much more it has than another, rounded once."""
        won = self.won[i] - (0 if j is None else self.won[j])
        # a pair counts twice, and wins are doubled
        return won / (4 * self.total) if self.total else math.nan

    def errors(self, i: int, j: int | None = None) -> Vector:
        """Return the errors (U_i - C p_i) / P of the same, whole numbers where those fit."""
        won = (self.wins[i] if j is None else self.wins[i] - self.wins[j]).astype(np.int64)
        total, all_won = self.total, int(won.sum())
        if won.size <= EXACT_BELOW:
            exact = 2 * total * won - all_won * self.pairs.astype(np.int64)
            return np.asarray(exact / (4.0 * total * total))
        return np.asarray((0.5 * won - all_won / (4 * total) * self.pairs) / total)

    def products(self, i: int, j: int, event: NDArray[np.uint8]) -> Matrix:
        """Return sums (2, 4) over other cases and events: of e_i^2, e_i e_j, e_j^2, (e_i - e_j)^2.

        In one pass: of a million cases in a fifth of the time of arrays of errors.
        """
        sums, exact = np.empty((2, 4)), event.size <= EXACT_BELOW
        sum_errors(self.wins[i], self.wins[j], self.pairs, event, self.total, exact, sums)
        return sums

    def worth(self, ordered: InTime) -> tuple[Parts, Parts]:
        """Return as how many equal ones other cases and events count by their pairs, twice."""
        out = np.empty((2, 2))
        sum_sides(ordered.event, ordered.run, self.pairs, out)
        own = kish(*out)
        return own, own

    def sides(self, event: NDArray[np.uint8], run: Integers) -> tuple[Vector, Vector, float]:
        """Return how many pairs each place is in, as an event and as a later case, and in all."""
        before = np.concatenate(([0], np.cumsum(event)))[run]  # events of earlier times
        earlier = np.where(event > 0, before, self.pairs).astype(float)
        return self.pairs - earlier, earlier, float(self.total)


@dataclass(frozen=True)
class Weighed:
    """Pairs that weigh a_i v_j, whole numbers: the weights of events, and of cases.

    `later` are the v of later cases that an event is paired with, `earlier` the a of earlier events
    that a case is paired with, and of each model twice those of pairs that it orders so.
    """

    events: Vector
    cases: Vector
    later: Integers
    earlier: Integers
    wins: list[tuple[Integers, Integers]]
    censoring: Censoring | None

    @cached_property
    def total(self) -> float:
        """The weight of all pairs."""
        return float(self.events @ self.later)

    def estimate(self, i: int, j: int | None = None) -> float:
        """Return a model's concordance, or how much more it has than another."""
        if not self.total:
            return math.nan
        return float(self.events @ self.won(i, j)[0]) / (2.0 * self.total)

    def won(self, i: int, j: int | None) -> tuple[Integers, Integers]:
        """Return twice what a model wins, or how much more than another: as events, and later."""
        (later, earlier) = self.wins[i]
        return (
            (later, earlier) if j is None else (later - self.wins[j][0], earlier - self.wins[j][1])
        )

    def errors(self, i: int, j: int | None = None) -> Vector:
        """Return the errors of the same: (U_i - C p_i) / P, and what they add to the weights."""
        later, earlier = self.won(i, j)
        mean = self.estimate(i, j)
        won = 0.5 * (self.events * later + self.cases * earlier)
        expected = mean * (self.events * self.later + self.cases * self.earlier)
        errors = cleared(won, expected) / self.total
        if self.censoring is None:
            return errors
        own = cleared(0.5 * self.events * later, mean * self.events * self.later) / self.total
        return errors + self.censoring.part(-2.0 * own)

    def worth(self, ordered: InTime) -> tuple[Parts, Parts]:
        """Return as how many equal ones other cases and events count by their pairs.

        First without the cases' own weights, then with them.
        """
        side = np.where(ordered.event > 0, self.events * self.later, self.cases * self.earlier)
        both = [side / ordered.weights, side]
        plain, own = (kish(*(totals(ordered.event, x**p) for p in (1, 2))) for x in both)
        return plain, own

    def sides(self, event: NDArray[np.uint8], run: Integers) -> tuple[Vector, Vector, float]:
        """Return the weights of pairs of each place, as `Counted`, and the sum of their squares.

        Of cases with weights that sum is one of averages: a case is about as heavy as all.
        """
        later, earlier = self.events * self.later, self.cases * self.earlier
        usual = float(self.cases @ self.cases) / float(self.cases.sum())
        return later, earlier, float(np.square(self.events) @ self.later) * usual


def cleared(won: Vector, expected: Vector) -> Vector:
    """Return the differences, 0 where they are within rounding."""
    differences = won - expected
    return np.where(abs(differences) <= ROUNDING * abs(expected), 0.0, differences)


def won_pairs(ordered: InTime, method: str, n_jobs: int = 1) -> Counted | Weighed:
    """Return the pairs and wins of all models, by 'harrell' or 'uno'."""
    models = range(len(ordered.cases.scores))
    n_jobs = n_jobs if ordered.run.size >= THREADS_FROM else 1
    if method == "uno" or ordered.cases.weights is not None:
        return weighed_pairs(ordered, method, n_jobs)
    event, run = ordered.event, ordered.run

    def wins_of(model: int) -> tuple[Integers, int]:
        wins, scores = np.empty(run.size, run.dtype), ordered.scores(model)
        doubled_wins_in(scores, event, run, scores.view(np.uint64), wins)  # one array for both
        return wins, int(wins.sum(dtype=np.int64))

    wins, won = zip(*map_threads(wins_of, models, n_jobs), strict=True)
    pairs = np.empty(run.size, run.dtype)  # not before: wins take much memory for a while
    return Counted(pairs, int(count_pairs(event, run, pairs)), list(wins), list(won))


def weighed_pairs(ordered: InTime, method: str, n_jobs: int) -> Weighed:
    """Return the pairs and wins of all models, with weights."""
    event, run, weights = ordered.event, ordered.run, ordered.weights
    chance = ordered.censoring.before[ordered.censoring.number] if method == "uno" else 1.0
    cases = as_whole(None if ordered.cases.weights is None else weights, run.size)
    events = as_whole(weights * event / np.square(chance), run.size)
    later, earlier = np.empty((2, run.size), np.int64)
    weigh_pairs(event, run, events, cases, later, earlier)

    def wins_of(model: int) -> tuple[Integers, Integers]:
        wins, losses = np.empty((2, run.size), np.int64)
        weighted_wins(ordered.scores(model), event, run, events, cases, wins, losses)
        return wins, losses

    wins = map_threads(wins_of, range(len(ordered.cases.scores)), n_jobs)
    censoring = ordered.censoring if method == "uno" else None
    return Weighed(events.astype(float), cases.astype(float), later, earlier, wins, censoring)


def as_whole(weights: Vector | None, n: int) -> Integers:
    """Return weights as whole numbers, as fine as their sum fits; 1 for none."""
    if weights is None:
        return np.ones(n, np.int64)
    greatest = float(weights.max(initial=0.0))
    if greatest == 0.0:
        return np.zeros(n, np.int64)
    return np.rint(weights / greatest * 2.0 ** (BITS - n.bit_length())).astype(np.int64)


EARLY = 0.1  # censored before tau: from so many on Harrell's C depends on censoring, Uno's does not
LEAST_CHANCE = 0.25  # of being uncensored just before an event: no weight of Uno's exceeds 16


class FollowedUp(NamedTuple):
    """The share of cases that are censored early, whether it is large, and a `tau` for Uno's C."""

    share: float
    early: bool
    tau: float | None


def followed_up(time: object, event: object) -> FollowedUp:
    """Return how many cases are censored early, and a `tau`, whatever the models are.

    `tau` is the first time at which less than a quarter of the cases would be uncensored, None if
    there is no event from there on. Cases with a missing time or event do not count.
    """
    none = np.zeros(len(time))  # type: ignore[arg-type]
    with catch_warnings():
        simplefilter("ignore", DroppedCasesWarning)
        ordered = in_time(as_times(time, event, nan_policy="omit", table={"none": none}))
    moments, seen = ordered.cases.time[ordered.order], ordered.seen == 1
    censoring = ordered.censoring
    rare = censoring.before[censoring.number] < LEAST_CHANCE
    tau = float(moments[rare][0]) if (rare & seen).any() else None
    last = tau if tau is not None else float(moments[seen].max(initial=0.0))
    share = float(np.mean(~seen & (moments < last)))
    return FollowedUp(share, share >= EARLY, tau if share >= EARLY else None)
