"""The study behind docs/evidence/survival.md: its data, and the numbers that the manual names."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from studies import times_coverage as coverage
from studies import times_levels as study

PAGE = (Path(__file__).parents[2] / "docs" / "evidence/survival.md").read_text()


def rows(number, name="times_levels"):
    """The cells of a table, a row a line."""
    tables = PAGE.partition(f"<!-- studies.{name} -->")[2].partition("<!-- end -->")[0]
    lines = tables.strip().split("\n\n")[number].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]


def numbers(cell):
    """All numbers of a cell."""
    return [float(x) for x in re.findall(r"[\d.]+", cell)]


def test_the_page_has_a_row_for_each_cell():
    wanted = [[shape, str(events), f"{100 * share:.1f}"] for shape, events, share in study.ROWS]
    assert [row[:3] for row in rows(0)] == wanted
    assert [row[:3] for row in rows(0, "times_coverage")] == wanted
    limits = [cell for cell in study.CELLS if isinstance(cell, study.Limit)]
    assert [row[:2] for row in rows(1)] == [[str(c.n), f"{100 * c.censored:.1f}"] for c in limits]


def test_levels_that_the_manual_names_are_in_the_table():
    named = {"3": (21.5, 4.8), "5": (22.2, 5.5), "10": (15.5, 6.2)}
    for events, wanted in named.items():
        own = [row for row in rows(0) if row[:2] == ["continuous", events]]
        assert tuple(max(numbers(row[at])[1] for row in own) for at in (3, 4)) == wanted
    by_kind = {tuple(row[:3]): numbers(row[4]) for row in rows(0)}
    assert max(mean for mean, _ in by_kind.values()) <= 5.4
    assert max(most for key, (_, most) in by_kind.items() if "clusters" in key[0]) == 8.8
    assert max(most for key, (_, most) in by_kind.items() if key[0] == "weights") == 8.0
    assert max(numbers(row[6])[1] for row in rows(0) if "." in row[6]) == 8.5
    rest = [row for row in rows(0) if row[0] not in ("continuous", "ties") and row[1] != "20"]
    each = [numbers(cell) for row in rest for cell in (row[4], row[6]) if "." in cell]
    assert max(most for _, most in each) == 7.5
    assert 2.0 < min(mean for mean, _ in each) < max(mean for mean, _ in each) < 6.0
    rounded = [f"{x:.0f}" for pair in named.values() for x in pair]
    assert rounded == ["22", "5", "22", "6", "16", "6"]
    text = " ".join(fc.concordance_test.__doc__.split())
    assert "up to 22, 22 and 16%" in text
    assert "this up to 5, 6 and 6%" in text


def test_an_exact_test_keeps_its_level():
    exchanged = [numbers(row[7]) for row in rows(0) if "." in row[7]]
    assert len(exchanged) == 15
    assert max(most for _, most in exchanged) <= 7.0  # 400 data sets: 1.7 standard errors
    assert max(mean for mean, _ in exchanged) <= 5.0


def test_coverage_that_the_manual_names_is_in_the_table():
    covers = rows(0, "times_coverage")
    assert min(min(numbers(row[3])) for row in covers) == 93.8
    assert min(min(numbers(row[6])) for row in covers if "." in row[6]) >= 93.8
    five = [numbers(row[4])[3] for row in covers if row[:2] == ["continuous", "5"]]
    assert max(five) < 40.0
    assert "covers at least 93.8%" in fc.concordance_interval.__doc__


def test_harrells_c_errs_where_the_manual_says_so():
    last = rows(1)[-1]
    assert last == ["1000", "40.0", "60.2", "3.5"]
    assert max(float(row[3]) for row in rows(1)) <= 6.5
    assert "in 60% of samples of 1,000" in fc.concordance_test.__doc__


@pytest.mark.parametrize("value", study.VALUES)
@pytest.mark.parametrize("censored", [0.0, 0.5])
def test_cases_have_the_concordance_and_the_censoring_of_the_cell(value, censored, requires_jit):
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


def test_models_with_different_limits_have_one_concordance_without_censoring(requires_jit):
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
    cell = study.Cell(5, 0.5, 0.75)
    found = study.measure(cell, trials=20)
    assert list(found) == [*study.TESTS, study.EXCHANGE]
    covered = coverage.measure(cell, trials=20)
    assert list(covered) == list(coverage.INTERVALS)
    assert all(0.0 <= share <= 1.0 for share in (*found.values(), *covered.values()))
    assert math.isclose(covered["score"], 1.0, abs_tol=0.2)


def test_designs_of_the_cells_reach_the_tests(requires_jit):
    rng = np.random.default_rng(1)
    _, options = study.enough(study.Cell(50, 0.5, 0.75, "unequal clusters"), rng)
    assert np.bincount(options["groups"]).std() > 2.0
    _, options = study.enough(study.Cell(50, 0.5, 0.75, "weights"), rng)
    assert options["sample_weight"].max() > 5.0
    whole = study.Cell(50, 0.5, 0.75)
    harrell, uno = coverage.truth(whole, rng)
    assert (harrell, uno) == (pytest.approx(0.75, abs=0.05), pytest.approx(0.75, abs=0.05))
    assert coverage.truth(study.Cell(50, 0.0, 0.75), rng)[1] is None
