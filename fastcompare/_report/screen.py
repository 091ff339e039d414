"""A result as `print` shows it, with few narrow tables and a sentence, and as a data frame.

Long names lose what they all share, then their middle, and the least important columns are dropped,
until all fits the width: that of the terminal, or 80 columns where there is none. A data frame has
all rows, with all keys and all digits.
"""

import math
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import util
from typing import Any

from .._base.exceptions import hint
from .._base.text import clean
from .._inputs.options import check_choice
from .families import result_sheets
from .formats import Cell, Column, Sheet, Table, text_lines, width

USUAL_WIDTH, SENTENCE_WIDTH = (
    80,
    88,
)  # columns without a terminal; columns that a sentence is easily read in
LEAST_NAME_WIDTH = 30  # columns of the names together, before other columns go
CUT = "..."
SHARED_PARTS_NOTE = "Shared parts of names, and organisations, are omitted."
CUT_MIDDLE_NOTE = f"Long names are shortened in the middle ({CUT})."
FEW_NAMES = 6  # of which a legend is easily read
NAME_PART = re.compile(r"[^/\\(),;|\s]*[/\\(),;|\s]*")  # of a name: an organisation, a parameter
FRONT_SHARES = (0.5, 0.25, 0.75)  # of what is left of a name, in front of the cut
MOST_ROWS = {
    "models": (40, 30),
    "pairs": (24, 20),
}  # rows that are shown whole, else the first so many
ROWS_AT_ENDS = 5  # rows of either end of anything else


