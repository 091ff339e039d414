"""Slow, obvious definitions for scores of models in rounds; exact where fractions can be."""

from fractions import Fraction
from math import factorial, prod

import numpy as np

SIZES = {"n_train": 80, "n_test": 20}
SPHERICITY = ("auto", "none", "greenhouse-geisser", "huynh-feldt", "lower-bound")


def exact(scores):
    """Return a table of floats as fractions, a list a row."""
    return [[Fraction(x) for x in row] for row in np.asarray(scores).tolist()]


def mean(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values)


def sums_of_squares(table):
    """Return those between models, between rounds, and of what is left."""
    n, k = len(table), len(table[0])
    everything = mean(x for row in table for x in row)
    models, rounds = [mean(column) for column in zip(*table, strict=True)], [mean(r) for r in table]
    between_models = n * sum((m - everything) ** 2 for m in models)
    between_rounds = k * sum((r - everything) ** 2 for r in rounds)
    left = sum(
        (table[i][j] - rounds[i] - models[j] + everything) ** 2 for i in range(n) for j in range(k)
    )
    return between_models, between_rounds, left


def contrast_covariance(table):
    """Return the covariance of the models, centred in rows and columns, times J - 1."""
    columns = [
        [x - mean(column) for x in column] for column in zip(*map(centred, table), strict=True)
    ]
    return [[sum(map(prod, zip(a, b, strict=True))) for b in columns] for a in columns]


def centred(row):
    return [x - mean(row) for x in row]


def greenhouse_geisser(table):
    """Return epsilon (1959): tr(S)^2 / ((k - 1) tr(S S)); None where nothing varies."""
    s = contrast_covariance(table)
    trace, squares = sum(s[j][j] for j in range(len(s))), sum(x * x for row in s for x in row)
    return trace**2 / ((len(s) - 1) * squares) if squares else None


def mauchly(table):
    """Return W. A centred S has k times any of its cofactors as product of its other eigenvalues.

    (As in the matrix-tree theorem.)
    """
    s = contrast_covariance(table)
    k = len(s)
    trace = sum(s[j][j] for j in range(k))
    return k * determinant([row[1:] for row in s[1:]]) / (trace / (k - 1)) ** (k - 1)


def determinant(matrix):
    """Return the determinant by Laplace's expansion."""
    if not matrix:
        return Fraction(1)
    minors = ([row[:j] + row[j + 1 :] for row in matrix[1:]] for j in range(len(matrix)))
    terms = zip(matrix[0], map(determinant, minors), strict=True)
    return sum((-1) ** j * x * minor for j, (x, minor) in enumerate(terms))


def largest_of_gammas(first, *others):
    """Return the chance that the first of gamma variables with these whole shapes is the largest.

    F(x) = 1 - e^-x sum_{m < shape} x^m / m! for each other one, multiplied out, against the
    density of the first: the integral of x^m e^-tx is m! / t^(m + 1).
    """
    powers = {(0, 0): Fraction(1)}  # coefficients of e^-tx x^m
    for shape in others:
        grown = dict(powers)
        for (t, m), value in powers.items():
            for extra in range(shape):
                key = (t + 1, m + extra)
                grown[key] = grown.get(key, Fraction(0)) - value / factorial(extra)
        powers = grown
    return sum(
        value * Fraction(factorial(m + first - 1), (t + 1) ** (m + first) * factorial(first - 1))
        for (t, m), value in powers.items()
    )


def walsh_shares(d, weights, rope):
    """Return how much the averages of all pairs above the rope, within it and below it weigh."""
    shares = np.zeros(3)
    for x, v in zip(d, weights, strict=True):
        for y, w in zip(d, weights, strict=True):
            shares[1 - (x + y > 2 * rope) + (x + y < -2 * rope)] += v * w
    return shares
