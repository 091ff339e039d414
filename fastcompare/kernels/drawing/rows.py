"""Rows of 64 bytes, as words: one lane a byte, one cache line a row."""

from ..._jit.kernel import kernel


@kernel
def gather(words, rows, out):
    """Copy rows of 8 words; by name, since a loop over them would check for overlap each time."""
    for i in range(rows.size):
        r = rows[i]
        a, b, c, d = words[r, 0], words[r, 1], words[r, 2], words[r, 3]
        e, f, g, h = words[r, 4], words[r, 5], words[r, 6], words[r, 7]
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = a, b, c, d
        out[i, 4], out[i, 5], out[i, 6], out[i, 7] = e, f, g, h
