"""Wilcoxon's signed rank test, of one vector of differences or of all pairs of columns.

n (n + 1) / 2 averages are never formed. A bisection of the real numbers counts in O(n) how many are
at most some value until n are left: some 30 counts, and at most 64, since there are 2^64 doubles.

Differences of 0 have no sign, so they say nothing of where the centre is: averages are those of the
others. Where zeros are ranked below these, each rank is greater by their number: as if each
difference stood so many times among the averages.

Under the null hypothesis each difference is as likely to be positive as negative, so the signed
ranks t_i have random signs. W+, the sum of the positive ranks, is a linear function of their sum.
Ranks are doubled, so midranks are whole numbers.

`signed_ranks` defines them for one vector of differences; the numbers here are the same, to the
last bit.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.types import Integers, Vector
from .._inference.exact import RESCALED, SignedSumDistribution, count_subset_sums, signed_sum_pvalue
from .._inference.pvalues import CERTAIN, PValue, normal_pvalue, normal_pvalues, normal_quantile
from .._inference.status import warn_status
from .._inputs.models import as_pairs
from .._inputs.options import as_choice, check_choice
from .._inputs.plans.exact import check_exact_ranks
from .._inputs.scores import ScoreTable
from ..kernels.signed_ranks import (
    DROPPED,
    RANKED,
    SPLIT,
    UNSURE,
    count_sums_to,
    sum_signed_ranks,
    sum_signed_ranks_in_order,
    sums_between,
    tie_group_starts,
)
from ._columns import (
    Columns,
    OrderResult,
    PairTestOptions,
    SizedDifferences,
    as_pair_test_options,
    signed_pairs,
    sized_pairs,
)

FEWEST_SORTED = 4096  # averages (of 90 differences) that are sorted faster than bisected
LEVEL_TOLERANCE = 1e-9  # levels such as (1 - 0.95) / 2 are not exact


class WalshAverages:
    """Walsh averages of n differences, with the ends of intervals for their centre.

    The test's own null distribution, ties included, says how many averages must be above a centre
    that it rejects (Hollander and Wolfe). Its decision about 0 is kept: where ties leave 0 as an
    end that it rejects, the interval begins with the next average.

    Parameters
    ----------
    differences : ndarray
        The differences that are not 0.
    null : ndarray or float
        Doubled ranks of the differences, for the exact distribution of W+; or the variance of
        2 (W+ - W-), for the normal one.
    rank_sums : tuple of int
        Sums of the doubled ranks of positive and of negative differences.
    n_ranked_zeros : int
        Number of zeros that are ranked: each difference is that many times among the averages.
    zero_tolerance : float
        Largest rounding error of an average: averages no further from 0 are 0.
    """

    def __init__(
        self,
        differences: Vector,
        null: Integers | float,
        rank_sums: tuple[int, int],
        n_ranked_zeros: int = 0,
        zero_tolerance: float = 0.0,
    ) -> None:
        """Keep the differences and their null distribution; count the Walsh averages."""
        self.differences = differences
        self.null = null
        self.rank_sums = rank_sums
        self.n = differences.size
        self.n_ranked_zeros = n_ranked_zeros
        self.zero_tolerance = zero_tolerance
        self.size = self.n * (self.n + 1) // 2 + n_ranked_zeros * self.n
        self.most_sorted = max(self.n, FEWEST_SORTED)

    @cached_property
    @np.errstate(under="ignore")
    def half_differences(self) -> Vector:
        """Half of the differences, in order."""
        return np.asarray(np.sort(self.differences) / 2.0)

    @cached_property
    def sorted_differences(self) -> Vector:
        """The differences in order, which count as averages themselves beside ranked zeros."""
        return np.asarray(2.0 * self.half_differences)

    def median(self) -> float:
        """Return the median of the averages: the estimate of Hodges and Lehmann (1963)."""
        lower = (self.size + 1) // 2
        upper = self.size // 2 + 1
        n_below, averages = self._around(lower)
        first = averages[lower - n_below - 1]
        has_upper = upper - n_below <= averages.size
        second = averages[upper - n_below - 1] if has_upper else self.smallest(upper)
        return 0.5 * float(first) + 0.5 * float(second)

    def smallest(self, k: int) -> float:
        """Return the k-th smallest average, k = 1, 2, ..."""
        n_below, averages = self._around(k)
        return float(averages[k - n_below - 1])

    def count_to(self, limit: float) -> int:
        """Return how many averages are at most `limit`."""
        count = int(count_sums_to(self.half_differences, limit))
        if self.n_ranked_zeros:
            n_differences = int(np.searchsorted(self.sorted_differences, limit, "right"))
            count += self.n_ranked_zeros * n_differences
        return count

    def _around(self, k: int) -> tuple[int, Vector]:
        """Return how many averages are below an interval with the k-th, and those in it, sorted."""
        low = ordering_key(2.0 * self.half_differences[0]) - 1
        high = ordering_key(2.0 * self.half_differences[-1])
        below = 0
        count_to_high = self.size
        while count_to_high - below > self.most_sorted and high - low > 1:
            middle = (low + high) // 2
            count = self.count_to(double_of_key(middle))
            if count >= k:
                high, count_to_high = middle, count
            else:
                low, below = middle, count
        if high - low == 1:
            return below, np.broadcast_to(double_of_key(high), count_to_high - below)
        return below, self._between(double_of_key(low), double_of_key(high), count_to_high - below)

    def _between(self, low: float, high: float, count: int) -> Vector:
        """Return the averages above `low` and at most `high`, in order."""
        averages = np.empty(count)
        if self.n_ranked_zeros:
            positions = np.searchsorted(self.sorted_differences, (low, high), "right")
            repeated = np.repeat(self.sorted_differences[slice(*positions)], self.n_ranked_zeros)
            averages[count - repeated.size :] = repeated
        sums_between(self.half_differences, low, high, averages)
        return np.sort(averages)

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        _, minus = self.rank_sums
        k, rejects_zero = self._rank(alpha, minus)
        end = self.smallest(k) if k else -math.inf
        if not rejects_zero:
            return min(end, 0.0)
        if end > self.zero_tolerance:
            return end
        return self.smallest(self.count_to(self.zero_tolerance) + 1)  # the next above 0

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        plus, _ = self.rank_sums
        k, rejects_zero = self._rank(alpha, plus)
        end = self.smallest(self.size + 1 - k) if k else math.inf
        if not rejects_zero:
            return max(end, 0.0)
        if end < -self.zero_tolerance:
            return end
        below_zero = math.nextafter(-self.zero_tolerance, -math.inf)
        return self.smallest(self.count_to(below_zero))  # the next below 0

    def _rank(self, alpha: float, against: int) -> tuple[int, bool]:
        """Return k, the order of the average that is the end, and whether the test rejects 0.

        A centre is rejected if at most k - 1 averages lie on its other side; `against` is the sum
        of the doubled ranks that speak against the alternative.
        """
        if isinstance(self.null, float):
            margin = normal_quantile(alpha) * math.sqrt(self.null) / 2.0
            k = max(0, math.floor((self.size - margin) / 2.0) + 1)
            return k, against <= self.size - margin
        least = smallest_plausible_sum(tuple(self.null.tolist()), alpha)
        return (least + 1) // 2, against < least


@lru_cache(maxsize=8)  # both ends, of all pairs of models
def smallest_plausible_sum(ranks: tuple[int, ...], alpha: float) -> int:
    """Return the smallest s with P(S <= s) > alpha, S the sum of a random subset of doubled ranks.

    Each of the doubled `ranks` is part of S with probability 1/2.
    """
    ordered = np.array(ranks, np.int64)
    divisor = int(np.gcd.reduce(ordered))
    counts, exponent = count_subset_sums(ordered // divisor, int(ordered.sum()) // (2 * divisor))
    cdf = np.ldexp(np.cumsum(counts), exponent - ordered.size)
    return divisor * int(np.searchsorted(cdf, alpha * (1.0 + LEVEL_TOLERANCE), "right"))


def ordering_key(value: float) -> int:
    """Return an integer for a double such that integers are ordered like their doubles."""
    bits = int(struct.unpack("<q", struct.pack("<d", value))[0])
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def double_of_key(key: int) -> float:
    """Return the double whose `ordering_key` this is."""
    value = float(struct.unpack("<d", struct.pack("<q", abs(key)))[0])
    return value if key >= 0 else -value


MOST_AUTO_EXACT = 200  # differences whose exact distribution takes milliseconds
MOST_EXACT = 3000  # some seconds
RANK_BISERIAL = "rank-biserial correlation"  # (W+ - W-) / (W+ + W-): Kerby (2014)


def signed_ranks(differences: SizedDifferences, zeros: str) -> Integers:
    """Return the doubled ranks of the differences with their signs, 0 for those that are 0.

    Zeros are dropped before ranking ('wilcox'), or ranked and then dropped ('pratt'), or ranked
    and half of their ranks counted as positive ('zsplit').
    """
    d, magnitudes, rounding = differences
    zero = d == 0.0
    n_zero = int(np.count_nonzero(zero))
    if n_zero:
        magnitudes, rounding = magnitudes[~zero], rounding[~zero]
    ranks = doubled_ranks(magnitudes, rounding, below=0 if zeros == "wilcox" else n_zero)
    t = np.zeros(d.size, np.int64)
    t[~zero] = np.where(d[~zero] > 0.0, ranks, -ranks)
    return t


def doubled_ranks(magnitudes: Vector, rounding: Vector, below: int = 0) -> Integers:
    """Return twice the midranks of `magnitudes` |d| (n,), which rank above `below` zeros.

    Magnitudes tie if they differ by no more than their rounding errors `rounding` (n,).
    """
    order = np.argsort(magnitudes)
    starts = np.empty(magnitudes.size, np.int64)
    starts = starts[: tie_group_starts(magnitudes[order], rounding[order], starts)]
    stops = np.append(starts[1:], magnitudes.size)
    ranks = np.empty(magnitudes.size, np.int64)
    ranks[order] = np.repeat(starts + stops + (2 * below + 1), stops - starts)
    return ranks


def is_exact(n_ranks: int, method: str) -> bool:
    """Return whether the null distribution of `n_ranks` is exact; raise if they are too many."""
    if method == "exact":
        check_exact_ranks(n_ranks, MOST_EXACT)
    return method == "exact" or (method == "auto" and n_ranks <= MOST_AUTO_EXACT)


ZERO_CODES = {"wilcox": DROPPED, "pratt": RANKED, "zsplit": SPLIT}


class RankSums(NamedTuple):
    """Signed rank statistics (P,) of pairs of models.

    Sums of doubled ranks of positive (`plus`) and negative differences, the numbers of zeros and of
    distinct ranks, and the variance of 2 (W+ - W-).
    """

    plus: Integers
    minus: Integers
    n_zero: Integers
    n_ranks: Integers
    variance: Vector

    def w_plus(self, zeros: str) -> Vector:
        """Return W+, with half of the ranks of zeros where those are split."""
        if zeros != "zsplit":
            return self.plus / 2
        return self.plus / 2 + self.n_zero * (self.n_zero + 1) / 4

    def effect_size(self) -> Vector:
        """Return matched-pairs rank-biserial correlations."""
        total = self.plus + self.minus
        return (self.plus - self.minus) / np.where(total > 0, total, 1)


def rank_sums(columns: Columns, zeros: str) -> RankSums:
    """Return the signed rank statistics of all pairs of columns."""
    n_pairs = columns.first.size
    sums = np.empty((n_pairs, 4), np.int64)
    squares = np.empty(n_pairs)
    rounding_bounds = columns.rounding_bounds
    all_unsure = False
    for pairs, d in columns.blocks():
        pair_sums, pair_squares = sums[pairs], squares[pairs]
        if not all_unsure:
            d.sort(axis=1)
            sum_signed_ranks(d, rounding_bounds[pairs], ZERO_CODES[zeros], pair_sums, pair_squares)
        unsure = (pair_sums[:, 2] == UNSURE) | all_unsure
        if unsure.any():
            rows = columns.only(pairs).only(unsure).sized_differences()
            pair_sums[unsure], pair_squares[unsure] = ordered_sums(rows, zeros)
        # as with rounded scores: the next pairs go to `ordered_sums` at once
        all_unsure = bool(unsure.all())
    plus, minus, n_zero, n_ranks = np.ascontiguousarray(sums.T)
    return RankSums(plus, minus, n_zero, n_ranks, squares)


def ordered_sums(rows: SizedDifferences, zeros: str) -> tuple[Integers, Vector]:
    """Return the rank sums (B, 4) and sums of squared ranks (B,), as `sum_signed_ranks`, by row.

    Each difference of the rows (B, n) has its own rounding error.
    """
    d, magnitudes, rounding = rows
    sums = np.empty((len(d), 4), np.int64)
    squares = np.empty(len(d))
    order = np.argsort(magnitudes, axis=1)
    sum_signed_ranks_in_order(d, rounding, order, ZERO_CODES[zeros], sums, squares)
    return sums, squares


def signed_rank_pvalues(
    ranks: RankSums, columns: Columns, *, alternative: str, method: str, zeros: str
) -> tuple[Vector, NDArray[np.bool_]]:
    """Return the p-values (P,) of all pairs, as by `rank_test`, and which of them are exact."""
    used = columns.n - ranks.n_zero  # differences other than 0
    t = ranks.plus - ranks.minus
    sizes, index_of_size = np.unique(used, return_inverse=True)
    exact = np.array([is_exact(size, method) for size in sizes.tolist()])[index_of_size]
    pvalue = np.ones(used.shape)

    normal = ~exact & (used > 0)
    z = t[normal] / np.sqrt(ranks.variance[normal])
    pvalue[normal] = normal_pvalues(z, np.ones(z.shape), alternative)

    untied = exact & (ranks.n_ranks == used) & (used < RESCALED)
    below = np.zeros_like(used) if zeros == "wilcox" else ranks.n_zero
    pvalue[untied] = untied_pvalues(np.stack([used, below, t])[:, untied], alternative)

    for p in np.flatnonzero(exact & ~untied & (used > 0)).tolist():
        t_of_pair = signed_ranks(columns.sized_pair(p), zeros)
        pvalue[p] = signed_sum_pvalue(t_of_pair, alternative).pvalue
    return pvalue, exact


def untied_pvalues(cases: Integers, alternative: str) -> Vector:
    """Return exact p-values (P,) of ranks without ties; equal `cases` (columns) are computed once.

    `cases` (3, P) are the number of ranks, that of ranked zeros below them, and the sum of signed
    doubled ranks.
    """
    distinct, index_of_case = np.unique(cases, axis=1, return_inverse=True)
    pvalues = [
        untied_null(n_ranks, below).pvalue(total, alternative).pvalue
        for n_ranks, below, total in distinct.T.tolist()
    ]
    return np.array(pvalues, dtype=np.float64)[index_of_case.ravel()]


@lru_cache(maxsize=1)  # cases come in order
def untied_null(n_ranks: int, below: int) -> SignedSumDistribution:
    """Return the null distribution of `n_ranks` untied ranks above those of `below` zeros."""
    return SignedSumDistribution.of(2 * np.arange(below + 1, below + n_ranks + 1))


class RankTest(NamedTuple):
    """Sums of doubled ranks of positive and negative differences, the number of zeros, the p-value.

    `null_name` is the null distribution, 'exact' or 'normal', and `null` its parameter: the doubled
    ranks in order, or the variance of 2 (W+ - W-). `zero_tolerance` is the largest rounding error
    of a difference.
    """

    plus: int
    minus: int
    n_zero: int
    p: PValue
    null_name: str
    null: Integers | float
    zero_tolerance: float

    def averages(self, differences: Vector, zeros: str) -> WalshAverages:
        """Return the Walsh averages that give the test's estimate and interval.

        If all differences are 0, the null distribution is that of as many untied ranks.
        """
        if self.n_zero == differences.size:
            ranks = 2 * np.arange(1, self.n_zero + 1)
            half = int(ranks.sum()) // 2
            return WalshAverages(differences, ranks, rank_sums=(half, half))
        n_ranked_zeros = 0 if zeros == "wilcox" else self.n_zero
        nonzero = differences[differences != 0.0]
        return WalshAverages(
            nonzero, self.null, (self.plus, self.minus), n_ranked_zeros, self.zero_tolerance
        )

    def w_plus(self, zeros: str) -> float:
        """Return W+, with half of the ranks of zeros where those are split."""
        split = self.n_zero * (self.n_zero + 1) / 4 if zeros == "zsplit" else 0.0
        return self.plus / 2 + split

    def effect_size(self) -> float:
        """Return the matched-pairs rank-biserial correlation."""
        total = self.plus + self.minus
        return (self.plus - self.minus) / total if total else 0.0


def rank_test(
    signed: Vector,
    rounding_bounds: tuple[float, float],
    sized: Callable[[], SizedDifferences],
    *,
    zeros: str,
    alternative: str,
    method: str,
) -> RankTest:
    """Return Wilcoxon's test of signed differences, or of signed numbers in their order.

    `rounding_bounds` are the least and the greatest rounding error of the differences. `sized`
    returns the differences with the rounding error of each; it is called only if the bounds leave
    ties in doubt.
    """
    n_zero = signed.size - int(np.count_nonzero(signed))
    exact = is_exact(signed.size - n_zero, method)
    _, greatest = rounding_bounds
    if n_zero == signed.size:
        null_name = "exact" if exact else "normal"
        return RankTest(0, 0, n_zero, CERTAIN, null_name, 0.0, greatest)
    plus, minus, used, groups, variance = signed_rank_sums(signed, rounding_bounds, sized, zeros)
    if exact and groups == used < RESCALED:  # without ties the null distribution is cached
        below = 0 if zeros == "wilcox" else n_zero
        p = untied_null(used, below).pvalue(plus - minus, alternative)
        ranks = np.arange(used) + below + 1
        return RankTest(plus, minus, n_zero, p, "exact", 2 * ranks, greatest)
    if exact:
        t = signed_ranks(sized(), zeros)
        p = signed_sum_pvalue(t, alternative)
        return RankTest(plus, minus, n_zero, p, "exact", np.sort(abs(t[t != 0])), greatest)
    # variance with ties: n(n+1)(2n+1)/6 - sum(t^3 - t)/12 is the sum of the squared midranks
    p = normal_pvalue(float(plus - minus) / math.sqrt(variance), alternative)
    return RankTest(plus, minus, n_zero, p, "normal", variance, greatest)


def walsh_averages(sized: SizedDifferences, zeros: str, method: str) -> WalshAverages:
    """Return the Walsh averages that give estimate and interval of the test of differences."""
    d, magnitudes, rounding = sized
    test = rank_test(
        np.copysign(magnitudes, d),
        (float(rounding.min()), float(rounding.max())),
        lambda: sized,
        zeros=zeros,
        alternative="two-sided",
        method=method,
    )
    return test.averages(d, zeros)


def signed_rank_sums(
    signed: Vector,
    rounding_bounds: tuple[float, float],
    sized: Callable[[], SizedDifferences],
    zeros: str,
) -> tuple[int, int, int, int, float]:
    """Return both sums of doubled ranks, the numbers of ranks and of tie groups, the variance.

    The variance is that of 2 (W+ - W-). Sorted values suffice, in a quarter of the time of an
    argsort, unless the rounding bounds leave ties in doubt.
    """
    sums = np.empty((1, 4), np.int64)
    squares = np.empty(1)
    ordered = np.sort(signed)
    sum_signed_ranks(ordered[None], np.array([rounding_bounds]), ZERO_CODES[zeros], sums, squares)
    if sums[0, 2] == UNSURE:
        del ordered  # makes room for the arrays of `ordered_sums`
        sums, squares = ordered_sums(SizedDifferences(*(row[None] for row in sized())), zeros)
    plus, minus, n_zero, groups = sums[0].tolist()
    return plus, minus, signed.size - n_zero, groups, float(squares[0])


ZEROS = ("wilcox", "pratt", "zsplit")
METHODS = ("auto", "exact", "normal")
TITLES = {null: f"Wilcoxon's signed rank test, {null}" for null in ("exact", "normal")}


@dataclass(frozen=True, eq=False, kw_only=True)
class WilcoxonResult(OrderResult):
    """Result of `wilcoxon_test`; `estimate` is the Hodges-Lehmann estimate."""

    _ends: WalshAverages = field(repr=False)
    _test: RankTest = field(repr=False)

    title: ClassVar[str] = "Wilcoxon's signed rank test"
    effect: ClassVar[str] = RANK_BISERIAL

    def _compute__ends(self) -> WalshAverages:
        return self._test.averages(self._differences, self.zeros)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return self._sentence("The pseudomedian", "W+")


@with_engine_options(as_pair_test_options)
def wilcoxon_test(
    scores_a: ScoreTable,
    scores_b: ArrayLike | None = None,
    *,
    zeros: str = "wilcox",
    method: str = "auto",
    **pairing: Unpack[PairTestOptions],
) -> WilcoxonResult:
    """Wilcoxon's signed-rank test: whether paired differences are centred at 0.

    Parameters
    ----------
    zeros : {'wilcox', 'pratt', 'zsplit'}, default='wilcox'
        How to handle differences of 0: drop them; rank them and then drop them; or rank them and
        count half of their ranks as positive, as in Demšar (2006).
    method : {'auto', 'exact', 'normal'}, default='auto'
        The null distribution: 'exact' enumerates all signs of the observed ranks, including ties;
        'normal' uses the variance corrected for ties, without continuity correction; 'auto' is
        exact for up to 200 non-zero differences.

    Returns
    -------
    WilcoxonResult
        With ``statistic`` (W+, the sum of the ranks of positive differences), ``pvalue``,
        ``log_pvalue``, ``estimate`` (Hodges-Lehmann: the median of the averages of all pairs of
        non-zero differences), ``effect_size`` (matched-pairs rank-biserial correlation), ``n``,
        ``n_zero``, ``n_dropped``, ``method``, ``status``, ``confidence_interval(confidence_level)``
        and ``summary()``.

    Raises
    ------
    InvalidValueError
        If `method` is 'exact' for more than 3,000 differences.

    See Also
    --------
    sign_test : Only the signs count.

    Notes
    -----
    With r_i the midrank of |d_i| among the non-zero differences or, depending on `zeros`, among
    all::

        W+ = sum of r_i with d_i > 0,    W- = sum of r_i with d_i < 0
        normal:  z = (W+ - W-) / sqrt(sum r_i^2)
        exact:   the share of all signs of the r_i whose W+ is as extreme

    A difference is 0 only if its two scores are equal. Because of rounding, differences of
    floating-point numbers rarely tie exactly: absolute differences count as tied if they differ by
    no more than 2^-50 of the largest of their four scores, so dividing all scores by 100 changes
    nothing. Integers are subtracted exactly, and tie exactly. Differences that are given directly
    are treated as scores compared with 0. The exact distribution is conditional on the zeros, so
    'zsplit' and 'pratt' have equal exact p-values; the normal approximation includes their ranks
    in its variance, as in SciPy. If all differences are 0, the p-value is 1.

    The estimate and the interval are order statistics of the averages of pairs of non-zero
    differences, as in R, by the null distribution of the test, including ties: the interval
    excludes 0 exactly if the test rejects at 1 - `confidence_level`. Ranked zeros ('pratt',
    'zsplit') increase each rank by their number, so each difference is repeated that many times
    among the averages. They are computed on demand; each end takes about 30 passes over the sorted
    differences, and memory proportional to their number, not to that of the averages.

    References
    ----------
    .. [1] F. Wilcoxon (1945), doi:10.2307/3001968.
    .. [2] J. W. Pratt (1959), doi:10.1080/01621459.1959.10501526.
    .. [3] J. L. Hodges, E. L. Lehmann (1963), doi:10.1214/aoms/1177704172.
    .. [4] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [5] D. S. Kerby (2014), doi:10.2466/11.IT.3.1.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.wilcoxon_test([.02, -.01, .04, .03, .05, .015])
    >>> result.statistic, result.pvalue, round(result.estimate, 3)
    (20.0, 0.0625, 0.025)
    >>> print(result.summary())
    The two models do not differ significantly in score. The pseudomedian of 6 differences is 0.025
    (95% CI -0.01 to 0.05; Wilcoxon's signed rank test, exact, W+ = 20, p = 0.0625, rank-biserial
    correlation 0.905).
    """
    alternative, nan_policy, on_undefined = as_pair_test_options(**pairing)
    check_choice("zeros", zeros, ZEROS)
    method = as_choice("method", method, METHODS)
    pairs = as_pairs(scores_a, scores_b, nan_policy=nan_policy)
    n = pairs.differences.size

    signed, rounding_bounds = signed_pairs(pairs)
    make_sized = partial(sized_pairs, pairs)
    test = rank_test(
        signed, rounding_bounds, make_sized, zeros=zeros, alternative=alternative, method=method
    )
    status = "ok" if test.n_zero < n else "no_difference"
    warn_status(status, on_undefined)

    return WilcoxonResult.from_fields(
        **test.p._asdict(),
        statistic=test.w_plus(zeros),
        alternative=alternative,
        effect_size=test.effect_size(),
        zeros=zeros,
        n=n,
        n_zero=test.n_zero,
        n_dropped=pairs.n_dropped,
        method=TITLES[test.null_name],
        names=pairs.names,
        status=status,
        _differences=pairs.differences,
        _test=test,
    )
