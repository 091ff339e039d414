"""Measure what must be fast against its limit, and print a table: it reports and never fails.

    python -m benchmarks.limits [--quick]

A ratio is the median, over rounds in which both parts take turns, of the rounds' ratios; so it
holds on any machine, busy or not. Seconds are medians. ``--quick`` leaves out 10^7 cases.
"""

import argparse
import math
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

import fastcompare as fc
from fastcompare._compare.labels.joint import joint_counts

from ..cases import batch_cases, correct_table, forecasts, predicted_labels, scored_cases
from ..contenders.baselines import argsorts
from ..contenders.bootstraps import REPLICATES, bootstrap, index_draws
from ..timing import (
    Row,
    fresh_seconds,
    import_ratio,
    interleaved,
    one_blas_thread,
    ratio,
    ratios,
    run_fresh,
)
from .datasets import dataset_rows
from .folds import fold_rows
from .posthoc import posthoc_rows
from .simulation import simulation_rows

MODULE = "benchmarks.limits.__main__"
LARGE = 10**7
SIZES = {  # n: the limits for n_jobs = 1, 2 in units of two argsorts
    100: (8.0,),
    10**4: (0.9,),
    10**5: (0.5, 0.4),
    10**6: (0.55, 0.38),
    LARGE: (0.30, 0.18),
}
SHAPES = {  # in units of the same test on continuous scores
    "100 values": 0.5,
    "5 decimals": 2.2,
    "sorted": 1.5,
    "reversed": 1.5,
    "organ pipe": 1.5,
}
SHAPED_SIZES = (10**4, 10**5, 10**6)
BOOTSTRAP = {1000: 1.0, 10**4: 0.5, 10**5: 0.7}  # n: the limit in units of drawing the indices
VARIANTS = {  # of the bootstrap, in units of the plain one
    "studentized": (4.0, {"method": "studentized"}),
    "n_jobs = 2": (1.0 / 1.7, {"n_jobs": 2}),
}


def power(n):
    """Return a power of ten as it is written by hand."""
    return f"10^{round(math.log10(n))}" if n > 1000 else str(n)


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


def shape_rows(quick):
    for n in SHAPED_SIZES:
        tests = [
            partial(fc.delong_test, labels, *scores)
            for labels, scores in (scored_cases(n, kind) for kind in (*SHAPES, "normal"))
        ]
        measured = ratios(tests[:-1], tests[-1], seconds=2.0)
        for (kind, limit), value in zip(SHAPES.items(), measured, strict=True):
            yield Row(f"delong_test, n = {power(n)}, {kind}: continuous", limit, value)


def batch_rows(quick):
    labels, scores = batch_cases(10_000, 200)

    def sorts():
        for a, b in zip(*scores, strict=True):
            argsorts(labels, a, b)

    value = ratio(partial(fc.delong_batch, labels, *scores), sorts, seconds=2.0)
    yield Row("delong_batch, 10,000 problems of n = 200: their argsorts", 0.6, value)


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


def resampling_rows(quick):
    for n, limit in BOOTSTRAP.items():
        draws, plain = (partial(call, *resampled(n)) for call in (index_draws, bootstrap))
        name = f"bootstrap_auc_test, {REPLICATES[n]} replicates, n = {power(n)}: index draws"
        yield Row(name, limit, ratio(plain, draws, seconds=2.0))
    plain = partial(bootstrap, *resampled(10**4))
    calls = [partial(plain, **options) for _, options in VARIANTS.values()]
    measured = ratios(calls, plain, seconds=4.0)
    for (name, (limit, _)), value in zip(VARIANTS.items(), measured, strict=True):
        yield Row(f"bootstrap_auc_test, n = 10^4, {name}: plain", limit, value)


def resampled(n):
    """Return labels, the scores of two models, and how many replicates to draw of them."""
    labels, scores = scored_cases(n)
    return labels, *scores, REPLICATES[n]


