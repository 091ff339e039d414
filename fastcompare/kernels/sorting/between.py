"""Placements of thousands of scores in a few tight clusters, by 32-bit keys.

Neither a linear map nor their bits spread such scores: a sample of them does, as in `keys`. What a
prefix cannot tell the scores settle, as in `linear`.
"""

from ..._jit.kernel import kernel
from ..words import ONE, U
from .keys import BETWEEN, best_map, key_range, pack_between
from .linear import place_settled, settle_narrow
from .native import sort32
from .radix import bits_of


@kernel
def placements_between(scores, labels, m, keys, out):
    """Write the placement of every case to `out`, as all kernels do.

    Returns False where their bits spread the scores, or where too many are left to settle. `keys`
    are as many uint32 as there are scores: fewer than 2^24, and no fewer than the sample.
    """
    nbits = bits_of(U(scores.size - 1)) + ONE
    low, high = key_range(scores)
    shift = U(64) - bits_of(max(high - low, ONE))
    if best_map(scores, 0.0, shift, nbits) != BETWEEN:
        return False
    pack_between(scores, labels, low, high, nbits, keys)
    sort32(keys)
    tied, settled = settle_narrow(keys, scores, nbits)
    if settled:
        place_settled(keys, scores, tied, U(m), nbits, out)
    return settled
