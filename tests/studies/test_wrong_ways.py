"""The study of wrong ways: what it draws and counts, and that the manual has its table."""

import re
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from studies import wrong_ways as study

PAGE = (Path(__file__).parents[2] / "docs" / "concepts/wrong.md").read_text("utf-8")


def test_the_table_of_the_manual_has_every_way_and_calls_what_exists():
    found = [(0.05, 0.05)] * len(study.WAYS)
    head, _, *rows = study.show(range(len(found)), found).splitlines()
    table = re.search("<!-- studies.wrong_ways -->\n(.*?)\n<!-- end -->", PAGE, re.S)[1]
    named = [line.split("|")[1:3] for line in table.splitlines()]
    assert [row.split("|")[1:3] for row in (head, *rows)] == [named[0], *named[2:]]
    assert all(way.instead.partition("(")[0] in fc.__all__ for way in study.WAYS)


def test_checkpoints_are_as_good_as_the_baseline_and_alike():
    rng = np.random.default_rng(0)
    right = np.concatenate([np.vstack(study.draw_checkpoints(rng, 0.0)) for _ in range(20)])
    assert np.abs(right.mean(axis=0) - 0.8).max() < 0.015
    correlation = np.corrcoef(right.T)
    assert correlation[1, 2] > correlation[0, 1] + 0.05


def test_scores_of_folds_drift_where_they_are_said_to():
    y, scores, tested = study.pooled(100, 1.0)(np.random.default_rng(3), 0.0)
    assert tested.sum(axis=0).tolist() == [1] * 100
    assert y.sum() == 50
    spread = [scores[rows].mean(axis=0) for rows in tested]
    assert np.std(spread, axis=0)[1] > 2.0 * np.std(spread, axis=0)[0]


def test_looks_at_intervals_say_what_they_see():
    scores = np.random.default_rng(0).normal(size=(100, 2))
    assert study.apart(scores) == 1.0
    assert study.apart(scores + np.array([1.0, 0.0])) == 0.0
    assert study.outside(scores[:, 0], scores[:, 0]) == 1.0
    assert study.outside(scores[:, 0] + 0.5, scores[:, 0]) == 0.0


@pytest.mark.slow
@pytest.mark.parametrize("cell", [3, 7])
def test_rates_are_those_of_the_right_and_wrong_way(cell, requires_jit):
    wrong, right, *power = study.measure(cell, 40)
    assert right <= 0.15
    assert wrong <= 0.05 if power else wrong >= 0.05
    assert not power or power[0] < power[1]
