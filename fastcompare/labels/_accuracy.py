"""One model's accuracy with an interval, and how accuracies of k models vary on clustered cases.

x of n cases are right. Of the n_g cases of cluster g, model j is right on R_jg, of all n on x_j;
S_jg, the sum of its deviations from the mean, times n is the whole number n R_jg - x_j n_g: what
vanishes is 0. Answers that come in chunks are counts, which add up in any order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented
from .._base.text import amount
from .._base.types import Fields, Integers, Matrix, NanPolicy, Undefined, Vector
from .._inference.clusters import (
    ClusterTotals,
    cluster_df,
    cluster_error,
    cluster_sizes,
    cluster_status,
    has_few_effective_clusters,
    rarer_answer_icc,
)
from .._inference.infer import INTERVALS, clopper_pearson, wilson_ends
from .._inference.pvalues import normal_quantile, student_quantile
from .._inference.status import warn_status
from .._inputs.chunks.cases import LabelReader, PairStream, combine_ranges
from .._inputs.chunks.rows import NumberedChunk, check_in_memory, check_rows
from .._inputs.counts import as_share, came_as_counts
from .._inputs.labels import check_comparable
from .._inputs.options import Workers, as_choice, check_level, check_undefined
from .._inputs.plans.proportions import check_groups_of_accuracy
from .._inputs.predictions import Predictions, are_answers, as_one_model, as_predictions, is_listed
from .._inputs.predictions import correct as correctness
from .._inputs.weights import check_clusters
from .._results.records import IntervalEstimate
from ._table import DiscordantInClusters, Sample, Table, paired_sample


@dataclass(frozen=True, eq=False, kw_only=True)
class AccuracyIntervalResult(IntervalEstimate):
    """Result of `accuracy_interval`."""

    n_correct: int
    n: int
    n_dropped: int
    design: str = "independent"
    df: float = math.inf
    _design_effect: float = field(default=math.nan, repr=False)
    title: ClassVar[str] = "Accuracy"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    @property
    def effective_n(self) -> float:
        """The number of independent cases with the same standard error; infinite if that is 0."""
        p, error = self.estimate, self.standard_error
        if p in (0.0, 1.0) or self.design == "independent":
            return float(self.n)
        return p * (1.0 - p) / error**2 if error else math.inf

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the ends of the interval, by the effective number of cases in clusters."""
        tail = 0.5 * (1.0 - level)
        if self.design == "independent":
            return INTERVALS[self.method](self.n_correct, self.n, tail)
        if self.status == "zero_variance":
            return math.nan, math.nan
        quantile = student_quantile(tail, self.df)
        if self.method == "wilson":
            low, high = wilson_ends(self.estimate, self.effective_n, quantile)
            return float(low), float(high)
        n = self.n / self._design_effect if self.estimate in (0.0, 1.0) else self.effective_n
        n = min(n, self.n / self._design_effect) * (normal_quantile(tail) / quantile) ** 2
        return clopper_pearson(self.estimate * n, n, tail)  # Korn and Graubard (1998)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        clustered = " of clustered cases" if self.design == "clusters" else ""
        return (
            f"The accuracy is {self.estimate:.4f} ({self.n_correct} of {amount(self.n, 'case')}, "
            f"{self._interval_text()}, {self.method.title()} method{clustered})."
        )


