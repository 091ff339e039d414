"""Work over threads and executors: order, errors, interrupts, and what a person sees of it."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._adapters import progress as bars
from fastcompare._adapters.progress import PlainBar, ProgressBar, reporter
from fastcompare._base.parallel import StoppedError, map_threads, report_nothing, run_all
from fastcompare._resampling.weights import ROWS_PER_CALL

ROOT = str(Path(fc.__file__).parents[1])
INTERRUPTED = """
    import os, signal, sys, threading
    import numpy as np
    import fastcompare as fc
    from fastcompare._resampling import weights

    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells' background jobs ignore it
    n, at, n_jobs = 300_000, 50, int(sys.argv[1])
    y = np.arange(n) % 2
    a, b = np.random.default_rng(0).normal(size=(2, n)) + y
    draw_strata, main = weights.draw_strata, threading.main_thread()

    def interrupting(rows, words, first, stop, *rest):
        mine = threading.current_thread() is main
        heard.append((mine, stop - first))
        begun = sum(of_main for of_main, _ in heard)
        if begun and len(heard) >= at and mine == (n_jobs == 1) and not sent:
            sent.extend([len(heard), begun])
            os.kill(os.getpid(), signal.SIGINT)
        draw_strata(rows, words, first, stop, *rest)

    weights.draw_strata = interrupting
    for _ in range(3):
        heard, sent = [], []
        try:
            fc.bootstrap_auc_test(y, a, b, n_resamples=10**6, rng=1, n_jobs=n_jobs)
        except KeyboardInterrupt:
            further = len(heard) - sent[0], sum(of_main for of_main, _ in heard) - sent[1]
            print(*further, max(rows for _, rows in heard), threading.active_count())
    y, a, b = y[:99], a[:99], b[:99]
    print(fc.bootstrap_auc_test(y, a, b, rng=1, n_resamples=99, n_jobs=n_jobs).pvalue)
"""


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_items(n_jobs):
    assert map_threads(lambda x: x * x, range(40), n_jobs) == [x * x for x in range(40)]
    assert map_threads(str, [], n_jobs) == []


def test_all_threads_take_their_share():
    def work(_):
        time.sleep(0.002)
        return threading.get_ident()

    workers = map_threads(work, range(40), 4)
    assert len(set(workers)) == 4
    assert threading.get_ident() in workers
    assert max(workers.count(worker) for worker in set(workers)) <= 20


def test_an_interrupt_of_a_caller_that_waits_stops_the_others():
    caller, stopped, begun = threading.get_ident(), [], threading.Event()

    def work(_, checkpoint):
        if threading.get_ident() == caller:
            begun.wait(5.0)
            return
        begun.set()
        time.sleep(0.05)  # the caller waits for us by then
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(2000):  # 10 s if nobody stops it
            time.sleep(0.005)
            try:
                checkpoint()
            except StoppedError:
                stopped.append(True)
                raise

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
    try:
        with pytest.raises(KeyboardInterrupt):
            run_all(work, [0, 1], n_jobs=2)
    finally:
        signal.signal(signal.SIGINT, before)
    assert stopped


def test_an_error_reaches_the_caller_and_stops_the_others():
    done = []

    def work(x):
        if x == 3:
            raise MemoryError("no room")
        time.sleep(0.001)
        done.append(x)

    with pytest.raises(MemoryError, match="no room"):
        map_threads(work, range(500), 2)
    assert len(done) < 400


def double(x, checkpoint):
    checkpoint()
    return 2 * x


def told_to(progress):
    """Return what `as_workers` makes of the option `progress`."""
    return partial(reporter, progress)


def with_executor(function, items, **words):
    with ThreadPoolExecutor(2) as pool:
        return run_all(function, items, executor=pool, **words)


RUNS = {
    "serial": lambda f, items, **words: run_all(f, items, **words),
    "threads": lambda f, items, **words: run_all(f, items, n_jobs=2, **words),
    "many threads": lambda f, items, **words: run_all(f, items, n_jobs=5, **words),
    "executor": with_executor,
}
runs = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)


@runs
@pytest.mark.parametrize("size", [0, 1, 2, 30])
def test_progress_counts_up_to_the_total(run, size):
    heard = []
    assert run(double, range(size), progress=told_to(lambda *told: heard.append(told))) == [
        2 * i for i in range(size)
    ]
    done = [count for count, _ in heard]
    assert {total for _, total in heard} <= {size}
    assert done == sorted(set(done))  # each number at most once
    assert done[-1:] == ([size] if size else done[-1:])


@runs
def test_an_error_of_the_callback_comes_once_and_workers_are_joined(run):
    told, before = [], threading.active_count()

    def complain(done, total):
        told.append(done)
        raise RuntimeError("enough")

    def work(x, checkpoint):
        checkpoint()
        time.sleep(0.001)

    with pytest.raises(RuntimeError, match="enough"):
        run(work, range(300), progress=told_to(complain))
    assert len(told) == 1
    assert threading.active_count() == before


def test_the_error_that_came_first_is_raised_not_the_stop_that_it_caused():
    started = threading.Barrier(2, timeout=10)
    caller = threading.get_ident()

    def work(x, checkpoint):
        started.wait()
        if threading.get_ident() != caller:
            raise LookupError("first")
        while True:
            checkpoint()
            time.sleep(0.001)

    with pytest.raises(LookupError, match="first") as caught:
        run_all(work, range(2), n_jobs=2)
    assert not isinstance(caught.value.__cause__, StoppedError)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_interrupt_ends_a_long_bootstrap_at_once(n_jobs, requires_jit):
    """Of 94,000 kernel calls it had begun 50, and begins at most one more in the main thread.

    Another thread may go on until the main one has the processor.
    """
    environment = os.environ | {"PYTHONPATH": ROOT}
    command = [sys.executable, "-c", textwrap.dedent(INTERRUPTED), str(n_jobs)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    *interrupts, pvalue = done.stdout.splitlines()
    assert len(interrupts) == 3
    for line in interrupts:
        further, of_main, most_rows, threads = map(int, line.split())
        assert of_main <= 1
        assert further <= (1 if n_jobs == 1 else 500)
        assert most_rows <= ROWS_PER_CALL
        assert threads == 1
    assert float(pvalue) == fc.bootstrap_auc_test(*small_case(), rng=1, n_resamples=99).pvalue


def small_case():
    labels = np.arange(300_000) % 2
    a, b = np.random.default_rng(0).normal(size=(2, 300_000)) + labels
    return labels[:99], a[:99], b[:99]


class Clock:
    """Seconds that pass by a step at each look."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def monotonic(self):
        self.now += self.step
        return self.now


