"""A short way for two models on few cases in plain arrays: the inside of other people's loops.

One compiled call instead of six halves the time of a test of 100 cases (20 instead of 43
microseconds), which goes into calls rather than counting. Whatever needs care takes the long way.
"""

from typing import Any

import numpy as np

from ...._inputs.labels import are_positive
from ...._inputs.scores import is_plain
from ....kernels.moments import moment_sums_of_few
from ..exact import PairMoments, as_pair_sums, moments_of

FEW = 256  # cases: m * n is below HEAVISIDE_PAIRS


def moments_of_few(y_true: Any, a: Any, b: Any) -> tuple[PairMoments, int, int] | None:
    """Return the moments of two models with m and n; None for anything but plain, sound arrays."""
    if not type(y_true) is type(a) is type(b) is np.ndarray:
        return None
    usual = y_true.shape == a.shape == b.shape and a.ndim == 1 and 0 < a.size <= FEW
    if not (usual and y_true.dtype.kind in "bi" and is_plain(a) and is_plain(b)):
        return None
    labels = are_positive("y_true", y_true, None)
    m = int(np.count_nonzero(labels.view(np.bool_)))
    n = labels.size - m
    out = np.empty((2, 8), np.uint64)
    if not (m and n and moment_sums_of_few(a, b, labels, out)):
        return None
    return moments_of(as_pair_sums(out), m, n), m, n
