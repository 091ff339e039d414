"""Members of zip files, inflated within what they declare, by deflate or Zstandard.

The standard library reads Zstandard from Python 3.14 on; pyarrow does before. Nothing is ever
written to disk, so a name cannot lead anywhere; one that tries to is refused all the same.
"""

import struct
import zipfile
import zlib
from collections import Counter
from typing import BinaryIO

from ..tables import pyarrow
from .documents import check_size
from .sheets import refuse

STORED, DEFLATED, ZSTANDARD = 0, 8, 93
LOCAL_HEADER = 30  # bytes before the name of a member
BOMB_SIZE, BOMB_RATIO = 1 << 24, 1000  # logs shrink to a fiftieth at most
MEMBERS = 10**6


class Archive:
    """A zip file that is open for reading."""

    def __init__(self, path: str, file: BinaryIO) -> None:
        try:
            self.entries = zipfile.ZipFile(file).infolist()
        except (
            zipfile.BadZipFile,
            OSError,
            ValueError,
            struct.error,
            NotImplementedError,
        ) as error:
            refuse(path, f"this zip file is damaged or was not written to its end ({error}).")
        self.path, self.file = path, file
        self.members = {entry.filename: entry for entry in self.entries}
        self._check_names()

    def _check_names(self) -> None:
        """Raise for names that lead out of the archive or stand twice."""
        if len(self.entries) > MEMBERS:
            refuse(self.path, f"this zip file has {len(self.entries)} members.")
        for name in self.members:
            if name.startswith("/") or "\\" in name or ".." in name.split("/"):
                refuse(self.path, f"the zip file has a member of the unsafe name {name!r}.")
        if len(self.members) < len(self.entries):
            names = Counter(entry.filename for entry in self.entries)
            refuse(self.path, f"the zip file has {names.most_common(1)[0][0]!r} twice.")

    def check_room(self, names: list[str]) -> None:
        """Raise unless all of these members together may be held in memory."""
        check_size(self.path, sum(self.members[name].file_size for name in names))

    def read(self, name: str) -> bytes:
        """Return a member's bytes, or raise where it is damaged or other than it declares."""
        entry = self.members[name]
        size, packed = entry.file_size, entry.compress_size
        if entry.flag_bits & 1:
            refuse(self.path, f"{name!r} is encrypted.")
        check_size(f"{self.path}:{name}", size)
        if size > BOMB_SIZE and size > BOMB_RATIO * max(packed, 1):
            refuse(self.path, f"{name!r} declares {size} bytes in {packed}: no log shrinks so.")
        try:
            raw = inflated(self.packed(entry), entry.compress_type, size)
        except (OSError, zlib.error, EOFError, struct.error) as error:
            refuse(self.path, f"{name!r} is damaged ({error}).")
        if raw is None:
            refuse(self.path, f"{name!r} is packed by method {entry.compress_type}: not known.")
        if len(raw) != size or zlib.crc32(raw) != entry.CRC:
            refuse(self.path, f"{name!r} is damaged: it is not what the zip file declares.")
        return raw

    def packed(self, entry: zipfile.ZipInfo) -> bytes:
        """Return a member's bytes as they stand in the file."""
        self.file.seek(entry.header_offset)
        header = self.file.read(LOCAL_HEADER)
        name, extra = struct.unpack("<HH", header[26:30])
        self.file.seek(name + extra, 1)
        return self.file.read(entry.compress_size)


def inflated(raw: bytes, method: int, size: int) -> bytes | None:
    """Return at most a byte more than `size` of what was packed; None for an unknown method."""
    if method == STORED:
        return raw
    if method == DEFLATED:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(raw, size + 1)
    if method == ZSTANDARD:
        pa = pyarrow()
        return bytes(pa.CompressedInputStream(pa.BufferReader(raw), "zstd").read(size + 1))
    return None
