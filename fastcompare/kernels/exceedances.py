"""How many of some jointly normal numbers are beyond a point, for many draws at a time."""

from .._jit.kernel import kernel


@kernel
def count_beyond(z, rows, loadings, shift, point, two_sided, out):
    """Write to out[b] how many of z[rows, b] + loadings[rows] * shift[b] are at least `point`.

    `z` has a column a draw. If `two_sided` their sizes count, in place of the numbers.
    """
    out[:] = 0
    for r in range(rows.size):
        row = rows[r]
        loading = loadings[row]
        for b in range(out.size):  # draws in the inner loop: LLVM vectorises it
            x = z[row, b] + loading * shift[b]
            out[b] += (abs(x) if two_sided else x) >= point
