"""The cache of compiled kernels: what goes wrong with it may cost time, never a result.

Tests of what one process leaves to the next run processes; the others import a toy here.
"""

import importlib
import pickle
import sys
import textwrap
import warnings
import zipfile
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numba
import pytest

from fastcompare._cache import read_entry, write_entry

from .toy import HELPER, SHOW, Toy

compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="compiles in this process")
posix = pytest.mark.skipif(sys.platform == "win32", reason="limits and modes are POSIX")


@pytest.fixture
def toy(tmp_path):
    return Toy(tmp_path)


@pytest.fixture
def module(toy, monkeypatch):
    """The toy's ``a``, imported here."""
    monkeypatch.setenv("FASTCOMPARE_CACHE_DIR", str(toy.cache))
    monkeypatch.syspath_prepend(toy.root)
    return importlib.import_module(f"{toy.name}.kernels.a")


def anew(module):
    """Return the kernel ``total`` as a process has it that has not called it."""
    return module.kernel(module.total.py_func)


def hits(kernel):
    return sum(kernel.stats.cache_hits.values())


def test_the_next_process_reads_what_the_first_one_saved(toy):
    assert toy.run() == "11.0 0"
    before = {path: path.stat().st_mtime_ns for path in toy.entries()}
    assert len(before) == 2
    assert toy.run() == "11.0 1"
    assert {path: path.stat().st_mtime_ns for path in toy.entries()} == before


def test_a_change_of_a_helper_in_another_file_is_seen(toy):
    assert toy.run() == "11.0 0"
    toy.write("b", HELPER.format(factor=20))
    assert toy.run() == "21.0 0"
    toy.write("b", HELPER.format(factor=10))
    assert toy.run() == "11.0 1"


def test_a_change_under_a_running_process_is_not_mixed_with_its_code(toy):
    source = toy.root / toy.name / "kernels" / "b.py"
    edit = f"open({str(source)!r}, 'w').write({textwrap.dedent(HELPER.format(factor=20))!r})\n"
    importing, calling = textwrap.dedent(SHOW).strip().splitlines()
    assert toy.run(f"{importing}\n{edit}{calling}") == "11.0 0"
    assert toy.run() == "21.0 0"


def test_without_a_directory_kernels_run(toy):
    toy.cache.touch()
    assert toy.run() == "11.0 0"
    assert toy.run(FASTCOMPARE_CACHE_DIR="") == "11.0 0"


@posix
def test_a_directory_that_others_can_write_is_not_read(toy):
    assert toy.run() == "11.0 0"
    toy.cache.chmod(0o777)
    assert toy.run() == "11.0 0"


@posix
def test_a_disk_that_fills_up_in_the_middle_costs_no_result(toy):
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
    assert toy.run(limit + textwrap.dedent(SHOW)) == "11.0 0"
    assert toy.entries() == []


def test_processes_that_start_together_all_succeed(toy):
    processes = [toy.start() for _ in range(12)]
    values = [process.communicate(timeout=120)[0].split()[0] for process in processes]
    assert values == 12 * ["11.0"]
    assert len(toy.entries()) == 2
    assert toy.run() == "11.0 1"


def test_bounds_checks_have_their_own_entries(toy):
    assert toy.run() == "11.0 0"
    assert toy.run(NUMBA_BOUNDSCHECK="1") == "11.0 0"
    assert toy.run(NUMBA_BOUNDSCHECK="1") == "11.0 1"
    assert len(toy.entries()) == 4


def test_without_the_compiler_a_kernel_is_the_function(toy):
    script = "from {name}.kernels.a import total; print(type(total).__name__, total(1.0))"
    assert toy.run(script, NUMBA_DISABLE_JIT="1") == "function 11.0"
    assert not toy.cache.exists()


def test_a_zipped_package_runs_uncached(toy, tmp_path):
    archive = tmp_path / "toy.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in (tmp_path / toy.name).rglob("*.py"):
            file.write(path, path.relative_to(tmp_path))
    assert toy.run(PYTHONPATH=str(archive)) == "11.0 0"
    assert toy.entries() == []


def test_a_missing_numba_is_named_with_the_line_that_installs_it(toy):
    script = """
        import sys
        sys.modules["numba"] = None
        try:
            import {name}._jit
        except ImportError as error:
            print(error)
    """
    message = toy.run(script)
    assert "pip install --upgrade 'numba>=" in message
    assert "NumPy 2" in message


