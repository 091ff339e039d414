"""Placements, the integers behind DeLong's components V10 and V01, and exact moments of AUCs.

With placements P (twice the rank counts), W = sum of P over the positives = 2 m n AUC, which the
sum over the negatives equals. DeLong et al. (1988), Eq. 4-6, put over one denominator:

    Var = [(m S+ - W^2) (n - 1) + (n S- - W^2) (m - 1)] / [4 m^2 n^2 (m - 1) (n - 1)]

with S+ and S- the sums of P^2 over positives and negatives. For a difference of two models P is the
difference of their placements, so nothing cancels. Everything left of the division is an integer,
and Python divides integers with one correct rounding. Of many models the moments come from one
matrix product, and pair by pair where a variance cancels.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.device import RemoteCases, RemotePlacements
from .._base.memory import reserve
from .._base.parallel import Checkpoint, interruptible, map_threads, no_checkpoint, run_all
from .._base.types import Matrix, Vector
from .._inference.pvalues import welch_df, welch_dfs
from .._inputs.options import as_choice
from .._inputs.scores import Cases, scores_of_job
from ..kernels.pair import (
    MOST,
    MOST_SKEWED,
    TABLE_FROM,
    moment_sums,
    placement_skewness,
    placement_skewnesses,
    placements_heaviside,
    standardize,
    sum_squares,
    wins,
)
from ..kernels.sorting.keys import SAMPLED_FROM
from ..kernels.sorting.linear import (
    LINEAR_BELOW,
    placements_between,
    placements_linear,
    placements_of_few_values,
    placements_single,
)
from ..kernels.sorting.placements import placements_simd
from ..kernels.sorting.shared import SHARED_FROM, placements_shared, split_evenly

LONG_SORT = 1 << 22  # cases, sorted in 0.1 s: of more an interrupt does not wait for the sort
PAIRS_PER_CALL = 1 << 26  # pairs in a kernel call: 40 ms, so that an interrupt is heard
THREADS_FROM = 50_000  # cases of two models that repay the start of a thread: even at 40,000
WIDE_FROM = 1 << 31  # cases from which twice a rank needs more than 32 bits
METHODS = ("auto", "midrank", "heaviside")
Labels = NDArray[np.uint8]
Scratch = NDArray[np.uint64]
Placer = Callable[[Vector, Labels, Scratch, NDArray[Any]], None]


@dataclass(frozen=True, slots=True)
class Components:
    """Placements `placed` (k, n_cases) of k models, with the labels, m positives, n negatives."""

    labels: NDArray[np.uint8]
    placed: NDArray[Any]
    m: int
    n: int

    @property
    def k(self) -> int:
        """The number of models."""
        return int(self.placed.shape[0])

    @property
    def is_wide(self) -> bool:
        """Whether the placements take 64 bits."""
        return bool(self.placed.dtype == np.uint64)


class RemoteComponents(Components):
    """Placements on a device, copied to main memory when more than sums of pairs is needed."""

    remote: RemotePlacements

    def __init__(self, cases: RemoteCases) -> None:
        """Compute the placements of the cases on their device; `labels` and `placed` come later."""
        values = {"remote": RemotePlacements(cases), "m": cases.m, "n": cases.n}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @cached_property
    def _host_arrays(self) -> tuple[Labels, NDArray[np.uint32]]:
        """The labels and the placements (k, n), copied from the device once."""
        return self.remote.on_host()

    labels = property(lambda self: self._host_arrays[0])
    placed = property(lambda self: self._host_arrays[1])
    k = property(lambda self: len(self.remote.placed))
    is_wide = False


def place_by_pairs(scores: Vector, labels: Labels, scratch: Scratch, out: NDArray[Any]) -> None:
    """Write placements to `out` by comparing some positives at a time with all negatives.

    A placement of a negative is the sum of those among some positives each. `scratch` is unused.
    """
    positive, negative = np.flatnonzero(labels), np.flatnonzero(labels == 0)
    step = max(1, PAIRS_PER_CALL // negative.size)
    if positive.size <= step:
        placements_heaviside(scores, labels, out)
        return
    out[negative] = 0
    for first in range(0, positive.size, step):
        some_positives = positive[first : first + step]
        rows = np.concatenate([some_positives, negative])
        placed = np.empty(rows.size, out.dtype)
        placements_heaviside(scores[rows], labels[rows], placed)
        out[some_positives] = placed[: some_positives.size]
        out[negative] += placed[some_positives.size :]


def place_by_sort(scores: Vector, labels: Labels, scratch: Scratch, out: NDArray[Any]) -> None:
    """Write placements to `out` by sorting: few scores by 32-bit keys, if these are distinct.

    The kernels for few scores return whether they could: else the next one writes all anew.
    """
    n = labels.size
    if n < LINEAR_BELOW:
        m = int(np.count_nonzero(labels.view(np.bool_)))
        keys = scratch.view(np.uint32)[:n]
        if placements_linear(scores, labels, m, keys, out):
            return
        if n >= SAMPLED_FROM and placements_between(scores, labels, m, keys, out):
            return
    placements_simd(scores, labels, scratch, out)


def place_by_table(scores: Vector, labels: Labels, scratch: Scratch, out: NDArray[Any]) -> None:
    """Write placements to `out` by counting each distinct value, or by sorting if they are many."""
    if not placements_of_few_values(scores, labels, out):
        place_by_sort(scores, labels, scratch, out)


def choose_placer(method: str, n_cases: int) -> Placer:
    """Return the fastest function that writes the placements of `n_cases` cases by `method`."""
    if method == "heaviside":
        return place_by_pairs
    if method == "auto" and n_cases >= TABLE_FROM:
        return place_by_table
    return place_by_sort


def as_components(cases: Cases, method: str = "auto", n_jobs: int = 1) -> Components:
    """Return the placements of every model, computed by `method` over `n_jobs` threads."""
    if type(method) is not str or method not in METHODS:
        method = as_choice("method", method, METHODS)
    if cases.remote is not None:
        return RemoteComponents(cases.remote)
    labels, scores = cases.labels, cases.scores
    m = int(np.count_nonzero(labels.view(np.bool_)))
    n = labels.size - m
    placed = reserve((len(scores), m + n), np.uint64 if m + n >= WIDE_FROM else np.uint32)
    jobs = min(n_jobs, len(scores)) if placed.size >= 2 * THREADS_FROM else 1
    write_placements, models = choose_placer(method, m + n), [*range(len(scores))]
    # one block for all: arrays that come and go make malloc trim and fault pages anew, half the
    # time of 10^5 cases
    scratch = np.empty((jobs, m + n), np.uint64)

    def place_models(job: int, checkpoint: Checkpoint) -> None:
        """Write the placements of every `jobs`-th of the `models`, from number `job` on."""
        for model, vector in scores_of_job(scores, models, job, jobs):
            checkpoint()
            place_scores = placements_single if vector.dtype == np.float32 else write_placements
            arguments = vector, labels, scratch[job], placed[model]
            interruptible(m + n > LONG_SORT, place_scores, *arguments)

    if not (m and n):
        placed.fill(0)
        return Components(labels, placed, m, n)
    if method != "heaviside":
        models = models_for_single_threads(scores, labels, m, scratch[0], placed, n_jobs)
    if jobs == 1:
        place_models(0, no_checkpoint)
    else:
        run_all(place_models, range(jobs), n_jobs=jobs)
    return Components(labels, placed, m, n)


def models_for_single_threads(
    scores: Sequence[Vector],
    labels: Labels,
    m: int,
    scratch: Scratch,
    placed: NDArray[Any],
    n_jobs: int,
) -> list[int]:
    """Return the models that are left to one thread each; write the placements of the others.

    Of many cases, the models beyond a multiple of `n_jobs` are placed by all threads together: else
    some would be idle while others place these. That may fail for a model, which is then left.
    """
    shared = len(scores) % n_jobs if SHARED_FROM <= labels.size < WIDE_FROM else 0
    return [
        model
        for model in range(len(scores))
        if model < len(scores) - shared
        or not placements_shared(scores[model], labels, m, scratch, placed[model], n_jobs)
    ]


def index_pairs(k: int) -> Sequence[tuple[int, int]]:
    """Return all pairs (i, j) with i < j, in row order."""
    return [(i, j) for i in range(k) for j in range(i + 1, k)]


WIDE_BLOCK = 1 << 16  # cases at a time


class PairSums(NamedTuple):
    """W of two models a and b, and sums of squared placements over (positives, negatives).

    The squares are of a (`aa`), of b (`bb`) and of the difference a - b (`dd`).
    """

    w_a: int
    w_b: int
    aa: tuple[int, int]
    bb: tuple[int, int]
    dd: tuple[int, int]

    @classmethod
    def of(cls, *sums: int) -> "PairSums":
        """Return the sums from those that `sum_squares` writes, in its order.

        x are of positives and y of negatives; a, b and d are the models and their difference.
        """
        w_a, w_b, xa, ya, xb, yb, xd, yd = sums
        return cls(w_a, w_b, aa=(xa, ya), bb=(xb, yb), dd=(xd, yd))


def pair_sums(components: Components, i: int, j: int, n_jobs: int = 1) -> PairSums:
    """Return the exact sums of the placements of models i and j."""
    if isinstance(components, RemoteComponents):
        return PairSums.of(*components.remote.pair_sums(i, j))
    if components.is_wide:
        return wide_pair_sums(components, i, j)
    a, b, labels = components.placed[i], components.placed[j], components.labels
    if labels.size < MOST:
        totals = np.empty(8, np.int64)
        sum_squares(a, b, labels, totals)
        return PairSums.of(*totals.tolist())
    stretches = split_evenly(labels.size, n_jobs)
    out = np.empty((n_jobs, 2, 8), np.uint64)

    def add_stretch(job: int) -> None:
        """Write the moment sums of one thread's slice of cases to out[job]."""
        rows = stretches[job]
        moment_sums(a[rows], b[rows], labels[rows], out[job])

    map_threads(add_stretch, range(n_jobs), n_jobs)
    return as_pair_sums(out.sum(axis=0))


