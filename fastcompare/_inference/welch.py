"""Welch's degrees of freedom: of a difference whose two parts vary unequally."""

import math
from collections.abc import Sequence


def welch_df(variances: Sequence[float], sizes: Sequence[int]) -> float:
    """Return the degrees of freedom of the sum of two variances of means (Welch 1947).

    Each is of so many independent values. NaN where both variances are 0.
    """
    known = zip(variances, sizes, strict=True)
    squares = [v * v / (size - 1) for v, size in known if v > 0.0]
    return float(sum(variances)) ** 2 / sum(squares) if squares else math.nan
