"""Scores of any magnitude: squares and sums that stay within the range of floats."""

import math

import numpy as np

from ..._base.types import Matrix


def in_range(values: Matrix) -> Matrix:
    """Return scores divided by a power of 2 if their squares may leave the range of floats.

    The statistics do not depend on the unit, and this division is exact.
    """
    exponent = math.frexp(float(np.abs(values).max()))[1]
    return values if abs(exponent) < 300 else np.ldexp(values, -exponent)


def means_of(values: Matrix) -> Matrix:
    """Return the mean of each column, or of one, also where the sums exceed what float64 holds."""
    with np.errstate(over="ignore", invalid="ignore"):
        means: Matrix = np.asarray(values.mean(axis=0))
        return np.where(np.isfinite(means), means, (values / len(values)).sum(axis=0))
