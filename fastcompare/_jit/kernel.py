"""Compile kernels: the only place that knows Numba's options.

Use `kernel` on every function of `fastcompare.kernels`. Code is compiled on the first call and
kept on disk for the next process. Numba's own ``cache=True`` is not used, since it runs old code
when a kernel in another file has changed, and raises from the user's call when a file is damaged,
the disk is full or no directory can be written. Here a wrong entry is a missing entry.

A kernel's numbers may depend on its arguments and on files of `fastcompare.kernels` alone: those
are the files whose change is noticed. Kernels from elsewhere, and closures, are not cached.
"""

import gc
import hashlib
import pickle
import platform
import re
import sys
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache, partial, update_wrapper
from pathlib import Path
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from .._base.exceptions import CacheWarning, warn
from . import bundle
from .cache import (
    VARIABLE,
    cache_directory,
    discard_entry,
    find_directory,
    read_entry,
    sources,
    stamp_directory,
    write_entry,
)
from .numpy_sort import NAME, SORTED, sort_address

__all__ = ["cache_directory", "kernel", "part"]

P = ParamSpec("P")
R = TypeVar("R")

# Settings of Numba that change the code it makes and that a process can change; the CPU's name
# and features come from `magic_tuple`.
CODE_FLAGS = (
    *("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "USING_SVML", "DEBUGINFO_DEFAULT"),
    *("DISABLE_INTEL_SVML", "ENABLE_AVX", "EXTEND_VARIABLE_LIFETIMES"),
    *("LLVM_REFPRUNE_PASS", "LLVM_REFPRUNE_FLAGS", "ENABLE_PROFILING", "DEBUG_JIT", "DEBUG_NRT"),
)
SERVED = {"cache": 0, "bundle": 0, "compiler": 0}  # how often each gave this process a kernel


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` on its first call; it runs without the GIL and 1/0 is inf, as in NumPy.

    Nobody calls it through ctypes: without that wrapper a first call takes 0.9 of the time.
    """
    return _compiled_on_first_call(function, no_cfunc_wrapper=True)


def part(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` inline in the kernels that call it, of which there are few.

    A kernel of its own is compiled and optimised for itself, and again in each that calls it: the
    first `delong_test` takes 0.78 of the time if its small ones are parts.
    """
    return _compiled_on_first_call(function, inline="always")


def _compiled_on_first_call(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    """Return a kernel that is looked up in the bundle or else compiled when first called."""
    make = partial(_dispatcher, function, options)
    return cast(
        Callable[P, R], PrecompiledKernel(function, make) if bundle.bundle().level else make()
    )


def _dispatcher(function: Any, options: dict[str, Any]) -> Any:
    """Return Numba's dispatcher of a function, with this package's cache if Numba allows it.

    With NUMBA_DISABLE_JIT the function itself, without NumPy's warnings.
    """
    compiled = _numba().njit(nogil=True, error_model="numpy", **options)(function)
    if compiled is function:  # NUMBA_DISABLE_JIT: hashes overflow by design, and NumPy would warn
        return np.errstate(all="ignore")(function)
    if not hasattr(compiled, "_cache") or not _has_expected_cache_interface():
        return compiled
    compiled._cache = cache = KernelCache(function)  # of parts, too: Python calls some
    if "inline" not in options:
        compiled.get_call_template = partial(_link_or_compile_call, compiled, cache)
        compiled.compile = partial(_compile, compiled.compile)
    return compiled


@cache
def _numba() -> Any:
    """Return the numba module, prepared to call NumPy's sorts; raise with advice if it fails."""
    try:
        import numba
        from llvmlite import binding  # type: ignore[import-untyped]
    except ImportError as error:
        raise ImportError(
            "fastcompare compiles its kernels with numba, which cannot be imported with Python "
            f"{platform.python_version()} and NumPy {np.__version__}: {error} "
            "(pip install --upgrade 'numba>=0.63')"
        ) from error
    for dtype in SORTED:
        binding.add_symbol(NAME + dtype, sort_address(dtype))  # of 0: no code calls it
    with suppress(ImportError, AttributeError):  # nobody has to know that it takes long
        from . import waiting as waiting
    return numba


def silenced() -> AbstractContextManager[None]:
    """Return a context in which compiling is not announced, since the caller asked for it."""
    with suppress(ImportError, AttributeError):
        from .waiting import COMPILE_NOTICE

        return COMPILE_NOTICE.silenced()
    return nullcontext()


class PrecompiledKernel:
    """A kernel that came with the package, compiled for the usual types of arguments.

    Other types, and Numba itself, get a dispatcher, which compiles.
    """

    def __init__(self, function: Callable[..., Any], make: Callable[[], Any]) -> None:
        """Look up the function in the bundle; `make` returns its dispatcher for other calls."""
        update_wrapper(self, function)
        compiled = bundle.find(function)
        SERVED["bundle"] += compiled is not None
        self.py_func, self._dispatcher = function, cache(make)
        self._call = compiled or (lambda *_: NotImplemented)  # Python calls no other

    def __call__(self, *args: Any, **options: Any) -> Any:
        result = NotImplemented if options else self._call(*args)
        return self._dispatcher()(*args, **options) if result is NotImplemented else result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dispatcher(), name)  # `_numba_type_`: compiled code can call it

    def __reduce__(self) -> str:
        return self.py_func.__qualname__


