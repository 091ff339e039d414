import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import ndtri
from scipy.stats import multivariate_normal

import fastcompare as fc
from fastcompare._inputs.plans.sizes import as_expected
from fastcompare.auc._power import binormal_covariance, binormal_variances
from tests.shared.golden_files import GOLDEN

PROC = json.loads((GOLDEN / "proc_power.json").read_text())
AUCS = st.floats(0.55, 0.95).map(lambda x: round(x, 3))
METHODS = st.sampled_from(["obuchowski", "binormal"])
PUBLISHED = {"method": "obuchowski"}


def arguments(row, *left_out):
    return {name: value for name, value in row.items() if name not in left_out}


def test_the_worked_example():
    """FORMULAS: AUC power."""
    power = fc.auc_power(auc=0.73, n_positive=41, n_negative=72, **PUBLISHED)
    assert_allclose(power, 0.9897453, rtol=1e-7)
    result = fc.auc_sample_size(auc=0.73, power=0.9, ratio=1.7, **PUBLISHED)
    assert_allclose(result.n_positive, 24.1227, rtol=2e-6)
    assert_allclose(result.n_negative, 1.7 * result.n_positive, rtol=1e-15)
    assert result.whole_cases == (25, 42)


def one_sided(row):
    """The same test in the right direction only, which is all that pROC counts."""
    halves = {"two-sided": 2, "greater": 1}[row["alternative"]]
    return {**row, **PUBLISHED, "alternative": "greater", "alpha": row["alpha"] / halves}


@pytest.mark.parametrize("row", PROC["power_one"] + PROC["power_two"], ids=str)
def test_power_agrees_with_proc_in_auc_power(row):
    assert_allclose(fc.auc_power(**arguments(one_sided(row), "power")), row["power"], rtol=1e-11)
    both = fc.auc_power(**arguments(row, "power"), **PUBLISHED)
    assert 0 <= both - row["power"] + 1e-12 < 1e-3


@pytest.mark.parametrize("row", PROC["size_one"] + PROC["size_two"], ids=str)
def test_sample_size_agrees_with_proc_in_auc_sample_size(row):
    sizes = row["n_positive"], row["n_negative"]
    result = fc.auc_sample_size(**arguments(one_sided(row), "n_positive", "n_negative"))
    assert_allclose((result.n_positive, result.n_negative), sizes, rtol=1e-10)
    result = fc.auc_sample_size(**arguments(row, "n_positive", "n_negative"), **PUBLISHED)
    assert_allclose((result.n_positive, result.n_negative), sizes, rtol=2e-5)
    assert result.auc == (tuple(row["auc"]) if "correlation" in row else row["auc"])


def binormal_scores(rng, auc, correlation, shape):
    """Scores of two models, normal in each class with variance 1, negatives around 0."""
    first, other = rng.normal(size=(2, *shape))
    second = correlation * first + math.sqrt(1 - correlation**2) * other
    shift = math.sqrt(2) * ndtri(auc)
    return first + shift[0], second + shift[1]


@pytest.mark.parametrize(
    ("auc", "correlation", "m", "n"),
    [
        ((0.85, 0.80), (0.6, 0.6), 100, 150),
        ((0.80, 0.70), (0.5, 0.3), 80, 120),
        ((0.90, 0.80), (0.4, 0.8), 60, 100),
        ((0.80, 0.65), (-0.3, 0.1), 80, 60),
    ],
)
def test_simulated_studies_have_the_power_of_the_binormal_method(
    auc, correlation, m, n, requires_jit
):
    rng = np.random.default_rng(3)
    studies = 1500
    positives = binormal_scores(rng, auc, correlation[0], (studies, m))
    negatives = binormal_scores(rng, (0.5, 0.5), correlation[1], (studies, n))
    a, b = (np.hstack(both) for both in zip(positives, negatives, strict=True))
    result = fc.delong_batch(np.repeat([1, 0], [m, n]), a, b)
    design = {"auc": auc, "n_positive": m, "n_negative": n, "correlation": correlation}
    want = fc.auc_power(**design)
    spread = math.sqrt(want * (1 - want) / studies)
    assert abs((result.pvalue < 0.05).mean() - want) < 3 * spread + 0.01  # normal approximation
    assert fc.auc_power(**design, **PUBLISHED) < want + 0.02


@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_parts_of_the_variance_are_the_means_of_delongs_for_few_cases(correlation):
    rng, studies, m, n = np.random.default_rng(8), 40_000, 4, 3
    rates, both = (0.8, 0.65), (correlation,) * 2
    positives = binormal_scores(rng, rates, correlation, (studies, m, 1))
    negatives = binormal_scores(rng, (0.5, 0.5), correlation, (studies, 1, n))
    a, b = (x > y for x, y in zip(positives, negatives, strict=True))
    gaps = a.astype(float) - b
    of_positives = gaps.mean(axis=2).var(axis=1, ddof=1).mean() / m
    of_negatives = gaps.mean(axis=1).var(axis=1, ddof=1).mean() / n
    shares = binormal_variances(as_expected(rates, both), m, n).shares
    assert_allclose(shares, (of_positives, of_negatives), rtol=0.03)


