"""Tests and intervals of concordances: exact variances, DeLong's limit, laws, what is undefined."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare.survival._pairs import THREADS_FROM
from tests.reference import concordance as reference
from tests.survival.test_concordance import EXACT, SURVIVAL, timed_cases

PUBLISHED = {"reference": "normal", "on_undefined": "ignore"}
GENERATOR = np.random.default_rng(3)
Y = GENERATOR.integers(0, 2, 60)
BINARY = {"time": 2 - Y, "event": Y}
A, B = GENERATOR.normal(size=(2, 60)).round(1) + Y
DESIGNS = [
    {},
    {"groups": GENERATOR.integers(0, 20, 60)},
    {"sample_weight": GENERATOR.integers(1, 9, 60) / 4.0},
]


def sides_of(time, event, weights, *, uno):
    """The weight of the pairs that each event begins, and that each other case ends."""
    n = len(time)
    own, sides = reference.weights_of(n, weights), [0.0] * n
    for i in range(n):
        chance = reference.uncensored(time, event, own, time[i]).value if uno and event[i] else 1
        for j in range(n):
            if reference.comes_before(time, event, i, j):
                pair = float(own[i].value * own[j].value / chance**2)
                sides[i] += pair
                sides[j] += 0.0 if event[j] else pair
    return np.array(sides)


def worth(sides):
    """As how many equal ones these count, 1.1 at least."""
    sides = sides[sides > 0.0]
    return max(sides.sum() ** 2 / (sides**2).sum() if sides.size else 0.0, 1.1)


def summed(errors, event, sides, weights=None):
    """The variance by kind of case of exact errors, and Satterthwaite's degrees of freedom."""
    errors, event = np.array(errors, float), np.array(event) == 1
    w = np.ones(event.size) if weights is None else np.array(weights, float)
    parts, freedoms = [], []
    for kind in (event, ~event):
        several = kind.sum() > 1
        n = worth(sides[kind] / w[kind])
        parts.append((errors[kind] ** 2).sum() * (n / (n - 1) if several else 1.0))
        freedoms.append(worth(sides[kind]) - 1 if several else 1.0)
    lost = sum(v * v / n for v, n in zip(parts, freedoms, strict=True))
    return sum(parts), sum(parts) ** 2 / lost if lost else math.nan


@pytest.mark.parametrize("case", EXACT, ids=lambda case: case["name"])
@pytest.mark.parametrize("kind", ["harrell", "uno", "uno_tau"])
def test_exact_variances_of_the_jackknife_in_concordance_test(case, kind):
    found = case[kind]
    if not found or sum(case["event"]) < 2:
        return
    tau = case["horizon"] if kind == "uno_tau" else None
    if tau and sum(e for t, e in zip(case["time"], case["event"], strict=True) if t < tau) < 2:
        return
    options = {"method": kind[:7].removesuffix("_tau"), "tau": tau, **PUBLISHED}
    a, b = case["scores"][:2]
    result = fc.concordance_test(case["time"], case["event"], a, b, **options)
    key = "c" if kind == "harrell" else "value"
    np.testing.assert_allclose(result.concordance, [c for _, c in found[key]][:2], rtol=1e-14)
    wanted = np.array([[c for _, c in row[:2]] for row in found["covariance"][:2]])
    np.testing.assert_allclose(result.covariance, wanted, rtol=1e-9, atol=1e-16)
    assert result.estimate == pytest.approx(found["difference"][1], rel=1e-13, abs=1e-16)
    variance = found["variance_difference"][1]
    assert result.standard_error**2 == pytest.approx(variance, rel=1e-9, abs=1e-30)


