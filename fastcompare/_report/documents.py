"""A result as a part of a document: all its tables, or one of them, in Markdown, LaTeX or HTML."""

from collections.abc import Callable
from typing import Any

from .._base.text import clean
from .._inputs.costs import check_rows
from .._results.measures import names_of
from .families import sheets_of
from .formats import escape_markdown, shown, to_latex, to_markdown
from .frames import chosen_sheet
from .html import escape_html, to_html
from .screen import Part, fit, parts_of, sentence_of
from .sheets import Sheet
from .tables import Column, Table

LATEX_ROOM = 66  # characters in small print, numbers mostly, of a line of `article` at 10 pt
MOST_MODELS = 7  # of a matrix that a page takes


def document_parts(result: Any, kind: str | None) -> list[Part]:
    """Return all tables of a result with all their rows, or one of them."""
    sheets = sheets_of(result) if kind is None else [chosen_sheet(result, kind, "table")]
    check_rows(sum(sheet.size for sheet in sheets))
    return parts_of(sheets, whole)


def whole(sheet: Sheet) -> Part:
    """Return all rows of a sheet, and the note below it."""
    return sheet.table(), [sheet.note] if sheet.note else []


def result_markdown(result: Any, table: str | None = None) -> str:
    """Return the tables in Markdown; without a choice, the sentence too."""
    parts = document_parts(result, table)
    return written(result, parts, table, markdown_part, lambda text: f"{escape_markdown(text)}\n")


def markdown_part(table: Table, notes: list[str]) -> str:
    """Return a table in Markdown, and its notes."""
    return "\n".join([to_markdown(table), *(f"{escape_markdown(note)}\n" for note in notes)])


def result_html(result: Any, table: str | None = None) -> str:
    """Return the tables in HTML; without a choice, the sentence too."""
    return html_of(result, document_parts(result, table), table)


def notebook_html(result: Any) -> str:
    """Return the HTML for a notebook: the rows that are printed, and the sentence."""
    return html_of(result, parts_of(sheets_of(result)), None)


def html_of(result: Any, parts: list[Part], chosen: str | None) -> str:
    """Return these tables in HTML, and unless one is chosen the sentence."""
    tell = "<p>{}</p>\n".format
    text = written(result, parts, chosen, to_html, lambda told: tell(escape_html(told)))
    return f'<div class="fastcompare">\n{text}</div>\n'


def written(
    result: Any,
    parts: list[Part],
    chosen: str | None,
    write: Callable[[Table, list[str]], str],
    tell: Callable[[str], str],
) -> str:
    """Return the tables, and unless one is chosen the sentence, in some format."""
    sentence = "" if chosen else clean(sentence_of(result))
    return "\n".join([*(write(*part) for part in parts), *([tell(sentence)] if sentence else [])])


def result_latex(
    result: Any, table: str | None = None, caption: str | None = None, label: str | None = None
) -> str:
    """Return the tables in LaTeX, which booktabs sets; long ones need the package longtable."""
    sheets = {sheet.kind: sheet for sheet in sheets_of(result)}
    kinds = list(sheets) if table is None else [table]
    parts = document_parts(result, table)
    texts = []
    for place, (drawn, notes) in enumerate(parts):
        kind = kinds[place] if len(parts) == len(kinds) else "results"
        fitted, more = paper_table(result, drawn, sheets, kind)
        title = drawn.title if caption is None else caption
        named = Table(title, fitted.header, fitted.rows)
        texts.append(to_latex(named, label=label or f"tab:{kind}", notes=[*more, *notes]))
    return "\n".join(texts)


def paper_table(
    result: Any, table: Table, sheets: dict[str, Sheet], kind: str
) -> tuple[Table, list[str]]:
    """Return a table that fits a page, and what to say of it: wide pairs make a matrix."""
    k = len(names_of(result))
    fitted, is_cut = fit(table, LATEX_ROOM)
    notes = []
    differ = kind == "pairs" and "models" in sheets and "difference" in sheets[kind].heads
    complete = differ and len(table.rows) == k * (k - 1) // 2
    if is_cut and complete and 3 <= k <= MOST_MODELS:
        fitted, is_cut = fit(matrix_of(sheets["models"], sheets["pairs"]), LATEX_ROOM)
        notes = [MATRIX]
    return fitted, [*notes, *(["Names are cut in the middle."] if is_cut else [])]


MATRIX = (
    "Above the diagonal: the row's model less the column's, the best first; below it: p-values."
)


def matrix_of(models: Sheet, pairs: Sheet) -> Table:
    """Return the table (k, k) of models, best first: differences with marks, and p-values."""
    names = [row["model"] for row in models.rows(models.order)]
    rows = pairs.rows()
    place = {name: j for j, name in enumerate(names)}
    turned = [place[row["first"]] > place[row["second"]] for row in rows]
    signed = [
        -row["difference"] if turn else row["difference"]
        for row, turn in zip(rows, turned, strict=True)
    ]
    pvalues = shown([row.get("adjusted_pvalue", row["pvalue"]) for row in rows], "pvalue")
    cells: dict[tuple[str, str], str] = {}
    told = zip(rows, shown(signed, "number"), pvalues, strict=True)
    for row, difference, p in told:
        better, worse = sorted((row["first"], row["second"]), key=place.__getitem__)
        cells[better, worse] = difference + "*" * row.get("significant", False)
        cells[worse, better] = p
    numbers = [Column(str(j), "number") for j in range(1, len(names) + 1)]
    body = tuple(
        (str(j), a, *(cells.get((a, b), "") for b in names)) for j, a in enumerate(names, 1)
    )
    return Table(pairs.title, (Column(""), Column("model"), *numbers), body)
