"""AUC(t) and Brier(t): exact fractions, timeROC, the limit without censoring, laws."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare._inputs.times import as_times
from fastcompare.survival._horizon import AtHorizon, HorizonAUCs, HorizonBrierScores, rank_models
from fastcompare.survival._pairs import order_by_time
from tests.reference import horizon as reference

GOLDEN = Path(__file__).parents[1] / "golden" / "survival"
EXACT = json.loads((GOLDEN / "concordance_exact.json").read_text())["cases"]
TIMEROC = json.loads((GOLDEN / "auc_at_time_timeroc.json").read_text())["cases"]
SURVIVAL = json.loads((GOLDEN / "concordance_survival.json").read_text())["cases"]
QUIET = {"on_undefined": "ignore"}
TESTS = {"auc": fc.auc_at_test, "brier": fc.survival_brier_test}
INTERVALS = {"auc": fc.auc_at_interval, "brier": fc.survival_brier_interval}
PAIRS = {"auc": fc.auc_at_pairwise_test, "brier": fc.survival_brier_pairwise_test}


def measured(kind, time, event, scores, t, weights=None):
    """The values of models in the order of the cases: estimates, and errors of each case."""
    table = {f"m{j}": np.array(own, float) for j, own in enumerate(scores)}
    cases = as_times(np.array(time, float), np.array(event), sample_weight=weights, table=table)
    ordered = order_by_time(cases)
    at = AtHorizon(ordered, t)
    if kind == "auc":
        return HorizonAUCs.of(at, rank_models(ordered, 1), 1), np.argsort(ordered.order)
    return HorizonBrierScores(at, [own[ordered.order] for own in cases.scores]), np.argsort(
        ordered.order
    )


def drawn(n=120, censored=0.8, seed=0, ties=False):
    """Times, events, two scores and two chances of an event by 1."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    death, left = rng.exponential(np.exp(-z)), rng.exponential(1 / max(censored, 1e-9), n)
    time, event = np.minimum(death, left), (death <= left).astype(int)
    if ties:
        time = np.ceil(4 * time) / 4
    a, b = z + rng.normal(size=(2, n))
    return time, event, a, b, *(1 / (1 + np.exp(-x)) for x in (a, b))


def two(kind, data):
    """The two models of a measure."""
    return data[2:4] if kind == "auc" else data[4:6]


@pytest.mark.parametrize("case", EXACT, ids=lambda case: case["name"])
@pytest.mark.parametrize("kind", ["auc", "brier"])
def test_values_and_covariances_are_the_exact_fractions(case, kind):
    want = case[f"{kind}_at_horizon"]
    over = 1 if kind == "auc" else 12
    scores = [[s / over for s in own] for own in case["scores"]]
    found, _ = measured(kind, case["time"], case["event"], scores, case["horizon"])
    if min(found.at.sizes) == 0:
        assert math.isnan(found.estimate(0))
        return
    k = range(len(scores))
    assert_allclose(
        [found.estimate(i) for i in k], [value for _, value in want["value"]], rtol=1e-14
    )
    errors = np.array([found.components(i) for i in k])
    exact = [[value for _, value in row] for row in want["covariance"]]
    assert_allclose(errors @ errors.T, exact, atol=1e-15)
    if len(scores) > 1:
        difference = found.components(0, 1)
        assert_allclose(found.estimate(0, 1), want["difference"][1], atol=1e-15)
        assert_allclose(difference @ difference, want["variance_difference"][1], atol=1e-15)


@st.composite
def timed(draw):
    """Few cases with ties, whole weights, a horizon that may be an event time."""
    n = draw(st.integers(3, 9))
    column = st.lists(st.integers(1, 6), min_size=n, max_size=n)
    event = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    return draw(column), event, draw(column), draw(column), draw(st.integers(2, 10)) / 2


@given(case=timed())
def test_weighted_errors_of_each_case_are_those_of_all_pairs_in_fractions(case):
    time, event, score, weights, t = case
    for kind, define in (("auc", reference.auc_at), ("brier", reference.brier_at)):
        own = score if kind == "auc" else [Fraction(s, 8) for s in score]
        found, back = measured(kind, time, event, [list(map(float, own))], t, weights)
        if min(found.at.sizes) == 0:
            continue
        want = define(time, event, own, t, weights)
        assert_allclose(found.estimate(0), float(want.value), rtol=1e-12)
        exact = [float(x) for x in reference.errors(want, weights)]
        assert_allclose(found.components(0)[back], exact, atol=1e-12)


