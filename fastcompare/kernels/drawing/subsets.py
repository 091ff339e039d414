"""Random subsets of the cases of a trial: by shuffling, or only what their signs add up to."""

import numpy as np

from ..._jit.kernel import kernel
from ..words import U
from .philox import WORDS
from .streams import all_below, below, fill_words

VECTOR = 8  # subsets are filled up to whole vectors


@kernel
def room(n):
    """Return an array for at least n words."""
    return np.empty((n + WORDS - 1) // WORDS * WORDS, np.uint32)


@kernel
def reset(order):
    """Put the cases in order, so that no scheme depends on another one."""
    for i in range(order.size):
        order[i] = i


@kernel
def draw_subset(order, size, words, start, trial, purpose, seed):
    """Shuffle the first `size` numbers of `order` (Fisher and Yates), by the words from `start`."""
    for i in range(size):
        place = start + i
        k = below(U(words[place]), U(order.size - i), U(place), trial, purpose, seed)
        j = i + np.int64(k)
        order[i], order[j] = order[j], order[i]


@kernel
def signs_of(wrong):
    """Return 1 for each case that only A gets wrong and -1 for each that only B does."""
    signs, found = np.empty(wrong.size, np.int64), 0
    for errs in wrong:
        signs[found] = np.int64(errs & 1) - np.int64(errs >> 1)
        found += signs[found] != 0
    return signs[:found]


@kernel
def subset_gaps(signs, n, size, gaps, where):
    """Write the sums of the signs of the cases that are in random subsets of `size` of n cases.

    One after another a case is in with a chance of the places over the cases that are left (Fan,
    Muller and Rezucha 1962): a word for each case that counts, a fifth of all, for all subsets at
    once, which takes a third of the time of shuffling. `where` is the trial, purpose and seed.
    """
    trial, purpose, seed = where
    lanes = (gaps.size + VECTOR - 1) // VECTOR * VECTOR
    words = room(signs.size * lanes)
    fill_words(words, U(0), trial, purpose, seed)
    drawn, total = np.empty(lanes, np.int64), np.zeros(lanes, np.int64)
    left = np.empty(lanes, np.int64)
    for r in range(lanes):
        left[r] = size
    for i in range(signs.size):
        start = i * lanes
        all_below(words[start : start + lanes], U(n - i), U(start), trial, purpose, seed, drawn)
        for r in range(lanes):
            taken = np.int64(drawn[r] < left[r])
            total[r] += signs[i] * taken
            left[r] -= taken
    for r in range(gaps.size):
        gaps[r] = total[r]
