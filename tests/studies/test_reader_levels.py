"""The study of reader studies' levels: its ratings, its tests, and what the page says of them."""

import math
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from studies import reader_levels as study
from studies.roe_metz import STRUCTURES, Design, ratings, truth_of

PAGE = Path(__file__).parents[2] / "docs" / "evidence/readers.md"


def page_rows():
    """The rows of the page's table: readers, cases, AUC, and a cell for each claim."""
    table = PAGE.read_text("utf-8").partition("<!-- studies.reader_levels -->")[2]
    lines = table.partition("<!-- end -->")[0].strip().split("\n")
    return [[cell.strip() for cell in line.strip(" |").split("|")] for line in lines]


def shares(cell):
    """The mean, the largest share, and the mean without results that are warned of."""
    mean, most, sound = cell.replace("(", "").replace(")", "").replace("/", "").split()
    return float(mean), float(most), float(sound)


@pytest.mark.parametrize("fixed", ["", "readers", "cases"])
@pytest.mark.parametrize("structure", STRUCTURES)
def test_readers_have_the_auc_of_the_design_on_average(structure, fixed, requires_jit):
    design = Design(40, (150, 150), 0.85, STRUCTURES[structure], fixed=fixed)
    rng, truth = np.random.default_rng(2), truth_of(design)
    means = [
        fc.reader_study(ratings(design, rng), truth=truth, on_undefined="ignore").values
        for _ in range(8)
    ]
    noise = 5 * np.std(means, axis=0).max() / math.sqrt(8)
    assert (abs(np.mean(means, axis=0) - 0.85) < noise).all()


def test_treatments_differ_for_no_reader_where_readers_are_fixed():
    design = Design(3, (4000, 4000), 0.85, STRUCTURES["high, high"], fixed="readers")
    scores, truth = ratings(design, np.random.default_rng(0)), truth_of(design)
    found = fc.reader_study(scores, truth=truth, on_undefined="ignore")
    assert np.ptp(found.figures, axis=0).max() < 0.04
    assert np.ptp(found.figures, axis=1).max() > 0.04


@pytest.mark.slow
def test_shares_are_those_of_the_tests_themselves():
    cell = study.Cell(3, (25, 25), 0.85)
    found = study.measure(cell, trials=6)
    assert set(found) == set(study.CLAIMS)
    design = Design(3, (25, 25), 0.85, next(iter(STRUCTURES.values())))
    rng, rejected = np.random.default_rng([3, 25, 25, 85, 0]), 0
    for _ in range(6):
        scores = ratings(design, rng)
        result = fc.reader_study_test(scores, truth=truth_of(design), on_undefined="ignore")
        rejected += result.pvalue <= 0.05
    assert found["readers and cases"][0, 0] == rejected / 6


def test_the_page_holds_the_table_of_the_study():
    found = [{name: np.array([[0.05, 0.04]] * 4) for name in study.CLAIMS} for _ in study.CELLS]
    wanted = study.show(study.CELLS, found).split("\n")
    rows = [[cell.strip() for cell in line.strip(" |").split("|")] for line in wanted]
    told = page_rows()
    assert told[0] == rows[0]
    assert [row[:3] for row in told[2:]] == [row[:3] for row in rows[2:]]
    assert "5.0 (5.0) / 4.0" in wanted[2]


def test_what_the_page_says_of_the_levels_is_in_its_table():
    head, _, *rows = page_rows()
    cells = [dict(zip(head, row, strict=True)) for row in rows]
    enough = [cell for cell in cells if cell["cases"] != "5 + 95"]
    usual = [shares(cell["readers and cases"])[0] for cell in enough if "90" not in cell["cases"]]
    assert min(usual) >= 3.0
    assert max(usual) < 8.0
    few = [shares(cell["readers and cases"]) for cell in cells if cell["cases"] == "5 + 95"]
    assert max(mean for mean, _, _ in few) == 10.0
    assert all(sound == 0.0 for _, _, sound in few)
    fixed = [shares(cell["these readers"])[0] for cell in enough]
    assert min(fixed) >= 3.0
    assert max(fixed) < 8.0
    assert max(shares(cell["these cases"])[0] for cell in cells) < 6.5
    at = {(cell["readers"], cell["cases"], cell["AUC"]): cell for cell in cells}
    wrong = at["3", "50 + 50", "0.85"], at["10", "50 + 50", "0.85"]
    assert shares(wrong[0]["readers taken as fixed"])[0] == fc.advice.WRONG["readers"].rate
    assert shares(wrong[1]["cases taken as fixed"])[0] == fc.advice.WRONG["seeds"].rate
