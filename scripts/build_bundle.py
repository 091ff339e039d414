"""Compile the kernels for levels of processors, and write a file of each: see `_jit/bundle.py`.

python scripts/build_bundle.py DIRECTORY LEVEL...

A level is a name of `bundle.LEVELS`, or `here`: what this machine would take. Wheels get the files
by `scripts/wheel_hook.py`; in a checkout they are found in fastcompare/_jit/bundles.
"""

import os
import pickle
import subprocess
import sys
import zlib
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
OURS = ("NUMBA_", "FASTCOMPARE_", "NPY_")  # how variables begin that change code or its place
MARK = "FASTCOMPARE_BUNDLE_FOR"  # in the environment of a process that compiles for a level
LLVMS_NAMES = {"aarch64": "generic"}  # of processors, where a level is called otherwise


def best_level() -> str:
    """Return the level that this machine would take."""
    bundle = import_module("fastcompare._jit.bundle")
    return next(level for level in bundle.LEVELS if not bundle.misfit(level, ""))


def settings(level: str) -> dict[str, str]:
    """Return variables of a process that compiles for a level and reads nothing compiled."""
    processor = LLVMS_NAMES.get(level, level.removesuffix("-digits"))
    return {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": "", "FASTCOMPARE_CACHE_DIR": ""}


def collect(package: str, level: str) -> dict[str, bytes]:
    """Return the entries of all kernels of a package that this process compiles from now on."""
    entries: dict[str, bytes] = {}
    room = {name: import_module(f"{package}._jit.{name}") for name in ("kernel", "numpy_sort")}
    dumps = import_module("numba.core.serialize").dumps

    def save(self, key, library, content) -> None:
        entry = self._entry(key)
        if entry and self._is_known() and isinstance(content[0], tuple):  # no piece of a kernel
            assert not library.has_dynamic_globals, entry
            entries[entry] = zlib.compress(dumps(lean(content)), 9)

    room["kernel"].KernelCache.save = save
    room["numpy_sort"].is_slow = lambda: level.endswith("-digits")  # for kernels, imported later
    return entries


def lean(content: tuple) -> tuple:
    """Return what is saved of a kernel with names alone for its bitcode: half of the size.

    Numba asks which names a library has. It reads bitcode of kernels that others call, but these
    have code of their own, see `_jit/pieces.py`.
    """
    from llvmlite import binding

    (name, kind, (code, bitcode)), *rest = content
    module = binding.parse_bitcode(bitcode)
    functions, variables = (
        [each.name for each in every if not each.is_declaration]
        for every in (module.functions, module.global_variables)
    )
    lines = [
        f'define void @"{each}"() {{ call void @llvm.trap() unreachable }}' for each in functions
    ]
    lines += [f'@"{each}" = global i8 0' for each in variables]
    names = binding.parse_assembly("\n".join(["declare void @llvm.trap()", *lines]))
    names.triple = binding.get_process_triple()
    return (name, kind, (code, names.as_bitcode())), *rest


def write(package: str, level: str, entries: dict[str, bytes], directory: str | Path) -> Path:
    """Write the file of a level; return its path."""
    path = Path(directory) / f"{import_module(f'{package}._jit.bundle').tag()}-{level}"
    import_module(f"{package}._jit.cache").write_entry(path, pickle.dumps(entries))
    path.chmod(0o644)
    return path


def compile_all(level: str, directory: str) -> None:
    """Compile the kernels of the package in this process, and write the file of its level."""
    entries = collect("fastcompare", level)
    seconds = import_module("fastcompare").warmup()
    path = write("fastcompare", level, entries, directory)
    size = f"{path.stat().st_size / 1e6:.2f} MB"
    print(f"{path.name}: {len(entries)} kernels, {size}, {seconds:.0f} s", flush=True)


def main() -> None:
    """Write files of levels, each by a process of its own."""
    sys.path.insert(0, str(ROOT))
    directory, *levels = sys.argv[1:]
    if levels == [os.environ.get(MARK)]:
        compile_all(*levels, directory)
        return
    for name in levels:
        level = best_level() if name == "here" else name
        kept = {name: each for name, each in os.environ.items() if not name.startswith(OURS)}
        command = [sys.executable, __file__, directory, level]
        subprocess.run(command, env={**kept, **settings(level), MARK: level}, check=True)


if __name__ == "__main__":
    main()