def columns_of_terminal() -> int:
    """Return the width of the terminal, at least 40; `USUAL_WIDTH` where there is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return USUAL_WIDTH
    return max(shutil.get_terminal_size((USUAL_WIDTH, 24)).columns, 40)


def to_screen(result: Any, columns: int | None = None) -> str:
    """Return the result for people: its title, tables and sentence."""
    line_width = columns_of_terminal() if columns is None else columns
    heads = (result.title, getattr(result, "about", ""))  # a table's title is not printed
    parts = [wrap_lines(clean(head), line_width) for head in heads]
    parts += [table_block(*part, line_width) for part in table_parts(result_sheets(result))]
    parts.append(wrap_lines(clean(result_sentence(result)), min(line_width, SENTENCE_WIDTH)))
    return "\n\n".join(filter(None, parts))


def wrap_lines(text: str, line_width: int) -> str:
    """Return a text in lines, broken at spaces, or within words that are longer than a line."""
    lines = []
    while len(text) > line_width:
        space = text.rfind(" ", 0, line_width + 1)
        is_long = f"{text} ".find(" ", line_width) - space > line_width + 1
        end = line_width if is_long else space
        lines.append(text[:end].rstrip(" "))
        text = text[end:].lstrip(" ")
    return "\n".join([*lines, text])


def result_sentence(result: Any) -> str:
    """Return the summary of a result, if its class has one."""
    try:
        return str(result.summary())
    except NotImplementedError:
        return ""


Part = tuple[Table, list[str]]  # a table, and the lines below it


def table_parts(sheets: Sequence[Sheet], show: Callable[[Sheet], Part] | None = None) -> list[Part]:
    """Return the tables of sheets, each with the notes below it.

    A pair of two models becomes a row below those of the models.
    """
    show = show or shorten_sheet
    kinds = {sheet.kind: sheet for sheet in sheets}
    models, pairs = kinds.get("models"), kinds.get("pairs")
    if models is None or pairs is None or (models.size, pairs.size) != (2, 1):
        return [show(sheet) for sheet in sheets]
    if "difference" not in pairs.heads:  # to stand below the values of the models
        return [show(sheet) for sheet in sheets]
    others = [show(sheet) for sheet in sheets if sheet not in (models, pairs)]
    return [(merge_pair(models, pairs), [pairs.note] if pairs.note else []), *others]


def shorten_sheet(sheet: Sheet) -> Part:
    """Return the table of a sheet, with the ends alone of a long one, and the notes below it."""
    order = list(sheet.order or range(sheet.size))
    most, first = MOST_ROWS.get(sheet.kind, (4 * ROWS_AT_ENDS, ROWS_AT_ENDS))
    notes = [sheet.note] if sheet.note else []
    if sheet.size <= most:
        return sheet.display_table(order), notes
    last = 0 if sheet.kind == "pairs" else ROWS_AT_ENDS
    table = sheet.display_table(order[:first] + order[sheet.size - last :])
    way = hint('to_frame(of="{kind}")', kind=sheet.kind)
    notes.append(f"{sheet.size - first - last:,} more {sheet.kind} are not shown: {way} has all")
    if last:
        gap = tuple("..." for _ in table.header)
        rows = (*table.rows[:first], gap, *table.rows[first:])
        table = Table(table.title, table.header, rows)
    return table, notes


def merge_pair(models: Sheet, pairs: Sheet) -> Table:
    """Return one table of two models, in the order of the test, and of their difference."""
    upper, lower = models.display_table(range(2)), pairs.display_table([0])
    below = dict(zip(lower.names, lower.rows[0], strict=True))
    header = [*upper.header, *[head for head in lower.header[3:] if head.name not in upper.names]]
    rows = [[*row, *[""] * (len(header) - len(row))] for row in upper.rows]
    last: list[Cell] = [below.get(head.name, "") for head in header]
    last[0] = "difference"
    last[[head.form for head in header].index("number")] = below["difference"]
    return Table(models.title, tuple(header), tuple(map(tuple, [*rows, last])))


def table_block(table: Table, notes: list[str], line_width: int) -> str:
    """Return a table as lines of text that fit the room, with its notes."""
    fitted, notes_of_fit = fit_table(table, line_width)
    if notes_of_fit and (piled := stack_pairs(table)) is not None:  # before names lose a part
        narrow, more = fit_table(piled, line_width)
        fitted, notes_of_fit = (fitted, notes_of_fit) if more else (narrow, [])
    lines = text_lines(fitted)[0 if any(fitted.names) else 2 :]
    return "\n".join([*lines, *[wrap_lines(note, line_width) for note in (*notes, *notes_of_fit)]])


def stack_pairs(table: Table) -> Table | None:
    """Return a table of pairs with the second model below the first; None of other tables."""
    if table.names[:2] != PAIR_HEADS or len(table.rows) > MOST_ROWS["pairs"][0]:
        return None
    empty = [""] * (len(table.header) - 2)
    rows = [
        (cell, *rest)
        for first, second, *cells in table.rows
        for cell, rest in ((first, cells), (f"  minus {second}", empty))
    ]
    return Table(table.title, (Column("pair"), *table.header[2:]), tuple(rows))


PAIR_HEADS = ["first", "second"]


def fit_table(table: Table, line_width: int) -> tuple[Table, list[str]]:
    """Return the table at a width of `line_width` columns, and notes on names that were shortened.

    Columns that can be spared are left out first, then names are shortened, and so in turns.
    """
    sizes = [max(size) for _, size in table.texts]
    while True:
        names = [j for j, head in enumerate(table.header) if head.form == "text" and not head.spare]
        over = sum(sizes) + 2 * (len(sizes) - 1) - line_width
        if over <= 0:
            return table, []
        name_width = sum([sizes[j] for j in names]) - over
        spares = [head.spare for head in table.header]
        spare = max(spares, default=0)
        wanted = sum([min(sizes[j], LEAST_NAME_WIDTH // len(names)) for j in names])
        needed = [size + 2 for size, each in zip(sizes, spares, strict=True) if not each]
        are_whole = sum(needed) - 2 <= line_width  # without the columns that can be spared
        if names and not (spare and are_whole) and (name_width >= wanted or not spare):
            return shorten_names(table, names, sizes, max(name_width, 8 * len(names)))
        if not spare:
            return table, []
        dropped = len(spares) - 1 - spares[::-1].index(spare)
        del sizes[dropped]
        table = table.only([j for j in range(len(spares)) if j != dropped])


def shorten_names(
    table: Table, names: Sequence[int], sizes: Sequence[int], remaining: int
) -> tuple[Table, list[str]]:
    """Return the table with names cut so that their columns together are `remaining` wide.

    `names` are the indices of these columns, `sizes` the widths of all. Notes say what was cut.
    """
    limits = {}
    narrowest_first = sorted(names, key=lambda j: sizes[j])
    while narrowest_first:  # narrow columns keep their width, the others share what is left
        j = narrowest_first.pop(0)
        limits[j] = min(sizes[j], remaining // (len(narrowest_first) + 1))
        remaining -= limits[j]
    limit = min(limits[j] for j in names if limits[j] < sizes[j])
    short, notes = cut_names({str(row[j]) for row in table.rows for j in names}, limit)
    rows = [
        tuple(short[str(cell)] if j in limits else cell for j, cell in enumerate(row))
        for row in table.rows
    ]
    return Table(table.title, table.header, tuple(rows)), notes


def cut_names(names: Iterable[str], limit: int) -> tuple[dict[str, str], list[str]]:
    """Return short forms (of at most `limit` columns) by name, and notes on how they were made.

    Parts that all names share go first, then the middle. Where that makes two names equal, another
    part goes, or names become numbers with a legend.
    """
    distinct = sorted(set(names) - {"difference", CUT})
    shortest, reserved = without_shared(distinct), {name: name for name in ("difference", CUT)}
    last = [name.rpartition("/")[2] for name in shortest]
    if all(last) and len({*last}) == len(distinct):
        shortest = last
    notes = [SHARED_PARTS_NOTE] if shortest != distinct else []
    if max(map(width, shortest), default=0) <= limit:
        return {**reserved, **dict(zip(distinct, shortest, strict=True))}, notes
    for share in FRONT_SHARES:
        short = [cut_name(name, limit, share) for name in shortest]
        if len({*short, *reserved}) == len(distinct) + len(reserved):
            cut_ones = [pair for pair in zip(short, distinct, strict=True) if CUT in pair[0]]
            return {**reserved, **dict(zip(distinct, short, strict=True))}, [
                *notes,
                *whole_names(cut_ones),
            ]
    marks = {name: f"#{j}" for j, name in enumerate(distinct, 1)}
    return {**reserved, **marks}, [f"{mark}: {clean(name)}" for name, mark in marks.items()]


def whole_names(shortened: Sequence[tuple[str, str]]) -> list[str]:
    """Return the legend of a few shortened names; of many, the note that middles are cut."""
    if len(shortened) > FEW_NAMES or max(width(name) for _, name in shortened) > SENTENCE_WIDTH:
        return [CUT_MIDDLE_NOTE]
    return [f"{short}: {clean(name)}" for short, name in shortened]


def without_shared(names: Sequence[str]) -> list[str]:
    """Return names without the first and the last parts that all of them share.

    ``["org/a, k=1", "org/b, k=1"] -> ["a", "b"]``
    """
    parts = [NAME_PART.findall(clean(name))[:-1] for name in names]
    if len(parts) < 2:
        return ["".join(part) for part in parts]
    least = min(map(len, parts)) - 1  # each name keeps a part
    first = next((j for j in range(least) if len({part[j] for part in parts}) > 1), max(least, 0))
    rest = [part[first:] for part in parts]
    least = min(map(len, rest)) - 1
    same = (j for j in range(least) if len({part[-1 - j] for part in rest}) > 1)
    last = next(same, max(least, 0))
    return ["".join(part[: len(part) - last]).rstrip(" ,;/|") for part in rest]


def cut_name(name: str, limit: int, share: float) -> str:
    """Return a name of at most `limit` columns, cut in its middle: ``logist...sion``.

    `share` of what is left stands in front of the cut.
    """
    if width(name) <= limit:
        return name
    most = max(limit - len(CUT), 2)
    head = name_start(name, round(share * most))
    return head + CUT + name_start(name[::-1], most - width(head))[::-1]


def name_start(name: str, limit: int) -> str:
    """Return the longest beginning of a name that is at most `limit` columns wide."""
    size = 0
    while size < len(name) and width(name[: size + 1]) <= limit:
        size += 1
    return name[:size]


DISPLAY_ONLY = ("ranks",)  # what other columns say as numbers


def result_frame(result: Any, backend: str = "pandas", of: str | None = None) -> Any:
    """Return the sheet of a kind as a data frame of a library; see `chosen_sheet`."""
    check_choice("backend", backend, BACKENDS)
    return BACKENDS[backend](frame_columns(chosen_sheet(result, of)))


def chosen_sheet(result: Any, kind: str | None, option: str = "of") -> Sheet:
    """Return the sheet of a kind, by default that of the pairs, or else the first one.

    `option` is the name of the parameter in the error for a kind that the result has not.
    """
    sheets = {sheet.kind: sheet for sheet in result_sheets(result)}
    if kind is None:
        return sheets.get("pairs") or next(iter(sheets.values()))
    check_choice(option, kind, sheets)
    return sheets[kind]


def frame_columns(sheet: Sheet) -> dict[str, list[Any]]:
    """Return the columns of a sheet in the order of the result, missing numbers as NaN."""
    rows = sheet.rows()
    columns = {name: [row[name] for row in rows] for name in rows[0] if name not in DISPLAY_ONLY}
    return {name: with_nan(cells) for name, cells in columns.items()}


def frame_table(result: Any) -> Table:
    """Return the sheet of the pairs, or else the first one, as a table with all digits."""
    sheet = chosen_sheet(result, None)
    columns = frame_columns(sheet)
    header = tuple(map(Column, columns))
    return Table(sheet.title, header, tuple(zip(*columns.values(), strict=True)))


def with_nan(cells: list[Any]) -> list[Any]:
    """Return the cells of a column, None as NaN unless they are texts."""
    if any(isinstance(cell, str) for cell in cells):
        return cells
    return [math.nan if cell is None else cell for cell in cells]


def check_installed(package: str) -> None:
    """Raise ImportError, with the pip line, unless a package is installed."""
    if util.find_spec(package) is None:
        raise ImportError(
            f"`to_frame` needs {package} for backend={package!r}: pip install {package}."
        )


def pandas_frame(columns: Mapping[str, list[Any]]) -> Any:
    """Return a data frame of pandas."""
    check_installed("pandas")
    import pandas as pd

    return pd.DataFrame(dict(columns))


def polars_frame(columns: Mapping[str, list[Any]]) -> Any:
    """Return a data frame of polars."""
    check_installed("polars")
    import polars as pl

    return pl.DataFrame(dict(columns))


def arrow_table(columns: Mapping[str, list[Any]]) -> Any:
    """Return a table of pyarrow."""
    check_installed("pyarrow")
    import pyarrow as pa

    return pa.table(dict(columns))


BACKENDS: Mapping[str, Callable[[Mapping[str, list[Any]]], Any]] = {
    "pandas": pandas_frame,
    "polars": polars_frame,
    "pyarrow": arrow_table,
}
