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
from typing import Any, NamedTuple

from .._base.exceptions import hint
from .._base.text import DIFFERENCE, PSEUDOMEDIAN, clean
from .._inputs.options import check_choice
from .families import result_sheets
from .formats import UNDEFINED, Cell, Column, Sheet, Table, text_lines, width


class RowLimits(NamedTuple):
    """How many rows of a sheet are printed: all of at most `most`, else `first` and `last`."""

    most: int
    first: int
    last: int


class PrintedTable(NamedTuple):
    """A table, and the notes that are printed below it."""

    table: Table
    notes: list[str]


USUAL_WIDTH = 80  # columns, where there is no terminal
SENTENCE_WIDTH = 88  # columns in which a sentence is easily read
LEAST_NAME_WIDTH = 30  # columns of the names together: below that, other columns go first
LEAST_CUT_WIDTH = 8  # columns of each column of names, even if the table is then too wide
CUT = "..."
NOT_NAMES = (DIFFERENCE, PSEUDOMEDIAN, CUT, UNDEFINED)  # in columns of names, beside these
PAIR_HEADS = ["first", "second"]
SHARED_PARTS_NOTE = "Shared parts of names, and organisations, are omitted."
CUT_MIDDLE_NOTE = f"Long names are shortened in the middle ({CUT})."
FEW_NAMES = 6  # of which a legend is easily read
NAME_PART = re.compile(r"[^/\\(),;|\s]*[/\\(),;|\s]*")  # of a name: an organisation, a parameter
FRONT_SHARES = (0.5, 0.25, 0.75)  # of what is left of a name, in front of the cut
ROW_LIMITS = {"models": RowLimits(40, 30, 5), "pairs": RowLimits(24, 20, 0)}
OTHER_ROW_LIMITS = RowLimits(20, 5, 5)


