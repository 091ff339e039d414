"""Tables and their formats: plain text, Markdown, LaTeX, HTML, CSV and JSON.

A `Table` has a title, heads of columns and rows of numbers; each format writes them its own way and
escapes the text. Numbers for people are rounded as `FORMS` says, numbers for programs (CSV, JSON)
are complete. A `Sheet` is the one source of a table: `to_frame` takes all keys of its rows with all
digits; what is printed, Markdown, LaTeX and HTML take the columns that people see, the best model
and the smallest p-value first.
"""

import csv
import html
import io
import json
import math
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import add
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from .._base.text import SMALLEST_END, as_builtin, clean, decimals_for, show_pvalue
from .._results.pairs import MEASURES

Cell = str | float | int | None | tuple[float, float]  # two numbers are an interval
Row = dict[str, Any]


class Column(NamedTuple):
    """The head of a column, the form of its cells (a key of `FORMS`), and how dispensable it is.

    Where a page is narrow, columns of the highest `spare` are left out first, those of 0 never.
    """

    name: str
    form: str = "text"
    spare: int = 0


INTERVAL_FIELDS = {  # keys of rows, and the fields of the result that they hold
    "difference": "estimate",
    "standard_error": "standard_error",
    "ci_low": "low",
    "ci_high": "high",
}
PVALUE_FIELDS = {"pvalue": "pvalue", "adjusted_pvalue": "adjusted_pvalue", "status": "status"}


@dataclass(frozen=True)
class Table:
    """A table for people or programs: its title, the heads of its columns, its rows."""

    title: str
    header: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @cached_property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.header]

    @cached_property
    def columns(self) -> list[tuple[Cell, ...]]:
        """The cells of each column."""
        return list(zip(*self.rows, strict=True)) or [()] * len(self.header)

    @cached_property
    def texts(self) -> list[tuple[list[str], list[int]]]:
        """The columns as texts for a terminal, heads first, each with the widths of its texts."""
        return [(column, widths(column)) for column in text_columns(self, str, text_number)]

    def only(self, indices: Sequence[int]) -> "Table":
        """Return the table with the columns of these indices alone."""
        rows = tuple(zip(*map(self.columns.__getitem__, indices), strict=True))
        chosen = Table(self.title, tuple(map(self.header.__getitem__, indices)), rows)
        if "texts" in self.__dict__:  # cached: they need not be written again
            chosen.__dict__["texts"] = list(map(self.texts.__getitem__, indices))
        return chosen


def sheet_table(title: str, heads: Mapping[str, Column], rows: Iterable[Row]) -> Table:
    """Return the table whose columns are the keys of `heads`, from rows with these keys.

    The key "ci" is the interval from "ci_low" to "ci_high".
    """
    with_intervals = [{**row, "ci": (row.get("ci_low"), row.get("ci_high"))} for row in rows]
    cells = tuple([tuple(map(row.__getitem__, heads)) for row in with_intervals])
    return Table(title, tuple(heads.values()), cells)


def number_form(numbers: Sequence[float], differences: Iterable[float] = ()) -> str:
    """Return the format of all numbers of a column: four decimals, unless they are small or large.

    It has more decimals where four would not show one of the `differences`. What rounds to 0 has
    no sign (z).
    """
    largest = max(map(abs, filter(math.isfinite, numbers)), default=0.0)
    if 0.0 < largest < 1e-3:
        return "z.2e"
    smallest = SMALLEST_RELATIVE_DIFFERENCE * largest
    visible = [size for size in map(abs, differences) if smallest < size < math.inf]
    return f"z.{decimals_for(min(visible, default=1.0))}f" if largest < 1e6 else "z.6g"


SMALLEST_RELATIVE_DIFFERENCE = 1e-7  # of the largest number: smaller ones are nothing but rounding


def show_numbers(numbers: Sequence[float]) -> list[str]:
    """Return the numbers of a column, all in one form that shows their differences."""
    finite = [x for x in numbers if math.isfinite(x)]
    extent = max(finite, default=0.0) - min(finite, default=0.0)
    form = number_form(numbers, [*finite, 10.0 * extent])  # one digit of the extent, two of each
    return [f"{x:{form}}" for x in numbers]


