"""Ranks of tables that miss scores: counting is sorting; what is read later is the same."""

import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal
from scipy import stats

import fastcompare as fc
from fastcompare._inference.step_down import DEGREE, _log_scaled, _log_scaled_of_many
from fastcompare.ranks._ranks import as_partial_ranks, sorted_partial_ranks

ODD = [0.0, -0.0, 1.0, 2.0, 0.1, np.nan, np.inf, -np.inf, 5e-324, 1e300]
TABLES = arrays(
    np.float64,
    st.tuples(st.integers(1, 6), st.integers(2, 11)),
    elements=st.sampled_from(ODD),
)


def assert_equal_ranks(found, want):
    for name in found._fields:
        assert_array_equal(getattr(found, name), getattr(want, name), err_msg=name)


@pytest.mark.slow
@given(scores=TABLES, higher=st.booleans())
@settings(max_examples=200, deadline=None)
def test_counting_ranks_is_sorting_them(scores, higher):
    assert_equal_ranks(as_partial_ranks(scores, higher), sorted_partial_ranks(scores, higher))


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("k", [3, 100, 251])
def test_ranks_of_known_scores_are_scipys(missing, k):
    rng = np.random.default_rng(k)
    scores = rng.random((20, k)).round(2)
    scores[rng.random(scores.shape) < missing] = np.nan
    found = as_partial_ranks(scores, False)
    for row, centred in zip(scores, found.centred, strict=True):
        known = ~np.isnan(row)
        want = np.zeros(k)
        want[known] = 2 * stats.rankdata(row[known]) - (known.sum() + 1)
        assert_array_equal(centred, want)
    assert_array_equal(found.models[0], (~np.isnan(scores)).sum(axis=0))


def test_layouts_of_tables_do_not_matter_in_skillings_mack_test():
    rng = np.random.default_rng(1)
    scores = rng.integers(0, 9, (40, 5)).astype(np.float64)
    scores[rng.random(scores.shape) < 0.2] = np.nan
    want = fc.skillings_mack_test(scores).to_dict()
    read_only = scores.copy()
    read_only.flags.writeable = False
    for same in (np.asfortranarray(scores), np.repeat(scores, 2, axis=0)[::2], read_only):
        assert fc.skillings_mack_test(same).to_dict() == want
    assert fc.skillings_mack_test(scores.astype(np.float32)).to_dict() == want


def test_a_critical_difference_is_computed_when_it_is_read():
    scores = np.random.default_rng(3).random((30, 5))
    result = fc.nemenyi_test(scores, alpha=0.1)
    assert "critical_difference" not in vars(result)
    want = fc.critical_difference(5, 30, alpha=0.1)
    for same in (pickle.loads(pickle.dumps(result)), dataclasses.replace(result), result):
        assert same.critical_difference == want
        assert same.to_dict()["critical_difference"] == want


@pytest.mark.parametrize("size", [1, DEGREE, 3 * DEGREE, 400])
def test_tails_of_few_ranges_are_integrals(size):
    q = np.random.default_rng(size).uniform(0.0, 80.0, size)
    found, exact = _log_scaled_of_many(q, 7), _log_scaled(q, 7)
    np.testing.assert_allclose(found, exact, rtol=1e-12, atol=1e-12)
    if size <= DEGREE:
        assert_array_equal(found, exact)