def as_pair_sums(out: NDArray[np.uint64]) -> PairSums:
    """Return the sums that `moment_sums` wrote (2, 8), as Python's integers.

    Its rows are the sums over all cases and over the positives, its columns W of a and b, and the
    low and high words of the squares of a, b and the difference.
    """
    words = out.astype(object)
    w_a, w_b = words[1, :2]
    of_all, of_positives = words[:, 2::2] + (words[:, 3::2] << 32)
    aa, bb, dd = zip(of_positives, of_all - of_positives, strict=True)
    return PairSums(w_a, w_b, aa, bb, dd)


def wide_pair_sums(components: Components, i: int, j: int) -> PairSums:
    """Return the exact sums of placements beyond 32 bits, which only 2^31 cases and more have."""
    a, b, labels = components.placed[i], components.placed[j], components.labels
    w_a = w_b = 0
    squares = [[0, 0], [0, 0], [0, 0]]
    for start in range(0, labels.size, WIDE_BLOCK):
        block = slice(start, start + WIDE_BLOCK)
        placed_a, placed_b = a[block].astype(np.int64), b[block].astype(np.int64)
        placements = placed_a, placed_b, placed_a - placed_b
        positive = labels[block] == 1
        for side, members in enumerate((positive, ~positive)):
            for total, values in zip(squares, placements, strict=True):
                total[side] += sum_of_squares(values[members])
        w_a += int(placed_a[positive].sum())
        w_b += int(placed_b[positive].sum())
    aa, bb, dd = ((over_x, over_y) for over_x, over_y in squares)
    return PairSums(w_a, w_b, aa, bb, dd)


