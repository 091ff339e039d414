"""Print the table of docs/evidence/speed.md of arrays on a GPU: time and memory by library.

    python -m benchmarks.device [--rows 1e6 1e7 1e8 1e9] [--libraries torch cupy jax] [--out FILE]

Two models in single precision, 30% positives, drawn on the device. Each library runs in a process
of its own; one that is missing, or runs out of memory, leaves a gap. `check` compares results with
those of arrays in main memory, to the last bit.
"""

import argparse
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np

import fastcompare as fc

from .tables import markdown
from .timing import HOME, power

ROWS = (10**6, 10**7, 10**8, 10**9)
MOST = {"jax": 10**8}  # rows: of 10^9 its own allocator finds no room for what the others can do
CHECKED = (10**6, 10**7)
MOST_ON_HOST = 10**8  # rows that are also copied to main memory and compared there
TAKES, ROUNDS = 2.0, 7  # seconds of a library's repeats at most, and how many there are
LIBRARIES = ("torch", "cupy", "jax")
NAMES = {"torch": "PyTorch", "cupy": "CuPy", "jax": "JAX"}


class Torch:
    """PyTorch tensors on the first CUDA device, or in main memory where there is none."""

    def __init__(self):
        import torch

        self.torch = torch
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        torch.manual_seed(0)

    def draw(self, n):
        """Return labels and the scores of two models."""
        torch = self.torch
        label = torch.rand(n, device=self.device) < 0.3
        common = torch.randn(n, device=self.device) + label
        scores = [torch.randn(n, device=self.device).add_(common) for _ in range(2)]
        return [label, *scores]

    def wait(self):
        """Wait for the device."""
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def peak(self):
        """Return the most memory in use since the last call, in GiB."""
        if self.device == "cpu":
            return 0.0
        found = self.torch.cuda.max_memory_allocated() / 2**30
        self.torch.cuda.reset_peak_memory_stats()
        return found


class Cupy(Torch):
    """CuPy arrays, drawn by PyTorch."""

    def __init__(self):
        super().__init__()
        import cupy

        self.cupy = cupy

    def draw(self, n):
        """Return labels and the scores of two models."""
        drawn = [self.cupy.asarray(x).copy() for x in super().draw(n)]
        self.torch.cuda.empty_cache()
        return drawn

    def wait(self):
        """Wait for the device."""
        self.cupy.cuda.get_current_stream().synchronize()

    def peak(self):
        """Return the memory of the pool, which keeps its most, in GiB."""
        pool = self.cupy.get_default_memory_pool()
        found = pool.total_bytes() / 2**30
        pool.free_all_blocks()
        return found


class Jax:
    """JAX arrays on its default device."""

    def __init__(self):
        os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
        import jax

        self.jax = jax

    def draw(self, n):
        """Return labels and the scores of two models."""
        random, keys = self.jax.random, self.jax.random.split(self.jax.random.key(0), 4)
        label = random.uniform(keys[0], (n,)) < 0.3
        common = random.normal(keys[1], (n,)) + label
        return [label, *(random.normal(key, (n,)) + common for key in keys[2:])]

    def wait(self):
        """Do nothing: results are Python's numbers."""

    def peak(self):
        """Return the most memory that was ever in use, in GiB."""
        stats = self.jax.devices()[0].memory_stats() or {}
        return stats.get("peak_bytes_in_use", 0) / 2**30


KINDS = {"torch": Torch, "cupy": Cupy, "jax": Jax}


def best(library, call):
    """Return the shortest time of some repeats in seconds, after one that is not counted."""
    times, end = [], time.perf_counter() + TAKES
    call()
    while not times or (len(times) < ROUNDS and time.perf_counter() < end):
        library.wait()
        start = time.perf_counter()
        call()
        library.wait()
        times.append(time.perf_counter() - start)
    return min(times)


def on_host(array):
    """Return a copy of an array in main memory."""
    if hasattr(array, "get"):
        return array.get()
    if hasattr(array, "cpu"):
        array = array.cpu()
        return (array.float() if "bfloat16" in str(array.dtype) else array).numpy()
    return np.asarray(array)


def host_test(drawn):
    """Return DeLong's test of copies in main memory, by all processors."""
    return fc.delong_test(*map(on_host, drawn), n_jobs=-1)


def metric_of(library):
    """Return torchmetrics' AUC of one model, None where it is missing."""
    if library.__class__ is not Torch:
        return None
    with suppress(ImportError):
        from torchmetrics.functional.classification import binary_auroc

        return lambda drawn: binary_auroc(library.torch.sigmoid(drawn[1]), drawn[0].long())
    return None


def measured(library, n):
    """Yield what was measured with n rows: its name, and seconds or GiB."""
    drawn = library.draw(n)
    library.peak()
    yield "test", best(library, lambda: fc.delong_test(*drawn))
    yield "peak", library.peak()
    yield "auc", best(library, lambda: fc.roc_auc(*drawn[:2]))
    metric = metric_of(library)
    if metric and n <= MOST_ON_HOST:
        yield "torchmetrics", best(library, lambda: metric(drawn))
    if type(library) is Torch and n <= MOST_ON_HOST:
        host_test(drawn[: len(drawn)])
        start = time.perf_counter()
        host_test(drawn)
        yield "host", time.perf_counter() - start


def fields(result):
    """Return what a result says, without the call that made it."""
    return str({name: x for name, x in result.to_dict().items() if name != "call"})


