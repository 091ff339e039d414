"""Heat maps of p-values, and the spread of ranks: who is where, and nothing overlaps."""

import numpy as np
import pytest
from matplotlib import pyplot
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from fastcompare import plots
from tests.shared.pictures import (
    LONG,
    are_apart,
    are_within,
    closed_figures,  # noqa: F401
    compared,
    extents,
    is_legible,
)


def symmetric(k, seed=0):
    p = np.random.default_rng(seed).beta(0.3, 1, size=(k, k))
    return np.minimum(p, p.T)


def test_pvalues_are_written_where_their_models_meet():
    p = np.array([[1, 0.0004, 0.2], [0.0004, 1, np.nan], [0.2, np.nan, 1]])
    ax = plots.pvalue_matrix(compared(p, names="abc", average_ranks=[2.5, 1.0, 2.0]))
    cells = {t.get_position(): t.get_text() for t in ax.texts}
    columns, rows = (
        [t.get_text() for t in ticks] for ticks in (ax.get_xticklabels(), ax.get_yticklabels())
    )
    assert (columns, rows) == (["b", "c"], ["c", "a"])  # by their average ranks
    assert cells == {(0.5, 0.5): "n/a", (0.5, 1.5): "<.001", (1.5, 1.5): "0.200"}
    squares = {
        c.get_label(): [path.vertices[0].tolist() for path in c.get_paths()] for c in ax.collections
    }
    assert squares["undefined"] == [[0, 0]]
    assert squares["p < 0.001"] == [[0, 1]]
    assert squares["p \u2265 0.1"] == [[1, 1]]


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 5, 15, 16, 40])
@pytest.mark.parametrize("name", ["m", LONG])
def test_names_and_numbers_of_the_matrix_do_not_overlap(k, name):
    ax = plots.pvalue_matrix(compared(symmetric(k), names=[f"{name}{j}" for j in range(k)]))
    assert len(ax.texts) == (k * (k - 1) // 2 if k <= 15 else 0)
    ax.figure.draw_without_rendering()  # which places the legend
    shown = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels(), *ax.get_legend().get_texts()]
    found = extents(shown)
    assert are_apart(found)
    assert are_within(found, ax.figure.bbox)


def test_ranks_are_drawn_by_model():
    scores = {"a": [1, 2, 3, 4.0], "b": [2, 3, 3, 5.0], "c": [0, 1, 9, 0.0]}
    ranks = np.array([[2, 1, 3], [2, 1, 3], [2.5, 2.5, 1], [2, 1, 3]])
    for sign in (1, -1):
        table = {name: sign * np.array(column) for name, column in scores.items()}
        ax = plots.rank_distribution(table, higher_is_better=sign > 0)
        assert [t.get_text() for t in ax.get_yticklabels()] == ["b", "a", "c"]
        diamonds = ax.lines[-1]
        assert_array_equal(diamonds.get_xdata(), ranks.mean(axis=0)[[1, 0, 2]])
        assert_array_equal(diamonds.get_ydata(), [0, 1, 2])
        dots = np.concatenate([line.get_xydata() for line in ax.lines[:-1]])
        assert_array_equal(np.sort(dots[:, 0]), np.sort(ranks.ravel()))
        assert len({tuple(dot) for dot in dots.tolist()}) == 12  # none hides another
        assert_allclose(
            [box.get_x() for box in ax.patches], np.quantile(ranks, 0.25, axis=0)[[1, 0, 2]]
        )


def test_infinite_scores_and_wide_integers_have_ranks():
    for table in ([[0.0, np.inf], [-np.inf, 0.0]], [[2**53, 2**53 + 1], [2**53, 2**53 + 1]]):
        ax = plots.rank_distribution(table)
        assert_array_equal(ax.lines[-1].get_xdata(), [1, 2])


def test_many_data_sets_are_boxes_alone():
    scores = np.random.default_rng(0).normal(size=(201, 4))
    assert len(plots.rank_distribution(scores).lines) == 1
    assert len(plots.rank_distribution(scores[:200]).lines) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["m", LONG])
def test_the_distribution_of_forty_models_fits(name):
    scores = np.random.default_rng(0).normal(size=(30, 40))
    ax = plots.rank_distribution({f"{name}{j}": scores[:, j] for j in range(40)})
    ax.figure.draw_without_rendering()  # which places the label of the axis
    ticks = [t for t in ax.get_xticklabels() if 0.5 <= t.get_position()[0] <= 40.5]
    found = extents([*ticks, *ax.get_yticklabels(), ax.xaxis.label])
    assert are_apart(found)
    assert are_within(found, ax.figure.bbox)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "k"), [(3.4, 2), (3.4, 8), (7.0, 30)])
def test_a_matrix_of_long_names_fits_given_axes(width, k):
    names = [f"the-name-of-model-{j}-has-forty-three-characters"[:43] for j in range(k)]
    fields = {"title": "A test of all pairs", "correction": "holm", "alpha": 0.05}
    result = compared(symmetric(k), names=names, **fields)
    ax = plots.pvalue_matrix(result, ax=pyplot.subplots(figsize=(width, 4.0))[1])
    is_legible(ax, least=4.0)
    said = ax.get_title().replace("\n", " ")
    assert said == "A test of all pairs, Holm correction, \u03b1 = 0.05"
    shown = {label.get_text().split()[0] for label in ax.get_yticklabels()}
    assert shown == set(names)
    assert not any(part.get_clip_on() for part in ax.collections)  # the border is closed


@pytest.mark.slow
@pytest.mark.parametrize("width", [None, 3.4, 7.0])
def test_agreement_of_all_pairs_is_a_triangle_of_percentages(width):
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    names = [f"the-name-of-model-{j}-has-$forty_three$-characters"[:43] for j in range(5)]
    flips = zip(names, (0.02, 0.03, 0.1, 0.2, 0.3), strict=True)
    labels = {name: y ^ (rng.random(200) < p) for name, p in flips}
    found = fc.agreement_matrix(y, labels, on_undefined="ignore")
    ax = None if width is None else pyplot.figure(figsize=(width, 0.8 * width)).add_subplot()
    ax = found.plot(ax=ax)
    order = np.argsort(-found.accuracy, kind="stable")
    rows, columns = np.tril_indices(4)
    shares = found.disagreement[order[rows + 1], order[columns]]
    assert [text.get_text() for text in ax.texts] == [f"{100 * share:.1f}" for share in shares]
    is_legible(ax, least=3.0)
    with pytest.raises(fc.InvalidTypeError, match="agreement_matrix"):
        plots.agreement_map(fc.agreement(y, y, y, on_undefined="ignore"))
