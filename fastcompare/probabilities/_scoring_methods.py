"""What each method of `scoring_test` does with the differences d of two models' losses.

If the losses are exchangeable within cases, each difference is as likely to have the other sign
(Fisher 1935). Up to `EVERY` of them all 2^n signs are counted, from the sums of two halves; beyond,
random ones are taken. Flipping the set A turns the sum of d - x as far as its own size exactly when
the mean of d over A is at most x: so the ends of intervals are order statistics of the means over
all sets, or over random ones (Hartigan 1969). Of clusters d are the sums: whole clusters are
flipped, which is exact for clusters of any sizes and correlation.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import Checkpoint
from .._base.types import Fields, Integers, Matrix, Vector
from .._inference.clusters import cluster_df, cluster_error, cluster_sizes, cluster_status
from .._inference.infer import Inference, ZeroVarianceBound, infer, infer_difference, units_bound
from .._inference.pvalues import UNDEFINED, PValue, in_tail
from .._inference.status import unvaried_status
from .._inputs.options import ALONE, as_choice, check_choice, hash_seed
from .._inputs.probabilities import SHIFTING, Forecasts, Rule
from .._resampling.bootstrap import (
    Claim,
    Draws,
    bootstrap_fields,
    draw_replicates,
    snap_to_points,
    standard_deviation,
    summarize_replicates,
)
from .._resampling.replicates import NEAR as NEAR_LEVEL
from .._resampling.replicates import OrderStatistics
from .._resampling.weights import (
    BLOCKS_PER_TABLE,
    UNITS_PER_CALL,
    exact_pvalue,
    monte_carlo_pvalue,
    null_replicates,
)
from ..kernels.drawing.exchange import UNIT, add_flips, add_flips_of_rows
from ..kernels.drawing.streams import LANES
from ..paired._columns import STUDENT, Columns, SizedDifferences, StudentEnds, are_constant
from ..paired._wilcoxon import ZEROS, rank_test
from ._losses import (
    NO_LABELS,
    LossMoments,
    UnseenCaseVariance,
    UnseenEnds,
    WeightedMeans,
    by_score,
    case_losses,
    forecast_losses,
    is_lopsided,
    loss_difference,
    mean_losses,
    unseen_case_variance,
)

ROUNDING = 1e-13  # by which two ways to sum the same numbers may differ
BLOCKS_OF_ROWS = 64  # blocks that share tables of several vectors: 32 take a tenth longer
EVERY = 24  # differences whose 2^n signs are all counted: a millisecond


@dataclass(frozen=True, slots=True)
class FlippedSums:
    """Replicates of the sum of numbers with random signs; picklable."""

    d: Vector
    seed: int

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the sums of replicates 64 b, ..., 64 b + 63 for every block b."""
        sums: Vector = flipped_sums(self.d[None], self.seed, blocks, checkpoint)[0]
        return sums


