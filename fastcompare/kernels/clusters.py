"""Sums over clusters: exact excesses of AUC wins, and the moments of a paired difference of items.

Cluster c of a positives among m, b negatives among n, is compared with its share of all wins W
(Obuchowski 1997, doi:10.2307/2533958): a_c = sum of its positives' wins - (a / m) W, and b_c alike.
Times 2 m^2 n^2 these are integers of at most 127 bits: two words, high and low, modulo 2^128, with
negative ones as two's complements, so that each is rounded once.

`paired_clusters` writes all that a Student test of clustered items needs in one call, which costs
less than the start of five NumPy functions.
"""

import numpy as np

from .._jit.kernel import kernel, part
from .sums import HALF, ONE, WORD, ZERO, U

TOP, WORD_BITS = U(63), U(64)
STEPS = (U(32), U(16), U(8), U(4), U(2), U(1))


@kernel
def count_classes(labels, groups, sizes):
    """Add the numbers of positives and of negatives of each cluster to `sizes` (2, I)."""
    for i in range(labels.size):
        sizes[1 - np.int64(labels[i]), groups[i]] += 1


@kernel
def add_by_cluster(placed, labels, groups, sums):
    """Add placements (n,) to `sums` (2, I), over positives and negatives of each cluster."""
    for i in range(placed.size):
        sums[1 - np.int64(labels[i]), groups[i]] += np.int64(placed[i])


@kernel
def word_product(x, y):
    """Return the product of two 64-bit words as two words, the high one first."""
    x_high, x_low, y_high, y_low = x >> HALF, x & WORD, y >> HALF, y & WORD
    low, cross_1, cross_2 = x_low * y_low, x_high * y_low, x_low * y_high
    middle = (low >> HALF) + (cross_1 & WORD) + (cross_2 & WORD)
    high = x_high * y_high + (cross_1 >> HALF) + (cross_2 >> HALF) + (middle >> HALF)
    return high, (middle << HALF) | (low & WORD)


@kernel
def signed_word_product(x, y):
    """Return the product (high, low) of a word x and a signed integer y as two's complements."""
    high, low = word_product(x, y)
    return high - x * (y >> TOP), low


@kernel
def excess_words(other, size, cluster_wins, share, total):
    """Return other (size cluster_wins - share total) as two words, high and low.

    For a cluster's positives this is 2 m^2 n^2 a_c, with other = n, size = m, the cluster's doubled
    wins, share = its number of positives, and the doubled wins of all.
    """
    high, low = signed_word_product(size, cluster_wins)
    less_high, less_low = signed_word_product(share, total)
    high -= less_high + U(low < less_low)  # with the borrow of the low words
    low -= less_low
    carried, scaled = word_product(other, low)
    return carried + other * high, scaled


@kernel
def bit_length_by_halves(word):
    """Return the number of bits of a word above 0, in six steps of half the size each."""
    bits = ONE
    for step in STEPS:
        if word >> step:
            word >>= step
            bits += step
    return bits


@kernel
def nearest_double(high, low):
    """Return the double nearest to a signed integer of two words, below 2^127 in size."""
    negative = high >> TOP != ZERO
    if negative:
        low = ZERO - low
        high = ~high + U(low == ZERO)
    value = np.float64(low)
    if high != ZERO:
        shift = bit_length_by_halves(high)
        free_bits = WORD_BITS - shift
        # 64 bits; those below only say which way half-way cases round
        significand = (high << free_bits) | (low >> shift) | U(low << free_bits != ZERO)
        value = np.float64(significand) * np.float64(ONE << shift)
    return -value if negative else value


@kernel
def excesses(wins, sizes, m, n, total, out):
    """Write a_c, b_c and their sum (3, I), times 2 m^2 n^2, from wins and sizes (2, I) as words.

    `total` are the wins of all positives, which those of all negatives equal.
    """
    for c in range(wins.shape[1]):
        a_high, a_low = excess_words(n, m, wins[0, c], sizes[0, c], total)
        b_high, b_low = excess_words(m, n, wins[1, c], sizes[1, c], total)
        low = a_low + b_low
        out[0, c], out[1, c] = nearest_double(a_high, a_low), nearest_double(b_high, b_low)
        out[2, c] = nearest_double(a_high + b_high + U(low < a_low), low)


BLOCK = 256  # terms of a partial sum: rounding errors grow with their number
ENTRIES = 8  # numbers that `paired_clusters` writes


@kernel
def integer_range(groups):
    """Return the least and the greatest of some integers."""
    low = high = groups[0]
    for i in range(groups.size):
        low, high = min(low, groups[i]), max(high, groups[i])
    return low, high


@part
def write_cluster_df(sizes, n, out):
    """Write the number of clusters to out[6] and Satterthwaite's df to out[7].

    The df are those of `cluster_overlap`. Products x_g x_h are counted by ascending size, with m
    clusters of each size.
    """
    clusters_by_size = np.zeros(n + 1, np.int64)
    for c in range(sizes.size):
        clusters_by_size[sizes[c]] += 1
    clusters = np.int64(0)
    squares = before = products = 0.0
    for size in range(1, n):
        m = clusters_by_size[size]
        if m:
            clusters += m
            p = size / n
            x = p * (size / (n - size))
            squares += m * p * p
            products += m * x * before + 0.5 * m * (m - 1) * x * x
            before += m * x
    out[6], out[7] = np.float64(clusters), clusters - 1.0
    if clusters and clusters_by_size[n // clusters] < clusters:  # sizes differ
        out[7] = 1.0 / (squares + 2.0 * products)


@kernel
def paired_clusters(a, b, groups, low, sums, sizes, out):
    """Write the moments of a - b for Student's t, in clusters numbered `groups` - `low`.

    `out` gets the means of a, of b and of a - b, CR2's variance of the last, the variance of one
    difference, the largest absolute score, the number of clusters and their degrees of freedom.
    `sums` and `sizes` come as zeros. A score that is not finite makes the variance NaN, and one
    cluster of all items makes it 0.
    """
    n = a.size
    total_a = total_b = total = 0.0
    for start in range(0, n, BLOCK):
        of_a = of_b = of_d = 0.0
        for i in range(start, min(start + BLOCK, n)):
            of_a += a[i]
            of_b += b[i]
            of_d += a[i] - b[i]
        total_a += of_a
        total_b += of_b
        total += of_d
    mean = total / n
    square = largest = 0.0
    for i in range(n):
        e = a[i] - b[i] - mean
        largest = max(largest, abs(a[i]), abs(b[i]))
        c = groups[i] - low
        sums[c] += e
        sizes[c] += 1
        square += e * e
    variance = 0.0
    for c in range(sums.size):
        if sizes[c] < n:
            variance += sums[c] * sums[c] / (n * np.float64(n - sizes[c]))
    out[0], out[1], out[2], out[3] = total_a / n, total_b / n, mean, variance
    out[4], out[5] = square / (n - 1), largest
    write_cluster_df(sizes, n, out)
