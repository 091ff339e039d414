"""What tests of times to an event may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import times_to_event
from ..contenders.baselines import argsorts
from ..timing import Row, control_row, power, ratio, run_fresh
from .memory import memory

HORIZON_LIMITS = {10**4: (12.0, 10.0), 10**5: (8.0, 6.0), 10**6: (5.0, 3.5)}  # AUC, Brier
TIMES = np.linspace(0.2, 1.6, 8)


def horizon_rows(quick):
    """Yield a row for each test at a horizon, in units of two argsorts of the scores."""
    for n, limits in HORIZON_LIMITS.items():
        time, event, a, b = times_to_event(n)
        chances = [1.0 / (1.0 + np.exp(-x)) for x in (a, b)]
        calls = {
            "auc_at_test": partial(fc.auc_at_test, time, event, a, b, horizon=1.0),
            "survival_brier_test": partial(
                fc.survival_brier_test, time, event, *chances, horizon=1.0
            ),
        }
        sorts = partial(argsorts, event, a, b)
        for (name, call), limit in zip(calls.items(), limits, strict=True):
            yield Row(f"{name}, n = {power(n)}: two argsorts", limit, ratio(call, sorts))
    time, event, a, b = times_to_event(10**5)
    one, many = (partial(fc.auc_at_test, time, event, a, b, horizon=t) for t in (1.0, TIMES))
    yield Row("auc_at_test, n = 10^5, eight horizons: one", 10.0, ratio(many, one))


SIZES = {10**4: 6.0, 10**5: 6.0, 10**6: 8.0}  # n: the limit in units of two argsorts
TWO_THREADS = {10**5: 0.65, 10**6: 0.65}  # of one
BYTES = 40.0  # a case, beyond the input


def concordance_rows(quick):
    """Yield rows for the paired test, with its covariance, and for one concordance."""
    for n, limit in SIZES.items():
        time, event, a, b = times_to_event(n)
        call = partial(fc.concordance_test, time, event, a, b)
        value = ratio(call, partial(argsorts, event, a, b))
        yield Row(f"concordance_test, n = {power(n)}: two argsorts", limit, value)
        if n in TWO_THREADS:
            value = ratio(partial(call, n_jobs=2), call)
            yield Row(f"concordance_test, n = {power(n)}, n_jobs = 2", TWO_THREADS[n], value)
            yield control_row()
    time, event, a, b = times_to_event(10**5)
    call = partial(fc.concordance_test, time, event, a, b)
    value = ratio(partial(call, method="uno", tau=1.5), call)
    yield Row("concordance_test, Uno, n = 10^5: Harrell", 6.0, value)
    few = times_to_event(10**4)
    options = {"n_resamples": 999, "rng": 0}
    value = ratio(
        partial(fc.permutation_survival_test, *few, **options),
        partial(fc.permutation_auc_test, *few[1:], **options),
    )
    yield Row("permutation_survival_test, n = 10^4: permutation_auc_test", 6.0, value)
    chance = 1.0 / (1.0 + np.exp(-a))
    value = ratio(
        partial(fc.survival_calibration, time, event, chance, horizon=1.0),
        partial(argsorts, event, a, b),
    )
    yield Row("survival_calibration, n = 10^5: two argsorts", 4.0, value)
    if not quick:
        code = f"from {__name__} import bytes_a_case as f; print(f({10**7}))"
        yield Row("concordance_test, peak memory", BYTES, float(run_fresh(code)[1]), "B/case")


def bytes_a_case(n):
    """Return the bytes a case that the test takes at its peak; for a process of its own."""
    time, event, a, b = times_to_event(1 << 12)
    fc.concordance_test(time, event, a, b)
    time, event, a, b = times_to_event(n)
    before = memory("VmRSS")
    fc.concordance_test(time, event, a, b)
    return (memory("VmHWM") - before) / n
