"""Definitions for predicted labels, written to be obvious; tests compare with them."""

import itertools
import math
from fractions import Fraction

import numpy as np
from scipy import integrate, stats
from scipy.optimize import brentq, minimize_scalar

TABLE = [[150, 25], [15, 10]]  # "T" of the check values
SQUARE = [[20, 10, 5], [3, 30, 15], [0, 5, 40]]  # "K" of the check values


def cases_of(table):
    """Labels and two models' predictions with these counts, in the order of the cells."""
    (n11, n10), (n01, n00) = table
    a = [1] * (n11 + n10) + [0] * (n01 + n00)
    b = [1] * n11 + [0] * n10 + [1] * n01 + [0] * n00
    return [1] * len(a), a, b


def counts(y, a, b):
    """n11, n10, n01 and n00, case by case."""
    seen = [(p == t, q == t) for t, p, q in zip(y, a, b, strict=True)]
    return tuple(seen.count(key) for key in itertools.product((True, False), repeat=2))


def coin(n, heads):
    """The chance of so many heads of a fair coin."""
    return Fraction(math.comb(n, heads), 2**n)


def exact_mcnemar(b, c, alternative):
    """Clopper and Pearson's tails of b ~ Bin(b + c, 1/2), doubled for two sides."""
    n = b + c
    above = sum(coin(n, i) for i in range(b, n + 1))
    below = sum(coin(n, i) for i in range(b + 1))
    return {"greater": above, "less": below, "two-sided": min(1, 2 * min(above, below))}[
        alternative
    ]


def midp_mcnemar(b, c, alternative):
    """Fagerland et al. (2013): the chance of exactly b counts by half."""
    exactly = coin(b + c, b)
    if alternative == "two-sided":
        return 1 - exactly / 2 if b == c else exact_mcnemar(b, c, alternative) - exactly
    return exact_mcnemar(b, c, alternative) - exactly / 2


def melded_low(b, c, n, tail, weight):
    """Fay and Lumbard's (2021) lower end by adaptive quadrature, and a root of its tail."""
    m = b + c

    def favouring(t):
        lower = stats.beta.cdf(t, b, c + 1) if b else 1.0
        upper = stats.beta.cdf(t, b + 1, c) if c else float(t >= 1)
        return weight * lower + (1 - weight) * upper

    def excess(end):
        """P((2 T - 1) S <= end), less the tail."""
        if end <= 0 and m == n:
            return favouring(0.5 + end / 2) - tail
        share = stats.beta(m, n - m + 1) if end > 0 else stats.beta(m + 1, n - m)
        mean, sign = max(share.mean(), abs(end)), 1 if end > 0 else 0

        def density(x):
            return abs(favouring(0.5 + end / (2 * x)) - sign) * share.pdf(x)

        parts = [(abs(end), mean), (mean, 1)]
        mass = sum(integrate.quad(density, *part, epsabs=1e-11, limit=200)[0] for part in parts)
        return (1 - mass if end > 0 else mass) - tail

    return brentq(excess, -1 + 1e-12, 1 - 1e-12, xtol=1e-11)


def tango_z(table, difference):
    """Tango's statistic from the likelihood of p01 that is greatest where p10 = p01 + D."""
    (n11, b), (c, n00) = table
    n, d = n11 + b + c + n00, difference

    def loss(q):
        parts = [(b, q + d), (c, q), (n11 + n00, 1 - 2 * q - d)]
        if any(count and p <= 0 for count, p in parts):
            return math.inf
        return -sum(count * math.log(p) for count, p in parts if count)

    limits = max(0.0, -d), (1.0 - d) / 2
    q = minimize_scalar(loss, bounds=limits, method="bounded", options={"xatol": 1e-13}).x
    return (b - c - n * d) / math.sqrt(n * (2 * q + d * (1 - d)))


