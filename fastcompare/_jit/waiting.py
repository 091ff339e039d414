"""A line on the terminal while kernels are compiled for the first time.

It comes after a second of compiling, once in a process, and only where somebody sees it: in a
terminal or a notebook. FASTCOMPARE_QUIET=1 in the environment switches it off.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from numba.core.event import Listener, register

from .._base.parallel import is_interactive
from .cache import cache_directory

QUIET = 1.0  # seconds of compiling before anything is said
SWITCH = "FASTCOMPARE_QUIET"


class CompileNotice(Listener):  # type: ignore[misc]
    """Counts the seconds in which Numba compiles kernels of this package, and announces them."""

    def __init__(self) -> None:
        self.spent, self.begun, self.depth = 0.0, 0.0, 0  # depth: of kernels that others call
        self.is_announced = False

    def on_start(self, event: Any) -> None:
        """Start the clock when Numba begins to compile a kernel of this package."""
        if is_ours(event):
            now = time.monotonic()
            self.begun = self.begun if self.depth else now
            self.depth += 1
            self.announce_after(self.spent + now - self.begun)

    def on_end(self, event: Any) -> None:
        """Stop the clock when a kernel has been compiled, or could not be."""
        if is_ours(event):
            now = time.monotonic()
            self.depth -= 1
            self.announce_after(self.spent + now - self.begun)
            self.spent += 0.0 if self.depth else now - self.begun

    def announce_after(self, seconds: float) -> None:
        """Announce once that kernels are compiled, if that took this many seconds and is long."""
        if seconds < QUIET or self.is_announced:
            return
        self.is_announced = True
        if os.environ.get(SWITCH, "0") in ("", "0") and is_interactive():
            with suppress(OSError, ValueError):  # nobody sees it after all
                sys.stderr.write(f"fastcompare: {notice()} ({SWITCH}=1 hides this line)\n")
                sys.stderr.flush()

    @contextmanager
    def silenced(self) -> Iterator[None]:
        """Announce nothing within the block, whose caller asked for the compiling."""
        was_announced, self.is_announced = self.is_announced, True
        try:
            yield
        finally:
            self.is_announced = was_announced


def is_ours(event: Any) -> bool:
    """Return whether an event of Numba's compiler is about a kernel of this package."""
    return str(event.data["dispatcher"].py_func.__module__).startswith("fastcompare.")


def notice() -> str:
    """Return the line that says why a call takes long, and whether the next one will."""
    if cache_directory() is None:
        return "compiling for the first call; there is no directory to keep it for other processes."
    return "compiling for the first call; later calls and processes have it ready."


COMPILE_NOTICE = CompileNotice()
register("numba:compile", COMPILE_NOTICE)
