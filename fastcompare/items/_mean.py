"""One model's mean score with an interval, and pass@k: whether samples of an item are right.

With n samples of an item, c of them right, and k of these n drawn without repetition,

    pass@k = 1 - C(n - c, k) / C(n, k)      at least one is right
    pass^k = C(c, k) / C(n, k)              all are right

are unbiased estimates for k fresh samples; 1 - (1 - c / n)^k is not. They are ratios of whole
numbers, which Python keeps exactly: each is rounded once.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass, field
from math import comb
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import documented
from .._base.types import Integers, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_status, has_few_effective_clusters
from .._inference.means import AnswerCounts, count_answers, mean_limits, with_wilson_where_constant
from .._inference.status import warn_status
from .._inputs.chunks.cases import PairStream, as_one_stream
from .._inputs.chunks.rows import Chunks, check_in_memory
from .._inputs.items import as_one_model
from .._inputs.options import Workers, as_workers, check_choice, check_level, check_undefined
from .._inputs.plans.passes import as_passes
from .._inputs.plans.sizes import METHODS_BY_STANDARD_ERROR, as_lags, check_links
from .._inputs.scores import UNNAMED, ScoreTable
from .._results.records import IntervalEstimate
from ..paired._columns import Ends, StudentEnds
from ._methods import (
    Differences,
    ItemsResult,
    caution_sentence,
    differences_of,
    item_fields,
    varying_mean_status,
)
from ._power import Plannable, Sampling, component_fields, count_samples, estimate_sampling
from ._streamed import StreamedMean, mean_of_stream, streamed_mean_status


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanIntervalResult(ItemsResult, IntervalEstimate, Plannable):
    """Result of `mean_interval`."""

    df: float
    names: tuple[str, ...]
    n: int
    n_samples: int
    n_clusters: int
    n_strata: int
    n_dropped: int
    design: str
    variance_items: float | None
    variance_samples: Vector | float | None
    icc: float | None
    _sampling: Sampling = field(repr=False)
    _weighted: bool = field(repr=False)
    _tails: Ends | None = field(repr=False)
    title: ClassVar[str] = "Mean score"
    _quantity: ClassVar[str] = "mean score"

    def _ends(self, level: float) -> tuple[float, float]:
        """Return both ends of the two-sided interval of the mean, NaN where it has no variance."""
        if self._tails is None:
            return math.nan, math.nan
        tail = 0.5 * (1.0 - level)
        return self._tails.low(tail), self._tails.high(tail)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        quantity = f"The {self._quantity}"
        (name,) = self.names
        if name != UNNAMED[0]:
            quantity += f" of {name}"
        sample = self._counted(np.array([self.n_samples]), self._weighted)
        return (
            f"{quantity} is {self.estimate:.4f} ({self._interval_prefix()}{sample})."
            f"{caution_sentence(self.status, self.df)}"
        )

    def _interval_text(self, form: str = ".4f", at: int | tuple[()] = ()) -> str:
        """Return the interval as sentences name it, with its reference distribution or method."""
        interval = super()._interval_text(form, at)
        if self.method == "wilson":
            return f"{interval}, Wilson's method"
        return f"{interval}, {'z' if self.df == math.inf else f't({self.df:.4g})'}"


@documented
def mean_interval(
    scores: ScoreTable | Chunks,
    *,
    lags: int | None = None,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    confidence_level: float = 0.95,
    n_jobs: int = 1,
    executor: Executor | None = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> MeanIntervalResult:
    """Return a model's mean score over items, with a confidence interval.

    Parameters
    ----------
    scores : array-like of shape (n,) or (n, K), mapping, data frame or chunks
        Scores of any kind: right or wrong, points, losses. Several samples per item are rows of K
        numbers, with NaN for missing ones, or lists of different lengths; the score of an item is
        the mean of its samples. A mapping or data frame with one column names the model. Or chunks
        as in `paired_mean_test`, of tuples ``(scores,)`` or ``(scores, groups)``, without weights,
        strata and lags.
    lags : int, optional
        For items in time order: the largest lag at which scores are autocorrelated.
    method : {'auto', 't'}, default='auto'
        't' is Student's interval; 'auto' is Wilson's for 0/1 scores and Student's for others.
    sample_weight : array-like of shape (n,), optional
        Weight of each item, at least 0; items of weight 0 are dropped.
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item (the passage of a question, for example), labels of any type. Two
        columns are two-way clusters. Chunks contain their own, one-way.
    executor : concurrent.futures.Executor, optional
        Reads the chunks instead of threads.

    Returns
    -------
    MeanIntervalResult
        With ``estimate``, ``standard_error``, ``df``, ``confidence_interval()``, ``names`` (1),
        ``n``, ``n_samples``, ``n_clusters``, ``n_strata``, ``n_dropped``, ``design``,
        ``variance_items``, ``variance_samples`` and ``icc``, the first over their sum (None without
        several samples), ``method``, ``status``; ``planning(n, samples)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If there is only one item or cluster, overall or in a stratum, or the variance is 0 although
        scores differ: the interval is NaN.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom: the interval is wide.
        'low_coverage', if scores are 0/1 and the effective number of clusters is below 8, as in
        `accuracy_interval`, whose method 'clopper-pearson' is valid there. 'small_sample', if
        scores of independent items are so skewed for their number that Student's interval
        undercovers. 'bartlett' as in `paired_mean_test`.

    See Also
    --------
    paired_mean_test : Whether the means of two models differ.
    accuracy_interval : Accuracies, also near 0 and 1.

    Notes
    -----
    The interval is mean +- t SE, with the standard error and the degrees of freedom of
    `paired_mean_test`. If all scores and samples are 0 or 1, 'auto' is Wilson's interval with the
    effective number of answers, as in `leaderboard` and `accuracy_interval`: it stays within [0, 1]
    and has a width even if all answers are correct. For accuracies of .9 and .98 and 10 to 50 items
    it covers 92 to 98%, Student's 18 to 88%.

    The standard error is CR2, with Student's t and Satterthwaite's degrees of freedom [1]_. For
    continuous scores, 95% intervals miss the true mean in 1 to 6% of samples, from 5 clusters on,
    of equal sizes or not; for correlated 0/1 scores in few clusters in up to 12%
    (docs/evidence/items.md). The variance between items is that of item means minus the
    contribution of samples; the estimate may be negative.

    References
    ----------
    .. [1] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.
    .. [2] E. Miller (2024), arXiv:2411.00640.

    Examples
    --------
    >>> import fastcompare as fc
    >>> answers = [[1, 1, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 0, 1], [1, 1, 1]]
    >>> result = fc.mean_interval(answers)
    >>> print(result.summary())
    The mean score is 0.6111 (95% CI 0.2486 to 0.8819, Wilson's method; 6 items with 18
    samples).
    >>> print(result.planning(n=60, samples=10).summary())
    With 60 items with 10 samples each the standard error would be 0.04339; a test at 0.05 would
    detect a true difference of 0.1236 with a power of 80%.
    """
    check_undefined(on_undefined)
    check_choice("method", method, METHODS_BY_STANDARD_ERROR)
    level = check_level(confidence_level)
    shift = as_lags(lags)
    workers = as_workers(n_jobs, executor, None)
    options = {"lags": shift, "sample_weight": sample_weight, "strata": strata}
    stream = as_one_stream(scores, groups, nan_policy, **options)
    if stream is not None:
        return streamed_interval(stream, nan_policy, workers, level, method, on_undefined)
    check_in_memory(executor)
    items = as_one_model(
        scores, groups=groups, sample_weight=sample_weight, strata=strata, nan_policy=nan_policy
    )
    check_links(items.links, "t", shift, items.n_dropped)

    differences = differences_of(items, items.scores[:, 0], shift)
    return in_memory_interval(differences, method, level, on_undefined)


def in_memory_interval(
    differences: Differences, method: str, level: float, on_undefined: str
) -> MeanIntervalResult:
    """Return the mean and its interval of scores in memory."""
    items = differences.items
    ends = mean_interval_ends(differences, method)
    status = mean_status(differences, ends)
    warn_of_status(status, on_undefined)
    sampling = estimate_sampling(items, differences.d)
    return MeanIntervalResult(
        estimate=differences.mean.estimate,
        standard_error=differences.mean.standard_error,
        df=differences.mean.df,
        **item_fields(items, differences.design, differences.lags),
        **component_fields(items, sampling),
        method=interval_method(ends) if differences.lags is None else "t, lags",
        status=status,
        confidence_level=level,
        n_samples=int(count_samples(items)[0]),
        _sampling=sampling,
        _tails=ends,
        _weighted=items.links.weights is not None,
    )


def streamed_interval(
    stream: PairStream,
    nan_policy: str,
    workers: Workers,
    level: float,
    method: str,
    on_undefined: str,
) -> MeanIntervalResult:
    """Return the mean and its interval of scores that are read in chunks."""
    streamed = mean_of_stream(stream, nan_policy, workers, method)
    sums, sizes = streamed.mean.sums, streamed.mean.sizes
    ends = streamed_interval_ends(streamed)
    status = streamed_status(streamed, ends)
    warn_of_status(status, on_undefined)
    return MeanIntervalResult(
        estimate=sums.mean,
        standard_error=streamed.mean.error,
        df=streamed.mean.df,
        n=sums.n,
        n_clusters=sums.n if sizes is None else sizes.size,
        n_strata=1,
        n_dropped=sums.n_dropped,
        design="independent" if sizes is None else "clusters",
        variance_items=None,
        variance_samples=None,
        icc=None,
        method=interval_method(ends),
        status=status,
        _tails=ends,
        confidence_level=level,
        names=stream.names,
        n_samples=sums.n,
        _sampling=Sampling(sums.variance, (math.nan,), (1.0,)),
        _weighted=False,
    )


def streamed_interval_ends(streamed: StreamedMean) -> Ends | None:
    """Return a mean's interval ends from chunks: Wilson's for answers, else Student's, or None."""
    sums, error, df = streamed.mean.sums, streamed.mean.error, streamed.mean.df
    if streamed.answers is not None and sums.least >= 0.0:
        is_constant = sums.low == sums.high
        answers = AnswerCounts(sums.n, streamed.mean.sizes is None, np.array([is_constant]))
        return AnswerEnds(sums.mean, error, df, answers) if is_constant or error > 0.0 else None
    return StudentEnds(sums.mean, error, df) if error > 0.0 else None


