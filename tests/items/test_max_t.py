"""The largest statistic of all pairs: R's integrals, the studentized range, ranks by definition.

Golden numbers: tests/golden/items/k_models.json, by R's mvtnorm and csranks.
"""

import json
import math

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm, studentized_range, t

from fastcompare._inference.max_t import (
    differences_of_models,
    differences_of_rows,
    largest_statistic,
    length_tails,
    sphere_points,
)
from fastcompare._inference.rank_sets import (
    competition_ranks,
    joint_rank_sets,
    marginal_rank_set,
    significantly_better,
)
from fastcompare._inference.step_down import directed_rejections, step_down_tails
from tests.shared.golden_files import GOLDEN

CASES = json.loads((GOLDEN / "items" / "k_models.json").read_text())["cases"]
KINDS = {"minp": "cov_CR2", "normal": "cov_CR1", "t": "cov_CR1"}
PROBLEMS = [
    (case, kind) for case in CASES for kind in KINDS if f"all_pairs_{kind}" in case["expected"]
]
every_problem = pytest.mark.parametrize(
    ("case", "kind"), PROBLEMS, ids=[f"{case['id']}-{kind}" for case, kind in PROBLEMS]
)
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="many examples")


def problem(case, kind):
    """What R was given and found: covariance, z or t of all pairs, degrees of freedom, answers."""
    expected = case["expected"][f"all_pairs_{kind}"]
    covariance = np.array(case["expected"].get(KINDS[kind]) or case["inputs"]["covariance"])
    estimate = np.atleast_1d(expected["estimate"])
    z = np.copysign(np.atleast_1d(expected.get("z", expected["statistic"])), estimate)
    return covariance, z, expected.get("df", math.inf), expected


def pairs_of(covariance):
    return differences_of_models(covariance, *np.triu_indices(len(covariance), 1))


def drawn_covariance(k, seed, rank=None):
    rows = np.random.default_rng(seed).normal(size=(k, rank or 2 * k))
    return rows @ rows.T


@every_problem
def test_pvalues_and_critical_values_are_those_of_r(case, kind):
    covariance, z, df, expected = problem(case, kind)
    largest = largest_statistic(pairs_of(covariance), df=df)
    p, tolerance = largest.tails(np.abs(z)), max(5e-5, expected["integration_error"])
    assert_allclose(p, expected["p_single_step"], rtol=0, atol=tolerance)
    critical = expected.get("critical_z_95", expected.get("critical_value_95"))
    assert_allclose(largest.point(0.05), critical, rtol=0, atol=4e-3)
    exact = expected.get("exact", {})
    if exact:
        atol = 1e-8 if len(covariance) == 3 else 1e-6
        assert_allclose(p, exact["p_single_step"], rtol=0, atol=atol)
    if "critical_value_95" in exact:
        assert_allclose(largest.point(0.05), exact["critical_value_95"], rtol=0, atol=1e-5)


@pytest.mark.slow
@every_problem
def test_step_down_pvalues_are_those_of_r(case, kind):
    covariance, z, df, expected = problem(case, kind)
    p = step_down_tails(pairs_of(covariance), z, df=df)
    tolerance = max(5e-5, expected["integration_error"])
    assert_allclose(p, expected["p_step_down"], rtol=0, atol=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "kind"),
    [(c, k) for c, k in PROBLEMS if k != "t" and f"rank_sets_{k}" in c["expected"]],
    ids=lambda x: x if isinstance(x, str) else x["id"],
)
def test_rank_sets_are_those_of_csranks(case, kind):
    covariance, z, _, _ = problem(case, kind)
    expected, k = case["expected"][f"rank_sets_{kind}"], len(covariance)
    low, high = joint_rank_sets(significantly_better(z, pairs_of(covariance), 0.05, k))
    assert_array_equal(low, expected["joint_two_sided_stepdown"]["L"])
    assert_array_equal(high, expected["joint_two_sided_stepdown"]["U"])
    assert_array_equal(low <= 1, expected["tau_best_1"])
    assert_array_equal(low <= 2, expected["tau_best_2"])
    table = np.zeros((k, k))
    table[np.triu_indices(k, 1)] = z
    table -= table.T
    for alternative, side in (("two-sided", "two_sided"), ("less", "lower"), ("greater", "upper")):
        wanted = expected[f"marginal_{side}_stepdown"]
        sets = [marginal_rank_set(table[j], covariance, j, 0.05, alternative) for j in range(k)]
        assert_array_equal(sets, np.transpose([wanted["L"], wanted["U"]]))


def test_ranks_of_the_published_example():
    means, variances = np.array([10.0, 7.9, 7.5, 3.0]), np.diag([0.25, 0.16, 0.36, 0.09])
    first, second = np.triu_indices(4, 1)
    z = (means[first] - means[second]) / np.sqrt(
        np.diag(variances)[first] + variances[second, second]
    )
    better = significantly_better(z, pairs_of(variances), 0.05, 4)
    low, high = joint_rank_sets(better)
    assert_array_equal((low, high), ([1, 2, 2, 4], [1, 3, 3, 4]))
    assert_array_equal(low <= 2, [True, True, True, False])
    assert_array_equal(competition_ranks(means), [1, 2, 3, 4])
    assert_array_equal(competition_ranks(np.array([1.0, 3.0, 3.0, 2.0])), [4, 1, 1, 3])


