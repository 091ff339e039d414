"""Replicates of permutation tests: exchanges of two models' midranks within random cases.

Each model ranks all cases. If the models are exchangeable, a case's two ranks may as well be
exchanged; a replicate does so for about half of the cases. Ranks rather than scores, since the two
models' scores may be on different scales.

With psi(x, y) = 1 for x > y and 1/2 for x = y, let psiAB be that of positive i's rank by model A
and negative j's rank by model B, and s_c = -1 for the cases that are exchanged, else 1. Exchanging
i alone turns psiAA - psiBB into psiBA - psiAB, j alone into psiAB - psiBA, both into its opposite:

    mn (AUC_a - AUC_b) = sum_ij (s_i + s_j) (psiAA - psiBB) / 2 + (s_i - s_j) (psiAB - psiBA) / 2

(Bandos, Rockette, Gur 2005). That is linear in the signs: 4mn times it is sum_c s_c t_c, where t_c
is the placement of the case's rank by A, less that of its rank by B, among both models' ranks
pooled. A sum of independent signs has a null distribution that needs no enumeration. Where whole
clusters are exchanged, t_c are the sums of each.

Each exchange has a difference D* and DeLong's standard error SE*. Divided by it, the differences of
exchangeable models are distributed as those of models that differ by delta, (D - delta) / SE, for
many cases even where the models' curves are unlike (Pauly, Asendorf, Konietschke 2016). So the test
turns into an interval: the delta that it does not reject.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import Checkpoint
from .._base.types import AnyArray, Integers, Vector
from .._inference.exact import signed_sum_additions, signed_sum_pvalue
from .._inference.pvalues import (
    UNDEFINED,
    PValue,
    claim_pvalue,
    open_one_side,
    ratio,
    upper_tail_start,
)
from .._inputs.options import Workers, has_direction
from .._inputs.plans.simulations import check_fewer, check_steps
from .._inputs.scores import Cases
from .._resampling.bootstrap import snap_to_points
from .._resampling.replicates import OrderStatistics
from .._resampling.weights import (
    BLOCKS_PER_TABLE,
    UNITS_PER_CALL,
    monte_carlo_pvalue,
    null_replicates,
)
from ..kernels.drawing.exchange import UNIT, add_exchanged_sums, draw_signs
from ..kernels.drawing.streams import LANES
from ..kernels.sorting.placements import midranks
from ..kernels.studentize import studentized_exchanges
from ._components import WIDE_FROM, as_components

Ranks = list[NDArray[np.uint32]]


@dataclass(frozen=True, slots=True)
class PermutationOptions:
    """Options of a permutation test; if `exact` is None, the cost of an exact test decides."""

    alternative: str
    exact: bool | None
    n_resamples: int
    seed: int
    workers: Workers

    def counts_all(self, work: float, quick: float, most: float) -> bool:
        """Return whether to count all exchanges: by default if `work` is at most `quick` steps.

        Raises if all are asked for but `work` exceeds `most` steps.
        """
        if self.exact:
            check_steps(work, most)
        return work <= quick if self.exact is None else self.exact


@dataclass(frozen=True, slots=True)
class Outcome:
    """Statistic, estimate and p-value of a permutation test; `values` are replicates if drawn."""

    statistic: float
    estimate: float | None
    standard_error: float | None
    pvalue: PValue
    identical: bool = False
    exact: bool = False
    values: AnyArray | None = None
    ends: StudentizedEnds | None = None

    @classmethod
    def without_test(cls, method: str, estimate: float) -> Outcome:
        """Return the outcome with NaN for statistic and p-value, where no test is defined."""
        if method == "venkatraman":
            return cls(math.nan, None, None, UNDEFINED)
        return cls(math.nan, estimate, math.nan, UNDEFINED)

    def status(self, m: int, n: int) -> str:
        """Return the status word for m positives and n negatives."""
        if not (m and n):
            return "one_class"
        if math.isnan(self.statistic):
            return "too_few"
        if math.isinf(self.statistic):
            return "no_interval"
        return "identical" if self.identical else "ok"


def model_ranks(cases: Cases) -> Ranks:
    """Return twice the midranks that each model gives to all cases."""
    check_fewer(cases.labels.size, WIDE_FROM)  # twice a rank takes 32 bits, 4mn differences 63
    ranks = [np.empty(scores.size, np.uint32) for scores in cases.scores]
    for scores, out in zip(cases.scores, ranks, strict=True):
        midranks(scores, out)
    return ranks


QUICK_CASES = 2e7  # cases in all exchanges that take 0.1 s: 20 cases or so
MOST_CASES = 3e9  # half a minute
CASES_PER_CALL = 1 << 21  # cases in a kernel call: 20 ms, so that an interrupt is heard


class Exchanges(ABC):
    """Replicates of a statistic of n cases: after random exchanges, or all if `seed` is None."""

    __slots__ = ()
    n: int
    seed: int | None

    @property
    @abstractmethod
    def n_moved(self) -> int:
        """The number of cases that an exchange changes: those with two different ranks."""

    @abstractmethod
    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write the statistic of replicates `lane`, lane + 1, ... of a block to `out`.

        Bit i % 16 of signs[i // 16, lane] says whether case i is exchanged.
        """

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the statistic of replicates 64 b, ..., 64 b + 63 for every block b."""
        signs = np.empty((-(-self.n_moved // UNIT), LANES), np.uint16)
        out = np.empty((len(blocks), LANES))
        width = max(1, CASES_PER_CALL // self.n)
        for row, block in zip(out, blocks, strict=True):
            self._draw(block, signs)
            for lane in range(0, LANES, width):
                checkpoint()
                self.write(signs, lane, row[lane : lane + width])
        return out

    def _draw(self, block: int, signs: NDArray[np.uint16]) -> None:
        """Write the bits of the exchanges of a block: random ones, or the next 64 of all."""
        if self.seed is not None:
            draw_signs(np.uint64(block), np.uint64(self.seed), signs)
            return
        number = np.arange(LANES) + LANES * block
        for unit, row in enumerate(signs):
            row[:] = (number >> (UNIT * unit)) & 0xFFFF

    @property
    def n_exchanges(self) -> int:
        """The number of exchanges that differ up to the sign, 2^(n_moved - 1)."""
        return int(1 << max(self.n_moved - 1, 0))

    def observed_statistic(self) -> float:
        """Return the statistic without an exchange."""
        signs = np.zeros((-(-self.n_moved // UNIT), LANES), np.uint16)
        out = np.empty(1)
        self.write(signs, 0, out)
        return float(out[0])


QUICK_ADDITIONS = 5e8  # additions that take 0.1 s: 1,000 cases or so
MOST_ADDITIONS = 3e11  # a minute


def auc_exchange_test(cases: Cases, ranks: Ranks, plan: PermutationOptions) -> Outcome:
    """Return the outcome of Bandos' permutation test of equal AUCs."""
    t = exchange_contributions(cases, ranks)
    m = int(np.count_nonzero(cases.labels))
    pairs = 4 * m * (t.size - m)
    if cases.groups is not None:
        t = sums_of_clusters(t, cases.groups)
    return outcome_of_contributions(t, pairs, *sign_flip_test(t, plan))