def show_intervals(intervals: Sequence[tuple[float, float]]) -> list[str]:
    """Return the intervals of a column as ``0.1 to 0.2``, all limits in one form."""
    limits: list[float] = []
    sizes: list[float] = []  # that the form must show
    for low, high in intervals:
        limits += (low, high)
        sizes.append(high - low)
        nearest = min(abs(low), abs(high))
        if nearest >= SMALLEST_END and f"{nearest:.4f}" == "0.0000":  # on which side of 0 it is
            sizes.append(nearest)
    form = number_form(limits, sizes)
    return [f"{low:{form}} to {high:{form}}" for low, high in intervals]


def show_pvalues(pvalues: Sequence[float]) -> list[str]:
    """Return the p-values of a column: four decimals, or powers of ten where all are tiny."""
    if max(pvalues, default=0.0) < SMALLEST_SHOWN_PVALUE:
        return [f"{p:.2e}" if p >= 1e-300 else show_pvalue(p) for p in pvalues]
    return list(map(show_pvalue_of_column, pvalues))


def show_pvalue_of_column(p: float) -> str:
    """Return a p-value with four decimals if it is small, ``< 0.0001`` if it is smaller still."""
    if p < SMALLEST_SHOWN_PVALUE:
        return f"< {SMALLEST_SHOWN_PVALUE:.4f}"
    return f"{p:.4f}" if p < 1e-3 else show_pvalue(p)


def cell_by_cell(show: Callable[[Any], str]) -> Callable[[Sequence[Any]], list[str]]:
    """Return a function that applies `show` to each cell of a column."""
    return lambda cells: list(map(show, cells))


SMALLEST_SHOWN_PVALUE = 1e-4  # of p-values in a column with larger ones
FORMS: dict[str, Callable[[Any], list[str]]] = {
    "text": cell_by_cell(str),
    "count": cell_by_cell(str),
    "plain": cell_by_cell("{:z.6g}".format),
    "points": cell_by_cell("{:z.1f}".format),
    "number": show_numbers,
    "statistic": cell_by_cell("{:z.3f}".format),
    "df": cell_by_cell("{:.4g}".format),
    "interval": show_intervals,
    "pvalue": show_pvalues,
    "mark": cell_by_cell(lambda flag: "*" if flag else ""),
}
UNDEFINED = "n/a"
INFINITY = "\u221e"
MOST_ROWS_OF_PAGE = 40  # rows of a table in LaTeX that one page holds


def is_undefined(cell: Any) -> bool:
    """Return whether a cell is None or NaN, or an interval with such a limit."""
    low, high = cell if isinstance(cell, tuple) else (cell, cell)
    return low is None or high is None or math.isnan(low) or math.isnan(high)


def display_cells(cells: Sequence[Cell], form: str) -> list[str]:
    """Return the cells of a column as texts by the form of the column, undefined ones as n/a.

    Cells that are texts stay as they are.
    """
    texts = {j: cell for j, cell in enumerate(cells) if isinstance(cell, str)}
    defined = {j: c for j, c in enumerate(cells) if j not in texts and not is_undefined(c)}
    texts |= zip(defined, FORMS[form](list(defined.values())), strict=True)
    return [texts.get(j, UNDEFINED) for j in range(len(cells))]


def text_rows(
    table: Table, escape: Callable[[str], str], write_number: Callable[[str], str]
) -> list[list[str]]:
    """Return the rows of a table as strings, heads first; see `text_columns`."""
    return list(map(list, zip(*text_columns(table, escape, write_number), strict=True)))


def text_columns(
    table: Table, escape: Callable[[str], str], write_number: Callable[[str], str]
) -> list[list[str]]:
    """Return the columns of a table as strings, heads first.

    Texts pass through `escape`, numbers in the form of their column through `write_number`.
    """
    columns = []
    for head, cells in zip(table.header, table.columns, strict=True):
        if head.form == "text":
            written = [escape(clean(str(cell))) for cell in cells]
        else:
            numbers = display_cells(cells, head.form)
            written = [write_number(number) if number else "" for number in numbers]
        columns.append([escape(clean(head.name)), *written])
    return columns


def replace_infinite(text: str, sign: str) -> str:
    """Return the text with each word ``inf`` replaced by a sign or another word."""
    return re.sub(r"\binf\b", sign, text)


