"""Permutation test that two classifiers' predicted labels are equally good by any metric.

Exchanging the predictions turns a case of the cell (t, u, v) into one of (t, v, u). So of the N
cases in both cells together the first holds Binomial(N, 1/2), and all outcomes are the product of N
+ 1 over these pairs of cells, far fewer than 2^cases. Of the N_j cases of pair j, D_gj more are in
its first cell than in its second in cluster g. An exchange of the whole cluster turns the sign of
D_gj for all j at once, so with signs s_g the first cell holds (N_j + sum_g s_g D_gj) / 2 cases.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.parallel import Checkpoint
from .._base.text import show_number
from .._base.types import (
    AnyLabels,
    Average,
    Direction,
    Fields,
    Integers,
    Matrix,
    NanPolicy,
    Undefined,
    Vector,
)
from .._inference.clusters import cluster_df, cluster_sizes, cluster_status
from .._inference.pvalues import CERTAIN, TINY, UNDEFINED, PValue, upper_tail_start
from .._inference.status import warn_status
from .._inputs.options import ALTERNATIVES, check_choice, check_undefined, hash_seed
from .._inputs.predictions import LabelTable, Metric, as_pair_predictions, check_metric
from .._resampling.bootstrap import DrawOptions, Draws, PermutationResult, as_draws
from .._resampling.weights import exact_pvalue, monte_carlo_pvalue, null_replicates
from ..kernels.drawing.streams import LANES
from ..kernels.tables.cells import count_exchanges
from ..probabilities._scoring_methods import flipped_sums
from ._metrics import (
    RELATIVE_TOLERANCE,
    Cells,
    CountMetric,
    Counts,
    MetricFunction,
    metric_fields,
    metric_on_cells,
    metric_title,
    outcome_cells,
)
from ._metrics_bootstrap import metric_differences

CHUNK_OUTCOMES = 1 << 12  # enumerated at a time
LARGEST_PAIR = 2_000  # cases in a pair of cells: binomial coefficients of more take too long


class ExchangePairs(NamedTuple):
    """J pairs of cells (t, u, v) and (t, v, u) that exchanged predictions join, and other cells.

    `numbers` has the first and the second cell of each pair, then the cells without an exchange.
    `sizes` (J,) are the numbers of cases of the pairs, `fixed` those of the other cells, `observed`
    those of all cells.
    """

    numbers: Integers
    sizes: Integers
    fixed: Counts
    observed: Counts

    def count_outcomes(self) -> int:
        """Return the number of outcomes of all exchanges, the product of N_j + 1."""
        return math.prod(size + 1 for size in self.sizes.tolist())

    def all_counts(self, first_counts: Counts) -> Counts:
        """Return the counts of all cells from those (J, B) of the first cell of each pair."""
        j, b = first_counts.shape
        counts = np.empty((2 * j + self.fixed.size, b), np.uint32)
        counts[: 2 * j : 2] = first_counts
        counts[1 : 2 * j : 2] = self.sizes[:, None].astype(np.uint32) - first_counts
        counts[2 * j :] = self.fixed[:, None]
        return counts


def exchange_pairs(cells: Cells) -> ExchangePairs:
    """Return the pairs of cells that exchanging the two models' predictions joins."""
    first_cells, discordant, pair, is_second = pairs_of_cells(cells)
    pair_counts = np.zeros((len(first_cells), 2), np.uint32)
    np.add.at(pair_counts, (pair, is_second.astype(np.int64)), cells.counts[discordant])
    second_cells = first_cells[:, [0, 2, 1]]  # (t, v, u)
    both_cells = np.stack([first_cells, second_cells], axis=1).reshape(-1, 3)
    numbers = np.concatenate([both_cells, cells.numbers[~discordant]])
    fixed = cells.counts[~discordant]
    observed = np.concatenate([pair_counts.ravel(), fixed])
    return ExchangePairs(
        np.ascontiguousarray(numbers), pair_counts.sum(1, dtype=np.int64), fixed, observed
    )