def outcome_of_contributions(
    t: AnyArray, scale: float, pvalue: PValue, null_sums: AnyArray | None
) -> Outcome:
    """Return the outcome of a test of sum(t) / scale, the difference, with its p-value.

    `null_sums` are the sums of t with random signs; None if all signs were counted.
    """
    estimate = t.sum().item() / scale
    identical = not t.any()
    error = math.sqrt(float((t.astype(np.float64) ** 2).sum())) / scale
    values = None if null_sums is None else null_sums / scale
    return Outcome(estimate, estimate, error, pvalue, identical, null_sums is None, values)


def sign_flip_test(t: Integers, plan: PermutationOptions) -> tuple[PValue, Integers | None]:
    """Return the p-value of sum(t) under random signs, and the replicates, None if exact."""
    if plan.counts_all(signed_sum_additions(t), QUICK_ADDITIONS, MOST_ADDITIONS):
        return signed_sum_pvalue(t, plan.alternative), None
    null_sums = null_replicates(SignedSums.of(t, plan.seed), plan.n_resamples, t.size, plan.workers)
    start, _ = upper_tail_start(int(t.sum()), plan.alternative)
    return monte_carlo_pvalue(upper_tail_start(null_sums, plan.alternative)[0] >= start), null_sums


def exchange_contributions(cases: Cases, ranks: Ranks) -> Integers:
    """Return t (n,): 4mn (AUC_a - AUC_b) is sum(t), and exchanging case i changes t_i to -t_i."""
    pooled = Cases(np.tile(cases.labels, 2), [np.concatenate(ranks, dtype=np.float64)], ("ranks",))
    placed: Integers = as_components(pooled).placed[0].astype(np.int64)
    return placed[: cases.labels.size] - placed[cases.labels.size :]


