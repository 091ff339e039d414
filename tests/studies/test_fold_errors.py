"""The simulation behind docs/evidence/folds.md: its classifiers and its tables."""

from collections import Counter

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from studies import anova_errors as anova
from studies import fold_errors as simulation
from studies import independent_errors as independent

LEARNERS = {
    "centroid": (simulation.centroid_accuracies, NearestCentroid()),
    "neighbour": (simulation.neighbour_accuracies, KNeighborsClassifier(1)),
}
DESIGNS = {design.name: design for design in simulation.DESIGNS}


@pytest.mark.parametrize("learner", LEARNERS)
def test_accuracies_are_those_of_scikit_learn(learner):
    ours, estimator = LEARNERS[learner]
    rng = np.random.default_rng(0)
    y = np.arange(simulation.CASES) % 2
    x = rng.normal(size=(y.size, 3)) + 0.5 * y[:, None]
    tested = simulation.splits(4, 100, rng)
    expected = [estimator.fit(x[~row], y[~row]).score(x[row], y[row]) for row in tested]
    assert_allclose(ours(x, y, tested), expected, rtol=1e-14)


@pytest.mark.parametrize("name", DESIGNS)
def test_designs_test_as_many_cases_as_they_say(name):
    design = DESIGNS[name]
    tested = design.draw(np.random.default_rng(1))
    assert tested.shape == (design.rounds, simulation.CASES)
    assert (tested.sum(axis=1) == design.n_test).all()
    if "fold" in name or name == "5x2cv":
        assert (tested.sum(axis=0) == design.rounds * design.n_test / simulation.CASES).all()


@pytest.mark.slow
def test_the_correction_mends_what_many_splits_do():
    """250 trials: above 35% of rejections without it, below 12% with it.

    The Bayesian test claims at most what two one-sided tests at 5% do, less for its region.
    """
    cell = simulation.Cell("nearest centroid", "30 splits 2:1", 0)
    counts = simulation.rejections(cell, 250)
    found = {name: count / 250 for name, count in counts.items()}
    assert found["Student's t"] > 0.35
    assert found["corrected t"] < 0.12
    assert found["corrected t"] <= found["Bayesian t"] < 0.17
    lines = simulation.show([cell], [(counts, 250)]).splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("| nearest centroid | 30 splits 2:1 | ")
    assert f"| {100 * found['corrected t']:.1f} " in lines[2]


@pytest.mark.slow
def test_tests_of_independent_rows_hold_their_level_and_the_table_says_so(requires_jit):
    cell = ("30 rows, normal", 0)
    counts = independent.rejections(cell, 50)
    assert {name.partition(",")[0] for name in counts} == {
        *("ttest_resampled", "wilcoxon_test", "sign_test", "bayes_signed_rank", "bayes_sign"),
        *("rm_anova_test", "mauchly_test", "ttest_unpaired", "folds_unpaired_test"),
    }
    assert max(counts.values()) / 50 < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 50)
    lines = independent.show([cell], [(counts, 50)]).splitlines()
    assert len(lines) == 2 + len(counts)
    assert lines[2].startswith("| `ttest_resampled` ")
    assert f"| {2 * counts['ttest_resampled']:.1f} " in lines[2]


def test_five_by_two_has_its_own_tests_in_the_table():
    found = simulation.rejections(simulation.Cell("nearest centroid", "5x2cv", 3), 20)
    assert {"5x2cv t", "5x2cv F"} <= set(found)


@pytest.mark.parametrize("study", [simulation, independent])
def test_parts_make_up_all_trials_once(study, monkeypatch):
    """And the shares are those of all parts together."""
    monkeypatch.setattr(study, "rejections", lambda cell, trials: Counter(test=trials))
    found = [study.measure(cell, trials=100) for cell in study.CELLS]
    rows = len(study.CELLS) // study.PARTS
    assert sum(own for _, own in found) == 100 * rows
    assert study.show(study.CELLS, found).count("100.0") == rows


@pytest.mark.slow
def test_normal_rounds_reject_as_often_as_theory_says():
    """t is sqrt(1 + J rho / (1 - rho)) times as large as Student's: 15.4% of ten folds."""
    cell = simulation.Cell("normal scores", "10-fold", 0)
    share = simulation.rejections(cell, 1500)["Student's t"] / 1500
    factor = np.sqrt(1 + 10 / 9)
    want = 2 * stats.t.sf(stats.t.isf(0.025, 9) / factor, 9)
    assert round(want, 3) == 0.154
    assert abs(share - want) < 4 * np.sqrt(want * (1 - want) / 1500)


def test_anova_of_tables_that_correlate_needs_the_sizes(requires_jit):
    shares = {cell.name: anova.measure(cell, trials=4000) for cell in anova.CELLS}
    none, *others = (list(found) for found in shares.values())
    assert abs(none[0] - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)
    assert others[0][0] > 0.09  # one model varies more: only a correction holds
    assert max(others[0][1], others[0][3]) < 0.065
    assert min(others[1]) > 0.18
    assert max(others[2]) < 0.065
    assert len(anova.show(anova.CELLS, list(shares.values())).splitlines()) == 2 + len(shares)
