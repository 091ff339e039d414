"""Tables of two models' labels: who is right on which cases, and who uses which label.

As in McNemar (1947), b cases are right by the first model only, c by the second only. In tables of
labels n_ij cases have label i from the first and label j from the second.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented, with_engine_options
from .._base.text import amount
from .._base.types import AnyLabels, Fields, Integers, NanPolicy, Undefined, Vector
from .._inference.answers import LinkedAnswers, cluster_layout, linked_answers
from .._inference.clusters import cluster_df, cluster_error, cluster_sizes, cluster_status
from .._inference.infer import OmnibusOutcome, ZeroVarianceBound, sum_over_largest
from .._inference.pvalues import CERTAIN, PValue, chi2_pvalue
from .._inference.status import unvaried_status
from .._inputs.counts import as_four_counts, as_label_counts, is_table_alone
from .._inputs.options import check_undefined
from .._inputs.predictions import (
    LabelTable,
    Predictions,
    are_answers,
    as_pair_predictions,
    as_two_models,
)
from .._inputs.scores import UNNAMED
from .._results.records import OmnibusResult
from .._results.two_models import TwoModels


class Table(NamedTuple):
    """Counts of cases that both models get right, only the first, only the second, neither."""

    n11: int
    b: int
    c: int
    n00: int

    @property
    def n(self) -> int:
        """The number of cases."""
        return self.n11 + self.b + self.c + self.n00

    @property
    def accuracy(self) -> tuple[float, float]:
        """The accuracies of the first and the second model, each with one rounding."""
        return (self.n11 + self.b) / self.n, (self.n11 + self.c) / self.n

    @property
    def difference(self) -> float:
        """The first accuracy less the second, with one rounding."""
        return (self.b - self.c) / self.n

    @property
    def standard_error(self) -> float:
        """Wald's standard error of the difference."""
        n, b, c = self.n, self.b, self.c
        return math.sqrt((n * (b + c) - (b - c) ** 2) / n) / n


class TableResult:
    """Mixin of results with the counts n11, n10, n01, n00: the 2 x 2 table and the accuracies."""

    n11: int
    n10: int
    n01: int
    n00: int

    @property
    def table(self) -> NDArray[np.int64]:
        """``[[n11, n10], [n01, n00]]``: the first model right or wrong, by the second."""
        return np.array([[self.n11, self.n10], [self.n01, self.n00]])

    @property
    def _counts(self) -> Table:
        return Table(self.n11, self.n10, self.n01, self.n00)

    def _compute_accuracy(self) -> Vector:
        return np.array(self._counts.accuracy)


class DiscordantInClusters(NamedTuple):
    """The cases of each cluster (G,) that only the first or second model gets right, and all."""

    only_first: Integers
    only_second: Integers
    sizes: Integers


class Sample(NamedTuple):
    """The table of two models, their names, the number of dropped cases, and counts by cluster.

    `clusters` is None for independent cases.
    """

    table: Table
    names: tuple[str, str] = UNNAMED
    n_dropped: int = 0
    clusters: DiscordantInClusters | None = None

    def fields(self) -> Fields:
        """Return the fields of a result that count the cases."""
        n11, b, c, n00 = self.table
        n_clusters = 0 if self.clusters is None else self.clusters.sizes.size
        counts = Fields(n11=n11, n10=b, n01=c, n00=n00, n_dropped=self.n_dropped)
        return Fields(**counts, names=self.names, _n_clusters=n_clusters)


@dataclass(frozen=True, eq=False, kw_only=True)
class ContingencyTableResult(TableResult, TwoModels):
    """Result of `contingency_table`."""

    n11: int
    n10: int
    n01: int
    n00: int
    accuracy: Vector
    n: int
    n_dropped: int
    title: ClassVar[str] = "Right and wrong answers of two models"
    _picture: ClassVar[str] = "mosaic"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        first, second = self._display_names
        accuracy_a, accuracy_b = self.accuracy
        return (
            f"Of {amount(self.n, 'case')} both models get {self.n11} right, only {first} "
            f"{self.n10}, only {second} {self.n01}, neither {self.n00}: accuracies "
            f"{self._beside_names(f'{accuracy_a:.4f}', f'{accuracy_b:.4f}')}."
        )


