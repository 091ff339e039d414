"""The bootstrap by its definitions: Python integers, index draws, loops over all pairs."""

import functools
from fractions import Fraction

import mpmath
import numpy as np

from tests.reference.auc import psi

WORD = (1 << 32) - 1
LANES = 64
COUNT, REFINE = 0, 1
INDEPENDENT = 10, 11  # the same purposes of weights without a total
BITS = 80  # of the number that a Poisson count is the inversion of


def philox(counter, key):
    """Philox4x32-10 as in Salmon et al. (2011), section 3.3: four words from four and two."""
    x, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * x[0], 1 << 32)
        high1, low1 = divmod(0xCD9E8D57 * x[2], 1 << 32)
        x = [high1 ^ x[1] ^ k[0], low1, high0 ^ x[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) & WORD, (k[1] + 0xBB67AE85) & WORD]
    return x


def row_of_words(unit, block, purpose, seed):
    """The 32 words of a unit for a block: word j of call c is at 8 j + c."""
    words = [0] * 32
    for call in range(8):
        found = philox((unit, block, call, purpose), (seed & WORD, seed >> 32))
        words[call::8] = found
    return words


@functools.cache
def poisson_levels(rate):
    """P(count <= k) for k below 25, as integers of 80 bits, by mpmath; the last one is certain."""
    with mpmath.workprec(200):
        terms = [mpmath.exp(-mpmath.mpf(rate)) * mpmath.mpf(rate) ** k for k in range(25)]
        chances = [term / mpmath.factorial(k) for k, term in enumerate(terms)]
        levels = [int(mpmath.floor(mpmath.fsum(chances[: k + 1]) * 2**BITS)) for k in range(25)]
    return [min(level, 2**BITS - 1) for level in levels]


def draw_of(unit, block, lane, seed, purpose=COUNT):
    """The 16 bits of a lane: a byte of the row's first half above one of its second half."""
    words = row_of_words(unit, block, purpose, seed)
    high, low = (words[at + lane // 4] >> 8 * (lane % 4) & 0xFF for at in (0, 16))
    return high << 8 | low


def number_of(unit, block, lane, seed, purposes=(COUNT, REFINE)):
    """The 80 bits of a lane."""
    first, again = purposes
    more = row_of_words(unit, block, again | lane << 8, seed)
    return draw_of(unit, block, lane, seed, first) << 64 | more[0] << 32 | more[1]


def poisson_count(unit, block, lane, *, seed, rate, purposes=(COUNT, REFINE)):
    """The count of a lane by inversion of its 80-bit number."""
    number = number_of(unit, block, lane, seed, purposes)
    return sum(number >= level for level in poisson_levels(rate))


def wins(labels, scores, weights):
    """Twice the number of pairs that positives win, and of pairs, where cases count repeatedly."""
    cases = list(zip(labels, scores, weights, strict=True))
    positives = [(s, w) for label, s, w in cases if label]
    negatives = [(s, w) for label, s, w in cases if not label]
    won = sum(2 * psi(x, y) * w * v for x, w in positives for y, v in negatives)
    return won, 2 * sum(w for _, w in positives) * sum(w for _, w in negatives)


def repeated(labels, scores, weights):
    """The cases of a replicate, each as often as it was drawn."""
    return np.repeat(labels, weights), np.repeat(np.asarray(scores), weights, axis=-1)


def difference_variance(labels, a, b, weights):
    """DeLong's variance of AUC_a - AUC_b of a replicate, as a fraction; a class of one adds 0."""
    y, (x_a, x_b) = repeated(labels, [a, b], weights)
    positive, negative = np.flatnonzero(y), np.flatnonzero(y == 0)
    table = [[psi(x_a[i], x_a[j]) - psi(x_b[i], x_b[j]) for j in negative] for i in positive]
    tables = table, list(zip(*table, strict=True))
    sides = [[Fraction(sum(row), len(row)) for row in t] for t in tables]
    return sum((scatter(side) for side in sides), Fraction(0))


def scatter(values):
    """The squared standard error of a mean; 0 of a single value."""
    k, centre = len(values), sum(values) / len(values)
    if k < 2:
        return Fraction(0)
    return sum((v - centre) ** 2 for v in values) / (k * (k - 1))


def ideal_variance(labels, a, b):
    """The variance of AUC_a - AUC_b over all stratified replicates, as a fraction.

    [(n - 1) s10 + (m - 1) s01 + s11] / (m n) with the moments of this population.
    """
    y = np.asarray(labels)
    positive, negative = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    table = np.array(
        [[psi(a[i], a[j]) - psi(b[i], b[j]) for j in negative] for i in positive], dtype=object
    )
    m, n = table.shape

    def variance(values):
        centre = sum(values) / len(values)
        return sum((v - centre) ** 2 for v in values) / len(values)

    s10, s01 = variance(list(table.mean(axis=1))), variance(list(table.mean(axis=0)))
    return ((n - 1) * s10 + (m - 1) * s01 + variance(list(table.ravel()))) / (m * n)


def auc(labels, scores):
    """By comparing all pairs."""
    x, y = scores[labels == 1], scores[labels == 0]
    return ((x[:, None] > y).mean() + (x[:, None] >= y).mean()) / 2


def index_draws(labels, a, b, *, kind, rng, n_resamples, groups=None):
    """Replicates of AUC_a - AUC_b as everybody would draw them: indices, then naive AUCs."""
    everyone = np.arange(labels.size)
    strata = [everyone[labels == c] for c in (0, 1)] if kind == "stratified" else [everyone]
    found = []
    for _ in range(n_resamples):
        if kind == "groups":
            names = np.unique(groups)
            drawn = rng.choice(names, names.size)
            cases = np.concatenate([everyone[groups == name] for name in drawn])
        else:
            cases = np.concatenate([rng.choice(s, s.size) for s in strata])
        y = labels[cases]
        if 0 < y.sum() < y.size:
            found.append(auc(y, a[cases]) - auc(y, b[cases]))
    return np.array(found)
