"""Write the table of docs/large.md: time and memory by route and number of rows.

    python -m benchmarks.large [--most 1e8] [--write]

Each figure is of a process of its own, which compares two models of single precision. Time is that
of all processors, so that other users of the machine hardly count.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
from pyarrow import dataset, parquet

import fastcompare as fc

from .limits.chunks import COLUMNS, compare_cases, read_cases, write_cases
from .limits.memory import memory
from .tables import machine, markdown, replace_between
from .timing import power, run_fresh

PAGE = Path(__file__).parents[1] / "docs" / "large.md"
IN_MEMORY = 10**7  # rows at most: ten times as many take 4 GiB
CHECKED = 2 * 10**7
LONG = 5.0  # seconds from which a test is not done again


def columns_of(path):
    """Return the columns of a file as arrays."""
    table = parquet.read_table(path, columns=list(COLUMNS))
    return [table[name].combine_chunks().to_numpy(zero_copy_only=False) for name in COLUMNS]


def mapped_columns(path):
    """Return the columns of a file as memory-mapped arrays, which are written beside it."""
    rows = parquet.ParquetFile(path).metadata.num_rows
    for batch in parquet.ParquetFile(path).iter_batches(columns=list(COLUMNS)):
        for name, column in zip(COLUMNS, batch.columns, strict=True):
            with open(f"{path}.{name}", "ab") as file:
                column.to_numpy(zero_copy_only=False).tofile(file)
    kinds = (bool, np.float32, np.float32)
    return [
        np.memmap(f"{path}.{name}", kind, "r", shape=rows)
        for name, kind in zip(COLUMNS, kinds, strict=True)
    ]


def scanned(path):
    """Return the file as an Arrow stream that can be read again."""
    return [fc.scan_chunks(dataset.dataset(path), label="y", scores=["a", "b"])]


ROUTES = {  # its name: what the test is given
    "arrays in memory": columns_of,
    "`np.memmap`": mapped_columns,
    "Arrow stream": scanned,
    "`scan_parquet`": lambda path: [fc.scan_parquet(path, label="y", scores=["a", "b"])],
}


def measured(route, path):
    """Return the processor seconds of the test and the peak memory in GiB; in a process apart."""
    given, took = ROUTES[route](path), 0.0
    for _ in range(2):
        if took < LONG:  # the first one brings kernels into the process
            start = time.process_time()
            fc.delong_test(*given, n_jobs=-1)
            took = time.process_time() - start
    return took, memory("VmHWM") / 2**30


def reading(path):
    """Return the processor seconds that reading the columns takes, and the peak memory in GiB."""
    start = time.process_time()
    read_cases(path)
    return time.process_time() - start, memory("VmHWM") / 2**30


def apart(call):
    """Return two numbers that a call of this module gives in a process of its own."""
    code = f"from benchmarks.large import *; print(*{call})"
    return [float(word) for word in run_fresh(code)[1].split()]


def rows_of(n, path):
    """Yield the rows of the table of so many cases."""
    seconds, peak = apart(f"reading({path!r})")
    yield power(n), "reading the columns", f"{seconds:.2f} s", "1", f"{peak:.2f} GiB"
    for route in ROUTES:
        if route == "arrays in memory" and n > IN_MEMORY:
            continue
        took, peak = apart(f"measured({route!r}, {path!r})")
        yield power(n), route, f"{took:.2f} s", f"{took / seconds:.1f}", f"{peak:.2f} GiB"


def checked(folder):
    """Return a sentence on the test of a file against the test of the same cases in memory."""
    path = str(Path(folder) / "checked.parquet")
    write_cases(path, CHECKED)
    found, want = compare_cases(path), fc.delong_test(*columns_of(path), n_jobs=-1)
    same = "equal to the last bit" if found.auc.tolist() == want.auc.tolist() else "NOT EQUAL"
    error = want.standard_error
    far = abs(found.standard_error - error) / error
    return (
        f"2 × 10^7 rows, in a file and in memory: AUCs {same}; the relative difference of the "
        f"standard errors is {far:.0e}, and its bound {found.standard_error_bound / error:.0e}."
    )


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large")
    parser.add_argument("--most", type=float, default=1e8)
    parser.add_argument("--write", action="store_true", help="put the table into docs/large.md")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for n in (10**6, 10**7, 10**8):
            if n <= options.most:
                path = str(Path(folder) / f"{n}.parquet")
                write_cases(path, n)
                list(apart(f"measured('`scan_parquet`', {path!r})"))  # compiles
                rows += rows_of(n, path)
        sentence = checked(folder)
    head = ("rows", "route", "processor time", "times reading", "peak memory")
    table = f"{markdown(head, rows)}\n\n{sentence} Measured on: {machine()}."
    print(table)
    if options.write:
        PAGE.write_text(replace_between(PAGE.read_text("utf-8"), "large", table), "utf-8")


if __name__ == "__main__":
    main()
