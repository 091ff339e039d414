"""Random weights of Walsh averages: draws from the posterior of the Bayesian signed rank test.

Weights are exponential, which are those of a Dirichlet distribution but for their sum; that of the
prior is gamma with shape 1/2. Draw b depends on the seed and b alone (see `philox`).
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..words import U
from .philox import WORDS, draw_row
from .purposes import WEIGHTS

UNIT = WORDS // 2  # numbers that a row of bits serves
UNUSED = U(11)  # bits of 64, since a double holds 53
STEP = 2.0**-53


@kernel
def draw_weights(draw, seed, prior, words, weights):
    """Write exponential weights; that of number `prior` is half the square of a normal number.

    `words` is scratch for 32 uint32.
    """
    bits, n = words.view(np.uint64), weights.size
    for i in range(n + 1):
        if i % UNIT == 0:
            draw_row(U(i // UNIT), draw, WEIGHTS, seed, words)
        uniform = STEP * np.float64(bits[i % UNIT] >> UNUSED)
        if i < n:
            weights[i] = -math.log(1.0 - uniform)
        else:  # Box and Muller (1958)
            weights[prior] *= math.cos(2.0 * math.pi * uniform) ** 2


@kernel
def count_largest(stops, starts, prior, first, last, seed, wins):
    """Add to `wins` (3) which share of Walsh averages is the largest in the draws from `first` on.

    Of ascending differences, the average of i and j lies below the rope for j < stops[i], and above
    it for j >= starts[i]. By running sums a draw takes O(n), not O(n^2). `wins` counts above,
    within and below; the last draw is `last` - 1.
    """
    n = stops.size
    weights, total = np.empty(n), np.empty(n + 1)
    words = np.empty(WORDS, np.uint32)
    total[0] = 0.0
    for draw in range(first, last):
        draw_weights(U(draw), seed, prior, words, weights)
        for i in range(n):
            total[i + 1] = total[i] + weights[i]
        below = within = above = 0.0
        for i in range(n):
            below += weights[i] * total[stops[i]]
            within += weights[i] * (total[starts[i]] - total[stops[i]])
            above += weights[i] * (total[n] - total[starts[i]])
        if above > within and above > below:
            wins[0] += 1
        elif below > within:
            wins[2] += 1
        else:
            wins[1] += 1
