"""Values at the edge of a rule: random mutants that took the other side survived once."""

import dataclasses
import inspect

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare._inference.bounded import BoundedMean
from fastcompare._inference.infer import effective_wilson_ends
from fastcompare._inference.item_scale import effective_items_of_sums
from fastcompare.probabilities._losses import scaled_mean_jump
from tests.shared.every_call import CALLS, READ, called

QUIET = {"on_undefined": "ignore"}


@pytest.mark.parametrize("right", range(8))
def test_exact_intervals_are_those_of_clopper_and_pearson_at_both_ends(right):
    answers = np.arange(7) < right
    found = fc.accuracy_interval(correct=answers, method="clopper-pearson", **QUIET)
    want = stats.binomtest(right, 7).proportion_ci(method="exact")
    assert_allclose(found.confidence_interval(), (want.low, want.high), rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize(("rope", "counts"), [(0.0, (3, 2, 2)), (0.5, (2, 3, 2)), (1.0, (0, 7, 0))])
def test_differences_at_the_end_of_the_region_are_in_it(rope, counts):
    d = np.array([0.0, 0.0, 0.5, 1.0, -1.0, -1.0, 1.0])
    found = fc.bayes_sign(d, rope=rope)
    assert (found.n_a, found.n_rope, found.n_b) == counts


def test_clusters_of_equal_items_count_as_many_as_there_are():
    value, sizes = np.array([1.0, -1.0, 2.0, -2.0]), np.array([5, 5, 5, 5])
    units = effective_items_of_sums(value * sizes, sizes, float(sizes @ value**2), 20.0)
    assert_allclose(units, 4.0)


def test_shares_without_variance_have_no_interval_but_all_or_none():
    low, high = effective_wilson_ends(np.array([0.0, 0.4, 1.0]), np.zeros(3), 9.0, 2.0)
    assert np.isnan([low[1], high[1]]).all()
    z2n = 2.0**2 / 9.0
    assert_allclose([low[0], high[0]], [0.0, z2n / (1 + z2n)], atol=1e-12)
    assert_allclose([low[2], high[2]], [1 / (1 + z2n), 1.0], atol=1e-12)


@pytest.mark.parametrize(
    ("random", "scope"),
    [
        ("both", "about other readers and cases"),
        ("readers", "about other readers on these cases"),
        ("cases", "about these readers on other cases"),
    ],
)
def test_a_reader_study_says_whom_its_claim_is_about(random, scope):
    options = {} if random == "both" else {"random": random}
    found = fc.reader_study_test(**READ, **options, **QUIET)
    assert scope in found.summary()
    assert (found._units == "readers") == (random == "readers")  # whose failures count


def test_equal_differences_in_time_order_have_the_freedom_of_all_others():
    found = fc.paired_mean_test(np.full(9, 0.25), lags=2, **QUIET)
    assert (found.estimate, found.standard_error, found.df) == (0.25, 0.0, 8.0)
    varying = fc.paired_mean_test(np.arange(9.0) % 4 - 1.0, lags=2, **QUIET)
    assert varying.df == 8.0
    assert_allclose(varying.pvalue, 2 * stats.t.sf(abs(varying.statistic), 8.0), rtol=1e-12)


def test_a_typical_jump_is_weighed_by_its_size_and_by_who_is_not_rare():
    assert_allclose(scaled_mean_jump(2.0, 4.0, np.array([10, 5]), [1]), (1 - 5 / 15) * 2 / 4 / 15)
    assert scaled_mean_jump(0.0, 0.0, np.array([10, 5]), [1]) == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_intervals_of_bounded_differences_are_the_means_that_their_test_accepts(seed):
    rng = np.random.default_rng(seed)
    values = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])
    shares = rng.dirichlet([0.5, 0.5, 3.0, 1.0, 1.0])
    mean = BoundedMean(values, shares, 1.0, float(rng.integers(8, 60)))
    low, high = mean.low(0.025), -mean.swap_models().low(0.025)
    assert low < shares @ values < high
    for end, size in ((low, 1.959964), (high, -1.959964)):
        if abs(end) < 0.999:
            assert_allclose(mean.statistic(end), size, rtol=1e-4)


WORDS = [  # options whose default is a word
    (name, p.name)
    for name in CALLS
    for p in inspect.signature(getattr(fc, name)).parameters.values()
    if isinstance(p.default, str) and p.kind is p.KEYWORD_ONLY
]


@pytest.mark.parametrize(("name", "option"), WORDS)
def test_a_word_that_no_option_has_is_an_error_that_names_it(name, option):
    with pytest.raises(fc.FastCompareError, match="no-such-word"):
        called(name, **{option: "no-such-word"})


def test_one_case_of_a_class_has_no_replicates():
    found = fc.roc_auc_interval([0, 0, 0, 1], [1, 2, 3, 2.5], method="bootstrap", rng=0, **QUIET)
    assert (found.estimate, found.status) == (2 / 3, "too_few")
    assert np.isnan(found.confidence_interval()).all()


def test_two_cases_of_a_class_have_replicates():
    y = np.array([0, 0, 1, 1, 1, 2, 2, 2, 2])
    p, q = np.random.default_rng(1).dirichlet(np.ones(3), (2, 9))
    found = fc.multiclass_auc_test(y, p, q, n_resamples=99, rng=0, **QUIET)
    assert np.isfinite(found.confidence_interval()).all()


@pytest.mark.parametrize(
    "links", [{}, {"groups": np.arange(12) // 3}, {"strata": np.arange(12) % 2}]
)
def test_answers_that_are_all_wrong_mirror_those_that_are_all_right(links):
    wrong, right = (fc.mean_interval(np.full(12, x), **links, **QUIET) for x in (0.0, 1.0))
    low, high = wrong.confidence_interval()
    assert_allclose(right.confidence_interval(), (1.0 - high, 1.0 - low), atol=1e-12)
    assert low == 0.0
    assert 0.1 < high < 0.5


def test_clipped_probabilities_are_as_if_clipped_before_at_both_ends():
    p = np.linspace(0.0, 1.0, 60)
    y = (np.random.default_rng(2).uniform(size=60) < 0.2 + 0.6 * p).astype(int)
    found = fc.calibration_test(y, p, clip=0.1, **QUIET)
    assert found.pvalue == fc.calibration_test(y, np.clip(p, 0.1, 0.9), **QUIET).pvalue


@pytest.mark.parametrize("name", CALLS)
def test_no_field_of_a_result_can_be_set(name):
    result = called(name)
    for field in dataclasses.fields(result) if dataclasses.is_dataclass(result) else ():
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, field.name, None)
