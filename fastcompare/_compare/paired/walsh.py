"""Order statistics of Walsh averages (d_i + d_j) / 2, i <= j: estimate and interval of Wilcoxon.

n (n + 1) / 2 averages are never formed. A bisection of the real numbers counts in O(n) how many are
at most some value until n are left: some 30 counts, and at most 64, since there are 2^64 doubles.
"""

import math
import struct
from functools import cached_property, lru_cache

import numpy as np

from ..._base.types import Vector
from ..._inference.pvalues import normal_quantile
from ..._inference.signed_sums import count_sums
from ...kernels.walsh import count_sums_to, sums_between

ROOM = 4096  # averages that are sorted sooner than bisected: those of 90 differences
NEAR = 1e-9  # levels such as (1 - 0.95) / 2 are not exact


class WalshAverages:
    """Walsh averages of differences, with the ends of intervals for their centre.

    The k-th smallest average is the lower end at level alpha for the largest k with
    P(W+ <= k - 1) <= alpha, W+ having its distribution without ties (Hollander and Wolfe).
    """

    def __init__(self, differences: Vector, exact: bool) -> None:
        self.differences = differences
        self.n, self.exact = differences.size, exact
        self.size = self.n * (self.n + 1) // 2
        self.room = max(self.n, ROOM)

    @cached_property
    @np.errstate(under="ignore")
    def halves(self) -> Vector:
        """Half of the differences, in order."""
        return np.asarray(np.sort(self.differences) / 2.0)

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

    def _around(self, k: int) -> tuple[int, Vector]:
        """Return sorted averages with the k-th among them, and how many are below all of these."""
        low, high = ordering_key(2.0 * self.halves[0]) - 1, ordering_key(2.0 * self.halves[-1])
        below, until = 0, self.size
        while until - below > self.room and high - low > 1:
            middle = (low + high) // 2
            count = count_sums_to(self.halves, keyed_double(middle))
            if count >= k:
                high, until = middle, count
            else:
                low, below = middle, count
        if high - low == 1:
            return below, np.broadcast_to(keyed_double(high), until - below)
        near = np.empty(until - below)
        sums_between(self.halves, keyed_double(low), keyed_double(high), near)
        return below, np.sort(near)

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        k = end_rank(self.n, self.exact, alpha)
        return self.smallest(k) if k else -math.inf

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        k = end_rank(self.n, self.exact, alpha)
        return self.smallest(self.size + 1 - k) if k else math.inf


@lru_cache(maxsize=8)  # both ends, of all pairs of models
def end_rank(n: int, exact: bool, alpha: float) -> int:
    """Return the largest k with P(W+ <= k - 1) <= alpha."""
    size = n * (n + 1) // 2
    if exact:
        counts, exponent = count_sums(np.arange(1, n + 1), size // 2)
        chances = np.ldexp(np.cumsum(counts), exponent - n)
        return int(np.searchsorted(chances, alpha * (1.0 + NEAR), "right"))
    deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return max(0, math.floor(size / 2 - normal_quantile(alpha) * deviation) + 1)


def ordering_key(value: float) -> int:
    """Return a whole number that orders doubles as they are ordered."""
    bits = int(struct.unpack("<q", struct.pack("<d", value))[0])
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def keyed_double(key: int) -> float:
    """Return the double of a key."""
    value = float(struct.unpack("<d", struct.pack("<q", abs(key)))[0])
    return value if key >= 0 else -value
