"""Signs and signed ranks of exact numbers: nothing here rounds, so nothing needs a tolerance."""

from fractions import Fraction
from itertools import product

from tests.reference.ranks import row_ranks


def exact(rows):
    """A table of decimals, given as strings, or of whole numbers, as fractions."""
    return [[Fraction(x) for x in row] for row in rows]


def signs(first, second):
    """How many differences are above 0, and how many below."""
    d = [a - b for a, b in zip(first, second, strict=True)]
    return sum(x > 0 for x in d), sum(x < 0 for x in d)


def signed_ranks(first, second):
    """The ranks of the sizes of differences that are not 0, with their signs."""
    d = [a - b for a, b in zip(first, second, strict=True) if a != b]
    ranks = row_ranks([abs(x) for x in d], higher_is_better=False)
    return [rank if x > 0 else -rank for rank, x in zip(ranks, d, strict=True)]


def wilcoxon_pvalue(first, second):
    """The two-sided p-value by all signs of the ranks."""
    ranks = signed_ranks(first, second)
    observed = abs(sum(ranks))
    sums = [
        sum(sign * abs(rank) for sign, rank in zip(signs, ranks, strict=True))
        for signs in product((1, -1), repeat=len(ranks))
    ]
    return sum(abs(total) >= observed for total in sums) / len(sums)
