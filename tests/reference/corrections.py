"""Slow, obvious definitions of the corrections (procedures at a level, closed testing); draws."""

from itertools import combinations
from math import comb, factorial

import numpy as np
from hypothesis import strategies as st
from numpy.polynomial import Polynomial

# Few distinct values, so ties abound, and the ends of the range.
round_values = st.sampled_from([0.0, 1e-300, 1e-20, 0.001, 0.01, 0.02, 0.025, 0.05, 0.3, 0.5, 1.0])
pvalue = round_values | st.floats(0, 1)
families = st.lists(pvalue, min_size=1, max_size=8)
small_families = st.lists(pvalue, min_size=1, max_size=6)
# Levels are told apart by a relative 1e-7, which has to be visible in 1 - p as well.
moderate_families = st.lists(st.floats(1e-6, 1 - 1e-6), min_size=1, max_size=8)


def rejections(method, pvalues, level):
    """What the procedure decides about each p-value, from the wording of its paper."""
    order = sorted(range(len(pvalues)), key=pvalues.__getitem__)
    count = _count(method, [pvalues[i] for i in order], level)
    rejected = set(order[:count])
    return [i in rejected for i in range(len(pvalues))]


def _count(method, p, level):
    m = len(p)
    if method == "hommel":
        return sum(x <= _hommel_threshold(p, level) for x in p)
    if method == "li":
        threshold = (1 - p[-1]) / (1 - level) * level
        return m if p[-1] <= level else sum(x <= threshold for x in p)
    below = [x <= c for x, c in zip(p, critical_values(method, level, m), strict=True)]
    if method in SINGLE_STEP:
        return sum(below)
    if method in STEP_DOWN:
        return below.index(False) if False in below else m
    return max((i + 1 for i in range(m) if below[i]), default=0)


SINGLE_STEP = {"bonferroni", "sidak"}
STEP_DOWN = {"holm", "holland", "finner"}
CRITICAL = {
    "bonferroni": lambda a, i, m: a / m,
    "sidak": lambda a, i, m: 1 - (1 - a) ** (1 / m),
    "holm": lambda a, i, m: a / (m - i + 1),
    "hochberg": lambda a, i, m: a / (m - i + 1),
    "holland": lambda a, i, m: 1 - (1 - a) ** (1 / (m - i + 1)),
    "finner": lambda a, i, m: 1 - (1 - a) ** (i / m),
    "rom": lambda a, i, m: rom_critical_values(a, m)[m - i],
    "bh": lambda a, i, m: i * a / m,
    "by": lambda a, i, m: i * a / (m * sum(1 / j for j in range(1, m + 1))),
}


def critical_values(method, level, m):
    """Critical values of p_(1), ..., p_(m)."""
    return [CRITICAL[method](level, i, m) for i in range(1, m + 1)]


def rom_critical_values(level, m):
    """Those of the largest, second largest, ... p-value: García et al. 2010, equation (2)."""
    c = [level]
    for n in range(2, m + 1):
        powers = sum(level**j for j in range(1, n))
        c.append((powers - sum(comb(n, j) * c[j] ** (n - j) for j in range(1, n - 1))) / n)
    return c


def probability_of_any_rejection(critical):
    """Chance that p_(i) <= critical[i] for any i, of independent uniform p-values.

    P(all p_(i) > c_i) = m! times the integral over c_1 < u_1 < u_2 < ..., u_i > c_i.
    """
    inner = Polynomial([1.0])
    for c in critical:
        primitive = inner.integ()
        inner = primitive - primitive(c)
    return 1 - factorial(len(critical)) * inner(1.0)


def _hommel_threshold(p, level):
    """Hommel 1988: with j the size of the largest set that Simes accepts, reject p <= level/j."""
    m = len(p)
    accepted = [
        j for j in range(1, m + 1) if all(p[m - j + k - 1] > k * level / j for k in range(1, j + 1))
    ]
    return level / max(accepted) if accepted else 1.0


def hommel(p):
    """Hommel's adjusted p-values of ascending ones, in quadratic time: a set of each size."""
    adjusted = p
    for size in range(2, p.size + 1):
        # Where i is among them, this is at most the p-value of the smaller set that they form.
        others = (size * p[1 - size :] / np.arange(2, size + 1)).min()
        adjusted = np.maximum(adjusted, np.minimum(size * p, others))
    return np.minimum(adjusted, 1.0)


def closed_testing(local_test, pvalues):
    """For each hypothesis the largest p-value of all sets that hold it."""
    m = len(pvalues)
    subsets = [s for size in range(1, m + 1) for s in combinations(range(m), size)]
    local = {s: min(1.0, local_test(sorted(pvalues[i] for i in s))) for s in subsets}
    return [max(local[s] for s in subsets if i in s) for i in range(m)]


LOCAL_TESTS = {
    "holm": lambda p: len(p) * p[0],
    "holland": lambda p: 1 - (1 - p[0]) ** len(p),
    "hommel": lambda p: min(len(p) * x / (k + 1) for k, x in enumerate(p)),
}