def streamed_status(streamed: StreamedMean, interval_ends: Ends | None) -> str:
    """Return the status word of the mean of one model's scores in chunks."""
    mean = streamed.mean
    if interval_ends is None and mean.error == 0.0:
        return "constant_scores" if mean.sums.low == mean.sums.high else "zero_variance"
    if isinstance(interval_ends, AnswerEnds) and not math.isnan(mean.df):
        if mean.cluster_sums is None:
            return "ok"
        return cluster_status(mean.df, coverage_status(mean.cluster_sums))
    return streamed_mean_status(streamed.mean, 0.0, "constant_scores")


class AnswerEnds(NamedTuple):
    """Ends of Wilson's interval of a share of right answers."""

    estimate: float
    standard_error: float
    df: float
    answers: AnswerCounts

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return self.limits(alpha)[0]

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return self.limits(alpha)[1]

    def limits(self, alpha: float) -> tuple[float, float]:
        """Return the lower and the upper end, each with `alpha` beyond it."""
        mean = np.array([self.estimate])
        error = np.array([self.standard_error])
        ends = mean_limits(mean, error, self.df, alpha, self.answers)
        (low,), (high,) = with_wilson_where_constant(ends, mean, alpha, self.answers)
        return float(low), float(high)


def mean_interval_ends(differences: Differences, method: str) -> Ends | None:
    """Return the interval ends of a mean: Wilson's of 0/1 answers, else Student's.

    None where there is no interval, because the standard error is 0 or undefined.
    """
    estimate, error, df, status = differences.mean
    answers = None
    if method == "auto" and differences.lags is None and status == "ok":
        answers = count_answers(differences.items, differences.design)
    if answers is not None:
        is_defined = error > 0.0 or bool(answers.constant[0])
        return AnswerEnds(estimate, error, df, answers) if is_defined else None
    return StudentEnds(estimate, error, df) if error > 0.0 else None


