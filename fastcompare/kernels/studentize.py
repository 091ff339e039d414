"""The studentized difference of two AUCs after exchanges of ranks within cases.

An exchanged model takes the other one's rank of a case. d_i and d_j
are the differences of the two models' components of positives and of negatives, m and n in number:

    D = mean d_i = mean d_j,  SE^2 = s^2(d_i) / m + s^2(d_j) / n

(DeLong, DeLong, Clarke-Pearson 1988), all counted among the exchanged ranks.
"""

import numpy as np

from .._jit.kernel import kernel
from .drawing.exchange import UNIT


@kernel
def place_exchanged(entries, ends, labels, flips, placed):
    """Add to `placed` (cases) twice the cases of the other class below each case, model 1 - 2.

    `entries` are 2 c for the rank of case c by the first model, and 2 c + 1 for that by the second,
    from the lowest rank up; a tie, which counts half, ends before the next of `ends`. `flips`
    (cases) is 1 for cases that are exchanged.
    """
    below, here = np.zeros(4, np.int64), np.zeros(4, np.int64)  # by 2 label + model: before, tied
    start = 0
    for g in range(ends.size):
        stop = ends[g]
        for e in range(start, stop):
            c = entries[e] >> 1
            here[2 * labels[c] + ((entries[e] & 1) ^ flips[c])] += 1
        for e in range(start, stop):
            c = entries[e] >> 1
            model = (entries[e] & 1) ^ flips[c]
            other = 2 - 2 * labels[c] + model  # the other class, by the same model
            placed[c] += (1 - 2 * model) * (2 * below[other] + here[other])
        for k in range(4):
            below[k] += here[k]
            here[k] = 0
        start = stop


@kernel
def studentized_exchanges(entries, ends, labels, number, signs, first, out):
    """Write to `out` (lanes, 2) the difference of the AUCs and its SE after each lane's exchanges.

    `entries` and `ends` are as in `place_exchanged`; `labels` are int64. `number` (cases) numbers
    the cases whose ranks differ, and is -1 for the others; `signs` (units, 64) says which of the
    former to exchange, in lanes from `first` on. Both classes have at least two cases.
    """
    n = labels.size
    flips, placed = np.zeros(n, np.int64), np.empty(n, np.int64)
    m = 0
    for c in range(n):
        m += labels[c]
    for lane in range(out.shape[0]):
        for c in range(n):
            placed[c] = 0
            k = number[c]
            if k >= 0:
                flips[c] = (np.int64(signs[k // UNIT, first + lane]) >> (k % UNIT)) & 1
        place_exchanged(entries, ends, labels, flips, placed)
        total = np.int64(0)
        for c in range(n):
            total += labels[c] * placed[c]
        # of negatives, positives: pairs that a positive does not win, the negative does
        means = (-np.float64(total) / (n - m), np.float64(total) / m)
        squares = np.zeros(2)
        for c in range(n):
            deviation = np.float64(placed[c]) - means[labels[c]]
            squares[labels[c]] += deviation * deviation
        out[lane, 0] = np.float64(total) / (2.0 * m * (n - m))
        negatives = squares[0] / (4.0 * m * m * (n - m) * (n - m - 1.0))
        positives = squares[1] / (4.0 * (n - m) * (n - m) * m * (m - 1.0))
        out[lane, 1] = np.sqrt(negatives + positives)
