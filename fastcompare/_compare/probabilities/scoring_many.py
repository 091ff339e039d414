"""Tests of the losses of all pairs of models: what `scoring_test` says, to the last bit.

Pairs share what they can: t-tests and ranks work on many differences at once, and random signs or
weights are drawn once for some pairs.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.parallel import Checkpoint, no_checkpoint, run_all
from ..._base.types import Vector
from ..._inference.pvalues import claim_ends, ratios, student_pvalues
from ..._inputs.randomness import key_of
from ..._inputs.workers import Workers
from ..._resampling.blocks import all_blocks
from ..._resampling.bootstrap import Claim, Draws
from ..._resampling.weights import Strata, run_blocks
from ..paired.columns import Columns
from ..paired.many_ranks import pvalues_of, rank_sums
from ..paired.signed_ranks import NEAR
from .flips import flipped_sums, in_order
from .scoring_methods import METHODS, STUDENT, Differences, WeightedMeans, rank_title, summarise

Words = NDArray[np.str_]
Flags = NDArray[np.bool_]

TOGETHER = 8  # pairs that share draws: a sixth faster than one by one; 32 fall out of the cache


class Summary(NamedTuple):
    """Of all pairs: mean difference, its standard error, whether all are finite, whether all 0."""

    estimate: Vector
    standard_error: Vector
    finite: Flags
    zero: Flags

    def only(self, chosen: Flags) -> "Summary":
        """Return the same of some of the pairs."""
        estimate, standard_error, finite, zero = self
        return Summary(estimate[chosen], standard_error[chosen], finite[chosen], zero[chosen])

    def statuses(self, n: int, method: str) -> Words:
        """Return the status words, as `scoring.status_of`."""
        fine = (self.standard_error > 0.0) | (method in ("wilcoxon", "permutation"))
        cases = [~self.finite, np.full(fine.shape, n == 1), self.zero, fine]
        return np.select(
            cases, ["infinite_loss", "one_case", "no_difference", "ok"], "zero_variance"
        )


class Tested(NamedTuple):
    """Of all pairs: statistic, p-value, standard error, method, number of replicates."""

    statistic: Vector
    pvalue: Vector
    standard_error: Vector
    method: Words
    n_resamples: NDArray[np.int64]


NOTHING = (math.nan, math.nan, math.nan, "undefined", 0)


@dataclass(frozen=True, slots=True)
class LossPairs:
    """Pairs of losses, and what tests of their differences need; picklable."""

    columns: Columns
    method: str
    zeros: str
    claim: Claim
    draws: Draws

    @classmethod
    def of(
        cls, columns: Columns, method: str, zeros: str, claim: Claim, draws: Draws
    ) -> "LossPairs":
        """Return the pairs; who works on them is somebody else's business."""
        alone = Workers(n_jobs=1, executor=None, progress=None)
        return cls(columns, method, zeros, claim, draws._replace(workers=alone))

    def only(self, chosen: Flags) -> "LossPairs":
        """Return the same with some of the pairs."""
        return replace(self, columns=self.columns.only(chosen))

    def groups(self) -> list[slice]:
        """Return the pairs in groups that share their draws."""
        starts = range(0, self.columns.first.size, TOGETHER)
        return [slice(start, start + TOGETHER) for start in starts]

    def said(self, group: slice, checkpoint: Checkpoint) -> list[dict[str, Any]]:
        """Return what `scoring_test` says of the pairs of a group."""
        columns = self.columns.only(group)
        both = zip(columns.differences(), columns.scale.tolist(), strict=True)
        found = [summarise(d, scale) for d, scale in both]
        if self.method in DRAWS:
            found = DRAWS[self.method](found, self.draws, checkpoint)
        test = METHODS[self.method]
        return [
            {"standard_error": one.standard_error, **test(one, self.claim, self.draws, self.zeros)}
            for one in found
        ]

    def ends(self, level: float) -> tuple[Vector, Vector]:
        """Return the ends of intervals for all pairs."""
        said = [one for group in self.groups() for one in self.said(group, no_checkpoint)]
        tails, direction = [one["_tails"] for one in said], self.claim.alternative
        ends = [claim_ends(direction, level, one.low, one.high) for one in tails]
        low, high = np.reshape(ends, (-1, 2)).T
        return low, high


