"""McNemar's test against its definition, statsmodels, SciPy, R's and other published numbers."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

import fastcompare as fc
from tests.reference import labels as reference
from tests.shared.golden_files import GOLDEN

T = reference.TABLE
PUBLISHED = json.loads((GOLDEN / "contingency_tables.json").read_text())["cases"]
MLXTEND = json.loads((GOLDEN / "mlxtend.json").read_text())["cases"]
TAILS = ("two-sided", "greater", "less")
COUNTS = st.integers(0, 40)


@pytest.mark.parametrize(
    ("options", "statistic", "p"),
    [
        ({}, 2.5, 0.113846),
        ({"continuity": True}, 2.025, 0.154729),
        ({"alternative": "greater"}, 2.5, 0.0569231),
        ({"alternative": "greater", "continuity": True}, 2.025, 0.0773645),
        ({"alternative": "less", "continuity": True}, 2.025, 0.959005),
        ({"method": "exact"}, 15, 0.15386),
        ({"method": "exact", "alternative": "greater"}, 15, 0.07693),
        ({"method": "midp"}, 15, 0.117275),
        ({"method": "midp", "alternative": "greater"}, 15, 0.0586376),
    ],
)
def test_check_values_in_mcnemar_test(options, statistic, p):
    result = fc.mcnemar_test(T, **options)
    assert result.statistic == statistic
    assert_allclose(result.pvalue, p, rtol=4e-6)
    assert_allclose(result.log_pvalue, math.log(result.pvalue), rtol=1e-12)
    assert result.estimate == 0.05
    assert result.accuracy.tolist() == [0.875, 0.825]


def test_mid_p_of_as_many_against_as_many_in_mcnemar_test():
    assert_allclose(fc.mcnemar_test([[1, 10], [10, 1]]).pvalue, 0.911901, rtol=1e-6)


@pytest.mark.parametrize("case", [c for c in PUBLISHED if "McNemar" in c["call"]], ids=str)
def test_published_numbers_in_mcnemar_test(case):
    """Vassar College's calculator, R's mcnemar.test and statsmodels: see golden/."""
    table, want = case["table"], case["expected"]
    if "p" in want and "chi2" not in want:
        result = fc.mcnemar_test(table, method="exact")
        assert_allclose(result.pvalue, want["p"], rtol=0, atol=6e-7)  # six printed decimals
        assert_allclose(result.pvalue, case["recomputed"]["scipy_binomtest"], rtol=1e-11)
        midp = fc.mcnemar_test(table, method="midp").pvalue
        if table[0][1] != table[1][0]:  # the file takes p less the chance of b there, too
            assert_allclose(midp, case["recomputed"]["mid_p"], rtol=1e-11)
    for key in ("corrected", "uncorrected"):
        if key in want:
            continuity = key == "corrected"
            result = fc.mcnemar_test(table, method="asymptotic", continuity=continuity)
            assert_allclose([result.statistic, result.pvalue], want[key], rtol=3e-7)


def test_the_approval_of_a_prime_minister_in_mcnemar_test():
    """Agresti (1990), p. 350, by R's mcnemar.test: see golden/contingency_tables.json."""
    case = next(c for c in PUBLISHED if "Performance" in c["call"])
    want, table = case["expected"], case["table"]
    plain, corrected = (fc.mcnemar_test(table, continuity=c) for c in (False, True))
    assert_allclose([plain.statistic, plain.pvalue], [want["chi2"], want["p_uncorrected"]])
    assert_allclose([corrected.statistic, corrected.pvalue], [want["chi2_corrected"], want["p"]])
    midp = fc.mcnemar_test(table, method="midp").pvalue
    assert_allclose(midp, case["recomputed"]["mid_p"], rtol=1e-11)


@pytest.mark.parametrize("case", [c for c in MLXTEND if c["call"] == "McNemar"], ids=str)
def test_numbers_of_mlxtend_in_mcnemar_test(case):
    """Its user guide, where that is right: see golden/mlxtend.json."""
    options, want = case["options"], case["expected"]
    method = "exact" if options.get("exact") else "asymptotic"
    continuity = method == "asymptotic" and options.get("corrected", True)
    result = fc.mcnemar_test(case["table"], method=method, continuity=continuity)
    assert_allclose(result.pvalue, want.get("p_correct", want["p"]), rtol=1e-9)
    if want["chi2"] is not None:
        assert_allclose(result.statistic, want["chi2"], rtol=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.tuples(COUNTS, COUNTS, COUNTS, COUNTS), st.sampled_from(TAILS))
