"""What PyInstaller cannot see: names are imported on first use, and files are read.

Sources are collected beside the byte code: compiled kernels belong to the sources that they were
compiled from.
"""

from PyInstaller.utils.hooks import (  # type: ignore[import-not-found, import-untyped, unused-ignore]
    collect_data_files,
    collect_submodules,
)

hiddenimports = collect_submodules("fastcompare")
datas = collect_data_files("fastcompare")  # stubs, data sets, compiled kernels
module_collection_mode = "py"
