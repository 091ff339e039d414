"""Claims with a margin of t-tests of scores by round, against their slow definitions and SciPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc

RNG = np.random.default_rng(7)
A, B = np.round(RNG.normal(0.80, 0.03, (2, 10)), 3)
MARGIN = 0.02
QUICK = settings(max_examples=40, deadline=None)
SCORES = st.lists(st.integers(700, 900), min_size=10, max_size=10)
SIDES = ("greater", "less")


def statistic_by_definition(a, b):
    """The mean difference, its standard error and the degrees of freedom, number by number."""
    d = [x - y for x, y in zip(a, b, strict=True)]
    mean = sum(d) / len(d)
    variance = sum((x - mean) ** 2 for x in d) / (len(d) - 1)
    return mean, (variance / len(d)) ** 0.5, len(d) - 1


def halves_by_definition(a, b):
    """Dietterich's first difference over the root of the mean variance of five rounds."""
    d = (np.asarray(a) - np.asarray(b)).reshape(5, 2).tolist()
    variances = [(one - (one + two) / 2) ** 2 + (two - (one + two) / 2) ** 2 for one, two in d]
    return d[0][0], (sum(variances) / 5) ** 0.5, 5


def welch_by_definition(a, b):
    """The difference of means, and Welch and Satterthwaite's degrees of freedom."""
    means, parts = [], []
    for scores in (a, b):
        mean = sum(scores) / len(scores)
        means.append(mean)
        parts.append(sum((x - mean) ** 2 for x in scores) / (len(scores) - 1) / len(scores))
    squares = [part**2 / (len(x) - 1) for part, x in zip(parts, (a, b), strict=True)]
    df = sum(parts) ** 2 / sum(squares) if any(squares) else float("nan")
    return means[0] - means[1], sum(parts) ** 0.5, df


def halves_test(a, b, **options):
    return fc.ttest_5x2cv(np.reshape(a, (5, 2)), np.reshape(b, (5, 2)), **options)


TESTS = {
    "resampled": (fc.ttest_resampled, statistic_by_definition),
    "kfold": (fc.ttest_kfold, statistic_by_definition),
    "5x2cv": (halves_test, halves_by_definition),
    "unpaired": (fc.ttest_unpaired, welch_by_definition),
}


def claims_by_definition(estimate, error, df, margin):
    """p-values of not being worse, of not being better, and of both (Schuirmann 1987)."""
    greater = stats.t.sf((estimate + margin) / error, df)
    less = stats.t.cdf((estimate - margin) / error, df)
    return {"greater": greater, "less": less, "equivalence": max(greater, less)}


@pytest.mark.slow
@pytest.mark.parametrize("name", TESTS)
@given(a=SCORES, b=SCORES, margin=st.integers(1, 200))
@QUICK
def test_claims_with_a_margin_equal_the_definition(name, a, b, margin):
    a, b, margin = np.array(a) / 1000, np.array(b) / 1000, margin / 1000
    test, define = TESTS[name]
    estimate, error, df = define(a.tolist(), b.tolist())
    if error < 1e-9:
        return
    for alternative, want in claims_by_definition(estimate, error, df, margin).items():
        found = test(a, b, alternative=alternative, margin=margin)
        assert_allclose(found.pvalue, want, rtol=1e-9)
        assert_allclose(found.df, df, rtol=1e-12)
        assert (found.alternative, found.margin) == (alternative, margin)


@pytest.mark.parametrize("test", [fc.ttest_resampled, fc.ttest_kfold])
def test_non_inferiority_is_scipys_test_of_another_mean(test):
    for alternative, mean in (("greater", -MARGIN), ("less", MARGIN)):
        want = stats.ttest_1samp(A - B, popmean=mean, alternative=alternative)
        found = test(A, B, alternative=alternative, margin=MARGIN)
        assert_allclose((found.statistic, found.pvalue), (want.statistic, want.pvalue), rtol=1e-12)
        interval = want.confidence_interval(0.95)
        assert_allclose(found.confidence_interval(0.95), interval, rtol=1e-9)
    both = test(A, B, alternative="equivalence", margin=MARGIN)
    parts = [test(A, B, alternative=side, margin=MARGIN) for side in SIDES]
    assert both.pvalue == max(part.pvalue for part in parts)
    ninety = stats.ttest_1samp(A - B, popmean=0).confidence_interval(0.90)
    assert_allclose(both.confidence_interval(0.95), ninety, rtol=1e-9)


