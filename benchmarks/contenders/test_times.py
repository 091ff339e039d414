"""pytest-benchmark: what a concordance costs elsewhere, and that all agree.

compareC compares all pairs, as `all_pairs` does for both models; lifelines and scikit-survival have
one concordance without a test, and take part where they are installed.
"""

import numpy as np
import pytest

import fastcompare as fc

from ..cases import times_to_event

SIZES = {
    "fastcompare": 10**6,
    "test": 10**6,
    "all pairs": 10**4,
    "lifelines": 10**5,
    "sksurv": 10**4,
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