@pytest.mark.parametrize("case", SURVIVAL, ids=lambda case: case["name"])
def test_survival_of_r_has_the_same_variance_in_concordance_test(case):
    """R survival 3.5.3: concordance_survival.json, crossprod(dfbeta)."""
    names = list(case["scores"])[:2]
    pair = [case["scores"][name] for name in names]
    ways = [("harrell", "covariance", {})]
    if case.get("cluster"):
        ways.append(("harrell", "cluster_covariance", {"groups": case["cluster"]}))
    if case.get("weights"):
        ways.append(("harrell_case_weights", "covariance", {"sample_weight": case["weights"]}))
    for kind, key, options in ways:
        wanted = np.array(case[kind][key])[:2, :2]
        result = fc.concordance_test(case["time"], case["event"], *pair, **options, **PUBLISHED)
        np.testing.assert_allclose(result.covariance, wanted, rtol=1e-9)
        difference = wanted[0, 0] + wanted[1, 1] - 2 * wanted[0, 1]
        assert result.standard_error**2 == pytest.approx(difference, rel=1e-8)


@given(case=timed_cases(), weights=st.lists(st.integers(1, 5), min_size=12, max_size=12))
def test_the_variance_by_kind_of_case_equals_the_definition_in_concordance_test(case, weights):
    time, event, a, b = case
    assume(sum(event) >= 2)
    weights = weights[: len(time)]
    for uno, given_weights in ((False, None), (True, None), (False, weights), (True, weights)):
        options = {"uno": uno, "weights": given_weights}
        if reference.concordance(time, event, a, **options) is None:
            return
        first, second = (reference.errors(time, event, x, **options) for x in (a, b))
        errors = [x - y for x, y in zip(first, second, strict=True)]
        sides = sides_of(time, event, given_weights, uno=uno)
        variance, df = summed(errors, event, sides, given_weights)
        result = fc.concordance_test(
            time,
            event,
            a,
            b,
            method="uno" if uno else "harrell",
            sample_weight=given_weights,
            on_undefined="ignore",
        )
        assert result.standard_error**2 == pytest.approx(variance, rel=1e-9, abs=1e-28)
        if variance > 1e-20:
            assert result.df == pytest.approx(df, rel=1e-8)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: "".join(design) or "plain")
@pytest.mark.parametrize("method", ["harrell", "uno"])
def test_a_binary_outcome_is_delongs_test_in_every_design(design, method):
    delong = fc.delong_test(Y, A, B, reference="t", **design)
    found = fc.concordance_test(**BINARY, risk_a=A, risk_b=B, method=method, **design)
    if method == "harrell" and not design:
        assert found.concordance.tolist() == delong.auc.tolist()
    np.testing.assert_allclose(found.concordance, delong.auc, rtol=1e-12)
    np.testing.assert_allclose(found.covariance, delong.covariance, rtol=1e-11)
    assert found.standard_error == pytest.approx(delong.standard_error, rel=1e-12)
    assert found.df == pytest.approx(delong.df, rel=1e-11)
    assert found.pvalue == pytest.approx(delong.pvalue, rel=1e-11)
    one = fc.concordance_interval(**BINARY, risk=A, method=method, **design)
    wanted = fc.roc_auc_interval(Y, A, **design)
    tolerance = 1e-12 if not design else 0.05  # classes in clusters have sizes of their own there
    np.testing.assert_allclose(one.confidence_interval(), wanted.confidence_interval(), tolerance)


@given(case=timed_cases(), seed=st.integers(0, 99))
def test_laws_of_the_test_in_concordance_test(case, seed):
    time, event, a, b = map(np.array, case)
    place = np.random.default_rng(seed).permutation(time.size)
    for method in ("harrell", "uno"):
        quiet = {"method": method, "on_undefined": "ignore"}
        found = fc.concordance_test(time, event, a, b, **quiet)
        swapped = fc.concordance_test(time, event, b, a, **quiet)
        assert_alike(swapped, found, sign=-1)
        moved = fc.concordance_test(
            time[place], event[place], np.exp(a / 3)[place], b[place], **quiet
        )
        assert_alike(moved, found)
        as_times = fc.concordance_test(time, event, -a, -b, predicts="time", **quiet)
        assert_alike(as_times, found)


