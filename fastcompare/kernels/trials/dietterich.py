"""Dietterich's simulated classifiers, and how his five tests sample their cases.

T. G. Dietterich (1998), doi:10.1162/089976698300017197, section 4. A case is of one of two halves
of the population; one model errs there with probability eps / 2, the other with 3 eps / 2. `wrong`
has bit 0 where model A errs and bit 1 where B does. A round of a scheme tests on some of the cases
what was trained on the others: each case is answered as before with probability `keep`, or else
anew, at an error rate that `beta` moves for each round and model.
"""

from typing import NamedTuple

import numpy as np

from ..._jit.kernel import kernel
from ..drawing.exchange import (
    draw_subset,
    empty_words,
    error_signs,
    reset_order,
    signed_sums_of_subsets,
)
from ..drawing.purposes import CASES, FOLDS, HALVES, RESAMPLED, RETRAINED, SPLIT
from ..drawing.streams import WORDS, fill_words
from ..sums import U

STEP = 2.0**-32
LOW, HIGH = 0.5, 1.5  # error rates in the two halves, in units of the mean


class Setting(NamedTuple):
    """The design of a trial: numbers of cases and rounds, and the error rates of A and B."""

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
def draw_cases(setting, trial, seed, half, wrong):
    """Write the half of each case, 0 or 1, and which models err on it, as bits."""
    n = setting.n
    words, rates = empty_words(3 * n), error_rates(setting, 0.0, 0.0)
    fill_words(words, U(0), trial, CASES, seed)
    for i in range(n):
        if setting.is_fixed:
            half[i] = i >= n * setting.first_half
        else:
            half[i] = words[i] * STEP >= setting.first_half
    for i in range(n):
        wrong[i] = draw_errors_on_case(rates, half[i], words[n + i], words[2 * n + i])


@kernel
def error_rates(setting, up_a, up_b):
    """Return A's error rate in the first half, its increase in the second, and the same for B.

    The mean rates are moved by `up_a` and `up_b` times `beta`.
    """
    a, b = setting.error_a + up_a * setting.beta, setting.error_b + up_b * setting.beta
    return LOW * a, (HIGH - LOW) * a, HIGH * b, (LOW - HIGH) * b


@kernel
def draw_errors_on_case(rates, half, word_a, word_b):
    """Return which models err on a case of a half, as bits; branches take five times as long."""
    rate_a, increase_a, rate_b, increase_b = rates
    wrong_a = word_a * STEP < rate_a + half * increase_a
    return np.uint8(wrong_a) | np.uint8(2 * (word_b * STEP < rate_b + half * increase_b))


@kernel
def error_difference(cases, half, wrong, setting, keep, words):
    """Return A's number of errors less B's on some cases, in a round with these random words.

    Two words move the error rates of the round; then each case takes three.
    """
    rates = error_rates(setting, 2.0 * STEP * words[0] - 1.0, 2.0 * STEP * words[1] - 1.0)
    total = np.int64(0)
    for t in range(cases.size):
        i, at = cases[t], 3 * t + 2
        anew = draw_errors_on_case(rates, half[i], words[at + 1], words[at + 2])
        errs = anew if words[at] * STEP >= keep else wrong[i]
        total += np.int64(errs & 1) - np.int64(errs >> 1)
    return total


@kernel
def unchanged_error_difference(cases, wrong):
    """Return A's number of errors less B's on some cases, answered as without retraining."""
    total = np.int64(0)
    for t in range(cases.size):
        total += np.int64(wrong[cases[t]] & 1) - np.int64(wrong[cases[t]] >> 1)
    return total