@documented
def contingency_table(
    y_true: AnyLabels,
    y_pred_a: LabelTable,
    y_pred_b: ArrayLike | None = None,
    *,
    nan_policy: NanPolicy = "raise",
) -> ContingencyTableResult:
    """Cross-tabulate the correct and wrong answers of two classifiers.

    Returns
    -------
    ContingencyTableResult
        With ``n11`` (both correct), ``n10`` (only the first), ``n01`` (only the second), ``n00``
        (neither), ``accuracy`` (2,), ``n``, ``n_dropped``, ``names``, ``table`` (2, 2),
        ``summary()`` and ``to_dict()``. Every test of two models' labels accepts it instead of the
        labels.

    References
    ----------
    .. [1] Q. McNemar (1947), doi:10.1007/BF02295996.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = ["cat", "dog", "dog", "cow"]
    >>> found = fc.contingency_table(y, ["cat", "dog", "cat", "cow"], ["cat", "cow", "dog", "cat"])
    >>> found.table.tolist()
    [[1, 2], [1, 0]]
    >>> found.accuracy.tolist()
    [0.75, 0.5]
    """
    sample = sample_of_cases(as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy))
    return ContingencyTableResult.from_fields(**sample.fields(), n=sample.table.n)


def paired_sample(
    y_true: object,
    y_pred_a: object,
    y_pred_b: object,
    *,
    correct: tuple[object, object] = (None, None),
    nan_policy: str,
    groups: object = None,
) -> Sample:
    """Return the table of two models from labels, from right answers, or from a table `y_true`."""
    answers = {"correct_a": correct[0], "correct_b": correct[1]}
    labels = {"y_true": y_true, "y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    if are_answers(answers, labels):
        return sample_of_cases(as_two_models(*correct, nan_policy, groups))
    if is_table_alone(y_pred_a, y_pred_b, groups):
        return sample_of_table(y_true)
    return sample_of_cases(as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy, groups))


def sample_of_table(table: object) -> Sample:
    """Return the sample of a table of counts, or of a `ContingencyTableResult`."""
    if isinstance(table, ContingencyTableResult):
        return Sample(table._counts, table.names, table.n_dropped)
    return Sample(Table(*as_four_counts("y_true", table)))


def sample_of_cases(predictions: Predictions) -> Sample:
    """Return the table of two models from checked predictions, with counts by cluster."""
    right_a, right_b = (np.equal(predictions.truth, labels) for labels in predictions.predicted)
    both = int(np.count_nonzero(right_a & right_b))
    b = int(np.count_nonzero(right_a)) - both
    c = int(np.count_nonzero(right_b)) - both
    table = Table(n11=both, b=b, c=c, n00=right_a.size - both - b - c)
    groups = predictions.groups
    name_a, name_b = predictions.names
    names = (name_a, name_b)
    if groups is None:
        return Sample(table, names, predictions.n_dropped)
    sizes = cluster_sizes(groups)
    only_a, only_b = discordant_by_cluster(groups, right_a, right_b, sizes.size)
    clusters = DiscordantInClusters(only_a, only_b, sizes)
    return Sample(table, names, predictions.n_dropped, clusters)


def discordant_by_cluster(
    groups: Integers, right_a: NDArray[np.bool_], right_b: NDArray[np.bool_], clusters: int
) -> tuple[Integers, Integers]:
    """Return how many cases only the first and only the second model gets right in each cluster.

    Discordant cases are counted by cluster and winner: a third of the time of a mask for each
    model.
    """
    discordant = np.flatnonzero(right_a ^ right_b)
    winners = 2 * groups.take(discordant) + right_a.take(discordant)
    counts = np.bincount(winners, minlength=2 * clusters)
    return counts[1::2], counts[::2]


class Tested(NamedTuple):
    """The statistic of a test and its p-value."""

    statistic: float
    p: PValue


