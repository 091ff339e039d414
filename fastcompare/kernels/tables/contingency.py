"""How often two models are both right, for all pairs of k models, by population counts.

Notation: row i of `bits` holds a bit for every case that model i gets right, 64 cases a word; bits
beyond the last case are 0.
"""

from ..._jit.kernel import kernel
from ..words import ONE, TWO, U

EVERY_2ND = U(0x5555555555555555)
EVERY_4TH = U(0x3333333333333333)
EVERY_8TH = U(0x0F0F0F0F0F0F0F0F)
BYTES = U(0x0101010101010101)
FOUR, TOP_BYTE = U(4), U(56)


@kernel
def ones(word):
    """Return how many bits of the word are 1; LLVM makes it one instruction, vectorised."""
    word -= (word >> ONE) & EVERY_2ND
    word = (word & EVERY_4TH) + ((word >> TWO) & EVERY_4TH)
    return (((word + (word >> FOUR)) & EVERY_8TH) * BYTES) >> TOP_BYTE


@kernel
def joint_ones(bits, out):
    """Write to `out` (k, k) int64 how many cases two models both get right."""
    k, words = bits.shape
    for i in range(k):
        for j in range(i, k):
            total = U(0)
            for w in range(words):
                total += ones(bits[i, w] & bits[j, w])
            out[i, j] = total
            out[j, i] = total
