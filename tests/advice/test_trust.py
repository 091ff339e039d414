"""What a comparison can be trusted with: simulated level, power and detectable difference."""

import json
import pickle

import numba
import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import roc_auc_score

import fastcompare as fc
from fastcompare.advice.own_designs import items_design
from fastcompare.simulate.designs import with_common_auc

DATA = fc.load_predictions()
TWO = {name: DATA.scores[name] for name in ("random_forest", "decision_tree")}
LABELS = {name: score > 0.5 for name, score in TWO.items()}
RNG = np.random.default_rng(5)
ITEMS = RNG.normal(size=(80, 2)) + RNG.normal(size=(80, 1))
BATTLES = {
    "model_a": ["x", "y"] * 30,
    "model_b": ["y", "x"] * 30,
    "outcome": RNG.choice(["a", "b", "tie"], 60).tolist(),
}
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
    "battles": lambda: fc.compare(BATTLES),
    "items of three": lambda: fc.compare(RNG.normal(size=(60, 3)), kind="items"),
}
SAME = dict.fromkeys("abc", DATA.scores["random_forest"])
needs_speed = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="thousands of tests")


@pytest.mark.slow
@needs_speed
@pytest.mark.parametrize("name", HELD)
def test_the_level_holds_and_the_detectable_difference_has_its_power(name):
    found = HELD[name]().trust(n_trials=60, rng=1)
    assert 0.0 <= found.level < 0.2  # five standard errors above 5%
    low, high = found.level_interval()
    assert low <= found.level <= high
    again = HELD[name]().trust(difference=found.detectable_difference, n_trials=60, rng=1)
    assert 0.6 <= again.power <= 0.97
    assert list(found.tried) == sorted(found.tried)
    assert "The smallest difference in" in found.summary()


@pytest.mark.slow
@needs_speed
def test_the_detectable_difference_of_means_is_that_of_the_formula():
    paired = fc.paired_mean_test(*ITEMS.T.copy())
    spread = np.sqrt(((ITEMS[:, 0] - ITEMS[:, 1]) ** 2).mean() / 80)
    found = fc.compare(ITEMS, kind="items").trust(n_trials=200, rng=0)
    assert found.detectable_difference == pytest.approx(2.8 * spread, rel=0.15)
    assert paired.standard_error == pytest.approx(spread, rel=0.1)


@pytest.mark.slow
@needs_speed
def test_skewed_items_stay_skewed_in_the_simulation_and_answers_stay_answers():
    """Student's t errs in 9 to 12% of such samples of 20 or 50; models exchanged, in 4 to 5%."""
    levels = {}
    for shape in ("lognormal", "normal"):
        rng, found = np.random.default_rng(1), []
        for _ in range(12):
            first = (
                rng.lognormal(size=(20, 1)) if shape == "lognormal" else rng.normal(size=(20, 1))
            )
            held = fc.compare(
                np.hstack((first, 0.25 * rng.normal(size=(20, 1)))), kind="items"
            )._data
            drawn = [items_design(held).draw(rng, 0.0)[0] for _ in range(200)]
            found += [stats.ttest_rel(*table.T).pvalue <= 0.05 for table in drawn]
        levels[shape] = np.mean(found)
    assert 0.075 < levels["lognormal"] < 0.13
    assert 0.04 < levels["normal"] < 0.07
    answers = fc.compare((ITEMS > 0).astype(float), kind="items", on_undefined="ignore")._data
    assert set(np.unique(items_design(answers).draw(rng, 0.0)[0])) == {0.0, 1.0}


def test_rows_of_clusters_stay_together_and_all_models_have_one_mean():
    groups = np.repeat(np.arange(8), [1, 2, 3, 4, 5, 6, 7, 52])
    held = fc.compare(ITEMS, kind="items", groups=groups, on_undefined="ignore")._data
    moved = ITEMS - ITEMS.mean(axis=0) + ITEMS.mean()
    rng = np.random.default_rng(0)
    for _ in range(5):
        table, unit = items_design(held).draw(rng, 0.0)
        for number in range(8):
            rows = table[unit == number]
            own = next(g for g in range(8) if np.isclose(moved[groups == g][0], rows[0]).all())
            np.testing.assert_allclose(rows, moved[groups == own])


@pytest.mark.parametrize("name", HELD)
def test_what_the_simulation_keeps_of_the_data_is_said(name):
    found = HELD[name]().trust(n_trials=1, rng=1)
    assert found.summary().endswith(found.conditions)
    kept = {"items": "a common mean", "probabilities": "a common mean"}
    kept |= {"folds": "correlated as Nadeau", "independent rounds": "independent of each other"}
    kept |= {
        "battles": "Pairings and the proportion of ties",
        "labels in clusters": "Clusters are resampled",
    }
    assert (
        kept.get(name.removesuffix(" of three"), "exchanged at random within each")
        in found.conditions
    )


