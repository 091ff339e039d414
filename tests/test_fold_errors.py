"""The simulation behind docs/folds.md: its classifiers are right, its tables say what it found."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

from benchmarks import fold_errors as simulation

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
    """250 trials: above 35 % of rejections without it, below 12 % with it."""
    case = ("nearest centroid", DESIGNS["30 splits 2:1"])
    found = simulation.rejections(case, 250)
    assert found["Student's t"] > 0.35
    assert found["corrected t"] < 0.12
    lines = simulation.table([case], [found]).splitlines()
    assert len(lines) == 3
    assert lines[2].startswith("| nearest centroid | 30 splits 2:1 | ")
    assert f"| {100 * found['corrected t']:.1f} |" in lines[2]


def test_five_by_two_has_its_own_tests_in_the_table():
    found = simulation.rejections(("nearest centroid", DESIGNS["5x2cv"]), 20)
    assert {"5x2cv t", "5x2cv F"} <= set(found)