def sum_of_squares(values: NDArray[Any]) -> int:
    """Return the exact sum of squares of a block of integers below 2^40.

    With integers high 2^20 + low, no product or sum of these exceeds 64 bits.
    """
    high, low = values >> 20, values & ((1 << 20) - 1)
    highs, mixed, lows = (int((x * y).sum()) for x, y in ((high, high), (high, low), (low, low)))
    return (highs << 40) + (mixed << 21) + lows


def numerator(w: int, squares: tuple[int, int], m: int, n: int) -> int:
    """Return the numerator of Var in the module's formula, from W and (S+, S-)."""
    over_x, over_y = squares
    return (m * over_x - w * w) * (n - 1) + (n * over_y - w * w) * (m - 1)


def denominator(m: int, n: int) -> int:
    """Return the denominator of Var in the module's formula."""
    return 4 * m * m * n * n * (m - 1) * (n - 1)


def class_variances(w: int, squares: tuple[int, int], m: int, n: int) -> tuple[float, float]:
    """Return the terms of positives and of negatives of Var, from W and (S+, S-)."""
    over_x, over_y = squares
    under = 4 * m * m * n * n
    return (m * over_x - w * w) / (under * (m - 1)), (n * over_y - w * w) / (under * (n - 1))


class PairMoments(NamedTuple):
    """AUCs, their covariance, difference and its variance, of two models, each rounded once.

    The difference over its standard error is referred to Student's t with `df` (normal if
    infinite), corrected for its `skewness` unless that is None.
    """

    auc: NDArray[np.float64]
    covariance: NDArray[np.float64]
    estimate: float
    variance: float
    df: float = math.inf
    skewness: float | None = None


