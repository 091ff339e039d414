"""AUCs within groups, their weighted mean, and how it varies where the groups are fixed.

Group g has m positives and n negatives, and of their m n pairs a model orders `wins` (twice, so
that a tie counts 1): A_g = wins_g / (2 m n). With weights w_g, W their sum,

    A_w = sum w_g A_g / W        pairs: w_g = m n    cases: w_g = m + n    equal: w_g = 1

Of all pairs of a positive and a negative some lie within groups and the others between two of them:

    wins of all pairs = wins within groups + wins between groups

so that the pooled AUC is a mean of the AUC within groups, weighted by pairs, and of that between.

Fixed groups: cases of a class are a sample of those in their group. With d the differences of two
models' components in a group (V10 of positives, V01 of negatives, DeLong et al. 1988), s^2 their
variance and k3 their third cumulant,

    Var = sum (w_g / W)^2 V_g,    V_g = s^2(d10) / m + s^2(d01) / n
    third cumulant = sum (w_g / W)^3 (k3(d10) / m^2 + k3(d01) / n^2)

and Satterthwaite's degrees of freedom, of a sum of 2 G variances with m - 1 and n - 1 each. A
single case of a class has no variance: that of single cases is taken over the groups that have one,
as if these had one mean (collapsed strata: Cochran 1977, Sampling Techniques, 5A.12), which is too
large where they do not. If only one group has one, the variance within the other groups is taken.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.parallel import map_threads
from ..._base.types import AnyArray, Integers, Matrix, Vector
from ..._inputs.chunks.groups import GroupedCases, as_grouped_cases
from ..._inputs.chunks.within import as_group_stream
from ..._inputs.labels import join_chunks
from ..._inputs.options import check_choice
from ..._inputs.scores import Cases
from ...kernels.pair import MOST_SKEWED, SKEWED_BY_CHANCE
from ...kernels.within import (
    count_groups,
    moments_within,
    place_groups,
    place_within,
    scatter_cases,
)
from .._components import WIDE_FROM, as_components, index_pairs, model_wins

WEIGHTS = ("pairs", "cases", "equal")
DESIGNS = ("random", "fixed")
DEFAULT_WEIGHTS = {"random": "equal", "fixed": "pairs"}  # by design
CASES_PER_BLOCK = 1 << 18  # in a task of one thread
THREADS_FROM = 1 << 16  # cases: with fewer another thread takes as long to start as it saves


def as_weights(weights: object, design: object) -> str:
    """Return the kind of weights, 'pairs', 'cases' or 'equal'; 'auto' depends on the design.

    No kind has nearly the best power for all sizes of random groups: equal weights have at least a
    third of it, others next to none if few groups have most cases (docs/evidence/auc_within.md).
    """
    check_choice("weights", weights, ("auto", *WEIGHTS))
    check_choice("design", design, DESIGNS)
    return DEFAULT_WEIGHTS[str(design)] if weights == "auto" else str(weights)


@dataclass(frozen=True, slots=True)
class ScoresByGroup:
    """Labels and scores of all cases, group by group; groups of one class come last.

    `starts` (G + 1) are the positions where the groups with both classes start, and their end.
    `placed` (k, n) are placements within groups, None where only wins are needed.
    """

    labels: NDArray[np.uint8]
    scores: list[Vector]
    starts: Integers
    placed: NDArray[np.uint32] | None


@dataclass(frozen=True)
class WithinGroups:
    """Class sizes and wins of k models in each of G groups with both classes.

    `labels` are those of the groups, `wins` (k, G) are 2 m n AUC; `n_groups_dropped` counts groups
    of one class, `n_dropped` cases with missing values.
    """

    names: tuple[str, ...]
    labels: AnyArray
    positives: Integers
    negatives: Integers
    wins: Integers
    cases: ScoresByGroup
    n_groups_dropped: int
    n_dropped: int

    @property
    def pairs(self) -> Integers:
        """The number of pairs, positives times negatives, within each group."""
        return self.positives * self.negatives

    @property
    def auc(self) -> Matrix:
        """The AUC (G, k) of each model in each group."""
        return np.ascontiguousarray((self.wins / (2.0 * self.pairs)).T)

    def differences(self, i: int, j: int) -> Vector:
        """Return the differences (G,) of two models' AUCs, each rounded once."""
        return np.asarray((self.wins[i] - self.wins[j]) / (2.0 * self.pairs))

    def weights_of_groups(self, kind: str) -> Vector:
        """Return the weights (G,) of the groups: 1, m + n or m n."""
        if kind == "equal":
            return np.ones(self.labels.size)
        sizes = self.pairs if kind == "pairs" else self.positives + self.negatives
        return sizes.astype(np.float64)

    def relative_weights(self, kind: str) -> Vector:
        """Return the weights (G,) of the groups, divided by their sum."""
        weight = self.weights_of_groups(kind)
        return np.asarray(weight / weight.sum()) if weight.size else weight

    def effective_class_sizes(self, kind: str) -> tuple[float, float]:
        """Return Kish's effective numbers of positives and negatives.

        Each of the cases of a class in a group has the weight of the group over their number.
        """
        w = self.weights_of_groups(kind)
        square = w.sum() ** 2
        m, n = (float(square / np.sum(w * w / sizes)) for sizes in (self.positives, self.negatives))
        return m, n

    def independent_pairs(self, kind: str) -> float:
        """Return the effective number of pairs of which no two share a case.

        It is the total weight over the largest weight of a case.
        """
        w = self.weights_of_groups(kind)
        return float(min(w.sum() / np.max(w / sizes) for sizes in (self.positives, self.negatives)))

    @cached_property
    def pooled_wins(self) -> tuple[Integers, int]:
        """2mn AUC (k,) of each model over all cases, and the number of pairs m n; 0 without any.

        There are none if only one class is there, or cases came in chunks and are gone.
        """
        labels = self.cases.labels
        k = len(self.names)
        m = int(np.count_nonzero(labels))
        total = m * (labels.size - m)
        if not total:
            return np.zeros(k, np.int64), 0
        wins = [
            model_wins(as_components(Cases(labels, [column], ("",))), 0)
            for column in self.cases.scores
        ]
        return np.array(wins, np.int64), total

    @property
    def pooled_auc(self) -> Vector:
        """The AUC (k,) of each model over all cases, as if there were no groups."""
        wins, total = self.pooled_wins
        return wins / (2.0 * total) if total else np.full(wins.size, math.nan)

    @property
    def between_auc(self) -> Vector:
        """The AUC (k,) over pairs of cases of different groups; NaN without any."""
        wins, total = self.pooled_wins
        n_between = total - int(self.pairs.sum())
        between_wins = wins - self.wins.sum(axis=1)
        if not n_between:
            return np.full(wins.size, math.nan)
        return np.asarray(between_wins / (2.0 * n_between))

    @property
    def share_within(self) -> float:
        """The share of pairs within groups among all pairs of a positive and a negative."""
        _, total = self.pooled_wins
        return int(self.pairs.sum()) / total if total else math.nan


