"""Files that are written: whole or not at all, and over another only where that is asked for."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from .._base.exceptions import InvalidValueError


def check_target(
    path: Path | None, replace: bool, way: str = "give --force", named: str = ""
) -> None:
    """Raise before any work if the file must not be written; `way` says how to replace one.

    Messages begin with `named`, the name of the parameter that the path came by.
    """
    if path is None:
        return
    if not path.parent.is_dir():
        raise InvalidValueError(f"{named}{str(path.parent)!r} is no directory.")
    if not os.path.lexists(path):
        return
    if not replace:
        raise InvalidValueError(f"{named}{str(path)!r} exists: {way} to replace it.")
    if not stat.S_ISREG(path.lstat().st_mode):  # root would replace even /dev/null
        raise InvalidValueError(f"{named}{str(path)!r} is no regular file.")


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file or none: under another name first, which fits wherever the file's does."""
    part = path.with_name(f".{token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
