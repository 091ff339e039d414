import math

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ndtri

import fastcompare as fc
from fastcompare._inference.pvalues import student_pvalue
from tests.shared.documents import T2
from tests.shared.golden_files import PROC_PAIRS


def test_the_second_worked_example_as_two_samples_in_delong_unpaired_test():
    """FORMULAS: unpaired AUCs, T2 (pROC's degrees of freedom)."""
    result = fc.delong_unpaired_test(T2["y"], T2["a"], T2["y"], T2["b"])
    assert_allclose(result.statistic, 1.351409, rtol=1e-6)
    assert_allclose(result.df, 13.72695, rtol=1e-6)
    assert_allclose(result.pvalue, 0.1984167, rtol=1e-6)


@pytest.mark.parametrize("case", PROC_PAIRS, ids=str)
def test_agrees_with_proc_in_delong_unpaired_test(case):
    """R 4.2.2, pROC 1.18.0: roc.test(method = "delong", paired = FALSE)."""
    result = fc.delong_unpaired_test(case.y, case.a, case.y, case.b)
    want = case.expected["unpaired"]
    assert_allclose(result.statistic, want["d"], rtol=1e-9)
    assert_allclose(result.df, want["df"], rtol=1e-9)
    assert_allclose(result.pvalue, want["p"], rtol=1e-9)


def test_swapping_the_samples_mirrors_the_result_in_delong_unpaired_test():
    y, a, b = T2.values()
    one = fc.delong_unpaired_test(y, a, y[::-1], b, alternative="greater", margin=0.1)
    two = fc.delong_unpaired_test(y[::-1], b, y, a, alternative="less", margin=0.1)
    assert one.estimate == -two.estimate
    assert_allclose(one.pvalue, two.pvalue, rtol=1e-14)


def test_the_interval_inverts_the_test_in_delong_unpaired_test():
    y, a, b = T2.values()
    result = fc.delong_unpaired_test(y, a, y, b)
    low, high = result.confidence_interval(1 - result.pvalue)
    assert_allclose(low, 0, atol=1e-12)
    assert_allclose(high, 2 * result.estimate, rtol=1e-12)


@pytest.mark.parametrize("t", [0.3, 5.0, 40.0, 1e6, 1e60])
@pytest.mark.parametrize("df", [1.0, 13.72695, 400.5, 1e6, 1e9])
def test_tails_of_student_against_mpmath(t, df):
    p = student_pvalue(t, df, "two-sided")
    with mpmath.workdps(50):
        x = mpmath.mpf(df) / (mpmath.mpf(df) + mpmath.mpf(t) ** 2)
        want = mpmath.betainc(mpmath.mpf(df) / 2, 0.5, 0, x, regularized=True)
        log_want = float(mpmath.log(want))
    assert_allclose(p.log_pvalue, log_want, rtol=1e-9)
    if float(want) > 1e-290:
        assert_allclose(p.pvalue, float(want), rtol=1e-9)


def test_degenerate_samples_in_delong_unpaired_test():
    perfect, constant = [1, 2, 3, 4], [1, 1, 1, 1]
    y = [0, 0, 1, 1]
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        result = fc.delong_unpaired_test(y, perfect, y, constant)
    assert (result.statistic, result.status) == (np.inf, "zero_variance")
    assert np.isnan(result.pvalue)
    assert np.isnan(result.confidence_interval()).all()
    with pytest.warns(fc.UndefinedResultWarning, match="perfect_separation"):
        result = fc.delong_unpaired_test(y, perfect, y, perfect)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)
    with pytest.warns(fc.UndefinedResultWarning, match="constant_scores"):
        flat = fc.delong_unpaired_test(y, constant, y, constant)
    assert flat.pvalue == 1.0
    np.testing.assert_allclose(flat.confidence_interval().high, 1 - 0.025**0.5)  # two pairs each
    with pytest.warns(fc.UndefinedResultWarning, match="too_few"):
        assert np.isnan(fc.delong_unpaired_test(y, perfect, [0, 1, 1], [1, 2, 3]).pvalue)


def separated(m, n):
    """Return labels and scores of so many positives and negatives that no model confuses."""
    return [1] * m + [0] * n, [*range(100, 100 + m), *range(n)]


def test_a_claim_of_sets_without_errors_rests_on_their_smallest_classes_in_delong_unpaired_test():
    claim = {"alternative": "greater", "margin": 0.3, "on_undefined": "ignore"}
    small = fc.delong_unpaired_test(*separated(5, 6), *separated(5, 6), **claim)
    mixed = fc.delong_unpaired_test(*separated(5, 12), *separated(9, 6), **claim)
    large = fc.delong_unpaired_test(*separated(9, 12), *separated(9, 12), **claim)
    assert mixed.pvalue == small.pvalue > large.pvalue > 0.0