def count_within_groups(grouped: GroupedCases, n_jobs: int, *, keep: bool) -> WithinGroups:
    """Return class sizes and wins of all models within groups; `keep` also keeps placements."""
    cases, numbers, labels = grouped
    blocks = case_blocks(numbers.size, n_jobs)
    block_counts = np.empty((2, len(blocks), labels.size), np.int64)  # all cases, and positives

    def count(block: int) -> None:
        """Write the numbers of cases and positives of each group in one block of cases."""
        rows = blocks[block]
        count_groups(numbers[rows], cases.labels[rows], *block_counts[:, block])

    map_threads(count, range(len(blocks)), n_jobs)
    sizes, positives = block_counts.sum(axis=1)
    used = (positives > 0) & (positives < sizes)
    n_used = int(np.count_nonzero(used))
    starts = np.concatenate(([0], np.cumsum(sizes[used])))
    positions = positions_by_group(numbers, blocks, block_counts[0], used, starts, n_jobs)
    placed, wins = order_by_group(cases, positions, starts, n_jobs, keep)
    return WithinGroups(
        names=cases.names,
        labels=labels[used],
        positives=positives[used],
        negatives=(sizes - positives)[used],
        wins=wins,
        cases=placed,
        n_groups_dropped=labels.size - n_used,
        n_dropped=cases.n_dropped,
    )


