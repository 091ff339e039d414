"""Blocks of work over threads: kernels run without the GIL, so threads are enough.

Threads are made for one call and joined in it: nothing survives a fork or waits at exit.
"""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def map_threads(function: Callable[[T], R], items: Sequence[T], n_jobs: int) -> list[R]:
    """Return [function(item) for item in items], computed by up to `n_jobs` threads."""
    if n_jobs == 1 or len(items) < 2:
        return [function(item) for item in items]
    waiting = iter(enumerate(items))  # drawn from by all threads: next() is atomic
    results: dict[int, R] = {}

    def work() -> None:
        try:
            for i, item in waiting:
                results[i] = function(item)
        except BaseException:  # an interrupt, say: the others finish what they are at, no more
            deque(waiting, maxlen=0)
            raise

    with ThreadPoolExecutor(min(n_jobs, len(items)) - 1) as pool:
        others = [pool.submit(work) for _ in range(min(n_jobs, len(items)) - 1)]
        work()
        for other in others:
            other.result()
    return [results[i] for i in range(len(items))]
