"""What tests of labels and losses may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc
from fastcompare.labels._mcnemar_pairwise import joint_counts

from ..cases import correct_table, forecasts, predicted_labels
from ..timing import Row, interleaved, one_blas_thread, ratio


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
