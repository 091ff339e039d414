"""Hatch's hook for wheels: with FASTCOMPARE_BUNDLE=1 they contain compiled kernels.

FASTCOMPARE_BUNDLE=1 python -m build

It is off without that variable, since compiling takes a minute for each level of processors.
FASTCOMPARE_BUNDLE_LEVELS names the levels, all of this kind of machine if it is not set; `here` is
what this machine would take. The wheel is then for one version of Python and one platform. It takes
a C compiler and the headers of Python, and needs no newer C library than its code does.
"""

import os
import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOME = "fastcompare/_jit/bundles"  # of the files in a wheel
LEVELS = {"x86_64": ("x86-64-v3", "x86-64-v4", "x86-64-v4-digits"), "aarch64": ("aarch64",)}
OLDEST = 17  # version 2.17 of the C library, below which llvmlite has no wheels


class BundleHook(BuildHookInterface):
    """Adds a library of kernels for each level."""

    def dependencies(self) -> list[str]:
        """Return what compiling kernels needs, in the versions that users get today."""
        return self.metadata.core.dependencies if is_on(self.target_name) else []

    def initialize(self, version: str, build_data: dict) -> None:
        """Compile the kernels, and say for which Python and platform the wheel is."""
        if version != "standard" or not is_on(self.target_name):
            return
        machine = platform.machine()
        self.place = tempfile.TemporaryDirectory()
        command = [sys.executable, Path(self.root, "scripts/build_bundle.py"), self.place.name]
        levels = os.environ.get("FASTCOMPARE_BUNDLE_LEVELS", " ".join(LEVELS[machine])).split()
        subprocess.run([*command, *levels], check=True)
        libc = OLDEST
        for path in Path(self.place.name).iterdir():
            build_data["force_include"][str(path)] = f"{HOME}/{path.name}"
            libc = max(libc, *map(int, re.findall(rb"GLIBC_2\.(\d+)", path.read_bytes())))
        python = f"cp{sysconfig.get_config_var('py_version_nodot')}"
        build_data["tag"] = f"{python}-{python}{sys.abiflags}-manylinux_2_{libc}_{machine}"
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict, artifact_path: str) -> None:
        """Remove the files that are in the wheel now."""
        if hasattr(self, "place"):
            self.place.cleanup()


def is_on(target: str) -> bool:
    """Tell whether a package of this kind gets kernels."""
    return target == "wheel" and os.environ.get("FASTCOMPARE_BUNDLE") == "1"