def pair_moments(components: Components, i: int, j: int, n_jobs: int = 1) -> PairMoments:
    """Return AUCs (2,), covariance (2, 2), their difference and its variance; NaN if undefined."""
    m, n = components.m, components.n
    if not (m and n):
        return undefined_pair()
    return moments_from_sums(pair_sums(components, i, j, n_jobs), m, n)


def undefined_pair() -> PairMoments:
    """Return moments that are all NaN, of two models where a class is missing."""
    return PairMoments(np.full(2, math.nan), np.full((2, 2), math.nan), math.nan, math.nan)


def difference_and_variance(sums: PairSums, m: int, n: int) -> tuple[float, float]:
    """Return AUC_a - AUC_b and its variance, NaN for less than two cases of a class.

    `sums` are of the placements by both models, over m positives and n negatives. The bits are
    those of `moments_from_sums`.
    """
    estimate = (sums.w_a - sums.w_b) / (2 * m * n)
    if m < 2 or n < 2:
        return estimate, math.nan
    return estimate, numerator(sums.w_a - sums.w_b, sums.dd, m, n) / denominator(m, n)


def moments_from_sums(sums: PairSums, m: int, n: int) -> PairMoments:
    """Return AUCs, covariance, difference and its variance from `sums` of two models' placements.

    There are m positives and n negatives; variances are NaN for less than two of either.
    """
    doubled_pairs = 2 * m * n
    auc = np.array((sums.w_a / doubled_pairs, sums.w_b / doubled_pairs))
    estimate = (sums.w_a - sums.w_b) / doubled_pairs
    if m < 2 or n < 2:
        return PairMoments(auc, np.full((2, 2), math.nan), estimate, math.nan)
    aa = numerator(sums.w_a, sums.aa, m, n)
    bb = numerator(sums.w_b, sums.bb, m, n)
    dd = numerator(sums.w_a - sums.w_b, sums.dd, m, n)
    under = denominator(m, n)
    covariance_ab = (aa + bb - dd) / (2 * under)  # polarisation: exact, since these are integers
    covariance = np.array(((aa / under, covariance_ab), (covariance_ab, bb / under)))
    return PairMoments(auc, covariance, estimate, dd / under)


