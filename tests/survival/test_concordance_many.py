"""Concordances of k models: pairs are single tests, the omnibus test is that of AUCs."""

import numpy as np
import pytest

import fastcompare as fc
from tests.survival.test_concordance import SURVIVAL

GENERATOR = np.random.default_rng(4)
N = 90
Y = GENERATOR.integers(0, 2, N)
TABLE = GENERATOR.normal(size=(N, 4)).round(1) + Y[:, None]
TIME = GENERATOR.exponential(size=N).round(1)
EVENT = GENERATOR.random(N) < 0.6
RISKS = {name: GENERATOR.normal(size=N) - w * np.log1p(TIME) for w, name in enumerate("ABC")}
GROUPS = GENERATOR.integers(0, 30, N)
DESIGNS = [{}, {"groups": GROUPS}, {"sample_weight": GENERATOR.integers(1, 5, N)}]
FIELDS = ("estimate", "standard_error", "statistic", "df", "pvalue", "status")


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: "".join(design) or "plain")
@pytest.mark.parametrize("method", ["harrell", "uno"])
def test_pairs_are_single_tests(design, method):
    options = {"method": method, "tau": 2.0, **design}
    pairs = fc.concordance_pairwise_test(TIME, EVENT, RISKS, **options)
    every = fc.concordance_covariance(TIME, EVENT, RISKS, **options)
    for p, (a, b) in enumerate(pairs.pairs):
        one = fc.concordance_test(TIME, EVENT, RISKS[a], RISKS[b], **options)
        assert [getattr(pairs, name)[p] for name in FIELDS] == [getattr(one, x) for x in FIELDS]
        interval = [ends[p] for ends in pairs.confidence_interval()]
        np.testing.assert_allclose(interval, one.confidence_interval(), rtol=1e-12)
    for j, name in enumerate(pairs.names):
        one = fc.concordance_interval(TIME, EVENT, RISKS[name], **options)
        ends = [end[j] for end in pairs.concordance_interval()]
        np.testing.assert_allclose(ends, one.confidence_interval(), rtol=1e-12)
    np.testing.assert_array_equal(pairs.covariance, every.covariance)
    assert (pairs.adjusted_pvalue >= pairs.pvalue).all()


@pytest.mark.parametrize("design", [{}, {"groups": GROUPS}], ids=["plain", "clusters"])
@pytest.mark.parametrize("reference", ["auto", "anova", "f", "chi2"])
def test_a_binary_outcome_is_delongs_omnibus_test(design, reference):
    options = {"reference": reference, "on_undefined": "ignore", **design}
    delong = fc.delong_omnibus_test(Y, TABLE, **options)
    found = fc.concordance_omnibus_test(2 - Y, Y, TABLE, **options)
    for name in ("statistic", "df", "pvalue", "log_pvalue"):
        np.testing.assert_allclose(getattr(found, name), getattr(delong, name), rtol=1e-9)
    assert found.status == delong.status


def test_two_models_give_the_square_of_t_and_equal_ones_p_1():
    pair = {name: RISKS[name] for name in "AB"}
    t = fc.concordance_test(TIME, EVENT, *pair.values())
    for reference in ("anova", "f"):
        found = fc.concordance_omnibus_test(TIME, EVENT, pair, reference=reference)
        assert found.statistic == pytest.approx(t.statistic**2, rel=1e-10)
        assert found.pvalue == pytest.approx(t.pvalue, rel=1e-8)
    same = fc.concordance_omnibus_test(TIME, EVENT, {"A": TIME, "B": np.exp(TIME)})
    assert (same.status, same.statistic, same.pvalue) == ("identical", 0.0, 1.0)


@pytest.mark.parametrize("case", SURVIVAL, ids=lambda case: case["name"])
def test_chi_squared_is_that_of_the_covariance(case):
    scores = case["scores"]
    found = fc.concordance_omnibus_test(
        case["time"], case["event"], scores, reference="chi2", on_undefined="ignore"
    )
    every = fc.concordance_covariance(case["time"], case["event"], scores, on_undefined="ignore")
    rows = np.hstack([-np.ones((len(scores) - 1, 1)), np.eye(len(scores) - 1)])
    gaps, covariance = rows @ every.concordance, rows @ every.covariance @ rows.T
    assert found.df == np.linalg.matrix_rank(covariance, tol=1e-10)  # one pair is identical
    wanted = gaps @ np.linalg.pinv(covariance, rcond=1e-8) @ gaps
    assert found.statistic == pytest.approx(wanted, rel=1e-6)


def test_what_is_undefined_is_said_of_all_models():
    calls = (fc.concordance_pairwise_test, fc.concordance_omnibus_test, fc.concordance_covariance)
    for call in calls:
        for event, word in (
            (np.zeros(N), "no_pairs"),
            (np.arange(N) == np.argmin(TIME), "one_event"),
        ):
            with pytest.warns(fc.UndefinedResultWarning, match=word):
                result = call(TIME, event, RISKS)
            assert set(np.ravel(result.status)) == {word}
        assert "ndefined" in result.summary() or "No p-value" in result.summary()
    with pytest.raises(fc.InvalidValueError, match="at least two models"):
        fc.concordance_pairwise_test(TIME, EVENT, {"A": TIME})
    few = (np.arange(N) < 3).astype(int)
    many = GENERATOR.normal(size=(N, 6))
    found = fc.concordance_omnibus_test(TIME, few, many, reference="f", on_undefined="ignore")
    assert found.status == "too_many_models"
    assert fc.concordance_omnibus_test(TIME, few, many, on_undefined="ignore").pvalue > 0.0


def test_sentences_name_the_best_model():
    text = fc.concordance_pairwise_test(TIME, EVENT, RISKS).summary()
    assert text.startswith("2 of 3 differences in concordance are significant")
    assert "C has a higher concordance than A" in text
    text = fc.concordance_omnibus_test(TIME, EVENT, RISKS).summary()
    assert text.startswith("The 3 models differ significantly in concordance.")
