"""What is asked of `compare`: a test by name, a margin, a control, a gate, one model alone."""

import json
from functools import partial

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._base.lazy import LazyFunction
from fastcompare.advice.kinds import KINDS
from fastcompare.advice.named import OMNIBUS_TESTS, TESTS_BY_KIND

DATA, FOLDS, SETS = fc.load_predictions(), fc.load_fold_scores(), fc.load_dataset_scores()
RNG = np.random.default_rng(3)
ITEMS = {name: RNG.random(40) + shift for name, shift in zip("abc", (0, 0.1, 0.2), strict=True)}
TIME, EVENT = RNG.exponential(size=80), RNG.random(80) < 0.7
RISKS = {name: -TIME + RNG.normal(size=80) for name in "abc"}
UNTIED = {name: RNG.normal(size=9) for name in "abc"}
QUICK = {"n_resamples": 199, "rng": 1}


def some(columns, k):
    return {name: np.asarray(columns[name]) for name in list(columns)[:k]}


CALLS = {
    "scores": lambda k, **asked: fc.compare(DATA.y_true, some(DATA.scores, k), **asked),
    "labels": lambda k, **asked: fc.compare(
        DATA.y_true, some(DATA.scores, k), threshold=0.5, **asked
    ),
    "probabilities": lambda k, **asked: fc.compare(DATA.y_true, some(DATA.scores, k), **asked),
    "folds": lambda k, **asked: fc.compare(
        {name: x[:10] for name, x in some(FOLDS.scores, k).items()}, n_train=9, n_test=1, **asked
    ),
    "datasets": lambda k, **asked: fc.compare(
        some(UNTIED if asked["test"] == "exact" else SETS.scores, k), **asked
    ),
    "items": lambda k, **asked: fc.compare(some(ITEMS, k), **asked),
    "times": lambda k, **asked: fc.compare({"time": TIME, "event": EVENT}, some(RISKS, k), **asked),
}
EVERY = [(kind, test, k) for kind, table in TESTS_BY_KIND.items() for test in table for k in (2, 3)]


@pytest.mark.filterwarnings("ignore::fastcompare.DesignWarning")
@pytest.mark.parametrize(("kind", "test", "k"), EVERY)
def test_every_test_by_name_compares_or_says_how_many_models_it_takes(kind, test, k):
    tests = TESTS_BY_KIND[kind][test]
    drawn = tests.taking("n_resamples", k) and tests.omnibus is None
    more = {"groups": np.arange(len(DATA.y_true)) % 40} if test == "within-auc" else {}
    call = partial(CALLS[kind], k, kind=kind, test=test, **(QUICK if drawn else more))
    few = k == 2 and kind == "datasets" and test in OMNIBUS_TESTS
    many = k == 3 and tests.pairs is tests.omnibus is None
    if few or many or test == "bonferroni-dunn":
        said = "does not compare 3 models|by `control`|at least 3 models"
        with pytest.raises(fc.InvalidValueError, match=said):
            call()
        return
    found = call()
    assert found.kind == kind
    assert len(found.models) == k
    assert all(np.isfinite(model.value) for model in found.models)
    assert "(as specified)" in " ".join(found.reasons) or kind == "times"
    assert str(found)
    json.dumps(found.to_dict())


