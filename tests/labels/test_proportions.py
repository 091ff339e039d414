"""One accuracy and two: intervals and tests against statsmodels, SciPy and published numbers."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

import fastcompare as fc
from tests.reference import labels as reference
from tests.shared.golden_files import GOLDEN

T = reference.TABLE
MLXTEND = json.loads((GOLDEN / "mlxtend.json").read_text())["cases"]
METHODS = {
    "wilson": ("wilson", 0.821986, 0.91388),
    "clopper-pearson": ("beta", 0.821026, 0.917448),
    "jeffreys": ("jeffreys", 0.823874, 0.915373),
    "agresti-coull": ("agresti_coull", 0.821456, 0.91441),
}


@pytest.mark.parametrize("method", METHODS)
def test_check_values_of_one_accuracy_in_accuracy_interval(method):
    result = fc.accuracy_interval(correct=175, n=200, method=method)
    assert_allclose(result.confidence_interval(), METHODS[method][1:], rtol=1e-6)
    assert result.estimate == 0.875
    assert_allclose(result.standard_error, math.sqrt(0.875 * 0.125 / 200))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=50, deadline=None)
@given(
    st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from([0.5, 0.9, 0.99]),
)
def test_intervals_of_one_accuracy_equal_those_of_statsmodels(method, share, level):
    x, n = share
    result = fc.accuracy_interval(correct=x, n=n, method=method, confidence_level=level)
    low, high = proportion_confint(x, n, alpha=1 - level, method=METHODS[method][0])
    if method == "jeffreys":  # Brown et al. (2001) end it at 0 and 1 there
        low, high = (0.0 if x == 0 else low), (1.0 if x == n else high)
    want = np.clip((low, high), 0, 1)
    assert_allclose(result.confidence_interval(), want, rtol=1e-8, atol=1e-12)
    assert result.confidence_interval() == result.confidence_interval(level)


def test_exact_and_wilsons_ends_are_just_not_rejected_in_accuracy_interval():
    low, high = fc.accuracy_interval(
        correct=7, n=20, method="clopper-pearson"
    ).confidence_interval()
    assert_allclose(stats.binom.sf(6, 20, low), 0.025, rtol=1e-9)
    assert_allclose(stats.binom.cdf(7, 20, high), 0.025, rtol=1e-9)
    for end in fc.accuracy_interval(correct=7, n=20).confidence_interval():
        z = (0.35 - end) / math.sqrt(end * (1 - end) / 20)
        assert_allclose(abs(z), stats.norm.isf(0.025), rtol=1e-9)


def test_labels_and_counts_give_the_same_accuracy_in_accuracy_interval():
    y, a, _ = reference.cases_of(T)
    want = fc.accuracy_interval(correct=175, n=200)
    assert fc.accuracy_interval(y, a).to_dict() == want.to_dict()
    assert "0.8750 (175 of 200 cases, 95% CI 0.8220 to 0.9139, Wilson method)" in want.summary()
    with pytest.warns(fc.DroppedCasesWarning) as record:
        omitted = fc.accuracy_interval([*y, None], [*a, 1], nan_policy="omit")
    assert (omitted.n, omitted.n_dropped) == (200, 1)
    assert record[0].filename == __file__


@pytest.mark.parametrize(
    ("given_", "error", "message"),
    [
        ({"correct": 5, "n": 4}, fc.InvalidValueError, "`n` must be at least 1"),
        ({"correct": 0, "n": 0}, fc.InvalidValueError, "`n` must be at least 1"),
        ({"correct": -1, "n": 4}, fc.InvalidValueError, "`correct` must be a whole number"),
        ({"correct": 1.5, "n": 4}, fc.InvalidValueError, "`correct` must be a whole number"),
        ({"correct": 1}, fc.InvalidTypeError, "or `correct` and `n`"),
        ({"y_true": [1]}, fc.InvalidTypeError, "pass `y_true` and `y_pred`, or"),
        ({"y_true": [1], "y_pred": [1], "n": 1}, fc.InvalidTypeError, "but not both"),
        ({"correct": 1, "n": 2, "method": "wald"}, fc.InvalidValueError, "`method` must be one"),
        ({"correct": 1, "n": 2, "confidence_level": 95}, fc.InvalidValueError, "Did you mean"),
    ],
)
def test_meaningless_shares_are_refused_in_accuracy_interval(given_, error, message):
    with pytest.raises(error, match=message):
        fc.accuracy_interval(**given_)


def test_check_values_of_two_proportions_in_two_proportions_test():
    result = fc.two_proportions_test(T)
    assert_allclose((result.statistic, result.pvalue), (1.40028, 0.161429), rtol=3e-6)
    assert fc.two_proportions_test(*reference.cases_of(T)).to_dict() == result.to_dict()


def test_numbers_of_mlxtend_in_two_proportions_unpaired_test():
    """Its unpooled z and Dietterich's pooled one: see golden/mlxtend.json."""
    case = next(c for c in MLXTEND if "two proportions" in c["call"])
    y, a, b = np.ones(100), np.arange(100) < 84, np.arange(100) < 92
    both = (y, a.astype(float), y, b.astype(float))
    result = fc.two_proportions_unpaired_test(*both, variance="unpooled", alternative="less")
    assert_allclose((result.statistic, result.pvalue), case["recomputed"]["mlxtend"], rtol=1e-12)
    two_sided = fc.two_proportions_unpaired_test(*both, variance="unpooled")
    assert_allclose(two_sided.pvalue, case["recomputed"]["two_sided_p"], rtol=1e-12)
    pooled = fc.two_proportions_unpaired_test(*both)
    assert_allclose(pooled.statistic, case["recomputed"]["pooled_z_dietterich"], rtol=1e-12)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.tuples(*[st.integers(1, 30)] * 4), st.sampled_from(["two-sided", "greater", "less"]))
