import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from tests.reference import auc as reference
from tests.shared.documents import T1, T2
from tests.shared.golden_files import PROC_PAIRS
from tests.shared.strategies import scored_cases

SWAPPED = {
    "two-sided": "two-sided",
    "less": "greater",
    "greater": "less",
    "equivalence": "equivalence",
}


def quiet(y, a, b, **options):
    return fc.delong_test(y, a, b, on_undefined="ignore", **options)


def test_the_first_worked_example_in_delong_test():
    result = fc.delong_test(T1["y"], T1["a"], T1["b"], reference="normal")
    assert result.auc.tolist() == [1.0, 2 / 3]
    assert result.covariance.tolist() == [[0.0, 0.0], [0.0, 1 / 9]]
    assert result.statistic == 1.0
    assert_allclose(result.pvalue, 0.31731050786291410283, rtol=1e-15)
    assert result.status == "small_sample"


def test_the_second_worked_example_in_delong_test():
    """FORMULAS: paired z and DeLong covariance, T2."""
    result = fc.delong_test(T2["y"], T2["a"], T2["b"], reference="normal")
    assert_allclose(result.auc, [0.9642857, 0.7380952], rtol=1e-7)
    assert_allclose(result.covariance[0], [0.001889645, 0.004856387], rtol=1e-6)
    assert_allclose(result.covariance[1, 1], 0.02612434, rtol=1e-6)
    assert_allclose(result.standard_error, 0.13528196, rtol=1e-7)
    assert_allclose(result.statistic, 1.6719929, rtol=1e-7)
    assert_allclose(result.pvalue, 0.09452573, rtol=1e-7)
    assert_allclose(result.confidence_interval(), (-0.0389573, 0.491338), rtol=1e-5)
    assert fc.delong_test(T2["y"], T2["b"], T2["a"], reference="normal").pvalue == result.pvalue


def test_margins_as_in_the_formulas_in_delong_test():
    """FORMULAS: margin, TOST, T2 (Schuirmann 1987)."""
    y, a, b = T2.values()
    greater = fc.delong_test(y, a, b, alternative="greater", margin=0.05, reference="normal")
    assert_allclose([greater.statistic, greater.pvalue], [2.04159, 0.020596], rtol=2e-5)
    equivalent = fc.delong_test(y, a, b, alternative="equivalence", margin=0.4, reference="normal")
    assert_allclose(equivalent.pvalue, 0.099432, rtol=1e-5)
    less = fc.delong_test(y, b, a, alternative="less", margin=0.05, reference="normal")
    assert_allclose(less.pvalue, greater.pvalue, rtol=1e-15)


@pytest.mark.parametrize("case", PROC_PAIRS, ids=str)
def test_agrees_with_proc_in_delong_test(case):
    """R 4.2.2, pROC 1.18.0: roc.test(method = "delong", paired = TRUE) and ci.auc."""
    result = fc.delong_test(case.y, case.a, case.b, reference="normal")
    want = case.expected
    assert_allclose(result.statistic, want["z"], rtol=1e-9)
    assert_allclose(result.pvalue, want["p"], rtol=1e-9)
    assert_allclose(result.covariance[0, 1], want["cov_delong"], rtol=1e-9, atol=1e-18)
    assert_allclose(result.confidence_interval(), want["conf_int_95"], rtol=1e-9)
    for alternative in ("less", "greater"):
        one_sided = fc.delong_test(
            case.y, case.a, case.b, alternative=alternative, reference="normal"
        )
        assert_allclose(one_sided.pvalue, want[f"p_{alternative}"], rtol=1e-9)


@pytest.mark.slow
def test_every_pair_of_tie_patterns_of_four_cases_is_exact():
    """Every number is the exact fraction, rounded once."""
    orders = list(reference.weak_orders(4))
    for labels in reference.label_patterns(4):
        for ranks_a in orders:
            for ranks_b in orders[hash(ranks_a) % 7 :: 7]:
                check_exact(labels, ranks_a, ranks_b)


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 6, 7])
def test_sampled_pairs_of_patterns_are_exact(n):
    rng = np.random.default_rng(n)
    patterns = list(reference.label_patterns(n))
    for _ in range(200):
        labels = patterns[rng.integers(len(patterns))]
        check_exact(labels, *rng.integers(0, n, (2, n)).tolist())


