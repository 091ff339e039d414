"""What a bootstrap of two models may take, for `benchmarks.limits`."""

from functools import partial

import fastcompare as fc

from ..cases import scored_cases
from ..contenders.bootstraps import REPLICATES, bootstrap, index_draws
from ..timing import control_row, power, ratio_row, ratios, rows_together

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
        name = f"bootstrap_auc_test, {replicates(n)} replicates, n = {power(n)}: index draws"
        yield ratio_row(name, limit, partial(bootstrap_and_draws, n), seconds=2.0)
    rows = {
        f"bootstrap_auc_test, n = 10^4, {name}: plain": limit
        for name, (limit, _) in VARIANTS.items()
    }
    yield from rows_together(rows, variant_times)
    yield control_row()
    name = "permutation_auc_test(method='venkatraman'), n = 10^4: of the AUC"
    yield ratio_row(name, 15.0, permutations, seconds=2.0)


def bootstrap_and_draws(n):
    """Return the bootstrap, and the draws of its indices."""
    case = resampled(n)
    return partial(bootstrap, *case), partial(index_draws, *case)


def variant_times():
    """Return what each variant takes, in units of the plain bootstrap."""
    plain = partial(bootstrap, *resampled(10**4))
    return ratios([partial(plain, **options) for _, options in VARIANTS.values()], plain, seconds=4)


def permutations():
    """Return permutation tests of whole curves, and of AUCs."""
    labels, *scores = resampled(10**4)[:3]
    curves, areas = (
        partial(fc.permutation_auc_test, labels, *scores, method=name, n_resamples=999, rng=0)
        for name in ("venkatraman", "auc")
    )
    return curves, partial(areas, exact=False)


def resampled(n):
    """Return labels, the scores of two models, and how many replicates to draw of them."""
    labels, scores = scored_cases(n)
    return labels, *scores, replicates(n)


def replicates(n):
    """Return how many replicates to draw of n cases."""
    return REPLICATES.get(n, LARGE_REPLICATES)
