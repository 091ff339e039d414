"""AUCs and DeLong's errors under weights: the walks against definitions that compare all pairs."""

import itertools
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._base.parallel import no_checkpoint
from fastcompare._inputs.scores import as_cases
from fastcompare._resampling import weights as _resampling
from fastcompare.auc._bootstrap import auc_differences, row_labels
from fastcompare.auc._bootstrap_walks import (
    SCRATCH,
    DifferenceErrors,
    concordance_counts,
    resampling_units,
    sort_scores,
)
from fastcompare.kernels.replicates import add_placements, count_wins, sum_wins
from tests.reference.bootstrap import LANES, difference_variance, wins
from tests.shared.strategies import scored_cases

SHOWN = (0, 1, 17, 63)  # lanes that are compared


class Walk(NamedTuple):
    """One model's walk."""

    rows: np.ndarray
    ends: np.ndarray
    kinds: np.ndarray


def walk_of(labels, scores):
    rows = np.arange(labels.size, dtype=np.uint32)
    return Walk(*sort_scores(labels, [scores], rows).of_model(0))


def random_weights(seed, units, most=3):
    return np.random.default_rng(seed).integers(0, most + 1, (units, LANES), dtype=np.uint8)


@st.composite
def weighted_cases(draw, **words):
    labels, scores = draw(scored_cases(**words))
    return labels, scores, draw(st.integers(0, 2**32))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["unstratified", "stratified", "groups"])
@settings(max_examples=40, deadline=None)
@given(weighted_cases())
def test_wins_are_those_of_all_pairs(kind, problem):
    labels, scores, seed = problem
    groups = np.random.default_rng(seed).integers(0, 4, labels.size) if kind == "groups" else None
    if groups is not None:
        groups[:2] = 0, 1  # at least two
    cases = as_cases(labels, groups=groups, a=scores[0], b=scores[1])
    units = resampling_units(cases, kind == "stratified")
    weights = random_weights(seed, sum(units.sizes))
    found = concordance_counts(cases, units)(weights, no_checkpoint)
    counts = weights[units.rows].astype(int)
    for lane in SHOWN:
        drawn = counts[:, lane]
        for row in range(2):
            won, pairs = wins(labels, scores[row], drawn)
            assert found[row, lane] == won
            if kind != "stratified":  # there, m and n are known
                n, m = (drawn[labels == label].sum() for label in (0, 1))
                assert found[2:, lane].tolist() == [n, m]
                assert pairs == 2 * m * n


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(weighted_cases())
def test_walks_may_stop_at_any_step(problem):
    labels, scores, seed = problem
    cases = as_cases(labels, a=scores[0])
    walk = Walk(
        *sort_scores(cases.labels, cases.scores, np.arange(labels.size, dtype=np.uint32)).of_model(
            0
        )
    )
    weights = random_weights(seed, labels.size)
    steps, words = walk.rows.size, weights.view(np.uint64)
    cuts = sorted(np.random.default_rng(seed).integers(0, steps + 1, 3).tolist())
    found, placed = [], []
    for stops in ([0, steps], [0, *cuts, steps]):
        run, (below, won) = 0, np.zeros((2, LANES), np.uint64)
        under = np.zeros(LANES, np.int32)
        over = weights[labels == 1].sum(axis=0, dtype=np.int32)
        out = np.zeros(weights.shape, np.int32)
        for first, stop in itertools.pairwise(stops):
            end = sum_wins(*walk, run, words, first, stop, below, won, *SCRATCH.arrays)
            assert end == add_placements(*walk, run, weights, first, stop, 1, under, over, out)
            assert end == np.searchsorted(walk.ends.astype(int), stop, "right")
            run = end
        found.append(won)
        placed.append(out)
        assert not over.any()
        np.testing.assert_array_equal(under, 2 * weights[labels == 0].sum(axis=0, dtype=int))
    np.testing.assert_array_equal(*found)
    np.testing.assert_array_equal(*placed)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(weighted_cases(largest=14))
def test_errors_are_delongs_of_the_replicate(problem):
    labels, scores, seed = problem
    cases = as_cases(labels, a=scores[0], b=scores[1])
    units = resampling_units(cases, stratified=True)
    weights = fixed_totals(labels, units, seed)
    statistic = DifferenceErrors(concordance_counts(cases, units), row_labels(cases, units))
    found = statistic(weights, no_checkpoint)
    drawn = weights[units.rows].astype(int)
    for lane in SHOWN:
        won, pairs = zip(*(wins(labels, s, drawn[:, lane]) for s in scores), strict=True)
        assert auc_differences(found[:-1])[lane] == float(Fraction(won[0] - won[1], pairs[0]))
        variance = difference_variance(labels, *scores, drawn[:, lane])
        assert found[4, lane] == pytest.approx(math.sqrt(variance), rel=1e-9, abs=0.0)


