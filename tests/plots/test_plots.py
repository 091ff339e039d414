"""All pictures: names are shown as they are, and what cannot be drawn is refused."""

import sys
import warnings

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

import fastcompare as fc
from fastcompare import plots
from fastcompare._report.families import SHEETS_BY_FAMILY
from fastcompare.plots._displays import PICTURES
from tests.shared.pictures import closed_figures, compared, ranked, words_of  # noqa: F401

ODD = ["a$x_1", "b^{$", r"\frac{1}{2}", "$\\alpha$", "e%&#", "line\nbreak", "\ud800", "\u202eright"]

EXOTIC = ["\U0001f600 fit", "\u05e9\u05dc\u05d5\u05dd", "\u4e2d\u6587", "e\u0301", "\u0645\u0631"]

DRAWN = {
    "diagram": lambda names: plots.critical_difference(ranked(np.arange(1, 9), names=names)),
    "matrix": lambda names: plots.pvalue_matrix(compared(np.full((8, 8), 0.02), names=names)),
    "distribution": lambda names: plots.rank_distribution(
        {name: np.arange(5) + j for j, name in enumerate(names)}
    ),
}


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_names_are_shown_as_they_are(draw):
    ax = draw(ODD)
    ax.figure.canvas.draw()
    for name in ODD[:5]:
        assert name in words_of(ax)
    assert {r"line\x0abreak", "\ufffd", r"\u202eright"} <= set(words_of(ax))


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_names_in_any_script_are_drawn(draw):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph|Matplotlib currently", UserWarning)
        ax = draw([*EXOTIC, "x", "y", "z"])
        ax.figure.canvas.draw()
    assert set(EXOTIC) <= set(words_of(ax))


@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_without_matplotlib_the_error_says_what_to_install(monkeypatch, draw):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'fastcompare\[plot\]'"):
        draw(list("abcdefgh"))


def test_refused_results():
    with pytest.raises(fc.InvalidTypeError, match="without names, average_ranks, cliques"):
        plots.critical_difference([1.0, 2.0])
    with pytest.raises(fc.InvalidValueError, match="between 1 and 2"):
        plots.critical_difference(ranked([1.0, np.nan]))
    with pytest.raises(fc.InvalidValueError, match="at least two models"):
        plots.critical_difference(ranked([1.0]))
    with pytest.raises(fc.InvalidValueError, match="Did you mean 'right'"):
        plots.critical_difference(ranked([1.0, 2.0]), best="rigth")
    with pytest.raises(fc.InvalidTypeError, match="Namespace without adjusted_pvalue, matrix"):
        plots.pvalue_matrix(ranked([1.0, 2.0]))


@pytest.mark.parametrize("wrong", [5, [], np.array([None, None]), Figure()])
def test_axes_are_one_pair_of_axes(wrong):
    result = fc.nemenyi_test(np.random.default_rng(0).normal(size=(5, 3)))
    for draw in (plots.critical_difference, plots.pvalue_matrix):
        with pytest.raises(fc.InvalidTypeError, match="`ax` must be the axes"):
            draw(result, ax=wrong)
    with pytest.raises(fc.InvalidTypeError, match="`ax` must be the axes"):
        plots.rank_distribution(np.eye(3), ax=wrong)


@pytest.mark.slow
def test_a_result_knows_its_picture_and_says_where_there_is_none():
    table = np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]] * 9)
    for drawn, draw in (
        (fc.nemenyi_test(table), plots.critical_difference),
        (fc.wilcoxon_pairwise_test(table), plots.pvalue_matrix),
        (fc.leaderboard(table), plots.leaderboard),
        (fc.paired_mean_test(*table.T[:2]), plots.forest),
    ):
        assert words_of(drawn.plot()) == words_of(draw(drawn))
    with pytest.raises(fc.InvalidTypeError, match=r"no plot: got NormalityResult.*to_frame"):
        fc.normality_report(table).plot()


@pytest.mark.slow
def test_comparisons_of_many_tests_have_the_picture_of_pairs():
    data = fc.load_dataset_scores()
    found = fc.compare_datasets(data.scores)
    assert words_of(found.plot()) == words_of(plots.critical_difference(found.posthoc))
    scores = {name: np.random.default_rng(j).normal(size=10) for j, name in enumerate("abc")}
    rounds = {f"split{i}_test_score": [scores[name][i] for name in "abc"] for i in range(10)}
    folds = fc.from_cv_results(
        {**rounds, "params": [{"model": name} for name in "abc"]}, n_train=90, n_test=10
    )
    assert any("\u2212" in words for words in words_of(folds.plot()))
    band = fc.roc_curve_band([0, 0, 1, 1, 1], [1, 3, 2, 4, 5], n_resamples=99, rng=0)
    assert [part.get_gid() for part in band.plot().collections] == ["band 0"]
    exact = fc.permutation_auc_test([0, 1, 0, 1], [1, 2, 3, 4], [4, 3, 1, 2])
    with pytest.raises(fc.InvalidValueError, match="studentized"):
        exact.plot()


@pytest.mark.parametrize("name", fc.results.__all__)
def test_a_class_names_a_picture_and_sheets_that_exist(name):
    kind = getattr(fc.results, name)
    assert getattr(kind, "_picture", "") in {"", "pairs", "reported", "tests", *PICTURES}
    assert getattr(kind, "_sheets", "facts") in SHEETS_BY_FAMILY


@pytest.mark.slow
def test_the_style_can_be_switched_off():
    result = fc.leaderboard(np.eye(6)[:, :3])
    black = plots.leaderboard(result).lines[-1].get_color()
    with pyplot.rc_context({"axes.edgecolor": "red"}):
        with plots.style(False):
            red = plots.leaderboard(result).lines[-1].get_color()
        again = plots.leaderboard(result).lines[-1].get_color()
    assert (black, red, again) == ("black", "red", "black")
    with pytest.raises(fc.InvalidTypeError, match="`on`"):
        plots.style("off")