class DifferenceVariance(NamedTuple):
    """The standard error of a difference of accuracies, its degrees of freedom, the status word.

    `unvaried` is the bound on the difference if all clusters have the same; else None.
    """

    standard_error: float
    df: float
    status: str
    unvaried: ZeroVarianceBound | None = None

    def fields(self) -> Fields:
        """Return the fields of a result."""
        error, df, status, unvaried = self
        return Fields(standard_error=error, df=df, status=status, _unvaried=unvaried)


def difference_variance(sample: Sample, margin: float) -> DifferenceVariance:
    """Return the standard error of a difference of accuracies, with its df and status.

    It is CR2 with clusters. The status of a claim with a `margin` differs if no case is discordant.
    """
    table = sample.table
    has_discordant = table.b + table.c > 0
    if sample.clusters is None:
        status = "ok" if has_discordant else "no_discordant"
        return DifferenceVariance(table.standard_error, math.inf, status)
    only_first, only_second, sizes = sample.clusters
    gains = only_first - only_second
    n = table.n
    df = cluster_df(sizes)
    # D_g - n_g D / n with integers up to the division, so that equal clusters give exactly 0
    error = cluster_error((n * gains - (table.b - table.c) * sizes) / n, sizes)
    if has_discordant:
        return DifferenceVariance(error, df, cluster_status(df))
    bound = ZeroVarianceBound(sum_over_largest(sizes), name="clusters") if error == 0.0 else None
    return DifferenceVariance(error, df, unvaried_status(0.0, margin, "no_discordant"), bound)


def clustered_answers(sample: Sample, variance: DifferenceVariance) -> LinkedAnswers:
    """Return the fields of the t-test of answers, from two models' clustered cases."""
    assert sample.clusters is not None
    only_first, only_second, sizes = sample.clusters
    table = sample.table
    return linked_answers(
        moments=(table.difference, variance.standard_error, variance.df),
        lone_shares=(table.b / table.n, table.c / table.n),
        accuracies=table.accuracy,
        clusters=(only_first, only_second),
        layout=cluster_layout(sizes),
    )


Rows = list[list[int]]


@dataclass(frozen=True, eq=False, kw_only=True)
class SymmetryResult(TwoModels, OmnibusResult):
    """Result of `bowker_test` and `stuart_maxwell_test`; there is no single estimate."""

    table: NDArray[Any]
    classes: tuple[Any, ...]
    n: int
    title: ClassVar[str] = "Two sets of labels of the same cases"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        agree = sum(int(count) for count in np.diag(self.table))
        both = self._both_names("The two labels")
        return (
            f"{both} agree on {agree} of {amount(self.n, 'case')} with "
            f"{amount(len(self.classes), 'class', 'classes')} ({self.method}, {self._evidence()})."
        )


class SymmetryOptions(TypedDict, total=False):
    """Options of the tests of two raters."""

    nan_policy: NanPolicy
    on_undefined: Undefined


