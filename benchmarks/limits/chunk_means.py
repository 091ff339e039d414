"""What counts and means of cases in chunks cost beside reading them, for `benchmarks.limits`.

python -m benchmarks.limits.chunk_means FILE 1e8      writes a file of so many cases
python -m benchmarks.limits.chunk_means FILE          measures it: seconds and peak memory
"""

import sys
import tempfile
import time
from functools import cache, partial
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import fastcompare as fc

from ..timing import Row, fresh_value, power, ratio_row
from .memory import memory

GROUP = 1 << 20  # rows
ITEMS = 100  # in a cluster
PEAK = 1.0  # GiB
CALLS = {  # what is read, by which test, and how many times reading that takes at most
    "mcnemar_test": (("y", "i", "j"), None, 3.0),
    "scoring_test": (("y", "p", "q"), None, 12.0),
    "paired_mean_test": (("p", "q"), None, 10.0),
    "paired_mean_test in clusters": (("p", "q"), "g", 24.0),
}


def write_rows(path, n, seed=0):
    """Write labels, predictions, probabilities and clusters, a row group at a time."""
    schema = pa.schema(
        [(name, pa.int8()) for name in "yij"]
        + [(name, pa.float32()) for name in "pq"]
        + [("g", pa.int32())]
    )
    with parquet.ParquetWriter(path, schema) as writer:
        for group, start in enumerate(range(0, n, GROUP)):
            rng = np.random.default_rng((seed, group))
            size = min(GROUP, n - start)
            y = rng.random(size) < 0.3
            chances = [(rng.random(size, np.float32) + 0.5 * y) / 1.5 for _ in range(2)]
            columns = [x.astype(np.int8) for x in (y, *(p > 0.5 for p in chances))]
            columns += [p.astype(np.float32) for p in chances]
            clusters = np.arange(start, start + size, dtype=np.int32) % max(n // ITEMS, 2)
            writer.write_table(pa.table([*columns, clusters], schema=schema))


def read_rows(path, columns):
    """Read columns row group by row group, and do nothing with them."""
    file = parquet.ParquetFile(path)
    for group in range(file.num_row_groups):
        file.read_row_group(group, columns=list(columns))


def compare_rows(path, name, n_jobs=-1):
    """Return the result of a test of the file."""
    columns, groups, _ = CALLS[name]
    label = "y" if "y" in columns else None
    scan = fc.scan_parquet(path, label=label, scores=columns[-2:], groups=groups)
    return getattr(fc, name.partition(" ")[0])(scan, n_jobs=n_jobs)


def peak_of(path, name):
    """Return the peak memory in GiB of a test; for a process of its own."""
    compare_rows(path, name)
    return memory("VmHWM") / 2**30


def reading_of(path, name):
    """Return a call that reads what a test does."""
    columns, groups, _ = CALLS[name]
    return partial(read_rows, path, [*columns, *filter(None, [groups])])


def chunk_mean_rows(quick):
    """Yield the time beside reading, and the memory, of counts and means of cases in a file."""
    n = 10**7
    with tempfile.TemporaryDirectory() as folder:
        file = partial(written, str(Path(folder) / "rows.parquet"), n)

        def calls(name):
            return partial(compare_rows, file(), name), reading_of(file(), name)

        for name, (_, _, limit) in CALLS.items():
            title = f"{name} of a Parquet file, n = {power(n)}: reading"
            yield ratio_row(title, limit, partial(calls, name))
        name = "paired_mean_test in clusters"
        title = f"{name} of a Parquet file, peak memory"
        yield Row(title, PEAK, lambda: fresh_value(peak_of, file(), name), "GiB")


@cache
def written(path, n):
    """Return the path of a file of so many cases, once it has them."""
    write_rows(path, n)
    return path


def main(path, n=""):
    if n:
        write_rows(path, int(float(n)))
        return
    for name in CALLS:
        for what, call in (
            ("reading", reading_of(path, name)),
            (name, partial(compare_rows, path, name)),
        ):
            clock, processor = time.perf_counter(), time.process_time()
            call()
            clock, processor = time.perf_counter() - clock, time.process_time() - processor
            print(f"{what:<30} {clock:7.1f} s, of processors {processor:7.1f} s")
    print(f"peak memory {memory('VmHWM') / 2**30:.2f} GiB")


if __name__ == "__main__":
    main(*sys.argv[1:])