@compiled
@pytest.mark.parametrize(
    "private",
    [
        "caching._Cache",
        "codegen.CPUCodegen.magic_tuple",
        "compiler.CompileResult._rebuild",
        "compiler.CompileResult._reduce",
        "serialize.dumps",
    ],
)
def test_where_private_parts_of_numba_have_moved_kernels_run(module, monkeypatch, private):
    module.total(1.0)
    monkeypatch.delattr(f"numba.core.{private}")
    total = anew(module)
    assert total(1.0) == 11.0
    assert total(1) == 11.0  # has no entry, and gets one only where `private` is not needed


@compiled
def test_where_a_dispatcher_asks_for_more_kernels_run_uncached(module, monkeypatch):
    methods = numba.core.caching._Cache.__abstractmethods__ | {"refresh"}
    monkeypatch.setattr(numba.core.caching._Cache, "__abstractmethods__", methods)
    total = anew(module)
    assert total(1.0) == 11.0
    assert total.stats.cache_path is None


def damages():
    """Yield what may have become of an entry."""
    yield lambda whole: b""
    yield lambda whole: whole[:100]
    yield lambda whole: whole + b"\0"
    yield lambda whole: b"garbage" * 1000
    for part in range(1, 16):
        yield lambda whole, at=part: flipped(whole, len(whole) * at // 16)


def flipped(whole, at):
    return whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :]


@compiled
def test_a_damaged_entry_is_renewed_with_one_warning(toy, module):
    module.total(1.0)
    entry = toy.entry("total")
    for damage in damages():
        entry.write_bytes(damage(entry.read_bytes()))
        total = anew(module)
        with pytest.warns(RuntimeWarning, match=r"a\.total .* damaged; recompiling") as seen:
            assert total(1.0) == 11.0
        assert [warning.category.__name__ for warning in seen] == ["CacheWarning"]
        assert read_entry(entry)
    assert toy.run() == "11.0 1"


@compiled
@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps((1, 2)), pickle.dumps(len)])
def test_a_whole_entry_with_other_content_is_renewed_too(toy, module, content):
    module.total(1.0)
    write_entry(toy.entry("total"), content)
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert anew(module)(1.0) == 11.0
    assert hits(module.total) == 0
    assert toy.run() == "11.0 1"


@compiled
def test_a_warning_that_is_an_error_stops_one_call(toy, module):
    module.total(1.0)
    toy.entry("total").write_bytes(b"")
    total = anew(module)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="damaged"):
            total(1.0)
        assert total(1.0) == 11.0


@compiled
def test_threads_that_call_together_share_one_compilation(module):
    together = Barrier(16)

    def call(_):
        together.wait()
        return module.total(1.0)

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(call, range(16))) == 16 * [11.0]
    assert list(module.total.stats.cache_misses.values()) == [1]


@compiled
def test_recompiling_does_not_read_the_old_entry(toy, module):
    module.total(1.0)
    old = toy.entry("total").stat().st_mtime_ns
    module.total.recompile()
    assert hits(module.total) == 0
    assert toy.entry("total").stat().st_mtime_ns > old


@compiled
def test_a_disabled_cache_neither_reads_nor_writes(toy, module):
    module.total._cache.disable()
    assert module.total(1.0) == 11.0
    assert toy.entries() == [toy.entry("helper")]
    module.total._cache.enable()
    assert module.total(1) == 11.0
    assert toy.entry("total")


@compiled
def test_what_the_sources_do_not_determine_is_not_cached(toy, module):
    assert module.scaled(2.0)(3.0) == 6.0
    assert module.scaled(5.0)(3.0) == 15.0
    assert module.kernel(lambda x: x + 1.0)(1.0) == 2.0
    assert module.apply(numba.njit(lambda x: x - 1.0), 1.0) == 0.0
    assert toy.entries() == []


@compiled
def test_users_can_call_a_kernel_from_compiled_code_and_pickle_it(toy, module):
    total = module.total
    assert numba.njit(lambda x: 2.0 * total(x))(1.0) == 22.0
    assert pickle.loads(pickle.dumps(total)) is total
    read = f"import pickle; print(pickle.loads({pickle.dumps(total)!r})(1.0))"
    assert toy.run(read) == "11.0"