def test_tails_equal_the_definition_in_mcnemar_test(counts, alternative):
    n11, b, c, n00 = counts
    if not b + c:
        return
    table = [[n11, b], [c, n00]]
    exact, midp = (
        fc.mcnemar_test(table, method=method, alternative=alternative)
        for method in ("exact", "midp")
    )
    assert_allclose(exact.pvalue, float(reference.exact_mcnemar(b, c, alternative)), rtol=1e-11)
    assert_allclose(midp.pvalue, float(reference.midp_mcnemar(b, c, alternative)), rtol=1e-11)
    tested = stats.binomtest(b, b + c, alternative=alternative)
    assert_allclose(exact.pvalue, tested.pvalue, rtol=1e-11)
    assert exact.statistic == midp.statistic == min(b, c)


@settings(max_examples=50, deadline=None)
@given(st.tuples(COUNTS, COUNTS, COUNTS, COUNTS), st.booleans())
def test_chi_squared_equals_statsmodels_in_mcnemar_test(counts, continuity):
    n11, b, c, n00 = counts
    if not b + c or (continuity and b == c):  # peers answer what is not so
        return
    table = [[n11, b], [c, n00]]
    result = fc.mcnemar_test(table, method="asymptotic", continuity=continuity)
    want = mcnemar(table, exact=False, correction=continuity)
    assert_allclose([result.statistic, result.pvalue], [want.statistic, want.pvalue], rtol=1e-11)
    exact = fc.mcnemar_test(table, method="exact")
    want = mcnemar(table, exact=True)
    assert exact.statistic == want.statistic
    assert_allclose(exact.pvalue, want.pvalue, rtol=1e-11)


@pytest.mark.parametrize("method", ["exact", "midp"])
@pytest.mark.parametrize("alternative", TAILS)
@pytest.mark.parametrize(("b", "c"), [(60, 4), (33, 32), (500, 420), (0, 70), (70, 0)])
def test_adding_coefficients_and_the_beta_function_agree(method, alternative, b, c, monkeypatch):
    from fastcompare._inference import exact as coins

    weight = {"exact": 1.0, "midp": 0.5}[method]
    found = []
    for most in (0, 10_000):
        monkeypatch.setattr(coins, "MOST_SUMMED_THROWS", most)
        found.append(coins.coin_pvalue(b, c, alternative, weight))
    assert_allclose(*found, rtol=1e-11, atol=1e-15)


def test_auto_is_mid_p_below_25_discordant_cases_in_mcnemar_test():
    assert fc.mcnemar_test([[9, 14], [10, 9]]).method == "midp"
    assert fc.mcnemar_test([[9, 14], [11, 9]]).method == "asymptotic"
    assert fc.mcnemar_test([[9, 14], [10, 9]], continuity=True).method == "asymptotic"


@pytest.mark.parametrize("method", ["auto", "exact", "midp", "asymptotic"])
@pytest.mark.parametrize("alternative", TAILS)
def test_without_discordant_cases_nothing_differs_in_mcnemar_test(method, alternative):
    result = fc.mcnemar_test([[200, 0], [0, 5]], method=method, alternative=alternative)
    assert (result.statistic, result.pvalue, result.log_pvalue) == (0.0, 1.0, 0.0)
    assert result.status == "no_discordant"
    assert (result.estimate, result.standard_error) == (0.0, 0.0)
    assert math.isnan(result.odds_ratio)
    assert result.odds_ratio_interval() == (0.0, math.inf)


def test_the_correction_ends_at_zero_in_mcnemar_test():
    result = fc.mcnemar_test([[20, 15], [15, 20]], continuity=True)
    assert (result.statistic, result.pvalue, result.status) == (0.0, 1.0, "ok")


