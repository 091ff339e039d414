"""Blocks of work over threads: kernels run without the GIL, so threads are enough.

Threads are made for one call and joined in it: nothing survives a fork or waits at exit.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def map_threads(function: Callable[[T], R], items: Sequence[T], n_jobs: int) -> list[R]:
    """Return [function(item) for item in items], computed by up to `n_jobs` threads."""
    if n_jobs == 1 or len(items) < 2:
        return [function(item) for item in items]
    threads = min(n_jobs, len(items)) - 1  # and the one we are in
    with ThreadPoolExecutor(threads) as pool:
        elsewhere = [pool.submit(function, item) for item in items[1:]]
        first = function(items[0])
        return [first, *(future.result() for future in elsewhere)]
