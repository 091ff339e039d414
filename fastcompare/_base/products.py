"""Products of large tables, a part at a time so that an interrupt is heard."""

import numpy as np

from .types import Matrix

MULTIPLIED = 1 << 31  # numbers in a call: 0.1 s of a core
FEWEST = 256  # columns: adding products of 33, of 8,000 rows, takes several times as long


def row_products(rows: Matrix) -> Matrix:
    """Return rows @ rows.T (k, k) of rows (k, n); the products of parts are added in order."""
    k, n = rows.shape
    step = max(FEWEST, MULTIPLIED // max(1, k * k))
    if n <= step:
        return np.asarray(rows @ rows.T)
    total = np.zeros((k, k))
    for first in range(0, n, step):
        part = rows[:, first : first + step]
        total += part @ part.T
    return total
