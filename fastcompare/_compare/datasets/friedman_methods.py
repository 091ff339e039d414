"""Friedman's statistics as fractions, and the ways to their p-values.

Notation of Conover (1999): R_j are the rank sums of k models on N data sets, A the sum of all
squared ranks, C = N k (k + 1)^2 / 4.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.parallel import Checkpoint
from ..._base.types import Integers
from ..._inference.pvalues import CERTAIN, PValue, chi2_pvalue, f_pvalue
from ..._inputs.randomness import key_of
from ..._inputs.workers import Workers
from ..._resampling.permutations import drawn_share, null_replicates
from ...kernels.drawing.philox import LANES
from ...kernels.drawing.shuffles import shuffled_squares
from .friedman_exact import count_orders, exact_pvalue
from .ranks import Ranks

SHUFFLE = 16  # a step of a shuffle takes so many times as long as adding one sign


class Statistics(NamedTuple):
    """Friedman's chi-squared, the F of Iman and Davenport (1980), and Kendall's W."""

    chi2: float
    f: float
    w: float


class Resampling(NamedTuple):
    """How many random permutations to draw, from which seed (None: none), and who draws them."""

    n: int
    seed: int | None
    workers: Workers


def friedman_statistics(ranks: Ranks, ties: str) -> Statistics:
    """Return the statistics, each a fraction that is rounded once; 0 where all ranks tie."""
    n, k = ranks.n, ranks.k
    if ties == "corrected":  # chi2 = (k - 1) sum (R_j - N (k + 1) / 2)^2 / (A - C)
        top, bottom = (k - 1) * ranks.between, ranks.within
    else:  # chi2 = 12 / (N k (k + 1)) sum (R_j - N (k + 1) / 2)^2
        top, bottom = 3 * ranks.between, n * k * (k + 1)
    if not top:
        return Statistics(0.0, 0.0, 0.0)
    most = n * (k - 1) * bottom  # of `top`, where all data sets rank the models alike
    f = (n - 1) * top / (most - top) if most > top else math.inf
    return Statistics(top / bottom, f, top / most)


def friedman_pvalue(
    ranks: Ranks, statistics: Statistics, method: str, resampling: Resampling
) -> PValue:
    """Return the p-value of Friedman's test by this method; 1 where all ranks tie."""
    return METHODS[method](ranks, statistics, resampling) if ranks.within else CERTAIN


def by_f(ranks: Ranks, statistics: Statistics, resampling: Resampling) -> PValue:
    """Return the p-value of F with k - 1 and (k - 1)(N - 1) degrees of freedom."""
    if math.isinf(statistics.f):
        return agreement_pvalue(ranks.doubled[0], ranks.n)
    return f_pvalue(statistics.f, *ranks.df)


def by_chi2(ranks: Ranks, statistics: Statistics, resampling: Resampling) -> PValue:
    """Return the p-value of chi-squared with k - 1 degrees of freedom."""
    return chi2_pvalue(statistics.chi2, ranks.k - 1)


def by_exact(ranks: Ranks, statistics: Statistics, resampling: Resampling) -> PValue:
    """Return the share of all permutations within rows that are as extreme."""
    return exact_pvalue(ranks.doubled)


def by_permutation(ranks: Ranks, statistics: Statistics, resampling: Resampling) -> PValue:
    """Return (b + 1) / (B + 1), b of B random permutations being as extreme."""
    centred = np.ascontiguousarray(ranks.doubled - (ranks.k + 1))
    null = partial(shuffle_blocks, centred, key_of(resampling.seed or 0))
    work = SHUFFLE * centred.size
    drawn = null_replicates(null, resampling.n, work, resampling.workers)
    return drawn_share(drawn >= ranks.between)


METHODS: dict[str, Callable[[Ranks, Statistics, Resampling], PValue]] = {
    "iman-davenport": by_f,
    "chi2": by_chi2,
    "exact": by_exact,
    "permutation": by_permutation,
}


def shuffle_blocks(
    centred: Integers, key: int, blocks: range, checkpoint: Checkpoint
) -> NDArray[np.int64]:
    """Return the squared rank sums (blocks, 64) of random permutations within rows."""
    out = np.empty((len(blocks), LANES), np.int64)
    for block, row in zip(blocks, out, strict=True):
        checkpoint()
        shuffled_squares(centred, np.uint64(block), np.uint64(key), row)
    return out


def agreement_pvalue(row: Integers, n: int) -> PValue:
    """Return the chance that n data sets rank the models as this one: (k!)^(1 - n) without ties."""
    orders = count_orders(row.tolist())
    log_p = (1 - n) * math.log(orders)
    return PValue(float(orders) ** (1 - n) if log_p > -600.0 else math.exp(log_p), log_p)