@pytest.mark.parametrize("case", TIMEROC, ids=lambda case: f"{case['name']} {case['horizon']}")
def test_normal_reference_agrees_with_timeroc(case):
    """R's timeROC 0.4.1; at event times it leaves out the events of that time, which count here."""
    data = next(own for own in SURVIVAL if own["name"] == case["name"])
    time, event, scores = np.array(data["time"], float), data["event"], data["scores"]
    if (time == case["horizon"]).any():
        pytest.skip("an event time equal to the horizon, by another convention")
    result = fc.auc_at_pairwise_test(
        time, event, scores, horizon=case["horizon"], reference="normal"
    )
    assert_allclose(result.values, case["auc"], rtol=1e-12)
    covariance = np.array(case["covariance_n_minus_1"])
    scale = np.sqrt(np.outer(*2 * [np.diag(covariance)]))
    assert_allclose(result.covariance / scale, covariance / scale, atol=2e-4)  # timeROC's own
    first = [scores[name] for name in list(scores)[:2]]
    p = fc.auc_at_test(time, event, *first, horizon=case["horizon"], reference="normal").pvalue
    assert_allclose(p, case["p_first_two"], rtol=2e-2)


def test_an_event_at_the_horizon_counts_in_auc_at_interval():
    data = next(own for own in SURVIVAL if own["name"] == "ovarian")
    arguments = data["time"], data["event"], data["scores"][next(iter(data["scores"]))]
    at, beyond = (fc.auc_at_interval(*arguments, horizon=t) for t in (365, 366))
    before = fc.auc_at_interval(*arguments, horizon=364)
    assert (at.n_events, before.n_events) == (beyond.n_events, at.n_events - 1)


def test_without_censoring_auc_at_is_delongs_test():
    time, _, a, b, *_ = drawn(80)
    event = np.ones(80, int)
    label = time <= 0.6
    result = fc.auc_at_test(time, event, a, b, horizon=0.6)
    want = fc.delong_test(label, a, b, reference="t")
    assert result.values.tolist() == want.auc.tolist()
    assert_allclose(result.estimate, want.estimate, rtol=1e-13)
    assert_allclose(result.standard_error, want.standard_error, rtol=1e-12)
    assert_allclose(result.df, want.df, rtol=1e-10)
    assert_allclose(result.pvalue, want.pvalue, rtol=1e-9)
    several = fc.auc_at_pairwise_test(time, event, {"a": a, "b": b}, horizon=0.6)
    assert_allclose(several.covariance, fc.delong_covariance(label, {"a": a, "b": b}).covariance)


def test_without_censoring_brier_at_is_the_paired_t_test_of_losses():
    time, _, *_, p, q = drawn(80)
    label = time <= 0.6
    result = fc.survival_brier_test(time, np.ones(80, int), p, q, horizon=0.6)
    want = stats.ttest_rel((p - label) ** 2, (q - label) ** 2)
    assert_allclose(result.values, [fc.brier_score(label, x) for x in (p, q)], rtol=1e-13)
    assert_allclose(result.statistic, want.statistic, rtol=1e-11)


def test_clusters_without_censoring_are_those_of_delong():
    time, _, a, b, *_ = drawn(90)
    groups = np.arange(90) // 3
    result = fc.auc_at_test(time, np.ones(90, int), a, b, horizon=0.6, groups=groups)
    want = fc.delong_test(time <= 0.6, a, b, groups=groups)
    assert_allclose(result.standard_error, want.standard_error, rtol=1e-11)
    assert want.df * 0.8 < result.df < want.df * 1.3


@pytest.mark.parametrize("kind", TESTS)
def test_clusters_of_one_case_are_no_clusters(kind):
    data = drawn(60)
    plain, alone = (
        TESTS[kind](*data[:2], *two(kind, data), horizon=0.6, **given)
        for given in ({}, {"groups": np.arange(60)})
    )
    worth = 1e-3 if kind == "auc" else 1e-12  # events count by their weights there
    assert_allclose(alone.standard_error, plain.standard_error, rtol=worth)
    assert_allclose(alone.pvalue, plain.pvalue, rtol=0.02)


