"""Sums of Brier losses and of their differences, with the bits of NumPy's (see `halves`)."""

import numpy as np

from .._jit.kernel import kernel
from .halves import BLOCK, block_sum, split_by_halves, sum_of_blocks
from .ties import ROUNDING


@kernel
def fill_brier(labels, p, losses):
    """Write (p - y)^2 to the first of `losses`."""
    for i in range(p.size):
        apart = p[i] - labels[i]
        losses[i] = apart * apart


@kernel
def brier_sum(labels, p):
    """Return the sum of (p - y)^2: one pass, half the time of NumPy's three."""
    ends, depths = split_by_halves(p.size)
    sums, losses = np.empty(ends.size), np.empty(BLOCK)
    start = 0
    for block in range(ends.size):
        stop = ends[block]
        fill_brier(labels[start:stop], p[start:stop], losses)
        sums[block] = block_sum(losses, stop - start)
        start = stop
    return sum_of_blocks(sums, depths)


@kernel
def brier_losses(label, p, q):
    """Return (p - y)^2, (q - y)^2 and their difference: 0 where rounding alone parts them."""
    y = np.float64(label)
    a, b = (p - y) * (p - y), (q - y) * (q - y)
    size = a if a > b else b
    return a, b, 0.0 if abs(a - b) < ROUNDING * size else a - b


@kernel
def fill_losses(labels, p, q, a, b, d):
    """Write those of some cases to a, b and d."""
    for i in range(p.size):
        a[i], b[i], d[i] = brier_losses(labels[i], p[i], q[i])


@kernel
def add_losses(labels, p, q, ends, sums):
    """Write the sums of both losses and of their differences, block by block, to `sums` (3, …)."""
    a, b, d = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    start = 0
    for block in range(ends.size):
        stop = ends[block]
        fill_losses(labels[start:stop], p[start:stop], q[start:stop], a, b, d)
        sums[0, block] = block_sum(a, stop - start)
        sums[1, block] = block_sum(b, stop - start)
        sums[2, block] = block_sum(d, stop - start)
        start = stop


@kernel
def fill_squares(labels, p, q, mean, squares):
    """Write (d - mean)^2 of some cases: from scratch, since d of all would take memory."""
    for i in range(p.size):
        _, _, d = brier_losses(labels[i], p[i], q[i])
        squares[i] = (d - mean) * (d - mean)


@kernel
def add_squares(labels, p, q, ends, mean, sums):
    """Write the sums of (d - mean)^2 of the differences, block by block, to `sums`."""
    squares, start = np.empty(BLOCK), 0
    for block in range(ends.size):
        stop = ends[block]
        fill_squares(labels[start:stop], p[start:stop], q[start:stop], mean, squares)
        sums[block] = block_sum(squares, stop - start)
        start = stop


@kernel
def brier_moments(labels, p, q, out):
    """Write to `out` moments of the losses a and b of p and q, and of their differences d.

    The sums of a, b, d and (d - mean)^2, and of the latter the greatest of a block.
    """
    ends, depths = split_by_halves(p.size)
    sums = np.empty((3, ends.size))
    add_losses(labels, p, q, ends, sums)
    for row in range(3):
        out[row] = sum_of_blocks(sums[row], depths)
    squares = sums[0]
    add_squares(labels, p, q, ends, out[2] / p.size, squares)
    out[3], out[4] = sum_of_blocks(squares, depths), 0.0
    for square in squares:
        out[4] = max(out[4], square)