@pytest.mark.parametrize(("auc", "m", "n"), [(0.6, 80, 100), (0.7, 40, 30), (0.8, 12, 40)])
def test_simulated_studies_of_one_model_have_that_power_too_in_auc_power(auc, m, n):
    rng = np.random.default_rng(4)
    studies = 1500
    x = rng.normal(math.sqrt(2) * ndtri(auc), size=(studies, m, 1))
    y = rng.normal(size=(studies, 1, n))
    z = ((x > y).mean(axis=(1, 2)) - 0.5) / math.sqrt((m + n + 1) / (12 * m * n))
    want = fc.auc_power(auc=auc, n_positive=m, n_negative=n, method="binormal")
    spread = math.sqrt(want * (1 - want) / studies)
    assert abs((abs(z) > 1.959964).mean() - want) < 3 * spread + 0.015  # z takes few values


@pytest.mark.parametrize("r", [-0.9, -0.3, 0.0, 0.5, 0.99])
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (0.2, 1.5), (-1.0, 0.7), (2.5, 2.4)])
def test_joint_probabilities_agree_with_scipy(a, b, r):
    joint = multivariate_normal(cov=[[1, r], [r, 1]]).cdf([a, b])
    margins = multivariate_normal(cov=1)
    want = joint - margins.cdf(a) * margins.cdf(b)
    assert_allclose(binormal_covariance(a, b, r), want, rtol=1e-6, atol=1e-9)


def test_the_binormal_variance_at_full_correlation_is_that_of_one_auc():
    """P(X < a)(1 - P(X < a)) with itself; one case of each class leaves nothing else."""
    assert_allclose(binormal_covariance(0.4, 0.4, 1.0), 0.6554217 * (1 - 0.6554217), rtol=1e-6)


