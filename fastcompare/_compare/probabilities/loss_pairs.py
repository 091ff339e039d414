"""All pairs of losses, tested together or group by group: what `scoring_pairwise_test` shares."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import NamedTuple, TypedDict

import numpy as np

from ..._base.parallel import Checkpoint, no_checkpoint, run_all
from ..._base.types import Integers, Matrix, Vector
from ..._inference.clusters import cluster_df, cluster_sizes, cluster_status
from ..._inference.item_means import mean_design
from ..._inference.pvalues import claim_ends, ratios, student_pvalues
from ..._inference.unvaried import Unvaried, as_equal
from ..._inputs.items import ItemLinks
from ..._inputs.workers import Workers
from ..._results.pairs import UnvariedPairs
from ..paired.columns import Columns
from ..paired.many_ranks import rank_sums, signed_rank_pvalues
from ..paired.rank_test import averages_of
from .loss_summaries import Flags, LossSummaries, Words
from .scoring_draws import DRAWS
from .scoring_methods import (
    METHODS,
    STUDENT,
    STUDENTS,
    LossTest,
    Procedure,
    clustered,
    rank_title,
    summarise,
)
from .unseen import Unseen

TOGETHER = 8  # pairs that share draws: a sixth faster than one by one; 32 fall out of the cache
SIGNED = 16  # pairs that share signs: 8 take a third longer each


class PairsFields(TypedDict):
    """Fields of the result that say how losses of all pairs vary."""

    df: float | None
    design: str
    _tests: LossPairs
    _unvaried: UnvariedPairs | None


Row = tuple[float, float, float, str, int]
NOTHING: Row = (math.nan, math.nan, math.nan, "undefined", 0)


class LossTests(NamedTuple):
    """Of all pairs: statistic, p-value, standard error, method, number of replicates."""

    statistic: Vector
    pvalue: Vector
    standard_error: Vector
    method: Words
    n_resamples: Integers


@dataclass(frozen=True, slots=True)
class LossPairs:
    """Pairs of losses, and how to test their differences; picklable."""

    columns: Columns
    procedure: Procedure
    clusters: Integers | None = None
    unseen: Unseen | None = None  # of all pairs

    @property
    def df(self) -> float | None:
        """The degrees of freedom of Student's t, None for other tests."""
        if self.procedure.method not in STUDENTS:
            return None
        return self.columns.n - 1.0 if self.clusters is None else cluster_df(self._sizes())

    @property
    def by_order(self) -> bool:
        """Whether ends are order statistics, which cases that do not vary have, too."""
        return self.procedure.method in ("wilcoxon", "permutation")

    def estimates(self, summary: LossSummaries) -> Vector:
        """Return mean differences, or the pseudomedians that Wilcoxon's test is about."""
        if self.procedure.method != "wilcoxon":
            return summary.estimate
        located = summary.estimate.copy()
        for p in np.flatnonzero(summary.finite).tolist():
            pair = self.columns.sized_pair(p)
            located[p] = averages_of(pair, self.procedure.zeros, "auto").median()
        return located

    def fields(self, summary: LossSummaries, error: Vector, most: float) -> PairsFields:
        """Return fields of the result; tests about means have a bound for pairs of equal losses."""
        bound, design = Unvaried(self.columns.n, most), "independent"
        if self.clusters is not None:
            bound, design = Unvaried(as_equal(self._sizes()), most, "clusters"), "clusters"
        unvaried = None if self.by_order else UnvariedPairs.of(summary.estimate, error, bound)
        tests = self.in_clusters(summary.standard_error, error)
        return PairsFields(df=self.df, design=design, _tests=tests, _unvaried=unvaried)

    def statuses(self, summary: LossSummaries, tests: LossTests) -> Words:
        """Return the status words, each as by `scoring_test`."""
        n, method = self.columns.n, self.procedure.method
        if self.clusters is None:
            return summary.statuses(n, method)
        word = cluster_status(cluster_df(self._sizes()))
        return summary._replace(standard_error=tests.standard_error).statuses(n, method, word)

    def covariance(self) -> Matrix:
        """Return the covariance of the mean losses of clustered cases."""
        losses = self.columns.values.T
        design = mean_design(ItemLinks(len(losses), groups=self.clusters))
        return design.covariance(losses - design.means(losses))

    def _sizes(self) -> Integers:
        assert self.clusters is not None
        return cluster_sizes(self.clusters)

    def only(self, chosen: Flags) -> LossPairs:
        """Return the same with some of the pairs."""
        unseen = None if self.unseen is None else Unseen(*(x[chosen] for x in self.unseen))
        return replace(self, columns=self.columns.only(chosen), unseen=unseen)

    def in_clusters(self, alone: Vector, error: Vector) -> LossPairs:
        """Return the same with what is unseen as `clustered` has it, for intervals."""
        if self.unseen is None or self.clusters is None:
            return self
        factor = np.square(np.divide(error, alone, out=np.ones_like(error), where=alone > 0.0))
        return replace(self, unseen=self.unseen.times(np.maximum(factor, 1.0)))

    def groups(self) -> list[slice]:
        """Return the pairs in groups that share their draws."""
        together = SIGNED if self.procedure.method == "permutation" else TOGETHER
        starts = range(0, self.columns.first.size, together)
        return [slice(start, start + together) for start in starts]

    def tests(self, group: slice, checkpoint: Checkpoint) -> list[LossTest]:
        """Return the tests of the pairs of a group, as by `scoring_test`."""
        columns, (method, _, _, draws, _) = self.columns.only(group), self.procedure
        differences = [summarise(columns.sized_pair(p)) for p in range(columns.first.size)]
        if self.unseen is not None:
            own = zip(*(x[group] for x in self.unseen), strict=True)
            pairs = zip(differences, own, strict=True)
            differences = [one._replace(unseen=Unseen(*x)) for one, x in pairs]
        if self.clusters is not None:
            differences = [clustered(one, self.clusters) for one in differences]
        if method in DRAWS:
            differences = DRAWS[method](differences, draws, checkpoint)
        return [METHODS[method](one, self.procedure) for one in differences]

    def ends(self, level: float) -> tuple[Vector, Vector]:
        """Return the ends of intervals for all pairs."""
        tests = chain(*(self.tests(group, no_checkpoint) for group in self.groups()))
        direction = self.procedure.claim.alternative
        tails = [details["_tails"] for _, details in tests]
        ends = [claim_ends(direction, level, tail.low, tail.high) for tail in tails if tail]
        low, high = np.reshape(ends, (-1, 2)).T
        return low, high


