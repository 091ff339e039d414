"""Metrics of labels: what is refused, what is undefined, and labels and functions of any kind."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import metrics

import fastcompare as fc
from tests.reference.metrics import labelled

Y, A, B = labelled(60, 2)
Y3, A3, B3 = labelled(60, 3, seed=1)


def both_values(name, average, y, a, b):
    """The two values and nothing else."""
    found = fc.bootstrap_metric_test(
        y, a, b, metric=name, average=average, n_resamples=1, rng=0, on_undefined="ignore"
    )
    return found.values


@pytest.mark.slow
def test_names_of_labels_do_not_matter_in_bootstrap_metric_test():
    options = {"metric": "f1", "n_resamples": 99, "rng": 0}
    want = fc.bootstrap_metric_test(Y, A, B, **options)
    names = np.array(["benign", "malignant"])
    words = fc.bootstrap_metric_test(names[Y], names[A], names[B], pos_label="malignant", **options)
    truths = fc.bootstrap_metric_test(Y == 1, A == 1, B == 1, **options)
    signs = fc.bootstrap_metric_test(2 * Y - 1, 2.0 * A - 1, 2 * B - 1, **options)
    for found in (words, truths, signs):
        assert found.pvalue == want.pvalue
        assert_array_equal(found.values, want.values)


def test_a_function_gets_labels_of_the_type_that_came_in_bootstrap_metric_test():
    for kind in ("U8", "bool", "int16", "S2"):
        seen = set()

        def metric(y, p, seen=seen):
            seen.update((y.dtype.str, p.dtype.str))
            return float((y == p).mean())

        y, a, b = (x.astype(kind) for x in (Y, A, B))
        found = fc.bootstrap_metric_test(y, a, b, metric=metric, n_resamples=2, rng=0)
        assert seen == {y.dtype.str}
        assert_allclose(found.values, [(Y == A).mean(), (Y == B).mean()])
        assert found.metric == "metric"
        assert found.bounds == (-np.inf, np.inf)


def test_an_exception_of_the_function_is_raised_in_bootstrap_metric_test():
    def metric(y, p):
        if len(set(y.tolist())) < 3:
            raise ZeroDivisionError("no such class")
        return 0.5

    with pytest.raises(ZeroDivisionError, match="no such class"):
        fc.bootstrap_metric_test([0, 1, 2], [0, 1, 1], [0, 2, 2], metric=metric, rng=0)
    with pytest.raises(fc.InvalidTypeError, match="`metric` must return a number, got 'much'"):
        fc.bootstrap_metric_test(Y, A, B, metric=lambda y, p: "much")
    with pytest.raises(fc.InvalidTypeError, match="`metric` must return a number, got array"):
        fc.bootstrap_metric_test(Y, A, B, metric=lambda y, p: y == p)
    for kind in (np.float32, np.array, np.bool_, int):
        found = fc.bootstrap_metric_test(
            Y, A, B, metric=lambda y, p, kind=kind: kind(1), n_resamples=2
        )
        assert found.values.tolist() == [1.0, 1.0]


def test_an_undefined_metric_has_a_status_and_no_pvalue_in_bootstrap_metric_test():
    nobody = np.zeros_like(A)
    with pytest.warns(fc.UndefinedResultWarning, match="undefined_metric"):
        found = fc.bootstrap_metric_test(Y, A, nobody, metric="precision", rng=0)
    assert found.status == "undefined_metric"
    assert np.isnan([found.estimate, found.pvalue, found.statistic, found.values[1]]).all()
    assert found.values[0] > 0
    assert np.isnan(found.confidence_interval()).all()
    nothing = [0, 0, 0]
    for name in ("precision", "recall", "f1", "mcc"):
        assert np.isnan(both_values(name, "binary", nothing, nothing, nothing)).all()
    assert both_values("f1", "macro", nothing, nothing, nothing).tolist() == [1.0, 1.0]


def test_undefined_replicates_are_left_out_and_counted_in_bootstrap_metric_test():
    y = np.repeat([0, 1], 10)
    a = np.where(np.arange(20) < 18, 0, 1)
    options = {"metric": "precision", "n_resamples": 500, "rng": 0, "keep": True}
    found = fc.bootstrap_metric_test(y, a, np.arange(20) % 2, **options)
    assert found.n_resamples + found.n_left_out == 500
    assert found.distribution.size == found.n_resamples
    # no case of two drawn in 20 draws of 20
    chance = 0.9**20
    assert abs(found.n_left_out - 500 * chance) < 4 * np.sqrt(500 * chance)


@pytest.mark.parametrize(
    ("y", "a", "b", "options", "status", "pvalue"),
    [
        (Y, A, A, {}, "identical", 1.0),
        ([0, 1, 2], [1, 1, 1], [1, 1, 0], {}, "no_difference", 1.0),
        ([1] * 9, [1] * 9, [0] * 9, {}, "zero_variance", np.nan),
        ([1], [1], [0], {}, "one_case", np.nan),
        (Y, A, B, {"n_resamples": 1}, "too_few_resamples", np.nan),
        (Y, A, A, {"alternative": "greater", "margin": 0.1}, "identical", 0.9**60),
    ],
)
def test_degenerate_cases_say_why_in_bootstrap_metric_test(y, a, b, options, status, pvalue):
    found = fc.bootstrap_metric_test(
        y, a, b, **{"n_resamples": 99, "rng": 0, **options}, on_undefined="ignore"
    )
    assert found.status == status
    assert_allclose(found.pvalue, pvalue, rtol=1e-13)
    if status in ("zero_variance", "one_case", "too_few_resamples"):
        with pytest.raises(fc.UndefinedResultError, match=status):
            fc.bootstrap_metric_test(
                y, a, b, **{"n_resamples": 99, "rng": 0, **options}, on_undefined="raise"
            )


def test_few_clusters_are_told_in_bootstrap_metric_test():
    found = fc.bootstrap_metric_test(Y, A, B, groups=np.arange(60) % 25, n_resamples=99, rng=0)
    assert found.status == "few_clusters"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"metric": "f-1"}, ValueError, "`metric` must be one of .* Did you mean 'f1'"),
        ({"metric": 3}, TypeError, "`metric` must be one of"),
        ({"average": "micro"}, ValueError, "`average` must be one of"),
        ({"metric": "f1"}, ValueError, "`average='binary'` takes two classes, found 3: 0, 1, 2"),
        ({"average": "macro", "pos_label": 1}, ValueError, "`pos_label` is for average='binary'"),
        ({"metric": max, "pos_label": 1}, ValueError, "`pos_label` is for metrics"),
        ({"stratified": 1}, TypeError, "`stratified` must be True or False"),
        ({"stratified": True, "groups": Y3}, ValueError, "`stratified=True` and `groups`"),
        ({"method": "studentized"}, ValueError, "`method` must be one of"),
        ({"n_resamples": 0}, ValueError, "`n_resamples` must be at least 1"),
    ],
)
def test_what_cannot_mean_anything_is_refused_in_bootstrap_metric_test(options, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.bootstrap_metric_test(Y3, A3, B3, **options)
    assert isinstance(caught.value, fc.FastCompareError)


def test_the_positive_class_must_be_known_in_bootstrap_metric_test():
    words = np.array(["no", "yes"])
    with pytest.raises(fc.InvalidValueError, match="`pos_label`"):
        fc.bootstrap_metric_test(words[Y], words[A], words[B], metric="recall")
    with pytest.raises(fc.InvalidValueError, match="`pos_label` must be one of"):
        fc.bootstrap_metric_test(words[Y], words[A], words[B], metric="recall", pos_label="oui")
    found = fc.bootstrap_metric_test(words[Y], words[A], words[B], metric="mcc", n_resamples=9)
    assert_allclose(found.values[0], metrics.matthews_corrcoef(Y, A), rtol=1e-13)


def test_results_print_and_keep_their_bounds_in_bootstrap_metric_test():
    found = fc.bootstrap_metric_test(
        Y3, A3, B3, metric="f1", average="macro", n_resamples=99, rng=0
    )
    assert (found.metric, found.average) == ("f1", "macro")
    assert found.bounds == (-1.0, 1.0)
    one_sided = fc.bootstrap_metric_test(Y, A, B, metric="mcc", n_resamples=99, alternative="less")
    assert one_sided.confidence_interval().low == -2.0
    assert set(found.to_dict()) >= {"metric", "values", "pvalue", "confidence_interval"}
    assert "_bounds" not in found.to_dict()


@pytest.mark.slow
def test_cases_without_a_label_are_left_out_in_bootstrap_metric_test():
    a = np.append(A.astype(float), np.nan)
    y, b = np.append(Y, 1), np.append(B, 0)
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.bootstrap_metric_test(y, a, b, nan_policy="omit", n_resamples=99, rng=0)
    want = fc.bootstrap_metric_test(Y, A, B, n_resamples=99, rng=0)
    assert (found.pvalue, found.n, found.n_dropped) == (want.pvalue, 60, 1)


@pytest.mark.slow
def test_very_many_classes_do_not_overflow_in_bootstrap_metric_test():
    y = np.arange(300) * 10**9
    a, b = np.roll(y, 1), np.where(np.arange(300) % 3, y, 7)
    assert_allclose(both_values("accuracy", "macro", y, a, b), [0.0, 2 / 3])
    assert_allclose(
        both_values("f1", "macro", y, a, b)[1],
        metrics.f1_score(y, b, average="macro", zero_division=0.0),
    )