def case_blocks(n: int, n_jobs: int) -> list[slice]:
    """Return slices of n cases, one for each thread, or one slice if cases are few."""
    n_blocks = n_jobs if n >= THREADS_FROM else 1
    edges = np.linspace(0, n, n_blocks + 1).astype(int).tolist()
    return [slice(start, stop) for start, stop in pairwise(edges)]


def positions_by_group(
    numbers: Integers,
    blocks: list[slice],
    block_sizes: Integers,
    used: NDArray[np.bool_],
    starts: Integers,
    n_jobs: int,
) -> AnyArray:
    """Return the position (n,) of each case in an order by group, unused groups last.

    `numbers` are the groups of cases, `block_sizes` (blocks, groups) the numbers of cases of each
    group in each block, `starts` the positions where the used groups start.
    """
    n_used = starts.size - 1
    positions = np.empty(numbers.size, np.uint32 if numbers.size < WIDE_FROM else np.int64)
    used_number = np.where(used, np.cumsum(used) - 1, n_used)  # all unused groups are one
    unused_sizes = block_sizes[:, ~used].sum(axis=1)
    sizes = np.column_stack((block_sizes[:, used], unused_sizes))
    # a block's first position in each group is behind the cases of earlier blocks
    following = starts + np.cumsum(sizes, axis=0) - sizes

    def fill(block: int) -> None:
        """Write the positions of the cases of one block."""
        rows = blocks[block]
        place_groups(numbers[rows], used_number, following[block], positions[rows])

    map_threads(fill, range(len(blocks)), n_jobs)
    return positions


def read_within_groups(
    y_true: Any,
    scores: dict[str, Any],
    groups: object,
    design: str,
    reading: tuple[object, str],
    n_jobs: int,
) -> WithinGroups:
    """Return class sizes and wins within groups, of cases in memory or in chunks.

    `reading` are the options `pos_label` and `nan_policy`.
    """
    stream = as_group_stream(y_true, scores, groups, *reading, design)
    if stream is not None:
        return merge_parts([without_cases(part, n_jobs) for part in stream.parts()])
    table = scores.get("scores")
    models = {} if "scores" in scores else scores
    cases = as_grouped_cases(y_true, groups, *reading, table=table, **models)
    return count_within_groups(cases, n_jobs, keep=design == "fixed")


NO_CASES = ScoresByGroup(np.empty(0, np.uint8), [], np.zeros(1, np.int64), None)


def without_cases(grouped: GroupedCases, n_jobs: int) -> WithinGroups:
    """Return class sizes and wins within groups, without the cases."""
    return replace(count_within_groups(grouped, n_jobs, keep=False), cases=NO_CASES)


def merge_parts(parts: list[WithinGroups]) -> WithinGroups:
    """Return the groups of all parts, which share none, in the order of their labels."""
    first = parts[0]
    labels = join_chunks("groups", [part.labels for part in parts])
    order = np.argsort(labels, kind="stable")
    return replace(
        first,
        labels=labels[order],
        positives=np.concatenate([part.positives for part in parts])[order],
        negatives=np.concatenate([part.negatives for part in parts])[order],
        wins=np.concatenate([part.wins for part in parts], axis=1)[:, order],
        n_groups_dropped=sum(part.n_groups_dropped for part in parts),
    )


