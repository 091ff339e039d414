"""What tests of times to an event may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import probabilities, times_to_event
from ..contenders.baselines import argsorts
from ..timing import Row, control_row, fresh_value, power, ratio_row
from .memory import memory

HORIZON_LIMITS = {10**4: (12.0, 10.0), 10**5: (8.0, 6.0), 10**6: (5.0, 3.5)}  # AUC, Brier
TIMES = np.linspace(0.2, 1.6, 8)
SIZES = {10**4: 6.0, 10**5: 6.0, 10**6: 8.0}  # n: the limit in units of two argsorts
TWO_THREADS = {10**5: 0.65, 10**6: 0.65}  # of one
BYTES = 40.0  # a case, beyond the input


def horizon_rows(quick):
    """Yield a row for each test at a horizon, in units of two argsorts of the scores."""
    for n, limits in HORIZON_LIMITS.items():
        for test, limit in zip((fc.auc_at_test, fc.survival_brier_test), limits, strict=True):
            name = f"{test.__name__}, n = {power(n)}: two argsorts"
            yield ratio_row(name, limit, partial(at_horizon, test, n))
    yield ratio_row("auc_at_test, n = 10^5, eight horizons: one", 10.0, many_and_one_horizon)


def at_horizon(test, n):
    """Return a test at one time, and two argsorts."""
    time, event, a, b = times_to_event(n)
    scores = (a, b) if test is fc.auc_at_test else (probabilities(a), probabilities(b))
    return partial(test, time, event, *scores, horizon=1.0), partial(argsorts, event, a, b)


def many_and_one_horizon():
    """Return the test at eight times, and at one."""
    call = partial(fc.auc_at_test, *times_to_event(10**5))
    return partial(call, horizon=TIMES), partial(call, horizon=1.0)


def concordance_rows(quick):
    """Yield rows for the paired test, with its covariance, and for one concordance."""
    for n, limit in SIZES.items():
        name = f"concordance_test, n = {power(n)}"
        yield ratio_row(f"{name}: two argsorts", limit, partial(concordance_and_sorts, n))
        if n in TWO_THREADS:
            calls = partial(concordance_by_threads, n)
            yield ratio_row(f"{name}, n_jobs = 2", TWO_THREADS[n], calls)
            yield control_row()
    yield ratio_row("concordance_test, Uno, n = 10^5: Harrell", 6.0, uno_and_harrell)
    name = "permutation_survival_test, n = 10^4: permutation_auc_test"
    yield ratio_row(name, 6.0, permutations)
    name = "survival_calibration, n = 10^5: two argsorts"
    yield ratio_row(name, 4.0, calibration_and_sorts)
    if not quick:
        peak = partial(fresh_value, bytes_a_case, 10**7)
        yield Row("concordance_test, peak memory", BYTES, peak, "B/case")


def concordance_and_sorts(n):
    """Return the test, and two argsorts."""
    time, event, a, b = times_to_event(n)
    return partial(fc.concordance_test, time, event, a, b), partial(argsorts, event, a, b)


def concordance_by_threads(n):
    """Return the test by two threads, and by one."""
    call = partial(fc.concordance_test, *times_to_event(n))
    return partial(call, n_jobs=2), call


def uno_and_harrell():
    """Return the tests of both concordances."""
    call = partial(fc.concordance_test, *times_to_event(10**5))
    return partial(call, method="uno", tau=1.5), call


def permutations():
    """Return permutation tests of times, and of events alone."""
    few = times_to_event(10**4)
    options = {"n_resamples": 999, "rng": 0}
    areas = partial(fc.permutation_auc_test, *few[1:], **options)
    return partial(fc.permutation_survival_test, *few, **options), areas


def calibration_and_sorts():
    """Return the calibration at one time, and two argsorts."""
    time, event, a, b = times_to_event(10**5)
    call = partial(fc.survival_calibration, time, event, probabilities(a), horizon=1.0)
    return call, partial(argsorts, event, a, b)


def bytes_a_case(n):
    """Return the bytes a case that the test takes at its peak; for a process of its own."""
    time, event, a, b = times_to_event(1 << 12)
    fc.concordance_test(time, event, a, b)
    time, event, a, b = times_to_event(n)
    before = memory("VmRSS")
    fc.concordance_test(time, event, a, b)
    return (memory("VmHWM") - before) / n