def text_number(text: str) -> str:
    """Return a number or interval for a terminal: ``0.1 to inf`` becomes ``0.1 and above``."""
    if "inf" not in text:
        return text
    low, _, high = text.partition(" to ")
    if low == "-inf" and high:
        return "unbounded" if high == "inf" else f"{high} and below"
    return f"{low} and above" if high == "inf" else replace_infinite(text, "infinite")


def text_lines(table: Table) -> list[str]:
    """Return the lines of a table for a terminal: the heads, a line of dashes, the rows."""
    columns = []
    for head, (texts, sizes) in zip(table.header, table.texts, strict=True):
        most = max(sizes)
        gaps = [" " * (most - size) for size in sizes]
        if head.form == "text":
            name, *cells = map(add, texts, gaps)
        else:  # numbers are aligned at the right
            name, *cells = map(add, gaps, texts)
        dash = "-" if texts[0] else " "  # none below a column without a name
        columns.append([name, dash * most, *cells])
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def widths(texts: Sequence[str]) -> list[int]:
    """Return the widths of texts in columns of a terminal."""
    return list(map(len if "".join(texts).isascii() else width, texts))


def width(text: str) -> int:
    """Return the width of a text in columns of a terminal.

    East Asian characters take two, characters that are combined with the one before them none.
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


MARKDOWN_SPECIAL = re.compile(r"[\\`*\[\]|~$#!]|(?<![^\W_])_|_(?![^\W_])")
HTML_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escape_markdown(text: str) -> str:
    """Return text that Markdown shows as it is; an underscore within a word needs no escape."""
    escaped = MARKDOWN_SPECIAL.sub(r"\\\g<0>", text)
    return "".join(HTML_ESCAPES.get(c, c) for c in escaped)


def to_markdown(table: Table) -> str:
    """Return a table in GitHub's Markdown."""
    rows = text_rows(
        table, escape_markdown, lambda text: escape_markdown(replace_infinite(text, INFINITY))
    )
    rows.insert(1, ["---" if column.form == "text" else "---:" for column in table.header])
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([f"**{escape_markdown(clean(table.title))}**", "", *lines]) + "\n"


LATEX_ESCAPES = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",  # \textquotedbl is not in the fonts that LaTeX begins with
    "`": r"\textasciigrave{}",
}


PVALUE_WITH_POWER = re.compile(r"\bp (=|\\textless\{\}) ([\d.]+)e-0*(\d+)")


def escape_latex(text: str) -> str:
    """Return text that LaTeX sets as it is; two hyphens, too, which it would set as a dash."""
    return "".join(LATEX_ESCAPES.get(c, c) for c in text).replace("--", "-{}-")


def latex_sentence(text: str) -> str:
    """Return a sentence for LaTeX, with powers of ten of p-values in mathematics."""
    return PVALUE_WITH_POWER.sub(pvalue_formula, escape_latex(text))


def pvalue_formula(match: re.Match[str]) -> str:
    r"""Return ``$p = 1.2 \times 10^{-5}$`` for a match of `PVALUE_WITH_POWER`."""
    sign = "=" if match[1] == "=" else "<"
    return rf"$p {sign} {match[2]} \times 10^{{-{match[3]}}}$"


def latex_number(text: str) -> str:
    """Return a number, or both limits of an interval, in LaTeX's mathematics."""
    if text == UNDEFINED:
        return text
    powers = re.sub(r"e([+-])0*(\d+)", r" \\times 10^{\1\2}", text).replace("{+", "{")
    return " to ".join(f"${end}$" for end in replace_infinite(powers, r"\\infty").split(" to "))


def latex_row(cells: Sequence[str]) -> str:
    r"""Return the cells as a row of a LaTeX table.

    A row that begins with ``[`` or ``*`` gets ``{}`` in front: ``\\`` or a rule at the end of the
    row before it would take that for an option of its own.
    """
    row = " & ".join(cells) + r" \\"
    return f"{{}}{row}" if row.lstrip().startswith(("[", "*")) else row