def fixed_totals(labels, units, seed):
    """Weights of stratified replicates, by index draws."""
    rng = np.random.default_rng(seed)
    parts = [
        np.stack([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(LANES)], axis=1)
        for n in units.sizes
    ]
    return np.concatenate(parts).astype(np.uint8)


def test_many_cases_with_many_ties_overflow_nothing(requires_jit):
    """Sums of 256 steps are kept in 16 bits, of the rest in 64."""
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 2, 40_000)
    scores = rng.integers(0, 7, (2, labels.size)).astype(float)
    cases = as_cases(labels, a=scores[0], b=scores[1])
    units = resampling_units(cases, stratified=False)
    weights = random_weights(5, labels.size, most=120)
    found = concordance_counts(cases, units)(weights, no_checkpoint)
    for row in range(2):
        tables = [
            np.stack([weights[(scores[row] == v) & (labels == c)].sum(0, int) for v in range(7)])
            for c in (0, 1)
        ]
        below = np.cumsum(tables[0], axis=0) - tables[0]
        won = (tables[1] * (2 * below + tables[0])).sum(axis=0)
        np.testing.assert_array_equal(found[row], won)


def test_slices_of_walks_do_not_matter(monkeypatch):
    rng = np.random.default_rng(7)
    labels = rng.integers(0, 2, 90)
    scores = rng.integers(0, 9, (2, 90)).astype(float)
    cases = as_cases(labels, a=scores[0], b=scores[1])
    units = resampling_units(cases, stratified=True)
    weights = fixed_totals(labels, units, 3)
    statistic = DifferenceErrors(concordance_counts(cases, units), row_labels(cases, units))
    expected = statistic(weights, no_checkpoint)
    monkeypatch.setattr(
        "fastcompare.auc._bootstrap_walks.row_slices", lambda size: _resampling.row_slices(size, 7)
    )
    np.testing.assert_array_equal(statistic(weights, no_checkpoint), expected)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(weighted_cases())
def test_a_walk_knows_the_wins_of_the_cases_themselves(problem):
    labels, scores, _ = problem
    cases = as_cases(labels, a=scores[0], b=scores[1])
    for stratified in (True, False):
        found = concordance_counts(cases, resampling_units(cases, stratified)).on_data()
        assert found == [wins(labels, s, np.ones(labels.size, int))[0] for s in scores]


def test_walks_of_blocks_with_and_without_ties_are_those_of_all_ties_alike(requires_jit):
    """Blocks of 512 cases without ties, and with some across their ends, take another way."""
    rng = np.random.default_rng(8)
    for share in (0.0, 0.001, 0.1, 1.0):
        scores = rng.permutation(3000).astype(float)
        tied = rng.random(scores.size) < share
        scores[tied] = np.floor(scores[tied] / 3.0) * 3.0
        labels = rng.integers(0, 2, scores.size).astype(np.uint8)
        walk = walk_of(labels, scores)
        assert np.array_equal(np.sort(np.unique(walk.rows)), np.arange(scores.size))
        assert (np.diff(scores[walk.rows[np.flatnonzero(labels[walk.rows])]]) >= 0.0).all()
        steps = np.repeat(walk.kinds, np.diff(walk.ends.astype(int), prepend=0))
        np.testing.assert_array_equal(steps == 0, labels[walk.rows] == 1)
        counts = np.bincount(walk.rows[steps > 0], steps[steps > 0], scores.size)
        np.testing.assert_array_equal(counts, 2.0 * (labels == 0))
        positives, negatives = scores[labels == 1], np.sort(scores[labels == 0])
        below = np.searchsorted(negatives, positives, "left").sum()
        reached = np.searchsorted(negatives, positives, "right").sum()
        assert wins_of_walk(walk) == below + reached


def wins_of_walk(walk):
    return int(count_wins(walk.ends, walk.kinds))


def test_sums_that_an_interrupt_left_behind_change_nothing_in_bootstrap_auc_test():
    rng = np.random.default_rng(0)
    y, a, b = rng.integers(0, 2, 40), rng.random(40), rng.random(40)
    want = fc.bootstrap_auc_test(y, a, b, n_resamples=100, rng=0).standard_error
    for sums in SCRATCH.arrays[2:]:
        sums.fill(3)  # as plain Python leaves them, where kernels are not compiled
    assert fc.bootstrap_auc_test(y, a, b, n_resamples=100, rng=0).standard_error == want
