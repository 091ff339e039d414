"""Groups of models that do not differ, and their letters, against all groups one by one."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._results.cliques import (
    groups_of_adjacent_ranks,
    models_in_cliques,
    significance_groups,
)
from tests.reference import posthoc as reference


def symmetric(pairs, k):
    apart = np.zeros((k, k), bool)
    for i, j in pairs:
        apart[i, j] = apart[j, i] = True
    return apart


@st.composite
def graphs(draw, most=8):
    """Which of up to 8 models differ, any pairs at all."""
    k = draw(st.integers(1, most))
    pairs = list(itertools.combinations(range(k), 2))
    chosen = [pair for pair in pairs if draw(st.booleans())]
    return symmetric(chosen, k)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(apart=graphs(), seed=st.integers(0, 1000))
def test_groups_are_all_that_nobody_could_join(apart, seed):
    ranks = np.random.default_rng(seed).integers(1, 5, size=len(apart)).astype(float)
    groups = significance_groups(apart, ranks)
    assert {frozenset(group) for group in groups} == reference.maximal_groups(apart)
    assert len(groups) == len({frozenset(group) for group in groups})
    cliques = models_in_cliques(apart, ranks)
    assert cliques == tuple(group for group in groups if len(group) > 1)


@settings(max_examples=50, deadline=None)
@given(apart=graphs(7))
def test_groups_are_what_inserting_and_absorbing_ends_with(apart):
    groups = {
        frozenset(group) for group in significance_groups(apart, np.arange(float(len(apart))))
    }
    assert groups == reference.insert_and_absorb(apart)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(ranks=st.lists(st.integers(1, 30), min_size=1, max_size=9), distance=st.integers(1, 12))
def test_groups_by_a_critical_difference_are_intervals(ranks, distance):
    ranks = np.array(ranks, float)
    apart = np.abs(ranks[:, None] - ranks) >= distance
    order = np.argsort(ranks, kind="stable")
    assert groups_of_adjacent_ranks(apart[np.ix_(order, order)]) is not None
    groups = significance_groups(apart, ranks)
    assert {frozenset(group) for group in groups} == reference.maximal_groups(apart)
    for group in groups:
        assert (np.diff(ranks[list(group)]) >= 0).all()
    best = [ranks[group[0]] for group in groups]
    assert best == sorted(best)


def test_a_group_need_not_be_an_interval():
    # the model between differs from both of its neighbours, they do not from one another
    apart = symmetric([(0, 1), (1, 2)], 3)
    assert models_in_cliques(apart, np.array([1.0, 2.0, 3.0])) == ((0, 2),)
    assert significance_groups(apart, np.array([1.0, 2.0, 3.0])) == ((0, 2), (1,))


def test_groups_of_one_and_of_all():
    ranks = np.array([2.0, 1.0, 3.0])
    assert models_in_cliques(symmetric(itertools.combinations(range(3), 2), 3), ranks) == ()
    assert models_in_cliques(symmetric([], 3), ranks) == ((1, 0, 2),)


def test_a_thousand_models_with_a_critical_difference():
    ranks = np.random.default_rng(0).permutation(1000) + 1.0
    cliques = models_in_cliques(np.abs(ranks[:, None] - ranks) > 30, ranks)
    assert len(cliques) == 1000 - 30
    assert all(len(clique) == 31 for clique in cliques)


@pytest.mark.slow
def test_too_many_groups_are_refused():
    # models 3 i, 3 i + 1, 3 i + 2 differ: 3^12 groups take one of each
    pairs = [(3 * i + a, 3 * i + b) for i in range(12) for a, b in [(0, 1), (0, 2), (1, 2)]]
    ranks = np.random.default_rng(0).permutation(36).astype(float)
    with pytest.raises(fc.InvalidValueError, match=r"10,000 groups .* `matrix\('adj"):
        models_in_cliques(symmetric(pairs, 36), ranks)


def result_of(apart, **fields):
    k = len(apart)
    pvalues = np.where(apart, 0.01, 0.3)
    np.fill_diagonal(pvalues, 1.0)
    names = tuple(f"m{j}" for j in range(k))
    above = pvalues[np.triu_indices(k, 1)]
    return SimpleNamespace(
        names=names, adjusted_pvalue=above, matrix=lambda field: pvalues, **fields
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(apart=graphs())
def test_models_differ_exactly_if_they_share_no_letter_in_compact_letters(apart):
    letters = list(fc.compact_letters(result_of(apart)).values())
    for i, j in itertools.combinations(range(len(apart)), 2):
        assert apart[i, j] == (not set(letters[i]) & set(letters[j]))
    assert all(letters)


def test_letters_begin_with_the_best_model_in_compact_letters():
    apart = symmetric([(0, 2), (0, 3), (1, 3)], 4)
    result = result_of(apart, average_ranks=np.array([4.0, 3.0, 2.0, 1.0]), alpha=0.05)
    letters = fc.compact_letters(result)
    assert list(letters.items()) == [("m3", "a"), ("m2", "ab"), ("m1", "bc"), ("m0", "c")]
    assert set(fc.compact_letters(result, alpha=0.001).values()) == {"a"}


def test_letters_of_other_tests_of_all_pairs():
    y = np.arange(200) % 2
    rng = np.random.default_rng(0)
    scores = {"weak": rng.normal(size=200), "fair": rng.normal(size=200) + y, "good": 3.0 * y}
    scores["good"] = scores["good"] + rng.normal(size=200)
    letters = fc.compact_letters(fc.delong_pairwise_test(y, scores))
    assert list(letters.items()) == [("good", "a"), ("fair", "b"), ("weak", "c")]


def test_untested_pairs_have_no_letters():
    table = np.random.default_rng(0).normal(size=(10, 4))
    with pytest.raises(fc.InvalidValueError, match=r"`result` must have p-values for all pairs"):
        fc.compact_letters(fc.control_test(table, 0))
    with pytest.raises(
        fc.InvalidTypeError, match="`result` must have names, adjusted_pvalue, matrix"
    ):
        fc.compact_letters(fc.friedman_test(table))


def test_more_groups_than_letters_are_refused_in_compact_letters():
    pairs = [(i, j) for i, j in itertools.combinations(range(60), 2) if j - i > 3]
    with pytest.raises(fc.InvalidValueError, match="57 letters, more than the 52"):
        fc.compact_letters(result_of(symmetric(pairs, 60)))
