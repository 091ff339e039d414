"""The studentized permutation test of two AUCs against its definition, and its interval."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import fastcompare as fc
from tests.reference import auc as reference
from tests.reference import permutation as permutations
from tests.shared.documents import T2
from tests.shared.strategies import scored_cases

ALTERNATIVES = ("two-sided", "greater", "less")
STUDENTIZED = {"method": "studentized", "on_undefined": "ignore"}


def ratios(labels, a, b):
    """D* / SE* after every set of exchanges, by DeLong's covariance of the exchanged ranks."""
    for x, y in permutations.exchanges(labels, a, b):
        auc, covariance = reference.delong(labels, [x, y])
        difference = auc[0] - auc[1]
        variance = covariance[0][0] + covariance[1][1] - 2 * covariance[0][1]
        if difference and not variance:
            yield math.copysign(math.inf, difference)
        else:
            yield float(difference) / math.sqrt(variance) if variance else 0.0


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(case=scored_cases(largest=8))
def test_the_pvalue_is_the_share_of_all_exchanges_as_extreme_in_permutation_auc_test(case):
    labels, (a, b) = case
    if min(labels.sum(), (1 - labels).sum()) < 2:
        return
    values = np.array(list(ratios(labels, a, b)))
    for alternative in ALTERNATIVES:
        found = fc.permutation_auc_test(labels, a, b, alternative=alternative, **STUDENTIZED)
        side = {"two-sided": abs(values), "less": -values}.get(alternative, values)
        near = 1e-9 * abs(side[0]) if math.isfinite(side[0]) else 0.0
        assert_allclose(found.pvalue, np.mean(side >= side[0] - near), rtol=1e-12)
        assert found.exact


@pytest.mark.slow
def test_the_worked_example():
    found = fc.permutation_auc_test(*T2.values(), method="studentized")
    plain = fc.delong_test(*T2.values(), on_undefined="ignore")
    assert_allclose(found.statistic, plain.statistic, rtol=1e-14)
    assert_allclose(found.standard_error, plain.standard_error, rtol=1e-14)
    assert found.pvalue == 0.046875
    assert "95% CI 0.0002 to 0.4522; studentized permutation test, exact" in found.summary()
    assert found.to_dict()["confidence_interval"] == list(found.confidence_interval())


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("exact", [True, False])
def test_zero_is_outside_of_the_interval_exactly_if_the_test_rejects_in_permutation_auc_test(
    alternative, exact, requires_jit
):
    rng = np.random.default_rng(1)
    for trial in range(20):
        y = np.arange(14) % 2
        a, b = rng.normal(size=(2, 14)).round(1) + np.outer((0.3 * (trial % 4), 1), y)
        options = {"alternative": alternative, "n_resamples": 199, "rng": trial, **STUDENTIZED}
        found = fc.permutation_auc_test(y, a, b, exact=exact, **options)
        for level in (0.5, 0.9, 0.95, 1 - found.pvalue, 1 - found.pvalue - 1e-9):
            if 0 < level < 1:
                low, high = found.confidence_interval(level)
                assert (found.pvalue <= 1 - level + 1e-12) == (not low < 0 < high)


def test_swapped_models_mirror_the_interval_and_keep_the_pvalue(requires_jit):
    rng = np.random.default_rng(2)
    y = np.arange(60) % 2
    a, b = rng.normal(size=(2, 60)) + y
    options = {"n_resamples": 499, "rng": 3, **STUDENTIZED}
    one, two = (fc.permutation_auc_test(y, *pair, **options) for pair in ((a, b), (b, a)))
    assert one.pvalue == two.pvalue
    low, high = two.confidence_interval()
    assert_allclose(one.confidence_interval(), (-high, -low), rtol=1e-12)


@pytest.mark.slow
def test_many_cases_agree_with_delong(requires_jit):
    rng = np.random.default_rng(4)
    y = np.arange(600) % 2
    a, b = rng.normal(size=(2, 600)) + np.outer((1.0, 1.3), y)
    found = fc.permutation_auc_test(y, a, b, method="studentized", rng=0, keep=True)
    plain = fc.delong_test(y, a, b)
    assert_allclose(found.pvalue, plain.pvalue, atol=0.006)
    assert_allclose(found.confidence_interval(), plain.confidence_interval(), atol=0.002)
    assert_allclose(np.std(found.distribution), 1.0, atol=0.03)


@pytest.mark.slow
def test_equal_and_degenerate_models_follow_the_conventions(requires_jit):
    y = np.arange(20) % 2
    a = np.random.default_rng(5).normal(size=20) + y
    same = fc.permutation_auc_test(y, a, 2 * a, method="studentized")
    assert (same.statistic, same.pvalue, same.status) == (0.0, 1.0, "identical")
    assert_allclose(same.confidence_interval(), fc.delong_test(y, a, a).confidence_interval())
    with pytest.warns(fc.UndefinedResultWarning, match="^no_interval"):
        apart = fc.permutation_auc_test(y, y, 0 * a, method="studentized", rng=0)
    assert (apart.statistic, apart.status) == (math.inf, "no_interval")
    assert 0 < apart.pvalue < 0.01
    assert np.isnan(apart.confidence_interval()).all()
    with pytest.warns(fc.UndefinedResultWarning, match="too_few"):
        one = fc.permutation_auc_test([1, 0, 0], [1, 2, 3], [2, 1, 3], method="studentized")
    assert (one.status, math.isnan(one.pvalue)) == ("too_few", True)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auc", "venkatraman"])
def test_other_permutation_tests_have_no_interval_in_permutation_auc_test(method):
    found = fc.permutation_auc_test(*T2.values(), method=method)
    with pytest.raises(fc.InvalidValueError, match="needs method='studentized'"):
        found.confidence_interval()
    assert "confidence_interval" not in found.to_dict()


def test_too_few_replicates_give_the_whole_range_in_permutation_auc_test(requires_jit):
    y = np.arange(40) % 2
    a, b = np.random.default_rng(6).normal(size=(2, 40)) + y
    found = fc.permutation_auc_test(y, a, b, n_resamples=9, rng=0, **STUDENTIZED)
    assert found.confidence_interval() == (-1.0, 1.0)


def test_too_few_cases_leave_the_difference_of_the_aucs_in_permutation_auc_test():
    one = fc.permutation_auc_test([1, 0], [2, 1], [1, 2], **STUDENTIZED)
    assert (one.estimate, one.auc.tolist()) == (1.0, [1.0, 0.0])
    assert math.isnan(one.standard_error)


def test_where_all_exchanges_are_counted_no_more_are_asked_for(requires_jit):
    found = fc.permutation_auc_test([1, 1, 0, 0], [4, 2, 3, 1], [1, 2, 4, 3], **STUDENTIZED)
    assert found.exact
    with pytest.warns(fc.UndefinedResultWarning, match="few_replicates: .*: there are no more"):
        assert found.confidence_interval() == (-1.0, 1.0)
