"""What each method of `scoring_test` does with the differences d of two models' losses.

If the losses are exchangeable within cases, each difference is as likely to have the other sign
(Fisher 1935). Up to `MOST_ENUMERATED` of them all 2^n signs are counted, from the sums of two
halves; beyond, random ones are taken. Flipping the signs of d - x in a set A leaves a sum at least
as large exactly when the mean of d over A is at most x: so the ends of intervals are order
statistics of the means over all sets, or over random ones (Hartigan 1969). Of clusters d are the
sums: whole clusters are flipped, which is exact for clusters of any sizes and correlation.
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
from .._inference.clusters import cluster_df, cluster_error, cluster_sizes
from .._inference.infer import Inference, ZeroVarianceBound, infer, infer_difference, units_bound
from .._inference.pvalues import UNDEFINED, PValue, upper_tail_start
from .._inputs.options import ALONE, as_choice, check_choice, hash_seed
from .._inputs.probabilities import Forecasts, Rule
from .._resampling.bootstrap import (
    Claim,
    Draws,
    bootstrap_fields,
    draw_replicates,
    snap_to_points,
    standard_deviation,
    summarize_replicates,
)
from .._resampling.replicates import NEAR as LEVEL_TOLERANCE
from .._resampling.replicates import OrderStatistics
from .._resampling.weights import (
    BLOCKS_PER_TABLE,
    UNITS_PER_CALL,
    exact_pvalue,
    monte_carlo_pvalue,
    null_replicates,
)
from ..kernels.drawing.exchange import UNIT, add_flipped_sums, add_flipped_sums_of_columns
from ..kernels.drawing.streams import LANES
from ..paired._columns import STUDENT_TITLE, Columns, SizedDifferences, StudentEnds, are_constant
from ..paired._wilcoxon import ZEROS, rank_test
from ._losses import (
    NO_LABELS,
    LossMoments,
    UnseenCaseVariance,
    UnseenVarianceEnds,
    WeightedMeans,
    case_losses,
    forecast_losses,
    loss_difference,
    mean_losses,
    unseen_case_variance,
    unseen_variance_test,
)

SUM_ROUNDING = 1e-13  # relative: two ways to sum the same numbers may differ by this
BLOCKS_OF_ROWS = 64  # blocks that share tables of several vectors: 32 take a tenth longer
MOST_ENUMERATED = 24  # differences: all 2^n signs take a millisecond


@dataclass(frozen=True, slots=True)
class FlippedSums:
    """Random replicates of the sum of d with random signs; picklable."""

    d: Vector
    seed: int

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the sums of replicates 64 b, ..., 64 b + 63 for every block b."""
        sums: Vector = flipped_sums(self.d[None], self.seed, blocks, checkpoint)[0]
        return sums


