"""The exact null distribution of a sum of integers with random signs."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.memory import reserve
from .._base.types import Integers
from .pvalues import PValue, in_tail

RESCALED = 500  # steps after which counts, at most doubled by each, are scaled down


def exact_additions(t: Integers) -> float:
    """Return the number of additions that an exact p-value takes at most.

    It must not depend on the observed difference, or choosing by it would bias the test.
    """
    sizes = abs(t[t != 0])
    return float(sizes.size) * float(sizes.sum()) / max(int(np.gcd.reduce(sizes)), 1)


def signed_sum_pvalue(t: Integers, alternative: str) -> PValue:
    """Return the exact p-value of the sum of t, over all signs."""
    observed = int(t.sum())
    return SignedNull.of(np.sort(abs(t[t != 0])), abs(observed)).pvalue(observed, alternative)


class SignedNull(NamedTuple):
    """The null distribution of a sum with random signs, from its least value on.

    Turning the signs of a set takes twice its sizes from `total`, the sum of all. So sums as large
    as some value are the sets whose sizes add up to at most so many times the `divisor` of all
    sizes; `counts` says, times 2^exponent, which share of the sets adds up to 0, 1, ... times it.
    """

    counts: NDArray[np.float64]
    exponent: int
    total: int
    divisor: int

    @classmethod
    def of(cls, sizes: Integers, least: int = 0) -> "SignedNull":
        """Return the distribution of sums, from `least` on at least; `sizes` ascend."""
        divisor, total = max(int(np.gcd.reduce(sizes)), 1), int(sizes.sum())
        counts, exponent = count_sums(sizes // divisor, (total - least) // (2 * divisor))
        return cls(counts, exponent - sizes.size, total, divisor)

    def pvalue(self, observed: int, alternative: str) -> PValue:
        """Return the p-value of an observed sum."""
        signed, times = in_tail(observed, alternative)
        start = int(signed)
        counts = self.counts[: (self.total - abs(start)) // (2 * self.divisor) + 1]
        if start > 0:
            total = times * float(counts.sum())
            log_p = math.log(total) + self.exponent * math.log(2.0)
            return PValue(min(1.0, math.ldexp(total, self.exponent)), min(0.0, log_p))
        p = 1.0 if times == 2.0 else 1.0 - math.ldexp(float(counts[:-1].sum()), self.exponent)
        return PValue(p, math.log(p))


def count_sums(sizes: Integers, most: int) -> tuple[NDArray[np.float64], int]:
    """Return how many subsets of `sizes` sum to 0, ..., most, as numbers times 2^exponent.

    Exact up to 2^53; beyond, all terms are positive, so each keeps its digits.
    """
    counts = reserve((most + 1,), hint="pass exact=False")
    counts[:] = 0.0
    counts[0], reach, exponent = 1.0, 0, 0
    for step, size in enumerate(sizes.tolist(), 1):
        if size > most:
            break
        reach = min(reach + size, most)
        counts[size : reach + 1] += counts[: reach + 1 - size]  # NumPy copies what overlaps
        if step % RESCALED == 0:
            shift = math.frexp(float(counts.max()))[1]
            counts = np.ldexp(counts, -shift)
            exponent += shift
    return counts, exponent
