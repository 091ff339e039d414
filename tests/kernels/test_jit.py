"""The cache of compiled kernels: what goes wrong with it may cost time, never a result.

Each test imports a toy package of its own; `test_jit_processes` has those that need processes.
"""

import importlib
import pickle
import shutil
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numba
import pytest

from fastcompare._jit.cache import read_entry, write_entry
from tests.shared.toy import Toy

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="compiles in this process")


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    "content", [b"", b"no pickle", pickle.dumps((1, 2)), pickle.dumps(len)], ids=len
)
def test_a_whole_entry_with_other_content_is_renewed_too(toy, module, content):
    module.total(1.0)
    write_entry(toy.entry("total"), content)
    with pytest.warns(RuntimeWarning, match="damaged"):
        assert anew(module)(1.0) == 11.0
    total = anew(module)
    assert total(1.0) == 11.0
    assert hits(total) == 1


def test_a_package_removed_under_a_running_process_still_runs(toy, module):
    module.total(1.0)
    shutil.rmtree(toy.root / toy.name)
    assert anew(module)(1.0) == 11.0


def unusable(toy, monkeypatch):
    """Yield a directory that cannot be used after the other."""
    toy.cache.mkdir(mode=0o700, exist_ok=True)
    (toy.root / "file").touch()
    yield monkeypatch.setenv("FASTCOMPARE_CACHE_DIR", str(toy.root / "file/below"))
    monkeypatch.setenv("FASTCOMPARE_CACHE_DIR", str(toy.cache))
    yield toy.cache.chmod(0o777)
    toy.cache.chmod(0o700)
    for stamp in toy.cache.glob("kernels-*"):
        stamp.chmod(0o777)
    yield


def test_where_code_cannot_be_kept_one_warning_says_what_to_do(toy, module, monkeypatch):
    module.total(1.0)
    for _ in unusable(toy, monkeypatch):
        with pytest.warns(RuntimeWarning, match="FASTCOMPARE_CACHE_DIR to a directory") as seen:
            assert anew(module)(1.0) == anew(module)(1.0) == 11.0
        assert [warning.category.__name__ for warning in seen] == ["CacheWarning"]
        monkeypatch.setattr(sys.modules[f"{toy.name}._jit.kernel"].KernelCache, "has_warned", False)
    monkeypatch.setenv("FASTCOMPARE_CACHE_DIR", "")  # as the warning says
    assert anew(module)(1.0) == 11.0


def test_a_warning_that_is_an_error_stops_one_call(toy, module):
    module.total(1.0)
    toy.entry("total").write_bytes(b"")
    total = anew(module)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="damaged"):
            total(1.0)
        assert total(1.0) == 11.0


def test_threads_that_call_together_share_one_compilation(module):
    together = Barrier(16)

    def call(_):
        together.wait()
        return module.total(1.0)

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(call, range(16))) == 16 * [11.0]
    assert list(module.total.stats.cache_misses.values()) == [1]


def test_recompiling_does_not_read_the_old_entry(toy, module):
    module.total(1.0)
    old = toy.entry("total").stat().st_mtime_ns
    module.total.recompile()
    assert hits(module.total) == 0
    assert toy.entry("total").stat().st_mtime_ns > old


def test_a_disabled_cache_neither_reads_nor_writes(toy, module):
    module.total._cache.disable()
    assert module.total(1.0) == 11.0
    assert toy.entries() == [toy.entry("helper")]
    module.total._cache.enable()
    assert module.total(1) == 11.0
    assert toy.entry("total")


@pytest.mark.slow
def test_what_the_sources_do_not_determine_is_not_cached(toy, module):
    assert module.scaled(2.0)(3.0) == 6.0
    assert module.scaled(5.0)(3.0) == 15.0
    assert module.kernel(lambda x: x + 1.0)(1.0) == 2.0
    assert module.apply(numba.njit(lambda x: x - 1.0), 1.0) == 0.0
    assert toy.entries() == []


def test_a_kernel_within_others_is_saved_as_a_piece_that_they_share(toy, module, monkeypatch):
    module.total(1.0)
    helper = module.helper
    piece = toy.entry("helper")
    assert helper.signatures == []  # no code that Python could call
    assert helper(1.0) == 10.0
    assert len(toy.entries()) == 3
    again = module.kernel(helper.py_func)
    monkeypatch.setattr(numba.core.dispatcher._FunctionCompiler, "compile", None)  # nor is it
    _, _, _, none = again.get_call_template((numba.float64,), {})
    assert (none, piece.exists()) == ({}, True)


def test_a_part_that_python_calls_is_saved_too(toy, module):
    module.part(module.helper.py_func)(1.0)
    again = module.part(module.helper.py_func)
    assert (again(1.0), hits(again), len(toy.entries())) == (10.0, 1, 1)


def test_where_pieces_cannot_be_made_kernels_are_compiled_whole(toy, module, monkeypatch):
    monkeypatch.delattr("numba.core.compiler.Compiler")
    assert module.total(1.0) == 11.0
    assert len(module.helper.signatures) == 1


@pytest.mark.slow
def test_users_can_call_a_kernel_from_compiled_code_and_pickle_it(toy, module):
    total = module.total
    assert numba.njit(lambda x: 2.0 * total(x))(1.0) == 22.0
    assert pickle.loads(pickle.dumps(total)) is total
    read = f"import pickle; print(pickle.loads({pickle.dumps(total)!r})(1.0))"
    assert toy.run(read) == "11.0"