@pytest.mark.parametrize(("k", "df"), [(3, 5), (4, math.inf), (6, 9)])
def test_independent_models_have_the_studentized_range(k, df):
    point = largest_statistic(pairs_of(np.eye(k)), df=df).point(0.05)
    covered = studentized_range.cdf(point * math.sqrt(2.0), k, df)
    assert_allclose(covered, 0.95, rtol=0, atol=2e-5)


@pytest.mark.parametrize("rank", [2, 3, 4, 5, 8, 11])
def test_directions_fill_the_sphere(rank):
    u = sphere_points(np.arange(1 << 14), 1 << 14, rank)
    assert_allclose(np.square(u).sum(axis=0), 1.0, rtol=1e-12)
    assert_allclose(u @ u.T / u.shape[1], np.eye(rank) / rank, rtol=0, atol=2e-3)
    assert_allclose(u.mean(axis=1), 0.0, rtol=0, atol=3e-3)
    fourth = np.mean(u**4, axis=1)
    assert_allclose(fourth, 3.0 / (rank * (rank + 2.0)), rtol=0.02)


def test_two_models_have_the_pvalue_of_their_pair():
    pair = pairs_of(np.array([[2.0, 0.5], [0.5, 1.0]]))
    z = np.array([0.0, 0.3, 2.0, 12.0, 37.0])
    assert_allclose(largest_statistic(pair).tails(z), 2 * norm.sf(z), rtol=1e-12)
    assert_allclose(largest_statistic(pair, df=3).tails(z), 2 * t.sf(z, 3), rtol=1e-10)
    one = largest_statistic(pair, one_sided=True)
    assert_allclose(one.tails(np.array([-1.0, 0.0, 2.0])), norm.sf([-1.0, 0.0, 2.0]), rtol=1e-12)


@pytest.mark.slow
@compiled
@settings(deadline=None, max_examples=15)
@given(k=st.integers(3, 6), seed=st.integers(0, 99), rank=st.integers(1, 6), one=st.booleans())
def test_points_and_tails_invert_each_other_within_bonferroni(k, seed, rank, one):
    covariance = drawn_covariance(k, seed, rank)
    largest = largest_statistic(pairs_of(covariance), one_sided=one)
    point = largest.point(0.05)
    single, all_pairs = (norm.isf(0.05 / times / (1 if one else 2)) for times in (1, largest.count))
    assert single - 1e-9 <= point <= all_pairs + 1e-9
    if point > single + 1e-3:
        assert_allclose(largest.tail(point), 0.05, rtol=1e-6)
    rows = differences_of_rows(pairs_of(covariance).rows())  # the same differences, as rows
    assert_allclose(largest_statistic(rows, one_sided=one).point(0.05), point, rtol=0, atol=2e-3)


@pytest.mark.slow
@compiled
@settings(deadline=None, max_examples=5)
@given(k=st.integers(2, 6), seed=st.integers(0, 99))
def test_step_down_is_between_one_test_and_a_single_step(k, seed):
    covariance = drawn_covariance(k, seed)
    pairs = pairs_of(covariance)
    z = 2.0 * np.random.default_rng(seed).normal(size=pairs.scale.size)
    stepped, single = step_down_tails(pairs, z), largest_statistic(pairs).tails(np.abs(z))
    assert (stepped >= 2 * norm.sf(np.abs(z)) - 1e-4).all()
    assert (stepped <= single + 3e-4).all()
    told = directed_rejections(pairs, z, 0.05)
    assert not (told & (stepped > 0.051)).any()  # telling signs needs no less
    assert told[single < 0.049].all()


@pytest.mark.slow
@pytest.mark.usefixtures("requires_jit")
@pytest.mark.parametrize("k", [30])
def test_many_models_have_the_studentized_range_within_the_error_of_draws(k):
    pairs = pairs_of(np.eye(k))
    largest, z = largest_statistic(pairs), np.linspace(3.0, 5.0, k * (k - 1) // 2)
    few = slice(0, None, 200)
    wanted = studentized_range.sf(z[few] * math.sqrt(2.0), k, math.inf)
    error = np.array([largest.error(point) for point in z[few].tolist()])
    assert (np.abs(largest.tails(z)[few] - wanted) <= 4.0 * error + 1e-6).all()
    stepped = step_down_tails(pairs, z)
    assert_allclose(stepped[-1], studentized_range.sf(5.0 * math.sqrt(2.0), k, math.inf), atol=3e-3)
    assert (np.diff(stepped) <= 0.0).all()


def test_models_that_do_not_differ_are_left_out():
    assert largest_statistic(pairs_of(np.ones((3, 3)))) is None
    assert largest_statistic(pairs_of(np.full((3, 3), math.nan))) is None
    covariance = np.ones((3, 3))
    covariance[2, 2] = 2.0
    largest = largest_statistic(pairs_of(covariance))  # models 1 and 2 are the same one
    assert (largest.count, largest.rank) == (2, 1)
    z = np.array([math.nan, 3.0, 3.0])
    assert_array_equal(directed_rejections(pairs_of(covariance), z, 0.05), [False, True, True])
    assert_allclose(step_down_tails(pairs_of(covariance), z)[1:], 2 * norm.sf(3.0), rtol=1e-9)


def test_lengths_have_the_tails_of_chi_and_of_f():
    assert_allclose(length_tails(np.array([2.0]), 1, math.inf), 2 * norm.sf(2.0), rtol=1e-12)
    assert_allclose(length_tails(np.array([2.0]), 1, 7.0), 2 * t.sf(2.0, 7.0), rtol=1e-12)
