"""Plain arrays: what a loop of one's own passes a thousand times, and what needs no other look."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import FLOAT64

INT64, BOOL, FLOAT32 = np.dtype(np.int64), np.dtype(np.bool_), np.dtype(np.float32)
SINGLE_FROM = 1 << 18  # cases whose copy as doubles takes 2 MiB, more than a cache


def plain_labels(y: Any) -> NDArray[Any] | None:
    """Return labels that kernels read as they are, and check; None for all that are not plain."""
    if type(y) is not np.ndarray or y.ndim != 1 or not y.flags.carray:
        return None
    if y.dtype is INT64:
        return y
    return y.view(np.uint8) if y.dtype is BOOL else None


def plain_scores(scores: Any, n: int) -> NDArray[Any] | None:
    """Return n scores that kernels read as they are; None for all that are not plain.

    Many in single precision are left so: a copy as doubles would double the memory of a test.
    """
    if type(scores) is not np.ndarray or scores.ndim != 1 or scores.size != n:
        return None
    if scores.dtype is FLOAT32:
        return scores if n >= SINGLE_FROM and scores.flags.carray else scores.astype(np.float64)
    return scores if scores.dtype is FLOAT64 and scores.flags.carray else None
