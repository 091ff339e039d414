"""Bootstrap weights of 64 replicates at a time, and other random counts: multinomial, binomial.

Independent Poisson counts, given their total n, are multinomial: how often n draws take each unit.
Counts of a rate below 1 come first, then missing units are added uniformly, or excess ones removed,
each with the same chance. A count takes 16 random bits, and 64 more where these equal a threshold:
it has the Poisson distribution to 2^-80. Poisson weights of mean 1 are the same without a total.

Tables of counts are binomial cell by cell (W. Hörmann (1993), algorithm BTRS,
doi:10.1080/00949659308811496). Walsh averages get exponential weights, those of a Dirichlet
distribution but for their sum. The number of positives among cases with different probabilities is
Poisson-binomial; all its chances are computed, and a draw takes one uniform number.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..sums import HALF, ONE, WORD, ZERO, U
from .purposes import (
    CORRECT,
    COUNT,
    COUNTS,
    LABELS,
    LANE_SHIFT,
    POISSON,
    POISSON_AGAIN,
    REFINE,
    STRATUM_SHIFT,
    WEIGHTS,
)
from .streams import LANES, WORDS, draw_row

B = np.uint8
HIT = B(128)  # marks a count that needs a second look
BYTES = 8  # in a word
MARKS = U(0x8080808080808080)
TOP = B(255)  # the high byte of every threshold behind the fourth
COUNT_BITS = U(31)  # counts to take from are smaller: thresholds end at 25
BATCH = 64  # rows that are drawn before they are counted, while they are in the fastest cache
SMALL = 8  # rows whose counts, at most 25, a byte holds together


@kernel
def count_thresholds_below(draws, levels, out):
    """Write to `out` the number of eight thresholds below each draw of two bytes; mark equal ones.

    A row of `draws` has 64 high bytes, then 64 low ones. `levels` (12) are the high bytes of the
    first four thresholds, then the first low byte and by how much each next one is larger, in bytes
    that wrap, then the low bytes of the last four. Bytes alone, since LLVM makes vectors of them:
    half the time of 16 bits.
    """
    t0, t1, t2, t3 = levels[0], levels[1], levels[2], levels[3]
    first, step1, step2, step3 = levels[4], levels[5], levels[6], levels[7]
    v4, v5, v6, v7 = levels[8], levels[9], levels[10], levels[11]
    for r in range(out.shape[0]):
        for i in range(LANES):  # a constant number of steps, which need no test for what is left
            u, v = draws[r, i], draws[r, LANES + i]
            above = B(u > t0) + B(u > t1) + B(u > t2) + B(u > t3)
            step = (step1 if u > t0 else B(0)) + (step2 if u > t1 else B(0))
            level = B(first + step + (step3 if u > t2 else B(0)))  # of the first not below the draw
            near = B(u == t0) | B(u == t1) | B(u == t2) | B(u == t3)
            more = B(v > v4) + B(v > v5) + B(v > v6) + B(v > v7)
            equal = B(v == v4) | B(v == v5) | B(v == v6) | B(v == v7)
            again = (near & B(v == level)) | (B(u == TOP) & equal)
            last = more if u == TOP else B(0)
            out[r, i] = above + (near & B(v > level)) + last + HIT * again


@kernel
def recount(draw, thresholds, unit, block, lane, purpose, seed, words):
    """Return the number of thresholds below a draw of 16 bits, by 64 more bits if it equals one.

    `thresholds` (K, 2) are 16 and 64 bits. The 64 further bits of the draw depend on purpose and
    lane; `words` is scratch for 32 uint32.
    """
    count = 0
    while count < thresholds.shape[0] and draw > thresholds[count, 0]:
        count += 1
    if count < thresholds.shape[0] and draw == thresholds[count, 0]:
        draw_row(unit, block, purpose | (U(lane) << LANE_SHIFT), seed, words)
        more = (U(words[0]) << HALF) | U(words[1])
        while (
            count < thresholds.shape[0]
            and draw == thresholds[count, 0]
            and more >= thresholds[count, 1]
        ):
            count += 1
    return count


@kernel
def recount_marked(counts, marks, draws, first, block, thresholds, seed, words):
    """Recount the marked draws in `counts` (rows, 64), of the units from `first` on.

    `marks` are the same bytes as words; 6% of eight rows have a mark.
    """
    for start in range(0, marks.size, LANES):
        stop, any_mark = min(start + LANES, marks.size), ZERO
        for k in range(start, stop):
            any_mark |= marks[k]
        if any_mark & MARKS == ZERO:
            continue
        for k in range(start, stop):
            if marks[k] & MARKS:
                r, first_lane = k // BYTES, k % BYTES * BYTES
                for lane in range(first_lane, first_lane + BYTES):
                    if counts[r, lane] >= HIT:
                        draw, unit = (
                            U(draws[r, lane]) << U(8) | U(draws[r, LANES + lane]),
                            U(first + r),
                        )
                        counts[r, lane] = recount(
                            draw, thresholds, unit, block, lane, REFINE, seed, words
                        )


@kernel
def add_totals(weights, totals):
    """Add the counts of some rows to `totals` (64 uint32), 8 rows at a time in bytes."""
    full_rows = weights.shape[0] // SMALL * SMALL
    for r in range(0, full_rows, SMALL):
        a, b, c, d = weights[r], weights[r + 1], weights[r + 2], weights[r + 3]
        e, f, g, h = weights[r + 4], weights[r + 5], weights[r + 6], weights[r + 7]
        for lane in range(LANES):
            totals[lane] += B(
                a[lane] + b[lane] + c[lane] + d[lane] + e[lane] + f[lane] + g[lane] + h[lane]
            )
    for r in range(full_rows, weights.shape[0]):
        for lane in range(LANES):
            totals[lane] += weights[r, lane]


@kernel
def add_missing_units(weights, lane, missing, words):
    """Add at most `missing` uniform units to a lane, by 32 words; return how many remain."""
    n = U(weights.shape[0])  # below 2^32
    biased = (ONE << HALF) % n  # Lemire (2019), doi:10.1145/3230636: results below are redrawn
    for k in range(min(missing, WORDS)):  # without a branch: a bad word adds nothing
        scaled = U(words[k]) * n
        fair = scaled & WORD >= biased
        weights[scaled >> HALF, lane] += B(fair)
        missing -= np.int64(fair)
    return missing


@kernel
def remove_excess_units(weights, lane, excess, words):
    """Remove at most `excess` uniform draws from a lane; return how many are still to remove.

    A random row is accepted in proportion to its count.
    """
    n = U(weights.shape[0])
    biased = (ONE << HALF) % n
    for used in range(0, WORDS, 2):
        scaled, accept = U(words[used]) * n, U(words[used + 1]) & COUNT_BITS
        i = scaled >> HALF
        if scaled & WORD >= biased and accept < weights[i, lane] and excess > 0:
            weights[i, lane] -= B(1)
            excess -= 1
    return excess


@kernel
def correct_lane(weights, lane, missing, block, stratum, seed, words):
    """Bring a lane's total to its target: add `missing` units, or remove -missing.

    `words` is scratch for 32 uint32.
    """
    purpose, row = CORRECT | (U(lane) << LANE_SHIFT) | (stratum << STRATUM_SHIFT), ZERO
    while missing:  # 32 words at most change so many, and refused ones change none
        draw_row(row, block, purpose, seed, words)
        row += ONE
        if missing > 0:
            missing = add_missing_units(weights, lane, missing, words)
        else:
            missing = -remove_excess_units(weights, lane, -missing, words)


@kernel
def draw_strata(
    weights, words, first, stop, totals, ends, levels, thresholds, block, seed, bits, draws
):
    """Write the weights of rows from `first` to `stop` - 1; correct the strata that end among them.

    `words` are the weights as uint64 (8 a row). Strata follow one another up to `ends`; each has a
    row of `totals` (strata, 64), which are 0 before its first row, and of `levels` and
    `thresholds`. `bits` (65, 32) uint32 are scratch, and `draws` are the same bytes.
    """
    start = 0
    for stratum in range(ends.size):
        end, stratum_totals = ends[stratum], totals[stratum]
        low, high = max(start, first), min(end, stop)
        for row in range(low, high, BATCH):
            last = min(row + BATCH, high)
            for r in range(last - row):
                draw_row(U(row + r), block, COUNT, seed, bits[r])
            counts, marks = weights[row:last], words[BYTES * row : BYTES * last]
            count_thresholds_below(draws, levels[stratum], counts)
            recount_marked(
                *(counts, marks, draws, row, block, thresholds[stratum], seed, bits[BATCH])
            )
            add_totals(counts, stratum_totals)
        if low < high == end:  # the last row of the stratum is drawn
            for lane in range(LANES):
                missing = np.int64(end - start) - np.int64(stratum_totals[lane])
                stratum_weights = weights[start:end]
                correct_lane(stratum_weights, lane, missing, block, U(stratum), seed, bits[BATCH])
        start = end


@kernel
def draw_poisson(numbers, weights, words, block, levels, thresholds, seed, bits, draws):
    """Write the weights (rows, 64) of the rows with these numbers (uint32) in a block.

    `words` are the weights as uint64 (8 a row); `levels` and `thresholds` are of mean 1; `bits`
    (65, 32) uint32 are scratch, and `draws` are the same bytes.
    """
    for start in range(0, numbers.size, BATCH):
        stop = min(start + BATCH, numbers.size)
        for r in range(stop - start):
            draw_row(U(numbers[start + r]), block, POISSON, seed, bits[r])
        counts, marks = weights[start:stop], words[BYTES * start : BYTES * stop]
        count_thresholds_below(draws, levels, counts)
        for r in range(stop - start):
            any_mark = ZERO
            for k in range(BYTES * r, BYTES * (r + 1)):
                any_mark |= marks[k]
            if any_mark & MARKS:
                unit = U(numbers[start + r])
                recount_row(counts[r], draws[r], unit, block, thresholds, seed, bits[BATCH])


@kernel
def recount_row(counts, draws, unit, block, thresholds, seed, words):
    """Recount the marked draws in the counts (64) of a row."""
    for lane in range(LANES):
        if counts[lane] >= HIT:
            draw = U(draws[lane]) << U(8) | U(draws[LANES + lane])
            counts[lane] = recount(draw, thresholds, unit, block, lane, POISSON_AGAIN, seed, words)


@kernel
def add_positives(weights, ends, kinds, out):
    """Add the weights of a walk's positives to `out` (64 uint64); a row of weights is a step."""
    start = 0
    for run in range(ends.size):
        stop = ends[run]
        if kinds[run] == 0:
            for i in range(start, stop):
                for lane in range(LANES):
                    out[lane] += U(weights[i, lane])
        start = stop


