import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from tests.shared.documents import T2


def problems(count, size, seed=0, decimals=1):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, (count, size))
    labels[:, :4] = [0, 0, 1, 1]
    a, b = (rng.normal(size=(2, count, size)) + labels).round(decimals)
    return labels, a, b


@pytest.mark.slow
@pytest.mark.parametrize("decimals", [1, 15])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_each_problem_equals_its_own_test(alternative, decimals):
    labels, a, b = problems(60, 37, decimals=decimals)
    batch = fc.delong_batch(labels, a, b, alternative=alternative)
    for i in range(60):
        alone = fc.delong_test(labels[i], a[i], b[i], alternative=alternative)
        assert batch.estimate[i] == alone.estimate
        assert_allclose(batch.standard_error[i], alone.standard_error, rtol=1e-13)
        assert_allclose(batch.pvalue[i], alone.pvalue, rtol=1e-11)
        assert_allclose(batch.log_pvalue[i], alone.log_pvalue, rtol=1e-10, atol=1e-14)
        assert batch.auc[i].tolist() == alone.auc.tolist()
        assert (batch.n_positive[i], batch.n_negative[i]) == (alone.n_positive, alone.n_negative)


def test_one_row_of_labels_serves_all_problems_in_delong_batch():
    labels, a, b = problems(20, 30)
    one = fc.delong_batch(labels[0], a, b)
    repeated = fc.delong_batch(np.repeat(labels[:1], 20, axis=0), a, b)
    assert str(one.to_dict()) == str(repeated.to_dict())


@pytest.mark.slow
def test_threads_and_blocks_give_the_same_bits_in_delong_batch(monkeypatch):
    labels, a, b = problems(200, 50)
    plain = str(fc.delong_batch(labels, a, b).to_dict())
    assert str(fc.delong_batch(labels, a, b, n_jobs=2).to_dict()) == plain
    monkeypatch.setattr("fastcompare.auc._delong.batch.BLOCK_CASES", 64)
    assert str(fc.delong_batch(labels, a, b, n_jobs=2).to_dict()) == plain


def test_undefined_problems_do_not_spoil_the_others_in_delong_batch():
    y = [[0, 0, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]]
    a = [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4], [1, 3, 2, 4]]
    b = [[2, 4, 6, 8], [1, 2, 3, 4], [2, 1, 3, 4], [0, 0, 0, 0], [1, 2, 3, 4]]
    with pytest.warns(fc.UndefinedResultWarning) as record:
        result = fc.delong_batch(y, a, b)
    ours = [w for w in record if w.category is fc.UndefinedResultWarning]
    assert [str(w.message).split(":")[0] for w in ours] == [
        "one_class",
        "too_few",
        "zero_variance",
    ]
    assert result.pvalue[0] == 1.0
    assert np.isnan(result.pvalue[[1, 2, 3]]).all()
    assert np.isnan(result.auc[1]).all()
    assert result.auc[2].tolist() == [1.0, 2 / 3]
    assert np.isinf(result.statistic[3])
    assert np.isfinite(result.pvalue[4])
    with pytest.raises(fc.UndefinedResultError, match="1 of 5 problems"):
        fc.delong_batch(y, a, b, on_undefined="raise")


@pytest.mark.parametrize(
    ("y", "a", "b", "message"),
    [
        ([0, 1], [[1.0, 2.0]], [[1.0, np.nan]], "problem 0, case 1"),
        ([0, 1, 1], [[1.0, 2.0]], [[1.0, 2.0]], "y_true"),
        ([0, 1], [[1.0, 2.0]], [[1.0, 2.0], [1.0, 2.0]], "same shape"),
        ([0, 1], [1.0, 2.0], [1.0, 2.0], r"shape \(B, n\)"),
        ([0.0, np.nan], [[1.0, 2.0]], [[1.0, 2.0]], "missing labels"),
    ],
)
def test_bad_shapes_and_values_are_named_in_delong_batch(y, a, b, message):
    with pytest.raises(ValueError, match=message):
        fc.delong_batch(y, a, b)


def test_logarithms_stay_finite_where_pvalues_underflow_in_delong_batch():
    y = np.repeat([0, 1], 3000)
    a = 3 * y + np.random.default_rng(0).normal(size=y.size)
    result = fc.delong_batch(y, [a], [-a])
    assert result.pvalue[0] < 1e-300
    assert -1e9 < result.log_pvalue[0] < -690


def test_large_rows_work_too(requires_jit):
    labels, a, b = problems(2, 40_000, decimals=15)
    batch = fc.delong_batch(labels, a, b)
    alone = fc.delong_test(labels[1], a[1], b[1])
    assert_allclose(batch.statistic[1], alone.statistic, rtol=1e-12)
    assert batch.summary().startswith("0 of 2") or "of 2 tests" in batch.summary()


def test_strings_need_a_positive_label_in_delong_batch():
    y = np.where(T2["y"], "ill", "well")
    result = fc.delong_batch(y, [T2["a"]], [T2["b"]], reference="normal", pos_label="ill")
    assert_allclose(result.pvalue, 0.09452573, rtol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("decimals", [1, 15])
@pytest.mark.parametrize("size", [1, 2, 37, 400])
def test_one_kernel_a_block_gives_the_bits_of_a_call_a_problem(size, decimals, shared, monkeypatch):
    rng = np.random.default_rng(size)
    labels, a, b = rng.integers(0, 2, (9, size)), *rng.normal(size=(2, 9, size)).round(decimals)
    a[0, 0], b[1] = -np.inf, a[1]
    labels[0] = 0
    for reference in ("normal", "t"):
        arguments = (labels[2] if shared else labels, a, b)
        quick = fc.delong_batch(*arguments, reference=reference, on_undefined="ignore")
        with monkeypatch.context() as patch:
            patch.setattr("fastcompare.auc._delong.batch.NARROW_MOST", 0)
            single = fc.delong_batch(*arguments, reference=reference, on_undefined="ignore")
        assert str(quick.to_dict()) == str(single.to_dict())
        assert quick.standard_error.tobytes() == single.standard_error.tobytes()


@pytest.mark.parametrize("size", [300, 2500])
def test_variances_have_the_bits_of_the_kernel_for_loops_in_delong_batch(size, requires_jit):
    labels, a, b = problems(5, size, decimals=2)
    errors = fc.delong_batch(labels, a, b).standard_error
    for i in range(5):
        variance = fc.kernels.delong(labels[i].astype(np.uint8), a[i], b[i])[2]
        assert errors[i] == math.sqrt(variance)


@pytest.mark.slow
def test_threads_share_large_problems_and_small_ones_in_delong_batch(monkeypatch):
    monkeypatch.setattr("fastcompare.auc._delong.batch.THREADS_FROM", 1)
    for count, size in ((1, 3000), (3, 3000), (3, 20)):
        problem = problems(count, size)
        one, two = (str(fc.delong_batch(*problem, n_jobs=jobs).to_dict()) for jobs in (1, 2))
        assert one == two