def test_scores_are_shifted_to_one_auc_where_a_shift_does_it():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], [40, 60])
    rows = rng.normal(size=(100, 2)) * [1.0, 3.0] + np.outer(y, [1.5, 0.5])
    moved = with_common_auc(rows, y)
    before = [roc_auc_score(y, column) for column in rows.T]
    assert [roc_auc_score(y, column) for column in moved.T] == pytest.approx(
        [np.mean(before)] * 2, abs=0.002
    )
    assert abs(before[0] - before[1]) > 0.05
    np.testing.assert_array_equal(moved[y == 0], rows[y == 0])
    assert np.ptp(moved[y == 1] - rows[y == 1], axis=0) == pytest.approx([0.0, 0.0])
    assert np.isnan(with_common_auc(np.round(rows), y)).any()
    found = fc.compare(y, rows, kind="scores").trust(n_trials=1, rng=0)
    assert "a common AUC" in found.conditions
    assert found.level_unknown == ""


SEEN_TOO_RARELY = {  # features that two items have, or none
    "ratings": (
        lambda: fc.compare(
            {"a": [1.0] * 2 + [5.0] * 28, "b": np.where(np.arange(30) % 6, 5.0, 4.0)}, kind="items"
        ),
        "2 items account for 93% of the variance of a, and a feature of fewer than three in 30",
    ),
    "costs": (
        lambda: fc.compare(
            {"a": np.zeros(20), "b": np.random.default_rng(0).normal(0.1, 0.1, 20)},
            kind="items",
            models=["a", "b"],
        ),
        "a does not vary",
    ),
    "scores": (
        lambda: fc.compare(
            np.repeat([1, 0], [30, 60]),
            {
                "a": np.r_[-9.0, np.arange(61.0, 90.0), np.arange(60.0)] / 7.0,
                "b": np.random.default_rng(1).normal(size=90) + np.repeat([2.0, 0.0], [30, 60]),
            },
            kind="scores",
        ),
        "of the variance of a, and a feature of fewer than three in 30 positives",
    ),
    "clusters": (
        lambda: fc.compare(
            np.ones(80, int),
            {
                "a": np.repeat([0, 1], [10, 70]),
                "b": np.random.default_rng(2).integers(0, 8, 80).clip(0, 1),
            },
            kind="labels",
            groups=np.arange(80) // 5,
        ),
        "of the variance of a, and a feature of fewer than three in 16 clusters",
    ),
    "battles": (
        lambda: fc.compare(
            {"model_a": ["x"] * 40, "model_b": ["y"] * 40, "outcome": ["a", "b", "a", "a"] * 10}
        ),
        "shown in one order",
    ),
}


@pytest.mark.filterwarnings("ignore:one_order")
@pytest.mark.parametrize("name", SEEN_TOO_RARELY)
def test_a_level_that_rests_on_two_units_or_one_order_is_not_known(name):
    make, reason = SEEN_TOO_RARELY[name]
    found = make().trust(n_trials=1, rng=1)
    assert reason in found.level_unknown
    assert found.level_unknown in found.summary()
    assert found.summary().endswith(found.conditions)


@pytest.mark.parametrize("name", ["items", "folds", "datasets", "battles", "labels"])
def test_levels_of_data_without_rare_features_are_known(name):
    assert HELD[name]().trust(n_trials=1, rng=1).level_unknown == ""


@pytest.mark.slow
@needs_speed
def test_levels_that_differ_between_samples_like_the_data_are_given_as_a_range():
    """True levels of such ratings are 14%; single samples give 2 to 16%."""
    rng = np.random.default_rng(7)
    unknown = []
    for seed in range(4):
        low = rng.random((50, 2)) < [0.04, 0.16]
        table = np.where(low, [1.0, 4.0], 5.0)
        comparison = fc.compare(table, kind="items", on_undefined="ignore")
        unknown.append(comparison.trust(n_trials=200, rng=seed).level_unknown)
    assert all(unknown)
    assert any("samples drawn from them have" in text for text in unknown)
    assert fc.compare(ITEMS, kind="items").trust(n_trials=200, rng=1).level_unknown == ""


