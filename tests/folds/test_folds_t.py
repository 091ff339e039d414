"""t-tests of scores by round against fractions, SciPy, mlxtend's examples and simulation."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare import kernels
from fastcompare.kernels.tables import folds as compiled
from tests.reference import folds as reference
from tests.shared.golden_files import GOLDEN

R = np.array([[80, 78, 75], [82, 79, 80], [79, 80, 74], [85, 81, 79], [81, 78, 78]]) / 100
HALVES = np.array([[0.02, -0.01], [0.03, 0.01], [0.0, 0.02], [0.04, 0.0], [0.01, 0.03]])
MLXTEND = json.loads((GOLDEN / "mlxtend.json").read_text())["cases"]
SIZES = {"n_train": 4, "n_test": 1}
ALTERNATIVES = ("two-sided", "greater", "less")
PAIRED = {  # name: the call, and n_test / n_train
    "corrected": (lambda a, b, **w: fc.ttest_corrected(a, b, **SIZES, **w), Fraction(1, 4)),
    "k-fold": (fc.ttest_kfold, 0),
    "resampled": (fc.ttest_resampled, 0),
}
SCORES = st.integers(0, 1000).map(lambda i: i / 1000)
TWO_MODELS = st.integers(2, 20).flatmap(
    lambda n: st.tuples(*[st.lists(SCORES, min_size=n, max_size=n)] * 2)
)
FIVE_BY_TWO = st.tuples(*[st.lists(SCORES, min_size=10, max_size=10)] * 2)


def golden(call):
    return [case for case in MLXTEND if case["call"] == call]


def in_halves(scores):
    return np.reshape(scores, (5, 2))


def test_corrected_t_of_the_table():
    """FORMULAS: corrected t."""
    result = fc.ttest_corrected(R[:, 0], R[:, 1], **SIZES)
    assert_allclose((result.statistic, result.pvalue), (1.704965, 0.163402), rtol=5e-6)
    assert result.df == 4
    assert_allclose(result.means, [0.814, 0.792], rtol=1e-14)
    for plain in (fc.ttest_kfold, fc.ttest_resampled):
        assert_allclose(plain(R[:, 0], R[:, 1]).statistic, 2.55745, rtol=2e-6)


def test_five_by_two_of_the_ten_differences():
    """FORMULAS: 5x2cv t; F."""
    t, f = fc.ttest_5x2cv(HALVES + 0.5, HALVES * 0 + 0.5), fc.ftest_5x2cv(HALVES, HALVES * 0)
    assert_allclose((t.statistic, t.pvalue), (1.03975, 0.346098), rtol=2e-6)
    assert_allclose((f.statistic, f.pvalue), (1.21622, 0.438898), rtol=5e-6)
    assert (t.df, f.df) == (5, (10, 5))
    assert_allclose((t.estimate, t.mean_difference, f.mean_difference), (0.02, 0.015, 0.015))


@pytest.mark.parametrize("index", [0, 1])
def test_mlxtends_five_by_two(index):
    """golden/mlxtend.json: mlxtend's documented scores, recomputed by formula."""
    for call, test in (
        ("paired_ttest_5x2cv", fc.ttest_5x2cv),
        ("combined_ftest_5x2cv", fc.ftest_5x2cv),
    ):
        case = golden(call)[index]
        result = test(in_halves(case["accuracy_logreg"]), in_halves(case["accuracy_tree"]))
        expected = case["recomputed_by_formula"]
        assert_allclose(result.statistic, expected["stat"], rtol=1e-12)
        assert_allclose(result.pvalue, expected["p"], rtol=1e-12)
        printed = case["expected_printed_in_docs"]
        assert round(result.statistic, 3) == printed["stat"]


