"""Tables as HTML: text stays text, heads have scopes, and nothing else is needed to show them."""

import html
from collections.abc import Sequence

from .._base.text import clean
from .formats import INFINITY, grid, infinite
from .tables import Table


def escape_html(text: str) -> str:
    """Return text that a browser shows as it is."""
    return html.escape(clean(text))


def to_html(table: Table, notes: Sequence[str] = ()) -> str:
    """Return a table in HTML, with the notes below it."""
    heads, *rows = grid(table, escape_html, lambda text: html.escape(infinite(text, INFINITY)))
    aligned = [
        ' style="text-align: left"' if head.form == "text" else ' style="text-align: right"'
        for head in table.header
    ]
    named = any(heads)
    lines = ["<table>", f"<caption>{escape_html(table.title)}</caption>"]
    if named:
        lines.append(f"<thead>{html_row(heads, aligned, 'col')}</thead>")
    lines += ["<tbody>", *(html_row(row, aligned, "row") for row in rows), "</tbody>", "</table>"]
    return "\n".join([*lines, *(f"<p>{escape_html(note)}</p>" for note in notes)]) + "\n"


def html_row(cells: Sequence[str], aligned: Sequence[str], scope: str) -> str:
    """Return a row: all of the head, or the first of a line, head what is beside or below them."""
    written = [
        f'<th scope="{scope}"{align}>{cell}</th>'
        if cell and (scope == "col" or j == 0)
        else f"<td{align}>{cell}</td>"
        for j, (cell, align) in enumerate(zip(cells, aligned, strict=True))
    ]
    return f"<tr>{''.join(written)}</tr>"
