"""Claims about models that judge all cases alike: every test with a margin answers them."""

import inspect
import math
import re
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare._inference.infer import ZeroVarianceBound, sum_over_largest
from tests.shared.degenerate_calls import is_column
from tests.shared.every_call import CALLS, N, Y, options_of

DRAWN = {"n_resamples": 99, "rng": 0}
CLAIMS = ("greater", "less", "equivalence")
OWN = {  # of tests that by default are about something else, of models on different cases
    "bootstrap_metric_test": {"metric": "f1"},
    "delong_unpaired_test": {"y_score_1": Y, "y_score_2": 2 * Y, "on_undefined": "ignore"},
    "ttest_kfold": {"design": "independent"},
    "ttest_unpaired": {"scores_1": np.full(N, 0.5), "scores_2": np.full(N, 0.5)},
    "within_auc_test": {"design": "fixed"},  # of a sample of groups their number counts
    "two_proportions_test": {"variance": "unpooled"},
}


def labels_and_scores(n):
    y = np.arange(n) % 2
    return y, np.random.default_rng(3).normal(size=n) + y


def with_margin():
    """The tests that have a margin."""
    functions = {name: getattr(fc, name) for name in fc.__all__ if name.endswith("_test")}
    functions |= {name: getattr(fc, name) for name in fc.__all__ if name.startswith("ttest_")}
    return {n for n, f in functions.items() if "margin" in inspect.signature(f).parameters}


def of_alike(name, n, **claim):
    """What a test says of two models that answer n cases alike, those of `CALLS` repeated."""
    data = CALLS[name] | {"on_undefined": "warn"} | OWN.get(name, {}) | claim
    data |= {key: data[f"{key[:-2]}_a"] for key in data if key.endswith("_b")}
    long = {key: np.resize(x, (n, *x.shape[1:])) for key, x in data.items() if is_column(x)}
    return getattr(fc, name)(**options_of(name) | data | long)


ELSEWHERE = {"reader_study_test", "two_proportions_unpaired_test"}
TESTS = sorted(with_margin() - ELSEWHERE)
OF_FIXED_SIZE = {"ttest_5x2cv"}
WITH_VARIANCE = {"two_proportions_test"}  # each accuracy has its own


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*stratified")
@pytest.mark.parametrize("alternative", CLAIMS)
@pytest.mark.parametrize("name", TESTS)
def test_a_claim_about_models_that_are_alike_has_a_pvalue_that_falls_with_n(name, alternative):
    results = [of_alike(name, n, alternative=alternative, margin=0.1) for n in (12, 24, 48)]
    p = [result.pvalue for result in results]
    assert all(0.0 < x < 1.0 for x in p)
    assert name in OF_FIXED_SIZE or p[0] > p[1] > p[2]
    for result in results:
        assert_allclose(math.exp(result.log_pvalue), result.pvalue)
        low, high = result.confidence_interval()
        assert low < 0.0 < high or (low <= 0.0 <= high and math.isinf(result.bounds[1]))
        assert name in WITH_VARIANCE | {"mcnemar_test"} or re.search(
            "that do(es)? not vary", result.summary()
        )


@pytest.mark.slow
@pytest.mark.parametrize("alternative", CLAIMS)
@pytest.mark.parametrize("name", sorted(set(TESTS) - WITH_VARIANCE))
def test_the_interval_lies_within_the_margin_exactly_if_the_test_rejects(name, alternative):
    for margin in (0.02, 0.05, 0.1, 0.2, 0.3):
        result = of_alike(name, 48, alternative=alternative, margin=margin)
        for level in (0.8, 0.95, 0.999):
            low, high = result.confidence_interval(level)
            claimed = {
                "greater": low > -margin,
                "less": high < margin,
                "equivalence": -margin < low and high < margin,
            }
            assert (result.pvalue < 1 - level) == claimed[alternative]


@pytest.mark.parametrize("name", sorted(set(TESTS) - {"mcnemar_test"} - WITH_VARIANCE))
def test_without_a_margin_the_interval_alone_knows_how_many_cases_there_are(name):
    few, many = (of_alike(name, n, alternative="two-sided", margin=0.0) for n in (12, 48))
    assert (few.statistic, few.pvalue) == (0.0, 1.0)
    low, high = few.confidence_interval()
    assert low <= many.confidence_interval().low <= 0.0 <= many.confidence_interval().high <= high
    assert low < 0.0 < high or math.isinf(few.bounds[1])


@pytest.mark.parametrize("k", [1, 3, 10, 40])
@pytest.mark.parametrize("margin", [0.02, 0.1, 0.5])
def test_the_bound_is_attained_by_models_that_differ_wholly_in_some_units(k, margin):
    """Every unit shows a difference of -1 with chance `margin`: the truth is -margin."""
    none = (1 - Fraction(str(margin))) ** k
    found = ZeroVarianceBound(k).pvalue(0.0, "greater", margin)
    assert_allclose(found.pvalue, float(none), rtol=1e-13)


@pytest.mark.parametrize("alternative", CLAIMS)
def test_ends_and_pvalues_of_equal_differences_invert_one_another(alternative):
    units = ZeroVarianceBound(7.5)
    for estimate in (-0.5, 0.0, 0.25, 1.0, -1.0):
        for alpha in (0.01, 0.3):
            low, high = units.ends(estimate, alpha)
            if alternative != "less" and low < min(estimate, 0.0):
                assert_allclose(units.pvalue(estimate, "greater", -low).pvalue, alpha)
            if alternative != "greater" and high > max(estimate, 0.0):
                assert_allclose(units.pvalue(estimate, "less", high).pvalue, alpha)
            assert -1.0 <= low <= estimate <= high <= 1.0


