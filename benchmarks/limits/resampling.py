"""What a bootstrap of two models may take, for `benchmarks.limits`."""

from functools import partial

import fastcompare as fc

from ..cases import scored_cases
from ..contenders.bootstraps import REPLICATES, bootstrap, index_draws
from ..timing import Row, control_row, power, ratio, ratios

BOOTSTRAP = {1000: 0.55, 10**4: 0.30, 10**5: 0.45, 10**6: 0.30}  # n: in units of the index draws
LARGE_REPLICATES = 128  # of 10^6 cases
VARIANTS = {  # of the bootstrap, in units of the plain one
    "studentized": (4.0, {"method": "studentized"}),
    "n_jobs = 2": (0.62, {"n_jobs": 2}),
}


def resampling_rows(quick):
    for n, limit in BOOTSTRAP.items():
        if quick and n > 10**5:
            continue
        draws, plain = (partial(call, *resampled(n)) for call in (index_draws, bootstrap))
        name = f"bootstrap_auc_test, {replicates(n)} replicates, n = {power(n)}: index draws"
        yield Row(name, limit, ratio(plain, draws, seconds=2.0))
    plain = partial(bootstrap, *resampled(10**4))
    calls = [partial(plain, **options) for _, options in VARIANTS.values()]
    measured = ratios(calls, plain, seconds=4.0)
    for (name, (limit, _)), value in zip(VARIANTS.items(), measured, strict=True):
        yield Row(f"bootstrap_auc_test, n = 10^4, {name}: plain", limit, value)
    yield control_row()
    yield from permutation_rows()


def permutation_rows():
    """Yield the limit of a permutation test of whole curves."""
    labels, *scores = resampled(10**4)[:3]
    curves, areas = (
        partial(fc.permutation_auc_test, labels, *scores, method=name, n_resamples=999, rng=0)
        for name in ("venkatraman", "auc")
    )
    name = "permutation_auc_test(method='venkatraman'), n = 10^4: of the AUC"
    yield Row(name, 15.0, ratio(curves, partial(areas, exact=False), seconds=2.0))


def resampled(n):
    """Return labels, the scores of two models, and how many replicates to draw of them."""
    labels, scores = scored_cases(n)
    return labels, *scores, replicates(n)


def replicates(n):
    """Return how many replicates to draw of n cases."""
    return REPLICATES.get(n, LARGE_REPLICATES)
