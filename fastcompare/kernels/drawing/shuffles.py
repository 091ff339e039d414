"""Random permutations within the rows of a table, for 64 replicates at a time.

Every permutation has exactly the same chance. One 32-bit word w makes the choices of several steps
of a shuffle: the digits of w P / 2^32 to the mixed base n_1, n_2, ..., where P = n_1 n_2 ... and w
is drawn anew if the low half of w P is below 2^32 mod P (N. Brackett-Rozinsky, D. Lemire (2024),
Batched ranged random integer generation, doi:10.1002/spe.3369).
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import HALF, ONE, WORD, U
from .philox import LANES, WORDS, draw_row
from .purposes import ATTEMPT_SHIFT, SHUFFLES

TWO_32 = U(1 << 32)
MOST_CHOICES = U(1 << 26)  # of one word, so that it is drawn anew in one of 64 cases at most
HALVES = LANES // WORDS  # rows of random words that serve 64 lanes


@kernel
def plan_words(k):
    """Return for each word of a shuffle the number of its choices, and the step after its last.

    A step n = k, k - 1, ..., 2 chooses one of n values.
    """
    choices, after = np.empty(k, np.uint64), np.empty(k, np.uint64)
    n_words, n = 0, U(k)
    while n > ONE:
        product = n
        n -= ONE
        while n > ONE and product * n <= MOST_CHOICES:
            product *= n
            n -= ONE
        choices[n_words], after[n_words] = product, n
        n_words += 1
    return choices[:n_words], after[:n_words]


@kernel
def draw_words(unit, block, purpose, seed, row, words):
    """Write to `words` (64 uint64) 32 random bits of a unit for each lane of a block."""
    for half in range(HALVES):
        draw_row(unit * U(HALVES) + U(half), block, purpose, seed, row)
        for lane in range(WORDS):
            words[half * WORDS + lane] = row[lane]


@kernel
def draw_choices(unit, block, seed, choices, row, spare, words):
    """Write to `words` (64 uint64) for each lane a word all of whose choices are as likely."""
    least = TWO_32 % choices
    draw_words(unit, block, SHUFFLES, seed, row, words)
    attempt, unfair = ONE, True
    while unfair:
        unfair = False
        for lane in range(LANES):
            unfair |= (words[lane] * choices) & WORD < least
        if unfair:
            draw_words(unit, block, SHUFFLES | (attempt << ATTEMPT_SHIFT), seed, row, spare)
            for lane in range(LANES):
                if (words[lane] * choices) & WORD < least:
                    words[lane] = spare[lane]
            attempt += ONE


@kernel
def shuffle_step(n, words, left, sums):
    """Choose one of the first n of `left` (k, 64) for each lane, and add it to `sums` (64).

    The last of the n values takes its place.
    """
    last = left[n - ONE]
    for lane in range(LANES):
        word = words[lane] * n
        chosen = word >> HALF
        words[lane] = word & WORD
        sums[lane] += left[chosen, lane]
        left[chosen, lane] = last[lane]


@kernel
def shuffled_squares(rows, block, seed, out):
    """Write to `out` (64 int64) the sum of squared column sums after shuffles of every row.

    `rows` (N, k) are int64. All lanes take a step before the next one, so that none waits for
    itself: half the time of one lane after the other, a tenth of numpy.random.Generator.permuted's.
    """
    n_rows, k = rows.shape
    choices, after = plan_words(k)
    row, spare = np.empty(WORDS, np.uint32), np.empty(LANES, np.uint64)
    words = np.empty(LANES, np.uint64)
    left, sums = np.empty((k, LANES), np.int64), np.zeros((k, LANES), np.int64)
    for i in range(n_rows):
        for j in range(k):
            for lane in range(LANES):
                left[j, lane] = rows[i, j]
        n = U(k)
        for w in range(choices.size):
            draw_choices(U(i * choices.size + w), block, seed, choices[w], row, spare, words)
            while n > after[w]:
                shuffle_step(n, words, left, sums[n - ONE])
                n -= ONE
        for lane in range(LANES):
            sums[0, lane] += left[0, lane]
    for lane in range(LANES):
        out[lane] = 0
        for j in range(k):
            out[lane] += sums[j, lane] * sums[j, lane]
