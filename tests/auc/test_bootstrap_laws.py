"""bootstrap_auc_test: what must not matter to the result, or mirrors it."""

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import fastcompare as fc
from tests.auc.test_bootstrap import case
from tests.shared.strategies import scored_cases

pytestmark = pytest.mark.usefixtures("requires_jit")  # kernels have slow tests of their own
METHODS = ["percentile", "basic", "bca", "normal", "studentized"]
Y, A, B = case(60, 6, step=0.25)
SILENT = {"on_undefined": "ignore"}
SMALL = """
    import hashlib
    import numpy as np
    import fastcompare as fc
    n = np.arange(70)
    y, a, b, groups = n % 3 == 0, (n * 7919) % 23, (n * 104729) % 31, n // 4
    for words in ({}, {"stratified": False}, {"groups": groups}, {"method": "studentized"}):
        r = fc.bootstrap_auc_test(y, a, b, n_resamples=150, rng=5, keep=True, **words)
        print(r.pvalue.hex(), hashlib.sha256(r.distribution.tobytes()).hexdigest())
        print([end.hex() for end in r.confidence_interval()])
"""


def run_test(labels, a, b, **options):
    return fc.bootstrap_auc_test(labels, a, b, **{"n_resamples": 199, "rng": 3, **options})


def same(first, second):
    """Whether two results agree in every bit."""
    x, y = (pickle.dumps(result.to_dict()) for result in (first, second))
    return x == y and np.array_equal(first.distribution, second.distribution)


@pytest.mark.parametrize("options", [{}, {"stratified": False}, {"groups": np.arange(60) // 3}])
@pytest.mark.parametrize("method", METHODS[:4])
def test_swapping_the_models_mirrors_everything_in_bootstrap_auc_test(method, options):
    first = run_test(Y, A, B, method=method, keep=True, **options)
    second = run_test(Y, B, A, method=method, keep=True, **options)
    assert second.estimate == -first.estimate
    np.testing.assert_array_equal(second.distribution, -first.distribution)
    assert second.pvalue == pytest.approx(first.pvalue, rel=1e-13)
    low, high = first.confidence_interval()
    assert second.confidence_interval() == pytest.approx((-high, -low), rel=1e-13)
    if method in ("percentile", "basic"):
        assert second.confidence_interval() == (-high, -low)
        assert second.pvalue == first.pvalue


def test_swapping_mirrors_the_studentized_interval_in_bootstrap_auc_test():
    first, second = (run_test(Y, *pair, method="studentized") for pair in ((A, B), (B, A)))
    low, high = first.confidence_interval()
    assert second.confidence_interval() == pytest.approx((-high, -low), rel=1e-12)
    assert second.pvalue == first.pvalue


@pytest.mark.parametrize("method", METHODS)
def test_strictly_monotone_transforms_change_no_bit_in_bootstrap_auc_test(method):
    plain = run_test(Y, A, B, method=method, keep=True)
    moved = run_test(Y, np.exp(A / 4), 2.0 * B**3 - 7.0, method=method, keep=True)
    assert same(plain, moved)


def test_the_order_of_calls_and_of_workers_changes_no_bit_in_bootstrap_auc_test():
    plain = run_test(Y, A, B, n_resamples=999, keep=True)
    assert same(plain, run_test(Y, A, B, n_resamples=999, keep=True, n_jobs=2))
    with ThreadPoolExecutor(2) as pool:
        assert same(plain, run_test(Y, A, B, n_resamples=999, keep=True, executor=pool))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["bca", "studentized"])
def test_processes_give_the_same_bits_in_bootstrap_auc_test(method):
    plain = run_test(Y, A, B, method=method, keep=True)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert same(plain, run_test(Y, A, B, method=method, keep=True, executor=pool))


@pytest.mark.slow
def test_without_the_compiler_the_bits_are_the_same():
    root = str(Path(fc.__file__).parents[1])
    command = [sys.executable, "-W", "ignore:overflow encountered", "-c", textwrap.dedent(SMALL)]
    outputs = [
        subprocess.run(
            command,
            env=os.environ | {"PYTHONPATH": root, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in "01"
    ]
    assert outputs[0] == outputs[1]
    assert len(set(outputs[0].splitlines())) == 8


def test_errors_of_numpys_arithmetic_are_not_raised_in_the_host_in_bootstrap_auc_test():
    with np.errstate(all="raise"):
        for method in METHODS:
            str(run_test(Y, A, B, method=method))
        run_test(Y, A, B, stratified=False, method="bca")


def test_the_first_replicates_are_those_of_a_shorter_run_in_bootstrap_auc_test():
    long = run_test(Y, A, B, n_resamples=1000, keep=True).distribution
    short = run_test(Y, A, B, n_resamples=100, keep=True).distribution
    np.testing.assert_array_equal(short, long[:100])


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=10, deadline=None)
@given(scored_cases(k=1))
def test_models_that_order_alike_do_not_differ_in_bootstrap_auc_test(method, problem):
    labels, (a,) = problem
    result = run_test(labels, a, a, method=method, keep=True, n_resamples=65, **SILENT)
    assert (result.statistic, result.pvalue, result.log_pvalue) == (0.0, 1.0, 0.0)
    assert result.status in ("identical", "perfect_separation")
    assert not result.distribution.any()
    reach = 1.0 - 0.025 ** (1.0 / min(labels.sum(), (1 - labels).sum()))
    np.testing.assert_allclose(result.confidence_interval(), (-reach, reach))


@pytest.mark.parametrize(
    "rng", [0, np.int64(5), np.uint8(5), 2**130, np.random.default_rng(1), None]
)
def test_the_seed_of_a_result_gives_it_again_in_bootstrap_auc_test(rng):
    first = run_test(Y, A, B, rng=rng, keep=True)
    assert isinstance(first.seed, int)
    assert same(first, run_test(Y, A, B, rng=first.seed, keep=True))


def test_seeds_differ_and_generators_advance_in_bootstrap_auc_test():
    generator = np.random.default_rng(4)
    state = generator.bit_generator.state
    seeds = [0, 1, 2**64, 2**130, generator, generator, None, None]
    found = {run_test(Y, A, B, rng=rng, keep=True).distribution.tobytes() for rng in seeds}
    assert len(found) == len(seeds)
    twin = np.random.default_rng(4)
    twin.integers(0, 1 << 64, size=2, dtype=np.uint64)
    assert generator.bit_generator.state == twin.bit_generator.state != state


def test_numpys_global_state_is_not_touched_in_bootstrap_auc_test():
    np.random.seed(1)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    run_test(Y, A, B, rng=None, n_jobs=2)
    np.testing.assert_array_equal(np.random.get_state()[1], before)  # noqa: NPY002


@pytest.mark.parametrize("method", METHODS)
def test_results_survive_pickling_and_copies_in_bootstrap_auc_test(method):
    result = run_test(Y, A, B, method=method, keep=True)
    for twin in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert same(twin, result)
        assert twin.confidence_interval(0.9) == result.confidence_interval(0.9)
        assert str(twin) == str(result)


def test_the_callers_arrays_are_not_changed_in_bootstrap_auc_test():
    arrays = [Y.copy(), A.copy(), B.copy(), np.arange(60) // 3]
    kept = [array.copy() for array in arrays]
    for array in arrays:
        array.flags.writeable = False
    run_test(*arrays[:3], groups=arrays[3], method="bca")
    run_test(*arrays[:3], method="studentized")
    for array, copied in zip(arrays, kept, strict=True):
        np.testing.assert_array_equal(array, copied)