@documented
def accuracy_interval(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    *,
    correct: ArrayLike | None = None,
    n: int | None = None,
    method: str = "wilson",
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> AccuracyIntervalResult:
    """Return the accuracy of a classifier, with a confidence interval.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), optional
        True and predicted labels of any type, the same for both.
    correct : array-like of shape (n,) or int, optional
        Whether each case is classified correctly (True and False, or 1 and 0), instead of the
        labels; or, with `n`, the number of correct cases.
    n : int, optional
        The number of cases of which `correct` are correct.
    method : {'wilson', 'clopper-pearson', 'jeffreys', 'agresti-coull'}, default='wilson'
        'wilson' has approximately its nominal coverage; 'clopper-pearson' at least that, so it is
        wider. 'jeffreys' is the equal-tailed posterior interval with Jeffreys' prior, extended to 0
        or 1 if no case or every case is correct.
    groups : array-like of shape (n,), optional
        Cluster of each case: the patient of an image, the template of a prompt. Clusters are
        independent; cases within a cluster may be correlated. Then 'wilson' and 'clopper-pearson',
        the only methods for clusters, use the effective number of cases (the number of independent
        cases with the same standard error) and Student's t. Not together with counts.

    Returns
    -------
    AccuracyIntervalResult
        With ``estimate``, ``standard_error``, ``confidence_interval()``, ``n_correct``, ``n``,
        ``n_dropped``, ``method``, ``design`` ('independent' or 'clusters'), ``df`` and
        ``effective_n`` of clusters, ``status``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        'zero_variance', if all clusters have the same accuracy but not all cases are correct: the
        interval is NaN.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom (fewer than 5 clusters, or
        one with half of the cases): the interval is wide. 'low_coverage', if the method is 'wilson'
        and the effective number of clusters, (sum S^2)^2 / sum S^4 of their sums of deviations, is
        below 8.

    Notes
    -----
    Wilson's interval for x correct cases of n, with p = x / n and the normal quantile z::

        (p + z^2 / (2 n) +- z sqrt(p (1 - p) / n + z^2 / (4 n^2))) / (1 + z^2 / n)

    'agresti-coull' is p' +- z sqrt(p' (1 - p') / (n + z^2)) with p' = (x + z^2 / 2) / (n + z^2);
    'clopper-pearson' and 'jeffreys' are quantiles of beta distributions. With clusters, n is
    replaced by p (1 - p) / SE^2, with the CR2 standard error, and z by Student's quantile.
    'clopper-pearson' uses that n times (z / t)^2 [2]_, but at most n / (1 + rho (sum n_g^2 / n -
    1)), where rho is the intraclass correlation estimated from pairs of cases as if there were one
    more cluster with only the rarer answer. For accuracies of .8 to .98, 20 to 200 clusters of
    unequal sizes and intraclass correlations of 0 to .5, 95% intervals by 'wilson' miss the true
    value in 3 to 23% of samples (up to 8% without a warning), those by 'clopper-pearson' in 0 to
    6%, and in 8% for an accuracy of .95 in 50 clusters of 8.

    References
    ----------
    .. [1] L. D. Brown, T. T. Cai, A. DasGupta (2001), doi:10.1214/ss/1009213286.
    .. [2] E. L. Korn, B. I. Graubard (1998), Survey Methodology 24, 193-201.
    .. [3] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.accuracy_interval(correct=175, n=200)
    >>> low, high = result.confidence_interval()
    >>> result.estimate, round(low, 4), round(high, 4)
    (0.875, 0.822, 0.9139)
    >>> fc.accuracy_interval(correct=[True, True, False, True]).estimate
    0.75
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, INTERVALS)
    level = check_level(confidence_level)
    labels = {"y_true": y_true, "y_pred": y_pred}
    has_answers = is_listed(correct) and are_answers({"correct": correct}, {**labels, "n": n})
    has_counts = not has_answers and came_as_counts(labels, {"correct": correct, "n": n})
    check_groups_of_accuracy(method, from_counts=has_counts, grouped=groups is not None)
    if has_counts:
        counts = CorrectCounts(*as_share(correct, n))
    elif has_answers:
        counts = count_correct(as_one_model(correct, nan_policy, groups))
    else:
        counts = count_correct(
            as_predictions(y_true, nan_policy=nan_policy, groups=groups, y_pred=y_pred)
        )

    variance_fields = counts.variance_fields(method)
    hint = ": take method='clopper-pearson'" if variance_fields["status"] == "low_coverage" else ""
    warn_status(variance_fields["status"], on_undefined, hint)
    return AccuracyIntervalResult(
        **variance_fields,
        estimate=counts.x / counts.n,
        method=method,
        confidence_level=level,
        n_correct=counts.x,
        n=counts.n,
        n_dropped=counts.n_dropped,
    )


class CorrectInClusters(NamedTuple):
    """The numbers of right cases (G,) and of all cases (G,) of each cluster."""

    right: Integers
    sizes: Integers


class CorrectCounts(NamedTuple):
    """x right cases of n, the number of dropped cases, and the counts by cluster if there are any.

    Without clusters, cases are independent.
    """

    x: int
    n: int
    n_dropped: int = 0
    clusters: CorrectInClusters | None = None

    def error_and_df(self) -> tuple[float, float]:
        """Return the accuracy's standard error, CR2 with clusters, and its degrees of freedom."""
        if self.clusters is None:
            p = self.x / self.n
            return math.sqrt(p * (1.0 - p) / self.n), math.inf
        sizes = self.clusters.sizes
        return cluster_error(self.cluster_deviations(self.clusters), sizes), cluster_df(sizes)

    def cluster_deviations(self, clusters: CorrectInClusters) -> Vector:
        """Return the sums (G,) over clusters of the answers' deviations from the accuracy."""
        n_times_sums = self.n * clusters.right - self.x * clusters.sizes  # integers: exactly 0
        return np.asarray(n_times_sums / self.n)

    def variance_fields(self, method: str) -> Fields:
        """Return the fields of the accuracy's standard error, df and design, and the status word.

        The latter says whether an interval by this method covers.
        """
        x, n = self.x, self.n
        error, df = self.error_and_df()
        design_effect = math.nan
        design, status = "independent", "ok"
        if self.clusters is not None:
            right, sizes = self.clusters
            sums = self.cluster_deviations(self.clusters)
            design = "clusters"
            undercovers = (
                method == "wilson" and int(sizes.max()) > 1 and has_few_effective_clusters(sums)
            )
            status = cluster_status(df, "low_coverage" if undercovers else "ok")
            icc = rarer_answer_icc(right if 2 * x < n else sizes - right, sizes)
            design_effect = 1.0 + icc * (float(sizes @ sizes) / n - 1.0)
        if error == 0.0 and 0 < x < n:
            status = "zero_variance"
        return Fields(
            standard_error=error, df=df, design=design, status=status, _design_effect=design_effect
        )


def count_correct(cases: Predictions, model: int = 0) -> CorrectCounts:
    """Return the counts of right answers of the model with this index, and by cluster."""
    right = correctness(cases)[model].view(np.bool_)
    groups = cases.groups
    x = int(np.count_nonzero(right))
    clusters = None
    if groups is not None:
        sizes = cluster_sizes(groups)
        clusters = CorrectInClusters(np.bincount(groups[right], minlength=sizes.size), sizes)
    return CorrectCounts(x, right.size, cases.n_dropped, clusters)


# of V_a + V_b: variances of a difference below this are computed from the differences themselves
SMALL_VARIANCE_SHARE = 1e-4
BLOCK_NUMBERS = 1 << 20  # numbers in memory at a time


class CorrectByCluster(NamedTuple):
    """How often each of k models is right in each cluster (k, G), and the clusters' sizes (G,)."""

    right: Integers
    sizes: Integers

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.sizes.sum())

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom, the same for every accuracy and difference."""
        return cluster_df(self.sizes)

    def deviations(self) -> Integers:
        """Return n times the sums (k, G) over clusters of deviations from the accuracy."""
        totals = self.right.sum(axis=1, keepdims=True)
        return np.asarray(self.n * self.right - totals * self.sizes)

    def covariance(self, deviations: Integers) -> Matrix:
        """Return the CR2 covariance of k means from n times their sums of deviations (k, G)."""
        n = self.n
        sums = deviations / n  # S_jg of the module's docstring
        return np.asarray((sums * (n / (n - self.sizes))) @ sums.T / n**2)

    def covariance_and_errors(
        self, cells: tuple[NDArray[np.intp], NDArray[np.intp]]
    ) -> tuple[Matrix, Vector]:
        """Return the covariance (k, k) of accuracies, and standard errors (P,) of differences.

        `cells` are the first and the second model (P,) of each pair.
        """
        first, second = cells
        deviations = self.deviations()
        covariance = self.covariance(deviations)
        variances = covariance.diagonal()
        sum_of_variances = variances[first] + variances[second]
        variance = sum_of_variances - 2.0 * covariance[first, second]
        # differences of nearly equal models: the sum above would cancel
        close = np.flatnonzero(variance <= SMALL_VARIANCE_SHARE * sum_of_variances)
        for rows in np.array_split(close, 1 + close.size * self.sizes.size // BLOCK_NUMBERS):
            gaps = (deviations[first[rows]] - deviations[second[rows]]) / self.n
            variance[rows] = np.square(gaps) @ (self.n / (self.n - self.sizes)) / self.n**2
        return covariance, np.sqrt(variance)


def correct_by_cluster(right: NDArray[np.uint8], groups: Integers) -> CorrectByCluster:
    """Return the numbers of right answers by cluster, from those (k, n) of each case."""
    sizes = cluster_sizes(groups)
    rows = [np.bincount(groups[row], minlength=sizes.size) for row in right.view(np.bool_)]
    return CorrectByCluster(np.array(rows), sizes)


CLUSTER_COLUMNS = 3  # of each cluster: cases that only either model gets right, and all cases


@dataclass
class LabelSummary:
    """Summary of labels in chunks: counts as in `Table`, by cluster, dropped rows, label ranges."""

    reader: LabelReader
    counts: tuple[int, ...] = (0, 0, 0, 0)
    n_dropped: int = 0
    clusters: ClusterTotals = field(default_factory=lambda: ClusterTotals(CLUSTER_COLUMNS))
    kinds: Sequence[NDArray[Any]] = ()

    def add(self, part: NumberedChunk) -> None:
        """Count the right and wrong answers of a part of the stream."""
        for truth, (a, b), groups, n_dropped, kinds in self.reader.read(part):
            right_a, right_b = np.equal(truth, a), np.equal(truth, b)
            both = int(np.count_nonzero(right_a & right_b))
            only_a, only_b = (int(np.count_nonzero(right)) - both for right in (right_a, right_b))
            neither = truth.size - both - only_a - only_b
            self.count((both, only_a, only_b, neither), n_dropped, kinds)
            if groups is not None:
                discordant = (right_a & ~right_b, right_b & ~right_a)
                columns = *(answers.astype(np.float64) for answers in discordant), 1
                self.clusters.add(groups, columns)

    def count(self, counts: Sequence[int], n_dropped: int, kinds: Sequence[NDArray[Any]]) -> None:
        """Add counts as in `Table`, the number of dropped rows, and the ranges of labels."""
        self.counts = tuple(x + y for x, y in zip(self.counts, counts, strict=True))
        self.n_dropped += n_dropped
        self.kinds = combine_ranges(self.reader.layout.parameters, self.kinds, kinds)

    def merge(self, other: LabelSummary) -> None:
        """Add the counts of another summary."""
        self.count(other.counts, other.n_dropped, other.kinds)
        self.clusters.merge(other.clusters)

    def finalize(self, names: tuple[str, ...]) -> Sample:
        """Return the table of two models, or raise if their labels cannot be compared."""
        check_rows(sum(self.counts), self.n_dropped)
        check_comparable(dict(zip(self.reader.layout.parameters, self.kinds, strict=True)))
        name_a, name_b = names
        clusters = None
        if self.reader.layout.grouped:
            clusters = DiscordantInClusters(*self.clusters.finalize())
            if self.clusters.labels is not None:
                check_clusters(clusters.sizes.size, self.clusters.labels)
        return Sample(Table(*self.counts), (name_a, name_b), self.n_dropped, clusters)


def sample_of_labels(
    labels: tuple[object, object, object],
    correct: tuple[object, object],
    groups: object,
    nan_policy: str,
    stream: PairStream | None,
    workers: Workers,
) -> Sample:
    """Return the table of two models whose labels come in chunks (`stream`), or are in memory."""
    if stream is not None:
        empty = partial(LabelSummary, LabelReader(stream.layout, nan_policy))
        return stream.gather(empty, workers).finalize(stream.names)
    check_in_memory(workers["executor"])
    return paired_sample(*labels, correct=correct, nan_policy=nan_policy, groups=groups)
