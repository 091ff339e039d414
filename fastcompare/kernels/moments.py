"""Exact sums of placements and of their squares, as pairs of 64-bit words.

Variances built from them are exact rationals until one last division: no rounding, no
cancellation, and the same bits for any number of threads, block size or CPU.
"""

from .._jit.kernel import kernel
from .words import HALF, WORD, ZERO, U


@kernel
def moment_sums(a, b, labels, out):
    """Write the sums of a, b, a^2, b^2 and (a - b)^2 to `out`.

    `out` is (2, 8) uint64: row 0 over all cases, row 1 over the positives; each sum of squares
    takes two columns, the sums of the lower and of the upper 32 bits. Needs a, b < 2^32.
    """
    sa = sb = al = ah = bl = bh = dl = dh = ZERO
    pa = pb = pal = pah = pbl = pbh = pdl = pdh = ZERO
    for i in range(a.size):
        positive = ZERO - U(labels[i] & 1)
        x, y = U(a[i]), U(b[i])
        d = (max(x, y) - min(x, y)) & WORD  # the mask tells LLVM that a 32-bit product will do
        xx, yy, dd = x * x, y * y, d * d
        sa += x
        sb += y
        al += xx & WORD
        ah += xx >> HALF
        bl += yy & WORD
        bh += yy >> HALF
        dl += dd & WORD
        dh += dd >> HALF
        pa += x & positive
        pb += y & positive
        pal += xx & WORD & positive
        pah += (xx >> HALF) & positive
        pbl += yy & WORD & positive
        pbh += (yy >> HALF) & positive
        pdl += dd & WORD & positive
        pdh += (dd >> HALF) & positive
    everyone = (sa, sb, al, ah, bl, bh, dl, dh)
    positives = (pa, pb, pal, pah, pbl, pbh, pdl, pdh)
    for c in range(8):
        out[0, c], out[1, c] = everyone[c], positives[c]