class PairsOfCells(NamedTuple):
    """The first cells (t, u, v) of J pairs, u < v, and to which pair each discordant cell belongs.

    `discordant` (C,) marks the cells with two different predictions; `pair` is the index of the
    pair of each of these, `is_second` whether it is the pair's second cell, (t, v, u).
    """

    first_cells: Integers
    discordant: NDArray[np.bool_]
    pair: Integers
    is_second: NDArray[np.bool_]


def pairs_of_cells(cells: Cells) -> PairsOfCells:
    """Return the pairs of cells that differ only by an exchange of their predictions."""
    t, a, b = cells.numbers.T
    discordant = a != b
    low, high = np.minimum(a, b), np.maximum(a, b)
    first_of_each = np.column_stack([t, low, high])[discordant]
    first_cells, pair = np.unique(first_of_each, axis=0, return_inverse=True)
    return PairsOfCells(first_cells, discordant, pair.ravel(), (a > b)[discordant])


@dataclass(frozen=True, slots=True)
class ExchangeNull:
    """Permutation distribution of the difference of the metric, by exchanges of cases; picklable.

    Differences are multiplied by `sign`, that of the observed one, so that swapping the models
    changes the sign of them all.
    """

    values: MetricFunction
    pairs: ExchangePairs
    sign: float
    seed: int = 0

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the differences of replicates 64 b, ..., 64 b + 63 for every block b."""
        out = np.empty((2, len(blocks), LANES))
        first = np.empty((self.pairs.sizes.size, LANES), np.uint32)
        for i, block in enumerate(blocks):
            checkpoint()
            count_exchanges(self.pairs.sizes, np.uint64(block), np.uint64(self.seed), first)
            out[:, i] = self.values(self.pairs.all_counts(first))
        return np.asarray(self.sign * metric_differences(out))

    @property
    def work(self) -> int:
        """The number of random bits of a replicate, a measure of its time."""
        return int(self.pairs.sizes.sum())

    def can_enumerate(self, most_outcomes: int) -> bool:
        """Return whether all exchanges have at most `most_outcomes`, so that none is drawn."""
        return self.pairs.count_outcomes() <= most_outcomes and bool(
            (self.pairs.sizes <= LARGEST_PAIR).all()
        )

    def exact_pvalue(self, observed: Vector, alternative: str) -> tuple[PValue, float]:
        """Return the p-value over all exchanges, and the share of those that are not defined."""
        # the pair of 0 cases adds no outcome; without other pairs there is the one of no exchange
        sizes = [0, *self.pairs.sizes.tolist()]
        chances = [fair_coin_pmf(size) for size in sizes]
        logs = [fair_coin_log_pmf(size) for size in sizes]
        total = 0.0
        undefined = 0.0
        all_extreme = True
        log_sums = []
        for start in range(0, self.pairs.count_outcomes(), CHUNK_OUTCOMES):
            ranks = np.arange(start, min(start + CHUNK_OUTCOMES, self.pairs.count_outcomes()))
            first = np.array(np.unravel_index(ranks, [size + 1 for size in sizes]), np.uint32)
            differences = metric_differences(self.values(self.pairs.all_counts(first[1:])))
            extreme = is_extreme(differences, observed, alternative)
            weights = np.prod([chance[k] for chance, k in zip(chances, first, strict=True)], axis=0)
            total += float(weights[extreme].sum())
            undefined += float(weights[np.isnan(differences)].sum())
            all_extreme &= bool(extreme.all())
            log_weights = np.sum([log[k] for log, k in zip(logs, first, strict=True)], axis=0)
            log_sums.append(np.logaddexp.reduce(log_weights[extreme]))
        if all_extreme:
            return CERTAIN, undefined
        log_p = math.log(total) if total >= TINY else float(np.logaddexp.reduce(log_sums))
        return PValue(total, log_p), undefined


def is_extreme(differences: Vector, observed: Vector, alternative: str) -> NDArray[np.bool_]:
    """Return which differences are as extreme as that of the observed values (2,), within rounding.

    NaN counts as extreme, so that the test stays valid.
    """
    observed_difference = float(metric_differences(observed[:, None])[0])
    tail_start, _ = upper_tail_start(observed_difference, alternative)
    tail_start -= RELATIVE_TOLERANCE * float(np.abs(observed).max())
    starts, _ = upper_tail_start(differences, alternative)
    return ~(starts < tail_start)  # NaN is not smaller


def binomial_coefficients(n: int) -> list[int]:
    """Return the binomial coefficients C(n, 0), ..., C(n, n)."""
    row = [1]
    for k in range(n):
        row.append(row[-1] * (n - k) // (k + 1))
    return row


def fair_coin_pmf(n: int) -> Vector:
    """Return P(X = 0), ..., P(X = n) for X ~ Binomial(n, 1/2), each rounded once."""
    return np.array([c / (1 << n) for c in binomial_coefficients(n)])


def fair_coin_log_pmf(n: int) -> Vector:
    """Return log P(X = 0), ..., log P(X = n) for X ~ Binomial(n, 1/2), without underflow."""
    return np.array([math.log(c) - n * math.log(2.0) for c in binomial_coefficients(n)])


def cluster_imbalances(cells: Cells, groups: Integers, sign: float) -> Matrix:
    """Return `sign` times D (J, G), the cases of each pair's first cell less those of its second.

    Without clusters in which that is 0 for all pairs. Columns are sorted by their numbers, so that
    the result does not depend on the clusters' labels.
    """
    pairs = pairs_of_cells(cells)
    pair_of_cell = np.full(pairs.discordant.size, -1)
    pair_of_cell[pairs.discordant] = pairs.pair
    sign_of_cell = np.zeros(pairs.discordant.size)
    sign_of_cell[pairs.discordant] = np.where(pairs.is_second, -sign, sign)
    pair_of_case = pair_of_cell[cells.of_cases]
    in_pair = pair_of_case >= 0
    n_groups, n_pairs = int(groups.max()) + 1, len(pairs.first_cells)
    bins = groups[in_pair] * n_pairs + pair_of_case[in_pair]
    signs = sign_of_cell[cells.of_cases][in_pair]
    imbalances = np.bincount(bins, signs, n_groups * n_pairs).reshape(n_groups, n_pairs)
    if n_pairs:
        imbalances = imbalances[np.lexsort(imbalances.T)]
    return np.ascontiguousarray(imbalances[imbalances.any(axis=1)].T)


@dataclass(frozen=True, slots=True)
class ClusterExchangeNull(ExchangeNull):
    """Permutation distribution by exchanges of whole clusters, which change the sign of D_g."""

    imbalances: Matrix = field(kw_only=True)

    def first_counts(self, sums: Matrix) -> Counts:
        """Return the counts (J, B) of the first cells, (N_j + S_j) / 2, from signed `sums` S."""
        return np.asarray((self.pairs.sizes[:, None] + sums) / 2.0).astype(np.uint32)

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the differences of replicates 64 b, ..., 64 b + 63 for every block b."""
        sums = flipped_sums(self.imbalances, self.seed, blocks, checkpoint)
        out = np.empty((2, len(blocks), LANES))
        for i in range(len(blocks)):
            checkpoint()
            out[:, i] = self.values(self.pairs.all_counts(self.first_counts(sums[:, i])))
        return np.asarray(self.sign * metric_differences(out))

    @property
    def work(self) -> int:
        """The number of additions of a replicate, a measure of its time."""
        return self.imbalances.size

    def can_enumerate(self, most_outcomes: int) -> bool:
        """Return whether all exchanges have at most `most_outcomes`, so that none is drawn."""
        return bool(1 << int(self.imbalances.shape[1]) <= most_outcomes)

    def exact_pvalue(self, observed: Vector, alternative: str) -> tuple[PValue, float]:
        """Return the p-value over all exchanges, and the share of those that are not defined."""
        total = 1 << self.imbalances.shape[1]
        extreme = undefined = 0
        for start in range(0, total, CHUNK_OUTCOMES):
            number = np.arange(start, min(start + CHUNK_OUTCOMES, total))
            signs = 1.0 - 2.0 * ((number >> np.arange(self.imbalances.shape[1])[:, None]) & 1)
            differences = metric_differences(
                self.values(self.pairs.all_counts(self.first_counts(self.imbalances @ signs)))
            )
            extreme += int(np.count_nonzero(is_extreme(differences, observed, alternative)))
            undefined += int(np.count_nonzero(np.isnan(differences)))
        return exact_pvalue(extreme, total), undefined / total


