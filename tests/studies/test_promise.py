"""What the defaults promise, measured from outside with few trials; and the study of it."""

import functools
import math

import numba
import numpy as np
import pytest

from studies import promise as study
from studies import promise_suite as suite
from studies import tables

needs_speed = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="thousands of comparisons")
POWERFUL = [  # share of the power of the oracle
    (("items", "normal", 10, 10), 0.7),
    (("items", "normal", 20, 10), 0.8),
    (("labels", "accuracy 0.8", 50, 5), 0.7),
    (("datasets", "normal", 10, 10), 0.7),
]


@pytest.mark.slow
@needs_speed
@pytest.mark.parametrize("name", suite.SUITE)
def test_five_percent_are_five_percent_and_what_the_standard_test_finds_is_found(name):
    assert suite.faults(name) == []


def test_the_suite_has_sixty_cells_and_exceptions_among_them():
    assert len(set(suite.SUITE)) == len(suite.SUITE) == 60
    assert set(suite.SILENT) | set(suite.WEAK) <= set(suite.SUITE) <= set(suite.BY_LABEL)
    assert {kind.split(",")[0] for kind in suite.SUITE} == {w.kind for w in study.WORLDS} | {
        "margins"
    }


def test_a_cell_that_breaks_the_promise_is_named_unless_it_is_an_exception(monkeypatch):
    name = next(name for name in suite.SUITE if math.isnan(suite.BY_LABEL[name].expected))
    rare = next(name for name in suite.SUITE if suite.BY_LABEL[name].expected < 3)
    worst = study.Level(0.2, 0.12, 0.1, power=0.4, standard=0.05, its_power=0.5)
    monkeypatch.setattr(suite, "measure", lambda cell, trials: worst)
    monkeypatch.setattr(suite, "SILENT", {})
    assert [len(suite.faults(one)) for one in (name, rare)] == [2, 1]
    assert suite.faults(name, trials=40) == []
    monkeypatch.setattr(suite, "SILENT", {name: 0.1})
    monkeypatch.setattr(suite, "WEAK", {name: 0.8})
    assert suite.faults(name) == []


def test_a_cell_that_keeps_the_promise_without_any_allowance_is_measured_once(monkeypatch):
    asked, (name, *_) = [], [name for name in suite.SUITE if name not in suite.SILENT]

    def measure(silent, cell, trials):
        asked.append(trials)
        return study.Level(0.05, silent, 0.0, power=0.5, standard=0.05, its_power=0.5)

    for silent in (suite.PROMISED, suite.PROMISED + 0.01):
        monkeypatch.setattr(suite, "measure", functools.partial(measure, silent))
        assert suite.faults(name) == []
    assert asked == [suite.FIRST, suite.FIRST, suite.TRIALS]


def test_the_table_of_the_suite_names_cells_that_are_mended(monkeypatch, capsys):
    monkeypatch.setattr(suite, "SILENT", {suite.SUITE[0]: 0.5})
    monkeypatch.setattr(suite, "WEAK", {})
    good = study.Level(0.05, 0.05, 0.0, power=0.5, standard=0.05, its_power=0.5)
    found = [good] * 59 + [good._replace(silent=0.2)]
    text = suite.show_with_faults([suite.BY_LABEL[name] for name in suite.SUITE], found)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{suite.SUITE[0]}: keeps the promise"
    assert said[1:] == [f"{suite.SUITE[-1]}: 20.0% of equal models differ in silence"]
    assert text.count("| 50.0  |") >= 60


def test_holms_tests_by_hand_are_those_of_the_package():
    rng = np.random.default_rng(4)
    rows = rng.normal([0.0, 0.4, 0.9], size=(30, 3))
    one = study.Answer(None, False, math.nan, study.largest((rows,), 3), 29.0)
    found = study.by_standard_test([one, one._replace(df=math.inf)])
    pairs = study.fc.mean_pairwise_test(rows, method="t", correction="holm")
    assert found[0].tolist() == (pairs.adjusted_pvalue <= 0.05).tolist()
    assert study.df_of((rows,)) == 29.0
    assert study.df_of((rows, rows)) == math.inf


