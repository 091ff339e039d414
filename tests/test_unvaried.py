"""Claims about models that judge all cases alike: every test with a margin answers them."""

import inspect
import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare._inference.infer import Unvaried, as_equal

DRAWN = {"n_resamples": 99, "rng": 0}
CLAIMS = ("greater", "less", "equivalence")


def labels_and_scores(n):
    y = np.arange(n) % 2
    return y, np.random.default_rng(3).normal(size=n) + y


def of_scores(test, **options):
    def call(n, **claim):
        y, a = labels_and_scores(n)
        return test(y, a, a, **options, **claim)

    return call


def of_classes(n, **claim):
    y = np.arange(n) % 3
    table = np.random.default_rng(3).normal(size=(n, 3))
    return fc.multiclass_auc_test(y, table, 2 * table, **claim)


def of_two_samples(n, **claim):
    y, _ = labels_and_scores(n)
    return fc.delong_unpaired_test(y, y, y, 2 * y, on_undefined="ignore", **claim)


def of_subgroups(n, **claim):
    y, a = labels_and_scores(n)
    return fc.delong_interaction_test(y, a, 2 * a, np.arange(n) // 2 % 2, **claim)


def of_times(test, probabilities=False, **options):
    def call(n, **claim):
        y, a = labels_and_scores(n)
        if probabilities:
            a = 1 / (1 + np.exp(-a))
        return test(2.0 - y, np.ones(n, int), a, a, **options, **claim)

    return call


def of_labels(test, **options):
    def call(n, **claim):
        y, a = labels_and_scores(n)
        return test(y, a > 0.5, a > 0.5, **options, **claim)

    return call


def of_probabilities(n, **claim):
    y, a = labels_and_scores(n)
    p = 1 / (1 + np.exp(-a))
    return fc.scoring_test(y, p, p, **claim)


def of_rounds(test, **options):
    def call(n, **claim):
        scores = np.random.default_rng(3).random(n)
        return test(scores, scores, **options, **claim)

    return call


def of_own_rounds(n, **claim):
    return fc.ttest_unpaired(np.full(n, 0.5), np.full(n + 1, 0.5), **claim)


def of_halves(n, **claim):
    scores = np.random.default_rng(3).random((5, 2))
    return fc.ttest_5x2cv(scores, scores, **claim)


SIZES = {"n_train": 90, "n_test": 10}
TESTS = {
    "auc_at_test": of_times(fc.auc_at_test, horizon=1.5),
    "concordance_test": of_times(fc.concordance_test),
    "survival_brier_test": of_times(fc.survival_brier_test, probabilities=True, horizon=1.5),
    "average_precision_test": of_scores(fc.average_precision_test, **DRAWN),
    "bootstrap_auc_test": of_scores(fc.bootstrap_auc_test, **DRAWN),
    "bootstrap_metric_test": of_labels(fc.bootstrap_metric_test, metric="f1", **DRAWN),
    "cohen_kappa_test": of_labels(fc.cohen_kappa_test),
    "delong_interaction_test": of_subgroups,
    "delong_test": of_scores(fc.delong_test),
    "delong_unpaired_test": of_two_samples,
    "mcnemar_test": of_labels(fc.mcnemar_test),
    "multiclass_auc_test": of_classes,
    "paired_mean_test": of_rounds(fc.paired_mean_test),
    "partial_auc_test": of_scores(fc.partial_auc_test, fpr=(0, 0.5), **DRAWN),
    "scoring_test": of_probabilities,
    "sensitivity_at_specificity_test": of_scores(
        fc.sensitivity_at_specificity_test, specificity=0.5, **DRAWN
    ),
    "specificity_at_sensitivity_test": of_scores(
        fc.specificity_at_sensitivity_test, sensitivity=0.5, **DRAWN
    ),
    "ttest_5x2cv": of_halves,
    "ttest_corrected": of_rounds(fc.ttest_corrected, **SIZES),
    "ttest_kfold": of_rounds(fc.ttest_kfold, design="independent"),
    "ttest_resampled": of_rounds(fc.ttest_resampled),
    "ttest_unpaired": of_own_rounds,
    "two_proportions_test": of_labels(fc.two_proportions_test, variance="unpooled"),
}
ELSEWHERE = {"reader_study_test", "two_proportions_unpaired_test"}
OF_FIXED_SIZE = {"ttest_5x2cv"}
WITH_VARIANCE = {"two_proportions_test"}  # each accuracy has its own


def test_every_test_with_a_margin_is_here():
    functions = {name: getattr(fc, name) for name in fc.__all__ if name.endswith("_test")}
    functions |= {name: getattr(fc, name) for name in fc.__all__ if name.startswith("ttest_")}
    found = {n for n, f in functions.items() if "margin" in inspect.signature(f).parameters}
    assert found == set(TESTS) | ELSEWHERE


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*stratified")
@pytest.mark.parametrize("alternative", CLAIMS)
@pytest.mark.parametrize("name", TESTS)
def test_a_claim_about_models_that_are_alike_has_a_pvalue_that_falls_with_n(name, alternative):
    results = [TESTS[name](n, alternative=alternative, margin=0.1) for n in (12, 24, 48)]
    p = [result.pvalue for result in results]
    assert all(0.0 < x < 1.0 for x in p)
    assert name in OF_FIXED_SIZE or p[0] > p[1] > p[2]
    for result in results:
        assert_allclose(math.exp(result.log_pvalue), result.pvalue)
        low, high = result.confidence_interval()
        assert low < 0.0 < high or (low <= 0.0 <= high and math.isinf(result.bounds[1]))
        assert name in WITH_VARIANCE | {"mcnemar_test"} or "that do not vary" in result.summary()


@pytest.mark.slow
@pytest.mark.parametrize("alternative", CLAIMS)
@pytest.mark.parametrize("name", sorted(set(TESTS) - WITH_VARIANCE))
def test_the_interval_lies_within_the_margin_exactly_if_the_test_rejects(name, alternative):
    for margin in (0.02, 0.05, 0.1, 0.2, 0.3):
        result = TESTS[name](48, alternative=alternative, margin=margin)
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
    few, many = (TESTS[name](n, alternative="two-sided", margin=0.0) for n in (12, 48))
    assert (few.statistic, few.pvalue) == (0.0, 1.0)
    low, high = few.confidence_interval()
    assert low <= many.confidence_interval().low <= 0.0 <= many.confidence_interval().high <= high
    assert low < 0.0 < high or math.isinf(few.bounds[1])


@pytest.mark.parametrize("k", [1, 3, 10, 40])
@pytest.mark.parametrize("margin", [0.02, 0.1, 0.5])
def test_the_bound_is_attained_by_models_that_differ_wholly_in_some_units(k, margin):
    """Every unit shows a difference of -1 with chance `margin`: the truth is -margin."""
    none = (1 - Fraction(str(margin))) ** k
    found = Unvaried(k).pvalue(0.0, "greater", margin)
    assert_allclose(found.pvalue, float(none), rtol=1e-13)


@pytest.mark.parametrize("alternative", CLAIMS)
def test_ends_and_pvalues_of_equal_differences_invert_one_another(alternative):
    units = Unvaried(7.5)
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
        assert np.prod(1 - chance) <= (1 - margin) ** as_equal(sizes) * (1 + 1e-12)


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
    assert Unvaried(0.0).ends(0.0, 0.05) == (-1.0, 1.0)
    assert Unvaried(0.0).pvalue(0.0, "greater", 0.1) == (1.0, 0.0)


def test_sentences_leave_infinite_statistics_out():
    y, a = [0, 0, 0, 1, 1, 1], [1, 3, 2, 4, 6, 5]
    claim = fc.delong_test(y, a, a, alternative="equivalence", margin=0.1)
    assert math.isinf(claim.statistic)
    assert "inf" not in claim.summary()
    assert "|difference| < 0.1, p = 0.7290)" in claim.summary()
