"""Scoring rules and their tests against definitions, scikit-learn, SciPy and enumeration."""

import math
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest
import statsmodels.api as sm
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from tests.reference import scores as reference
from tests.shared.executors import PicklingExecutor

Y = [1, 0, 1, 0, 1, 0]
P = [0.9, 0.2, 0.7, 0.3, 0.6, 0.15]
Q = [0.75, 0.1, 0.85, 0.4, 0.8, 0.25]
P6 = (Y, P, Q)
METHODS = ("t", "wilcoxon", "permutation", "bootstrap")
ALTERNATIVES = ("two-sided", "greater", "less")
RNG = np.random.default_rng(0)
Y3 = RNG.integers(0, 3, 40)
P3, Q3 = RNG.dirichlet([1, 1, 1], (2, 40))
U = np.uint64


def identity(y, p):
    """A rule that takes the differences themselves as losses."""
    return p


@pytest.mark.parametrize(
    ("rule", "difference"),
    [("brier", 0.00916667), ("log", 0.0229976), ("spherical", 0.00984609)],
)
def test_differences_of_the_six_cases_in_scoring_test(rule, difference):
    """FORMULAS: scores."""
    for method in METHODS:
        result = fc.scoring_test(*P6, rule=rule, method=method, rng=0, n_resamples=99)
        assert_allclose(result.losses[0] - result.losses[1], difference, rtol=5e-6)
        if method != "wilcoxon":
            assert_allclose(result.estimate, difference, rtol=5e-6)
    rows = [[[1 - p, p] for p in model] for model in (P, Q)]
    losses = [np.mean(reference.class_losses(rule, Y, model)) for model in rows]
    halved = 2 if rule == "brier" else 1  # the sum over both classes
    assert_allclose(result.losses, np.array(losses) / halved, rtol=1e-13)


def test_p_values_of_the_six_cases_in_scoring_test():
    """FORMULAS: paired t on them, sign flips; the documents print t's p as .77."""
    t = fc.scoring_test(*P6)
    assert_allclose((t.statistic, t.pvalue), (0.2968423, 0.7785227), rtol=3e-7)
    assert fc.scoring_test(*P6, method="wilcoxon").pvalue == 1.0
    assert fc.scoring_test(*P6, method="permutation").pvalue == 0.8125


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_intervals_invert_the_tests_in_scoring_test(method, alternative):
    rng = np.random.default_rng(9)
    d = rng.normal(0.1, 1, 20)
    y = np.arange(20) % 2

    def p_at(x):
        moved = (d - x + 20) / 40
        result = fc.scoring_test(
            y,
            moved,
            np.full(20, 0.5),
            rule=identity,
            method=method,
            alternative=alternative,
            rng=2,
            n_resamples=399,
        )
        return result.pvalue

    result = fc.scoring_test(
        y,
        (d + 20) / 40,
        np.full(20, 0.5),
        rule=identity,
        method=method,
        alternative=alternative,
        rng=2,
        n_resamples=399,
    )
    ends = np.array(result.confidence_interval(0.9)) * 40
    assert np.isfinite(ends).sum() == (2 if alternative == "two-sided" else 1)
    for end, outwards in zip(ends, (-1e-6, 1e-6), strict=True):
        if math.isfinite(end):
            assert p_at(end + outwards) <= 0.1 + 1e-12
            assert p_at(end - outwards) > 0.1 - 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_the_same_seed_gives_the_same_bits_in_scoring_test(method):
    rng = np.random.default_rng(2)
    y, p, q = rng.integers(0, 2, 40), *rng.random((2, 40))
    args = {"method": method, "n_resamples": 700, "keep": True}
    want = fc.scoring_test(y, p, q, rng=5, **args)
    with ThreadPoolExecutor(2) as pool:
        for others in ({"n_jobs": 2}, {"executor": pool}, {"executor": PicklingExecutor()}):
            got = fc.scoring_test(y, p, q, rng=5, **args, **others)
            assert (got.distribution == want.distribution).all()
            assert got.confidence_interval() == want.confidence_interval()
    assert (fc.scoring_test(y, p, q, rng=6, **args).distribution != want.distribution).any()
    assert want.distribution.size == 700


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_order_does_not_matter_and_swapping_turns_the_sign_in_scoring_test(method):
    rng = np.random.default_rng(4)
    y, p, q = rng.integers(0, 2, 60), *rng.random((2, 60))
    want = fc.scoring_test(y, p, q, method=method, rng=1, n_resamples=999)
    other = fc.scoring_test(y, q, p, method=method, rng=1, n_resamples=999)
    assert other.estimate == -want.estimate
    assert_allclose(other.pvalue, want.pvalue, rtol=1e-12)
    low, high = want.confidence_interval()
    assert_allclose(other.confidence_interval(), (-high, -low), rtol=1e-9)
    if method != "bootstrap":  # which draws rows
        mixed = rng.permutation(60)
        again = fc.scoring_test(y[mixed], p[mixed], q[mixed], method=method, rng=1, n_resamples=999)
        assert_allclose(again.pvalue, want.pvalue, rtol=1e-12)