@pytest.mark.parametrize("kind", TESTS)
def test_laws(kind):
    """Swap negates; the order of cases, and the unit of time, change nothing."""
    data = drawn(70, ties=True)
    time, event, (a, b) = *data[:2], two(kind, data)
    test = TESTS[kind]
    first, swapped = (test(time, event, *pair, horizon=0.75) for pair in ((a, b), (b, a)))
    assert first.estimate == -swapped.estimate
    assert_allclose(first.pvalue, swapped.pvalue, rtol=1e-12)
    order = np.random.default_rng(1).permutation(70)
    again = test(4 * time[order], event[order], a[order], b[order], horizon=3)
    assert_allclose(again.estimate, first.estimate, rtol=1e-12)
    assert_allclose(again.pvalue, first.pvalue, rtol=1e-9)
    alike = test(time, event, a, a.copy(), horizon=0.75)
    assert (alike.statistic, alike.pvalue, alike.status) == (0.0, 1.0, "identical")
    weighted = test(time, event, a, b, horizon=0.75, sample_weight=np.full(70, 3.7))
    assert_allclose(weighted.pvalue, first.pvalue, rtol=1e-6)


def test_only_the_order_of_scores_counts_and_predicted_times_are_turned_round_in_auc_at_test():
    time, event, a, b, *_ = drawn(70)
    first = fc.auc_at_test(time, event, a, b, horizon=0.75)
    turned = fc.auc_at_test(time, event, -np.exp(a), -b, horizon=0.75, predicts="time")
    assert (first.pvalue, first.values.tolist()) == (turned.pvalue, turned.values.tolist())
    assert fc.auc_at_test(time, event, a, 2 * a + 1, horizon=0.75).standard_error == 0.0


@pytest.mark.parametrize("kind", TESTS)
def test_pairs_are_the_single_tests(kind):
    data = drawn(90)
    time, event, (a, b) = *data[:2], two(kind, data)
    table = {"a": a, "b": b, "c": a[::-1].copy()}
    result = PAIRS[kind](time, event, table, horizon=0.8, correction="none")
    for p, (one, other) in enumerate(result.pairs):
        single = TESTS[kind](time, event, table[one], table[other], horizon=0.8)
        got = [getattr(result, name)[p] for name in ("estimate", "standard_error", "df", "pvalue")]
        want = [single.estimate, single.standard_error, single.df, single.pvalue]
        assert_allclose(got, want, rtol=1e-12)
        ends = [end[p] for end in result.confidence_interval(0.9)]
        assert_allclose(ends, single.confidence_interval(0.9), rtol=1e-12)
    assert result.higher_is_better is (kind == "auc")
    best = np.argmax(result.values) if kind == "auc" else np.argmin(result.values)
    assert result._standing().argmin() == best


@pytest.mark.parametrize("kind", TESTS)
@pytest.mark.parametrize("claim", [("two-sided", 0.0), ("greater", 0.05), ("equivalence", 0.2)])
def test_several_horizons_are_the_single_tests_with_a_joint_allowance(kind, claim):
    alternative, margin = claim
    data = drawn(150)
    time, event, pair = *data[:2], two(kind, data)
    times = [0.3, 0.6, 0.61, 1.0]
    many = pair if kind == "auc" else [np.repeat(own[:, None], 4, axis=1) for own in pair]
    options = {"alternative": alternative, "margin": margin}
    result = TESTS[kind](time, event, *many, horizon=times, **options)
    single = [TESTS[kind](time, event, *pair, horizon=t, **options) for t in times]
    assert_allclose(result.pvalue, [one.pvalue for one in single], rtol=1e-12)
    assert_allclose(result.log_pvalue, [one.log_pvalue for one in single], rtol=1e-12)
    ends = np.transpose([one.confidence_interval() for one in single])
    assert_allclose(result.confidence_interval(), ends, rtol=1e-12)
    low, high = result.confidence_interval(simultaneous=True)
    assert (low <= ends[0]).all()
    assert (high >= ends[1]).all()
    bonferroni = np.transpose([one.confidence_interval(1 - 0.05 / 4) for one in single])
    assert (low >= bonferroni[0] - 1e-12).all()
    assert (result.adjusted_pvalue >= result.pvalue).all()
    assert (result.adjusted_pvalue <= np.minimum(4 * result.pvalue, 1) + 1e-12).all()
    assert result.values.shape == (2, 4)


