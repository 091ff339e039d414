"""Placements of scores in single precision, without a copy of them as doubles.

A key holds all 32 bits of a score above the case number and the label, so equal prefixes are equal
scores, and the sorted keys alone tell the placements.
"""

from typing import Any

import numpy as np

from ..._jit.kernel import kernel
from ..words import HALF, ONE, U
from .few_values import placements_of_few_values
from .native import sort_keys
from .placements import count_positives, placements_from_keys

SIGN = U(1 << 31)
PROBED = 1 << 13  # cases whose values tell whether all values may be few
NO_SCORES = np.empty(0)  # exact keys leave nothing to settle by the scores


@kernel
def pack_single(scores, labels, keys):
    """Pack the bits of each score in its order; both zeros get the same ones."""
    bits = scores.view(np.uint32)
    for i in range(bits.size):
        word = U(bits[i])
        prefix = word + SIGN if word < SIGN else SIGN + SIGN - word
        keys[i] = (prefix << HALF) | (U(i) << ONE) | U(labels[i] & 1)


def placements_single(scores: Any, labels: Any, scratch: Any, out: Any) -> None:
    """Write the placement of every case to `out`, with `scratch` of as many uint64.

    `scores` are float32 without NaN, fewer than 2^31. If their first ones have few values, all go
    to the table of those, as doubles in the scratch.
    """
    n, first = scores.size, slice(PROBED)
    keys = scratch[:n]
    if placements_of_few_values(scores[first].astype(np.float64), labels[first], out[first]):
        doubles = keys.view(np.float64)
        doubles[:] = scores
        if placements_of_few_values(doubles, labels, out):
            return
    pack_single(scores, labels, keys)
    sort_keys(keys)
    placements_from_keys(keys, NO_SCORES, U(count_positives(labels)), HALF, True, out)
