"""asv: counts and means of cases in chunks. A ``track_…`` method is a ratio within one run."""

import numpy as np

import fastcompare as fc
from fastcompare._inference.exact import exact_squares, exact_sum

from ..cases import item_scores
from ..timing import ratio

CHUNK = 1 << 16


def cut(columns):
    """Return columns in chunks."""
    places = range(CHUNK, len(columns[0]), CHUNK)
    return list(zip(*(np.split(column, places) for column in columns), strict=True))


class ChunkMeans:
    """Tests of chunks; the unit is the same test in memory."""

    params = ((10**4, 10**6), ("mcnemar", "scoring", "paired_mean", "clusters"))
    param_names = ("n", "test")

    def setup(self, n, test):
        a, b, groups = item_scores(n)
        rng = np.random.default_rng(0)
        y, p, q = rng.integers(0, 2, n), rng.random(n), rng.random(n)
        labels = y, (p > 0.5) * 1, (q > 0.5) * 1
        self.linked = {"groups": groups} if test == "clusters" else {}
        self.columns = {"mcnemar": labels, "scoring": (y, p, q)}.get(test, (a, b))
        self.chunks = cut([*self.columns, *self.linked.values()])
        self.call = {"mcnemar": fc.mcnemar_test, "scoring": fc.scoring_test}.get(
            test, fc.paired_mean_test
        )
        self.time_test(n, test)

    def time_test(self, n, test):
        self.call(self.chunks)

    def track_ratio_to_memory(self, n, test):
        in_memory = lambda: self.call(*self.columns, **self.linked)  # noqa: E731
        return ratio(lambda: self.call(self.chunks), in_memory)

    track_ratio_to_memory.unit = "ratio"


class ExactSums:
    """Sums without rounding; the unit is NumPy's sum."""

    params = (("sum", "squares"),)
    param_names = ("kind",)

    def setup(self, kind):
        self.x = np.random.default_rng(0).normal(size=10**6)
        self.exact = {"sum": exact_sum, "squares": exact_squares}[kind]
        self.exact(self.x)

    def time_exact(self, kind):
        self.exact(self.x)

    def track_ratio_to_numpy(self, kind):
        return ratio(lambda: self.exact(self.x), self.x.sum)

    track_ratio_to_numpy.unit = "ratio"
