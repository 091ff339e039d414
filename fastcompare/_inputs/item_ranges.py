"""How large scores of items may be: their squares, and sums of these, must stay in range."""

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.types import Matrix

LEAST, MOST = 1e-100, 1e100


def check_range(scores: Matrix) -> None:
    """Raise if the greatest score is so large, or so small, that its square is out of range."""
    ends = np.fmin.reduce(scores, axis=None), np.fmax.reduce(scores, axis=None)
    check_size(max(-float(ends[0]), float(ends[1])))


def check_size(size: float) -> None:
    """Raise if the greatest score is of a size whose square is out of range."""
    if size > MOST or 0.0 < size < LEAST:
        raise InvalidValueError(
            f"`scores` must all be 0, or the greatest between {LEAST:g} and {MOST:g} in size, got "
            f"{size:g}: multiply all by one number, which changes no p-value."
        )
