"""Walsh averages against all of them."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare.paired._wilcoxon import WalshAverages, double_of_key, ordering_key
from tests.reference import scores as reference

floats = st.floats(-1e300, 1e300, allow_subnormal=False)  # half of the smallest one is 0


@pytest.mark.slow
@given(
    d=st.lists(st.one_of(floats, st.integers(-3, 3).map(float)), min_size=1, max_size=12),
    copies=st.integers(0, 3),
)
@settings(max_examples=100, deadline=None)
def test_order_statistics_of_averages(d, copies):
    averages = WalshAverages(np.array(d), 1.0, (0, 0), copies)
    want = sorted(reference.walsh(sorted(d)) + copies * d)
    middle = 0.5 * want[(len(want) - 1) // 2] + 0.5 * want[len(want) // 2]
    for most_sorted in (averages.most_sorted, len(d), 1):  # all at once, some, one after the other
        averages.most_sorted = most_sorted
        assert [averages.smallest(k + 1) for k in range(averages.size)] == want
        assert averages.median() == middle


@given(x=st.floats(allow_nan=False), y=st.floats(allow_nan=False))
def test_keys_order_doubles(x, y):
    assert double_of_key(ordering_key(x)) == x
    assert (ordering_key(x) < ordering_key(y)) == (x < y)


def test_many_averages_are_never_formed_in_wilcoxon_test(requires_jit):
    """20,000 differences have 2 * 10^8 averages: 1.6 GB."""
    d = np.random.default_rng(0).normal(1, 1, 20_000)
    fc.wilcoxon_test(d[:2000]).confidence_interval()  # imports what it needs
    tracemalloc.start()
    result = fc.wilcoxon_test(d)
    ends = result.confidence_interval()
    assert tracemalloc.get_traced_memory()[1] < 5e6
    tracemalloc.stop()
    assert ends.low < result.estimate < ends.high
    i, j = np.triu_indices(2000)
    some = fc.wilcoxon_test(d[:2000])
    assert_allclose(some.estimate, np.median(d[i] / 2 + d[j] / 2), rtol=1e-14)
    assert math.isfinite(result.log_pvalue)
    assert result.pvalue < 1e-300
