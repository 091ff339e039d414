"""Many problems in one call, and calls that a second thread shares."""

import fastcompare as fc
from fastcompare._compare.auc.delong import batch

from ..cases import batch_cases
from ..contenders.baselines import argsorts
from ..limits.batches import threaded
from ..timing import one_blas_thread, ratio

SECONDS = 2.0


class Batch:
    """Many small problems; the unit is two argsort calls a problem."""

    params = ((50, 200, 1000), ("normal", "t"))
    param_names = ("n", "reference")
    problems = 10_000

    def setup(self, n, reference):
        self.labels, self.scores = batch_cases(self.problems, n)
        self.time_delong_batch(n, reference)

    def time_delong_batch(self, n, reference):
        fc.delong_batch(self.labels, *self.scores, reference=reference)

    def argsorts(self):
        for a, b in zip(*self.scores, strict=True):
            argsorts(self.labels, a, b)

    def track_ratio_to_argsorts(self, n, reference):
        return ratio(lambda: self.time_delong_batch(n, reference), self.argsorts, seconds=SECONDS)

    track_ratio_to_argsorts.unit = "ratio"


class BatchBlocks:
    """Where `batch.BLOCK_CASES` comes from: how many cases one kernel call should take."""

    params = tuple(1 << exponent for exponent in (11, 13, 14, 15, 16, 17, 19, 21))
    param_names = ("block_cases",)
    chosen = batch.BLOCK_CASES

    def setup(self, block_cases):
        self.labels, self.scores = batch_cases(10_000, 200)

    def run(self, block_cases):
        batch.BLOCK_CASES = block_cases
        fc.delong_batch(self.labels, *self.scores)

    def teardown(self, block_cases):
        batch.BLOCK_CASES = self.chosen

    def track_ratio_to_chosen(self, block_cases):
        return ratio(lambda: self.run(block_cases), lambda: self.run(self.chosen), seconds=SECONDS)

    track_ratio_to_chosen.unit = "ratio"


class LongBatch:
    """Few large problems; the unit is a loop of `delong_test`."""

    params = (3000, 20_000, 10**5)
    param_names = ("n",)

    def setup(self, n):
        self.labels, self.scores = batch_cases(10, n)
        self.time_delong_batch(n)

    def time_delong_batch(self, n):
        fc.delong_batch(self.labels, *self.scores)

    def loop(self):
        for a, b in zip(*self.scores, strict=True):
            fc.delong_test(self.labels, a, b)

    def track_ratio_to_loop(self, n):
        return ratio(lambda: self.time_delong_batch(n), self.loop, seconds=SECONDS)

    track_ratio_to_loop.unit = "ratio"


class Threads:
    """Two threads; the unit is one thread."""

    params = tuple(threaded())
    param_names = ("call",)

    def setup(self, name):
        self.call = threaded()[name]()

    def track_ratio_to_one_thread(self, name):
        with one_blas_thread():
            return ratio(lambda: self.call(n_jobs=2), lambda: self.call(n_jobs=1), seconds=SECONDS)

    track_ratio_to_one_thread.unit = "ratio"
