"""What clusters win is summed exactly, and rounded once, however large the integers are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare.kernels.clusters import (
    add_by_cluster,
    bit_length_by_halves,
    excesses,
    nearest_double,
    word_product,
)

WORDS = st.one_of(
    st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**32 - 1, 2**32, 2**63, 2**64 - 1])
)
SIZES = st.integers(0, 2**31 - 1)
WINS = st.integers(-(2**62), 2**62)
MASK = 2**64 - 1


def words_of(value):
    return np.uint64((value >> 64) & MASK), np.uint64(value & MASK)


@pytest.mark.slow
@given(x=WORDS, y=WORDS)
def test_products_of_words_are_exact(x, y):
    high, low = word_product(np.uint64(x), np.uint64(y))
    assert (int(high) << 64) + int(low) == x * y
    assert bit_length_by_halves(np.uint64(max(x, 1))) == max(x, 1).bit_length()


@pytest.mark.slow
@given(mantissa=st.integers(-(2**54), 2**54), shift=st.integers(0, 72), rest=st.integers(-2, 2))
def test_integers_are_rounded_as_python_rounds_them(mantissa, shift, rest):
    """Half-way cases, and those one beside them."""
    value = (mantissa << shift) + rest
    assert nearest_double(*words_of(value)) == float(value)


@pytest.mark.slow
@given(value=st.integers(1 - 2**127, 2**127 - 1))
def test_integers_of_any_size_are_rounded_as_python_rounds_them(value):
    assert nearest_double(*words_of(value)) == float(value)


@pytest.mark.slow
@given(m=SIZES, n=SIZES, sizes=st.tuples(SIZES, SIZES), wins=st.tuples(WINS, WINS), total=WINS)
def test_excesses_equal_their_definition(m, n, sizes, wins, total):
    a = n * (m * wins[0] - sizes[0] * total)
    b = m * (n * wins[1] - sizes[1] * total)
    if max(abs(a), abs(b), abs(a + b)) >= 2**127:
        return
    won, held = (np.array(pair)[:, None].view(np.uint64) for pair in (wins, sizes))
    out = np.empty((3, 1))
    excesses(won, held, np.uint64(m), np.uint64(n), np.uint64(total % 2**64), out)
    assert out.ravel().tolist() == [float(a), float(b), float(a + b)]


def test_placements_are_added_up_by_class_and_cluster():
    placed = np.array([5, 7, 11, 13], np.uint32)
    sums = np.zeros((2, 3), np.int64)
    labels = np.array([1, 0, 1, 1], np.uint8)
    add_by_cluster(placed, labels, np.array([0, 0, 2, 0]), sums)
    assert sums.tolist() == [[18, 0, 11], [7, 0, 0]]


def test_jobs_change_nothing_in_tests_of_clusters_by_delong_pairwise_test(monkeypatch):
    monkeypatch.setattr("fastcompare.auc._delong.design.THREADS_FROM", 0)
    monkeypatch.setattr("fastcompare.auc._components.THREADS_FROM", 0)
    rng = np.random.default_rng(4)
    y, scores, groups = rng.random(90) < 0.4, rng.normal(size=(90, 4)).round(1), np.arange(90) % 20
    for reference in ("auto", "normal"):
        one, two, five = (
            fc.delong_pairwise_test(y, scores, groups=groups, reference=reference, n_jobs=jobs)
            for jobs in (1, 2, 5)
        )
        assert one.to_dict() == two.to_dict() == five.to_dict()
        assert one.covariance.tobytes() == two.covariance.tobytes()
