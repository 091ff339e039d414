import itertools

import numpy as np
import pytest
from hypothesis import given
from numpy.testing import assert_allclose

import fastcompare as fc
from tests.reference import auc as reference
from tests.shared.golden_files import PROC
from tests.shared.strategies import scored_cases


def named(rows):
    return {f"model {i}": row for i, row in enumerate(rows)}


@pytest.mark.slow
@given(case=scored_cases(k=3))
def test_covariance_is_the_exact_fraction_in_delong_covariance(case):
    labels, scores = case
    result = fc.delong_covariance(labels, named(scores))
    auc, covariance = reference.delong(labels.tolist(), scores.tolist())
    assert result.auc.tolist() == [float(v) for v in auc]
    assert result.covariance.tolist() == [[float(v) for v in row] for row in covariance]


@pytest.mark.parametrize("name", PROC)
def test_agrees_with_proc_in_delong_covariance(name):
    """R 4.2.2, pROC 1.18.0: cov(r1, r2, method = "delong")."""
    result = fc.delong_covariance(PROC[name]["y"], PROC[name]["scores"])
    assert_allclose(result.covariance, PROC[name]["cov_matrix"], rtol=1e-9, atol=1e-17)
    assert result.names == tuple(PROC[name]["scores"])


def test_delong_covariance_of_many_models_agrees_with_the_exact_pairs():
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    table = rng.normal(size=(400, 12)) + y[:, None]
    many = fc.delong_covariance(y, table)
    for i, j in itertools.combinations(range(12), 2):
        two = fc.delong_covariance(y, table[:, [i, j]])
        assert_allclose(many.auc[[i, j]], two.auc, rtol=1e-12)
        assert_allclose(many.covariance[np.ix_([i, j], [i, j])], two.covariance, rtol=1e-12)


def test_delong_pairwise_test_of_many_models_recomputes_differences_that_cancel():
    rng = np.random.default_rng(1)
    y = rng.random(2000) < 0.4
    first = np.arange(2000.0)
    swapped = first.copy()
    i = np.flatnonzero(y[1:] & ~y[:-1])[0]
    swapped[[i, i + 1]] = swapped[[i + 1, i]]
    others = named(rng.normal(size=(10, 2000)))
    table = {**others, "first": first, "swapped": swapped, "twin": 2 * first}
    pairs = fc.delong_pairwise_test(y, table, on_undefined="ignore")
    want = fc.delong_test(y, first, swapped, on_undefined="ignore")
    at = pairs.pairs.index(("first", "swapped"))
    assert pairs.standard_error[at] == want.standard_error
    assert_allclose(pairs.estimate[at], want.estimate, rtol=1e-15)
    assert pairs.standard_error[pairs.pairs.index(("first", "twin"))] == 0.0


@pytest.mark.parametrize("k", [1, 2, 9, 40])
def test_any_number_of_models_is_positive_semidefinite_and_symmetric_in_delong_covariance(k):
    rng = np.random.default_rng(k)
    y = rng.random(300) < 0.5
    result = fc.delong_covariance(y, named((rng.normal(size=(k, 300)) + y).round(1)))
    assert result.covariance.shape == (k, k)
    assert (result.covariance == result.covariance.T).all()
    assert np.linalg.eigvalsh(result.covariance).min() > -1e-15
    assert_allclose(result.standard_error**2, np.diag(result.covariance), rtol=1e-15)


def test_many_models_against_the_naive_reference_in_delong_covariance():
    rng = np.random.default_rng(9)
    y = rng.random(200) < 0.5
    rows = (rng.normal(size=(30, 200)) + y).round(1)
    auc, covariance = reference.delong_float(y, rows)
    result = fc.delong_covariance(y, named(rows), n_jobs=2)
    assert_allclose(result.auc, auc, rtol=1e-13)
    assert_allclose(result.covariance, covariance, rtol=1e-10, atol=1e-17)


@pytest.mark.slow
def test_a_thousand_models_in_delong_covariance():
    rng = np.random.default_rng(2)
    y = rng.random(60) < 0.5
    result = fc.delong_covariance(y, rng.normal(size=(60, 1000)))
    assert result.covariance.shape == (1000, 1000)
    assert np.isfinite(result.covariance).all()


def test_more_models_than_memory_raise_before_allocating_in_delong_covariance(monkeypatch):
    monkeypatch.setattr("fastcompare._base.memory.CHECKED_FROM", 0)
    monkeypatch.setattr("fastcompare._base.memory.memory_available", lambda: 10.0)
    with pytest.raises(MemoryError, match="GiB"):
        fc.delong_covariance([0, 1, 0, 1], named(np.ones((3, 4))))


def test_frames_bring_their_names_in_delong_covariance():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"forest": [0.1, 0.4, 0.35, 0.8], "tree": [0.2, 0.1, 0.3, 0.3]})
    result = fc.delong_covariance(pd.Series([0, 0, 1, 1]), frame)
    assert result.names == ("forest", "tree")
    assert result.auc[0] == 0.75


@pytest.mark.parametrize("k", [3, 12])
def test_threads_give_the_same_bits_for_many_models(k, monkeypatch, requires_jit):
    monkeypatch.setattr("fastcompare.auc._components.THREADS_FROM", 1)
    monkeypatch.setattr("fastcompare.auc._components.BLOCK_VALUES", 1)  # blocks of 1,024 cases
    rng = np.random.default_rng(k)
    y = rng.random(5000) < 0.4
    table = (rng.normal(size=(5000, k)) + y[:, None]).round(2)
    table[:, -1] = 2 * table[:, 0]
    for test in (fc.delong_covariance, fc.delong_pairwise_test):
        for compared in ("normal", "t"):
            one, two = (test(y, table, reference=compared, n_jobs=jobs) for jobs in (1, 2))
            assert str(one.to_dict()) == str(two.to_dict())
            assert one.covariance.tobytes() == two.covariance.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("n", [7, 1024, 2500])
@pytest.mark.parametrize("order", ["C", "F", "strided", "read-only", "float32"])
def test_a_table_is_the_same_in_any_layout_in_delong_covariance(n, order):
    rng = np.random.default_rng(n)
    y, plain = np.arange(n) % 3 == 0, rng.normal(size=(n, 5)).astype(np.float32).astype(np.float64)
    table = {
        "C": plain.copy(),
        "F": np.asfortranarray(plain),
        "strided": np.repeat(plain, 2, axis=1)[:, ::2],
        "read-only": plain.copy(),
        "float32": plain.astype(np.float32),
    }[order]
    table.flags.writeable = order != "read-only"
    want = fc.delong_covariance(y, named(plain.T), on_undefined="ignore")
    got = fc.delong_covariance(y, table, on_undefined="ignore")
    assert got.covariance.tobytes() == want.covariance.tobytes()