def difference_df(components: Components, i: int, j: int) -> float:
    """Return Satterthwaite's degrees of freedom of the variance of AUC_i - AUC_j.

    NaN where the variance is 0 or undefined.
    """
    m, n = components.m, components.n
    return df_from_sums(pair_sums(components, i, j), m, n) if m and n else math.nan


def difference_skewness(components: Components, i: int, j: int) -> float:
    """Return the skewness of AUC_i - AUC_j; 0 if it is not significant or too small to matter.

    With `MOST_SKEWED` cases of both classes or more it is too small.
    """
    if min(components.m, components.n) >= MOST_SKEWED:
        return 0.0
    placed = components.placed
    return float(placement_skewness(placed[i], placed[j], components.labels, components.m))


def df_from_sums(sums: PairSums, m: int, n: int) -> float:
    """Return Satterthwaite's df of Var(AUC_a - AUC_b) from `sums` of two models' placements."""
    if m < 2 or n < 2:
        return math.nan
    return welch_df(class_variances(sums.w_a - sums.w_b, sums.dd, m, n), (m, n))


def auc_variances(components: Components) -> tuple[float, float]:
    """Return the terms of positives and of negatives in the variance of the first model's AUC."""
    m, n = components.m, components.n
    if m < 2 or n < 2:
        return math.nan, math.nan
    sums = pair_sums(components, 0, 0)
    return class_variances(sums.w_a, sums.aa, m, n)


# models up to which exact sums of all pairs cost less than sorting, see bench_auc
MOST_MODELS_BY_PAIRS = 8
BLOCK_VALUES = 1 << 20  # 8 MiB of doubles at a time
PRODUCT_THREADS_FROM = 1 << 21  # placements; of fewer a second thread starts as long as it saves
CANCELLATION = 1e-4  # below this share of the variances, their difference has lost four digits

Scaling = tuple[Matrix, Vector]
Cells = tuple[NDArray[np.intp], NDArray[np.intp]]


class Moments(NamedTuple):
    """AUCs (k,), their covariance (k, k), their differences (k, k) and the variances of those.

    A difference over its standard error is referred to Student's t with `df` (normal if infinite);
    on the diagonal are the df of the AUCs, if known. `skewness` returns the skewness of chosen
    differences; None if the reference distribution does not use it.
    """

    auc: NDArray[np.float64]
    covariance: NDArray[np.float64]
    difference: NDArray[np.float64]
    difference_variance: NDArray[np.float64]
    df: Matrix | float = math.inf
    skewness: Callable[[Cells], Vector] | None = None


def all_moments(components: Components, n_jobs: int = 1) -> Moments:
    """Return the moments of all models; NaN where a class is missing or has one case."""
    jobs = n_jobs if components.placed.size >= PRODUCT_THREADS_FROM else 1
    if components.k <= MOST_MODELS_BY_PAIRS or min(components.m, components.n) < 2:
        return moments_by_pairs(components, jobs)
    return moments_by_product(components, jobs)


def moments_by_pairs(components: Components, n_jobs: int = 1) -> Moments:
    """Return the moments of all models from exact sums of every pair, each rounded once."""
    pairs = index_pairs(components.k) or [(0, 0)]
    moments = map_threads(lambda pair: pair_moments(components, *pair), pairs, n_jobs)
    return moments_from_pairs(moments, components.k)


