"""Averages of AUCs over classes and their variances by definition, as fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np

from tests.reference.auc import mean, psi, sample_covariance


def auc(y, scores, positive, negatives):
    """Share of pairs that the score of `positive` orders rightly."""
    x = [s for s, label in zip(scores, y, strict=True) if label == positive]
    z = [s for s, label in zip(scores, y, strict=True) if label in negatives]
    return mean([psi(a, b) for a in x for b in z])


def terms(y, classes, average):
    """The AUCs that an average is made of: column, positive, negatives, weight."""
    c, n = len(classes), len(y)
    share = {label: Fraction(list(y).count(label), n) for label in classes}
    found = []
    for column, i in enumerate(classes):
        others = [j for j in classes if j != i]
        if average == "ovr":
            found.append((column, i, others, Fraction(1, c)))
        if average == "ovr-weighted":
            found.append((column, i, others, share[i]))
        if average == "hand-till":
            found += [(column, i, [j], Fraction(1, c * (c - 1))) for j in others]
        if average == "ovo-weighted":
            found += [(column, i, [j], (share[i] + share[j]) / (2 * (c - 1))) for j in others]
    return found


def average_auc(y, table, classes, average):
    """`table` has a row of scores for each class."""
    return sum(
        weight * auc(y, table[column], i, negatives)
        for column, i, negatives, weight in terms(y, classes, average)
    )


def values(y, table, classes, average):
    """What the average would be if all cases of a class were like this one, case by case.

    AUCs are linear in the distribution of each class, so these are the average's linear parts, but
    for a constant a class.
    """
    return [
        average_auc(y, [alike(y, row, case) for row in table], classes, average)
        for case in range(len(y))
    ]


def alike(y, row, case):
    """Give all cases of the class the score of one of them."""
    return [row[case] if label == y[case] else s for s, label in zip(row, y, strict=True)]


def covariance(y, one, two, classes):
    """Of two averages, from the values of their cases."""
    total = Fraction(0)
    for label in classes:
        a, b = ([v for v, own in zip(vs, y, strict=True) if own == label] for vs in (one, two))
        total += sample_covariance(a, b) / len(a)
    return total


def pair_values(y, table, average):
    """What each pair of cases adds to the average, as a matrix for each pair of classes i < j."""
    classes = range(table.shape[1])
    found = dict.fromkeys(itertools.combinations(classes, 2), 0.0)
    for column, i, others, weight in terms(y.tolist(), classes, average):
        rest = np.isin(y, others).sum()
        for j in others:
            x, z = table[y == i, column][:, None], table[y == j, column]
            beats = float(weight) * (y == j).sum() / rest * ((x > z) + 0.5 * (x == z))
            found[min(i, j), max(i, j)] += beats if i < j else beats.T
    return found


def ideal_spread(y, a, b, average):
    """Standard deviation of a difference over all samples stratified by class, each alike.

    By Hoeffding's decomposition: a class's main effects have their variance over its size, what is
    left of a pair of classes over both sizes. Divisors are sizes.
    """
    one, two = pair_values(y, a, average), pair_values(y, b, average)
    main, total = [np.zeros((y == i).sum()) for i in range(a.shape[1])], 0.0
    for i, j in one:
        d = one[i, j] - two[i, j]
        d = d - d.mean()
        rows, columns = d.mean(axis=1), d.mean(axis=0)
        main[i] += rows
        main[j] += columns
        total += (d - rows[:, None] - columns).var() / d.size
    return math.sqrt(total + sum(effects.var() / effects.size for effects in main))
