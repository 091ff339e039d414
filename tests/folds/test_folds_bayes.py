"""Bayesian comparisons against fractions, published programs and draws of NumPy's own."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare._inputs.options import hash_seed
from fastcompare.kernels.drawing.resampling import draw_exponential_weights
from fastcompare.paired._bayes import probabilities_of_largest_gamma
from tests.reference import anova as reference

A, B = [0.80, 0.82, 0.79, 0.85, 0.81], [0.78, 0.79, 0.80, 0.81, 0.78]
SIZES = {"n_train": 80, "n_test": 20}
TEN = [0.0513, 0.0227, 0.0318, 0.0409, 0.0185, 0.0624, 0.0333, 0.0051, -0.0008, -0.0217]
TWELVE = [
    *(0.02137, -0.0113, 0.0411, 0.0305, 0.0527, 0.0156),
    *(-0.0291, 0.0023, 0.0129, -0.0047, 0.0219, 0.0134),
]
METHODS = {"sign": fc.bayes_sign, "signed rank": fc.bayes_signed_rank}
SEEDED = {"n_resamples": 2000, "rng": 1}
DIFFERENCES = st.lists(st.integers(-6, 6).map(float), min_size=1, max_size=12)
QUICK = settings(max_examples=50, deadline=None)


def chances(result):
    return result.probability_a, result.probability_rope, result.probability_b


def swapped(result):
    return chances(result)[::-1]


def test_check_value_of_the_t_test_in_bayes_correlated_ttest():
    """FORMULAS: Bayesian t; baycomp 1.0.3 gives 0.7974883428, 0.1684042530, 0.0341074042."""
    result = fc.bayes_correlated_ttest(A, B, rope=0.01, **SIZES)
    want = (0.7974883428454694, 0.16840425298671136, 0.03410740416781921)
    assert_allclose(chances(result), want, rtol=1e-12)
    assert (result.df, result.n) == (4, 5)


def test_the_posterior_is_the_distribution_of_the_corrected_t_test():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 12))
    result = fc.bayes_correlated_ttest(a, b, rope=0, **SIZES)
    test = fc.ttest_corrected(a, b, alternative="greater", **SIZES)
    assert_allclose(result.probability_b, test.pvalue, rtol=1e-12)
    assert result.probability_rope == 0.0
    two_sided = fc.ttest_corrected(a, b, **SIZES)
    assert_allclose(result.credible_interval(0.9), two_sided.confidence_interval(0.9), rtol=1e-12)
    assert_allclose(result.scale, test.standard_error, rtol=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.004, -0.3, 5.0])
def test_three_areas_under_student_t_in_bayes_correlated_ttest(shift):
    rng = np.random.default_rng(1)
    d = rng.normal(size=9) + shift
    result = fc.bayes_correlated_ttest(d, 0 * d, rope=0.2, **SIZES)
    posterior = stats.t(8, d.mean(), d.std(ddof=1) * math.sqrt(1 / 9 + 0.25))
    want = posterior.sf(0.2), posterior.cdf(0.2) - posterior.cdf(-0.2), posterior.cdf(-0.2)
    assert_allclose(chances(result), want, rtol=1e-9)
    assert_allclose(sum(chances(result)), 1.0, rtol=1e-14)


def test_a_far_region_keeps_its_digits_in_bayes_correlated_ttest():
    """The area between two far quantiles of t with 29 df, by Simpson's rule on its density."""
    d = np.random.default_rng(2).normal(size=30) + 40
    result = fc.bayes_correlated_ttest(d, 0 * d, rope=1.0, **SIZES)
    x = np.linspace(-1, 1, 2001)
    y = stats.t(29, result.estimate, result.scale).pdf(x)
    area = (y[0] + y[-1] + 4 * y[1::2].sum() + 2 * y[2:-1:2].sum()) / 3000
    assert 0 < area < 1e-20
    assert_allclose(result.probability_rope, area, rtol=1e-9)


