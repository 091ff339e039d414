"""What the defaults promise, measured from outside with few trials; and the study of it."""

import math

import numba
import numpy as np
import pytest

from studies import promise as study

TRIALS = 300
MOST = 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / TRIALS)  # 9.4%
needs_speed = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="thousands of comparisons")
SILENT = [  # cells where 5% must be 5%, or a warning come
    ("items", "normal", 10, 3),
    ("items", "normal", 20, 10),
    ("items", "unequal clusters", 20, 5),
    ("labels", "accuracy 0.8", 50, 5),
    ("labels", "accuracy 0.8, unequal clusters", 20, 5),
    ("scores", "AUC .8", (60, 140), 5),
    ("folds", "splits of 90 + 10", 10, 3),
    ("datasets", "normal", 10, 5),
    ("battles", "independent", 100, 3),
    ("margins", "`mcnemar_test`", 200, 2),
    ("items", "one lognormal, others normal", 20, 5),
    ("scores", "AUC .5", (10, 190), 10),
    ("probabilities", "5% positive, 1.8 times the risk", 50, 2),
    ("battles", "judges of unequal diligence", 30, 10),
    ("margins", "`paired_mean_test`, right or wrong", 20, 2),
]
POWERFUL = [  # share of the power of the oracle
    (("items", "normal", 10, 10), 0.7),
    (("items", "normal", 20, 10), 0.8),
    (("labels", "accuracy 0.8", 50, 5), 0.7),
    (("datasets", "normal", 10, 10), 0.7),
]


@pytest.mark.slow
@needs_speed
@pytest.mark.parametrize("name", SILENT, ids=str)
def test_five_percent_are_five_percent_where_nothing_is_warned_of(name):
    found = study.measure(study.BY_NAME[name], trials=TRIALS)
    assert found.silent <= MOST
    assert not found.partial > MOST  # NaN of two models
    assert not found.coverage < 0.95 - 1.5 * (MOST - 0.05)


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
        assert not np.any(np.abs(mean) > 4.5 * error), world.shape


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
        assert np.all(np.abs(means.mean(axis=0) - values) < 4.5 * error), world.shape


def test_answers_at_the_margin_differ_by_it():
    call = study.answers_at_margin(np.random.default_rng(2), 400_000, study.fc.mcnemar_test)
    right = [call.keywords["correct_a"].mean(), call.keywords["correct_b"].mean()]
    assert right[1] - right[0] == pytest.approx(call.keywords["margin"], abs=0.001)


def test_every_cell_is_shown_with_what_is_known_of_it():
    found = [study.Level(*[0.0123] * len(study.Level._fields))] * len(study.CELLS)
    text = study.show(study.CELLS, found)
    assert text.count("| 1.2 ") == len(study.CELLS) * len(study.Level._fields)
    assert len(study.BY_NAME) == len(study.CELLS)
    bare = study.show(study.CELLS, [study.Level(0.05, 0.05, 0.0)] * len(study.CELLS))
    assert "coverage" not in bare


def test_the_critical_value_by_hand_is_that_of_students_t():
    rows = np.random.default_rng(3).normal(size=(30, 3))
    found = study.largest((rows,), 3)
    for t, (i, j) in zip(found, ((0, 1), (0, 2), (1, 2)), strict=True):
        want = study.fc.paired_mean_test(rows[:, i].copy(), rows[:, j].copy(), method="t")
        assert t == pytest.approx(abs(want.statistic))
