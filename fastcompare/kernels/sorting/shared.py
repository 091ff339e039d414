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
LARGEST = 8  # a part of more than 1 / LARGEST of all keys would keep one thread busy


@kernel
def score_range_and_gap(scores):
    """Return the smallest and the largest ordered integer of scores, and their `zero_gap`."""
    low, high = key_range(scores)
    return low, high, zero_gap(scores)


@kernel
def choose_map(scores, low, high, gap, nbits, try_decimals):
    """Return the map of scores to prefixes, its scale (decimals, linear), and its shift (bits).

    `low`, `high` and `gap` are those of `score_range_and_gap`; keys have `nbits` below the prefix.
    """
    least, most = double_from_integer(low), double_from_integer(high)
    if try_decimals:
        scale = decimal_scale(scores, least, most, U(64) - nbits)
        if scale > 0.0:
            return DECIMALS, scale, ZERO
    scale = linear_scale(least, most, U(64) - nbits)
    span = close_zero_gap(high, gap) - close_zero_gap(low, gap)
    shift = U(64) - bit_length(max(span, ONE))
    return best_map(scores, scale, gap, shift, nbits), scale, shift


@kernel
def count_parts(keys, part_shift, counts, negatives):
    """Add to `counts` and `negatives` the keys of each part, all and those of label 0.

    A key's part is ``key >> part_shift``.
    """
    for key in keys:
        counts[key >> part_shift] += 1
        negatives[key >> part_shift] += np.int64(ONE - (key & ONE))


@kernel
def scatter_parts(keys, first, part_shift, next_place, out):
    """Write keys to the next places of their parts in `out`, and advance these.

    Keys number cases from 0; `first` is added. A key's part is ``key >> part_shift``.
    """
    offset = U(first) << ONE  # the lowest bit is the label
    for key in keys:
        out[next_place[key >> part_shift]] = key + offset
        next_place[key >> part_shift] += 1


@kernel
def sort_and_place(keys, ends, below, begin, end, scores, m, nbits, exact, out):
    """Sort the keys of the parts from `begin` to `end` - 1, and write their placements to `out`.

    Part j ends before ``keys[ends[j]]``; `below` counts the negatives of all parts before each.
    """
    for j in range(begin, end):
        start = ends[j - 1] if j else 0
        part_keys = keys[start : ends[j]]
        if part_keys.size:
            sort_packed64(part_keys, nbits)
            place_keys(part_keys, U(start), U(below[j]), scores, m, nbits, exact, out)


def split_evenly(n: int, pieces: int) -> list[slice]:
    """Return `pieces` slices of about the same length that cover n cases."""
    ends = [n * j // pieces for j in range(pieces + 1)]
    return [slice(*each) for each in pairwise(ends)]


class KeyMap(NamedTuple):
    """A map of all scores to the prefixes of keys, and the split of keys into parts."""

    chosen: int  # BY_BITS, LINEAR, BETWEEN or DECIMALS
    low: Any  # the least ordered integer of a score
    gap: Any  # the number of ordered integers next to 0 that no score has
    scale: float  # of decimals and of a linear map
    shift: Any  # of bits
    nbits: Any  # below the prefix: case number and label
    part_shift: Any  # bits below the number of a key's part

    @classmethod
    def of(cls, scores: Any, ranges: Sequence[Any], try_decimals: bool) -> "KeyMap":
        """Return the best map of scores, given the `score_range_and_gap` of each stretch."""
        lows, highs, gaps = zip(*ranges, strict=True)
        low, high, gap = U(min(lows)), U(max(highs)), U(min(gaps))
        nbits = U(int(bit_length(U(scores.size - 1))) + 1)
        chosen, scale, shift = choose_map(scores, low, high, gap, nbits, try_decimals)
        part_shift = 64 - PART_BITS
        if chosen == DECIMALS:  # whole numbers, which leave the highest bits of keys empty
            least, most = (np.rint(double_from_integer(end) * scale) for end in (low, high))
            part_shift = int(nbits) + max(int(most - least).bit_length() - PART_BITS, 0)
        return cls(chosen, low, gap, scale, U(shift), nbits, U(part_shift))

    def pack(self, scores: Any, labels: Any, keys: Any) -> bool:
        """Write packed keys, numbered from 0; return whether equal prefixes mean equal scores."""
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
        sample = slice(scores.size // PARTS)
        if not self.pack(scores[sample], labels[sample], keys[sample]):
            return False
        _, _, codes = code_range(keys[sample], self.nbits)
        return bool(codes <= min(FEW_CODES, scores.size))


class Counts(NamedTuple):
    """Numbers of keys and of negatives of each stretch in each part; whether keys are exact."""

    keys: NDArray[np.int64]
    negatives: NDArray[np.int64]
    exact: bool


def placements_shared(
    scores: Any, labels: Any, m: int, scratch: Any, out: Any, n_jobs: int
) -> bool:
    """Write the placement of every case to `out`, by several threads; False where one is as fast.

    `scratch` has at least as many uint64 as there are scores; `m` is the number of positives.
    """
    probed = slice(PROBED)
    if placements_of_few_values(scores[probed].astype(np.float64), labels[probed], out[probed]):
        return False
    stretches = split_evenly(scores.size, max(n_jobs, -(-scores.size // CASES_PER_STRETCH)))
    ranges = map_threads(lambda rows: score_range_and_gap(scores[rows]), stretches, n_jobs)
    for try_decimals in (True, False):
        key_map = KeyMap.of(scores, ranges, try_decimals)
        if key_map.chosen == BETWEEN or key_map.has_few_codes(scores, labels, scratch):
            return False
        counts = count_stretches(key_map, scores, labels, stretches, n_jobs)
        if counts.exact or key_map.chosen != DECIMALS:  # else only a sample's scores are decimals
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
        all_exact = True
        for _, packed, exact in key_map.pack_stretch(scores, labels, stretches[job]):
            all_exact &= exact
            count_parts(packed, key_map.part_shift, keys[job], negatives[job])
        return all_exact

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
    part_starts = np.cumsum(sizes) - sizes
    next_place = part_starts + (np.cumsum(counts.keys, axis=0) - counts.keys)  # (stretch, part)

    def scatter(job: int) -> None:
        """Write the keys of one stretch to their parts."""
        for first, packed, _ in key_map.pack_stretch(scores, labels, stretches[job]):
            scatter_parts(packed, first, key_map.part_shift, next_place[job], keys)

    map_threads(scatter, range(len(stretches)), n_jobs)


def place_parts(
    key_map: KeyMap, scores: Any, m: Any, counts: Counts, keys: Any, out: Any, n_jobs: int
) -> None:
    """Sort the keys of each part and write the placements, in tasks of parts that adjoin.

    Tasks have about as many keys each, and as many as `TASKS` and the number of stretches ask for.
    """
    ends, negatives = np.cumsum(counts.keys.sum(axis=0)), counts.negatives.sum(axis=0)
    below = np.cumsum(negatives) - negatives
    tasks = split_evenly(keys.size, max(TASKS * n_jobs, len(counts.keys)))
    firsts = np.searchsorted(ends, [task.start for task in tasks], "right").tolist()
    begins = sorted({*firsts, PARTS})  # the first part of each task, and the end of the last

    def place(task: int) -> None:
        """Sort the keys of one task's parts and write their placements."""
        parts = ends, below, begins[task], begins[task + 1]
        sort_and_place(keys, *parts, scores, m, key_map.nbits, counts.exact, out)

    map_threads(place, range(len(begins) - 1), n_jobs)