def assert_alike(one, other, sign=1):
    """Two results are the same but for rounding."""
    for name in ("estimate", "standard_error", "statistic", "pvalue", "df"):
        factor = sign if name in ("estimate", "statistic") else 1
        wanted = factor * getattr(other, name)
        np.testing.assert_allclose(getattr(one, name), wanted, rtol=1e-9, atol=1e-13)
    assert one.status == other.status


@given(case=timed_cases())
def test_the_same_model_twice_has_p_1_and_a_bound_in_concordance_test(case):
    time, event, a, _ = case
    result = fc.concordance_test(time, event, a, np.exp(a), on_undefined="ignore")
    assume(result.status not in ("no_pairs", "one_event"))
    assert (result.estimate, result.statistic, result.pvalue) == (0.0, 0.0, 1.0)
    low, high = result.confidence_interval()
    assert low == -high <= 0.0
    claim = fc.concordance_test(
        time, event, a, a, alternative="equivalence", margin=0.9, on_undefined="ignore"
    )
    assert 0.0 < claim.pvalue <= 1.0


def test_claims_have_directions_and_margins():
    time, event, a, b = BINARY["time"], BINARY["event"], A, B
    found = {
        alternative: fc.concordance_test(
            time, event, a, b, alternative=alternative, margin=margin
        ).pvalue
        for alternative, margin in [("two-sided", 0.0), ("less", 0.0), ("greater", 0.05)]
    }
    delong = {
        alternative: fc.delong_test(
            Y, a, b, reference="t", alternative=alternative, margin=margin
        ).pvalue
        for alternative, margin in [("two-sided", 0.0), ("less", 0.0), ("greater", 0.05)]
    }
    assert found == pytest.approx(delong, rel=1e-10)


UNDEFINED = [
    ([1, 2, 3], [0, 0, 0], "no_pairs", math.nan),
    ([1, 2, 3], [0, 0, 1], "no_pairs", math.nan),
    ([1, 2, 3], [1, 0, 0], "one_event", 1.0),
]


@pytest.mark.parametrize(("time", "event", "status", "value"), UNDEFINED)
def test_what_is_undefined_is_said(time, event, status, value):
    a, b = [3, 2, 1], [3, 1, 2]
    for call in (fc.concordance_test, fc.concordance_interval):
        with pytest.warns(fc.UndefinedResultWarning, match=status):
            result = call(time, event, a, *([b] if call is fc.concordance_test else []))
        assert result.status == status
        assert np.isnan(result.standard_error)
        assert np.isnan(result.confidence_interval()).all()
    assert np.isnan(result.estimate) if np.isnan(value) else result.estimate == value
    with pytest.warns(fc.UndefinedResultWarning):
        assert np.isnan(fc.concordance_test(time, event, a, b).pvalue)


def test_models_that_differ_equally_on_all_pairs_have_no_variance_in_concordance_test():
    time, event = [1, 2, 3, 4], [1, 1, 1, 1]
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        result = fc.concordance_test(time, event, [4, 3, 2, 1], [1, 2, 3, 4])
    assert (result.estimate, result.statistic, result.standard_error) == (1.0, math.inf, 0.0)
    assert np.isnan(result.pvalue)
    claim = fc.concordance_test(
        time, event, [4, 3, 2, 1], [1, 2, 3, 4], alternative="greater", margin=0.1
    )
    assert claim.status == "unvaried"
    assert claim.pvalue < 1.0


