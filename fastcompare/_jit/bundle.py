"""Kernels that were compiled when the package was built, for processors of some level.

A wheel for a platform has a file for each level, which `scripts/build_bundle.py` made. A file's
name says what its code depends on: Python's minor version, Numba, llvmlite, the kernels' sources
and the level. Where none fits, kernels are compiled as if there were none. FASTCOMPARE_BUNDLE=0 in
the environment ignores all of them, and the name of a level takes that one.

A file is checked as an entry of the cache is, but for its owner: who can write it could write this
module, too. It is a pickle of what the cache would keep of each kernel, compressed.
"""

import os
import pickle
import sys
import warnings
import zlib
from functools import cache
from typing import NamedTuple

from .._base.exceptions import CacheWarning
from .cache import HERE, DamagedEntryError, read_entry, sources_changed, sources_digest
from .numpy_sort import SORTED, is_slow, sort_address

SWITCH = "FASTCOMPARE_BUNDLE"
V3 = "avx avx2 bmi bmi2 cx16 f16c fma lzcnt movbe popcnt sahf sse3 sse4.1 sse4.2 ssse3 xsave"
V4 = f"{V3} avx512bw avx512cd avx512dq avx512f avx512vl"
DIGITS = "-digits"  # ends the name of a level for processors on which NumPy's sort is slow
LEVELS = {"x86-64-v4-digits": V4, "x86-64-v4": V4, "x86-64-v3": V3, "aarch64": "neon"}


class Bundle(NamedTuple):
    """The kernels of a level, or why there are none."""

    level: str
    reason: str
    entries: dict[str, bytes]


@cache
def tag() -> str:
    """Return the versions on which code depends beside the level, as names of files have them."""
    import llvmlite  # type: ignore[import-untyped]
    import numba

    python = f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}-{sys.platform}"
    return (
        f"{python}-numba{numba.__version__}-llvmlite{llvmlite.__version__}-{sources_digest()[:16]}"
    )


@cache
def bundle() -> Bundle:
    """Return the kernels that came with the package and fit, or why there are none."""
    from numba import config

    wanted = os.environ.get(SWITCH, "")
    there = sorted(path.name for path in (HERE / "bundles").glob("*-numba*"))
    fitting = [level for level in LEVELS if f"{tag()}-{level}" in there]
    if wanted == "0" or config.CPU_NAME or config.CPU_FEATURES is not None:
        reason = "switched off by the environment"
    elif not fitting:
        reason = f"made for {there[0]}, here is {tag()}" if there else "this installation has none"
    else:
        levels = [wanted] if wanted in LEVELS else fitting
        reasons = {level: misfit(level, wanted) for level in levels}
        if level := next((level for level, misfit in reasons.items() if not misfit), ""):
            return _read(level)
        reason = "; ".join(f"{level} {misfit}" for level, misfit in reasons.items())
    return Bundle("", reason, {})


def misfit(level: str, wanted: str) -> str:
    """Return why this process does not take the code of a level; nothing where it does."""
    from llvmlite import binding

    has = binding.get_host_cpu_features()
    if lacking := [feature for feature in LEVELS[level].split() if not has.get(feature)]:
        return f"needs {lacking[0]}"
    if level != wanted and level.endswith(DIGITS) != is_slow():
        return "is for processors that sort at another speed"
    return "" if all(map(sort_address, SORTED)) else "needs NumPy's sort"


def _read(level: str) -> Bundle:
    path = HERE / "bundles" / f"{tag()}-{level}"
    try:
        if content := read_entry(path, HERE.stat()):
            return Bundle(level, "", pickle.loads(content))
    except DamagedEntryError:
        message = f"The compiled kernels in {path} are damaged; compiling others."
        warnings.warn(message, CacheWarning, stacklevel=2)
    return Bundle("", f"{path} is damaged, or others could have written it", {})


def find(name: str) -> bytes | None:
    """Return the entry of this name as of the cache, None where the package has none."""
    content = None if sources_changed() else bundle().entries.get(name)
    return None if content is None else zlib.decompress(content)