def test_swapping_the_models_or_the_meaning_of_the_metric_swaps_the_probabilities():
    result = fc.bayes_correlated_ttest(A, B, **SIZES)
    for other in (
        fc.bayes_correlated_ttest(B, A, **SIZES),
        fc.bayes_correlated_ttest(A, B, higher_is_better=False, **SIZES),
    ):
        assert_allclose(chances(other), swapped(result), rtol=1e-12)


def test_rounds_without_variance_have_no_posterior_in_bayes_correlated_ttest():
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        result = fc.bayes_correlated_ttest([0.8, 0.82], [0.75, 0.77], **SIZES)
    assert all(map(math.isnan, (*chances(result), *result.credible_interval())))
    equal = fc.bayes_correlated_ttest([0.8, 0.82], [0.8, 0.82], **SIZES)
    assert chances(equal) == (0.0, 1.0, 0.0)
    assert (equal.status, equal.credible_interval()) == ("no_difference", (0.0, 0.0))


def test_names_and_missing_rounds_reach_the_result_in_bayes_correlated_ttest():
    frame = pd.DataFrame({"tree": [*A, 0.9], "forest": [*B, np.nan]})
    with pytest.warns(fc.DroppedCasesWarning):
        result = fc.bayes_correlated_ttest(frame, nan_policy="omit", **SIZES)
    assert (result.names, result.n, result.n_dropped) == (("tree", "forest"), 5, 1)
    assert result.probability_a == pytest.approx(0.7975, abs=5e-5)
    with pytest.warns(fc.DesignWarning, match="not for five two-fold"):
        fc.bayes_correlated_ttest(A, B, design="5x2cv", **SIZES)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fc.bayes_correlated_ttest(A, B), "`n_train` and `n_test` must be specified"),
        (lambda: fc.bayes_correlated_ttest(A, B, rope=-1, **SIZES), "`rope` must be at least 0"),
        (lambda: fc.bayes_sign(TEN, rope=math.inf), "`rope` must be at least 0 and finite"),
        (lambda: fc.bayes_sign([]), "at least one number"),
        (lambda: fc.bayes_sign([], on_undefined="loud"), "`on_undefined` must be"),
        (lambda: fc.bayes_signed_rank([], on_undefined="loud"), "`on_undefined` must be"),
        (lambda: fc.bayes_signed_rank(TEN, n_resamples=0), "`n_resamples` must be at least 1"),
        (lambda: fc.bayes_signed_rank(TEN, rng=-1), "`rng` must be at least 0"),
        (lambda: fc.bayes_signed_rank(TEN, higher_is_better="no"), "`higher_is_better` must be"),
    ],
)
def test_what_cannot_be_meant_is_refused(call, message):
    with pytest.raises(fc.FastCompareError, match=message):
        call()


def test_check_value_of_the_sign_test_in_bayes_sign():
    """FORMULAS: Bayesian sign, Dirichlet(7, 3, 1)."""
    found = probabilities_of_largest_gamma((7, 3, 1))
    assert_allclose(found, (0.90529, 0.0888086, 0.005901), rtol=1e-5)
    result = fc.bayes_sign([0.05, 0.02, 0.03, 0.04, 0.02, 0.06, 0.03, 0.005, 0, -0.02])
    assert chances(result) == tuple(found)
    assert (result.n_a, result.n_rope, result.n_b) == (7, 2, 1)


