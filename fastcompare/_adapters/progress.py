"""Progress bars: by tqdm if it is installed, else percentages in one line."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .._base.parallel import Report, Reporting, is_interactive, report_nothing
from .._base.types import Progress

QUIET = 1.0  # seconds of work before a bar appears


def reporter(progress: Progress, total: int) -> Report:
    """Return a function to call with the number of items done and the name of the last one.

    It shows a bar, calls the user's function with the number and the total, or does nothing.
    """
    if callable(progress):
        return lambda done, item="": progress(done, total)
    return ProgressBar(total) if progress and is_interactive() else report_nothing


@contextmanager
def reporting(progress: Reporting, total: int) -> Iterator[Report]:
    """Return a context with a function to report to, whose bar is closed at the end."""
    report = progress(total)
    try:
        yield report
    finally:
        if isinstance(report, ProgressBar):
            report.close()


class ProgressBar:
    """A bar on standard error, by tqdm where it is installed; none for a second of work."""

    def __init__(self, total: int) -> None:
        self.total, self.start = total, time.monotonic()
        self.shown: Any = None

    def __call__(self, done: int, item: str = "") -> None:
        """Show the number of items done, and the name of the last one."""
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
    """Return a tqdm bar, or a `PlainBar` with the same methods if tqdm is not installed."""
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
        """Set the name of the last item, which is shown with the next percentage."""
        self.item = f"{item:<{len(self.item)}}"  # covers the name that stands there

    def update(self, more: int) -> None:
        """Add the number of further items done, and show the percentage."""
        self.n += more
        sys.stderr.write(f"\r{self.item}: {100 * self.n // self.total}%")
        sys.stderr.flush()

    def close(self) -> None:
        """End the line."""
        sys.stderr.write("\n")
