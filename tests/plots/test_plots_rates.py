"""Pictures of simulations show the rates, their intervals and the level, and nothing is cut off."""

import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare import simulate
from fastcompare.simulate.power import PowerResult
from fastcompare.simulate.rates import ErrorRatesResult
from tests.shared.pictures import is_legible

plots = pytest.importorskip("fastcompare.plots")
pyplot = pytest.importorskip("matplotlib.pyplot")
NAMES = ("$delong_test$", "a rather long name of a test", "x")


@pytest.fixture(autouse=True)
def no_figures_are_left():
    yield
    pyplot.close("all")


def rates_of(n_rejected, **changes):
    counts = np.array(n_rejected)
    fields = {
        "tests": NAMES[: counts.size],
        "rate": counts / 1000,
        "n_rejected": counts,
        "n_undefined": np.zeros(counts.size, int),
        "n_trials": 1000,
        "alpha": 0.05,
        "effect": 0.0,
        "design": "one",
        "seed": 0,
    }
    return ErrorRatesResult(**fields | changes)


def power_of(n_rejected, effects=(0.0,), sizes=(100,), names=NAMES):
    counts = np.array(n_rejected)
    return PowerResult(
        tests=names,
        effects=np.array(effects, float),
        sizes=np.array(sizes),
        rate=counts / 1000,
        n_rejected=counts,
        n_undefined=np.zeros(counts.shape, int),
        n_trials=1000,
        alpha=0.05,
        design="one",
        seed=0,
    )


def assert_nothing_is_cut(ax):
    figure = ax.figure
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    box = ax.get_tightbbox(renderer)
    width, height = figure.canvas.get_width_height()
    assert box.x0 >= 0
    assert box.y0 >= 0
    assert box.x1 <= width
    assert box.y1 <= height


def test_bars_are_rates_and_whiskers_their_intervals():
    result = rates_of([52, 610, 0])
    ax = plots.error_rates(result, scale="linear")
    assert_allclose([bar.get_width() for bar in ax.patches], result.rate)
    whiskers = np.array([line[:, 0] for line in ax.collections[0].get_segments()])
    assert_allclose(whiskers.T, result.confidence_interval())
    assert_allclose(ax.lines[0].get_xdata(), 0.05)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(NAMES)
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first on top
    assert ax.get_xlabel() == "Type I error"
    assert_nothing_is_cut(ax)


def test_a_logarithmic_axis_shows_five_percent_beside_sixty():
    result = rates_of([52, 610, 0])
    ax = plots.error_rates(result)
    assert ax.get_xscale() == "log"
    assert_allclose(ax.lines[0].get_xdata()[:2], result.rate[:2])
    assert ax.lines[0].get_xdata()[2] == ax.get_xlim()[0]
    low, high = result.confidence_interval()
    whiskers = np.array([line[:, 0] for line in ax.collections[0].get_segments()])
    assert_allclose(whiskers[:, 1], high)
    assert_allclose(whiskers[:2, 0], low[:2])
    shown = [tick.get_text() for tick in ax.get_xticklabels()]
    assert {"5%", "50%"} <= set(shown)
    assert_nothing_is_cut(ax)
    assert plots.error_rates(rates_of([52, 70, 40])).get_xscale() == "linear"
    with pytest.raises(fc.InvalidValueError, match="`scale`"):
        plots.error_rates(result, scale="broken")


@pytest.mark.slow
@pytest.mark.parametrize("width", [3.4, 7.0])
@pytest.mark.parametrize("counts", [(52, 610, 0), (52, 48, 60)])
def test_long_names_fit_a_column_and_a_page(width, counts):
    names = tuple(f"the-name-of-test-{j}-has-$forty_three$-characters"[:43] for j in range(3))
    ax = plots.error_rates(
        rates_of(counts, tests=names), ax=pyplot.subplots(figsize=(width, 2.6))[1]
    )
    is_legible(ax)
    assert set(names) <= {text.get_text() for text in ax.texts}
    power = power_of([[50, 100], [40, 500], [0, 0]], effects=(0, 1), names=names)
    is_legible(plots.power_curves(power, ax=pyplot.subplots(figsize=(width, 3.2))[1]))


def test_with_an_effect_the_bars_are_power():
    assert result_label(rates_of([900], effect=0.1)) == "Power"


def result_label(result):
    return result.plot(confidence_level=0.9).get_xlabel()


@pytest.mark.parametrize(
    ("varied", "label"), [("effects", "Effect"), ("sizes", "Sample size")], ids=["effect", "size"]
)
def test_a_curve_a_test_by_what_varies(varied, label):
    x = (10, 20, 30)
    result = power_of([[50, 100, 300], [40, 500, 990], [0, 0, 1000]], **{varied: x})
    ax = result.plot()
    for line, rates, name in zip(ax.lines, result.rate, NAMES, strict=False):
        assert_allclose(line.get_xdata(), x)
        assert_allclose(line.get_ydata(), rates)
        assert line.get_label() == name
    assert ax.get_xlabel() == label
    assert_nothing_is_cut(ax)


def test_curves_of_many_tests_can_be_told_apart():
    names = tuple(f"test {j}" for j in range(28))
    ax = plots.power_curves(power_of(np.full((28, 2), 500), effects=(0, 1), names=names))
    styles = {(line.get_linestyle(), line.get_marker()) for line in ax.lines[:28]}
    assert len(styles) == 28


def test_given_axes_are_filled():
    _, (left, right) = pyplot.subplots(1, 2)
    assert plots.error_rates(rates_of([10, 20]), ax=left) is left
    assert plots.power_curves(power_of([[1, 2]] * 3, effects=(0, 1)), ax=right) is right


def test_a_simulation_is_drawn():
    design = simulate.DietterichClassifiers(n=60)
    result = fc.simulate_error_rates(["mcnemar_midp", "ttest_5x2cv"], design, n_trials=50, rng=0)
    assert len(result.plot(scale="linear").patches) == 2


@pytest.mark.parametrize("draw", [plots.error_rates, plots.power_curves])
def test_other_results_are_refused(draw):
    with pytest.raises(fc.InvalidTypeError, match="`result`"):
        draw(fc.nemenyi_test(np.arange(12).reshape(4, 3)))


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install 'fastcompare\[plot\]'"):
        plots.error_rates(rates_of([1]))