def test_labels_and_their_tables_give_the_same_result():
    y, a, b = reference.cases_of(T)
    names = np.array(["no", "yes"])
    frame = pd.DataFrame(T)
    want = fc.mcnemar_test(T).to_dict()
    for result in (
        fc.mcnemar_test(y, a, b),
        fc.mcnemar_test(names[y], names[a], names[b]),
        fc.mcnemar_test(fc.contingency_table(y, a, b)),
        fc.mcnemar_test(np.array(T)),
        fc.mcnemar_test(np.array(T, dtype=float)),
        fc.mcnemar_test(frame),
    ):
        assert result.to_dict() == want
    assert fc.mcnemar_test(T).table.tolist() == T


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.tuples(COUNTS, COUNTS, COUNTS, st.integers(1, 40)))
def test_exchanging_the_models_turns_everything_round_in_mcnemar_test(counts):
    n11, b, c, n00 = counts
    one, other = fc.mcnemar_test([[n11, b], [c, n00]]), fc.mcnemar_test([[n11, c], [b, n00]])
    assert one.estimate == -other.estimate
    assert one.pvalue == other.pvalue
    assert_allclose(
        one.confidence_interval(), [-x for x in other.confidence_interval()[::-1]], atol=1e-9
    )
    greater = fc.mcnemar_test([[n11, b], [c, n00]], alternative="greater")
    less = fc.mcnemar_test([[n11, c], [b, n00]], alternative="less")
    assert greater.pvalue == less.pvalue


DOUBLE_ROOT = [[0, 18], [0, 3]], [[0, 0], [18, 3]]


def test_a_double_root_of_tangos_quadratic_is_no_hole_in_the_score_in_mcnemar_test():
    ends = (fc.mcnemar_test(t, interval="tango").confidence_interval() for t in DOUBLE_ROOT)
    (low, high), other = ends  # D = 0.75 of the first is met
    assert_allclose((low, high), (-other.high, -other.low), atol=1e-12)
    assert_allclose((low, high), (0.569956, 0.950190), atol=1e-6)


def test_counts_beyond_doubles_are_exact_in_mcnemar_test():
    b, c = 2**60 + 2**31, 2**60
    result = fc.mcnemar_test([[2**70, b], [c, 1]])
    assert result.statistic == (b - c) ** 2 / (b + c)
    assert result.n10 - result.n01 == 2**31
    assert result.n11 == 2**70


@pytest.mark.parametrize("method", ["exact", "midp", "asymptotic"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_far_tails_keep_their_logarithm_in_mcnemar_test(method, alternative):
    from mpmath import mp, mpf

    b, c = 3000, 100
    result = fc.mcnemar_test([[5, b], [c, 5]], method=method, alternative=alternative)
    times = 2 if alternative == "two-sided" else 1
    with mp.workdps(60):
        if method == "asymptotic":
            p = times * mp.erfc(mpf(b - c) / mp.sqrt(2 * (b + c))) / 2
        else:
            p = times * sum(mp.binomial(b + c, i) for i in range(c)) / mpf(2) ** (b + c)
            weight = 1 if method == "exact" else mpf("0.5")
            p += times * weight * mp.binomial(b + c, c) / mpf(2) ** (b + c)
        want = float(mp.log(p))
    assert result.pvalue < 1e-290
    assert_allclose(result.log_pvalue, want, rtol=1e-11)


def test_summaries_say_what_was_done():
    text = fc.mcnemar_test(T, continuity=True).summary()
    assert "0.8750 and 0.8250" in text
    assert "asymptotic test with continuity correction, chi2(1) = 2.025, p = 0.1547" in text
    assert "90% CI" in fc.mcnemar_test(T, alternative="equivalence", margin=0.2).summary()
    assert fc.contingency_table([1, 0], [1, 1], [0, 0]).summary().startswith("Of 2 cases both")


@pytest.mark.parametrize(("method", "most"), [("exact", 1.0), ("midp", 1.1), ("asymptotic", 1.15)])
def test_p_values_are_uniform_under_the_null_hypothesis_in_mcnemar_test(method, most):
    rng = np.random.default_rng(4)
    tables = rng.multinomial(300, [0.7, 0.1, 0.1, 0.1], size=1000).reshape(-1, 2, 2)
    p = np.array([fc.mcnemar_test(table, method=method).pvalue for table in tables])
    for level in (0.05, 0.2):
        spread = 3.0 * math.sqrt(level * (1 - level) / len(p))
        assert 0.5 * level < (p <= level).mean() < most * level + spread


def test_tables_name_the_statistic_of_binomial_tests_in_mcnemar_test():
    y, b = np.ones(40, int), np.r_[np.zeros(6, int), np.ones(34, int)]
    for method, title in (("exact", "min(n10, n01)"), ("asymptotic", "statistic")):
        assert title in str(fc.mcnemar_test(y, y, b, method=method))
