"""What rank tests and corrections may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..timing import Row, interleaved, ratio


def correction_rows(quick):
    """Yield a row for each correction of many p-values; Rom's critical values are kept by then."""
    p = np.random.default_rng(0).random(10**5) ** 2
    for method in ("bh", "holm", "bonferroni"):
        value = ratio(partial(fc.adjust_pvalues, p, method=method), partial(np.argsort, p))
        yield Row(f"adjust_pvalues, {method}, m = 10^5: argsort", 3.0, value)
    for method, limit in (("hommel", 2.0), ("rom", 30.0)):
        times = interleaved([partial(fc.adjust_pvalues, p[:2000], method=method)])
        value = 1e3 * float(np.median(times))
        yield Row(f"adjust_pvalues, {method}, m = 2,000", limit, value, "ms")
