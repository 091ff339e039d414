"""What cases win under weights is exact in limbs, and two models at once give the same bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastcompare._inputs.scores import Cases
from fastcompare.auc._delong.design import as_weighted
from tests.reference import auc as reference
from tests.shared.strategies import scored_cases

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


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sampling", "frequency"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_wins_equal_their_definition(kind, data):
    labels, table = data.draw(scored_cases())
    n = labels.size
    weights = np.array(data.draw(st.lists(WEIGHTS, min_size=n, max_size=n)), float)
    found = weighted(labels, table, weights, kind)
    wins, limbs = np.empty((n, 2), np.int64), np.empty((2, n), int)
    bits = int(np.log2(found.unit))
    with np.errstate(under="ignore"):
        found.wins(table[0], wins)
        for label in (0, 1):
            limbs[:, labels == label] = limbs_of(weights[labels == label], bits)
    for i in range(n):
        won = sum(
            int(2 * (reference.psi(*pair))) * limbs[:, j]
            for j in range(n)
            if labels[j] != labels[i]
            for pair in [(table[0][i], table[0][j]) if labels[i] else (table[0][j], table[0][i])]
        )
        assert wins[i].tolist() == won.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sampling", "frequency"])
@pytest.mark.parametrize("n", [40, 3000])
@pytest.mark.parametrize("decimals", [1, 9])
def test_two_models_at_once_have_the_bits_of_each_and_of_their_difference(
    kind, n, decimals, monkeypatch
):
    rng = np.random.default_rng(n)
    labels, table = np.arange(n) % 3 // 2, rng.normal(size=(2, n)).round(decimals)
    weights = rng.integers(1, 5, n) * (0.1 if kind == "sampling" else 1.0)
    found = weighted(labels, table, weights, kind)
    (both,) = found.all_pairs(table)
    assert found.all_pairs(table, jobs=2) == [both]
    one, other = (found.all_pairs([scores])[0] for scores in table)
    assert both.aucs[:2] == [one.aucs[0], other.aucs[0]]
    for own, column in ((one, 0), (other, 2)):  # squares of the first, products, of the second
        assert (
            both.negatives[column] == own.negatives[-1]
        )  # of a model alone, the difference from 0
        assert both.positives[column] == own.positives[-1]
    monkeypatch.setattr("fastcompare.auc._delong.design.LINEAR_BELOW", 0)  # keys of 64 bits
    assert found.all_pairs(table) == [both]


@pytest.mark.parametrize("kind", ["sampling", "frequency"])
def test_errors_of_a_model_add_up_to_its_variance(kind):
    rng = np.random.default_rng(5)
    labels, table = np.arange(2000) % 3 // 2, rng.normal(size=(2, 2000))
    found = weighted(labels, table, rng.integers(1, 5, 2000).astype(float), kind)
    errors = np.empty((2, 2000))
    aucs = [found.errors(*each) for each in zip(table, errors, strict=True)]
    moments = found.moments(found.all_pairs(table)[0])
    assert aucs == moments.auc.tolist()
    np.testing.assert_allclose(errors @ errors.T, moments.covariance, rtol=1e-12)
