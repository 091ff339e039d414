"""The study behind docs/times_levels.md: its data, and the numbers that the manual names."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from studies import times_levels as study

PAGE = (Path(__file__).parents[1] / "docs" / "times_levels.md").read_text()
TABLES = PAGE.partition("<!-- studies.times_levels -->")[2].partition("<!-- end -->")[0]


def rows(number):
    """The cells of a table, a row a line."""
    lines = TABLES.strip().split("\n\n")[number].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


def numbers(cell):
    """All numbers of a cell."""
    return [float(x) for x in re.findall(r"[\d.]+", cell)]


def test_the_page_has_a_row_for_each_cell():
    shaped = sum(len(events) for events in study.SHAPES.values()) * len(study.CENSORED)
    assert (len(rows(0)), len(rows(1))) == (shaped, shaped)
    limits = [cell for cell in study.CELLS if isinstance(cell, study.Limit)]
    assert [row[:2] for row in rows(2)] == [[str(c.n), f"{100 * c.censored:.1f}"] for c in limits]


def test_levels_that_the_manual_names_are_in_the_table():
    named = {"3": (23.5, 7.0), "5": (15.5, 6.8), "10": (8.8, 5.5)}
    for events, wanted in named.items():
        own = [row for row in rows(0) if row[:2] == ["continuous", events]]
        assert tuple(max(numbers(row[at])[1] for row in own) for at in (3, 4)) == wanted
    by_kind = [numbers(row[4]) for row in rows(0)]
    assert max(mean for mean, _ in by_kind) <= 4.9
    few = [row for row in rows(0) if row[1] == "20"]
    assert max(numbers(row[3])[1] for row in few if row[0] == "continuous") == 8.5
    rounded = [f"{x:.0f}" for pair in named.values() for x in pair]
    assert rounded == ["24", "7", "16", "7", "9", "6"]
    text = " ".join(fc.concordance_test.__doc__.split())
    assert "up to 24, 16 and 9%" in text
    assert "this up to 7, 7 and 6%" in text


def test_coverage_that_the_manual_names_is_in_the_table():
    assert min(min(numbers(row[3])) for row in rows(1)) == 93.5
    five = [numbers(row[4])[3] for row in rows(1) if row[:2] == ["continuous", "5"]]
    assert max(five) < 35.0
    assert "covers at least 93.5%" in fc.concordance_interval.__doc__


def test_harrells_c_errs_where_the_manual_says_so():
    last = rows(2)[-1]
    assert last == ["1000", "40.0", "60.2", "3.5"]
    assert max(float(row[3]) for row in rows(2)) <= 6.5
    assert "in 60% of samples of 1,000" in fc.concordance_test.__doc__


@pytest.mark.parametrize("value", study.VALUES)
@pytest.mark.parametrize("censored", [0.0, 0.5])
def test_cases_have_the_concordance_and_the_censoring_of_the_cell(value, censored):
    cell = study.Cell(50, censored, value)
    time, event, a, b = study.data_set(cell, np.random.default_rng(0), 20_000)
    assert 1.0 - event.mean() == pytest.approx(censored, abs=0.02)
    if not censored:
        found = fc.concordance(time, event, {"a": a, "b": b})
        np.testing.assert_allclose(found, value, atol=0.01)
    else:
        tau = study.tau_of(cell)
        uncensored = fc.concordance(time, event, a, method="uno", tau=tau)
        assert uncensored == pytest.approx(
            fc.concordance(time, event, b, method="uno", tau=tau), abs=0.03
        )


def test_models_with_different_limits_have_one_concordance_without_censoring():
    data = study.limited(study.Limit(20_000, 0.0), np.random.default_rng(0))
    a, b = fc.concordance(*data[:2], dict(zip("ab", data[2:], strict=True)))
    assert a == pytest.approx(b, abs=0.01)
    data = study.limited(study.Limit(20_000, 0.4), np.random.default_rng(0))
    assert 1.0 - data[1].mean() == pytest.approx(0.4, abs=0.02)
    result = fc.concordance_test(*data, **study.QUIET)
    assert result.statistic > 5.0
    assert abs(fc.concordance_test(*data, method="uno", **study.QUIET).statistic) < 4.0


@pytest.mark.slow
def test_a_cell_is_measured_by_the_public_functions(requires_jit):
    found = study.measure(study.Cell(5, 0.5, 0.75), trials=20)
    assert list(found) == [*study.TESTS, *study.INTERVALS]
    assert all(0.0 <= share <= 1.0 for share in found.values())
    assert math.isclose(found["score"], 1.0, abs_tol=0.2)
