"""Scores whose order few bits hold are counted, or sorted by keys that leave nothing to settle."""

import types

import numpy as np
import pytest

import fastcompare as fc
from fastcompare.kernels.sorting.keys import (
    SAMPLED_FROM,
    decimal_scale,
    pack,
    pack_decimals,
    zero_gap,
)
from fastcompare.kernels.sorting.linear import placements_single
from fastcompare.kernels.sorting.native import radix_sort_from
from fastcompare.kernels.sorting.placements import place_by_counts, placements_packed

N = SAMPLED_FROM + 60
RNG = np.random.default_rng(5)
LABELS = (RNG.random(N) < 0.3).astype(np.uint8)
NORMAL = RNG.normal(size=N) + LABELS
SHARES = 1.0 / (1.0 + np.exp(-NORMAL))
SCORES = {
    "2 decimals": NORMAL.round(2),
    "shares of 3 decimals": SHARES.round(3),
    "7 decimals": NORMAL.round(7),
    "whole": np.rint(1000.0 * NORMAL),
    "both zeros": np.where(NORMAL > 0, NORMAL.round(1), -0.0) + 0.0 * NORMAL,
    "float16": NORMAL.astype(np.float16).astype(float),
    "float16 and 0": np.where(LABELS, NORMAL.astype(np.float16), 0.0).astype(float),
    "float32": NORMAL.astype(np.float32).astype(float),
    "nearly decimals": np.where(np.arange(N) == N - 1, 0.1 + 2.0**-50, SHARES.round(2)),
    "one far away": np.append(SHARES[1:].round(2), 1e9),
    "infinite": np.append(SHARES[1:].round(2), -np.inf),
    "subnormal": np.append(NORMAL[1:].round(2), 2.0**-1074),
    "large decimals": 1e12 + NORMAL.round(2),
    "continuous": NORMAL,
    "equal": np.full(N, 0.3),
}


def by_bisection(scores, labels):
    """Placements by searching each score among the sorted ones of the other class."""
    placed = np.empty(labels.size, np.int64)
    for label in (0, 1):
        others, rows = np.sort(scores[labels != label]), labels == label
        twice = sum(np.searchsorted(others, scores[rows], side) for side in ("left", "right"))
        placed[rows] = twice if label else 2 * others.size - twice
    return placed


@pytest.mark.parametrize("kind", SCORES)
def test_placements_packed_are_those_of_all_pairs(kind):
    scores, out = SCORES[kind], np.empty(N, np.uint32)
    placements_packed(scores, LABELS, out)
    assert (out == by_bisection(scores, LABELS)).all()


@pytest.mark.parametrize("kind", ["float16", "float16 and 0", "continuous", "equal", "infinite"])
def test_placements_single_are_those_of_all_pairs(kind):
    scores, out = SCORES[kind].astype(np.float32), np.empty(N, np.uint32)
    placements_single(scores, LABELS, np.empty(N, np.uint64), out)
    assert (out == by_bisection(scores.astype(float), LABELS)).all()


@pytest.mark.parametrize(
    ("kind", "counted"),
    [("2 decimals", True), ("whole", False), ("float16 and 0", False), ("equal", True)],
)
def test_place_by_counts_takes_codes_that_are_no_more_than_cases(kind, counted):
    keys, out = np.empty(N, np.uint64), np.empty(N, np.uint32)
    nbits, exact = pack(SCORES[kind], LABELS, keys)
    assert exact
    m = np.uint64(LABELS.sum())
    assert place_by_counts(keys, np.uint64(nbits), m, out) == counted
    if counted:
        assert (out == by_bisection(SCORES[kind], LABELS)).all()


@pytest.mark.parametrize(
    ("kind", "scale"),
    [
        ("2 decimals", 100.0),
        ("whole", 1.0),
        ("7 decimals", 1e7),
        ("continuous", 0.0),
        ("infinite", 0.0),
        ("large decimals", 100.0),
    ],
)
def test_decimal_scale_makes_whole_numbers_of_few_decimals(kind, scale):
    scores = SCORES[kind]
    assert decimal_scale(scores, scores.min(), scores.max(), np.uint64(50)) == scale


