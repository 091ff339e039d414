"""What tests of times to an event may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import times_to_event
from ..contenders.baselines import argsorts
from ..timing import Row, power, ratio

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