@pytest.mark.parametrize("index", [0, 1])
@pytest.mark.parametrize(
    ("call", "test"),
    [("paired_ttest_kfold_cv", fc.ttest_kfold), ("paired_ttest_resampled", fc.ttest_resampled)],
    ids=["kfold", "resampled"],
)
def test_mlxtends_folds_and_splits(call, test, index):
    """golden/mlxtend.json: recomputed by formula, since one printed value is wrong."""
    case = golden(call)[index]
    result = test(case["accuracy_logreg"], case["accuracy_tree"])
    assert_allclose(result.statistic, case["recomputed_by_formula"]["stat"], rtol=1e-12)
    assert_allclose(result.pvalue, case["recomputed_by_formula"]["p"], rtol=1e-9)


@pytest.mark.parametrize("index", [0, 1])
def test_folds_have_one_over_k_minus_one_beside_one_over_k_in_ttest_corrected(index):
    """The bracket that a peer misplaces: s^2 (1 / k + 1 / (k - 1)) for k folds."""
    case = golden("paired_ttest_kfold_cv")[index]
    a, b = case["accuracy_logreg"], case["accuracy_tree"]
    result = fc.ttest_corrected(a, b, n_train=135, n_test=15, design="kfold")
    assert_allclose(result.statistic, case["nadeau_bengio_corrected"]["t"], rtol=1e-12)
    d = np.subtract(a, b)
    misplaced = d.mean() / math.sqrt(d.var(ddof=1) * (1 / 10 + 1) / 9)
    assert abs(result.statistic / misplaced - 1) > 0.2
    assert_allclose(result.standard_error**2 / d.var(ddof=1), 1 / 10 + 1 / 9, rtol=1e-12)
    assert_allclose(result.correlation, 1 / 10)


@pytest.mark.parametrize("index", [0, 1])
def test_corrected_t_of_mlxtends_splits_in_ttest_corrected(index):
    case = golden("paired_ttest_resampled")[index]
    a, b = case["accuracy_logreg"], case["accuracy_tree"]
    result = fc.ttest_corrected(a, b, n_train=105, n_test=45, design="resampled")
    expected = case["nadeau_bengio_corrected"]
    assert_allclose((result.statistic, result.pvalue), (expected["t"], expected["p"]), rtol=1e-10)


def test_missing_rounds_leave_the_number_of_rounds_in_ttest_corrected():
    """A program that divides by all rounds gets 3.86 where 5.20 is right."""
    a = R[:, 0].copy()
    a[2] = np.nan
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 5"):
        result = fc.ttest_corrected(a, R[:, 1], **SIZES, nan_policy="omit")
    assert (round(result.statistic, 2), result.n, result.n_dropped, result.df) == (5.20, 4, 1, 3)
    d = reference.differences(R[:, 0], R[:, 1])
    d[2] = None
    assert round(reference.program_t(d, Fraction(1, 4)), 2) == 3.86
    complete = [x for x in d if x is not None]
    assert_allclose(result.statistic, reference.corrected_t(complete, Fraction(1, 4)), rtol=1e-13)


@pytest.mark.slow
@settings(max_examples=50)
@given(TWO_MODELS, st.sampled_from(list(PAIRED)))
def test_paired_t_equals_the_definition(scores, name):
    test, ratio = PAIRED[name]
    result = test(*scores, on_undefined="ignore")
    expected = reference.corrected_t(reference.differences(*scores), ratio)
    assert_allclose(result.statistic, expected, rtol=1e-10, atol=1e-12)
    if math.isinf(expected):
        assert math.isnan(result.pvalue)
        assert result.status == "zero_variance"
    else:
        assert_allclose(result.pvalue, 2 * stats.t.sf(abs(expected), len(scores[0]) - 1), rtol=1e-9)


