"""Summaries of rows that come in parts: summarised where they are, merged, then finalised.

A summary takes parts in by `add` and other summaries by `merge`, in any order. It must be picklable
where an executor needs that, and its numbers must not depend on how rows are divided into parts.
"""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from functools import partial
from threading import Lock
from typing import Any, Protocol, Self, TypeVar

from .parallel import map_threads

WINDOW = 16  # parts that an executor of few workers has: of more, more would wait in memory


class Summary(Protocol):
    """What is known of some parts of the rows."""

    def add(self, part: Any) -> None:
        """Take in a part."""

    def merge(self, other: Self) -> None:
        """Take in what another summary knows of other parts."""


S = TypeVar("S", bound=Summary)


def summarize(empty: Callable[[], S], parts: Iterable[Any]) -> S:
    """Return the summary of some parts."""
    summary = empty()
    for part in parts:
        summary.add(part)
    return summary


def gather(
    empty: Callable[[], S], parts: Iterable[Any], n_jobs: int = 1, executor: Executor | None = None
) -> S:
    """Return the summary of all parts, by an executor or by threads; `empty` makes one of none."""
    if executor is not None:
        return spread(empty, parts, executor)
    if n_jobs == 1:
        return summarize(empty, parts)
    shared = Shared(parts)

    def work(job: int) -> S:
        try:
            return summarize(empty, shared)
        finally:
            shared.end()  # after a failure the other threads have nothing more to do

    first, *others = map_threads(work, range(n_jobs), n_jobs)
    for other in others:
        first.merge(other)
    return first


class Shared:
    """An iterator that several threads draw from, a part each at a time."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self._parts: Iterator[Any] = iter(parts)
        self._lock = Lock()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        with self._lock:
            return next(self._parts)

    def end(self) -> None:
        """Let nobody draw any more."""
        with self._lock:
            self._parts = iter(())


def spread(empty: Callable[[], S], parts: Iterable[Any], executor: Executor) -> S:
    """Return the summary of all parts, each a task of the executor."""
    total, waiting = empty(), set[Future[S]]()
    work, most = partial(summarize, empty), max(WINDOW, 2 * getattr(executor, "_max_workers", 0))
    try:
        for part in parts:
            if len(waiting) >= most:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                merge_all(total, done)
            waiting.add(executor.submit(work, [part]))
        merge_all(total, waiting)
    except BaseException:
        for future in waiting:
            future.cancel()
        raise
    return total


def merged(empty: Callable[[], S], summaries: Iterable[S]) -> S:
    """Return a new summary of what several know, which stay as they are."""
    total = empty()
    for summary in summaries:
        total.merge(summary)
    return total


def merge_all(total: S, done: Iterable["Future[S]"]) -> None:
    """Merge the summaries that futures bring."""
    for future in done:
        total.merge(future.result())
