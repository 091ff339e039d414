"""Exact null distributions of counts and sums, and sums without rounding.

Under the null hypothesis b of the b + c discordant pairs favour the first model as a fair coin
would. `weight` says how much of the chance of exactly b counts: 1 in an exact test, 1/2 in a mid-p
one.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.memory import reserve
from .._base.types import Integers, Vector
from ..kernels.sums import POWERS, ROWS, add_numbers, add_squares
from .pvalues import TINY, PValue, claim_pvalue, normal_pvalue, upper_tail_start

LOG2 = math.log(2.0)
EPSILON = 2.0**-53
MOST_EXACT_THROWS = 1 << 53  # beyond, the likelihood root is normal to the last bit
STIRLING_FROM = 16  # where the series below has all digits
# Up to so many throws adding binomial coefficients is faster than SciPy, and exact.
MOST_SUMMED_THROWS = 64


def coin_pvalue(b: int, c: int, alternative: str, weight: float) -> PValue:
    """Return the binomial p-value of b heads and c tails; 'greater' claims that heads are likelier.

    The chance of exactly b counts by `weight`: 1 for the exact test, 1/2 for mid-p. A mid-p of
    b = c is 1 less half its chance (Fagerland et al. 2013).
    """
    lead, sides = upper_tail_start(b - c, alternative)
    # By symmetry heads are the side of which few are evidence for the claim.
    heads = (b + c - int(lead)) // 2
    tails = (b + c + int(lead)) // 2
    if sides == 2.0 and b == c:
        p = 1.0 - (1.0 - weight) * coin_pmf(b, c) if weight < 1.0 else 1.0
    else:
        p = min(1.0, sides * coin_tail(heads, tails, weight))
    if p >= TINY:
        return PValue(p, math.log(p))
    return PValue(p, math.log(sides) + log_coin_tail(heads, tails, weight))


def coin_pvalues(b: Integers, c: Integers, alternative: str, weight: float) -> Vector:
    """Return `coin_pvalue` of arrays of heads and tails; equal pairs are computed once."""
    throws = list(zip(b.tolist(), c.tolist(), strict=True))
    p = {pair: coin_pvalue(*pair, alternative, weight).pvalue for pair in set(throws)}
    return np.array([p[pair] for pair in throws], np.float64)


def coin_tail(heads: int, tails: int, weight: float) -> float:
    """Return P(fewer heads) + `weight` P(exactly as many) of a fair coin thrown n times."""
    n = heads + tails
    if n > MOST_EXACT_THROWS:
        return normal_pvalue(likelihood_root(heads, tails, weight), "greater").pvalue
    if n <= MOST_SUMMED_THROWS:
        fewer = sum(math.comb(n, i) for i in range(heads))
        # Whole numbers over 2^(n + 1), as the weight is 1 or 1/2.
        return (2 * fewer + int(2.0 * weight) * math.comb(n, heads)) / (2 << n)
    tail = fair_coin_cdf(heads, tails)
    return tail if weight == 1.0 else tail - (1.0 - weight) * coin_pmf(heads, tails)


def fair_coin_cdf(heads: int, tails: int) -> float:
    """Return P(at most `heads` heads) of a fair coin thrown heads + tails times, DLMF 8.17.5."""
    from scipy.special import betainc

    return float(betainc(tails, heads + 1.0, 0.5)) if tails else 1.0


def coin_pmf(heads: int, tails: int) -> float:
    """Return P(exactly `heads` heads) of a fair coin thrown heads + tails times."""
    n = heads + tails
    if n <= MOST_SUMMED_THROWS:
        return math.comb(n, heads) / (1 << n)
    return math.exp(log_coin_pmf(heads, tails))


def log_coin_pmf(heads: int, tails: int) -> float:
    """Return the logarithm of `coin_pmf`.

    By Stirling's series for the errors of his approximation, so that nothing cancels (Loader 2000,
    Fast and accurate computation of binomial probabilities).
    """
    n = heads + tails
    fewer = min(heads, tails)
    if fewer < STIRLING_FROM:
        return math.log(math.comb(n, fewer)) - n * LOG2
    correction = stirling_error(n) - stirling_error(heads) - stirling_error(tails)
    return correction - 0.5 * (
        deviance(tails - heads, n) + math.log(2.0 * math.pi * heads * (tails / n))
    )


def stirling_error(n: int) -> float:
    """Return ln n! less Stirling's approximation, DLMF 5.11.1."""
    x = 1.0 / n
    return x * (1 / 12 - x * x * (1 / 360 - x * x * (1 / 1260 - x * x * (1 / 1680 - x * x / 1188))))