@pytest.mark.slow
@settings(max_examples=50)
@given(FIVE_BY_TWO)
def test_five_by_two_equals_the_definition(scores):
    d = reference.differences(*scores)
    pairs = [d[i : i + 2] for i in range(0, 10, 2)]
    if all(x == y for x, y in pairs):
        return
    halves = list(map(in_halves, scores))
    t, f = fc.ttest_5x2cv(*halves), fc.ftest_5x2cv(*halves)
    assert_allclose(t.statistic, reference.t_5x2cv(pairs), rtol=1e-10)
    assert_allclose(f.statistic, reference.f_5x2cv(pairs), rtol=1e-10)
    assert_allclose(f.pvalue, stats.f.sf(f.statistic, 10, 5), rtol=1e-10)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_uncorrected_tests_and_intervals_are_scipys(alternative):
    a, b = np.random.default_rng(1).normal(size=(2, 30))
    a += 0.4
    expected = stats.ttest_rel(a, b, alternative=alternative)
    for test in (fc.ttest_kfold, fc.ttest_resampled):
        result = test(a, b, design="independent", alternative=alternative)
        assert_allclose((result.statistic, result.pvalue), expected, rtol=1e-12)
        assert_allclose(
            result.confidence_interval(0.9), expected.confidence_interval(0.9), rtol=1e-11
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRED)
@settings(max_examples=50)
@given(scores=TWO_MODELS, seed=st.integers(0, 99))
def test_laws_of_paired_tests(name, scores, seed):
    """Swapped models negate; the order of rounds, a shift and a factor change nothing."""
    test, _ = PAIRED[name]
    a, b = map(np.array, scores)
    quiet = {"on_undefined": "ignore"}
    result, swapped = test(a, b, **quiet), test(b, a, **quiet)
    assert swapped.statistic == -result.statistic
    assert swapped.estimate == -result.estimate
    assert_allclose(swapped.pvalue, result.pvalue, rtol=0, equal_nan=True)
    greater, less = (
        test(*pair, alternative=side, **quiet)
        for pair, side in (((a, b), "greater"), ((b, a), "less"))
    )
    assert_allclose(greater.pvalue, less.pvalue, rtol=0, equal_nan=True)
    order = np.random.default_rng(seed).permutation(len(a))
    for x, y in (
        (a[order], b[order]),
        (a / 100, b / 100),
        (a + 1, b + 1),
        (a * 2.0**40, b * 2.0**40),
    ):
        other = test(x, y, **quiet)
        assert_allclose(other.statistic, result.statistic, rtol=1e-9, atol=1e-9)
        assert_allclose(other.effect_size, result.effect_size, rtol=1e-9, atol=1e-9)
        assert other.status == result.status
    same = test(a, a, **quiet)
    assert (same.statistic, same.pvalue, same.status) == (0.0, 1.0, "no_difference")


@pytest.mark.slow
@settings(max_examples=50)
@given(FIVE_BY_TWO, st.integers(0, 99))
def test_laws_of_five_by_two(scores, seed):
    """F has no order; t takes another first difference when rounds move."""
    a, b = map(in_halves, scores)
    quiet = {"on_undefined": "ignore"}
    t, f = fc.ttest_5x2cv(a, b, **quiet), fc.ftest_5x2cv(a, b, **quiet)
    assert fc.ttest_5x2cv(b, a, **quiet).statistic == -t.statistic
    order = np.random.default_rng(seed).permutation(5)
    for x, y in ((b, a), (a[order][:, ::-1], b[order][:, ::-1]), (a / 100, b / 100)):
        assert_allclose(fc.ftest_5x2cv(x, y, **quiet).statistic, f.statistic, rtol=1e-10)
    rest = fc.ttest_5x2cv(a[[0, 3, 1, 4, 2]], b[[0, 3, 1, 4, 2]], **quiet)
    assert_allclose(rest.statistic, t.statistic, rtol=1e-12)
    if t.status == "ok":
        level = 1 - t.pvalue
        if 0.01 < level < 0.99:
            assert_allclose(min(map(abs, t.confidence_interval(level))), 0, atol=1e-9)


@pytest.mark.parametrize("alternative", [*ALTERNATIVES, "equivalence"])
def test_interval_inverts_the_corrected_test_in_ttest_corrected(alternative):
    """The interval at level 1 - p ends at the margin that is tested."""
    margin = 0.03 if alternative == "equivalence" else 0.0
    a, b = R[:, 0], R[:, 1]
    result = fc.ttest_corrected(a, b, **SIZES, alternative=alternative, margin=margin)
    low, high = result.confidence_interval(1 - result.pvalue)
    ends = {"greater": low, "less": high, "equivalence": high - margin}
    assert_allclose(ends.get(alternative, low), 0, atol=1e-12)


