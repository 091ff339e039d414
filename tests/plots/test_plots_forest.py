"""Forests: intervals are where their numbers say, margins are lines, and nothing overlaps."""

import numpy as np
import pytest
from matplotlib import pyplot
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare import plots
from tests.shared.pictures import (
    are_apart,
    are_within,
    closed_figures,  # noqa: F401
    extents,
    is_legible,
)

DATA = fc.load_predictions()
NAMES = [f"the-name-of-model-{j}-has-$forty_three$-characters"[:43] for j in range(3)]
SCORES = dict(zip(NAMES, list(DATA.scores.values())[:3], strict=True))
LABELS = {name: (score > 0.5).astype(int) for name, score in SCORES.items()}


def as_one_scale(lines, ends):
    """Assert that intervals are drawn to one scale, in order."""
    drawn = np.array([line.get_xdata() for line in lines]).ravel()
    wanted = np.ravel(ends)
    slope, start = np.polyfit(wanted, drawn, 1)
    assert slope > 0
    assert_allclose(drawn, start + slope * wanted, atol=1e-9 * slope)


def intervals_of(ax):
    return [line for line in ax.lines if str(line.get_gid()).startswith("model")]


def texts_of(ax):
    return [text for text in ax.texts if text.get_text()]


RESULTS = {
    "pairs": lambda: fc.delong_pairwise_test(DATA.y_true, SCORES),
    "ranks": lambda: fc.nemenyi_test(fc.load_dataset_scores().scores),
    "labels": lambda: fc.mcnemar_pairwise_test(DATA.y_true, LABELS),
    "losses": lambda: fc.scoring_pairwise_test(DATA.y_true, LABELS),
}


@pytest.mark.slow
@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_differences_of_pairs_are_drawn_to_scale(make):
    result = make()
    ax = plots.forest(result)
    low, high = result.confidence_interval(simultaneous=True)
    second = (result.estimate < 0) == result.higher_is_better  # the better model comes first
    order = np.lexsort((result.pvalue, result.adjusted_pvalue))
    together = np.where(second, [-high, -low], [low, high])[:, order]
    as_one_scale(intervals_of(ax), together.T)
    words = [text.get_text() for text in ax.texts]
    noted = "; simultaneous intervals" if len(result.pairs) > 1 else ""
    assert f"difference in {result.quantity}{noted}" in words
    pairs = [p[::-1] if turn else p for p, turn in zip(result.pairs, second, strict=True)]
    assert {f"{a} \u2212 {b}" for a, b in pairs} <= set(words)
    assert are_apart(extents(texts_of(ax)))
    wide = plots.forest(result, simultaneous=True)
    as_one_scale(intervals_of(wide), together.T)


@pytest.mark.parametrize("size", [(3.4, 3.2), (7.0, 2.0)])
@pytest.mark.parametrize("of", ["differences", "models"])
def test_long_names_fit_a_column_and_a_page(size, of):
    ax = pyplot.figure(figsize=size).add_axes((0, 0, 1, 1))
    plots.forest(fc.delong_pairwise_test(DATA.y_true, SCORES), of=of, simultaneous=False, ax=ax)
    boxes = extents(texts_of(ax))
    assert are_apart(boxes)
    assert are_within(boxes, ax.figure.bbox)
    assert min(text.get_fontsize() for text in ax.texts) >= 6.0
    shown = " ".join(text.get_text() for text in ax.texts)
    assert all(name in shown for name in NAMES)


def test_each_models_own_numbers():
    pairs = fc.delong_pairwise_test(DATA.y_true, SCORES)
    order = np.argsort(-pairs.auc, kind="stable")
    as_one_scale(
        intervals_of(plots.forest(pairs, of="models")), np.transpose(pairs.auc_interval())[order]
    )
    found = fc.delong_covariance(DATA.y_true, SCORES)
    logit = pairs.auc_interval(method="logit")
    as_one_scale(intervals_of(plots.forest(found)), np.transpose(logit)[order])
    labels = fc.mcnemar_pairwise_test(DATA.y_true, LABELS)
    ends = [fc.accuracy_interval(DATA.y_true, LABELS[name]).confidence_interval() for name in NAMES]
    order = np.argsort(-labels.accuracy, kind="stable")
    as_one_scale(intervals_of(plots.forest(labels, of="models")), np.array(ends)[order])
    for table, of_one in (
        (LABELS, lambda own: fc.accuracy_interval(correct=own)),
        (SCORES, fc.mean_interval),
    ):
        means = fc.mean_covariance(table)
        one = [of_one(table[name]).confidence_interval() for name in NAMES]
        order = np.argsort(-means.means, kind="stable")
        as_one_scale(intervals_of(plots.forest(means)), np.array(one)[order])
    with pytest.raises(fc.InvalidTypeError, match="estimates of each model"):
        plots.forest(fc.wilcoxon_test([1, 2, 3.5]), of="models")


