"""Results as tables: plain text, Markdown, LaTeX, CSV, JSON and, for terminals, rich."""

from .documents import notebook_html, result_html, result_latex, result_markdown
from .formats import to_csv, to_json, to_latex, to_markdown, to_text
from .frames import result_frame
from .html import to_html
from .screen import to_screen
from .tables import Column, Comparison, Table

__all__ = [
    "Column",
    "Comparison",
    "Table",
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