def test_margins_help_the_claim_in_ttest_corrected():
    """Schuirmann: (estimate + margin) / SE and (estimate - margin) / SE."""
    a, b = R[:, 0], R[:, 1]
    plain = fc.ttest_corrected(a, b, **SIZES)
    for side, sign in (("greater", 1), ("less", -1)):
        result = fc.ttest_corrected(a, b, **SIZES, alternative=side, margin=0.05)
        t = (plain.estimate + sign * 0.05) / plain.standard_error
        assert_allclose(result.statistic, t, rtol=1e-12)
        assert_allclose(result.pvalue, stats.t.sf(sign * t, 4), rtol=1e-10)
    both = fc.ttest_corrected(a, b, **SIZES, alternative="equivalence", margin=0.05)
    assert both.pvalue == result.pvalue
    assert "90% CI" in both.summary()
    assert "|difference| < 0.05" in both.summary()
    assert fc.ttest_corrected(a * 100, b * 100, **SIZES, alternative="less", margin=5).n == 5


@pytest.mark.slow
def test_effect_size_is_in_units_of_one_round():
    """E s^2 = sigma^2 (1 - rho): the corrected effect size is the true one on average."""
    rho, effect, rounds = 0.2, 0.5, 10
    d = correlated(4000, rounds, rho, np.random.default_rng(5)) + effect
    zero = np.zeros(rounds)
    found = [fc.ttest_corrected(row, zero, **SIZES).effect_size for row in d[:2000]]
    naive = [fc.ttest_resampled(row, zero).effect_size for row in d[:2000]]
    assert abs(np.median(found) - effect) < 0.04
    assert np.median(naive) - effect > 0.04
    result = fc.ttest_corrected(R[:, 0], R[:, 1], **SIZES)
    assert_allclose(result.effect_size, 0.022 / math.sqrt(0.00037 * 1.25), rtol=1e-12)


def correlated(n, rounds, rho, rng):
    """Return (n, rounds) standard normal differences, all pairs in a row correlated by rho."""
    shared = rng.normal(size=(n, 1))
    return math.sqrt(rho) * shared + math.sqrt(1 - rho) * rng.normal(size=(n, rounds))


def test_correlated_rounds_are_what_the_correction_is_exact_for(requires_jit):
    """Rejections at 5%: corrected 5%; uncorrected as often as t passes q / sqrt(1 + J r)."""
    trials, rounds = 40_000, 30
    d = correlated(trials, rounds, 1 / 3, np.random.default_rng(3))
    rate = {}
    for name, n_test in (("corrected", 1.0), ("resampled", 1e-12)):
        found = fc.ttest_corrected_batch(d, np.zeros_like(d), n_train=2.0, n_test=n_test)
        rate[name] = (found.pvalue <= 0.05).mean()
    inflated = 2 * stats.t.sf(
        stats.t.isf(0.025, rounds - 1) / math.sqrt(1 + rounds / 2), rounds - 1
    )
    assert abs(rate["corrected"] - 0.05) < 4 * math.sqrt(0.05 * 0.95 / trials)
    assert abs(rate["resampled"] - inflated) < 4 * math.sqrt(0.25 / trials)
    assert inflated > 0.6


def test_zero_variance_is_found_through_rounding_in_ttest_kfold():
    """Differences of 0.1 that round apart do not vary: infinite, p NaN, no interval."""
    a = np.array([0.3, 0.4, 0.7, 0.8, 1.1])
    b = a - 0.1
    assert len(set((a - b).tolist())) > 1
    for test, _ in PAIRED.values():
        with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
            result = test(a, b)
        assert (result.statistic, result.standard_error) == (math.inf, 0.0)
        assert all(map(math.isnan, (result.pvalue, *result.confidence_interval())))
        assert test(b, a, on_undefined="ignore").statistic == -math.inf
        with pytest.raises(fc.UndefinedResultError):
            test(a, b, on_undefined="raise")
    third = np.array([0.1 + 0.2, 0.3])
    assert fc.ttest_kfold(third, [0.3, 0.1 + 0.2]).status == "no_difference"


