"""What was found, in the format and at the place that users want."""

import io
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from typing import Any

import typer

from .._adapters.outputs import check_target, write_file
from .._base.exceptions import InvalidValueError
from .._base.text import clean
from .._inputs.options import check_choice
from .._report import frame_table, result_latex, result_markdown, to_csv, to_json
from .._report.formats import escape_latex
from .._report.screen import sentence_of
from .groups import Delivery
from .terminal import encodable

EXTENSIONS = {
    **{"": "text", ".txt": "text", ".md": "markdown", ".markdown": "markdown"},
    **{".tex": "latex", ".csv": "csv", ".json": "json", ".html": "html", ".htm": "html"},
}
PYTHON = re.compile(r'to_frame\(of="\w+"\)')


def as_text(shown: Any) -> str:
    """Return the text that `print` shows, with the command line's way to all rows."""
    return PYTHON.sub("--format json", str(shown)) + "\n"


def as_csv(shown: Any) -> str:
    """Return one table for programs: of the pairs with the values of their models, if any."""
    tidy = getattr(shown, "tidy_table", None)
    return to_csv(frame_table(shown) if tidy is None else tidy())


def as_latex(shown: Any) -> str:
    """Return the tables, and the sentence as LaTeX sets it."""
    sentence = escape_latex(clean(sentence_of(shown)))
    return f"{result_latex(shown)}\n{sentence}\n"


def as_page(shown: Any) -> str:
    """Return the page of HTML that `report` writes."""
    from .._report.page import page_of

    return page_of(getattr(shown, "record", shown), shown=shown)


FORMATS: Mapping[str, Callable[[Any], str]] = {
    "text": as_text,
    "json": lambda shown: to_json(shown.to_dict()),
    "csv": as_csv,
    "markdown": result_markdown,
    "latex": as_latex,
    "html": as_page,
}


def deliver(shown: Any, delivery: Delivery) -> None:
    """Write a result, or what is shown of it, to a file or to standard output."""
    write = FORMATS[format_of(delivery)]
    if delivery.output is not None:
        with redirect_stdout(io.StringIO()):  # a file is as wide wherever it is written
            content = write(shown)
        write_file(delivery.output, content.encode())
    else:
        typer.echo(encodable(write(shown), sys.stdout), nl=False)


def check_delivery(delivery: Delivery) -> None:
    """Raise before any work if there is no such format, or the output must not be written."""
    if format_of(delivery) == "html":
        from .._report.page import need_packages

        need_packages()
    check_target(delivery.output, delivery.force)


def format_of(delivery: Delivery) -> str:
    """Return the format that is told, or that of the output's extension, or raise."""
    format, output, _ = delivery
    if format is not None:
        check_choice("--format", format, FORMATS)
    if output is None:
        return format or "text"
    extension = output.suffix.lower()
    known = EXTENSIONS.get(extension)
    if format is None and known is None:
        endings = ", ".join(filter(None, EXTENSIONS))
        raise InvalidValueError(
            f"`--output` must end in one of {endings} unless `--format` is given, got "
            f"{str(output)!r}."
        )
    if format and extension and known not in (None, format):
        raise InvalidValueError(
            f"`--format {format}` is not what `--output {output}` ends in, which is {known}: leave "
            "one of them out."
        )
    return str(format or known)
