"""ROC and precision-recall curves pass through the counts of each threshold; legends fit."""

import numpy as np
import pytest
from matplotlib import pyplot
from numpy.testing import assert_allclose
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

import fastcompare as fc
from fastcompare import plots
from tests.shared.pictures import closed_figures, is_legible  # noqa: F401

DATA = fc.load_predictions()
NAMES = [f"the-name-of-model-{j}-has-$forty_three$-characters"[:43] for j in range(5)]
SCORES = dict(zip(NAMES, DATA.scores.values(), strict=True))
DRAWN = {"roc": plots.roc_curves, "precision": plots.precision_recall_curves}


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_curves_are_scikit_learns():
    rng = np.random.default_rng(0)
    for grid in (3, 50):
        y, x = rng.integers(2, size=60), rng.integers(grid, size=60) / grid
        line = plots.roc_curves(y, x).lines[0]
        fpr, tpr, _ = metrics.roc_curve(y, x)
        assert_allclose(line.get_xydata(), np.column_stack((fpr, tpr)))
        line = plots.precision_recall_curves(y, x).lines[0]
        precision, recall, _ = metrics.precision_recall_curve(y, x)
        assert_allclose(line.get_xydata()[1:, 0], recall[-2::-1])
        assert_allclose(line.get_xydata()[1:, 1], precision[-2::-1])
        width = np.diff(line.get_xdata())  # the area below the steps
        assert_allclose(width @ line.get_ydata()[1:], fc.average_precision(y, x))


def test_the_legend_has_the_numbers_of_the_intervals():
    ax = plots.roc_curves(DATA.y_true, DATA.scores)
    for label, (name, scores) in zip(legend_of(ax), DATA.scores.items(), strict=True):
        found = fc.roc_auc_interval(DATA.y_true, scores)
        low, high = found.confidence_interval()
        assert label.split() == f"{name} {found.estimate:.3f} ({low:.3f} to {high:.3f})".split()
    assert ax.get_legend().get_title().get_text() == "AUC (95% CI)"
    looks = {(line.get_linestyle(), line.get_color()) for line in ax.lines}
    assert len(looks) == 6
    single = plots.precision_recall_curves(DATA.y_true, DATA.scores["decision_tree"])
    assert legend_of(single) == [
        f"{fc.average_precision(DATA.y_true, DATA.scores['decision_tree']):.3f}"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("size", [None, (3.4, 4.0), (7.0, 4.0)])
@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_names_and_numbers_fit_and_cover_no_curve(draw, size):
    ax = None if size is None else pyplot.subplots(figsize=size)[1]
    ax = draw(DATA.y_true, SCORES, ax=ax)
    is_legible(ax)
    assert ax.get_legend().get_window_extent().y1 <= ax.get_window_extent().y0


def test_bands_are_those_of_the_function(requires_jit):
    y, x = DATA.y_true, DATA.scores["decision_tree"]
    drawing = {"n_resamples": 99, "rng": 1}
    ax = plots.roc_curves(y, x, band="simultaneous", **drawing)
    band = fc.roc_curve_band(y, x, simultaneous=True, **drawing)
    (drawn,) = (part for part in ax.collections if part.get_gid() == "band 0")
    points = {tuple(point) for point in drawn.get_paths()[0].vertices.round(12).tolist()}
    wanted = np.column_stack((band.fpr, band.low)), np.column_stack((band.fpr, band.high))
    assert {tuple(point) for ends in wanted for point in ends.round(12).tolist()} <= points
    pointwise = plots.roc_curves(y, x, band="pointwise", groups=np.arange(y.size) // 2, **drawing)
    assert len(pointwise.collections) == 1
    ax = plots.precision_recall_curves(y, x, intervals=True, **drawing)
    low, high = fc.average_precision_interval(y, x, **drawing).confidence_interval()
    assert f"({low:.3f} to {high:.3f})" in legend_of(ax)[0]
    with pytest.raises(fc.InvalidValueError, match="`band`"):
        plots.roc_curves(y, x, band="delong")


@pytest.mark.slow
def test_displays_take_predictions_and_estimators():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] + rng.normal(size=80) > 0, "sick", "well")
    model = LogisticRegression().fit(X, y)
    for kind in (plots.RocCurveDisplay, plots.PrecisionRecallDisplay):
        shown = kind.from_estimator(model, X, y)
        well = kind.from_predictions(
            y, model.predict_proba(X)[:, 1], name="LogisticRegression", pos_label="well"
        )
        assert legend_of(shown.ax_) == legend_of(well.ax_)
        assert shown.figure_ is shown.ax_.figure
        for method in ("predict_proba", "decision_function"):
            sick = kind.from_estimator(
                [("one", model)], X, y, pos_label="sick", response_method=method
            )
            direct = kind.draw(y == "sick", {"one": model.predict_proba(X)[:, 0]})
            assert legend_of(sick.ax_) == legend_of(direct)
        axes = pyplot.subplots()[1]
        assert shown.plot(ax=axes).ax_ is axes
    with pytest.raises(fc.InvalidTypeError, match="Fit it first"):
        plots.RocCurveDisplay.from_estimator(LogisticRegression(), X, y)
    with pytest.raises(fc.InvalidValueError, match="`pos_label`"):
        plots.RocCurveDisplay.from_estimator(model, X, y, pos_label=1)
    with pytest.raises(fc.InvalidTypeError, match="decision_function"):
        plots.RocCurveDisplay.from_estimator(
            DummyClassifier().fit(X, y), X, y, response_method="decision_function"
        )


@pytest.mark.slow
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_pictures_stand_beside_each_other(layout):
    names = ["forest", "tree"]
    scores = dict(zip(names, SCORES.values(), strict=False))
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(7.0, 4.0), layout=layout)
    plots.roc_curves(DATA.y_true, scores, ax=left)
    plots.pvalue_matrix(fc.delong_pairwise_test(DATA.y_true, SCORES), ax=right)
    figure.canvas.draw()
    for ax in (left, right):
        legend = ax.get_legend().get_window_extent()
        assert legend.y1 <= ax.get_window_extent().y0
        assert legend.y0 >= 0
    assert left.get_legend().get_window_extent().x1 <= right.get_legend().get_window_extent().x0
