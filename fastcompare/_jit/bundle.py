"""Kernels that were compiled when the package was built, for processors of some level.

A wheel for a platform has a library for each level, which `scripts/build_bundle.py` made: an
extension module that needs neither Numba nor LLVM, so that a process that compiles nothing imports
neither. A file's name says what its code depends on: Python's minor version, the kernels' sources
and the level. Where none fits, kernels are compiled as if there were none. FASTCOMPARE_BUNDLE=0 in
the environment ignores all of them, and the name of a level takes that one.

A file is checked as an entry of the cache is, but for its owner: who can write it could write this
module, too.
"""

import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any, NamedTuple

from .._base.exceptions import CacheWarning
from .cache import HERE, STATES, DamagedEntryError, is_changed, read_entry, sources_digest
from .numpy_sort import cpuinfo, setting, sorts_by_microcode

SWITCH = "FASTCOMPARE_BUNDLE"
V3 = "abm avx avx2 bmi1 bmi2 cx16 f16c fma lahf_lm movbe pni popcnt sse4_1 sse4_2 ssse3 xsave"
V4 = f"{V3} avx512bw avx512cd avx512dq avx512f avx512vl"
DIGITS = "-digits"  # ends the name of a level for processors on which NumPy's sort is slow
LEVELS = {"x86-64-v4-digits": V4, "x86-64-v4": V4, "x86-64-v3": V3, "aarch64": "asimd"}
CODE_SETTINGS = ("BOUNDSCHECK", "CPU_FEATURES", "CPU_NAME", "DISABLE_JIT")  # Numba for other code


class Bundle(NamedTuple):
    """The kernels of a level, or why there are none."""

    level: str
    reason: str
    kernels: dict[str, Callable[..., Any]]


@cache
def tag() -> str:
    """Return the beginning of the names of files: Python's version, platform, hash of sources."""
    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}-{sys.platform}"
    return f"kernels-{python}-{sources_digest()[:16]}"


@cache
def bundle() -> Bundle:
    """Return the precompiled kernels that fit this process, or the reason why there are none."""
    wanted = os.environ.get(SWITCH, "")
    files = sorted(path.name for path in (HERE / "bundles").glob("kernels-*"))
    is_whole = files and STATES  # a frozen program may lack the sources
    fitting = [level for level in LEVELS if is_whole and f"{tag()}-{level}" in files]
    if not is_whole:
        reason = "there are no files of the kernels" if files else "this installation has none"
    elif wanted == "0" or any(setting(name) is not None for name in CODE_SETTINGS):
        reason = "switched off by the environment"
    elif not fitting:
        reason = f"made for {files[0]}, here is {tag()}"
    else:
        levels = [wanted] if wanted in LEVELS else fitting
        reasons = {level: reason_not_to_use(level, wanted) for level in levels}
        usable = [level for level, why_not in reasons.items() if not why_not]
        if usable:
            return _read(usable[0])
        reason = "; ".join(f"{level} {why_not}" for level, why_not in reasons.items())
    return Bundle("", reason, {})


def reason_not_to_use(level: str, wanted: str) -> str:
    """Return why this process cannot or should not use the code of a level; '' if it should."""
    has = cpuinfo().get("flags", cpuinfo().get("Features", "")).split()
    if lacking := [feature for feature in LEVELS[level].split() if feature not in has]:
        return f"needs {lacking[0]}"
    is_other = level != wanted and level.endswith(DIGITS) != sorts_by_microcode()
    return "is for processors that sort at another speed" if is_other else ""


def _read(level: str) -> Bundle:
    """Return the kernels compiled for a processor level, or an empty bundle and the reason."""
    path = HERE / "bundles" / f"{tag()}-{level}"
    reason = f"{path} is damaged, or others could have written it"
    try:
        if read_entry(path, HERE.stat()):
            return Bundle(level, "", load(path))
    except ImportError as error:  # of NumPy's C interface, or of the C library
        reason = str(error)
    except DamagedEntryError:
        message = f"The compiled kernels in {path} are damaged; compiling others."
        warnings.warn(message, CacheWarning, stacklevel=2)
    return Bundle("", reason, {})


def load(path: Path) -> dict[str, Callable[..., Any]]:
    """Return the kernels of a library; they return NotImplemented for arguments of other types."""
    loader = ExtensionFileLoader("kernels", str(path))
    library = module_from_spec(ModuleSpec(loader.name, loader, origin=loader.path))
    loader.exec_module(library)
    return {name: each for name, each in vars(library).items() if "." in name}


def find(function: Any) -> Callable[..., Any] | None:
    """Return the precompiled kernel of a function, None if the package has none."""
    kernel = bundle().kernels.get(f"{function.__module__}.{function.__qualname__}")
    return kernel if kernel and not is_changed(Path(function.__code__.co_filename)) else None