@pytest.mark.parametrize(
    ("claim", "margins", "arrows", "words"),
    [
        ({}, 0, 0, "95% CI"),
        ({"alternative": "equivalence", "margin": 0.05}, 2, 0, "90% CI"),
        ({"alternative": "greater", "margin": 0.05}, 1, 1, "one-sided 95% CI"),
        ({"alternative": "less"}, 0, 1, "one-sided 95% CI"),
    ],
)
def test_margins_and_open_ends_are_drawn(claim, margins, arrows, words):
    a, b, _ = SCORES.values()
    ax = plots.forest(fc.delong_test(DATA.y_true, a, b, **claim))
    gids = [line.get_gid() for line in ax.lines if line.get_gid()]
    assert len({*gids}) == len(gids)
    kinds = [gid.split()[0] for gid in gids]
    assert (kinds.count("margin"), kinds.count("open"), kinds.count("null")) == (margins, arrows, 1)
    shown = [text.get_text() for text in ax.texts]
    assert f"difference ({words})" in shown
    assert "first \u2212 second" in shown
    assert any("margin 0.05" in text for text in shown) == ("margin" in claim)


def test_the_best_model_stands_on_top_where_lower_is_better():
    scores = {"worst": 2.0 + np.arange(30) % 3, "best": np.arange(30) % 2, "mid": np.ones(30)}
    ax = plots.forest(fc.leaderboard(scores, higher_is_better=False), of="models")
    height = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert height["best"] > height["mid"] > height["worst"]


def test_several_results_stand_below_each_other():
    found = {name: fc.roc_auc_interval(DATA.y_true, score) for name, score in SCORES.items()}
    ax = plots.forest(found)
    as_one_scale(intervals_of(ax), [result.confidence_interval() for result in found.values()])
    assert set(NAMES) <= {text.get_text() for text in ax.texts}
    assert len(intervals_of(plots.forest(list(found.values())))) == 3
    with pytest.raises(fc.InvalidValueError, match="at least one result"):
        plots.forest({})
    with pytest.raises(fc.InvalidTypeError, match="MauchlyResult"):
        plots.forest([fc.mauchly_test(np.random.default_rng(0).normal(size=(20, 3)))])


def test_many_pairs_are_a_matrix():
    scores = np.random.default_rng(0).normal(size=(40, 11))
    assert not intervals_of(fc.mean_pairwise_test(scores, correction="holm").plot())
    assert len(intervals_of(fc.mean_pairwise_test(scores[:, :3], correction="holm").plot())) == 3


def test_one_number_has_a_row():
    for result in (
        fc.cohen_kappa([[30, 6], [4, 10]]),
        fc.roc_auc_test(DATA.y_true, SCORES[NAMES[0]]),
    ):
        ax = result.plot()
        assert result.title in {text.get_text() for text in ax.texts}
        assert len(intervals_of(ax)) == 1


ROUNDS = {name: score[:12] for name, score in SCORES.items()}
STATED = {  # tests of all models, and of what has no single number
    "cochran": (lambda: fc.cochran_q_test(DATA.y_true, LABELS), 3),
    "friedman": (lambda: fc.friedman_test(ROUNDS), 3),
    "anova": (lambda: fc.rm_anova_test(ROUNDS), 3),
    "omnibus": (lambda: fc.delong_omnibus_test(DATA.y_true, SCORES), 3),
    "unpaired": (lambda: fc.folds_unpaired_test(ROUNDS), 3),
    "exchange": (
        lambda: fc.permutation_metric_test(
            DATA.y_true, {name: LABELS[name] for name in NAMES[:2]}, rng=0, n_resamples=99
        ),
        2,
    ),
    "calibration": (lambda: fc.calibration_test(DATA.y_true, SCORES[NAMES[0]], clip=1e-3), 2),
}


@pytest.mark.parametrize("kind", STATED)
@pytest.mark.parametrize("width", [None, 3.4, 7.0])
def test_tests_of_all_models_are_stated_below_their_numbers(kind, width):
    make, rows = STATED[kind]
    result = make()
    ax = None if width is None else pyplot.figure(figsize=(width, 0.75 * width)).add_subplot()
    ax = result.plot(ax=ax)
    is_legible(ax)
    assert len(intervals_of(ax)) == rows
    told = " ".join(text.get_text() for text in texts_of(ax))
    assert result.title in told
    assert " p " in told
