"""Exchanges of two models of times: all of them in fractions, and AUCs without censoring."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import rankdata

import fastcompare as fc
from tests.reference import concordance as reference_concordance
from tests.reference import horizon as reference_horizon
from tests.shared.documents import T2
from tests.survival.test_concordance import timed_cases

TIME, EVENT = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
A, B = [5, 3, 3, 4, 2, 2, 6, 1, 1, 0], [5, 4, 2, 4, 4, 3, 2, 2, 1, 1]
CHANCES = [[Fraction(score, 12) for score in scores] for scores in (A, B)]
QUIET = {"on_undefined": "ignore"}
WAYS = [
    {"method": "harrell"},
    {"method": "harrell", "tau": 4.5},
    {"method": "uno"},
    {"method": "uno", "tau": 4.5},
    {"method": "auc", "horizon": 4.5},
    {"method": "brier", "horizon": 4.5},
]
RNG = np.random.default_rng(8)
MANY = {
    "time": 4 * RNG.exponential(size=60).round(1),
    "event": RNG.random(60) < 0.6,
    "risk_a": RNG.random(60).round(2),
    "risk_b": RNG.random(60).round(2),
}
EACH = pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(map(str, way.values())))


def measured(time, event, scores, way, weights=None):
    """The measure in fractions, None where nothing is compared."""
    data, method = (list(time), [int(e) for e in event], list(scores)), way["method"]
    if method in ("harrell", "uno"):
        options = {"uno": method == "uno", "tau": way.get("tau"), "weights": weights}
        found = reference_concordance.concordance(*data, **options)
    else:
        t = way["horizon"]
        events = any(e and x <= t for x, e in zip(time, event, strict=True))
        if not (events and max(time) > t):
            return None
        function = getattr(reference_horizon, f"{method}_at")
        found = function(*data, Fraction(t), weights)
    return None if found is None else found.value


def all_exchanges(time, event, a, b, way, weights=None, groups=None):
    """The difference, and those after all exchanges of ranks (probabilities) in cases or groups."""
    if way["method"] != "brier":
        a, b = (rankdata(scores).tolist() for scores in (a, b))
    groups = list(range(len(a))) if groups is None else groups
    values = []
    for signs in itertools.product((False, True), repeat=max(groups) + 1):
        turned = [signs[g] for g in groups]
        mixed = [y if t else x for x, y, t in zip(a, b, turned, strict=True)]
        values.append(measured(time, event, mixed, way, weights))
    # the second model's scores are the first one's after the opposite exchange, in reverse order
    if None in values:
        return None
    return [first - second for first, second in zip(values, values[::-1], strict=True)]


def shares(found):
    """The p-values of both claims and of the two-sided one."""
    ways = (lambda d: d, lambda d: -d, abs)
    return [sum(way(d) >= way(found[0]) for d in found) / len(found) for way in ways]


def pvalues(*data, **options):
    """The same by the function."""
    sides = ("greater", "less", "two-sided")
    test = fc.permutation_survival_test
    return [test(*data, alternative=side, **options, **QUIET).pvalue for side in sides]


@EACH
@pytest.mark.slow
def test_the_worked_example_has_the_pvalues_of_all_exchanges_in_permutation_survival_test(way):
    time, event, *both = (
        x[:8] for x in (TIME, EVENT, *(CHANCES if "brier" in str(way) else (A, B)))
    )
    found = all_exchanges(time, event, *both, way)
    data = time, event, *([float(x) for x in own] for own in both)
    result = fc.permutation_survival_test(*data, **way)
    assert pvalues(*data, **way) == shares(found)
    assert result.exact
    assert_allclose(result.estimate, float(found[0]), rtol=1e-12)
    spread = math.sqrt(sum(float(d) ** 2 for d in found) / len(found))
    assert_allclose(result.standard_error, spread, rtol=1e-12)


@settings(max_examples=25)
@given(case=timed_cases(), seed=st.integers(0, 9), way=st.sampled_from(WAYS))
@pytest.mark.slow
def test_drawn_cases_have_the_pvalues_of_all_exchanges(case, seed, way):
    time, event, *_ = (list(column)[:5] for column in case)
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 4, (2, len(time))) / 4
    weights = rng.integers(1, 4, len(time)).tolist() if seed % 2 else None
    both = [[Fraction(x) for x in own] for own in (a, b)]
    found = all_exchanges(time, event, *both, way, weights)
    result = pvalues(time, event, a, b, sample_weight=weights, **way)
    assert np.isnan(result).all() if found is None else result == shares(found)


@EACH
@pytest.mark.slow
def test_whole_clusters_are_exchanged_in_permutation_survival_test(way):
    a, b = CHANCES if way["method"] == "brier" else (A, B)
    groups = [0, 1, 1, 2, 3, 3, 4, 0, 2, 5]
    found = all_exchanges(TIME, EVENT, a, b, way, groups=groups)
    data = TIME, EVENT, [float(x) for x in a], [float(x) for x in b]
    assert pvalues(*data, groups=groups, **way) == shares(found)


def test_of_two_times_it_is_bandos_test_of_aucs():
    y, a, b = (np.array(column) for column in T2.values())
    one = fc.permutation_auc_test(y, a, b)
    for way in ({}, {"method": "uno"}, {"method": "auc", "horizon": 1.5}):
        found = fc.permutation_survival_test(2 - y, y, a, b, **way)
        assert (found.pvalue, found.estimate) == (one.pvalue, one.estimate)
        assert found.standard_error == one.standard_error


def test_brier_scores_without_censoring_have_the_sign_flips_of_losses():
    y, p, q = np.tile([1, 0, 1, 0, 1, 0], 2), *RNG.random((2, 12))
    one = fc.scoring_test(y, p, q, method="permutation")
    found = fc.permutation_survival_test(2 - y, y, p, q, method="brier", horizon=1.5)
    assert found.pvalue == one.pvalue
    assert_allclose(found.estimate, one.estimate, rtol=1e-13)


@EACH
def test_estimates_are_those_of_the_test_with_an_interval(way):
    result = fc.permutation_survival_test(**MANY, **way, n_resamples=99, rng=0)
    others = {key: value for key, value in way.items() if key != "method"}
    data = MANY["time"], MANY["event"], MANY["risk_a"], MANY["risk_b"]
    if way["method"] in ("harrell", "uno"):
        wanted = fc.concordance_test(*data, **way, **QUIET)
        values = wanted.concordance
    else:
        test = {"auc": fc.auc_at_test, "brier": fc.survival_brier_test}[way["method"]]
        wanted = test(*data, **others, **QUIET)
        values = wanted.values
    assert_allclose(result.values, values, rtol=1e-13)
    assert_allclose(result.estimate, wanted.estimate, rtol=1e-11)
    assert (result.n, result.n_events) == (60, wanted.n_events)


@EACH
def test_swapping_the_models_turns_the_difference_alone_in_permutation_survival_test(way):
    swapped = {**MANY, "risk_a": MANY["risk_b"], "risk_b": MANY["risk_a"]}
    for more in ({"keep": True}, {"groups": np.arange(60) // 5}):
        one, other = (
            fc.permutation_survival_test(**data, **way, **more, alternative=side, rng=1)
            for data, side in ((MANY, "greater"), (swapped, "less"))
        )
        assert (one.pvalue, one.estimate) == (other.pvalue, -other.estimate)


@EACH
def test_the_order_of_cases_and_threads_change_nothing_in_permutation_survival_test(way):
    order = RNG.permutation(60)
    moved = {name: column[order] for name, column in MANY.items()}
    one = fc.permutation_survival_test(**MANY, **way, keep=True, n_resamples=300, rng=1)
    for data, jobs in ((moved, 1), (MANY, 2)):
        other = fc.permutation_survival_test(
            **data, **way, keep=True, n_resamples=300, rng=1, n_jobs=jobs
        )
        assert one.pvalue == other.pvalue


@pytest.mark.parametrize("way", WAYS[:5], ids=str)
def test_only_the_order_of_scores_matters_in_permutation_survival_test(way):
    stretched = {**MANY, "risk_a": np.exp(5 * MANY["risk_a"]), "risk_b": MANY["risk_b"] * 3 - 1}
    one, other = (
        fc.permutation_survival_test(**data, **way, keep=True, n_resamples=300, rng=1)
        for data in (MANY, stretched)
    )
    assert one.pvalue == other.pvalue


@pytest.mark.parametrize("way", WAYS[:5], ids=str)
def test_predicted_times_are_reversed_risks_in_permutation_survival_test(way):
    times = {**MANY, "risk_a": -MANY["risk_a"], "risk_b": -MANY["risk_b"]}
    options = {**way, "n_resamples": 300, "keep": True, "rng": 1}
    one = fc.permutation_survival_test(**MANY, **options)
    other = fc.permutation_survival_test(**times, **options, predicts="time")
    assert (one.pvalue, one.estimate) == (other.pvalue, other.estimate)


@EACH
def test_random_exchanges_are_near_all_of_them_in_permutation_survival_test(way):
    few = {name: column[:20] for name, column in MANY.items()}
    way = {**way, **({"horizon": 3.0} if "horizon" in way else {})}
    every = fc.permutation_survival_test(**few, **way)
    drawn = fc.permutation_survival_test(**few, **way, keep=True, n_resamples=20_000, rng=2)
    assert every.exact
    assert not drawn.exact
    assert drawn.pvalue == pytest.approx(every.pvalue, abs=0.02)
    assert np.std(drawn.distribution) == pytest.approx(every.standard_error, rel=0.05)
    assert drawn.pvalue == np.mean(
        np.append(abs(drawn.distribution) >= abs(every.estimate) * (1 - 1e-9), True)
    )


@EACH
def test_equal_models_have_a_pvalue_of_1_in_permutation_survival_test(way):
    data = {**MANY, "risk_b": MANY["risk_a"]}
    result = fc.permutation_survival_test(**data, **way, **QUIET)
    assert (result.pvalue, result.estimate, result.status) == (1.0, 0.0, "identical")


def test_nothing_to_compare_is_undefined_in_permutation_survival_test():
    with pytest.warns(fc.UndefinedResultWarning, match="no_pairs"):
        result = fc.permutation_survival_test([1, 2], [0, 1], [1, 2], [2, 1])
    assert math.isnan(result.pvalue)
    assert math.isnan(result.estimate)
    for method in ("auc", "brier"):
        with pytest.warns(fc.UndefinedResultWarning, match="outside_horizon"):
            found = fc.permutation_survival_test(
                TIME, EVENT, [0.1] * 10, [0.2] * 10, method=method, horizon=99
            )
        assert math.isnan(found.pvalue)


@pytest.mark.parametrize("way", [{"method": "uno", "tau": 2}, {"method": "brier", "horizon": 2}])
def test_thousands_of_cases_have_random_exchanges_in_permutation_survival_test(way):
    time, risk = RNG.exponential(size=3000), RNG.random((2, 3000))
    found = fc.permutation_survival_test(
        time, RNG.random(3000) < 0.7, *risk, n_resamples=200, rng=0, **way, **QUIET
    )
    assert not found.exact
    assert 0.0 < found.pvalue <= 1.0


def test_few_clusters_are_announced_in_permutation_survival_test():
    groups = np.arange(60) % 3
    with pytest.warns(fc.SmallSampleWarning, match="few_clusters"):
        found = fc.permutation_survival_test(**MANY, groups=groups)
    assert found.pvalue >= 0.25
    assert "3 clusters" in found.summary()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "auc"}, "`horizon` must be specified for method='auc', got None"),
        ({"horizon": 2}, "`horizon` must be None for method='harrell', got 2"),
        ({"method": "brier", "horizon": 1, "tau": 2}, "`tau` must be None for method='brier'"),
        ({"method": "brier", "horizon": 1, "predicts": "time"}, "`predicts` must be 'risk'"),
        ({"method": "auc", "horizon": [1, 2]}, "`horizon` must be one number"),
        ({"alternative": "equivalence"}, "`alternative` must be one of"),
        ({"method": "c"}, "`method` must be one of"),
    ],
)
def test_invalid_options_are_named_in_permutation_survival_test(options, words):
    with pytest.raises(fc.InvalidValueError, match=words):
        fc.permutation_survival_test(**MANY, **options)


def test_probabilities_outside_0_and_1_are_named_in_permutation_survival_test():
    data = {**MANY, "risk_b": MANY["risk_b"] + 0.5}
    with pytest.raises(fc.InvalidValueError, match="`risk_b`"):
        fc.permutation_survival_test(**data, method="brier", horizon=1)


def test_sentences_name_measure_and_models_in_permutation_survival_test():
    table = {"new": MANY["risk_a"], "old": MANY["risk_b"]}
    cases = MANY["time"], MANY["event"], table
    found = [fc.permutation_survival_test(*cases, **way, rng=0).summary() for way in WAYS]
    assert all("(new) and" in text for text in found)
    starts = ["Harrell's C is", "Harrell's C is", "Uno's C is", "Uno's C is"]
    starts += ["The AUC at 4.5 is", "The Brier score at 4.5 is"]
    assert all(start in text for start, text in zip(starts, found, strict=True))
