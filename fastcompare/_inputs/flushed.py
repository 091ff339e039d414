"""Numbers that the processor takes for 0, where a library of this process has told it to.

Programs that are built for speed alone set the modes FTZ and DAZ when they are loaded: subnormal
numbers then count as 0, in comparisons, too. Keys of bits would still tell them apart, sums and
differences would not; so such numbers are refused, and all others have the same results as ever.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError
from .._base.types import Integers

LEAST = float(np.uint64(1).view(np.float64))  # 2^-1074, which arithmetic may not reach
BITS = {  # by the size of a number: its bits, those of its size, and the first of which none are 0
    8: (np.uint64, np.uint64(2**63 - 1), np.float64(2.0**-969).view(np.uint64)),  # differences, too
    4: (np.uint32, np.uint32(2**31 - 1), np.float32(2.0**-126).view(np.uint32)),
}


def is_flushing() -> bool:
    """Say whether the processor takes subnormal numbers for 0 in this thread."""
    return not LEAST * 1.0


def holds_flushed(array: NDArray[Any]) -> bool:
    """Say whether the processor may take a number for 0 that is not."""
    return is_flushing() and flushed_numbers(array).size > 0


def flushed_numbers(array: NDArray[Any]) -> Integers:
    """Return where numbers are not 0, but they or their differences may be flushed to it."""
    if array.dtype.kind != "f" or array.dtype.itemsize not in BITS:
        return np.empty(0, np.int64)
    word, sizes, first = BITS[array.dtype.itemsize]
    size = array.astype(array.dtype.newbyteorder("=")).view(word) & sizes
    return np.flatnonzero((size > 0) & (size < first))


def refuse_flushed(name: str, array: NDArray[Any]) -> None:
    """Raise if the processor may take a number for 0 that is not."""
    if holds_flushed(array):
        tiny = flushed_numbers(array)
        raise InvalidValueError(
            f"`{name}` holds {tiny.size} numbers that are not 0, the first at index {tiny[0]}, but "
            "may count as 0: a library in this process has the processor flush the smallest "
            "numbers to zero. Multiply all by 2.0**200 where that is off, or turn it off: "
            "torch.set_flush_denormal(False), say."
        )
