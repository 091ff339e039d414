"""Moments of AUCs for any design of a study: independent cases, weighted ones, or clusters.

With weights w of sums W1 (positives) and W0 (negatives), V10_i = sum_j w_j psi(X_i, Y_j) / W0,
V01_j likewise, and t = sum_i w_i V10_i / W1; m counts the positives. Linearisation gives

    sampling:   Var = m / (m - 1) sum (w_i (V10_i - t))^2 / W1^2 + the same for negatives
    frequency:  Var = sum w_i (V10_i - t)^2 / (W1 (W1 - 1))      + the same for negatives

Weights become integers of two limbs, high / 2^bits + low / 4^bits, whose sums do not depend on the
order: models that rank positives against negatives identically differ by exactly 0, not by
rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.memory import reserve, row_products
from ..._base.parallel import interruptible, map_threads
from ..._base.types import Integers, Matrix, NanPolicy, Vector
from ..._inference.clusters import FEWEST_DF, NORMAL_DF, cluster_status
from ..._inference.infer import ZeroVarianceBound
from ..._inference.pvalues import welch_df, welch_dfs
from ..._inputs.chunks.device import as_cases_anywhere
from ..._inputs.options import as_choice, count_jobs
from ..._inputs.scores import Cases, ScoreTable
from ...kernels.pair import MOST_SKEWED, sum_few
from ...kernels.sorting.linear import LINEAR_BELOW
from ...kernels.weights import (
    compare_wins,
    sum_products,
    sum_weights_by_class,
    weigh_few,
    weigh_scores,
    write_errors,
)
from .._components import (
    LONG_SORT,
    METHODS,
    MOST_MODELS_BY_PAIRS,
    THREADS_FROM,
    Cells,
    Components,
    Moments,
    PairMoments,
    all_moments,
    as_components,
    cancelled_pairs,
    class_terms,
    difference_df,
    difference_dfs,
    difference_skewness,
    difference_skewnesses,
    index_pairs,
    moments_from_pairs,
    pair_moments,
    undefined_pair,
    variances_from_covariance,
)
from .._intervals import independent_clusters, unvaried_bound, unvaried_bound_of_cases
from .clustered import Clustered, add_variances, as_clustered, moments_from_influence
from .small_samples import FEW_FOR_T, uses_student_t

MOST_REPEATED = 1 << 16  # sum of frequencies up to which rows are repeated
SMALLEST_COUNT_ABOVE_1 = math.nextafter(1.0, 2.0)
Sizes = tuple[float, float]
KernelArguments = tuple[NDArray[np.uint8], Vector, Matrix, Vector, Vector, bool]


FIRST, SECOND, DIFFERENCE = 0, 2, 3  # indices of the variances in `WeightedSums`; 1: covariance


class WeightedSums(NamedTuple):
    """AUCs of two models and of their difference, and each class's terms of their variances.

    The terms are those of Var_a, Cov_ab, Var_b and the variance of the difference.
    """

    aucs: Sequence[float]
    negatives: Sequence[float]
    positives: Sequence[float]

    @property
    def sums(self) -> list[float]:
        """Var_a, Cov_ab, Var_b and the variance of the difference."""
        return [n + p for n, p in zip(self.negatives, self.positives, strict=True)]


class WeightedCases(NamedTuple):
    """Weighted cases, with what kernels need to compute the moments of any model.

    Of (negatives, positives): `sizes` are numbers of cases (sums of frequencies), `counts` Kish's
    effective numbers of cases, and `units` numbers of cases for bounds of what a sample may lack.
    `factors` are the powers of 2 that make weights integers, `unit` is that of low limbs, `limbs`
    (2, 2) are the sums of weights, `totals` the same as floats; `scales` turn weighted distances
    into errors. `student` says whether to compute degrees of freedom.
    """

    labels: NDArray[np.uint8]
    weights: Vector
    kind: str
    sizes: Sizes
    counts: Sizes
    units: Sizes
    factors: Matrix
    unit: float
    limbs: Integers
    totals: Vector
    scales: tuple[float, float]
    student: bool

    def wins(self, scores: Vector, out: NDArray[Any], second: bool = False) -> None:
        """Write 2 W1 V01 of the negatives and 2 W0 V10 of the positives, see `weigh_scores`."""
        arguments = self.labels, self.weights, self.factors, self.unit, self.limbs
        wins = out.view(np.int64)
        if scores.size < LINEAR_BELOW and weigh_few(scores, *arguments, wins, second):
            return
        interruptible(scores.size > LONG_SORT, weigh_scores, scores, *arguments, wins, second)

    def all_pairs(self, scores: Sequence[Vector], jobs: int = 1) -> list[WeightedSums]:
        """Return the sums of all pairs of models, in row order; of one model, those of its AUC.

        Two models by one thread take 32 bytes a case, as their wins become differences at once.
        """
        if len(scores) == 2 and self.labels.size < LINEAR_BELOW:
            few = self.sums_of_few(*scores)
            if few is not None:
                return [few]
        if len(scores) == 1 or (len(scores) == 2 and jobs == 1):
            values = np.empty((self.labels.size, 2 * len(scores) - 1))
            for i, model_scores in enumerate(scores):
                self.wins(model_scores, values, second=i == 1)
            return [self.sums_from_wins(values)]
        wins = reserve((len(scores), self.labels.size, 2), np.int64)
        map_threads(lambda i: self.wins(scores[i], wins[i]), range(len(scores)), jobs)
        return [self.compare_pair(wins[i], wins[j]) for i, j in index_pairs(len(scores))]

    def compare_pair(self, wins_a: Integers, wins_b: Integers) -> WeightedSums:
        """Return the sums of two models from their weighted wins, in limbs (n, 2)."""
        values = np.empty((len(wins_a), 3))
        compare_wins(wins_a, wins_b, self.unit, values)
        return self.sums_from_wins(values)

    def sums_of_few(self, a: Vector, b: Vector) -> WeightedSums | None:
        """Return the sums of two models on few cases by one kernel; None if keys do not fit."""
        means, sums = np.empty((2, 3)), np.empty((2, 4))
        labels, weights, factors, totals, scales, by_root = self.kernel_arguments
        cases = labels, weights, factors, self.unit, self.limbs
        fits = sum_few(a, b, *cases, totals, scales, by_root, means, sums)
        return self.from_kernel_sums(means, sums) if fits else None

    def sums_from_wins(self, values: Matrix) -> WeightedSums:
        """Return the sums of two models from the wins (n, 3) of a, b and their difference."""
        means, sums = np.empty((2, 3)), np.empty((2, 4))
        sum_products(values, *self.kernel_arguments, means, sums)
        return self.from_kernel_sums(means, sums)

    def from_kernel_sums(self, means: Matrix, sums: Matrix) -> WeightedSums:
        """Return the sums from the `means` (2, 3) and `sums` (2, 4) that a kernel has written.

        Rows are of negatives and positives. The positives' mean wins over the largest are an AUC.
        """
        most = self.largest_win
        return WeightedSums([wins / most for wins in means[1].tolist()], *sums.tolist())

    def moments(self, sums: WeightedSums) -> PairMoments:
        """Return AUCs, covariance, difference, variance and df of two models from their sums."""
        aa, ab, bb, dd = sums.sums
        a, b, difference = sums.aucs
        auc = np.array([min(max(a, 0.0), 1.0), min(max(b, 0.0), 1.0)])
        covariance = np.array([[aa, ab], [ab, bb]])
        return PairMoments(auc, covariance, difference, dd, self.df(sums, DIFFERENCE))

    def df(self, sums: WeightedSums, index: int) -> float:
        """Return Satterthwaite's df of the variance at `index`: FIRST, SECOND or DIFFERENCE."""
        if not self.student:
            return math.inf
        shares = sums.negatives[index], sums.positives[index]
        return welch_df(shares, self.counts) if min(self.counts) > 1.0 else math.nan

    def errors(self, scores: Vector, out: Vector) -> float:
        """Write the errors (n,) whose squares add to the variance of an AUC; return the AUC."""
        values, means = out[:, None], np.empty((2, 3))
        self.wins(scores, values)
        write_errors(values, *self.kernel_arguments, means)
        return min(max(float(means[1, 0]) / self.largest_win, 0.0), 1.0)

    @property
    def largest_win(self) -> float:
        """The largest possible wins of a positive, 2 W0."""
        return 2.0 * float(self.totals[0])

    @property
    def kernel_arguments(self) -> KernelArguments:
        """The arguments of kernels that turn the wins of cases into errors."""
        (below, above), (negatives, positives) = self.scales, self.totals.tolist()
        scales = np.array((below / (2.0 * positives), above / (2.0 * negatives)))
        by_root = self.kind == "frequency"
        return self.labels, self.weights, self.factors, self.totals, scales, by_root


