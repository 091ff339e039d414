"""Kernels that came with the package: taken where they fit, and else as if there were none."""

import os
import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numba
import pytest

from fastcompare._jit import bundle, cache
from fastcompare._jit.cache import read_entry, write_entry
from tests.shared.toy import HELPER, Toy

SCRIPTS = Path(__file__).parents[2] / "scripts"
NATIVE = next((level for level in bundle.LEVELS if not bundle.reason_not_to_use(level, "")), None)
LEVELS = [
    level for level in bundle.LEVELS if not bundle.reason_not_to_use(level, level)
]  # that run here

pytestmark = pytest.mark.skipif(
    NATIVE is None or numba.config.DISABLE_JIT, reason="there is no level for this processor"
)
posix = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes are POSIX")
built = pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler")

BUILD = f"""
    import sys
    sys.path.insert(0, {str(SCRIPTS)!r})
    import build_bundle
    entries = build_bundle.collect("{{name}}", "LEVEL")
    from {{name}}._jit import bundle
    from {{name}}.kernels.a import total
    total(1.0)
CALLS
    build_bundle.write("{{name}}", "LEVEL", entries, bundle.HERE / "bundles")
"""
SHOW = """
    from {name}.kernels.a import total
    from {name}._jit import bundle, kernel
    print(total(1.0), *kernel.SERVED.values(), bundle.bundle().level)
"""
PARTS = """
    import numpy as np
    from .._jit.kernel import kernel

    @kernel
    def parts(x, table, first, is_on, seed, scale, *more):
        room = np.zeros(x.size + 1)
        for i in range(x.size):
            room[i] = scale * x[i] + more[0][i] * is_on
        table[:, first] = room[: table.shape[0]]
        return room.sum(), x.size - first, is_on, seed

    @kernel
    def fill(out):
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = i * out.shape[1] + j

    @kernel
    def sum_of_zeros(n):
        return np.zeros(n).sum()
"""
CALLS = """
    import numpy as np
    from {name}.kernels.c import fill, parts, sum_of_zeros
    x, table = np.arange(5.0), np.zeros((5, 2))
    call = x, table, 1, True, np.uint64(2**63 + 1), 0.5, np.ones(5, np.uint32)
    fill(table)
    sum_of_zeros(3)
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A folder of files beside the module, as if a wheel had brought one for each level."""
    monkeypatch.setattr(bundle, "HERE", tmp_path)
    for name in [name for name in os.environ if name.startswith((bundle.SWITCH, "NUMBA_CPU"))]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(bundle, "load", lambda path: {"kernel": path.read_text(errors="replace")})
    folder = tmp_path / "bundles"
    for level in bundle.LEVELS:
        write_entry(folder / f"{bundle.tag()}-{level}", f"{level}\n".encode())
    bundle.bundle.cache_clear()
    yield folder
    bundle.bundle.cache_clear()


def found():
    """Return the level whose file is read, None where none is."""
    kernel = bundle.bundle().kernels.get("kernel")
    return kernel and kernel.partition("\n")[0]


def test_the_level_of_this_processor_is_found(installed):
    assert bundle.bundle()[:2] == (NATIVE, "")
    assert found() == NATIVE


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_can_be_asked_for(installed, monkeypatch, level):
    monkeypatch.setenv(bundle.SWITCH, level)
    assert found() == level


def test_a_level_beyond_the_processor_is_not_taken(installed, monkeypatch):
    monkeypatch.setitem(bundle.LEVELS, NATIVE, "magic")
    monkeypatch.setenv(bundle.SWITCH, NATIVE)
    assert bundle.bundle() == ("", f"{NATIVE} needs magic", {})


def test_the_environment_can_ignore_all(installed, monkeypatch):
    monkeypatch.setenv(bundle.SWITCH, "0")
    assert found() is None
    assert bundle.bundle().reason == "switched off by the environment"


@pytest.mark.parametrize("setting", [("CPU_NAME", "generic"), ("CPU_FEATURES", "")])
def test_a_processor_that_numba_is_given_gets_code_of_its_own(installed, monkeypatch, setting):
    monkeypatch.setattr(numba.config, *setting)
    assert found() is None


