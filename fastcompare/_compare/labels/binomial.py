"""Fair coins for discordant pairs, and the exact interval of a proportion.

Under the null hypothesis b of the b + c discordant pairs favour the first model as a fair coin
would. `weight` says how much of the chance of exactly b counts: 1 in an exact test, 1/2 in a mid-p
one.
"""

import math

from ..._pvalues import TINY, PValue

LOG2 = math.log(2.0)
EPSILON = 2.0**-53
SUMMED = 64  # throws up to which adding binomial coefficients is faster than SciPy, and exact


def coin_pvalue(b: int, c: int, alternative: str, weight: float) -> PValue:
    """Return the p-value of b heads against c tails; 'greater' claims that heads are likelier.

    A mid-p of b = c is 1 less half the chance of it (Fagerland et al. 2013).
    """
    heads, tails = (c, b) if alternative == "greater" else (b, c)
    times = 1.0
    if alternative == "two-sided":
        heads, tails, times = min(b, c), max(b, c), 2.0
    if times == 2.0 and b == c:
        p = 1.0 - (1.0 - weight) * coin_chance(b, c)
    else:
        p = min(1.0, times * coin_tail(heads, tails, weight))
    if p >= TINY:
        return PValue(p, math.log(p))
    return PValue(p, math.log(times) + log_coin_tail(heads, tails, weight))


def coin_tail(heads: int, tails: int, weight: float) -> float:
    """Return the chance of at most so many heads, of which exactly so many counts by `weight`."""
    n = heads + tails
    if n <= SUMMED:
        fewer = sum(math.comb(n, i) for i in range(heads))
        return (2 * fewer + int(2.0 * weight) * math.comb(n, heads)) / (2 << n)
    return at_most(heads, tails) - (1.0 - weight) * coin_chance(heads, tails)


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
    """Return the logarithm of the chance of exactly so many heads of a fair coin."""
    from scipy.special import betaln

    n = heads + tails
    return float(-math.log1p(n) - betaln(heads + 1.0, tails + 1.0) - n * LOG2)


def log_coin_tail(heads: int, tails: int, weight: float) -> float:
    """Return the logarithm of a far `coin_tail`, from terms that fall from exactly so many on."""
    term, total, n = 1.0, weight, heads + tails
    for fewer in range(heads, 0, -1):
        term *= fewer / (n - fewer + 1)
        total += term
        if term <= EPSILON * total:
            break
    return log_coin_chance(heads, tails) + math.log(total)


def clopper_pearson(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return the ends of the exact interval of a proportion; `tail` is left out at each end."""
    from scipy.special import betaincinv

    low = float(betaincinv(x, n - x + 1.0, tail)) if x else 0.0
    high = 1.0 - float(betaincinv(n - x, x + 1.0, tail)) if x < n else 1.0
    return low, high