def to_latex(table: Table, *, label: str = "", notes: Sequence[str] = ()) -> str:
    """Return a LaTeX table in small print; it needs booktabs, and longtable if it is long."""
    head, *body = map(latex_row, text_rows(table, escape_latex, latex_number))
    columns = "".join("l" if column.form == "text" else "r" for column in table.header)
    sentences = " ".join([f"{text.rstrip('.')}." for text in (table.title, *notes)])
    caption = rf"\caption{{{escape_latex(clean(sentences if notes else table.title))}}}"
    labelled = caption + (rf"\label{{{label}}}" if label else "")
    heads = [r"\toprule", *([head, r"\midrule"] if any(table.names) else [])]
    if len(body) > MOST_ROWS_OF_PAGE:
        repeated = [*heads, r"\endfirsthead", *heads, r"\endhead", r"\bottomrule", r"\endfoot"]
        inner = [rf"{labelled} \\", *repeated, *body]
        lines = [
            r"{\small\setlength{\tabcolsep}{4pt}",
            *latex_environment("longtable", columns, inner),
            "}",
        ]
    else:
        inner = latex_environment("tabular", columns, [*heads, *body, r"\bottomrule"])
        small = [r"\centering\small\setlength{\tabcolsep}{4pt}"]
        lines = [r"\begin{table}", labelled, *small, *inner, r"\end{table}"]
    return "\n".join(lines) + "\n"


def latex_environment(name: str, columns: str, lines: Sequence[str]) -> list[str]:
    """Return the lines between begin and end of a LaTeX environment with columns."""
    return [rf"\begin{{{name}}}{{{columns}}}", *lines, rf"\end{{{name}}}"]


