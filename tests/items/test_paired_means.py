"""`mean_interval` and `paired_mean_test`: by t, signs, bootstrap, in time order; plans."""

import json
import math
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc
from tests.shared.golden_files import GOLDEN


def cases_of(name):
    return json.loads((GOLDEN / "items" / name).read_text())["cases"]


FLIPS, LAGGED, SAMPLED = map(
    cases_of, ("signflip_clusters.json", "diebold_mariano.json", "variance_components.json")
)
POWER = [case for case in SAMPLED if case["id"].startswith("pw")]
SAMPLED = [case for case in SAMPLED if case["id"].startswith("vc")]
D = [0.2, -0.1, 0.3, 0, 0.1, 0.4, -0.2, 0.1, 0, 0.2]
CLUSTERS = [1, 1, 1, 2, 2, 3, 3, 3, 3, 4]
WEIGHTS = [2, 1, 1, 3, 1, 1, 2, 1, 1, 2]
LOSSES = [0.3, 0.5, 0.2, -0.1, -0.2, 0.1, 0.4, 0.6, 0.5, 0.2]
SAMPLES = [[1, 1, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 0, 1]]
UNEQUAL = [[1, 1, 1], [0, 1], [1, 1, 0, 1], [0, 0], [1, 0, 1]]
QUIET = {"on_undefined": "ignore"}


def test_check_values_of_the_t_test_in_paired_mean_test():
    result = fc.paired_mean_test(D, groups=CLUSTERS, **QUIET)
    assert_allclose(result.pvalue, 0.03639698, rtol=2e-7)
    assert_allclose(result.confidence_interval(), (0.01375121, 0.1862488), rtol=3e-7)
    assert result.status == "few_clusters"
    assert_allclose(result.resolution(), 2.335018, rtol=5e-7)
    assert_allclose(fc.paired_mean_test(D).resolution(), 0.3822202, rtol=5e-7)
    weighted = fc.paired_mean_test(D, groups=CLUSTERS, sample_weight=WEIGHTS, **QUIET)
    assert_allclose((weighted.estimate, weighted.pvalue), (0.08, 0.1541222), rtol=5e-7)
    with pytest.warns(fc.SmallSampleWarning, match="^few_clusters"):
        fc.paired_mean_test(D, groups=CLUSTERS)


def test_one_model_s_interval_is_that_of_its_differences_from_nothing():
    for given_as in ({}, {"groups": CLUSTERS}, {"sample_weight": WEIGHTS}, {"lags": 1}):
        one, two = (f(D, **given_as, **QUIET) for f in (fc.mean_interval, fc.paired_mean_test))
        assert one.standard_error == two.standard_error
        assert one.confidence_interval() == two.confidence_interval()
        assert one.status == two.status


def test_check_values_of_sign_flips_in_paired_mean_test():
    def pvalue(d, **options):
        return fc.paired_mean_test(
            d, groups=CLUSTERS, method="sign-flip", **options, **QUIET
        ).pvalue

    assert pvalue(D) == 0.125
    assert pvalue(D, alternative="greater") == 0.0625
    assert pvalue(np.round(np.array(D) - 0.05, 2)) == 0.25


@pytest.mark.parametrize("case", FLIPS, ids=lambda case: case["what"])
def test_sign_flips_of_clusters_equal_rational_enumeration_in_paired_mean_test(case):
    inputs, want = case["inputs"], case["expected"]
    given_as = {"groups": inputs["cluster"], "sample_weight": inputs.get("weights")}

    def test(**options):
        a, b = inputs["a"], inputs["b"]
        options = {**given_as, **options, **QUIET}
        return fc.paired_mean_test(a, b, method="sign-flip", **options)

    assert test().pvalue == want["p_two_sided"]
    assert test(alternative="greater").pvalue == want["p_greater"]
    assert test(alternative="less").pvalue == want["p_less"]
    assert_allclose(test().estimate, want["estimate"], rtol=1e-12, atol=1e-15)
    for shifted in want.get("shifted", ()):
        null = shifted["null_value"]
        alternative = "less" if null > 0 else "greater"
        found = test(alternative=alternative, margin=abs(null)).pvalue
        assert found == shifted[f"p_{alternative}"]


