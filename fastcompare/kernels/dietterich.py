"""Dietterich's simulated classifiers, and how his five tests sample their cases.

T. G. Dietterich (1998), doi:10.1162/089976698300017197, section 4. A case is of one of two halves
of the population; one model errs there with probability eps / 2, the other with 3 eps / 2. `wrong`
has bit 0 where model A errs and bit 1 where B does. A round of a scheme tests on some of the cases
what was trained on the others: each case is answered as before with probability `keep`, or else
anew, at an error rate that `beta` moves for each round and model.
"""

from typing import NamedTuple

import numpy as np

from .._jit import kernel
from .philox import WORDS
from .radix import U
from .streams import SIMULATION, below, fill_words

CASES, SPLIT, RESAMPLED, FOLDS, HALVES = range(5)  # whose draws: added to the purpose
RETRAINED = 8  # the draws of a scheme's rounds: added to the scheme
STEP = 2.0**-32
LOW, HIGH = 0.5, 1.5  # error rates in the two halves, in units of the mean


class Setting(NamedTuple):
    """What a trial is like: numbers of cases and rounds, error rates of A and B."""

    n: int
    n_test: int
    n_splits: int
    n_folds: int
    n_rounds: int
    error_a: float
    error_b: float
    first_half: float
    is_fixed: bool
    beta: float