def moments_from_pairs(moments: Sequence[PairMoments], k: int) -> Moments:
    """Return the moments of k models from those of all pairs, in the order of `index_pairs`.

    One model has the moments of its pair with itself.
    """
    auc, covariance = reserve((k,)), reserve((k, k))
    difference = np.zeros((k, k))
    variance = np.zeros((k, k))
    df = np.full((k, k), math.inf)
    for (i, j), pair in zip(index_pairs(k) or [(0, 0)], moments, strict=True):
        auc[[i, j]] = pair.auc
        covariance[np.ix_([i, j], [i, j])] = pair.covariance
        difference[i, j], difference[j, i] = pair.estimate, -pair.estimate
        variance[i, j] = variance[j, i] = pair.variance
        df[i, j] = df[j, i] = pair.df
    return Moments(auc, covariance, difference, variance, df)


def moments_by_product(components: Components, n_jobs: int = 1) -> Moments:
    """Return the moments of all models by one matrix product of their components.

    Variances of differences that lose digits by cancellation come from exact sums of the pair.
    """
    k, m, n = components.k, components.m, components.n
    wins = [model_wins(components, model) for model in range(k)]  # a fiftieth of the sorts
    auc = np.array([w / (2 * m * n) for w in wins])
    whole_wins = np.array(wins, dtype=object if components.is_wide else np.int64)
    difference = np.subtract.outer(whole_wins, whole_wins).astype(np.float64) / (2 * m * n)
    covariance = covariance_by_blocks(components, wins, n_jobs)
    variance = variances_from_covariance(covariance)
    np.fill_diagonal(variance, 0.0)
    for i, j in cancelled_pairs(variance):
        variance[i, j] = variance[j, i] = pair_moments(components, i, j).variance
    return Moments(auc, covariance, difference, variance)


