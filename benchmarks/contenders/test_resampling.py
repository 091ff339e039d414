"""pytest-benchmark: contenders of `bootstraps.py` side by side, whose spreads also must agree.

pytest benchmarks --benchmark-only --benchmark-group-by=group

Loops run fewer replicates, as their names tell: a replicate takes them as long as any other.
"""

import math

import pytest

import fastcompare as fc

from ..cases import scored_cases
from .bootstraps import CONTENDERS, REPLICATES

FEWEST = 100  # replicates: their standard deviation is within 15% of the bootstrap's
NEAR = 0.01  # how near the bootstrap's standard deviation and DeLong's are for 1000 cases
ENTRIES = [
    pytest.param(n, name, count, id=f"{n}-{count} by {name}")
    for n, wanted in REPLICATES.items()
    for name, contender in CONTENDERS.items()
    if (count := min(wanted, contender.most // n)) >= FEWEST
]


@pytest.mark.parametrize("kind", ["normal", "100 values"])
@pytest.mark.parametrize(("n", "name", "n_resamples"), ENTRIES)
def test_bootstrap_of_two_models(benchmark, n, name, n_resamples, kind):
    benchmark.group = f"bootstrap of two models, {kind}, n = {n}"
    labels, scores = scored_cases(n, kind)
    replicates = CONTENDERS[name].replicates
    replicates(labels, *scores, 2)  # compiles before the clock starts
    found = benchmark(replicates, labels, *scores, n_resamples)
    if found is not None:
        want = fc.delong_test(labels, *scores).standard_error
        noise = 4.0 / math.sqrt(2.0 * n_resamples)
        assert found.std(ddof=1) == pytest.approx(want, rel=NEAR + noise)
