"""Blocks of work over threads or any executor, with progress, stopped by an interrupt.

Kernels run without the GIL, so threads are enough. They are made for one call and joined in it:
nothing survives a fork or waits at exit. The caller's thread does its share, so an interrupt
reaches it between two kernel calls, and the others stop at their next checkpoint.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
Checkpoint = Callable[[], None]
Report = Callable[..., None]  # of the number done and perhaps the name of the last one
Progress = bool | Callable[[int, int], Any] | None

QUIET = 1.0  # seconds of work before a bar appears


class StoppedError(Exception):
    """Raised by a checkpoint after another thread has failed."""


def no_checkpoint() -> None:
    """Do nothing: nobody stops us."""


def map_threads(function: Callable[[T], R], items: Sequence[T], n_jobs: int) -> list[R]:
    """Return [function(item) for item in items], computed by up to `n_jobs` threads."""
    return run_all(lambda item, checkpoint: function(item), items, n_jobs=n_jobs)


def run_all(
    function: Callable[[T, Checkpoint], R],
    items: Sequence[T],
    *,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
) -> list[R]:
    """Return [function(item, checkpoint) for item in items].

    The function calls ``checkpoint()`` between kernels, so that it ends early when another thread
    has failed. With an executor `n_jobs` does not matter; function and items must be picklable if
    it needs that.
    """
    report = reporter(progress, len(items))
    if executor is not None:
        return run_on(executor, function, items, report)
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
    """Return the results of all items, this thread working beside `n_jobs` - 1 others."""
    waiting = iter(enumerate(items))  # drawn from by all threads: next() is atomic
    results: dict[int, R] = {}
    failed: list[BaseException] = []

    def checkpoint() -> None:
        if failed:
            raise StoppedError

    def work(after: Callable[[int], None]) -> None:
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
            others = [pool.submit(work, ignore) for _ in range(n_jobs - 1)]
            work(lambda done: report(done) if done < len(items) else None)
            for other in others:
                other.result()
        except BaseException as error:
            failed.append(error)  # an interrupt while waiting must stop the others, too
            if isinstance(error, StoppedError):
                raise failed[0] from None
            raise
    report(len(items))
    return [results[i] for i in range(len(items))]


def run_on(
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


def reporter(progress: Progress, total: int) -> Report:
    """Return a function to call with the number of items done, from the caller's thread.

    It takes the name of the last one, too, which a bar shows.
    """
    if callable(progress):
        return lambda done, item="": progress(done, total)
    return ProgressBar(total) if progress and is_watched() else ignore


@contextmanager
def reporting(progress: Progress, total: int) -> Iterator[Report]:
    """Give a `reporter` whose bar does not outlive the block, however that ends."""
    report = reporter(progress, total)
    try:
        yield report
    finally:
        if isinstance(report, ProgressBar):
            report.close()


def is_watched() -> bool:
    """Return whether somebody sees a bar; programs without a console have no standard error."""
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


def ignore(done: int, item: str = "") -> None:
    """Report to nobody."""


class ProgressBar:
    """A bar on standard error, by tqdm where it is installed; none for a second of work."""

    def __init__(self, total: int) -> None:
        self.total, self.start = total, time.monotonic()
        self.shown: Any = None

    def __call__(self, done: int, item: str = "") -> None:
        """Show that so many items are done, and the name of the last one."""
        if self.shown is None and (time.monotonic() - self.start < QUIET or done == self.total):
            return
        self.shown = self.shown or progress_bar(self.total)
        if item:
            self.shown.set_description_str(item, refresh=False)
        self.shown.update(done - self.shown.n)
        if done == self.total:
            self.close()

    def close(self) -> None:
        """Remove the bar, or end its line, if it is shown."""
        if self.shown is not None:
            self.shown.close()
            self.shown = None


def progress_bar(total: int) -> Any:
    """Return a tqdm bar, or a plain one with the four things that we use of it."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return PlainBar(total)
    return tqdm(total=total, leave=False)


class PlainBar:
    """Percentages in one line."""

    def __init__(self, total: int) -> None:
        self.n, self.total, self.item = 0, total, "resampling"

    def set_description_str(self, item: str, refresh: bool = False) -> None:
        """Take the name of the last item, to be shown with the next percentage."""
        self.item = f"{item:<{len(self.item)}}"  # covers the name that stands there

    def update(self, more: int) -> None:
        """Show that so many more items are done."""
        self.n += more
        sys.stderr.write(f"\r{self.item}: {100 * self.n // self.total} %")
        sys.stderr.flush()

    def close(self) -> None:
        """End the line."""
        sys.stderr.write("\n")
