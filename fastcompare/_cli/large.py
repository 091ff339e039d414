"""Tables in many or large Parquet files, which a command reads a piece at a time."""

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from .._adapters.files import PARQUET, STDIN
from .._adapters.progress import ProgressBar
from .._adapters.scans import Scan, files_of, parquet_file, scan_parquet
from .._adapters.tables import FileTable, pyarrow
from .._base.exceptions import InvalidValueError
from .._base.memory import peak_memory
from .._base.watched import is_watched
from .columns import columns_beside, parsed
from .models import chosen_models
from .terminal import say

STREAMED_FROM = 1 << 25  # scores: in memory they take about as long, and 1.5 GB
LOOK = 10_000  # rows that tell whether a column looks like ids

KINDS = {"bool": bool, "int": int, "uint": int, "float": float, "double": float, "half": float}


class Large(NamedTuple):
    """Cases in Parquet files, how many there are, and the type of their labels in Arrow's words."""

    scan: Scan
    rows: int
    label_type: str


def all_files(files: list[str]) -> list[str]:
    """Return the files, the Parquet files of folders one by one, or raise."""
    if STDIN in files and len(files) > 1:
        raise InvalidValueError("'-' is standard input, which is read alone: give no other file.")
    return files_of(files)


def as_large(files: list[str], label: str, chosen: list[str] | None) -> Large | None:
    """Return the cases in Parquet files where they are so many that they are read in pieces."""
    if not files or not all(map(is_parquet, files)):
        return None
    known = list(map(parquet_file, files))
    rows = sum(file.metadata.num_rows for file in known)
    schema = known[0].schema_arrow
    if rows * (len(chosen) if chosen else len(schema)) < STREAMED_FROM:
        return None
    table = FileTable(", ".join(files), first_rows(known[0]))
    names = chosen_models(table, chosen, columns_beside(table, label), "--score", label=label)
    scan = scan_parquet(files, label=label, scores=names)
    return Large(scan, rows, str(schema.field(label).type))


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


class Watched:
    """The parts of a scan, with a bar that says how far each pass has come."""

    def __init__(self, scan: Scan) -> None:
        self.scan, self.passes = scan, 0
        self.total = sum(1 for _ in scan.parts())

    def parts(self) -> Iterator[Any]:
        """Yield the parts, seen by whoever waits."""
        bar = ProgressBar(self.total) if is_watched() else None
        try:
            for done, part in enumerate(self.scan.parts(), 1):
                yield part
                self.passes += done == 1  # not where somebody looks at the first part alone
                if bar is not None:
                    bar(done, f"pass {self.passes}")
        finally:
            if bar is not None:
                bar.close()

    @property
    def watched(self) -> Scan:
        """The scan whose parts are watched."""
        return replace(self.scan, parts=self.parts)


def label_of(large: Large, text: str | None) -> object:
    """Return a label as a value of the kind of the column; as text where it cannot be one."""
    found = (own for word, own in KINDS.items() if large.label_type.startswith(word))
    return parsed(text, next(found, str))


def tell_memory(how: str, start: float) -> None:
    """Say how cases were read, how long that took, and the most memory that was used."""
    most = peak_memory()
    memory = "" if most is None else f", at most {most / 2**30:.2f} GiB of memory"
    say("note", f"{how}: {time.monotonic() - start:.1f} s{memory}.")
