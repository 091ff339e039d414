"""Calibration, decision curves, mosaics and posteriors show the numbers of their results."""

import functools

import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.patches import Rectangle
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare import plots
from fastcompare.plots._posterior import PARTS, sign_shares, signed_rank_shares, student_density
from tests.shared.pictures import closed_figures, is_legible  # noqa: F401

DATA = fc.load_predictions()
NAMES = [f"the-name-of-model-{j}-has-$forty_three$-characters"[:43] for j in range(2)]
MODELS = dict(zip(NAMES, (DATA.scores["naive_bayes"], DATA.scores["random_forest"]), strict=True))
CUTS = np.linspace(0.05, 0.8, 16)
ROUNDS = np.random.default_rng(0).normal([0.81, 0.8], 0.02, (12, 2)).T
NAMED = dict(zip(NAMES, ROUNDS, strict=True))
DIFFERENCES = np.random.default_rng(1).normal(0.01, 0.02, 20)


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


@functools.cache
def net_benefits():
    """The test of net benefits that is drawn."""
    return fc.net_benefit_test(DATA.y_true, MODELS, thresholds=CUTS)


DRAWN = {
    "calibration": lambda ax: plots.calibration_curves(DATA.y_true, MODELS, ax=ax),
    "decision": lambda ax: plots.decision_curves(net_benefits(), ax=ax),
    "difference": lambda ax: plots.decision_curves(net_benefits(), of="difference", ax=ax),
    "mosaic": lambda ax: plots.mosaic(
        fc.mcnemar_test(DATA.y_true, {name: p > 0.5 for name, p in MODELS.items()}), ax=ax
    ),
    "density": lambda ax: fc.bayes_correlated_ttest(NAMED, n_train=90, n_test=10).plot(ax),
    "cloud": lambda ax: fc.bayes_sign(NAMED).plot(ax),
}


@pytest.mark.slow
@pytest.mark.parametrize("size", [None, (3.4, 3.6), (7.0, 3.6)])
@pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)
def test_texts_fit_a_column_and_a_page(draw, size):
    ax = None if size is None else pyplot.subplots(figsize=size)[1]
    is_legible(draw(ax))


def test_bins_are_rates_with_wilson_intervals():
    y, p = DATA.y_true, DATA.scores["naive_bayes"]
    found = fc.brier_decomposition(y, p, n_bins=10)
    error = fc.calibration_error(y, p, n_bins=10, n_resamples=99, rng=0)
    for ax in (found.plot(), error.plot(), plots.calibration_curves(y, p)):
        curve = ax.lines[1]
        assert_allclose(curve.get_xdata(), found.mean_probability)
        assert_allclose(curve.get_ydata(), found.observed_rate)
        (bars,) = (part for part in ax.collections if part.get_gid() == "interval 0")
        for segment, rate, n in zip(
            bars.get_segments(), found.observed_rate, found.counts, strict=True
        ):
            one = fc.accuracy_interval(correct=round(rate * n), n=int(n))
            assert_allclose(segment[:, 1], one.confidence_interval(), atol=1e-12)
        assert legend_of(ax) == [f"{error.estimate:.3f}"]
    shown = plots.CalibrationDisplay.from_predictions(y, p, name="bayes", bins="quantile")
    assert legend_of(shown.ax_)[0].startswith("bayes")
    with pytest.raises(fc.InvalidTypeError, match="brier_decomposition"):
        plots.reliability(fc.roc_auc_interval(y, p))
    with pytest.raises(fc.InvalidValueError, match="from 0 to 1"):
        plots.calibration_curves(y, p + 1)


def test_decision_curves_are_net_benefits():
    y = DATA.y_true
    single = {name: fc.net_benefit(y, p, CUTS) for name, p in MODELS.items()}
    ax = plots.decision_curves(single)
    every = next(iter(single.values())).treat_all
    wanted = [*(one.estimate for one in single.values()), every, np.zeros(CUTS.size)]
    for line, values in zip(ax.lines, wanted, strict=True):
        assert_allclose(line.get_ydata(), values, atol=1e-12)
    assert legend_of(ax) == [*NAMES, "treat all", "treat none"]
    for line, values in zip(net_benefits().plot().lines, wanted, strict=True):
        assert_allclose(line.get_ydata(), values, atol=1e-12)
    assert_allclose(
        net_benefits().plot(of="difference").lines[0].get_ydata(), net_benefits().estimate
    )
    with pytest.raises(fc.InvalidTypeError, match="net_benefit_test"):
        plots.decision_curves(single, of="difference")


@pytest.mark.slow
def test_areas_of_a_mosaic_are_shares():
    result = fc.mcnemar_test([[30, 6], [4, 10]])
    for drawn in (result.plot(), plots.mosaic(result)):
        tiles = [tile for tile in drawn.patches if isinstance(tile, Rectangle)]
        areas = [tile.get_width() * tile.get_height() for tile in tiles]
        assert_allclose(areas, np.array([30, 6, 4, 10]) / 50)
        assert [text.get_text() for text in drawn.texts] == ["30", "6", "4", "10"]
    empty = plots.mosaic(fc.mcnemar_test([[5, 0], [0, 0]], on_undefined="ignore"))
    assert len(empty.patches) == 1
    with pytest.raises(fc.InvalidTypeError, match="mcnemar_test"):
        plots.mosaic(fc.bayes_sign(DIFFERENCES))


@pytest.mark.parametrize("higher", [True, False])
def test_the_area_of_each_part_of_a_density_is_its_probability(higher):
    found = fc.bayes_correlated_ttest(*ROUNDS, n_train=90, n_test=10, higher_is_better=higher)
    ax = found.plot()
    chances = [found.probability_a, found.probability_rope, found.probability_b]
    order = [2, 1, 0] if higher else [0, 1, 2]
    for part, outcome in zip(ax.collections, order, strict=True):
        x, y = part.get_paths()[0].vertices.T
        area = abs(0.5 * np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
        assert_allclose(area, chances[outcome], atol=2e-3)
        assert part.get_hatch() == PARTS[outcome].get("hatch")
    assert_allclose(student_density(np.array([0.0]), 1), 1 / np.pi)


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("sign", [1, -1])
def test_clouds_are_draws_from_the_posterior(higher, sign, requires_jit):
    d = sign * DIFFERENCES
    for test, shares in ((fc.bayes_sign, sign_shares), (fc.bayes_signed_rank, signed_rank_shares)):
        seeded = {"rng": 0} if test is fc.bayes_signed_rank else {}
        found = test(d, higher_is_better=higher, **seeded)
        drawn = shares(found)
        assert_allclose(drawn.sum(axis=1), 1.0)
        chances = [found.probability_a, found.probability_rope, found.probability_b]
        largest = np.bincount(drawn.argmax(axis=1), minlength=3) / len(drawn)
        assert_allclose(largest, chances, atol=5 * 0.5 / np.sqrt(len(drawn)))
    ax = found.plot()
    points = [line for line in ax.lines if str(line.get_gid()).startswith("draws")]
    assert sum(len(line.get_xdata()) for line in points) == len(drawn)