def test_joint_intervals_reject_where_adjusted_pvalues_do_in_auc_at_test():
    time, event, a, b, *_ = drawn(200, seed=3)
    result = fc.auc_at_test(time, event, a, b + 0.3 * a, horizon=[0.3, 0.6, 1.0])
    for h, p in enumerate(result.adjusted_pvalue):
        for level in (1 - p - 1e-4, 1 - p + 1e-4):
            low, high = result.confidence_interval(level, simultaneous=True)
            assert (low[h] <= 0 <= high[h]) == (level > 1 - p)


@pytest.mark.parametrize("kind", INTERVALS)
def test_intervals_of_losses_are_symmetric_for_log_odds_and_curves_have_those_of_one(kind):
    data = drawn(100)
    result = INTERVALS[kind](*data[:2], two(kind, data)[0], horizon=0.7)
    low, high = result.confidence_interval(0.9)
    centre = np.log(result.estimate / (1 - result.estimate))
    radius = stats.t.ppf(0.95, result.df) * result.standard_error
    radius /= result.estimate * (1 - result.estimate)
    if kind == "brier":
        logits = [np.log(x / (1 - x)) for x in (low, high)]
        assert_allclose(logits, [centre - radius, centre + radius])
    several = data[4][:, None] * [1.0, 1.0] if kind == "brier" else data[2]
    curve = INTERVALS[kind](*data[:2], several, horizon=[0.7, 0.9])
    assert_allclose(curve.estimate[0], result.estimate)
    assert_allclose([end[0] for end in curve.confidence_interval(0.9)], (low, high))
    wide = curve.confidence_interval(0.9, simultaneous=True)
    assert (wide.low < curve.confidence_interval(0.9).low).all()


