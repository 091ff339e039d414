"""Kernels that came with the package: taken where they fit, and else as if there were none."""

import os
import pickle
import sys
import zlib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numba
import pytest

from fastcompare._jit import bundle
from fastcompare._jit.cache import read_entry, write_entry

from .toy import HELPER, Toy

SCRIPTS = Path(__file__).parents[1] / "scripts"
NATIVE = next((level for level in bundle.LEVELS if not bundle.misfit(level, "")), None)
LEVELS = [level for level in bundle.LEVELS if not bundle.misfit(level, level)]  # that run here

pytestmark = pytest.mark.skipif(
    NATIVE is None or numba.config.DISABLE_JIT, reason="there is no level for this processor"
)
posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are POSIX")

BUILD = f"""
    import sys
    sys.path.insert(0, {str(SCRIPTS)!r})
    import build_bundle
    entries = build_bundle.collect("{{name}}", "LEVEL")
    from {{name}}._jit import bundle
    from {{name}}.kernels.a import total
    total(1.0)
    build_bundle.write("{{name}}", "LEVEL", entries, bundle.HERE / "bundles")
"""
SHOW = """
    from {name}.kernels.a import total
    from {name}._jit import bundle, kernel
    print(total(1.0), *kernel.SERVED.values(), bundle.bundle().level)
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A folder of files beside the module, as if a wheel had brought one for each level."""
    monkeypatch.setattr(bundle, "HERE", tmp_path)
    for name in [name for name in os.environ if name.startswith((bundle.SWITCH, "NUMBA_CPU"))]:
        monkeypatch.delenv(name)
    folder = tmp_path / "bundles"
    for level in bundle.LEVELS:
        entries = {"kernel": zlib.compress(level.encode())}
        write_entry(folder / f"{bundle.tag()}-{level}", pickle.dumps(entries))
    bundle.bundle.cache_clear()
    yield folder
    bundle.bundle.cache_clear()


def test_the_level_of_this_processor_is_found(installed):
    assert bundle.bundle()[:2] == (NATIVE, "")
    assert bundle.find("kernel") == NATIVE.encode()
    assert bundle.find("another") is None


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_can_be_asked_for(installed, monkeypatch, level):
    monkeypatch.setenv(bundle.SWITCH, level)
    assert bundle.find("kernel") == level.encode()


def test_a_level_beyond_the_processor_is_not_taken(installed, monkeypatch):
    monkeypatch.setitem(bundle.LEVELS, NATIVE, "magic")
    monkeypatch.setenv(bundle.SWITCH, NATIVE)
    assert bundle.bundle() == ("", f"{NATIVE} needs magic", {})


def test_the_environment_can_ignore_all(installed, monkeypatch):
    monkeypatch.setenv(bundle.SWITCH, "0")
    assert bundle.find("kernel") is None
    assert bundle.bundle().reason == "switched off by the environment"


@pytest.mark.parametrize("setting", [("CPU_NAME", "generic"), ("CPU_FEATURES", "")])
def test_a_processor_that_numba_is_given_gets_code_of_its_own(installed, monkeypatch, setting):
    monkeypatch.setattr(numba.config, *setting)
    assert bundle.find("kernel") is None


def test_without_numpys_sort_none_is_taken(installed, monkeypatch):
    monkeypatch.setattr(bundle, "sort_address", lambda dtype: 0)
    assert "needs NumPy's sort" in bundle.bundle().reason


@pytest.mark.parametrize("changed", ["numba", "llvmlite"])
def test_another_version_is_named_and_none_is_taken(installed, monkeypatch, changed):
    before = bundle.tag()
    bundle.tag.cache_clear()
    monkeypatch.setattr(f"{changed}.__version__", "9.9.9")
    assert bundle.find("kernel") is None
    reason = bundle.bundle().reason
    assert before in reason
    assert f"{changed}9.9.9" in reason
    bundle.tag.cache_clear()


def test_without_a_file_the_reason_says_so(installed):
    for path in installed.iterdir():
        path.unlink()
    assert bundle.bundle().reason == "this installation has none"
    bundle.bundle.cache_clear()
    installed.rmdir()
    assert bundle.bundle().reason == "this installation has none"


