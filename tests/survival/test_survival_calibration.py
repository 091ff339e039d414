"""Calibration at a horizon: R's survfit, inverse probabilities of censoring in fractions, laws."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from tests.reference import concordance as reference
from tests.shared.golden_files import GOLDEN
from tests.survival.test_concordance import timed_cases

SURVFIT = json.loads((GOLDEN / "survival" / "calibration_survfit.json").read_text())["cases"]
RNG = np.random.default_rng(4)
LOGIT = RNG.normal(size=200)
CHANCE = 1 / (1 + np.exp(-LOGIT))
DEATH = -np.log(RNG.random(200)) / -np.log1p(-CHANCE)  # so that P(death by 1) is the chance
LEFT = RNG.exponential(1.5, 200)
CASES = np.minimum(DEATH, LEFT), DEATH <= LEFT, CHANCE


def measured(*data, **options):
    """The result, whatever is undefined."""
    return fc.survival_calibration(*data, on_undefined="ignore", **options)


@pytest.mark.parametrize("case", SURVFIT, ids=lambda case: case["name"])
def test_rates_and_intervals_are_those_of_survfit_in_survival_calibration(case):
    found = fc.survival_calibration(
        *(case[name] for name in ("time", "event", "probability")),
        horizon=case["horizon"],
        n_bins=case["groups"],
    )
    assert_allclose(found.mean_probability, case["mean"], rtol=1e-12)
    assert_allclose(found.observed_rate, case["observed"], rtol=1e-12)
    assert_allclose(found.observed_interval(), [case["low"], case["high"]], rtol=1e-10)
    observed, error, low, high = case["overall"]
    assert_allclose(found.observed, observed, rtol=1e-12)
    assert_allclose(found.standard_error * found.expected, error, rtol=1e-11)
    assert_allclose(np.array(found.confidence_interval()) * found.expected, (low, high), rtol=1e-10)


@given(case=timed_cases(), horizon=st.integers(1, 12))
def test_the_observed_risk_weighs_events_by_the_inverse_chance_of_being_uncensored(case, horizon):
    """Satten and Datta (2001): in fractions, without Kaplan and Meier's product for events."""
    time, event, *_ = case
    n = len(time)
    own = reference.weights_of(n)
    wanted = sum(
        (
            1 / reference.uncensored(time, event, own, time[i]).value / n
            for i in range(n)
            if event[i] and time[i] <= horizon
        ),
        Fraction(0),
    )
    found = measured(time, event, np.full(n, 0.5), horizon=horizon)
    known = wanted == 1 or any(
        time[i] > horizon or (time[i] == horizon and not event[i]) for i in range(n)
    )
    if known:
        assert found.observed == pytest.approx(float(wanted), rel=1e-13)
        assert found.estimate == pytest.approx(2 * float(wanted), rel=1e-13)
        assert found.status == "ok"
    else:
        assert math.isnan(found.observed)
        assert found.status == "censored_early"


@pytest.mark.parametrize("bins", ["quantile", "uniform"])
def test_without_censoring_bins_are_those_of_the_brier_decomposition(bins):
    found = fc.survival_calibration(DEATH, np.ones(200), CHANCE, horizon=1, n_bins=7, bins=bins)
    wanted = fc.brier_decomposition(DEATH <= 1, CHANCE, n_bins=7, bins=bins)
    assert found.counts.tolist() == wanted.counts.tolist()
    assert_allclose(found.mean_probability, wanted.mean_probability, rtol=1e-13)
    assert_allclose(found.observed_rate, wanted.observed_rate, rtol=1e-12)
    assert found.observed == pytest.approx(np.mean(DEATH <= 1))
    binomial = math.sqrt(found.observed * (1 - found.observed) / 200)
    assert found.standard_error * found.expected == pytest.approx(binomial, rel=1e-12)


def test_rates_of_0_and_1_have_exact_intervals_of_the_cases_that_are_known():
    time, event = [1, 1, 1, 9, 9, 9, 2, 9], [1, 1, 1, 0, 1, 1, 0, 1]
    chance = [0.9, 0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.1]
    found = fc.survival_calibration(time, event, chance, horizon=5, n_bins=2, bins="uniform")
    assert found.observed_rate.tolist() == [0.0, 1.0]
    low, high = found.observed_interval(0.9)
    assert_allclose((low[0], high[0]), (0.0, 1 - 0.05 ** (1 / 4)), rtol=1e-12)
    assert_allclose((low[1], high[1]), (0.05 ** (1 / 3), 1.0), rtol=1e-12)