def flips_by_definition(d, groups, weights=None):
    """The share of sign vectors whose sum is as large in size, in rational arithmetic."""
    weights = weights or [1] * len(d)
    sums = {}
    for x, g, w in zip(d, groups, weights, strict=True):
        sums[g] = sums.get(g, 0) + Fraction(str(x)) * Fraction(str(w))
    observed = abs(sum(sums.values()))
    every = [sum(s * t for s, t in zip(signs, sums.values(), strict=True))
             for signs in product((1, -1), repeat=len(sums))]  # fmt: skip
    return sum(abs(total) >= observed for total in every) / len(every)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([-0.3, -0.1, 0.0, 0.1, 0.2, 0.7]),
            st.integers(0, 4),
            st.sampled_from([0.5, 1, 3]),
        ),
        min_size=2,
        max_size=14,
    ).filter(lambda rows: len({g for _, g, _ in rows}) > 1)
)
def test_sign_flips_tie_as_decimals_do_in_paired_mean_test(rows):
    d, groups, weights = map(list, zip(*rows, strict=True))
    options = {"groups": groups, "sample_weight": weights, "method": "sign-flip", **QUIET}
    assert fc.paired_mean_test(d, **options).pvalue == flips_by_definition(d, groups, weights)


def test_sign_flips_of_samples_tie_as_fractions_do_in_paired_mean_test():
    """Means of 3 and of 7 samples: thirds and sevenths have no decimals, but 21 times them do."""
    a = [[1, 0, 0], [1, 1, 0], [0, 0, 0], [1, 0, 1], [1, 1, 1]]
    b = [[0.1] * 7, [1, 0, 1, 0, 1, 0, 0], [0, 0, 1, 0, 0, 0, 0], [1] * 7, [0] * 7]
    d = [Fraction(str(sum(x))) / 3 - sum(Fraction(str(v)) for v in y) / 7
         for x, y in zip(a, b, strict=True)]  # fmt: skip
    observed = abs(sum(d))
    every = [sum(s * t for s, t in zip(signs, d, strict=True))
             for signs in product((1, -1), repeat=5)]  # fmt: skip
    want = sum(abs(total) >= observed for total in every) / 32
    assert fc.paired_mean_test(a, b, method="sign-flip").pvalue == want


def test_intervals_of_sign_flips_hold_what_they_do_not_reject_in_paired_mean_test():
    rng = np.random.default_rng(3)
    d, groups = rng.normal(0.3, 1, 60).round(2), rng.integers(0, 9, 60)
    options = {"groups": groups, "method": "sign-flip"}
    low, high = fc.paired_mean_test(d, **options).confidence_interval()
    for null, inside in ((low - 1e-3, False), (low + 1e-3, True), (high + 1e-3, False)):
        assert (fc.paired_mean_test(d - null, **options).pvalue > 0.05) == inside
    drawn = fc.paired_mean_test(d, **options, keep=True, rng=1)
    assert_allclose(drawn.confidence_interval(), (low, high), atol=0.05)
    assert drawn.distribution.size == drawn.n_resamples == 9999
    exact = fc.paired_mean_test(d, **options)
    assert (exact.n_resamples, exact.seed) == (0, None)
    assert_allclose(drawn.pvalue, exact.pvalue, atol=0.02)


def test_more_than_twenty_clusters_draw_signs_in_paired_mean_test():
    rng = np.random.default_rng(4)
    d, groups = rng.normal(0.1, 1, 90), np.arange(90) % 30
    result = fc.paired_mean_test(d, groups=groups, method="sign-flip", rng=7)
    assert result.n_resamples == 9999
    assert (result.pvalue * 10000) % 1 == pytest.approx(0, abs=1e-9)
    assert_allclose(result.pvalue, fc.paired_mean_test(d, groups=groups).pvalue, atol=0.03)
    again = fc.paired_mean_test(d, groups=groups, method="sign-flip", rng=7, n_jobs=2)
    assert again.to_dict() == result.to_dict()


def test_check_values_of_lags_in_paired_mean_test():
    found = [fc.paired_mean_test(LOSSES, lags=lags) for lags in (0, 1, 2)]
    assert_allclose([r.statistic for r in found], (3, 1.846372, 1.791929), rtol=3e-7)
    assert_allclose([r.pvalue for r in found[:2]], (0.01495636, 0.09791443), rtol=5e-7)
    assert found[1].design == "time order"


