"""Hostile hosts: settings, threads, forks and processes that fastcompare must live in."""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._inputs.options import count_jobs
from fastcompare._inputs.scores import as_cases
from fastcompare.auc import _components as components

RNG = np.random.default_rng(11)
Y = np.arange(300) % 2
A, B = RNG.normal(size=(2, 300)) + Y
TABLE = {"a": A, "b": B, "c": A + B}
ROOT = str(Path(fc.__file__).parents[1])
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

RESULTS = {
    "delong_test": lambda: fc.delong_test(Y, A, B),
    "delong_unpaired_test": lambda: fc.delong_unpaired_test(Y, A, Y[::-1], B),
    "delong_covariance": lambda: fc.delong_covariance(Y, TABLE),
    "delong_omnibus_test": lambda: fc.delong_omnibus_test(Y, TABLE),
    "delong_pairwise_test": lambda: fc.delong_pairwise_test(Y, TABLE),
    "delong_control_test": lambda: fc.delong_control_test(Y, TABLE, "b"),
    "delong_batch": lambda: fc.delong_batch(Y, [A, B], [B, A]),
    "roc_auc_interval": lambda: fc.roc_auc_interval(Y, A),
    "confidence_interval": lambda: fc.roc_auc_interval(
        Y, Y + 0.0 * A, on_undefined="ignore"
    ).confidence_interval(),
}

SMALL = """
    import json
    import numpy as np
    np.seterr(all="raise")
    import fastcompare as fc
    y, a, b = [0, 0, 1, 1, 0, 1, 1], [1, 4, 2, 3, 3, 5, 9], [0.3, -0.0, 0.0, 1e-320, 7, 7, 8]
    words = {"on_undefined": "ignore"}  # nor few cases warned of
    kinds = ("auto", "midrank", "heaviside")
    rows = [fc.delong_test(y, a, b, method=m, **words).to_dict() for m in kinds]
    kinds = ("score", "delong", "logit", "newcombe")
    rows += [fc.roc_auc_interval(y, a, method=m, **words).to_dict() for m in kinds]
    rows += [fc.delong_batch(y, [a, b], [b, a], **words).to_dict()]
    rows += [fc.delong_pairwise_test(y, {"a": a, "b": b, "c": b}, **words).to_dict()]
    rows += [fc.delong_covariance(y, {str(k): a for k in range(10)}, **words).to_dict()]
    rows += [fc.delong_test(y, y, [0] * 7, **words).to_dict()]
    rows += [fc.delong_unpaired_test(y, a, y, b, **words).to_dict(), fc.show_config()["numba"]]
    try:
        fc.delong_test([0, 1, 2], [1, 2, 3], [1, 2, 3])
    except ValueError as error:
        rows.append(str(error))
    print(json.dumps(rows))
"""


def python(*options, **variables):
    """What the small script prints in a process of its own."""
    command = [sys.executable, *options, "-c", textwrap.dedent(SMALL)]
    environment = os.environ | {"PYTHONPATH": ROOT, "NUMBA_DISABLE_JIT": "0"} | variables
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def plainly():
    return python()


@pytest.mark.slow
@pytest.mark.parametrize("options", [["-O"], ["-OO"], ["-X", "dev", "-W", "error"]])
def test_hosts_options_change_nothing(options, plainly, requires_jit):
    assert python(*options) == plainly


@pytest.mark.slow
def test_without_the_compiler_the_numbers_are_the_same(plainly):
    assert python("-W", "error", NUMBA_DISABLE_JIT="1") == plainly


@pytest.mark.slow
def test_seterr_raise_and_warnings_as_errors_in_the_host_find_nothing():
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("error")
        for make in RESULTS.values():
            str(make())
        extreme = np.where(Y == 1, np.inf, -5e-324)
        fc.delong_test(Y, extreme, A.astype(np.float16), on_undefined="ignore")
        fc.roc_auc(Y, Y * np.longdouble(2) ** -1070)
        fc.warmup()


@pytest.mark.parametrize("name", RESULTS)
def test_results_survive_pickling_and_deepcopy(name):
    result = RESULTS[name]()
    for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert type(again) is type(result)
        assert str(again) == str(result)
        assert getattr(again, "clipped", None) == getattr(result, "clipped", None)
    assert len(pickle.dumps(result)) < A.nbytes  # no arrays of the input inside


@pytest.mark.slow
def test_np_random_global_state_is_never_read_nor_advanced():
    before = pickle.dumps(np.random.get_state())  # noqa: NPY002
    first = [str(make()) for make in RESULTS.values()]
    assert pickle.dumps(np.random.get_state()) == before  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    assert [str(make()) for make in RESULTS.values()] == first


