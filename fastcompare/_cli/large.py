"""Tables in large Parquet files, which `compare` reads a piece at a time."""

import os
import time
from typing import Any

import numpy as np

from .._adapters.delimited import FileTable, pyarrow
from .._adapters.files import PARQUET, STDIN
from .._adapters.scans import parquet_file, scan_parquet
from .._base.exceptions import FastCompareError
from .._base.memory import peak_memory
from .._inputs.names import refuse_training
from .._inputs.roles.decide import read_roles
from .._inputs.roles.question import QuestionError
from .._inputs.roles.reading import Named, Reading
from .delivery import Contents, LogChoice
from .reading import Arguments, all_files, named_by
from .terminal import remember, say

STREAMED_FROM = 1 << 25  # scores: in memory they take about as long, and 1.5 GB
LOOK = 10_000  # rows of a group that tell the roles of columns
IN_MEMORY = (
    *("cluster", "weights", "id", "long", "time", "event", "reader", "treatment", "case", "score"),
    "design",
)


def large_arguments(
    files: list[str] | None, contents: Contents, logs: LogChoice
) -> Arguments | None:
    """Return cases in Parquet files that are read in pieces; None of smaller ones, or of others."""
    paths = all_files(files) if files else []
    in_memory = any(getattr(contents, name, None) is not None for name in IN_MEMORY)
    if in_memory or contents.kind not in (None, "scores") or not paths:
        return None
    if not all(map(is_parquet, paths)):
        return None
    known = list(map(parquet_file, paths))
    rows = sum(file.metadata.num_rows for file in known)
    schema = known[0].schema_arrow
    if rows * (len(contents.model) if contents.model else len(schema)) < STREAMED_FROM:
        return None
    table = remember(FileTable(", ".join(paths), first_rows(known)))
    for name in table.names:
        refuse_training(name, table.words(name))
    reading = read_first(table, named_by(contents, logs))
    if reading is None:
        return None
    scan = scan_parquet(paths, label=reading.label, scores=[*reading.models], progress=True)
    positive = reading.options.get("pos_label")
    why = f"The {rows} cases are read in pieces; the first ones of each file tell the roles:"
    return Arguments(scan, None, {"pos_label": positive, "kind": "scores"}, (why, *reading.lines))


def read_first(table: FileTable, named: Named) -> Reading | None:
    """Return the roles of columns by some rows; None unless they are scores beside true labels."""
    try:
        reading = read_roles(table.columns(), named)
    except QuestionError:
        raise
    except FastCompareError:  # which may be of these rows alone
        return None
    cases = reading.label is not None and {*reading.models} <= {*table.names}
    return reading if cases and reading.kind == "scores" else None


def first_rows(files: list[Any]) -> Any:
    """Return the first rows of some groups of Parquet files: all labels may be the same in one."""
    parts = []
    for file in files:
        groups = file.metadata.num_row_groups
        for group in sorted({0, groups // 2, groups - 1} & {*range(groups)}):
            parts += [next(file.iter_batches(LOOK, row_groups=[group]))]
    arrow = pyarrow()
    if not parts:
        return files[0].schema_arrow.empty_table()
    return arrow.concat_tables(
        [arrow.Table.from_batches([part]) for part in parts], promote_options="permissive"
    )


def is_parquet(file: str) -> bool:
    """Say whether a file begins as Parquet does; one that cannot be read is not."""
    if file == STDIN or not os.path.isfile(file):
        return False
    with open(file, "rb") as opened:
        return opened.read(len(PARQUET)) == PARQUET


def tell_memory(result: Any, start: float) -> None:
    """Say how exact the standard errors are, how long all took, and the most memory in use."""
    most = peak_memory()
    memory = "" if most is None else f", at most {most / 2**30:.2f} GiB of memory"
    bound = getattr(result, "standard_error_bound", None)
    exact = "" if bound is None else np.nanmax(bound / result.standard_error, initial=0.0)
    errors = f"standard errors within {exact:.1e} of themselves, " if exact else ""
    say("note", f"{errors}{time.monotonic() - start:.1f} s{memory}.")
