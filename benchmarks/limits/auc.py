"""What DeLong's test may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..contenders.baselines import argsorts
from ..timing import control_row, power, ratio_row, ratios, rows_together

LARGE = 10**7
SIZES = {  # n: the limits for n_jobs = 1, 2 in units of two argsorts
    100: (2.0,),
    1000: (0.9,),
    10**4: (0.6,),
    10**5: (0.5, 0.4),
    10**6: (0.45, 0.30),
    LARGE: (0.23, 0.14),
}
SHAPES = {  # in units of the same test on continuous scores
    "100 values": 0.5,
    "5 decimals": 2.2,
    "sorted": 1.5,
    "reversed": 1.5,
    "organ pipe": 1.5,
    "cluster beside an outlier": 3.0,
    "two clusters": 3.0,
    "rounded, with noise": 3.0,
    "subnormal": 3.0,
}
SHAPED_SIZES = (10**4, 10**5, 10**6)


def size_rows(quick):
    for n, limits in SIZES.items():
        if quick and n == LARGE:
            continue
        rows = {
            f"delong_test, n = {power(n)}, n_jobs = {jobs}: two argsorts": limit
            for jobs, limit in enumerate(limits, 1)
        }
        yield from rows_together(rows, partial(times_by_threads, n, len(limits)))
        if len(limits) > 1:
            yield control_row()


def times_by_threads(n, threads):
    """Return what the test takes by one thread, two and so on, in units of two argsorts."""
    case = labels_and_scores(n)
    calls = [partial(fc.delong_test, *case, n_jobs=jobs + 1) for jobs in range(threads)]
    return ratios(calls, partial(argsorts, *case), seconds=2.0, rounds=3)


def labels_and_scores(n, kind="normal"):
    """Return labels and the scores of two models."""
    labels, scores = scored_cases(n, kind)
    return labels, *scores


def interaction_rows(quick):
    name = "delong_interaction_test, n = 10^5: four delong_test"
    yield ratio_row(name, 1.6, interaction_and_tests)
    name = "subgroup_auc, n = 10^5: five roc_auc_interval"
    yield ratio_row(name, 3.0, subgroups_and_intervals)


def subgroups():
    """Return labels, the scores of two models, subgroups, and where the cases of each are."""
    subgroup = np.arange(10**5) % 4
    return *labels_and_scores(10**5), subgroup, [subgroup == j for j in range(4)]


def interaction_and_tests():
    """Return the test that subgroups differ, and the test in each."""
    labels, a, b, subgroup, parts = subgroups()

    def tests():
        for part in parts:
            fc.delong_test(labels[part], a[part], b[part])

    return partial(fc.delong_interaction_test, labels, a, b, subgroup), tests


def subgroups_and_intervals():
    """Return the AUCs of subgroups, and the interval of all cases and of each subgroup."""
    labels, a, _, subgroup, parts = subgroups()

    def intervals():
        for part in (slice(None), *parts):
            fc.roc_auc_interval(labels[part], a[part])

    return partial(fc.subgroup_auc, labels, a, subgroup), intervals


def within_rows(quick):
    for design, limit in (("random", 1.2), ("fixed", 1.4)):
        name = f"within_auc_test, n = 10^6 of 50,000 users, {design}: two argsorts"
        yield ratio_row(name, limit, partial(within_and_sorts, design))
    if not quick:
        name = "within_auc_test, n = 10^7 of 500,000 users, two threads: one"
        yield ratio_row(name, 0.6, within_by_threads)


def users(n):
    """Return labels, the scores of two models, and the users of the cases, some 20 of each."""
    return *labels_and_scores(n), np.random.default_rng(0).integers(0, n // 20, n)


def within_and_sorts(design):
    """Return the test of users, and two argsorts."""
    case = users(10**6)
    return partial(fc.within_auc_test, *case, design=design), partial(argsorts, *case[:3])


def within_by_threads():
    """Return the test of users by two threads, and by one."""
    call = partial(fc.within_auc_test, *users(10**7))
    return partial(call, n_jobs=2), partial(call, n_jobs=1)


def reader_rows(quick):
    name = "reader_study_test, 2 x 10 readers, n = 10^5: 20 argsorts"
    yield ratio_row(name, 1.5, readers_and_sorts)


def readers_and_sorts():
    """Return the test of ten readers under two treatments, and the sorts of their readings."""
    labels, scores = scored_cases(10**5, k=20)
    readings = np.reshape(scores, (2, 10, labels.size))
    return partial(fc.reader_study_test, readings, truth=labels), partial(sort_each, scores)


def sort_each(scores):
    """Sort the scores of each model."""
    for row in scores:
        np.argsort(row)


def shape_rows(quick):
    for n in SHAPED_SIZES:
        rows = {
            f"delong_test, n = {power(n)}, {kind}: continuous": limit
            for kind, limit in SHAPES.items()
        }
        yield from rows_together(rows, partial(times_by_shape, n))


def times_by_shape(n):
    """Return what the test takes of scores of each shape, in units of continuous ones."""
    tests = [partial(fc.delong_test, *labels_and_scores(n, kind)) for kind in (*SHAPES, "normal")]
    return ratios(tests[:-1], tests[-1], seconds=2.0)


def covariance_rows(quick):
    rows = {
        f"delong_covariance, k = 100, n = 10^5 by {order}: sorts, product": 0.8
        for order in ("rows", "columns")
    }
    yield from rows_together(rows, times_by_order)


def times_by_order():
    """Return what a table takes by rows and by columns, in units of its sorts and product."""
    labels, scores = scored_cases(10**5, k=100)

    def sorts_and_product():
        sort_each(scores)
        return scores @ scores.T

    tables = np.ascontiguousarray(scores.T), scores.T
    calls = [partial(fc.delong_covariance, labels, table) for table in tables]
    return ratios(calls, sorts_and_product, seconds=4.0, rounds=3)