def test_cells_that_are_stored_are_not_measured_again(tmp_path):
    asked, store = [], tmp_path / "cells.jsonl"

    def work(cell):
        asked.append(cell)
        return study.Level(cell / 10, math.nan, 0.5)

    for cells in ([1, 2], [1, 2, 3], [3, 1]):
        found = list(tables.resumed(cells, map, work, store, 7, str, study.Level))
        assert [level.level for level in found] == [cell / 10 for cell in cells]
        assert math.isnan(found[0].silent)
    assert asked == [1, 2, 3]
    list(tables.resumed([1], map, work, store, 8, str, study.Level))
    assert asked == [1, 2, 3, 1]


@pytest.mark.slow
@needs_speed
@pytest.mark.parametrize(("name", "share"), POWERFUL, ids=str)
def test_no_level_is_bought_by_never_rejecting(name, share):
    found = study.measure(study.BY_NAME[name], trials=150)
    assert found.oracle > 0.3
    assert found.power >= share * found.oracle


@pytest.mark.slow
def test_models_of_a_shape_are_as_good_as_each_other():
    rng = np.random.default_rng(0)
    for world in study.WORLDS:
        n, apart = world.sizes[-1], []
        for _ in range(150):
            parts = world.draw(rng, n, 3, 0.0).parts
            apart += [np.diff(parts[0].mean(axis=0)) if parts else np.zeros(2)]
        mean, error = np.mean(apart, axis=0), np.std(apart, axis=0) / math.sqrt(150)
        assert not np.any(np.abs(mean) > 4.5 * error + 1e-12), world.shape


@pytest.mark.slow
def test_better_models_are_better_by_what_is_said():
    rng = np.random.default_rng(1)
    for world in study.WORLDS:
        drawn = [world.draw(rng, world.sizes[0], 4, 3.0) for _ in range(150)]
        values = drawn[0].values
        if np.isnan(values).any() or not drawn[0].parts:
            continue
        assert values[0] == values[1] > values[2] == values[3]
        means = np.array([one.parts[0].mean(axis=0) for one in drawn])
        error = means.std(axis=0) / math.sqrt(150)
        if "clusters" in world.shape or "weights" in world.shape:  # ratios of what is drawn
            continue
        assert np.all(np.abs(means.mean(axis=0) - values) <= 4.5 * error + 1e-12), world.shape


def test_answers_at_the_margin_differ_by_it():
    call = study.answers_at_margin(np.random.default_rng(2), 400_000, study.fc.mcnemar_test)
    right = [call.keywords["correct_a"].mean(), call.keywords["correct_b"].mean()]
    assert right[1] - right[0] == pytest.approx(call.keywords["margin"], abs=0.001)


def test_every_cell_is_shown_with_what_is_known_of_it():
    found = [study.Level(*[0.0923] * len(study.Level._fields))] * len(study.CELLS)
    text = study.show(study.CELLS, found)
    assert text.count("| 9.2 ") == len(study.CELLS) * len(study.SHARES)
    assert "data sets" not in text
    found[0] = found[0]._replace(trials=2000)
    assert "| 2000      |" in study.show(study.CELLS, found)
    assert len(study.BY_NAME) == len(study.CELLS)
    bare = study.show(study.CELLS, [study.Level(0.05, 0.05, 0.0)] * len(study.CELLS))
    assert "coverage" not in bare


def test_the_critical_value_by_hand_is_that_of_students_t():
    rows = np.random.default_rng(3).normal(size=(30, 3))
    found = study.largest((rows,), 3)
    for t, (i, j) in zip(found, ((0, 1), (0, 2), (1, 2)), strict=True):
        want = study.fc.paired_mean_test(rows[:, i].copy(), rows[:, j].copy(), method="t")
        assert t == pytest.approx(abs(want.statistic))