@pytest.fixture
def plain_bar(monkeypatch):
    monkeypatch.setattr(bars, "progress_bar", PlainBar)
    monkeypatch.setattr(bars, "is_interactive", lambda: True)


def test_no_bar_appears_in_less_than_a_second(plain_bar, monkeypatch, capsys):
    monkeypatch.setattr(bars, "time", Clock(0.16))
    run_all(double, range(5), progress=told_to(True))
    assert capsys.readouterr().err == ""


def test_a_bar_appears_after_a_second_and_ends_its_line(plain_bar, monkeypatch, capsys):
    monkeypatch.setattr(bars, "time", Clock(0.5))
    run_all(double, range(5), progress=told_to(True))
    shown = capsys.readouterr().err
    assert shown.startswith("\rresampling: 40%\r")
    assert shown.endswith("\rresampling: 100%\n")
    assert shown.count("\n") == 1


def test_threads_end_the_line_once(plain_bar, monkeypatch, capsys):
    monkeypatch.setattr(bars, "QUIET", 0.0)
    for _ in range(20):
        run_all(double, range(9), n_jobs=2, progress=told_to(True))
    shown = capsys.readouterr().err
    assert shown.count("\n") == shown.count("100%\n") <= 20


def test_tqdm_shows_the_bar_where_it_is_installed(capsys):
    tqdm = pytest.importorskip("tqdm.auto")
    assert isinstance(bars.progress_bar(3), tqdm.tqdm)


@pytest.mark.parametrize("host", ["pipe", "none"])
def test_nobody_sees_a_bar_without_a_terminal(host, monkeypatch):
    if host == "none":  # as in a program without a console
        monkeypatch.setattr(sys, "stderr", None)
    assert reporter(True, 9) is report_nothing
    assert reporter(None, 9) is report_nothing
    assert map_threads(str, range(3), 2) == ["0", "1", "2"]


def test_a_terminal_sees_a_bar_if_asked(monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert isinstance(reporter(True, 9), ProgressBar)
    assert reporter(False, 9) is report_nothing