def csv_cell(cell: Cell) -> Cell:
    """Return a cell for a spreadsheet, NaN as None.

    Text that a spreadsheet would run as a formula gets an apostrophe in front.
    """
    if isinstance(cell, str):
        is_formula = cell.lstrip()[:1] in tuple("=+-@") or cell[:1] in ("\t", "\r")
        return f"'{clean(cell)}" if is_formula else clean(cell)
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def to_csv(table: Table) -> str:
    """Return comma-separated values: all digits, undefined numbers empty."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([csv_cell(cell) for cell in row] for row in (table.names, *table.rows))
    return file.getvalue()


def to_json(value: object) -> str:
    """Return strict JSON: NaN and infinite numbers are null."""
    return json.dumps(as_strict_json(value), indent=2, allow_nan=False) + "\n"


def as_strict_json(value: object) -> Any:
    """Return a value as JSON can write it: NaN and infinite numbers as None, no lone surrogates."""
    value = as_builtin(value)
    if isinstance(value, Mapping):
        return {as_strict_json(key): as_strict_json(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [as_strict_json(item) for item in value]
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return None if isinstance(value, float) and not math.isfinite(value) else value


def escape_html(text: str) -> str:
    """Return text that a browser shows as it is."""
    return html.escape(clean(text))


def to_html(table: Table, notes: Sequence[str] = (), *, stacks: bool = False) -> str:
    """Return a table in HTML, with the notes below it.

    With `stacks`, cells have labels, since rows become lists on narrow screens.
    """
    heads, *rows = text_rows(
        table, escape_html, lambda text: html.escape(replace_infinite(text, INFINITY))
    )
    sides = ["left" if head.form == "text" else "right" for head in table.header]
    alignments = [f' style="text-align: {side}"' for side in sides]
    labels = [""] * len(alignments)
    if stacks:  # on a narrow screen, columns that can be spared are left out
        labels = [
            f' data-label="{text or SIGNIFICANT}"{SPARE if head.spare else ""}'
            for text, head in zip(heads, table.header, strict=True)
        ]
    lines = [
        '<table class="stacks">' if stacks else "<table>",
        f"<caption>{escape_html(table.title)}</caption>",
    ]
    if any(heads):
        lines.append(f"<thead>{html_row(heads, alignments, 'col')}</thead>")
    attributes = [align + label for align, label in zip(alignments, labels, strict=True)]
    body = [html_row(row, attributes, "row") for row in rows]
    lines += ["<tbody>", *body, "</tbody>", "</table>"]
    return "\n".join([*lines, *(f"<p>{escape_html(note)}</p>" for note in notes)]) + "\n"


SPARE = ' class="spare"'
SIGNIFICANT = "significant"  # the label of the column of marks, which has no name


def html_row(cells: Sequence[str], attributes: Sequence[str], scope: str) -> str:
    """Return a row of an HTML table, with `attributes` for each cell.

    Cells of the head (scope 'col'), and the first cell of another row (scope 'row'), are headers.
    """
    written = [
        f'<th scope="{scope}"{attribute}>{cell}</th>'
        if cell and (scope == "col" or j == 0)
        else f"<td{attribute}>{cell}</td>"
        for j, (cell, attribute) in enumerate(zip(cells, attributes, strict=True))
    ]
    return f"<tr>{''.join(written)}</tr>"


Indices = Sequence[int]


@dataclass(frozen=True)
class Sheet:
    """A table of one kind: its title, heads, and rows by index.

    `cells` yields the rows of some indices as programs read them, `people` as people do; `order`
    are the indices in the order in which people read the rows.
    """

    kind: str
    title: str
    heads: Mapping[str, Column]
    size: int
    cells: Callable[[Indices], Iterable[Row]]
    order: Indices = ()
    note: str = ""
    people: Callable[[Indices], Iterable[Row]] | None = None  # the rows as people read them

    def rows(self, indices: Indices | None = None) -> list[Row]:
        """Return the rows of these indices, by default all, as dictionaries for programs."""
        return list(self.cells(range(self.size) if indices is None else indices))

    def display_table(self, indices: Indices) -> Table:
        """Return these rows as a table for people, who need no column twice."""
        rows = (self.people or self.cells)(indices)
        return without_repeats(sheet_table(self.title, self.heads, rows))


def make_sheet(kind: str, title: str, heads: Mapping[str, Column], rows: Iterable[Row]) -> Sheet:
    """Return a sheet of few rows, in their order, with plain Python values."""
    plain_rows = [dict(zip(row, as_builtin([*row.values()]), strict=True)) for row in rows]
    return Sheet(kind, title, heads, len(plain_rows), row_getter(plain_rows))


def row_getter(rows: Sequence[Row]) -> Callable[[Indices], list[Row]]:
    """Return a function that returns the rows of some indices."""
    return lambda indices: [rows[j] for j in indices]


def without_repeats(table: Table) -> Table:
    """Return a table without columns of p-values that repeat another, and without empty columns.

    Columns of text stay. A column of p-values that stays is as dispensable as the least
    dispensable of those that it replaces.
    """
    columns = table.columns
    header = list(table.header)
    indices = list[int]()
    texts = [list(map(str, cells)) for cells in columns]  # as texts, NaN equals NaN
    for j, head in enumerate(table.header):
        blank = BLANK_CELLS | {False} if head.form == "mark" else BLANK_CELLS
        equal = [i for i in indices if texts[i] == texts[j]] if head.form == "pvalue" else []
        if equal:
            first, *_ = equal
            least = min(head.spare, header[first].spare)
            header[first] = header[first]._replace(spare=least)
        elif head.form == "text" or not blank.issuperset(columns[j]):
            indices.append(j)
    return Table(table.title, tuple(header), table.rows).only(indices)


BLANK_CELLS = frozenset({None, "", (None, None)})  # what is missing: a cell, a text, an interval


def measure_head(result: Any, name: str) -> str:
    """Return the head of the column of the models' values, the field `name` of the result."""
    quantities = (getattr(result, field, "") for field in ("quantity", "_quantity", "measure"))
    quantity = next(filter(None, quantities), "")
    if name == "auc":
        return str(getattr(result, "measure", "AUC"))
    if name == "values":
        return str(getattr(result, "metric", "") or quantity or "value")
    return str(quantity) if name in ("losses", "means") and quantity else MEASURES[name]


def is_series(value: Any) -> TypeGuard[Any]:
    """Return whether a value is a one-dimensional array, or a tuple or list of scalars."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    return isinstance(value, tuple | list) and all(map(np.isscalar, value))


def parallel_fields(
    result: Any, fields: Iterable[str], size: int
) -> Iterator[tuple[str, list[Any]]]:
    """Yield the name and the plain values of each field that is a series of this size."""
    for name in fields:
        value = getattr(result, name, None)
        if is_series(value) and len(value) == size:
            yield name, as_builtin(value)
