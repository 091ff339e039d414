"""Tables in large Parquet files, which `compare` reads a piece at a time."""

import os
import time
from typing import Any

import numpy as np

from .._adapters.delimited import FileTable, pyarrow
from .._adapters.files import PARQUET, STDIN
from .._adapters.scans import parquet_file, scan_parquet
from .._base.memory import peak_memory
from .._inputs.names import labels_among
from .columns import all_files, chosen_models, columns_beside, columns_of_models, parsed
from .delivery import Contents
from .reading import Arguments
from .terminal import remember, say

STREAMED_FROM = 1 << 25  # scores: in memory they take about as long, and 1.5 GB
LOOK = 10_000  # rows that tell whether a column looks like ids
KINDS = {"bool": bool, "int": int, "uint": int, "float": float, "double": float, "half": float}
IN_MEMORY = ("cluster", "id", "time", "event", "reader", "treatment", "case", "score", "design")


def large_arguments(files: list[str] | None, contents: Contents) -> Arguments | None:
    """Return cases in Parquet files that are read in pieces; None of smaller ones, or of others."""
    paths = all_files(files) if files else []
    whole = any(getattr(contents, name, None) is not None for name in IN_MEMORY)
    if whole or contents.kind not in (None, "scores") or not paths:
        return None
    if not all(map(is_parquet, paths)):
        return None
    known = list(map(parquet_file, paths))
    rows, schema = sum(file.metadata.num_rows for file in known), known[0].schema_arrow
    if rows * (len(contents.model) if contents.model else len(schema)) < STREAMED_FROM:
        return None
    table = remember(FileTable(", ".join(paths), first_rows(known[0])))
    label = contents.label if contents.label in table.names else labels_among(table.names)
    if columns_of_models(table) or not label:  # perhaps a row for each model
        return None
    names = chosen_models(
        table, contents.model, columns_beside(table, label), "--model", label=label
    )
    scan = scan_parquet(paths, label=label, scores=names, progress=True)
    kind = str(schema.field(label).type)
    found = (own for word, own in KINDS.items() if kind.startswith(word))
    positive = parsed(contents.pos_label, next(found, str))
    why = f"The {rows} cases are read in pieces; their labels are column {label!r}."
    return Arguments(scan, None, {"pos_label": positive, "kind": "scores"}, why)


def first_rows(file: Any) -> Any:
    """Return rows of a Parquet file that tell what its columns look like."""
    batch = next(file.iter_batches(LOOK), None)
    return (
        file.schema_arrow.empty_table() if batch is None else pyarrow().Table.from_batches([batch])
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