@pytest.mark.parametrize(("m", "status"), [(19, "small_sample"), (20, "ok")])
def test_twenty_cases_of_a_class_are_enough_in_delong_unpaired_test(m, status):
    rng = np.random.default_rng(m)
    sets = [([1] * count + [0] * 40, rng.normal(size=count + 40)) for count in (m, 30)]
    assert fc.delong_unpaired_test(*sets[0], *sets[1]).status == status


def scored(rng, m, n, auc):
    """Labels and scores of a set of cases."""
    y = np.repeat([1, 0], (m, n))
    return y, rng.normal(size=m + n) + math.sqrt(2.0) * ndtri(auc) * y


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_a_small_set_and_a_large_one_are_compared_by_mover_of_their_score_intervals(alternative):
    """Zou and Donner (2008), equation 2, of the intervals that roc_auc_interval gives."""
    rng = np.random.default_rng(3)
    one, two = scored(rng, 6, 8, 0.95), scored(rng, 60, 80, 0.7)
    result = fc.delong_unpaired_test(*one, *two, alternative=alternative)
    assert (
        result.pvalue
        == fc.delong_unpaired_test(*one, *two, alternative=alternative, reference="score").pvalue
    )
    level = 1.0 - result.pvalue if alternative == "two-sided" else abs(1.0 - 2.0 * result.pvalue)
    first, second = (fc.roc_auc_interval(*each, method="score") for each in (one, two))
    (l1, u1), (l2, u2) = (each.confidence_interval(level) for each in (first, second))
    gap = first.estimate - second.estimate
    assert gap > 0.0
    assert_allclose(math.hypot(first.estimate - l1, u2 - second.estimate), gap, rtol=1e-9)
    low, high = result.confidence_interval(1.0 - result.pvalue)
    if alternative != "less":
        assert_allclose(low, 0.0, atol=1e-9)
    if alternative == "two-sided":
        assert_allclose(high, gap + math.hypot(u1 - first.estimate, second.estimate - l2))


def test_mover_is_antisymmetric_and_takes_margins_in_delong_unpaired_test():
    rng = np.random.default_rng(5)
    one, two = scored(rng, 5, 9, 0.9), scored(rng, 50, 90, 0.85)
    claim = {"alternative": "greater", "margin": 0.3}
    there = fc.delong_unpaired_test(*one, *two, **claim)
    back = fc.delong_unpaired_test(*two, *one, **{**claim, "alternative": "less"})
    assert_allclose(there.pvalue, back.pvalue, rtol=1e-12)
    assert there.method == "MOVER of score intervals"
    low = there.confidence_interval(1.0 - there.pvalue).low
    assert_allclose(low, -0.3, atol=1e-9)


@pytest.mark.parametrize("reference", ["auto", "score", "welch", "t"])
def test_one_set_of_one_class_leaves_a_difference_undefined(reference):
    options = {"reference": reference, "on_undefined": "ignore"}
    both, one = (T2["y"], T2["a"]), (np.ones(len(T2["y"]), int), T2["b"])
    for sets in ((both, one), (one, both)):
        result = fc.delong_unpaired_test(*sets[0], *sets[1], **options)
        assert (result.status, np.isnan(result.auc).sum()) == ("one_class", 1)
        assert np.isnan([result.estimate, result.pvalue, *result.confidence_interval()]).all()
        assert "a difference of undefined" in str(result)
        assert "cannot be compared with 'b' (difference undefined" in result.gate("worse").summary()


@pytest.mark.parametrize("beside", [-1.0, 0.0, 1.0])
def test_a_null_value_within_rounding_of_the_estimate_has_a_p_value_of_a_half(beside):
    rng = np.random.default_rng(1)
    options = {"reference": "score", "on_undefined": "ignore"}
    for _ in range(30):
        first, second = (([1] * 5 + [0] * 6, rng.integers(0, 4, 11)) for _ in "12")
        estimate = fc.delong_unpaired_test(*first, *second, **options).estimate
        margin = float(np.nextafter(abs(estimate), beside)) if beside else abs(estimate)
        claim = {"alternative": "less" if estimate > 0 else "greater", "margin": abs(margin)}
        test = fc.delong_unpaired_test(*first, *second, **claim, **options)
        assert math.isnan(estimate) or test.pvalue == pytest.approx(0.5, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("auc", [0.6, 0.8, 0.95])
def test_a_small_set_against_a_large_one_keeps_its_level_in_delong_unpaired_test(auc, requires_jit):
    """Welch's t rejects 15, 17 and 52% of these."""
    rng = np.random.default_rng(7)
    sets = [(scored(rng, 5, 5, auc), scored(rng, 50, 500, auc)) for _ in range(400)]
    options = {"on_undefined": "ignore"}
    rejected = [fc.delong_unpaired_test(*a, *b, **options).pvalue <= 0.05 for a, b in sets]
    assert np.mean(rejected) <= 0.06
