"""Permutation tests of metrics against enumeration, McNemar's exact test, and their laws."""

import itertools
import math
import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from tests.reference import labels as reference_labels
from tests.reference import metrics as reference_metrics
from tests.reference.metrics import labelled
from tests.shared.executors import PicklingExecutor
from tests.shared.strategies import predicted_cases

ALTERNATIVES = ("two-sided", "greater", "less")
EVERY = [
    ("accuracy", "binary"),
    ("balanced-accuracy", "binary"),
    ("mcc", "binary"),
    ("cohen-kappa", "binary"),
    *itertools.product(("precision", "recall", "f1"), ("binary", "macro", "weighted")),
]
Y = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
A = [1, 1, 1, 1, 0, 0, 0, 0, 0, 1]
B = [1, 0, 0, 0, 0, 0, 0, 1, 1, 1]


CASES = labelled(300, 2)
CASES3 = labelled(200, 3)


@pytest.mark.parametrize(("name", "average"), EVERY)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_exact_pvalues_are_those_of_all_exchanges_in_permutation_metric_test(name, average, data):
    y, a, b = data.draw(predicted_cases(classes=2 if average == "binary" else 3, largest=9))
    alternative = data.draw(st.sampled_from(ALTERNATIVES))
    found = fc.permutation_metric_test(
        y, a, b, metric=name, average=average, alternative=alternative, on_undefined="ignore"
    )
    assert found.exact
    values = [reference_metrics.value(name, average, y, p) for p in (a, b)]
    if None in values:
        assert found.status == "undefined_metric"
        assert np.isnan([found.pvalue, found.undefined_share]).all()
        return
    want = reference_metrics.permutation_pvalue(name, average, y, a, b, alternative)
    assert_allclose(found.pvalue, float(want), rtol=1e-13)
    assert_allclose(found.log_pvalue, math.log(want), rtol=1e-12, atol=1e-15)
    assert found.estimate == pytest.approx(float(values[0] - values[1]), abs=1e-14)


@pytest.mark.parametrize("classes", [2, 5])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_accuracy_has_the_pvalue_of_mcnemars_exact_test(classes, alternative):
    y, a, b = labelled(500, classes, seed=3)
    found = fc.permutation_metric_test(y, a, b, alternative=alternative)
    n10, n01 = (int(np.count_nonzero(x)) for x in ((y == a) & (y != b), (y != a) & (y == b)))
    assert found.exact
    assert found.n_discordant == n10 + n01
    want = reference_labels.exact_mcnemar(n10, n01, alternative)
    assert_allclose(found.pvalue, float(want), rtol=1e-12)
    mcnemar = fc.mcnemar_test(y, a, b, method="exact", alternative=alternative)
    assert_allclose(found.pvalue, mcnemar.pvalue, rtol=1e-12)


def test_the_logarithm_outlives_the_pvalue_in_permutation_metric_test():
    y = np.ones(1500, int)
    found = fc.permutation_metric_test(y, y, 0 * y, alternative="greater")
    assert found.pvalue == 0.0
    assert_allclose(found.log_pvalue, -1500 * math.log(2), rtol=1e-13)
    few = fc.permutation_metric_test(y[:1000], y[:1000], 0 * y[:1000])
    assert_allclose(few.pvalue, 2.0**-999, rtol=1e-13)
    assert_allclose(few.log_pvalue, -999 * math.log(2), rtol=1e-13)