def as_weighted(cases: Cases, reference: str = "design") -> WeightedCases:
    """Return weighted cases with the sums of weights that all models need."""
    labels, weights, kind = cases.labels, np.asarray(cases.weights), str(cases.weight_kind)
    bits = 61 - labels.size.bit_length()  # twice the sum of all stays below 2^62
    factors, limbs, class_sums = np.empty((2, 2)), np.empty((2, 2), np.int64), np.empty((2, 5))
    sum_weights_by_class(weights, labels, bits, factors, limbs, class_sums)
    class_counts = CLASS_COUNTS[kind]
    negatives, positives = (class_counts(*sums) for sums in class_sums.tolist())
    sizes, counts, units, scales = zip(negatives, positives, strict=True)
    student = uses_student_t(reference, f"{kind} weights", min(counts))
    sums = factors, 2.0**bits, limbs, class_sums[:, 4]  # these are the totals
    return WeightedCases(labels, weights, kind, sizes, counts, units, *sums, scales, student)


def sampling_class_counts(
    m: float, _: float, ratios: float, squares: float, total: float
) -> tuple[float, float, float, float]:
    """Return size, count, units and scale of a class of m sampling weights, for `WeightedCases`.

    `ratios` is the sum of w / max w, `squares` that of (w / max w)^2, `total` that of w. The count
    is Kish's effective number of cases, (sum w)^2 / sum w^2, above 1 for several.
    """
    count = max(ratios * ratios / squares, SMALLEST_COUNT_ABOVE_1) if m > 1 else m
    return m, count, ratios, math.sqrt(m / (m - 1.0)) / total if m > 1 else math.nan


