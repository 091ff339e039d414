"""Sums over probabilities: bins, Murphy's decomposition, logistic recalibration, Brier losses.

Labels y, a variable x, log odds t = intercept + slope x, the chance m = 1 / (1 + exp(-t)). Sums
come block by block, and callers add the blocks pairwise, which keeps rounding errors small.
"""

import math

import numpy as np

from .._jit.kernel import kernel, part
from .signed_ranks import ROUNDING
from .sums import BLOCK, ONE, ZERO, block_sum, split_by_halves, sum_of_blocks

FINE, LEAST, FIRST = np.uint64(45), np.uint64(983 << 52), 983 << 7  # 1/128 octaves from 2^-40 on
REACHED_ROWS = 1 << 12
BUCKETS = 2 * ((1022 << 7) - FIRST + 1)  # of p and, from 1/2 on, of 1 - p: both ends as finely


@part
def bucket_number(x):
    """Return the number of a probability's bucket, which does not fall with the probability."""
    bits = np.float64(abs(x) if x < 0.5 else 1.0 - x).view(np.uint64)
    number = np.int64(max(bits, LEAST) >> FINE) - FIRST
    return number if x < 0.5 else BUCKETS - 1 - number


@kernel
def count_buckets(p, counts):
    """Add to `counts` the number of probabilities in each bucket."""
    for i in range(p.size):
        counts[bucket_number(p[i])] += 1


@kernel
def gather_buckets(p, wanted, out):
    """Write the probabilities in buckets whose `wanted` is 1 to `out`, which has one place more."""
    place = 0
    for i in range(p.size):  # no branch: the place of an unwanted number is reused
        out[place] = p[i]
        place += wanted[bucket_number(p[i])]


@kernel
def sum_bins(labels, p, edges, guide, numbers, sums):
    """Add 1, p, p (1 - p), p - y and y of each case to its bin's row of `sums` (bins, 5).

    A case's number, which goes to `numbers` unless that is empty, is how many of the ascending
    edges are at most p: those in lower buckets, by `guide`, or about c p for edges 1/c, 2/c, ...,
    (c - 1)/c, and no guide. A binary search takes five times as long.
    """
    bins = edges.size + 1
    for i in range(p.size):
        x, y = p[i], np.float64(labels[i])
        number = guide[bucket_number(x)] if guide.size else min(int(x * bins), edges.size)
        while number > 0 and edges[number - 1] > x:
            number -= 1
        while number < edges.size and edges[number] <= x:
            number += 1
        if numbers.size:
            numbers[i] = number
        row = sums[number]
        row[0] += 1.0
        row[1] += x
        row[2] += x * (1.0 - x)
        row[3] += x - y
        row[4] += y


@kernel
def count_at_least(labels, p, cuts, counts):
    """Add to `counts` (2, t) the positives and negatives with a probability of at least each cut.

    Cases are taken in blocks that stay in the cache: LLVM vectorises it, 0.1 ns a case and cut.
    """
    for start in range(0, p.size, REACHED_ROWS):
        x, y = p[start : start + REACHED_ROWS], labels[start : start + REACHED_ROWS]
        for c in range(cuts.size):
            cut, reached, positives = cuts[c], 0, 0
            for i in range(x.size):
                reached += x[i] >= cut
                positives += int(y[i]) if x[i] >= cut else 0
            counts[0, c] += positives
            counts[1, c] += reached - positives


@kernel
def count_distinct(keys):
    """Return the number of distinct probabilities of sorted keys (`tabulate_probabilities`)."""
    count = min(keys.size, 1)
    for i in range(1, keys.size):
        count += keys[i] >> ONE != keys[i - 1] >> ONE
    return count


@kernel
def tabulate_probabilities(keys, start, bits, values, sizes, rates):
    """Write the next distinct probabilities, their numbers of cases and rates of positives.

    `keys` are the sorted bits of probabilities, shifted left by one, with the labels as lowest
    bits; `bits` is a view of `values`. Of equal numbers the mean is written, from a sum one by one.
    The arrays are filled from keys[start] on; returns where the keys start that do not fit.
    """
    for b in range(values.size):
        value, positives = keys[start] >> ONE, np.int64(keys[start] & ONE)
        stop = start + 1
        while stop < keys.size and keys[stop] >> ONE == value:
            positives += np.int64(keys[stop] & ONE)
            stop += 1
        size = stop - start
        bits[b], sizes[b], rates[b] = value, size, positives / size
        if size > 1:
            total = 0.0
            for _ in range(size):
                total += values[b]
            values[b] = total / size
        start = stop
    return start


