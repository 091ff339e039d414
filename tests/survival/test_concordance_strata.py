"""Concordance within strata: R's numbers, the definition in fractions, other functions, laws."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from tests.reference import concordance as reference
from tests.survival.test_concordance_tests import sides_of, summed, worth

GOLDEN = Path(__file__).parents[1] / "golden" / "survival" / "concordance_strata.json"
SURVIVAL = json.loads(GOLDEN.read_text())["cases"]
QUIET = {"on_undefined": "ignore"}
RNG = np.random.default_rng(2)
STRATA = np.arange(120) % 6
EVENT, TIME = RNG.integers(0, 2, 120), np.ceil(9 * RNG.exponential(size=120) * (1 + STRATA))
A, B, C = (np.round(rate * RNG.normal(size=120) - np.log(TIME), 1) for rate in (1.0, 2.0, 4.0))


@st.composite
def stratified_cases(draw):
    """Draw few cases with ties of times and of scores, in three strata."""
    n = draw(st.integers(6, 18))
    time, a, b = (draw(st.lists(st.integers(0, 5), min_size=n, max_size=n)) for _ in range(3))
    event = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    return time, event, a, b, [i % 3 for i in range(n)]


@pytest.mark.parametrize("case", SURVIVAL, ids=lambda case: case["name"])
def test_concordance_within_strata_is_that_of_r_survival(case):
    """R survival 3.5.3, concordance(... + strata()): concordance_strata.json."""
    cases = [case[name] for name in ("time", "event", "a", "b")]
    found = fc.concordance_test(*cases, strata=case["strata"], reference="normal")
    want = case["harrell"]
    assert_allclose(found.concordance, want["concordance"], rtol=1e-12)
    assert_allclose(np.diag(found.covariance), want["variance"], rtol=1e-12)
    assert_allclose(found.standard_error**2, want["difference_variance"], rtol=1e-12)
    for name, tau in (("", None), ("_ymax", float(np.nextafter(case["tau"], np.inf)))):
        want = case[f"uno_weights_fixed{name}"]["concordance"]
        options = {"method": "uno", "tau": tau, "strata": case["strata"]}
        found = fc.concordance(*cases[:2], dict(zip("ab", cases[2:], strict=True)), **options)
        assert_allclose(found, want, rtol=1e-9)


@given(case=stratified_cases(), uno=st.booleans(), tau=st.sampled_from([None, 3.5]))
@settings(max_examples=30)
def test_concordance_within_strata_is_its_definition(case, uno, tau):
    time, event, a, b, strata = case
    options = {"uno": uno, "tau": tau, "strata": strata}
    want = [reference.concordance(time, event, score, **options) for score in (a, b)]
    given_options = {"strata": strata, "method": "uno" if uno else "harrell", "tau": tau}
    found = fc.concordance(time, event, {"a": a, "b": b}, **given_options, **QUIET)
    assert (want[0] is None) == bool(np.isnan(found).any())
    assume(want[0] is not None)
    assert_allclose(found, [float(one.value) for one in want], rtol=1e-12)
    test = fc.concordance_test(time, event, a, b, reference="normal", **given_options, **QUIET)
    if test.status not in ("one_event", "no_pairs"):
        gradient = want[0].plus(want[1], -1).gradient
        variance = float(sum(x * x for x in gradient))
        assert_allclose(test.standard_error**2, variance, rtol=1e-10, atol=1e-20)


@pytest.mark.parametrize("uno", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_variance_of_fixed_strata_adds_those_of_each_in_concordance_test(uno, weighted):
    rng = np.random.default_rng(4)
    n, strata = 36, [i % 3 for i in range(36)]
    time, event = rng.integers(1, 12, n), (np.arange(n) % 5 < 3).astype(int)
    a, b = rng.integers(0, 6, (2, n))
    w = rng.integers(1, 5, n) if weighted else None
    options = {"method": "uno" if uno else "harrell", "sample_weight": w}
    found = fc.concordance_test(time, event, a, b, strata=strata, **options, **QUIET)
    parts, freedoms, shares = [], [], []
    for stratum in range(3):
        rows = [i for i in range(n) if strata[i] == stratum]
        own = [np.asarray(x)[rows].tolist() for x in (time, event, a, b)]
        weights = None if w is None else w[rows].tolist()
        one, other = (
            reference.concordance(*own[:2], score, uno=uno, weights=weights) for score in own[2:]
        )
        errors = [float(x) for x in one.plus(other, -1).gradient]
        errors = np.multiply(errors, 1 if weights is None else weights)
        sides = sides_of(*own[:2], weights, uno=uno)
        variance, df = summed(errors, own[1], sides, weights)
        parts.append(variance)
        freedoms.append(df)
        shares.append(sides[np.array(own[1]) == 1].sum())
        assert worth(sides) > 2.0
    shares = np.array(shares) / sum(shares)
    parts = shares**2 * parts
    assert_allclose(found.standard_error**2, parts.sum(), rtol=1e-9)
    assert_allclose(found.df, parts.sum() ** 2 / sum(parts**2 / freedoms), rtol=1e-9)


def test_concordance_test_of_one_stratum_or_renamed_strata_is_the_same():
    plain = fc.concordance_test(TIME, EVENT, A, B)
    one = fc.concordance_test(TIME, EVENT, A, B, strata=["all"] * 120)
    assert one.to_dict() == plain.to_dict()
    want = fc.concordance_test(TIME, EVENT, A, B, strata=STRATA)
    order = RNG.permutation(120)
    names = np.array(["z", "b", "a", "y", "k", "c"])[STRATA]
    found = fc.concordance_test(*(x[order] for x in (TIME, EVENT, A, B)), strata=names[order])
    shifted = fc.concordance_test(TIME, EVENT, A + 9 * STRATA, np.exp(B) - STRATA, strata=STRATA)
    longer = fc.concordance_test(TIME * (1 + STRATA), EVENT, A, B, strata=STRATA)
    for other in (found, shifted, longer):
        for name in ("estimate", "standard_error", "df", "pvalue"):
            assert_allclose(getattr(other, name), getattr(want, name), rtol=1e-10)
    assert want.n_strata == 6


def test_concordance_test_of_strata_twice_has_half_the_variance():
    want = fc.concordance_test(TIME, EVENT, A, B, strata=STRATA)
    twice = [np.tile(x, 2) for x in (TIME, EVENT, A, B)]
    found = fc.concordance_test(*twice, strata=np.append(STRATA, STRATA + 6))
    assert_allclose(found.estimate, want.estimate, rtol=1e-12)
    assert_allclose(found.standard_error**2, want.standard_error**2 / 2, rtol=1e-12)
    assert_allclose(found.df, 2 * want.df, rtol=1e-10)


@pytest.mark.parametrize("method", ["harrell", "uno"])
def test_strata_that_are_a_sample_are_items_of_paired_mean_test(method):
    options = {"method": method, "tau": 20.0}
    found = fc.concordance_test(TIME, EVENT, A, B, strata=STRATA, groups=STRATA, **options)
    each, pairs = [], []
    for s in range(6):
        rows = s == STRATA
        own = [x[rows].tolist() for x in (TIME, EVENT)]
        scores = {"a": A[rows], "b": B[rows]}
        each.append(fc.concordance(*own, scores, **options))
        sides = sides_of(*own, None, uno=method == "uno")
        pairs.append(sides[(EVENT[rows] == 1) & (TIME[rows] < 20.0)].sum())
    want = fc.paired_mean_test(*np.transpose(each), sample_weight=pairs, method="t")
    assert_allclose(found.estimate, want.estimate, rtol=1e-12)
    assert_allclose(found.standard_error, want.standard_error, rtol=1e-12)
    assert_allclose(found.df, want.df, rtol=1e-12)


@pytest.mark.parametrize("groups", [None, STRATA])
def test_concordance_within_strata_of_a_binary_outcome_is_the_auc_within_groups(groups):
    found = fc.concordance_test(2 - EVENT, EVENT, A, B, strata=STRATA, groups=groups)
    design = "fixed" if groups is None else "random"
    want = fc.within_auc_test(EVENT, A, B, STRATA, design=design, weights="pairs")
    for name in ("estimate", "standard_error", "df"):
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-10)


def test_matched_sets_of_one_event_each_are_taken_for_a_sample_in_concordance_test():
    sets = np.repeat(np.arange(30), 4)
    event = np.arange(120) % 4 == 0
    time = np.where(event, 1.0, 2.0)
    found = fc.concordance_test(time, event, A, B, strata=sets)
    want = fc.concordance_test(time, event, A, B, strata=sets, groups=sets)
    for name in ("estimate", "standard_error", "df", "pvalue"):
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-10)


@pytest.mark.parametrize("groups", [None, STRATA, STRATA // 2])
def test_tests_of_several_models_within_strata_agree(groups):
    options = {"strata": STRATA, "groups": groups, **QUIET}
    scores = {"a": A, "b": B, "c": C}
    pairs = fc.concordance_pairwise_test(TIME, EVENT, scores, **options)
    covariance = fc.concordance_covariance(TIME, EVENT, scores, **options)
    for p, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        one, other = list(scores.values())[i], list(scores.values())[j]
        want = fc.concordance_test(TIME, EVENT, one, other, **options)
        assert_allclose(pairs.pvalue[p], want.pvalue, rtol=1e-10)
        assert_allclose(pairs.covariance[i, j], want.covariance[0, 1], rtol=1e-10)
    assert_allclose(covariance.covariance, pairs.covariance, rtol=1e-12)
    one = fc.concordance_interval(TIME, EVENT, A, **options)
    assert_allclose(one.standard_error, covariance.standard_error[0], rtol=1e-12)
    low, high = one.confidence_interval()
    assert 0.0 < low < one.estimate < high < 1.0
    two = fc.concordance_omnibus_test(TIME, EVENT, {"a": A, "b": B}, **options)
    assert_allclose(two.pvalue, pairs.pvalue[0], rtol=1e-9)
    three = fc.concordance_omnibus_test(TIME, EVENT, scores, **options)
    assert 0.0 < three.pvalue < 1.0


def test_strata_without_a_pair_are_left_out_and_counted_in_concordance_test():
    event = np.where(STRATA == 2, 0, EVENT)
    found = fc.concordance_test(TIME, event, A, B, strata=STRATA)
    rows = STRATA != 2
    some = (x[rows] for x in (TIME, EVENT, A, B))
    want = fc.concordance_test(*some, strata=STRATA[rows])
    assert_allclose(found.pvalue, want.pvalue, rtol=1e-12)
    assert (found.n_strata, found.n_strata_dropped) == (5, 1)
    with pytest.warns(fc.UndefinedResultWarning, match="no_pairs"):
        fc.concordance_test(TIME, EVENT, A, B, strata=np.arange(120))


def test_identical_models_within_strata_claim_nothing_in_concordance_test():
    for groups in (None, STRATA):
        found = fc.concordance_test(TIME, EVENT, A, np.exp(A), strata=STRATA, groups=groups)
        assert (found.estimate, found.standard_error, found.pvalue) == (0.0, 0.0, 1.0)


def test_strata_that_cannot_be_read_are_refused():
    with pytest.raises(fc.InvalidValueError, match="`strata` must have one value for each"):
        fc.concordance(TIME, EVENT, A, strata=[1, 2])
    with pytest.raises(fc.InvalidValueError, match="Pass the strata as `groups`, too"):
        fc.concordance_test(TIME, EVENT, A, B, strata=STRATA, groups=np.arange(120) // 2)
    holes = np.where(np.arange(120) < 6, np.nan, STRATA)
    with pytest.raises(fc.InvalidValueError, match="`strata` has 6 missing values"):
        fc.concordance(TIME, EVENT, A, strata=holes)
    with pytest.warns(fc.DroppedCasesWarning, match="6 of 120 cases dropped"):
        found = fc.concordance(TIME, EVENT, A, strata=holes, nan_policy="omit")
    assert found == fc.concordance(TIME[6:], EVENT[6:], A[6:], strata=STRATA[6:])
