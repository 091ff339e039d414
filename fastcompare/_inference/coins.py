"""Fair coins for discordant pairs: chances and tails of throws, however many.

Under the null hypothesis b of the b + c discordant pairs favour the first model as a fair coin
would. `weight` says how much of the chance of exactly b counts: 1 in an exact test, 1/2 in a mid-p
one.
"""

import math

import numpy as np

from .._base.types import Integers, Vector
from .pvalues import TINY, PValue, in_tail, normal_pvalue

LOG2 = math.log(2.0)
EPSILON = 2.0**-53
WIDE = 1 << 53  # throws from which the normal approximation of the likelihood root is exact
STIRLING_FROM = 16  # where the series below has all digits
SUMMED = 64  # throws up to which adding binomial coefficients is faster than SciPy, and exact


def coin_pvalue(b: int, c: int, alternative: str, weight: float) -> PValue:
    """Return the p-value of b heads against c tails; 'greater' claims that heads are likelier.

    A mid-p of b = c is 1 less half the chance of it (Fagerland et al. 2013).
    """
    lead, times = in_tail(b - c, alternative)
    heads, tails = (b + c - int(lead)) // 2, (b + c + int(lead)) // 2
    if times == 2.0 and b == c:
        p = 1.0 - (1.0 - weight) * coin_chance(b, c) if weight < 1.0 else 1.0
    else:
        p = min(1.0, times * coin_tail(heads, tails, weight))
    if p >= TINY:
        return PValue(p, math.log(p))
    return PValue(p, math.log(times) + log_coin_tail(heads, tails, weight))


def coin_pvalues(b: Integers, c: Integers, alternative: str, weight: float) -> Vector:
    """Return the p-values of arrays of throws, one for all that have the same numbers."""
    throws = list(zip(b.tolist(), c.tolist(), strict=True))
    p = {each: coin_pvalue(*each, alternative, weight).pvalue for each in set(throws)}
    return np.array([p[each] for each in throws], np.float64)


def coin_tail(heads: int, tails: int, weight: float) -> float:
    """Return the chance of at most so many heads, of which exactly so many counts by `weight`."""
    n = heads + tails
    if n > WIDE:
        return normal_pvalue(likelihood_root(heads, tails, weight), "greater").pvalue
    if n <= SUMMED:
        fewer = sum(math.comb(n, i) for i in range(heads))
        return (2 * fewer + int(2.0 * weight) * math.comb(n, heads)) / (2 << n)
    tail = at_most(heads, tails)
    return tail if weight == 1.0 else tail - (1.0 - weight) * coin_chance(heads, tails)


def at_most(heads: int, tails: int) -> float:
    """Return the chance of at most so many heads of a fair coin, DLMF 8.17.5."""
    from scipy.special import betainc

    return float(betainc(tails, heads + 1.0, 0.5)) if tails else 1.0


def coin_chance(heads: int, tails: int) -> float:
    """Return the chance of exactly so many heads of a fair coin."""
    n = heads + tails
    if n <= SUMMED:
        return math.comb(n, heads) / (1 << n)
    return math.exp(log_coin_chance(heads, tails))


def log_coin_chance(heads: int, tails: int) -> float:
    """Return the logarithm of the chance of exactly so many heads of a fair coin.

    By Stirling's series for what its factorials are off, so that nothing cancels (Loader 2000, Fast
    and accurate computation of binomial probabilities).
    """
    n, fewer = heads + tails, min(heads, tails)
    if fewer < STIRLING_FROM:
        return math.log(math.comb(n, fewer)) - n * LOG2
    rest = stirling_error(n) - stirling_error(heads) - stirling_error(tails)
    return rest - 0.5 * (deviance(tails - heads, n) + math.log(2.0 * math.pi * heads * (tails / n)))


def stirling_error(n: int) -> float:
    """Return ln n! less Stirling's approximation, DLMF 5.11.1."""
    x = 1.0 / n
    return x * (1 / 12 - x * x * (1 / 360 - x * x * (1 / 1260 - x * x * (1 / 1680 - x * x / 1188))))


def deviance(lead: int, n: int) -> float:
    """Return twice the log-likelihood ratio of a fair coin where tails or heads lead by so many."""
    d, few = lead / n, max(0, n - abs(lead)) / (2 * n)
    if few > 0.25:
        return n * (math.log1p(-d * d) + 2.0 * d * math.atanh(d))
    least = few * math.log(2.0 * few) if few else 0.0
    return 2.0 * n * (least + (1.0 - few) * (LOG2 + math.log1p(-few)))


def likelihood_root(heads: int, tails: int, weight: float) -> float:
    """Return the signed root of the deviance, normal for as many throws, to 1 / n."""
    n, lead = heads + tails, tails - heads - (1 if weight == 1.0 else 0)  # half a throw
    return math.copysign(math.sqrt(deviance(lead, n)), lead)


def log_coin_tail(heads: int, tails: int, weight: float) -> float:
    """Return the logarithm of a far `coin_tail`, from terms that fall from exactly so many on."""
    term, total, n = 1.0, weight, heads + tails
    if n > WIDE:
        return normal_pvalue(likelihood_root(heads, tails, weight), "greater").log_pvalue
    for fewer in range(heads, 0, -1):
        term *= fewer / (n - fewer + 1)
        total += term
        if term <= EPSILON * total:
            break
    return log_coin_chance(heads, tails) + math.log(total)