@kernel
def murphy_parts(keys, base, out):
    """Write Murphy's reliability and resolution of n cases, times n, to `out`, by NumPy's sums.

    `base` is the rate of positives. Without arrays of as many bins as cases: half the time.
    """
    ends, depths = split_by_halves(count_distinct(keys))
    sums = np.empty((2, ends.size))
    forecast, rate, sizes = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK, np.int64)
    bits = forecast.view(np.uint64)
    start = at = 0
    for block in range(ends.size):
        n = ends[block] - start
        at = tabulate_probabilities(keys, at, bits[:n], forecast[:n], sizes[:n], rate[:n])
        for i in range(n):
            bias, lift = forecast[i] - rate[i], rate[i] - base
            forecast[i] = sizes[i] * (bias * bias)
            rate[i] = sizes[i] * (lift * lift)
        sums[0, block], sums[1, block] = block_sum(forecast, n), block_sum(rate, n)
        start = ends[block]
    out[0], out[1] = sum_of_blocks(sums[0], depths), sum_of_blocks(sums[1], depths)


FACTORS = 512  # factors 1 + exp(-|t|), at most 2, whose product is far from overflow
GREAT = 16.0  # product whose logarithm rounding has not moved by more than 2^-45 of its size


@kernel
def log_of_products(x, intercept, slope, product):
    """Return the sum of log(1 + exp(-|t|)) of a block, of which `product` is the product.

    Of a `product` near 1 the logarithm would lose digits: then the logarithms are added.
    """
    if product > GREAT:
        return math.log(product)
    total = 0.0
    for value in x:
        total += math.log1p(math.exp(-abs(intercept + slope * value)))
    return total


SHIFT = 1.5 * 2.0**52  # a number added to it is rounded to a whole one, in its lowest bits
LOG2E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # the former has 33 bits
FARTHEST = 708.0  # beyond, exp(-|t|) is subnormal, and counts as 0


@kernel
def exp_minus_abs(t, powers, out):
    """Write exp(-|t|) to `out`, to a unit in its last place; `powers` is scratch of the same size.

    2^k exp(r) with |r| below 0.35, by Taylor's series: LLVM vectorises it, a fifth of the time of
    math.exp. Even and odd terms separately, since each waits for the one before.
    """
    bits = powers.view(np.int64)
    for i in range(t.size):
        z = -min(abs(t[i]), FARTHEST)
        k = z * LOG2E + SHIFT
        powers[i] = k
        k -= SHIFT
        r = (z - k * LN2_HIGH) - k * LN2_LOW
        square = r * r
        odd = 1.0 / 6227020800.0
        even = 1.0 / 479001600.0
        odd = odd * square + 1.0 / 39916800.0
        even = even * square + 1.0 / 3628800.0
        odd = odd * square + 1.0 / 362880.0
        even = even * square + 1.0 / 40320.0
        odd = odd * square + 1.0 / 5040.0
        even = even * square + 1.0 / 720.0
        odd = odd * square + 1.0 / 120.0
        even = even * square + 1.0 / 24.0
        odd = odd * square + 1.0 / 6.0
        even = even * square + 1.0 / 2.0
        out[i] = 1.0 + (r + square * (even + r * odd))
    for i in range(t.size):
        bits[i] = (bits[i] + 1023) << 52
    for i in range(t.size):
        out[i] = out[i] * powers[i] if abs(t[i]) <= FARTHEST else 0.0


@kernel
def folded_sum(terms):
    """Return the sum of FACTORS terms by halves, which it writes over them."""
    half = terms.size // 2
    while half >= 1:
        for i in range(half):
            terms[i] += terms[i + half]
        half //= 2
    return terms[0]


@kernel
def folded_product(factors):
    """Return the product of FACTORS numbers by halves, which it writes over them.

    One by one they take 1.3 ns each.
    """
    half = factors.size // 2
    while half >= 1:
        for i in range(half):
            factors[i] *= factors[i + half]
        half //= 2
    return factors[0]