@kernel
def error_rate_difference(order, first, stop, half, wrong, setting, keep, words, number, stream):
    """Return A's error rate less B's on the cases first, ..., stop - 1 of an order.

    `stream` is the trial, purpose and seed; `number` that of the round.
    """
    cases = order[first:stop]
    if keep >= 1.0:
        return unchanged_error_difference(cases, wrong) / cases.size
    used = words[: (3 * cases.size + 2 + WORDS - 1) // WORDS * WORDS]
    trial, purpose, seed = stream
    fill_words(used, U(number) << U(20), trial, purpose + RETRAINED, seed)
    return error_difference(cases, half, wrong, setting, keep, used) / cases.size


@kernel
def split_once(setting, wrong, order, trial, seed, counts):
    """Write to `counts` (3) how many cases of a random test set only A, only B, both get wrong."""
    words = empty_words(setting.n_test)
    reset_order(order)
    fill_words(words, U(0), trial, SPLIT, seed)
    draw_subset(order, setting.n_test, words, 0, trial, SPLIT, seed)
    for i in range(counts.size):
        counts[i] = 0
    for t in range(setting.n_test):
        errs = wrong[order[t]]
        if errs:
            counts[errs - 1] += 1


@kernel
def resampled_differences(setting, half, wrong, signs, keep, order, trial, seed, out):
    """Write the error-rate differences on random test sets; `signs` are from `error_signs`."""
    size, purpose = setting.n_test, RESAMPLED
    stream = (trial, purpose, seed)
    if keep >= 1.0:
        gaps = np.empty(setting.n_splits, np.int64)
        signed_sums_of_subsets(signs, setting.n, size, gaps, stream)
        for r in range(gaps.size):
            out[r] = gaps[r] / size
        return
    words, fresh = empty_words(setting.n_splits * size), empty_words(3 * size + 2)
    fill_words(words, U(0), trial, purpose, seed)
    reset_order(order)
    for r in range(setting.n_splits):
        draw_subset(order, size, words, r * size, trial, purpose, seed)
        out[r] = error_rate_difference(order, 0, size, half, wrong, setting, keep, fresh, r, stream)


@kernel
def fold_differences(setting, half, wrong, keep, order, trial, seed, out):
    """Write the error-rate differences on the folds of a random partition into equal folds."""
    n, k, purpose = setting.n, setting.n_folds, FOLDS
    words, fresh, stream = empty_words(n), empty_words(3 * (n // k + 1) + 2), (trial, purpose, seed)
    fill_words(words, U(0), trial, purpose, seed)
    reset_order(order)
    draw_subset(order, n - 1, words, 0, trial, purpose, seed)
    for r in range(k):
        first, stop = r * n // k, (r + 1) * n // k
        out[r] = error_rate_difference(
            order, first, stop, half, wrong, setting, keep, fresh, r, stream
        )


@kernel
def halved_differences(setting, half, wrong, signs, keep, order, trial, seed, out):
    """Write the error-rate differences (rounds, 2) on both halves of random partitions."""
    n, middle, purpose = setting.n, setting.n // 2, HALVES
    stream = (trial, purpose, seed)
    if keep >= 1.0:
        gaps, total = np.empty(setting.n_rounds, np.int64), signs.sum()
        signed_sums_of_subsets(signs, n, middle, gaps, stream)
        for r in range(gaps.size):
            out[r, 0], out[r, 1] = gaps[r] / middle, (total - gaps[r]) / (n - middle)
        return
    words, fresh = empty_words(setting.n_rounds * middle), empty_words(3 * (n - middle) + 2)
    fill_words(words, U(0), trial, purpose, seed)
    reset_order(order)
    for r in range(setting.n_rounds):
        draw_subset(order, middle, words, r * middle, trial, purpose, seed)
        for side in range(2):
            first, stop = (middle, n) if side else (0, middle)  # the front of `order` is drawn
            out[r, side] = error_rate_difference(
                order, first, stop, half, wrong, setting, keep, fresh, 2 * r + side, stream
            )


@kernel
def draw_trials(setting, keep, first, seed, wanted, counts, resampled, folds, halves):
    """Write the counts or differences of the wanted schemes in the trials from `first` on.

    `keep` and `wanted` have a number for each of split, resampled, folds, halves: the probability
    that a case is answered as before, and whether the scheme is wanted.
    """
    half, wrong = np.empty(setting.n, np.uint8), np.empty(setting.n, np.uint8)
    order = np.empty(setting.n, np.int64)
    for b in range(counts.shape[0]):
        trial = first + U(b)
        draw_cases(setting, trial, seed, half, wrong)
        signs = error_signs(wrong)
        if wanted[0]:
            split_once(setting, wrong, order, trial, seed, counts[b])
        if wanted[1]:
            resampled_differences(
                setting, half, wrong, signs, keep[1], order, trial, seed, resampled[b]
            )
        if wanted[2]:
            fold_differences(setting, half, wrong, keep[2], order, trial, seed, folds[b])
        if wanted[3]:
            halved_differences(setting, half, wrong, signs, keep[3], order, trial, seed, halves[b])