def symmetry_test(
    statistic_of: Callable[[Rows], tuple[float, int]],
    method: str,
    labels_a: Any,
    labels_b: ArrayLike | None,
    *,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> SymmetryResult:
    """Return a test of a table from its statistic and degrees of freedom.

    Parameters
    ----------
    labels_a : array-like of shape (n,), or a square table of counts
        Labels of any type. Or, instead of all labels, a table (K, K) of counts with the first
        rater's labels in rows; in a data frame, rows and columns are matched by their labels.
    labels_b : array-like of shape (n,), optional
        The other labels of the same cases, of the same type.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do if a part of the result is undefined; here all parts are always defined.

    Returns
    -------
    SymmetryResult
        With ``statistic`` (chi-squared), ``df``, ``pvalue``, ``log_pvalue``, ``table`` (K, K),
        ``classes``, ``n``, ``n_dropped``, ``status``, ``summary()`` and ``to_dict()``.
    """
    check_undefined(on_undefined)
    labels = as_label_counts(nan_policy, labels_a=labels_a, labels_b=labels_b)
    statistic, df = statistic_of(labels.counts)
    p, status = (chi2_pvalue(statistic, df), "ok") if df else (CERTAIN, "no_discordant")
    return SymmetryResult(
        **OmnibusOutcome(statistic, df, p, status).fields(),
        table=np.array(labels.counts),
        classes=labels.classes,
        n=sum(map(sum, labels.counts)),
        n_dropped=labels.n_dropped,
        names=labels.names,
        method=method,
    )


@with_engine_options(symmetry_test)
def bowker_test(
    labels_a: Any, labels_b: ArrayLike | None = None, **options: Unpack[SymmetryOptions]
) -> SymmetryResult:
    """Bowker's test of symmetry of the confusion matrix of two raters or models.

    The null hypothesis is that label i from the first and j from the second is as likely as j from
    the first and i from the second, for all i and j. For two classes it is McNemar's test.

    Notes
    -----
    With n_ij cases that the first puts into class i and the second into class j::

        chi^2 = sum over i < j of (n_ij - n_ji)^2 / (n_ij + n_ji)

    ``df`` counts only the pairs of classes that occur; R and statsmodels count all pairs, which
    reduces the power of the test there.

    References
    ----------
    .. [1] A. H. Bowker (1948), doi:10.1080/01621459.1948.10483284.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.bowker_test([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 6)
    (13.7692, 3, 0.003237)
    """
    return symmetry_test(bowker, "Bowker's test of symmetry", labels_a, labels_b, **options)


@with_engine_options(symmetry_test)
def stuart_maxwell_test(
    labels_a: Any, labels_b: ArrayLike | None = None, **options: Unpack[SymmetryOptions]
) -> SymmetryResult:
    """Stuart-Maxwell test of equal marginal frequencies of two raters' or models' labels.

    Notes
    -----
    With n_ij cases that the first puts into class i and the second into class j::

        chi^2 = d' V^-1 d,    d_i = n_i. - n_.i
        v_ii = n_i. + n_.i - 2 n_ii,    v_ij = -(n_ij + n_ji)

    after one class of each group is removed.

    ``df`` is the number of classes minus the number of groups of classes that are never confused
    with another group: usually one.

    References
    ----------
    .. [1] A. Stuart (1955), doi:10.1093/biomet/42.3-4.412.
    .. [2] A. E. Maxwell (1970), doi:10.1192/bjp.116.535.651.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.stuart_maxwell_test([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 4), result.df, round(result.pvalue, 6)
    (13.7647, 2, 0.001026)
    """
    title = "Stuart-Maxwell test of equal margins"
    return symmetry_test(stuart_maxwell, title, labels_a, labels_b, **options)


def bowker(counts: Rows) -> tuple[float, int]:
    """Return sum (n_ij - n_ji)^2 / (n_ij + n_ji) over pairs that occur, and their number."""
    k = len(counts)
    pairs = [(counts[i][j], counts[j][i]) for i in range(k) for j in range(i + 1, k)]
    terms = [(n_ij - n_ji) ** 2 / (n_ij + n_ji) for n_ij, n_ji in pairs if n_ij + n_ji]
    return math.fsum(terms), len(terms)


def stuart_maxwell(counts: Rows) -> tuple[float, int]:
    """Return d' V^-1 d and its degrees of freedom, after one class of each group is removed."""
    k = len(counts)
    confusions = [
        [counts[i][j] + counts[j][i] if i != j else 0 for j in range(k)] for i in range(k)
    ]
    margin_differences = [sum(counts[i]) - sum(row[i] for row in counts) for i in range(k)]
    group = confusion_groups(confusions)
    classes = [i for i in range(k) if i != group[i]]  # without the first class of each group
    d = np.array([margin_differences[i] for i in classes], dtype=np.float64)
    variance = -np.array([[confusions[i][j] for j in classes] for i in classes], dtype=np.float64)
    if not classes:
        return 0.0, 0
    np.fill_diagonal(variance, [sum(confusions[i]) for i in classes])
    return max(float(d @ np.linalg.solve(variance, d)), 0.0), len(classes)


def confusion_groups(confusions: Rows) -> list[int]:
    """Return for each class the first class of its group: of all that confusions connect."""
    group = list(range(len(confusions)))
    for i, row in enumerate(confusions):
        for j, count in enumerate(row):
            if count and group[i] != group[j]:
                low, high = sorted((group[i], group[j]))
                group = [low if g == high else g for g in group]
    return group