def test_unpaired_non_inferiority_is_scipys_welch_test_of_moved_scores_in_ttest_unpaired():
    for alternative, shift in (("greater", MARGIN), ("less", -MARGIN)):
        want = stats.ttest_ind(A[:7] + shift, B, equal_var=False, alternative=alternative)
        found = fc.ttest_unpaired(A[:7], B, alternative=alternative, margin=MARGIN)
        assert_allclose((found.statistic, found.pvalue), (want.statistic, want.pvalue), rtol=1e-10)
        low, high = want.confidence_interval(0.95)
        assert_allclose(found.confidence_interval(0.95), (low - shift, high - shift), rtol=1e-9)
    both = fc.ttest_unpaired(A[:7], B, alternative="equivalence", margin=MARGIN)
    sides = [fc.ttest_unpaired(A[:7], B, alternative=x, margin=MARGIN).pvalue for x in SIDES]
    assert both.pvalue == max(sides)


@pytest.mark.parametrize("name", TESTS)
def test_claims_and_intervals_agree(name):
    """The claim holds at a level exactly where the interval of that level excludes the margin."""
    test, _ = TESTS[name]
    for margin in (0.001, 0.005, 0.01, 0.02, 0.04, 0.08, 0.2):
        for level in (0.6, 0.8, 0.95):
            alpha = 1.0 - level
            worse = test(A, B, alternative="greater", margin=margin)
            assert (worse.pvalue < alpha) == (worse.confidence_interval(level)[0] > -margin)
            better = test(A, B, alternative="less", margin=margin)
            assert (better.pvalue < alpha) == (better.confidence_interval(level)[1] < margin)
            both = test(A, B, alternative="equivalence", margin=margin)
            low, high = both.confidence_interval(level)
            assert (both.pvalue < alpha) == (-margin < low and high < margin)


@pytest.mark.parametrize("name", TESTS)
def test_a_larger_margin_never_hurts_the_claim_and_swapping_mirrors_it(name):
    test, _ = TESTS[name]
    for alternative, mirrored in (("greater", "less"), ("equivalence", "equivalence")):
        found = [test(A, B, alternative=alternative, margin=m).pvalue for m in (0.01, 0.02, 0.05)]
        assert found == sorted(found, reverse=True)
        other = test(B, A, alternative=mirrored, margin=0.02)
        assert_allclose(other.pvalue, found[1], rtol=1e-12)


@pytest.mark.parametrize("name", TESTS)
def test_a_margin_needs_a_claim(name):
    test, _ = TESTS[name]
    with pytest.raises(fc.InvalidValueError, match="margin"):
        test(A, B, margin=MARGIN)
    with pytest.raises(fc.InvalidValueError, match="margin"):
        test(A, B, alternative="equivalence")
    with pytest.raises(fc.InvalidValueError, match="margin"):
        test(A, B, alternative="greater", margin=-MARGIN)
    with pytest.raises(fc.InvalidValueError, match="margin"):
        test(A, B, alternative="less", margin=np.nan)


@pytest.mark.slow
@pytest.mark.parametrize("test", [fc.ttest_resampled, fc.ttest_kfold])
def test_non_inferior_models_are_rejected_at_the_level(test):
    """At the margin itself 5% of claims are false: 4,000 simulated comparisons."""
    rng = np.random.default_rng(0)
    d = rng.normal(-0.5, 1.0, (4000, 10))
    found = [test(row, np.zeros(10), alternative="greater", margin=0.5).pvalue for row in d]
    share = np.mean(np.array(found) <= 0.05)
    assert abs(share - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 4000)