def interval_method(interval_ends: Ends | None) -> str:
    """Return the name of the method of interval ends, 'wilson' or 't'."""
    return "wilson" if isinstance(interval_ends, AnswerEnds) else "t"


def mean_status(differences: Differences, interval_ends: Ends | None) -> str:
    """Return the status word of one model's mean."""
    mean, error, df, status = differences.mean
    groups = differences.items.links.groups
    if interval_ends is None and error == 0.0:
        is_constant = bool((differences.d == differences.d[0]).all())
        return "constant_scores" if is_constant else "zero_variance"
    if isinstance(interval_ends, AnswerEnds) and status == "ok":
        if groups is None:
            return "ok"
        cluster_sums = np.bincount(groups, differences.d - mean)
        return cluster_status(df, coverage_status(cluster_sums))
    return varying_mean_status(differences)


def coverage_status(cluster_sums: Vector | Integers) -> str:
    """Return 'low_coverage' if the variance of clustered answers rests on few clusters, else 'ok'.

    `cluster_sums` are the sums of deviations from the mean over clusters.
    """
    return "low_coverage" if has_few_effective_clusters(cluster_sums) else "ok"


def warn_of_status(status: str, on_undefined: str) -> None:
    """Warn of a status word of `mean_interval`, with the call that covers for 'low_coverage'."""
    hint = "accuracy_interval(correct=..., groups=..., method='clopper-pearson')"
    warn_status(status, on_undefined, f": take {hint}" if status == "low_coverage" else "")