MOST_OUTCOMES = 1 << 18  # outcomes that are all counted: 0.1 s
MOST_USER_METRIC_OUTCOMES = 1 << 12  # where each is two calls of a user's function


@dataclass(frozen=True, eq=False, kw_only=True)
class PermutationMetricResult(PermutationResult):
    """Result of `permutation_metric_test`; `estimate` is ``values[0] - values[1]``.

    There is no interval: the null hypothesis is that predictions are exchangeable, not that the
    difference has a given value. `bootstrap_metric_test` has one.
    """

    metric: str
    average: str
    values: NDArray[np.float64]
    undefined_share: float
    n: int
    n_discordant: int
    title: ClassVar[str] = "Permutation test of a metric of two models' labels on the same cases"
    _follows_sample: ClassVar[bool] = True

    @property
    def _quantity(self) -> str:  # type: ignore[override]
        """What is compared: the metric, as papers write it."""
        return metric_title(self.metric, self.average)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        both = self._beside_names(*map(show_number, self.values))
        return (
            f"The values of {metric_title(self.metric, self.average)} are {both}, a difference of "
            f"{show_number(self.estimate)} ({self._method_and_pvalue()})."
        )


@with_engine_options(as_draws)
def permutation_metric_test(
    y_true: AnyLabels,
    y_pred_a: LabelTable,
    y_pred_b: ArrayLike | None = None,
    *,
    metric: Metric = "accuracy",
    average: Average = "binary",
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    keep: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> PermutationMetricResult:
    """Permutation test of the difference between two models' F1, MCC or other label metric.

    The null hypothesis is that the two models' predictions are exchangeable within cases. Only
    cases on which they differ matter.

    Parameters
    ----------
    y_true, y_pred_a, y_pred_b, metric, average
        As in `bootstrap_metric_test`.
    groups : array-like of shape (n,), optional
        Cluster of each case (the patient of an image, for example). The predictions of whole
        clusters are exchanged. This test is not published, but exact if the models are exchangeable
        in each cluster, for any cluster sizes. With 5 clusters, no p-value is below .06.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': the first model's metric is higher.
    n_resamples : int, default=9999
        Number B of random exchanges, if there are too many to enumerate: more than 2^18 different
        outcomes, or 2^12 for a callable. Two classes have fewer up to 1,000 discordant cases.
    keep : bool, default=False
        Keep the difference of every random exchange as ``distribution``; exchanges are then drawn
        even where all could be enumerated.
    pos_label, nan_policy, on_undefined
        As in `bootstrap_metric_test`.

    Returns
    -------
    PermutationMetricResult
        With ``statistic`` and ``estimate`` (the first value minus the second), ``pvalue``,
        ``log_pvalue``, ``values`` (2,), ``metric``, ``exact``, ``n_resamples`` and ``seed`` (0 and
        None if exact), ``undefined_share``, ``n_discordant`` (cases with two different predictions;
        for accuracy those on which exactly one model is correct), ``distribution``, ``status``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If the metric is 0 / 0 for these data.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom, so few p-values are
        possible.

    See Also
    --------
    bootstrap_metric_test : With an interval.
    mcnemar_test : The same for accuracy, with method='exact'.

    Notes
    -----
    With T the difference between the two metrics, and T* its value after the two predictions of
    some cases are exchanged, p is the proportion of all 2^n exchanges with |T*| >= |T|, or in the
    direction of `alternative`.

    The number of exchanged cases among those with the same true label and the same two predictions
    is binomial, so there are few outcomes to enumerate. Random exchanges give the p-value (b + 1) /
    (B + 1). Differences within 1e-12 of the observed one count as extreme, as do exchanges for
    which the metric is undefined; ``undefined_share`` is their proportion.

    References
    ----------
    .. [1] B. Phipson, G. K. Smyth (2010), doi:10.2202/1544-6115.1585.
    .. [2] A. Yeh (2000), More accurate tests for the statistical significance of result
       differences, doi:10.3115/992730.992783.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
    >>> a = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1]
    >>> b = [1, 0, 0, 0, 0, 0, 0, 1, 1, 1]
    >>> print(fc.permutation_metric_test(y, a, b, metric="f1").summary())
    The two models do not differ significantly in F1. The values of F1 are 0.8000 and 0.2222, a
    difference of 0.5778 (permutation test, exact, p = 0.0625). There were 10 cases.
    """
    check_undefined(on_undefined)
    check_metric(metric, average, pos_label)
    check_choice("alternative", alternative, ALTERNATIVES)
    draws = as_draws(keep, **drawing)
    predictions = as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy, groups)

    cells = outcome_cells(predictions, right_only=metric == "accuracy")
    pairs = exchange_pairs(cells)
    values = metric_on_cells(metric, average, pos_label, cells._replace(numbers=pairs.numbers))
    observed = values(pairs.observed[:, None])
    status = exchange_status(float(metric_differences(observed)[0]), pairs)
    sign = -1.0 if observed[0] < observed[1] else 1.0
    null = ExchangeNull(values, pairs, sign)
    title = "permutation test"
    if predictions.groups is not None:
        sizes = cluster_sizes(predictions.groups)
        imbalances = cluster_imbalances(cells, predictions.groups, sign)
        null = ClusterExchangeNull(values, pairs, sign, imbalances=imbalances)
        title = f"permutation test of {sizes.size} clusters"
        status = cluster_status(cluster_df(sizes)) if status == "ok" else status
    warn_status(status, on_undefined)

    return PermutationMetricResult(
        **exchange_test(null, observed, alternative, draws),
        **metric_fields(metric, average, observed, predictions),
        n_discordant=int(pairs.sizes.sum()),
        method=title,
        status=status,
    )


