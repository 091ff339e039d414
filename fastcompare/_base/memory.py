"""Memory and its bounds: large arrays only where memory allows, products in parts, read-only views.

The environment of the process can raise the bounds on costs. Products of large tables are computed
a part at a time, between which an interrupt is noticed.
"""

import gc
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .exceptions import invalid_value
from .types import Matrix

CHECKED_FROM = 1 << 30  # bytes from which an allocation is compared with the free memory


def reserve(
    shape: tuple[int, ...], dtype: type = np.float64, hint: str = "compare fewer models in one call"
) -> NDArray[Any]:
    """Return an uninitialized array, or raise MemoryError if it is larger than the free memory.

    Memory for doubles is required for any type: smaller ones need scratch space. `hint` is the
    remedy in the message.
    """
    wanted = 8 * math.prod(shape)
    if wanted > CHECKED_FROM and wanted > memory_available():
        gib = wanted / 2**30 if wanted < 2**1000 else math.inf
        raise MemoryError(
            f"an array of shape {shape} needs {gib:.1f} GiB, more than is free: {hint}."
        )
    return np.empty(shape, dtype)


@contextmanager
def without_collector() -> Iterator[None]:
    """Switch Python's garbage collector off: it takes a third of the time of parsing JSON."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def memory_available() -> float:
    """Return the bytes of memory that are free, infinite where the system does not report it."""
    try:
        with open("/proc/meminfo") as file:
            lines = dict(line.split(":", 1) for line in file)
        return 1024.0 * float(lines["MemAvailable"].split()[0])
    except (OSError, KeyError, ValueError):
        return float("inf")


def peak_memory() -> int | None:
    """Return the peak memory of this process in bytes; None where it is not reported."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def environment_bound(variable: str, usual: int) -> int:
    """Return the integer in an environment variable, `usual` if it is unset; raise if invalid."""
    text = os.environ.get(variable, "").strip()
    if not text:
        return usual
    if not (text.isascii() and text.isdecimal() and len(text) < 100):
        raise invalid_value(
            variable,
            "in the environment must be a whole number in figures",
            text[:60],
            f". Write one as in {variable}={usual}, or unset it.",
        )
    return int(text)


MOST_PRODUCTS = 1 << 31  # multiplications in a call: 0.1 s of a core
FEWEST_COLUMNS = 256  # at a time: adding products of 33 columns takes several times as long


def row_products(rows: Matrix) -> Matrix:
    """Return rows @ rows.T (k, k) of rows (k, n), added over parts of the columns in order."""
    k, n = rows.shape
    step = max(FEWEST_COLUMNS, MOST_PRODUCTS // max(1, k * k))
    if n <= step:
        return np.asarray(rows @ rows.T)
    total = np.zeros((k, k))
    for first in range(0, n, step):
        columns = rows[:, first : first + step]
        total += columns @ columns.T
    return total


SINGLE = frozenset({float, int, str, bool, type(None)})


def lock_arrays(fields: dict[str, Any]) -> None:
    """Make the arrays among fields read-only, in place; fields with an underscore stay."""
    for name, value in fields.items():
        kind = type(value)
        if kind in SINGLE:  # most fields: half the time of asking for their bases
            continue
        if name[0] == "_":
            continue
        if kind is np.ndarray:
            fields[name] = view = value.view()
            view.flags.writeable = False
        elif issubclass(kind, tuple) and np.ndarray in map(type, value):
            fields[name] = read_only(value)


def read_only(value: Any) -> Any:
    """Return a read-only view of an array, or of the arrays in a tuple; anything else as it is.

    Not the array itself, which may be the caller's, who may go on writing to it.
    """
    if type(value) is np.ndarray:
        view = value.view()
        view.flags.writeable = False
        return view
    if isinstance(value, tuple) and np.ndarray in map(type, value):
        return getattr(type(value), "_make", type(value))(map(read_only, value))
    return value
