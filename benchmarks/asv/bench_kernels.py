"""asv: the kernels for one model, and the constants that decide between them.

The classes after `Placements` show crossovers: each tracks the ratio of two kernels over sizes on
both sides of the constant that they are named with.
"""

import math

import numpy as np

from fastcompare.kernels import (
    midranks,
    placements_heaviside,
    placements_midrank,
    placements_packed,
)
from fastcompare.kernels.sorting.few_values import placements_of_few_values
from fastcompare.kernels.sorting.keys import pack
from fastcompare.kernels.sorting.radix import sort_keys

from ..cases import POSITIVES, scored_cases
from ..timing import ratio

SECONDS = 0.3  # of a ratio
KERNELS = {  # name: the kernel and the scores that suit it
    "heaviside": (placements_heaviside, "normal"),
    "midrank": (placements_midrank, "normal"),
    "packed": (placements_packed, "normal"),
    "few values": (placements_of_few_values, "100 values"),
}
LARGEST = {"heaviside": 10**4}


def one_model(n, kind="normal"):
    """Return labels, scores and room for placements, as the kernels take them."""
    labels, scores = scored_cases(n, kind, k=1)
    return labels.astype(np.uint8), scores[0], np.empty(n, np.uint32)


class Placements:
    params = ((100, 10**4, 10**6), tuple(KERNELS))
    param_names = ("n", "kernel")

    def setup(self, n, kernel):
        if n > LARGEST.get(kernel, n):
            raise NotImplementedError  # asv's way to skip
        self.place, kind = KERNELS[kernel]
        self.labels, self.scores, self.out = one_model(n, kind)
        self.time_placements(n, kernel)

    def time_placements(self, n, kernel):
        self.place(self.scores, self.labels, self.out)


class Midranks:
    params = (100, 10**4, 10**6)
    param_names = ("n",)

    def setup(self, n):
        _, self.scores, self.out = one_model(n)
        self.time_midranks(n)

    def time_midranks(self, n):
        midranks(self.scores, self.out)


class HeavisidePairs:
    """`pair.HEAVISIDE_PAIRS`: up to how many pairs comparing all of them beats sorting."""

    params = (1000, 5000, 10_000, 20_000, 40_000, 80_000)
    param_names = ("pairs",)

    def setup(self, pairs):
        n = math.isqrt(round(pairs / (POSITIVES * (1.0 - POSITIVES))))
        self.labels, self.scores, self.out = one_model(n)

    def track_ratio_of_heaviside_to_midrank(self, pairs):
        return ratio(
            lambda: placements_heaviside(self.scores, self.labels, self.out),
            lambda: placements_midrank(self.scores, self.labels, self.out),
            seconds=SECONDS,
        )

    track_ratio_of_heaviside_to_midrank.unit = "ratio"


class SimdFrom:
    """`components.RADIX_FROM` and `SIMD_FROM`: between them the radix sort beats NumPy's."""

    params = (tuple(1 << exponent for exponent in range(9, 22)), ("normal", "5 decimals"))
    param_names = ("n", "scores")

    def setup(self, n, kind):
        self.labels, self.scores, self.out = one_model(n, kind)

    def track_ratio_of_simd_to_radix(self, n, kind):
        return ratio(
            lambda: placements_packed(self.scores, self.labels, self.out),
            lambda: placements_midrank(self.scores, self.labels, self.out),
            seconds=SECONDS,
        )

    track_ratio_of_simd_to_radix.unit = "ratio"


class Sorts:
    """The sorts alone, of packed keys: what `radix` claims. Both parts of the ratio copy them."""

    params = (100, 10**3, 10**4, 10**5, 10**6)
    param_names = ("n",)

    def setup(self, n):
        labels, scores, _ = one_model(n)
        self.keys, self.spare = np.empty((2, n), np.uint64)
        self.nbits, _ = pack(scores, labels, self.keys)

    def track_ratio_of_radix_to_simd(self, n):
        return ratio(
            lambda: sort_keys(self.keys.copy(), self.spare, self.nbits),
            lambda: self.keys.copy().sort(),
            seconds=SECONDS,
        )

    track_ratio_of_radix_to_simd.unit = "ratio"


class TableFrom:
    """`components.TABLE_FROM`: from how many cases a look for few values is worth its price.

    The price is a look at scores that are all different, the gain is not sorting tied ones; both
    are given in units of a sort of the same scores.
    """

    params = tuple(1 << exponent for exponent in (10, 11, 12, 13, 14, 16))
    param_names = ("n",)

    def setup(self, n):
        self.distinct, self.tied = one_model(n), one_model(n, "100 values")

    def relative(self, labels, scores, out):
        return ratio(
            lambda: placements_of_few_values(scores, labels, out),
            lambda: placements_midrank(scores, labels, out),
            seconds=SECONDS,
        )

    def track_price_of_looking_in_vain(self, n):
        return self.relative(*self.distinct)

    def track_ratio_of_table_to_sort(self, n):
        return self.relative(*self.tied)

    track_price_of_looking_in_vain.unit = track_ratio_of_table_to_sort.unit = "ratio"