def deviance(lead: int, n: int) -> float:
    """Return twice the log-likelihood ratio against a fair coin; tails - heads is +-`lead` of n."""
    d = lead / n
    rarer = max(0, n - abs(lead)) / (2 * n)  # share of the rarer side
    if rarer > 0.25:
        return n * (math.log1p(-d * d) + 2.0 * d * math.atanh(d))
    rarer_term = rarer * math.log(2.0 * rarer) if rarer else 0.0
    return 2.0 * n * (rarer_term + (1.0 - rarer) * (LOG2 + math.log1p(-rarer)))


def likelihood_root(heads: int, tails: int, weight: float) -> float:
    """Return the signed root of the deviance, which is normal up to 1 / n.

    With the continuity correction of half a throw for the exact test (`weight` 1).
    """
    n, lead = heads + tails, tails - heads - (1 if weight == 1.0 else 0)
    return math.copysign(math.sqrt(deviance(lead, n)), lead)


def log_coin_tail(heads: int, tails: int, weight: float) -> float:
    """Return the logarithm of a tiny `coin_tail`: a sum of terms that fall from `heads` down."""
    term = 1.0
    total = weight
    n = heads + tails
    if n > MOST_EXACT_THROWS:
        return normal_pvalue(likelihood_root(heads, tails, weight), "greater").log_pvalue
    for fewer in range(heads, 0, -1):
        term *= fewer / (n - fewer + 1)
        total += term
        if term <= EPSILON * total:
            break
    return log_coin_pmf(heads, tails) + math.log(total)


MOST_ADDITIONS = 5e8  # half a second


def rank_sum_additions(ranks: Integers, m: int) -> float:
    """Return the number of additions that the exact p-value of a sum of m ascending ranks takes."""
    steps = integer_steps(ranks)
    n_summed = min(m, ranks.size - m)
    return float(ranks.size) * n_summed * (1.0 + float(steps[steps.size - n_summed :].sum()))


def rank_sum_pvalue(ranks: Integers, chosen: NDArray[np.bool_], alternative: str) -> PValue:
    """Return the exact p-value of the sum of the `chosen` ranks, among all choices of as many.

    Two-sided it is twice the smaller tail. Tied ranks need no correction.
    """
    steps = integer_steps(ranks)
    m = int(np.count_nonzero(chosen))
    n_summed = min(m, steps.size - m)
    swap_models = 2 * m > steps.size  # the others' sum is the total less this one
    observed = int(steps[~chosen if swap_models else chosen].sum())
    counts = count_rank_sums(np.sort(steps), n_summed)
    total = float(counts.sum())
    at_most = float(counts[: observed + 1].sum()) / total
    at_least = float(counts[observed:].sum()) / total
    above, below = (at_most, at_least) if swap_models else (at_least, at_most)
    return claim_pvalue(alternative, 0.0, lambda _: above, lambda _: below)


