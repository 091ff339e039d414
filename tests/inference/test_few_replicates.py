"""Intervals at levels that need more replicates say so, with the number."""

import warnings

import numpy as np
import pytest

import fastcompare as fc

RNG = np.random.default_rng(12)
Y = np.arange(80) % 2
A, B = RNG.normal(size=(2, 80)) + Y


def needing(number):
    return pytest.warns(fc.UndefinedResultWarning, match=rf"^few_replicates: .* {number} or more")


def silent(interval, *args, **words):
    """The interval, without any warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return interval(*args, **words)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "studentized"])
def test_a_level_beyond_the_replicates_warns_of_how_many_it_needs(method):
    result = fc.bootstrap_auc_test(Y, A, B, method=method, n_resamples=38, rng=0)
    with needing(39):
        low, high = result.confidence_interval(0.95)
    assert -1 in (low, high) or 1 in (low, high)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("alternative", "level", "needed"),
    [("greater", 0.99, 99), ("less", 0.99, 99), ("two-sided", 0.99, 199), ("two-sided", 0.9, 19)],
)
def test_the_number_is_that_of_the_tail_of_the_claim(alternative, level, needed):
    words = {"alternative": alternative, "rng": 0}
    result = fc.bootstrap_auc_test(Y, A, B, n_resamples=needed - 1, **words)
    with needing(needed):
        result.confidence_interval(level)
    enough = fc.bootstrap_auc_test(Y, A, B, n_resamples=needed, **words)
    low, high = silent(enough.confidence_interval, level)
    assert low > -1 or high < 1


def test_the_normal_interval_needs_no_number():
    result = fc.bootstrap_auc_test(Y, A, B, method="normal", n_resamples=9, rng=0)
    silent(result.confidence_interval, 0.999)


def test_simultaneous_intervals_of_several_models_warn_as_well():
    result = fc.bootstrap_auc(Y, {"a": A, "b": B}, n_resamples=98, rng=0)
    for interval in (result.confidence_interval, result.auc_interval):
        with needing(99):
            interval(0.99, simultaneous=True)
        with needing(199):
            interval(0.99)


@pytest.mark.parametrize(
    "call",
    [
        lambda: fc.roc_auc_interval(Y, A, method="bootstrap", n_resamples=9, rng=0),
        lambda: fc.average_precision_interval(Y, A, method="percentile", n_resamples=9, rng=0),
        lambda: fc.partial_auc_test(Y, A, B, n_resamples=9, rng=0),
        lambda: fc.bootstrap_metric_test(Y, A > 0, B > 0, n_resamples=9, rng=0),
    ],
)
def test_every_bootstrap_warns(call):
    with needing(39):
        call().confidence_interval()


def test_a_pointwise_band_warns():
    with needing(39):
        fc.roc_curve_band(Y, A, fpr=[0.2], simultaneous=False, n_resamples=9, rng=0)
