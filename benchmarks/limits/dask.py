"""What a second worker of dask brings, for `benchmarks.limits`."""

import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import fastcompare as fc

from ..timing import Row, ratio
from .chunks import GROUP, write_cases

A_SECOND_WORKER = 1 / 1.5
GROUPS = 24


@contextmanager
def workers(number):
    """Give the executor of so many processes of one thread."""
    from dask.distributed import Client, LocalCluster  # 0.5 s, for this row alone

    size = {"n_workers": number, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(processes=True, **size) as cluster, Client(cluster) as client:
        yield client.get_executor()


def compare_groups(path, executor):
    """Return DeLong's test of a file whose row groups are tasks; the caller orders by threads."""
    scan = fc.scan_parquet(path, label="y", scores=["a", "b"])
    return fc.delong_test(scan, executor=executor, n_jobs=-1)


def dask_rows(quick):
    """Yield the time of two workers in units of one's."""
    yield Row(f"two dask workers, {GROUPS} row groups: one worker", A_SECOND_WORKER, two_workers)


def two_workers():
    """Return what two workers take in units of one."""
    with tempfile.TemporaryDirectory() as folder, workers(1) as one, workers(2) as two:
        path = str(Path(folder) / "cases.parquet")
        write_cases(path, GROUPS * GROUP)
        call = partial(compare_groups, path)
        return ratio(partial(call, two), partial(call, one), seconds=4.0)


if __name__ == "__main__":
    for row in dask_rows(False):
        print(row)
