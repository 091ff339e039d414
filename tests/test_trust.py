"""What a comparison can be trusted with: simulated level, power and detectable difference."""

import json
import pickle

import numba
import numpy as np
import pytest

import fastcompare as fc

DATA = fc.load_predictions()
TWO = {name: DATA.scores[name] for name in ("random_forest", "decision_tree")}
LABELS = {name: score > 0.5 for name, score in TWO.items()}
RNG = np.random.default_rng(5)
ITEMS = RNG.normal(size=(80, 2)) + RNG.normal(size=(80, 1))
ROUNDS = dict(list(fc.load_fold_scores().scores.items())[:2])
HELD = {
    "scores": lambda: fc.compare(DATA.y_true, TWO, kind="scores"),
    "scores of three": lambda: fc.compare(
        DATA.y_true, {**TWO, "naive_bayes": DATA.scores["naive_bayes"]}, kind="scores"
    ),
    "labels": lambda: fc.compare(DATA.y_true, LABELS),
    "labels in clusters": lambda: fc.compare(DATA.y_true, LABELS, groups=np.arange(399) // 4),
    "probabilities": lambda: fc.compare(DATA.y_true, TWO, kind="probabilities"),
    "folds": lambda: fc.compare(ROUNDS, n_train=512, n_test=57),
    "independent rounds": lambda: fc.compare(ITEMS, kind="folds", design="independent"),
    "datasets": lambda: fc.compare(fc.load_dataset_scores()),
    "items": lambda: fc.compare(ITEMS, kind="items"),
    "items of three": lambda: fc.compare(RNG.normal(size=(60, 3)), kind="items"),
}
needs_speed = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="thousands of tests")


@needs_speed
@pytest.mark.parametrize("name", HELD)
def test_the_level_holds_and_the_detectable_difference_has_its_power(name):
    found = HELD[name]().trust(n_trials=60, rng=1)
    assert 0.0 <= found.level < 0.2  # five standard errors above 5 %
    low, high = found.level_interval()
    assert low <= found.level <= high
    again = HELD[name]().trust(difference=found.detectable_difference, n_trials=60, rng=1)
    assert 0.6 <= again.power <= 0.97
    assert list(found.tried) == sorted(found.tried)
    assert "smaller ones less often" in found.summary()


@needs_speed
def test_the_detectable_difference_of_means_is_that_of_the_formula():
    paired = fc.paired_mean_test(*ITEMS.T.copy())
    spread = np.sqrt(((ITEMS[:, 0] - ITEMS[:, 1]) ** 2).mean() / 80)
    found = fc.compare(ITEMS, kind="items").trust(n_trials=200, rng=0)
    assert found.detectable_difference == pytest.approx(2.8 * spread, rel=0.15)
    assert paired.standard_error == pytest.approx(spread, rel=0.1)


def test_the_same_seed_gives_the_same_rates_for_any_number_of_threads():
    comparison = fc.compare(ITEMS, kind="items")
    one = comparison.trust(n_trials=20, rng=3, difference=0.5)
    two = comparison.trust(n_trials=20, rng=3, difference=0.5, n_jobs=2)
    assert one.to_dict() == two.to_dict()
    assert json.loads(json.dumps(one.to_dict()))["seed"] == 3
    assert pickle.loads(pickle.dumps(one)).summary() == one.summary()
    assert "One of 0.5 it finds in" in one.summary()


def test_a_difference_beyond_all_reach_is_told():
    alike = {name: np.r_[np.ones(38), 0, 0] for name in "ab"}
    y = np.ones(40)
    y[:4] = 0
    found = fc.compare(y, {n: v.astype(bool) for n, v in alike.items()}, kind="labels")
    assert "No difference is found" in found.trust(n_trials=10, rng=0, power=0.99).summary()


def test_what_is_not_written_is_refused():
    halves = {name: column[:10] for name, column in ROUNDS.items()}
    found = fc.compare(halves, kind="folds", n_train=50, n_test=50, design="5x2cv")
    with pytest.raises(fc.InvalidValueError, match="no simulation for five two-fold"):
        found.trust()
    with pytest.raises(fc.InvalidValueError, match="`power` must be between"):
        fc.compare(ITEMS, kind="items").trust(power=0.01)
    with pytest.raises(fc.InvalidValueError, match="weighted items"):
        fc.compare(ITEMS, kind="items", sample_weight=np.arange(1.0, 81.0)).trust()
