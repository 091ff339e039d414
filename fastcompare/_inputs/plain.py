"""Plain arrays: what a loop of one's own passes a thousand times, and what needs no other look."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import FLOAT64
from .flushed import holds_flushed

INT64, FLOAT32 = np.dtype(np.int64), np.dtype(np.float32)
SINGLE_FROM = 1 << 18  # cases whose copy as doubles takes 2 MiB, more than a cache


def plain_labels(y: Any) -> NDArray[np.int64] | None:
    """Return labels as kernels read and check them; None for all but arrays of bools or integers.

    Of one type, since each one more is compiled anew; unsigned labels beyond come out negative.
    """
    if type(y) is not np.ndarray or y.ndim != 1:
        return None
    if y.dtype is INT64 and y.flags.carray:
        return y
    return y.astype(np.int64) if y.dtype.kind in "biu" else None


def plain_scores(scores: Any, n: int) -> NDArray[Any] | None:
    """Return n scores that kernels read as they are; None for all that are not plain.

    Many in single precision are left so: a copy as doubles would double the memory of a test.
    """
    if type(scores) is not np.ndarray or scores.ndim != 1 or scores.size != n:
        return None
    if holds_flushed(scores):
        return None
    if scores.dtype is FLOAT64:
        return scores if scores.flags.carray else None
    if scores.dtype is FLOAT32:
        return scores if n >= SINGLE_FROM and scores.flags.carray else scores.astype(np.float64)
    return None
