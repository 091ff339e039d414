"""Two kappas with the same truth: against derivatives, the bootstrap, and exchanges."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from sklearn.metrics import cohen_kappa_score

import fastcompare as fc

RNG = np.random.default_rng(11)
LABEL = st.integers(0, 2)
CASES = st.lists(st.tuples(LABEL, LABEL, LABEL), min_size=4, max_size=40)


def draw(n, shares, right, copied, rng=RNG):
    """Labels of n cases and two models, who are right as often, and often alike."""
    k = len(shares)
    y = rng.choice(k, n, p=shares)
    a, b = (np.where(rng.random(n) < right, y, (y + rng.integers(1, k, n)) % k) for _ in range(2))
    return y, a, np.where(rng.random(n) < copied, a, b)


def slow_error(y, a, b, weights=None):
    """By derivatives: how kappa changes as one case counts a little more."""

    def difference(w):
        return np.subtract(
            *(cohen_kappa_score(y, x, weights=weights, sample_weight=w) for x in (a, b))
        )

    n, step = len(y), 1e-5
    changes = []
    for i in range(n):
        w = np.ones(n)
        ends = []
        for sign in (1, -1):
            w[i] = 1 + sign * step
            ends.append(difference(w))
        changes.append((ends[0] - ends[1]) / (2 * step) * n)
    return math.sqrt(np.square(changes).sum() / (n * (n - 1)))


@pytest.mark.slow
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@pytest.mark.parametrize("shares", [(0.7, 0.3), (0.5, 0.3, 0.2)])
def test_values_and_error_are_those_of_scikit_learn_and_of_derivatives(shares, weights):
    y, a, b = draw(60, shares, 0.75, 0.3)
    found = fc.cohen_kappa_test(y, a, b, weights=weights)
    want = [cohen_kappa_score(y, x, weights=weights) for x in (a, b)]
    assert_allclose(found.kappa, want, rtol=1e-12)
    assert_allclose(found.estimate, want[0] - want[1], atol=1e-14)
    assert_allclose(found.standard_error, slow_error(y, a, b, weights), rtol=1e-6)
    assert_allclose(found.pvalue, 2 * stats.t.sf(abs(found.statistic), 59), rtol=1e-9)
    assert found.df == 59


def test_the_error_is_that_of_the_bootstrap(requires_jit):
    y, a, b = draw(2000, (0.6, 0.4), 0.8, 0.5)
    found = fc.cohen_kappa_test(y, a, b)
    drawn = fc.bootstrap_metric_test(y, a, b, metric="cohen-kappa", n_resamples=4999, rng=1)
    assert_allclose(found.estimate, drawn.estimate, rtol=1e-12)
    assert_allclose(found.standard_error, drawn.standard_error, rtol=0.05)
    assert_allclose(found.confidence_interval(), drawn.confidence_interval(), atol=0.004)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(CASES)
def test_swapping_models_turns_the_sign_and_order_of_cases_does_not_matter(cases):
    y, a, b = (list(x) for x in zip(*cases, strict=True))
    one = fc.cohen_kappa_test(y, a, b, on_undefined="ignore")
    other = fc.cohen_kappa_test(y, b, a, on_undefined="ignore")
    mirrored = fc.cohen_kappa_test(y[::-1], a[::-1], b[::-1], on_undefined="ignore")
    named = fc.cohen_kappa_test(*(["xyz"[i] for i in z] for z in (y, a, b)), on_undefined="ignore")
    for found in (other, mirrored, named):
        assert_allclose(found.standard_error, one.standard_error, rtol=1e-9, atol=1e-15)
        assert_allclose(found.pvalue, one.pvalue, rtol=1e-7)
        assert found.status == one.status
    assert_allclose(other.estimate, -one.estimate)
    if a == b and not math.isnan(one.kappa[0]):
        assert (one.estimate, one.pvalue, one.status) == (0.0, 1.0, "identical")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "shares", "right"),
    [(30, (0.5, 0.5), 0.9), (50, (0.7, 0.3), 0.7), (100, (0.4, 0.3, 0.3), 0.8)],
)
def test_the_test_keeps_its_level_in_cohen_kappa_test(n, shares, right, requires_jit):
    rng = np.random.default_rng(5)
    p = [
        fc.cohen_kappa_test(*draw(n, shares, right, 0.2, rng), on_undefined="ignore").pvalue
        for _ in range(1500)
    ]
    assert 0.02 < np.mean(np.array(p) < 0.05) < 0.068  # 0.06 and 1.4 standard errors


def test_margins_are_of_the_interval_in_cohen_kappa_test():
    y, a, b = draw(300, (0.6, 0.4), 0.85, 0.5)
    found = fc.cohen_kappa_test(y, a, b, alternative="greater", margin=0.2)
    assert_allclose(found.statistic, (found.estimate + 0.2) / found.standard_error)
    assert (found.confidence_interval(0.9).low > -0.2) == (found.pvalue < 0.1)
    alike = fc.cohen_kappa_test(y, a, b, alternative="equivalence", margin=0.3)
    low, high = alike.confidence_interval()
    assert (low > -0.3 and high < 0.3) == (alike.pvalue < 0.05)
    with pytest.raises(fc.InvalidValueError, match="`margin` must be at least 0 and below 2"):
        fc.cohen_kappa_test(y, a, b, alternative="greater", margin=2)


def test_what_is_rough_or_not_defined_has_a_word_in_cohen_kappa_test():
    _, a, b = draw(60, (0.5, 0.5), 0.8, 0.0)
    rare = np.arange(60) < 4
    with pytest.warns(fc.SmallSampleWarning, match="metric='cohen-kappa'. is exact"):
        assert fc.cohen_kappa_test(rare, a == 1, b == 1).status == "small_sample"
    assert fc.cohen_kappa_test(np.arange(60) < 5, a == 1, b == 1).status == "ok"
    ones = np.ones(60, int)
    with pytest.warns(fc.UndefinedResultWarning, match="constant_answers"):
        found = fc.cohen_kappa_test(ones, ones, a)
    assert math.isnan(found.pvalue)
    with pytest.warns(fc.UndefinedResultWarning, match="one_case"):
        assert math.isnan(fc.cohen_kappa_test([1], [1], [0]).pvalue)
    with pytest.raises(fc.UndefinedResultError, match="constant_answers"):
        fc.cohen_kappa_test(ones, ones, a, on_undefined="raise")


def test_names_order_and_missing_labels_in_cohen_kappa_test():
    y = ["low", "mid", "high", "mid"] * 8
    models = {"forest": y[::-1], "tree": ["mid", *y[1:]]}
    with pytest.raises(fc.InvalidValueError, match="needs the order of the labels"):
        fc.cohen_kappa_test(y, models, weights="linear")
    order = ["low", "mid", "high"]
    found = fc.cohen_kappa_test(y, models, weights="linear", classes=order)
    assert found.classes == tuple(order)
    assert found.names == ("forest", "tree")
    with pytest.warns(fc.DroppedCasesWarning):
        omitted = fc.cohen_kappa_test(
            [*y, None], [*models["forest"], "low"], [*models["tree"], "low"], nan_policy="omit"
        )
    assert omitted.n_dropped == 1


def test_exchanges_of_kappa_are_of_scikit_learns_value_in_permutation_metric_test():
    y, a, b = draw(40, (0.7, 0.3), 0.8, 0.5)
    found = fc.permutation_metric_test(y, a, b, metric="cohen-kappa")
    assert_allclose(found.values, [cohen_kappa_score(y, x) for x in (a, b)])
    by_function = fc.permutation_metric_test(y, a, b, metric=cohen_kappa_score, n_resamples=99)
    assert_allclose(found.estimate, by_function.estimate)
    assert found.metric == "cohen-kappa"