@pytest.mark.parametrize("case", LAGGED, ids=lambda case: case["what"])
def test_lags_equal_the_forecast_package_s_in_paired_mean_test(case):
    inputs, want = case["inputs"], case["expected"]
    a, b = (np.abs(inputs[name]) ** inputs["power"] for name in ("e1", "e2"))
    for h in range(1, 6):
        flat, bartlett = want[f"h{h}_acf"], want[f"h{h}_bartlett"]
        result = fc.paired_mean_test(a, b, lags=h - 1, **QUIET)
        fell_back = flat["horizon_used"] != h
        assert result.status == ("bartlett" if fell_back else "ok")
        expected = bartlett if fell_back else flat
        assert_allclose(result.statistic, expected["statistic"], rtol=1e-10)
        assert_allclose(result.pvalue, expected["p_two_sided"], rtol=1e-9)
        less = fc.paired_mean_test(a, b, lags=h - 1, alternative="less", **QUIET)
        assert_allclose(less.pvalue, expected["p_less"], rtol=1e-9)


def test_check_values_of_samples_in_mean_interval():
    result = fc.mean_interval(SAMPLES)
    assert_allclose((result.estimate, result.standard_error), (0.5333333, 0.1699673), rtol=2e-7)
    found = result.variance_samples, result.variance_items, result.icc
    assert_allclose(found, (0.2, 0.07777778, 0.28), rtol=1e-7)
    errors = [result.planning(samples=k).standard_error for k in (1, 2, 5, 10)]
    assert_allclose(errors, (0.2357023, 0.1885618, 0.1534782, 0.1398412), rtol=3e-7)
    unequal = fc.mean_interval(UNEQUAL)
    found = unequal.estimate, unequal.standard_error, unequal.variance_samples
    assert_allclose(found, (0.5833333, 0.1666667, 0.2129630), rtol=2e-7)
    assert_allclose(unequal.variance_items, 0.05725309, rtol=2e-7)


def padded(rows):
    table = np.full((len(rows), max(map(len, rows))), np.nan)
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


@pytest.mark.parametrize("case", SAMPLED, ids=lambda case: case["what"])
def test_variance_components_equal_those_of_the_analysis_of_variance_in_mean_interval(case):
    for model, rows in case["inputs"].items():
        want, result = case["expected"][model], fc.mean_interval(rows, method="t", **QUIET)
        found = result.estimate, result.standard_error, *result.confidence_interval()
        expected = want["mean_of_item_means"], want["se"], *want["interval"]
        assert_allclose(found, expected, rtol=1e-9)
        assert_allclose(result.variance_samples, want["var_samples"], rtol=1e-10)
        assert_allclose(result.variance_items, want["var_items_from_item_means"], rtol=1e-9)
        assert result.n_samples == want["samples"]
        for k, error in want["predicted_se_at_k"].items():
            plan = result.planning(samples=float(k))
            assert_allclose(plan.standard_error, error, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("case", SAMPLED[4:], ids=lambda case: case["what"])
def test_paired_samples_equal_the_t_test_of_item_means_in_paired_mean_test(case):
    a, b = (padded(case["inputs"][model]) for model in "ab")
    want, result = case["expected"]["difference"], fc.paired_mean_test(a, b, method="t")
    found = result.estimate, result.standard_error, result.statistic, result.pvalue, result.df
    names = "mean", "se", "t", "p_two_sided", "df"
    assert_allclose(found, [want[name] for name in names], rtol=1e-9)
    assert_allclose(result.variance_items, want["omega2"], rtol=1e-9)
    per_model = case["expected"]["a"]["var_samples"], case["expected"]["b"]["var_samples"]
    assert_allclose(result.variance_samples, per_model, rtol=1e-10)
    from_samples = result.standard_error**2 - result.variance_items / result.n
    assert_allclose(from_samples, want["variance_of_difference_from_samples"], rtol=1e-9)
    assert_allclose(result.resolution(), want["q"], rtol=1e-9)
    assert_allclose(result.n / result.resolution(), want["items_needed"], rtol=1e-9)


@pytest.mark.parametrize("case", POWER, ids=lambda case: case["what"])
def test_plans_equal_r_s_power_in_paired_mean_test(case):
    """Differences have exactly the variance per item, so the plan's standard error is known."""
    inputs, want = case["inputs"], case["expected"]
    d = stats.zscore(np.arange(50.0), ddof=1) * math.sqrt(want["variance_per_item"])
    plan = fc.paired_mean_test(d).planning(
        inputs["n"], difference=inputs["delta"], alpha=inputs["alpha"], power=inputs["power"]
    )
    assert_allclose(plan.power, want["power_t_at_n"], rtol=1e-7)  # of SciPy before 1.15
    assert_allclose(plan.detectable_difference, want["mde_t_at_n"], rtol=1e-7)


def test_plans_grow_clusters_and_keep_what_the_design_costs_in_paired_mean_test():
    rng = np.random.default_rng(8)
    groups = np.repeat(np.arange(12), 5)
    a = rng.normal(size=(60, 4)) + rng.normal(size=12)[groups][:, None]
    result = fc.paired_mean_test(a, a * 0.0, groups=groups)
    assert_allclose(result.planning().standard_error, result.standard_error, rtol=1e-12)
    plan = result.planning(240, samples=(4, math.inf))
    assert_allclose(plan.standard_error, result.standard_error / 2, rtol=1e-12)
    assert plan.df == 47
    assert plan.power > result.planning().power
    assert plan.n == 240
    one_sided = fc.paired_mean_test(a[:, 0], a[:, 1], alternative="greater", margin=0.3)
    assert one_sided.planning().detectable_difference > -0.3
    assert fc.paired_mean_test(a[:, 0]).variance_items is None


def test_bootstrap_draws_whole_clusters_in_paired_mean_test(requires_jit):
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(40), 5)
    a = rng.normal(size=200) + rng.normal(size=40)[groups]
    strata, weights = groups % 3, rng.uniform(1, 2, 200)
    for options in (
        {"groups": groups},
        {"groups": groups, "strata": strata, "sample_weight": weights},
        {"sample_weight": weights},
    ):
        found = fc.paired_mean_test(a, method="bootstrap", rng=2, **options)
        exact = fc.paired_mean_test(a, **options)
        assert_allclose(found.standard_error, exact.standard_error, rtol=0.06)
        assert_allclose(found.confidence_interval(), exact.confidence_interval(), atol=0.06)
        assert found.seed == 2
    again = fc.paired_mean_test(a, method="bootstrap", rng=2, n_jobs=2, **options)
    assert again.to_dict() == found.to_dict()