@pytest.mark.parametrize("name", ["f1", "mcc", "balanced-accuracy"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_random_exchanges_come_near_the_exact_pvalue(name, alternative, requires_jit):
    y, a, b = CASES
    exact = fc.permutation_metric_test(y, a, b, metric=name, alternative=alternative)
    drawn = fc.permutation_metric_test(
        y, a, b, metric=name, alternative=alternative, n_resamples=20_000, rng=0, keep=True
    )
    assert exact.exact
    assert not drawn.exact
    error = math.sqrt(exact.pvalue * (1 - exact.pvalue) / 20_000)
    assert abs(drawn.pvalue - exact.pvalue) < 4 * error + 1e-4


def test_the_drawn_pvalue_counts_the_kept_exchanges_in_permutation_metric_test():
    y, a, b = CASES3
    for alternative, turned in (
        ("two-sided", abs),
        ("greater", lambda x: x),
        ("less", np.negative),
    ):
        found = fc.permutation_metric_test(
            y,
            a,
            b,
            metric="f1",
            average="macro",
            alternative=alternative,
            n_resamples=300,
            rng=1,
            keep=True,
        )
        extreme = np.count_nonzero(turned(found.distribution) >= turned(found.estimate) - 1e-12)
        assert found.pvalue == (1 + extreme) / 301
        assert found.n_resamples == 300


@pytest.mark.slow
@pytest.mark.parametrize("keep", [False, True])
def test_swapping_the_models_turns_the_sign_in_permutation_metric_test(keep):
    y, a, b = CASES
    options = {"metric": "f1", "n_resamples": 200, "rng": 0, "keep": keep}
    one = fc.permutation_metric_test(y, a, b, alternative="greater", **options)
    other = fc.permutation_metric_test(y, b, a, alternative="less", **options)
    assert one.estimate == -other.estimate
    assert_allclose(one.pvalue, other.pvalue, rtol=1e-13)
    if keep:
        assert_array_equal(one.distribution, -other.distribution)
    two = [fc.permutation_metric_test(y, *both, **options) for both in ((a, b), (b, a))]
    assert_allclose(two[0].pvalue, two[1].pvalue, rtol=1e-13)


def test_the_order_of_the_cases_does_not_matter_in_permutation_metric_test():
    y, a, b = CASES3
    order = np.random.default_rng(0).permutation(y.size)
    options = {"metric": "f1", "average": "macro", "n_resamples": 99, "rng": 0}
    one = fc.permutation_metric_test(y, a, b, **options)
    other = fc.permutation_metric_test(y[order], a[order], b[order], **options)
    assert one.pvalue == other.pvalue
    assert not one.exact


def test_the_same_seed_gives_the_same_bits_anywhere_in_permutation_metric_test():
    options = {"metric": "recall", "average": "macro", "n_resamples": 700, "rng": 2, "keep": True}
    want = fc.permutation_metric_test(*CASES3, **options)
    threads = fc.permutation_metric_test(*CASES3, n_jobs=2, **options)
    with ThreadPoolExecutor(2) as executor:
        others = fc.permutation_metric_test(*CASES3, executor=executor, **options)
    for found in (threads, others):
        assert_array_equal(found.distribution, want.distribution)
    part = fc.permutation_metric_test(*CASES3, **{**options, "n_resamples": 70})
    assert_array_equal(part.distribution, want.distribution[:70])


def test_permutation_metric_test_draws_the_same_exchanges_in_other_processes():
    options = {"metric": "f1", "n_resamples": 99, "rng": 5, "keep": True}
    here = fc.permutation_metric_test(Y, A, B, **options)
    there = fc.permutation_metric_test(Y, A, B, **options, executor=PicklingExecutor())
    assert_array_equal(there.distribution, here.distribution)


def test_identical_predictions_have_pvalue_1_in_permutation_metric_test():
    for keep in (False, True):
        found = fc.permutation_metric_test(Y, A, A, metric="mcc", n_resamples=9, keep=keep, rng=0)
        assert (found.pvalue, found.log_pvalue, found.status) == (1.0, 0.0, "identical")
        assert (found.estimate, found.n_discordant) == (0.0, 0)


def test_a_function_gives_what_the_name_gives_in_permutation_metric_test(monkeypatch):
    def metric(y, p):
        return float(reference_metrics.averaged("f1", y.tolist(), p.tolist(), "macro"))

    exact = fc.permutation_metric_test(Y, A, B, metric=metric)
    assert exact.exact
    want = fc.permutation_metric_test(Y, A, B, metric="f1", average="macro")
    assert_allclose(exact.pvalue, want.pvalue, rtol=1e-13)
    monkeypatch.setattr("fastcompare.labels._metrics_permutation.MOST_USER_METRIC_OUTCOMES", 1)
    options = {"n_resamples": 70, "rng": 0, "keep": True}
    drawn = fc.permutation_metric_test(Y, A, B, metric=metric, **options)
    named = fc.permutation_metric_test(Y, A, B, metric="f1", average="macro", **options)
    assert_allclose(drawn.distribution, named.distribution, rtol=0, atol=1e-14)
    assert drawn.metric == "metric"


def test_exchanges_without_a_metric_are_extreme_and_counted_in_permutation_metric_test():
    """Three discordant cases; precision is 0 / 0 where all positive predictions are exchanged."""
    y, a, b = [1, 1, 0, 0], [1, 0, 0, 1], [0, 1, 1, 0]
    found = fc.permutation_metric_test(y, a, b, metric="precision")
    assert found.undefined_share == 2 / 16
    want = reference_metrics.permutation_pvalue("precision", "binary", y, a, b, "two-sided")
    assert found.pvalue == float(want)
    y, a, b = [1, 1, 0, 0, 1], [1, 0, 0, 1, 1], [0, 1, 0, 0, 0]
    found = fc.permutation_metric_test(y, a, b, metric="precision", alternative="greater")
    want = reference_metrics.permutation_pvalue("precision", "binary", y, a, b, "greater")
    assert found.pvalue == float(want)
    drawn = fc.permutation_metric_test(
        y, a, b, metric="precision", keep=True, n_resamples=2000, rng=0
    )
    assert np.isnan(drawn.distribution).mean() == drawn.undefined_share
    assert abs(drawn.undefined_share - found.undefined_share) < 0.03


def test_undefined_metrics_have_no_pvalue_in_permutation_metric_test():
    with pytest.warns(fc.UndefinedResultWarning, match="undefined_metric"):
        found = fc.permutation_metric_test([0, 1], [0, 1], [0, 0], metric="precision")
    assert np.isnan([found.pvalue, found.estimate, found.undefined_share]).all()
    assert_array_equal(found.values, [1.0, np.nan])


def test_the_test_rejects_no_more_often_than_it_says_in_permutation_metric_test():
    """Exact p-values of exchangeable predictions, over all exchanges: P(p <= alpha) <= alpha."""
    discordant = [i for i in range(len(Y)) if A[i] != B[i]]
    pvalues = []
    for chosen in itertools.product((False, True), repeat=len(discordant)):
        a, b = list(A), list(B)
        for i, exchanged in zip(discordant, chosen, strict=True):
            if exchanged:
                a[i], b[i] = b[i], a[i]
        pvalues.append(fc.permutation_metric_test(Y, a, b, metric="f1").pvalue)
    for alpha in set(pvalues):
        share = np.mean([p <= alpha for p in pvalues])
        assert_allclose(share, alpha, rtol=1e-13)  # attained, as for every exact test


def test_results_print_in_permutation_metric_test():
    found = fc.permutation_metric_test(Y, A, B, metric="precision", alternative="greater")
    assert (found.alternative, found.exact) == ("greater", True)
    drawn = fc.permutation_metric_test(Y, A, B, keep=True, n_resamples=99, rng=0)
    assert (drawn.n_resamples, drawn.exact) == (99, False)
    assert re.search(r"(?m)^difference +0\.5000 .* 0\.1300$", str(drawn))
    assert set(found.to_dict()) >= {"metric", "values", "pvalue", "exact"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "auc"}, "`metric` must be one of"),
        ({"alternative": "equivalence"}, "`alternative` must be one of"),
        ({"average": "macro", "pos_label": 1}, "`pos_label` is for average='binary'"),
        ({"n_resamples": -1}, "`n_resamples` must be at least 1"),
    ],
)
def test_what_cannot_mean_anything_is_refused_in_permutation_metric_test(options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.permutation_metric_test(Y, A, B, **options)
