"""Random bits by Philox4x32-10, and uniform integers and normal numbers made from them.

A row of bits depends on a 64-bit seed and its place alone: unit, block of replicates (or trial) and
purpose. So a replicate is the same on any thread, in any order, on any machine. Philox is a
counter-based generator that passes BigCrush (J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw
(2011), Parallel random numbers: as easy as 1, 2, 3, doi:10.1145/2063384.2063405).

The words of a trial come in bulk: a generator that refills itself is too large to be inlined, and
took 26 ns for a step of a shuffle that takes 4 now.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..sums import HALF, ONE, WORD, U

M0, M1 = U(0xD2511F53), U(0xCD9E8D57)  # the authors' multipliers and Weyl constants
W0, W1 = U(0x9E3779B9), U(0xBB67AE85)
PHILOX_ROUNDS = 10
LANES = 64  # replicates in a block: the bytes of a cache line
CALLS = 8  # counters of 128 bits that serve a block with 16 bits a lane
WORDS = 4 * CALLS


@kernel
def draw_row(unit, block, purpose, seed, words):
    """Write to `words` (32 uint32) the random bits of a unit for a block: 16 a lane.

    The arguments are uint64. Everything is in one loop, which LLVM vectorises: 17 ns a row instead
    of 150 for a function of one counter.
    """
    s0, s1 = seed & WORD, seed >> HALF
    for call in range(CALLS):
        c0, c1, c2, c3 = unit, block, U(call), purpose
        k0, k1 = s0, s1
        for _ in range(PHILOX_ROUNDS):
            low, high = M0 * (c0 & WORD), M1 * (c2 & WORD)  # masks tell LLVM: 32-bit factors
            c0, c1, c2, c3 = (high >> HALF) ^ c1 ^ k0, high, (low >> HALF) ^ c3 ^ k1, low
            k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
        words[call] = c0 & WORD
        words[CALLS + call] = c1 & WORD
        words[2 * CALLS + call] = c2 & WORD
        words[3 * CALLS + call] = c3 & WORD


SPARE = U(1 << 31)  # units that replace words which a bounded integer refuses
BITS_32 = U(32)
BITS_11 = U(11)
STEP = 2.0**-53
CENTRE = 0.425  # the middle 85% have an approximation without a logarithm
NEAR = 5.0
BLOCK = 64


@kernel
def fill_words(words, first, trial, purpose, seed):
    """Write the random bits of a trial and a purpose, of the units from `first` on, to `words`.

    `words` is uint32, of a multiple of 32 words.
    """
    for r in range(words.size // WORDS):
        draw_row(first + U(r), trial, purpose, seed, words[WORDS * r : WORDS * (r + 1)])


@kernel
def below(word, n, place, trial, purpose, seed):
    """Return a uniform integer 0, ..., n - 1 from the word at a place; all are uint64.

    Lemire (2019), doi:10.1145/3230636, algorithm 5: exactly uniform, mostly without a division.
    """
    product = word * n
    low = product & WORD
    if low < n and low < (WORD + ONE - n) % n:  # 2^32 mod n, a division that is seldom needed
        return redraw_bounded_integer(n, place, trial, purpose, seed)
    return product >> BITS_32


@kernel
def redraw_bounded_integer(n, place, trial, purpose, seed):
    """Return a uniform integer 0, ..., n - 1 from the spare words of a place."""
    words = np.empty(WORDS, np.uint32)
    draw_row(SPARE + place, trial, purpose, seed, words)
    refused = (WORD + ONE - n) % n
    for i in range(WORDS - 1):
        product = U(words[i]) * n
        if product & WORD >= refused:
            return product >> BITS_32
    return (U(words[WORDS - 1]) * n) >> BITS_32  # reached with a chance below (n / 2^32)^31


@kernel
def bounded_integers(words, n, place, trial, purpose, seed, out):
    """Write `below` of each word, for places from `place` on, to `out` (int64).

    LLVM vectorises it, since refused words are left for later: 0.7 ns an integer rather than 5.
    """
    refused = (WORD + ONE - n) % n  # the low halves of products below are refused, as in `below`
    again = False
    for r in range(out.size):
        product = U(words[r]) * n
        out[r] = np.int64(product >> BITS_32)
        again |= (product & WORD) < refused
    if again:
        for r in range(out.size):
            out[r] = np.int64(below(U(words[r]), n, place + U(r), trial, purpose, seed))


@kernel
def central_quantile(p):
    """Return the standard normal quantile of p within 0.425 of 1/2.

    Wichura (1988), algorithm AS 241, PPND16, doi:10.2307/2347330: its relative error is 1e-16.
    """
    q = p - 0.5
    r = CENTRE * CENTRE - q * q
    top = 2509.0809287301226727 * r + 33430.575583588128105
    top = top * r + 67265.770927008700853
    top = top * r + 45921.953931549871457
    top = top * r + 13731.693765509461125
    top = top * r + 1971.5909503065514427
    top = top * r + 133.14166789178437745
    top = top * r + 3.387132872796366608
    bottom = 5226.495278852545925 * r + 28729.085735721942674
    bottom = bottom * r + 39307.89580009271061
    bottom = bottom * r + 21213.794301586595867
    bottom = bottom * r + 5394.1960214247511077
    bottom = bottom * r + 687.1870074920579083
    bottom = bottom * r + 42.313330701600911252
    return q * top / (bottom * r + 1.0)


@kernel
def near_quantile(r):
    """Return the size of a normal quantile, r = sqrt(-log p) up to 5, p being the smaller tail."""
    r -= 1.6
    top = 7.7454501427834140764e-4 * r + 0.0227238449892691845833
    top = top * r + 0.24178072517745061177
    top = top * r + 1.27045825245236838258
    top = top * r + 3.64784832476320460504
    top = top * r + 5.7694972214606914055
    top = top * r + 4.6303378461565452959
    top = top * r + 1.42343711074968357734
    bottom = 1.05075007164441684324e-9 * r + 5.475938084995344946e-4
    bottom = bottom * r + 0.0151986665636164571966
    bottom = bottom * r + 0.14810397642748007459
    bottom = bottom * r + 0.68976733498510000455
    bottom = bottom * r + 1.6763848301838038494
    bottom = bottom * r + 2.05319162663775882187
    return top / (bottom * r + 1.0)


@kernel
def far_quantile(r):
    """Return the size of a normal quantile, r = sqrt(-log p) above 5, p being the smaller tail."""
    r -= NEAR
    top = 2.01033439929228813265e-7 * r + 2.71155556874348757815e-5
    top = top * r + 0.0012426609473880784386
    top = top * r + 0.026532189526576123093
    top = top * r + 0.29656057182850489123
    top = top * r + 1.7848265399172913358
    top = top * r + 5.4637849111641143699
    top = top * r + 6.6579046435011037772
    bottom = 2.04426310338993978564e-15 * r + 1.4215117583164458887e-7
    bottom = bottom * r + 1.8463183175100546818e-5
    bottom = bottom * r + 7.868691311456132591e-4
    bottom = bottom * r + 0.0148753612908506148525
    bottom = bottom * r + 0.13692988092273580531
    bottom = bottom * r + 0.59983220655588793769
    return top / (bottom * r + 1.0)


@kernel
def normal_quantile(p):
    """Return the point below which a standard normal variable lies with probability p."""
    q = p - 0.5
    if abs(q) <= CENTRE:
        return central_quantile(p)
    r = math.sqrt(-math.log(min(p, 1.0 - p)))
    return math.copysign(near_quantile(r) if r <= NEAR else far_quantile(r), q)


@kernel
def draw_normal_numbers(words, out):
    """Write a standard normal number to `out` for every two words."""
    p, central = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, out.size, BLOCK):
        size = min(BLOCK, out.size - start)
        for i in range(size):
            at = 2 * (start + i)
            bits = (U(words[at]) << BITS_32) | U(words[at + 1])
            p[i] = (np.float64(bits >> BITS_11) + 0.5) * STEP
            # for all, since LLVM vectorises it: 15 ns a number; 55 where the tails branch off
            central[i] = central_quantile(p[i])
        for i in range(size):
            in_centre = abs(p[i] - 0.5) <= CENTRE
            out[start + i] = central[i] if in_centre else normal_quantile(p[i])