@posix
@pytest.mark.parametrize("place", ["file", "folder"])
def test_what_others_can_write_is_not_read(installed, place):
    path = installed / f"{bundle.tag()}-{NATIVE}"
    (path if place == "file" else installed).chmod(0o777)
    assert bundle.find("kernel") is None
    assert "others could have written it" in bundle.bundle().reason


@posix
def test_what_those_can_write_who_can_write_the_module_is_read(installed):
    installed.parent.chmod(0o775)
    (installed / f"{bundle.tag()}-{NATIVE}").chmod(0o664)
    assert bundle.find("kernel") == NATIVE.encode()


@posix
def test_what_somebody_else_owns_is_not_read(installed, monkeypatch):
    own = installed.stat()
    others = os.stat_result((*own[:4], own.st_uid + 1, *own[5:]))  # whose package it is, then
    monkeypatch.setattr(bundle, "read_entry", lambda path, like: read_entry(path, others))
    assert bundle.find("kernel") is None


def test_a_damaged_file_is_ignored_with_one_warning(installed):
    path = installed / f"{bundle.tag()}-{NATIVE}"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.warns(RuntimeWarning, match="damaged; compiling"):
        assert bundle.find("kernel") is None
    assert bundle.find("kernel") is None


def test_a_change_of_sources_under_a_process_is_noticed(installed, monkeypatch):
    monkeypatch.setattr(bundle, "sources_changed", lambda: True)
    assert bundle.find("kernel") is None


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """A package that came with kernels for the levels that run here."""
    toy = Toy(tmp_path_factory.mktemp("toy"))
    for level in LEVELS:
        toy.run(BUILD.replace("LEVEL", level), **build_bundle.settings(level))
    return toy


def build_bundle_module():
    """Return the program that writes the files."""
    specification = spec_from_file_location("build_bundle", SCRIPTS / "build_bundle.py")
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


build_bundle = build_bundle_module()


@pytest.mark.slow
def test_a_process_without_a_cache_takes_what_came_and_compiles_nothing(toy):
    assert toy.run(SHOW, FASTCOMPARE_CACHE_DIR="") == f"11.0 0 1 0 {NATIVE}"
    assert toy.run(SHOW, FASTCOMPARE_CACHE_DIR="", FASTCOMPARE_BUNDLE="0") == "11.0 0 0 1"


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_that_runs_here_gives_the_same(toy, level):
    shown = toy.run(SHOW, FASTCOMPARE_CACHE_DIR="", FASTCOMPARE_BUNDLE=level)
    assert shown == f"11.0 0 1 0 {level}"


@pytest.mark.slow
def test_native_code_in_the_cache_wins(toy):
    assert toy.run(SHOW, FASTCOMPARE_BUNDLE="0") == "11.0 0 0 1"
    assert toy.run(SHOW) == f"11.0 1 0 0 {NATIVE}"


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["NUMBA_BOUNDSCHECK", "NUMBA_CPU_NAME"])
def test_other_settings_of_numba_are_compiled_for(toy, setting):
    value = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CPU_NAME": "generic"}[setting]
    shown = toy.run(SHOW, FASTCOMPARE_CACHE_DIR="", **{setting: value})
    assert shown.startswith("11.0 0 0 1")


@pytest.mark.slow
def test_a_caller_can_still_compile_a_kernel_into_its_own_code(toy):
    script = (
        SHOW
        + """
    import numba
    print(numba.njit(lambda x: 2.0 * total(x))(1.0))
"""
    )
    assert toy.run(script, FASTCOMPARE_CACHE_DIR="").splitlines()[1] == "22.0"


@pytest.mark.slow
def test_a_change_of_the_sources_is_compiled(toy):
    toy.write("b", HELPER.format(factor=20))
    try:
        assert toy.run(SHOW, FASTCOMPARE_CACHE_DIR="") == "21.0 0 0 1"
    finally:
        toy.write("b", HELPER.format(factor=10))
