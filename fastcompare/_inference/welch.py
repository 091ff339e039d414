"""Welch's degrees of freedom: of a sum whose parts vary unequally."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._base.sums import plain_sum
from .._base.types import Vector


def welch_df(variances: Sequence[float], sizes: Sequence[float]) -> float:
    """Return the degrees of freedom of a sum of variances of means (Welch 1947).

    Each is of so many independent values. NaN where all variances are 0.
    """
    known = zip(variances, sizes, strict=True)
    squares = [v * v / (size - 1) for v, size in known if v > 0.0]
    return plain_sum(variances) ** 2 / plain_sum(squares) if squares else math.nan


def welch_dfs(variances: Any, sizes: Any) -> Vector:
    """Return `welch_df` for arrays; the first axis of `variances` is along the parts of a sum."""
    total = sum(variances)
    squares = sum(v * v / (size - 1) for v, size in zip(variances, sizes, strict=True))
    df: Vector = np.full(np.shape(total), math.nan)
    np.divide(total * total, squares, out=df, where=np.asarray(squares > 0.0))
    return df
