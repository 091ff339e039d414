"""Which of two models is right on which cases: all that comparing accuracies needs.

Notation of McNemar (1947): b cases are right by the first model only, c by the second only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented
from ..._base.text import counted
from ..._base.types import AnyLabels, Integers, NanPolicy, Vector
from ..._inference.clusters import cluster_df, cluster_error, cluster_sizes, cluster_status
from ..._inference.status import unvaried_status
from ..._inference.unvaried import Unvaried, as_equal
from ..._inputs.answers import are_answers, as_two_models
from ..._inputs.counts import as_four, is_table_alone
from ..._inputs.predictions import LabelTable, Predictions, as_pair_predictions
from ..._inputs.scores import UNNAMED
from ..._results.records import TwoModels


class Table(NamedTuple):
    """Counts of cases that both models get right, only the first, only the second, none."""

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
        """The two accuracies, each a fraction rounded once."""
        return (self.n11 + self.b) / self.n, (self.n11 + self.c) / self.n

    @property
    def difference(self) -> float:
        """The first accuracy less the second, a fraction rounded once."""
        return (self.b - self.c) / self.n

    @property
    def standard_error(self) -> float:
        """Wald's standard error of the difference."""
        n, b, c = self.n, self.b, self.c
        return math.sqrt((n * (b + c) - (b - c) ** 2) / n) / n


class TableFields(TypedDict):
    """Fields of every result of two models' right and wrong answers, but for the accuracies."""

    n11: int
    n10: int
    n01: int
    n00: int
    n_dropped: int
    names: tuple[str, str]


class OfTable:
    """What every such result says by its counts."""

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

    def _later_accuracy(self) -> Vector:
        return np.array(self._counts.accuracy)


class Sample(NamedTuple):
    """A table of two models, their names, how many cases were left out, and what clusters add.

    `clusters` are the differences and the sizes of the clusters.
    """

    table: Table
    names: tuple[str, str] = UNNAMED
    n_dropped: int = 0
    clusters: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def fields(self) -> TableFields:
        """Return the fields of a result that count the cases."""
        n11, b, c, n00 = self.table
        return TableFields(
            n11=n11,
            n10=b,
            n01=c,
            n00=n00,
            n_dropped=self.n_dropped,
            names=self.names,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ContingencyTableResult(OfTable, TwoModels):
    """Result of `contingency_table`."""

    n11: int
    n10: int
    n01: int
    n00: int
    accuracy: Vector
    n: int
    n_dropped: int
    title: ClassVar[str] = "Right and wrong answers of two models"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        (first, second), (one, two) = self._called, self.accuracy
        return (
            f"Of {counted(self.n, 'case')} both models get {self.n11} right, "
            f"only {first} {self.n10}, only {second} {self.n01}, none {self.n00}: accuracies "
            f"{self._of_both(f'{one:.4f}', f'{two:.4f}')}."
        )


@documented
def contingency_table(
    y_true: AnyLabels,
    y_pred_a: LabelTable,
    y_pred_b: ArrayLike | None = None,
    *,
    nan_policy: NanPolicy = "raise",
) -> ContingencyTableResult:
    """Count the cases that two classifiers get right and wrong.

    Returns
    -------
    ContingencyTableResult
        With ``n11`` (both right), ``n10`` (only the first), ``n01`` (only the second), ``n00``
        (none), ``accuracy`` (2,), ``n``, ``n_dropped``, ``names``, ``table`` (2, 2),
        ``summary()`` and ``to_dict()``. Every test of two models' labels takes it in place of the
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
    return ContingencyTableResult.made(**sample.fields(), n=sample.table.n)


def sample_of(
    y_true: object,
    y_pred_a: object,
    y_pred_b: object,
    *,
    correct: tuple[object, object] = (None, None),
    nan_policy: str,
    groups: object = None,
) -> Sample:
    """Return the table of two predictions, or of right answers, or `y_true` if it is that table."""
    answers = dict(zip(("correct_a", "correct_b"), correct, strict=True))
    labels = {"y_true": y_true, "y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    if are_answers(answers, labels):
        return sample_of_cases(as_two_models(*correct, nan_policy, groups))
    if is_table_alone(y_pred_a, y_pred_b, groups):
        return sample_of_table(y_true)
    return sample_of_cases(as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy, groups))


def sample_of_table(table: object) -> Sample:
    """Return the counts that came in place of labels."""
    if isinstance(table, ContingencyTableResult):
        return Sample(table._counts, table.names, table.n_dropped)
    return Sample(Table(*as_four("table", table)))


def sample_of_cases(predictions: Predictions) -> Sample:
    """Return the table of two models, and the differences and sizes of the clusters."""
    right_a, right_b = (np.equal(predictions.truth, one) for one in predictions.predicted)
    both = int(np.count_nonzero(right_a & right_b))
    b, c = int(np.count_nonzero(right_a)) - both, int(np.count_nonzero(right_b)) - both
    table = Table(both, b, c, right_a.size - both - b - c)
    (first, second), groups = predictions.names, predictions.groups
    names = (first, second)
    if groups is None:
        return Sample(table, names, predictions.n_dropped)
    sizes = cluster_sizes(groups)
    gains = cluster_gains(groups, right_a, right_b, sizes.size)
    return Sample(table, names, predictions.n_dropped, (gains, sizes))


def cluster_gains(
    groups: Integers, right_a: NDArray[np.bool_], right_b: NDArray[np.bool_], clusters: int
) -> Integers:
    """Return by how many cases the first model is ahead in each cluster.

    The cases that tell the models apart are counted by cluster and winner together: a third of the
    time of a mask for each model.
    """
    apart = np.flatnonzero(right_a ^ right_b)
    winners = 2 * groups.take(apart) + right_a.take(apart)
    counts = np.bincount(winners, minlength=2 * clusters)
    return counts[1::2] - counts[::2]


class SpreadFields(TypedDict):
    """Fields of a result that say how much its estimate varies."""

    standard_error: float
    df: float
    status: str
    _unvaried: Unvaried | None


class Spread(NamedTuple):
    """The standard error of a difference of accuracies, its degrees of freedom, the status word.

    `unvaried` is the bound by clusters that do not vary.
    """

    standard_error: float
    df: float
    status: str
    unvaried: Unvaried | None = None

    def fields(self) -> SpreadFields:
        """Return the fields of a result."""
        error, df, status, unvaried = self
        return SpreadFields(standard_error=error, df=df, status=status, _unvaried=unvaried)


def difference_spread(sample: Sample, margin: float) -> Spread:
    """Return how much the difference of two accuracies varies; infinite df without clusters."""
    table = sample.table
    word = "ok" if table.b + table.c else "no_discordant"
    if sample.clusters is None:
        return Spread(table.standard_error, math.inf, word)
    gains, sizes = sample.clusters
    n, df = table.n, cluster_df(sizes)
    # D_g - n_g D / n with whole numbers up to the division: what vanishes is 0
    error = cluster_error((n * gains - (table.b - table.c) * sizes) / n, sizes)
    bound = Unvaried(as_equal(sizes), name="clusters") if error == 0.0 else None
    if error == 0.0 and (table.difference or margin):
        return Spread(0.0, df, unvaried_status(table.difference, margin, word), bound)
    return Spread(error, df, cluster_status(df) if word == "ok" else word, bound)
