"""Ranks of differences between scores, where floating-point errors must not untie what ties.

Differences of floating-point numbers hardly ever tie exactly: 0.09 - 0.07 and 0.07 - 0.05 do not.
Those within 1e-12 of the largest score tie, so that dividing all scores by 100 changes nothing.
"""

import math
from typing import NamedTuple

import numpy as np

from ..._base.types import Integers, Matrix
from ..._inputs.options import check_flag
from ..paired.signed_ranks import NEAR, doubled_ranks


class Scaled(NamedTuple):
    """Scores over a power of two, the largest from 0.5 to 1, and what is no difference of them."""

    values: Matrix
    near: float


def as_scaled(scores: Matrix) -> Scaled:
    """Return finite scores scaled, so that neither differences nor sums overflow."""
    mantissa, exponent = math.frexp(float(np.abs(scores).max()))
    with np.errstate(under="ignore"):
        return Scaled(np.ldexp(scores, -exponent), NEAR * mantissa)


def ranks_of_ranges(scores: Matrix) -> Integers:
    """Return twice the rank (N,) of each row's range, the narrowest range having rank 1."""
    values, near = as_scaled(scores)
    return doubled_ranks(np.ptp(values, axis=1), near)[0]


def aligned_ranks(scores: Matrix, higher_is_better: bool) -> Integers:
    """Return twice the ranks (N, k), among all scores, of scores less the means of their rows."""
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    values, near = as_scaled(scores)
    aligned = values - values.mean(axis=1, keepdims=True)
    signed = -aligned if best_is_highest else aligned
    return doubled_ranks(signed.ravel(), near)[0].reshape(scores.shape)