def test_methods_agree_for_many_cases_and_equal_scipy_in_scoring_test(requires_jit):
    rng = np.random.default_rng(8)
    y, p = rng.integers(0, 2, 2000), rng.random(2000)
    q = np.clip(p + 0.1 * rng.normal(size=2000), 0, 1)
    found = {m: fc.scoring_test(y, p, q, method=m, rng=0) for m in METHODS}
    a, b = (p - y) ** 2, (q - y) ** 2
    want = stats.ttest_rel(a, b)
    assert_allclose(found["t"].pvalue, want.pvalue, rtol=1e-9)
    assert_allclose(found["t"].confidence_interval(), want.confidence_interval(), rtol=1e-9)
    for method in ("permutation", "bootstrap"):
        assert abs(found[method].pvalue - want.pvalue) < 0.02
        ends = found[method].confidence_interval()
        assert_allclose(ends, found["t"].confidence_interval(), atol=2e-4)
    assert_allclose(found["bootstrap"].standard_error, found["t"].standard_error, rtol=0.05)
    normal = stats.wilcoxon(a - b, correction=False, method="asymptotic").pvalue
    assert_allclose(found["wilcoxon"].pvalue, normal, rtol=1e-9)


@pytest.mark.parametrize("rule", ["brier", "log", "spherical"])
def test_several_classes_follow_the_definition(rule):
    losses = [np.array(reference.class_losses(rule, Y3, m)) for m in (P3, Q3)]
    result = fc.scoring_test(Y3, P3, Q3, rule=rule)
    assert_allclose(result.losses, [x.mean() for x in losses], rtol=1e-13)
    assert_allclose(result.pvalue, stats.ttest_rel(*losses).pvalue, rtol=1e-10)
    if rule == "brier":
        assert_allclose(fc.brier_score(Y3, P3), losses[0].mean(), rtol=1e-13)


def test_infinite_losses():
    with pytest.warns(fc.UndefinedResultWarning, match="infinite_loss.*`clip`"):
        assert fc.log_loss([1, 0], [0.0, 0.2]) == math.inf
    assert_allclose(fc.log_loss([1, 0], [0.0, 0.0], clip=0.01), -0.5 * math.log(0.01 * 0.99))
    with pytest.warns(fc.UndefinedResultWarning, match="infinite_loss"):
        one = fc.scoring_test(Y, [0, *P[1:]], Q, rule="log")
    assert one.estimate == math.inf
    assert math.isnan(one.pvalue)
    assert math.isnan(one.confidence_interval().low)
    both = fc.scoring_test(Y, [0, *P[1:]], [0, *Q[1:]], rule="log", on_undefined="ignore")
    assert (both.status, math.isnan(both.estimate)) == ("infinite_loss", True)
    assert both.losses.tolist() == [math.inf, math.inf]
    assert "are infinite and infinite, a difference of undefined" in both.summary()
    for method in METHODS:
        args = {"rule": "log", "method": method, "clip": 1e-6, "rng": 0, "n_resamples": 99}
        assert math.isfinite(fc.scoring_test(Y, [0, *P[1:]], Q, **args).pvalue)
    assert fc.log_loss([1, 0], [1.0, 0.0]) == 0.0


