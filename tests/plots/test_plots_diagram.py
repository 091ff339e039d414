"""Diagrams: nothing overlaps, and no bar covers a model that differs."""

import hashlib
import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare import plots
from fastcompare.plots._canvas import text_width
from fastcompare.plots._diagram import bar_levels, clique_bars
from tests.shared.pictures import (
    LONG,
    are_apart,
    are_within,
    closed_figures,  # noqa: F401
    extents,
    overlaps,
    ranked,
)

BEST = ("left", "right")


def cliques_within(ranks, cd):
    """The maximal groups of models less than a CD apart."""
    order = np.argsort(ranks, kind="stable")
    groups = [{j for j in order if 0 <= ranks[j] - ranks[i] < cd} for i in order]
    return [tuple(g) for g in groups if len(g) > 1 and not any(g < other for other in groups)]


def drawn_models(k, *, tied=False, n=12, seed=0):
    """Average ranks of k models over n data sets, with a CD that makes cliques."""
    rng = np.random.default_rng([seed, k])
    scores = rng.normal(size=(n, k)) + np.linspace(0, 2, k)
    ranks = scores.argsort(axis=1).argsort(axis=1).mean(axis=0) + 1
    ranks = np.clip(np.round(ranks), 1, k) if tied else ranks
    cd = max(0.26 * k, 0.6)
    return ranks, cliques_within(ranks, cd), cd


def line_boxes(ax, *, bars):
    """Return the boxes of all bars, or of all thin lines, in pixels."""
    found = []
    for drawn in ax.lines:
        if (drawn.get_gid() or "").startswith("clique") == bars:
            half = drawn.get_linewidth() * ax.figure.dpi / 144
            around = (0, half) if bars else (half, half)  # the ends of bars are butt
            ends = ax.transData.transform(drawn.get_xydata())
            low, high = np.minimum(ends[:-1], ends[1:]), np.maximum(ends[:-1], ends[1:])
            found += np.hstack([low - around, high + around]).tolist()
    return np.array(found).reshape(-1, 4)


def assert_clear(ax):
    """Raise unless all texts are within the picture and clear of each other and of all lines."""
    texts, bars = extents(ax.texts), line_boxes(ax, bars=True)
    frame = ax.get_window_extent()
    assert are_within(texts, frame)
    assert are_within(np.vstack([bars, texts]), frame)
    assert are_apart(texts)
    assert are_apart(bars)
    assert overlaps(texts, bars) == 0
    assert overlaps(texts, line_boxes(ax, bars=False)) == 0


@pytest.mark.slow
@pytest.mark.parametrize("k", range(2, 41))
def test_nothing_overlaps_whatever_the_names_and_ties(k):
    rng = np.random.default_rng(k)
    names = [(LONG * 2)[: rng.integers(1, 61)] + f"|{j}" for j in range(k)]
    ranks, cliques, cd = drawn_models(k, tied=k % 3 == 0)
    cd = None if k % 5 == 4 else cd
    ax = plots.critical_difference(ranked(ranks, cliques, cd, names), best=BEST[k % 2])
    assert sorted(t.get_text() for t in ax.texts if "|" in t.get_text()) == sorted(names)
    assert_clear(ax)


@pytest.mark.parametrize("cd", [0.02, 3.9, 40.0])
@pytest.mark.parametrize("best", BEST)
def test_any_cd_fits(cd, best):
    ax = plots.critical_difference(ranked([1.2, 2, 3.9, 3.1, 4.8], cd=cd), best=best)
    assert_clear(ax)
    spans = [np.ptp(line.get_xdata()) for line in ax.lines if np.ptp(line.get_ydata()) == 0]
    assert_allclose(sorted(spans), sorted([cd, 4.0]))  # of the CD and of the axis


@pytest.mark.slow
def test_many_cliques_of_pairwise_tests_do_not_overlap():
    rng = np.random.default_rng(5)
    ranks = rng.uniform(1, 12, 12)
    cliques = [tuple(rng.choice(12, rng.integers(2, 6), replace=False)) for _ in range(30)]
    assert_clear(plots.critical_difference(ranked(ranks, cliques)))


@pytest.mark.parametrize("size", [(2.0, 1.0), (8.0, 1.5), (3.0, 6.0)])
def test_a_given_axes_is_filled_without_overlap(size):
    figure = Figure(figsize=size, dpi=300)  # or widths are rounded to whole pixels
    ax = figure.add_axes((0.1, 0.1, 0.85, 0.85))
    before = plt.get_fignums()
    ranks, cliques, cd = drawn_models(12)
    assert plots.critical_difference(ranked(ranks, cliques, cd), ax=ax) is ax
    figure.canvas.draw()
    assert_clear(ax)
    assert plt.get_fignums() == before


