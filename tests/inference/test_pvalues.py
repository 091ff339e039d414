import math

import mpmath
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from fastcompare._base.text import show_pvalue
from fastcompare._inference.pvalues import (
    CERTAIN,
    f_pvalue,
    f_pvalues,
    log_beta_tail,
    log_chi2_tail,
    log_reference_pvalues,
    normal_pvalue,
    normal_pvalues,
    pvalue_by_convention,
    ratio,
    ratios,
    statistic_with_margin,
    student_pvalue,
    student_pvalues,
    upper_tail_start,
)

ALTERNATIVES = ["two-sided", "less", "greater"]


@pytest.mark.parametrize("z", [0.0, 0.5, -1.96, 8.2, -20.0, 37.1, 38.0, 40.0, -200.0, 1e8])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_normal_tails_against_mpmath(z, alternative):
    p = normal_pvalue(z, alternative)
    start, times = upper_tail_start(z, alternative)
    with mpmath.workdps(50):
        want = mpmath.erfc(mpmath.mpf(start) / mpmath.sqrt(2)) * times / 2
        log_want = float(mpmath.log(want))
    assert_allclose(p.log_pvalue, log_want, rtol=1e-12, atol=1e-15)
    if want > 1e-290:
        assert_allclose(p.pvalue, float(want), rtol=1e-12)


@given(st.floats(-50, 50), st.sampled_from(ALTERNATIVES))
def test_arrays_give_the_bits_of_single_values(z, alternative):
    p = normal_pvalue(z, alternative)
    many = normal_pvalues(np.array([z]), np.array([1.0]), alternative)
    assert many[0] == p.pvalue
    assert log_reference_pvalues(np.array([z]), many, np.inf, alternative)[0] == pytest.approx(
        p.log_pvalue, rel=1e-15
    )


@example(1.0, 0.025971609181365107)  # p is subnormal
@given(st.floats(-1, 1), st.floats(1e-3, 1))
def test_one_sided_pvalues_add_up_to_one(estimate, error):
    z = ratio(estimate, error)
    both = normal_pvalue(z, "less").pvalue + normal_pvalue(z, "greater").pvalue
    assert_allclose(both, 1.0, rtol=1e-14)
    assert_allclose(
        normal_pvalue(z, "two-sided").pvalue,
        2 * min(normal_pvalue(z, side).pvalue for side in ("less", "greater")),
        rtol=1e-14,
        atol=1e-323,
    )


@pytest.mark.parametrize(
    ("estimate", "error", "want"),
    [(0.0, 0.0, 0.0), (0.2, 0.0, math.inf), (-0.2, 0.0, -math.inf), (0.2, 0.1, 2.0)],
)
def test_ratios_by_convention(estimate, error, want):
    assert ratio(estimate, error) == want
    assert ratios(np.array([estimate]), np.array([error]))[0] == want
    assert math.isnan(ratio(math.nan, error))
    assert math.isnan(ratio(estimate, math.nan))


@given(st.floats(-0.5, 0.5), st.floats(0.01, 0.3), st.floats(0.01, 0.5))
def test_equivalence_is_the_weaker_of_two_one_sided_tests(estimate, error, margin):
    sides = [
        normal_pvalue(*statistic_with_margin(estimate, error, side, margin)).pvalue
        for side in ("less", "greater")
    ]
    assert normal_pvalue(
        *statistic_with_margin(estimate, error, "equivalence", margin)
    ).pvalue == max(sides)


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "< 1e-300"),
        (1e-305, "< 1e-300"),
        (3.2e-8, "3.2e-08"),
        (0.04, "0.0400"),
        (math.nan, "nan"),
    ],
)
def test_pvalues_are_never_shown_as_zero(p, text):
    assert show_pvalue(p) == text


@pytest.mark.parametrize("f", [0.3, 4.0, 1e3, 1e40, 1e200])
@pytest.mark.parametrize(("df1", "df2"), [(1, 4), (10, 5), (9, 261)])
def test_tails_of_f_against_mpmath(f, df1, df2):
    p = f_pvalue(f, df1, df2)
    with mpmath.workdps(60):
        x = 1 / (1 + mpmath.mpf(df1) * mpmath.mpf(f) / df2)
        want = mpmath.betainc(mpmath.mpf(df2) / 2, mpmath.mpf(df1) / 2, 0, x, regularized=True)
        log_want = float(mpmath.log(want))
    assert_allclose(p.log_pvalue, log_want, rtol=1e-9)
    if float(want) > 1e-290:
        assert_allclose(p.pvalue, float(want), rtol=1e-9)


def test_tails_of_arrays_are_those_of_their_elements():
    x = np.array([0.0, 1.5, 30.0, np.nan, np.inf])
    for alternative in ALTERNATIVES:
        want = [student_pvalue(t, 7, alternative).pvalue for t in x[:3].tolist()]
        assert_allclose(student_pvalues(x, 7, alternative), [*want, np.nan, np.nan], rtol=1e-15)
    want = [f_pvalue(f, 3, 12).pvalue for f in x[:3].tolist()]
    assert_allclose(f_pvalues(x, 3, 12), [*want, np.nan, np.nan], rtol=1e-15)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (2.0, 0.5), (1.0, 3.0), (2.5, 5.0), (130.5, 4.5)])
@pytest.mark.parametrize("log_r", [1.5, 3.0, 40.0, 900.0])
def test_logarithms_of_beta_tails_have_all_digits(a, b, log_r):
    with mpmath.workdps(500):  # x is 1e-391 at most of these
        x = 1 / (1 + mpmath.exp(log_r))
        want = float(mpmath.log(mpmath.betainc(a, b, 0, x, regularized=True)))
    assert_allclose(log_beta_tail(a, b, log_r), want, rtol=1e-12)


@pytest.mark.parametrize("df", [1.0, 4.0, 30.0])
@pytest.mark.parametrize("x", [60.0, 1500.0, 1e5])
def test_logarithms_of_chi_squared_tails_have_all_digits(x, df):
    with mpmath.workdps(50):
        tail = mpmath.gammainc(mpmath.mpf(df) / 2, mpmath.mpf(x) / 2, regularized=True)
        want = float(mpmath.log(tail))
    assert_allclose(log_chi2_tail(x, df), want, rtol=1e-12)


def test_one_side_of_a_far_tail_is_half_of_both():
    one, both = (student_pvalue(1e60, 9.0, side).log_pvalue for side in ("greater", "two-sided"))
    assert both - one == pytest.approx(math.log(2.0), rel=1e-12)
    with mpmath.workdps(200):
        x = 1 / (1 + mpmath.mpf(10) ** 120 / 9)
        want = float(mpmath.log(mpmath.betainc(4.5, 0.5, 0, x, regularized=True)))
    assert_allclose(both, want, rtol=1e-13)


def test_no_difference_without_variation_is_certain():
    assert pvalue_by_convention(0.0, 0.0) == CERTAIN
    assert math.isnan(pvalue_by_convention(math.inf, 0.0).pvalue)
    assert pvalue_by_convention(1.0, 0.5) is None
