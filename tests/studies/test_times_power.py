"""The study of power behind docs/evidence/survival.md: its data, bootstrap and page."""

from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from studies import times_power as study

PAGE = (Path(__file__).parents[2] / "docs" / "evidence/survival.md").read_text()
TABLES = PAGE.partition("<!-- studies.times_power -->\n")[2].partition("\n<!-- end -->")[0]


def rows(number):
    """The cells of a table, a row a line."""
    lines = TABLES.split("\n\n")[number].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


def test_what_the_page_says_is_in_the_tables():
    levels, power = (
        [[float(cell) for cell in row if "," not in cell] for row in rows(i)] for i in (0, 1)
    )
    assert len(levels) == len(power) == len(study.STUDIES) // 2
    few = [row for row in levels if row[0] == 10]
    assert (min(row[3] for row in few), max(row[3] for row in few)) == (7.0, 10.7)
    assert (min(row[4] for row in few), max(row[4] for row in few)) == (9.7, 12.7)
    assert max(max(row[5:7]) for row in levels) == 6.8
    assert max(row[2] for row in levels) == 6.2
    assert max(row[7] for row in levels) == 6.5
    for events, ends in ((10, (4.7, 12.5)), (20, (4.1, 7.5))):
        gained = [row[-1] - row[2] for row in power if row[0] == events]
        assert (min(gained), max(gained)) == pytest.approx(ends)
    ranges = [max(row[2:]) - min(row[2:]) for row in power if row[0] >= 50]
    assert max(ranges) == pytest.approx(5.2)
    assert all(abs(cell - row[2]) < 9.0 for row in power for cell in row[5:7])
    more = [abs(cell - row[2]) for row in power if row[0] >= 20 for cell in row[5:7]]
    assert max(more) < 4.05


@pytest.mark.parametrize("gain", [0.0, 0.15])
def test_models_have_the_concordances_of_the_study(gain, requires_jit):
    cases = study.Study(20_000, 0.0, gain)
    time, event, a, b = study.data_set(cases, np.random.default_rng(0))
    found = fc.concordance(time, event, {"a": a, "b": b})
    np.testing.assert_allclose(found, [study.SECOND + gain, study.SECOND], atol=0.01)
    event = study.data_set(cases._replace(censored=0.6), np.random.default_rng(0))[1]
    assert 1.0 - event.mean() == pytest.approx(0.6, abs=0.02)


class Recorder:
    """A generator that keeps the numbers of cases that it drew."""

    def __init__(self):
        self.drawn = []

    def integers(self, n, *, size):
        self.drawn = np.random.default_rng(1).integers(n, size=size)
        return self.drawn


def test_replicates_are_differences_of_concordances():
    data = study.data_set(study.Study(10, 0.3, 0.2), np.random.default_rng(0))
    time, event, a, b = (column[np.argsort(data[0])] for column in data)
    recorder = Recorder()
    found = study.bootstrapped(*data, recorder)[:50]
    for own, rows in zip(found, recorder.drawn, strict=False):
        models = np.column_stack((a, b))[rows]
        first, second = fc.concordance(time[rows], event[rows], models)
        assert own == pytest.approx(first - second, abs=1e-6)