def frequency_class_counts(
    _: float, m: float, ratios: float, squares: float, total: float
) -> tuple[float, float, float, float]:
    """Return size, count, units and scale of a class whose frequencies add up to m cases.

    The arguments are those of `sampling_class_counts`, m being the sum in place of the number.
    """
    return m, m, m, math.sqrt(1.0 / (m - 1.0) / total) if m > 1 else math.nan


CLASS_COUNTS = {"sampling": sampling_class_counts, "frequency": frequency_class_counts}


def frequency_skewness(cases: Cases, reference: str) -> Callable[[Cells], Vector] | None:
    """Return a function of the skewness of differences of cases with frequencies.

    It repeats each row as often as its frequency says, or returns 0 for many cases. None for
    sampling weights, and for references without skewness.
    """
    if reference != "auto" or cases.weight_kind != "frequency":
        return None
    weights = np.asarray(cases.weights)
    if weights.sum() > MOST_REPEATED or np.bincount(cases.labels, weights).min() >= MOST_SKEWED:
        return lambda cells: np.zeros(cells[0].size)
    times = weights.astype(np.int64)
    scores = [np.repeat(model_scores, times) for model_scores in cases.scores]
    repeated = Cases(np.repeat(cases.labels, times), scores, cases.names)
    return partial(difference_skewnesses, as_components(repeated))


TITLES = {
    "independent": "DeLong's paired test",
    "sampling weights": "DeLong's paired test, sampling weights",
    "frequency weights": "DeLong's paired test, frequency weights",
    "clusters": "DeLong's paired test, clusters",
}
PUBLISHED = "Obuchowski's clustered DeLong test"


class Design(NamedTuple):
    """The sampling design of cases: independent, weighted or clustered, and what follows from it.

    `df` are the fewest degrees of freedom of variances, `published` is whether clusters have
    Obuchowski's variance and the normal distribution. `unvaried` is the bound for models that rank
    all pairs equally, `sizes` are the effective numbers of positives and negatives; both are None
    for independent cases.
    """

    kind: str = "independent"
    df: float = math.inf
    published: bool = False
    unvaried: ZeroVarianceBound | None = None
    sizes: tuple[float, float] | None = None
    n_clusters: int = 0

    @property
    def title(self) -> str:
        """The name of the test."""
        return PUBLISHED if self.published else TITLES[self.kind]

    def status(self, word: str, fewest_cases: int = FEW_FOR_T) -> str:
        """Return `word`, the status of independent cases, or in its place that of the design.

        Weights are unreliable below `fewest_cases` effective cases of a class.
        """
        if self.kind != "clusters":
            return "small_sample" if word == "ok" and self.df + 1.0 < fewest_cases else word
        if word in ("one_class", "too_few"):
            return word
        cluster_word = cluster_status(self.df, fewest=NORMAL_DF if self.published else FEWEST_DF)
        if cluster_word == "too_few_clusters" or word in ("ok", "small_sample"):
            return cluster_word
        return word


