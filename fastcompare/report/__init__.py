"""Results as tables: plain text, Markdown, LaTeX, CSV, JSON and, for terminals, rich."""

from .formats import to_csv, to_json, to_latex, to_markdown, to_text
from .tables import Column, Comparison, Table

__all__ = [
    "Column",
    "Comparison",
    "Table",
    "to_csv",
    "to_json",
    "to_latex",
    "to_markdown",
    "to_text",
]