@np.errstate(under="ignore", invalid="ignore", over="ignore")
def summarise_all(columns: Columns) -> Summary:
    """Return what `summarise` says of all pairs."""
    n, near = columns.n, NEAR * columns.scale
    estimate, deviation, low, high = np.empty((4, near.size))
    for part, d in columns.blocks():
        estimate[part], low[part], high[part] = d.mean(axis=1), d.min(axis=1), d.max(axis=1)
        deviation[part] = d.std(axis=1, ddof=1) if n > 1 else math.nan
    finite = np.isfinite(low) & np.isfinite(high)
    zero = finite & (np.maximum(-low, high) <= near)
    estimate[zero] = 0.0
    if n > 1:
        deviation[high - low <= near] = 0.0
    deviation[~finite] = math.nan
    return Summary(estimate, deviation / math.sqrt(n), finite, zero)


def test_all(pairs: LossPairs, summary: Summary, workers: Workers) -> Tested:
    """Return what the tests of all pairs say, NaN where a loss is infinite."""
    finite = summary.finite
    rows: list[tuple[Any, ...]] = [NOTHING] * finite.size
    if finite.any():
        some, known = pairs.only(finite), summary.only(finite)
        for p, row in zip(np.flatnonzero(finite), test_some(some, known, workers), strict=True):
            rows[p] = row
    return Tested(*map(np.array, zip(*rows, strict=True)))


def test_some(pairs: LossPairs, known: Summary, workers: Workers) -> Iterable[tuple[Any, ...]]:
    """Return the fields of `Tested`, a row a pair."""
    if pairs.method in AT_ONCE:
        columns = AT_ONCE[pairs.method](pairs, known)
        return zip(*(values.tolist() for values in columns), strict=True)
    return chain(*run_all(partial(test_group, pairs), pairs.groups(), **workers))


def test_group(pairs: LossPairs, group: slice, checkpoint: Checkpoint) -> list[tuple[Any, ...]]:
    """Return the fields of `Tested` of the pairs of a group."""
    names = ("statistic", "pvalue", "standard_error", "method", "n_resamples")
    return [tuple(map(one.get, names)) for one in pairs.said(group, checkpoint)]


def by_student_all(pairs: LossPairs, known: Summary) -> Tested:
    """Return what paired t-tests say."""
    estimate, error, *_ = known
    t = ratios(estimate, error)
    p = student_pvalues(t, pairs.columns.n - 1, pairs.claim.alternative)
    p[(estimate == 0.0) & (error == 0.0)] = 1.0
    return Tested(t, p, error, np.full(p.shape, STUDENT), np.zeros(p.shape, np.int64))


def by_ranks_all(pairs: LossPairs, known: Summary) -> Tested:
    """Return what Wilcoxon's tests say."""
    ranks = rank_sums(pairs.columns, pairs.zeros)
    p, exact = pvalues_of(
        ranks,
        pairs.columns,
        alternative=pairs.claim.alternative,
        method="auto",
        zeros=pairs.zeros,
    )
    titles = (rank_title(how, pairs.zeros) for how in ("exact", "normal"))
    return Tested(
        ranks.w_plus(pairs.zeros),
        p,
        known.standard_error,
        np.where(exact, *titles),
        np.zeros(p.shape, np.int64),
    )


AT_ONCE = {"t": by_student_all, "wilcoxon": by_ranks_all}


def draw_flips(found: list[Differences], draws: Draws, checkpoint: Checkpoint) -> list[Differences]:
    """Return the differences with their sums by random signs, where not all signs are counted."""
    many = [i for i, one in enumerate(found) if not one.has_few(draws)]
    if not many:
        return found
    rows = np.stack([in_order(found[i].d)[0] for i in many])
    sums = flipped_sums(rows, key_of(draws.seed), all_blocks(draws.n), checkpoint)
    drawn = dict(zip(many, sums.reshape(len(rows), -1)[:, : draws.n], strict=True))
    return [one._replace(drawn=drawn.get(i)) for i, one in enumerate(found)]


def draw_means(found: list[Differences], draws: Draws, checkpoint: Checkpoint) -> list[Differences]:
    """Return the differences with their means by random weights."""
    rows = np.stack([one.d for one in found])
    strata = Strata(rows.shape[1:], key_of(draws.seed))
    means = run_blocks(WeightedMeans(rows), strata, all_blocks(draws.n), checkpoint)
    drawn = means[:, : draws.n]
    return [one._replace(drawn=values) for one, values in zip(found, drawn, strict=True)]


DRAWS: dict[str, Callable[[list[Differences], Draws, Checkpoint], list[Differences]]] = {
    "permutation": draw_flips,
    "bootstrap": draw_means,
}