@pytest.mark.parametrize("method", ["t", "sign-flip", "bootstrap"])
def test_swapping_models_negates_and_the_order_of_items_does_not_count_in_paired_mean_test(method):
    rng = np.random.default_rng(6)
    a, b, groups = rng.normal(size=40), rng.normal(size=40), rng.integers(0, 8, 40)
    options = {"method": method, "rng": 3, "n_resamples": 999, **QUIET}
    one = fc.paired_mean_test(a, b, groups=groups, alternative="greater", margin=0.1, **options)
    other = fc.paired_mean_test(b, a, groups=groups, alternative="less", margin=0.1, **options)
    assert_allclose((one.estimate, one.pvalue), (-other.estimate, other.pvalue), rtol=1e-9)
    assert_allclose(one.confidence_interval().low, -other.confidence_interval().high, rtol=1e-9)
    order = rng.permutation(40)
    moved = fc.paired_mean_test(a[order], b[order], groups=groups[order], alternative="greater",
                                margin=0.1, **options)  # fmt: skip
    assert_allclose((moved.estimate, moved.pvalue), (one.estimate, one.pvalue), rtol=1e-9)
    same = fc.paired_mean_test(a, a, groups=groups, **options)
    assert (same.pvalue, same.estimate, same.status) == (1, 0, "no_difference")


def test_equivalence_and_non_inferiority_are_those_of_two_one_sided_tests_in_paired_mean_test():
    rng = np.random.default_rng(7)
    d, groups = rng.normal(size=80), np.arange(80) % 10
    for method in ("t", "sign-flip"):
        both, above, below = (
            fc.paired_mean_test(d, groups=groups, alternative=a, margin=0.4, method=method).pvalue
            for a in ("equivalence", "greater", "less")
        )
        assert both == max(above, below)
    result = fc.paired_mean_test(d, groups=groups, alternative="greater", margin=0.4)
    t = (result.estimate + 0.4) / result.standard_error
    assert_allclose(result.pvalue, stats.t.sf(t, result.df), rtol=1e-12)
    assert (result.alternative, result.margin) == ("greater", 0.4)