@kernel
def newton_terms(labels, x, small, t, terms):
    """Write the terms of `newton_sums` of each case to `terms` (6, n), the first without its log.

    `small` is exp(-|t|), and becomes 1 + exp(-|t|), whose logarithm is missing. Few arrays in a
    loop: LLVM does not vectorise one that would have to compare more addresses.
    """
    log_part, residual, residual_x = terms[0], terms[1], terms[2]
    weight, weight_x, weight_x2 = terms[3], terms[4], terms[5]
    for i in range(x.size):
        sign = 2.0 * labels[i] - 1.0
        right = np.float64(sign * t[i] >= 0.0)  # whether the label is the likelier one
        log_part[i] = (right - 1.0) * abs(t[i])
        residual[i] = sign * (small[i] * right + (1.0 - right))
    for i in range(x.size):
        large = 1.0 / (1.0 + small[i])  # the larger of m and 1 - m
        residual[i] *= large
        weight[i] = small[i] * large * large
        small[i] += 1.0
    for i in range(x.size):
        residual_x[i] = residual[i] * x[i]
    for i in range(x.size):
        weight_x[i] = weight[i] * x[i]
        weight_x2[i] = weight_x[i] * x[i]


@kernel
def newton_sums(labels, x, intercept, slope, out):
    """Write the sums of logistic regression for Newton's method of each block to `out` (6, blocks).

    They are the log-likelihood, the sums of y - m and (y - m) x, and those of w = m (1 - m), w x
    and w x^2. Neither m nor 1 - m cancels: the smaller is exp(-|t|) times the larger. Labels enter
    as factors 0 and 1, since branches cannot be predicted, nor vectorised.
    """
    t, small, powers = np.empty(FACTORS), np.empty(FACTORS), np.empty(FACTORS)
    terms = np.empty((6, FACTORS))
    for block in range(out.shape[1]):
        block_x, block_labels = x[block * FACTORS :][:FACTORS], labels[block * FACTORS :][:FACTORS]
        n = block_x.size
        for i in range(n):
            t[i] = intercept + slope * block_x[i]
        exp_minus_abs(t[:n], powers[:n], small[:n])
        terms[:, n:], small[n:] = 0.0, 1.0  # of cases that the last block lacks
        newton_terms(block_labels, block_x, small, t, terms)
        product = folded_product(small)
        for row in range(6):
            out[row, block] = folded_sum(terms[row])
        out[0, block] -= log_of_products(block_x, intercept, slope, product)


@kernel
def class_ranges(labels, x, low, high):
    """Write the smallest and the largest x of each class (0, 1); infinite for a class without x."""
    low[:], high[:] = np.inf, -np.inf
    for i in range(x.size):
        label = labels[i] & 1
        low[label] = min(low[label], x[i])
        high[label] = max(high[label], x[i])


@kernel
def log_ratio(a, b):
    """Return log((1 + a) / (1 + b)) for a and b from 0 to 1, to full relative precision.

    2 artanh(s), s = (a - b) / (2 + a + b) up to 1/3, by its series: LLVM vectorises it.
    """
    s = (a - b) / (2.0 + a + b)
    square = s * s
    q = 2.0 / 31.0
    q = q * square + 2.0 / 29.0
    q = q * square + 2.0 / 27.0
    q = q * square + 2.0 / 25.0
    q = q * square + 2.0 / 23.0
    q = q * square + 2.0 / 21.0
    q = q * square + 2.0 / 19.0
    q = q * square + 2.0 / 17.0
    q = q * square + 2.0 / 15.0
    q = q * square + 2.0 / 13.0
    q = q * square + 2.0 / 11.0
    q = q * square + 2.0 / 9.0
    q = q * square + 2.0 / 7.0
    q = q * square + 2.0 / 5.0
    q = q * square + 2.0 / 3.0
    return s * (q * square + 2.0)


@kernel
def likelihood_gains(labels, x, intercept, slope, out):
    """Write to `out` (blocks) the log-likelihood of intercept and slope less that of 0 and 1.

    It is summed from differences of logarithms case by case, so that a small gain keeps its digits.
    """
    old, new, gains = np.empty(FACTORS), np.empty(FACTORS), np.empty(FACTORS)
    before, after = np.empty(FACTORS), np.empty(FACTORS)
    for block in range(out.size):
        block_x, block_labels = x[block * FACTORS :][:FACTORS], labels[block * FACTORS :][:FACTORS]
        n = block_x.size
        for i in range(n):
            sign = 1.0 - 2.0 * block_labels[i]
            old[i], new[i] = sign * block_x[i], sign * (intercept + slope * block_x[i])
        exp_minus_abs(old[:n], gains[:n], before[:n])
        exp_minus_abs(new[:n], gains[:n], after[:n])
        for i in range(n):  # few arrays in a loop, or LLVM does not vectorise it
            before[i] = log_ratio(before[i], after[i])
        for i in range(n):
            above = (old[i] + abs(old[i])) - (new[i] + abs(new[i]))
            gains[i] = before[i] + 0.5 * above
        gains[n:] = 0.0
        out[block] = folded_sum(gains)


