"""The sign test, and the interval of a median that it inverts to."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._inference.exact import coin_pvalue, coin_tail
from .._inference.status import warn_status
from .._inputs.models import as_pairs
from .._inputs.options import check_choice
from .._inputs.scores import ScoreTable
from ._columns import OrderResult, PairTestOptions, as_pair_test_options

SIGN_ZEROS = ("drop", "split")
LEVEL_TOLERANCE = 1e-9  # levels such as (1 - 0.95) / 2 are not exact


@dataclass(frozen=True, eq=False, kw_only=True)
class SignTestResult(OrderResult):
    """Result of `sign_test`; `estimate` is the median difference."""

    n_positive: int
    n_negative: int
    _ends: MedianEnds = field(repr=False)
    title: ClassVar[str] = "Sign test"
    effect: ClassVar[str] = "proportion of positive minus that of negative differences"

    def _compute__ends(self) -> MedianEnds:
        return MedianEnds(self._differences, self.zeros)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return self._sentence("The median", "number of positive ones")


class MedianEnds:
    """Median of the nonzero differences, and intervals for it by order statistics.

    With `zeros='split'` half of the zeros count as positive, half as negative, as in the test.
    """

    def __init__(self, differences: NDArray[np.float64], zeros: str) -> None:
        """Sort the differences (n,) that are not 0; `zeros` says how the zeros count."""
        nonzero = differences[differences != 0.0]
        self.ordered = np.sort(nonzero) if nonzero.size else differences
        self.half_of_zeros = (differences.size - self.ordered.size) // 2 if zeros == "split" else 0

    def median(self) -> float:
        """Return the median of the differences that are not 0."""
        return float(np.median(self.ordered))

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        k = self._rank(alpha)
        return float(self.ordered[k - 1]) if k > 0 else -math.inf

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        k = self._rank(alpha)
        return float(self.ordered[-k]) if k > 0 else math.inf

    def _rank(self, alpha: float) -> int:
        """Return the rank of the end: the largest k with P(X <= k - 1) <= alpha, less split zeros.

        X is Binomial(n, 1/2), n counts split zeros.
        """
        n = self.ordered.size + 2 * self.half_of_zeros
        low = 0
        high = n // 2 + 1
        while high - low > 1:
            k = (low + high) // 2
            tail = coin_tail(k - 1, n - k + 1, weight=1.0)  # P(X <= k - 1)
            fits = tail <= alpha * (1.0 + LEVEL_TOLERANCE)
            low, high = (k, high) if fits else (low, k)
        return low - self.half_of_zeros


@with_engine_options(as_pair_test_options)
def sign_test(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    zeros: str = "drop",
    **pairing: Unpack[PairTestOptions],
) -> SignTestResult:
    """Sign test: whether paired differences are as often positive as negative.

    Parameters
    ----------
    zeros : {'drop', 'split'}, default='drop'
        How to handle differences of 0: drop them; or count half of them as positive, after dropping
        one if their number is odd, as in Demšar (2006).

    Returns
    -------
    SignTestResult
        With ``statistic`` (the number of positive differences, including zeros counted as such),
        ``pvalue`` (always exact), ``log_pvalue``, ``estimate`` (the median of the non-zero
        differences), ``effect_size`` (the proportion of positive minus that of negative differences
        among those counted), ``n_positive``, ``n_negative``, ``n_zero``, ``n``, ``n_dropped``,
        ``status``, ``confidence_interval(confidence_level)`` and ``summary()``.

    See Also
    --------
    wilcoxon_test : More power where differences are symmetric.

    Notes
    -----
    With n+ positive and n- negative differences, n+ is binomial (n+ + n-, 1/2) under the null
    hypothesis; 'split' adds half of the zeros (minus one if their number is odd) to each.

    A difference is 0 only if its two scores are equal; integers of any size are compared exactly.
    The ends of the interval are order statistics of the non-zero differences; it excludes 0 exactly
    if the test rejects at 1 - `confidence_level`. The interval and the median are computed on
    demand.

    References
    ----------
    .. [1] W. J. Conover (1999), Practical Nonparametric Statistics, section 3.4.
    .. [2] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.

    Examples
    --------
    >>> import fastcompare as fc
    >>> d = [1, 2, 3, 4, -1, -2, 0, 0]
    >>> round(fc.sign_test(d).pvalue, 4), round(fc.sign_test(d, zeros="split").pvalue, 4)
    (0.6875, 0.7266)
    """
    alternative, nan_policy, on_undefined = as_pair_test_options(**pairing)
    check_choice("zeros", zeros, SIGN_ZEROS)
    pairs = as_pairs(scores_a, scores_b, nan_policy=nan_policy)
    differences = pairs.differences

    positive = int(np.count_nonzero(differences > 0.0))
    negative = int(np.count_nonzero(differences < 0.0))
    n_zero = differences.size - positive - negative
    half = n_zero // 2 if zeros == "split" else 0
    p = coin_pvalue(positive + half, negative + half, alternative, weight=1.0)
    n_used = positive + negative + 2 * half
    status = "ok" if n_zero < differences.size else "no_difference"
    warn_status(status, on_undefined)

    return SignTestResult.from_fields(
        **p._asdict(),
        statistic=float(positive + half),
        alternative=alternative,
        effect_size=(positive - negative) / n_used if n_used else 0.0,
        zeros=zeros,
        n=differences.size,
        n_zero=n_zero,
        n_dropped=pairs.n_dropped,
        n_positive=positive,
        n_negative=negative,
        method="sign test",
        names=pairs.names,
        status=status,
        _differences=differences,
    )
