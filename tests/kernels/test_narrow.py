"""Placements by 32-bit keys are those of the definition, whatever the scores."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastcompare.kernels import placements_heaviside
from fastcompare.kernels.sorting import linear
from fastcompare.kernels.sorting import linear as narrow
from fastcompare.kernels.sorting.linear import placements_between
from tests.kernels.test_kernels import SHAPES, by_ranks
from tests.shared.strategies import scored_cases

EXTREMES = [0.0, -0.0, 5e-324, -5e-324, 1.0, 1.0 + 2.0**-52, 1.7e308, -1.7e308, np.inf, -np.inf]


def placed(scores, labels):
    out, keys = np.empty((2, scores.size), np.uint32)
    narrow.placements_narrow(scores, labels, np.count_nonzero(labels), keys, out)
    return out


def by_pairs(scores, labels):
    out = np.empty(scores.size, np.uint32)
    placements_heaviside(scores, labels, out)
    return out.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 40, 700, narrow.NARROW_MOST])
@pytest.mark.parametrize("shape", SHAPES)
def test_narrow_placements_are_those_of_ranks(shape, n):
    scores = np.ascontiguousarray(SHAPES[shape](n))
    labels = (np.random.default_rng(n).random(n) < 0.3).astype(np.uint8)
    labels[:2] = [0, 1]
    assert (placed(scores, labels) == by_ranks(scores, labels)).all()


@pytest.mark.slow
@given(case=scored_cases(k=1, smallest=1, largest=80))
def test_narrow_placements_follow_the_definition(case):
    labels, (scores,) = case
    labels = labels.astype(np.uint8)
    assert placed(scores, labels).tolist() == by_pairs(scores, labels)


@pytest.mark.slow
@given(data=st.data(), scores=st.lists(st.sampled_from(EXTREMES), min_size=1, max_size=40))
def test_extreme_scores_are_placed_too(data, scores):
    labels = st.lists(st.integers(0, 1), min_size=len(scores), max_size=len(scores))
    labels = np.array(data.draw(labels), np.uint8)
    scores = np.array(scores)
    assert placed(scores, labels).tolist() == by_pairs(scores, labels)


N = linear.SEEN_FROM
NOISE = 1.0 + 1e-12 * np.random.default_rng(0).random(N)
CLUSTERS = {  # the second and the third in turns, which a sample in equal steps would not see
    "beside an outlier": np.where(np.arange(N) == 7, 1e3, NOISE),
    "two": np.where(np.arange(N) % 2, 1e10, 1.0) * NOISE,
    "with ties": np.where(np.arange(N) % 4, -1.0, 1.0) * NOISE.round(14),
    "nine, with infinities": np.where(np.arange(N) == 9, np.inf, np.arange(N) % 9 * NOISE),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLUSTERS)
def test_clusters_are_placed_between_the_scores_of_a_sample(kind):
    scores, labels = CLUSTERS[kind], (np.arange(N) % 3 == 0).astype(np.uint8)
    out, keys = np.empty((2, N), np.uint32)
    assert placements_between(scores, labels, np.count_nonzero(labels), keys, out)
    assert (out == by_ranks(scores, labels)).all()
    low, high = linear.score_range(scores)
    scale = linear.linear_scale(low, high, np.uint64(19))
    assert not (scale and linear.has_few_collisions(scores, low, scale))


@pytest.mark.parametrize("shape", ["normal", "five decimals", "ten values", "organ pipe"])
def test_scores_that_a_linear_map_or_their_bits_spread_need_no_sample(shape):
    scores, labels = SHAPES[shape](N), np.ones(N, np.uint8)
    low, high = linear.score_range(scores)
    assert linear.has_few_collisions(scores, low, linear.linear_scale(low, high, np.uint64(19)))
    assert not placements_between(scores, labels, N, *np.empty((2, N), np.uint32))


@pytest.mark.parametrize("step", [2.0**-52, -(2.0**-52)])
def test_equal_prefixes_are_settled_by_the_scores(step):
    """Beside one far away, a thousand neighbours have one prefix by either map."""
    for order in (np.arange(1000), np.random.default_rng(0).permutation(1000)):
        scores = np.concatenate([[-1e300], 1.0 + order * step, [1e300]])
        labels = (np.arange(1002) % 3 == 0).astype(np.uint8)
        assert (placed(scores, labels) == by_ranks(scores, labels)).all()


def test_the_largest_score_has_the_last_prefix():
    """Rounding does not lift it beyond its bits, nor does it waste a half of them."""
    bits = np.uint64(21)
    for high in 1.0 + np.random.default_rng(0).random(500):
        scores = np.array([-high / 3, high])
        top = (high + high / 3) * linear.linear_scale(*linear.score_range(scores), bits)
        assert 2.0**20 <= top < 2.0**21


def test_where_no_linear_map_fits_it_is_told():
    for scores in ([1.0, np.inf], [-1.7e308, 1.7e308], [0.0, 5e-324], [2.0, 2.0]):
        assert linear.linear_scale(*linear.score_range(np.array(scores)), np.uint64(27)) == 0.0


@pytest.mark.parametrize("n", range(1, 8))
def test_the_ends_are_found_wherever_they_are(n):
    for scores in itertools.permutations(range(n)):
        assert linear.score_range(np.array(scores, np.float64)) == (0.0, n - 1.0)


@pytest.mark.parametrize("where", range(6))
def test_a_nan_is_found_wherever_it_is(where):
    scores = np.arange(6.0)
    scores[where] = np.nan
    assert np.isnan(linear.score_range(scores)).all()
    assert linear.linear_scale(*linear.score_range(scores), np.uint64(27)) == 0.0
