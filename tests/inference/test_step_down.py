"""Joint and step-down p-values: SciPy's integrals of correlated, unequal differences."""

import itertools
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal, norm, studentized_range

from fastcompare._inference import step_down
from fastcompare._inference.max_t import differences_of_models, largest_statistic

pytestmark = pytest.mark.usefixtures("requires_jit")  # draws of as many as compiled
COVARIANCE = np.array([[1.0, 0.8, 0.3], [0.8, 2.0, 0.5], [0.3, 0.5, 0.7]])  # unequal variances
CONTRASTS = np.array([[1.0, -1.0, 0.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0]])
SHAPE = CONTRASTS @ COVARIANCE @ CONTRASTS.T
SHAPE /= np.sqrt(np.outer(np.diag(SHAPE), np.diag(SHAPE)))
Z = np.array([1.9, -0.4, 2.3])
SIDES = ("two-sided", "greater", "less")
TOLERANCE = 1.5e-3  # of the integral, and of directions


def chance_of(family, point, two_sided):
    """The chance that the largest of these differences is at least a point, by an integral."""
    plane = multivariate_normal(
        np.zeros(len(family)),
        SHAPE[np.ix_(family, family)],
        allow_singular=True,
        seed=1,
        maxpts=20_000,
    )
    low = np.full(len(family), -point if two_sided else -np.inf)
    return 1.0 - plane.cdf(np.full(len(family), point), lower_limit=low)


def truth(alternative, closed):
    """Adjusted p-values: of all differences, or by closed testing, the largest of all families."""
    signed = -Z if alternative == "less" else Z
    size = np.abs(signed) if alternative == "two-sided" else signed
    chances = np.zeros(3)
    for many in (1, 2, 3) if closed else (3,):
        for family in map(list, itertools.combinations(range(3), many)):
            chance = chance_of(family, size[family].max(), alternative == "two-sided")
            chances[family] = np.maximum(chances[family], chance)
    if closed:
        return chances
    return np.array([chance_of([0, 1, 2], point, alternative == "two-sided") for point in size])


def found(alternative, closed):
    differences = differences_of_models(COVARIANCE, *np.triu_indices(3, 1))
    signed = -Z if alternative == "less" else Z
    single = 2.0 * norm.sf(np.abs(Z)) if alternative == "two-sided" else norm.sf(signed)
    largest = step_down.largest_of_defined_pairs(differences, single, alternative)
    return step_down.joint_pvalues(differences, largest, Z, single, alternative, step_down=closed)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("alternative", SIDES)
def test_joint_pvalues_are_the_integrals_of_correlated_differences(alternative, closed):
    want = truth(alternative, closed)
    assert_allclose(found(alternative, closed), want, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("alternative", SIDES)
def test_the_joint_level_is_that_whose_intervals_cover_together(alternative):
    differences = differences_of_models(COVARIANCE, *np.triu_indices(3, 1))
    largest = step_down.largest_statistic_by_claim(differences, alternative)
    each = step_down.joint_level(largest, 0.9, alternative)
    sides = 2.0 if alternative == "two-sided" else 1.0
    point = norm.isf((1.0 - each) / sides)
    chance = chance_of([0, 1, 2], point, alternative == "two-sided")
    assert_allclose(chance, 0.1, rtol=0, atol=TOLERANCE)


@pytest.mark.parametrize("one_sided", [False, True])
@pytest.mark.parametrize("k", [5, 15])  # evenly spread directions, and random ones
def test_tails_of_families_against_a_control_are_integrals_over_it(k, one_sided):
    """P(max of z_j - z_0 >= sqrt 2 c) is the integral of 1 - P(z <= sqrt 2 c + x)^(k - 1)."""
    root = np.eye(k)
    differences = differences_of_models(root, np.arange(1, k), np.zeros(k - 1, int))
    z = np.linspace(0.5, 2.5, k - 1)
    tails = step_down.step_down_tails(differences, z, one_sided=one_sided)
    x = np.linspace(-9.0, 9.0, 4001)
    want = np.empty(k - 1)
    for j, point in enumerate(z):
        reach = math.sqrt(2.0) * point
        inside = norm.cdf(x + reach) - (0.0 if one_sided else norm.cdf(x - reach))
        want[j] = 1.0 - np.trapezoid(norm.pdf(x) * inside ** (j + 1), x)
    want = np.maximum.accumulate(want[::-1])[::-1]
    assert_allclose(tails, want, rtol=0, atol=6e-3)


@pytest.mark.parametrize("k", [4, 17])  # 136 pairs: more than are multiplied as rows
def test_the_largest_of_all_pairs_of_independent_models_is_their_range(k):
    largest = largest_statistic(differences_of_models(np.eye(k), *np.triu_indices(k, 1)))
    points = np.array([1.5, 2.5, 3.0, 3.5])
    want = studentized_range.sf(points * math.sqrt(2.0), k, np.inf)
    assert_allclose([largest.tail(point) for point in points], want, rtol=0, atol=3e-3)
    many = np.resize(points, 200)  # between nodes
    assert_allclose(largest.tails(many), np.resize(want, 200), rtol=0, atol=3e-3)


@pytest.mark.parametrize("seed", range(12))
def test_step_down_rejections_are_those_by_all_directions(seed):
    rng, alpha = np.random.default_rng(seed), 0.05
    k = int(rng.integers(3, 6))
    root = rng.normal(size=(k, k + 2))
    pairs = differences_of_models(root @ root.T, *np.triu_indices(k, 1))
    z = rng.normal(1.0, 1.5, pairs.scale.size)
    remaining, rejected = np.ones(z.size, bool), np.zeros(z.size, bool)
    while remaining.any():
        point = largest_statistic(pairs.only(remaining), one_sided=True).point(alpha)
        beyond = remaining & (z >= point)
        if not beyond.any():
            break
        rejected |= beyond
        remaining &= ~beyond
        if seed % 3 == 0:  # one that is nearly at the next critical value needs them all
            left = np.flatnonzero(remaining)
            if left.size:
                point = largest_statistic(pairs.only(remaining), one_sided=True).point(alpha)
                z[left[0]] = point - 1e-3
    assert_array_equal(step_down.step_down_rejections(pairs, z, alpha), rejected)
