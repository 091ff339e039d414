"""Reader studies from their definitions: all pairs of cases, in exact fractions."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np


def kernel(x, y):
    """Twice the credit for a positive with score x beside a negative with y."""
    return 1 + (x > y) - (x < y)


def wins(scores, truth):
    """Twice the credits (m, n) of all pairs of a positive and a negative case."""
    positive = [x for x, label in zip(scores, truth, strict=True) if label]
    negative = [x for x, label in zip(scores, truth, strict=True) if not label]
    return [[kernel(x, y) for y in negative] for x in positive]


def mean(values):
    """The mean of integers or fractions."""
    values = list(values)
    return Fraction(sum(values), len(values))


def auc(scores, truth):
    """The AUC as a fraction."""
    return mean(w for row in wins(scores, truth) for w in row) / 2


def covariance_of(a, b):
    """The covariance of two columns, with n - 1."""
    middle_a, middle_b, n = mean(a), mean(b), len(a)
    return sum((x - middle_a) * (y - middle_b) for x, y in zip(a, b, strict=True)) / (n - 1)


def delong(a, b, truth):
    """DeLong's covariance of two AUCs, by the components of each class."""
    by_case = []
    for scores in (a, b):
        table = wins(scores, truth)
        by_case.append(
            ([mean(row) / 2 for row in table], [mean(c) / 2 for c in zip(*table, strict=True)])
        )
    (a10, a01), (b10, b01) = by_case
    return covariance_of(a10, b10) / len(a10) + covariance_of(a01, b01) / len(a01)


def unbiased(a, b, truth):
    """The product of two AUCs less the mean product over pairs that share no case."""
    u, v = wins(a, truth), wins(b, truth)
    m, n = len(u), len(u[0])
    apart = [
        u[i][k] * v[p][q]
        for i, k, p, q in product(range(m), range(n), range(m), range(n))
        if i != p and k != q
    ]
    return auc(a, truth) * auc(b, truth) - mean(apart) / 4


def jackknife(a, b, truth):
    """The covariance of two AUCs without one case at a time, times (N - 1)^2 / N."""
    n = len(truth)
    without = [
        [auc(np.delete(s, k).tolist(), np.delete(truth, k).tolist()) for k in range(n)]
        for s in (a, b)
    ]
    return covariance_of(*without) * Fraction((n - 1) ** 2, n)


KINDS = {"delong": delong, "unbiased": unbiased, "jackknife": jackknife}


def study(scores, truth, kind):
    """Components, mean squares and figures of scores (t, r, n), as fractions by name."""
    t, r, _ = np.shape(scores)
    cells = list(product(range(t), range(r)))
    theta = {(i, j): auc(scores[i][j], truth) for i, j in cells}
    s = {(x, y): KINDS[kind](scores[x[0]][x[1]], scores[y[0]][y[1]], truth)
         for x in cells for y in cells}  # fmt: skip
    by_treatment = [mean(theta[i, j] for j in range(r)) for i in range(t)]
    by_reader = [mean(theta[i, j] for i in range(t)) for j in range(r)]
    grand = mean(theta.values())
    rest = [theta[i, j] - by_treatment[i] - by_reader[j] + grand for i, j in cells]

    def entries(same_treatment, same_reader):
        return mean(
            s[x, y]
            for x in cells
            for y in cells
            if (x[0] == y[0]) == same_treatment and (x[1] == y[1]) == same_reader
        )

    return {
        "figures": theta,
        "means": by_treatment,
        "ms_treatment": r * sum((x - grand) ** 2 for x in by_treatment) / (t - 1),
        "ms_reader": t * sum((x - grand) ** 2 for x in by_reader) / (r - 1),
        "ms_treatment_reader": sum(x * x for x in rest) / ((t - 1) * (r - 1)),
        "error": entries(True, True),
        "cov1": entries(False, True),
        "cov2": entries(True, False),
        "cov3": entries(False, False),
        "difference_variances": {
            (i, k): sum(
                (1 if x[0] == i else -1) * (1 if y[0] == i else -1) * s[x, y]
                for x in cells
                for y in cells
                if {x[0], y[0]} <= {i, k}
            )
            / r**2
            for i, k in combinations(range(t), 2)
        },
    }


def standalone(readers, algorithm, truth):
    """The difference, its squared standard error and df of an algorithm against readers (r, n)."""
    r = len(readers)
    d = [auc(algorithm, truth) - auc(scores, truth) for scores in readers]
    middle = mean(d)
    ms = sum((x - middle) ** 2 for x in d) / (r - 1)

    def shared(a, b):
        kinds = ((algorithm, algorithm), (algorithm, b), (a, algorithm), (a, b))
        signs = (1, -1, -1, 1)
        return sum(s * delong(x, y, truth) for s, (x, y) in zip(signs, kinds, strict=True))

    cov2 = mean(
        shared(a, b) for j, a in enumerate(readers) for k, b in enumerate(readers) if j != k
    )
    total = ms + r * max(cov2, 0)
    return middle, total / r, total**2 * (r - 1) / ms**2
