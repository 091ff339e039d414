"""The exact null distribution of a sum of ranks: every choice of m of the N ranks is as likely."""

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers
from .pvalues import PValue, claim_pvalue

MOST_ADDITIONS = 5e8  # half a second


def rank_additions(ranks: Integers, m: int) -> float:
    """Return the number of additions that an exact p-value takes."""
    steps, few = steps_of(ranks), min(m, ranks.size - m)
    return float(ranks.size) * few * (1.0 + float(steps[steps.size - few :].sum()))


def rank_sum_pvalue(ranks: Integers, chosen: NDArray[np.bool_], alternative: str) -> PValue:
    """Return the exact p-value of the sum of the chosen ranks; two-sided, twice the smaller tail.

    Ties need no correction: the distribution is that of the ranks as they are.
    """
    steps, m = steps_of(ranks), int(np.count_nonzero(chosen))
    few = min(m, steps.size - m)
    mirrored = 2 * m > steps.size  # the others' sum is the total less this one
    observed = int(steps[~chosen if mirrored else chosen].sum())
    counts = count_choices(np.sort(steps), few)
    total = float(counts.sum())
    smaller = float(counts[: observed + 1].sum()) / total
    larger = float(counts[observed:].sum()) / total
    above, below = (smaller, larger) if mirrored else (larger, smaller)
    return claim_pvalue(alternative, 0.0, lambda _: above, lambda _: below)


def steps_of(ranks: Integers) -> Integers:
    """Return the ranks as the smallest whole numbers of the same distances, from 0 on."""
    steps = ranks - ranks.min()
    return np.asarray(steps // max(int(np.gcd.reduce(steps)), 1))


def count_choices(steps: Integers, m: int) -> NDArray[np.float64]:
    """Return how many choices of m of the ascending steps add up to 0, 1, ..."""
    most = int(steps[steps.size - m :].sum())
    counts = np.zeros((m + 1, most + 1))
    counts[0, 0] = 1.0
    for done, step in enumerate(steps.tolist()):
        last = min(done, m - 1)
        counts[1 : last + 2, step:] += counts[: last + 1, : most + 1 - step].copy()
    return np.asarray(counts[m])
