"""Medians, median absolute deviations and effect sizes beside ranks, by SciPy's definitions."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import median_abs_deviation

import fastcompare as fc

RNG = np.random.default_rng(27)
SCORES = (0.8 + 0.05 * RNG.normal(size=(11, 1)) + 0.02 * RNG.normal(size=(11, 4))).round(3)
TESTS = {
    "friedman": fc.friedman_test,
    "aligned": fc.friedman_aligned_ranks_test,
    "quade": fc.quade_test,
    "nemenyi": fc.nemenyi_test,
    "conover": fc.conover_test,
    "pairs": fc.friedman_pairwise_test,
    "control": lambda scores: fc.control_test(scores, control=2),
}


def gamma(a, b):
    """Return Akinshin's effect size as autorank computes it, with MADs scaled to a normal's."""
    deviations = [median_abs_deviation(x, scale=1 / 1.4826) for x in (a, b)]
    return (np.median(a) - np.median(b)) / math.sqrt(np.mean(np.square(deviations)))


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_medians_stand_beside_ranks(test):
    result = test(SCORES)
    assert_allclose(result.medians, np.median(SCORES, axis=0), rtol=1e-14)
    assert_allclose(result.mads, median_abs_deviation(SCORES), rtol=1e-14)


@pytest.mark.parametrize("name", ["nemenyi", "conover", "pairs", "control"])
def test_effect_sizes_of_ranked_pairs_are_akinshins(name):
    result = TESTS[name](SCORES)
    at = {name: j for j, name in enumerate(result.names)}
    want = [gamma(SCORES[:, at[a]], SCORES[:, at[b]]) for a, b in result.pairs]
    assert_allclose(result.effect_size, want, rtol=1e-13)
    if name != "control":
        table = result.matrix("effect_size")
        assert_allclose(table, -table.T)


def test_effect_sizes_have_the_sign_of_scores_whatever_is_better_in_nemenyi_test():
    high, low = (fc.nemenyi_test(SCORES, higher_is_better=flag) for flag in (True, False))
    assert_allclose(high.effect_size, low.effect_size)
    assert_allclose(high.estimate, -low.estimate)


def test_medians_of_ranked_models_are_of_the_data_sets_that_have_them_in_skillings_mack_test():
    scores = SCORES.copy()
    scores[[1, 4], 0] = np.nan
    result = fc.skillings_mack_test(scores)
    assert_allclose(result.medians, np.nanmedian(scores, axis=0), rtol=1e-14)
    assert_allclose(result.mads, median_abs_deviation(scores, nan_policy="omit"), rtol=1e-14)


def test_ranked_models_without_spread_have_no_effect_size_in_nemenyi_test():
    scores = SCORES.copy()
    scores[:, :2] = 0.5, 0.6
    effect_size = fc.nemenyi_test(scores).effect_size
    assert effect_size[0] == -math.inf
    scores[:, 1] = 0.5
    assert math.isnan(fc.nemenyi_test(scores).effect_size[0])


def test_medians_of_ranks_do_not_follow_an_array_that_changes_in_friedman_test():
    scores = SCORES.copy()
    result = fc.friedman_test(scores)
    scores[:] = 0.0
    assert_allclose(result.medians, np.median(SCORES, axis=0))
    assert scores.flags.writeable


def test_the_sentence_of_ranked_models_has_medians_in_friedman_test():
    result = fc.friedman_test(dict(zip("abcd", SCORES.T, strict=True)))
    best = int(np.argmin(result.average_ranks))
    said = f"median {result.medians[best]:.4g}, MAD {result.mads[best]:.4g}"
    assert f"({'abcd'[best]}, {said})" in result.summary()
    assert result.to_dict()["medians"] == result.medians.tolist()
    assert " median " in str(result).replace("\n", " ")