def test_few_events_clusters_and_heavy_weights_are_warned_of_in_concordance_test():
    rng = np.random.default_rng(0)
    time, a, b = rng.random((3, 60))
    few = np.arange(60) < 2
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        fc.concordance_test(time, few, a, b)
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        fc.concordance_test(time, np.arange(60) < 29, a, b, reference="normal")
    with pytest.warns(fc.SmallSampleWarning, match="few_clusters"):
        fc.concordance_test(time, np.arange(60) % 2, a, b, groups=np.arange(60) % 4)
    with pytest.warns(fc.UndefinedResultWarning, match="too_few_clusters"):
        fc.concordance_test(time, few, a, b, groups=np.arange(60) // 30)
    censored = np.argsort(np.argsort(time)) % 5 > 0  # most, evenly
    with pytest.warns(fc.SmallSampleWarning, match="heavy_weights.*earlier `tau`"):
        late = fc.concordance_test(time, ~censored, a, b, method="uno")
    assert "an earlier `tau`" in late.summary()
    soon = fc.concordance_test(time, ~censored, a, b, method="uno", tau=0.4)
    assert soon.status == "ok"
    assert soon.n_events == np.count_nonzero(~censored & (time < 0.4))


def test_perfect_scores_have_an_interval_and_reversed_ones_a_note_in_concordance_interval():
    time, event = np.arange(1.0, 11.0), np.ones(10, int)
    found = fc.concordance_interval(time, event, -time)
    low, high = found.confidence_interval()
    assert 0.5 < low < high == 1.0
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        assert np.isnan(
            fc.concordance_interval(time, event, -time, interval="logit").confidence_interval()
        ).all()
    reversed_ = fc.concordance_interval(time, event, time + np.sin(9 * time))
    assert "predicts='time'" in reversed_.summary()
    assert "predicts='time'" not in found.summary()


def test_intervals_are_ordered_and_within_bounds_in_concordance_interval():
    rng = np.random.default_rng(1)
    time, event = rng.exponential(size=40), rng.random(40) < 0.5
    risk = rng.normal(size=40) - np.log(time)
    for kind in ("score", "logit", "wald"):
        result = fc.concordance_interval(time, event, risk, interval=kind)
        low, high = result.confidence_interval()
        assert 0.0 <= low < result.estimate < high <= 1.0
        wider = result.confidence_interval(0.99)
        assert wider.low < low
        assert high < wider.high or high == 1.0


@pytest.mark.parametrize("method", ["harrell", "uno"])
def test_jobs_change_nothing_in_concordance_test(method, requires_jit):
    n = THREADS_FROM
    rng = np.random.default_rng(1)
    time, event, a, b = rng.exponential(size=n), rng.random(n) < 0.5, *rng.random((2, n))
    options = {"method": method, "tau": 1.0}
    one, two = (fc.concordance_test(time, event, a, b, n_jobs=j, **options) for j in (1, 2))
    assert one.to_dict() == two.to_dict()


@pytest.mark.parametrize("case", SURVIVAL, ids=lambda case: case["name"])
def test_the_covariance_of_all_models_is_that_of_r(case):
    found = fc.concordance_covariance(case["time"], case["event"], case["scores"], **PUBLISHED)
    np.testing.assert_allclose(found.covariance, case["harrell"]["covariance"], rtol=1e-9)
    assert found.names == tuple(case["scores"])
    own = fc.concordance_covariance(case["time"], case["event"], case["scores"])
    assert (np.diag(own.covariance) >= np.diag(found.covariance)).all()
    one = fc.concordance_interval(case["time"], case["event"], case["scores"][own.names[0]])
    assert own.df[0] == one.df
    assert own.standard_error[0] == pytest.approx(one.standard_error, rel=1e-12)


@pytest.mark.usefixtures("requires_jit")
def test_clusters_of_one_case_are_independent_cases_at_any_size_in_concordance_test():
    """Sums of many cases' wins take more than 32 bits, those of each case do not."""
    for n in (50, 5000):
        rng = np.random.default_rng(n)
        time, a, b = rng.random((3, n))
        event = rng.random(n) < 0.5
        alone = fc.concordance_test(time, event, a - time, b - time)
        single = fc.concordance_test(time, event, a - time, b - time, groups=np.arange(n))
        assert single.standard_error == pytest.approx(alone.standard_error, rel=1e-10)
        assert single.df == pytest.approx(alone.df, rel=1e-9)
        np.testing.assert_allclose(single.covariance, alone.covariance, rtol=1e-9)