@pytest.mark.slow
def test_sixteen_threads_call_at_once_and_get_equal_results():
    barrier = threading.Barrier(16)

    def call(_):
        barrier.wait(timeout=60)
        return [RESULTS[name]().to_dict() for name in ("delong_test", "delong_batch")]

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(call, range(16)))
    assert all(answer == answers[0] for answer in answers)


def child(queue):
    queue.put(fc.delong_pairwise_test(Y, TABLE, n_jobs=2).to_dict())


@posix
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_after_a_threaded_call_works_in_the_child():
    want = fc.delong_pairwise_test(Y, TABLE, n_jobs=2).to_dict()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    assert queue.get(timeout=60) == want
    process.join(timeout=60)
    assert process.exitcode == 0


@posix
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_inside_a_daemon_process_n_jobs_is_serial_and_elsewhere_capped():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply(count_jobs, (-1,)) == 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert count_jobs(-1) == count_jobs(10**6) == cores
    assert count_jobs(np.int8(1)) == 1


PATHS = {
    "wide 64-bit": {"WIDE_FROM": 1},
    "64-bit sort": {"LINEAR_BELOW": 0},
    "table of few values": {"TABLE_FROM": 1},
    "64-bit sort, wide": {"LINEAR_BELOW": 0, "WIDE_FROM": 1},
    "table of few values, wide": {"TABLE_FROM": 1, "WIDE_FROM": 1},
    "32-bit sort": {"LINEAR_BELOW": 1 << 40, "TABLE_FROM": 1 << 40},
}
DIGITS = {"continuous": 16, "tied": 1, "few values": 0}


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("digits", DIGITS)
@pytest.mark.parametrize("k", [2, 9])
def test_every_path_gives_identical_placements_and_bits(path, digits, k, monkeypatch):
    table = np.random.default_rng(5).normal(size=(400, k)).round(DIGITS[digits])
    labels = np.arange(400) % 3 == 0
    cases = as_cases(labels, table=table)
    want = components.as_components(cases)
    moments = fc.delong_pairwise_test(labels, table)
    for name, value in PATHS[path].items():
        monkeypatch.setattr(components, name, value)
    got = components.as_components(cases, n_jobs=2)
    assert got.is_wide == ("WIDE_FROM" in PATHS[path])
    np.testing.assert_array_equal(got.placed, want.placed)
    assert fc.delong_pairwise_test(labels, table).pvalue.tobytes() == moments.pvalue.tobytes()


@pytest.mark.parametrize("m", [2**31 - 1, 2**31, 2**31 + 1, 5 * 10**9])
def test_products_of_huge_classes_do_not_wrap(m):
    assert components.denominator(m, m) == 4 * m**4 * (m - 1) ** 2
    assert components.numerator(0, (4 * m**3, 0), m, m) == 4 * m**4 * (m - 1)


@pytest.mark.parametrize("top", [2**31, 2**33, 2**40 - 1])
def test_sums_of_squares_of_wide_placements_are_exact_integers(top):
    values = top - np.arange(50_000)
    assert components.sum_of_squares(values) == sum(int(v) ** 2 for v in values)


class Hostile(np.ndarray):
    """An array whose operators lie."""

    def __eq__(self, other):
        raise AssertionError("compared the caller's array")

    __lt__ = __gt__ = __add__ = __getitem__ = __eq__
    __hash__ = None

    def __len__(self):
        return 1


class Coerced:
    """Values that another library holds."""

    def __init__(self, values):
        self.values, self.calls = values, 0

    def __array__(self, dtype=None, copy=None):
        self.calls += 1
        return self.values

    def __len__(self):
        raise AssertionError("asked for the length")


def test_a_subclass_with_hostile_operators_is_only_coerced():
    hostile = [values.view(Hostile) for values in (Y, A, B)]
    assert fc.delong_test(*hostile).to_dict() == fc.delong_test(Y, A, B).to_dict()


def test_hostile_array_is_coerced_once():
    column = Coerced(A)
    assert fc.roc_auc(Y, column) == fc.roc_auc(Y, A)
    assert column.calls == 1


@pytest.mark.parametrize("n", [250, 5_000])
def test_an_array_changed_by_another_thread_never_crashes(n, requires_jit):
    scores, labels, done = RNG.normal(size=n), (np.arange(n) % 2).astype("u1"), threading.Event()

    def scribble():
        while not done.is_set():
            scores[:] = np.frombuffer(os.urandom(8 * n))  # NaN and infinities among them

    thread = threading.Thread(target=scribble)
    thread.start()
    for name in 30 * ["placements", "placements_midrank", "placements_packed"]:
        getattr(fc.kernels, name)(scores, labels, np.empty(n, "u4"))
    done.set()
    thread.join()