def test_the_same_seed_gives_the_same_rates_for_any_number_of_threads():
    comparison = fc.compare(ITEMS, kind="items")
    one = comparison.trust(n_trials=20, rng=3, difference=0.5)
    two = comparison.trust(n_trials=20, rng=3, difference=0.5, n_jobs=2)
    assert one.to_dict() == two.to_dict()
    assert json.loads(json.dumps(one.to_dict()))["seed"] == 3
    assert pickle.loads(pickle.dumps(one)).summary() == one.summary()
    assert "Its power for a difference of 0.5 is" in one.summary()


def test_a_difference_beyond_all_reach_is_told():
    alike = {"a": np.r_[np.ones(38), 0, 0], "b": np.r_[np.ones(37), 0, 0, 0]}
    y = np.ones(40)
    y[:4] = 0
    found = fc.compare(y, {n: v.astype(bool) for n, v in alike.items()}, kind="labels")
    assert "No difference can be detected" in found.trust(n_trials=10, rng=0, power=0.99).summary()


def test_what_is_not_written_is_refused():
    halves = {name: column[:10] for name, column in ROUNDS.items()}
    found = fc.compare(halves, kind="folds", n_train=50, n_test=50, design="5x2cv")
    with pytest.raises(fc.InvalidValueError, match="no simulation for five two-fold"):
        found.trust()
    with pytest.raises(fc.InvalidValueError, match="`power` must be between"):
        fc.compare(ITEMS, kind="items").trust(power=0.01)
    with pytest.raises(fc.InvalidValueError, match="weighted items"):
        fc.compare(ITEMS, kind="items", sample_weight=np.arange(1.0, 81.0)).trust()


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ((DATA.y_true, SAME), {"kind": "scores"}),
        ((DATA.y_true, {name: score > 0.5 for name, score in SAME.items()}), {}),
        ((DATA.y_true, SAME), {"kind": "probabilities"}),
        (({"a": ITEMS[:, 0], "b": ITEMS[:, 0]},), {"kind": "items"}),
        (({"a": ITEMS[:, 0], "b": ITEMS[:, 0]},), {"kind": "datasets"}),
        (({"a": ITEMS[:9, 0], "b": ITEMS[:9, 0] + 0.25},), {"n_train": 9, "n_test": 1}),
    ],
)
def test_models_that_differ_nowhere_have_no_level_and_no_power(given, options):
    found = fc.compare(*given, **options, on_undefined="ignore").trust(difference=0.1, rng=0)
    assert np.isnan([found.level, found.detectable_difference]).all()
    assert (found.power, found.tried, found.n_trials) == (None, {}, 0)
    assert np.isnan([*found.level_interval(), *found.detectable_interval()]).all()
    assert "their variance cannot be estimated" in found.summary()
    assert "%" not in found.summary()


@pytest.mark.slow
@needs_speed
def test_what_the_number_of_trials_leaves_open_covers_the_formula():
    spread = np.sqrt(((ITEMS[:, 0] - ITEMS[:, 1]) ** 2).mean() / 80)
    truth, covered = 2.83 * spread, 0  # of t with 79 degrees of freedom
    for seed in range(6):
        found = fc.compare(ITEMS, kind="items").trust(n_trials=100, rng=seed, difference=truth)
        low, high = found.detectable_interval()
        covered += low <= truth <= high
        assert high - low == pytest.approx(0.2 * truth, rel=0.3)
        least, most = found.power_interval()
        assert least < 0.8 < most
    assert covered >= 4


def test_reader_studies_are_refused():
    study = {t: {r: RNG.normal(size=8) for r in "xyz"} for t in "ab"}
    found = fc.compare(study, np.arange(8) % 2, kind="readers", on_undefined="ignore")
    with pytest.raises(fc.InvalidValueError, match=r"no simulation for reader studies.*levels"):
        found.trust()


def test_times_to_an_event_are_refused():
    times = {"time": 1 + np.arange(12.0), "event": np.ones(12, int)}
    found = fc.compare(times, RNG.normal(size=12), RNG.normal(size=12), on_undefined="ignore")
    with pytest.raises(fc.InvalidValueError, match=r"no simulation for times.*levels"):
        found.trust()


def test_battles_in_clusters_are_refused():
    with pytest.raises(fc.InvalidValueError, match="no simulation for battles in clusters"):
        fc.compare(BATTLES, groups=np.arange(60) // 5).trust()


def test_trust_and_recommend_report_how_many_trials_are_done():
    heard = []
    comparison = fc.compare(ITEMS, kind="items")
    comparison.trust(n_trials=20, rng=0, progress=lambda done, total: heard.append(done == total))
    assert heard[-1]
    heard.clear()
    fc.recommend(
        kind="labels",
        n_models=2,
        n=40,
        measure=True,
        n_trials=20,
        rng=0,
        progress=lambda done, total: heard.append(done == total),
    )
    assert heard[-1]
