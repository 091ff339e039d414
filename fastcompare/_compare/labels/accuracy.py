"""One model's accuracy, and an interval for it.

Notation: x of n cases are right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.text import counted
from ..._base.types import Integers, NanPolicy, Undefined
from ..._inference.clusters import cluster_df, cluster_error, cluster_sizes, cluster_status
from ..._inference.proportions import INTERVALS, wilson_ends
from ..._inference.pvalues import student_quantile
from ..._inference.status import announce
from ..._inputs.accuracies import check_accuracy
from ..._inputs.answers import are_answers, as_one_model, is_listed
from ..._inputs.counts import are_counts, as_share
from ..._inputs.options import as_choice, check_level, check_undefined
from ..._inputs.predictions import Predictions, as_predictions
from ..._inputs.predictions import correct as correctness
from ..._results.records import IntervalEstimate


@dataclass(frozen=True, eq=False, kw_only=True)
class AccuracyIntervalResult(IntervalEstimate):
    """Result of `accuracy_interval`."""

    n_correct: int
    n: int
    n_dropped: int
    design: str = "independent"
    df: float = math.inf
    title: ClassVar[str] = "Accuracy"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    @property
    def effective_n(self) -> float:
        """As many independent cases would tell as much; infinite where clusters are all alike."""
        p, error = self.estimate, self.standard_error
        if p in (0.0, 1.0) or self.design == "independent":
            return float(self.n)
        return p * (1.0 - p) / error**2 if error else math.inf

    def _ends(self, level: float) -> tuple[float, float]:
        tail = 0.5 * (1.0 - level)
        if self.design == "independent":
            return INTERVALS[self.method](self.n_correct, self.n, tail)
        if self.status == "zero_variance":
            return math.nan, math.nan
        low, high = wilson_ends(self.estimate, self.effective_n, student_quantile(tail, self.df))
        return float(low), float(high)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        clustered = " of clustered cases" if self.design == "clusters" else ""
        return (
            f"The accuracy is {self.estimate:.4f} ({self.n_correct} of {counted(self.n, 'case')}, "
            f"{self._stated_interval()}, {self.method.title()} method{clustered})."
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
    """Return the share of cases that a classifier gets right, with a confidence interval.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), optional
        True and predicted labels of any type, both of the same kind.
    correct : array-like of shape (n,) or int, optional
        Which cases are right, True and False or 1 and 0, in place of the labels; or how many are,
        with `n`.
    n : int, optional
        Of how many cases `correct` are right.
    method : {'wilson', 'clopper-pearson', 'jeffreys', 'agresti-coull'}, default='wilson'
        'wilson' covers about as often as it says, 'clopper-pearson' never less, so it is wider.
        'jeffreys' has equal tails of the posterior after Jeffreys' prior, but 0 and 1 where no or
        every case is right.
    groups : array-like of shape (n,), optional
        The cluster of each case: the patient of an image, the template of a prompt. Clusters are
        independent, the cases in one need not be. Then Wilson's interval takes as many cases as
        would have the same standard error if they were independent, and Student's t. Not together
        with counts.

    Returns
    -------
    AccuracyIntervalResult
        With ``estimate``, ``standard_error``, ``confidence_interval()``, ``n_correct``, ``n``,
        ``n_dropped``, ``method``, ``design`` ('independent' or 'clusters'), ``df`` and
        ``effective_n`` of clusters, ``status``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        'zero_variance', if all clusters have the same accuracy and some cases are wrong: the
        interval is NaN.
    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom, be it that there are
        fewer than 5 of them or that one holds half the cases: the interval is wide then.

    Notes
    -----
    Wilson's interval of x right answers of n, with p = x / n and the normal quantile z::

        (p + z^2 / (2 n) +- z sqrt(p (1 - p) / n + z^2 / (4 n^2))) / (1 + z^2 / n)

    'agresti-coull' is p' +- z sqrt(p' (1 - p') / (n + z^2)) with p' = (x + z^2 / 2) / (n + z^2);
    'clopper-pearson' and 'jeffreys' are quantiles of beta distributions. Clusters take p (1 - p) /
    SE^2 for n, with the standard error CR2, and Student's quantile for z.

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
    listed = is_listed(correct) and are_answers({"correct": correct}, {**labels, "n": n})
    counted = not listed and are_counts(labels, {"correct": correct, "n": n})
    check_accuracy(method, counted=counted, grouped=groups is not None)
    if counted:
        share = Counted(*as_share(correct, n))
    elif listed:
        share = counted_cases(as_one_model(correct, nan_policy, groups))
    else:
        share = counted_cases(
            as_predictions(y_true, nan_policy=nan_policy, groups=groups, y_pred=y_pred)
        )

    spread = share.spread()
    announce(spread["status"], on_undefined)
    return AccuracyIntervalResult(
        **spread,
        estimate=share.x / share.n,
        method=method,
        confidence_level=level,
        n_correct=share.x,
        n=share.n,
        n_dropped=share.n_dropped,
    )


class Spread(TypedDict):
    """Fields that say how much an accuracy varies."""

    standard_error: float
    df: float
    design: str
    status: str


class Counted(NamedTuple):
    """How many of n cases are right, how many were left out; right cases and sizes of clusters."""

    x: int
    n: int
    n_dropped: int = 0
    clusters: tuple[Integers, Integers] | None = None

    def spread(self) -> Spread:
        """Return how much the accuracy varies."""
        x, n = self.x, self.n
        if self.clusters is None:
            error = math.sqrt(x / n * (1.0 - x / n) / n)
            return Spread(standard_error=error, df=math.inf, design="independent", status="ok")
        own, sizes = self.clusters
        error = cluster_error((n * own - x * sizes) / n, sizes)  # whole numbers: what vanishes is 0
        df = cluster_df(sizes)
        status = "zero_variance" if error == 0.0 and 0 < x < n else cluster_status(df)
        return Spread(standard_error=error, df=df, design="clusters", status=status)


def counted_cases(cases: Predictions, model: int = 0) -> Counted:
    """Return the counts of one model's right answers."""
    right, groups = correctness(cases)[model].view(np.bool_), cases.groups
    x, clusters = int(np.count_nonzero(right)), None
    if groups is not None:
        sizes = cluster_sizes(groups)
        clusters = np.bincount(groups[right], minlength=sizes.size), sizes
    return Counted(x, right.size, cases.n_dropped, clusters)