@documented
def pass_at_k(
    n_samples: ArrayLike,
    n_correct: ArrayLike,
    k: int | None = None,
    *,
    at_least: int = 1,
    on_undefined: Undefined = "warn",
) -> Vector:
    """Return pass@k: each item's probability that at least one of k samples is correct.

    Parameters
    ----------
    n_samples : array-like of shape (n,), or int
        The number of samples of each item. Or the outcomes of all samples, a matrix of 0 and 1 with
        a row per item (NaN where an item has fewer samples), followed by k: ``(outcomes, k)``.
    n_correct : array-like of shape (n,), or int
        The number of correct samples.
    k : int, optional
        The number of attempts, at least 1; the second argument after a matrix.
    at_least : int, default=1
        How many of the k must be correct. k gives `pass_all_k`; k / 2 gives G-Pass@k with a
        threshold of 0.5.

    Returns
    -------
    ndarray of shape (n,)
        A score for each item, for `paired_mean_test` and other tests of mean scores. NaN if k
        exceeds the number of samples.

    Warns
    -----
    UndefinedResultWarning
        'too_few_samples', if k exceeds the number of samples of an item.

    See Also
    --------
    pass_all_k : The probability that all k are correct.
    paired_mean_test : Compare two models by these scores.

    Notes
    -----
    ``1 - C(n - c, k) / C(n, k)``, and in general the upper tail of the hypergeometric distribution,
    computed in integers of any size: no overflow, no cancellation, each value rounded once. The
    items remain the units of the analysis.

    References
    ----------
    .. [1] M. Chen et al. (2021), arXiv:2107.03374.
    .. [2] J. Liu et al. (2024), arXiv:2412.13147 (at least some of k).

    Examples
    --------
    >>> import fastcompare as fc
    >>> fc.pass_at_k([10, 10, 5], [3, 0, 5], 3)
    array([0.70833333, 0.        , 1.        ])
    >>> fc.pass_at_k(10, [3, 0, 9], 3, at_least=2)
    array([0.18333333, 0.        , 1.        ])
    >>> fc.pass_at_k([[1, 0, 0, 0], [0, 0, 0, 0]], 2)
    array([0.5, 0. ])
    """
    check_undefined(on_undefined)
    return pass_probabilities(n_samples, n_correct, k, at_least, on_undefined)


@documented
def pass_all_k(
    n_samples: ArrayLike,
    n_correct: ArrayLike,
    k: int | None = None,
    *,
    on_undefined: Undefined = "warn",
) -> Vector:
    """Return pass^k: each item's probability that all of k samples are correct.

    Parameters
    ----------
    n_samples, n_correct
        As in `pass_at_k`.
    k : int, optional
        The number of attempts, all of which must be correct; at least 1.

    Returns
    -------
    ndarray of shape (n,)
        A score for each item. NaN if k exceeds the number of samples.

    Warns
    -----
    UndefinedResultWarning
        'too_few_samples', if k exceeds the number of samples of an item.

    See Also
    --------
    pass_at_k : The probability that at least one of k is correct.

    References
    ----------
    .. [1] S. Yao et al. (2024), arXiv:2406.12045.

    Examples
    --------
    >>> import fastcompare as fc
    >>> fc.pass_all_k([10, 10, 5], [3, 0, 5], 3)
    array([0.00833333, 0.        , 1.        ])
    """
    check_undefined(on_undefined)
    least = n_correct if k is None else k
    return pass_probabilities(n_samples, n_correct, k, least, on_undefined)


def pass_probabilities(
    n_samples: ArrayLike, n_correct: ArrayLike, k: int | None, at_least: object, on_undefined: str
) -> Vector:
    """Return the probability (n,) of each item that enough of k samples are right.

    Items with equal numbers of samples and right ones share one computation.
    """
    n, c, attempts, least = as_passes(n_samples, n_correct, k, at_least)
    if (n < attempts).any():
        warn_status("too_few_samples", on_undefined)
    sizes, size_index = np.unique(n, return_inverse=True)
    base = int(c.max()) + 1  # pairs (size, c) as one integer each
    pairs, pair_of_item = np.unique(size_index * base + c, return_inverse=True)
    size_of_pair, right_of_pair = np.divmod(pairs, base)
    counts = zip(sizes[size_of_pair].tolist(), right_of_pair.tolist(), strict=True)
    chances = [pass_probability(size, right, attempts, least) for size, right in counts]
    return np.array(chances)[pair_of_item]


def pass_probability(n: int, c: int, k: int, fewest_right: int) -> float:
    """Return P(X >= fewest_right), X being the number of right ones among k drawn of n samples.

    c of the n are right; the quotient of two integers of any size is rounded once. NaN for k > n.
    """
    if k > n:
        return float("nan")
    if fewest_right == 1:
        enough = comb(n, k) - comb(n - c, k)
    else:
        most = min(k, c)
        enough = sum(
            comb(c, right) * comb(n - c, k - right) for right in range(fewest_right, most + 1)
        )
    return enough / comb(n, k)