def sums_of_clusters(t: Integers, groups: Integers) -> Integers:
    """Return the sum of t over each cluster, in order of the cluster numbers in `groups`."""
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(int(groups.max()) + 1))
    return np.asarray(np.add.reduceat(t[order], starts))


@dataclass(frozen=True, slots=True)
class SignedSums:
    """Replicates of the sum of `t` with random signs.

    The t are sorted by size and all have the sign of the observed sum: so the order of the cases
    does not matter, and swapping the models changes the sign of every replicate.
    """

    t: Integers
    seed: int

    @classmethod
    def of(cls, t: Integers, seed: int) -> SignedSums:
        """Return the null distribution of sum(t); zeros are left out."""
        sizes = np.sort(abs(t[t != 0]))
        padded = np.zeros(-(-sizes.size // UNIT) * UNIT, np.int64)
        padded[: sizes.size] = -sizes if t.sum() < 0 else sizes
        return cls(padded, seed)

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Integers:
        """Return the sums of replicates 64 b, ..., 64 b + 63 for every block b."""
        sums = np.zeros((len(blocks), LANES), np.int64)
        for first in range(0, len(blocks), BLOCKS_PER_TABLE):
            part = sums[first : first + BLOCKS_PER_TABLE]
            block = np.uint64(blocks[first])
            for unit in range(0, self.t.size // UNIT, UNITS_PER_CALL):
                checkpoint()
                t = self.t[unit * UNIT : (unit + UNITS_PER_CALL) * UNIT]
                add_exchanged_sums(t, np.uint64(unit), block, np.uint64(self.seed), part)
        return sums


COST_OF_CASE = 100  # a case of a replicate takes 100 times as long as one sign in a sum
NEAR = 1e-12  # distances closer than this, relative to their size, are equal but for rounding


@dataclass(frozen=True, slots=True)
class StudentizedDifferences(Exchanges):
    """Replicates of D* / SE*; the arrays are as in `kernels.studentize`."""

    entries: NDArray[np.int64]
    ends: NDArray[np.int64]
    labels: NDArray[np.int64]
    number: NDArray[np.int64]
    n: int
    seed: int | None = None

    @property
    def n_moved(self) -> int:
        """The number of cases that an exchange changes: those with two different ranks."""
        return int(self.number.max(initial=-1)) + 1

    def observed_moments(self) -> tuple[float, float]:
        """Return the difference and its standard error without an exchange."""
        signs = np.zeros((-(-self.n_moved // UNIT), LANES), np.uint16)
        difference, error = self.moments(signs, 0, 1)[0].tolist()
        return difference, error

    def moments(self, signs: NDArray[np.uint16], lane: int, count: int) -> Vector:
        """Return D* and SE* (count, 2) after the exchanges of the lanes from `lane` on."""
        out = np.empty((count, 2))
        studentized_exchanges(self.entries, self.ends, self.labels, self.number, signs, lane, out)
        return out

    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write D* / SE* after the exchanges of the lanes from `lane` on; 0 for 0 / 0."""
        difference, error = self.moments(signs, lane, out.size).T
        with np.errstate(divide="ignore", invalid="ignore"):
            out[:] = np.where(difference == 0.0, 0.0, difference / error)


class StudentizedEnds(NamedTuple):
    """p-value and interval of a difference, by the order statistics of distances t* SE.

    A distance is that of an estimate from the true difference. For a one-sided test `downward` and
    `upward` are -distance, for a two-sided test -|distance| and |distance|.
    """

    estimate: float
    downward: OrderStatistics
    upward: OrderStatistics

    @classmethod
    def of(
        cls, estimate: float, distances: Vector, alternative: str, *, exhaustive: bool
    ) -> StudentizedEnds:
        """Return the ends by distances; `exhaustive` says that these are all that exist."""
        up = -distances if has_direction(alternative) else abs(distances)
        down = -distances if has_direction(alternative) else -up
        downward = OrderStatistics(down, exhaustive=exhaustive)
        return cls(estimate, downward, OrderStatistics(up, exhaustive=exhaustive))

    def pvalue(self, alternative: str) -> PValue:
        """Return the p-value of the null hypothesis that the difference is 0."""
        if not has_direction(alternative):
            p = self.downward.above(-abs(self.estimate))
        else:
            above, below = self.downward.above(-self.estimate), self.upward.below(-self.estimate)
            p = claim_pvalue(alternative, 0.0, lambda _: above, lambda _: below).pvalue
        return PValue(p, math.log(p))

    def ends(self, alternative: str, level: float) -> tuple[float, float]:
        """Return the limits of the differences that the test does not reject at this level."""
        alpha = 1.0 - level
        low, high = self.downward.low(alpha), self.upward.high(alpha)
        return open_one_side(alternative, self.estimate + low, self.estimate + high)


def studentized_exchange_test(cases: Cases, ranks: Ranks, plan: PermutationOptions) -> Outcome:
    """Return the outcome of the studentized permutation test of equal AUCs."""
    null = studentized_null(cases.labels, ranks, plan.seed)
    estimate, error = null.observed_moments()
    exact = plan.counts_all(null.n_exchanges * null.n, QUICK_CASES, MOST_CASES)
    total = null.n_exchanges if exact else plan.n_resamples
    source = replace(null, seed=None) if exact else null
    values = null_replicates(source, total, COST_OF_CASE * null.n, plan.workers)
    # half of all exchanges suffice: the others have the opposite sign; values[0] are the data
    pivots = np.concatenate((values[1:], -values)) if exact else values
    near = NEAR * abs(estimate)
    statistic = ratio(estimate, error)
    if error > 0.0:
        distances = snap_to_points(pivots * error, (estimate, -estimate), near)
        ends = StudentizedEnds.of(estimate, distances, plan.alternative, exhaustive=exact)
    else:
        ends = StudentizedEnds.of(statistic, pivots, plan.alternative, exhaustive=exact)
    return Outcome(
        statistic,
        estimate,
        error,
        ends.pvalue(plan.alternative),
        identical=not (estimate or error),
        exact=exact,
        values=None if exact else values,
        ends=ends if error > 0.0 else None,
    )


def studentized_null(labels: NDArray[np.uint8], ranks: Ranks, seed: int) -> StudentizedDifferences:
    """Return the null distribution of (AUC_a - AUC_b) / SE from both models' doubled midranks."""
    pooled = np.column_stack(ranks).ravel()  # case by case: the first model's rank, the second's
    entries = np.argsort(pooled, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(pooled[entries])) + 1, pooled.size)
    moved = ranks[0] != ranks[1]
    number = np.where(moved, np.cumsum(moved) - 1, -1)
    wide = labels.astype(np.int64)
    return StudentizedDifferences(entries, ends, wide, number, labels.size, seed)


@dataclass(frozen=True, slots=True)
class PrecisionDifferences(Exchanges):
    """Replicates of the difference of two models' average precisions.

    `ranks` (2, n) are those of the models, `owner` (n,) the number of each case's cluster, whose
    cases are exchanged together, or of the case.
    """

    ranks: NDArray[np.int64]
    labels: NDArray[np.int64]
    owner: Integers
    n: int
    seed: int | None = None

    @property
    def n_moved(self) -> int:
        """The number of cases, or of clusters, that are exchanged."""
        return int(self.owner.max()) + 1

    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write the differences after the exchanges of the lanes from `lane` on."""
        words = signs[:, lane : lane + out.size].T[:, :, None]
        bits = (words >> np.arange(UNIT, dtype=np.uint16)) & 1
        exchanged = bits.reshape(out.size, -1)[:, self.owner] == 1
        first, second = self.ranks
        models = np.where(exchanged, second, first), np.where(exchanged, first, second)
        precisions = [average_precisions(ranks, self.labels) for ranks in models]
        out[:] = precisions[0] - precisions[1]


def average_precisions(ranks: NDArray[np.int64], labels: NDArray[np.int64]) -> Vector:
    """Return the average precision of each row of ranks (B, n); tied cases enter together."""
    order = np.argsort(-ranks, axis=1, kind="stable")
    ordered = np.take_along_axis(ranks, order, axis=1)
    positive = labels[order]
    n = labels.size
    last = np.ones(ordered.shape, bool)
    last[:, :-1] = ordered[:, :-1] != ordered[:, 1:]
    ends = np.where(last, np.arange(n), n)
    ends = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    true_positives = np.take_along_axis(np.cumsum(positive, axis=1), ends, axis=1)
    precision: Vector = (positive * true_positives / (ends + 1.0)).sum(axis=1) / labels.sum()
    return precision


def exchanged_precisions(cases: Cases, n_resamples: int, seed: int, workers: Workers) -> Vector:
    """Return the differences of the models' average precisions after random exchanges."""
    labels = cases.labels.astype(np.int64)
    groups = cases.groups
    owner = np.arange(labels.size) if groups is None else groups
    ranks = np.array(model_ranks(cases), np.int64)
    null = PrecisionDifferences(ranks, labels, owner, labels.size, seed)
    return np.asarray(null_replicates(null, n_resamples, COST_OF_CASE * null.n, workers))