def check_exact(labels, a, b):
    auc, covariance = reference.delong(labels, (a, b))
    result = quiet(labels, a, b)
    assert result.auc.tolist() == [float(v) for v in auc]
    assert result.covariance.tolist() == [[float(v) for v in row] for row in covariance]
    assert result.estimate == float(auc[0] - auc[1])
    variance = reference.difference_variance(covariance, 0, 1)
    assert result.standard_error == math.sqrt(float(variance))


@pytest.mark.slow
@given(case=scored_cases())
def test_drawn_problems_are_exact(case):
    labels, (a, b) = case
    check_exact(labels.tolist(), a.tolist(), b.tolist())


@pytest.mark.slow
@given(case=scored_cases())
@pytest.mark.parametrize("alternative", SWAPPED)
def test_swapping_the_models_mirrors_the_result_in_delong_test(case, alternative):
    labels, (a, b) = case
    margin = 0.1 if alternative == "equivalence" else 0.0
    one = quiet(labels, a, b, alternative=alternative, margin=margin)
    two = quiet(labels, b, a, alternative=SWAPPED[alternative], margin=margin)
    assert one.estimate == -two.estimate
    assert_allclose(one.pvalue, two.pvalue, rtol=1e-15)
    if alternative != "equivalence":  # an exact tie of its two sides may report either
        assert one.statistic == -two.statistic or math.isnan(one.statistic)


@pytest.mark.slow
@given(case=scored_cases(), data=st.data())
def test_the_order_of_the_cases_does_not_matter_in_delong_test(case, data):
    labels, (a, b) = case
    order = np.array(data.draw(st.permutations(range(labels.size))))
    one, two = quiet(labels, a, b), quiet(labels[order], a[order], b[order])
    assert str(one.to_dict()) == str(two.to_dict())  # a NaN equals itself as text


@pytest.mark.slow
@given(case=scored_cases())
def test_monotone_transforms_change_nothing_in_delong_test(case):
    labels, (a, b) = case
    ranks_a = np.unique(a, return_inverse=True)[1]
    result, plain = quiet(labels, ranks_a**3, b), quiet(labels, a, b)
    assert result.statistic == plain.statistic or math.isnan(plain.statistic)
    twin = quiet(labels, a, ranks_a)
    assert (twin.statistic, twin.pvalue, twin.estimate) == (0.0, 1.0, 0.0)


# p = 2.5e-12: the level 1 - p holds so few digits of p that its interval ends 2e-7 from 0
TOLD = 1e-10  # of the p-values from here on, 1 - p holds enough digits
NEARLY_CERTAIN = (
    np.repeat([1, 0], 5),
    np.array([[0, 3, 3, 2, 3, 1, 0, 0, 1, -2], [-3, -3, -2, -2, -2, -1, 0, 0, 0, 2]], float),
)


@pytest.mark.slow
@example(case=NEARLY_CERTAIN, margin=0.1)
@given(case=scored_cases(), margin=st.floats(0.01, 0.5))
def test_pvalue_and_interval_invert_one_another_in_delong_test(case, margin):
    labels, (a, b) = case
    for alternative in ("two-sided", "greater", "less"):
        result = quiet(labels, a, b, alternative=alternative)
        if not (result.standard_error > 0 and TOLD < result.pvalue < 0.999):
            continue
        low, high = result.confidence_interval(1 - result.pvalue)
        ends = {"greater": [low], "less": [high]}.get(alternative, [low, high])
        assert min(map(abs, ends)) < 1e-7
    tost = quiet(labels, a, b, alternative="equivalence", margin=margin)
    if tost.standard_error > 0 and TOLD < tost.pvalue < 0.49:
        low, high = tost.confidence_interval(1 - tost.pvalue)
        assert_allclose(max(-low, high), margin, rtol=1e-6)


