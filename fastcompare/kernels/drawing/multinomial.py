"""Random counts: how many of n cases, drawn with replacement, fall into each of some cells.

Counts are multinomial: each is binomial, given those before it. Binomial numbers come from
transformed rejection (W. Hörmann (1993), algorithm BTRS, doi:10.1080/00949659308811496), small
ones from inversion; both are exact up to rounding, for any n. Draw b depends on the seed and b
alone (see `philox`).
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..words import U
from .philox import WORDS, draw_row
from .purposes import COUNTS

UNIT = WORDS // 2  # numbers that a row of bits serves
UNUSED = U(11)  # bits of 64, since a double holds 53
STEP = 2.0**-53
LARGE = 10.0  # means from which rejection is right; it takes 1.2 attempts
MOST = 200  # of counts with a smaller mean: more have a chance below 1e-100
SERIES = 10.0  # numbers from which Stirling's series holds to 1e-11
HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)


@kernel
def next_uniform(draw, seed, words, used):
    """Return the next number between 0 and 1 of a draw, and count it in `used` (1)."""
    at = used[0] % UNIT
    if at == 0:
        draw_row(U(used[0] // UNIT), draw, COUNTS, seed, words)
    used[0] += 1
    return STEP * (np.float64(words.view(np.uint64)[at] >> UNUSED) + 0.5)


@kernel
def stirling_error(x):
    """Return log x! less its approximation (x + 1/2) log(x + 1) - (x + 1) + log(2 pi) / 2."""
    y = x + 1.0
    if x < SERIES:
        return math.lgamma(y) - ((x + 0.5) * math.log(y) - y + HALF_LOG_2PI)
    square = y * y
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / y


@kernel
def log_chance(x, mode, n, odds):
    """Return the logarithm of a binomial chance of x over that of the mode.

    Logarithms of quotients near 1 keep their digits where n is large.
    """
    apart = x - mode
    rise = np.log1p(-apart / (n - mode + 1.0)) - np.log1p(apart / (mode + 1.0))
    return (
        (n + 1.0) * np.log1p(apart / (n - x + 1.0))
        + (mode + 0.5) * rise
        + apart * math.log(odds * (n - x + 1.0) / (x + 1.0))
        + stirling_error(mode)
        + stirling_error(n - mode)
        - stirling_error(x)
        - stirling_error(n - x)
    )


@kernel
def small_binomial(n, p, uniform):
    """Return a binomial number of small mean, p being at most 1/2, by inversion."""
    odds = p / (1.0 - p)
    chance = math.exp(n * math.log1p(-p))
    x = 0.0
    while uniform > chance and x < min(n, MOST):
        uniform -= chance
        x += 1.0
        chance *= odds * (n + 1.0 - x) / x
    return x


@kernel
def large_binomial(n, p, draw, seed, words, used):
    """Return a binomial number of large mean, p being at most 1/2, by transformed rejection."""
    q = 1.0 - p
    spread = math.sqrt(n * p * q)
    b = 1.15 + 2.53 * spread
    a = 0.0248 * b + 0.01 * p - 0.0873
    alpha = (2.83 + 5.1 / b) * spread
    mode = math.floor((n + 1.0) * p)
    while True:
        u = next_uniform(draw, seed, words, used) - 0.5
        v = next_uniform(draw, seed, words, used)
        near = 0.5 - abs(u)
        x = math.floor((2.0 * a / near + b) * u + n * p + 0.5)
        if x < 0.0 or x > n:
            continue
        if near >= 0.07 and v <= 0.92 - 4.2 / b:
            return x
        if math.log(v * alpha / (a / (near * near) + b)) <= log_chance(x, mode, n, p / q):
            return x


@kernel
def binomial(n, cell, total, draw, seed, words, used):
    """Return how many of n cases (int64) fall into a cell that holds `cell` of `total` cases."""
    rarer = min(cell, total - cell)
    p = rarer / max(total, 1)  # no cases are left for the cells behind the last full one
    if rarer == 0 or n == 0:
        x = 0.0
    elif n * p < LARGE:
        x = small_binomial(np.float64(n), p, next_uniform(draw, seed, words, used))
    else:
        x = large_binomial(np.float64(n), p, draw, seed, words, used)
    found = min(np.int64(x), n)
    return n - found if rarer < cell else found


@kernel
def draw_tables(cells, first, seed, out):
    """Write to `out` (cells, B) redrawn counts of the cases of each cell, from draw `first` on.

    `cells` are int64, and so is their sum.
    """
    words, used, n = np.empty(WORDS, np.uint32), np.zeros(1, np.int64), np.int64(0)
    for cell in cells:
        n += cell
    for b in range(out.shape[1]):
        left = total = n
        used[0] = 0
        for k in range(cells.size):
            found = binomial(left, cells[k], total, first + U(b), seed, words, used)
            out[k, b] = found
            left -= found
            total -= cells[k]