def test_pack_decimals_finds_the_score_that_is_none():
    keys = np.empty(N, np.uint64)
    for kind, exact in (("shares of 3 decimals", True), ("nearly decimals", False)):
        packed = pack_decimals(SCORES[kind], LABELS, 0.0, 1000.0, np.uint64(13), keys)
        assert packed == exact


@pytest.mark.parametrize(
    ("scores", "binade"),
    [([-3.0, 0.0, 0.75], 2.0**-1), ([1.0, -(2.0**-1074)], 0.0), ([0.0, -0.0], 0.0)],
)
def test_zero_gap_ends_a_binade_before_the_smallest_size(scores, binade):
    want = np.float64(binade / 2.0).view(np.uint64)
    assert zero_gap(np.array(scores)) == want


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
def test_radix_sort_from_leaves_lower_bits_as_they_are(dtype):
    keys = (RNG.integers(0, 50, 3000) << 12).astype(dtype) | np.arange(3000).astype(dtype)
    want = np.sort(keys)
    radix_sort_from(keys, np.uint64(12))
    assert (keys == want).all()


class Tensor:
    """What is used of a dense tensor of PyTorch."""

    __module__ = "torch"
    device = types.SimpleNamespace(type="cpu")

    def __init__(self, values):
        self.values, self.dtype = values, f"torch.{values.dtype}"

    def detach(self):
        return self

    resolve_conj = resolve_neg = detach

    def numpy(self):
        return self.values


LARGE = 1 << 14
TYPES = ["e", "f", "d", "b", "h", "i", "q", "B", ">f2", ">i2"]


@pytest.mark.parametrize("dtype", TYPES)
def test_delong_test_of_tensors_and_narrow_types_has_the_bits_of_doubles(dtype, requires_jit):
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 2, LARGE)
    a, b = (20.0 * (rng.normal(size=(2, LARGE)) + labels) + 50.0).clip(0, 120).astype(dtype)
    want = str(fc.delong_test(labels, a.astype(float), b.astype(float)).to_dict())
    assert str(fc.delong_test(labels, a, b).to_dict()) == want
    if a.dtype.isnative:
        tensors = map(Tensor, (labels, a, b))
        assert str(fc.delong_test(*tensors).to_dict()) == want


def test_delong_test_reads_tensors_in_single_precision_without_a_copy(monkeypatch, requires_jit):
    labels = np.arange(LARGE) % 2
    a, b = np.random.default_rng(3).normal(size=(2, LARGE)).astype(np.float32)
    seen = []
    place = fc.auc._components.placements_single
    monkeypatch.setattr(
        fc.auc._components,
        "placements_single",
        lambda scores, *rest: (seen.append(scores), place(scores, *rest)),
    )
    fc.delong_test(Tensor(labels), Tensor(a), Tensor(b))
    assert all(np.shares_memory(one, other) for one, other in zip(seen, (a, b), strict=True))


def test_missing_scores_of_narrow_types_are_refused():
    labels = np.arange(N) % 2
    a = NORMAL.astype(np.float16)
    a[7] = np.nan
    for missing in (a, Tensor(a)):
        with pytest.raises(fc.InvalidValueError, match="y_score_a"):
            fc.delong_test(labels, missing, NORMAL)


@pytest.mark.parametrize("n", [2, 3, 63, 64, 65])
def test_placements_midrank_counts_few_scores_too(n, requires_jit):
    scores, labels, out = NORMAL[:n].round(0), LABELS[:n].copy(), np.empty(n, np.uint32)
    labels[:2] = 0, 1
    fc.kernels.placements_midrank(scores, labels, out)
    assert (out == by_bisection(scores, labels)).all()
