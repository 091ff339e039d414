"""Scores in single precision are tested without a copy as doubles, and give the same bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare.kernels.sorting import linear as single
from tests.kernels.test_kernels import SHAPES, by_ranks

EXTREMES = [0.0, -0.0, 1e-45, -1e-45, 1.0, -1.0, 3.4e38, -3.4e38, np.inf, -np.inf]


def placed(scores, labels):
    out, scratch = np.empty(scores.size, np.uint32), np.empty(scores.size, np.uint64)
    single.placements_single(scores, labels, scratch, out)
    return out


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 3, 40, 9000])
@pytest.mark.parametrize("shape", sorted(set(SHAPES) - {"infinities", "one outlier"}))
def test_placements_are_those_of_ranks(shape, n):
    scores = np.resize(SHAPES[shape](max(n, 3)), n).astype(np.float32)
    labels = (np.random.default_rng(n).random(n) < 0.3).astype(np.uint8)
    assert (placed(scores, labels) == by_ranks(scores.astype(float), labels)).all()


@pytest.mark.slow
@given(data=st.data(), scores=st.lists(st.sampled_from(EXTREMES), min_size=1, max_size=40))
def test_extreme_scores_are_placed_too(data, scores):
    labels = st.lists(st.integers(0, 1), min_size=len(scores), max_size=len(scores))
    labels, scores = np.array(data.draw(labels), np.uint8), np.array(scores, np.float32)
    assert (placed(scores, labels) == by_ranks(scores.astype(float), labels)).all()


def test_values_that_are_few_only_at_first_are_sorted(monkeypatch):
    monkeypatch.setattr(single, "PROBED", 256)
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 2, 4000).astype(np.uint8)
    for rest in (rng.normal(size=3000), rng.integers(0, 3, 3000)):
        scores = np.append(rng.integers(0, 3, 1000), rest).astype(np.float32)
        assert (placed(scores, labels) == by_ranks(scores.astype(float), labels)).all()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("reference", ["normal", "t"])
@pytest.mark.parametrize("kind", ["normal", "ties", "table", "infinite", "strided"])
def test_results_have_the_bits_of_doubles_in_delong_test(kind, reference, jobs, monkeypatch):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 5000)
    a, b = (rng.normal(size=(2, 5000)) + y).astype(np.float32)
    if kind in ("ties", "table"):
        a = a.round(2 if kind == "ties" else 0)
    if kind == "infinite":
        a[7] = np.inf
    options = {"reference": reference, "n_jobs": jobs}
    want = fc.delong_test(y, a.astype(float), b.astype(float), **options)
    monkeypatch.setattr("fastcompare._inputs.arrays.SINGLE_FROM", 1)
    first = np.repeat(a, 2)[::2] if kind == "strided" else a
    for pair in ((first, b), (first.astype(">f4"), b), (first, b.astype(float))):
        got = fc.delong_test(y, *pair, **options)
        assert str(got.to_dict()) == str(want.to_dict())
        assert got.covariance.tobytes() == want.covariance.tobytes()


def test_a_missing_score_is_refused_in_delong_test(monkeypatch):
    monkeypatch.setattr("fastcompare._inputs.arrays.SINGLE_FROM", 1)
    y, a = np.arange(6000) % 2, np.arange(6000, dtype=np.float32)
    b = a.copy()
    b[5] = np.nan
    with pytest.raises(fc.InvalidValueError, match="y_score_b"):
        fc.delong_test(y, a, b)


def test_one_class_is_undefined_in_delong_test(monkeypatch):
    monkeypatch.setattr("fastcompare._inputs.arrays.SINGLE_FROM", 1)
    a = np.arange(6000, dtype=np.float32)
    result = fc.delong_test(np.ones(6000, int), a, -a, pos_label=1, on_undefined="ignore")
    assert np.isnan(result.pvalue)
