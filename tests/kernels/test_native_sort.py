"""NumPy's sort of integers, called from compiled code: it sorts, or another one does."""

import ctypes
import os
import subprocess
import sys

import numba
import numpy as np
import pytest
from numpy._core._multiarray_umath import __cpu_features__
from numpy.testing import assert_array_equal

from fastcompare._jit import numpy_sort
from fastcompare.kernels.sorting.native import radix_sort, sort64, sort_packed32, sort_packed64

SORTS = {"uint32": sort_packed32, "uint64": sort_packed64}


def of_every_magnitude(dtype, n):
    rng = np.random.default_rng(n)
    bits = 8 * np.dtype(dtype).itemsize
    return rng.integers(0, 1 << bits, n, dtype) >> rng.integers(0, bits, n).astype(dtype)


@pytest.mark.parametrize("n", [0, 1, 2, 31, 1000, 40_000])
@pytest.mark.parametrize("dtype", SORTS)
def test_both_sorts_sort_in_place(dtype, n, requires_jit):
    keys = of_every_magnitude(dtype, n)
    native, radix = keys.copy(), keys.copy()
    sort = SORTS[dtype]
    numba.njit(lambda x: sort(x, np.uint64(0)))(native)
    radix_sort(radix)
    assert_array_equal(native, np.sort(keys))
    assert_array_equal(radix, np.sort(keys))


def test_an_array_of_another_kind_is_not_sorted(requires_jit):
    call = numba.njit(lambda x: sort64(x))
    for wrong in (np.zeros(4, np.uint32), np.zeros((2, 2), np.uint64), np.zeros(8, np.uint64)[::2]):
        with pytest.raises(numba.TypingError):
            call(wrong)


@pytest.fixture
def no_memory():
    numpy_sort.sort_address.cache_clear()
    yield
    numpy_sort.sort_address.cache_clear()


def test_numpys_sort_is_had_here():
    assert all(numpy_sort.sort_address(dtype) for dtype in numpy_sort.SORTED)


@pytest.mark.usefixtures("no_memory")
def test_another_abi_is_not_trusted(monkeypatch):
    monkeypatch.setattr(numpy_sort, "ABI", 0x03000000)
    assert numpy_sort.sort_address("uint64") == 0


@pytest.mark.usefixtures("no_memory")
def test_a_table_that_cannot_be_had_gives_no_sort(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(numpy_sort, "import_module", missing)
    assert numpy_sort.sort_address("uint64") == 0


@pytest.mark.usefixtures("no_memory")
def test_a_function_that_does_not_sort_is_refused(monkeypatch):
    idle = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_void_p)(
        lambda data, size, array: 0
    )
    address = ctypes.cast(idle, ctypes.c_void_p).value
    monkeypatch.setattr(numpy_sort, "_address_of_sort", lambda table, dtype: address)
    assert numpy_sort.sort_address("uint64") == 0


def test_a_sort_in_microcode_is_slow_where_numpy_uses_it(monkeypatch, requires_jit):
    numpy_sort.sorts_by_microcode.cache_clear()
    try:
        monkeypatch.setattr(numpy_sort, "MICROCODED", ".*")
        monkeypatch.setattr(numpy_sort, "AVX512", ("no such feature",))
        assert not numpy_sort.sorts_by_microcode()
        numpy_sort.sorts_by_microcode.cache_clear()
        monkeypatch.setattr(numpy_sort, "AVX512", tuple(__cpu_features__))
        assert numpy_sort.sorts_by_microcode()
        numpy_sort.sorts_by_microcode.cache_clear()
        monkeypatch.setattr(numpy_sort, "MICROCODED", "no such processor")
        assert not numpy_sort.sorts_by_microcode()
    finally:
        numpy_sort.sorts_by_microcode.cache_clear()


BITS = """
import numpy as np
import fastcompare as fc
rng = np.random.default_rng(0)
for n in (50, 1000, 5000, 20_000):
    labels = (np.arange(n) % 10 < 3).astype(int)
    for decimals in (1, 15):
        scores = rng.normal(size=(2, n)).round(decimals) + labels
        result = fc.delong_test(labels, *scores)
        print(result.statistic.hex(), result.covariance.tobytes().hex())
        print(float(sum(fc.kernels.delong(labels.astype(np.uint8), *scores))).hex())
"""
WITHOUT = """
from numpy._core._multiarray_umath import __cpu_features__
from fastcompare._jit import numpy_sort
how = "{how}"
if how == "hidden":
    numpy_sort.ABI += 1
numpy_sort.AVX512 = tuple(__cpu_features__) if how == "slow" else ()
numpy_sort.MICROCODED = ".*"
assert (numpy_sort.sort_address("uint64") == 0) == (how == "hidden")
assert numpy_sort.sorts_by_microcode() == (how == "slow")
"""


@pytest.mark.slow
def test_results_have_the_same_bits_by_any_sort(requires_jit, capsys):
    other = "numpys" if numpy_sort.sorts_by_microcode() else "slow"
    by_other_sorts = [
        subprocess.run(
            [sys.executable, "-c", WITHOUT.format(how=how) + BITS],
            env={**os.environ, "NUMBA_OPT": "0"},  # compiles in half of the time
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for how in ("hidden", other)
    ]
    exec(BITS, {})
    bits = capsys.readouterr().out
    assert bits
    assert by_other_sorts == [bits, bits]