def study_design(cases: Cases, *, published: bool = True) -> Design:
    """Return the design of cases, from their weights and groups."""
    if cases.weight_kind is not None:
        return Design(f"{cases.weight_kind} weights", unvaried=unvaried_bound_of_cases(cases))
    if cases.groups is None:
        return Design()
    return design_of_clusters(as_clustered(cases.labels, cases.groups), published=published)


def design_of_clusters(clustered: Clustered, *, published: bool) -> Design:
    """Return the design of clustered cases; `published` chooses Obuchowski's variance."""
    unvaried = unvaried_bound(*independent_clusters(clustered.sizes))
    sizes = kish_sizes(clustered.sizes.astype(np.float64))
    n_clusters = clustered.sizes.shape[1]
    return Design("clusters", clustered.df, published, unvaried, sizes, n_clusters)


@np.errstate(under="ignore")
def effective_sizes(cases: Cases) -> tuple[float, float]:
    """Return the effective numbers of independent positives and negatives."""
    labels, weights = cases.labels, cases.weights
    if weights is None and cases.groups is None:
        m, n = cases.sizes
        return float(m), float(n)
    if cases.weight_kind != "sampling" and cases.groups is None:
        n, m = np.bincount(labels, weights, minlength=2).tolist()
        return m, n
    if weights is None:
        unit_weights = as_clustered(labels, np.asarray(cases.groups)).sizes.astype(np.float64)
    else:
        unit_weights = np.array([weights * (labels == label) for label in (1, 0)])
    return kish_sizes(unit_weights)


def kish_sizes(weights: Matrix) -> tuple[float, float]:
    """Return the effective sizes of classes from the weights (2, I) of independent units in each.

    Kish (1965): the squared sum of the weights over the sum of their squares.
    """
    tiny = np.finfo(float).tiny
    weights = weights / np.maximum(weights.max(axis=1, keepdims=True, initial=0.0), tiny)
    squares = np.maximum((weights**2).sum(axis=1), tiny)
    m, n = (weights.sum(axis=1) ** 2 / squares).tolist()
    return m, n


class Sample(NamedTuple):
    """Moments of k models on m positives and n negatives."""

    moments: Moments
    m: int
    n: int
    design: Design


class MomentOptions(TypedDict, total=False):
    """Options of functions that return moments of k models on cases of any design."""

    method: str
    sample_weight: ArrayLike | None
    frequency_weight: ArrayLike | None
    groups: ArrayLike | None
    n_jobs: int
    pos_label: object
    nan_policy: NanPolicy


