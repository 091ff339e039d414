"""Results as tables: plain text, Markdown, LaTeX, CSV, JSON and HTML."""

from typing import TYPE_CHECKING, Any

from .._base.exceptions import MissingAttributeError
from .formats import Column, Table, to_csv, to_html, to_json, to_latex, to_markdown, to_text
from .screen import frame_table, result_frame, to_screen

if TYPE_CHECKING:
    from .page import notebook_html, result_html, result_latex, result_markdown

__all__ = [
    "Column",
    "Table",
    "frame_table",
    "notebook_html",
    "result_frame",
    "result_html",
    "result_latex",
    "result_markdown",
    "to_csv",
    "to_html",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_screen",
    "to_text",
]


def __getattr__(name: str) -> Any:
    """Import the page where it is asked for: it imports all pictures."""
    if name not in __all__:
        raise MissingAttributeError(f"module {__name__!r}", name, __all__)
    from . import page

    return getattr(page, name)
