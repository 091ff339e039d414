"""pytest-benchmark: contenders of `baselines.py` side by side, which also must agree.

pytest benchmarks --benchmark-only --benchmark-group-by=group
"""

import math

import pytest

import fastcompare as fc

from ..cases import batch_cases, scored_cases
from .baselines import CONTENDERS, fastcompare

SIZES = (100, 1000, 10**4, 10**5, 10**6)
ENTRIES = [
    pytest.param(n, name, id=f"{n}-{name}")
    for n in SIZES
    for name, contender in CONTENDERS.items()
    if n <= contender.most
]


@pytest.mark.parametrize("kind", ["normal", "100 values"])
@pytest.mark.parametrize(("n", "name"), ENTRIES)
def test_delong_of_two_models(benchmark, n, name, kind):
    benchmark.group = f"two models, {kind}, n = {n}"
    labels, scores = scored_cases(n, kind)
    answer = CONTENDERS[name].compare(labels, *scores)  # compiles before the clock starts
    benchmark(CONTENDERS[name].compare, labels, *scores)
    for got, want in zip(answer, fastcompare(labels, *scores), strict=True):
        assert math.isnan(got) or got == pytest.approx(want, rel=1e-6, abs=1e-12)


BATCH = {
    "delong_batch": lambda labels, a, b: (
        fc.delong_batch(labels, a, b, reference="normal").statistic
    ),
    "fastcompare": lambda labels, a, b: by_loop("fastcompare", labels, a, b),
    "argsort": lambda labels, a, b: by_loop("argsort", labels, a, b),
    "midrank (NumPy)": lambda labels, a, b: by_loop("midrank (NumPy)", labels, a, b),
}


def by_loop(name, labels, a, b):
    """Return z of each problem, by one call a problem."""
    return [CONTENDERS[name].compare(labels, *pair)[1] for pair in zip(a, b, strict=True)]


@pytest.mark.parametrize("name", BATCH)
def test_many_small_problems(benchmark, name):
    benchmark.group = "1000 problems of n = 200"
    labels, scores = batch_cases(1000, 200)
    answer = BATCH[name](labels, *scores)
    benchmark(BATCH[name], labels, *scores)
    for got, want in zip(answer, BATCH["delong_batch"](labels, *scores), strict=True):
        assert math.isnan(got) or got == pytest.approx(want, rel=1e-6)