@pytest.mark.slow
def test_products_over_disjoint_pairs_are_on_average_at_least_those_of_the_mean():
    """Van der Waerden's bound, from which follows that equal components are as many units."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        table = rng.random((4, 4)) ** 4
        for _ in range(500):  # Sinkhorn: equal sums of rows and columns
            table /= table.mean(axis=0)
            table /= table.mean(axis=1)[:, None]
        products = [math.prod(table[range(4), order]) for order in permutations(range(4))]
        assert np.mean(products) > 1 - 1e-9


def test_unequal_clusters_are_bounded_by_as_many_of_the_largest():
    """Whatever chance each cluster has to differ, all agree no more often than the bound says."""
    rng = np.random.default_rng(1)
    for _ in range(300):
        sizes = rng.integers(1, 20, rng.integers(2, 9))
        chance = rng.random(sizes.size) ** 3
        margin = float(chance @ sizes / sizes.sum())
        assert np.prod(1 - chance) <= (1 - margin) ** sum_over_largest(sizes) * (1 + 1e-12)


def test_equal_differences_other_than_zero_have_a_claim_by_margin_only():
    y = np.arange(20) % 2
    flat = np.zeros(20)
    one = fc.delong_test(y, y, flat, alternative="greater", margin=0.1, on_undefined="raise")
    assert_allclose(one.pvalue, (0.9 / 1.5) ** 10)
    assert one.status == "unvaried"
    assert_allclose(one.confidence_interval().low, 1.5 * 0.05**0.1 - 1)
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        assert math.isnan(fc.delong_test(y, y, flat).pvalue)


def test_clusters_and_weights_count_as_so_many_equal_ones():
    y, a = labels_and_scores(40)
    claim = {"alternative": "greater", "margin": 0.1}
    clustered = fc.delong_test(y, a, a, groups=np.arange(40) // 4, **claim, on_undefined="ignore")
    assert_allclose(clustered.pvalue, 0.9**5)  # ten clusters, of which a pair takes two
    weight = np.where(np.arange(40) < 4, 10.0, 1.0)
    weighted = fc.delong_test(y, a, a, sample_weight=weight, **claim)
    assert_allclose(weighted.pvalue, 0.9 ** (38 / 10))
    frequent = fc.delong_test(y, a, a, frequency_weight=np.full(40, 3), **claim)
    assert_allclose(frequent.pvalue, 0.9**60)


def test_clusters_of_labels_count_as_so_many_of_the_largest():
    y, a = labels_and_scores(40)
    claim = {"alternative": "equivalence", "margin": 0.1, "on_undefined": "raise"}
    groups = np.repeat(np.arange(8), [2, 3, 5, 5, 5, 5, 5, 10])
    found = fc.mcnemar_test(y, a > 0.5, a > 0.5, groups=groups, **claim)
    assert_allclose(found.pvalue, 0.9**4)
    p = 1 / (1 + np.exp(-a))
    assert_allclose(fc.scoring_test(y, p, p, groups=groups, **claim).pvalue, 0.9**4)


def test_pairs_of_models_that_are_alike_have_the_interval_of_the_single_test():
    y, a = labels_and_scores(40)
    p = 1 / (1 + np.exp(-a))
    single = {
        fc.delong_pairwise_test: fc.delong_test(y, p, p),
        fc.scoring_pairwise_test: fc.scoring_test(y, p, p),
    }
    for test, want in single.items():
        low, high = test(y, {"a": p, "b": p, "c": 1 - p}).confidence_interval()
        assert (low[0], high[0]) == tuple(want.confidence_interval())
    scores = np.random.default_rng(1).random(20)
    table = np.column_stack([scores, scores, scores[::-1]])
    options = {"n_train": 90, "n_test": 10}
    found = fc.ttest_corrected_pairwise_test(table[:4], **options).confidence_interval()
    want = fc.ttest_corrected(scores[:4], scores[:4], **options).confidence_interval()
    assert (found.low[0], found.high[0]) == tuple(want) == (-math.inf, math.inf)


@pytest.mark.slow
def test_no_moved_negative_bounds_average_precision_as_enumerated():
    """A share x of moved negatives goes unseen in m r of them; the precisions are integrated."""
    m, r = 30, 20.0
    y = np.repeat([1, 0], [m, int(m * r)])
    result = fc.average_precision_test(y, y, y, alternative="greater", margin=0.1, **DRAWN)
    u = (np.arange(200_000) + 0.5) / 200_000
    shares = np.linspace(0, 0.01, 2001)[1:]
    change = np.array([1 - np.mean(u / (u + r * x)) for x in shares[::20]])
    x = np.interp(0.1, change, shares[::20])
    assert (1 - x) ** (m * r) <= result.pvalue < 1.02 * (1 - x) ** (m * r)


def test_no_units_tell_nothing():
    assert ZeroVarianceBound(0.0).ends(0.0, 0.05) == (-1.0, 1.0)
    assert ZeroVarianceBound(0.0).pvalue(0.0, "greater", 0.1) == (1.0, 0.0)


def test_sentences_leave_infinite_statistics_out():
    y, a = [0, 0, 0, 1, 1, 1], [1, 3, 2, 4, 6, 5]
    claim = fc.delong_test(y, a, a, alternative="equivalence", margin=0.1)
    assert math.isinf(claim.statistic)
    assert "inf" not in claim.summary()
    assert "|difference| < 0.1, p = 0.7290)" in claim.summary()
