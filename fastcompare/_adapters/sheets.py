"""Tables in JSON, Feather and Excel workbooks, and messages for other formats."""

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from .._base.exceptions import InvalidValueError, invalid_value
from .._base.types import Fields
from .delimited import FileTable, arrow_buffer, check_names, is_rounded, pyarrow

ARROW = b"ARROW1"
STREAM = b"\xff\xff\xff\xff"
ZIP = b"PK\x03\x04"
WORKBOOK = b"xl/"
HEAD = 1 << 16  # bytes at the beginning or end in which a workbook names a part
LATEX = b"\\begin{tab"
MOST_COLUMNS_A_ROW = 3  # in an object of columns
DEEPEST = 3  # levels of nested objects that become columns
OTHERS: Mapping[bytes, tuple[str, str]] = {  # first bytes of files: what they are, and a remedy
    b"\x93NUMPY": ("a NumPy array", "load it by numpy.load and call fastcompare.compare in Python"),
    b"\x80\x04": ("a pickle", "load it in Python, and write a CSV or Parquet file"),
    b"\x80\x05": ("a pickle", "load it in Python, and write a CSV or Parquet file"),
    b"SQLite format 3": ("an SQLite database", "export the table as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old Excel workbook (.xls)", "save it as .xlsx or CSV"),
    b"\x89HDF": ("an HDF5 file", "load it in Python, and write a CSV or Parquet file"),
    b"%PDF": ("a PDF", "export the table as CSV"),
    b"ORC": ("an ORC file", "write it as Parquet"),
    b"Obj\x01": ("an Avro file", "write it as Parquet"),
    b"$FL2": ("an SPSS file (.sav)", "export it as CSV"),
    b"<stata_dta>": ("a Stata file (.dta)", "export it as CSV"),
    b"RDX": ("an R workspace", "write the table by write.csv"),
    b"X\n": ("an R object (.rds)", "write the table by write.csv"),
    b"<?xml": ("XML", "export the table as CSV"),
    b"<table": ("HTML", "export the table as CSV"),
    b"@relation": ("a Weka file (.arff)", "save it as CSV in Weka's Explorer"),
    b"@RELATION": ("a Weka file (.arff)", "save it as CSV in Weka's Explorer"),
    b"HEADER RECORD": ("a SAS transport file (.xpt)", "export it as CSV"),
    b"<!DOCTYPE": ("HTML", "export the table as CSV"),
    b"<html": ("HTML", "export the table as CSV"),
    b"\x89PNG": ("a picture", "name the file of the predictions"),
    b"\xfd7zXZ": ("packed by xz", "unpack it first, or pack it by gzip"),
    b"7z\xbc\xaf": ("a 7-Zip archive", "unpack it first"),
    b"{\\rtf": ("rich text", "save it as CSV"),
}


def refuse_format(path: str, raw: bytes) -> None:
    """Raise if the first bytes show a known format that is not read, with its name and a remedy."""
    bare_head = raw[:HEAD].lstrip(b"\xef\xbb\xbf \t\r\n%")
    for first_bytes, (what, remedy) in OTHERS.items():
        if raw.startswith(first_bytes) or bare_head.startswith(first_bytes):
            raise InvalidValueError(
                f"{path!r} is {what}, which is not read: {remedy}.", parameter=path
            )
    if LATEX in raw[:HEAD] and raw.lstrip().startswith((b"\\", b"%")):  # not a cell of a table
        what, remedy = "a table in LaTeX", "save its rows as CSV or Markdown, with the header above"
        raise InvalidValueError(f"{path!r} is {what}, which is not read: {remedy}.", parameter=path)
    if raw.startswith(ZIP) and b".npy" in raw[:HEAD]:
        raise InvalidValueError(
            f"{path!r} is an archive of NumPy arrays, which is not read: load it by numpy.load and "
            "call fastcompare.compare in Python.",
            parameter=path,
        )
    if raw.startswith(ZIP):
        what, remedy = "a zip archive without a log of evaluations", "unpack it first"
        if b"content.xml" in raw[:HEAD] or b"opendocument" in raw[:HEAD]:
            what, remedy = "an OpenDocument file", "save it as .xlsx or CSV"
        raise InvalidValueError(f"{path!r} is {what}, which is not read: {remedy}.", parameter=path)