def test_unpaired_proportions_equal_statsmodels(counts, alternative):
    right_1, wrong_1, right_2, wrong_2 = counts
    samples = [np.repeat([1, 0], pair) for pair in ((right_1, wrong_1), (right_2, wrong_2))]
    args = [x for sample in samples for x in (np.ones_like(sample), sample)]
    peers = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}
    for variance, prop_var in (("pooled", False), ("unpooled", None)):
        result = fc.two_proportions_unpaired_test(*args, variance=variance, alternative=alternative)
        if prop_var is False:
            want = proportions_ztest(
                [right_1, right_2], [s.size for s in samples], alternative=peers[alternative]
            )
            assert_allclose((result.statistic, result.pvalue), want, rtol=1e-9, atol=1e-12)
        else:
            parts = [s.mean() * (1 - s.mean()) / s.size for s in samples]
            assert_allclose(result.standard_error, math.sqrt(sum(parts)), rtol=1e-12)
        assert_allclose(result.estimate, samples[0].mean() - samples[1].mean(), atol=1e-15)
        ends = result.confidence_interval(0.9)
        assert (ends.low <= 0 <= ends.high) == (result.pvalue >= 0.1)


def test_two_proportions_without_variance_say_so():
    same = fc.two_proportions_test([[9, 0], [0, 0]])
    assert (same.statistic, same.pvalue, same.status) == (0.0, 1.0, "all_alike")
    with pytest.warns(fc.UndefinedResultWarning, match="^zero_variance"):
        result = fc.two_proportions_test([[0, 9], [0, 0]], variance="unpooled")
    assert math.isnan(result.pvalue)
    with pytest.raises(fc.UndefinedResultError, match="zero_variance"):
        fc.two_proportions_unpaired_test(
            [1], [1], [1], [0], variance="unpooled", on_undefined="raise"
        )


def test_margins_and_summaries_of_two_proportions_in_two_proportions_test():
    result = fc.two_proportions_test(T, alternative="greater", margin=0.05, variance="unpooled")
    plain = fc.two_proportions_test(T, variance="unpooled")
    assert_allclose(result.statistic, 0.1 / plain.standard_error, rtol=1e-12)
    assert "z = 1.400, p = 0.1614" in fc.two_proportions_test(T).summary()
    with pytest.raises(fc.InvalidValueError, match="`variance` must be one of"):
        fc.two_proportions_test(T, variance="equal")


def test_the_test_of_two_proportions_ignores_the_pairing():
    """Its p-value depends on the accuracies alone; McNemar's on how often the models differ."""
    apart, alike = [[150, 25], [15, 10]], [[165, 10], [0, 25]]
    assert fc.two_proportions_test(apart).pvalue == fc.two_proportions_test(alike).pvalue
    assert fc.mcnemar_test(alike).pvalue < 0.01 < fc.mcnemar_test(apart).pvalue
    assert "ignores the pairing" in fc.two_proportions_test.__doc__