def all_tests(pairs: LossPairs, summary: LossSummaries, workers: Workers) -> LossTests:
    """Return the tests of all pairs, NaN where a loss is infinite."""
    rows = [NOTHING] * summary.finite.size
    chosen = np.flatnonzero(summary.finite)
    if chosen.size:
        some, finite = pairs.only(summary.finite), summary.only(summary.finite)
        for p, row in zip(chosen.tolist(), some_tests(some, finite, workers), strict=True):
            rows[p] = row
    return LossTests(*map(np.array, zip(*rows, strict=True)))


def some_tests(pairs: LossPairs, summary: LossSummaries, workers: Workers) -> Iterable[Row]:
    """Return the fields of `LossTests`, a row a pair."""
    if pairs.procedure.method in AT_ONCE and pairs.clusters is None:
        columns = AT_ONCE[pairs.procedure.method](pairs, summary)
        return zip(*(values.tolist() for values in columns), strict=True)
    return chain(*run_all(partial(group_tests, pairs), pairs.groups(), **workers))


def group_tests(pairs: LossPairs, group: slice, checkpoint: Checkpoint) -> list[Row]:
    """Return the fields of `LossTests` of the pairs of a group."""
    return [
        (
            found["statistic"],
            found["pvalue"],
            found["standard_error"],
            details["method"],
            details.get("n_resamples", 0),
        )
        for found, details in pairs.tests(group, checkpoint)
    ]


def student_tests(pairs: LossPairs, summary: LossSummaries) -> LossTests:
    """Return paired t-tests."""
    estimate, error, *_ = summary
    at_null = error if pairs.unseen is None else pairs.unseen.error(0.0, error)
    t = ratios(estimate, at_null)
    p = student_pvalues(t, pairs.columns.n - 1, pairs.procedure.claim.alternative)
    p[(estimate == 0.0) & (at_null == 0.0)] = 1.0
    error = np.where(error > 0.0, error, at_null)
    return LossTests(t, p, error, np.full(p.shape, STUDENT), np.zeros(p.shape, np.int64))


def rank_tests(pairs: LossPairs, summary: LossSummaries) -> LossTests:
    """Return Wilcoxon's tests."""
    zeros, direction = pairs.procedure.zeros, pairs.procedure.claim.alternative
    ranks = rank_sums(pairs.columns, zeros)
    p, exact = signed_rank_pvalues(
        ranks, pairs.columns, alternative=direction, method="auto", zeros=zeros
    )
    titles = np.where(exact, *(rank_title(how, zeros) for how in ("exact", "normal")))
    drawn = np.zeros(p.shape, np.int64)
    return LossTests(ranks.w_plus(zeros), p, summary.standard_error, titles, drawn)


AT_ONCE = {"auto": student_tests, "t": student_tests, "wilcoxon": rank_tests}