def flipped_sums(
    rows: Matrix, seed: int, blocks: range, checkpoint: Checkpoint
) -> NDArray[np.float64]:
    """Return the sums (rows, blocks, 64) of several vectors with the same random signs."""
    sums = np.zeros((len(rows), len(blocks), LANES))
    padded = np.zeros((len(rows), -(-rows.shape[1] // UNIT) * UNIT))
    padded[:, : rows.shape[1]] = rows
    step = BLOCKS_PER_TABLE if len(rows) == 1 else BLOCKS_OF_ROWS
    for first in range(0, len(blocks), step):
        some = blocks[first : first + step]
        sums[:, first : first + step] = sums_of_some(padded, seed, some, checkpoint)
    return sums


def sums_of_some(
    padded: Matrix, seed: int, blocks: range, checkpoint: Checkpoint
) -> NDArray[np.float64]:
    """Return the same of vectors of whole units, for blocks that share tables of sums."""
    alone = len(padded) == 1
    d = padded if alone else np.ascontiguousarray(padded.T)
    shape = (1, len(blocks), LANES) if alone else (len(blocks), LANES, len(padded))
    part = np.zeros(shape)
    block = np.uint64(blocks[0])
    key = np.uint64(seed)
    for unit in range(0, padded.shape[1] // UNIT, UNITS_PER_CALL):
        checkpoint()
        cases = slice(unit * UNIT, (unit + UNITS_PER_CALL) * UNIT)
        if alone:
            add_flips(np.ascontiguousarray(d[:, cases]), np.uint64(unit), block, key, part)
        else:
            add_flips_of_rows(d[cases], np.uint64(unit), block, key, part)
    return part if alone else np.moveaxis(part, 2, 0)


def in_order(d: Vector) -> tuple[Vector, Vector]:
    """Return the numbers by size with the sign of their sum, and what turns these into d.

    So the order of the cases does not matter, and swapping the models turns every replicate.
    """
    d = d[by_size(d)]
    sizes = np.copysign(np.abs(d), d.sum())
    return sizes, np.where(d * sizes < 0.0, -1.0, 1.0)


def by_size(d: Vector) -> NDArray[np.intp]:
    """Return the order of the numbers by size."""
    return np.argsort(np.abs(d), kind="stable")


def drawn_sums(d: Vector, draws: Draws) -> Vector:
    """Return the sums of random signs."""
    sums = FlippedSums(in_order(d)[0], hash_seed(draws.seed))
    return null_replicates(sums, draws.n, d.size, draws.workers)


def flip_pvalue(d: Vector, near: float, alternative: str, null_sums: Vector | None) -> PValue:
    """Return the share of signs whose sum is as extreme as that of d; those `near` it are."""
    start, times = in_tail(float(d.sum()), alternative)
    start -= near
    if times == 2.0 and start <= 0.0:
        return PValue(1.0, 0.0)
    if null_sums is None:
        return exact_pvalue(int(times) * count_from(np.abs(d), start), 1 << d.size)
    return monte_carlo_pvalue(in_tail(null_sums, alternative)[0] >= start)


def count_from(d: Vector, start: float) -> int:
    """Return how many of the 2^n sums of d with any signs are at least `start`."""
    some = np.sort(all_sums(d[::2]))
    others = np.sort(all_sums(d[1::2]))
    return int((others.size - np.searchsorted(others, start - some)).sum())


def all_sums(d: Vector) -> Vector:
    """Return the sums of d with all signs."""
    sums = np.zeros(1)
    for value in d.tolist():
        sums = np.concatenate([sums - value, sums + value])
    return sums


class ExactFlipEnds:
    """Ends of intervals for the mean, from all signs."""

    def __init__(self, d: Vector, sizes: Vector | Integers | None = None) -> None:
        self.d, self.sizes = d, np.ones(d.size) if sizes is None else sizes

    def low(self, alpha: float) -> float:
        """Return the largest x such that at most alpha of the signs turn d - x as far."""
        return end_below(self.d, self.sizes, alpha)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return -end_below(-self.d, self.sizes, alpha)


def end_below(d: Vector, sizes: Vector | Integers, alpha: float) -> float:
    """Return the mean over a set of d at which the share of sums as large passes alpha."""
    most = math.floor(math.ldexp(alpha, d.size) * (1.0 + NEAR_LEVEL))
    means = d / sizes
    low, high = float(means.min()), float(means.max())
    if most < 1:
        return -math.inf
    if signs_as_far(d - low * sizes) > most:  # several means are the lowest
        return low
    while low < (middle := 0.5 * low + 0.5 * high) < high:
        if signs_as_far(d - middle * sizes) <= most:
            low = middle
        else:
            high = middle
    return high


def signs_as_far(moved: Vector) -> int:
    """Return how many of the signs turn numbers into a sum at least as large as theirs."""
    return count_from(moved, float(moved.sum()) - ROUNDING * float(np.abs(moved).sum()))


class DrawnFlipEnds:
    """Ends of intervals for the mean, from the random signs of the test."""

    def __init__(
        self, d: Vector, n_resamples: int, seed: int, sizes: Vector | Integers | None = None
    ) -> None:
        self.d, self.n_resamples, self.seed, self.sizes = d, n_resamples, seed, sizes

    @cached_property
    def _means(self) -> Vector:
        """Means over the sets that were flipped, NaN for the empty set."""
        values, turns = in_order(self.d)
        n: float = self.d.size
        if self.sizes is not None:
            turns, n = turns * self.sizes[by_size(self.d)], float(self.sizes.sum())
        sums, counts = (
            null_replicates(FlippedSums(v, hash_seed(self.seed)), self.n_resamples, v.size, ALONE)
            for v in (values, turns)
        )
        means = np.full(sums.size, math.nan)
        np.divide(self.d.sum() - sums, n - counts, out=means, where=n - counts > ROUNDING * n)
        return means

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return OrderStatistics(np.nan_to_num(self._means, nan=-math.inf)).low(alpha)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return OrderStatistics(np.nan_to_num(self._means, nan=math.inf)).high(alpha)


class DecidedEnds(NamedTuple):
    """Ends from random signs, on the side of 0 that all signs of the few varying numbers give."""

    random_ends: DrawnFlipEnds
    varying: Vector
    near: float

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        end = self.random_ends.low(alpha)
        if not self._rejects("greater", alpha):
            return min(end, 0.0)
        return end if end > 0.0 else min(filter((0.0).__lt__, self.random_ends._means.tolist()))

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        end = self.random_ends.high(alpha)
        if not self._rejects("less", alpha):
            return max(end, 0.0)
        return end if end < 0.0 else max(filter((0.0).__gt__, self.random_ends._means.tolist()))

    def _rejects(self, alternative: str, alpha: float) -> bool:
        p = flip_pvalue(self.varying, self.near, alternative, None).pvalue
        return p <= alpha * (1.0 + NEAR_LEVEL)


def exact_ends(
    random_ends: DrawnFlipEnds, varying: Vector, near: float
) -> ExactFlipEnds | DecidedEnds:
    """Return the ends that belong to a p-value by all signs of the numbers that vary."""
    if random_ends.d.size <= EVERY:
        return ExactFlipEnds(random_ends.d, random_ends.sizes)
    return DecidedEnds(random_ends, varying, near)


STUDENTS = ("auto", "t")
NEAR = 1e-12  # of the sizes of its terms: sums that are no further apart are equal but for rounding


class Procedure(NamedTuple):
    """How differences of losses are tested; picklable."""

    method: str
    zeros: str
    claim: Claim
    draws: Draws
    most: float = math.inf  # the greatest difference of two losses


class Differences(NamedTuple):
    """Differences of losses, their `room`, their mean and its standard error.

    Losses are computed, so differences within their own losses' rounding, the room, are 0. Where
    many pairs share random signs or weights, `replicates` are this one's sums or means by them.
    `sizes` are those of clusters and `sums` their sums of d, None where cases are independent.
    """

    d: Vector
    room: Vector
    estimate: float
    standard_error: float
    replicates: Vector | None = None
    sizes: Integers | None = None
    sums: Vector | None = None
    unseen: UnseenCaseVariance | None = None

    @property
    def units(self) -> Vector:
        """The numbers whose signs are turned: differences of cases, or their sums by cluster."""
        return self.d if self.sums is None else self.sums

    @property
    def df(self) -> float:
        """The degrees of freedom of the standard error."""
        return float(self.d.size - 1) if self.sizes is None else cluster_df(self.sizes)

    @property
    def sized_differences(self) -> SizedDifferences:
        """The differences with their sizes, and how near these must be to tie."""
        return SizedDifferences(self.d, np.abs(self.d), self.room)

    def zero_variance_bound(self, most: float) -> ZeroVarianceBound:
        """Return the bound by cases, or clusters, that do not vary."""
        return units_bound(self.d.size, self.sizes, most)

    def varying(self) -> Vector:
        """Return the units that are not 0."""
        return np.asarray(self.units[self.units != 0.0])

    def has_few(self, draws: Draws) -> bool:
        """Say whether all signs of the units are counted."""
        return self.varying().size <= EVERY and not draws.keep

    def inference(self, claim: Claim, statistic: float, p: PValue) -> Inference:
        """Return the fields of a test with this statistic."""
        return infer_difference(self.estimate, self.standard_error, statistic, p, *claim)


def summarise(differences: SizedDifferences) -> Differences:
    """Return the differences with their mean; those that differ by rounding errors do not vary."""
    d, _, room = differences
    if not np.isfinite(d).all():
        with np.errstate(invalid="ignore"):
            return Differences(d, room, float(d.mean()), math.nan)
    deviation = 0.0 if are_constant(differences) else standard_deviation(d)
    return Differences(d, room, float(d.mean()), deviation / math.sqrt(d.size))


@np.errstate(invalid="ignore")
def summarise_two(
    rule: Rule, cases: Forecasts, clip: float | None, method: str
) -> tuple[Differences | LossMoments, Vector]:
    """Return the differences of two models' losses, by clusters if given, and both mean losses."""
    unseen = unseen_case_variance(rule, cases, clip, np.array([0]), np.array([1]), method)
    plain = rule == "brier" and cases.models[0].ndim == 1
    ready = [] if plain else [case_losses(rule, cases.labels, p, clip) for p in cases.models]
    if method in STUDENTS and unseen is None and cases.groups is None:
        brief = loss_difference(*((NO_LABELS, ready) if ready else (cases.labels, cases.models)))
        if brief is not None:
            return brief
    losses = np.stack(ready) if ready else forecast_losses(rule, cases, clip)
    differences = summarise(Columns.of(losses, computed=True).sized_pair(0))
    differences = differences._replace(
        unseen=unseen and UnseenCaseVariance(*(x[0] for x in unseen))
    )
    if cases.groups is not None:
        differences = with_cluster_error(differences, cases.groups)
    return differences, mean_losses(losses)


def with_cluster_error(differences: Differences, groups: Integers) -> Differences:
    """Return the same with the standard error that lets cases of a cluster correlate.

    For clusters of one case it is that of independent ones.
    """
    d, _, estimate, error, *_ = differences
    sizes = cluster_sizes(groups)
    if error > 0.0:
        error = cluster_error(sums_by_cluster(d, groups, estimate), sizes)
    sums = sums_by_cluster(d, groups, 0.0)
    return differences._replace(standard_error=error, sizes=sizes, sums=sums)


def sums_by_cluster(d: Vector, groups: Integers, centre: float) -> Vector:
    """Return the sums of d less a number; those within rounding of their terms are 0."""
    sums = np.asarray(np.bincount(groups, d - centre), np.float64)
    terms = np.bincount(groups, np.abs(d) + abs(centre))
    sums[np.abs(sums) <= NEAR * terms] = 0.0
    return sums


def by_student(differences: Differences | LossMoments, procedure: Procedure) -> Fields:
    """Return the paired t-test."""
    estimate, error, sizes = differences.estimate, differences.standard_error, differences.sizes
    df, unseen = differences.df, differences.unseen
    title = STUDENT if sizes is None else f"{STUDENT} of {sizes.size} clusters"
    unvaried = differences.zero_variance_bound(procedure.most)
    test = infer(estimate, error, *procedure.claim, df=df, unvaried=unvaried)
    tails = None
    if unseen is not None and unseen.error(0.0, error) > 0.0:
        test = by_score(estimate, error, df, unseen, procedure.claim)
        tails = UnseenEnds(estimate, error, df, unseen)
        title += unseen.variance_note(error)
    ends = tails or StudentEnds(estimate, error, df)
    return Fields(**test, method=title, df=df, _letter=f"t({round(df, 2):.10g})", _tails=ends)


def by_ranks(differences: Differences, procedure: Procedure) -> Fields:
    """Return Wilcoxon's test."""
    d, claim, zeros = differences.d, procedure.claim, procedure.zeros
    ranks = rank_test(
        d,
        (float(differences.room.min()), float(differences.room.max())),
        lambda: differences.sized_differences,
        zeros=zeros,
        alternative=claim.alternative,
        method="auto",
    )
    averages = ranks.averages(d, zeros)
    located = differences._replace(estimate=averages.median())
    return Fields(
        **located.inference(claim, ranks.w_plus(zeros), ranks.p),
        method=rank_title(ranks.how, zeros),
        effect_size=ranks.effect_size(),
        _letter="W+",
        _tails=averages,
    )


def rank_title(how: str, zeros: str) -> str:
    """Return the name of Wilcoxon's test with its null distribution and what becomes of zeros."""
    return f"Wilcoxon's signed rank test, {how}, zeros {zeros!r}"


def by_flips(differences: Differences, procedure: Procedure) -> Fields:
    """Return the test by all signs of the differences, or by random ones."""
    units, sums, sizes = differences.units, differences.replicates, differences.sizes
    claim = procedure.claim
    draws = procedure.draws
    n = differences.d.size
    near = NEAR * float(np.abs(differences.d).sum())
    title = "sign-flip permutation test"
    if sizes is not None:
        title += f" of {sizes.size} clusters"
    tails = DrawnFlipEnds(units, draws.n, draws.seed, sizes)
    if differences.has_few(draws):
        varying = differences.varying()
        p = flip_pvalue(varying, near, claim.alternative, None)
        fields = Fields(method=f"{title}, exact", _tails=exact_ends(tails, varying, near))
    else:
        sums = drawn_sums(units, draws) if sums is None else sums
        p = flip_pvalue(units, near, claim.alternative, sums)
        fields = Fields(
            method=title,
            n_resamples=sums.size,
            seed=draws.seed,
            distribution=sums / n if draws.keep else None,
            _tails=tails,
        )
    return {**fields, **differences.inference(claim, differences.estimate, p)}


def by_resampling(differences: Differences, procedure: Procedure) -> Fields:
    """Return the percentile bootstrap's test."""
    d, _, estimate, error, values, *_ = differences
    claim, draws = procedure.claim, procedure.draws
    if d.size == 1:
        values = np.empty(0)
    elif error == 0.0:  # sums of equal numbers would round apart
        values = np.full(draws.n, estimate)
    elif values is None:
        values = draw_replicates(WeightedMeans(d[None]), (d.size,), draws)[0]
    return percentile_test(
        values, d, estimate, draws, claim, differences.zero_variance_bound(procedure.most)
    )


def percentile_test(
    values: Vector,
    d: Vector,
    estimate: float,
    draws: Draws,
    claim: Claim,
    unvaried: ZeroVarianceBound,
) -> Fields:
    """Return the percentile bootstrap's test of a mean of differences by its replicates."""
    points = (0.0, estimate, claim.margin, -claim.margin)
    near = NEAR * float(np.abs(d).mean())
    replicates = summarize_replicates("percentile", estimate, snap_to_points(values, points, near))
    fields = bootstrap_fields(replicates, draws, claim, unvaried)
    del fields["n_left_out"]  # none: every replicate has a mean
    return fields


def no_test(differences: Differences, procedure: Procedure) -> Fields:
    """Return the test where a loss is infinite: nothing but the estimate."""
    nothing = differences.inference(procedure.claim, math.nan, UNDEFINED)
    return Fields(**nothing, method="undefined", _tails=None)


def run_procedure(
    differences: Differences | LossMoments, procedure: Procedure, status: str
) -> Fields:
    """Return the procedure's test, nothing but the estimate where a loss is infinite."""
    if isinstance(differences, LossMoments):
        return by_student(differences, procedure)
    test = no_test if status == "infinite_loss" else METHODS[procedure.method]
    return test(differences, procedure)


METHODS: dict[str, Callable[[Differences, Procedure], Fields]] = {  # of `ScoringResult`
    "auto": by_student,
    "t": by_student,
    "wilcoxon": by_ranks,
    "permutation": by_flips,
    "bootstrap": by_resampling,
}


def as_method(method: object, zeros: object) -> str:
    """Return the method, or raise; so for the treatment of zeros, which must be one."""
    check_choice("zeros", zeros, ZEROS)
    chosen: str = as_choice("method", method, METHODS)
    return chosen


def loss_status(differences: Differences | LossMoments, method: str, margin: float) -> str:
    """Return the status word of a test of losses."""
    if isinstance(differences, LossMoments):
        return "ok"
    if not np.isfinite(differences.d).all():
        return "infinite_loss"
    if differences.d.size == 1:
        return "one_case"
    if not differences.d.any():
        return "no_difference"
    unseen, error = differences.unseen, differences.standard_error
    has_unseen_variance = unseen is not None and bool(unseen.error(0.0, error) > 0.0)
    if error > 0.0 or has_unseen_variance or method in ("wilcoxon", "permutation"):
        if differences.sizes is not None:
            return cluster_status(differences.df)
        d = differences.d
        n = differences.d.size
        square = error * error * n * (n - 1.0)
        rough = method in SHIFTING and unseen is None
        rough = rough and is_lopsided(d, differences.estimate, square)
        return "small_sample" if rough else "ok"
    return unvaried_status(differences.estimate, margin, "no_difference")
