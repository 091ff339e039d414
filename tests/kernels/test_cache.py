"""The files of compiled kernels: whole or absent, and never somebody else's."""

import errno
import os
import sys
from pathlib import Path

import pytest

from fastcompare._jit import cache
from fastcompare._jit.cache import DamagedEntryError, cache_directory, read_entry, write_entry

VARIABLES = ("FASTCOMPARE_CACHE_DIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME")
CONTENT = bytes(range(40))

posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are POSIX")


@pytest.fixture
def environment(monkeypatch, tmp_path):
    """Set the variables that decide on a directory to places below `tmp_path`, unset the rest."""

    def set_only(**places):
        for name in VARIABLES:
            monkeypatch.delenv(name, raising=False)
        for name, place in places.items():
            monkeypatch.setenv(name, str(tmp_path / place) if place else "")

    return set_only


@pytest.fixture
def entry(tmp_path):
    path = tmp_path / f"kernels-{0:016x}" / "entry"
    write_entry(path, CONTENT)
    return path


@pytest.mark.parametrize(
    ("places", "want"),
    [
        ({"FASTCOMPARE_CACHE_DIR": "own", "NUMBA_CACHE_DIR": "numba"}, "own"),
        ({"NUMBA_CACHE_DIR": "numba", "XDG_CACHE_HOME": "xdg"}, "numba/fastcompare"),
        ({"XDG_CACHE_HOME": "xdg", "HOME": "home"}, "xdg/fastcompare"),
        ({"HOME": "home"}, "home/.cache/fastcompare"),
    ],
)
@posix
def test_the_first_variable_that_is_set_decides(environment, tmp_path, places, want):
    environment(**places)
    assert cache_directory() == tmp_path / want
    assert (tmp_path / want).stat().st_mode & 0o777 == 0o700


@posix
def test_parents_that_are_made_are_private_whatever_the_umask(environment, tmp_path):
    environment(FASTCOMPARE_CACHE_DIR="some/where/own")
    umask = os.umask(0)
    try:
        assert cache_directory() == tmp_path / "some/where/own"
    finally:
        os.umask(umask)
    created = ("some", "some/where", "some/where/own")
    assert {(tmp_path / place).stat().st_mode & 0o777 for place in created} == {0o700}


@posix
@pytest.mark.parametrize("variable", [*VARIABLES[:3]])
def test_a_tilde_is_the_home_of_the_user(environment, monkeypatch, tmp_path, variable):
    environment(HOME="home")
    monkeypatch.setenv(variable, "~/kept")
    below = "" if variable == "FASTCOMPARE_CACHE_DIR" else "fastcompare"
    assert cache_directory() == tmp_path / "home/kept" / below


def test_times_of_sources_in_the_future_change_nothing(monkeypatch, tmp_path):
    source = tmp_path / "kernel.py"
    source.touch()
    os.utime(source, (4e9, 4e9))
    monkeypatch.setattr(cache, "sources", lambda: (source,))
    monkeypatch.setattr(cache, "STATES", cache._states())
    assert not cache.sources_changed()
    source.write_text("changed")
    assert cache.sources_changed()
    source.unlink()
    assert cache.sources_changed()


def test_an_empty_variable_turns_the_cache_off(environment):
    environment(FASTCOMPARE_CACHE_DIR="", NUMBA_CACHE_DIR="numba")
    assert cache_directory() is None


@pytest.mark.parametrize("variable", VARIABLES[:2])
def test_a_place_that_cannot_be_made_is_no_directory(environment, tmp_path, variable):
    tmp_path.joinpath("file").touch()
    environment(**{variable: "file/below"})
    assert cache_directory() is None


def test_a_user_without_a_home_has_no_directory(environment, monkeypatch):
    def home():
        raise RuntimeError("Could not determine home directory.")

    environment()
    monkeypatch.setattr(Path, "home", home)
    assert cache_directory() is None


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o1777])
def test_a_directory_that_others_can_write_is_not_used(environment, tmp_path, mode):
    environment(FASTCOMPARE_CACHE_DIR="")
    os.environ["FASTCOMPARE_CACHE_DIR"] = str(tmp_path)
    assert cache_directory() == tmp_path
    tmp_path.chmod(mode)
    assert cache_directory() is None


