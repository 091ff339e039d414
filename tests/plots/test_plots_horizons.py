"""Curves by horizon show the numbers and intervals of their results."""

import functools

import numpy as np
import pytest
from matplotlib import pyplot
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare import plots
from tests.shared.pictures import closed_figures, is_legible  # noqa: F401
from tests.survival.test_horizons import drawn

TIME, EVENT, A, B, P, Q = drawn(150)
NAMES = ("a-name-of-a-model-with-$forty_three$-chars", "another_one")
TIMES = [0.9, 0.3, 0.6]  # in no order
ORDER = np.argsort(TIMES)


@functools.cache
def at_horizons():
    """The test at several horizons that is drawn."""
    return fc.auc_at_test(TIME, EVENT, dict(zip(NAMES, (A, B), strict=True)), horizon=TIMES)


def bands_of(ax):
    """The lower and the upper ends of all bands, as they are drawn."""
    found = []
    for j in range(len(ax.collections)):
        (band,) = (part for part in ax.collections if part.get_gid() == f"band {j}")
        points = band.get_paths()[0].vertices
        at = [points[points[:, 0] == t, 1] for t in np.sort(TIMES)]
        found.append(([ys.min() for ys in at], [ys.max() for ys in at]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("size", [None, (3.4, 3.6), (7.0, 3.6)])
@pytest.mark.parametrize("of", ["models", "difference"])
def test_texts_fit_a_column_and_a_page(of, size):
    ax = None if size is None else pyplot.subplots(figsize=size)[1]
    is_legible(at_horizons().plot(ax, of=of))


@pytest.mark.parametrize("together", [False, True])
def test_curves_of_a_test_are_those_of_its_models(together):
    ax = at_horizons().plot(simultaneous=together)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(NAMES)
    for line, band, score in zip(ax.lines, bands_of(ax), (A, B), strict=True):
        one = fc.auc_at_interval(TIME, EVENT, score, horizon=TIMES)
        assert_allclose(line.get_xdata(), np.sort(TIMES))
        assert_allclose(line.get_ydata(), one.estimate[ORDER])
        ends = one.confidence_interval(simultaneous=together)
        assert_allclose(band, [end[ORDER] for end in ends], rtol=1e-12)


def test_differences_have_the_intervals_of_the_test():
    ax = plots.horizon_curves(at_horizons(), of="difference", confidence_level=0.9)
    assert_allclose(ax.lines[0].get_ydata(), at_horizons().estimate[ORDER])
    assert_allclose(bands_of(ax)[0], [end[ORDER] for end in at_horizons().confidence_interval(0.9)])
    assert ax.lines[1].get_gid() == "null"
    assert ax.get_ylabel() == "Difference in AUC"


def test_single_models_by_name_and_brier_scores():
    both = {
        name: fc.survival_brier_interval(TIME, EVENT, p[:, None] * [0.9, 0.5, 0.8], horizon=TIMES)
        for name, p in zip("pq", (P, Q), strict=True)
    }
    ax = plots.horizon_curves(both)
    assert ax.get_ylabel() == "Brier score"
    for line, one in zip(ax.lines, both.values(), strict=True):
        assert_allclose(line.get_ydata(), one.estimate[ORDER])
    assert len(both["p"].plot().lines) == 1


def test_other_results_are_refused():
    with pytest.raises(fc.InvalidTypeError, match="several horizons"):
        plots.horizon_curves(fc.auc_at_interval(TIME, EVENT, A, horizon=0.6))
    single = fc.auc_at_interval(TIME, EVENT, A, horizon=TIMES)
    with pytest.raises(fc.InvalidTypeError, match="auc_at_test"):
        plots.horizon_curves(single, of="difference")


def test_undefined_horizons_are_gaps():
    found = fc.auc_at_interval(TIME, EVENT, A, horizon=[0.5, 99.0], on_undefined="ignore")
    ax = found.plot()
    assert np.isnan(ax.lines[0].get_ydata()[1])
    ax.figure.canvas.draw()
