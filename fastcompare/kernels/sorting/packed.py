"""Placements by a sort of packed keys, called from Python: kernels of parts compile sooner."""

from typing import Any

import numpy as np

from ..words import U
from .keys import pack
from .native import sort_keys
from .placements import count_positives, placements_from_keys


def placements_simd(scores: Any, labels: Any, scratch: Any, out: Any) -> None:
    """Write the placement of every case to `out`, with `scratch` of at least as many uint64."""
    keys = scratch[: scores.size]
    nbits, exact = pack(scores, labels, keys)
    sort_keys(keys)
    placements_from_keys(keys, scores, U(count_positives(labels)), U(nbits), exact, out)


def placements_packed(scores: Any, labels: Any, out: Any) -> None:
    """Write the placement of every case to `out`, an array of uint32 (uint64 from 2^31 cases)."""
    placements_simd(scores, labels, np.empty(scores.size, np.uint64), out)