def _link_or_compile_call(compiled: Any, cache: "KernelCache", args: Any, kws: Any) -> Any:
    """Return Numba's type of the call of a kernel by another kernel, which then links its code.

    Only the first such call comes here: it replaces the dispatcher's methods by those of
    `LinkableKernel`.
    """
    del compiled.get_call_template
    with suppress(ImportError, AttributeError):  # Numba's private parts have moved
        from .pieces import LinkableKernel

        pieces = LinkableKernel(compiled, cache)
        compiled.get_call_template = pieces.get_call_template
        compiled.get_overload = pieces.get_overload
    return compiled.get_call_template(args, kws)


def _compile(compile_code: Callable[[Any], Any], signature: Any) -> Any:
    """Return compile_code(signature), with garbage collection off: 0.9 of the time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return compile_code(signature)
    finally:
        if collects:
            gc.enable()


def _skip_linear_algebra() -> None:
    """Import Numba's functions of arrays, but not SciPy's BLAS only to see that it is there.

    It takes 0.3 s, and Numba imports it where code needs it.
    """
    if "numba.np.arraymath" in sys.modules:
        return
    from numba.np import linalg

    ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        from numba.np import arraymath

        arraymath.ensure_blas = ensure_blas
    finally:
        linalg.ensure_blas = ensure_blas


def _has_expected_cache_interface() -> bool:
    """Return whether Numba's private interface of caches is the one that `KernelCache` has."""
    with suppress(ImportError, AttributeError):
        from numba.core.caching import _Cache

        return bool(_Cache.__abstractmethods__ <= set(dir(KernelCache)))
    return False


def warn_of_lost_code(fault: str) -> None:
    """Warn, once in a process, that compiled code cannot be kept, and say what to do.

    Results are right, so no call fails if warnings are errors.
    """
    if not KernelCache.has_warned:
        KernelCache.has_warned = True
        with suppress(CacheWarning):
            warn(
                f"Compiled code cannot be kept: {fault}. Every process compiles it again. Set "
                f"{VARIABLE} to a directory that only you can write or, to do without one, to ''.",
                CacheWarning,
            )


