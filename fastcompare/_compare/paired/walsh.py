"""Order statistics of Walsh averages (d_i + d_j) / 2, i <= j: estimate and interval of Wilcoxon.

n (n + 1) / 2 averages are never formed. A bisection of the real numbers counts in O(n) how many are
at most some value until n are left: some 30 counts, and at most 64, since there are 2^64 doubles.

Differences of 0 have no sign, so they say nothing of where the centre is: averages are those of the
others. Where zeros are ranked below these, each rank is greater by their number: as if each
difference stood so many times among the averages.
"""

import math
import struct
from functools import cached_property, lru_cache

import numpy as np

from ..._base.types import Integers, Vector
from ..._inference.pvalues import normal_quantile
from ..._inference.signed_sums import count_sums
from ...kernels.walsh import count_sums_to, sums_between

ROOM = 4096  # averages that are sorted sooner than bisected: those of 90 differences
NEAR = 1e-9  # levels such as (1 - 0.95) / 2 are not exact


class WalshAverages:
    """Walsh averages of n differences, with the ends of intervals for their centre.

    The test's own null distribution, ties included, says how many averages must be above a centre
    that it rejects (Hollander and Wolfe). Its decision about 0 is kept: where ties leave 0 as an
    end that it rejects, the interval begins with the next average.

    Parameters
    ----------
    differences : ndarray
        Those that are not 0.
    null : ndarray or float
        Their doubled ranks, for the exact distribution of W+; or the variance of 2 (W+ - W-).
    sums : tuple of int
        Sums of the doubled ranks of positive and of negative differences.
    copies : int
        How many ranked zeros there are.
    room : float
        How far rounding moves an average: those no further from 0 are 0.
    """

    def __init__(
        self,
        differences: Vector,
        null: Integers | float,
        sums: tuple[int, int],
        copies: int = 0,
        room: float = 0.0,
    ) -> None:
        self.differences, self.null, self.sums = differences, null, sums
        self.n, self.copies, self.zero = differences.size, copies, room
        self.size = self.n * (self.n + 1) // 2 + copies * self.n
        self.room = max(self.n, ROOM)

    @cached_property
    @np.errstate(under="ignore")
    def halves(self) -> Vector:
        """Half of the differences, in order."""
        return np.asarray(np.sort(self.differences) / 2.0)

    @cached_property
    def ordered(self) -> Vector:
        """The differences in order, where these count besides their averages."""
        return np.asarray(2.0 * self.halves)

    def median(self) -> float:
        """Return the median of the averages: the estimate of Hodges and Lehmann (1963)."""
        lower, upper = (self.size + 1) // 2, self.size // 2 + 1
        below, near = self._around(lower)
        second = near[upper - below - 1] if upper - below <= near.size else self.smallest(upper)
        return 0.5 * float(near[lower - below - 1]) + 0.5 * float(second)

    def smallest(self, k: int) -> float:
        """Return the k-th smallest average, k = 1, 2, ..."""
        below, near = self._around(k)
        return float(near[k - below - 1])

    def count_to(self, limit: float) -> int:
        """Return how many averages are at most `limit`."""
        own = np.searchsorted(self.ordered, limit, "right") if self.copies else 0
        return int(count_sums_to(self.halves, limit)) + self.copies * int(own)

    def _around(self, k: int) -> tuple[int, Vector]:
        """Return sorted averages with the k-th among them, and how many are below all of these."""
        low, high = ordering_key(2.0 * self.halves[0]) - 1, ordering_key(2.0 * self.halves[-1])
        below, until = 0, self.size
        while until - below > self.room and high - low > 1:
            middle = (low + high) // 2
            count = self.count_to(keyed_double(middle))
            if count >= k:
                high, until = middle, count
            else:
                low, below = middle, count
        if high - low == 1:
            return below, np.broadcast_to(keyed_double(high), until - below)
        return below, self._between(keyed_double(low), keyed_double(high), until - below)

    def _between(self, low: float, high: float, count: int) -> Vector:
        """Return the averages above `low` and at most `high`, in order."""
        near = np.empty(count)
        if self.copies:
            ends = np.searchsorted(self.ordered, (low, high), "right")
            own = np.repeat(self.ordered[slice(*ends)], self.copies)
            near[count - own.size :] = own
        sums_between(self.halves, low, high, near)
        return np.sort(near)

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        k, rejects = self._rank(alpha, self.sums[1])
        end = self.smallest(k) if k else -math.inf
        if not rejects:
            return min(end, 0.0)
        return end if end > self.zero else self.smallest(self.count_to(self.zero) + 1)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        k, rejects = self._rank(alpha, self.sums[0])
        end = self.smallest(self.size + 1 - k) if k else math.inf
        if not rejects:
            return max(end, 0.0)
        below = math.nextafter(-self.zero, -math.inf)
        return end if end < -self.zero else self.smallest(self.count_to(below))

    def _rank(self, alpha: float, against: int) -> tuple[int, bool]:
        """Return which average is the end, and whether 0 is beyond it.

        A centre is rejected if so few averages lie on its other side: k - 1 at most.
        """
        if isinstance(self.null, float):
            margin = normal_quantile(alpha) * math.sqrt(self.null) / 2.0
            return max(0, math.floor((self.size - margin) / 2.0) + 1), against <= self.size - margin
        least = least_kept(tuple(self.null.tolist()), alpha)
        return (least + 1) // 2, against < least


@lru_cache(maxsize=8)  # both ends, of all pairs of models
def least_kept(sizes: tuple[int, ...], alpha: float) -> int:
    """Return the least sum of some of these sizes that has a chance above alpha to be reached."""
    ordered = np.array(sizes, np.int64)
    divisor = int(np.gcd.reduce(ordered))
    counts, exponent = count_sums(ordered // divisor, int(ordered.sum()) // (2 * divisor))
    chances = np.ldexp(np.cumsum(counts), exponent - ordered.size)
    return divisor * int(np.searchsorted(chances, alpha * (1.0 + NEAR), "right"))


def ordering_key(value: float) -> int:
    """Return a whole number that orders doubles as they are ordered."""
    bits = int(struct.unpack("<q", struct.pack("<d", value))[0])
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def keyed_double(key: int) -> float:
    """Return the double of a key."""
    value = float(struct.unpack("<d", struct.pack("<q", abs(key)))[0])
    return value if key >= 0 else -value
