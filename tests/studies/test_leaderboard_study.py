"""The study of leaderboards' errors: what it draws, counts and prints."""

import re
from pathlib import Path

import numpy as np

import fastcompare as fc
from studies import answer_intervals as answers
from studies import leaderboard_errors as study

DOCS = Path(__file__).parents[2] / "docs"


def test_means_are_those_that_the_study_says():
    cell = study.Cell(6, 4000, "equal", "normal", "apart")
    scores, groups, means = study.drawn(cell, np.random.default_rng(0))
    assert np.unique(means).size == 2
    assert means[0] == means[2] < means[3]
    assert np.abs(scores.mean(axis=0) - means).max() < 0.05
    assert groups.size == 8 * 4000


def test_a_sure_leaderboard_is_right_and_a_wrong_order_is_seen(monkeypatch):
    cell = study.Cell(5, 50, "equal", "normal", "apart")
    for correction in ("auto", "max-t"):
        wrong, missed, right = study.judged(cell, np.random.default_rng(0), correction)
        assert (wrong, missed) == (False, False)
        assert 0.5 < right <= 1.0
    scores, groups, means = study.drawn(cell, np.random.default_rng(0))
    monkeypatch.setattr(study, "drawn", lambda *_: (scores, groups, -means))
    assert study.judged(cell, np.random.default_rng(0), "auto")[:2] == (True, True)


def test_the_table_of_the_manual_has_every_cell():
    found = [(study.Found(0.05, 0.04, 0.5, 10), None)] * len(study.CELLS)
    head, _, *rows = study.show(study.CELLS, found).splitlines()
    page = (DOCS / "evidence/leaderboards.md").read_text()
    table = re.search("<!-- studies.leaderboard_errors -->\n(.*?)<!-- end -->", page, re.S)[1]
    assert len(rows) == len(study.CELLS)
    assert head in table
    assert table.strip().count("\n") == len(rows) + 1


def test_intervals_of_the_study_are_those_of_leaderboards():
    cell = answers.Cell(50, 10, 0.9)
    rng = np.random.default_rng([17, answers.CELLS.index(cell)])
    sizes = np.full(10, 5)
    right = rng.binomial(sizes, answers.shares_of(0.9, answers.ICC, (40, 10), rng))
    table = np.concatenate([np.arange(5)[:, None] < row for row in right.T]).astype(float)
    board = fc.leaderboard(table, groups=np.repeat(np.arange(10), 5), on_undefined="ignore")
    low, high = board.confidence_interval()
    found = answers.level(cell, trials=40)
    assert found.wilson == np.mean(~((low <= 0.9) & (high >= 0.9)))
    assert (found.student, found.beyond) > (found.wilson, 0.5)
    page = (DOCS / "evidence/leaderboards.md").read_text()
    assert answers.show(answers.CELLS, [found] * len(answers.CELLS)).splitlines()[0] in page
