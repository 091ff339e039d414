"""The simulation behind docs/folds.md: its classifiers are right, its tables say what it found."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

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


def test_the_correction_mends_what_many_splits_do():
    """250 trials: above 35 % of rejections without it, below 12 % with it.

    The Bayesian test claims at most what two one-sided tests at 5 % do, less for its region.
    """
    case = ("nearest centroid", DESIGNS["30 splits 2:1"])
    found = simulation.rejections(case, 250)
    assert found["Student's t"] > 0.35
    assert found["corrected t"] < 0.12
    assert found["corrected t"] <= found["Bayesian t"] < 0.17
    lines = simulation.table([case], [found]).splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("| nearest centroid | 30 splits 2:1 | ")
    assert f"| {100 * found['corrected t']:.1f} |" in lines[2]


def test_tests_of_independent_rows_hold_their_level_and_the_table_says_so(requires_jit):
    found = {"30 rows, normal": independent.rejections("30 rows, normal", 50)}
    shares = found["30 rows, normal"]
    assert {name.partition(",")[0] for name in shares} == {
        *("ttest_resampled", "wilcoxon_test", "sign_test", "bayes_signed_rank", "bayes_sign"),
        *("rm_anova_test", "mauchly_test", "ttest_unpaired", "folds_unpaired_test"),
    }
    assert max(shares.values()) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 50)
    lines = independent.table(found).splitlines()
    assert len(lines) == 2 + len(shares)
    assert lines[2] == f"| `ttest_resampled` | {100 * shares['ttest_resampled']:.1f} |"


def test_five_by_two_has_its_own_tests_in_the_table():
    found = simulation.rejections(("nearest centroid", DESIGNS["5x2cv"]), 20)
    assert {"5x2cv t", "5x2cv F"} <= set(found)
