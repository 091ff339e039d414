"""Random exchanges of two models, random signs, permutations within rows, and random subsets.

A row of random bits is 16 a lane (see `streams`): lane b of unit u says which of the cases 16 u to
16 u + 15 replicate b of the block exchanges, or whose differences change their sign, lowest bit
first. So a replicate depends on the seed and its number alone.

Permutations: one 32-bit word w makes the choices of several steps of a shuffle, the digits of
w P / 2^32 to the mixed base n_1, n_2, ..., where P = n_1 n_2 ...; w is replaced if the low half of
w P is below 2^32 mod P. So all permutations have the same chance (N. Brackett-Rozinsky, D. Lemire
(2024), Batched ranged random integer generation, doi:10.1002/spe.3369).
"""

import numpy as np

from ..._jit.kernel import kernel
from ..sums import HALF, ONE, TWO, WORD, ZERO, U
from .purposes import ATTEMPT_SHIFT, FLIPS, SHUFFLES, SIGNS
from .streams import LANES, WORDS, below, bounded_integers, draw_row, fill_words

UNIT = 16  # cases that a row of bits serves
BYTE = 8


@kernel
def table_signed_sums(t, table):
    """Write to table[i], i < 256, the sum of eight numbers t, number j negated if i has bit j."""
    table[0] = 0
    for value in t:
        table[0] += value
    for j in range(BYTE):
        size = 1 << j
        for low in range(size):
            table[size + low] = table[low] - 2 * t[j]


