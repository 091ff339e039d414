"""How many labels are positive when each is drawn from its probability, and draws of that number.

The number is Poisson-binomial: a sum of independent labels with chances of their own. All its
chances are computed, so that a draw takes one uniform number for any number of cases. Draw b
depends on the seed and b alone (see `philox`).
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import U
from .multinomial import STEP, UNIT, UNUSED
from .philox import WORDS, draw_row
from .purposes import LABELS

NEVER = 1e-30  # chances at the ends that are left out, before they cost as subnormal numbers


@kernel
def count_chances(p, chances):
    """Write to `chances` (n + 1) those of 0, ..., n positive labels among n cases.

    One case after the other; those from the returned first to the last are not negligible.
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
        if chances[last] < NEVER:
            chances[last] = 0.0
            last -= 1
        if chances[first] < NEVER:
            chances[first] = 0.0
            first += 1
    return first, last


@kernel
def add_counts(a, b, chances):
    """Write to `chances` (a.size + b.size - 1) those of the sum of two independent counts."""
    chances[:] = 0.0
    for i in range(a.size):
        for j in range(b.size):
            chances[i + j] += a[i] * b[j]


@kernel
def draw_errors(cumulative, guides, starts, lags, first, seed, out):
    """Write to `out` (B) sums over bins of |expected - drawn positives|, from draw `first` on.

    The cumulative chances of bin j, c of them, begin at `starts[j]` and end in 1; for a uniform
    number from u / c on, the search begins at `guides[starts[j] + u]` (Chen and Asau 1974,
    doi:10.1080/05695557408974949): two steps on average. `lags` (bins) are the expected number of
    positives less the number that its first chance is for.
    """
    words = np.empty(WORDS, np.uint32)
    bits = words.view(np.uint64)
    for b in range(out.size):
        apart = 0.0
        for j in range(lags.size):
            at = j % UNIT
            if at == 0:
                draw_row(U(j // UNIT), first + U(b), LABELS, seed, words)
            uniform = STEP * (np.float64(bits[at] >> UNUSED) + 0.5)
            start = starts[j]
            k = guides[start + np.int64(uniform * (starts[j + 1] - start))]
            while cumulative[start + k] < uniform:
                k += 1
            apart += abs(lags[j] - np.float64(k))
        out[b] = apart