def exchange_test(
    null: ExchangeNull, observed_values: Vector, alternative: str, draws: Draws
) -> Fields:
    """Return the fields of the test by all exchanges, or by random ones if all are too many.

    `observed_values` are the metric's values (2, 1) of both models.
    """
    observed = observed_values[:, 0]
    replicates = None
    most = MOST_OUTCOMES if isinstance(null.values, CountMetric) else MOST_USER_METRIC_OUTCOMES
    if not np.isfinite(observed).all():
        p = UNDEFINED
        undefined = math.nan
    elif null.can_enumerate(most) and not draws.keep:
        p, undefined = null.exact_pvalue(observed, alternative)
    else:
        seeded = replace(null, seed=hash_seed(draws.seed))
        replicates = np.asarray(null_replicates(seeded, draws.n, null.work, draws.workers))
        p = monte_carlo_pvalue(is_extreme(replicates, observed, alternative))
        undefined = float(np.isnan(replicates).mean())
    estimate = float(metric_differences(observed_values)[0])
    return Fields(
        **p._asdict(),
        statistic=estimate,
        estimate=estimate,
        alternative=alternative,
        undefined_share=undefined,
        exact=replicates is None,
        n_resamples=0 if replicates is None else replicates.size,
        seed=None if replicates is None else draws.seed,
        distribution=replicates if draws.keep else None,
    )


def exchange_status(estimate: float, pairs: ExchangePairs) -> str:
    """Return the status word: 'undefined_metric', 'identical' if no predictions differ, or 'ok'."""
    if not np.isfinite(estimate):
        return "undefined_metric"
    return "ok" if pairs.sizes.size else "identical"