def variants(library, drawn):
    """Yield other types of the same scores, with ties."""
    yield "float32", drawn
    label, *scores = drawn
    yield "two decimals", [label, *((x * 100).round() / 100 for x in scores)]
    if type(library) is Torch:
        for dtype in (library.torch.float16, library.torch.bfloat16, library.torch.int8):
            yield str(dtype), [label, *(x.to(dtype) for x in scores)]
        yield "labels on the host", [on_host(label), *scores]
        yield "float64 labels", [label.double(), *(x.double() for x in scores)]


def checks(library, rows):
    """Yield checks against main memory: what, and whether all bits are equal."""
    for n in rows:
        for name, drawn in variants(library, library.draw(n)):
            same = fields(fc.delong_test(*drawn)) == fields(host_test(drawn))
            yield f"delong_test, {power(n)}, {name}", same
    drawn = library.draw(rows[0])
    table = dict(zip("abcd", [*drawn[1:], drawn[1] + drawn[2], drawn[1] - drawn[2]], strict=True))
    copies = {name: on_host(column) for name, column in table.items()}
    label = on_host(drawn[0])
    for test in (fc.delong_covariance, fc.delong_pairwise_test, fc.delong_omnibus_test):
        yield test.__name__, fields(test(drawn[0], table)) == fields(test(label, copies, n_jobs=-1))
    options = {"method": "poisson", "n_resamples": 999, "rng": 1, "n_jobs": -1}
    took = []
    for given in (drawn, [*map(on_host, drawn)]):
        fc.bootstrap_auc_test(*given, **options | {"n_resamples": 99})  # compiles
        start = time.perf_counter()
        found = fc.bootstrap_auc_test(*given, **options)
        took.append((time.perf_counter() - start, fields(found)))
    (there, one), (here, other) = took
    name = f"Poisson bootstrap, {power(rows[0])}, 999 replicates"
    yield f"{name} ({there:.2f} s, in main memory {here:.2f} s)", one == other


def work(name, rows):
    """Print, a line each, what one library measures and checks; in a process of its own."""
    library = KINDS[name]()
    for n in rows:
        if n > MOST.get(name, n):
            continue
        try:
            for what, value in measured(library, n):
                print(json.dumps([n, what, value]), flush=True)
        except Exception as error:  # out of memory, each library in its own way
            print(json.dumps([n, "error", f"{type(error).__name__}: {error}"[:200]]), flush=True)
    try:
        for what, same in checks(library, [n for n in CHECKED if n <= max(rows)] or rows[:1]):
            print(json.dumps([0, what, same]), flush=True)
    except Exception as error:
        print(json.dumps([0, "error", f"{type(error).__name__}: {error}"[:500]]), flush=True)


def run(name, rows, seconds):
    """Return the lines of a library's process, until it ends or takes too long."""
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.device", "--work", name]
    path = os.pathsep.join(filter(None, [str(HOME), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path}
    process = subprocess.Popen(
        [*command, "--rows", *map(str, rows)],
        env=environment,
        cwd=HOME,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        out, wrong = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        out, wrong = process.communicate()
        wrong += f"stopped after {seconds:g} s"
    if process.returncode or wrong:
        print(f"{name}: {wrong[-600:]}", file=sys.stderr)
    return [json.loads(line) for line in out.splitlines() if line.startswith("[")]


def figure(value, unit):
    """Return a number as the table shows it, empty where there is none."""
    if value is None:
        return ""
    return f"{1e3 * value:.3g} ms" if unit == "s" and value < 1.0 else f"{value:.3g} {unit}"


def table_of(found, rows):
    """Return the table of what all libraries measured."""
    columns = [(name, "test") for name in found]
    head = ["rows", *(f"`delong_test`, {NAMES[name]}" for name in found)]
    if "torch" in found:
        columns += [("torch", what) for what in ("auc", "torchmetrics", "host", "peak")]
        head += ["`roc_auc`", "torchmetrics, one AUC", "copied, all cores", "peak memory"]
    lines = []
    for n in rows:
        values = {(name, what): x for name in found for m, what, x in found[name] if m == n}
        cells = [figure(values.get(c), "GiB" if c[1] == "peak" else "s") for c in columns]
        lines.append([power(n), *cells])
    return markdown(head, lines)


def versions():
    """Return the device and the versions of what ran."""
    found = [f"Python {platform.python_version()}", f"{os.cpu_count()} CPU cores"]
    with suppress(Exception):
        import torch

        found.insert(0, torch.cuda.get_device_name())
    for name in ("torch", "cupy-cuda13x", "jax", "torchmetrics", "array-api-compat", "numpy"):
        with suppress(importlib.metadata.PackageNotFoundError):
            found.append(f"{name} {importlib.metadata.version(name)}")
    return ", ".join(found)


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.device")
    parser.add_argument("--rows", type=float, nargs="+", default=ROWS)
    parser.add_argument("--libraries", nargs="+", default=LIBRARIES, choices=LIBRARIES)
    parser.add_argument("--seconds", type=float, default=150, help="of each library, at most")
    parser.add_argument("--out", help="a file for what is printed")
    parser.add_argument("--work", choices=LIBRARIES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    rows = [round(n) for n in options.rows]
    if options.work:
        work(options.work, rows)
        return
    found = {name: run(name, rows, options.seconds) for name in options.libraries}
    lines = [table_of(found, rows), "", f"Measured on: {versions()}.", ""]
    for name, values in found.items():
        for n, what, value in values:
            if what == "error":
                lines.append(f"- {name}, {n or 'checks'}: {value}")
            elif n == 0:
                lines.append(f"- {name}, {what}: {'equal' if value else 'NOT EQUAL'}")
    text = "\n".join(lines)
    print(text)
    if options.out:
        Path(options.out).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
