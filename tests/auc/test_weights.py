"""Weights of cases, of both kinds, in every function that takes them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import stdtrit

import fastcompare as fc
from tests.reference import auc as reference
from tests.reference import weights as reference_weights
from tests.shared.strategies import scored_cases

Y = np.array([0] * 6 + [1] * 7)
A = np.array([0.1, 0.2, 0.05, 0.3, 0.1, 0.6, 0.6, 0.7, 0.8, 0.99, 0.8, 0.67, 0.5])
B = np.array([0.3, 0.6, 0.2, 0.1, 0.1, 0.9, 0.23, 0.7, 0.9, 0.4, 0.77, 0.3, 0.89])
W = np.array([1, 2, 1, 1, 3, 1, 1, 1, 2, 1, 1, 1, 1])
KINDS = ["sample_weight", "frequency_weight"]
CHECKED = {"sample_weight": 0.0152785, "frequency_weight": 0.0101635}
COUNTS = st.integers(1, 4)
REALS = st.floats(0.01, 100.0)

each_kind = pytest.mark.parametrize("kind", KINDS)


@st.composite
def weighted_cases(draw, kind, k=2):
    """Labels, (k, n) scores and weights above 0."""
    labels, table = draw(scored_cases(k=k, largest=14))
    elements = COUNTS if kind == "frequency_weight" else REALS
    return (
        labels,
        table,
        np.array(draw(st.lists(elements, min_size=labels.size, max_size=labels.size))),
    )


def compared(labels, table, **words):
    return fc.delong_test(labels, *table, on_undefined="ignore", **words)


def numbers(result):
    return [result.estimate, result.standard_error, *result.auc, *result.covariance.ravel()]


@each_kind
def test_the_check_values_in_delong_test(kind):
    result = fc.delong_test(Y, A, B, **{kind: W})
    np.testing.assert_allclose(result.auc, [0.979167, 0.798611], atol=5e-7)
    assert result.standard_error**2 == pytest.approx(CHECKED[kind], abs=5e-8)


@pytest.mark.slow
@each_kind
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_moments_equal_their_definition_in_delong_covariance(kind, data):
    labels, table, weights = data.draw(weighted_cases(kind, k=3))
    result = fc.delong_covariance(labels, table.T, **{kind: weights}, on_undefined="ignore")
    auc, covariance = reference_weights.weighted(labels, table, weights, kind)
    np.testing.assert_allclose(result.auc, np.array(auc, float), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        result.covariance, np.array(covariance, float), rtol=1e-10, atol=1e-15
    )


@pytest.mark.slow
@each_kind
@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_differences_equal_their_definition_without_cancellation_in_delong_test(kind, data):
    labels, table, weights = data.draw(weighted_cases(kind))
    result = compared(labels, table, **{kind: weights})
    auc, covariance = reference_weights.weighted(labels, table, weights, kind)
    want = float(reference.difference_variance(covariance, 0, 1))
    assert result.estimate == pytest.approx(float(auc[0] - auc[1]), rel=1e-12, abs=1e-15)
    assert result.standard_error**2 == pytest.approx(want, rel=1e-10, abs=1e-30)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(case=weighted_cases("frequency_weight"))
def test_frequencies_stand_for_repeated_rows_in_delong_test(case):
    labels, table, counts = case
    result = compared(labels, table, frequency_weight=counts)
    rows, repeated = reference_weights.expanded(labels, table, counts)
    plain = compared(rows, repeated)
    np.testing.assert_allclose(numbers(result), numbers(plain), rtol=1e-12, atol=1e-15)
    sizes = (result.n_positive, result.n_negative, result.status)
    assert sizes == (plain.n_positive, plain.n_negative, plain.status)


def test_a_single_row_of_a_frequency_has_a_variance_as_its_copies_have_in_roc_auc_interval():
    labels, a, counts = [1, 0, 0, 0], [3, 1, 4, 2], [3, 1, 1, 1]
    result = fc.roc_auc_interval(labels, a, frequency_weight=counts)
    plain = fc.roc_auc_interval([1, 1, 1, 0, 0, 0], [3, 3, 3, 1, 4, 2])
    assert result.standard_error == pytest.approx(plain.standard_error, rel=1e-14)
    assert result.confidence_interval() == pytest.approx(plain.confidence_interval(), rel=1e-12)
    assert result.status == plain.status == "ok"


@pytest.mark.parametrize("factor", [2.0, 1e-6, 1e-300, 1e300, 5e-320])
def test_only_ratios_of_sampling_weights_count_in_delong_test(factor):
    want = numbers(fc.delong_test(Y, A, B, sample_weight=W))
    scaled = (W / W.sum()) * factor
    rtol = 1e-2 if factor < 1e-310 else 1e-14  # the last are subnormal: few digits
    with np.errstate(all="raise"):
        got = numbers(fc.delong_test(Y, A, B, sample_weight=scaled))
    np.testing.assert_allclose(got, want, rtol=rtol)


def test_sampling_weights_of_the_classes_need_not_be_comparable_in_delong_test():
    want = numbers(fc.delong_test(Y, A, B, sample_weight=W))
    scaled = np.where(Y, W * 1e300, W * 1e-300)
    np.testing.assert_allclose(
        numbers(fc.delong_test(Y, A, B, sample_weight=scaled)), want, rtol=1e-14
    )


def test_a_weight_that_is_nothing_beside_the_others_does_no_harm():
    weights = np.where(np.arange(Y.size) == 3, 1e-320, 1e300 * W)
    with np.errstate(all="raise"):  # as hosts may ask for
        fc.roc_auc_interval(Y, A, sample_weight=weights)
    got = fc.delong_test(Y, A, B, sample_weight=weights)
    with np.errstate(all="raise"):
        assert numbers(fc.delong_test(Y, A, B, sample_weight=weights)) == numbers(got)
    rest = np.arange(Y.size) != 3
    want = fc.roc_auc(Y[rest], A[rest], sample_weight=W[rest])
    assert got.auc[0] == pytest.approx(want, rel=1e-14)


@each_kind
@settings(max_examples=30, deadline=None)
@given(case=scored_cases())
def test_weights_of_one_change_nothing_in_delong_test(kind, case):
    labels, table = case
    result = compared(labels, table, **{kind: np.ones(labels.size)})
    plain = compared(labels, table, reference="t" if kind == "sample_weight" else "auto")
    np.testing.assert_allclose(numbers(result), numbers(plain), rtol=1e-11, atol=1e-15)
    assert (result.status, result.n_positive) == (plain.status, plain.n_positive)


@pytest.mark.slow
@each_kind
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_weight_of_zero_removes_its_case_in_delong_test(kind, data):
    labels, table, weights = data.draw(weighted_cases(kind))
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=labels.size, max_size=labels.size)))
    zeroed = compared(labels, table, **{kind: np.where(kept, weights, 0)})
    if not kept.any():
        assert (zeroed.status, zeroed.n_positive) == ("one_class", 0)
        return
    removed = compared(labels[kept], table[:, kept], **{kind: weights[kept]})
    assert str(zeroed.to_dict()) == str(removed.to_dict())


@pytest.mark.slow
@each_kind
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_swapping_models_negates_and_the_order_of_cases_is_irrelevant_in_delong_test(kind, data):
    labels, table, weights = data.draw(weighted_cases(kind))
    result = compared(labels, table, **{kind: weights})
    swapped = compared(labels, table[::-1], **{kind: weights})
    assert swapped.estimate == -result.estimate
    assert swapped.standard_error == result.standard_error
    order = np.array(data.draw(st.permutations(range(labels.size))))
    moved = compared(labels[order], table[:, order], **{kind: weights[order]})
    np.testing.assert_allclose(numbers(moved), numbers(result), rtol=1e-9, atol=1e-15)


@each_kind
def test_models_that_order_the_classes_alike_differ_by_exactly_nothing_in_delong_test(kind):
    rng = np.random.default_rng(3)
    labels = np.arange(200) // 4 % 2  # runs of four: the order within a run is irrelevant
    a = np.arange(200.0)
    b = rng.permuted(a.reshape(-1, 4), axis=1).ravel()
    weights = (
        rng.integers(1, 10**6, 200) if kind == "frequency_weight" else rng.lognormal(0, 5, 200)
    )
    result = fc.delong_test(labels, a, b, **{kind: weights})
    assert (result.estimate, result.standard_error, result.pvalue) == (0.0, 0.0, 1.0)
    assert result.status == "identical"
    assert not fc.delong_test(labels, a, np.exp(a / 50), **{kind: weights}).standard_error


def test_the_variance_is_that_of_the_infinitesimal_jackknife():
    rng = np.random.default_rng(4)
    labels, scores, weights = np.arange(30) % 2, rng.normal(size=30), rng.lognormal(size=30)
    step = 1e-4

    def auc(i, change):
        return fc.roc_auc(
            labels, scores, sample_weight=weights * (1 + change * (np.arange(30) == i))
        )

    slopes = np.array([(auc(i, step) - auc(i, -step)) / (2 * step) for i in range(30)])
    want = sum(15 / 14 * (slopes[labels == c] ** 2).sum() for c in (0, 1))
    result = fc.roc_auc_interval(labels, scores, sample_weight=weights)
    assert result.standard_error**2 == pytest.approx(want, rel=1e-6)


@each_kind
def test_all_functions_agree(kind):
    words = {kind: W}
    test = fc.delong_test(Y, A, B, **words)
    both = fc.delong_covariance(Y, {"a": A, "b": B}, **words)
    pair = fc.delong_pairwise_test(Y, {"a": A, "b": B}, **words)
    one = fc.roc_auc_interval(Y, A, **words)
    np.testing.assert_array_equal(both.covariance, test.covariance)
    assert (pair.estimate[0], pair.standard_error[0]) == (test.estimate, test.standard_error)
    assert (pair.status[0], pair.method) == (test.status, test.method)
    assert one.estimate == fc.roc_auc(Y, A, **words) == test.auc[0]
    assert one.standard_error == pytest.approx(both.standard_error[0], rel=1e-15)
    name = "sampling weights" if kind == "sample_weight" else "frequency weights"
    assert test.method == f"DeLong's paired test, {name}"
    assert one.design == name
    assert name in one.summary()
    assert name in test.summary()
    logit = fc.roc_auc_interval(Y, A, method="logit", **words)
    assert 0 < logit.confidence_interval().low < one.estimate < logit.confidence_interval().high < 1


def test_threads_change_nothing_in_delong_covariance(requires_jit):
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 2, 60_000)
    scores, weights = rng.normal(size=(3, 60_000)) + labels, rng.random(60_000)
    one, two = (
        fc.delong_covariance(labels, scores.T, sample_weight=weights, n_jobs=n) for n in (1, 2)
    )
    np.testing.assert_array_equal(one.covariance, two.covariance)


DEGENERATE = [
    ("all weights zero", Y, A, 0 * W, "one_class", 0),
    ("zero within one class", Y, A, W * Y, "one_class", 7),
    ("one case of a class", Y, A, W * (np.arange(13) > 4), "too_few", 7),
    ("constant scores", Y, 0 * A, W, "constant_scores", 7),
    ("AUC = 1", Y, Y, W, "perfect_separation", 7),
]


@pytest.mark.parametrize("row", DEGENERATE, ids=lambda row: row[0])
def test_degenerate_weights_have_the_status_of_what_is_left_in_roc_auc_interval(row):
    _, labels, scores, weights, status, n_positive = row
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        result = fc.roc_auc_interval(labels, scores, method="delong", sample_weight=weights)
    assert (result.status, result.n_positive) == (status, n_positive)
    assert math.isnan(result.standard_error) == (status in ("one_class", "too_few"))
    if status not in ("one_class", "too_few"):
        assert result.standard_error == 0.0


def test_a_constant_difference_has_no_variance_in_delong_test():
    result = fc.delong_test(Y, Y, 0 * Y, sample_weight=W / 7, on_undefined="ignore")
    assert (result.estimate, result.standard_error) == (0.5, 0.0)
    assert result.status == "zero_variance"


def test_a_difference_of_light_cases_has_all_its_digits_in_delong_test():
    labels, weights = [1, 1, 0, 0, 0], [1.0, 3.0, 1.0, 1e-13, 3e-13]
    table = np.array([[4.0, 2.0, 1.0, 3.0, 0.0], [4.0, 3.0, 1.0, 2.0, 3.5]])
    result = compared(labels, table, sample_weight=weights)
    auc, covariance = reference_weights.weighted(labels, table, weights, "sample_weight")
    want = float(reference.difference_variance(covariance, 0, 1))
    assert result.estimate == pytest.approx(float(auc[0] - auc[1]), rel=1e-13)
    assert result.standard_error**2 == pytest.approx(want, rel=1e-12, abs=0)


@pytest.mark.parametrize("n", [127, 128])
def test_the_largest_counts_do_not_overflow_in_roc_auc(n):
    rng = np.random.default_rng(9)
    scores, counts = rng.integers(0, 9, n), np.full(n, 2**53 - 1)
    for labels in (np.arange(n) < 2, np.arange(n) >= 2):
        auc = fc.roc_auc(labels, scores, frequency_weight=counts)
        assert auc == pytest.approx(fc.roc_auc(labels, scores), rel=1e-15)


def test_an_auc_does_not_exceed_one_by_rounding_in_roc_auc():
    weights = np.concatenate([[1.0, 1e-20], np.random.default_rng(2).random(9)])
    labels, scores = [0] + [1] * 10, [1, 0] + [2] * 9
    assert fc.roc_auc(labels, scores, sample_weight=weights) == 1.0  # 1 + 2^-52 uncut


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(case=weighted_cases("frequency_weight"))
def test_frequencies_have_the_degrees_of_freedom_of_the_cases_that_they_count_in_delong_test(case):
    labels, table, counts = case
    rows = np.repeat(np.arange(labels.size), counts.astype(int))
    found = compared(labels, table, frequency_weight=counts, reference="t")
    want = compared(labels[rows], table[:, rows], reference="t")
    np.testing.assert_allclose(found.df, want.df, rtol=1e-9)
    assert compared(labels, table, frequency_weight=counts, reference="normal").df == math.inf


def test_sampling_weights_have_degrees_of_freedom_by_effective_sizes():
    result = fc.delong_test(Y, A, B, sample_weight=W, on_undefined="ignore")
    equal = fc.delong_test(Y, A, B, sample_weight=np.full(13, 3.0), on_undefined="ignore")
    assert 2 < result.df < equal.df
    plain = fc.delong_test(Y, A, B, reference="t", on_undefined="ignore")
    np.testing.assert_allclose(equal.df, plain.df, rtol=1e-12)
    words = {"sample_weight": W, "on_undefined": "ignore"}
    single = fc.roc_auc_interval(Y, B, method="delong", **words)
    low, high = single.confidence_interval()
    t = (single.estimate - low) / single.standard_error
    assert t == pytest.approx(-stdtrit(single.df, 0.025), rel=1e-9)
    assert high == 1.0


@pytest.mark.parametrize("weight", [0.1, 0.3, 0.7, 1 / 3])
@pytest.mark.parametrize(("m", "reference"), [(3, "t"), (30, "normal")])
def test_equal_weights_leave_as_many_effective_cases_as_there_are(m, reference, weight):
    y = np.arange(100) < m
    a, b = np.random.default_rng(m).normal(size=(2, 100))
    words = {"sample_weight": np.full(100, weight), "reference": reference}
    assert compared(y, [a, b], **words).status == "ok"


@pytest.mark.filterwarnings("ignore:small_sample")
def test_sentences_count_the_effective_cases_that_make_a_test_rough():
    weights = np.where(np.arange(13) == 7, 1e3, 1.0)
    told = " 1.01 effective cases of a class: Student's t rejects too often."
    assert told in fc.delong_test(Y, A, B, sample_weight=weights).summary()
    pairs = fc.delong_pairwise_test(Y, np.c_[A, B], sample_weight=weights)
    assert told in pairs.summary()


def test_a_case_with_nearly_all_weight_leaves_few_effective_cases():
    for largest in (1e3, 1e12, 1e20):
        weights = np.where(np.arange(13) == 7, largest, 1.0)
        with pytest.warns(fc.SmallSampleWarning, match="^small_sample"):
            result = fc.delong_test(Y, A, B, sample_weight=weights)
        assert result.status == "small_sample"
        assert result.df > 0
        assert 0 < result.pvalue <= 1
        pairs = fc.delong_pairwise_test(Y, np.c_[A, B], sample_weight=weights)
        assert pairs.status.tolist() == ["small_sample"]
    assert compared(Y, [A, B], sample_weight=W).status == "ok"
