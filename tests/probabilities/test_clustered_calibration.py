"""Recalibration of cases in clusters: against matrices, statsmodels, and its null distribution."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit, logit
from scipy.stats import norm
from scipy.stats import t as student

import fastcompare as fc
from fastcompare._inference.clusters import cluster_df


def clustered(seed=0, sizes=(3, 9, 4, 12, 7, 5, 8, 6), shared=0.5):
    """Return labels of calibrated probabilities that correlate within clusters."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    p = expit(rng.normal(0.0, 1.0, groups.size))
    common = rng.normal(size=len(sizes))[groups]
    hidden = math.sqrt(shared) * common + math.sqrt(1.0 - shared) * rng.normal(size=groups.size)
    return (norm.cdf(hidden) < p).astype(int), p, groups


def test_the_statistic_is_the_generalised_score_test_in_calibration_test():
    y, p, groups = clustered()
    scores = (y - p)[:, None] * np.stack((np.ones(p.size), logit(p)), 1)
    sums = np.array([scores[groups == g].sum(axis=0) for g in range(8)])
    total = sums.sum(axis=0)
    want = total @ np.linalg.inv(sum(np.outer(s, s) for s in sums)) @ total
    result = fc.calibration_test(y, p, groups=groups)
    assert_allclose(result.statistic, want, rtol=1e-9)
    assert (result.df, result.design) == (2, "clusters")
    assert_allclose(result.pvalue, math.exp(-0.5 * want), rtol=1e-9)
    sizes = np.bincount(groups)
    assert_allclose(result.df_clusters, cluster_df(sizes))
    low, high = result.confidence_interval()
    reach = student.isf(0.025, cluster_df(sizes)) * result.standard_error
    assert_allclose(high - low, 2 * reach, rtol=1e-9)


def test_errors_are_the_sandwich_of_other_software_in_calibration_test():
    """statsmodels weighs all clusters by G / (G - 1), which for equal sizes is CR2's factor."""
    sm = pytest.importorskip("statsmodels.api")
    y, p, groups = clustered(3, (8,) * 9)
    fit = sm.Logit(y, sm.add_constant(logit(p))).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    result = fc.calibration_test(y, p, groups=groups)
    assert_allclose((result.intercept, result.slope), fit.params, rtol=1e-8)
    assert_allclose(result.covariance, fit.cov_params() * 9 / 8, rtol=1e-6)
    large = sm.GLM(y, np.ones(y.size), family=sm.families.Binomial(), offset=logit(p)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    error = large.bse[0] * math.sqrt(9 / 8)
    assert_allclose(result.standard_error_in_the_large, error, rtol=1e-6)


def test_order_and_names_of_clusters_do_not_count_in_calibration_test():
    y, p, groups = clustered(1)
    result = fc.calibration_test(y, p, groups=groups)
    order = np.random.default_rng(2).permutation(y.size)
    again = fc.calibration_test(
        y[order], p[order], groups=np.array(list("qwertyui"))[groups[order]]
    )
    assert_allclose(again.statistic, result.statistic, rtol=1e-10)
    assert_allclose(again.standard_error, result.standard_error, rtol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(("g", "size"), [(10, 8), (30, 5)])
def test_calibrated_probabilities_are_rejected_as_often_as_stated(g, size, requires_jit):
    found = np.array(
        [
            [
                fc.calibration_test(y, p, groups=groups, on_undefined="ignore").pvalue,
                fc.calibration_test(y, p, on_undefined="ignore").pvalue,
            ]
            for y, p, groups in (clustered(seed, (size,) * g) for seed in range(400))
        ]
    )
    ours, naive = (found <= 0.05).mean(axis=0)
    assert ours <= 0.08
    assert naive > 0.1


def test_clusters_that_are_too_few_say_so_in_calibration_test():
    y, p, groups = clustered(4, (9,) * 6)
    few = fc.calibration_test(y, p, groups=groups)
    assert few.status == "few_clusters"
    assert few.pvalue > 0.0497  # chi-squared is at most 6
    with pytest.warns(fc.UndefinedResultWarning, match="too_few_clusters"):
        result = fc.calibration_test(  # the scores of the second cluster sum to 0
            [0, 1, 1, 0, 1, 0], [0.2, 0.6, 0.3, 0.7, 0.5, 0.5], groups=[1, 1, 1, 1, 2, 2]
        )
    assert math.isnan(result.pvalue)
    with pytest.raises(ValueError, match="`groups`"):
        fc.calibration_test(y, p, groups=groups[1:])


def test_the_sentence_names_the_test_in_calibration_test():
    y, p, groups = clustered()
    text = fc.calibration_test(y, p, groups=groups).summary()
    assert "score test for clusters of intercept 0 and slope 1: chi2(2)" in text