def test_undefined_and_unvaried_means_say_so():
    cases = [
        (([1.0], [0.0]), {}, "one_case"),
        (([1.0, 0.5], [0.0, 0.2]), {"groups": [1, 1]}, "too_few_clusters"),
        ((D,), {"strata": [1] * 9 + [2]}, "single_cluster"),
        (([1, -1, -1, 1.0],), {"groups": [[0, 0], [0, 1], [1, 0], [1, 1]]}, "negative_variance"),
        (([0.1] * 10,), {}, "zero_variance"),
    ]
    for scores, options, status in cases:
        with pytest.warns(fc.UndefinedResultWarning, match=f"^{status}"):
            result = fc.paired_mean_test(*scores, **options)
        assert result.status == status
        assert math.isnan(result.pvalue)
        assert np.isnan(result.confidence_interval()).all()
        result.summary()
    alike = fc.paired_mean_test([0.1] * 10, alternative="greater", margin=0.5)
    assert alike.status == "unvaried"
    assert alike.pvalue == 2.0**-10
    flips = fc.paired_mean_test([0.1] * 10, method="sign-flip", **QUIET)
    assert (flips.pvalue, flips.status) == (2.0**-9, "no_interval")
    with pytest.raises(fc.UndefinedResultError, match="one_case"):
        fc.mean_interval([1.0], on_undefined="raise")
    with pytest.warns(fc.UndefinedResultWarning, match="^constant_scores"):
        assert np.isnan(fc.mean_interval([0.5] * 5).confidence_interval()).all()
    with pytest.warns(fc.SmallSampleWarning, match="^small_sample"):
        fc.mean_interval([0.1] * 14 + [9.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "z"}, "`method` must be one of"),
        ({"method": "sign-flip", "lags": 1}, "`method` must be 't' with `lags`"),
        ({"method": "sign-flip", "strata": CLUSTERS}, "`method` must be 't' or 'bootstrap' with"),
        ({"lags": -1}, "`lags` must be at least 0"),
        ({"lags": 9}, "`lags` must be at most n - 2 = 8"),
        ({"lags": 1.0}, "`lags` must be an integer"),
        ({"lags": 1, "groups": CLUSTERS}, "`lags` requires items in time order"),
        ({"method": "bootstrap", "groups": np.stack([CLUSTERS] * 2, 1)}, "`groups` must be 1-d"),
        ({"strata": CLUSTERS, "groups": np.stack([CLUSTERS] * 2, 1)}, "`groups` must be 1-d with"),
        ({"margin": -1}, "`margin` must be at least 0 and finite"),
        ({"alternative": "equivalence"}, "needs `margin` above 0"),
        ({"n_resamples": 0}, "`n_resamples` must be at least 1"),
        ({"scores_b": np.array(1.0)}, "`scores_b` must have a number for each item"),
        ({"sample_weight": [1]}, "`sample_weight` must have one value for each of the 10 items"),
    ],
)
def test_options_that_do_not_go_together_are_refused_in_paired_mean_test(options, message):
    with pytest.raises(fc.FastCompareError, match=message):
        fc.paired_mean_test(D, **options)


def test_bad_plans_are_refused_in_paired_mean_test():
    result = fc.paired_mean_test(SAMPLES, UNEQUAL)
    for options, message in (
        ({"n": 1}, "`n` must be at least 2"),
        ({"samples": 0}, "`samples` must be at least 1"),
        ({"samples": (1, 2, 3)}, "one for each of 2 models, got 3"),
        ({"difference": math.inf}, "`difference` must be finite"),
        ({"power": 0.01}, "`power` must be between"),
    ):
        with pytest.raises(fc.FastCompareError, match=message):
            result.planning(**options)
    with pytest.raises(ValueError, match="`samples` needs scores with several samples"):
        fc.paired_mean_test(D).planning(samples=2)


def test_names_sentences_and_records():
    frame = pd.DataFrame({"forest": D, "tree": [0.0] * 10})
    result = fc.paired_mean_test(frame, groups=frame.index // 3, **QUIET)
    assert result.names == ("forest", "tree")
    assert result.means == pytest.approx((0.1, 0.0))
    assert (result.n, result.n_clusters) == (10, 4)
    few = fc.paired_mean_test(frame, groups=CLUSTERS, **QUIET)
    assert few.df == pytest.approx(2.39, abs=0.005)
    with pytest.warns(fc.DroppedCasesWarning):
        left = fc.paired_mean_test([*D, math.nan], [0] * 11, nan_policy="omit")
    assert (left.n, left.n_dropped) == (10, 1)
    for one in (result, fc.mean_interval(frame[["forest"]]), left.planning()):
        copied = pickle.loads(pickle.dumps(one))
        assert str(copied.to_dict()) == str(one.to_dict())
        assert one.summary() == copied.summary()
    assert fc.mean_interval(frame[["forest"]]).names == ("forest",)
    both = fc.paired_mean_test({"p": SAMPLES, "q": UNEQUAL})
    assert_array_equal(both.n_samples, [15, 14])
    assert both.n == 5
