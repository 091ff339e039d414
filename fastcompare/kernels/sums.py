"""Exact sums of doubles, sums in NumPy's order, sums of series by columns, and unsigned words.

A double is a whole number below 2^53 times a power of two. Whole numbers of the same power are
added up in words of 64 bits; Python's integers put the words together (Neal 2015,
arXiv:1505.05571, whose large superaccumulator this is).

NumPy adds up n terms by halves until at most `BLOCK` are left, and these in eight lanes: rounding
errors grow with the logarithm of n. A kernel writes the terms of a block to a short array, adds
them by `block_sum`, and at the end the blocks by `sum_of_blocks`.
"""

import numpy as np

from .._jit.kernel import kernel

LANES = 8
BLOCK = 128
DEPTH = 64  # fewer than 2^63 terms are halved less often


@kernel
def split_by_halves(n):
    """Return where the blocks of n terms end, and how many times n was halved for each."""
    ends, depths = np.empty(2 * n // BLOCK + 1, np.int64), np.empty(2 * n // BLOCK + 1, np.uint8)
    sizes, halved = np.empty(DEPTH, np.int64), np.empty(DEPTH, np.uint8)  # a stack of parts
    sizes[0], halved[0] = n, 0
    waiting, count, end = 1, 0, 0  # the height of the stack, blocks so far, terms in them
    while waiting:
        size, depth = sizes[waiting - 1], halved[waiting - 1]
        if size > BLOCK:
            half = size // 2 - size // 2 % LANES
            sizes[waiting - 1], sizes[waiting] = size - half, half
            halved[waiting - 1] = halved[waiting] = depth + 1
            waiting += 1
        else:
            waiting -= 1
            end += size
            ends[count], depths[count] = end, depth
            count += 1
    return ends[:count], depths[:count]


@kernel
def four_lanes(x, rows):
    """Return the sum of the first four of `LANES` lanes, over `rows` rows of x."""
    a, b, c, d = x[0], x[1], x[2], x[3]
    for i in range(1, rows):
        row = x[LANES * i :]
        a += row[0]
        b += row[1]
        c += row[2]
        d += row[3]
    return (a + b) + (c + d)


@kernel
def block_sum(x, n):
    """Return the sum of the first n terms of a block: 0.3 ns a term, all lanes at once take 0.6."""
    rows, total = n // LANES, -0.0  # -0 + x is x, also for x = -0
    if rows:
        total = four_lanes(x, rows) + four_lanes(x[LANES // 2 :], rows)
    for i in range(rows * LANES, n):
        total += x[i]
    return total


@kernel
def sum_of_blocks(sums, depths):
    """Return the sum of the sums of all blocks, of which `depths` were halved how many times.

    Two neighbours of one depth are the halves of one part.
    """
    parts, halved = np.empty(DEPTH), np.empty(DEPTH, np.uint8)  # a stack of sums
    n_parts = 0
    for block in range(sums.size):
        total, depth = sums[block], depths[block]
        while n_parts and halved[n_parts - 1] == depth:
            n_parts -= 1
            depth -= 1
            total = parts[n_parts] + total
        parts[n_parts], halved[n_parts] = total, depth
        n_parts += 1
    return parts[0]


U = np.uint64
ZERO, ONE, TWO = U(0), U(1), U(2)
WORD = U(0xFFFFFFFF)  # the lower half of a word
HALF = U(32)


ROWS = 1 << 20  # numbers at most in a call: words get up to 43 bits of each, and have room for 63
POWERS = 1 << 11
SHIFT, SIGN = U(52), U(63)
FRACTION, HIDDEN, EXPONENT = U((1 << 52) - 1), U(1 << 52), U(POWERS - 1)


@kernel
def add_numbers(bits, words):
    """Add doubles, given by their bits, to `words` (2048, 2): a row a power, low bits first."""
    for i in range(bits.size):
        word = bits[i]
        power = np.int64((word >> SHIFT) & EXPONENT)  # 0 for subnormal numbers
        significand = (word & FRACTION) + (HIDDEN if power else ZERO)
        sign = np.int64(1) - np.int64(2) * np.int64(word >> SIGN)
        words[power, 0] += sign * np.int64(significand & WORD)
        words[power, 1] += sign * np.int64(significand >> HALF)


@kernel
def add_squares(bits, words):
    """Add the squares of doubles, given by their bits, to `words` (2048, 3).

    A row is for a power of the doubles; its three words are 32 bits of the squares each, low first.
    """
    for i in range(bits.size):
        word = bits[i]
        power = np.int64((word >> SHIFT) & EXPONENT)
        significand = (word & FRACTION) + (HIDDEN if power else ZERO)
        low, high = significand & WORD, significand >> HALF
        square, cross = low * low, (low * high) << U(1)
        words[power, 0] += np.int64(square & WORD)
        words[power, 1] += np.int64(square >> HALF) + np.int64(cross & WORD)
        words[power, 2] += np.int64(cross >> HALF) + np.int64(high * high)


@kernel
def subtract_last_terms(nc, count):
    """Subtract from nc[n], n = 2, 3, ..., the last terms binom(n, k) (nc[m] / m)^k of Rom's sum.

    Each column is a level, k = n - m + 1. For each of the last `count` m, the term of n - 1 times
    n c_m / k is the term of n, c_m being nc[m] / m.
    """
    terms, k = np.zeros((count, nc.shape[1])), np.ones(count)  # a row for m in turn: m % count
    c = np.zeros(terms.shape)
    for n in range(2, nc.shape[0]):
        row, oldest, total = nc[n], n % count, np.zeros(nc.shape[1])
        for t in range(count):
            k[t] += 1.0
            factor = n / k[t]
            for j in range(row.size):
                terms[t, j] = terms[t, j] * c[t, j] * factor
                total[j] += terms[t, j]
        for j in range(row.size):
            row[j] -= total[j]
            terms[oldest, j], c[oldest, j] = row[j], row[j] / n
        k[oldest] = 1.0
