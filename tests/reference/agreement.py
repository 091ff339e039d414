"""The definitions of agreement between two models, case by case and in fractions."""

import itertools
import math
from fractions import Fraction

import mpmath


def joint(truth, a, b):
    """n11, n10, n01, n00 by counting."""
    answers = [(x == t, y == t) for t, x, y in zip(truth, a, b, strict=True)]
    return [answers.count(pair) for pair in itertools.product((True, False), repeat=2)]


def disagreement(n11, n10, n01, n00):
    return Fraction(n10 + n01, n11 + n10 + n01 + n00)


def double_fault(n11, n10, n01, n00):
    return Fraction(n00, n11 + n10 + n01 + n00)


def yule_q(n11, n10, n01, n00):
    """Yule (1900); NaN with an empty cell."""
    if not n11 * n10 * n01 * n00:
        return math.nan
    return Fraction(n11 * n00 - n10 * n01, n11 * n00 + n10 * n01)


def correlation(n11, n10, n01, n00):
    """Kuncheva and Whitaker (2003)."""
    margins = (n11 + n10) * (n01 + n00) * (n11 + n01) * (n10 + n00)
    if not margins:
        return math.nan
    return (n11 * n00 - n10 * n01) / mpmath.sqrt(margins)


def cohen_kappa(table, weight=lambda i, j: int(i == j)):
    """Cohen (1960, 1968) from observed and expected agreement; NaN if chance agreement is 1."""
    n, k = sum(map(sum, table)), len(table)
    rows = [sum(row) for row in table]
    columns = [sum(column) for column in zip(*table, strict=True)]
    cells = list(itertools.product(range(k), repeat=2))
    observed = sum(Fraction(weight(i, j) * table[i][j], n) for i, j in cells)
    chance = sum(Fraction(weight(i, j) * rows[i] * columns[j], n * n) for i, j in cells)
    return (observed - chance) / (1 - chance) if chance != 1 else math.nan


def linear(k):
    return lambda i, j: 1 - Fraction(abs(i - j), k - 1)


def quadratic(k):
    return lambda i, j: 1 - Fraction((i - j) ** 2, (k - 1) ** 2)


def delta_error(function, counts):
    """The delta method by numeric derivatives: function(*shares), multinomial shares."""
    n = sum(counts)
    with mpmath.workdps(40):
        shares = [mpmath.mpf(c) / n for c in counts]
        slopes = []
        for i in range(len(shares)):
            moved = [mpmath.mpf(int(i == j)) for j in range(len(shares))]

            def along(t, moved=moved):
                return function(*[s + t * m for s, m in zip(shares, moved, strict=True)])

            slopes.append(mpmath.diff(along, 0))
        mean = sum(p * g for p, g in zip(shares, slopes, strict=True))
        square = sum(p * (g - mean) ** 2 for p, g in zip(shares, slopes, strict=True))
        return float(mpmath.sqrt(square / n))


def share_kappa(k, weight):
    """Kappa as a function of the k * k shares."""

    def function(*shares):
        rows = [sum(shares[i * k : i * k + k]) for i in range(k)]
        columns = [sum(shares[j::k]) for j in range(k)]
        whole = sum(shares)
        cells = list(itertools.product(range(k), repeat=2))
        observed = sum(weight(i, j) * shares[i * k + j] for i, j in cells) / whole
        chance = sum(weight(i, j) * rows[i] * columns[j] for i, j in cells) / whole**2
        return (observed - chance) / (1 - chance)

    return function


def share_q(a, b, c, d):
    return (a * d - b * c) / (a * d + b * c)


def share_phi(a, b, c, d):
    return (a * d - b * c) / mpmath.sqrt((a + b) * (c + d) * (a + c) * (b + d))


def bishop_phi_error(n11, n10, n01, n00):
    """Bishop, Fienberg, Holland (1975), the closed form of phi's asymptotic variance."""
    n = n11 + n10 + n01 + n00
    a, b, c, d = (x / n for x in (n11, n10, n01, n00))
    r1, r2, c1, c2 = a + b, c + d, a + c, b + d
    phi = (a * d - b * c) / math.sqrt(r1 * r2 * c1 * c2)
    skew = (r1 - r2) * (c1 - c2) / math.sqrt(r1 * r2 * c1 * c2)
    spread = (r1 - r2) ** 2 / (r1 * r2) + (c1 - c2) ** 2 / (c1 * c2)
    return math.sqrt((1 - phi**2 + phi * (1 + phi**2 / 2) * skew - 0.75 * phi**2 * spread) / n)


def diversity(answers):
    """Kuncheva and Whitaker (2003), non-pairwise measures of rows of answers, one row a case."""
    n, models = len(answers), len(answers[0])
    right = [sum(row) for row in answers]
    entropy = Fraction(sum(min(r, models - r) for r in right), n * (models - -(-models // 2)))
    kw = Fraction(sum(r * (models - r) for r in right), n * models**2)
    p = Fraction(sum(right), n * models)
    kappa = 1 - models * kw / ((models - 1) * p * (1 - p)) if 0 < p < 1 else math.nan
    shares = [Fraction(r, models) for r in right]
    mean = sum(shares) / n
    difficulty = sum((s - mean) ** 2 for s in shares) / n
    fail = [models - r for r in right]  # one of two random models fails, or both do
    one = Fraction(sum(fail), n * models)
    both = Fraction(sum(f * (f - 1) for f in fail), n * models * (models - 1))
    general = 1 - both / one if one else math.nan
    return entropy, kw, kappa, difficulty, general
