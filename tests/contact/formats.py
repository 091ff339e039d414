"""How tables are written: text with any separator, JSON, Parquet, workbooks, compressed."""

import bz2
import gzip
import io
import json

import numpy as np
import pandas as pd


def text_of(value, decimal="."):
    """Return a value as a cell, '' where it is missing."""
    if value is None or value != value:
        return ""
    text = str(value)
    return text.replace(".", decimal) if isinstance(value, float) else text


def quoted(cell, separator, always=False):
    """Return a cell between quotation marks where it needs them."""
    needs = always or any(mark in cell for mark in (separator, '"', "\n"))
    return '"' + cell.replace('"', '""') + '"' if needs else cell


def delimited(table, separator=",", decimal=".", end="\n", always=False, blank="", missing=""):
    """Return a table as delimited text."""
    rows = [list(table), *zip(*table.values(), strict=True)]
    lines = []
    for row in rows:
        cells = [text_of(cell, decimal) or missing for cell in row]
        lines.append(f"{separator}{blank}".join(quoted(c, separator, always) for c in cells))
    return end.join([*lines, ""])


def plain(table):
    return delimited(table).encode()


def with_index(table):
    """Return what pandas' to_csv writes with its index."""
    n = len(next(iter(table.values())))
    return delimited({"": range(n), **table}).encode()


def row_names(table):
    """Return what R's write.csv writes: names of rows, and every text between marks."""
    n = len(next(iter(table.values())))
    return delimited({"": [str(j + 1) for j in range(n)], **table}, always=True).encode()


def german(table):
    return delimited(table, ";", ",", "\r\n").encode("utf-8-sig")


def commented(table):
    return b"# exported 2024-03-01\n# cohort 2\n" + plain(table)


def shares(table):
    """Return numbers between 0 and 1 as percent signs."""
    known = {}
    for name, values in table.items():
        decimals = all(isinstance(x, float) and 0 <= x <= 1 for x in values)
        known[name] = [f"{100 * x:.2f}%" for x in values] if decimals else values
    return plain(known)


def records(table):
    """Return the rows of a table as mappings."""
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


def native(table):
    """Return a table with values of Python's own."""
    return {k: [x.item() if isinstance(x, np.generic) else x for x in v] for k, v in table.items()}


def json_lines(table):
    return "\n".join(json.dumps(row) for row in records(native(table))).encode()


def json_records(table):
    return json.dumps(records(native(table)), indent=1).encode()


def by_pandas(method, **options):
    """Return a writer that is a method of a data frame."""

    def write(table):
        memory = io.BytesIO()
        getattr(pd.DataFrame(table), method)(memory, **options)
        return memory.getvalue()

    return write


def in_zstd(table):
    import pyarrow as pa

    return pa.compress(plain(table), codec="zstd", asbytes=True)


def write_table(table):
    """Return what R's write.table writes: blanks, and a name for each row, but none for names."""
    header, *lines = delimited(table, " ", always=True).splitlines()
    return "\n".join([header, *(f'"{j}" {line}' for j, line in enumerate(lines, 1)), ""]).encode()


def merged(table):
    """Return a table whose models stand above their columns, as merged cells are exported."""
    above = [name.rpartition(" ")[0] for name in table]
    below = [name.rpartition(" ")[2] for name in table]
    return "\n".join(
        [",".join(above), ",".join(below), *plain(table).decode().splitlines()[1:], ""]
    )


def titled(table):
    return b"Results of the study;;\n;;\n" + delimited(table, ";").encode()


def with_footer(table):
    """Return a table with the means of all columns below it."""
    cells = ["Mean", *(str(np.mean([*v]).round(3)) for v in [*table.values()][1:])]
    return plain(table) + ",".join(cells).encode() + b"\n"


def markdown(table):
    header, *lines = delimited(table, "|").splitlines()
    return "\n".join(f"|{x}|" for x in (header, "|".join(["---"] * len(table)), *lines)).encode()


def second_sheet(table):
    """Return a workbook whose second sheet has the table."""
    memory = io.BytesIO()
    with pd.ExcelWriter(memory) as book:
        pd.DataFrame({"note": ["2026"]}).to_excel(
            book, sheet_name="Info", index=False, header=False
        )
        pd.DataFrame(table).to_excel(book, sheet_name="Data", index=False)
    return memory.getvalue()


FORMATS = {  # how it is called, its suffix, the writer
    "csv": (".csv", plain),
    "semicolons": (".csv", lambda t: delimited(t, ";").encode()),
    "german": (".csv", german),
    "tabs": (".tsv", lambda t: delimited(t, "\t").encode()),
    "bars": (".txt", lambda t: delimited(t, "|").encode()),
    "bom": (".csv", lambda t: delimited(t).encode("utf-8-sig")),
    "blanks": (".csv", lambda t: delimited(t, blank=" ").encode()),
    "quotes": (".csv", lambda t: delimited(t, always=True).encode()),
    "crlf": (".csv", lambda t: delimited(t, end="\r\n").encode()),
    "index": (".csv", with_index),
    "R": (".csv", row_names),
    "comments": (".csv", commented),
    "empty end": (".csv", lambda t: plain(t) + b"\n" + b"," * (len(t) - 1) + b"\n\n"),
    "percent": (".csv", shares),
    "jsonl": (".jsonl", json_lines),
    "json": (".json", json_records),
    "parquet": (".parquet", by_pandas("to_parquet")),
    "feather": (".feather", by_pandas("to_feather")),
    "xlsx": (".xlsx", by_pandas("to_excel", index=False)),
    "gz": (".csv.gz", lambda t: gzip.compress(plain(t), mtime=0)),
    "bz2": (".csv.bz2", lambda t: bz2.compress(plain(t))),
    "zst": (".csv.zst", in_zstd),
}
OTHERS = {  # of single files
    "windows": (".csv", lambda t: delimited(t, ";", ",", "\r\n").encode("cp1252")),
    "columns": (".txt", lambda t: delimited(t, "   ").encode()),
    "write.table": (".txt", write_table),
    "merged": (".csv", lambda t: merged(t).encode()),
    "title": (".csv", titled),
    "footer": (".csv", with_footer),
    "markdown": (".md", markdown),
    "sheets": (".xlsx", second_sheet),
}
MISSING = ("n/a", "-", ".", "NA", "#N/A", "", "NaN", "NULL", "N/A")
