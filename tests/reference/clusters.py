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


def weighted_mean_of_clusters(d, groups, weights):
    """The same of a weighted mean: weighted least squares, the working covariance the identity.

    Bell and McCaffrey's matrices are [(I - H)(I - H)']_gg^(-1/2), with H = 1 w' / W.
    """
    d, w, groups = np.asarray(d, float), np.asarray(weights, float), np.asarray(groups)
    n, total = d.size, w.sum()
    residual = np.eye(n) - np.outer(np.ones(n), w) / total
    e = residual @ d
    adjusted, columns = [], []
    for name in np.unique(groups):
        own = groups == name
        adjust = inverse_root((residual @ residual.T)[np.ix_(own, own)])
        adjusted.append(w[own] @ adjust @ e[own] / total)
        columns.append(residual[own].T @ adjust @ w[own] / total)
    q = np.array(columns) @ np.array(columns).T
    return w @ d / total, np.sqrt(np.square(adjusted).sum()), np.trace(q) ** 2 / (q**2).sum()


def auc_of_clusters(v10, v01, groups10, groups01, *, by_cluster):
    """The CR2 standard error of a mean of V10 and V01 and its degrees of freedom.

    A regression on one column a class, with a variance of its own for each class: that of cases,
    or what clusters tell of it. V10 and V01 may be differences of two models.
    """
    y = np.concatenate((v10, v01)).astype(float)
    groups = np.concatenate((groups10, groups01))
    m, n = len(v10), len(v01)
    x = np.zeros((m + n, 2))
    x[:m, 0], x[m:, 1] = 1.0, 1.0
    bread = np.diag((1.0 / m, 1.0 / n))
    residual = np.eye(m + n) - x @ bread @ x.T
    e, contrast = residual @ y, np.ones(2)
    adjusted, columns = [], []
    for name in np.unique(groups):
        own = groups == name
        weights = inverse_root(residual[np.ix_(own, own)]) @ x[own] @ bread
        adjusted.append(weights.T @ e[own])
        columns.append(residual[:, own] @ weights @ contrast)
    errors, columns = np.array(adjusted), np.array(columns)
    shares = (
        np.square(errors).sum(axis=0) * (m, n)
        if by_cluster
        else [np.var(v, ddof=1) for v in (v10, v01)]
    )
    q = columns * np.repeat(shares, (m, n)) @ columns.T
    df = np.trace(q) ** 2 / (q**2).sum() if (q**2).sum() else np.nan
    return np.sqrt(np.square(errors @ contrast).sum()), df


def covariance_of_clusters(scores, groups):
    """The CR2 covariance of the means of columns, by the same matrices as `mean_of_clusters`."""
    scores, groups = np.asarray(scores, float), np.asarray(groups)
    n = len(scores)
    residual = np.eye(n) - 1.0 / n
    e = residual @ scores
    total = np.zeros((scores.shape[1],) * 2)
    for name in np.unique(groups):
        own = groups == name
        sums = (inverse_root(residual[np.ix_(own, own)]) @ e[own]).sum(axis=0) / n
        total += np.outer(sums, sums)
    return total
