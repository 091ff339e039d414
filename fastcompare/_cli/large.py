"""Large Parquet files, whose rows `compare` reads in chunks."""

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from .._adapters.delimited import Coded, FileTable, pyarrow
from .._adapters.files import PARQUET, STDIN
from .._adapters.scans import parquet_file, scan_parquet
from .._base.exceptions import FastCompareError
from .._base.memory import peak_memory
from .._inputs.names import refuse_training
from .._inputs.roles.decide import read_roles
from .._inputs.roles.question import QuestionError
from .._inputs.roles.reading import Named, Reading
from .delivery import InputOptions, LogOptions
from .reading import Arguments, all_files, columns_named
from .terminal import print_message, set_table

STREAMED_FROM = 1 << 25  # scores: so many take as long in memory, and 1.5 GB of it
FIRST_ROWS = 10_000  # rows of a group by which the roles of columns are read
OPTIONS_IN_MEMORY = (  # options that need all rows in memory
    *("cluster", "weights", "id", "long", "time", "event", "reader", "treatment", "case", "score"),
    "design",
)


def large_arguments(
    files: list[str] | None, contents: InputOptions, logs: LogOptions
) -> Arguments | None:
    """Return the cases of large Parquet files, to be read in chunks.

    None if the files are smaller, of another format, or have options that need all rows in memory.
    """
    if not files or (contents.kind != "scores" and any(map(is_folder_of_logs, files))):
        return None
    paths = all_files(files)
    in_memory = any(getattr(contents, name, None) is not None for name in OPTIONS_IN_MEMORY)
    if in_memory or contents.kind not in (None, "scores"):
        return None
    if not all(map(is_parquet, paths)):
        return None
    parquet_files = list(map(parquet_file, paths))
    rows = sum(file.metadata.num_rows for file in parquet_files)
    schema = parquet_files[0].schema_arrow
    if rows * (len(contents.model) if contents.model else len(schema)) < STREAMED_FROM:
        return None
    table = set_table(FileTable(", ".join(paths), first_rows(parquet_files)))
    for name in table.names:
        refuse_training(name, table.words(name))
    reading = read_roles_of_first_rows(table, columns_named(contents, logs))
    if reading is None:
        return None
    scan = scan_parquet(paths, label=reading.label, scores=[*reading.models], progress=True)
    positive = reading.options.get("pos_label")
    why = f"The {rows} cases are read in pieces; the first ones of each file tell the roles:"
    return Arguments(scan, None, {"pos_label": positive, "kind": "scores"}, (why, *reading.lines))


def is_folder_of_logs(path: str) -> bool:
    """Return whether a path is a folder without Parquet files, which logs are read from."""
    return os.path.isdir(path) and not any(Path(path).rglob("*.parquet"))


def read_roles_of_first_rows(table: FileTable, named: Named) -> Reading | None:
    """Return the roles of columns by the first rows; None unless these are labels and scores."""
    try:
        reading = read_roles(table.columns(), named)
    except QuestionError:  # for the user to answer
        raise
    except FastCompareError:  # the whole table may be valid
        return None
    has_cases = reading.label is not None and {*reading.models} <= {*table.names}
    is_streamed = has_cases and reading.kind == "scores" and has_labels_as_written(table, reading)
    return reading if is_streamed else None


def has_labels_as_written(table: FileTable, reading: Reading) -> bool:
    """Return whether the true labels are read as the file has them, none in another spelling."""
    written = table.columns()[str(reading.label)]
    return not isinstance(written, Coded) or {*written.labels} <= {*reading.truth}


def first_rows(files: list[Any]) -> Any:
    """Return the first rows of the first, the middle and the last group of each Parquet file.

    One group is not enough, as all its rows may have the same label.
    """
    batches = []
    for file in files:
        n_groups = file.metadata.num_row_groups
        for group in sorted({0, n_groups // 2, n_groups - 1} & {*range(n_groups)}):
            batches.append(next(file.iter_batches(FIRST_ROWS, row_groups=[group])))
    arrow = pyarrow()
    if not batches:
        return files[0].schema_arrow.empty_table()
    tables = [arrow.Table.from_batches([batch]) for batch in batches]
    return arrow.concat_tables(tables, promote_options="permissive")


def is_parquet(file: str) -> bool:
    """Return whether a file begins with Parquet's magic bytes; False for standard input."""
    if file == STDIN or not os.path.isfile(file):
        return False
    with open(file, "rb") as opened:
        return opened.read(len(PARQUET)) == PARQUET


def print_memory(result: Any, start: float) -> None:
    """Print a note on the accuracy of standard errors, the time since `start` and peak memory."""
    most = peak_memory()
    memory = "" if most is None else f", at most {most / 2**30:.2f} GiB of memory"
    bound = getattr(result, "standard_error_bound", None)  # of cases read in chunks
    relative = 0.0 if bound is None else np.nanmax(bound / result.standard_error, initial=0.0)
    errors = f"standard errors within {relative:.1e} of themselves, " if relative else ""
    print_message("note", f"{errors}{time.monotonic() - start:.1f} s{memory}.")
