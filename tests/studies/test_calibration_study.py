"""The simulation behind docs/evidence/probabilities.md: its truths are those of its cases."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

import fastcompare as fc
from studies import calibration_coverage as study

CELL = study.Cell("net benefit", 0.1, "overconfident", 100, 0.1)


@pytest.mark.slow
def test_truths_are_means_over_many_labels():
    rng = np.random.default_rng(1)
    x, y = study.cases(CELL, rng, 400_000)
    p = study.probabilities(x, 0.1, 2.0)
    near = 4 / math.sqrt(x.size)
    assert_allclose(study.expected_benefit(CELL, x, p), study.gains(CELL, y, p).mean(), atol=near)
    for rule in ("brier", "log"):
        losses = study.case_losses(rule, y, p)
        want = study.expected_loss(rule, x, p)
        assert_allclose(losses.mean(), want, atol=4 * losses.std() / math.sqrt(x.size))
    edges = np.arange(1, 10) / 10
    found = fc.calibration_error(y, p, rng=0, n_resamples=9)
    assert_allclose(study.Population.of(x, p).error(edges), found.estimate, atol=0.003)
    assert_allclose(study.Population.of(x, expit(x)).error(edges), 0.0, atol=1e-12)


@pytest.mark.parametrize("rule", ["brier", "log"])
def test_opposite_models_have_equal_losses(rule):
    slope = study.equal_slope(rule, CELL, 0.4)
    x, _ = study.cases(CELL, np.random.default_rng(0), study.MANY // 10)
    timid, bold = (
        study.expected_loss(rule, x, study.probabilities(x, 0.1, s)) for s in (0.4, slope)
    )
    assert slope > 1.0
    assert_allclose(timid, bold, rtol=1e-6)


@pytest.mark.slow
def test_every_row_is_measured_and_shown(requires_jit):
    cells = [cell for cell in study.all_cells() if cell.n == 50 and cell.prevalence == 0.5]
    assert {cell.what for cell in cells} == set(study.MEASURES)
    found = [study.measure(cell, trials=2) for cell in cells]
    assert all(((shares >= 0.0) & (shares <= 1.0)).all() for shares in found)
    every = study.all_cells()
    table = study.show(every, [(1.0, 0.5)] * len(every))
    assert table.count("\n") == len(every) / len(study.SIZES) + 1
    assert "100.0 / 50.0" in table
