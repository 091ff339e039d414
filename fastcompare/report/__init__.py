"""Results as tables: plain text, Markdown, LaTeX, CSV, JSON and, for terminals, rich."""

from .formats import to_csv, to_json, to_latex, to_markdown, to_text
from .html import result_html, to_html
from .screen import to_screen
from .tables import Column, Comparison, Table

__all__ = [
    "Column",
    "Comparison",
    "Table",
    "result_html",
    "to_csv",
    "to_html",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_screen",
    "to_text",
]
