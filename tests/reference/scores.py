"""Ranks, signs and scoring rules by the definitions; slow, and exact in fractions."""

import itertools
import math
from fractions import Fraction


def midrank(values, value):
    return Fraction(1 + sum(int(value > w) + int(value >= w) for w in values), 2)


def rank_parts(d, zeros):
    """Signed midranks of the differences that are not 0, and what zeros add to W+."""
    if zeros == "wilcox":
        d = [x for x in d if x]
    sizes = [abs(x) for x in d]
    ranks = [midrank(sizes, size) for size in sizes]
    signed = [r if x > 0 else -r for x, r in zip(d, ranks, strict=True) if x]
    extra = sum(r for x, r in zip(d, ranks, strict=True) if not x) / 2
    return signed, extra if zeros == "zsplit" else Fraction(0)


def w_plus(d, zeros):
    signed, extra = rank_parts(d, zeros)
    return sum(r for r in signed if r > 0) + extra


def all_signs(values):
    """The sum of the sizes with every pattern of signs."""
    for signs in itertools.product((1, -1), repeat=len(values)):
        yield sum(s * abs(v) for s, v in zip(signs, values, strict=True))


def sign_pvalue(values, alternative):
    """The share of all 2^n signs whose sum is as extreme as that of the values."""
    turn = -1 if alternative == "less" else 1
    observed, sums = turn * sum(values), [turn * s for s in all_signs(values)]
    if alternative == "two-sided":
        observed, sums = abs(observed), [abs(s) for s in sums]
    return Fraction(sum(s >= observed for s in sums), len(sums))


def walsh(d):
    """All averages of two differences, each also with itself, in order."""
    return sorted(x / 2 + y / 2 for i, x in enumerate(d) for y in d[i:])


def ranked_averages(d, zeros):
    """The averages that W+ counts: with ranked zeros each difference so many times more."""
    others = [x for x in d if x]
    ranked = 0 if zeros == "wilcox" else len(d) - len(others)
    return sorted(walsh(sorted(others)) + ranked * others)


def lower_end(d, zeros, alpha):
    """Where the averages below a centre cease to be too few for alpha, by all signs of the ranks.

    Not beyond 0 unless the test rejects 0, and beyond it if it does.
    """
    signed, _ = rank_parts(d, zeros)
    averages, sums = ranked_averages(d, zeros), list(all_signs(signed))

    def rejects(below):
        """Whether a W- so small has a chance of alpha at most."""
        least = sum(abs(r) for r in signed) - 2 * below  # of W+ - W-
        return Fraction(sum(s >= least for s in sums), len(sums)) <= alpha

    ends = [-math.inf, *averages]
    end = next(e for j, e in enumerate(ends) if not rejects(j))
    if not rejects(-sum(r for r in signed if r < 0)):
        return min(end, 0)
    return end if end > 0 else next(e for e in averages if e > 0)


def binomial_tail(k, n):
    return Fraction(sum(math.comb(n, i) for i in range(k, n + 1)), 2**n)


def brier(y, p):
    return sum((Fraction(q) - z) ** 2 for z, q in zip(y, p, strict=True)) / len(y)


def class_losses(rule, y, rows):
    """The loss of every case with a row of probabilities, one number at a time."""
    losses = []
    for z, row in zip(y, rows, strict=True):
        if rule == "brier":
            losses.append(sum((q - (j == z)) ** 2 for j, q in enumerate(row)))
        elif rule == "log":
            losses.append(-math.log(row[z]))
        else:
            losses.append(1 - row[z] / math.sqrt(sum(q * q for q in row)))
    return losses


def murphy(y, p):
    """Reliability, resolution, uncertainty over distinct probabilities."""
    n, base = len(y), Fraction(sum(y), len(y))
    reliability = resolution = Fraction(0)
    for value in set(p):
        labels = [z for z, q in zip(y, p, strict=True) if q == value]
        rate = Fraction(sum(labels), len(labels))
        reliability += len(labels) * (Fraction(value) - rate) ** 2
        resolution += len(labels) * (rate - base) ** 2
    return reliability / n, resolution / n, base * (1 - base)
