"""Results as tables: plain text, Markdown, LaTeX, CSV, JSON and HTML."""

from .documents import notebook_html, result_html, result_latex, result_markdown
from .formats import to_csv, to_json, to_latex, to_markdown, to_text
from .frames import frame_table, result_frame
from .html import to_html
from .screen import to_screen
from .tables import Column, Table

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
