"""What many problems in one call and a second thread may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import batch_cases, forecasts, predicted_labels, scored_cases, times_to_event
from ..contenders.baselines import argsorts
from ..timing import Row, control_row, one_blas_thread, ratio, ratio_row

SIZES = {50: 0.16, 200: 0.20, 1000: 0.36}  # n: in units of two argsorts a problem
PROBLEMS = {50: 10_000, 200: 10_000, 1000: 2000}
LONG = (20_000, 10**5)  # cases of problems that are as long as those of a test each
A_SECOND_THREAD = 0.62


def areas_of(n):
    """Return labels and the scores of two models."""
    labels, scores = scored_cases(n)
    return labels, *scores


RESAMPLERS = {  # their data, how many replicates, their options
    "average_precision_test": (areas_of, 2000, {}),
    "permutation_auc_test": (areas_of, 20_000, {"exact": False}),
    "bootstrap_metric_test": (predicted_labels, 9999, {}),
    "scoring_test": (forecasts, 99_999, {"method": "permutation"}),
}


def batch_rows(quick):
    for n, limit in SIZES.items():
        name = f"delong_batch, n = {n}: two argsorts a problem"
        yield ratio_row(name, limit, partial(batch_and_sorts, n), seconds=2.0)


def batch_and_sorts(n):
    """Return the tests of all problems, and their sorts."""
    labels, scores = batch_cases(PROBLEMS[n], n)
    return partial(fc.delong_batch, labels, *scores), partial(one_by_one, argsorts, labels, scores)


def one_by_one(call, labels, scores):
    """Call for each problem."""
    for a, b in zip(*scores, strict=True):
        call(labels, a, b)


def long_batch_rows(quick):
    for n in LONG:
        name = f"delong_batch, n = {n:,}: a loop of delong_test"
        yield ratio_row(name, 1.0, partial(batch_and_loop, n), seconds=2.0)


def batch_and_loop(n):
    """Return the tests of ten problems in one call, and in a loop."""
    labels, scores = batch_cases(10, n)
    loop = partial(one_by_one, fc.delong_test, labels, scores)
    return partial(fc.delong_batch, labels, *scores), loop


def thread_rows(quick):
    for name, prepare in threaded().items():
        measure = partial(two_threads, prepare)
        yield Row(f"two threads, {name}: one thread", A_SECOND_THREAD, measure)
        yield control_row()


def two_threads(prepare):
    """Return what two threads take in units of one."""
    call = prepare()
    with one_blas_thread():  # which waits for its own second thread by spinning
        return ratio(partial(call, n_jobs=2), partial(call, n_jobs=1), seconds=2.0)


def threaded():
    """Return, by name, what prepares a call of more than 5 ms."""
    return {
        "delong_test, n = 10^6": partial(pair_of, 10**6),
        "delong_test, groups, n = 10^6": clustered_pair,
        "auc_at_test, n = 10^6": partial(at_one_time, 10**6),
        "delong_pairwise_test, n = 10^6, k = 12": partial(
            table_of, fc.delong_pairwise_test, 10**6, 12
        ),
        "multiclass_auc_test, n = 10^6, 4 classes": partial(four_classes, 10**6),
        "delong_batch, n = 200": partial(batch_of, 10_000, 200),
        "delong_batch, n = 10^5": partial(batch_of, 4, 10**5),
        "delong_covariance, n = 10^4, k = 50": partial(table_of, fc.delong_covariance, 10**4, 50),
        "delong_pairwise_test, n = 10^4, k = 50": partial(
            table_of, fc.delong_pairwise_test, 10**4, 50
        ),
        "delong_pairwise_test, n = 10^5, k = 4": partial(
            table_of, fc.delong_pairwise_test, 10**5, 4
        ),
        **{
            f"{name}, {count:,} replicates": partial(
                resampled, name, cases, n_resamples=count, **options
            )
            for name, (cases, count, options) in RESAMPLERS.items()
        },
    }


def pair_of(n):
    """Return a call of `delong_test`."""
    labels, scores = scored_cases(n)
    return partial(fc.delong_test, labels, *scores)


def clustered_pair():
    """Return a call of `delong_test` of cases in clusters."""
    return partial(pair_of(10**6), groups=np.random.default_rng(0).integers(0, 10**5, 10**6))


def at_one_time(n):
    """Return a call of `auc_at_test`."""
    return partial(fc.auc_at_test, *times_to_event(n), horizon=1.0)


def four_classes(n):
    """Return a call of `multiclass_auc_test`."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, n)
    odds = np.exp(rng.normal(size=(2, n, 4)) + np.eye(4)[labels])
    return partial(fc.multiclass_auc_test, labels, *(odds / odds.sum(axis=2, keepdims=True)))


def batch_of(problems, n):
    """Return a call of `delong_batch`."""
    labels, scores = batch_cases(problems, n)
    return partial(fc.delong_batch, labels, *scores)


def table_of(test, n, k):
    """Return a call of a test of k models, whose scores have the cases in rows."""
    labels, scores = scored_cases(n, k=k)
    return partial(test, labels, np.ascontiguousarray(scores.T))


def resampled(name, cases, **options):
    """Return a call of a test by replicates of 10^4 cases."""
    return partial(getattr(fc, name), *cases(10**4), rng=0, **options)
