"""Between a command and its terminal: errors, warnings, notes."""

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

import fastcompare as fc

from .._base.text import clean
from .words import in_words

WARNINGS = (
    fc.UndefinedResultWarning,
    fc.DroppedCasesWarning,
    fc.SmallSampleWarning,
    fc.DesignWarning,
    fc.EvalWarning,
)


class Commands(TyperGroup):
    """Commands whose errors are one line on stderr and exit code 2."""

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run a command and leave the process."""
        try:
            with one_line_warnings():
                code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except Exception as error:
            message = explain(error)
            if message is None:
                raise
            say("error", message)
            drop_unwritten()
            code = 2
        sys.exit(code or 0)


def drop_unwritten() -> None:
    """Forget what a full disk did not take: Python would try again as it ends, and exit 120."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def explain(error: Exception) -> str | None:
    """Return the message of a user's error; None if it is a fault of ours."""
    if hasattr(error, "format_message"):  # typer's and click's own, wherever their classes live
        return str(error.format_message())
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename!r}" if error.filename else error.strerror
    expected = isinstance(error, fc.FastCompareError | ImportError | MemoryError | OSError)
    return (str(error) or type(error).__name__) if expected else None


def say(kind: str, message: str) -> None:
    """Print one line on stderr, whatever the message holds and stderr can show."""
    line = f"fastcompare: {kind}: {' '.join(in_words(message).split())}"
    typer.echo(encodable(clean(line), sys.stderr), err=True)


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show every warning of ours as one line, once: several tests may say the same."""
    shown = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if str(message) not in shown:
            say("warning", str(message))
        shown.add(str(message))

    with warnings.catch_warnings():
        for category in WARNINGS:
            warnings.simplefilter("always", category)
        warnings.showwarning = show
        yield


def encodable(text: str, stream: Any) -> str:
    """Return the text with backslashed codes for what the stream cannot encode."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