@pytest.mark.parametrize("method", METHODS)
def test_equal_models_and_constant_differences_in_scoring_test(method):
    same = fc.scoring_test(Y, P, P, method=method, rng=0, n_resamples=99)
    assert (same.status, same.pvalue, same.estimate) == ("no_difference", 1.0, 0.0)
    reach = 1.0 - 0.025 ** (1 / len(Y)) if method in ("t", "bootstrap", "permutation") else 0.0
    assert_allclose(same.confidence_interval(), (-reach, reach))
    assert "do not differ significantly in Brier score" in same.summary()
    shifted = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    args = {
        "rule": identity,
        "method": method,
        "on_undefined": "ignore",
        "rng": 0,
        "n_resamples": 99,
    }
    constant = fc.scoring_test(Y, shifted + 0.1, shifted, **args)
    assert constant.standard_error == 0.0
    if method in ("t", "bootstrap"):
        assert (constant.status, math.isnan(constant.pvalue)) == ("zero_variance", True)
        assert constant.statistic == math.inf
    else:
        word = "ok" if method == "wilcoxon" else "no_interval"
        assert (constant.status, constant.pvalue) == (word, 2 / 64)


@pytest.mark.parametrize("method", METHODS)
def test_one_case_in_scoring_test(method):
    with pytest.warns(fc.UndefinedResultWarning, match="one_case"):
        result = fc.scoring_test([1], [0.9], [0.8], method=method, rng=0)
    assert math.isnan(result.standard_error)
    assert_allclose(result.estimate, -0.03)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_true_null_hypotheses_are_rejected_as_often_as_stated_in_scoring_test(method, requires_jit):
    rng = np.random.default_rng(12)
    n, runs = 30, 600
    rejected = 0
    for _ in range(runs):
        y = rng.integers(0, 2, n)
        p, q = rng.beta(2, 2, (2, n))
        result = fc.scoring_test(y, p, q, method=method, n_resamples=199, rng=rng)
        rejected += result.pvalue <= 0.1
    slack = 0.03 if method == "bootstrap" else 0.0  # percentiles of 30 cases are too narrow
    assert abs(rejected / runs - 0.1) < 4 * math.sqrt(0.09 / runs) + slack


def test_words_say_who_is_worse_in_scoring_test():
    assert "do not differ significantly in Brier score" in fc.scoring_test(*P6).summary()
    y, good, bad = [1, 0, 1] * 6, [0.9, 0.1, 0.8] * 6, [0.6, 0.3, 0.5] * 6
    assert "The second model has a significantly lower" in fc.scoring_test(y, bad, good).summary()
    assert fc.scoring_test(*P6, alternative="greater").pvalue < 0.5
    assert fc.scoring_test(*P6, rule=identity).rule == "identity"
    assert "W+ = 11" in fc.scoring_test(*P6, method="wilcoxon").summary()
    assert "_letter" not in fc.scoring_test(*P6).to_dict()


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain kernels compute with NumPy's numbers")
@pytest.mark.parametrize("method", METHODS)
def test_hosts_that_raise_on_every_floating_point_event(method):
    tiny = [1e-300, 1.0, 0.5, 5e-324, 1 - 1e-16, 0.25]
    y = [0, 1, 1, 0, 1, 0]
    with np.errstate(all="raise"):
        for rule in ("brier", "log", "spherical"):
            result = fc.scoring_test(y, tiny, P, rule=rule, method=method, rng=0, n_resamples=99)
            assert math.isfinite(result.pvalue)
            result.confidence_interval()
        assert fc.log_loss([1, 0], [0.0, 0.5], on_undefined="ignore") == math.inf