NAMES = {
    "delong_test": "delong",
    "DeLong": "delong",
    "delong_pairwise_test": "delong",
    "bootstrap_auc_test": "bootstrap",
    "average precision": "average-precision",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_test_may_be_called_as_its_function(name):
    more = QUICK if "bootstrap" in name or "average" in name else {}
    found = CALLS["scores"](2, test=name, **more)
    want = CALLS["scores"](2, test=NAMES[name], **more)
    assert found.pairs == want.pairs
    assert list(found.tests) == list(want.tests)


@pytest.mark.parametrize("name", ["", "-", " "])
def test_compare_refuses_a_test_without_a_name(name):
    with pytest.raises(ValueError, match="`test` must be one of 'delong'"):
        CALLS["scores"](2, test=name)


def test_what_fits_one_kind_alone_tells_the_kind():
    assert fc.compare(DATA.y_true, DATA.scores, rule="spherical").kind == "probabilities"
    assert fc.compare(DATA.y_true, DATA.scores, test="scoring").kind == "probabilities"
    assert fc.compare(SETS.scores, test="nemenyi").kind == "datasets"
    labels = fc.compare(DATA.y_true, DATA.scores, threshold=0.5)
    assert labels.kind == "labels"
    called = {name: np.asarray(x) >= 0.5 for name, x in DATA.scores.items()}
    want = fc.mcnemar_pairwise_test(np.asarray(DATA.y_true) == 1, called)
    assert np.array_equal(labels.result.pvalue, want.pvalue)


def test_a_rule_is_that_of_all_tests_and_of_the_values():
    found = fc.compare(DATA.y_true, some(DATA.scores, 3), rule="log", clip=1e-3)
    want = fc.scoring_pairwise_test(DATA.y_true, some(DATA.scores, 3), rule="log", clip=1e-3)
    assert found.quantity == "log loss"
    assert np.array_equal(found.result.estimate, want.estimate)
    assert found.values == dict(zip(want.names, want.losses.tolist(), strict=True))
    assert "log loss" in found.omnibus.summary()
    assert "Brier" not in f"{found}{found.to_latex()}"


@pytest.mark.parametrize("alternative", [None, "greater", "less", "equivalence"])
def test_a_margin_is_that_of_the_test_of_two(alternative):
    found = CALLS["scores"](2, margin=0.1, alternative=alternative)
    claim = alternative or "greater"
    want = fc.delong_test(DATA.y_true, some(DATA.scores, 2), margin=0.1, alternative=claim)
    assert (found.result.pvalue, found.result.alternative) == (want.pvalue, claim)
    losses = CALLS["probabilities"](2, rule="brier", margin=0.1)
    assert losses.result.alternative == "less"  # not worse by more than the margin
    rounds = CALLS["folds"](2, kind="folds", margin=0.02)
    assert rounds.result.margin == 0.02


@pytest.mark.parametrize("name", list(DATA.scores)[:2])
def test_a_control_is_compared_with_all_others(name):
    found = fc.compare(DATA.y_true, DATA.scores, control=name)
    want = fc.delong_control_test(DATA.y_true, DATA.scores, name)
    assert np.array_equal(found.result.adjusted_pvalue, want.adjusted_pvalue)
    assert len(found.pairs) == 4
    sets = fc.compare(SETS, control="random_forest")
    assert sets.result.control == "random_forest"
    ranks = fc.control_test(SETS.scores, "random_forest")
    assert np.array_equal(sets.result.pvalue, ranks.pvalue)
    signed = fc.compare(SETS, control="random_forest", test="wilcoxon")
    alone = fc.wilcoxon_pairwise_test(SETS.scores, control="random_forest")
    assert np.array_equal(signed.result.adjusted_pvalue, alone.adjusted_pvalue)
    assert "random_forest scores higher than decision_tree" in signed.summary()


MEASURES = {
    "scores": ("roc_auc_interval", {}),
    "labels": ("accuracy_interval", {}),
    "probabilities": ("scoring_interval", {"rule": "brier"}),
    "items": ("mean_interval", {"kind": "items"}),
    "times": ("concordance_interval", {}),
}


@pytest.mark.parametrize("kind", MEASURES)
def test_one_model_has_its_measure_with_an_interval(kind):
    name, asked = MEASURES[kind]
    found = CALLS[kind](1, **asked)
    assert list(found.tests) == [name]
    assert found.pairs == ()
    assert found.models[0].value == found.result.estimate
    assert found.kind == kind
    assert found.names[0] in str(found)
    low, high = found.result.confidence_interval()
    assert low < found.models[0].value < high
    json.dumps(found.to_dict())
    with pytest.raises(fc.InvalidValueError, match="two models or more"):
        found.trust()
    with pytest.raises(fc.InvalidValueError, match="confidence intervals of differences"):
        found.gate("worse")


WRONG = {
    "unknown": ({"test": "delogn"}, "`test` must be one of 'delong', .* Did you mean 'delong'"),
    "of another kind": ({"test": "nemenyi", "kind": "scores"}, "It is for kind='datasets'"),
    "no word": ({"test": 3}, "must be the name of a test"),
    "no margin": ({"margin": 0.1}, "`margin` is about two models, not 5: choose them by `models`"),
    "equivalence": ({"alternative": "equivalence"}, "about two models, not 5"),
    "order": ({"order_effect": True}, "`order_effect` has no meaning for delong"),
    "draws": ({"n_resamples": 9}, "`n_resamples` has no meaning .* `test` 'bootstrap'"),
    "draws of none": ({"n_resamples": 0, "test": "bootstrap"}, "`n_resamples` must be at least 1"),
    "control": ({"control": "naive_baise"}, "Did you mean 'naive_bayes'"),
    "no control": ({"test": "bootstrap", "control": "naive_bayes"}, "no test against a control"),
    "threshold": ({"threshold": float("nan")}, "`threshold` must be finite"),
    "threshold of what": ({"threshold": 0.5, "kind": "probabilities"}, "`threshold` is for scores"),
    "rule": ({"rule": "logg"}, "`rule` must be one of"),
    "two": ({"test": "permutation"}, "permutation_auc_test does not compare 5 models"),
}


@pytest.mark.parametrize(("asked", "message"), WRONG.values(), ids=WRONG)
def test_what_does_not_go_together_is_refused_with_the_way_on(asked, message):
    with pytest.raises(fc.FastCompareError, match=message):
        fc.compare(DATA.y_true, DATA.scores, **asked)


def gate_by_hand(low, high, gate, margin):
    """The three gates by their definition, of intervals where higher is better."""
    if gate == "worse":
        return all(end >= 0 for end in high)
    return all(end > (-margin if gate == "not-noninferior" else 0) for end in low)


@pytest.mark.parametrize("gate", ["worse", "not-better", "not-noninferior"])
def test_a_gate_goes_by_simultaneous_intervals(gate):
    found = fc.compare(DATA.y_true, DATA.scores)
    level = 0.9 if gate == "not-noninferior" else 0.95
    low, high = found.result.confidence_interval(level, simultaneous=True)
    for name in DATA.scores:
        ends = [
            (low[p], high[p]) if pair[0] == name else (-high[p], -low[p])
            for p, pair in enumerate(found.result.pairs)
            if name in pair
        ]
        margin = 0.03 if gate == "not-noninferior" else 0.0
        told = found.gate(gate, model=name, margin=margin)
        assert told.passed == bool(told) == gate_by_hand(*zip(*ends, strict=True), gate, margin)
        assert repr(name) in told.summary()
        assert (told.low, told.high) in [tuple(map(float, pair)) for pair in ends]


def test_a_gate_of_losses_knows_that_lower_is_better():
    found = CALLS["probabilities"](2, rule="brier")
    best, worst = (model.name for model in found.models)
    assert found.gate("not-better", model=best).passed
    assert not found.gate("worse", model=worst).passed
    assert not found.gate("not-noninferior", model=worst, margin=1e-6).passed
    with pytest.raises(fc.InvalidValueError, match="needs `margin`"):
        found.gate("not-noninferior")
    with pytest.raises(fc.InvalidValueError, match="leaves open"):
        CALLS["scores"](2, alternative="less").gate("not-better")


HALF = np.array([0.81, 0.79, 0.83, 0.8, 0.82, 0.78, 0.84, 0.8, 0.79, 0.83])


@pytest.mark.parametrize(
    "design", [{"design": "kfold"}, {"design": "5x2cv", "n_train": 9, "n_test": 9}]
)
@pytest.mark.parametrize("k", [2, 3])
def test_options_of_rounds_that_share_cases_are_taken_or_refused_by_what_ran(design, k):
    models = {"abc"[i]: HALF - 0.01 * i * (np.arange(10) % 3) for i in range(k)}
    result = fc.compare(models, kind="folds", alternative="greater", **design).result
    assert result.alternative == "greater"
    with pytest.raises(fc.InvalidValueError, match=r"`clip` has no meaning for [a-z]+_") as refused:
        fc.compare(models, kind="folds", clip=0.1, **design)
    assert "Omit it" in str(refused.value)
    if k == 2:
        with pytest.raises(fc.InvalidValueError, match=r"`correction` .*got 'holm'. Omit it\.$"):
            fc.compare(models, kind="folds", correction="holm", **design)


def test_every_test_that_is_named_exists():
    tests = [test for table in TESTS_BY_KIND.values() for row in table.values() for test in row]
    lazy = [getattr(test, "__wrapped__", getattr(test, "func", test)) for test in tests]
    lazy = [test for test in lazy if isinstance(test, LazyFunction)]
    assert len(lazy) > 50
    assert {test.function.__name__ for test in lazy} == {test.__name__ for test in lazy}
    kinds = [
        getattr(run, "func", run) for kind in KINDS.values() for run in (kind.analyse, kind.like)
    ]
    assert all(callable(run.function) for run in kinds)
