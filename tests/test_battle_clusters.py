"""CR2 of battles in clusters: by the rows of all battles, and simulated."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import sqrtm

import fastcompare as fc


def drawn(rng, k, judges, *, seen=None):
    """Battles of equal models by judges who differ, of lognormal numbers; each sees some models."""
    sizes = np.ceil(rng.lognormal(2.3, 1.0, judges)).astype(int)
    groups = np.repeat(np.arange(judges), sizes)
    of = np.array([rng.permutation(k)[: seen or k] for _ in range(judges)])
    a = rng.integers(of.shape[1], size=groups.size)
    b = (a + rng.integers(1, of.shape[1], groups.size)) % of.shape[1]
    first, second = of[groups, a], of[groups, b]
    liking = 0.7 * rng.normal(size=(judges, k))
    x = liking[groups, first] - liking[groups, second]
    return first, second, (rng.random(groups.size) < 1 / (1 + np.exp(-x))).astype(int), groups


def by_rows(result, first, second, won, groups, contrasts):
    """The covariance and degrees of freedom as defined, by matrices of all battles."""
    k, n = len(result.names), len(first)
    x = np.zeros((n, k))
    x[np.arange(n), first], x[np.arange(n), second] = 1.0, -1.0
    chance = 1 / (1 + np.exp(-(x @ result.strengths)))
    weight = chance * (1 - chance)
    rows = np.sqrt(weight)[:, None] * x
    residuals = (won - chance) / np.sqrt(weight)
    inverse = np.linalg.pinv(rows.T @ rows)
    hat = rows @ inverse @ rows.T
    total, p = np.zeros((k, k)), [[] for _ in contrasts]
    for g in np.unique(groups):
        own = groups == g
        adjusted = np.linalg.pinv(np.real(sqrtm(np.eye(own.sum()) - hat[np.ix_(own, own)])))
        score = inverse @ rows[own].T @ adjusted @ residuals[own]
        total += np.outer(score, score)
        for c, found in zip(contrasts, p, strict=True):
            found.append((np.eye(n) - hat)[:, own] @ adjusted @ rows[own] @ inverse @ c)
    df = [np.trace(q) ** 2 / (q**2).sum() for q in (np.array(v) @ np.array(v).T for v in p)]
    return total, df


def test_covariance_and_degrees_of_freedom_are_those_of_all_rows():
    data = drawn(np.random.default_rng(2), 4, 9, seen=3)
    result = fc.bradley_terry(*data[:3], groups=data[3])
    pairs = result.pairwise(correction="holm")
    contrasts = np.array([np.eye(4)[i] - np.eye(4)[j] for i in range(4) for j in range(i + 1, 4)])
    covariance, df = by_rows(result, *data, contrasts)
    assert_allclose(result.covariance, covariance, rtol=1e-7, atol=1e-10)
    assert_allclose(pairs.df, df, rtol=1e-7)
    assert "CR2" in result.method


def test_two_models_in_clusters_of_one_kind_have_the_t_of_their_shares():
    won = np.random.default_rng(0).integers(0, 2, (12, 5))
    first, second = np.zeros(60, int), np.ones(60, int)
    result = fc.bradley_terry(first, second, won.ravel(), groups=np.repeat(np.arange(12), 5))
    assert_allclose(result.pairwise().df, 11.0)
    p = won.mean()
    error = won.mean(axis=1).std(ddof=1) / 12**0.5 / (p * (1 - p))  # of the log odds
    assert_allclose(result.pairwise().standard_error, error, rtol=1e-9)


def test_methods_of_clusters_need_clusters_and_go_by_name():
    a, b, won, groups = drawn(np.random.default_rng(1), 3, 12)
    own = fc.bradley_terry(a, b, won, groups=groups)
    named = fc.bradley_terry(a, b, won, groups=groups, method="cr2")
    assert_allclose(own.covariance, named.covariance, rtol=0)
    assert fc.bradley_terry(a, b, won, groups=groups, method="sandwich").df == 11.0
    with pytest.raises(ValueError, match=r"'cr2'.*pass `groups`"):
        fc.bradley_terry(a, b, won, method="cr2")


@pytest.mark.parametrize(("k", "judges", "seen"), [(5, 30, None), (2, 12, None), (6, 40, 3)])
def test_equal_models_are_seldom_told_apart(k, judges, seen):
    """Liang and Zeger's sandwich by t of G - 1 rejected 9 to 20 % of these."""
    rejected = told = 0
    for seed in range(200):
        a, b, won, groups = drawn(np.random.default_rng(seed), k, judges, seen=seen)
        with warnings.catch_warnings(action="ignore"):
            result = fc.bradley_terry(a, b, won, groups=groups)
        if np.isfinite(result.strengths).all():
            told += 1
            rejected += (result.pairwise().adjusted_pvalue <= 0.05).any()
    assert rejected / told <= 0.05 + 3.5 * (0.05 * 0.95 / told) ** 0.5
