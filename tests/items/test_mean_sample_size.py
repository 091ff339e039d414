"""How many items to collect, against R's power.t.test, simulations and the test itself."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import chi2, norm, t

import fastcompare as fc
from tests.shared.golden_files import GOLDEN

HELD = json.loads((GOLDEN / "items" / "variance_components.json").read_text())["cases"]
PLANS = [case for case in HELD if case["id"].startswith("pw")]  # R 4.2.2, strict = TRUE


@pytest.mark.parametrize("case", PLANS, ids=lambda case: case["id"])
@pytest.mark.parametrize("reference", ["normal", "t"])
def test_plans_agree_with_r(case, reference):
    inputs, held = case["inputs"], case["expected"]
    design = {
        "variance": inputs["omega2"],
        "sample_variance": (inputs["sigma2_a"], inputs["sigma2_b"]),
        "samples": (inputs["k_a"], inputs["k_b"]),
        "alpha": inputs["alpha"],
        "reference": reference,
    }
    delta, power, n = inputs["delta"], inputs["power"], inputs["n"]
    size = fc.mean_sample_size(difference=delta, power=power, **design)
    assert_allclose(size.n, held[f"n_{reference}"], rtol=1e-9)
    assert_allclose(size.variance, held["variance_per_item"], rtol=1e-12)
    if reference == "normal":
        assert_allclose(fc.mean_power(difference=delta, n=n, **design), held["power_normal_at_n"])
        assert size.whole_items == held["n_normal_rounded_up"]
    found = fc.mean_power(difference=delta, n=n, **design)
    assert_allclose(found, held[f"power_{reference}_at_n"], rtol=1e-9)
    smallest = fc.mean_detectable_difference(n=n, power=power, **design)
    assert_allclose(smallest, held[f"mde_{reference}_at_n"], rtol=1e-9)


def test_check_values():
    size = fc.mean_sample_size(difference=0.03, power=0.8, variance=1 / 9, reference="normal")
    assert_allclose(size.n, 968.9975, atol=5e-5)
    student = fc.mean_sample_size(difference=0.03, power=0.8, variance=1 / 9)
    assert_allclose(student.n, 970.9176, atol=5e-5)
    powers = [
        fc.mean_power(difference=0.03, n=200, variance=1 / 9, reference=reference)
        for reference in ("normal", "auto", "t")
    ]
    assert_allclose(powers, [0.2466003, 0.2446838, 0.2446838], atol=5e-8)
    least = fc.mean_detectable_difference(n=200, variance=1 / 9, reference="normal")
    assert_allclose(least, 0.06603400, atol=5e-9)


def mean_over_deviations(chance, df):
    """The mean of a chance given the estimated standard deviation over its true value."""
    shares = (np.arange(4000) + 0.5) / 4000
    return float(chance(np.sqrt(chi2.ppf(shares, df) / df)).mean())


@pytest.mark.slow
@given(
    difference=st.floats(0.05, 1.0),
    n=st.integers(3, 400),
    alternative=st.sampled_from(["two-sided", "greater", "less"]),
)
def test_power_is_the_mean_over_estimated_deviations_in_mean_power(difference, n, alternative):
    found = fc.mean_power(difference=difference, n=n, variance=1.0, alternative=alternative)
    tail = 0.025 if alternative == "two-sided" else 0.05
    point, shift = t.isf(tail, n - 1), difference * math.sqrt(n)
    above = mean_over_deviations(lambda s: norm.sf(point * s - shift), n - 1)
    below = mean_over_deviations(lambda s: norm.cdf(-point * s - shift), n - 1)
    want = {"two-sided": above + below, "greater": above, "less": below}[alternative]
    assert_allclose(found, want, atol=2e-4)


@pytest.mark.slow
@given(
    goal=st.floats(0.1, 0.99),
    difference=st.floats(0.02, 2.0),
    reference=st.sampled_from(["t", "normal"]),
    margin=st.sampled_from([0.0, 0.1]),
)
def test_sizes_and_differences_invert_the_power(goal, difference, reference, margin):
    alternative = "greater" if margin else "two-sided"
    design = {"variance": 1.3, "alternative": alternative, "margin": margin, "reference": reference}
    size = fc.mean_sample_size(difference=difference, power=goal, **design)
    reached = fc.mean_power(difference=difference, n=size.n, **design)
    least = 1.0 if reference == "normal" else 2.0
    assert reached >= goal - 1e-9
    assert size.n == least or reached <= goal + (1e-9 if reference == "t" or margin else 0.03)
    if size.n > least:
        found = fc.mean_detectable_difference(n=size.n, power=goal, **design)
        assert_allclose(found, difference, rtol=1e-7, atol=1e-8)


def test_two_models_correlation_samples_and_clusters_make_the_variance():
    plain = fc.mean_power(difference=0.1, n=150, variance=0.2 + 0.3 - 2 * 0.4 * math.sqrt(0.06))
    two = fc.mean_power(difference=0.1, n=150, variance=(0.2, 0.3), correlation=0.4)
    assert_allclose(two, plain, rtol=1e-12)
    more = fc.mean_power(difference=0.1, n=150, variance=0.1, sample_variance=0.2, samples=(1, 4))
    assert_allclose(more, fc.mean_power(difference=0.1, n=150, variance=0.1 + 0.2 + 0.05))
    clusters = {"design_effect": 1 + 4 * 0.3, "cluster_size": 5}
    size = fc.mean_sample_size(difference=0.1, power=0.8, variance=0.2, **clusters)
    assert_allclose(size.variance, 0.2 * 2.2)
    assert size.whole_clusters == math.ceil(size.n / 5)
    of_clusters = fc.mean_sample_size(difference=0.1, power=0.8, variance=0.2 * 2.2 / 5)
    assert_allclose(size.n, 5 * of_clusters.n, rtol=1e-9)


def test_the_test_has_the_power_that_was_planned():
    rng = np.random.default_rng(0)
    n, runs, icc = 60, 4000, 0.4
    shared = rng.normal(size=(runs, n // 4)).repeat(4, axis=1)
    d = 0.35 + math.sqrt(icc) * shared + math.sqrt(1 - icc) * rng.normal(size=(runs, n))
    means = d.reshape(runs, n // 4, 4).mean(axis=2)  # equal clusters: the test is that of means
    statistic = means.mean(axis=1) / (means.std(axis=1, ddof=1) / math.sqrt(n // 4))
    rejected = float((np.abs(statistic) > t.isf(0.025, n // 4 - 1)).mean())
    design = {"variance": 1.0, "design_effect": 1 + 3 * icc, "cluster_size": 4}
    planned = fc.mean_power(difference=0.35, n=n, **design)
    assert abs(rejected - planned) < 4 * math.sqrt(planned * (1 - planned) / runs)
    one = fc.paired_mean_test(d[0], groups=np.arange(n) // 4)
    assert_allclose(one.statistic, statistic[0], rtol=1e-9)


def test_margins_help_and_equivalence_is_planned_in_mean_sample_size():
    plan = {"variance": 0.2, "power": 0.8}
    alone = fc.mean_sample_size(difference=0.0, alternative="greater", margin=0.05, **plan)
    helped = fc.mean_sample_size(difference=0.05, alternative="greater", **plan)
    assert_allclose(alone.n, helped.n, rtol=1e-9)
    both = fc.mean_sample_size(difference=0.0, alternative="equivalence", margin=0.05, **plan)
    z = norm.isf(0.05) + norm.isf(0.1)
    assert both.n == pytest.approx(0.2 * (z / 0.05) ** 2, rel=0.01)
    assert (both.alternative, both.margin, both.power) == ("equivalence", 0.05, 0.8)
    assert both.to_dict()["n"] == both.n


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"difference": 0.0}, "`difference` of 0 contradicts `alternative='two-sided'`"),
        ({"difference": -0.1, "alternative": "greater"}, "no number of items gives this `power`"),
        ({"difference": 1e-200}, "no number of items below"),
        ({"difference": math.nan}, "`difference` must be finite"),
        ({"power": 0.04}, "`power` must be between 0.05 and 1"),
        ({"variance": -1.0}, "`variance` must be at least 0"),
        ({"variance": 0.0}, "must give a variance above 0"),
        ({"variance": (0.1, 0.2)}, "two variances need `correlation`"),
        ({"correlation": 0.5}, "`correlation` needs the variances of both models"),
        ({"variance": (1.0, 1.0), "correlation": 1.2}, "`correlation` must be from -1 to 1"),
        ({"sample_variance": (1.0, 1.0, 1.0)}, "`sample_variance` must be one number or two"),
        ({"samples": 0}, "`samples` must be at least 1"),
        ({"cluster_size": 0.5}, "`cluster_size` must be at least 1"),
        ({"margin": 0.1}, "`margin` needs a direction"),
        ({"reference": "z"}, "`reference` must be one of"),
    ],
)
def test_senseless_plans_are_refused_in_mean_sample_size(changed, message):
    with pytest.raises(fc.FastCompareError, match=message):
        fc.mean_sample_size(**{"difference": 0.1, "power": 0.8, "variance": 1.0} | changed)


def test_too_few_items_and_equivalence_are_refused():
    with pytest.raises(fc.InvalidValueError, match="`n` must be at least 2 and finite, got 1"):
        fc.mean_power(difference=0.1, n=1, variance=1.0)
    with pytest.raises(fc.InvalidValueError, match="a larger difference is less equivalent"):
        fc.mean_detectable_difference(n=50, variance=1.0, alternative="equivalence", margin=0.2)


def test_sentences_on_power_name_the_claim_with_a_margin():
    design = {"difference": 0.0, "variance": 0.2, "power": 0.8}
    text = fc.mean_sample_size(**design, margin=0.05, alternative="greater").summary()
    assert "for the claim with margin 0.05 at a true difference of 0 in mean score" in text
    assert "to detect a difference" not in text
