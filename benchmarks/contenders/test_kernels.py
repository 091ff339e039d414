"""pytest-benchmark: the kernels for one model beside NumPy's ways, which also must agree."""

from typing import NamedTuple

import numpy as np
import pytest

from fastcompare.kernels import placements_heaviside, placements_midrank, placements_packed
from fastcompare.kernels.sorting.linear import placements_of_few_values

from ..cases import scored_cases
from .baselines import midrank_components, naive_components

SIZES = (100, 1000, 10**4, 10**5, 10**6)


def place(components):
    """Return a way to placements from one to components."""

    def call(scores, labels, out):
        v10, v01 = components(labels, scores)
        out[labels == 1] = np.rint(2.0 * v01.size * v10)
        out[labels == 0] = np.rint(2.0 * v10.size * v01)

    return call


class Contender(NamedTuple):
    place: object
    least: int = 0
    most: int = 10**7
    kinds: tuple = ("normal", "100 values")


CONTENDERS = {
    "heaviside": Contender(placements_heaviside, most=10**4),
    "midrank": Contender(placements_midrank),
    "packed": Contender(placements_packed),
    "few values": Contender(placements_of_few_values, least=10**4, kinds=("100 values",)),
    "argsort": Contender(lambda scores, labels, out: np.argsort(scores)),
    "midrank (NumPy)": Contender(place(midrank_components), most=10**5),
    "naive O(mn)": Contender(place(naive_components), most=10**4),
}
ENTRIES = [
    pytest.param(n, kind, name, id=f"{n}-{kind}-{name}")
    for n in SIZES
    for name, contender in CONTENDERS.items()
    for kind in contender.kinds
    if contender.least <= n <= contender.most
]


@pytest.mark.parametrize(("n", "kind", "name"), ENTRIES)
def test_placements_of_one_model(benchmark, n, kind, name):
    benchmark.group = f"one model, {kind}, n = {n}"
    labels, scores = scored_cases(n, kind, k=1)
    labels, out = labels.astype(np.uint8), np.empty(n, np.uint32)
    CONTENDERS[name].place(scores[0], labels, out)  # compiles before the clock starts
    benchmark(CONTENDERS[name].place, scores[0], labels, out)
    if name != "argsort":
        want = np.empty(n, np.uint32)
        placements_midrank(scores[0], labels, want)
        np.testing.assert_array_equal(out, want)
