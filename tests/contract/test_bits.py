"""Awkward but meaningful input gives the same bits as its clean equivalent, and is left alone."""

import hashlib
import tempfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import fastcompare as fc
from fastcompare._base.text import plain_sum
from tests.reference import auc as reference

RNG = np.random.default_rng(7)
N = 300  # beyond the short way for a few cases, and for all pairs by default
Y = (RNG.random(N) < 0.4).astype(int)
RANKS = RNG.integers(-100, 100, N)  # small integers that every type below holds exactly
OTHER = RNG.normal(size=N)
METHODS = ["auto", "midrank", "heaviside"]
PACKED = np.dtype([("flag", "u1"), ("score", "f8")])
TINY = 2.0**-1074


def unaligned(values):
    table = np.zeros(values.size, PACKED)
    table["score"] = values
    return table["score"]


def memmapped(values):
    """A file of its own, which goes with its last reference."""
    with tempfile.NamedTemporaryFile() as file:
        mapped = np.memmap(file, np.float64, "w+", shape=values.shape)
        mapped[:] = values
    return mapped


def read_only(values):
    values = values.astype(float)
    values.flags.writeable = False
    return values


LAYOUTS = {
    "non-contiguous": lambda x: np.repeat(x.astype(float), 3)[::3],
    "negative stride": lambda x: x[::-1].astype(float)[::-1],
    "column of a Fortran table": lambda x: np.asfortranarray(np.c_[x, x, x].astype(float))[:, 1],
    "column of a C table": lambda x: np.c_[x, x, x].astype(float)[:, 1],
    "(n,1) Fortran column": lambda x: np.asfortranarray(x[:, None].astype(float)),
    "read-only": read_only,
    "big-endian": lambda x: x.astype(">f8"),
    "big-endian integers": lambda x: x.astype(">i4"),
    "unaligned": unaligned,
    "np.memmap": memmapped,
    "list": lambda x: x.tolist(),
}
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "f4", "f8", "g", ">f2", ">f4"]
WIDE = {
    "int64 beyond 2^53": (np.int64, 2**53),
    "int64 at the bottom": (np.int64, -(2**63)),
    "int64 at the top": (np.int64, 2**63 - 200),
    "uint64 at the top": (np.uint64, 2**64 - 200),
    "big-endian uint64": (np.dtype(">u8"), 2**63),
}

# awkward doubles, and small integers in the same order
CASES = np.arange(N)
BLOCKS, PIPE = CASES // 25, np.minimum(CASES, N - CASES)
EQUIVALENTS = {
    "-0.0 and 0.0 are one tie": (np.where(RANKS % 2, 0.0, -0.0) * 1.0, 0 * RANKS),
    "-0.0 among others": (np.where(RANKS == 0, -0.0, RANKS), RANKS),
    "subnormals stay distinct": (RANKS * TINY, RANKS),
    "subnormals beside normals": (np.where(RANKS > 50, RANKS, RANKS * TINY), RANKS),
    "one ulp apart, not ties": (1.0 + RANKS * 2.0**-52, RANKS),
    "one ulp apart, far out": (2.0**900 * (1.0 + RANKS * 2.0**-52), RANKS),
    "infinities": (
        np.where(abs(RANKS) > 50, np.copysign(np.inf, RANKS), RANKS),
        RANKS.clip(-51, 51),
    ),
    "the ends of float64": (np.where(RANKS < 0, -1.0, 1.0) * np.finfo(float).max, RANKS >= 0),
    "all equal": (np.full(N, 0.1), np.zeros(N)),
    "two distinct values": (np.where(RANKS > 0, 1 / 3, 1 / 7), RANKS > 0),
    "99.9% one value": (np.where(CASES == 17, 0.3, 0.2), CASES == 17),
    "already sorted": (CASES / 7, CASES),
    "reverse sorted": (-CASES / 7, -CASES),
    "organ-pipe": (PIPE / 7, PIPE),
    "sawtooth": ((CASES % 25) / 7, CASES % 25),
    "all-equal blocks": (BLOCKS / 7, BLOCKS),
    "0-stride broadcast": (np.broadcast_to(0.25, N), np.zeros(N)),
}


def bits(scores, labels=Y, **words):
    """All numbers of a test, and the components behind them, as bytes."""
    method = words.get("method", "auto")
    result = fc.delong_test(labels, scores, OTHER, on_undefined="ignore", **words)
    parts = fc.structural_components(labels, scores, method=method)
    numbers = np.array([result.statistic, result.log_pvalue, result.standard_error])
    return b"".join(x.tobytes() for x in (numbers, result.auc, result.covariance, *parts))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_layout_gives_the_bits_of_the_contiguous_array(layout):
    assert bits(LAYOUTS[layout](RANKS)) == bits(RANKS.astype(float))


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_any_number_type_gives_the_bits_of_float64(dtype):
    scores = RANKS + 100 if "u" in dtype else RANKS
    assert bits(scores.astype(dtype)) == bits(RANKS.astype(float))


@pytest.mark.parametrize("dtype", ["f2", "f4"])
def test_fractions_in_short_floats_are_upcast_exactly(dtype):
    short = OTHER.astype(dtype)
    assert bits(short) == bits(short.astype(float))


