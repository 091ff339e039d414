"""Exchanges of ranks by the definitions, one by one; slow, and exact in fractions."""

import itertools
from fractions import Fraction


def midranks(values):
    """The mean rank of each value among all."""
    return [Fraction(1 + sum(int(v > w) + int(v >= w) for w in values), 2) for v in values]


def exchanges(labels, a, b):
    """The two models' ranks after every set of exchanges, the empty one first."""
    pairs = list(zip(midranks(a), midranks(b), strict=True))
    for chosen in itertools.product((False, True), repeat=len(labels)):
        exchanged = [(y, x) if c else (x, y) for c, (x, y) in zip(chosen, pairs, strict=True)]
        yield [x for x, _ in exchanged], [y for _, y in exchanged]


def area(labels, ranks):
    x = [float(r) for r, label in zip(ranks, labels, strict=True) if label]
    y = [float(r) for r, label in zip(ranks, labels, strict=True) if not label]
    twice = sum((u > v) + (u >= v) for u in x for v in y)
    return Fraction(twice, 2 * len(x) * len(y))


def differences(labels, a, b):
    """AUC_a - AUC_b after every set of exchanges."""
    return [area(labels, x) - area(labels, y) for x, y in exchanges(labels, a, b)]


def share_below(ranks, rank, x):
    """The chance that a case of this rank is among the x lowest, ties in random order."""
    below = sum(r < rank for r in ranks)
    return min(max(Fraction(x - below, ranks.count(rank)), Fraction(0)), Fraction(1))


def errors(labels, ranks, x):
    """Expected errors where the x lowest cases are called negative."""
    low = [share_below(ranks, r, x) for r in ranks]
    return sum(p if label else 1 - p for p, label in zip(low, labels, strict=True))


def distance(labels, ranks_a, ranks_b):
    """Venkatraman and Begg (1996): E, the errors apart over all cuts."""
    cuts = range(1, len(labels))
    return sum(abs(errors(labels, ranks_a, x) - errors(labels, ranks_b, x)) for x in cuts)


def distances(labels, a, b):
    """E after every set of exchanges."""
    return [distance(labels, x, y) for x, y in exchanges(labels, a, b)]


def pvalue(values, alternative):
    """The share of exchanges as extreme as none, the first value."""
    if alternative == "two-sided":
        values = [abs(v) for v in values]
    if alternative == "less":
        values = [-v for v in values]
    return Fraction(sum(v >= values[0] for v in values), len(values))
