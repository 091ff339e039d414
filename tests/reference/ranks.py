"""Definitions for ranks of models on data sets, written to be obvious; tests compare with them."""

import itertools
import math
from fractions import Fraction

import numpy as np

D1 = [[9, 7, 8], [8, 5, 6], [7, 6, 5], [8, 4, 6]]  # of the check values; rank 1 is the lowest
D2 = [[6, 4, 4, 2], [4, 3, 2, 1], [3, 3, 1, 2], [3, 2, 1, 1]]
NAN = math.nan


def row_ranks(row, higher_is_better=True):
    """Midranks: one more than the scores that are better, and half of the other ones that tie."""
    sign = -1 if higher_is_better else 1
    return [
        1 + sum(sign * y < sign * x for y in row) + Fraction(sum(y == x for y in row) - 1, 2)
        for x in row
    ]


def table_ranks(table, higher_is_better=True):
    return [row_ranks(row, higher_is_better) for row in table]


def moments_of_ranks(t, n_zero, zeros):
    """W+ and the variance of 2 (W+ - W-), from doubled ranks with signs, 0 for zero differences."""
    shared, counts = np.unique(abs(t[t != 0]), return_counts=True)
    squares, w_plus = counts * shared.astype(np.float64) ** 2, int(t[t > 0].sum()) / 2
    if zeros == "zsplit":
        w_plus += n_zero * (n_zero + 1) / 4
        squares = np.append(n_zero * float(n_zero + 1) ** 2, squares)
    # one after the other, as the kernel does for many differences: it gives the same bits
    return w_plus, float(np.cumsum(squares)[-1]) if squares.size else 0.0


def columns(rows):
    return [sum(column) for column in zip(*rows, strict=True)]


def friedman(table, ties="corrected"):
    """Conover's chi-squared, the F of Iman and Davenport, and Kendall's W; infinite as None."""
    ranks = table_ranks(table)
    n, k = len(ranks), len(ranks[0])
    spread = sum((total - Fraction(n * (k + 1), 2)) ** 2 for total in columns(ranks))
    if ties == "corrected":
        a = sum(r * r for row in ranks for r in row)
        c = Fraction(n * k * (k + 1) ** 2, 4)
        chi2 = (k - 1) * spread / (a - c) if a != c else Fraction(0)
    else:
        chi2 = Fraction(12, n * k * (k + 1)) * spread
    rest = n * (k - 1) - chi2
    return chi2, (n - 1) * chi2 / rest if rest else None, chi2 / (n * (k - 1))


def exact_friedman(table):
    """The share of all permutations within rows that give as large a sum of squared rank sums."""

    def size(rows):
        return sum(total**2 for total in columns(rows))

    ranks = table_ranks(table)
    ways = [sorted(set(itertools.permutations(row))) for row in ranks]
    found = [size(rows) >= size(ranks) for rows in itertools.product(*ways)]
    return Fraction(sum(found), len(found))


def quade(table):
    """Quade's F of exact numbers; None where it is infinite."""
    n, k = len(table), len(table[0])
    ranges = [max(row) - min(row) for row in table]
    q = row_ranks(ranges, higher_is_better=False)
    s = [
        [weight * (r - Fraction(k + 1, 2)) for r in row]
        for weight, row in zip(q, table_ranks(table), strict=True)
    ]
    a = sum(x * x for row in s for x in row)
    b = sum(total**2 for total in columns(s)) / n
    if not b:
        return Fraction(0)
    return (n - 1) * b / (a - b) if a != b else None


def aligned(table, ties="ignored"):
    """The aligned-ranks chi-squared of exact numbers, as García et al. (2010) print it."""
    n, k = len(table), len(table[0])
    moved = [[Fraction(x) - Fraction(sum(row), k) for x in row] for row in table]
    flat = row_ranks([x for row in moved for x in row])
    ranks = [flat[i * k : (i + 1) * k] for i in range(n)]
    size = n * k
    squares = Fraction(size * (size + 1) * (2 * size + 1), 6)
    if ties == "corrected":
        squares = sum(r * r for r in flat)
    top = sum(total**2 for total in columns(ranks)) - Fraction(k * n * n * (size + 1) ** 2, 4)
    bottom = squares - Fraction(1, k) * sum(sum(row) ** 2 for row in ranks)
    return (k - 1) * top / bottom if top else Fraction(0)


def skillings_mack(table, ties="corrected"):
    """Skillings and Mack's statistic, data set by data set, by NumPy's generalised inverse.

    The covariance of a data set's ranks is that of a random permutation of them.
    """
    k = len(table[0])
    sums, covariance = np.zeros(k), np.zeros((k, k))
    for row in table:
        known = [j for j in range(k) if not math.isnan(row[j])]
        s = len(known)
        if s < 2:
            continue
        ranks = np.array([float(r) for r in row_ranks([row[j] for j in known])])
        used = ranks if ties == "corrected" else np.arange(1.0, s + 1)
        variance = ((used - used.mean()) ** 2).mean()
        weight = math.sqrt(12 / (s + 1))
        sums[known] += weight * (ranks - (s + 1) / 2)
        own = weight**2 * variance * (np.eye(s) - 1 / s) * s / (s - 1)
        covariance[np.ix_(known, known)] += own
    return float(sums @ np.linalg.pinv(covariance, hermitian=True) @ sums)


def durbin(table):
    """Conover's T1 and T2 of a balanced incomplete block design; None where T2 is infinite."""
    rows = [[x for x in row if not math.isnan(x)] for row in table]
    b, s, t = len(table), len(rows[0]), len(table[0])
    ranks = [iter(row_ranks(row)) for row in rows]
    table_of_ranks = [
        [Fraction(0) if math.isnan(x) else next(own) for x in row]
        for row, own in zip(table, ranks, strict=True)
    ]
    r = Fraction(b * s, t)
    a = sum(x * x for row in table_of_ranks for x in row)
    c = Fraction(b * s * (s + 1) ** 2, 4)
    if a == c:
        return Fraction(0), Fraction(0)
    t1 = (t - 1) * (sum(total**2 for total in columns(table_of_ranks)) - r * c) / (a - c)
    rest = b * (s - 1) - t1
    return t1, (t1 / (t - 1)) * (b * s - b - t + 1) / rest if rest else None