def test_the_order_of_cases_changes_nothing_and_missing_ones_are_left_out_in_survival_calibration():
    order = RNG.permutation(200)
    one = fc.survival_calibration(*CASES, horizon=1)
    other = fc.survival_calibration(*(column[order] for column in CASES), horizon=1)
    assert one.observed_rate.tolist() == other.observed_rate.tolist()
    assert one.confidence_interval() == pytest.approx(other.confidence_interval(), rel=1e-12)
    gaps = np.append(CHANCE, np.nan)
    more = np.append(CASES[0], 3.0), np.append(CASES[1], True)
    with pytest.warns(fc.DroppedCasesWarning):
        third = fc.survival_calibration(*more, gaps, horizon=1, nan_policy="omit")
    assert (third.n, third.n_dropped, third.observed) == (200, 1, one.observed)


def test_a_bin_that_is_censored_early_is_unknown_and_the_others_are_known_in_survival_calibration():
    time, event = [1, 2, 1, 9, 9, 3], [0, 0, 1, 0, 1, 1]
    chance = [0.9, 0.9, 0.1, 0.1, 0.1, 0.1]
    with pytest.warns(fc.UndefinedResultWarning, match="censored_early"):
        found = fc.survival_calibration(time, event, chance, horizon=5, n_bins=2, bins="uniform")
    assert np.isnan(found.observed_rate).tolist() == [False, True]
    assert np.isnan(found.observed_interval()).tolist() == [[False, True]] * 2
    assert found.observed > 0.0
    assert "nan" not in str(fc.plots.reliability(found).figure.axes[0].get_legend()).lower()
    with pytest.warns(fc.UndefinedResultWarning, match="undefined_metric"):
        zero = fc.survival_calibration(time, event, np.zeros(6), horizon=5)
    assert math.isnan(zero.estimate)
    assert np.isnan(zero.confidence_interval()).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"horizon": [1, 2]}, "`horizon` must be one number"),
        ({"horizon": 0}, "`horizon` must be above 0"),
        ({"horizon": 1, "n_bins": 0}, "`n_bins` must be"),
        ({"horizon": 1, "bins": "width"}, "`bins` must be one of"),
    ],
)
def test_invalid_options_are_named_in_survival_calibration(options, words):
    with pytest.raises(fc.InvalidValueError, match=words):
        fc.survival_calibration(*CASES, **options)
    with pytest.raises(fc.InvalidValueError, match="`probability`"):
        fc.survival_calibration(*CASES[:2], CHANCE + 0.9, horizon=1)


def test_the_picture_has_the_intervals_of_the_result_in_survival_calibration():
    found = fc.survival_calibration(*CASES, horizon=1, n_bins=5)
    for ax in (fc.plots.reliability(found, confidence_level=0.9), found.plot(confidence_level=0.9)):
        (whiskers,) = (c for c in ax.collections if c.get_gid() == "interval 0")
        drawn = np.array([segment[:, 1] for segment in whiskers.get_segments()])
        assert_allclose(drawn.T, found.observed_interval(0.9))
        curve = next(line for line in ax.lines if line.get_gid() != "calibrated")
        assert_allclose(curve.get_ydata(), found.observed_rate)
    several = fc.plots.reliability({"all": found, "few": measured(*CASES, horizon=1, n_bins=2)})
    assert len(several.lines) == 3


def test_sentence_and_page(tmp_path):
    found = fc.survival_calibration(*CASES, horizon=1, confidence_level=0.9)
    text = found.summary()
    assert text.startswith("By 1 the expected risk is 0.")
    assert "90% CI" in text
    assert "in 10 bins" in text
    page = tmp_path / "page.html"
    fc.report(found, page)
    assert "Kaplan-Meier" in page.read_text()


@pytest.mark.slow
def test_intervals_cover_the_true_ratio_and_rates_in_survival_calibration():
    rng, held = np.random.default_rng(5), []
    for _ in range(400):
        chance = rng.beta(2, 5, 300)
        death = np.log(rng.random(300)) / np.log1p(-chance)
        left = rng.exponential(2.0, 300)
        data = np.minimum(death, left), death <= left, chance
        found = measured(*data, horizon=1, n_bins=3, bins="quantile")
        low, high = found.confidence_interval()
        lows, highs = found.observed_interval()
        rates = found.mean_probability  # what the rates of calibrated probabilities are
        held.append([low <= 1 <= high, *((lows <= rates) & (rates <= highs))])
    assert (np.mean(held, axis=0) > 0.925).all()
