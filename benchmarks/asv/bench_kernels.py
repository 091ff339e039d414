"""asv: the kernels for one model, and the constants that decide between them.

The classes after `Placements` show crossovers: each tracks the ratio of two kernels over sizes on
both sides of the constant that they are named with.
"""

import numpy as np

from fastcompare.kernels import (
    midranks,
    placements_heaviside,
    placements_midrank,
    placements_packed,
)
from fastcompare.kernels.sorting.keys import pack
from fastcompare.kernels.sorting.linear import placements_linear, placements_of_few_values
from fastcompare.kernels.sorting.native import radix_sort

from ..cases import scored_cases
from ..contenders.baselines import argsorts
from ..limits.single import LOOPED, sum_of_variances
from ..timing import ratio

SECONDS = 0.3  # of a ratio
KERNELS = {  # name: the kernel and the scores that suit it
    "heaviside": (placements_heaviside, "normal"),
    "midrank": (placements_midrank, "normal"),
    "packed": (placements_packed, "normal"),
    "few values": (placements_of_few_values, "100 values"),
}
LARGEST = {"heaviside": 10**4}
NARROW = ("normal", "5 decimals")


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


class DeLongLoop:
    """Tests in a compiled loop; the unit is two argsort calls a test."""

    params = (100, 1000, 10**4)
    param_names = ("n",)

    def setup(self, n):
        labels, self.scores = scored_cases(n)
        self.labels = labels.astype(np.uint8)
        self.time_delong(n)

    def time_delong(self, n):
        sum_of_variances(LOOPED, self.labels, *self.scores)

    def argsorts(self):
        for _ in range(LOOPED):
            argsorts(self.labels, *self.scores)

    def track_ratio_to_argsorts(self, n):
        return ratio(lambda: self.time_delong(n), self.argsorts, seconds=SECONDS)

    track_ratio_to_argsorts.unit = "ratio"


class LinearBelow:
    """`linear.LINEAR_BELOW`: up to how many cases 32-bit keys beat those of 64 bits."""

    params = (tuple(1 << exponent for exponent in (7, 9, 11, 12, 13, 14, 15, 16)), tuple(NARROW))
    param_names = ("n", "scores")

    def setup(self, n, kind):
        self.labels, self.scores, self.out = one_model(n, kind)
        self.keys, self.m = np.empty(n, np.uint32), int(self.labels.sum())

    def place(self):
        return placements_linear(self.scores, self.labels, self.m, self.keys, self.out)

    def track_ratio_to_midrank(self, n, kind):
        return ratio(
            self.place,
            lambda: placements_midrank(self.scores, self.labels, self.out),
            seconds=SECONDS,
        )

    def track_ratio_to_heaviside(self, n, kind):
        """From about 500 pairs on sorting is faster: 'auto' always sorts."""
        if n > LARGEST["heaviside"]:
            raise NotImplementedError
        return ratio(
            self.place,
            lambda: placements_heaviside(self.scores, self.labels, self.out),
            seconds=SECONDS,
        )

    track_ratio_to_midrank.unit = track_ratio_to_heaviside.unit = "ratio"


class Sorts:
    """The sorts alone, of packed keys: what `native` claims. Both parts of the ratio copy them.

    By digits takes 2.4 of NumPy's time at 1,000 keys, 1.3 at 10^4 and 1.1 from 10^5 on with AVX2;
    1.0, 0.4 and 0.3 with AVX-512 in microcode.
    """

    params = (100, 10**3, 10**4, 10**5, 10**6)
    param_names = ("n",)

    def setup(self, n):
        labels, scores, _ = one_model(n)
        self.keys = np.empty(n, np.uint64)
        pack(scores, labels, self.keys)

    def track_ratio_of_radix_to_simd(self, n):
        return ratio(
            lambda: radix_sort(self.keys.copy()), lambda: self.keys.copy().sort(), seconds=SECONDS
        )

    track_ratio_of_radix_to_simd.unit = "ratio"


class TableFrom:
    """`pair.TABLE_FROM`: from how many cases a look for few values is worth its price.

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
