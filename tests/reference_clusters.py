"""Clustered variances by their definitions, with matrices: obvious, not fast."""

import numpy as np


def inverse_root(matrix):
    """The symmetric square root of the pseudo-inverse."""
    values, vectors = np.linalg.eigh(matrix)
    kept = values > 1e-10 * max(values.max(), 1e-300)
    return (vectors[:, kept] / np.sqrt(values[kept])) @ vectors[:, kept].T


def mean_of_clusters(d, groups):
    """The mean of d, its CR2 standard error and Satterthwaite's degrees of freedom.

    Pustejovsky and Tipton (2018), of a regression on a column of ones with the identity as working
    covariance.
    """
    d, groups = np.asarray(d, float), np.asarray(groups)
    n = d.size
    residual = np.eye(n) - 1.0 / n  # I - H
    e = residual @ d
    adjusted, columns = [], []
    for name in np.unique(groups):
        own = groups == name
        adjust = inverse_root(residual[np.ix_(own, own)])
        adjusted.append((adjust @ e[own]).sum() / n)
        columns.append(residual[:, own] @ adjust.sum(axis=1) / n)
    q = np.array(columns) @ np.array(columns).T
    return d.mean(), np.sqrt(np.square(adjusted).sum()), np.trace(q) ** 2 / (q**2).sum()
