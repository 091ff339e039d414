"""What corrections that go step by step share; p-values ascend."""

import numpy as np

from ..._base.types import Vector


def step_down(levels: Vector) -> Vector:
    """Reject from the smallest p-value on, until one is above its critical value."""
    return np.maximum.accumulate(levels)


def step_up(levels: Vector) -> Vector:
    """Reject the largest p-value that is at most its critical value, and all before it."""
    return np.minimum.accumulate(levels[::-1])[::-1]


def ranks(p: Vector) -> Vector:
    """Return i = 1, ..., m."""
    return np.arange(1.0, p.size + 1.0)


def remaining(p: Vector) -> Vector:
    """Return m - i + 1, the number of p-values from p_(i) on."""
    return np.arange(float(p.size), 0.0, -1.0)


def any_of(p: Vector, n: Vector | int) -> Vector:
    """Return 1 - (1 - p)^n, with all digits for tiny p."""
    return -np.expm1(n * np.log1p(-p))