def order_by_group(
    cases: Cases, positions: AnyArray, starts: Integers, n_jobs: int, keep: bool
) -> tuple[ScoresByGroup, Integers]:
    """Return cases by group, moved to `positions`, and the models' wins (k, G) within groups."""
    k = len(cases.names)
    n = positions.size
    within = int(starts[-1])
    labels = np.empty(n, np.uint8)
    scores = [np.empty(n) for _ in range(k)]
    columns: list[tuple[Any, AnyArray]] = [(cases.labels, labels)]
    columns += zip(cases.scores, scores, strict=True)
    blocks = case_blocks(n, n_jobs)

    def scatter(task: tuple[int, int]) -> None:
        """Write one block of the labels, or of one model's scores, to its places by group."""
        block, column = task
        rows, (values, out) = blocks[block], columns[column]
        scatter_cases(values[rows], positions[rows], out)

    map_threads(scatter, list(product(range(len(blocks)), range(k + 1))), n_jobs)
    placed = np.empty((k, within), np.uint32) if keep else None
    wins = np.empty((k, starts.size - 1), np.int64)
    bounds = group_blocks(starts)

    def count(task: tuple[int, int, int]) -> None:
        """Write the placements and wins of one model in groups first, ..., last - 1."""
        model, first, last = task
        begin, end = int(starts[first]), int(starts[last])
        out = np.empty(end - begin, np.uint32) if placed is None else placed[model, begin:end]
        block = scores[model][begin:end], labels[begin:end]
        place_within(*block, starts[first : last + 1], out, wins[model, first:last])

    tasks = [(model, *bound) for model in range(k) for bound in bounds]
    map_threads(count, tasks, n_jobs)
    return ScoresByGroup(labels, scores, starts, placed), wins


def group_blocks(starts: Integers) -> list[tuple[int, int]]:
    """Return (first, last + 1) groups of blocks of about `CASES_PER_BLOCK` cases each."""
    n_groups = starts.size - 1
    if not n_groups:
        return []
    edges = np.searchsorted(starts, np.arange(0, int(starts[-1]), CASES_PER_BLOCK))
    return list(pairwise(np.unique(np.append(edges, n_groups)).tolist()))


def with_placements(grouped: WithinGroups) -> WithinGroups:
    """Return the groups with the placements of their cases, computed unless they were kept."""
    cases = grouped.cases
    if cases.placed is not None:
        return grouped
    placed = np.empty((len(cases.scores), int(cases.starts[-1])), np.uint32)
    wins = np.empty(cases.starts.size - 1, np.int64)  # written by the kernel, and known already
    for scores, row in zip(cases.scores, placed, strict=True):
        place_within(scores[: row.size], cases.labels[: row.size], cases.starts, row, wins)
    return replace(grouped, cases=replace(cases, placed=placed))


class FixedMoments(NamedTuple):
    """Variance, degrees of freedom and skewness of a mean over fixed groups.

    `parts` are the terms of the variance, one for each class of each group, with `part_df` degrees
    of freedom. `group_variance` (G,) are the variances V_g, NaN where a class has one case, with
    `group_df` degrees of freedom.
    """

    variance: float
    df: float
    skewness: float
    parts: Vector
    part_df: Vector
    group_variance: Vector
    group_df: Vector


def fixed_moments(grouped: WithinGroups, kind: str, i: int, j: int | None = None) -> FixedMoments:
    """Return the moments of model i's weighted mean AUC, or of that of AUC_i - AUC_j."""
    placed = grouped.cases.placed
    share = grouped.relative_weights(kind)
    assert placed is not None
    other = np.zeros(placed.shape[1], np.uint32) if j is None else placed[j]
    sums = np.empty((share.size, 4))
    moments_within(placed[i], other, grouped.cases.labels, grouped.cases.starts, sums)
    lead = grouped.auc[:, i] if j is None else grouped.differences(i, j)
    m, n = (sizes.astype(np.float64) for sizes in (grouped.positives, grouped.negatives))
    # placements are 2 n V10 and 2 m V01
    squares_10, squares_01 = sums[:, 0] / (4.0 * n * n), sums[:, 1] / (4.0 * m * m)
    terms_10, df_10 = class_variance_terms(share, lead, squares_10, m)
    terms_01, df_01 = class_variance_terms(share, lead, squares_01, n)
    parts, part_df = np.concatenate((terms_10, terms_01)), np.concatenate((df_10, df_01))
    variance = float(parts.sum())
    df = satterthwaite_df(parts, part_df)
    with np.errstate(divide="ignore", invalid="ignore"):
        v10, v01 = squares_10 / (m * (m - 1.0)), squares_01 / (n * (n - 1.0))
        group_df = (v10 + v01) ** 2 / (v10**2 / (m - 1.0) + v01**2 / (n - 1.0))
    skewness = group_skewness(grouped, share, sums, variance, df)
    return FixedMoments(variance, df, skewness, parts, part_df, v10 + v01, group_df)


