"""The study of mean scores per item: its draws are what it says, its t is the tests'."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from studies import item_levels as study
from studies.tables import DOCS


def test_every_cell_of_the_tables_is_measured():
    found = [study.Level(0.123, 9.0)] * len(study.CELLS)
    text = study.show(study.CELLS, found)
    assert text.count("12.3") == len(study.CELLS)
    page = (DOCS / "evidence/items.md").read_text()
    for line in text.splitlines():
        assert line.startswith("| ") or line in page


@pytest.mark.parametrize("kind", ["continuous", "right or wrong", "differences"])
def test_sums_vary_as_the_correlation_says(kind):
    sizes, p = np.array([4, 10, 25]), study.RIGHT
    of_item = {"continuous": 1.0, "right or wrong": p * (1 - p), "differences": study.DISCORDANT}
    for icc in study.ICC:
        sums = study.KINDS[kind](sizes, icc, 20_000, np.random.default_rng(0))
        assert_allclose(sums.mean(axis=0), 0.0, atol=0.35)
        want = of_item[kind] * sizes * (1.0 + icc * (sizes - 1.0))
        assert_allclose(sums.var(axis=0), want, rtol=0.06)


@pytest.mark.parametrize("sizes", study.SIZES)
def test_misses_are_those_of_the_public_functions(sizes):
    rng = np.random.default_rng(1)
    for cell in (study.Cell("continuous", 8, 6, sizes, 0.2), study.Cell("accuracy", 8, 6, sizes)):
        held = study.sizes_of(cell, rng)
        assert abs(held.sum() - 48) <= 8
        groups = np.repeat(np.arange(8), held)
        scores = rng.normal(0.4, 1, groups.size)
        if cell.kind == "accuracy":
            scores = (scores > -0.5).astype(float)
        sums = np.bincount(groups, scores)[None]
        quiet = {"groups": groups, "on_undefined": "ignore"}
        t = fc.paired_mean_test(scores, method="t", **quiet)
        mean, error = study.means_of(sums, held)
        assert_allclose((mean[0], error[0]), (t.estimate, t.standard_error), rtol=1e-9)
        assert study.misses(sums, held, t.df)[0] == (t.pvalue < 0.05)
        if cell.kind == "accuracy":
            found = fc.accuracy_interval(np.ones(groups.size), scores, **quiet)
            low, high = found.confidence_interval()
            missed = study.wilson_misses(sums - study.RIGHT * held, held, t.df)[0]
            assert missed == (not low <= study.RIGHT <= high)


def test_levels_are_shares():
    for cell in (study.Cell("continuous", 5, 3, "log-normal", 0.5), study.CELLS[0]):
        found = study.level(cell, trials=400)
        assert 0.01 < found.share < 0.12
        assert found.df < cell.count
