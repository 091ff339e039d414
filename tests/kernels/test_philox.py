"""Philox against its authors' known answers and a slow one; its streams are uniform and apart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, norm

from fastcompare.kernels.drawing.streams import draw_row
from fastcompare.kernels.sums import U
from tests.reference.bootstrap import philox, row_of_words

WORDS32 = st.integers(0, 2**32 - 1)
KNOWN = [  # kat_vectors of Random123, lines philox4x32 10: counter, key, answer
    ((0,) * 4, (0,) * 2, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((2**32 - 1,) * 4, (2**32 - 1,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


def row(unit, block, purpose, seed):
    words = np.empty(32, np.uint32)
    draw_row(U(unit), U(block), U(purpose), U(seed), words)
    return words


def rows(units, *, block=0, purpose=0, seed=0):
    return np.array([row(unit, block, purpose, seed) for unit in range(units)])


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_the_slow_philox_gives_the_authors_known_answers(counter, key, answer):
    assert tuple(philox(counter, key)) == answer


def test_the_kernel_gives_the_authors_known_answer():
    assert tuple(row(0, 0, 0, 0)[::8].tolist()) == KNOWN[0][2]


@settings(max_examples=50, deadline=None)
@given(WORDS32, WORDS32, WORDS32, st.integers(0, 2**64 - 1))
def test_rows_are_those_of_the_slow_philox(unit, block, purpose, seed):
    assert row(unit, block, purpose, seed).tolist() == row_of_words(unit, block, purpose, seed)


def test_every_part_of_a_place_changes_every_word():
    base = row(3, 5, 7, 11)
    for other in (row(4, 5, 7, 11), row(3, 6, 7, 11), row(3, 5, 6, 11), row(3, 5, 7, 10)):
        assert not (base == other).any()
    assert not (base == row(3, 5, 7, 11 + 2**32)).any()


@pytest.mark.slow
def test_sixteen_bit_draws_are_uniform_in_every_lane():
    draws = rows(3000, seed=12345).view(np.uint16) >> 10  # 64 values
    counts = np.array([np.bincount(lane, minlength=64) for lane in draws.T])
    statistic = ((counts - 3000 / 64) ** 2 / (3000 / 64)).sum(axis=1)
    pvalues = chi2.sf(statistic, 63)
    assert pvalues.min() > 1e-3 / 64
    assert chi2.sf(statistic.sum(), 64 * 63) > 1e-3
    low = rows(3000, seed=99).view(np.uint16) & 63
    counts = np.bincount(low.ravel(), minlength=64)
    assert chi2.sf(((counts - 3000) ** 2 / 3000).sum(), 63) > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("units", {}, {"shift": 1}),
        ("blocks", {}, {"block": 1}),
        ("seeds", {}, {"seed": 1}),
        ("high words of the seed", {}, {"seed": 1 << 32}),
        ("purposes", {}, {"purpose": 1}),
        ("lanes of correction", {"purpose": 2}, {"purpose": 2 | 1 << 8}),
        ("strata", {"purpose": 2}, {"purpose": 2 | 1 << 14}),
    ],
)
def test_neighbouring_streams_are_independent(name, first, second):
    """The differences of independent uniform words are uniform, and correlations are small."""
    second = dict(second)
    shift = second.pop("shift", 0)
    x = rows(1500, **first).view(np.uint16).ravel()
    y = rows(1500 + shift, **second)[shift:].view(np.uint16).ravel()
    for z in (x - y, x ^ y):  # 16-bit arithmetic wraps
        counts = np.bincount(z >> 8, minlength=256)
        expected = x.size / 256
        assert chi2.sf(((counts - expected) ** 2 / expected).sum(), 255) > 1e-4, name
    z = np.corrcoef(x, y)[0, 1] * np.sqrt(x.size)
    assert 2 * norm.sf(abs(z)) > 1e-4, name


def test_neighbouring_lanes_are_independent():
    draws = rows(3000, seed=7).view(np.uint16)
    correlation = np.corrcoef(draws.T)
    z = correlation[np.triu_indices(64, 1)] * np.sqrt(3000)
    assert abs(z).max() < norm.isf(1e-3 / 2 / z.size)
    assert chi2.sf((z**2).sum(), z.size) > 1e-3
    pairs = np.bincount(((draws[:, :-1] >> 12) * 16 + (draws[:, 1:] >> 12)).ravel(), minlength=256)
    expected = pairs.sum() / 256
    assert chi2.sf(((pairs - expected) ** 2 / expected).sum(), 255) > 1e-3