@posix
def test_nothing_of_another_owner_is_read(environment, monkeypatch, entry):
    environment(FASTCOMPARE_CACHE_DIR="own")
    assert cache_directory() is not None
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    assert cache_directory() is None
    assert read_entry(entry) is None


@posix
def test_an_entry_that_others_can_write_is_not_read(entry):
    entry.chmod(0o666)
    assert read_entry(entry) is None


@posix
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o1777])
def test_an_entry_in_a_directory_that_others_can_write_is_not_read(entry, mode):
    entry.parent.chmod(mode)
    assert read_entry(entry) is None
    entry.parent.chmod(0o700)
    assert read_entry(entry) == CONTENT


@posix
@pytest.mark.parametrize("mode", [0o777, 0o720])
def test_no_entry_is_written_where_none_would_be_read(entry, mode):
    entry.parent.chmod(mode)
    with pytest.raises(PermissionError, match="others own or can write"):
        write_entry(entry, b"new")
    entry.parent.chmod(0o700)
    assert read_entry(entry) == CONTENT


@posix
def test_neither_a_linked_entry_nor_a_linked_directory_is_read(entry, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    target = elsewhere / entry.name
    entry.rename(target)
    entry.symlink_to(target)
    assert read_entry(target) == CONTENT
    assert read_entry(entry) is None
    linked = tmp_path / f"kernels-{1:016x}"
    linked.symlink_to(elsewhere)
    assert read_entry(linked / entry.name) is None


@posix
def test_what_is_no_file_is_not_read(entry):
    entry.unlink()
    os.mkfifo(entry)  # reading one would wait for who writes
    assert read_entry(entry) is None
    entry.unlink()
    entry.mkdir()
    assert read_entry(entry) is None


def test_an_entry_under_the_name_of_another_is_noticed(entry):
    other = entry.with_name("other")
    write_entry(other, CONTENT[::-1])
    entry.replace(swapped := entry.with_name("swapped"))
    other.replace(entry)
    for path in (entry, swapped):
        with pytest.raises(DamagedEntryError):
            read_entry(path)


def test_an_entry_reads_as_written(entry):
    assert read_entry(entry) == CONTENT
    assert read_entry(entry.with_name("absent")) is None


@pytest.mark.slow
def test_every_flipped_bit_is_noticed(entry):
    whole = entry.read_bytes()
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        entry.write_bytes(flipped)
        with pytest.raises(DamagedEntryError):
            read_entry(entry)


def test_every_truncation_is_noticed(entry):
    whole = entry.read_bytes()
    for size in range(len(whole)):
        entry.write_bytes(whole[:size])
        with pytest.raises(DamagedEntryError):
            read_entry(entry)


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "disk full"), KeyboardInterrupt()])
def test_an_entry_that_cannot_be_finished_leaves_no_file(entry, monkeypatch, failure):
    def replace(source, target):
        raise failure

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(type(failure)):
        write_entry(entry, b"new")
    assert read_entry(entry) == CONTENT
    assert list(entry.parent.iterdir()) == [entry]


def test_old_stamps_are_removed_and_nothing_else(tmp_path):
    for age in range(20):
        directory = tmp_path / f"kernels-{age:016x}"
        directory.mkdir()
        os.utime(directory, (1e9 - age, 1e9 - age))
    others = [tmp_path / "kernels-of-truth", tmp_path / "home"]
    for other in others:
        other.mkdir()
        os.utime(other, (0, 0))
    newest = tmp_path / f"kernels-{99:016x}"
    write_entry(newest / "entry", CONTENT)
    youngest = [tmp_path / f"kernels-{age:016x}" for age in range(cache.STAMPS_KEPT - 1)]
    assert set(tmp_path.iterdir()) == {newest, *youngest, *others}