@kernel
def add_exchanged_sums(t, unit, block, seed, sums):
    """Add to `sums` (blocks, 64) the sums of t with random signs, for the blocks from `block` on.

    `t` (int64) has 16 cases for each unit from `unit` on. Two look-ups add 16 cases to a lane:
    0.07 ns a case and replicate, a fiftieth of NumPy's time to draw a byte each.
    """
    words = np.empty(WORDS, np.uint32)
    random_bytes = words.view(np.uint8)
    low, high = np.empty(1 << BYTE, np.int64), np.empty(1 << BYTE, np.int64)
    for g in range(t.size // UNIT):
        table_signed_sums(t[g * UNIT : g * UNIT + BYTE], low)
        table_signed_sums(t[g * UNIT + BYTE : (g + 1) * UNIT], high)
        for b in range(sums.shape[0]):
            draw_row(unit + U(g), block + U(b), SIGNS, seed, words)
            for lane in range(LANES):
                sums[b, lane] += low[random_bytes[2 * lane]] + high[random_bytes[2 * lane + 1]]


@kernel
def draw_signs(block, seed, signs):
    """Write the random bits of a block to `signs` (units, 64) uint16, for 16 cases each."""
    words = np.empty(WORDS, np.uint32)
    sign_bits = words.view(np.uint16)
    for unit in range(signs.shape[0]):
        draw_row(U(unit), block, SIGNS, seed, words)
        for lane in range(LANES):
            signs[unit, lane] = sign_bits[lane]


@kernel
def expected_positives(cells, out):
    """Write to `out` the numbers of positives among the 1, 2, ... lowest cases.

    `out` has space for two numbers more. A cell has the cases of one rank: their number, and from
    bit 32 on that of positives. Within a tie the expected number is written, which is linear. Cells
    of one or two cases, all that exchanged untied ranks make, need no branch: half the time.
    """
    x = below = np.int64(0)
    for cell in cells:
        size, positives = np.int64(cell & WORD), np.int64(cell >> HALF)
        if size > 2:
            for k in range(1, size + 1):
                out[x + k - 1] = np.float64(below) + np.float64(k * positives) / np.float64(size)
        else:
            out[x] = np.float64(below) + np.float64(positives) * (1.5 - 0.5 * np.float64(size))
            out[x + 1] = np.float64(below + positives)
        x += size
        below += positives


@kernel
def curve_distances(ranks, steps, cells, signs, first, out):
    """Write to `out` Venkatraman's E after the exchanges of the lanes of `signs` from `first` on.

    E is the sum over cuts of the difference of both models' errors; those are twice the positives
    below the cut, and a number that both share. `ranks` (d, 2) are the dense ranks, from 0, that
    two models give to the cases whose ranks differ, `steps` (d) what each adds to its cell (see
    `expected_positives`), and `cells` (2, ranks) hold all other cases.
    """
    a, b = np.empty(cells.shape[1], np.uint64), np.empty(cells.shape[1], np.uint64)
    n = steps.size
    for cell in cells[0]:
        n += np.int64(cell & WORD)
    below_a, below_b = np.empty(n + 2), np.empty(n + 2)
    for lane in range(out.size):
        for v in range(a.size):
            a[v], b[v] = cells[0, v], cells[1, v]
        for c in range(steps.size):
            exchanged = (np.int64(signs[c // UNIT, first + lane]) >> (c % UNIT)) & 1
            a[ranks[c, exchanged]] += steps[c]
            b[ranks[c, 1 - exchanged]] += steps[c]
        expected_positives(a, below_a)
        expected_positives(b, below_b)
        distance = 0.0
        for x in range(n):
            distance += abs(below_a[x] - below_b[x])
        out[lane] = 2.0 * distance


@kernel
def unpack_signs(signs, lane, exchanged):
    """Write to `exchanged` two bytes a case: whether a lane exchanges it, with label 0 or 1.

    The label is bit 1 of the byte, so that a look-up by (case, label) gives both at once.
    """
    for unit in range(signs.shape[0]):
        word = U(signs[unit, lane])
        for c in range(UNIT):
            bit = np.uint8((word >> U(c)) & ONE)
            exchanged[2 * (unit * UNIT + c)] = bit
            exchanged[2 * (unit * UNIT + c) + 1] = bit | np.uint8(TWO)


@kernel
def tabulate_rank_steps():
    """Return the table of steps of twice the positives at a rank, by exchanges and labels.

    The index has two bits for each of the two cases with the rank, by one model each: whether the
    case is exchanged, and its label. The first model then has 0, 1 or 2 of the cases there, the
    other model the others; two are a tie, with half of their positives expected below its middle.
    The bytes of an entry are the two steps of each model, and above them the number of cases of the
    first.
    """
    steps = np.zeros(16, np.uint64)
    for k in range(16):
        leaves, label, comes, other_label = U(k) & ONE, U(k >> 1) & ONE, U(k >> 2) & ONE, U(k >> 3)
        size = ONE - leaves + comes  # the cases of the first model
        p = label * (ONE - leaves) + other_label * comes  # its positives, and the other model's
        q = label + other_label - p
        steps[k] = size << HALF
        if size == ONE:
            steps[k] |= TWO * p | (TWO * q) << U(16)
        else:
            steps[k] |= p | p << U(BYTE) | q << U(16) | q << U(24)
    return steps


@kernel
def write_untied_curves(owners, exchanged, steps, a, b):
    """Write to `a` and `b` (n + 2) the steps of twice the positives of both models, by rank.

    `steps` are from `tabulate_rank_steps`. No branch depends on an exchange, and both arrays stay
    in cache.
    """
    x = ZERO
    for v in range(owners.shape[0]):
        pair = U(exchanged[owners[v, 0]]) | U(exchanged[owners[v, 1]]) << TWO
        y = TWO * U(v) - x  # two cases have each rank below v: x of the first model, y of the other
        step = steps[pair]
        a[x], a[x + ONE] = np.uint8(step), np.uint8(step >> U(BYTE))
        b[y], b[y + ONE] = np.uint8(step >> U(16)), np.uint8(step >> U(24))
        x += step >> HALF


@kernel
def untied_distances(owners, signs, first, out):
    """Write Venkatraman's E as `curve_distances`, where neither model ties any two cases.

    `owners` (n, 2) uint32 are the numbers of the cases with a rank by each model, or the number
    behind the last unit for a case with the same rank by both; the lowest bit is its label. All
    numbers are whole: the same bits in a quarter of the time.
    """
    n = owners.shape[0]
    exchanged = np.zeros(2 * (signs.shape[0] * UNIT + 1), np.uint8)
    exchanged[-1] = np.uint8(TWO)
    a, b = np.empty(n + 2, np.uint8), np.empty(n + 2, np.uint8)
    steps = tabulate_rank_steps()
    for lane in range(out.size):
        unpack_signs(signs, first + lane, exchanged)
        write_untied_curves(owners, exchanged, steps, a, b)
        distance = gap = np.int64(0)
        for x in range(n):
            gap += np.int64(a[x]) - np.int64(b[x])
            distance += abs(gap)
        out[lane] = np.float64(distance)


@kernel
def add_flipped_sums(d, unit, block, seed, sums):
    """Add to `sums` (rows, blocks, 64) the sums of rows d with random signs, from `block` on.

    `d` (rows, m) has 16 differences for each unit from `unit` on. All rows take the same signs. Two
    look-ups add 16 differences to a lane.
    """
    words = np.empty(WORDS, np.uint32)
    random_bytes = words.view(np.uint8)
    rows = d.shape[0]
    low, high = np.empty((rows, 1 << BYTE)), np.empty((rows, 1 << BYTE))
    for g in range(d.shape[1] // UNIT):
        for r in range(rows):
            table_signed_sums(d[r][g * UNIT : g * UNIT + BYTE], low[r])
            table_signed_sums(d[r][g * UNIT + BYTE : (g + 1) * UNIT], high[r])
        for b in range(sums.shape[1]):
            draw_row(unit + U(g), block + U(b), FLIPS, seed, words)
            for r in range(rows):
                for lane in range(LANES):
                    sums[r, b, lane] += (
                        low[r, random_bytes[2 * lane]] + high[r, random_bytes[2 * lane + 1]]
                    )


@kernel
def table_signed_sums_of_rows(t, table):
    """Write to `table` (256, rows) the sums of t (8, rows) as `table_signed_sums` of each row."""
    for r in range(t.shape[1]):
        table[0, r] = 0.0
        for j in range(BYTE):
            table[0, r] += t[j, r]
    for j in range(BYTE):
        size = 1 << j
        for low in range(size):
            some, others = table[low], table[size + low]
            for r in range(t.shape[1]):
                others[r] = some[r] - 2 * t[j, r]


@kernel
def add_flipped_sums_of_columns(d, unit, block, seed, sums):
    """Add to `sums` (blocks, 64, rows) what `add_flipped_sums` does for the columns of d (m, rows).

    Tables and sums of all rows lie side by side, so that one instruction adds to several: of 16
    rows each takes 0.6 of the time that it takes alone.
    """
    words = np.empty(WORDS, np.uint32)
    random_bytes = words.view(np.uint8)
    rows = d.shape[1]
    low, high = np.empty((1 << BYTE, rows)), np.empty((1 << BYTE, rows))
    for g in range(d.shape[0] // UNIT):
        table_signed_sums_of_rows(d[g * UNIT : g * UNIT + BYTE], low)
        table_signed_sums_of_rows(d[g * UNIT + BYTE : (g + 1) * UNIT], high)
        for b in range(sums.shape[0]):
            draw_row(unit + U(g), block + U(b), FLIPS, seed, words)
            for lane in range(LANES):
                some, others = low[random_bytes[2 * lane]], high[random_bytes[2 * lane + 1]]
                total = sums[b, lane]
                for r in range(rows):
                    total[r] += some[r] + others[r]


@kernel
def add_weighted_sums(weights, d, sums):
    """Add to `sums` (64) the sums of d by weights (n, 64)."""
    for i in range(d.size):
        for lane in range(LANES):
            sums[lane] += np.float64(weights[i, lane]) * d[i]


TWO_32 = U(1 << 32)
MOST_CHOICES = U(1 << 26)  # of one word, so that it is drawn anew in one of 64 cases at most
HALVES = LANES // WORDS  # rows of random words that serve 64 lanes


@kernel
def plan_shuffle_words(k):
    """Return for each random word of a shuffle of k values its number of choices, and next step.

    Step n = k, k - 1, ..., 2 chooses one of n values; a word serves as many steps as it has bits.
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
    """Write to `words` (64 uint64) for each lane a word that makes all choices equally likely."""
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
def shuffle_step(n, words, remaining, sums):
    """Choose one of the first n of `remaining` (k, 64) for each lane, and add it to `sums` (64).

    The last of the n values takes its place.
    """
    last = remaining[n - ONE]
    for lane in range(LANES):
        word = words[lane] * n
        chosen = word >> HALF
        words[lane] = word & WORD
        sums[lane] += remaining[chosen, lane]
        remaining[chosen, lane] = last[lane]


@kernel
def shuffled_squares(rows, block, seed, out):
    """Write to `out` (64 int64) each lane's sum of squared column sums after shuffles of every row.

    `rows` (N, k) are int64. All lanes take a step before the next one, so that none waits for
    itself: half the time of one lane after the other, a tenth of numpy.random.Generator.permuted's.
    """
    n_rows, k = rows.shape
    choices, after = plan_shuffle_words(k)
    row, spare = np.empty(WORDS, np.uint32), np.empty(LANES, np.uint64)
    words = np.empty(LANES, np.uint64)
    remaining, sums = np.empty((k, LANES), np.int64), np.zeros((k, LANES), np.int64)
    for i in range(n_rows):
        for j in range(k):
            for lane in range(LANES):
                remaining[j, lane] = rows[i, j]
        n = U(k)
        for w in range(choices.size):
            draw_choices(U(i * choices.size + w), block, seed, choices[w], row, spare, words)
            while n > after[w]:
                shuffle_step(n, words, remaining, sums[n - ONE])
                n -= ONE
        for lane in range(LANES):
            sums[0, lane] += remaining[0, lane]
    for lane in range(LANES):
        out[lane] = 0
        for j in range(k):
            out[lane] += sums[j, lane] * sums[j, lane]


VECTOR = 8  # subsets are filled up to whole vectors


@kernel
def empty_words(n):
    """Return an empty array of at least n uint32, a multiple of the words of a row."""
    return np.empty((n + WORDS - 1) // WORDS * WORDS, np.uint32)


@kernel
def reset_order(order):
    """Write 0, 1, ..., n - 1 to `order`, so that no scheme depends on another one."""
    for i in range(order.size):
        order[i] = i


@kernel
def draw_subset(order, size, words, start, trial, purpose, seed):
    """Move `size` random numbers of `order` to its front (Fisher and Yates).

    `words`, from `start` on, are those of this trial, purpose and seed.
    """
    for i in range(size):
        place = start + i
        k = below(U(words[place]), U(order.size - i), U(place), trial, purpose, seed)
        j = i + np.int64(k)
        order[i], order[j] = order[j], order[i]


@kernel
def error_signs(wrong):
    """Return 1 for each case that only A gets wrong and -1 for each that only B does."""
    signs, count = np.empty(wrong.size, np.int64), 0
    for errs in wrong:
        signs[count] = np.int64(errs & 1) - np.int64(errs >> 1)
        count += signs[count] != 0
    return signs[:count]


@kernel
def signed_sums_of_subsets(signs, n, size, gaps, stream):
    """Write the sums of the signs in random subsets of `size` of n cases to `gaps`.

    A case is chosen with probability (places left) / (cases left), one after another (Fan, Muller
    and Rezucha 1962). Only cases with a sign, a fifth of all, take a word, for all subsets at once:
    a third of the time of shuffling. `stream` is the trial, purpose and seed.
    """
    trial, purpose, seed = stream
    lanes = (gaps.size + VECTOR - 1) // VECTOR * VECTOR
    words = empty_words(signs.size * lanes)
    fill_words(words, U(0), trial, purpose, seed)
    ranks, total = np.empty(lanes, np.int64), np.zeros(lanes, np.int64)
    places = np.empty(lanes, np.int64)
    for r in range(lanes):
        places[r] = size
    for i in range(signs.size):
        start = i * lanes
        bounded_integers(
            words[start : start + lanes], U(n - i), U(start), trial, purpose, seed, ranks
        )
        for r in range(lanes):
            taken = np.int64(ranks[r] < places[r])
            total[r] += signs[i] * taken
            places[r] -= taken
    for r in range(gaps.size):
        gaps[r] = total[r]
