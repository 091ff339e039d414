"""Rows of `python -m benchmarks.limits` are found by name, and why they are unmet is theirs."""

import numpy as np
import pytest

from benchmarks.limits import __main__ as limits
from benchmarks.limits.unmet import UNMET, why_unmet
from benchmarks.timing import BESIDE, Row, rows_together


def fail(*_, **__):
    raise AssertionError("data are prepared")


@pytest.fixture(params=[False, True], ids=["all", "quick"])
def names(request, monkeypatch):
    """Return the names of all rows, whose data must not be prepared for that."""
    monkeypatch.setattr(np.random, "default_rng", fail)
    return [row.name for row in limits.chosen_rows([], request.param)]


def test_each_name_of_a_row_of_limits_is_of_one_row(names):
    rows = [name for name in names if not name.startswith(BESIDE)]
    assert len(set(rows)) == len(rows) > 200


def test_limits_measure_the_named_row_and_what_stands_beside_it(monkeypatch):
    monkeypatch.setattr(np.random, "default_rng", fail)
    chosen = [row.name for row in limits.chosen_rows(["two threads, delong_batch, n = 200"], True)]
    assert chosen[0] == "two threads, delong_batch, n = 200: one thread"
    assert [name.startswith(BESIDE) for name in chosen] == [False, True]


def test_unknown_rows_of_limits_are_named():
    assert limits.unknown_names(["auc", "roc_auc, n = 100:", "roc"], True) == []
    assert limits.unknown_names(["auc", "nonsense"], True) == ["nonsense"]


def test_each_reason_for_an_unmet_limit_is_of_a_row():
    rows = [row.name for quick in (False, True) for row in limits.chosen_rows([], quick)]
    used = {
        next(why for why in UNMET.values() if " ".join(why.split()) == why_unmet(row))
        for row in rows
        if why_unmet(row)
    }
    assert [start for start, why in UNMET.items() if why not in used] == []


def test_no_reason_for_an_unmet_limit_says_that_nobody_looked():
    assert [start for start, why in UNMET.items() if "not looked into" in why] == []


def test_rows_of_limits_that_are_measured_together_are_measured_once():
    calls = []

    def both():
        calls.append(1)
        return [0.5, 2.0]

    first, second = rows_together({"a": 1.0, "b": 1.0}, both)
    assert (second.measured, second.is_met, first.measured, first.is_met) == (2.0, False, 0.5, True)
    assert calls == [1]
    assert "NO" in str(second)


def test_a_row_of_limits_is_measured_when_it_is_asked_for():
    assert Row("a", 1.0, fail).name == "a"
    with pytest.raises(AssertionError, match="prepared"):
        str(Row("a", 1.0, fail))
