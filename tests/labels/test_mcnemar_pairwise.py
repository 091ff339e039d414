"""McNemar's test of all pairs of models equals the test of each pair; joint tables are exact."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from fastcompare._inference.max_t import level_of_each
from fastcompare.kernels.tables.cells import popcount
from fastcompare.labels._mcnemar_pairwise import joint_counts

SIZES = st.tuples(st.integers(1, 6), st.sampled_from([1, 7, 8, 9, 63, 64, 65, 200]))


@settings(max_examples=50, deadline=None)
@given(SIZES.flatmap(lambda shape: arrays(np.uint8, shape, elements=st.integers(0, 1))))
def test_joint_counts_equal_the_product_of_correctness(right):
    before = right.copy()
    assert_array_equal(joint_counts(right), right.astype(np.int64) @ right.T.astype(np.int64))
    assert_array_equal(right, before)


def test_joint_counts_of_many_cases(requires_jit):
    right = (np.random.default_rng(0).random((50, 20_011)) < 0.8).astype(np.uint8)
    assert_array_equal(joint_counts(right), right.astype(np.int64) @ right.T.astype(np.int64))


@pytest.mark.slow
@given(st.integers(0, 2**64 - 1))
def test_ones_are_counted_in_a_word(word):
    assert int(popcount(np.uint64(word))) == word.bit_count()


def models(n=300, k=5):
    rng = np.random.default_rng(2)
    y = rng.integers(0, 3, n)
    wrong = rng.random((n, k)) < [0.05, 0.05, 0.06, 0.3, 0.4][:k]
    predictions = np.where(wrong, (y[:, None] + 1) % 3, y[:, None])
    predictions[:, 1] = predictions[:, 0]
    return y, predictions


@pytest.mark.parametrize("method", ["auto", "exact", "midp", "asymptotic"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_every_pair_is_mcnemars_test(method, alternative):
    y, predictions = models()
    names = ["m", "n", "o", "p", "q"]
    table = dict(zip(names, predictions.T, strict=True))
    found = fc.mcnemar_pairwise_test(y, table, method=method, alternative=alternative)
    assert found.pairs == tuple(itertools.combinations(names, 2))
    low, high = found.confidence_interval(0.9)
    for p, (one, other) in enumerate(found.pairs):
        want = fc.mcnemar_test(y, table[one], table[other], method=method, alternative=alternative)
        for name in ("statistic", "pvalue", "estimate", "standard_error", "n10", "n01"):
            assert getattr(found, name)[p] == getattr(want, name), name
        assert found.method[p] == want.method
        assert found.status[p] == want.status
        assert_allclose((low[p], high[p]), want.confidence_interval(0.9), rtol=1e-14)
    assert found.status[0] == "no_discordant"
    if method == "auto":
        assert set(found.method) == {"midp", "asymptotic"}
    default = "shaffer" if alternative == "two-sided" else "holm"
    assert found.correction == default
    assert_array_equal(found.adjusted_pvalue, fc.adjust_pvalues(found.pvalue, method=default))
    assert_allclose(found.accuracy, (predictions == y[:, None]).mean(axis=0))


def test_continuity_is_mcnemars_correction():
    y, predictions = models()
    found = fc.mcnemar_pairwise_test(y, predictions, continuity=True, correction="none")
    assert_array_equal(found.adjusted_pvalue, found.pvalue)
    for p, (i, j) in enumerate(itertools.combinations(range(5), 2)):
        want = fc.mcnemar_test(y, predictions[:, i], predictions[:, j], continuity=True)
        assert (found.statistic[p], found.pvalue[p]) == (want.statistic, want.pvalue)
    with pytest.raises(fc.InvalidValueError, match="continuity=True"):
        fc.mcnemar_pairwise_test(y, predictions, continuity=True, method="exact")
    with pytest.raises(fc.InvalidTypeError, match="`continuity` must be True or False"):
        fc.mcnemar_pairwise_test(y, predictions, continuity="holm")


@pytest.mark.slow
def test_simultaneous_intervals_are_those_of_jointly_normal_accuracies_in_mcnemar_pairwise_test():
    y, predictions = models()
    found = fc.mcnemar_pairwise_test(y, predictions)
    covariance = np.cov((predictions == y[:, None]).T, bias=True)
    level = level_of_each(covariance, np.triu_indices(5, 1), 0.95, "two-sided")
    assert 0.95 < level < 1 - 0.05 / 10
    wide = found.confidence_interval(0.95, simultaneous=True)
    first, second = np.triu_indices(5, 1)
    is_identical = (predictions[:, first] == predictions[:, second]).all(axis=0)
    assert is_identical.sum() == 1  # its bound is by Bonferroni
    want = np.where(is_identical, found.confidence_interval(1 - 0.05 / 10), 0)
    want += np.where(is_identical, 0, found.confidence_interval(level))
    assert_allclose(wide, want, atol=1e-8)


@pytest.mark.parametrize("method", ["exact", "midp", "asymptotic"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_logarithms_outlive_p_values_that_underflow(method, alternative):
    y = np.zeros(4000, int)
    table = {"right": y, "wrong": np.where(np.arange(4000) < 3000, 1, 0)}
    options = {"method": method, "alternative": alternative}
    found = fc.mcnemar_pairwise_test(y, table, **options)
    want = fc.mcnemar_test(y, table["right"], table["wrong"], **options)
    assert found.pvalue[0] < 1e-290
    assert found.log_pvalue.tolist() == [want.log_pvalue]


def test_tables_of_models_and_cliques_in_mcnemar_pairwise_test():
    y, predictions = models()
    found = fc.mcnemar_pairwise_test(y, predictions)
    table = found.matrix("estimate")
    assert_allclose(table, found.accuracy[:, None] - found.accuracy, atol=1e-15)
    assert found.cliques == (("model 1", "model 2", "model 3"), ("model 4", "model 5"))


def test_summaries_name_the_strongest_differences_in_mcnemar_pairwise_test():
    y, predictions = models()
    text = fc.mcnemar_pairwise_test(y, predictions).summary()
    assert "model 1 is right more often than model 5" in text
    assert "(McNemar's asymptotic or mid-p test, Shaffer-adjusted)" in text
    bold = fc.mcnemar_pairwise_test(y, predictions, alpha=1e-30)
    assert "at the 1e-28% level" in bold.summary()
    assert len(bold.cliques) == 1
    nothing = fc.mcnemar_pairwise_test(y, predictions[:, :2], correction="none").summary()
    assert nothing.startswith("The difference in accuracy is not")


def test_one_model_cannot_be_compared():
    with pytest.raises(fc.InvalidValueError, match="at least two models"):
        fc.mcnemar_pairwise_test([0, 1], [0, 1])
    with pytest.raises(fc.InvalidValueError, match="at least two models"):
        fc.cochran_q_test([0, 1], [0, 1])


@pytest.mark.parametrize("method", ["auto", "exact", "midp", "asymptotic"])
@pytest.mark.parametrize("n", [8, 60, 300])
def test_fields_that_wait_are_those_of_single_tests(method, n):
    y, predicted = models(n=n)
    found = fc.mcnemar_pairwise_test(y, predicted, method=method)
    assert "adjusted_pvalue" not in vars(found)
    assert found.pairs == tuple(itertools.combinations(found.names, 2))
    assert_array_equal(found.adjusted_pvalue, fc.adjust_pvalues(found.pvalue, method="shaffer"))
    for p, (i, j) in enumerate(itertools.combinations(range(5), 2)):
        single = fc.mcnemar_test(y, predicted[:, i], predicted[:, j], method=method)
        assert single.pvalue == found.pvalue[p]
        assert single.standard_error == found.standard_error[p]
        assert single.status == found.status[p]


def test_a_correction_of_too_many_models_is_refused_in_the_call_in_mcnemar_pairwise_test():
    y, predicted = models()
    predicted = np.hstack([predicted] * 3)
    with pytest.raises(fc.InvalidValueError, match="at most 14 models"):
        fc.mcnemar_pairwise_test(y, predicted, correction="bergmann-hommel")