def is_workbook(raw: bytes) -> bool:
    """Return whether a zip file is an Excel workbook."""
    return raw.startswith(ZIP) and (WORKBOOK in raw[:HEAD] or WORKBOOK in raw[-HEAD:])


def read_feather(path: str, raw: bytes) -> FileTable:
    """Return the table in an Arrow file (Feather) or stream, its dictionaries decoded, or raise."""
    pa = pyarrow()
    opener = pa.ipc.open_file if raw.startswith(ARROW) else pa.ipc.open_stream
    try:
        table = opener(arrow_buffer(raw)).read_all()
    except (pa.ArrowException, OSError) as error:
        fault = str(error).partition("\n")[0]
        raise InvalidValueError(
            f"{path!r} is not a readable Arrow file: {fault}", parameter=path
        ) from error
    check_names(path, table.column_names)
    types = pa.types
    columns = [
        column.cast(column.type.value_type) if types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    return FileTable(path, pa.table(columns, names=table.column_names))


def read_workbook(path: str, raw: bytes) -> FileTable:
    """Return the table in the first sheet of an Excel workbook that has one, or raise.

    A note names the sheet if there are several.
    """
    try:
        import openpyxl
    except ImportError as error:
        raise ImportError(
            "Excel workbooks need openpyxl: pip install 'fastcompare[excel]', or save it as CSV."
        ) from error
    try:
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
    except Exception as error:  # of zipfile, XML and openpyxl
        raise InvalidValueError(
            f"{path!r} is not a readable workbook: {error}.", parameter=path
        ) from error
    for sheet in book.worksheets:
        rows = [list(row) for row in sheet.iter_rows(values_only=True)]
        rows = [row for row in rows if any(cell not in (None, "") for cell in row)]
        while rows and sum(cell not in (None, "") for cell in rows[0]) < 2:
            rows = rows[1:]  # a title above the table
        if len(rows) > 1:
            note = f"Sheet: {sheet.title!r}, the first of {len(book.worksheets)} with a table."
            is_only_sheet = len(book.worksheets) == 1
            return replace(table_from_cells(path, rows), note="" if is_only_sheet else note)
    raise invalid_value(path, "has no rows in any sheet", subject=repr(path))


def table_from_cells(path: str, rows: list[list[Any]]) -> FileTable:
    """Return the table of cells whose first row is the header; empty columns are left out."""
    width = max(len(row) for row in rows)
    full_rows = [row + [None] * (width - len(row)) for row in rows]
    used = [j for j in range(width) if any(row[j] not in (None, "") for row in full_rows)]
    header, *body = full_rows
    names = ["" if header[j] is None else str(header[j]).strip() for j in used]
    check_names(path, names)
    columns = [[row[j] for row in body] for j in used]
    return FileTable(path, arrow_table(path, dict(zip(names, columns, strict=True))))


def read_records(path: str, raw: bytes) -> FileTable:
    """Return the table in JSON: one object a line, an array of objects, or an object of columns."""
    records = parse_records(path, raw)
    flat = [flatten(record) for record in records]
    names = list(dict.fromkeys(name for record in flat for name in record))
    if not names:
        raise invalid_value(path, "contains JSON without columns", subject=repr(path))
    columns = {name: [record.get(name) for record in flat] for name in names}
    return FileTable(path, arrow_table(path, columns))


def parse_records(path: str, raw: bytes) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a table in JSON as objects, or raise if it is not a table."""
    text = raw.decode("utf-8-sig", "replace").strip()
    try:
        document = json.loads(text)
    except RecursionError:
        refuse_json(path, "it is nested too deeply")
    except ValueError:
        return [parse_line(path, number, line) for number, line in numbered_lines(text)]
    if isinstance(document, dict):
        return rows_from_document(path, document)
    if not isinstance(document, list) or not all(isinstance(row, dict) for row in document):
        refuse_json(path, "it is no list of objects")
    return document


def rows_from_document(path: str, document: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the rows in a JSON object, or raise.

    They are in one list of objects, in lists of equal length (columns), in objects by row id
    (columns, too, unless they are far more than the ids: then rows), or the object is itself the
    only row.
    """
    lists = {name: value for name, value in document.items() if isinstance(value, list)}
    lists_of_objects = [
        values for values in lists.values() if values and all(isinstance(x, dict) for x in values)
    ]
    if len(lists_of_objects) == 1:
        return lists_of_objects[0]
    if document and len(lists) == len(document) and len({*map(len, lists.values())}) == 1:
        return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
    columns = [value for value in document.values() if isinstance(value, dict)]
    if len(columns) == len(document) > 1 and len({frozenset(column) for column in columns}) == 1:
        row_ids = list(columns[0])
        if len(document) > MOST_COLUMNS_A_ROW * len(row_ids):  # objects are rows: by instance
            return [{"id": row, **values} for row, values in document.items()]
        return [{"id": row, **{name: document[name][row] for name in document}} for row in row_ids]
    return [document] if document else refuse_json(path, "it has no rows")


def numbered_lines(text: str) -> list[tuple[int, str]]:
    """Return (number, line) of the lines that are not blank."""
    return [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def parse_line(path: str, number: int, line: str) -> Mapping[str, Any]:
    """Return the JSON object in a line, or raise."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise InvalidValueError(
            f"{path!r}, line {number}: this is no JSON object, got {line!r:.60}.",
            parameter=path,
            value=line,
            row=number - 1,
        )
    return record


def refuse_json(path: str, why: str) -> NoReturn:
    """Raise since a JSON file is not a table; `why` says the reason."""
    raise InvalidValueError(
        f"{path!r} contains JSON that is no table: {why}. Write a list of objects, one a row.",
        parameter=path,
    )


def flatten(record: Mapping[str, Any], depth: int = DEEPEST) -> Fields:
    """Return an object with nested objects flattened: {"a.b": 1} of {"a": {"b": 1}}.

    Deeper levels than `depth` stay objects.
    """
    flat: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict) and depth > 1:
            inner = flatten(value, depth - 1)
            flat |= {f"{name}.{key}": inner_value for key, inner_value in inner.items()}
        else:
            flat[str(name)] = value
    return flat


def arrow_table(path: str, columns: Mapping[str, list[Any]]) -> Any:
    """Return an Arrow table of columns of Python values, or raise."""
    arrow_columns = [arrow_column(path, name, column) for name, column in columns.items()]
    return pyarrow().table(arrow_columns, names=list(columns))


def arrow_column(path: str, name: str, values: list[Any]) -> Any:
    """Return Python values as an Arrow column of numbers, truth values, lists, or else texts.

    Raise if integers beside floats are so large that float64 would round them.
    """
    present = [value for value in values if value is not None]
    pa = pyarrow()
    kinds = {type(value) for value in present}
    if kinds == {int, float}:
        wide = next((x for x in present if type(x) is int and is_rounded(str(x))), None)
        if wide is not None:
            raise invalid_value(
                name,
                "contains integers beyond 2^53",
                wide,
                ", which would be rounded beside fractions: replace all values by their ranks.",
                show=", such as {}",
                subject=f"{path!r}: column {name!r}",
            )
    if kinds <= {int, float} or kinds == {bool}:
        try:
            return pa.array(values, pa.float64() if float in kinds else None)
        except (pa.ArrowInvalid, OverflowError):
            pass  # integers beyond 64 bits become texts
    if kinds == {list} and all(type(x) in (int, float) for value in present for x in value):
        return pa.array(values, pa.list_(pa.float64()))
    texts = [None if value is None else as_text(value) for value in values]
    return pa.array(texts, pa.string())


def as_text(value: Any) -> str:
    """Return a cell as text, as in a CSV file: "1" of 1.0."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)