def variances_from_covariance(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the variances (..., k, k) of all differences; NaN for those that lose digits."""
    marginal = np.diagonal(covariance, axis1=-2, axis2=-1)
    total = marginal[..., :, None] + marginal[..., None, :]
    variances = total - 2.0 * covariance
    return np.where(variances < CANCELLATION * total, math.nan, variances)


def cancelled_pairs(variance: Matrix) -> list[list[int]]:
    """Return the pairs (i, j) with i < j whose variance is NaN."""
    return np.argwhere(np.triu(np.isnan(variance), 1)).tolist()


def covariance_by_blocks(components: Components, wins: list[int], n_jobs: int) -> Matrix:
    """Return the covariance (k, k) of the AUCs, summed block by block of cases, in that order.

    As many blocks as threads at a time: the products of all would take more than the placements.
    """
    total = reserve((components.k, components.k))
    total.fill(0.0)
    slices = case_slices(components)
    scaling = placement_scaling(components, wins)
    jobs_per_block = n_jobs if len(slices) == 1 else 1

    def product(cases: slice) -> Matrix:
        """Return B B' (k, k), B being the scaled components of a slice of cases."""
        block = standardized_block(components, scaling, cases, jobs_per_block)
        block_product: Matrix = block @ block.T
        return block_product

    for first in range(0, len(slices), n_jobs):
        for block_product in map_threads(product, slices[first : first + n_jobs], n_jobs):
            total += block_product
    return total


def difference_dfs(components: Components) -> Matrix:
    """Return Satterthwaite's degrees of freedom (k, k) of all differences; NaN on the diagonal."""
    k, m, n = components.k, components.m, components.n
    df = np.full((k, k), math.nan)
    if k > MOST_MODELS_BY_PAIRS and min(m, n) > 1:
        df = welch_dfs(class_variances_of_pairs(components), (n, m))
    # pairs with NaN so far: all of few models, else those whose variances lost digits
    for i, j in cancelled_pairs(df):
        df[i, j] = df[j, i] = difference_df(components, i, j)
    np.fill_diagonal(df, math.nan)
    return df


def difference_skewnesses(components: Components, cells: Cells) -> Vector:
    """Return the skewness of AUC_i - AUC_j for cells (i, j); 0 as in `difference_skewness`."""
    skewness = np.zeros(cells[0].size)
    if min(components.m, components.n) < MOST_SKEWED:
        placement_skewnesses(components.placed, components.labels, components.m, *cells, skewness)
    return skewness


def class_terms(components: Components) -> NDArray[np.float64]:
    """Return the terms (2, k, k) of positives and of negatives in the variances of differences.

    On the diagonal are those of the AUCs. NaN where a class has one case.
    """
    k, m, n = components.k, components.m, components.n
    terms = np.full((2, k, k), math.nan)
    if min(m, n) < 2:
        return terms
    if k > MOST_MODELS_BY_PAIRS:
        terms = class_variances_of_pairs(components)[::-1].copy()  # positives first
    unknown = np.isnan(terms[0] + terms[1])
    model_sums = {}  # W and (S+, S-) of the models of such pairs
    for i, j in cancelled_pairs(terms[0] + terms[1]):
        sums = pair_sums(components, i, j)
        model_sums[i], model_sums[j] = (sums.w_a, sums.aa), (sums.w_b, sums.bb)
        terms[:, i, j] = class_variances(sums.w_a - sums.w_b, sums.dd, m, n)
        terms[:, j, i] = terms[:, i, j]
    for i in np.flatnonzero(np.diag(unknown)).tolist():
        if i not in model_sums:
            sums = pair_sums(components, i, i)
            model_sums[i] = sums.w_a, sums.aa
        terms[:, i, i] = class_variances(*model_sums[i], m, n)
    return terms


def class_variances_of_pairs(components: Components) -> NDArray[np.float64]:
    """Return the terms (2, k, k) of negatives and of positives in the variances of differences.

    By matrix products; NaN where these lose digits by cancellation.
    """
    wins = [model_wins(components, i) for i in range(components.k)]
    covariance = np.zeros((2, components.k, components.k))
    scaling = placement_scaling(components, wins)
    for cases in case_slices(components):
        block = standardized_block(components, scaling, cases)
        for label in (0, 1):
            members = block[:, components.labels[cases] == label]
            covariance[label] += members @ members.T
    return variances_from_covariance(covariance)


def model_wins(components: Components, model: int) -> int:
    """Return 2 m n AUC of one model, an exact integer."""
    if isinstance(components, RemoteComponents):
        return components.remote.wins(model)
    if components.is_wide:
        return pair_sums(components, model, model).w_a
    return int(wins(components.placed[model], components.labels))


def placement_scaling(components: Components, wins: list[int]) -> Scaling:
    """Return the mean placements (k, 2) of negatives and positives, and their scales (2,)."""
    m, n = components.m, components.n
    centre = np.array([(w / n, w / m) for w in wins])
    return centre, np.array((class_scale(n, m), class_scale(m, n)))


def standardized_block(
    components: Components, scaling: Scaling, cases: slice, n_jobs: int = 1
) -> Matrix:
    """Return the scaled components (k, width) of some cases: B with covariance = sum of B B'.

    The blocks of cases are the same for any number of threads, and so is the order of the sums.
    """
    placed, labels = components.placed[:, cases], components.labels[cases]
    centre, scale = scaling
    block = np.empty(placed.shape)

    def fill(job: int) -> None:
        """Write the scaled components of one thread's models to `block`."""
        models = slice(job * components.k // n_jobs, (job + 1) * components.k // n_jobs)
        standardize(
            np.ascontiguousarray(placed[models]), labels, centre[models], scale, block[models]
        )

    map_threads(fill, range(n_jobs), n_jobs)
    return block


def case_slices(components: Components) -> list[slice]:
    """Return slices of all cases: in each, components of all models fill about 8 MiB."""
    width = max(1024, BLOCK_VALUES // components.k)
    return [slice(start, start + width) for start in range(0, components.labels.size, width)]


def class_scale(class_size: int, other_class_size: int) -> float:
    """Return the scale of centred placements whose sum of squares is a class's variance term."""
    return 1.0 / (2.0 * other_class_size * math.sqrt(class_size * (class_size - 1.0)))
