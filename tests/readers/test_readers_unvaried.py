"""Readers whose scores do not vary between treatments, or are all perfect: exact bounds."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

R, N = 3, 20
RNG = np.random.default_rng(0)
TRUTH = np.arange(N) % 2
SCORES = (TRUTH + RNG.normal(size=(R, N))).round(2)
SAME = np.stack([SCORES, SCORES])
PERFECT = 10.0 * TRUTH + RNG.normal(size=(2, R, N))
LABELS = np.broadcast_to(TRUTH, (2, R, N)).astype(float)
WAYS = ("readers", "cases", ("readers", "cases"))
UNITS = {"readers": R, "cases": N // 2, ("readers", "cases"): R}
CLAIMS = ("greater", "less", "equivalence")


def study(data, metric="auc", **options):
    return fc.reader_study_test(data, truth=TRUTH, metric=metric, **options)


@pytest.mark.parametrize("data", [SAME, PERFECT], ids=["identical", "perfect"])
@pytest.mark.parametrize("way", WAYS)
def test_no_difference_has_the_exact_bound_of_independent_units(data, way):
    result = study(data, random=way)
    reach = 1.0 - 0.025 ** (1.0 / UNITS[way])
    low, high = result.confidence_interval()
    assert (low, high) == (pytest.approx(-reach), pytest.approx(reach))
    assert result.pvalue == 1.0
    assert "exact bound" in result.summary()
    pairs = fc.reader_study_pairwise_test(data, truth=TRUTH, random=way)
    assert pairs.confidence_interval()[0][0] == pytest.approx(-reach)


@pytest.mark.parametrize("data", [SAME, PERFECT], ids=["identical", "perfect"])
@pytest.mark.parametrize(("way", "claim"), [*itertools.product(WAYS, CLAIMS)])
def test_a_margin_has_the_pvalue_of_the_bound_and_its_interval(data, way, claim):
    result = study(data, random=way, alternative=claim, margin=0.05)
    assert result.pvalue == pytest.approx(0.95 ** UNITS[way])
    assert study(data, random=way, alternative=claim, margin=0.95).pvalue < 0.01
    low, high = study(data, random=way, alternative=claim, margin=0.9).confidence_interval()
    held = {"greater": low > -0.9, "less": high < 0.9, "equivalence": low > -0.9 and high < 0.9}
    assert held[claim]


@pytest.mark.parametrize("covariance", ["delong", "unbiased", "jackknife"])
def test_one_reader_is_delongs_test(covariance):
    options = {"alternative": "greater", "margin": 0.05}
    data = SAME[:, :1]
    found = study(data, random="cases", covariance=covariance, **options)
    want = fc.delong_test(TRUTH, data[0, 0], data[1, 0], **options)
    assert found.pvalue == pytest.approx(want.pvalue)
    assert found.confidence_interval() == pytest.approx(want.confidence_interval())


@pytest.mark.parametrize("metric", ["sensitivity", "specificity", "mean", "loss"])
@pytest.mark.parametrize(("way", "claim"), [*itertools.product(WAYS, CLAIMS)])
def test_other_metrics_have_a_defined_pvalue_in_reader_study_test(metric, way, claim):
    result = study(LABELS, metric, random=way, alternative=claim, margin=0.05)
    assert 0.0 < result.pvalue < 1.0
    low, high = study(LABELS, metric, random=way).confidence_interval()
    assert low < 0.0 < high or 2.0 ** -UNITS[way] < 0.025  # signs suffice: no more is known


@pytest.mark.parametrize("way", WAYS)
def test_an_algorithm_that_scores_as_readers_do_has_the_bound_in_reader_study_vs_standalone(way):
    data = {"readers": dict(zip("abc", np.tile(SCORES[0], (R, 1)), strict=True))}
    options = {"truth": TRUTH, "random": way}
    result = fc.reader_study_vs_standalone(data, SCORES[0], **options)
    reach = 1.0 - 0.025 ** (1.0 / UNITS[way])
    assert result.confidence_interval() == (pytest.approx(-reach), pytest.approx(reach))
    claim = {"alternative": "equivalence", "margin": 0.05}
    result = fc.reader_study_vs_standalone(data, SCORES[0], **options, **claim)
    assert result.pvalue == pytest.approx(0.95 ** UNITS[way])


def test_perfect_treatments_have_intervals_of_their_own_in_reader_study():
    found = fc.reader_study(PERFECT, truth=TRUTH, on_undefined="ignore")
    low, high = found.confidence_interval()
    assert low == pytest.approx([0.025 ** (1.0 / R)] * 2)
    assert high.tolist() == [1.0, 1.0]
    assert "undefined" not in found.summary()


def test_variances_that_cancel_are_no_exact_bound_in_reader_study_test():
    """Two readers who err in opposite ways: the difference has variance 0, cases vary."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        data = np.round(TRUTH + rng.normal(size=(2, 2, N)), 0)
        result = fc.reader_study_test(data, truth=TRUTH, random="cases", on_undefined="ignore")
        assert result.standard_error > 0.0 or result.confidence_interval()[1] > 0.1
    mirrored = np.stack([[SCORES[0], SCORES[1]], [SCORES[1], SCORES[0]]])
    result = fc.reader_study_test(mirrored, truth=TRUTH, random="cases", on_undefined="ignore")
    if result.standard_error == 0.0:
        assert not math.isnan(result.pvalue)
        assert result.confidence_interval()[1] > 0.1


def test_a_long_table_says_the_same_in_reader_study_test():
    cells = itertools.product("AB", range(R), range(N))
    rows = [(t, r, c, TRUTH[c], SCORES[r, c]) for t, r, c in cells]
    table = pd.DataFrame(rows, columns=["treatment", "reader", "case", "truth", "rating"])
    result = fc.reader_study_test(table, alternative="greater", margin=0.05)
    assert result.pvalue == pytest.approx(0.95**R)


@pytest.mark.parametrize("table", [[[60, 29], [0, 0]], [[60, 0], [29, 0]], [[0, 0], [5, 9]]])
def test_a_kappa_of_0_is_not_called_undefined_in_cohen_kappa(table):
    result = fc.cohen_kappa(table)
    assert result.estimate == 0.0
    assert "ndefined" not in result.summary()