class KernelCache:
    """The cache of one kernel, as Numba's dispatcher uses it under Numba's compiler lock.

    Numba's parts that are not public are looked up where they are needed, and where one has
    moved the kernel is compiled in each process.
    """

    has_warned = False  # of what cannot be kept

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        self._name = re.sub(r"[^\w.]", "_", f"{function.__module__}.{function.__qualname__}")
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        """Directory of the entries; Numba reports it in ``kernel.stats``."""
        directory = self._directory()
        return None if directory is None else str(directory)

    def enable(self) -> None:
        """Read and write entries, as from the start."""
        self._enabled = True

    def disable(self) -> None:
        """Neither read nor write entries."""
        self._enabled = False

    def flush(self) -> None:
        """Forget this kernel's code, for ``kernel.recompile()``."""
        directory = self._directory()
        for path in directory.glob(f"{self._name}-*") if directory else ():
            discard_entry(path)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Code that an earlier process saved, or None."""
        with suppress(ImportError, AttributeError):
            from numba.core.compiler import CompileResult
            from numba.core.runtime import rtsys

            rebuild = CompileResult._rebuild
            # All that ready code needs. Numba's own cache calls target.refresh(), which imports
            # what compiling needs, SciPy's linear algebra too: 0.4 s of a process of 1.0 s.
            rtsys.initialize(target)
            ready = self.load(signature, target, rebuild)
            if ready is None:
                _skip_linear_algebra()
            return ready
        return None

    def load(self, key: Any, target: Any, rebuild: Callable[..., Any]) -> Any:
        """Return code that was saved under a key, rebuilt for a target; None if there is none."""
        with suppress(ImportError, AttributeError):
            path = self._path(key, target.codegen())
            ready = None if path is None else self._load(path, rebuild, target)
            SERVED["cache"] += ready is not None
            return ready
        return None

    def _load(self, path: Path, rebuild: Callable[..., Any], target: Any) -> Any:
        """Return the code rebuilt from an entry of the cache, or None if there is none to use."""
        try:
            content = read_entry(path)
            return None if content is None else rebuild(target, *pickle.loads(content))
        except Exception:  # whatever a pickle can raise
            discard_entry(path)  # first, since the warning may be an error
        message = f"The compiled code of {self._name} in {path} is damaged; recompiling."
        warnings.warn(message, CacheWarning, stacklevel=2)
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Save code for later processes, if that can be done."""
        SERVED["compiler"] += 1
        try:
            *content, environments = compiled._reduce()
            # Where one is read its module is imported: for `np.empty` what Numba knows of arrays,
            # 0.1 of a process with ready code. Code that uses one names it where it does.
            code = str(compiled.library._final_module)
            used = tuple(each for each in environments if code.count(each.env_name) > 1)
        except Exception:  # private parts of Numba have moved
            return
        self.save(signature, compiled.library, (*content, used))

    def save(self, key: Any, library: Any, content: tuple[Any, ...]) -> None:
        """Save content, from which `load` rebuilds the code in `library`, under a key.

        If it cannot be saved, a warning says that later processes compile again.
        """
        _, fault = find_directory()
        with suppress(Exception):
            from numba.core.serialize import dumps

            path = self._path(key, library.codegen)
            if path is not None and not library.has_dynamic_globals:
                try:
                    write_entry(path, dumps(content))
                except OSError as error:
                    fault = str(error)
        if fault:
            warn_of_lost_code(fault)

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """Return the file of a signature's compiled code, or None if it cannot be cached."""
        line = self._function.__code__.co_firstlineno
        flags = [getattr(_numba().config, flag, None) for flag in CODE_FLAGS]
        key = repr((self._name, line, signature, codegen.magic_tuple(), flags))
        directory = self._directory()
        if directory is None or " at 0x" in key:  # an address, as of a function that is passed
            return None
        return directory / f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"

    def _directory(self) -> Path | None:
        """Return the directory of the function's compiled code, or None if it is not cached."""
        code = self._function.__code__
        with suppress(OSError):  # no source files, as in a zipped or frozen program
            if self._enabled and not code.co_freevars and Path(code.co_filename) in sources():
                return stamp_directory()
        return None
