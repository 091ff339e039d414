"""A log on disk: its path, and its content as rows, a document, an archive or a table."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cached_property, partial
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from ..._base.memory import memory_available
from ..delimited import read_delimited
from ..files import PARQUET
from ..tables import FileTable, pyarrow
from ..unpacking import codec_of, unpacked
from .archives import Archive
from .documents import DECODER, LINE_LIMIT, Row, check_keys, check_size, json_rows, parsed

HEAD = 1 << 12
ZIP = b"PK\x03\x04"
SPACE = b"\xef\xbb\xbf \t\r\n"  # a byte order mark, too
UNPACKED_LIMIT = 1 << 31


class Source:
    """A log whose content is read as it is asked for."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.unpacked: bytes | None = None
        with open(path, "rb") as file:
            head = file.read(HEAD)
        codec = codec_of(head)
        if codec is not None:
            self.unpacked = unpacked(path, pyarrow().OSFile(path), codec, UNPACKED_LIMIT)
            head = self.unpacked[:HEAD]
        self.head = head

    @property
    def is_archive(self) -> bool:
        """Whether this is a zip file."""
        return self.head.startswith(ZIP)

    @property
    def is_parquet(self) -> bool:
        """Whether this is a Parquet file."""
        return self.head.startswith(PARQUET)

    @property
    def is_json(self) -> bool:
        """Whether this begins like JSON."""
        return self.head.lstrip(SPACE)[:1] in (b"{", b"[")

    def open(self) -> BinaryIO:
        """Return the content as a file."""
        return BytesIO(self.unpacked) if self.unpacked is not None else open(self.path, "rb")

    @cached_property
    def first_line(self) -> bytes:
        """The first line that is not empty."""
        with closing(self.open()) as file:
            lines = iter(partial(file.readline, LINE_LIMIT + 1), b"")
            return next((line for line in lines if line.strip(SPACE)), b"")

    @cached_property
    def first(self) -> Any:
        """The value in the first line, None where it is no JSON by itself."""
        try:
            return DECODER.decode(self.first_line.strip(SPACE).decode())
        except (ValueError, RecursionError):
            return None

    def rows(self, keys: Sequence[str]) -> Iterator[Row]:
        """Return the objects of JSON lines; no key of `keys` may be in one twice."""
        with closing(self.open()) as file:
            yield from json_rows(self.path, file, keys)

    @cached_property
    def content(self) -> bytes:
        """All bytes, where there is room for what they may turn to."""
        if self.unpacked is not None:
            return self.unpacked
        size = Path(self.path).stat().st_size
        if 4 * size > memory_available():
            raise MemoryError(f"{self.path!r}: {size} bytes do not fit into memory.")
        return Path(self.path).read_bytes()

    @cached_property
    def document(self) -> Any:
        """The JSON document that all of this is."""
        check_size(self.path, len(self.content))
        alone = len(self.first_line) == len(self.content)  # it has been read already
        return self.first if alone and self.first is not None else parsed(self.path, self.content)

    def check_document(self, keys: Sequence[str], rows: int) -> None:
        """Raise if an object has a key twice, where one of `keys` occurs more often than rows."""
        check_keys(self.path, self.content, keys, rows)

    def archive(self, file: BinaryIO) -> Archive:
        """Return the members of a zip file that is open."""
        return Archive(self.path, file)

    def text_table(self, texts: Sequence[str]) -> FileTable:
        """Return the table of delimited text; the columns of `texts` are not read as numbers."""
        return read_delimited(self.path, self.content, ",", "utf-8", texts)
