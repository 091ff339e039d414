"""Definitions for tests of all pairs of models, written to be obvious; tests compare with them."""

import itertools
from collections import Counter
from fractions import Fraction

import mpmath


def all_pairs(k):
    return list(itertools.combinations(range(k), 2))


def exhaustive_sets(k):
    """All sets of equalities that can be true together while all others are false.

    Those that hold A = C wherever they hold A = B and B = C, by going through all sets.
    """
    pairs = [frozenset(pair) for pair in all_pairs(k)]
    found = []
    for size in range(len(pairs) + 1):
        for chosen in itertools.combinations(pairs, size):
            held = set(chosen)
            chained = (a ^ b for a, b in itertools.combinations(chosen, 2) if a & b)
            if all(pair in held for pair in chained):
                found.append(frozenset(chosen))
    return found


def bergmann_hommel(pvalues, k):
    """The largest |I| min p of all exhaustive sets that hold each pair."""
    p = dict(zip(map(frozenset, all_pairs(k)), pvalues, strict=True))
    sets = [chosen for chosen in exhaustive_sets(k) if chosen]
    value = {chosen: len(chosen) * min(p[pair] for pair in chosen) for chosen in sets}
    return [min(1.0, max(value[chosen] for chosen in sets if pair in chosen)) for pair in p]


def bergmann_hommel_accepts(pvalues, k, level):
    """Bergmann and Hommel's procedure: keep what is in a set with min p > level / |I|."""
    p = dict(zip(map(frozenset, all_pairs(k)), pvalues, strict=True))
    kept = set()
    for chosen in exhaustive_sets(k):
        if chosen and min(p[pair] for pair in chosen) > level / len(chosen):
            kept |= chosen
    return [pair in kept for pair in p]


def shaffer_rejects(pvalues, k, level):
    """Shaffer's static procedure, from the smallest p-value until one is too large."""
    sizes = {len(chosen) for chosen in exhaustive_sets(k)}
    m = len(pvalues)
    order = sorted(range(m), key=pvalues.__getitem__)
    rejected = set()
    for step, i in enumerate(order, start=1):
        if pvalues[i] > level / max(s for s in sizes if s <= m - step + 1):
            break
        rejected.add(i)
    return [i in rejected for i in range(m)]


def rank_sum_difference(k, n):
    """P(D = d) of the difference of two rank sums, by all orders of all data sets."""
    orders = list(itertools.permutations(range(k)))
    found = Counter(
        sum(order[0] - order[1] for order in rows) for rows in itertools.product(orders, repeat=n)
    )
    return {d: Fraction(count, len(orders) ** n) for d, count in found.items()}


def range_tail(q, k):
    """The chance that k normal variables have a larger range, with 25 digits.

    By the largest one and mpmath's own quadrature, in units of its value for small q.
    """
    with mpmath.workdps(25):
        q, m, scale = mpmath.mpf(q), k - 1, mpmath.exp(mpmath.mpf(q) ** 2 / 4)

        def density(x):
            below = mpmath.ncdf(x)
            share = -mpmath.expm1(m * mpmath.log1p(-mpmath.ncdf(x - q) / below))
            return k * mpmath.npdf(x) * below**m * share * scale

        ends = [q / 2 + step for step in (-9, -5, -2, 0, 2, 5, 9, 14)]
        return mpmath.quad(density, ends) / scale


def maximal_groups(apart):
    """All groups of which no two differ and which nobody else could join."""
    k = len(apart)
    groups = [
        set(group)
        for size in range(1, k + 1)
        for group in itertools.combinations(range(k), size)
        if not any(apart[i][j] for i, j in itertools.combinations(group, 2))
    ]
    return {frozenset(group) for group in groups if not any(group < other for other in groups)}


def insert_and_absorb(apart):
    """Piepho (2004): split each group that holds a differing pair, absorb those in others."""
    k = len(apart)
    columns = [frozenset(range(k))]
    for i, j in all_pairs(k):
        if apart[i][j]:
            split = [
                part
                for column in columns
                for part in ((column - {i}, column - {j}) if {i, j} <= column else (column,))
            ]
            columns = [c for c in set(split) if not any(c < other for other in split)]
    return set(columns)
