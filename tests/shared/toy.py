"""A package that has the cache of the real one and two kernels in two files.

Use it where a test changes sources, or needs processes that start without compiled code.
"""

import os
import subprocess
import sys
import textwrap
from itertools import count
from pathlib import Path

from fastcompare._jit import cache

TOTAL = """
    from .._jit.kernel import kernel, part
    from .b import helper

    @kernel
    def total(x):
        return helper(x) + 1.0

    @kernel
    def apply(function, x):
        return function(x)

    def scaled(scale):
        @kernel
        def times(x):
            return scale * x
        return times
"""
HELPER = """
    from .._jit.kernel import kernel

    @kernel
    def helper(x):
        return {factor} * x
"""
SHOW = """
    from {name}.kernels.a import total
    print(total(1.0), sum(total.stats.cache_hits.values()))
"""
JIT = ("bundle", "cache", "kernel", "numpy_sort", "pieces")
COPIED = (
    "_base/exceptions.py",
    "_base/neighbours.py",
    "_base/text.py",
    *(f"_jit/{name}.py" for name in JIT),
)
ROOMS = ("_base", "_jit", "kernels")
numbers = count()


class Toy:
    """A package with kernels ``a.total`` and ``b.helper``, and a directory for its entries."""

    def __init__(self, root):
        self.root, self.cache = root, root / "cache"
        self.name = f"toy{next(numbers)}"  # modules of one process need different names
        package = root / self.name
        for directory in (package, *(package / room for room in ROOMS)):
            directory.mkdir(parents=True, exist_ok=True)
            directory.joinpath("__init__.py").touch()
        for name in COPIED:
            text = Path(cache.HERE.parent, name).read_text(encoding="utf-8")
            (package / name).write_text(text, encoding="utf-8")
        self.write("a", TOTAL)
        self.write("b", HELPER.format(factor=10))

    def write(self, module, text):
        path = self.root / self.name / "kernels" / f"{module}.py"
        path.write_text(textwrap.dedent(text))

    def start(self, script=SHOW, **variables):
        """Start a process; its variables are ours, less bytecode, which goes by mtime and size."""
        settings = {"FASTCOMPARE_CACHE_DIR": str(self.cache), "NUMBA_DISABLE_JIT": "0"}
        settings |= {"PYTHONPATH": str(self.root), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-W", "error", "-c", textwrap.dedent(script)]
        command[-1] = command[-1].replace("{name}", self.name)
        environment = os.environ | settings | variables
        return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)

    def run(self, script=SHOW, **variables):
        process = self.start(script, **variables)
        output, _ = process.communicate()
        assert process.returncode == 0
        return output.strip()

    def entries(self):
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def entry(self, kernel):
        (path,) = (path for path in self.entries() if f".{kernel}-" in path.name)
        return path
