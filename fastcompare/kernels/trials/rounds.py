"""Statistics of many trials of a simulation, a row each."""

from ..._jit.kernel import kernel
from ..tables.folds import corrected_t, f_5x2cv, t_5x2cv

NEAR = 1e-12  # differences of shares of some hundred cases that rounding can make


@kernel
def corrected_rows(d, ratio, out):
    """Write the t of Nadeau and Bengio of each row of differences (B, J)."""
    for b in range(out.size):
        out[b] = corrected_t(d[b], ratio, NEAR)


@kernel
def t_5x2cv_rows(d, out):
    """Write Dietterich's t of each of (B, 5, 2)."""
    for b in range(out.size):
        out[b] = t_5x2cv(d[b], NEAR)


@kernel
def f_5x2cv_rows(d, out):
    """Write Alpaydin's F of each of (B, 5, 2)."""
    for b in range(out.size):
        out[b] = f_5x2cv(d[b], NEAR)
