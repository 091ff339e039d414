"""pytest-benchmark: what a concordance costs elsewhere, and that all agree.

compareC tests two of them by all pairs; lifelines, scikit-survival and fast-cindex have one
concordance without a test, R's survival has two fits with their influence: whoever is installed
takes part.
"""

import shutil

import numpy as np
import pytest

import fastcompare as fc

from ..cases import times_to_event
from ..elsewhere import two_fits
from .compare_c import compare_c

SIZES = {
    "fastcompare": 10**6,
    "test": 10**6,
    "all pairs": 10**4,
    "compareC": 10**4,
    "lifelines": 10**5,
    "sksurv": 10**4,
    "fast-cindex": 10**6,
    "survival": 10**6,
}
ENTRIES = [
    pytest.param(n, name, id=f"{n}-{name}")
    for n in (1000, 10**4, 10**5, 10**6)
    for name, most in SIZES.items()
    if n <= most
]


def all_pairs(time, event, scores):
    """Return the concordances of all models by comparing each event with all cases."""
    won, total, event = np.zeros(len(scores)), 0, np.asarray(event, bool)
    for i in np.flatnonzero(event):
        later = (time > time[i]) | ((time == time[i]) & ~event)
        own, others = scores[:, i, None], scores[:, later]
        won += (own > others).sum(axis=1) + 0.5 * (own == others).sum(axis=1)
        total += int(later.sum())
    return won / total


def concordance_of(name, time, event, scores):
    """Return a call that computes the first model's concordance, with whatever goes with it."""
    if name == "test":
        return lambda: fc.concordance_test(time, event, *scores).concordance[0]
    if name == "all pairs":
        return lambda: all_pairs(time, event, scores)[0]
    if name == "compareC":
        return lambda: compare_c(time, event, *scores).concordance[0]
    if name == "fast-cindex":
        fast_cindex = pytest.importorskip("fast_cindex")
        return lambda: fast_cindex.cindex(time, -scores[0], event)
    if name == "survival":
        if shutil.which("Rscript") is None:
            pytest.skip("needs R")
        return lambda: two_fits(time, event, *scores).concordance[0]
    if name == "lifelines":
        utils = pytest.importorskip("lifelines.utils")
        return lambda: utils.concordance_index(time, -scores[0], event)
    if name == "sksurv":
        metrics = pytest.importorskip("sksurv.metrics")
        return lambda: metrics.concordance_index_censored(event, time, scores[0])[0]
    return lambda: fc.concordance(time, event, scores[0])


@pytest.mark.parametrize(("n", "name"), ENTRIES)
def test_concordance(benchmark, n, name):
    benchmark.group = f"concordance, n = {n}"
    time, event, *both = times_to_event(n)
    scores = np.array(both)
    call = concordance_of(name, time, event, scores)
    assert call() == pytest.approx(fc.concordance(time, event, scores[0]), rel=1e-12)
    benchmark(call)


def test_the_variance_by_all_pairs_is_kangs_and_near_the_jackknifes():
    time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    a, b = [5, 3, 3, 4, 2, 2, 6, 1, 1, 0], [5, 4, 2, 4, 4, 3, 2, 2, 1, 1]
    few = compare_c(*map(np.array, (time, event, a, b)))
    assert few.variances[1] == pytest.approx(-0.000352, abs=5e-7)
    many = times_to_event(2000)
    found, ours = compare_c(*many), fc.concordance_test(*many, reference="normal")
    assert found.difference == pytest.approx(ours.standard_error**2, rel=5e-3)
    assert found.pvalue == pytest.approx(ours.pvalue, rel=2e-2)
