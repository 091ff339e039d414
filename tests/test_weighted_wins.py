"""What cases win under weights is exact in limbs, and two models at once give the same bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastcompare._compare.auc.delong.weighted import as_weighted
from fastcompare._inputs.cases import Cases

from . import reference
from .strategies import scored_cases

WEIGHTS = st.one_of(
    st.floats(0.01, 100.0), st.integers(1, 4), st.sampled_from([5e-324, 1e-300, 1e300])
)


def weighted(labels, table, weights, kind):
    cases = Cases(labels.astype(np.uint8), list(table), ("a", "b"), 0, weights, kind)
    with np.errstate(under="ignore"):
        return as_weighted(cases)


def limbs_of(own, bits):
    """Each class by itself: high and low limb of its weights, the greatest of which is below 1."""
    unit = np.ldexp(own, -np.frexp(own.max())[1])
    high = np.floor(np.ldexp(unit, bits))
    return np.array((high, np.floor(np.ldexp(np.ldexp(unit, bits) - high, bits)))).astype(int)


@pytest.mark.parametrize("kind", ["sampling", "frequency"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_wins_equal_their_definition(kind, data):
    labels, table = data.draw(scored_cases())
    n = labels.size
    weights = np.array(data.draw(st.lists(WEIGHTS, min_size=n, max_size=n)), float)
    found = weighted(labels, table, weights, kind)
    wins, limbs = np.empty((2, n), np.int64), np.empty((2, n), int)
    with np.errstate(under="ignore"):
        found.wins(table[0], wins)
        for label in (0, 1):
            limbs[:, labels == label] = limbs_of(weights[labels == label], found.bits)
    for i in range(n):
        won = sum(
            int(2 * (reference.psi(*pair))) * limbs[:, j]
            for j in range(n)
            if labels[j] != labels[i]
            for pair in [(table[0][i], table[0][j]) if labels[i] else (table[0][j], table[0][i])]
        )
        assert wins[:, i].tolist() == won.tolist()


@pytest.mark.parametrize("kind", ["sampling", "frequency"])
@pytest.mark.parametrize("n", [40, 3000])
@pytest.mark.parametrize("decimals", [1, 9])
def test_two_models_at_once_have_the_bits_of_each_and_of_their_difference(kind, n, decimals):
    rng = np.random.default_rng(n)
    labels, table = np.arange(n) % 3 // 2, rng.normal(size=(2, n)).round(decimals)
    weights = rng.integers(1, 5, n) * (0.1 if kind == "sampling" else 1.0)
    found = weighted(labels, table, weights, kind)
    wins = np.empty((2, 2, n), np.int64)
    for scores, row in zip(table, wins, strict=True):
        found.wins(scores, row)
    share = found.shares()
    one_by_one = [found.evaluate(won, share) for won in (*wins, wins[0] - wins[1])]
    both, rows, difference = found.pair(*table)
    for got, want in zip((*both, difference), one_by_one, strict=True):
        assert got.mean == want.mean
        assert got.errors.tobytes() == want.errors.tobytes()
    assert rows.tobytes() == b"".join(one.errors.tobytes() for one in one_by_one[:2])
