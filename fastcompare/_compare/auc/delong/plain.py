"""A short way for two models in plain arrays: the inside of other people's loops.

One compiled call instead of six halves the time of a test of 100 cases (20 instead of 43
microseconds), which goes into calls rather than counting. Whatever needs care takes the long way.
"""

import math
from typing import Any

import numpy as np

from ...._inputs.cases import Cases
from ...._inputs.labels import are_positive
from ...._inputs.scores import is_plain
from ....kernels.moments import moment_sums_of_few
from ..components import as_components
from ..exact import as_pair_sums, df_of, moments_of
from .design import Pair, has_degrees, moments_of_independent

FEW = 256  # cases: m * n is below HEAVISIDE_PAIRS


def plain_pair(y_true: Any, a: Any, b: Any, n_jobs: int, reference: str) -> Pair | None:
    """Return the moments of two models; None for anything but plain, sound arrays."""
    if not type(y_true) is type(a) is type(b) is np.ndarray:
        return None
    usual = y_true.shape == a.shape == b.shape and a.ndim == 1 and a.size > 0
    if not (usual and y_true.dtype.kind in "bi" and is_plain(a) and is_plain(b)):
        return None
    labels = are_positive("y_true", y_true, None)
    m = int(np.count_nonzero(labels.view(np.bool_)))
    n = labels.size - m
    if not (m and n):
        return None
    if labels.size <= FEW:
        out = np.empty((2, 8), np.uint64)
        sound = moment_sums_of_few(a, b, labels, out)
        if not sound:
            return None
        sums = as_pair_sums(out)
        moments = moments_of(sums, m, n)
        t = has_degrees(reference, "independent")
        return Pair(moments._replace(df=df_of(sums, m, n)) if t else moments, m, n)
    if any(math.isnan(np.minimum.reduce(scores)) for scores in (a, b)):
        return None
    components = as_components(Cases(labels, (a, b), ("y_score_a", "y_score_b")), n_jobs=n_jobs)
    return Pair(moments_of_independent(components, 1, reference), m, n)