UNIT = WORDS // 2  # numbers that a row of bits serves
UNUSED = U(11)  # bits of 64, since a double holds 53
STEP = 2.0**-53
LARGE = 10.0  # means from which rejection is right; it takes 1.2 attempts
MOST = 200  # of counts with a smaller mean: more have a chance below 1e-100
SERIES = 10.0  # numbers from which Stirling's series holds to 1e-11
HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)


@kernel
def next_uniform(draw, seed, words, used):
    """Return the next uniform number between 0 and 1 of a draw; add 1 to `used` (1)."""
    at = used[0] % UNIT
    if at == 0:
        draw_row(U(used[0] // UNIT), draw, COUNTS, seed, words)
    used[0] += 1
    return STEP * (np.float64(words.view(np.uint64)[at] >> UNUSED) + 0.5)


@kernel
def stirling_error(x):
    """Return log x! less its approximation (x + 1/2) log(x + 1) - (x + 1) + log(2 pi) / 2."""
    y = x + 1.0
    if x < SERIES:
        return math.lgamma(y) - ((x + 0.5) * math.log(y) - y + HALF_LOG_2PI)
    square = y * y
    return (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / 1260.0 / square) / square) / y


@kernel
def log_binomial_ratio(x, mode, n, odds):
    """Return log(P(x) / P(mode)) of a binomial distribution of n with odds p / (1 - p).

    Logarithms of quotients near 1 keep their digits where n is large.
    """
    deviation = x - mode
    rise = np.log1p(-deviation / (n - mode + 1.0)) - np.log1p(deviation / (mode + 1.0))
    return (
        (n + 1.0) * np.log1p(deviation / (n - x + 1.0))
        + (mode + 0.5) * rise
        + deviation * math.log(odds * (n - x + 1.0) / (x + 1.0))
        + stirling_error(mode)
        + stirling_error(n - mode)
        - stirling_error(x)
        - stirling_error(n - x)
    )


@kernel
def small_binomial(n, p, uniform):
    """Return a binomial number of small mean, p being at most 1/2, by inversion."""
    odds = p / (1.0 - p)
    chance = math.exp(n * math.log1p(-p))
    x = 0.0
    while uniform > chance and x < min(n, MOST):
        uniform -= chance
        x += 1.0
        chance *= odds * (n + 1.0 - x) / x
    return x


@kernel
def large_binomial(n, p, draw, seed, words, used):
    """Return a binomial number of large mean, p being at most 1/2, by transformed rejection."""
    q = 1.0 - p
    sigma = math.sqrt(n * p * q)
    b = 1.15 + 2.53 * sigma
    a = 0.0248 * b + 0.01 * p - 0.0873
    alpha = (2.83 + 5.1 / b) * sigma
    mode = math.floor((n + 1.0) * p)
    while True:
        u = next_uniform(draw, seed, words, used) - 0.5
        v = next_uniform(draw, seed, words, used)
        near = 0.5 - abs(u)
        x = math.floor((2.0 * a / near + b) * u + n * p + 0.5)
        if x < 0.0 or x > n:
            continue
        if near >= 0.07 and v <= 0.92 - 4.2 / b:
            return x
        if math.log(v * alpha / (a / (near * near) + b)) <= log_binomial_ratio(x, mode, n, p / q):
            return x


@kernel
def binomial(n, cell, total, draw, seed, words, used):
    """Return a binomial number of n cases (int64) that fall into a cell of `cell` of `total`."""
    rarer = min(cell, total - cell)
    p = rarer / max(total, 1)  # no cases are left for the cells behind the last full one
    if rarer == 0 or n == 0:
        x = 0.0
    elif n * p < LARGE:
        x = small_binomial(np.float64(n), p, next_uniform(draw, seed, words, used))
    else:
        x = large_binomial(np.float64(n), p, draw, seed, words, used)
    count = min(np.int64(x), n)
    return n - count if rarer < cell else count


@kernel
def draw_multinomial_tables(cells, first, seed, out):
    """Write to `out` (cells, B) multinomial counts with the total and proportions of `cells`.

    `cells` are int64, and so is their sum; draws are numbered from `first` on.
    """
    words, used, n = np.empty(WORDS, np.uint32), np.zeros(1, np.int64), np.int64(0)
    for cell in cells:
        n += cell
    for b in range(out.shape[1]):
        remaining = total = n
        used[0] = 0
        for k in range(cells.size):
            count = binomial(remaining, cells[k], total, first + U(b), seed, words, used)
            out[k, b] = count
            remaining -= count
            total -= cells[k]


@kernel
def gather_rows(words, rows, out):
    """Copy the rows (8 words each) with these numbers to `out`.

    Word by word, since a loop over them would check for overlap each time.
    """
    for i in range(rows.size):
        r = rows[i]
        a, b, c, d = words[r, 0], words[r, 1], words[r, 2], words[r, 3]
        e, f, g, h = words[r, 4], words[r, 5], words[r, 6], words[r, 7]
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = a, b, c, d
        out[i, 4], out[i, 5], out[i, 6], out[i, 7] = e, f, g, h


@kernel
def draw_exponential_weights(draw, seed, prior, words, weights):
    """Write exponential weights; weight number `prior` is half the square of a normal number.

    That is a Gamma(1/2) number, for a prior of half an observation. `words` is scratch for 32
    uint32.
    """
    bits, n = words.view(np.uint64), weights.size
    for i in range(n + 1):  # one number more than weights, for the prior's
        if i % UNIT == 0:
            draw_row(U(i // UNIT), draw, WEIGHTS, seed, words)
        uniform = STEP * np.float64(bits[i % UNIT] >> UNUSED)
        if i < n:
            weights[i] = -math.log(1.0 - uniform)
        else:  # Box and Muller (1958)
            weights[prior] *= math.cos(2.0 * math.pi * uniform) ** 2


@kernel
def count_largest_share(stops, starts, prior, first, last, seed, wins):
    """Add to `wins` (3) how often the Walsh averages above, in or below the rope have most weight.

    In draws first, ..., last - 1 of the weights of ascending differences. The average of i and j
    lies below the rope for j < stops[i], and above it for j >= starts[i]. By running sums a draw
    takes O(n), not O(n^2).
    """
    n = stops.size
    weights, total = np.empty(n), np.empty(n + 1)
    words = np.empty(WORDS, np.uint32)
    total[0] = 0.0
    for draw in range(first, last):
        draw_exponential_weights(U(draw), seed, prior, words, weights)
        for i in range(n):
            total[i + 1] = total[i] + weights[i]
        below = within = above = 0.0
        for i in range(n):
            below += weights[i] * total[stops[i]]
            within += weights[i] * (total[starts[i]] - total[stops[i]])
            above += weights[i] * (total[n] - total[starts[i]])
        if above > within and above > below:
            wins[0] += 1
        elif below > within:
            wins[2] += 1
        else:
            wins[1] += 1


NEGLIGIBLE_PROBABILITY = 1e-30  # left out at the ends, before subnormal numbers cost time


@kernel
def poisson_binomial_pmf(p, chances):
    """Write to `chances` (n + 1) the probabilities of 0, ..., n positives of n cases with p.

    Cases are added one by one. Returns the first and the last number whose probability is not
    negligible.
    """
    chances[:] = 0.0
    chances[0] = 1.0
    first = last = 0
    for i in range(p.size):
        not_p = 1.0 - p[i]
        last += 1
        for k in range(last, first, -1):
            chances[k] = chances[k] * not_p + chances[k - 1] * p[i]
        chances[first] *= not_p
        if chances[last] < NEGLIGIBLE_PROBABILITY:
            chances[last] = 0.0
            last -= 1
        if chances[first] < NEGLIGIBLE_PROBABILITY:
            chances[first] = 0.0
            first += 1
    return first, last


@kernel
def convolve_pmfs(a, b, chances):
    """Write to `chances` (a.size + b.size - 1) the convolution: the pmf of a sum of two counts."""
    chances[:] = 0.0
    for i in range(a.size):
        for j in range(b.size):
            chances[i + j] += a[i] * b[j]


@kernel
def draw_bin_errors(cumulative, guides, starts, lags, first, seed, out):
    """Write to `out` (B) sums over bins of |expected - random number of positives|.

    Draws are numbered from `first` on. The cumulative probabilities of bin j, c of them, begin at
    `starts[j]` and end in 1; for a uniform number from u / c on, the search begins at
    `guides[starts[j] + u]` (Chen and Asau 1974, doi:10.1080/05695557408974949): two steps on
    average. `lags` (bins) are the expected number of positives less that of the first probability.
    """
    words = np.empty(WORDS, np.uint32)
    bits = words.view(np.uint64)
    for b in range(out.size):
        distance = 0.0
        for j in range(lags.size):
            at = j % UNIT
            if at == 0:
                draw_row(U(j // UNIT), first + U(b), LABELS, seed, words)
            uniform = STEP * (np.float64(bits[at] >> UNUSED) + 0.5)
            start = starts[j]
            k = guides[start + np.int64(uniform * (starts[j + 1] - start))]
            while cumulative[start + k] < uniform:
                k += 1
            distance += abs(lags[j] - np.float64(k))
        out[b] = distance