def integer_steps(ranks: Integers) -> Integers:
    """Return ranks less the smallest, over their greatest common divisor: 2, 6, 8 -> 0, 2, 3."""
    steps = ranks - ranks.min()
    return np.asarray(steps // max(int(np.gcd.reduce(steps)), 1))


def count_rank_sums(steps: Integers, m: int) -> NDArray[np.float64]:
    """Return how many choices of m of the ascending `steps` have the sum 0, 1, 2, ..."""
    largest_sum = int(steps[steps.size - m :].sum())
    counts = np.zeros((m + 1, largest_sum + 1))
    counts[0, 0] = 1.0
    for n_done, step in enumerate(steps.tolist()):
        last = min(n_done, m - 1)
        # Row i + 1 gets what row i was before this step: without the copy it might have changed.
        counts[1 : last + 2, step:] += counts[: last + 1, : largest_sum + 1 - step].copy()
    return np.asarray(counts[m])


RESCALED = 500  # steps after which counts, at most doubled by each, are scaled down


def signed_sum_additions(t: Integers) -> float:
    """Return an upper bound of the number of additions of `signed_sum_pvalue`.

    It must not depend on the observed difference, or choosing the test by it would bias the test.
    """
    sizes = abs(t[t != 0])
    return float(sizes.size) * float(sizes.sum()) / max(int(np.gcd.reduce(sizes)), 1)


def signed_sum_pvalue(t: Integers, alternative: str) -> PValue:
    """Return the exact p-value of the sum of t among the sums with all combinations of signs."""
    observed = int(t.sum())
    return SignedSumDistribution.of(np.sort(abs(t[t != 0])), abs(observed)).pvalue(
        observed, alternative
    )


class SignedSumDistribution(NamedTuple):
    """The upper tail of the null distribution of a sum with random signs.

    Turning the signs of a subset takes twice its sum from `total`, the sum of all sizes: `counts`,
    times 2^exponent, are the shares of subsets whose sum is 0, 1, ... times `divisor`, the greatest
    common divisor of the sizes.
    """

    counts: NDArray[np.float64]
    exponent: int
    total: int
    divisor: int

    @classmethod
    def of(cls, magnitudes: Integers, smallest_sum: int = 0) -> "SignedSumDistribution":
        """Return the distribution of signed sums of ascending `magnitudes` from `smallest_sum`."""
        divisor = max(int(np.gcd.reduce(magnitudes)), 1)
        total = int(magnitudes.sum())
        counts, exponent = count_subset_sums(
            magnitudes // divisor, (total - smallest_sum) // (2 * divisor)
        )
        return cls(counts, exponent - magnitudes.size, total, divisor)

    def pvalue(self, observed: int, alternative: str) -> PValue:
        """Return the p-value of an observed sum, whose size is in the tail that was counted."""
        signed, sides = upper_tail_start(observed, alternative)
        start = int(signed)
        counts = self.counts[: (self.total - abs(start)) // (2 * self.divisor) + 1]
        if start > 0:
            total = sides * float(counts.sum())
            log_p = math.log(total) + self.exponent * math.log(2.0)
            return PValue(min(1.0, math.ldexp(total, self.exponent)), min(0.0, log_p))
        # Below `start` are as many sums as above -start: those of all counts but the last one.
        p = 1.0 if sides == 2.0 else 1.0 - math.ldexp(float(counts[:-1].sum()), self.exponent)
        return PValue(p, math.log(p))


def count_subset_sums(magnitudes: Integers, largest_sum: int) -> tuple[NDArray[np.float64], int]:
    """Return how many subsets of `magnitudes` have the sum 0, ..., `largest_sum`, and an exponent.

    The numbers are to be multiplied by 2^exponent. They are exact up to 2^53; beyond, all terms are
    positive, so each keeps its digits.
    """
    counts = reserve((largest_sum + 1,), hint="pass exact=False")
    counts[:] = 0.0
    counts[0] = 1.0  # the empty subset
    reach = exponent = 0
    for step, magnitude in enumerate(magnitudes.tolist(), 1):
        if magnitude > largest_sum:
            break
        reach = min(reach + magnitude, largest_sum)
        counts[magnitude : reach + 1] += counts[
            : reach + 1 - magnitude
        ]  # NumPy copies what overlaps
        if step % RESCALED == 0:
            _, shift = math.frexp(float(counts.max()))
            counts = np.ldexp(counts, -shift)
            exponent += shift
    return counts, exponent


UNIT = 1074  # a double is a whole number of 2^-1074, its square of 2^-2148
WORD = 32


def exact_sum(x: Vector) -> int:
    """Return the sum of finite numbers in units of 2^-1074."""
    return exact_power_sum(x, add_numbers, 2, 1)


def exact_squares(x: Vector) -> int:
    """Return the sum of the squares of finite numbers in units of 2^-2148."""
    return exact_power_sum(x, add_squares, 3, 2)


def exact_power_sum(x: Vector, add: Callable[[Any, Any], None], count: int, degree: int) -> int:
    """Return the exact sum of the numbers (`degree` 1) or of their squares (2) as an integer.

    The kernel `add` adds them up by exponent, each sum in `count` words of 32 bits.
    """
    bits = np.ascontiguousarray(x).view(np.uint64)
    total = 0
    for start in range(0, bits.size, ROWS):
        words = np.zeros((POWERS, count), np.int64)
        add(bits[start : start + ROWS], words)
        for power in np.flatnonzero(words.any(axis=1)).tolist():
            number = sum(word << WORD * i for i, word in enumerate(words[power].tolist()))
            total += number << degree * max(power - 1, 0)  # numbers below 2^-1022 have its power
    return total


def rounded_quotient(total: int, count: int, degree: int = 1) -> float:
    """Return `total`, in units of 2^-1074 (squares 2^-2148), over `count`, rounded once."""
    return total / (count << degree * UNIT)
