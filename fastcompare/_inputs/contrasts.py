"""Contrasts of models: rows of coefficients that sum to 0."""

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.types import Matrix
from .arrays import as_float_array


def as_contrast(contrast: object, k: int) -> Matrix:
    """Return the contrast matrix (r, k), by default each model less the first."""
    if contrast is None:
        return np.hstack([-np.ones((k - 1, 1)), np.eye(k - 1)])
    rows = np.atleast_2d(as_float_array("contrast", contrast))
    if rows.ndim != 2 or rows.shape[1] != k or not rows.size:
        raise InvalidValueError(f"`contrast` must have shape (r, {k}), got {rows.shape}.")
    if not np.isfinite(rows).all():
        raise InvalidValueError("`contrast` must hold finite numbers.")
    largest = abs(rows).max(axis=1)
    if not largest.all() or (abs((rows / largest[:, None]).sum(axis=1)) > 1e-9).any():
        raise InvalidValueError(
            "each row of `contrast` must sum to 0 and not be all 0, or it compares nothing."
        )
    return rows