@pytest.mark.parametrize("rule", ["brier", "log"])
@pytest.mark.parametrize("margin", [0.01, 0.2])
def test_a_margin_moves_the_t_test_in_scoring_test(rule, margin):
    y, p, q = np.tile(Y, 4), np.tile(P, 4) ** 0.9, np.roll(np.tile(Q, 4), 2)
    a, b = (
        np.array(reference.class_losses(rule, y, [[1 - x, x] for x in given])) for given in (p, q)
    )
    d = (a - b) / (2 if rule == "brier" else 1)
    above = stats.ttest_1samp(d, -margin, alternative="greater").pvalue
    below = stats.ttest_1samp(d, margin, alternative="less").pvalue
    wanted = {"greater": above, "less": below, "equivalence": max(above, below)}
    for alternative, pvalue in wanted.items():
        result = fc.scoring_test(y, p, q, rule=rule, alternative=alternative, margin=margin)
        assert_allclose(result.pvalue, pvalue, rtol=1e-9)
    low, high = result.confidence_interval(0.9)
    same = stats.ttest_1samp(d, 0.0).confidence_interval(0.8)  # Schuirmann (1987): 1 - 2 alpha
    assert_allclose((low, high), same, rtol=1e-9)


@pytest.mark.parametrize("alternative", ["less", "greater", "equivalence"])
def test_a_margin_of_the_bootstrap_is_near_that_of_the_t_test(alternative, requires_jit):
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 400)
    p, q = np.clip(0.5 + (y - 0.5) * rng.normal(0.5, 0.3, (2, 400)), 0.01, 0.99)
    given = {"alternative": alternative, "margin": 0.02}
    t = fc.scoring_test(y, p, q, **given)
    found = fc.scoring_test(y, p, q, method="bootstrap", rng=0, **given)
    assert_allclose(found.pvalue, t.pvalue, atol=0.01)


def test_equivalence_of_the_same_model_has_no_error_and_intervals_keep_to_the_range():
    same = fc.scoring_test(Y, P, P, alternative="equivalence", margin=0.1, on_undefined="raise")
    assert (same.estimate, same.status) == (0.0, "no_difference")
    assert_allclose(same.pvalue, 0.9 ** len(Y), rtol=1e-14)
    one_sided = fc.scoring_test(*P6, alternative="less").confidence_interval()
    assert one_sided.low == -1.0
    assert fc.scoring_test(*P6, rule="log", alternative="less").confidence_interval().low == -np.inf


@pytest.mark.parametrize("method", ["wilcoxon", "permutation"])
def test_a_margin_needs_a_method_about_the_mean_in_scoring_test(method):
    with pytest.raises(ValueError, match="`method` must be 't' or 'bootstrap' with a margin"):
        fc.scoring_test(*P6, method=method, alternative="less", margin=0.1)


def test_a_margin_beyond_the_range_is_refused_in_scoring_test():
    with pytest.raises(ValueError, match="`margin`"):
        fc.scoring_test(*P6, alternative="less", margin=1.5)


def test_the_sentence_of_ranks_is_about_the_pseudomedian_in_scoring_test():
    rng = np.random.default_rng(0)
    p, q = np.full(60, 0.9), 0.88 + rng.uniform(-0.005, 0.005, 60)
    p[:2], q[:2] = 0.05, 0.999  # worse by far in two cases, a little better in all others
    result = fc.scoring_test(np.ones(60, int), p, q, method="wilcoxon")
    assert result.losses[0] - result.losses[1] > 0 > result.estimate == result.pseudomedian
    said = result.summary()
    assert f"pseudomedian of the cases' differences {result.pseudomedian:.4g}, 95% CI -" in said
    assert said.startswith(
        "The first model has a significantly lower Brier score of a typical case than the second"
    )


def test_differences_that_are_all_equal_have_an_interval_of_ranks():
    p, q = np.full(8, 0.9), np.full(8, 0.8)
    result = fc.scoring_test(np.ones(8, int), p, q, rule="log", method="wilcoxon")
    assert (result.pvalue, result.status) == (2 / 2**8, "ok")
    assert_allclose(result.confidence_interval(), np.log([0.8 / 0.9] * 2))
    assert result.confidence_interval(0.999) == (-math.inf, math.inf)  # 2^-8 is the least p
    table = {"p": p, "q": q}
    pairs = fc.scoring_pairwise_test(np.ones(8, int), table, rule="log", method="wilcoxon")
    assert_allclose(np.ravel(pairs.confidence_interval()), np.log([0.8 / 0.9] * 2))


