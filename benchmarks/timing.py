"""Clocks that compare within one run, so that neither the machine nor its other users count."""

import math
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache, cached_property, partial
from pathlib import Path

import numpy as np

import fastcompare

HOME = Path(fastcompare.__file__).parents[1]
BESIDE = "    beside it, "  # begins rows that say how to read the one before
SAMPLE = 2e-3  # seconds; shorter calls are repeated, or the clock's own cost would show
PACE = {"seconds": 1.0, "rounds": math.inf}  # a share of those asked for, and how many at most


def hurry():
    """Measure less precisely from now on: shorter, by fewer rounds."""
    PACE.update(seconds=0.4, rounds=3)


class Row:
    """What may be how much; `measure` prepares the data and measures it once it is asked for."""

    def __init__(self, name, limit, measure, unit="×"):
        self.name, self.limit, self.measure, self.unit = name, limit, measure, unit

    @cached_property
    def measured(self):
        """How much it is."""
        return float(self.measure())

    @property
    def is_met(self):
        """Whether it is no more than it may be."""
        return self.measured <= self.limit

    def __str__(self):
        ok = "yes" if self.is_met else "NO"
        return f"{self.name:<64}{self.limit:>7.3g} {self.measured:>9.3f} {self.unit:<7} {ok}"


def ratio_row(name, limit, prepare, **options):
    """Return the row of a call in units of another; `prepare` returns both."""
    return Row(name, limit, lambda: ratio(*prepare(), **options))


def rows_together(limits, measure, unit="×"):
    """Yield rows with these limits by name, which `measure` measures in one go, in their order."""
    values = cache(measure)
    for at, (name, limit) in enumerate(limits.items()):
        yield Row(name, limit, partial(value_at, values, at), unit)


def value_at(values, at):
    """Return one of the values that a call returns."""
    return values()[at]


def power(n):
    """Return a power of ten as it is written by hand."""
    return f"10^{round(math.log10(n))}" if n > 1000 else str(n)


def interleaved(calls, *, seconds=1.0, rounds=5):
    """Return the seconds a call takes, a row a round, the calls taking turns in each round.

    Rounds go on for so many seconds, and are at least so many; `hurry` shortens them.
    """
    repeats = [repeats_in_sample(call) for call in calls]
    rounds = min(rounds, PACE["rounds"])
    times, end = [], time.perf_counter() + PACE["seconds"] * seconds
    while len(times) < rounds or time.perf_counter() < end:
        times.append([seconds_of(*each) for each in zip(calls, repeats, strict=True)])
    return np.array(times)


def ratios(calls, base, *, seconds=1.0, rounds=5):
    """Return how long each call takes in units of `base`.

    It is the median of the rounds' ratios: a slow spell of the machine hits both parts of a ratio,
    or spoils one round, and the median does not mind.
    """
    times = interleaved([*calls, base], seconds=seconds, rounds=rounds)
    return np.median(times[:, :-1] / times[:, -1:], axis=0).tolist()


def ratio(call, base, *, seconds=1.0, rounds=5):
    """Return how long `call` takes in units of `base`, as `ratios`."""
    return ratios([call], base, seconds=seconds, rounds=rounds)[0]


def shortest(calls, seconds=3.0):
    """Return the shortest processor time of each call, which take turns: others hardly count."""
    repeats = [repeats_in_sample(call) for call in calls]
    found, end = np.full(len(calls), np.inf), time.perf_counter() + seconds
    while time.perf_counter() < end or not np.isfinite(found).all():
        for at, (call, count) in enumerate(zip(calls, repeats, strict=True)):
            start = time.process_time()
            for _ in range(count):
                call()
            found[at] = min(found[at], (time.process_time() - start) / count)
    return found.tolist()


def plain_sorts(rows, threads):
    """Sort each row by so many threads."""
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(np.sort, rows))


def control_row():
    """Return, beside a row of a second thread, what the machine has left for one."""
    return ratio_row(f"{BESIDE}two threads of plain sorts: one thread", math.inf, sorts_by_threads)


def sorts_by_threads():
    """Return calls that sort by two threads and by one."""
    rows = np.random.default_rng(0).normal(size=(4, 10**6))
    return partial(plain_sorts, rows, 2), partial(plain_sorts, rows, 1)


def repeats_in_sample(call):
    """Return how many calls make a sample; compiles before the clock starts."""
    call()
    return math.ceil(SAMPLE / seconds_of(call, 1))


def one_blas_thread():
    """Return a context in which matrix products take one thread, as what they are a unit of does.

    On busy cores a product by several threads may wait for them: 0.5 s where one takes 0.02 s.
    """
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    return threadpool_limits(1, user_api="blas")


def seconds_of(call, repeats):
    """Return the mean duration of some calls."""
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def run_fresh(code, **environment):
    """Run code in a fresh process; return the seconds to its end, and what it printed.

    It imports the fastcompare that this process does, installed or not, and like an installed one
    from bytecode once that has been written.
    """
    inherited = {**os.environ, "PYTHONPATH": str(HOME)}
    inherited.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**inherited, **environment},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return time.perf_counter() - start, done.stdout


def fresh_value(function, *arguments):
    """Return the number that a function of a module returns in a fresh process."""
    code = f"from {function.__module__} import {function.__name__} as f; print(f(*{arguments!r}))"
    return float(run_fresh(code)[1])


IMPORT = """
import time
start = time.perf_counter()
import {module}
print(time.perf_counter() - start)
"""

CASES = """
import numpy as np
import fastcompare as fc
rng = np.random.default_rng(0)
labels = (np.arange(1000) % 10 < 3).astype(int)
scores = rng.normal(size=(2, 1000))
"""


def import_seconds(module):
    """Return how long a fresh process takes to import a module, the interpreter's start aside."""
    return float(run_fresh(IMPORT.format(module=module))[1])


def import_ratio(rounds=11):
    """Return the median ratio of importing fastcompare to importing NumPy."""
    import_seconds("fastcompare")  # writes the byte code
    pairs = [(import_seconds("fastcompare"), import_seconds("numpy")) for _ in range(rounds)]
    return float(np.median([ours / numpys for ours, numpys in pairs]))


def fresh_seconds(cache, call="fc.delong_test(labels, *scores)"):
    """Return how long a fresh process takes to import all, call this and end, with this cache."""
    return run_fresh(CASES + call, FASTCOMPARE_CACHE_DIR=str(cache))[0]
