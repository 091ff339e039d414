"""Numbers of samples and of right ones among them, item by item."""

from typing import NamedTuple

import numpy as np

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.types import Integers
from .arrays import EXACT_INTEGER, as_column
from .cases import check_indexes
from .item_options import as_count


class Passes(NamedTuple):
    """Samples n and right ones c of each item; of k samples at least `least` must be right."""

    n: Integers
    c: Integers
    k: int
    least: int


def as_passes(n_samples: object, n_correct: object, k: object, at_least: object) -> Passes:
    """Return the checked counts, one a case, or raise."""
    taken = as_count("k", k, 1)
    least = as_count("at_least", at_least, 1)
    if least > taken:
        raise InvalidValueError(f"`at_least` must be at most `k`, {taken}, got {least}.")
    check_indexes([("n_samples", n_samples), ("n_correct", n_correct)])
    n, c = as_whole("n_samples", n_samples), as_whole("n_correct", n_correct)
    if n.size != c.size and n.ndim == c.ndim:
        raise InvalidValueError(
            f"`n_correct` must have a number for each of the {n.size} items in `n_samples`, got "
            f"{c.size}."
        )
    n, c = np.broadcast_arrays(np.atleast_1d(n), c)
    over = np.flatnonzero(c > n)
    if over.size:
        at = int(over[0])
        raise InvalidValueError(
            f"`n_correct` must be at most `n_samples`; {over.size} are not, the first is {c[at]} "
            f"of {n[at]} at index {at}. Were the two swapped?"
        )
    return Passes(n, c, taken, least)


def as_whole(name: str, values: object) -> Integers:
    """Return 1-d whole numbers of at least 0, or 0-d one for all items."""
    array, missing = as_column(name, values)
    if array.ndim > 1 or not array.size:
        raise InvalidValueError(f"`{name}` must be 1-d with a number an item, got {array.shape}.")
    if array.dtype.kind not in "biuf":
        raise InvalidTypeError(f"`{name}` must hold whole numbers, got dtype {array.dtype}.")
    if array.dtype.kind == "b":
        raise InvalidTypeError(
            f"`{name}` must hold numbers of samples, got bool: sum them over the samples of an "
            "item first."
        )
    with np.errstate(invalid="ignore"):
        wrong = ~((array >= 0) & (array < EXACT_INTEGER) & (array == np.floor(array)))
    if missing is not None:
        wrong |= missing
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise InvalidValueError(
            f"`{name}` must hold whole numbers of at least 0; {np.count_nonzero(wrong)} are not, "
            f"the first is {array.flat[at]} at index {at}."
        )
    return array.astype(np.int64)
