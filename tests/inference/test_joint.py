"""Levels of intervals that cover together: the studentized range, SciPy's integrals, laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal, norm, studentized_range, t

from fastcompare._inference.max_t import MOST_DRAWS, level_of_each

pytestmark = pytest.mark.usefixtures("requires_jit")  # 2^18 draws of each model a level
NEAR = 4.0  # standard errors of a share of draws
CORRELATED = np.array([[1.0, 0.8, 0.3], [0.8, 2.0, 0.5], [0.3, 0.5, 0.7]])


def pairs_of(k):
    return np.triu_indices(k, 1)


def tolerance(level):
    return NEAR * np.sqrt(level * (1.0 - level) / MOST_DRAWS)


@pytest.mark.slow
@pytest.mark.parametrize("level", [0.9, 0.99])
@pytest.mark.parametrize("df", [np.inf, 5])
@pytest.mark.parametrize("k", [3, 6])
def test_independent_models_have_the_studentized_range(k, df, level):
    each = level_of_each(np.eye(k), pairs_of(k), level, "two-sided", df)
    point = t.isf(0.5 * (1.0 - each), df)
    covered = studentized_range.cdf(point * np.sqrt(2.0), k, df)
    assert_allclose(covered, level, rtol=0, atol=tolerance(level))


def test_correlated_models_have_the_integral_of_the_normal_distribution():
    contrasts = np.array([[1.0, -1.0, 0.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0]])
    differences = contrasts @ CORRELATED @ contrasts.T
    error = np.sqrt(np.diag(differences))
    shape = differences / np.outer(error, error)
    for alternative, both in (("two-sided", True), ("greater", False), ("less", False)):
        each = level_of_each(CORRELATED, pairs_of(3), 0.95, alternative)
        point = norm.isf((0.5 if both else 1.0) * (1.0 - each))
        low = np.full(3, -point if both else -np.inf)
        plane = multivariate_normal(np.zeros(3), shape, allow_singular=True, seed=0, maxpts=30_000)
        covered = plane.cdf(np.full(3, point), lower_limit=low)
        assert_allclose(covered, 0.95, rtol=0, atol=tolerance(0.95) + 2e-4)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater", "equivalence"])
def test_levels_lie_between_one_interval_and_bonferroni(alternative):
    each = level_of_each(CORRELATED, pairs_of(3), 0.95, alternative)
    assert 0.95 < each <= 1.0 - 0.05 / 3
    scaled = level_of_each(1e-8 * CORRELATED, pairs_of(3), 0.95, alternative)
    assert_allclose(scaled, each, rtol=0, atol=1e-12)


def test_models_that_hardly_differ_from_each_other_count_once():
    covariance = np.ones((4, 4)) + np.diag([1e-3, 1e-3, 1e-3, 1.0])
    lone = (np.array([0, 1, 2]), np.array([3, 3, 3]))
    assert level_of_each(covariance, lone, 0.95, "two-sided") < 0.955
    assert level_of_each(covariance, pairs_of(4), 0.95, "two-sided") > 0.97


def test_without_variance_bonferroni_is_left():
    for covariance in (np.zeros((3, 3)), np.ones((3, 3)), np.full((3, 3), np.nan)):
        assert level_of_each(covariance, pairs_of(3), 0.97, "two-sided") == 1.0 - (1.0 - 0.97) / 3
