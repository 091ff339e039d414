"""From paths of files and folders to the sheets in them."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .formats import is_named_like_a_log, read, why_skipped
from .sheets import Sheet, refuse
from .sources import Source

MOST_FILES = 10**5


class Read(NamedTuple):
    """The sheets in some paths, and why other files in folders were skipped."""

    sheets: list[Sheet]
    skipped: dict[str, str]


def read_paths(paths: Sequence[str], cluster: Sequence[str]) -> Read:
    """Return the sheets in files and folders; raise where one has none or is given twice."""
    seen: dict[str, str] = {}
    read_so_far = Read([], {})
    for path in paths:
        found = list(sheets_at(path, cluster, read_so_far.skipped))
        if not found:
            refuse(path, "this folder holds no log that is known.")
        for file in dict.fromkeys(sheet.path for sheet in found):
            real = os.path.realpath(file)
            if real in seen:
                refuse(path, f"{file!r} is given twice.")
            seen[real] = file
        read_so_far.sheets.extend(found)
    return read_so_far


def sheets_at(path: str, cluster: Sequence[str], skipped: dict[str, str]) -> Iterator[Sheet]:
    """Yield the sheets in a file, or in the files of a folder that are logs."""
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        for file in files_below(path):
            source = Source(file)
            why = "" if is_named_like_a_log(source) else why_skipped(source)
            if why:
                skipped[file] = why
            else:
                yield from named(read(source, cluster), path)
    elif stat.S_ISREG(mode):
        yield from named(read(Source(path), cluster), path)
    else:
        refuse(path, "this is no regular file.")


def named(sheets: list[Sheet], source: str) -> list[Sheet]:
    """Return the sheets, each with the path that was given for it."""
    for sheet in sheets:
        sheet.source = source
    return sheets


def files_below(folder: str) -> list[str]:
    """Return the regular files below a folder, in the order of their names."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths = (Path(place, name) for name in sorted(names) if not name.startswith("."))
        found += [str(path) for path in paths if path.is_file()]
        if len(found) > MOST_FILES:
            refuse(folder, f"this folder holds more than {MOST_FILES} files.")
    return found
