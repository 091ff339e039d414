"""Files that are compressed as a whole, unpacked within a bound that the environment can raise."""

from typing import Any

from .._base.bounds import bound_of
from .._base.exceptions import InvalidValueError
from .._base.memory import memory_available
from .tables import pyarrow

CODECS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
VARIABLE = "FASTCOMPARE_MOST_UNPACKED"  # bytes


def codec_of(head: bytes) -> str | None:
    """Return the codec of a file that begins so, None if it is not compressed as a whole."""
    return next((codec for magic, codec in CODECS.items() if head.startswith(magic)), None)


def unpacked(path: str, file: Any, codec: str, most: int) -> bytes:
    """Return the content of a packed file of Arrow; raise beyond `most` bytes or half of memory."""
    limit = int(min(bound_of(VARIABLE, most), memory_available() / 2))
    try:
        raw = bytes(pyarrow().CompressedInputStream(file, codec).read(limit + 1))
    except OSError as error:
        raise InvalidValueError(f"{path!r} is damaged ({codec}): {error}.") from error
    if len(raw) > limit:
        raise InvalidValueError(
            f"{path!r}: this file unpacks to more than {limit} bytes. Unpack and split it first, "
            f"or set {VARIABLE} in the environment to as many bytes as are meant."
        )
    return raw