def positions(ax):
    """Return all lines and texts in the order of drawing: ranks, em, words."""
    lines = [[line.get_gid() or "", *np.round(line.get_xydata(), 3).tolist()] for line in ax.lines]
    return lines, [[t.get_text(), *np.round(t.get_position(), 3).tolist()] for t in ax.texts]


def test_the_diagram_of_three_models():
    result = ranked([2.75, 1.25, 2.0], [(1, 2)], cd=1.0, names=["a", "b", "c"])
    lines, texts = positions(plots.critical_difference(result, best="left"))
    per_em = 2 / 26  # the axis has 26 em
    assert lines[0] == ["", [1, -4.4], [3, -4.4]]
    assert lines[1] == ["", [1, -2.1], [2, -2.1]]
    reach = round(0.3 * per_em, 3)
    assert lines[4:7] == [
        ["model 1", [1.25, -4.4], [1.25, -6.7], [1 - reach, -6.7]],
        ["model 2", [2.0, -4.4], [2.0, -8.2], [1 - reach, -8.2]],
        ["model 0", [2.75, -4.4], [2.75, -6.7], [3 + reach, -6.7]],
    ]
    assert lines[7:] == [["clique 0", [1.25, -5.3], [2, -5.3]]]
    edge = 0.6 * per_em
    name = 2 * edge + text_width("2.75") * per_em  # names stand beyond their ranks
    assert texts == [
        *([str(rank), rank, -3.3] for rank in (1, 2, 3)),
        ["CD = 1", 1, -1.0],
        ["b", round(1 - name, 3), -6.7],
        ["1.25", round(1 - edge, 3), -6.7],
        ["c", round(1 - name, 3), -8.2],
        ["2.00", round(1 - edge, 3), -8.2],
        ["a", round(3 + name, 3), -6.7],
        ["2.75", round(3 + edge, 3), -6.7],
    ]


@pytest.mark.parametrize(
    ("k", "digest"),
    [(5, "7b7d3db89356e851"), (14, "764d8c7cef2afce5"), (40, "961ea1c6160c7070")],
)
def test_diagrams_are_drawn_as_they_were_looked_at(k, digest):
    ranks, cliques, cd = drawn_models(k)
    found = json.dumps(positions(plots.critical_difference(ranked(ranks, cliques, cd))))
    assert hashlib.sha256(found.encode()).hexdigest()[:16] == digest


@st.composite
def grouped(draw):
    """Ranks, perhaps tied, a group of models, and a distance."""
    ranks = np.array(draw(st.lists(st.integers(2, 20), min_size=2, max_size=12))) / 2
    members = draw(st.lists(st.integers(0, ranks.size - 1), min_size=2, unique=True))
    return ranks, tuple(members), draw(st.sampled_from([0.01, 0.3, 2.0]))


@pytest.mark.slow
@given(case=grouped())
@settings(max_examples=100, deadline=None)
def test_no_bar_covers_a_model_that_differs(case):
    ranks, members, gap = case
    (bar,) = clique_bars([members], ranks, gap)
    inside = ranks[list(members)]
    others = np.setdiff1d(np.arange(ranks.size), members)
    between = {j for j in others if inside.min() <= ranks[j] <= inside.max()}
    assert set(bar.outsiders) == between  # the note names them
    assert sorted(bar.members) == sorted(members)
    for rank in set(ranks[others]) - set(inside):
        assert not any(low <= rank <= high for low, high in bar.solid + bar.links)
    for rank in set(inside):
        assert sum(low <= rank <= high for low, high in bar.solid) == 1
    if not between:
        assert len(bar.solid) == 1
    ordered = sorted(bar.solid + bar.links)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(ordered))


@pytest.mark.slow
@given(case=grouped(), more=grouped())
@settings(max_examples=50, deadline=None)
def test_bars_of_a_level_keep_their_distance(case, more):
    ranks, members, gap = case
    groups = [members, *itertools.combinations(range(ranks.size), 2)]
    bars = clique_bars(groups, ranks, gap)
    levels = bar_levels(bars, gap)
    for (a, one), (b, two) in itertools.combinations(zip(bars, levels, strict=True), 2):
        if one == two:
            assert a.span[1] + gap <= b.span[0] or b.span[1] + gap <= a.span[0]
    assert set(levels) == set(range(max(levels) + 1))


