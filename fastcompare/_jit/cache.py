"""Keep compiled kernels on disk, where only their owner can write.

An entry is one file: the content, then the SHA-256 of its name and content. Entries are pickles,
and a pickle runs code when it is read; so nothing is read that somebody else could have written.
Each state of the kernels' sources has its own directory: no process sees another one's code.
"""

import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

from .numpy_sort import SORTED, sort_address, sorts_by_microcode

HERE = Path(__file__).parent
VARIABLE = "FASTCOMPARE_CACHE_DIR"
STAMPS_KEPT = 8
DIGEST_SIZE = hashlib.sha256().digest_size


class DamagedEntryError(Exception):
    """An entry's content does not have the entry's digest."""


def cache_directory() -> Path | None:
    """Return the directory of compiled kernels, None where no directory is this user's alone."""
    directory, _ = find_directory()
    return directory


def find_directory() -> tuple[Path | None, str]:
    """Return the directory of compiled kernels and '', or None and the reason.

    The reason is '' where no directory is wanted.
    """
    try:
        directory = _wanted_directory()
        if directory is None:
            return None, ""
        _make_private(directory)
        if _is_private(directory.stat()):
            return directory, ""
        return None, f"others own or can write {str(directory)!r}"
    except (OSError, RuntimeError, ValueError) as error:  # not writable, no home, a null byte
        return None, str(error)


def _wanted_directory() -> Path | None:
    """Return the cache's directory by the environment, or None if the user has disabled it."""
    configured = os.environ.get(VARIABLE)
    if configured is not None:
        return Path(configured).expanduser().absolute() if configured else None
    users = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    parent = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get(users) or Path.home() / ".cache"
    return Path(parent).expanduser().absolute() / "fastcompare"


def _make_private(directory: Path) -> None:
    """Make a directory and its missing parents, all with mode 700 whatever the umask."""
    missing = [each for each in (directory, *directory.parents) if not each.exists()]
    for each in reversed(missing):
        with suppress(FileExistsError):  # another process was first
            each.mkdir(mode=0o700)


def _is_private(status: os.stat_result, like: os.stat_result | None = None) -> bool:
    """Return whether a file is writable by this user only, or by the users who can write `like`."""
    if sys.platform == "win32":  # a profile's directories are private, mode bits mean nothing
        return True
    owner, mode = (os.geteuid(), 0) if like is None else (like.st_uid, like.st_mode)
    return status.st_uid == owner and not status.st_mode & 0o022 & ~mode


def stamp_directory() -> Path | None:
    """Return the directory of entries for these sources, None where they must not be cached."""
    base = cache_directory()
    if base is None or sources_changed():
        return None
    return base / f"kernels-{_stamp()}"


@cache
def sources() -> tuple[Path, ...]:
    """Return the source files that decide what kernels compute; Numba itself checks one only."""
    modules = ("bundle", "cache", "kernel", "numpy_sort", "pieces")
    kernels = sorted(HERE.with_name("kernels").rglob("*.py"))
    return (*(HERE / f"{name}.py" for name in modules), *kernels)


@cache
def _stamp() -> str:
    """Return a hash of the sources, and of versions and settings that all kernels share."""
    versions = [import_module(name).__version__ for name in ("numpy", "numba", "llvmlite")]
    sorts = [sort_address(dtype) != 0 for dtype in SORTED]  # code may call them by name
    state = (sys.version, platform.machine(), versions, sorts, sorts_by_microcode())
    return hashlib.sha256(f"{state} {sources_digest()}".encode()).hexdigest()[:16]


@cache
def sources_digest() -> str:
    """Return a hash of the sources, and of their names."""
    digest = hashlib.sha256()
    for path in sources():
        text = path.read_bytes()
        digest.update(f"\n{path.relative_to(HERE.parent).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def sources_changed() -> bool:
    """Return whether source files may differ from the code that this process runs."""
    # After an upgrade under a running process, or an edit and a reload, the code in memory is
    # not the code of the files: saved under the files' stamp it would be wrong for ever.
    return any(map(is_changed, sources()))


def is_changed(path: Path) -> bool:
    """Return whether a file may have changed since this process began to import kernels.

    By comparing its state, not its time with the clock: files may have times in the future.
    """
    try:
        return path not in STATES or _state(path) != STATES[path]
    except OSError:  # removed
        return True


def _state(path: Path) -> tuple[int, ...]:
    """Return the times, size and inode of a file."""
    status = path.stat()
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino


def _states() -> dict[Path, tuple[int, ...]]:
    """Return the state of each source file, by path; empty where there are no files."""
    try:
        return {path: _state(path) for path in sources()}
    except OSError:  # no files, as in a zipped or frozen program
        return {}


STATES = _states()  # before any kernel is imported: kernels import this module


def read_entry(path: Path, like: os.stat_result | None = None) -> bytes | None:
    """Return the content of an entry, None if there is none, or others could have written it."""
    try:
        if not _is_private_directory(path.parent, like):
            return None
        with open(path, "rb", opener=_open_itself) as file:
            status = os.fstat(file.fileno())
            if not (stat.S_ISREG(status.st_mode) and _is_private(status, like)):
                return None
            entry = file.read()
    except OSError:
        return None
    content = entry[:-DIGEST_SIZE]
    digest = entry[-DIGEST_SIZE:]
    if _digest(path, content) != digest:
        raise DamagedEntryError(path)
    return content


def _open_itself(path: str, flags: int) -> int:
    """Open a file without following a symbolic link, and without waiting for a pipe."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))


def _is_private_directory(path: Path, like: os.stat_result | None) -> bool:
    """Return whether a path is a directory, not a link to one, that `_is_private`."""
    status = path.lstat()
    return stat.S_ISDIR(status.st_mode) and _is_private(status, like)


def _digest(path: Path, content: bytes) -> bytes:
    """Return the hash of an entry's name and content: a renamed entry must not be read."""
    return hashlib.sha256(path.name.encode() + b"\n" + content).digest()


def write_entry(path: Path, content: bytes) -> None:
    """Save an entry, whole or not at all, in a directory that only this user can write."""
    _make_stamp_directory(path.parent)
    if not _is_private_directory(path.parent, None):
        raise PermissionError(f"others own or can write {str(path.parent)!r}")
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix="unfinished-")
    try:
        with open(handle, "wb") as file:
            file.write(content + _digest(path, content))
        os.replace(temporary, path)
    except BaseException:
        discard_entry(Path(temporary))
        raise


def discard_entry(path: Path) -> None:
    """Remove an entry if it can be removed."""
    with suppress(OSError):
        path.unlink()


def _make_stamp_directory(directory: Path) -> None:
    """Create the directory for the present sources' kernels; if it is new, prune old ones."""
    try:
        directory.mkdir(mode=0o700)
    except FileExistsError:
        return
    with suppress(OSError):  # another process prunes too
        _prune(directory.parent)


def _prune(base: Path) -> None:
    """Remove all but the `STAMPS_KEPT` newest directories of entries."""
    stamps = base.glob("kernels-" + 16 * "[0-9a-f]")  # and nothing else: a home has other things
    newest_first = sorted(stamps, key=lambda path: path.stat().st_mtime, reverse=True)
    for directory in newest_first[STAMPS_KEPT:]:
        shutil.rmtree(directory, ignore_errors=True)
