"""Results as tables: plain text, Markdown, LaTeX, CSV, JSON and HTML."""

from .formats import Column, Table, to_csv, to_html, to_json, to_latex, to_markdown, to_text
from .page import notebook_html, result_html, result_latex, result_markdown
from .screen import frame_table, result_frame, to_screen

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
