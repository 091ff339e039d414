"""NumPy's own sort of unsigned integers, for kernels: SIMD, in place, without the GIL.

A dtype's sort is a plain C function in a public struct (``PyArray_ArrFuncs``) that NumPy's C API
hands out. Kernels call it by a name that the linker resolves, so that their code can be kept on
disk: an address would differ in the next process.

From a kernel, for 1,000 and for 10^6 keys of 64 bits: 0.4 and 0.9 of a radix sort (AVX2, one
thread). With AVX-512 it compresses vectors into memory, which some processors do in microcode.
"""

import ctypes
import hashlib
import os
import re
import sys
from contextlib import suppress
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import numpy as np

ABI = 0x02000000  # of NumPy 2.x: the places below hold while NumPy reports this one
NDARRAY_C_VERSION, GET_ARR_FUNCS = 0, 365  # places in NumPy's table of functions
SORT = 33  # place in PyArray_ArrFuncs, after 21 casts and 12 other functions
SORTED = ("uint32", "uint64")  # what kernels sort
NAME = "fastcompare_sort_"  # for the linker, before the dtype
# Zen 4, as Linux and LLVM know it: there 10^6 keys take 4.5 of the time that AVX2 needs.
MICROCODED = r"AuthenticAMD 25 (1[6-9]|2\d|3[01]|9[6-9]|1[01]\d|12[0-7]|16\d|17[0-5])|znver4"
AVX512 = ("X86_V4", "AVX512_SKX")  # NumPy's names, of today and before 2.4


@cache
def sort_address(dtype: str) -> int:
    """Return the address of NumPy's sort of a dtype; 0 where it cannot be had or does not sort."""
    with suppress(ImportError, AttributeError, TypeError, ValueError):
        table = _numpy_function_table()
        if ctypes.CFUNCTYPE(ctypes.c_uint)(table[NDARRAY_C_VERSION])() == ABI:
            address = _address_of_sort(table, dtype)
            return address if address and _sorts(address, dtype) else 0
    return 0


def _numpy_function_table() -> Any:
    """Return the pointers to the functions of NumPy's C interface, as an array of ctypes."""
    capsule = import_module("numpy._core._multiarray_umath")._ARRAY_API
    content_type = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    content = content_type(("PyCapsule_GetPointer", ctypes.pythonapi))
    return ctypes.cast(content(capsule, None), ctypes.POINTER(ctypes.c_void_p))


def _address_of_sort(table: Any, dtype: str) -> int:
    """Return the address of the sort of a dtype, by NumPy's table of functions; 0 for none."""
    functions_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(table[GET_ARR_FUNCS])
    functions = ctypes.cast(functions_of(np.dtype(dtype)), ctypes.POINTER(ctypes.c_void_p))
    return functions[SORT] or 0


def _sorts(address: int, dtype: str) -> bool:
    """Return whether the function at this address sorts some numbers of every magnitude."""
    sort_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_void_p)
    digits = b"".join(hashlib.sha256(bytes([i])).digest() for i in range(40))
    numbers = np.frombuffer(digits, dtype).copy()
    expected = np.array(sorted(numbers.tolist()), dtype)
    # None for the array object, which sorts of numbers do not use.
    succeeded = sort_type(address)(numbers.ctypes.data, numbers.size, None) == 0
    return succeeded and np.array_equal(numbers, expected)


def setting(name: str) -> Any:
    """Return a setting of Numba, which is not imported for it; None where nobody chose it."""
    chosen = getattr(sys.modules.get("numba"), "config", None)
    value = getattr(chosen, name) if chosen else os.environ.get(f"NUMBA_{name}")
    return None if value in ("0", 0) else value


@cache
def cpuinfo() -> dict[str, str]:
    """Return the entries of /proc/cpuinfo on the first processor; none where it does not exist."""
    with suppress(OSError), open("/proc/cpuinfo", errors="replace") as file:
        first = file.read(1 << 13).partition("\n\n")[0]
        pairs = (line.partition(": ") for line in first.splitlines() if ": " in line)
        return {name.rstrip(): value for name, _, value in pairs}
    return {}


@cache
def sorts_by_microcode() -> bool:
    """Return whether NumPy sorts by instructions that are slow microcode on this processor."""
    features = getattr(import_module("numpy._core._multiarray_umath"), "__cpu_features__", {})
    used = any(features.get(name) for name in AVX512)  # unless NPY_DISABLE_CPU_FEATURES has it
    if not used or setting("DISABLE_JIT"):
        return False
    processor = cpuinfo() or {"model": import_module("llvmlite.binding").get_host_cpu_name()}
    kind = " ".join(processor.get(name, "") for name in ("vendor_id", "cpu family", "model"))
    return re.fullmatch(MICROCODED, kind.strip()) is not None


def native_sort(dtype: str) -> Any:
    """Return a function for kernels that sorts a contiguous array of this dtype in place.

    None where NumPy's cannot be had. Where kernels run as plain Python it is NumPy's method.
    """
    if setting("DISABLE_JIT"):
        return np.ndarray.sort
    return NativeSort(dtype) if sort_address(dtype) else None


class NativeSort:
    """NumPy's sort of a dtype, which Numba is imported for where code is compiled."""

    def __init__(self, dtype: str) -> None:
        self.dtype = dtype

    @cached_property
    def _numba_type_(self) -> Any:
        """Return the type by which Numba, which reads this attribute, compiles a call."""
        from llvmlite import ir  # type: ignore[import-untyped]
        from numba import types
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        name = NAME + self.dtype
        pointer = ir.IntType(8).as_pointer()
        size = ir.IntType(64)
        signature = ir.FunctionType(ir.IntType(32), [pointer, size, pointer])

        @intrinsic
        def sort(typing_context, keys):  # type: ignore[no-untyped-def]
            """Return the signature and the code generator for arrays of this sort's type."""
            if keys != types.Array(getattr(types, self.dtype), 1, "C"):
                return None  # no other array can be sorted by this function

            def generate(context, builder, signature_, arguments):  # type: ignore[no-untyped-def]
                """Emit the call of NumPy's sort with the array's data and length."""
                module = builder.module
                function = module.globals.get(name) or ir.Function(module, signature, name)
                array = context.make_array(signature_.args[0])(context, builder, arguments[0])
                data = builder.bitcast(array.data, pointer)
                builder.call(function, [data, array.nitems, ir.Constant(pointer, None)])
                return context.get_dummy_value()

            return types.void(keys), generate

        cpu_target.typing_context.refresh()
        return cpu_target.typing_context.resolve_value_type(sort)