def test_other_sources_are_named_and_none_is_taken(installed, monkeypatch):
    before = bundle.tag()
    monkeypatch.setattr(bundle, "tag", lambda: "kernels-other")
    assert found() is None
    assert before in bundle.bundle().reason
    assert "kernels-other" in bundle.bundle().reason


def test_a_library_that_cannot_be_loaded_is_ignored(installed, monkeypatch):
    def load(path):
        raise ImportError("a newer C library is needed")

    monkeypatch.setattr(bundle, "load", load)
    assert bundle.bundle() == ("", "a newer C library is needed", {})


def test_without_a_file_the_reason_says_so(installed):
    for path in installed.iterdir():
        path.unlink()
    assert bundle.bundle().reason == "this installation has none"
    bundle.bundle.cache_clear()
    installed.rmdir()
    assert bundle.bundle().reason == "this installation has none"


def test_without_sources_compiled_kernels_are_ignored(installed, monkeypatch):
    """As in a frozen program that was built without them: nothing says what they belong to."""
    monkeypatch.setattr(bundle, "STATES", {})
    bundle.tag.cache_clear()
    monkeypatch.setattr(bundle, "sources_digest", lambda: Path("missing").read_bytes())
    assert bundle.bundle() == ("", "there are no files of the kernels", {})


@posix
@pytest.mark.parametrize("place", ["file", "folder"])
def test_what_others_can_write_is_not_read(installed, place):
    path = installed / f"{bundle.tag()}-{NATIVE}"
    (path if place == "file" else installed).chmod(0o777)
    assert found() is None
    assert "others could have written it" in bundle.bundle().reason


@posix
def test_what_those_can_write_who_can_write_the_module_is_read(installed):
    installed.parent.chmod(0o775)
    (installed / f"{bundle.tag()}-{NATIVE}").chmod(0o664)
    assert found() == NATIVE


@posix
def test_what_somebody_else_owns_is_not_read(installed, monkeypatch):
    own = installed.stat()
    others = os.stat_result((*own[:4], own.st_uid + 1, *own[5:]))  # whose package it is, then
    monkeypatch.setattr(bundle, "read_entry", lambda path, like: read_entry(path, others))
    assert found() is None


def test_a_damaged_file_is_ignored_with_one_warning(installed):
    path = installed / f"{bundle.tag()}-{NATIVE}"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.warns(RuntimeWarning, match="damaged; compiling"):
        assert found() is None
    assert found() is None


def test_a_change_of_sources_under_a_process_is_noticed(installed, monkeypatch):
    def kernel():
        pass

    kernel.__module__ = "toy"
    monkeypatch.setattr(bundle, "load", lambda path: {f"toy.{kernel.__qualname__}": len})
    here = Path(kernel.__code__.co_filename)
    monkeypatch.setitem(cache.STATES, here, cache._state(here))
    assert bundle.find(kernel) is len
    monkeypatch.setitem(cache.STATES, here, (0, *cache._state(here)[1:]))
    assert bundle.find(kernel) is None


@pytest.fixture(scope="module")
def toy(tmp_path_factory):
    """A package that came with kernels for the levels that run here."""
    toy = Toy(tmp_path_factory.mktemp("toy"))
    toy.write("c", PARTS)
    for level in LEVELS:
        script = BUILD.replace("LEVEL", level).replace("CALLS", CALLS + "    parts(*call)")
        toy.run(script, **build_bundle.settings(level))
    return toy


def build_bundle_module():
    """Return the program that writes the files."""
    specification = spec_from_file_location("build_bundle", SCRIPTS / "build_bundle.py")
    module = module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


build_bundle = build_bundle_module()


@built
@pytest.mark.slow
def test_a_process_without_a_cache_takes_what_came_and_compiles_nothing(toy):
    assert toy.run(SHOW, FASTCOMPARE_CACHE_DIR="") == f"11.0 0 1 0 {NATIVE}"
    assert toy.run(SHOW, FASTCOMPARE_CACHE_DIR="", FASTCOMPARE_BUNDLE="0") == "11.0 0 0 1"


