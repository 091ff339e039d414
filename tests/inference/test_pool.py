"""`pool`: Rubin's rules in fractions, Barnard and Rubin's degrees of freedom, laws, refusals."""

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
from fastcompare._results.presentation import replace_fields

RNG = np.random.default_rng(4)
N = 40
Y = np.arange(N) % 2
A, B = RNG.normal(size=(2, N)) + 0.8 * Y
IMPUTED = [np.where(np.arange(N) < 8, RNG.normal(size=N) + 0.8 * Y, B) for _ in range(5)]
QUIET = {"on_undefined": "ignore"}
MICE = json.loads((Path(__file__).parents[1] / "golden" / "pool_mice.json").read_text())
TESTS = {
    "delong_test": lambda b: fc.delong_test(Y, A, b, **QUIET),
    "paired_mean_test": lambda b: fc.paired_mean_test(A, b, **QUIET),
    "scoring_test": lambda b: fc.scoring_test(Y, 1 / (1 + np.exp(-A)), 1 / (1 + np.exp(-b))),
    "ratio_test": lambda b: fc.ratio_test(np.exp(A), np.ones(N), np.exp(b), **QUIET),
    "mcnemar_test": lambda b: fc.mcnemar_test(Y, A > 0, b > 0, **QUIET),
    "mean_interval": lambda b: fc.mean_interval(b),
    "roc_auc_interval": lambda b: fc.roc_auc_interval(Y, b, method="delong", **QUIET),
    "concordance_test": lambda b: fc.concordance_test(1 + np.exp(-A), Y, A, b, **QUIET),
}


def exact(estimates, variances, complete):
    """Rubin's rules in fractions, as `mice::pool` has them (van Buuren 2018, 2.3)."""
    q, u = [Fraction(x) for x in estimates], [Fraction(x) for x in variances]
    m = len(q)
    mean, within = sum(q) / m, sum(u) / m
    added = (1 + Fraction(1, m)) * sum((x - mean) ** 2 for x in q) / (m - 1)
    total = within + added
    lost, increase = added / total, added / within
    df = (m - 1) / lost**2
    if complete is not None:
        v = Fraction(complete)
        observed = (v + 1) / (v + 3) * v * (1 - lost)
        df = df * observed / (df + observed)
    return mean, total, df, increase, (increase + 2 / (df + 3)) / (increase + 1)


PLAIN = fc.paired_mean_test(A, B)


def altered(estimate, error, df):
    """The result of a test with these moments."""
    return replace_fields(PLAIN, {"estimate": estimate, "standard_error": error, "df": df})


numbers = st.floats(-2, 2).map(lambda x: round(x, 3))


@given(
    estimates=st.lists(numbers, min_size=2, max_size=8),
    errors=st.lists(st.floats(0.05, 2).map(lambda x: round(x, 3)), min_size=8, max_size=8),
    complete=st.sampled_from([3, 10, 47, 1000, None]),
)
def test_pooled_moments_are_rubins_and_barnard_and_rubins_in_fractions(estimates, errors, complete):
    df = math.inf if complete is None else complete
    found = fc.pool([altered(q, u, df) for q, u in zip(estimates, errors, strict=False)], **QUIET)
    variances = [Fraction(u) ** 2 for u in errors[: len(estimates)]]
    assert_allclose(found.estimate, np.mean(estimates), atol=1e-15)
    if np.ptp(estimates) == 0.0:
        assert (found.df, found.missing_information) == (df, 0.0)
        return
    mean, total, degrees, increase, information = exact(estimates, variances, complete)
    assert_allclose(found.standard_error**2, float(total), rtol=1e-12)
    assert_allclose(found.df, float(degrees), rtol=1e-9)
    assert_allclose(found.relative_increase, float(increase), rtol=1e-9)
    assert_allclose(found.missing_information, float(information), rtol=1e-9)
    statistic = float(mean) / math.sqrt(total)
    assert_allclose(found.statistic, statistic, rtol=1e-9, atol=1e-12)
    assert_allclose(found.pvalue, 2 * stats.t.sf(abs(statistic), float(degrees)), rtol=1e-8)


@pytest.mark.parametrize("case", MICE["cases"], ids=lambda case: case["name"])
def test_pool_is_that_of_rs_mice(case):
    """R mice 3.15.0, pool() of regressions on imputed nhanes: pool_mice.json."""
    moments = zip(case["estimate"], case["standard_error"], strict=True)
    found = fc.pool([altered(q, error, case["dfcom"]) for q, error in moments], **QUIET)
    want = case["pooled"]
    assert_allclose(found.estimate, want["estimate"], rtol=1e-12)
    assert_allclose(found.within_variance, want["within"], rtol=1e-12)
    assert_allclose(found.between_variance, want["between"], rtol=1e-10)
    assert_allclose(found.standard_error**2, want["total"], rtol=1e-12)
    assert_allclose(found.df, want["df"], rtol=1e-10)
    assert_allclose(found.missing_information, want["fmi"], rtol=1e-10)