def class_variance_terms(
    relative_weights: Vector, differences: Vector, squares: Vector, n_cases: Vector
) -> tuple[Vector, Vector]:
    """Return one class's terms of the variance of the mean, and their degrees of freedom.

    `squares` (G,) are sums of squared deviations of components, `n_cases` (G,) numbers of cases.
    If groups have one case of the class, a last term is that of all these: by the variance of their
    `differences`, or of a single one by the variance within the other groups.
    """
    has_variance = n_cases > 1.0
    dfs = n_cases[has_variance] - 1.0
    terms = relative_weights[has_variance] ** 2 * squares[has_variance]
    terms = terms / (n_cases[has_variance] * dfs)
    is_single = ~has_variance
    if not is_single.any():
        return terms, dfs
    df = float(np.count_nonzero(is_single)) - 1.0
    pooled = float(np.var(differences[is_single], ddof=1)) if df else math.nan
    if not df and dfs.size:
        df = float(dfs.sum())
        pooled = float(squares[has_variance].sum()) / df
    single_term = float(np.sum(relative_weights[is_single] ** 2)) * pooled
    return np.append(terms, single_term), np.append(dfs, df)


def satterthwaite_df(variances: Vector, dfs: Vector) -> float:
    """Return Satterthwaite's df of a sum of variances with `dfs`; NaN if all are 0."""
    total = float(variances.sum())
    if not total > 0.0:
        return math.nan
    varies = variances > 0.0
    return total * total / float(np.sum(variances[varies] ** 2 / dfs[varies]))


def group_skewness(
    grouped: WithinGroups, relative_weights: Vector, sums: Matrix, variance: float, df: float
) -> float:
    """Return the skewness for Hall's cubic, 0 if it is not significant or cases are many.

    `sums` (G, 4) are from `moments_within`: of squared, then of cubed deviations of the placements
    of positives and of negatives. Groups with fewer than three cases of a class count as unskewed.
    """
    m, n = grouped.positives, grouped.negatives
    if not variance > 0.0 or min(int(m.sum()), int(n.sum())) >= MOST_SKEWED:
        return 0.0
    is_defined = (m > 2) & (n > 2)  # k-statistics need three
    m, n = m[is_defined].astype(np.float64), n[is_defined].astype(np.float64)
    cubes_10, cubes_01 = sums[is_defined, 2], sums[is_defined, 3]
    third_cumulants = cubes_10 / (8.0 * n**3 * m * (m - 1.0) * (m - 2.0))
    third_cumulants += cubes_01 / (8.0 * m**3 * n * (n - 1.0) * (n - 2.0))
    third_cumulant = float(np.sum(relative_weights[is_defined] ** 3 * third_cumulants))
    skewness = third_cumulant / variance**1.5
    return 0.0 if (skewness * (df + 1.0)) ** 2 <= SKEWED_BY_CHANCE else skewness


class FixedCovariance(NamedTuple):
    """The covariance (k, k) of the models' mean AUCs, and the moments of models and of pairs."""

    covariance: Matrix
    models: list[FixedMoments]
    pairs: list[FixedMoments]

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom of the mean variance of all differences."""
        parts = np.sum([pair.parts for pair in self.pairs], axis=0)
        return satterthwaite_df(parts, self.pairs[0].part_df)


def fixed_covariance(grouped: WithinGroups, kind: str) -> FixedCovariance:
    """Return the covariance of k models over fixed groups: (V_i + V_j - V_ij) / 2 of each pair."""
    k = len(grouped.names)
    by_model = [fixed_moments(grouped, kind, i) for i in range(k)]
    covariance = np.diag([each.variance for each in by_model])
    pairs = []
    for i, j in index_pairs(k):
        pair = fixed_moments(grouped, kind, i, j)
        pairs.append(pair)
        covariance_ij = 0.5 * (by_model[i].variance + by_model[j].variance - pair.variance)
        covariance[i, j] = covariance[j, i] = covariance_ij
    return FixedCovariance(covariance, by_model, pairs)