def test_sign_flips_of_equal_differences_have_a_p_value_and_no_interval():
    y, p = np.ones(8, int), np.full(8, 0.9)
    table = {"p": p, "q": p - 0.1, "same": p}
    options = {"method": "permutation", "on_undefined": "ignore"}
    pairs = fc.scoring_pairwise_test(y, table, correction="none", **options)
    reach = 1.0 - 0.025 ** (1 / 8)  # a greater share of cases shows in one of 8: Clopper-Pearson
    for j, (a, b) in enumerate(pairs.pairs):
        one = fc.scoring_test(y, table[a], table[b], **options)
        differ = "q" in (a, b)
        assert one.status == pairs.status[j] == ("no_interval" if differ else "no_difference")
        assert one.pvalue == pairs.pvalue[j] == (2 / 2**8 if differ else 1.0)
        ends = (math.nan, math.nan) if differ else (-reach, reach)
        assert_allclose(one.confidence_interval(), ends)
        assert_allclose([end[j] for end in pairs.confidence_interval()], ends)
    assert "pseudomedian" not in str(pairs)


def test_sentences_say_which_intervals_have_one_side_in_scoring_test():
    assert "(one-sided 95% CI -1 to " in fc.scoring_test(*P6, alternative="less").summary()
    assert "(90% CI " in fc.scoring_test(*P6, alternative="equivalence", margin=0.1).summary()


def test_clusters_of_one_case_change_nothing_in_scoring_test():
    plain = fc.scoring_test(Y, P, Q)
    single = fc.scoring_test(Y, P, Q, groups=[f"case {i}" for i in range(len(Y))])
    assert_allclose(single.standard_error, plain.standard_error, rtol=1e-12)
    assert_allclose(single.pvalue, plain.pvalue, rtol=1e-12)
    assert_allclose(single.confidence_interval(), plain.confidence_interval(), rtol=1e-12)


def test_clusters_equal_a_regression_with_clustered_errors_in_scoring_test():
    """statsmodels: the mean of the differences, with its correction G / (G - 1)."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(15), 4)
    y, shift = rng.integers(0, 2, 60), np.repeat(rng.normal(size=15), 4)
    p, q = (1 / (1 + np.exp(-rng.normal(size=60) - own)) for own in (shift, -shift))
    d = (p - y) ** 2 - (q - y) ** 2
    want = sm.OLS(d, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    found = fc.scoring_test(y, p, q, groups=groups)
    assert_allclose(found.standard_error, want.bse[0], rtol=1e-10)
    assert_allclose(found.pvalue, want.pvalues[0], rtol=1e-9)
    assert_allclose(found.confidence_interval(), want.conf_int()[0], rtol=1e-9)
    assert found.df == 14
    few = fc.scoring_test(y[:16], p[:16], q[:16], groups=groups[:16])
    assert few.status == "few_clusters"
    classes = [np.stack([1 - x, x], axis=1) for x in (p, q)]
    several = fc.scoring_test(y, *classes, classes=[0, 1], groups=groups)
    assert_allclose(several.pvalue, found.pvalue, rtol=1e-9)


def test_clusters_need_a_method_that_heeds_them_in_scoring_test():
    with pytest.raises(fc.InvalidValueError, match="`method` must be 't' or 'permutation' with"):
        fc.scoring_test(Y, P, Q, method="wilcoxon", groups=range(len(Y)))
    with pytest.raises(fc.InvalidValueError, match="`groups` must have one value"):
        fc.scoring_test(Y, P, Q, groups=[1, 2])


def test_sentences_leave_infinite_statistics_out_in_scoring_test():
    y, p = [1, 0] * 5, [0.3] * 10
    alike = fc.scoring_test(y, p, p, alternative="less", margin=0.05)
    assert math.isinf(alike.statistic)
    assert ", p = " in alike.summary()
    assert " inf" not in alike.summary()