@pytest.mark.parametrize(("m", "n"), [(2, 2), (3, 7), (500, 20)])
def test_one_adjacent_swap_in_delong_test(m, n):
    """FORMULAS: the variance is 2 / (mn)^2 exactly, |z| = 1/sqrt 2, p = 0.4795001."""
    y = np.repeat([0, 1], [n, m])
    a = np.arange(float(m + n))
    b = a.copy()
    b[[n - 1, n]] = b[[n, n - 1]]
    result = fc.delong_test(y, a, b, reference="normal")
    assert result.standard_error == math.sqrt(Fraction(2, (m * n) ** 2))
    assert_allclose(result.statistic, math.sqrt(0.5), rtol=1e-15)
    assert_allclose(result.pvalue, 0.4795001221869535, rtol=1e-13)


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_one_swap_among_a_million_keeps_its_variance_in_delong_test(n_jobs, requires_jit):
    rng = np.random.default_rng(3)
    size = 10**6
    y = rng.random(size) < 0.3
    a = rng.permutation(size).astype(float)
    i, j = np.flatnonzero(y)[0], np.flatnonzero(~y)[0]
    b = a.copy()
    b[[i, j]] = b[[j, i]]
    result = fc.delong_test(y, a, b, n_jobs=n_jobs)
    want = exact_swap(y, a, b)
    assert result.estimate == float(want[0])
    assert_allclose(result.standard_error, math.sqrt(want[1]), rtol=1e-15)
    assert_allclose(result.pvalue, math.erfc(abs(result.statistic) / math.sqrt(2)), rtol=1e-15)


def exact_swap(y, a, b):
    """The estimate and variance from differences of ranks in Python's own integers."""
    m, n = int(y.sum()), int((~y).sum())
    order_a, order_b = np.argsort(a), np.argsort(b)
    below_a, below_b = np.empty(y.size, int), np.empty(y.size, int)
    below_a[order_a] = np.cumsum(~y[order_a])
    below_b[order_b] = np.cumsum(~y[order_b])
    above_a, above_b = np.empty(y.size, int), np.empty(y.size, int)
    above_a[order_a], above_b[order_b] = m - np.cumsum(y[order_a]), m - np.cumsum(y[order_b])
    d10, d01 = (below_a - below_b)[y].tolist(), (above_a - above_b)[~y].tolist()
    total = sum(d10)
    s10 = Fraction(m * sum(d * d for d in d10) - total**2, m * m * (m - 1) * n * n)
    s01 = Fraction(n * sum(d * d for d in d01) - total**2, n * n * (n - 1) * m * m)
    return Fraction(total, m * n), s10 + s01


@pytest.mark.parametrize("size", [300, 5000, 300_000])
def test_all_methods_and_threads_give_the_same_bits_in_delong_test(size, requires_jit):
    rng = np.random.default_rng(size)
    y = rng.random(size) < 0.3
    a, b = rng.normal(size=(2, size)) + y
    methods = ["midrank", "heaviside"] if size < 10**5 else ["midrank"]
    plain = fc.delong_test(y, a, b).to_dict()
    for method in methods:
        assert fc.delong_test(y, a, b, method=method).to_dict() == plain
    assert fc.delong_test(y, a, b, n_jobs=2).to_dict() == plain


def test_large_problems_agree_with_the_naive_reference_in_delong_test():
    rng = np.random.default_rng(0)
    y = rng.random(3000) < 0.3
    table = (rng.normal(size=(2, 3000)) + y).round(2)
    auc, covariance = reference.delong_float(y, table)
    result = fc.delong_test(y, *table)
    assert_allclose(result.auc, auc, rtol=1e-13)
    assert_allclose(result.covariance, covariance, rtol=1e-10)


@pytest.mark.slow
def test_small_pvalues_against_mpmath_in_delong_test():
    """To full relative accuracy down to 1e-300; log_pvalue beyond."""
    y = np.repeat([0, 1], 20_000)
    a, _b = separated(y, 1.0)
    for flips in (0.75, 0.9, 0.97):
        result = fc.delong_test(y, a, separated(y, flips)[1])
        with mpmath.workdps(40):
            want = mpmath.erfc(mpmath.mpf(abs(result.statistic)) / mpmath.sqrt(2))
        assert_allclose(result.log_pvalue, float(mpmath.log(want)), rtol=1e-13)
        if want > 1e-290:
            assert_allclose(result.pvalue, float(want), rtol=1e-12)
        else:
            assert "< 1e-300" in str(result)