def test_a_worked_example_by_hand():
    """Q = 1, 2, 3 and U = 1, 1, 1, 10 degrees of freedom: T = 1 + 4/3, l = 4/7, r = 4/3."""
    found = fc.pool([altered(q, 1.0, 10.0) for q in (1.0, 2.0, 3.0)])
    assert_allclose(found.standard_error**2, 7 / 3)
    assert_allclose(found.relative_increase, 4 / 3)
    old, observed = 2 / (4 / 7) ** 2, 11 / 13 * 10 * 3 / 7
    assert_allclose(found.df, old * observed / (old + observed))
    assert_allclose((found.within_variance, found.between_variance), (1.0, 1.0))
    assert found.m == 3


@pytest.mark.parametrize("name", TESTS)
def test_the_same_result_several_times_is_that_result(name):
    one = TESTS[name](B)
    pooled = fc.pool([one] * 4, **QUIET)
    assert (pooled.estimate, pooled.missing_information) == (one.estimate, 0.0)
    assert_allclose(pooled.standard_error, one.standard_error, rtol=1e-15)
    assert pooled.df == getattr(one, "df", math.inf)
    if name == "paired_mean_test":
        assert_allclose(pooled.pvalue, one.pvalue, rtol=1e-12)
        assert_allclose(pooled.confidence_interval(), one.confidence_interval(), rtol=1e-12)


@pytest.mark.parametrize("name", TESTS)
def test_imputations_that_differ_cost_information(name):
    results = [TESTS[name](b) for b in IMPUTED]
    pooled = fc.pool(results, **QUIET)
    assert_allclose(pooled.estimate, np.mean([r.estimate for r in results]))
    assert 0.0 < pooled.missing_information < 1.0
    assert pooled.standard_error**2 > pooled.within_variance
    assert pooled.df < min(getattr(r, "df", math.inf) for r in results)
    low, high = pooled.confidence_interval()
    assert low < pooled.estimate < high
    assert "5 imputations" in pooled.summary()
    assert pooled.to_html()
    assert pooled.to_json()


def test_the_order_of_imputations_does_not_matter_and_swapped_models_turn_it_around():
    results = [fc.delong_test(Y, A, b, **QUIET) for b in IMPUTED]
    turned = fc.pool([fc.delong_test(Y, b, A, **QUIET) for b in IMPUTED[::-1]], **QUIET)
    found = fc.pool(results, **QUIET)
    assert_allclose(found.estimate, -turned.estimate)
    assert_allclose(found.pvalue, turned.pvalue)


@pytest.mark.parametrize("claim", [{"alternative": "greater"}, {"alternative": "equivalence"}])
def test_claims_and_margins_are_those_of_the_results(claim):
    claim = {**claim, "margin": 0.9}
    found = fc.pool([fc.paired_mean_test(A, b, **claim) for b in IMPUTED], **QUIET)
    t = (found.estimate + 0.9) / found.standard_error
    if claim["alternative"] == "greater":
        assert_allclose(found.pvalue, stats.t.sf(t, found.df))
        assert found.confidence_interval().high == math.inf
    else:
        other = (0.9 - found.estimate) / found.standard_error
        assert_allclose(found.pvalue, stats.t.sf(min(t, other), found.df))
    assert found.margin == 0.9


def test_a_status_of_one_result_is_that_of_all():
    few = [fc.delong_test(Y[:12], A[:12], b[:12], **QUIET) for b in IMPUTED]
    few[2] = replace_fields(few[2], {"status": "small_sample"})
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        assert fc.pool(few).status == "small_sample"
    lost = replace_fields(few[0], {"standard_error": math.nan, "status": "one_case"})
    with pytest.warns(fc.UndefinedResultWarning, match="one_case"):
        found = fc.pool([lost, *few[1:]])
    assert np.isnan([found.pvalue, found.df, *found.confidence_interval()]).all()
    same = fc.pool([fc.paired_mean_test(A, A)] * 3)
    assert (same.status, same.pvalue) == ("no_difference", 1.0)


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([fc.mean_interval(A)], "at least two imputed data sets, got 1"),
        (fc.mean_interval(A), "must be a list of results"),
        ([fc.mean_interval(A), fc.paired_mean_test(A, B)], "the function is mean_interval"),
        ([fc.mean_interval(A), 3.0], "got float at index 1"),
        ([fc.mean_pairwise_test(np.stack([A, B], 1))] * 2, "got MeanPairwiseResult at index 0"),
        ([fc.wilcoxon_test(A, B)] * 2, "got WilcoxonResult at index 0"),
        (
            [fc.paired_mean_test(A, B), fc.paired_mean_test(A, B, alternative="less")],
            "alternative is two-sided at index 0 and less at index 1",
        ),
        (
            [fc.mean_interval(A), fc.mean_interval(B, confidence_level=0.9)],
            "confidence_level is",
        ),
        (
            [fc.paired_mean_test({"a": A, "b": B}), fc.paired_mean_test({"a": A, "c": B})],
            "names is",
        ),
        (
            [fc.paired_mean_test(A, B), fc.paired_mean_test(A, B, method="t")],
            "method is its default at index 0 and t at index 1",
        ),
    ],
)
def test_results_that_do_not_belong_together_are_refused(results, message):
    with pytest.raises(fc.FastCompareError, match=message):
        fc.pool(results)


def test_seeds_and_threads_may_differ():
    drawn = [
        fc.paired_mean_test(A, b, method="bootstrap", n_resamples=99, rng=i)
        for i, b in enumerate(IMPUTED)
    ]
    assert fc.pool(drawn).m == 5
