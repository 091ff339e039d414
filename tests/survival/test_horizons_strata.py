"""AUCs at a horizon within strata: each stratum by itself, AUCs within groups, laws."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc

QUIET = {"on_undefined": "ignore"}
RNG = np.random.default_rng(6)
STRATA = np.arange(240) % 5
TIME, CENSORED = np.ceil(9 * RNG.exponential(size=(2, 240)) * [np.ones(240), 2.0 + STRATA])
EVENT, TIME = (TIME <= CENSORED).astype(int), np.minimum(TIME, CENSORED)
A, B, C = (np.round(rate * RNG.normal(size=240) - np.log(TIME), 1) for rate in (1.0, 2.0, 4.0))
FIELDS = ("estimate", "standard_error", "df", "pvalue")


def pairs_of(rows, horizon):
    """The pairs of an event and a case without one, as if nobody were censored."""
    share = 1.0  # Kaplan-Meier of being uncensored, step by step; events come before censoring
    events = 0.0
    for t in np.unique(TIME[rows][TIME[rows] <= horizon]):
        censored = np.sum((TIME[rows] == t) & (EVENT[rows] == 0))
        at_risk = np.sum(TIME[rows] > t) + censored
        events += np.sum((TIME[rows] == t) & (EVENT[rows] == 1)) / share
        share *= 1.0 - censored / at_risk if censored else 1.0
    return events * np.sum(TIME[rows] > horizon) / share


@pytest.mark.parametrize("reference", ["auto", "normal"])
def test_auc_at_test_within_fixed_strata_adds_those_of_each(reference):
    options = {"horizon": 8.0, "reference": reference}
    found = fc.auc_at_test(TIME, EVENT, A, B, strata=STRATA, **options)
    parts = [s == STRATA for s in range(5)]
    each = [fc.auc_at_test(*(x[p] for x in (TIME, EVENT, A, B)), **options) for p in parts]
    shares = np.array([pairs_of(p, 8.0) for p in parts])
    shares /= shares.sum()
    assert_allclose(found.estimate, shares @ [one.estimate for one in each], rtol=1e-12)
    assert_allclose(found.values, shares @ [one.values for one in each], rtol=1e-12)
    variances = np.square(shares * [one.standard_error for one in each])
    assert_allclose(found.standard_error**2, variances.sum(), rtol=1e-12)
    if reference == "auto":
        df = variances.sum() ** 2 / sum(variances**2 / [one.df for one in each])
        assert_allclose(found.df, df, rtol=1e-12)
    assert (found.n_strata, found.n_strata_dropped) == (5, 0)


def test_auc_at_test_of_one_stratum_or_renamed_strata_is_the_same():
    plain = fc.auc_at_test(TIME, EVENT, A, B, horizon=8.0)
    one = fc.auc_at_test(TIME, EVENT, A, B, horizon=8.0, strata=["all"] * 240)
    assert one.to_dict() == plain.to_dict()
    want = fc.auc_at_test(TIME, EVENT, A, B, horizon=8.0, strata=STRATA)
    order, names = RNG.permutation(240), np.array(["z", "b", "a", "y", "k"])[STRATA]
    moved = (x[order] for x in (TIME, EVENT, A + 9 * STRATA, B - STRATA))
    found = fc.auc_at_test(*moved, horizon=8.0, strata=names[order])
    for name in FIELDS:
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-10)


@pytest.mark.parametrize("groups", [None, STRATA])
@pytest.mark.parametrize("events", [EVENT, np.arange(240) % 25 < 5])
def test_auc_at_test_without_censoring_is_the_auc_within_groups(groups, events):
    time = np.where(events, 1.0, 2.0)
    ones = np.ones(240)
    found = fc.auc_at_test(time, ones, A, B, horizon=1.5, strata=STRATA, groups=groups)
    design = "fixed" if groups is None else "random"
    want = fc.within_auc_test(events, A, B, STRATA, design=design, weights="pairs")
    assert_allclose(found.values, want.auc, rtol=1e-12)
    for name in FIELDS[:3]:
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-10)


def test_auc_at_test_takes_strata_of_one_event_for_a_sample():
    sets = np.arange(240) // 4
    time = np.where(np.arange(240) % 4 == 0, 1.0, 2.0)
    options = {"horizon": [1.5, 1.7], "strata": sets}
    found = fc.auc_at_test(time, np.ones(240), A, B, **options)
    want = fc.auc_at_test(time, np.ones(240), A, B, groups=sets, **options)
    for name in FIELDS:
        assert_allclose(getattr(found, name), getattr(want, name), rtol=1e-10)
    ends = np.array(found.confidence_interval(simultaneous=True))
    assert_allclose(ends, np.array(want.confidence_interval(simultaneous=True)), rtol=1e-10)
    assert_allclose(ends[:, 0], ends[:, 1])  # the same events: one horizon, twice


@pytest.mark.parametrize("groups", [None, STRATA])
def test_functions_at_a_horizon_within_strata_agree(groups):
    options = {"strata": STRATA, "groups": groups, **QUIET}
    scores = {"a": A, "b": B, "c": C}
    pairs = fc.auc_at_pairwise_test(TIME, EVENT, scores, horizon=8.0, **options)
    curve = fc.auc_at_test(TIME, EVENT, A, C, horizon=[4.0, 8.0], **options)
    one = fc.auc_at_interval(TIME, EVENT, A, horizon=8.0, **options)
    assert_allclose(curve.pvalue[1], pairs.pvalue[1], rtol=1e-10)
    assert_allclose(one.standard_error**2, pairs.covariance[0, 0], rtol=1e-10)
    low, high = one.confidence_interval()
    assert 0.0 < low < one.estimate < high < 1.0


def test_strata_without_an_event_or_a_control_are_left_out_at_a_horizon_in_auc_at_test():
    event = np.where(STRATA == 2, 0, EVENT)
    found = fc.auc_at_test(TIME, event, A, B, horizon=8.0, strata=STRATA)
    rows = STRATA != 2
    some = (x[rows] for x in (TIME, event, A, B))
    want = fc.auc_at_test(*some, horizon=8.0, strata=STRATA[rows])
    assert_allclose(found.pvalue, want.pvalue, rtol=1e-12)
    assert (found.n_strata, found.n_strata_dropped) == (4, 1)
    with pytest.warns(fc.UndefinedResultWarning, match="outside_horizon"):
        none = fc.auc_at_test(TIME, EVENT, A, B, horizon=8.0, strata=np.arange(240))
    assert np.isnan([none.estimate, none.pvalue]).all()
    same = fc.auc_at_test(TIME, EVENT, A, np.exp(A), horizon=8.0, strata=STRATA)
    assert (same.estimate, same.standard_error, same.pvalue) == (0.0, 0.0, 1.0)
