"""AUCs of several classes on clustered cases."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc

QUIET = {"on_undefined": "ignore"}


def drawn(seed, sizes, c=3, *, spread=0.5):
    """Labels, scores of two equally good models, and clusters."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    labels = rng.integers(0, c, groups.size)
    own = np.eye(c)[labels] + rng.normal(size=(2, groups.size, c))
    return labels, own + spread * rng.normal(size=(2, len(sizes), c))[:, groups], groups


def test_two_classes_are_delong_s_test_of_clusters():
    labels, (a, b), groups = drawn(1, [3, 9, 4, 5, 7, 7, 2, 8, 12, 6], 2)
    a[:, 0], b[:, 0] = -a[:, 1], -b[:, 1]
    options = {"groups": groups, "classes": [0, 1]} | QUIET
    found = fc.multiclass_auc_test(labels, a, b, **options)
    want = fc.delong_test(labels, a[:, 1], b[:, 1], groups=groups, **QUIET)
    for name in ("estimate", "standard_error", "statistic", "df", "pvalue"):
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-9, err_msg=name)
    assert_allclose(found.confidence_interval(), want.confidence_interval(), rtol=1e-9)


@pytest.mark.parametrize("average", ["hand-till", "ovr", "ovo-weighted", "ovr-weighted"])
def test_clusters_of_one_case_give_the_plain_error_in_multiclass_auc_test(average):
    labels, (a, b), _ = drawn(2, [1] * 80)
    options = {"average": average}
    plain = fc.multiclass_auc_test(labels, a, b, **options)
    found = fc.multiclass_auc_test(labels, a, b, groups=np.arange(80), **options)
    assert_allclose(found.standard_error, plain.standard_error, rtol=1e-10)
    assert_allclose(found.covariance, plain.covariance, rtol=1e-10)
    assert np.isinf(plain.df)
    assert 20 < found.df < 78  # Satterthwaite's of three classes
    assert_allclose(found.pvalue, 2 * stats.t.sf(abs(found.statistic), found.df))


def test_swapping_the_models_negates_and_alike_models_do_not_differ_in_multiclass_auc_test():
    labels, (a, b), groups = drawn(3, [4] * 12)
    one = fc.multiclass_auc_test(labels, a, b, groups=groups)
    other = fc.multiclass_auc_test(labels, b, a, groups=groups)
    assert_allclose((one.statistic, one.pvalue), (-other.statistic, other.pvalue), rtol=1e-10)
    assert np.isfinite(one.df)
    same = fc.multiclass_auc_test(labels, a, a, groups=groups)
    assert (same.statistic, same.pvalue, same.status) == (0.0, 1.0, "identical")


def test_few_clusters_are_told_in_multiclass_auc_test():
    labels, (a, b), groups = drawn(4, [12] * 4)
    with pytest.warns(fc.SmallSampleWarning, match="^few_clusters"):
        fc.multiclass_auc_test(labels, a, b, groups=groups)
    groups = np.where(labels == 0, 0, groups)
    with pytest.warns(fc.UndefinedResultWarning, match="^too_few_clusters"):
        found = fc.multiclass_auc_test(labels, a, b, groups=groups)
    assert np.isnan([found.pvalue, found.standard_error]).all()
    with pytest.raises(fc.InvalidValueError, match="`method` must be 'delong' with `groups`"):
        fc.multiclass_auc_test(labels, a, b, groups=groups, method="bca")


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[10] * 10, [90, *[10] * 9]])
def test_levels_hold_whatever_the_sizes_in_multiclass_auc_test(sizes, requires_jit):
    rejected = 0
    for seed in range(120):
        labels, (a, b), groups = drawn(seed, sizes, spread=0.6)
        found = fc.multiclass_auc_test(labels, a, b, groups=groups, **QUIET)
        rejected += found.pvalue <= 0.05
    assert rejected / 120 < 0.12
