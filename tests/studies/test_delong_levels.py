"""The study behind docs/evidence/auc_levels.md: its data, and its shares of the tests."""

import math
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from studies import delong_levels as study

PAGE = Path(__file__).parents[2] / "docs" / "evidence/auc_levels.md"
FEW = study.Cell("unequal", 3, 30, 0.8)


def test_prevalences_are_those_of_the_grid():
    shares = [cell.m / cell.n for cell in study.CELLS]
    assert (min(shares), max(shares)) == (0.02, 0.5)
    assert {cell.n for cell in study.CELLS} == {30, 100, 200, 500}
    assert {cell.auc for cell in study.CELLS} >= {0.6, 0.8, 0.9, 0.99}
    assert min(cell.m for cell in study.CELLS) == 2


@pytest.mark.parametrize("curves", study.SPREADS)
@pytest.mark.parametrize("auc", [0.6, 0.97])
def test_both_models_have_the_auc_of_the_cell(curves, auc, requires_jit):
    labels, *scores = study.data_sets(
        study.Cell(curves, 100, 200, auc), np.random.default_rng(1), 400
    )
    found = fc.delong_batch(labels, *scores).auc
    noise = 5 * found.std(axis=0) / math.sqrt(400)
    assert (abs(found.mean(axis=0) - auc) < noise).all()
    ratio = scores[1][:, :100].std() / scores[0][:, :100].std()
    assert ratio == pytest.approx(study.SPREADS[curves], rel=0.02)


def test_shares_are_those_of_the_tests_themselves(requires_jit):
    found, trials = study.measure(FEW, trials=4), 4 * study.MORE
    labels, first, second = study.data_sets(FEW, np.random.default_rng([7, 3, 30, 800]), trials)
    pairs = list(zip(first, second, strict=True))
    for name, reference in (("DeLong, normal", "normal"), ("DeLong, t", "t")):
        options = {"reference": reference, "on_undefined": "ignore"}
        results = [fc.delong_test(labels, *pair, **options) for pair in pairs]
        p = np.array([result.pvalue for result in results])
        assert found[name] == [(p <= 0.05).mean(), (p <= 0.001).mean()]
    assert all(0 <= share <= 1 for shares in found.values() for share in shares)


def test_blocks_leave_no_data_set_out(monkeypatch):
    monkeypatch.setattr(study, "BLOCK", 70)
    p = study.delong(FEW, np.random.default_rng(1), 7, "normal")
    assert p.shape == (7,)


def test_the_page_holds_the_tables_of_the_study():
    found = [{test: [0.05, 0.001] for test in study.TESTS} for _ in study.CELLS]
    want = study.show(study.CELLS, found)
    assert "| unequal | 250 " in want
    assert "5.0 / 5.0" in want
    assert "1.0 / 1.0" in want
    page = PAGE.read_text().partition("<!-- studies.delong_levels -->\n")[2].partition("<!--")[0]
    assert labels_of(page) == labels_of(want)


def labels_of(tables):
    """The first two cells of each row, and the whole head."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in tables.split("\n")]
    rows = [row for row in rows if len(row) > 1 and not row[0].startswith("-")]
    return [row if row[0] == "curves" else row[:2] for row in rows]