def test_a_broken_bar_is_told_in_a_note():
    result = ranked([1.5, 2.2, 3.0, 3.6], [(0, 1, 3), (1, 2)], names="ABCD")
    ax = plots.critical_difference(result)
    note = " ".join(t.get_text() for t in ax.texts[-2:])
    assert note.endswith("differ significantly from one of its group: A, B and D without C.")
    gids = [line.get_gid() for line in ax.lines]
    assert (gids.count("clique 0"), gids.count("link 0"), gids.count("clique 1")) == (2, 2, 1)
    plain = plots.critical_difference(ranked([1.5, 2.2, 3.0, 3.6], [(0, 1), (1, 2)]))
    assert not any("leave" in t.get_text() for t in plain.texts)


def test_with_a_control_the_bar_joins_what_does_not_differ_from_it():
    scores = fc.load_dataset_scores().scores
    result = fc.control_test(scores, "random_forest")
    ax = plots.critical_difference(result)
    (bar,) = (line for line in ax.lines if line.get_gid() == "clique 0")
    low, high = sorted(bar.get_xdata())
    inside = [
        n for n, r in zip(result.names, result.average_ranks, strict=True) if low <= r <= high
    ]
    differing = [
        pair[1] for pair, p in zip(result.pairs, result.adjusted_pvalue, strict=True) if p <= 0.05
    ]
    assert inside == [name for name in result.names if name not in differing]
    assert "joins random_forest with" in " ".join(t.get_text() for t in ax.texts)
    apart = fc.control_test(np.tile([3.0, 2.0, 1.0], (40, 1)), 1)
    ax = plots.critical_difference(apart)
    assert not any((line.get_gid() or "").startswith("clique") for line in ax.lines)
    assert ax.texts[-1].get_text() == "All models differ significantly from model 2."


@pytest.mark.slow
def test_results_of_the_library_are_drawn():
    scores = fc.load_dataset_scores().scores
    tests = (fc.nemenyi_test, fc.friedman_pairwise_test, fc.wilcoxon_pairwise_test)
    for result in (test(scores) for test in tests):
        ax = plots.critical_difference(result)
        bars = [line.get_gid() for line in ax.lines if (line.get_gid() or "").startswith("clique")]
        assert bars == [f"clique {i}" for i in range(len(result.cliques))]
        assert_clear(ax)
        written = [t.get_text() for t in plots.pvalue_matrix(result).texts]
        above = result.adjusted_pvalue
        found = sorted(float(p) for p in written if p != "<.001")
        assert_allclose(found, sorted(above[above >= 0.001]), atol=5.1e-4)


def test_cliques_hold_names():
    result = ranked([1.5, 2.2, 3.0], [(1, 2)], names=("a", "b", "c"))
    assert result.cliques == (("b", "c"),)
    ax = plots.critical_difference(result)
    (bar,) = (line for line in ax.lines if line.get_gid() == "clique 0")
    low, high = sorted(bar.get_xdata())
    assert (low, high) == (2.2, 3.0)  # no longer than the clique
    result.cliques = ((1, 2),)
    with pytest.raises(fc.InvalidValueError, match="must contain names of its models, got 1"):
        plots.critical_difference(result)


def test_undefined_pvalues_are_not_drawn_as_equal_models():
    alike = np.tile([1.0, 2.0, 3.0], (5, 1))
    result = fc.conover_test(alike, on_undefined="ignore")
    with pytest.raises(fc.InvalidValueError, match="p-values for all pairs of models, got 3 NaN"):
        plots.critical_difference(result)


@pytest.mark.slow
def test_the_caption_says_what_was_tested():
    scores = fc.load_dataset_scores().scores
    ax = plots.critical_difference(fc.friedman_pairwise_test(scores, correction="holm"))
    words = " ".join(t.get_text() for t in ax.texts)
    for said in ("z tests, Holm correction", "\u03b1 = 0.05", "average ranks of 16 data sets"):
        assert said in words
    names = [f"the-name-of-model-{j}-has-forty-three-characters"[:43] for j in range(len(scores))]
    narrow = plt.figure(figsize=(3.4, 3.0)).add_axes((0, 0, 1, 1))
    columns = scores.values() if isinstance(scores, dict) else np.asarray(scores).T
    result = fc.nemenyi_test(dict(zip(names, columns, strict=False)))
    ax = plots.critical_difference(result, ax=narrow)
    assert_clear(ax)
    assert min(t.get_fontsize() for t in ax.texts) >= 4.5
    shown = [t for t in ax.texts if t.get_text() in result.names]
    assert len({round(t.get_position()[0], 6) for t in shown}) == 1  # all on one side