def test_five_by_two_without_variance():
    zero, quiet = np.zeros((5, 2)), {"on_undefined": "ignore"}
    equal = np.repeat([[0.1], [0.2], [0.3], [0.1], [0.2]], 2, axis=1)
    for test in (fc.ttest_5x2cv, fc.ftest_5x2cv):
        same = test(equal, equal)
        assert (same.statistic, same.pvalue, same.status) == (0.0, 1.0, "no_difference")
        with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
            stuck = test(equal, zero)
        assert (stuck.statistic, stuck.status) == (math.inf, "zero_variance")
        assert math.isnan(stuck.pvalue)
    assert fc.ttest_5x2cv(zero, equal, **quiet).statistic == -math.inf
    equal[0] = 0.0
    assert fc.ttest_5x2cv(equal, zero, **quiet).statistic == 0.0
    assert fc.ftest_5x2cv(equal, zero, **quiet).statistic == math.inf


def test_far_tails_have_logarithms():
    a = np.linspace(0.9, 0.9 + 1e-6, 120) + np.sin(np.arange(120)) * 1e-9
    result = fc.ttest_resampled(a, np.zeros(120))
    assert result.pvalue == 0.0
    assert result.log_pvalue < -1500
    near = fc.ttest_corrected(R[:, 0], R[:, 1], **SIZES)
    assert_allclose(near.log_pvalue, math.log(near.pvalue), rtol=1e-14)


def test_compiled_statistics_are_those_of_the_tests():
    d = R[:, 0] - R[:, 1]
    assert_allclose(compiled.corrected_t(d, 0.25, 0.0), 1.704965, rtol=5e-6)
    assert_allclose(compiled.paired_t(d, 0.0), 2.55745, rtol=2e-6)
    assert_allclose(compiled.t_5x2cv(HALVES, 0.0), 1.03975, rtol=5e-6)
    assert_allclose(compiled.f_5x2cv(HALVES, 0.0), 1.21622, rtol=5e-6)
    assert math.isnan(compiled.paired_t(d[:1], 0.0))
    for constant in (0.1, -0.1):
        expected = math.copysign(math.inf, constant)
        assert compiled.paired_t(np.full(4, constant), 0.0) == expected
        assert compiled.mean_and_scatter(np.full(4, constant), 0.0) == (constant, 0.0)
        assert math.copysign(1, compiled.mean_and_scatter(np.full(4, constant), 0.0)[1]) == 1
    for where in range(5):
        for wrong in (math.nan, math.inf):
            bad = np.zeros(5)
            bad[where] = wrong
            with np.errstate(invalid="ignore"):
                assert not math.isfinite(compiled.mean_and_scatter(bad, 1e-12)[1])
    for name in ("corrected_t", "f_5x2cv", "paired_t", "t_5x2cv"):
        assert getattr(kernels, name) is getattr(compiled, name)


def test_sentences_for_papers():
    a, b = R[:, 0], R[:, 1]
    assert fc.ttest_resampled(a, b).summary() == (
        "The two models do not differ significantly in mean score. "
        "The mean scores over 5 rounds are 0.814 and 0.792, a difference of "
        "0.022 (95% CI -0.001884 to 0.04588; resampled t-test, t(4) = 2.557, p = 0.0628)."
    )
    assert fc.ttest_5x2cv(HALVES, HALVES * 0).summary() == (
        "The two models do not differ significantly in mean score. "
        "The first of ten differences in five two-fold cross-validations, the one that is tested, "
        "is 0.02 (95% CI -0.02945 to 0.06945; 5x2cv paired t-test, t(5) = 1.04, p = 0.3461); the "
        "mean of all ten is 0.015."
    )
    found = fc.ttest_corrected(a, b, **SIZES).to_dict()
    assert found["confidence_interval"] == pytest.approx([-0.013825, 0.057825], rel=1e-4)
    assert {"n_train", "n_test", "effect_size", "names", "means"} <= set(found)
