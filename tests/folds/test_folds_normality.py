"""The report of normality against scipy.stats, and that it never decides anything."""

import math

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc

SCORES = np.random.default_rng(0).normal(size=(25, 3)) ** [1, 1, 3]


def test_every_pair_equals_scipy_in_normality_report():
    result = fc.normality_report(SCORES, correction="none")
    assert result.pairs == (("model 1", "model 2"), ("model 1", "model 3"), ("model 2", "model 3"))
    for p, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        d = SCORES[:, i] - SCORES[:, j]
        assert (result.statistic[p], result.pvalue[p]) == tuple(stats.shapiro(d))
        assert_allclose(result.skewness[p], stats.skew(d), rtol=1e-12)
        assert_allclose(result.excess_kurtosis[p], stats.kurtosis(d), rtol=1e-10)
        assert_allclose(result.standard_deviation[p], d.std(ddof=1), rtol=1e-14)
        assert_allclose(result.mean[p], d.mean(), rtol=1e-14)
    assert_array_equal(result.adjusted_pvalue, result.pvalue)


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
        assert result.statistic[0] == stats.shapiro(d).statistic


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


def test_many_rounds_are_no_reason_to_warn_in_normality_report():
    assert fc.normality_report(np.random.default_rng(1).normal(size=(6000, 2))).n == 6000


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fc.normality_report([1.0, 2.0]), "at least 3 rounds"),
        (lambda: fc.normality_report(SCORES, correction="hol"), "Did you mean 'holm'"),
        (lambda: fc.normality_report([1.0, np.nan, 2.0, 4.0]), "1 missing values"),
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
