"""What cases in chunks cost beside reading them, for `benchmarks.limits`.

python -m benchmarks.limits.chunks FILE 1e8      writes a file of so many cases
python -m benchmarks.limits.chunks FILE          measures it: seconds, peak memory, bound
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

from ..timing import Row, control_row, fresh_value, power, ratio_row
from .batches import A_SECOND_THREAD
from .memory import memory

GROUP = 1 << 20  # rows
COLUMNS = ("y", "a", "b")
BOOTSTRAP, BOOTSTRAP_PEAK = 2.5, 1.0  # times the multinomial one in memory, GiB
READING, BOUND, PEAK = 12.0, 1e-3, 2.0  # times reading, share of the error, GiB


def write_cases(path, n, seed=0):
    """Write probabilities of two models in single precision, a row group at a time."""
    schema = pa.schema([("y", pa.bool_()), ("a", pa.float32()), ("b", pa.float32())])
    with parquet.ParquetWriter(path, schema) as writer:
        for group, start in enumerate(range(0, n, GROUP)):
            rng = np.random.default_rng((seed, group))
            size = min(GROUP, n - start)
            z, *own = rng.standard_normal((3, size), dtype=np.float32)
            y = rng.random(size, dtype=np.float32) < 0.3
            logits = (z + gain * y + 0.7 * x for x, gain in zip(own, (1.2, 1.15), strict=True))
            scores = [1.0 / (1.0 + np.exp(-x, dtype=np.float32)) for x in logits]
            writer.write_table(pa.table([y, *map(np.float32, scores)], schema=schema))


def read_cases(path):
    """Read the three columns row group by row group, and do nothing with them."""
    file = parquet.ParquetFile(path)
    for group in range(file.num_row_groups):
        file.read_row_group(group, columns=COLUMNS)


def compare_cases(path, n_jobs=-1):
    """Return DeLong's test of the file."""
    return fc.delong_test(fc.scan_parquet(path, label="y", scores=["a", "b"]), n_jobs=n_jobs)


def one_model_of_cases(path, n_jobs):
    """Return the AUC of the first model of the file."""
    return fc.roc_auc_interval(fc.scan_parquet(path, label="y", scores=["a"]), n_jobs=n_jobs)


def bootstrap_cases(path):
    """Return the bootstrap of the file by Poisson weights."""
    scan = fc.scan_parquet(path, label="y", scores=["a", "b"])
    return fc.bootstrap_auc_test(scan, method="poisson", n_resamples=256, rng=0)


def bootstrap_chunk_rows(quick):
    """Yield the time of a bootstrap over chunks beside that in memory, and its memory."""
    n = 10**6
    with tempfile.TemporaryDirectory() as folder:
        file = partial(written, str(Path(folder) / "cases.parquet"), n)
        name = f"bootstrap_auc_test of a Parquet file, n = {power(n)}: in memory"
        yield ratio_row(name, BOOTSTRAP, lambda: bootstraps_of(file()), seconds=4.0)
        name = "bootstrap_auc_test of a Parquet file, peak memory"
        yield Row(name, BOOTSTRAP_PEAK, lambda: fresh_value(bootstrap_peak, file()), "GiB")


@cache
def written(path, n):
    """Return the path of a file of so many cases, once it has them."""
    write_cases(path, n)
    return path


def bootstraps_of(path):
    """Return the bootstrap of a file, and of what it contains in memory."""
    table = parquet.read_table(path)
    columns = [table[name].to_numpy(zero_copy_only=False) for name in COLUMNS]
    in_memory = partial(fc.bootstrap_auc_test, *columns, n_resamples=256, rng=0)
    return partial(bootstrap_cases, path), in_memory


def bootstrap_peak(path):
    """Return the peak memory in GiB of a bootstrap; for a process of its own."""
    bootstrap_cases(path)
    return memory("VmHWM") / 2**30


def peak_of(path):
    """Return the peak memory in GiB of a test; for a process of its own."""
    compare_cases(path)
    return memory("VmHWM") / 2**30


def bound_of(path):
    """Return the bound on the error of a file's standard error, in units of it."""
    result = compare_cases(path)
    return result.standard_error_bound / result.standard_error


def chunk_rows(quick):
    """Yield the time beside reading, the memory and the bound of cases in a file."""
    n = 10**7
    with tempfile.TemporaryDirectory() as folder:
        file = partial(written, str(Path(folder) / "cases.parquet"), n)

        def calls():
            return partial(compare_cases, file()), partial(read_cases, file())

        name = "delong_test of a Parquet file"
        yield ratio_row(f"{name}, n = {power(n)}: reading it", READING, calls)
        yield Row(f"{name}, peak memory", PEAK, lambda: fresh_value(peak_of, file()), "GiB")
        yield Row(f"{name}, bound on the standard error", BOUND, lambda: bound_of(file()), "of it")
        for name, call in (
            ("roc_auc_interval", one_model_of_cases),
            ("delong_test", compare_cases),
        ):
            row = f"two threads, {name} of a Parquet file: one thread"
            yield ratio_row(row, A_SECOND_THREAD, partial(two_threads_of, call, file), seconds=4.0)
        yield control_row()


def two_threads_of(call, file):
    """Return a call that reads a file by two threads, and by one."""
    return partial(call, file(), n_jobs=2), partial(call, file(), n_jobs=1)


def main(path, n=""):
    if n:
        write_cases(path, int(float(n)))
        return
    for name, call in (("reading", read_cases), ("delong_test", compare_cases)):
        clock, processor = time.perf_counter(), time.process_time()
        result = call(path)
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        print(f"{name:<12} {clock:7.1f} s, of processors {processor:7.1f} s")
    print(f"peak memory {memory('VmHWM') / 2**30:.2f} GiB, AUCs {result.auc.tolist()}")
    print(f"bound {result.standard_error_bound / result.standard_error:.2e} of the standard error")


if __name__ == "__main__":
    main(*sys.argv[1:])
