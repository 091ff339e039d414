"""The table of levels at a horizon, and what the manual says of it."""

import re
from pathlib import Path

import numpy as np
import pytest

from studies import horizon_levels as study

PAGE = (Path(__file__).parents[1] / "docs" / "times_horizons.md").read_text()


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
    assert (auto.min(), auto.max(), published.max()) == (3.5, 5.6, 13.0)
    losses = [float(row[5].split(" / ")[0]) for row in rows()]
    assert max(losses) < 6.0
    covered = [float(row[6]) for row in rows()]
    assert 92.5 < min(covered) < max(covered) < 97.5
    assert min(float(row[7]) for row in rows()) > 91.5
    assert re.search("93 to 97%", PAGE)


@pytest.mark.slow
def test_a_cell_is_measured_with_the_public_functions():
    found = study.levels(study.CELLS[3], trials=20)
    assert len(found) == 9
    assert 5 < found[0] < 25
    assert all(0.0 <= share <= 1.0 for share in found[2:])