@built
@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_that_runs_here_gives_the_same(toy, level):
    shown = toy.run(SHOW, FASTCOMPARE_CACHE_DIR="", FASTCOMPARE_BUNDLE=level)
    assert shown == f"11.0 0 1 0 {level}"


@built
@pytest.mark.slow
def test_what_came_is_taken_where_the_cache_has_native_code_too(toy):
    assert toy.run(SHOW, FASTCOMPARE_BUNDLE="0") == "11.0 0 0 1"
    assert toy.run(SHOW) == f"11.0 0 1 0 {NATIVE}"
    assert toy.run(SHOW, FASTCOMPARE_BUNDLE="0") == "11.0 1 0 0"


@built
@pytest.mark.slow
def test_numba_is_imported_only_for_what_did_not_come(toy):
    shown = """
    import sys
    print("numba" in sys.modules, total(1.0), total(np.float64(1.0)), "numba" in sys.modules)
    print(total(1), total(x=1.0), total.signatures, "numba" in sys.modules)
"""
    first, second = toy.run(CALLS + SHOW + shown, FASTCOMPARE_CACHE_DIR="").splitlines()[1:]
    assert first == "False 11.0 11.0 False"
    assert second == "11.0 11.0 [(int64,), (float64,)] True"


@built
@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_arguments_of_every_kind_give_what_python_gives(toy, level):
    shown = """
    import sys
    plain = table.copy()
    expected = parts.py_func(x, plain, *call[2:])
    found = parts(*call)
    print(found == expected, np.array_equal(table, plain), [type(each).__name__ for each in found])
    print("numba" in sys.modules, table[:, 0].tolist())
"""
    first, second = toy.run(CALLS + shown, FASTCOMPARE_BUNDLE=level).splitlines()
    assert first == "True True ['float', 'int', 'bool', 'int']"
    assert second == "False [0.0, 2.0, 4.0, 6.0, 8.0]"


@built
@pytest.mark.slow
@pytest.mark.parametrize("n", [2**46, 2**62, -1])
def test_a_kernel_that_cannot_go_on_raises_an_error(toy, n):
    shown = f"""
    try:
        sum_of_zeros({n})
    except MemoryError as error:
        print(error)
"""
    assert "too little memory, or its arguments do not fit" in toy.run(CALLS + shown)


@built
@pytest.mark.slow
def test_arrays_of_another_kind_are_numbas(toy):
    shown = """
    import numba, pickle
    print(fill._call(table), fill._call(table.astype(np.float32)), fill._call(table.T))
    print(fill._call(table[::2]), fill._call(table.astype(">f8")), fill._call(table[0]))
    print(fill._call(table, table), fill._call([1.0]), parts._call(x, table, 1.0, *call[3:]))
    table.flags.writeable = False
    print(fill._call(table), fill._call(np.zeros((5, 2)).view(type("Own", (np.ndarray,), {}))))
    rows = np.zeros((4, 3))
    fill(rows[::2])
    print(rows[2].tolist(), pickle.loads(pickle.dumps(fill)) is fill, fill.__name__)
"""
    *lines, last = toy.run(CALLS + shown).splitlines()
    none = "NotImplemented"
    assert lines == [f"None {none} {none}", *2 * [f"{none} {none} {none}"], f"{none} {none}"]
    assert last == "[3.0, 4.0, 5.0] True fill"


@built
@pytest.mark.slow
@pytest.mark.parametrize("setting", ["NUMBA_BOUNDSCHECK", "NUMBA_CPU_NAME"])
def test_other_settings_of_numba_are_compiled_for(toy, setting):
    value = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CPU_NAME": "generic"}[setting]
    shown = toy.run(SHOW, FASTCOMPARE_CACHE_DIR="", **{setting: value})
    assert shown.startswith("11.0 0 0 1")


@built
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


@built
@pytest.mark.slow
def test_a_change_of_the_sources_is_compiled(toy):
    toy.write("b", HELPER.format(factor=20))
    try:
        assert toy.run(SHOW, FASTCOMPARE_CACHE_DIR="") == "21.0 0 0 1"
    finally:
        toy.write("b", HELPER.format(factor=10))
