import math

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import rankdata

import fastcompare as fc
from fastcompare import kernels
from fastcompare._inputs.scores import as_cases
from fastcompare.auc import _components as home
from fastcompare.kernels.sorting.keys import (
    BETWEEN,
    BY_BITS,
    LINEAR,
    best_map,
    double_from_integer,
    key_range,
    linear_scale,
    ordered_integer,
    pack,
)
from fastcompare.kernels.sorting.linear import MOST, placements_of_few_values
from fastcompare.kernels.sorting.native import MANY, bit_length, radix_sort
from fastcompare.kernels.sorting.placements import LONG, heap_sort_pairs, sort_many_pairs
from tests.reference import auc as reference
from tests.shared.strategies import SCORES, scored_cases

RNG = np.random.default_rng(0)
SHAPES = {
    "normal": lambda n: RNG.normal(size=n),
    "probabilities": lambda n: 1 / (1 + np.exp(-RNG.normal(size=n))),
    "tiny": lambda n: np.exp(4 * RNG.normal(size=n) - 20),
    "near one": lambda n: 1 - np.exp(RNG.normal(size=n) - 25),
    "float32": lambda n: RNG.normal(size=n).astype(np.float32).astype(float),
    "ten values": lambda n: RNG.integers(0, 10, n) / 10,
    "a thousand values": lambda n: np.round(RNG.random(n), 3),
    "five decimals": lambda n: np.round(RNG.normal(size=n), 5),
    "half zeros": lambda n: np.maximum(RNG.normal(size=n), 0),
    "one outlier": lambda n: np.append(RNG.normal(size=n - 1), 1e300),
    "infinities": lambda n: np.append(RNG.normal(size=n - 2), [np.inf, -np.inf]),
    "neighbours": lambda n: 1 + RNG.integers(0, n, n) * 2.0**-52,
    "subnormal": lambda n: RNG.integers(0, n, n) * 5e-324,
    "constant": lambda n: np.ones(n),
    "sorted": lambda n: np.sort(RNG.normal(size=n)),
    "reversed": lambda n: -np.sort(RNG.normal(size=n)),
    "organ pipe": lambda n: np.minimum(np.arange(n), np.arange(n)[::-1]) * 1.1,
}


def placed(kernel, scores, labels, dtype=np.uint32):
    out = np.empty(scores.size, dtype)
    kernel(scores, labels, out)
    return out


def by_ranks(scores, labels):
    """Twice the placements, from SciPy's midranks: R - R_own, as Sun and Xu (2014) have it."""
    positive = labels == 1
    twice = 2 * rankdata(scores)
    out = np.empty(scores.size)
    out[positive] = twice[positive] - 2 * rankdata(scores[positive])
    out[~positive] = 2 * positive.sum() - (twice[~positive] - 2 * rankdata(scores[~positive]))
    return out.astype(np.int64)


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 40, 700, 9000])
@pytest.mark.parametrize("shape", SHAPES)
def test_all_sorts_give_the_same_placements(shape, n):
    scores = np.ascontiguousarray(SHAPES[shape](n))
    labels = (RNG.random(n) < 0.3).astype(np.uint8)
    labels[:2] = [0, 1]
    want = by_ranks(scores, labels)
    contenders = [
        kernels.placements,
        kernels.placements_midrank,
        kernels.placements_packed,
        kernels.placements_heaviside,
    ]
    for kernel in contenders[: 4 if n < 5000 else 3]:
        assert (placed(kernel, scores, labels) == want).all()
    assert (placed(kernels.placements_packed, scores, labels, np.uint64) == want).all()


@pytest.mark.slow
@given(case=scored_cases(k=1, smallest=1, largest=80))
def test_placements_follow_the_definition(case):
    labels, (scores,) = case
    v10, v01 = reference.components(labels.tolist(), scores.tolist())
    labels = labels.astype(np.uint8)
    for kernel in (
        kernels.placements_midrank,
        kernels.placements_packed,
        kernels.placements_heaviside,
    ):
        out = placed(kernel, scores, labels)
        assert out[labels == 1].tolist() == [2 * len(v01) * v for v in v10]
        assert out[labels == 0].tolist() == [2 * len(v10) * v for v in v01]


@pytest.mark.slow
@given(scores=st.lists(SCORES.flatmap(lambda s: s), min_size=1, max_size=60))
def test_midranks_equal_those_of_scipy(scores):
    scores = np.array(scores)
    out = np.empty(scores.size, np.uint32)
    kernels.midranks(scores, out)
    assert (out == 2 * rankdata(scores)).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_large_problems_take_64_bits_with_equal_result(shape, monkeypatch):
    scores = np.ascontiguousarray(SHAPES[shape](6000))
    labels = (RNG.random(6000) < 0.3).astype(np.uint8)
    cases = as_cases(labels, a=scores)
    plain = home.as_components(cases).placed
    monkeypatch.setattr(home, "LINEAR_BELOW", 0)
    monkeypatch.setattr(home, "TABLE_FROM", 10**9)
    assert (home.as_components(cases).placed == plain).all()