def as_sample(
    y_true: ArrayLike,
    scores: ScoreTable,
    reference: str = "auto",
    with_pairs: bool = True,
    *,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> tuple[Cases, Sample]:
    """Return the checked cases of k models with the moments of AUCs, and of their differences.

    Parameters
    ----------
    method : {'auto', 'midrank', 'heaviside'}, default='auto'
        Algorithm; all give bit-identical results.
    reference : str, default='auto'
        As in `delong_test`: it decides which moments are computed.
    groups : array-like of shape (n,), optional
        Cluster of each case, as in `delong_test`. Not together with weights.
    with_pairs : bool, default=True
        Whether moments of differences are needed, which take longer with weights or clusters.
    """
    jobs = count_jobs(n_jobs)
    cases = as_cases_anywhere(
        y_true, pos_label, nan_policy, groups, sample_weight, frequency_weight, table=scores
    )
    return cases, moments_of_cases(cases, method, jobs, reference, with_pairs=with_pairs)


def moments_of_cases(
    cases: Cases,
    method: str = "auto",
    n_jobs: int = 1,
    reference: str = "auto",
    *,
    with_pairs: bool = True,
) -> Sample:
    """Return the moments of all models; NaN where a class is missing or has too few cases.

    Without `with_pairs`, the moments of differences may be missing: with weights or clusters
    they take more passes.
    """
    if cases.weight_kind is not None:
        return moments_of_weighted(cases, method, n_jobs, reference, with_pairs=with_pairs)
    components = as_components(cases, method, n_jobs)
    m, n = components.m, components.n
    if cases.groups is not None:
        jobs = useful_threads(cases, n_jobs)
        return moments_of_clusters(cases, components, reference == "normal", with_pairs, jobs)
    moments = all_moments(components, n_jobs)
    if reference == "auto" and with_pairs:
        moments = moments._replace(skewness=partial(difference_skewnesses, components))
    if uses_student_t(reference, "independent", min(m, n)):
        moments = moments._replace(df=difference_dfs(components))
    return Sample(moments, m, n, Design())


def moments_of_clusters(
    cases: Cases, components: Components, published: bool, with_pairs: bool, n_jobs: int
) -> Sample:
    """Return the moments of AUCs of all models, and of differences if asked, on clustered cases."""
    m, n = components.m, components.n
    clustered = as_clustered(cases.labels, np.asarray(cases.groups))
    design = design_of_clusters(clustered, published=published)
    if not (m and n):
        return Sample(undefined_moments(components.k), m, n, design)
    wins = map_threads(clustered.wins, list(components.placed), n_jobs)
    evaluate = clustered.published_influence if published else clustered.cr2_influence
    models = map_threads(evaluate, wins, n_jobs)
    moments = moments_from_influence(models)
    if not with_pairs:
        return Sample(moments, m, n, design)
    auc_wins = np.array([model_wins[0].sum() for model_wins in wins])
    moments.difference[:] = np.subtract.outer(auc_wins, auc_wins) / (2 * m * n)
    terms = add_variances(moments, models, lambda i, j: evaluate(wins[i] - wins[j]))
    if not published:
        moments = moments._replace(df=clustered.cr2_df(terms, class_terms(components)))
    return Sample(moments, m, n, design)


class Pair(NamedTuple):
    """Moments of two models on m positives and n negatives."""

    moments: PairMoments
    m: int
    n: int
    design: Design = Design()
    n_dropped: int = 0
    dfs: tuple[float, float] = (math.inf, math.inf)  # of the AUCs themselves


def pair_of_cases(
    cases: Cases, method: str = "auto", n_jobs: int = 1, reference: str = "design"
) -> Pair:
    """Return the moments of two models, or of one model, on cases of any design.

    Independent and weighted cases do without the matrices of k models: 10 microseconds less.
    """
    if cases.weight_kind is not None:
        return pair_of_weighted(cases, method, n_jobs, reference)
    if cases.groups is None:
        components = as_components(cases, method, n_jobs)
        pair = moments_of_independent(components, components.k - 1, reference, n_jobs)
        return Pair(pair, components.m, components.n, n_dropped=cases.n_dropped)
    moments, m, n, design = moments_of_cases(cases, method, n_jobs, reference)
    dfs = np.broadcast_to(moments.df, moments.difference.shape)
    # [0, -1] is the pair of two models; of one, the model itself
    estimate, variance = float(moments.difference[0, -1]), float(moments.difference_variance[0, -1])
    pair = PairMoments(moments.auc, moments.covariance, estimate, variance, float(dfs[0, -1]))
    model_dfs = float(dfs[0, 0]), float(dfs[-1, -1])
    return Pair(pair, m, n, design, cases.n_dropped, model_dfs)


def moments_of_independent(
    components: Components, last_model: int, reference: str, n_jobs: int
) -> PairMoments:
    """Return the moments of models number 0 and `last_model` on independent cases."""
    pair = pair_moments(components, 0, last_model, n_jobs)
    if reference == "auto":
        pair = pair._replace(skewness=difference_skewness(components, 0, last_model))
    if uses_student_t(reference, "independent", min(components.m, components.n)):
        return pair._replace(df=difference_df(components, 0, last_model))
    return pair


def weight_cases(cases: Cases, method: str, reference: str) -> tuple[WeightedCases, Design]:
    """Return weighted cases, with the sums that all models need, and their design."""
    method = as_choice("method", method, METHODS)  # checked only: weighted cases are always sorted
    kind = f"{cases.weight_kind} weights"
    weighted = as_weighted(cases, reference)
    df, unvaried = min(weighted.counts) - 1.0, unvaried_bound(*weighted.units)
    return weighted, Design(kind, df, unvaried=unvaried, sizes=weighted.counts[::-1])


def useful_threads(cases: Cases, n_jobs: int) -> int:
    """Return the number of threads for weighted or clustered cases: 1 if they are few."""
    return n_jobs if cases.labels.size >= THREADS_FROM else 1


@np.errstate(under="ignore")  # weights may be negligible relative to others
def pair_of_weighted(cases: Cases, method: str, n_jobs: int, reference: str) -> Pair:
    """Return the moments of two models, or of one, under weights."""
    weighted, design = weight_cases(cases, method, reference)
    n, m = map(int, weighted.sizes)
    if not (m and n):
        return Pair(undefined_pair(), m, n, design, cases.n_dropped)
    (sums,) = weighted.all_pairs(cases.scores, useful_threads(cases, n_jobs))
    dfs = weighted.df(sums, FIRST), weighted.df(sums, SECOND)
    moments, skewness_of = weighted.moments(sums), frequency_skewness(cases, reference)
    if skewness_of is not None:
        last = np.array([len(cases.scores) - 1])
        skewness = float(skewness_of((np.zeros_like(last), last)).item())
        moments = moments._replace(skewness=skewness)
    return Pair(moments, m, n, design, cases.n_dropped, dfs)


@np.errstate(under="ignore")
def moments_of_weighted(
    cases: Cases, method: str, n_jobs: int, reference: str, *, with_pairs: bool
) -> Sample:
    """Return the moments of all models on weighted cases; m and n are sums of frequencies."""
    weighted, design = weight_cases(cases, method, reference)
    n, m = map(int, weighted.sizes)
    k, jobs = len(cases.scores), useful_threads(cases, n_jobs)
    if not (m and n):
        moments = undefined_moments(k)
    elif k <= (MOST_MODELS_BY_PAIRS if with_pairs else 2):
        sums = weighted.all_pairs(cases.scores, jobs)
        moments = moments_from_pairs([weighted.moments(weighted_sums) for weighted_sums in sums], k)
        for (i, j), weighted_sums in zip(index_pairs(k), sums, strict=True):
            df = weighted.df(weighted_sums, FIRST), weighted.df(weighted_sums, SECOND)
            np.asarray(moments.df)[[i, j], [i, j]] = df
    else:
        moments = weighted_by_product(cases, weighted, jobs, with_pairs)
    if with_pairs or k <= 2:
        moments = moments._replace(skewness=frequency_skewness(cases, reference))
    return Sample(moments, m, n, design)


def weighted_by_product(cases: Cases, weighted: WeightedCases, n_jobs: int, pairs: bool) -> Moments:
    """Return weighted moments of k models by matrix products of their components.

    Variances of differences that lose digits by cancellation come from the pair's own sums;
    without `pairs` no moments of differences are computed.
    """
    scores, labels, k = cases.scores, cases.labels, len(cases.scores)
    rows = reserve((k, labels.size))
    aucs = map_threads(lambda i: weighted.errors(scores[i], rows[i]), range(k), n_jobs)
    auc, variance = np.array(aucs), np.zeros((k, k))
    if not pairs:
        return Moments(auc, row_products(rows), variance, variance)
    classes = np.array([row_products(rows[:, labels == label]) for label in (0, 1)])
    difference, terms = np.subtract.outer(auc, auc), variances_from_covariance(classes)

    @cache
    def wins(model: int) -> Integers:
        """Return a model's weighted wins (n, 2), as limbs; computed once."""
        out = np.empty((labels.size, 2), np.int64)
        weighted.wins(scores[model], out)
        return out

    for i, j in cancelled_pairs(terms.sum(axis=0)):
        pair = weighted.compare_pair(wins(i), wins(j))
        _, _, difference_ij = pair.aucs
        difference[i, j], difference[j, i] = difference_ij, -difference_ij
        terms[:, i, j] = terms[:, j, i] = pair.negatives[DIFFERENCE], pair.positives[DIFFERENCE]
    diagonal = np.arange(k)
    terms[:, diagonal, diagonal] = classes[:, diagonal, diagonal]
    variance += terms.sum(axis=0)
    np.fill_diagonal(variance, 0.0)
    df = welch_dfs(terms, weighted.counts) if weighted.student else math.inf
    return Moments(auc, classes.sum(axis=0), difference, variance, df)


def undefined_moments(k: int) -> Moments:
    """Return moments that are all NaN, of k models where a class is missing."""
    covariance, difference, variance = np.full((3, k, k), math.nan)
    return Moments(np.full(k, math.nan), covariance, difference, variance)