@pytest.mark.parametrize("design", [{}, {"groups": np.arange(100) // 4}], ids=str)
def test_intervals_of_an_auc_are_those_of_roc_auc_interval_without_censoring(design):
    time, _, score, *_ = drawn(100)
    found = fc.auc_at_interval(time, np.ones(100, int), score, horizon=0.7, **design)
    wanted = fc.roc_auc_interval(time <= 0.7, score, **design)
    assert_allclose(found.confidence_interval(0.9), wanted.confidence_interval(0.9), rtol=1e-9)


def test_a_perfect_auc_has_the_score_interval():
    time, event = np.arange(1, 21.0), np.ones(20, int)
    result = fc.auc_at_interval(time, event, -time, horizon=8)
    want = fc.roc_auc_interval(time <= 8, -time, on_undefined="ignore").confidence_interval()
    assert (result.estimate, result.standard_error) == (1.0, 0.0)
    assert_allclose(result.confidence_interval(), want)


STATUSES = {
    "outside_horizon": ([1, 2, 3, 4], [1, 1, 1, 1], 0.5),
    "outside_horizon ": ([1, 2, 3, 4], [1, 1, 1, 1], 4.0),
    "outside_horizon  ": ([1, 2, 3, 4], [0, 0, 1, 1], 2.5),
    "too_few": ([1, 2, 3, 4], [1, 1, 1, 1], 1.5),
    "too_few ": ([1, 2, 3, 4], [1, 1, 1, 1], 3.5),
}


@pytest.mark.parametrize("name", STATUSES)
@pytest.mark.parametrize("kind", TESTS)
def test_undefined_horizons(name, kind):
    time, event, t = STATUSES[name]
    models = [0.9, 0.7, 0.2, 0.3], [0.5, 0.6, 0.7, 0.1]
    word = name.strip()
    with pytest.warns(fc.UndefinedResultWarning, match=word):
        result = TESTS[kind](time, event, *models, horizon=t)
    assert np.isnan([result.pvalue, result.standard_error, *result.confidence_interval()]).all()
    assert np.isnan(result.values).all() == (word == "outside_horizon")
    with pytest.raises(fc.UndefinedResultError):
        INTERVALS[kind](time, event, models[0], horizon=t, on_undefined="raise")


def test_small_and_heavy_samples_are_said_in_auc_at_interval():
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        fc.auc_at_interval([1, 2, 3, 4, 5], [1] * 5, [3, 5, 4, 1, 2], horizon=2.5)
    time, event = np.arange(1, 101.0), np.zeros(100, int)
    event[:12] = event[94:] = 1
    score = np.random.default_rng(0).normal(size=100)
    with pytest.warns(fc.SmallSampleWarning, match="heavy_weights"):
        fc.auc_at_interval(time, event, score, horizon=97)


def test_the_chance_of_no_censoring_is_kaplan_and_meiers():
    time, event = [1, 2, 3, 4, 5, 6], [1, 0, 1, 0, 1, 1]
    for horizon, want in {0.5: 1.0, 1.5: 1.0, 2.5: 4 / 5, 4.5: 4 / 5 * 2 / 3}.items():
        found, _ = measured("brier", time, event, [[0.5] * 6], horizon)
        assert found.at.uncensored == pytest.approx(want, rel=1e-14)


def test_a_difference_without_variance_in_auc_at_test():
    time, event = [1, 2, 3, 4], [1, 1, 1, 1]
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        result = fc.auc_at_test(time, event, [4, 3, 2, 1], [1, 2, 3, 4], horizon=2)
    assert (result.statistic, math.isnan(result.pvalue)) == (math.inf, True)
    with pytest.warns(fc.UndefinedResultWarning, match="perfect_separation"):
        result = fc.auc_at_test(time, event, [4, 3, 2, 1], [9, 8, 1, 2], horizon=2)
    assert (result.statistic, result.pvalue) == (0.0, 1.0)


WRONG = {
    "`horizon` must be above 0": {"horizon": -1.0},
    "`horizon` must be a number": {"horizon": "1"},
    "`horizon` must be a number or 1-d": {"horizon": [[1.0]]},
    "`horizon` must contain different": {"horizon": [1.0, 1.0]},
    "`reference` must be one of": {"reference": "f"},
    "`margin` must be": {"margin": 2.0, "alternative": "less"},
}


@pytest.mark.parametrize("message", WRONG)
@pytest.mark.parametrize("kind", TESTS)
def test_wrong_options_are_named(message, kind):
    data = drawn(20)
    with pytest.raises(fc.FastCompareError, match=message):
        TESTS[kind](*data[:2], *two(kind, data), **{"horizon": 0.5, **WRONG[message]})


def test_wrong_chances_are_named():
    time, event, a, _, p, q = drawn(20)
    with pytest.raises(fc.InvalidValueError, match="`probability_a` must contain probabilities"):
        fc.survival_brier_test(time, event, a, q, horizon=0.5)
    with pytest.raises(fc.InvalidValueError, match=r"shape \(n, 2\), a column for each horizon"):
        fc.survival_brier_test(time, event, p, q, horizon=[0.5, 0.7])
    with pytest.raises(fc.InvalidValueError, match="`horizon` must be one number for all pairs"):
        fc.auc_at_pairwise_test(time, event, {"p": p, "q": q}, horizon=[0.5, 0.7])
    missing = np.where(np.arange(20) == 3, np.nan, p)
    with pytest.raises(fc.InvalidValueError, match="`probability_b` has 1 missing"):
        fc.survival_brier_test(time, event, q, missing, horizon=0.5)
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.survival_brier_test(time, event, q, missing, horizon=0.5, nan_policy="omit")
    kept = np.arange(20) != 3
    want = fc.survival_brier_test(time[kept], event[kept], q[kept], p[kept], horizon=0.5)
    assert (found.pvalue, found.n_dropped) == (want.pvalue, 1)


def test_names_reach_sentences():
    time, event, a, b, p, q = drawn(60)
    said = fc.auc_at_test(time, event, {"old": a, "new": b}, horizon=0.6).summary()
    assert "old" in said
    assert "AUC at 0.6" in said
    said = fc.survival_brier_test(time, event, {"old": p, "new": 0 * q + 1}, horizon=0.6).summary()
    assert said.startswith("old has a significantly lower Brier score at 0.6 than new.")


@pytest.mark.slow
@pytest.mark.parametrize("kind", TESTS)
def test_a_true_null_is_rejected_at_the_level(kind):
    """Some 5 events and 20 controls of 100; 'normal' rejects 14% for AUCs."""
    rejected = []
    for seed in range(800):
        data = drawn(100, censored=1.2, seed=seed)
        time = np.minimum(data[0], 2.0)
        result = TESTS[kind](time, data[1], *two(kind, data), horizon=0.1, **QUIET)
        rejected.append(result.pvalue < 0.05)
    assert 0.015 < np.mean(rejected) < 0.07