@pytest.mark.slow
@pytest.mark.parametrize("n", [2047, 2048, 300_000])
def test_prefixes_are_settled_where_they_collide(n, requires_jit):
    """Values a few ulps apart beside one far away: most prefixes are equal, the scores are not."""
    scores = np.append(1 + RNG.permutation(n - 1) * 2.0**-52, 1e15)
    labels = (RNG.random(n) < 0.5).astype(np.uint8)
    want = by_ranks(scores, labels)
    assert (placed(kernels.placements_midrank, scores, labels) == want).all()
    assert (placed(kernels.placements_packed, scores, labels) == want).all()


@pytest.mark.slow
@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=300))
def test_the_radix_sort_sorts(values):
    keys = np.array(values, np.uint64)
    radix_sort(keys)
    assert keys.tolist() == sorted(values)


@pytest.mark.slow
@pytest.mark.parametrize("n", [31, 32, 33, 5000, MANY - 1, MANY, 200_000])
@pytest.mark.parametrize("spread", [1, 40, 64])
@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_the_radix_sort_at_every_size(n, spread, dtype, requires_jit):
    keys = RNG.integers(0, 2**64, n, dtype=np.uint64) >> np.uint64(64 - spread)
    keys[: n // 2] >>= np.uint64(1)  # what is split has large and empty parts
    keys = keys.astype(dtype)
    want = np.sort(keys)
    radix_sort(keys)
    assert (keys == want).all()


@pytest.mark.parametrize(
    "keys",
    [
        RNG.random(MANY).view(np.uint64) << np.uint64(1),  # share their highest bits
        RNG.random(MANY).astype(np.float32).view(np.uint32).astype(np.uint64) << np.uint64(32),
        np.where(
            RNG.random(MANY) < 0.999, RNG.integers(0, 99, MANY).astype(np.uint64), np.uint64(2**63)
        ),
        np.full(MANY, 2**63, np.uint64),
    ],
    ids=["probabilities", "float32", "one apart", "equal"],
)
def test_the_radix_sort_of_parts_that_hold_many(keys, requires_jit):
    found = keys.copy()
    radix_sort(found)
    assert (found == np.sort(keys)).all()


@pytest.mark.slow
def test_the_radix_sort_of_millions(requires_jit):
    keys = RNG.integers(0, 2**64, (1 << 22) + 1, dtype=np.uint64)
    want = np.sort(keys)
    radix_sort(keys)
    assert (keys == want).all()


@pytest.mark.slow
@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=200))
def test_order_run_sorts_pairs(values):
    keys, doubles = np.arange(len(values), dtype=np.uint64), np.array(values)
    heap_sort_pairs(keys, doubles)
    assert doubles.tolist() == sorted(values)
    assert [values[int(k)] for k in keys] == doubles.tolist()


CLUSTERED = {  # many scores that share their upper bits, so that few keys tell them apart
    "one ulp apart beside an outlier": lambda n: np.append(1e300, 1.0 + RNG.permutation(n) * EPS),
    "beside infinity": lambda n: np.append(np.inf, 1.0 + RNG.integers(0, n, n) * EPS),
    "beside 0": lambda n: np.append(0.0, 1.0 + RNG.integers(0, n, n) * EPS),
    "two clusters": lambda n: (
        np.where(np.arange(n) % 2, 1e10, -1.0) * (1.0 + RNG.random(n) * 1e-12)
    ),
    "rounded, with noise": lambda n: RNG.integers(0, 300, n) / 300 + RNG.random(n) * 1e-15,
    "clusters in clusters": lambda n: 1.0 + RNG.integers(0, 3, n) * 1e-6 + RNG.random(n) * 1e-13,
    "subnormal beside 1": lambda n: np.append(1.0, RNG.integers(1, 2**40, n) * 5e-324),
    "ties beside an outlier": lambda n: np.append(1e300, 1.0 + RNG.integers(0, 3, n) * EPS),
}
EPS = 2.0**-52


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLUSTERED)
@pytest.mark.parametrize("n", [LONG, 300, 5000])
def test_clusters_of_nearly_equal_scores_are_in_order(kind, n):
    scores = CLUSTERED[kind](n)
    keys, values = np.arange(scores.size, dtype=np.uint64), scores.copy()
    sort_many_pairs(keys, values)
    assert (values == np.sort(scores)).all()
    assert (scores[keys.astype(int)] == values).all()
    labels = (RNG.random(scores.size) < 0.5).astype(np.uint8)
    want = by_ranks(scores, labels)
    assert (placed(kernels.placements_midrank, scores, labels) == want).all()
    assert (placed(kernels.placements_packed, scores, labels) == want).all()


@pytest.mark.slow
def test_ordered_integers_keep_the_order_and_merge_the_zeros():
    scores = np.array([-np.inf, -1e300, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, 1e300, np.inf])
    keys = [int(ordered_integer(score)) for score in scores]
    assert (np.sign(np.diff(scores)) == np.sign(np.diff(np.array(keys, dtype=object)))).all()
    assert [double_from_integer(np.uint64(key)) for key in keys] == scores.tolist()


