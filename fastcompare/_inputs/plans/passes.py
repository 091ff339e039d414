"""Samples of items and the right ones among them, as counts or as a matrix of outcomes."""

from __future__ import annotations

import numpy as np

from ..._adapters.frames import check_indexes
from ..._base.exceptions import invalid_type, invalid_value
from ..._base.types import Integers
from ..arrays import EXACT_INTEGER, as_column
from ..options import as_count


def as_passes(
    n_samples: object, n_correct: object, k: object, at_least: object
) -> tuple[Integers, Integers, int, int]:
    """Return n and c, the samples and correct samples of each item, k and `at_least`, or raise.

    Without k, the first argument is a matrix of outcomes, and the second is k.
    """
    if k is None:
        k = n_correct
        n_samples, n_correct = count_outcomes(n_samples)
    checked_k = as_count("k", k, 1)
    fewest_correct = as_count("at_least", at_least, 1)
    if fewest_correct > checked_k:
        rule = f"must be at most `k`, {checked_k}"
        raise invalid_value("at_least", rule, fewest_correct, show=", got {}")
    check_indexes([("n_samples", n_samples), ("n_correct", n_correct)])
    n, c = as_whole("n_samples", n_samples), as_whole("n_correct", n_correct)
    if n.size != c.size and n.ndim == c.ndim:  # a single number is for all items
        raise invalid_value(
            "n_correct", f"must have a number for each of the {n.size} items in `n_samples`", c.size
        )
    n, c = np.broadcast_arrays(np.atleast_1d(n), c)
    check_correct(n, c)
    return n, c, checked_k, fewest_correct


def check_correct(n: Integers, c: Integers) -> None:
    """Raise where more samples are right than there are."""
    over = np.flatnonzero(c > n)
    if over.size:
        at = int(over[0])
        raise invalid_value(
            "n_correct",
            "must be at most `n_samples`",
            end=f"; {over.size} are not, the first is {c[at]} of {n[at]} at index {at}. Were "
            "the two swapped?",
            row=at,
        )


def count_outcomes(outcomes: object) -> tuple[Integers, Integers]:
    """Return how many samples each row has, and how many of them are right, or raise.

    NaN is no sample: it fills the rows of items with fewer samples.
    """
    array = np.asarray(outcomes)
    if array.ndim != 2:
        raise invalid_value(
            "k",
            "must be specified with numbers of samples",
            end=": pass_at_k(n_samples, n_correct, k). Without them, pass a matrix of the outcomes "
            "of all samples, one row per item: pass_at_k(outcomes, k).",
        )
    if array.dtype.kind not in "biuf":
        raise invalid_type("n_samples", "must contain 0 and 1", array.dtype, show=", got dtype {}")
    is_present = ~np.isnan(array)
    illegal = np.argwhere(is_present & (array != 0) & (array != 1))
    if illegal.size:
        at = int(illegal[0, 0])
        raise invalid_value(
            "n_samples",
            "must contain 0 and 1 (NaN where an item has fewer samples)",
            array[tuple(illegal[0])].item(),
            row=at,
        )
    return is_present.sum(axis=1), (is_present & (array == 1)).sum(axis=1)


def as_whole(name: str, values: object) -> Integers:
    """Return 1-d whole numbers of at least 0, or a 0-d number for all items; or raise."""
    array, missing = as_column(name, values)
    if array.ndim > 1 or not array.size:
        raise invalid_value(name, "must be 1-d, one number per item", array.shape)
    if array.dtype.kind not in "biuf":
        raise invalid_type(name, "must contain whole numbers", array.dtype, show=", got dtype {}")
    if array.dtype.kind == "b":
        raise invalid_type(
            name,
            "must contain numbers of samples",
            end=", got bool: sum them over the samples of an item first.",
        )
    with np.errstate(invalid="ignore"):
        wrong = ~((array >= 0) & (array < EXACT_INTEGER) & (array == np.floor(array)))
    if missing is not None:
        wrong |= missing
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise invalid_value(
            name,
            "must contain whole numbers of at least 0",
            end=f"; {np.count_nonzero(wrong)} are not, the first is {array.flat[at]} at index "
            f"{at}.",
            row=at,
        )
    return array.astype(np.int64)
