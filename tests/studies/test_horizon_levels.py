"""The table of levels at a horizon, and what the manual says of it."""

from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from studies import horizon_levels as study

PAGE = (Path(__file__).parents[2] / "docs" / "evidence/survival_horizons.md").read_text()


def rows():
    """The cells of the table, a row a cell of the study."""
    table = PAGE.partition("<!-- studies.horizon_levels -->")[2].partition("<!-- end -->")[0]
    lines = table.strip().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


def test_the_page_has_a_row_for_each_cell():
    assert len(rows()) == len(study.CELLS)


def test_what_is_said_of_levels_is_in_the_table():
    tests = [[float(x) for x in row[4].split(" / ")] for row in rows()]
    auto, published = np.transpose(tests)
    assert (auto.max(), published.max()) == (6.1, 15.1)
    losses = [float(row[5].split(" / ")[0]) for row in rows()]
    assert max(losses) == 6.5
    covered = [float(row[6]) for row in rows()]
    assert 94.8 < min(covered) <= max(covered) <= 100.0
    assert min(float(row[8]) for row in rows()) > 94.5
    low = [float(row[7]) for row in rows() if float(row[7]) < 93.0]
    assert len(low) == 4
    assert min(low) == 90.0
    text = " ".join(PAGE.split())
    assert "rejects up to 15%" in text
    assert "they cover 90 to 93% in four cells" in text
    assert "tests reject up to 6.1%" in " ".join(fc.auc_at_test.__doc__.split())


@pytest.mark.slow
def test_a_cell_is_measured_with_the_public_functions():
    found = study.levels(study.CELLS[4], trials=20)
    assert len(found) == 9
    assert 5 < found[0] < 25
    assert all(0.0 <= share <= 1.0 for share in found[2:])