@pytest.mark.parametrize(("distinct", "done"), [(1, True), (MOST, True), (MOST + 1, False)])
def test_the_table_gives_up_beyond_its_limit(distinct, done):
    scores = np.resize(RNG.normal(size=distinct), 17 * (MOST + 1))
    labels = (RNG.random(scores.size) < 0.5).astype(np.uint8)
    out = np.empty(scores.size, np.uint32)
    assert placements_of_few_values(scores, labels, out) == done
    if done:
        assert (out == by_ranks(scores, labels)).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scores", "chosen"),
    [
        (SHAPES["normal"](5000), LINEAR),
        (SHAPES["tiny"](5000), BY_BITS),
        (SHAPES["one outlier"](5000), BY_BITS),
        (np.where(np.arange(5000) % 2, 1e10, -1.0) * (1.0 + RNG.random(5000) * 1e-12), BETWEEN),
        (RNG.integers(0, 300, 5000) / 300 + RNG.random(5000) * 1e-15, BETWEEN),
    ],
)
def test_the_map_is_chosen_by_how_it_spreads_the_scores(scores, chosen):
    scores = np.ascontiguousarray(scores)
    low, high = map(np.uint64, key_range(scores))
    nbits = np.uint64(14)
    shift = np.uint64(64) - np.uint64(bit_length(high - low))
    scale = linear_scale(scores.min(), scores.max(), np.uint64(64) - nbits)
    assert best_map(scores, scale, np.uint64(0), shift, nbits) == chosen


def test_equal_prefixes_of_float32_scores_are_exact(requires_jit):
    scores = RNG.normal(size=1 << 18).astype(np.float32).astype(float)
    keys, labels = np.empty(scores.size, np.uint64), np.zeros(scores.size, np.uint8)
    assert pack(scores, labels, keys)[1]


@pytest.mark.slow
def test_wide_placements_give_the_same_moments(monkeypatch):
    rng = np.random.default_rng(4)
    y = rng.random(500) < 0.3
    a, b = rng.normal(size=(2, 500)) + y
    plain = fc.delong_test(y, a, b).to_dict()
    monkeypatch.setattr(home, "WIDE_FROM", 400)
    assert fc.delong_test(y, a, b).to_dict() == plain
    many = fc.delong_covariance(y, rng.normal(size=(500, 9)))
    monkeypatch.undo()
    again = fc.delong_covariance(y, np.random.default_rng(4).normal(size=(500, 9)))
    assert many.covariance.shape == again.covariance.shape


def test_sums_of_squares_beyond_64_bits():
    values = np.array([2**39, -(2**39) + 1, 3, -7])
    assert home.sum_of_squares(values) == sum(int(v) ** 2 for v in values)


@pytest.mark.slow
def test_moments_of_extreme_placements_do_not_overflow():
    """Placements next to 2^32, as 2^31 cases would give: the sums go past 64 bits."""
    rng = np.random.default_rng(8)
    labels = np.repeat(np.array([0, 1], np.uint8), 500)
    rows = rng.integers(2**32 - 10**6, 2**32, (2, 1000)).astype(np.uint32)
    rows[0, ::3] = 0
    out = np.empty((2, 8), np.uint64)
    kernels.moment_sums(rows[0], rows[1], labels, out)
    a, b = (row.astype(object) for row in rows)
    squares = [a * a, b * b, (a - b) ** 2]
    for row, members in enumerate((labels >= 0, labels == 1)):
        got = out[row].astype(object)
        assert got[0] == a[members].sum()
        assert got[1] == b[members].sum()
        assert [got[i] + (got[i + 1] << 32) for i in (2, 4, 6)] == [
            square[members].sum() for square in squares
        ]


@pytest.mark.slow
def test_users_own_loops_can_embed_the_test():
    @numba.njit
    def loop(labels, a, b, out):
        for r in range(out.size):
            out[r] = kernels.delong_z(labels, a[r], b[r])

    rng = np.random.default_rng(2)
    labels = (np.arange(60) % 2).astype(np.uint8)
    a, b = rng.normal(size=(2, 30, 60)).round(1)
    out = np.empty(30)
    loop(labels, a, b, out)
    assert_allclose(out, fc.delong_batch(labels, a, b, reference="normal").statistic, rtol=1e-12)
    assert kernels.delong_z(labels, a[0], 2 * a[0]) == 0.0
    assert math.isnan(kernels.delong_z(np.array([0, 1, 1], np.uint8), np.ones(3), np.arange(3.0)))


@pytest.mark.slow
@given(case=scored_cases())
def test_the_jitted_test_agrees_with_the_exact_one(case):
    labels, (a, b) = case
    auc_a, auc_b, variance = kernels.delong(labels.astype(np.uint8), a, b)
    moments = home.pair_moments(home.as_components(as_cases(labels, a=a, b=b)), 0, 1)
    assert_allclose((auc_a, auc_b), moments.auc, rtol=1e-15)
    assert_allclose(variance, moments.variance, rtol=1e-12, atol=1e-30)