@kernel
def write_brier_terms(labels, p, terms):
    """Write (p - y)^2 to the first row of terms and, if there are three, Spiegelhalter's terms."""
    for i in range(p.size):
        error = p[i] - np.float64(labels[i])
        terms[0, i] = error * error
    if terms.shape[0] > 1:
        for i in range(p.size):
            tilt = 1.0 - 2.0 * p[i]
            terms[1, i] = (np.float64(labels[i]) - p[i]) * tilt
            terms[2, i] = tilt * tilt * p[i] * (1.0 - p[i])


@kernel
def brier_sums(labels, p, out):
    """Write the sums of (p - y)^2 and, if `out` has three, of (y - p) t and t^2 p (1 - p).

    t = 1 - 2 p. One pass takes half the time of NumPy's three.
    """
    ends, depths = split_by_halves(p.size)
    sums, terms = np.empty((out.size, ends.size)), np.empty((out.size, BLOCK))
    start = 0
    for block in range(ends.size):
        stop = ends[block]
        write_brier_terms(labels[start:stop], p[start:stop], terms)
        for row in range(out.size):
            sums[row, block] = block_sum(terms[row], stop - start)
        start = stop
    for row in range(out.size):
        out[row] = sum_of_blocks(sums[row], depths)


@kernel
def write_losses(labels, p, q, a, b, d):
    """Write (p - y)^2 and (q - y)^2 to a and b, or p and q if `labels` is empty.

    `d` gets the differences a - b, 0 where they are within rounding error.
    """
    if labels.size:
        for i in range(p.size):
            y = np.float64(labels[i])
            a[i], b[i] = (p[i] - y) * (p[i] - y), (q[i] - y) * (q[i] - y)
    else:
        for i in range(p.size):
            a[i], b[i] = p[i], q[i]
    for i in range(p.size):
        difference, size_a, size_b = a[i] - b[i], abs(a[i]), abs(b[i])
        largest = size_a if size_a > size_b else size_b
        d[i] = 0.0 if abs(difference) < ROUNDING * largest else difference


@kernel
def bits_of_greatest(x, n):
    """Return the bits of the largest of the first n numbers of x, all at least 0 or NaN.

    Such bits have the order of the numbers, with NaN as the largest. LLVM vectorises their maximum,
    but not that of doubles.
    """
    most, bits = ZERO, x.view(np.uint64)
    for i in range(n):
        most = max(most, bits[i])
    return most


@kernel
def sum_losses(labels, p, q, ends, mean, power, sums):
    """Write sums by block to `sums` (3, blocks): for power 1 of both losses and of d.

    d are the differences of losses. For power 2 or 3 the sum of (d - mean)^power goes to row 0;
    d is computed again, to save memory. Returns the bits of the largest (d - mean)^2, for power 1
    those of 0.
    """
    a, b, d = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    start, most = 0, ZERO
    for block in range(ends.size):
        stop = ends[block]
        n = stop - start
        write_losses(labels[start:stop], p[start:stop], q[start:stop], a, b, d)
        if power == 1:
            sums[1, block], sums[2, block] = block_sum(b, n), block_sum(d, n)
        else:
            for i in range(n):
                a[i] = (d[i] - mean) * (d[i] - mean)
            most = max(most, bits_of_greatest(a, n))
        if power == 3:
            for i in range(n):
                a[i] *= d[i] - mean
        sums[0, block] = block_sum(a, n)
        start = stop
    return most


LOPSIDED = 0.2  # of the root of the number of cases: skewness from which Student's t is rough


@kernel
def loss_moments(labels, p, q, out):
    """Write to `out` (6) moments of losses a and b, and of their differences d (`write_losses`).

    They are the sums of a, b, d and (d - mean)^2, the largest of these squares, and the sum of
    (d - mean)^3, 0 unless the largest square shows that d may be skewed.
    """
    ends, depths = split_by_halves(p.size)
    sums, bits = np.empty((3, ends.size)), out.view(np.uint64)
    sum_losses(labels, p, q, ends, 0.0, 1, sums)
    for row in range(3):
        out[row] = sum_of_blocks(sums[row], depths)
    mean, out[5] = out[2] / p.size, 0.0
    bits[4] = sum_losses(labels, p, q, ends, mean, 2, sums)
    out[3] = sum_of_blocks(sums[0], depths)
    if not out[4] <= LOPSIDED * LOPSIDED * out[3]:  # also for NaN
        sum_losses(labels, p, q, ends, mean, 3, sums)
        out[5] = sum_of_blocks(sums[0], depths)
