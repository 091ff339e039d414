"""The largest difference of any two of k models, for many draws at a time."""

from .._jit.kernel import kernel


@kernel
def largest_gaps(models, weights, one_sided, out):
    """Raise each element of `out` to the largest weighted difference of two rows of `models`.

    `models` (k, B) has a column a draw, `weights` (k, k) is 0 for pairs that do not count.
    """
    for i in range(models.shape[0]):
        for j in range(models.shape[0]):
            weight = weights[i, j]
            if weight == 0.0:
                continue
            for b in range(out.size):  # draws in the inner loop: LLVM vectorises it
                gap = weight * (models[i, b] - models[j, b])
                size = gap if one_sided else abs(gap)
                out[b] = size if size > out[b] else out[b]
