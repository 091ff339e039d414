"""What DeLong's test may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..contenders.baselines import argsorts
from ..timing import Row, control_row, power, ratio, ratios

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
        labels, scores = scored_cases(n)
        calls = [
            partial(fc.delong_test, labels, *scores, n_jobs=jobs + 1) for jobs in range(len(limits))
        ]
        measured = ratios(calls, partial(argsorts, labels, *scores), seconds=2.0, rounds=3)
        for jobs, (limit, value) in enumerate(zip(limits, measured, strict=True), 1):
            yield Row(f"delong_test, n = {power(n)}, n_jobs = {jobs}: two argsorts", limit, value)
        if len(limits) > 1:
            yield control_row()


def interaction_rows(quick):
    labels, scores = scored_cases(10**5)
    subgroup = np.arange(labels.size) % 4
    parts = [subgroup == j for j in range(4)]

    def four_tests():
        for part in parts:
            fc.delong_test(labels[part], *(own[part] for own in scores))

    own = partial(fc.delong_interaction_test, labels, *scores, subgroup)
    yield Row("delong_interaction_test, n = 10^5: four delong_test", 1.6, ratio(own, four_tests))

    def five_intervals():
        for part in (slice(None), *parts):
            fc.roc_auc_interval(labels[part], scores[0][part])

    alone = partial(fc.subgroup_auc, labels, scores[0], subgroup)
    yield Row("subgroup_auc, n = 10^5: five roc_auc_interval", 3.0, ratio(alone, five_intervals))


def within_rows(quick):
    labels, scores = scored_cases(10**6)
    groups = np.random.default_rng(0).integers(0, 50_000, labels.size)
    for design, limit in (("random", 1.2), ("fixed", 1.4)):
        own = partial(fc.within_auc_test, labels, *scores, groups, design=design)
        value = ratio(own, partial(argsorts, labels, *scores))
        yield Row(
            f"within_auc_test, n = 10^6 of 50,000 users, {design}: two argsorts", limit, value
        )
    if not quick:
        labels, scores = scored_cases(10**7)
        groups = np.random.default_rng(0).integers(0, 500_000, labels.size)
        call = partial(fc.within_auc_test, labels, *scores, groups)
        value = ratio(partial(call, n_jobs=2), partial(call, n_jobs=1))
        yield Row("within_auc_test, n = 10^7 of 500,000 users, two threads: one", 0.6, value)


def reader_rows(quick):
    labels, scores = scored_cases(10**5, k=20)

    def sorts():
        for a, b in zip(scores[::2], scores[1::2], strict=True):
            argsorts(labels, a, b)

    readings = np.reshape(scores, (2, 10, labels.size))
    call = partial(fc.reader_study_test, readings, truth=labels)
    yield Row("reader_study_test, 2 x 10 readers, n = 10^5: 20 argsorts", 1.5, ratio(call, sorts))


def shape_rows(quick):
    for n in SHAPED_SIZES:
        tests = [
            partial(fc.delong_test, labels, *scores)
            for labels, scores in (scored_cases(n, kind) for kind in (*SHAPES, "normal"))
        ]
        measured = ratios(tests[:-1], tests[-1], seconds=2.0)
        for (kind, limit), value in zip(SHAPES.items(), measured, strict=True):
            yield Row(f"delong_test, n = {power(n)}, {kind}: continuous", limit, value)


def covariance_rows(quick):
    labels, scores = scored_cases(10**5, k=100)
    tables = {"rows": np.ascontiguousarray(scores.T), "columns": scores.T}

    def sorts_and_product():
        for row in scores:
            np.argsort(row)
        return scores @ scores.T

    calls = [partial(fc.delong_covariance, labels, table) for table in tables.values()]
    measured = ratios(calls, sorts_and_product, seconds=4.0, rounds=3)
    for order, value in zip(tables, measured, strict=True):
        name = f"delong_covariance, k = 100, n = 10^5 by {order}: sorts, product"
        yield Row(name, 0.8, value)