def clustered_variance(y, a, b, groups):
    """CR2: sum (D_g - n_g d)^2 / (1 - n_g / n) / n^2."""
    differences = [int(p == t) - int(q == t) for t, p, q in zip(y, a, b, strict=True)]
    n = len(y)
    d = Fraction(sum(differences), n)
    total = Fraction(0)
    for name in set(groups):
        own = [x for x, g in zip(differences, groups, strict=True) if g == name]
        total += (sum(own) - len(own) * d) ** 2 / (1 - Fraction(len(own), n))
    return total / n**2


def clustered_df(groups):
    """Satterthwaite's degrees of freedom of that variance, by the closed form for a mean."""
    shares = [Fraction(groups.count(name), len(groups)) for name in set(groups)]
    parts = [p * p / (1 - p) for p in shares]
    return 1 / (sum(p * p for p in shares) + sum(parts) ** 2 - sum(c * c for c in parts))


def cochran_q(right):
    """Q of rows of right (1) and wrong (0) answers, one column a model."""
    k = len(right[0])
    columns = [sum(column) for column in zip(*right, strict=True)]
    rows = [sum(row) for row in right]
    total = sum(columns)
    bottom = k * total - sum(row**2 for row in rows)
    top = (k - 1) * (k * sum(g**2 for g in columns) - total**2)
    return Fraction(top, bottom) if bottom else Fraction(0)


def exact_cochran(right):
    """The share of all permutations within rows that give a Q at least as large."""
    observed = cochran_q(right)
    ways = [sorted(set(itertools.permutations(row))) for row in right]
    found = [cochran_q(rows) >= observed for rows in itertools.product(*ways)]
    return Fraction(sum(found), len(found))


def stuart_maxwell(table):
    """The rank of V and d' x for any solution of V x = d, by Gauss's elimination of fractions."""
    k = len(table)
    d = [sum(table[i]) - sum(row[i] for row in table) for i in range(k)]
    rows = [[-Fraction(table[i][j] + table[j][i]) for j in range(k)] for i in range(k)]
    for i, row in enumerate(rows):
        row[i] = -sum(x for j, x in enumerate(row) if j != i)
        row.append(Fraction(d[i]))
    pivots = []
    for column in range(k):
        r = len(pivots)
        pivot = next((i for i in range(r, k) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[r], rows[pivot] = rows[pivot], rows[r]
        rows[r] = [x / rows[r][column] for x in rows[r]]
        for i in range(k):
            if i != r:
                rows[i] = [x - rows[i][column] * y for x, y in zip(rows[i], rows[r], strict=True)]
        pivots.append(column)
    return len(pivots), sum(d[c] * rows[r][-1] for r, c in enumerate(pivots))


def score_of_shares(one, two, difference):
    """Mee's score statistic; the likelihood's slope in p_2 is 0 at the likeliest accuracies."""
    (x, m), (y, n) = one, two
    away = x / m - y / n - difference
    if abs(away) < 1e-15:
        return 0.0
    low, high = max(0.0, -difference), min(1.0, 1.0 - difference)
    for _ in range(200):
        q = 0.5 * (low + high)
        p = q + difference
        slope = -math.inf if p >= 1.0 or q >= 1.0 else math.inf if p <= 0.0 or q <= 0.0 else 0.0
        if not slope:
            slope = x / p - (m - x) / (1 - p) + y / q - (n - y) / (1 - q)
        low, high = (q, high) if slope > 0 else (low, q)
    variance = p * (1 - p) / m + q * (1 - q) / n
    return away / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, away)


def boschloo(one, two, alternative):
    """The largest chance, over common accuracies, of tables with as small a Fisher's p."""
    (x, m), (y, n) = one, two
    i, j = np.ogrid[: m + 1, : n + 1]
    wins = i if alternative == "greater" else m - i
    fisher = stats.hypergeom.sf(wins - 1, m + n, wins + (j if wins is i else n - j), m)
    extreme = fisher <= fisher[x, y] * (1 + 1e-9)
    chances = [
        np.outer(stats.binom.pmf(range(m + 1), m, p), stats.binom.pmf(range(n + 1), n, p))
        for p in np.linspace(0, 1, 2001)
    ]
    return max(chance[extreme].sum() for chance in chances)
