"""The report of normality against R and SciPy, and that it never decides anything."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special, stats

import fastcompare as fc

SCORES = np.random.default_rng(0).normal(size=(25, 3)) ** [1, 1, 3]
WEIGHTS_OF_MEN = np.array([148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236])


def test_every_pair_equals_scipy_in_normality_report():
    result = fc.normality_report(SCORES, correction="none")
    assert result.pairs == (("model 1", "model 2"), ("model 1", "model 3"), ("model 2", "model 3"))
    for p, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        d = SCORES[:, i] - SCORES[:, j]
        assert_allclose((result.statistic[p], result.pvalue[p]), stats.shapiro(d), rtol=1e-7)
        assert_allclose(result.skewness[p], stats.skew(d), rtol=1e-12)
        assert_allclose(result.excess_kurtosis[p], stats.kurtosis(d), rtol=1e-10)
        assert_allclose(result.standard_deviation[p], d.std(ddof=1), rtol=1e-14)
        assert_allclose(result.mean[p], d.mean(), rtol=1e-14)
    assert_array_equal(result.adjusted_pvalue, result.pvalue)


@pytest.mark.parametrize(
    ("differences", "w", "p"),  # R 4.2.2: shapiro.test; the first of Shapiro and Wilk (1965)
    [
        (WEIGHTS_OF_MEN, 0.78881469483538735, 0.0067038140565029254),
        ([1.0, 2.0, 4.0], 0.96428571428571419, 0.6368868450289632),
        ([0.1, 0.2, 0.4, 1.5], 0.79271630637148105, 0.089786417344911287),
        ([0.1, 0.2, 0.4, 1.5, 3.25], 0.81834037804565352, 0.11336710844719063),
        ([0.1, 0.2, 0.4, 1.5, 3.25, 9.0], 0.75250477136326954, 0.021074762915900439),
        (np.arange(1, 13) ** 2, 0.91629244147428457, 0.25667346766162569),
        (np.arange(1, 41) ** 3, 0.82927451526935358, 2.9346039082465925e-05),
        (special.ndtri(np.arange(1, 201) / 201), 0.99877352000881381, 0.99995343013683546),
        (np.sqrt(np.arange(1, 5001)), 0.94693150234563006, 3.8027547015929554e-39),
    ],
)
def test_normality_report_agrees_with_r(differences, w, p):
    result = fc.normality_report(differences)
    assert_allclose(result.statistic, w, rtol=1e-13)
    assert_allclose(result.pvalue, p, rtol=1e-9)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 11, 12, 50, 501])
@pytest.mark.parametrize("values", [2, 5, None])
def test_normality_report_agrees_with_scipy_whatever_the_ties(n, values):
    rng = np.random.default_rng(n)
    d = rng.normal(size=n) if values is None else np.r_[0, 1, rng.integers(0, values, n - 2)]
    result = fc.normality_report(d)
    assert_allclose(result.statistic[0], stats.shapiro(d).statistic, atol=1e-8)
    assert_allclose(result.pvalue[0], stats.shapiro(d).pvalue, rtol=1e-6, atol=1e-14)


def test_two_of_three_equal_differences_have_the_least_w_in_normality_report():
    result = fc.normality_report([1.0, 1.0, 2.0])
    assert_allclose(result.statistic, 0.75)
    assert 0.0 <= result.pvalue[0] < 1e-14


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 11, 12, 100])
def test_normality_report_keeps_its_level(n):
    d = np.random.default_rng(n).normal(size=(4000, n))
    p = np.array([fc.normality_report(row).pvalue[0] for row in d])
    assert abs((p <= 0.05).mean() - 0.05) < 0.014  # four standard errors


def test_p_values_are_adjusted_for_the_number_of_pairs():
    result = fc.normality_report(SCORES)
    assert_allclose(result.adjusted_pvalue, fc.adjust_pvalues(result.pvalue, method="holm"))
    assert (len(result.pairs), result.n) == (3, 25)
    assert (result.adjusted_pvalue <= 0.05).sum() == 2


def test_differences_are_a_column_of_their_own_in_normality_report():
    d = SCORES[:, 0] - SCORES[:, 2]
    for given in (d, d.tolist(), pd.Series(d)):
        result = fc.normality_report(given)
        assert result.pairs == (("model 1", "model 2"),)
        assert_allclose(result.statistic[0], stats.shapiro(d).statistic, rtol=1e-7)


def test_names_reach_the_report_and_rounds_may_be_left_out_in_normality_report():
    frame = pd.DataFrame(SCORES, columns=["a", "b", "c"])
    frame.loc[25] = np.nan
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 26 rounds"):
        result = fc.normality_report(frame, nan_policy="omit")
    assert (result.pairs[0], result.n, result.n_dropped) == (("a", "b"), 25, 1)


def test_differences_that_do_not_vary_are_named_in_normality_report():
    scores = np.c_[SCORES[:, 0] / 10, SCORES[:, 0] / 10 + 0.1, SCORES[:, 1]]
    with pytest.warns(fc.UndefinedResultWarning, match="constant.*model 1 and model 2"):
        result = fc.normality_report(scores)
    assert result.status.tolist() == ["constant_differences", "ok", "ok"]
    assert math.isnan(result.pvalue[0])
    assert result.adjusted_pvalue[1:].min() > 0.0
    flat = fc.normality_report(scores[:, :2], on_undefined="ignore")
    assert flat.status.tolist() == ["constant_differences"]


@pytest.mark.parametrize(
    ("outlier", "columns", "words"),
    [
        (0.0, 2, "The differences of model 1 minus model 2 over 25 rounds do not depart"),
        (90.0, 2, "The differences of model 1 minus model 2 over 25 rounds depart"),
        (0.0, 3, "The differences of none of 3 pairs of models over 25 rounds depart"),
        (90.0, 3, "The differences of 2 of 3 pairs of models over 25 rounds depart"),
    ],
)
def test_the_sentence_of_normality_report_counts_its_rejections(outlier, columns, words):
    scores = np.random.default_rng(3).normal(size=(25, columns))
    scores[0, 0] += outlier
    result = fc.normality_report(scores)
    assert result.summary().startswith(f"{words} significantly")
    smallest = " minus ".join(result.pairs[int(result.pvalue.argmin())])
    assert (f"smallest p-value is that of {smallest}" in result.summary()) == (columns == 3)


def test_many_rounds_are_no_reason_to_warn_in_normality_report():
    assert fc.normality_report(np.random.default_rng(1).normal(size=(6000, 2))).n == 6000


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fc.normality_report([1.0, 2.0]), "at least 3 rounds"),
        (lambda: fc.normality_report(SCORES, correction="hol"), "Did you mean 'holm'"),
        (lambda: fc.normality_report([1.0, np.nan, 2.0, 4.0]), r"\b1 missing value\b"),
    ],
    ids=["few", "word", "missing"],
)
def test_what_cannot_be_meant_is_refused_in_normality_report(call, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        call()


@pytest.mark.parametrize("exponent", [-1000, -500, -80, 500, 1020])
def test_the_unit_of_scores_does_not_matter_in_normality_report(exponent):
    """SciPy's program returns W = 1 for a range below 1e-19, and moments overflow from 1e154."""
    one, other = (fc.normality_report(np.ldexp(SCORES, e)) for e in (0, exponent))
    for name in ("statistic", "pvalue", "skewness", "excess_kurtosis"):
        assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-9)
    for name in ("mean", "standard_deviation"):
        assert_allclose(getattr(other, name), np.ldexp(getattr(one, name), exponent), rtol=1e-9)


def test_three_rounds_of_which_two_are_equal_have_p_of_0_in_normality_report():
    text = fc.normality_report({"a": [1, 2, 3.0], "b": [2, 3, 9.0]}).summary()
    assert "W = 0.7500, adjusted p = 0, " in text
