"""Placements of one model by several threads: keys are split by their highest bits, then sorted.

Threads pack stretches of cases twice, since to store keys in between takes as long and more memory:
to count how many fall into each of 1,024 parts, and to write them where their part begins. Parts
are sorted and placed in cache. The placements are the same for any number of threads.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.parallel import map_threads
from ..._jit.kernel import kernel
from ..sums import ONE, ZERO, U
from .keys import (
    BETWEEN,
    LINEAR,
    best_map,
    close_zero_gap,
    decimal_scale,
    double_from_integer,
    key_range,
    linear_scale,
    pack_bits,
    pack_decimals,
    pack_linear,
    zero_gap,
)
from .linear import PROBED, placements_of_few_values
from .native import bit_length, sort_packed64
from .placements import FEW_CODES, code_range, place_keys

SHARED_FROM = 1 << 20  # cases of a model that several threads sort together
DECIMALS = BETWEEN + 1  # a map beside those of `keys`
PART_BITS = 10
PARTS = 1 << PART_BITS
BUFFER = 1 << 18  # keys that are packed at a time, in cache: with fewer 16 threads wait for turns
CASES_PER_STRETCH = 1 << 20  # cases: an interrupt is heard after each
TASKS = 8  # of each thread: the last ones end together
LARGEST = 8  # a part that has more than an eighth of all keys would keep one thread busy


@kernel
def score_range_and_gap(scores):
    """Return the smallest and the largest ordered integer of scores, and the gap around 0."""
    low, high = key_range(scores)
    return low, high, zero_gap(scores)


@kernel
def choose_map(scores, low, high, gap, nbits, decimals):
    """Return the map of scores to prefixes, its scale (decimals, linear), and its shift (bits).

    `decimals` says whether to try decimals.
    """
    least, most = double_from_integer(low), double_from_integer(high)
    if decimals:
        scale = decimal_scale(scores, least, most, U(64) - nbits)
        if scale > 0.0:
            return DECIMALS, scale, ZERO
    scale = linear_scale(least, most, U(64) - nbits)
    span = close_zero_gap(high, gap) - close_zero_gap(low, gap)
    shift = U(64) - bit_length(max(span, ONE))
    return best_map(scores, scale, gap, shift, nbits), scale, shift


@kernel
def count_parts(keys, part, counts, negatives):
    """Add to `counts` and `negatives` the keys of each part: the bits of a key from `part` on."""
    for key in keys:
        counts[key >> part] += 1
        negatives[key >> part] += np.int64(ONE - (key & ONE))


@kernel
def scatter_parts(keys, first, part, place, out):
    """Write keys, with cases renumbered from `first` on, to `out` at the `place` of their part."""
    number = U(first) << ONE
    for key in keys:
        out[place[key >> part]] = key + number
        place[key >> part] += 1


@kernel
def sort_and_place(keys, ends, below, begin, end, scores, m, nbits, exact, out):
    """Sort the keys of the parts from `begin` to `end`, and write their placements."""
    for j in range(begin, end):
        start = ends[j - 1] if j else 0
        mine = keys[start : ends[j]]
        if mine.size:
            sort_packed64(mine, nbits)
            place_keys(mine, U(start), U(below[j]), scores, m, nbits, exact, out)


def split_evenly(n: int, pieces: int) -> list[slice]:
    """Return `pieces` slices of about the same length that cover n cases."""
    ends = [n * j // pieces for j in range(pieces + 1)]
    return [slice(*each) for each in pairwise(ends)]


class KeyMap(NamedTuple):
    """A map of all scores to prefixes, and the bits of keys below the number of their part."""

    chosen: int
    low: Any
    gap: Any
    scale: float
    shift: Any
    nbits: Any
    part: Any

    @classmethod
    def of(cls, scores: Any, ends: Sequence[Any], decimals: bool) -> "KeyMap":
        """Return the best map for the `ends` of all stretches; `decimals` says to try these."""
        lows, highs, gaps = zip(*ends, strict=True)
        low, high, gap = U(min(lows)), U(max(highs)), U(min(gaps))
        nbits = U(int(bit_length(U(scores.size - 1))) + 1)
        chosen, scale, shift = choose_map(scores, low, high, gap, nbits, decimals)
        part = 64 - PART_BITS
        if chosen == DECIMALS:
            least, most = (np.rint(double_from_integer(end) * scale) for end in (low, high))
            part = int(nbits) + max(int(most - least).bit_length() - PART_BITS, 0)
        return cls(chosen, low, gap, scale, U(shift), nbits, U(part))

    def pack(self, scores: Any, labels: Any, keys: Any) -> bool:
        """Write the packed keys of scores, numbered from 0; return whether they are exact."""
        cases = scores, labels, double_from_integer(self.low)
        if self.chosen == DECIMALS:
            return bool(pack_decimals(*cases, self.scale, self.nbits, keys))
        if self.chosen == LINEAR:
            pack_linear(*cases, self.scale, self.nbits, keys)
            return False
        start = U(close_zero_gap(self.low, self.gap))
        return bool(pack_bits(scores, labels, start, self.gap, self.shift, self.nbits, keys))

    def pack_stretch(self, scores: Any, labels: Any, rows: slice) -> Iterator[Any]:
        """Yield for each buffer the first case's number, the keys, and whether they are exact."""
        buffer = np.empty(BUFFER, np.uint64)
        for first in range(rows.start, rows.stop, BUFFER):
            cases = slice(first, min(first + BUFFER, rows.stop))
            keys = buffer[: cases.stop - first]
            exact = self.pack(scores[cases], labels[cases], keys)
            yield first, keys, exact

    def has_few_codes(self, scores: Any, labels: Any, keys: Any) -> bool:
        """Return whether a sample has so few codes that one thread counts them faster."""
        some = slice(scores.size // PARTS)
        exact, few = self.pack(scores[some], labels[some], keys[some]), min(FEW_CODES, scores.size)
        return bool(exact and code_range(keys[some], self.nbits)[2] <= few)


class Counts(NamedTuple):
    """Keys and negatives of each stretch of cases in each part, and whether keys are exact."""

    keys: NDArray[np.int64]
    negatives: NDArray[np.int64]
    exact: bool


def placements_shared(
    scores: Any, labels: Any, m: int, scratch: Any, out: Any, n_jobs: int
) -> bool:
    """Write the placement of every case to `out`, by several threads; False where one is as fast.

    `scratch` is of as many uint64; `m` counts positives.
    """
    few, probed = placements_of_few_values, slice(PROBED)
    if few(scores[probed].astype(np.float64), labels[probed], out[probed]):
        return False
    stretches = split_evenly(scores.size, max(n_jobs, -(-scores.size // CASES_PER_STRETCH)))
    ends = map_threads(lambda rows: score_range_and_gap(scores[rows]), stretches, n_jobs)
    for decimals in (True, False):
        key_map = KeyMap.of(scores, ends, decimals)
        if key_map.chosen == BETWEEN or key_map.has_few_codes(scores, labels, scratch):
            return False
        counts = count_stretches(key_map, scores, labels, stretches, n_jobs)
        if counts.exact or key_map.chosen != DECIMALS:
            break
    if counts.keys.sum(axis=0).max() > scores.size // LARGEST:
        return False
    keys = scratch[: scores.size]
    scatter_stretches(key_map, scores, labels, stretches, counts, keys, n_jobs)
    place_parts(key_map, scores, U(m), counts, keys, out, n_jobs)
    return True


def count_stretches(
    key_map: KeyMap, scores: Any, labels: Any, stretches: list[slice], n_jobs: int
) -> Counts:
    """Return the numbers of keys and negatives of each stretch in each part."""
    keys, negatives = np.zeros((2, len(stretches), PARTS), np.int64)

    def count(job: int) -> bool:
        """Count the keys of one stretch by part; return whether all its keys are exact."""
        every = True
        for _, some, exact in key_map.pack_stretch(scores, labels, stretches[job]):
            every &= exact
            count_parts(some, key_map.part, keys[job], negatives[job])
        return every

    exact = map_threads(count, range(len(stretches)), n_jobs)
    return Counts(keys, negatives, all(exact))


def scatter_stretches(
    key_map: KeyMap,
    scores: Any,
    labels: Any,
    stretches: list[slice],
    counts: Counts,
    keys: Any,
    n_jobs: int,
) -> None:
    """Write the keys of all cases to `keys`, part by part."""
    sizes = counts.keys.sum(axis=0)
    place = np.cumsum(counts.keys, axis=0) - counts.keys + (np.cumsum(sizes) - sizes)

    def scatter(job: int) -> None:
        """Write the keys of one stretch to their parts."""
        for first, some, _ in key_map.pack_stretch(scores, labels, stretches[job]):
            scatter_parts(some, first, key_map.part, place[job], keys)

    map_threads(scatter, range(len(stretches)), n_jobs)


def place_parts(
    key_map: KeyMap, scores: Any, m: Any, counts: Counts, keys: Any, out: Any, n_jobs: int
) -> None:
    """Sort the keys of each part, and write the placements; a task are parts of many keys."""
    ends, negatives = np.cumsum(counts.keys.sum(axis=0)), counts.negatives.sum(axis=0)
    below = np.cumsum(negatives) - negatives
    tasks = split_evenly(keys.size, max(TASKS * n_jobs, len(counts.keys)))
    firsts = np.searchsorted(ends, [task.start for task in tasks], "right").tolist()
    parts = sorted({*firsts, PARTS})

    def place(task: int) -> None:
        """Sort the keys of one task's parts and write their placements."""
        where = ends, below, parts[task], parts[task + 1]
        sort_and_place(keys, *where, scores, m, key_map.nbits, counts.exact, out)

    map_threads(place, range(len(parts) - 1), n_jobs)
