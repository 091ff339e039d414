"""Degrees of freedom of DeLong's variances for many small problems."""

import numpy as np

from .._jit.kernel import kernel
from .batch import row_of
from .pair import squared_deviations, wins
from .sorting.placements import count_positives


@kernel
def class_variance_rows(a, b, labels, out):
    """Write to out[:, r] what positives and negatives add to the variance of problem r.

    `a` and `b` hold the placements of its two models; NaN for a class of less than two cases.
    """
    for r in range(a.shape[0]):
        y = row_of(labels, r)
        m = count_positives(y)
        n = y.size - m
        out[:, r] = np.nan
        if m < 2 or n < 2:
            continue
        gain = wins(a[r], y) - wins(b[r], y)
        over_x, over_y = squared_deviations(a[r], b[r], y, gain / m, gain / n)
        out[0, r] = over_x / (4.0 * n * n * (m - 1) * m)
        out[1, r] = over_y / (4.0 * m * m * (n - 1) * n)
