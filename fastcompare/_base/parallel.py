"""Blocks of work over threads or any executor, reported on, stopped by an interrupt.

Kernels run without the GIL, so threads are enough. They are made for one call and joined in it; the
caller's thread does its share, so an interrupt reaches it between two kernel calls, and the others
stop at their next checkpoint.

A summary takes parts in by `add` and other summaries by `merge`, in any order. It must be picklable
where an executor needs that, and its numbers must not depend on how rows are divided into parts.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ThreadPoolExecutor,
    as_completed,
    wait,
)
from contextvars import copy_context
from functools import partial
from threading import Lock
from typing import Any, Protocol, Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Checkpoint = Callable[[], None]
Report = Callable[..., None]  # called with the number of items done, perhaps the last one's name
Reporting = Callable[[int], Report]  # from the total number of items to a function to report to


class StoppedError(Exception):
    """Raised by a checkpoint after another thread has failed."""


def no_checkpoint() -> None:
    """Do nothing: a checkpoint of work that nothing stops."""


def report_nothing(done: int, item: str = "") -> None:
    """Report nothing."""


def no_progress(total: int) -> Report:
    """Return a report that does nothing."""
    return report_nothing


def interruptible(is_long: bool, function: Callable[..., R], *arguments: object) -> R:
    """Return function(*arguments), computed by another thread if `is_long`, so that Ctrl-C works.

    For one call that takes a second and cannot stop: a sort, a decomposition. After an interrupt
    the thread goes on to its end, so the function must write to nothing that is used again. Only
    the main thread gets interrupts, so others need no thread. A thread costs 0.1 ms.
    """
    if not is_long or threading.current_thread() is not threading.main_thread():
        return function(*arguments)
    pool = ThreadPoolExecutor(1)
    try:
        return pool.submit(copy_context().run, function, *arguments).result()
    finally:
        pool.shutdown(wait=False)


def map_threads(function: Callable[[T], R], items: Sequence[T], n_jobs: int) -> list[R]:
    """Return [function(item) for item in items], computed by up to `n_jobs` threads."""
    if n_jobs == 1:
        return [*map(function, items)]
    return run_all(lambda item, checkpoint: function(item), items, n_jobs=n_jobs)


def run_all(
    function: Callable[[T, Checkpoint], R],
    items: Sequence[T],
    *,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Reporting = no_progress,
) -> list[R]:
    """Return [function(item, checkpoint) for item in items].

    The function calls ``checkpoint()`` between kernels, so that it ends early when another thread
    has failed. With an executor `n_jobs` does not matter; function and items must be picklable if
    it needs that.
    """
    report = progress(len(items))
    if executor is not None:
        return run_on_executor(executor, function, items, report)
    if n_jobs == 1 or len(items) < 2:
        results = []
        for done, item in enumerate(items, 1):
            results.append(function(item, no_checkpoint))
            report(done)
        return results
    return run_threads(function, items, min(n_jobs, len(items)), report)


def run_threads(
    function: Callable[[T, Checkpoint], R],
    items: Sequence[T],
    n_jobs: int,
    report: Callable[[int], None],
) -> list[R]:
    """Return the results of all items, computed by this thread and `n_jobs` - 1 others."""
    waiting = iter(enumerate(items))  # shared by all threads: next() is atomic
    results: dict[int, R] = {}
    failed: list[BaseException] = []

    def checkpoint() -> None:
        """Stop this thread if another one has failed."""
        if failed:
            raise StoppedError

    def work(after: Callable[[int], None]) -> None:
        """Compute the results of waiting items until none is left, as one thread of several."""
        try:
            for i, item in waiting:
                checkpoint()
                results[i] = function(item, checkpoint)
                after(len(results))
        except BaseException as error:
            failed.append(error)
            raise

    with ThreadPoolExecutor(n_jobs - 1) as pool:
        try:
            others = [pool.submit(work, report_nothing) for _ in range(n_jobs - 1)]
            # The last report comes after all threads have ended.
            work(lambda done: report(done) if done < len(items) else None)
            for other in others:
                other.result()
        except BaseException as error:
            failed.append(error)  # an interrupt while waiting must stop the others, too
            if isinstance(error, StoppedError):  # by the failure of another thread
                raise failed[0] from None
            raise
    report(len(items))
    return [results[i] for i in range(len(items))]


def run_on_executor(
    executor: Executor,
    function: Callable[[T, Checkpoint], R],
    items: Sequence[T],
    report: Callable[[int], None],
) -> list[R]:
    """Return the results of all items, computed by an executor; what has not begun is cancelled."""
    futures: list[Future[R]] = [executor.submit(function, item, no_checkpoint) for item in items]
    try:
        for done, future in enumerate(as_completed(futures), 1):
            future.result()
            report(done)
    except BaseException:
        for future in futures:
            future.cancel()
        raise
    return [future.result() for future in futures]


def is_interactive() -> bool:
    """Return whether standard error is a terminal's or a notebook's; programs may have none."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


WINDOW = 16  # parts that an executor has at a time: more would wait in memory


class Summary(Protocol):
    """Sums or counts over some parts of the rows, to which further parts can be added."""

    def add(self, part: Any) -> None:
        """Add the rows of a part."""

    def merge(self, other: Self) -> None:
        """Add another summary, of other parts."""


S = TypeVar("S", bound=Summary)


def summarize(empty: Callable[[], S], parts: Iterable[Any]) -> S:
    """Return the summary of some parts, starting from `empty()`."""
    summary = empty()
    for part in parts:
        summary.add(part)
    return summary


def summarize_parts(
    empty: Callable[[], S], parts: Iterable[Any], n_jobs: int = 1, executor: Executor | None = None
) -> S:
    """Return the summary of all parts, by an executor or by threads; `empty()` starts a summary."""
    if executor is not None:
        return summarize_in_tasks(empty, parts, executor)
    if n_jobs == 1:
        return summarize(empty, parts)
    shared = SharedIterator(parts)

    def work(job: int) -> S:
        """Return the summary of the parts that this thread took from the shared iterator."""
        try:
            return summarize(empty, shared)
        finally:
            shared.end()  # after a failure the other threads have nothing more to do

    first, *others = map_threads(work, range(n_jobs), n_jobs)
    for other in others:
        first.merge(other)
    return first


class SharedIterator:
    """An iterator that several threads share: each part goes to one of them."""

    def __init__(self, parts: Iterable[Any]) -> None:
        self._parts: Iterator[Any] = iter(parts)
        self._lock = Lock()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        with self._lock:
            return next(self._parts)

    def end(self) -> None:
        """End the iteration for all threads."""
        with self._lock:
            self._parts = iter(())


def summarize_in_tasks(empty: Callable[[], S], parts: Iterable[Any], executor: Executor) -> S:
    """Return the summary of all parts, each a task of the executor."""
    total = empty()
    waiting = set[Future[S]]()
    work = partial(summarize, empty)
    most_waiting = max(WINDOW, 2 * getattr(executor, "_max_workers", 0))
    try:
        for part in parts:
            if len(waiting) >= most_waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                merge_all(total, done)
            waiting.add(executor.submit(work, [part]))
        merge_all(total, waiting)
    except BaseException:
        for future in waiting:
            future.cancel()
        raise
    return total


def merge_summaries(empty: Callable[[], S], summaries: Iterable[S]) -> S:
    """Return a new summary, the sum of several, which are not changed."""
    total = empty()
    for summary in summaries:
        total.merge(summary)
    return total


def merge_all(total: S, done: Iterable["Future[S]"]) -> None:
    """Merge the results of finished futures into `total`."""
    for future in done:
        total.merge(future.result())