def columns_of_terminal() -> int:
    """Return the width of the terminal, at least 40; `USUAL_WIDTH` where there is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return USUAL_WIDTH
    return max(shutil.get_terminal_size((USUAL_WIDTH, 24)).columns, 40)


def to_screen(result: Any, columns: int | None = None) -> str:
    """Return the text of a result: its title, tables and sentence, by default for the terminal."""
    line_width = columns_of_terminal() if columns is None else columns
    heads = (result.title, getattr(result, "about", ""))  # a table's title is not printed
    blocks = [wrap_lines(clean(head), line_width) for head in heads]
    printed = printed_tables(result_sheets(result))
    blocks += [table_block(table, notes, line_width) for table, notes in printed]
    blocks.append(wrap_lines(clean(result_sentence(result)), min(line_width, SENTENCE_WIDTH)))
    return "\n\n".join(filter(None, blocks))


def wrap_lines(text: str, line_width: int) -> str:
    """Return a text in lines, broken at spaces, or within words that are longer than a line."""
    lines = []
    while len(text) > line_width:
        space = text.rfind(" ", 0, line_width + 1)  # -1 if there is none
        next_space = f"{text} ".find(" ", line_width)
        word_length = next_space - space - 1  # of the word across the end of the line
        end = line_width if word_length > line_width else space
        lines.append(text[:end].rstrip(" "))
        text = text[end:].lstrip(" ")
    return "\n".join([*lines, text])


def result_sentence(result: Any) -> str:
    """Return the summary of a result, '' if its class has none."""
    try:
        return str(result.summary())
    except NotImplementedError:
        return ""


def printed_tables(
    sheets: Sequence[Sheet], show: Callable[[Sheet], PrintedTable] | None = None
) -> list[PrintedTable]:
    """Return the tables of sheets with their notes, of each sheet as `show` makes it.

    By default long sheets are shortened. The only pair of two models becomes a third row of the
    models' table.
    """
    show = show or shorten_sheet
    sheet_of_kind = {sheet.kind: sheet for sheet in sheets}
    models, pairs = sheet_of_kind.get("models"), sheet_of_kind.get("pairs")
    if models is None or pairs is None or (models.size, pairs.size) != (2, 1):
        return [show(sheet) for sheet in sheets]
    if "difference" not in pairs.heads:  # nothing could be put below the values of the models
        return [show(sheet) for sheet in sheets]
    others = [show(sheet) for sheet in sheets if sheet not in (models, pairs)]
    notes = [pairs.note] if pairs.note else []
    return [PrintedTable(merge_pair(models, pairs), notes), *others]


def shorten_sheet(sheet: Sheet) -> PrintedTable:
    """Return the table of a sheet and its notes; of a long sheet the first and the last rows."""
    order = list(sheet.order or range(sheet.size))
    most, first, last = ROW_LIMITS.get(sheet.kind, OTHER_ROW_LIMITS)
    notes = [sheet.note] if sheet.note else []
    if sheet.size <= most:
        return PrintedTable(sheet.display_table(order), notes)
    table = sheet.display_table(order[:first] + order[sheet.size - last :])
    way = hint('to_frame(of="{kind}")', kind=sheet.kind)
    notes.append(f"{sheet.size - first - last:,} more {sheet.kind} are not shown: {way} has all")
    if last:
        gap = (CUT,) * len(table.header)
        rows = (*table.rows[:first], gap, *table.rows[first:])
        table = Table(table.title, table.header, rows)
    return PrintedTable(table, notes)


def merge_pair(models: Sheet, pairs: Sheet) -> Table:
    """Return one table of two models, in the order of the test, with a row of their difference.

    Columns that the pair alone has (its p-value, say) are added, with empty cells for the models.
    """
    upper, lower = models.display_table(range(2)), pairs.display_table([0])
    cells_of_pair = dict(zip(lower.names, lower.rows[0], strict=True))
    heads_of_pair = lower.header[3:]  # the first three are the two names and the difference
    added = [head for head in heads_of_pair if head.name not in upper.names]
    header = [*upper.header, *added]
    rows = [[*row, *[""] * len(added)] for row in upper.rows]
    difference: list[Cell] = [cells_of_pair.get(head.name, "") for head in header]
    title = pairs.heads["difference"].name
    difference[0] = title  # in the column of names
    value_column = [head.form for head in header].index("number")
    difference[value_column] = cells_of_pair[title]
    return Table(models.title, tuple(header), tuple(map(tuple, [*rows, difference])))


def table_block(table: Table, notes: list[str], line_width: int) -> str:
    """Return a table and its notes as text at most `line_width` wide.

    If names would be shortened, the two models of a pair are stacked first.
    """
    fitted, shortened = fit_table(table, line_width)
    if shortened and (pairs_stacked := stack_pairs(table)) is not None:
        stacked, still_shortened = fit_table(pairs_stacked, line_width)
        if not still_shortened:
            fitted, shortened = stacked, []
    lines = text_lines(fitted)
    if not any(fitted.names):  # without names of columns, no heads and no dashes below them
        lines = lines[2:]
    return "\n".join([*lines, *[wrap_lines(note, line_width) for note in (*notes, *shortened)]])


def stack_pairs(table: Table) -> Table | None:
    """Return a table of pairs with the second model in a row below the first.

    None for other tables, and for one with so many pairs that twice the rows would be too many.
    """
    if table.names[:2] != PAIR_HEADS or len(table.rows) > ROW_LIMITS["pairs"].most:
        return None
    empty = [""] * (len(table.header) - 2)
    rows: list[tuple[Cell, ...]] = []
    for first, second, *cells in table.rows:
        rows += [(first, *cells), (f"  minus {second}", *empty)]
    return Table(table.title, (Column("pair"), *table.header[2:]), tuple(rows))


def fit_table(table: Table, line_width: int) -> tuple[Table, list[str]]:
    """Return the table, at most `line_width` wide if possible, and notes on shortened names.

    Dispensable columns are left out, one at a time, until the rest fits or names can be cut without
    becoming too narrow. A table without names and dispensable columns stays too wide.
    """
    sizes = [max(cell_widths) for _, cell_widths in table.texts]
    while True:
        names = [j for j, head in enumerate(table.header) if head.form == "text" and not head.spare]
        excess = sum(sizes) + 2 * (len(sizes) - 1) - line_width  # two spaces between columns
        if excess <= 0:
            return table, []
        name_width = sum([sizes[j] for j in names]) - excess  # if names alone become narrower
        wanted = sum([min(sizes[j], LEAST_NAME_WIDTH // len(names)) for j in names])
        spares = [head.spare for head in table.header]
        most_spare = max(spares, default=0)
        needed = [size + 2 for size, spare in zip(sizes, spares, strict=True) if not spare]
        fits_without_spares = most_spare > 0 and sum(needed) - 2 <= line_width
        if names and not fits_without_spares and (name_width >= wanted or not most_spare):
            least = LEAST_CUT_WIDTH * len(names)
            return shorten_names(table, names, sizes, max(name_width, least))
        if not most_spare:
            return table, []
        dropped = len(spares) - 1 - spares[::-1].index(most_spare)  # the last of the highest spare
        del sizes[dropped]
        table = table.only([j for j in range(len(spares)) if j != dropped])


def shorten_names(
    table: Table, names: Sequence[int], sizes: Sequence[int], available: int
) -> tuple[Table, list[str]]:
    """Return the table with names cut so that their columns together are `available` wide.

    `names` are the indices of these columns, `sizes` the widths of all. Notes say what was cut.
    """
    limits = {}
    narrowest_first = sorted(names, key=lambda j: sizes[j])
    while narrowest_first:  # narrow columns keep their width, the others share what is left
        j = narrowest_first.pop(0)
        limits[j] = min(sizes[j], available // (len(narrowest_first) + 1))
        available -= limits[j]
    limit = min(limits[j] for j in names if limits[j] < sizes[j])  # one form of a name everywhere
    texts = {str(row[j]) for row in table.rows for j in names}
    short, notes = cut_names(texts, limit, have_shared=any(table.names))  # without heads: fields
    rows = [
        tuple(short[str(cell)] if j in limits else cell for j, cell in enumerate(row))
        for row in table.rows
    ]
    return Table(table.title, table.header, tuple(rows)), notes


def cut_names(
    names: Iterable[str], limit: int, have_shared: bool = True
) -> tuple[dict[str, str], list[str]]:
    """Return short forms (of at most `limit` columns) by name, and notes on how they were made.

    Parts that all names share go first, if they may have any, then the middle. Where that makes two
    names equal, another part goes, or names become numbers with a legend.
    """
    distinct = sorted(set(names) - {*NOT_NAMES})
    unchanged = {text: text for text in NOT_NAMES}
    shortest = without_shared(distinct) if have_shared else distinct
    after_slash = [name.rpartition("/")[2] for name in shortest]  # without organisations
    if have_shared and all(after_slash) and len({*after_slash}) == len(distinct):
        shortest = after_slash
    notes = [SHARED_PARTS_NOTE] if shortest != distinct else []
    if max(map(width, shortest), default=0) <= limit:
        return {**unchanged, **dict(zip(distinct, shortest, strict=True))}, notes
    for share in FRONT_SHARES:
        short = [cut_name(name, limit, share) for name in shortest]
        if len({*short, *unchanged}) == len(distinct) + len(unchanged):  # no two became equal
            shortened = [
                (cut, name) for cut, name in zip(short, distinct, strict=True) if CUT in cut
            ]
            forms = {**unchanged, **dict(zip(distinct, short, strict=True))}
            return forms, [*notes, *legend_of(shortened)]
    marks = {name: f"#{j}" for j, name in enumerate(distinct, 1)}
    return {**unchanged, **marks}, [f"{mark}: {clean(name)}" for name, mark in marks.items()]


def legend_of(shortened: Sequence[tuple[str, str]]) -> list[str]:
    """Return a line for each pair of a short form and its name, if these are few and not too long.

    Of others the note that middles are cut.
    """
    if len(shortened) > FEW_NAMES or max(width(name) for _, name in shortened) > SENTENCE_WIDTH:
        return [CUT_MIDDLE_NOTE]
    return [f"{short}: {clean(name)}" for short, name in shortened]


def without_shared(names: Sequence[str]) -> list[str]:
    """Return names without the first and the last parts that all of them share.

    ``["org/a, k=1", "org/b, k=1"] -> ["a", "b"]``
    """
    names_in_parts = [NAME_PART.findall(clean(name))[:-1] for name in names]  # the last is empty
    if len(names_in_parts) < 2:
        return ["".join(parts) for parts in names_in_parts]
    front = count_shared(names_in_parts)
    remaining = [parts[front:] for parts in names_in_parts]
    back = count_shared([parts[::-1] for parts in remaining])
    return ["".join(parts[: len(parts) - back]).rstrip(" ,;/|") for parts in remaining]


def count_shared(names_in_parts: Sequence[Sequence[str]]) -> int:
    """Return how many parts from the first on all names share, so that each keeps one part."""
    most = max(min(map(len, names_in_parts)) - 1, 0)
    differing = (j for j in range(most) if len({parts[j] for parts in names_in_parts}) > 1)
    return next(differing, most)


def cut_name(name: str, limit: int, share: float) -> str:
    """Return a name of at most `limit` columns, cut in its middle: ``logist...sion``.

    `share` of the columns beside the cut are in front of it.
    """
    if width(name) <= limit:
        return name
    n_columns = max(limit - len(CUT), 2)
    head = name_start(name, round(share * n_columns))
    tail = name_start(name[::-1], n_columns - width(head))[::-1]
    return head + CUT + tail


def name_start(name: str, limit: int) -> str:
    """Return the longest beginning of a name that is at most `limit` columns wide."""
    size = 0
    while size < len(name) and width(name[: size + 1]) <= limit:
        size += 1
    return name[:size]


DISPLAY_ONLY = ("ranks",)  # texts that repeat other columns, which a data frame has as numbers


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
