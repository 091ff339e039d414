"""Between a command and its terminal: errors, warnings, formats, files of output."""

import shutil
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

import fastcompare as fc

from .._adapters.outputs import check_target, write_file
from .._base.text import clean
from .._inputs.options import check_choice
from .._report import formats
from .._report.tables import Comparison, Table
from .groups import Delivery

WIDE = 100  # columns of a terminal that the tables fit into
SENTENCE = 88  # columns that a sentence is easily read in
WARNINGS = (fc.UndefinedResultWarning, fc.DroppedCasesWarning, fc.SmallSampleWarning)


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
            code = 2
        sys.exit(code or 0)


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
    line = f"fastcompare: {kind}: {' '.join(message.split())}"
    typer.echo(encodable(clean(line), sys.stderr), err=True)


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Show every warning of ours as one line."""
    with warnings.catch_warnings():
        for category in WARNINGS:
            warnings.simplefilter("always", category)
        warnings.showwarning = lambda message, *_, **__: say("warning", str(message))
        yield


def encodable(text: str, stream: Any) -> str:
    """Return the text with backslashed codes for what the stream cannot encode."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def as_text(comparison: Comparison) -> str:
    """Return the comparison for a pipe or a narrow terminal."""
    tables = map(formats.to_text, comparison.tables())
    return "\n".join([*tables, sentence(comparison)])


def sentence(comparison: Comparison) -> str:
    """Return the summary in lines."""
    text = clean(comparison.result.summary())
    lines = textwrap.wrap(text, SENTENCE, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def document(
    write: Callable[[Table], str], escape: Callable[[str], str]
) -> Callable[[Comparison], str]:
    """Return a function that writes the tables and the sentence."""
    return lambda comparison: "\n".join(
        [*map(write, comparison.tables()), escape(sentence(comparison))]
    )


FORMATS: dict[str, Callable[[Comparison], str]] = {
    "text": as_text,
    "json": lambda comparison: formats.to_json(comparison.to_dict()),
    "csv": lambda comparison: formats.to_csv(comparison.tidy_table()),
    "markdown": document(formats.to_markdown, formats.escape_markdown),
    "latex": document(formats.to_latex, formats.escape_latex),
}


def deliver(comparison: Comparison, delivery: Delivery) -> None:
    """Write the comparison to a file, a wide terminal, or anything else."""
    format, output, _ = delivery
    if output is not None:
        write_file(output, FORMATS[format](comparison).encode())
    elif format == "text" and is_wide_terminal():
        print_tables(comparison)
    else:
        typer.echo(encodable(FORMATS[format](comparison), sys.stdout), nl=False)


def is_wide_terminal() -> bool:
    """Say whether standard output shows lines and colours in enough columns."""
    if sys.stdout is None or not sys.stdout.isatty():
        return False
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    return unicode and shutil.get_terminal_size().columns >= WIDE


def print_tables(comparison: Comparison) -> None:
    """Print tables with lines and colours."""
    from rich.console import Console

    console = Console(highlight=False)
    for table in comparison.tables():
        formats.print_rich(table, console)
    typer.echo(sentence(comparison), nl=False)


def check_delivery(delivery: Delivery) -> None:
    """Raise before any work if there is no such format, or the output must not be written."""
    check_choice("--format", delivery.format, FORMATS)
    check_target(delivery.output, delivery.force)