@QUICK
@given(st.lists(st.integers(1, 15), min_size=2, max_size=3))
def test_the_largest_of_gamma_variables_is_exact(shapes):
    turned = [shapes[i:] + shapes[:i] for i in range(len(shapes))]
    want = [float(reference.largest_of_gammas(*order)) for order in turned]
    assert_allclose(probabilities_of_largest_gamma(shapes), want, rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize(
    "shapes", [(0.5, 0.5, 0.5), (2.5, 1, 0), (1000, 1, 960), (0, 4, 0)], ids=str
)
def test_the_largest_of_many_drawn_gamma_variables(shapes):
    drawn = np.random.default_rng(3).gamma(np.array(shapes, float), size=(40_000, 3))
    shares = np.bincount(drawn.argmax(axis=1), minlength=3) / 40_000
    assert_allclose(probabilities_of_largest_gamma(shapes), shares, atol=4 * 0.5 / 200)
    assert_allclose(probabilities_of_largest_gamma(shapes).sum(), 1.0, rtol=1e-11)


def test_numbers_of_baycomp(requires_jit):
    """Version 1.0.3 by 500,000 and 2,000,000 draws; no average lies at an end of the region."""
    ranks = {"TEN": (0.980922, 0.017644, 0.001434), "TWELVE": (0.805096, 0.19333, 0.001574)}
    signs = {"TEN": (0.905541, 0.088552, 0.005907), "TWELVE": (0.930644, 0.0526255, 0.0167305)}
    for name, d in {"TEN": TEN, "TWELVE": TWELVE}.items():
        result = fc.bayes_signed_rank(d, rng=0, n_resamples=20_000)
        errors = [4 * math.sqrt(p * (1 - p) / 20_000) for p in ranks[name]]
        assert (np.abs(np.subtract(chances(result), ranks[name])) < errors).all()
        errors = [5 * math.sqrt(p * (1 - p) / 2_000_000) for p in signs[name]]
        assert (np.abs(np.subtract(chances(fc.bayes_sign(d)), signs[name])) < errors).all()


def drawn_weights(n, prior, count, seed):
    weights, words = np.empty((count, n)), np.empty(32, np.uint32)
    for draw in range(count):
        draw_exponential_weights(np.uint64(draw), np.uint64(seed), prior, words, weights[draw])
    return weights


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(DIFFERENCES, st.integers(0, 2))
def test_shares_of_averages_equal_the_definition_in_bayes_signed_rank(d, rope):
    """Of the same draws, by all n^2 pairs instead of running sums."""
    result = fc.bayes_signed_rank(d, rope=rope, n_resamples=40, rng=5)
    sign = -1.0 if sum(d) < 0 else 1.0
    ordered = sorted([*(sign * x for x in d), 0.0])
    draws = drawn_weights(len(ordered), ordered.index(0.0), 40, hash_seed(5))
    shares = [reference.walsh_shares(ordered, w, rope) for w in draws]
    counts = np.bincount(np.argmax(shares, axis=1), minlength=3)[:: int(sign)]
    assert chances(result) == tuple(counts / 40)


def test_weights_are_those_of_the_dirichlet_process(requires_jit):
    draws = drawn_weights(20, 3, 4000, 7)
    others = np.delete(draws, 3, axis=1)
    assert stats.kstest(others.ravel(), "expon").pvalue > 0.001
    assert stats.kstest(draws[:, 3], stats.gamma(0.5).cdf).pvalue > 0.001
    apart = np.corrcoef(draws.T) - np.eye(20)
    assert np.abs(apart).max() < 5 / math.sqrt(4000)
    assert not (drawn_weights(20, 3, 4, 8) == draws[:4]).any()


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
@given(d=DIFFERENCES, random=st.randoms(use_true_random=False))
@QUICK
def test_order_and_units_do_not_matter_and_swapping_swaps(name, d, random):
    options = {"n_resamples": 20, "rng": 1} if name == "signed rank" else {}
    result = METHODS[name](d, rope=1, **options)
    assert_allclose(sum(chances(result)), 1.0, rtol=1e-11)
    shuffled = random.sample(d, len(d))
    hundredths = [x / 100 for x in d]
    assert chances(METHODS[name](shuffled, rope=1, **options)) == chances(result)
    assert chances(METHODS[name](hundredths, rope=0.01, **options)) == chances(result)
    lower = METHODS[name](d, rope=1, higher_is_better=False, **options)
    assert chances(lower) == swapped(result)
    if sum(d):
        assert chances(METHODS[name]([-x for x in d], rope=1, **options)) == swapped(result)


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
def test_two_columns_are_their_differences(name):
    options = SEEDED if name == "signed rank" else {}
    a = np.array(TEN) + 0.5
    both = METHODS[name](a, np.full(10, 0.5), **options)
    assert chances(both) == chances(METHODS[name](TEN, **options))
    with pytest.warns(fc.DroppedCasesWarning):
        result = METHODS[name]([*TEN, np.nan], nan_policy="omit", **options)
    assert (result.n, result.n_dropped) == (10, 1)


def test_differences_at_the_ends_of_the_region_lie_in_it():
    """Rounding errors of computed differences do not decide: 0.3 - 0.2 is below 0.1 in floats."""
    result = fc.bayes_sign([0.3, 0.5, 0.2], [0.2, 0.4, 0.3], rope=0.1)
    assert (result.n_a, result.n_rope, result.n_b) == (0, 3, 0)
    assert chances(fc.bayes_signed_rank([0.3, 0.5], [0.2, 0.4], rope=0.1, **SEEDED)) == (0, 1, 0)


@pytest.mark.slow
def test_a_seed_gives_the_same_bits_on_any_number_of_threads_in_bayes_signed_rank(monkeypatch):
    monkeypatch.setattr("fastcompare.paired._bayes.DRAWS_PER_CALL", 64)
    results = [fc.bayes_signed_rank(TWELVE, n_resamples=500, rng=3, n_jobs=j) for j in (1, 2, -1)]
    monkeypatch.undo()
    results.append(fc.bayes_signed_rank(TWELVE, n_resamples=500, rng=3))
    assert len({chances(result) for result in results}) == 1
    rng = np.random.default_rng(0)
    first, second = (fc.bayes_signed_rank(TWELVE, n_resamples=500, rng=rng) for _ in range(2))
    assert first.seed != second.seed
    again = fc.bayes_signed_rank(TWELVE, n_resamples=500, rng=first.seed)
    assert chances(again) == chances(first)


@pytest.mark.slow
def test_one_sided_data_leave_no_doubt_and_equal_ones_none_of_equivalence():
    assert fc.bayes_sign([1.0] * 50).probability_a > 1 - 1e-13
    assert fc.bayes_signed_rank([-1.0] * 50, **SEEDED).probability_b == 1.0
    assert fc.bayes_sign([0.001] * 5).probability_rope == pytest.approx(1.0, abs=1e-12)


def test_words():
    text = "The probability that the first is better than the second is 0.9053, that it is worse 0"
    assert text in fc.bayes_sign(TEN).summary()
    assert "2000 draws, 10 data sets" in fc.bayes_signed_rank(TEN, **SEEDED).summary()
    assert fc.bayes_sign(TEN).to_dict()["probability_rope"] == fc.bayes_sign(TEN).probability_rope


@pytest.mark.parametrize("rope", [0.0, 1e307])
def test_differences_at_the_end_of_the_range_have_a_posterior_in_bayes_signed_rank(rope):
    result = fc.bayes_signed_rank([1.7e308] * 5, rope=rope, rng=0, n_resamples=500)
    assert result.probability_a > 0.9
    mirrored = fc.bayes_signed_rank([-1.7e308] * 5, rope=rope, rng=0, n_resamples=500)
    assert chances(mirrored) == swapped(result)


def test_no_probability_exceeds_one_in_bayes_sign():
    assert chances(fc.bayes_sign(np.zeros(10))) == (0.0, 1.0, 0.0)
    for wins in range(1, 9):
        result = fc.bayes_sign([1.0] * wins + [-1.0] * (9 - wins))
        assert_allclose(sum(chances(result)), 1.0, rtol=1e-15)
