"""Dietterich's simulated classifiers: the data of a trial, and how often the tests reject."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare.kernels.trials.dietterich import draw_cases
from fastcompare.simulate import DietterichClassifiers, simulate_error_rates
from tests.shared.golden_files import GOLDEN

RATES = GOLDEN / "dietterich1998_simulation_design.json"
FIVE = ["mcnemar_corrected", "two_proportions", "ttest_resampled", "ttest_kfold", "ttest_5x2cv"]
SMALL = DietterichClassifiers(n=60, epsilon=0.3, n_splits=5, n_folds=4)


def rates(tests, design, n_trials, **options):
    found = simulate_error_rates(tests, design, n_trials=n_trials, rng=1, **options)
    return dict(zip(found.tests, found.rate.tolist(), strict=True))


def cases(design, trial, effect=0.0):
    half, wrong = np.empty((2, design.n), np.uint8)
    draw_cases(design.setting(effect), np.uint64(trial), np.uint64(5), half, wrong)
    return half, wrong


@pytest.mark.slow
def test_error_rates_are_those_of_the_halves(requires_jit):
    design = DietterichClassifiers(n=1 << 16, first_half_ratio=0.3)
    half, wrong = cases(design, 0, effect=0.04)
    assert_allclose(np.mean(half), 0.7, atol=0.01)
    for h, a, b in ((0, 0.5 * 0.12, 1.5 * 0.08), (1, 1.5 * 0.12, 0.5 * 0.08)):
        assert_allclose(np.mean(wrong[half == h] & 1), a, atol=0.005)
        assert_allclose(np.mean(wrong[half == h] >> 1), b, atol=0.005)


def test_fixed_halves_hold_the_same_cases_in_every_trial():
    design = DietterichClassifiers(n=10, n_folds=2, fixed_halves=True)
    for trial in range(3):
        assert cases(design, trial)[0].tolist() == [0] * 5 + [1] * 5


@pytest.mark.slow
def test_the_split_is_the_sample():
    trials = range(12)
    found = SMALL.errors({"split"}, trials, seed=3, effect=0.0)
    for trial in trials:
        truth, a, b = SMALL.sample(trial, seed=3)
        table = fc.contingency_table(truth, a, b)
        assert found.counts[trial].tolist() == [table.n01, table.n10, table.n00]


@pytest.mark.parametrize("name", [n for n in SMALL.tests if n.startswith(("mcnemar", "two"))])
def test_tests_of_one_split_are_those_of_the_library(name):
    functions = {
        "mcnemar_corrected": lambda *s: fc.mcnemar_test(*s, method="asymptotic", continuity=True),
        "mcnemar_asymptotic": lambda *s: fc.mcnemar_test(*s, method="asymptotic"),
        "mcnemar_midp": lambda *s: fc.mcnemar_test(*s, method="midp"),
        "mcnemar_exact": lambda *s: fc.mcnemar_test(*s, method="exact"),
        "two_proportions": lambda *s: fc.two_proportions_test(*s, on_undefined="ignore"),
    }
    trials = range(20)
    want = [functions[name](*SMALL.sample(trial, seed=3)).pvalue for trial in trials]
    assert_allclose(SMALL.pvalues([name], trials, seed=3, effect=0.0)[0], want, rtol=1e-12)


def round_tests(design, found, trial):
    """The tests of one trial by their definitions, from the differences of its rounds."""
    ratio = design.held_out / (design.n - design.held_out)
    resampled, folds, halves = (part[trial] for part in found[1:])
    squares = halves.var(axis=1, ddof=1)
    t = halves[0, 0] / math.sqrt(squares.mean())
    f = (halves**2).sum() / (2 * squares.sum())
    corrected = resampled.mean() / math.sqrt(resampled.var(ddof=1) * (1 / resampled.size + ratio))
    return {
        "ttest_resampled": stats.ttest_1samp(resampled, 0).pvalue,
        "ttest_corrected": 2 * stats.t.sf(abs(corrected), resampled.size - 1),
        "ttest_kfold": stats.ttest_1samp(folds, 0).pvalue,
        "ttest_5x2cv": 2 * stats.t.sf(abs(t), 5),
        "ftest_5x2cv": stats.f.sf(f, 10, 5),
    }


@pytest.mark.slow
def test_tests_of_rounds_are_their_definitions():
    trials = range(8)
    schemes = {"resampled", "folds", "halves"}
    found = SMALL.errors(schemes, trials, seed=4, effect=0.1)
    names = [name for name in SMALL.tests if name.startswith(("tt", "ft"))]
    p = SMALL.pvalues(names, trials, seed=4, effect=0.1)
    for trial in trials:
        want = round_tests(SMALL, found, trial)
        assert_allclose(p[:, trial], [want[name] for name in names], rtol=1e-9)


@given(n=st.integers(6, 60), n_folds=st.integers(2, 3))
@settings(max_examples=20, deadline=None)
def test_rounds_that_share_answers_partition_the_cases(n, n_folds):
    design = DietterichClassifiers(n=n, n_folds=n_folds, training="same", epsilon=0.3)
    found = design.errors({"folds", "halves"}, range(2), seed=1, effect=0.0)
    for trial in range(2):
        half, wrong = np.empty((2, n), np.uint8)
        draw_cases(design.setting(0.0), np.uint64(trial), np.uint64(1), half, wrong)
        gap = int((wrong & 1).sum()) - int((wrong >> 1).sum())
        sizes = np.diff([r * n // n_folds for r in range(n_folds + 1)])
        assert round(float(found.folds[trial] @ sizes), 9) == gap
        in_halves = found.halves[trial] @ np.array([n // 2, n - n // 2])
        assert_allclose(in_halves, gap, atol=1e-9)


def test_a_trial_depends_on_its_number_alone():
    whole = SMALL.pvalues(SMALL.tests, range(10), seed=2, effect=0.0)
    later = SMALL.pvalues(SMALL.tests, range(6, 10), seed=2, effect=0.0)
    alone = SMALL.pvalues(["ttest_kfold"], range(10), seed=2, effect=0.0)
    assert np.array_equal(whole[:, 6:], later)
    assert np.array_equal(whole[SMALL.tests.index("ttest_kfold")], alone[0])


def test_threads_find_the_same(requires_jit):
    one, two = (
        simulate_error_rates(None, SMALL, n_trials=1500, rng=3, n_jobs=jobs) for jobs in (1, 2)
    )
    assert np.array_equal(one.n_rejected, two.n_rejected)


@pytest.mark.slow
def test_rates_of_the_paper_s_scheme(requires_jit):
    """golden/dietterich1998_simulation_design.json: an independent Monte Carlo run."""
    want = json.loads(RATES.read_text())["type_I_error"]
    found = rates(None, DietterichClassifiers(), 40_000, n_jobs=2)
    names = {
        "mcnemar_corrected": "mcnemar_cc",
        "mcnemar_asymptotic": "mcnemar_nocc",
        "mcnemar_exact": "mcnemar_exact",
        "mcnemar_midp": "mcnemar_midp",
        "two_proportions": "diff_prop_pooled",
        "ttest_kfold": "kfold_beta",
        "ttest_5x2cv": "cv5x2_t",
        "ftest_5x2cv": "cv5x2_F",
    }
    for name, key in names.items():
        error = math.sqrt(want[key] * (1 - want[key]) * (1 / 20_000 + 1 / 40_000))
        assert abs(found[name] - want[key]) < 4 * error, name
    for name, key in {
        "ttest_resampled": "resampled_t",
        "ttest_corrected": "resampled_corrected",
    }.items():
        error = math.sqrt(want[key] * (1 - want[key]) * (1 / 5_000 + 1 / 40_000))
        assert abs(found[name] - want[key]) < 4 * error, name


@pytest.mark.slow
def test_rates_where_answers_change_between_rounds(requires_jit):
    want = json.loads(RATES.read_text())["type_I_error"]
    same = rates(["ttest_kfold"], DietterichClassifiers(training="same"), 40_000, n_jobs=2)
    assert_allclose(same["ttest_kfold"], want["kfold_t"], atol=0.008)
    beta = rates(
        ["ttest_5x2cv", "ftest_5x2cv"], DietterichClassifiers(training="beta"), 40_000, n_jobs=2
    )
    assert_allclose(beta["ttest_5x2cv"], want["cv5x2_t_beta"], atol=0.006)
    assert_allclose(beta["ftest_5x2cv"], want["cv5x2_F_beta"], atol=0.005)


@pytest.mark.slow
def test_rates_of_the_printed_program(requires_jit):
    """The long-run rates of FORMULAS, "Dietterich's program as printed", each within .003."""
    want = dict(zip(FIVE, (0.024, 0.054, 0.297, 0.021, 0.0135), strict=True))
    found = rates(FIVE, DietterichClassifiers.as_printed(), 40_000, n_jobs=2)
    for name, rate in want.items():
        error = math.sqrt(rate * (1 - rate) / 40_000)
        assert abs(found[name] - rate) < 0.003 + 3 * error, name


@pytest.mark.slow
def test_two_sided_rates_of_the_printed_program(requires_jit):
    printed = DietterichClassifiers(fixed_halves=True, n_test=99, training="same", last_round=True)
    want = {"ttest_resampled": 0.598, "ttest_kfold": 0.042, "ttest_5x2cv": 0.027}
    found = rates(list(want), printed, 40_000, n_jobs=2)
    for name, rate in want.items():
        error = math.sqrt(rate * (1 - rate) / 40_000)
        assert abs(found[name] - rate) < 0.003 + 3 * error, name


@pytest.mark.slow
def test_overlap_lies_between_the_same_answers_and_new_ones(requires_jit):
    found = {
        training: rates("ttest_resampled", DietterichClassifiers(training=training, beta=0.0), 4000)
        for training in ("same", "overlap", "beta")
    }
    same, overlap, new = (found[t]["ttest_resampled"] for t in ("same", "overlap", "beta"))
    assert new + 0.05 < overlap < same - 0.05


@pytest.mark.slow
def test_swapping_the_models_turns_the_effect():
    ahead = SMALL.errors({"split"}, range(400), seed=1, effect=0.08).counts.sum(axis=0)
    behind = SMALL.errors({"split"}, range(400), seed=1, effect=-0.08).counts.sum(axis=0)
    assert ahead[0] > ahead[1]
    assert behind[0] < behind[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n": 5}, "`n` must be from 6"),
        ({"n": 30.0}, "`n` must be an integer"),
        ({"n_folds": 200}, "`n_folds` must be from 2 to 150"),
        ({"n_test": 300}, "`n_test` must be from 2 to 299"),
        ({"epsilon": 0.7}, "`epsilon` must be above 0, and 3/2"),
        ({"first_half_ratio": 1.0}, "`first_half_ratio` must be between"),
        ({"training": "new"}, "`training` must be one of"),
        ({"one_tail": "yes"}, "`one_tail` must be True or False"),
        ({"beta": -0.1}, "`beta` must be at least 0"),
    ],
)
def test_designs_that_cannot_be_meant_are_refused(options, message):
    with pytest.raises((fc.InvalidValueError, fc.InvalidTypeError), match=message):
        DietterichClassifiers(**options)


def test_effects_must_leave_error_rates():
    with pytest.raises(fc.InvalidValueError, match="`effect` must leave error rates"):
        simulate_error_rates(None, DietterichClassifiers(), effect=0.3)
