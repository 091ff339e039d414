"""What tests of labels and losses may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc
from fastcompare.labels._mcnemar_pairwise import joint_counts

from ..cases import correct_table, forecasts, predicted_labels
from ..timing import Row, interleaved, one_blas_thread, ratio, ratio_row


def label_rows(quick):
    for method in ("auto", "exact"):
        name = f"mcnemar_test of counts, method = {method}"
        yield Row(name, 30.0, partial(microseconds, method), "µs")
    for kind, dtype in (("", np.int64), (", float labels", np.float64)):
        name = f"mcnemar_test, n = 10^6{kind}: (y == a).sum()"
        yield ratio_row(name, 3.0, partial(test_and_sum, dtype), seconds=2.0)
    k, n = (300, 20_000) if quick else (1000, 50_000)
    name = f"joint tables of {k:,} models, n = {n:,}: float32 product"
    yield Row(name, 0.5, partial(joint_and_product, k, n))
    name = "scoring_test, 9,999 sign flips, n = 10^4: rng.integers"
    yield ratio_row(name, 0.7, flips_and_draws, seconds=2.0, rounds=3)


def microseconds(method):
    """Return the microseconds of the test of four counts."""
    call = partial(fc.mcnemar_test, [[340, 14], [6, 40]], method=method)
    return 1e6 * np.median(interleaved([call]))


def test_and_sum(dtype):
    """Return the test of labels of a type, and how often one model is right."""
    y, a, b = (labels.astype(dtype) for labels in predicted_labels(10**6))
    return partial(fc.mcnemar_test, y, a, b), lambda: (y == a).sum()


def joint_and_product(k, n):
    """Return what the tables of all pairs take, in units of the product of the answers."""
    correct = correct_table(k, n)
    floats = correct.astype(np.float32)
    call = partial(joint_counts, correct)
    with one_blas_thread():
        return ratio(call, lambda: floats @ floats.T, seconds=2.0, rounds=3)


def flips_and_draws():
    """Return the test by sign flips, and the draws of their signs."""
    flips = partial(fc.scoring_test, *forecasts(10_000), method="permutation", rng=0)
    size = (9_999, 10_000)
    return flips, partial(np.random.default_rng(0).integers, 0, 2, size=size, dtype=np.uint8)