@kernel
def room(n):
    """Return an array for at least n words."""
    return np.empty((n + WORDS - 1) // WORDS * WORDS, np.uint32)


@kernel
def draw_cases(setting, trial, seed, half, wrong):
    """Write the half of each case, 0 or 1, and who errs on it."""
    words = room(3 * setting.n)
    fill_words(words, U(0), trial, SIMULATION + U(CASES), seed)
    for i in range(setting.n):
        if setting.is_fixed:
            half[i] = i >= setting.n * setting.first_half
        else:
            half[i] = words[3 * i] * STEP >= setting.first_half
        wrong[i] = answer(setting, half[i], 0.0, 0.0, words[3 * i + 1], words[3 * i + 2])


@kernel
def answer(setting, half, shift_a, shift_b, word_a, word_b):
    """Return who errs on a case of this half, with error rates moved by the shifts."""
    ratio_a, ratio_b = (HIGH, LOW) if half else (LOW, HIGH)
    a = word_a * STEP < ratio_a * (setting.error_a + shift_a)
    b = word_b * STEP < ratio_b * (setting.error_b + shift_b)
    return np.uint8(a) | np.uint8(2 * b)


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
def subset_gap(signs, n, size, words, start, where):
    """Return the sum of the signs of the cases that are in a random subset of `size` of n cases.

    One after another a case is in with a chance of the places over the cases that are left (Fan,
    Muller and Rezucha 1962): a word for each case that counts, a fifth of all, takes a third of the
    time of shuffling. `where` is the trial, purpose and seed.
    """
    trial, purpose, seed = where
    left, total = size, np.int64(0)
    for i in range(signs.size):
        place = U(start + i)
        drawn = below(U(words[start + i]), U(n - i), place, trial, purpose, seed)
        taken = np.int64(drawn) < left
        total += signs[i] * taken
        left -= taken
    return total


@kernel
def gap(cases, half, wrong, setting, keep, words):
    """Return how many more of the cases A gets wrong than B, in a round with these words."""
    shift_a = setting.beta * (2.0 * STEP * words[0] - 1.0)
    shift_b = setting.beta * (2.0 * STEP * words[1] - 1.0)
    total = np.int64(0)
    for t in range(cases.size):
        i, at = cases[t], 3 * t + 2
        errs = wrong[i]
        if words[at] * STEP >= keep:
            errs = answer(setting, half[i], shift_a, shift_b, words[at + 1], words[at + 2])
        total += np.int64(errs & 1) - np.int64(errs >> 1)
    return total


@kernel
def same_gap(cases, wrong):
    """Return `gap` where every case is answered as before."""
    total = np.int64(0)
    for t in range(cases.size):
        total += np.int64(wrong[cases[t]] & 1) - np.int64(wrong[cases[t]] >> 1)
    return total


@kernel
def difference(order, first, stop, half, wrong, setting, keep, words, number, where):
    """Return A's error rate less B's on the cases first, ..., stop - 1 of an order.

    `where` is the trial, purpose and seed; `number` that of the round.
    """
    cases = order[first:stop]
    if keep >= 1.0:
        return same_gap(cases, wrong) / cases.size
    used = words[: (3 * cases.size + 2 + WORDS - 1) // WORDS * WORDS]
    trial, purpose, seed = where
    fill_words(used, U(number) << U(20), trial, purpose + U(RETRAINED), seed)
    return gap(cases, half, wrong, setting, keep, used) / cases.size


@kernel
def split_once(setting, wrong, order, trial, seed, counts):
    """Write how many test cases only A, only B and both get wrong."""
    words = room(setting.n_test)
    purpose = SIMULATION + U(SPLIT)
    reset(order)
    fill_words(words, U(0), trial, purpose, seed)
    draw_subset(order, setting.n_test, words, 0, trial, purpose, seed)
    counts[:] = 0
    for t in range(setting.n_test):
        errs = wrong[order[t]]
        if errs:
            counts[errs - 1] += 1


@kernel
def resample(setting, half, wrong, keep, order, trial, seed, out):
    """Write the differences on random subsets of the cases."""
    size, purpose = setting.n_test, SIMULATION + U(RESAMPLED)
    where, signs = (trial, purpose, seed), signs_of(wrong)
    if keep >= 1.0:
        words = room(setting.n_splits * signs.size)
        fill_words(words, U(0), trial, purpose, seed)
        for r in range(setting.n_splits):
            out[r] = subset_gap(signs, setting.n, size, words, r * signs.size, where) / size
        return
    words, fresh = room(setting.n_splits * size), room(3 * size + 2)
    fill_words(words, U(0), trial, purpose, seed)
    reset(order)
    for r in range(setting.n_splits):
        draw_subset(order, size, words, r * size, trial, purpose, seed)
        out[r] = difference(order, 0, size, half, wrong, setting, keep, fresh, r, where)


@kernel
def cross_validate(setting, half, wrong, keep, order, trial, seed, out):
    """Write the differences on the folds of a random partition, of sizes that differ by 1."""
    n, k, purpose = setting.n, setting.n_folds, SIMULATION + U(FOLDS)
    words, fresh, where = room(n), room(3 * (n // k + 1) + 2), (trial, purpose, seed)
    fill_words(words, U(0), trial, purpose, seed)
    reset(order)
    draw_subset(order, n - 1, words, 0, trial, purpose, seed)
    for r in range(k):
        first, stop = r * n // k, (r + 1) * n // k
        out[r] = difference(order, first, stop, half, wrong, setting, keep, fresh, r, where)


@kernel
def halve(setting, half, wrong, keep, order, trial, seed, out):
    """Write the differences (rounds, 2) on both halves of random partitions."""
    n, middle, purpose = setting.n, setting.n // 2, SIMULATION + U(HALVES)
    where, signs = (trial, purpose, seed), signs_of(wrong)
    if keep >= 1.0:
        words, total = room(setting.n_rounds * signs.size), signs.sum()
        fill_words(words, U(0), trial, purpose, seed)
        for r in range(setting.n_rounds):
            gap_here = subset_gap(signs, n, middle, words, r * signs.size, where)
            out[r, 0], out[r, 1] = gap_here / middle, (total - gap_here) / (n - middle)
        return
    words, fresh = room(setting.n_rounds * middle), room(3 * (n - middle) + 2)
    fill_words(words, U(0), trial, purpose, seed)
    reset(order)
    for r in range(setting.n_rounds):
        draw_subset(order, middle, words, r * middle, trial, purpose, seed)
        for side in range(2):
            first, stop = (middle, n) if side else (0, middle)
            out[r, side] = difference(
                order, first, stop, half, wrong, setting, keep, fresh, 2 * r + side, where
            )


@kernel
def draw_trials(setting, keep, first, seed, wanted, counts, resampled, folds, halves):
    """Write what the wanted schemes find in the trials from `first` on.

    `keep` and `wanted` have a number for each of split, resampled, folds, halves.
    """
    half, wrong = np.empty(setting.n, np.uint8), np.empty(setting.n, np.uint8)
    order = np.empty(setting.n, np.int64)
    for b in range(counts.shape[0]):
        trial = first + U(b)
        draw_cases(setting, trial, seed, half, wrong)
        if wanted[0]:
            split_once(setting, wrong, order, trial, seed, counts[b])
        if wanted[1]:
            resample(setting, half, wrong, keep[1], order, trial, seed, resampled[b])
        if wanted[2]:
            cross_validate(setting, half, wrong, keep[2], order, trial, seed, folds[b])
        if wanted[3]:
            halve(setting, half, wrong, keep[3], order, trial, seed, halves[b])
