"""The papers' definitions, written to be obvious, not fast; tests compare with them."""

import itertools
from fractions import Fraction

import numpy as np


def psi(x, y):
    """DeLong et al. (1988), Eq. 1: the Heaviside function with one half at a tie."""
    return Fraction(int(x > y) + int(x >= y), 2)


def components(labels, scores):
    """V10 and V01 as fractions, each in the order of its cases."""
    x = [s for s, label in zip(scores, labels, strict=True) if label]
    y = [s for s, label in zip(scores, labels, strict=True) if not label]
    v10 = [sum(psi(a, b) for b in y) / len(y) for a in x]
    v01 = [sum(psi(a, b) for a in x) / len(x) for b in y]
    return v10, v01


def mean(values):
    return sum(values, Fraction(0)) / len(values)


def sample_covariance(a, b):
    """With the divisor n - 1."""
    centre_a, centre_b = mean(a), mean(b)
    products = ((u - centre_a) * (v - centre_b) for u, v in zip(a, b, strict=True))
    return sum(products, Fraction(0)) / (len(a) - 1)


def delong(labels, table):
    """AUCs and covariance of k models as fractions; `table` has a row of scores a model."""
    parts = [components(labels, scores) for scores in table]
    auc = [mean(v10) for v10, _ in parts]
    covariance = [
        [
            sample_covariance(a10, b10) / len(a10) + sample_covariance(a01, b01) / len(a01)
            for b10, b01 in parts
        ]
        for a10, a01 in parts
    ]
    return auc, covariance


def difference_variance(covariance, i, j):
    """Exact, since these are fractions."""
    return covariance[i][i] + covariance[j][j] - 2 * covariance[i][j]


def satterthwaite(samples):
    """Satterthwaite (1946): df of the summed variances of the means of samples, a fraction."""
    parts = [(sample_covariance(s, s) / len(s), len(s) - 1) for s in samples]
    total = sum(variance for variance, _ in parts)
    return total**2 / sum(variance**2 / df for variance, df in parts) if total else None


def difference_df(labels, a, b):
    """Of the variance of AUC_a - AUC_b, from its components of both classes; None for 0."""
    of_a, of_b = components(labels, a), components(labels, b)
    return satterthwaite(
        [[u - v for u, v in zip(*own, strict=True)] for own in zip(of_a, of_b, strict=True)]
    )


def delong_float(labels, table):
    """The same in floating point and O(mn), for problems too large for fractions."""
    positive = np.asarray(labels) == 1
    wins = [
        (s[positive][:, None] > s[~positive]) + 0.5 * (s[positive][:, None] == s[~positive])
        for s in table
    ]
    v10 = np.array([w.mean(axis=1) for w in wins])
    v01 = np.array([1 - (1 - w).mean(axis=0) for w in wins])
    m, n = v10.shape[1], v01.shape[1]
    return v10.mean(axis=1), np.atleast_2d(np.cov(v10)) / m + np.atleast_2d(np.cov(v01)) / n


def weak_orders(n):
    """All ways to rank n cases with ties: tuples of dense ranks."""
    for ranks in itertools.product(range(n), repeat=n):
        if set(ranks) == set(range(len(set(ranks)))):
            yield ranks


def label_patterns(n):
    """All labellings of n cases in which both classes occur at least twice."""
    for labels in itertools.product((0, 1), repeat=n):
        if 2 <= sum(labels) <= n - 2:
            yield labels
