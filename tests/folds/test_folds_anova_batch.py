"""Repeated-measures ANOVA of many tables: equal to single ones, and the levels that it holds."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from fastcompare import kernels
from tests.reference.anova import SIZES, SPHERICITY


@pytest.mark.parametrize("sphericity", SPHERICITY)
@pytest.mark.parametrize("k", [2, 4])
def test_a_batch_is_many_single_tests(sphericity, k):
    tables = np.random.default_rng(6).normal(size=(30, 7, k))
    kept = tables.copy()
    batch = fc.rm_anova_batch(tables, sphericity=sphericity, n_jobs=2, **SIZES)
    for b, table in enumerate(tables):
        one = fc.rm_anova_test(table, sphericity=sphericity, **SIZES)
        assert batch.statistic[b] == one.statistic
        assert_allclose(batch.pvalue[b], one.pvalue, rtol=1e-14)
        assert_allclose(batch.log_pvalue[b], one.log_pvalue, rtol=1e-12, atol=1e-14)
        assert batch.epsilon.greenhouse_geisser[b] == one.epsilon.greenhouse_geisser
        assert batch.epsilon.huynh_feldt[b] == one.epsilon.huynh_feldt
        assert batch.partial_eta2[b] == one.partial_eta2
    assert_array_equal(tables, kept)
    lists = fc.rm_anova_batch(tables.tolist(), sphericity=sphericity, **SIZES)
    assert_array_equal(lists.pvalue, batch.pvalue)


def test_many_blocks_give_the_same_bits_on_any_number_of_threads(monkeypatch):
    monkeypatch.setattr("fastcompare.folds._anova.BLOCK", 64)
    tables = np.random.default_rng(7).normal(size=(40, 6, 3))
    one, two = (fc.rm_anova_batch(tables, n_jobs=jobs) for jobs in (1, 2))
    assert_array_equal(one.pvalue, two.pvalue)
    assert_array_equal(one.statistic[7], fc.rm_anova_test(tables[7]).statistic)


def test_a_batch_names_the_problems_that_are_undefined_in_rm_anova_batch():
    tables = np.random.default_rng(8).normal(size=(5, 4, 3))
    tables[3] = [1, 2, 3]
    tables[1] = 0.5
    with pytest.warns(fc.UndefinedResultWarning, match="1 of 5 tables, the first is 3"):
        result = fc.rm_anova_batch(tables)
    assert math.isnan(result.pvalue[3])
    assert (result.statistic[1], result.pvalue[1]) == (0.0, 1.0)


@pytest.mark.slow
def test_the_kernel_runs_in_code_of_the_user_in_rm_anova_batch(requires_jit):
    import numba

    @numba.njit
    def largest(tables):
        best = 0.0
        for table in tables:
            best = max(best, kernels.rm_anova(table)[0])
        return best

    tables = np.random.default_rng(9).normal(size=(10, 5, 3))
    assert largest(tables) == fc.rm_anova_batch(tables).statistic.max()


def rejections(tables, **options):
    return float((fc.rm_anova_batch(tables, **options).pvalue < 0.05).mean())


def test_only_corrected_degrees_of_freedom_hold_the_level_without_sphericity(requires_jit):
    """The last of four models varies five times as much as the others."""
    rng = np.random.default_rng(10)
    tables = rng.normal(size=(4000, 12, 4)) * [1, 1, 1, 5]
    assert rejections(tables, sphericity="none") > 0.075
    for sphericity in ("auto", "greenhouse-geisser"):
        assert abs(rejections(tables, sphericity=sphericity) - 0.05) < 0.014
    assert rejections(tables, sphericity="lower-bound") < 0.05
    spherical = rng.normal(size=(4000, 12, 4))
    for sphericity in ("none", "huynh-feldt"):
        assert abs(rejections(spherical, sphericity=sphericity) - 0.05) < 0.014


@pytest.mark.slow
def test_the_corrected_f_holds_the_level_where_rounds_correlate_in_rm_anova_batch():
    """Scores of any two rounds correlate by n_test / (n_train + n_test), as Nadeau and Bengio say.

    Each model's scores share a part, which a larger number of rounds does not average out.
    """
    rng = np.random.default_rng(11)
    shared, own = rng.normal(size=(4000, 1, 3)), rng.normal(size=(4000, 15, 3))
    tables = math.sqrt(0.1) * shared + math.sqrt(0.9) * own
    level = rejections(tables, sphericity="none", n_train=90, n_test=10)
    assert abs(level - 0.05) < 0.014
    assert rejections(tables, sphericity="none") > 0.2