def label_rows(quick):
    table = [[340, 14], [6, 40]]
    for method in ("auto", "exact"):
        times = interleaved([partial(fc.mcnemar_test, table, method=method)])
        value = 1e6 * float(np.median(times))
        yield Row(f"mcnemar_test of counts, method = {method}", 30.0, value, "µs")

    y, a, b = predicted_labels(10**6)
    value = ratio(partial(fc.mcnemar_test, y, a, b), lambda: (y == a).sum(), seconds=2.0)
    yield Row("mcnemar_test, n = 10^6: (y == a).sum()", 3.0, value)
    y, a, b = (labels.astype(np.float64) for labels in (y, a, b))
    value = ratio(partial(fc.mcnemar_test, y, a, b), lambda: (y == a).sum(), seconds=2.0)
    yield Row("mcnemar_test, n = 10^6, float labels: (y == a).sum()", 3.0, value)

    k, n = (300, 20_000) if quick else (1000, 50_000)
    correct = correct_table(k, n)
    floats = correct.astype(np.float32)
    call = partial(joint_counts, correct)
    with one_blas_thread():
        value = ratio(call, lambda: floats @ floats.T, seconds=2.0, rounds=3)
    yield Row(f"joint tables of {k:,} models, n = {n:,}: float32 product", 0.5, value)

    flips = partial(fc.scoring_test, *forecasts(10_000), method="permutation", rng=0)
    rng = np.random.default_rng(0)
    draw = partial(rng.integers, 0, 2, size=(9_999, 10_000), dtype=np.uint8)
    value = ratio(flips, draw, seconds=2.0, rounds=3)
    yield Row("scoring_test, 9,999 sign flips, n = 10^4: rng.integers", 0.7, value)


def memory_rows(quick):
    for jobs in () if quick else (1, 2):
        code = f"from {MODULE} import bytes_a_case as f; print(f({LARGE}, {jobs}))"
        value = float(run_fresh(code)[1])
        yield Row(f"peak memory beyond the input, n = 10^7, n_jobs = {jobs}", 32.0, value, "B/case")


def bytes_a_case(n, jobs):
    """Return the bytes a case that the test takes at its peak; for a process of its own.

    The high-water mark never falls, so everything before stays below the input: kernels compiled
    on a small problem, scores written in place.
    """
    small, few = scored_cases(1 << 18)
    fc.delong_test(small, *few, n_jobs=jobs)
    labels = (np.arange(n) % 10 < 3).astype(np.int64)
    scores = np.random.default_rng(0).standard_normal((2, n))
    before = memory("VmRSS")
    fc.delong_test(labels, *scores, n_jobs=jobs)
    return (memory("VmHWM") - before) / n


def memory(field):
    """Return this process's memory now (VmRSS) or at most so far (VmHWM), in bytes."""
    status = Path("/proc/self/status")
    if not status.exists():
        return largest_memory()
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return 1024 * int(lines[field].split()[0])


def largest_memory():
    """Return the largest memory so far where there is no /proc, in bytes; 0 on Windows."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def start_rows(quick):
    yield Row("import fastcompare: import numpy", 1.5, import_ratio())
    with tempfile.TemporaryDirectory() as directory:
        caches = [Path(directory, str(run)) for run in range(1 if quick else 3)]
        cold = [fresh_seconds(cache) for cache in caches]
        warm = [fresh_seconds(caches[0]) for _ in range(5)]
    yield Row("fresh process compares n = 1000, warm cache", 1.0, float(np.median(warm)), "s")
    yield Row("fresh process compares n = 1000, no cache", 8.0, float(np.median(cold)), "s")


SECTIONS = (
    size_rows,
    shape_rows,
    batch_rows,
    covariance_rows,
    resampling_rows,
    label_rows,
    fold_rows,
    dataset_rows,
    posthoc_rows,
    simulation_rows,
    memory_rows,
    start_rows,
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="leave out 10^7 cases")
    quick = parser.parse_args().quick
    print(f"{'what: in units of':<64}{'limit':>7} {'measured':>9} {'':<7} ok")
    for section in SECTIONS:
        for row in section(quick):
            print(row, flush=True)


if __name__ == "__main__":
    main()