def flipped_sums(
    rows: Matrix, seed: int, blocks: range, checkpoint: Checkpoint
) -> NDArray[np.float64]:
    """Return the sums (rows, blocks, 64) of several vectors, all with the same random signs."""
    sums = np.zeros((len(rows), len(blocks), LANES))
    padded = np.zeros((len(rows), -(-rows.shape[1] // UNIT) * UNIT))
    padded[:, : rows.shape[1]] = rows
    step = BLOCKS_PER_TABLE if len(rows) == 1 else BLOCKS_OF_ROWS
    for first in range(0, len(blocks), step):
        shared_blocks = blocks[first : first + step]
        sums[:, first : first + step] = flip_sums_of_blocks(padded, seed, shared_blocks, checkpoint)
    return sums


def flip_sums_of_blocks(
    padded: Matrix, seed: int, blocks: range, checkpoint: Checkpoint
) -> NDArray[np.float64]:
    """Return `flipped_sums` of vectors padded to whole units, of blocks that share tables."""
    is_single = len(padded) == 1
    d = padded if is_single else np.ascontiguousarray(padded.T)
    shape = (1, len(blocks), LANES) if is_single else (len(blocks), LANES, len(padded))
    sums = np.zeros(shape)
    block = np.uint64(blocks[0])
    key = np.uint64(seed)
    for unit in range(0, padded.shape[1] // UNIT, UNITS_PER_CALL):
        checkpoint()
        cases = slice(unit * UNIT, (unit + UNITS_PER_CALL) * UNIT)
        if is_single:
            add_flipped_sums(np.ascontiguousarray(d[:, cases]), np.uint64(unit), block, key, sums)
        else:
            add_flipped_sums_of_columns(d[cases], np.uint64(unit), block, key, sums)
    return sums if is_single else np.moveaxis(sums, 2, 0)


def signed_sizes(d: Vector) -> Vector:
    """Return |d| in ascending order, all with the sign of d's sum.

    So random sums depend neither on the order of the cases nor, but for sign, on that of models.
    """
    d = d[order_by_size(d)]
    return np.asarray(np.copysign(np.abs(d), d.sum()))


def order_by_size(d: Vector) -> NDArray[np.intp]:
    """Return the indices that sort the numbers by size, |d|."""
    return np.argsort(np.abs(d), kind="stable")


def random_flip_sums(d: Vector, draws: Draws) -> Vector:
    """Return the sums (B,) of d with random signs."""
    sums = FlippedSums(signed_sizes(d), hash_seed(draws.seed))
    return null_replicates(sums, draws.n, d.size, draws.workers)


def flip_pvalue(d: Vector, tolerance: float, alternative: str, null_sums: Vector | None) -> PValue:
    """Return the sign-flip p-value of sum d, by all 2^n signs, or by random sums `null_sums`.

    Sums within `tolerance` of the observed one count as extreme.
    """
    start, n_tails = upper_tail_start(float(d.sum()), alternative)
    start -= tolerance
    if n_tails == 2.0 and start <= 0.0:  # the two tails overlap: they hold all sums
        return PValue(1.0, 0.0)
    if null_sums is None:
        return exact_pvalue(int(n_tails) * count_sums_at_least(np.abs(d), start), 1 << d.size)
    null_starts, _ = upper_tail_start(null_sums, alternative)
    return monte_carlo_pvalue(null_starts >= start)


def count_sums_at_least(d: Vector, start: float) -> int:
    """Return how many of the 2^n sums of d with all signs are at least `start`.

    Each is a sum of the even terms plus one of the odd terms, of which there are 2^(n/2) each.
    """
    first_half = np.sort(all_signed_sums(d[::2]))
    second_half = np.sort(all_signed_sums(d[1::2]))
    return int((second_half.size - np.searchsorted(second_half, start - first_half)).sum())


def all_signed_sums(d: Vector) -> Vector:
    """Return the 2^n sums of d with all signs."""
    sums = np.zeros(1)
    for value in d.tolist():
        sums = np.concatenate([sums - value, sums + value])
    return sums


class ExactFlipEnds:
    """Interval ends for a mean that invert the sign-flip test by all signs.

    `sizes` are those of clusters, whose sums d are.
    """

    def __init__(self, d: Vector, sizes: Vector | Integers | None = None) -> None:
        self.d, self.sizes = d, np.ones(d.size) if sizes is None else sizes

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return exact_lower_end(self.d, self.sizes, alpha)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return -exact_lower_end(-self.d, self.sizes, alpha)


def exact_lower_end(d: Vector, cluster_sizes: Vector | Integers, alpha: float) -> float:
    """Return the largest x at which at most a share alpha of signs leave sum (d - x) as large.

    By bisection between the smallest and the largest mean; -infinity if alpha is below 2^-n.
    """
    most_signs = math.floor(math.ldexp(alpha, d.size) * (1.0 + LEVEL_TOLERANCE))
    means = d / cluster_sizes
    low, high = float(means.min()), float(means.max())
    if most_signs < 1:
        return -math.inf
    if count_signs_as_large(d - low * cluster_sizes) > most_signs:  # several means are the lowest
        return low
    while low < (middle := 0.5 * low + 0.5 * high) < high:
        if count_signs_as_large(d - middle * cluster_sizes) <= most_signs:
            low = middle
        else:
            high = middle
    return high


def count_signs_as_large(d: Vector) -> int:
    """Return how many of the 2^n ways to flip signs leave the sum of d as large, or larger."""
    start = float(d.sum()) - SUM_ROUNDING * float(np.abs(d).sum())
    return count_sums_at_least(d, start)


class RandomFlipEnds:
    """Interval ends for a mean that invert the sign-flip test by the random signs of the test."""

    def __init__(
        self, d: Vector, n_resamples: int, seed: int, sizes: Vector | Integers | None = None
    ) -> None:
        self.d, self.n_resamples, self.seed, self.sizes = d, n_resamples, seed, sizes

    @cached_property
    def _means(self) -> Vector:
        """The means (B,) of d over the sets of cases with flipped signs, NaN for the empty set.

        With random signs e, sum d - sum e d is twice the sum of d over the set, and sum 1 - sum e
        twice the number of its cases.
        """
        order = order_by_size(self.d)
        values = signed_sizes(self.d)
        units = np.where(self.d[order] * values < 0.0, -1.0, 1.0)  # 1s, flipped like `values`
        n: float = self.d.size
        if self.sizes is not None:
            units, n = units * self.sizes[order], float(self.sizes.sum())
        sums, counts = (
            null_replicates(FlippedSums(v, hash_seed(self.seed)), self.n_resamples, v.size, ALONE)
            for v in (values, units)
        )
        means = np.full(sums.size, math.nan)
        np.divide(self.d.sum() - sums, n - counts, out=means, where=n - counts > SUM_ROUNDING * n)
        return means

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return OrderStatistics(np.nan_to_num(self._means, nan=-math.inf)).low(alpha)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return OrderStatistics(np.nan_to_num(self._means, nan=math.inf)).high(alpha)


class ExactlyDecidedEnds(NamedTuple):
    """Interval ends by random signs for a p-value by all signs of the few nonzero differences.

    An end is moved to the side of 0 that agrees with that p-value.
    """

    random_ends: RandomFlipEnds
    varying: Vector
    tolerance: float

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        end = self.random_ends.low(alpha)
        if not self._rejects("greater", alpha):
            return min(end, 0.0)
        means = self.random_ends._means
        return end if end > 0.0 else float(means[means > 0.0].min())

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        end = self.random_ends.high(alpha)
        if not self._rejects("less", alpha):
            return max(end, 0.0)
        means = self.random_ends._means
        return end if end < 0.0 else float(means[means < 0.0].max())

    def _rejects(self, alternative: str, alpha: float) -> bool:
        """Return whether the one-sided test by all signs rejects a mean of 0 at level `alpha`."""
        p = flip_pvalue(self.varying, self.tolerance, alternative, None).pvalue
        return p <= alpha * (1.0 + LEVEL_TOLERANCE)


def ends_of_exact_test(
    random_ends: RandomFlipEnds, varying: Vector, tolerance: float
) -> ExactFlipEnds | ExactlyDecidedEnds:
    """Return the interval ends for a p-value by all signs of the nonzero differences."""
    if random_ends.d.size <= MOST_ENUMERATED:
        return ExactFlipEnds(random_ends.d, random_ends.sizes)
    return ExactlyDecidedEnds(random_ends, varying, tolerance)


STUDENT_METHODS = ("auto", "t")
# of the sizes of its terms: sums that are no further apart are equal but for rounding
RELATIVE_TOLERANCE = 1e-12


class Procedure(NamedTuple):
    """Method, treatment of zeros, claim and random draws of a test of losses; picklable."""

    method: str
    zeros: str
    claim: Claim
    draws: Draws
    largest_difference: float = math.inf  # the greatest difference of two losses


class Differences(NamedTuple):
    """Differences d (n,) of two models' losses, their mean and its standard error.

    `rounding` is how far rounding of the losses may move each; closer ones are 0. Where many pairs
    share random signs or weights, `replicates` are this one's sums or means by them. `sizes` are
    those of clusters and `sums` their sums of d, None where cases are independent.
    """

    d: Vector
    rounding: Vector
    estimate: float
    standard_error: float
    replicates: Vector | None = None
    sizes: Integers | None = None
    sums: Vector | None = None
    unseen: UnseenCaseVariance | None = None

    @property
    def units(self) -> Vector:
        """The numbers whose signs are flipped: differences of cases, or their sums by cluster."""
        return self.d if self.sums is None else self.sums

    @property
    def df(self) -> float:
        """The degrees of freedom of the standard error."""
        return float(self.d.size - 1) if self.sizes is None else cluster_df(self.sizes)

    @property
    def sized_differences(self) -> SizedDifferences:
        """The differences with their sizes and the rounding errors of these, for ranks."""
        return SizedDifferences(self.d, np.abs(self.d), self.rounding)

    def zero_variance_bound(self, largest_difference: float) -> ZeroVarianceBound:
        """Return the bound on the mean if all cases, or clusters, have the same difference."""
        return units_bound(self.d.size, self.sizes, largest_difference)

    def varying(self) -> Vector:
        """Return the units that are not 0."""
        return np.asarray(self.units[self.units != 0.0])

    def can_enumerate(self, draws: Draws) -> bool:
        """Return whether the test enumerates all signs of the nonzero units."""
        return self.varying().size <= MOST_ENUMERATED and not draws.keep

    def inference(self, claim: Claim, statistic: float, p: PValue) -> Inference:
        """Return the fields of a test with this statistic."""
        return infer_difference(self.estimate, self.standard_error, statistic, p, *claim)


def summarise(differences: SizedDifferences) -> Differences:
    """Return the differences with their mean; its error is 0 if they differ by rounding alone."""
    d, rounding = differences.d, differences.rounding
    if not np.isfinite(d).all():
        with np.errstate(invalid="ignore"):
            return Differences(d, rounding, float(d.mean()), math.nan)
    deviation = 0.0 if are_constant(differences) else standard_deviation(d)
    return Differences(d, rounding, float(d.mean()), deviation / math.sqrt(d.size))


@np.errstate(invalid="ignore")
def summarise_two(
    rule: Rule, cases: Forecasts, clip: float | None, method: str
) -> tuple[Differences | LossMoments, Vector]:
    """Return the summarised differences of two models' losses, and both mean losses (2,).

    Of a t-test of independent cases only their moments, where these suffice: without an array of
    Brier's losses of two classes.
    """
    unseen = unseen_case_variance(rule, cases, clip, np.array([0]), np.array([1]), method)
    losses = None  # Brier's of two classes are computed in the pass that sums them up
    if rule != "brier" or cases.models[0].ndim > 1:
        losses = [case_losses(rule, cases.labels, p, clip) for p in cases.models]
    if method in STUDENT_METHODS and unseen is None and cases.groups is None:
        if losses is None:
            moments = loss_difference(cases.labels, cases.models)
        else:
            moments = loss_difference(NO_LABELS, losses)
        if moments is not None:
            return moments
    table = forecast_losses(rule, cases, clip) if losses is None else np.stack(losses)
    differences = summarise(Columns.of(table, computed=True).sized_pair(0))
    if unseen is not None:
        only_pair = UnseenCaseVariance(*(of_pairs[0] for of_pairs in unseen))
        differences = differences._replace(unseen=only_pair)
    if cases.groups is not None:
        differences = with_cluster_error(differences, cases.groups)
    return differences, mean_losses(table)


def with_cluster_error(differences: Differences, groups: Integers) -> Differences:
    """Return the differences with the CR2 standard error of clustered cases, and cluster sums."""
    d, error = differences.d, differences.standard_error
    sizes = cluster_sizes(groups)
    if error > 0.0:
        error = cluster_error(sums_by_cluster(d, groups, differences.estimate), sizes)
    sums = sums_by_cluster(d, groups, 0.0)
    return differences._replace(standard_error=error, sizes=sizes, sums=sums)


def sums_by_cluster(d: Vector, groups: Integers, centre: float) -> Vector:
    """Return the sums (G,) over clusters of d - centre; those within rounding are 0."""
    sums = np.asarray(np.bincount(groups, d - centre), np.float64)
    terms = np.bincount(groups, np.abs(d) + abs(centre))
    sums[np.abs(sums) <= RELATIVE_TOLERANCE * terms] = 0.0
    return sums


def by_student(differences: Differences | LossMoments, procedure: Procedure) -> Fields:
    """Return the fields of the paired t-test, with the variance of rare classes if it is known."""
    estimate, error, sizes = differences.estimate, differences.standard_error, differences.sizes
    df, unseen = differences.df, differences.unseen
    title = STUDENT_TITLE if sizes is None else f"{STUDENT_TITLE} of {sizes.size} clusters"
    unvaried = differences.zero_variance_bound(procedure.largest_difference)
    test = infer(estimate, error, *procedure.claim, df=df, unvaried=unvaried)
    tails = None
    if unseen is not None and unseen.error(0.0, error) > 0.0:
        test = unseen_variance_test(estimate, error, df, unseen, procedure.claim)
        tails = UnseenVarianceEnds(estimate, error, df, unseen)
        title += unseen.variance_note(error)
    ends = tails or StudentEnds(estimate, error, df)
    return Fields(**test, method=title, df=df, _letter=f"t({round(df, 2):.10g})", _tails=ends)


def by_ranks(differences: Differences, procedure: Procedure) -> Fields:
    """Return the fields of Wilcoxon's signed rank test of the differences."""
    d, claim, zeros = differences.d, procedure.claim, procedure.zeros
    ranks = rank_test(
        d,
        (float(differences.rounding.min()), float(differences.rounding.max())),
        lambda: differences.sized_differences,
        zeros=zeros,
        alternative=claim.alternative,
        method="auto",
    )
    averages = ranks.averages(d, zeros)
    with_pseudomedian = differences._replace(estimate=averages.median())
    return Fields(
        **with_pseudomedian.inference(claim, ranks.w_plus(zeros), ranks.p),
        method=rank_title(ranks.null_name, zeros),
        effect_size=ranks.effect_size(),
        _letter="W+",
        _tails=averages,
    )


def rank_title(how: str, zeros: str) -> str:
    """Return the name of Wilcoxon's test, with its null distribution and treatment of zeros."""
    return f"Wilcoxon's signed rank test, {how}, zeros {zeros!r}"


def by_flips(differences: Differences, procedure: Procedure) -> Fields:
    """Return the fields of the sign-flip permutation test, by all signs or by random ones."""
    units, sums, sizes = differences.units, differences.replicates, differences.sizes
    claim = procedure.claim
    draws = procedure.draws
    n = differences.d.size
    tolerance = RELATIVE_TOLERANCE * float(np.abs(differences.d).sum())
    title = "sign-flip permutation test"
    if sizes is not None:
        title += f" of {sizes.size} clusters"
    tails = RandomFlipEnds(units, draws.n, draws.seed, sizes)
    if differences.can_enumerate(draws):
        varying = differences.varying()
        p = flip_pvalue(varying, tolerance, claim.alternative, None)
        fields = Fields(
            method=f"{title}, exact", _tails=ends_of_exact_test(tails, varying, tolerance)
        )
    else:
        sums = random_flip_sums(units, draws) if sums is None else sums
        p = flip_pvalue(units, tolerance, claim.alternative, sums)
        fields = Fields(
            method=title,
            n_resamples=sums.size,
            seed=draws.seed,
            distribution=sums / n if draws.keep else None,
            _tails=tails,
        )
    test: Fields = {**fields, **differences.inference(claim, differences.estimate, p)}
    if differences.standard_error == 0.0 and not claim.margin:
        test["_unvaried"] = differences.zero_variance_bound(procedure.largest_difference)
    return test


def by_resampling(differences: Differences, procedure: Procedure) -> Fields:
    """Return the fields of the percentile bootstrap's test of the mean difference."""
    d, estimate, values = differences.d, differences.estimate, differences.replicates
    claim, draws = procedure.claim, procedure.draws
    if d.size == 1:
        values = np.empty(0)
    elif differences.standard_error == 0.0:  # sums of equal numbers would round apart
        values = np.full(draws.n, estimate)
    elif values is None:
        (values,) = draw_replicates(WeightedMeans(d[None]), (d.size,), draws)
    return percentile_test(
        values,
        d,
        estimate,
        draws,
        claim,
        differences.zero_variance_bound(procedure.largest_difference),
    )


def percentile_test(
    values: Vector,
    d: Vector,
    estimate: float,
    draws: Draws,
    claim: Claim,
    unvaried: ZeroVarianceBound,
) -> Fields:
    """Return the fields of the percentile bootstrap's test of a mean of d, by its replicates.

    Replicates within rounding of 0, the estimate or a margin are set to that number.
    """
    points = (0.0, estimate, claim.margin, -claim.margin)
    tolerance = RELATIVE_TOLERANCE * float(np.abs(d).mean())
    replicates = summarize_replicates(
        "percentile", estimate, snap_to_points(values, points, tolerance)
    )
    fields = bootstrap_fields(replicates, draws, claim, unvaried)
    del fields["n_left_out"]  # none: every replicate has a mean
    return fields


def undefined_test(differences: Differences, procedure: Procedure) -> Fields:
    """Return the fields of a test where a loss is infinite: NaN for all but the estimate."""
    nothing = differences.inference(procedure.claim, math.nan, UNDEFINED)
    return Fields(**nothing, method="undefined", _tails=None)


def run_procedure(
    differences: Differences | LossMoments, procedure: Procedure, status: str
) -> Fields:
    """Return the fields of the procedure's test, NaN but for the estimate if a loss is infinite."""
    if isinstance(differences, LossMoments):
        return by_student(differences, procedure)
    test = undefined_test if status == "infinite_loss" else METHODS[procedure.method]
    return test(differences, procedure)


METHODS: dict[str, Callable[[Differences, Procedure], Fields]] = {  # of `ScoringResult`
    "auto": by_student,
    "t": by_student,
    "wilcoxon": by_ranks,
    "permutation": by_flips,
    "bootstrap": by_resampling,
}


def as_method(method: object, zeros: object) -> str:
    """Return the checked method, or raise if it or the treatment of zeros is unknown."""
    check_choice("zeros", zeros, ZEROS)
    chosen: str = as_choice("method", method, METHODS)
    return chosen
