"""One model's accuracy, and an interval for it.

Notation: x of n cases are right.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.types import NanPolicy
from ..._inference.proportions import INTERVALS
from ..._inputs.counts import are_counts, as_share
from ..._inputs.options import check_choice, check_level
from ..._inputs.predictions import as_predictions
from ..._inputs.predictions import correct as correctness
from ..._results.records import IntervalEstimate


@dataclass(frozen=True, eq=False, kw_only=True)
class AccuracyIntervalResult(IntervalEstimate):
    """Result of `accuracy_interval`."""

    n_correct: int
    n: int
    n_dropped: int
    title: ClassVar[str] = "Accuracy"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def _ends(self, level: float) -> tuple[float, float]:
        return INTERVALS[self.method](self.n_correct, self.n, 0.5 * (1.0 - level))

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"The accuracy is {self.estimate:.4f} ({self.n_correct} of {self.n} cases, "
            f"{self._stated_interval()}, {self.method.title()} method)."
        )


@documented
def accuracy_interval(
    y_true: ArrayLike | None = None,
    y_pred: ArrayLike | None = None,
    *,
    correct: int | None = None,
    n: int | None = None,
    method: str = "wilson",
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
) -> AccuracyIntervalResult:
    """Return the share of cases that a classifier gets right, with a confidence interval.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n,), optional
        True and predicted labels of any type, both of the same kind.
    correct, n : int, optional
        How many cases are right, of how many, in place of the labels.
    method : {'wilson', 'clopper-pearson', 'jeffreys', 'agresti-coull'}, default='wilson'
        'wilson' covers about as often as it says, 'clopper-pearson' never less, so it is wider.
        'jeffreys' has equal tails of the posterior after Jeffreys' prior, but 0 and 1 where no or
        every case is right.

    Returns
    -------
    AccuracyIntervalResult
        With ``estimate``, ``standard_error``, ``confidence_interval()``, ``n_correct``, ``n``,
        ``n_dropped``, ``method``, ``summary()`` and ``to_dict()``.

    References
    ----------
    .. [1] L. D. Brown, T. T. Cai, A. DasGupta (2001), doi:10.1214/ss/1009213286.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.accuracy_interval(correct=175, n=200)
    >>> low, high = result.confidence_interval()
    >>> result.estimate, round(low, 4), round(high, 4)
    (0.875, 0.822, 0.9139)
    """
    check_choice("method", method, INTERVALS)
    level = check_level(confidence_level)
    if are_counts({"y_true": y_true, "y_pred": y_pred}, {"correct": correct, "n": n}):
        (x, total), dropped = as_share(correct, n), 0
    else:
        predictions = as_predictions(y_true, nan_policy=nan_policy, y_pred=y_pred)
        x, total = int(np.count_nonzero(correctness(predictions))), predictions.truth.size
        dropped = predictions.n_dropped

    p = x / total
    return AccuracyIntervalResult(
        estimate=p,
        standard_error=math.sqrt(p * (1.0 - p) / total),
        method=method,
        status="ok",
        confidence_level=level,
        n_correct=x,
        n=total,
        n_dropped=dropped,
    )