@pytest.mark.parametrize("case", WIDE)
def test_integers_beyond_2_53_are_ranked_as_integers(case):
    dtype, base = WIDE[case]
    wide = np.array([base + int(step) + 100 for step in RANKS], dtype=dtype)
    assert bits(wide) == bits(RANKS.astype(float))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", EQUIVALENTS)
def test_awkward_scores_give_the_bits_of_small_integers(case, method, n_jobs):
    scores, clean = EQUIVALENTS[case]
    words = {"method": method, "n_jobs": n_jobs}
    assert bits(scores, **words) == bits(np.asarray(clean, float)) == bits(clean)


@pytest.mark.parametrize(
    "labels", [Y == 1, Y.astype("u1"), 2 * Y - 1, Y.astype("f4"), Y.astype(">i8")]
)
def test_labels_of_any_type_give_the_same_bits(labels):
    assert bits(OTHER[::-1], labels) == bits(OTHER[::-1])


@pytest.mark.parametrize("layout", ["non-contiguous", "negative stride", "read-only", "unaligned"])
def test_labels_of_any_layout_give_the_same_bits(layout):
    assert bits(OTHER[::-1], LAYOUTS[layout](Y)) == bits(OTHER[::-1])


def test_tables_and_batches_of_any_layout_give_the_same_bits():
    table = np.stack([RANKS.astype(float), OTHER])
    for same in (
        np.asfortranarray(table),
        table[::-1][::-1],
        table.astype(">f8"),
        read_only(table),
    ):
        got = fc.delong_batch(Y, same, same[::-1])
        assert got.pvalue.tobytes() == fc.delong_batch(Y, table, table[::-1]).pvalue.tobytes()
        covariance = fc.delong_covariance(Y, same.T).covariance
        assert covariance.tobytes() == fc.delong_covariance(Y, table.T).covariance.tobytes()


def test_the_callers_arrays_are_unchanged_by_hash():
    given_arrays = [Y.copy(), np.where(RANKS % 2, RANKS, -0.0), OTHER.copy()]
    before = [hashlib.sha256(x.tobytes()).digest() for x in given_arrays]
    labels, a, b = given_arrays
    for method in METHODS:
        fc.delong_test(labels, a, b, method=method, n_jobs=2)
    fc.delong_batch(labels, [a, b], [b, a])
    fc.delong_omnibus_test(labels, {"a": a, "b": b})
    assert [hashlib.sha256(x.tobytes()).digest() for x in given_arrays] == before


ODD = st.sampled_from(
    [0.0, -0.0, np.inf, -np.inf, TINY, -TINY, 2.0**-1022, 1.7e308, 1.0, 1 + 2**-52]
)
BINARY = st.integers(0, 1)
PATTERNS = st.one_of(ODD, st.floats(allow_nan=False), st.floats(width=32, allow_nan=False))


@pytest.mark.slow
@settings(max_examples=60)
@given(scores=arrays(float, 30, elements=PATTERNS), seed=st.integers(0, 2**32))
def test_any_bit_patterns_follow_the_definition_by_every_method(scores, seed):
    labels = np.random.default_rng(seed).permutation(np.arange(30) % 2)
    want = np.array(reference.components(labels, scores), float)
    for method in METHODS:
        got = fc.structural_components(labels, scores, method=method)
        np.testing.assert_array_equal(got, want)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    scores=arrays(float, (2, 12), elements=PATTERNS), labels=arrays(np.int8, 12, elements=BINARY)
)
def test_arrays_and_lists_and_batches_give_the_same_bits(scores, labels):
    short = fc.delong_test(labels, *scores, on_undefined="ignore")
    long = fc.delong_test(labels.tolist(), *scores.tolist(), on_undefined="ignore")
    for name in (
        "statistic",
        "pvalue",
        "log_pvalue",
        "estimate",
        "standard_error",
        "auc",
        "covariance",
    ):
        np.testing.assert_array_equal(getattr(short, name), getattr(long, name))
    assert short.status == long.status
    batch = fc.delong_batch(labels, scores[:1], scores[1:], on_undefined="ignore")
    np.testing.assert_array_equal(batch.auc[0], short.auc)
    np.testing.assert_allclose(batch.pvalue, short.pvalue, rtol=1e-9)


def test_sums_of_results_do_not_depend_on_the_version_of_python():
    assert plain_sum([1.0, 1e100, 1.0, -1e100]) == 0.0  # `sum` gives 2.0 since Python 3.12


SPANS = {
    "tiny": lambda u: u * 1e-300 * (u > 0.01),
    "offset": lambda u: 1e300 + u * 1e285,
    "one outlier": lambda u: np.where(u == u.max(), 1e308, u),
    "both ends": lambda u: np.where(u > 0.99, -1.7e308, np.where(u < 0.01, 1.7e308, u)),
    "heavy tails": lambda u: np.exp(1400 * (u - 0.5)),
    "near one": lambda u: 1 + np.round(u * 5000) * 2.0**-52,
}


@pytest.mark.parametrize("span", SPANS)
def test_many_scores_of_any_span_are_ordered_as_their_ranks(span):
    u, y = np.random.default_rng(3).random((2, 6000))
    scores, y = SPANS[span](u), y < 0.3
    ranks = np.unique(scores, return_inverse=True)[1]
    for a, b in zip(
        fc.structural_components(y, scores), fc.structural_components(y, ranks), strict=True
    ):
        assert a.tobytes() == b.tobytes()
