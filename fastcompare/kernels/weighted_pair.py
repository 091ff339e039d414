"""Two models under weights in one call: of 1,000 cases calls cost half of what counting does."""

import numpy as np

from .._jit.kernel import kernel
from .errors import sum_products
from .weights import weigh_few


@kernel
def sum_few(a, b, labels, weights, factors, unit, limbs, totals, scales, by_root, means, sums):
    """Write `means` and `sums` of two models as `sum_products` does; return whether keys fit."""
    values = np.empty((labels.size, 3))
    wins = values.view(np.int64)
    if not weigh_few(a, labels, weights, factors, unit, limbs, wins, False):
        return False
    if not weigh_few(b, labels, weights, factors, unit, limbs, wins, True):
        return False
    sum_products(values, labels, weights, factors, totals, scales, by_root, means, sums)
    return True