def separated(y, share):
    """One model that ranks well and one that has turned over a share of the positives."""
    rng = np.random.default_rng(1)
    a = rng.normal(size=y.size) + 2 * y
    turned = y.astype(bool) & (rng.random(y.size) < share)
    return a, np.where(turned, a - 2, a)


def test_pvalues_are_uniform_under_the_null_in_delong_batch(requires_jit):
    rng = np.random.default_rng(7)
    y = np.arange(200) % 2
    shared = rng.normal(size=(4000, 200)) + y
    a, b = shared + rng.normal(size=(2, 4000, 200))
    p = fc.delong_batch(y, a, b).pvalue
    for alpha in (0.01, 0.05, 0.2, 0.5):
        spread = math.sqrt(alpha * (1 - alpha) / p.size)
        assert abs((p < alpha).mean() - alpha) < 4 * spread + 0.01 * alpha


def test_the_interval_is_cut_to_the_parameter_space_in_delong_test():
    result = fc.delong_test([0, 0, 1, 1], [1, 2, 3, 4], [4, 2, 3, 1], on_undefined="ignore")
    interval = result.confidence_interval(0.999999)
    assert -1 <= interval.low <= interval.high <= 1
    assert interval.clipped
    assert (
        fc.delong_test(T2["y"], T2["a"], T2["b"], reference="normal").confidence_interval().clipped
        is False
    )
    assert (
        fc.delong_test(T2["y"], T2["a"], T2["b"], alternative="greater", reference="normal")
        .confidence_interval()
        .high
        == 1
    )


def test_missing_cases_are_left_out_of_all_models_in_delong_test():
    y, a, b = (np.array(T2[key], float) for key in "yab")
    extra = np.array([np.nan, 0.5])
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 15 cases"):
        result = fc.delong_test(
            np.append(y, [1, 0]), np.append(a, extra), np.append(b, extra[::-1]), nan_policy="omit"
        )
    assert result.n_dropped == 2
    assert result.statistic == fc.delong_test(y, a, b).statistic


def test_summary_names_what_a_paper_reports_in_delong_test():
    text = fc.delong_test(T2["y"], T2["a"], T2["b"], reference="normal").summary()
    for part in ("0.9643", "0.7381", "95% CI", "z = 1.672", "p = 0.0945"):
        assert part in text
    tost = fc.delong_test(
        T2["y"], T2["a"], T2["b"], alternative="equivalence", margin=0.4, reference="normal"
    )
    assert "90% CI" in tost.summary()


@pytest.mark.parametrize("alternative", ["greater", "less", "equivalence"])
def test_a_margin_of_identical_models_is_judged_by_the_number_of_pairs_in_delong_test(alternative):
    y, a, _ = T2.values()
    result = fc.delong_test(y, a, a, alternative=alternative, margin=0.1, on_undefined="raise")
    assert math.isinf(result.statistic)
    assert_allclose(result.pvalue, 0.9**6, rtol=1e-14)


@pytest.mark.parametrize("call", [fc.delong_test, fc.roc_auc, fc.structural_components])
def test_unknown_ways_to_treat_undefined_results_are_refused(call):
    scores = (T2["a"], T2["b"]) if call is fc.delong_test else (T2["a"],)
    with pytest.raises(ValueError, match="on_undefined"):
        call(T2["y"], *scores, on_undefined="bogus")


@pytest.mark.parametrize(
    ("alternative", "margin", "claim"),
    [("greater", 0.02, "> -0.02"), ("less", 0.1, "< 0.1"), ("equivalence", 0.4, "| < 0.4")],
)
def test_summary_says_what_was_claimed_in_delong_test(alternative, margin, claim):
    y, a, b = T2.values()
    assert claim in fc.delong_test(y, a, b, alternative=alternative, margin=margin).summary()


def test_equivalence_has_no_interval_at_half_or_less_in_delong_test():
    result = fc.delong_test(*T2.values(), alternative="equivalence", margin=0.4, reference="normal")
    with pytest.raises(ValueError, match=r"above 0\.5"):
        result.confidence_interval(0.4)