@pytest.mark.parametrize("method", ["obuchowski", "binormal"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_without_an_effect_the_power_is_alpha_in_auc_power(method, alternative):
    design = {"n_positive": 30, "n_negative": 30, "alternative": alternative, "method": method}
    pair = fc.auc_power(auc=(0.7, 0.7), correlation=0.4, alpha=0.02, **design)
    assert_allclose(pair, 0.02, rtol=1e-12)
    one = fc.auc_power(auc=0.5, alpha=0.02, **design)
    assert_allclose(one, 0.02, rtol=1e-12)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(auc=AUCS, power=st.floats(0.1, 0.999), ratio=st.floats(0.2, 5), method=METHODS)
def test_the_sample_size_gives_the_power(auc, power, ratio, method):
    result = fc.auc_sample_size(auc=auc, power=power, ratio=ratio, method=method)
    m, n = result.n_positive, result.n_negative
    reached = fc.auc_power(auc=auc, n_positive=m, n_negative=n, method=method)
    assert reached > power - 1e-9
    assert min(m, n) > 1 - 1e-12
    if min(m, n) > 1.001:
        assert_allclose(reached, power, rtol=1e-9)
    m, n = result.whole_cases
    assert fc.auc_power(auc=auc, n_positive=m, n_negative=n, method=method) > power - 1e-9


@settings(max_examples=50, deadline=None)
@given(a=AUCS, b=AUCS, r=st.floats(-0.9, 0.9), s=st.floats(-0.9, 0.9))
def test_swapping_the_models_turns_the_alternative_in_auc_power(a, b, r, s):
    design = {"n_positive": 40, "n_negative": 70, "correlation": (r, s), "method": "binormal"}
    one = fc.auc_power(auc=(a, b), alternative="greater", **design)
    two = fc.auc_power(auc=(b, a), alternative="less", **design)
    assert_allclose(one, two, rtol=1e-12)
    both = fc.auc_power(auc=(a, b), **design)
    sides = [
        fc.auc_power(auc=(a, b), alternative=side, alpha=0.025, **design)
        for side in ("less", "greater")
    ]
    assert_allclose(both, sum(sides), rtol=1e-12)


def test_an_auc_below_one_half_is_found_as_well():
    design = {"n_positive": 41, "n_negative": 72}
    assert fc.auc_power(auc=0.27, **design) == pytest.approx(fc.auc_power(auc=0.73, **design))
    assert fc.auc_power(auc=0.27, alternative="greater", **design) < 1e-6
    one_sided = {"alternative": "less", "alpha": 0.025}
    result = fc.auc_sample_size(auc=0.27, power=0.9, ratio=1.7, **one_sided, **PUBLISHED)
    assert_allclose(result.n_positive, 24.1227, rtol=2e-6)


def test_numbers_in_other_types_are_numbers_in_auc_power():
    design = {"n_positive": np.int64(100), "n_negative": np.float32(150)}
    want = fc.auc_power(auc=(0.85, 0.8), n_positive=100, n_negative=150, correlation=(0.6, 0.6))
    got = fc.auc_power(auc=np.array([0.85, 0.8]), correlation=np.float64(0.6), **design)
    assert got == want
    assert type(got) is float


def test_results_print_in_auc_sample_size():
    one = fc.auc_sample_size(auc=0.73, power=0.9, ratio=1.7, **PUBLISHED)
    assert one.summary() == (
        "25 positive and 42 negative cases give a power of 0.9 for an AUC of 0.73 against 0.5 "
        "(alpha = 0.05, two-sided; obuchowski variance)."
    )
    two = fc.auc_sample_size(auc=(0.85, 0.8), power=0.9, correlation=0.6, method="binormal")
    assert "for AUCs of 0.85 and 0.8 (" in two.summary()
    assert "   auc  correlation\n" in str(two)
    assert "0.8500       0.6000\n0.8000       0.6000\n" in str(two)
    assert two.to_dict()["auc"] == [0.85, 0.8]


ONE = {"auc": 0.8, "n_positive": 20, "n_negative": 20}
BAD = [
    ({"auc": 1.0}, ValueError, "`auc` must be between 0 and 1, got 1.0"),
    ({"auc": math.nan}, ValueError, "`auc` must be between 0 and 1, got nan"),
    ({"auc": "0.8"}, TypeError, "`auc` must be a number or two numbers, got '0.8'"),
    ({"auc": None}, TypeError, "`auc` must be a number, got None"),
    ({"auc": np.array(0.8)}, TypeError, "`auc` must be a number, got array"),
    ({"auc": (0.8, 0.7, 0.6)}, ValueError, "`auc` must be one number or two, got 3"),
    ({"auc": (0.8, 0.7)}, ValueError, "two AUCs need `correlation`"),
    ({"auc": (0.8, 1.7), "correlation": 0}, ValueError, r"`auc\[1\]` .* got 1.7. .*model b"),
    ({"correlation": 0.5}, ValueError, "`correlation` needs two AUCs"),
    ({"auc": (0.8, 0.7), "correlation": 1}, ValueError, "between -1 and 1, got 1"),
    ({"auc": (0.8, 0.7), "correlation": (0, -2)}, ValueError, r"correlation\[1\].*negatives"),
    ({"n_positive": 0}, ValueError, "`n_positive` must be at least 1 and finite, got 0"),
    ({"n_negative": math.inf}, ValueError, "`n_negative` must be at least 1 and finite, got inf"),
    ({"n_negative": True}, TypeError, "`n_negative` must be a number, got True"),
    ({"n_positive": 10**400}, ValueError, "`n_positive` must be a number in the range of float"),
    ({"alpha": 95}, ValueError, "`alpha` must be between 0 and 1, got 95. Did you mean 0.05"),
    ({"alpha": 5}, ValueError, "Did you mean 0.05"),
    ({"alternative": "two-tailed"}, ValueError, "'two-sided', 'less', 'greater'.*Did you mean"),
    ({"method": "delong"}, ValueError, "`method` must be one of 'binormal', 'obuchowski'"),
]


@pytest.mark.parametrize(("change", "error", "message"), BAD, ids=str)
def test_bad_designs_are_refused_with_a_reason_in_auc_power(change, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.auc_power(**{**ONE, **change})
    assert isinstance(caught.value, fc.FastCompareError)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"auc": 0.5}, "no number of cases .* `auc` implies an effect of 0"),
        ({"auc": (0.7, 0.7), "correlation": 0.2}, "an effect of 0"),
        ({"alternative": "less"}, "contradicts `alternative='less'`"),
        ({"power": 0.05}, "`power` must be between 0.05 and 1, got 0.05"),
        ({"power": 90}, "`power` must be between 0.05 and 1, got 90"),
        ({"auc": 0.5 + 1.2e-16, "ratio": 1e300}, "no realistic number of cases"),
        ({"ratio": 0.0}, "`ratio` must be between 0 and inf, got 0"),
    ],
)
def test_sample_sizes_that_do_not_exist_are_refused_in_auc_sample_size(change, message):
    with pytest.raises(ValueError, match=message):
        fc.auc_sample_size(**{"auc": 0.8, "power": 0.9, **change})


@pytest.mark.parametrize("method", ["obuchowski", "binormal"])
def test_extreme_designs_have_numbers_too(method):
    tiny = fc.auc_sample_size(auc=0.5 + 1e-9, power=0.9, method=method).n_positive
    small = fc.auc_sample_size(auc=0.5 + 1e-7, power=0.9, method=method).n_positive
    assert_allclose(tiny / small, 1e4, rtol=1e-5)
    certain = fc.auc_sample_size(auc=1 - 1e-9, power=0.9, ratio=0.1, alpha=0.4, method=method)
    assert (certain.n_positive, certain.n_negative) == (10, 1)
    for r in (-0.999999, 0.999999):
        design = {"n_positive": 10, "n_negative": 10, "correlation": r, "method": method}
        assert 0 < fc.auc_power(auc=(0.6, 0.9), **design) <= 1


def test_a_published_variance_that_turns_negative_is_refused_in_auc_power():
    design = {"n_positive": 50, "n_negative": 50, "correlation": 0.9}
    with pytest.raises(ValueError, match="no variance under the null hypothesis"):
        fc.auc_power(auc=(0.995, 0.7), **design, **PUBLISHED)
    assert 0.9 < fc.auc_power(auc=(0.995, 0.7), **design) <= 1.0
