"""The tests of `ModelsByDatasets`: from scores to p-values."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._compare.paired.many_ranks import sorted_keys
from ..._inference.coins import coin_pvalues
from ..._inference.pvalues import chi2_pvalues, f_pvalues
from ..._inference.studentized_range import range_tail
from ...kernels.trials.score_tables import friedman_rows, rank_sums_rows
from ...kernels.trials.signed_ranks import wilcoxon_rows
from ...kernels.words import ONE

NEAR = 1e-12  # computed differences closer than this times the largest score are equal
Groups = Callable[[Vector], NDArray[np.int64]]


class Drawn(NamedTuple):
    """Scores (B, N, k) and the models' means."""

    scores: NDArray[np.float64]
    means: Vector


def friedman(drawn: Drawn) -> tuple[Vector, Vector]:
    """Return Friedman's chi-squared and Iman and Davenport's F of each trial."""
    chi2, f = np.empty((2, len(drawn.scores)))
    friedman_rows(drawn.scores, chi2, f)
    return chi2, f


def friedman_chi2(drawn: Drawn) -> Vector:
    """Return the p-values of Friedman's test by chi-squared."""
    return chi2_pvalues(friedman(drawn)[0], drawn.means.size - 1)


def iman_davenport(drawn: Drawn) -> Vector:
    """Return the p-values of Iman and Davenport's F test."""
    _, n, k = drawn.scores.shape
    f = friedman(drawn)[1]
    p = f_pvalues(f, k - 1, (k - 1) * (n - 1))
    all_alike = math.exp((1 - n) * math.lgamma(k + 1))  # the chance that all rows rank alike
    return np.asarray(np.where(np.isinf(f), all_alike, p))


def nemenyi(drawn: Drawn, *, groups: Groups) -> Vector:
    """Return the smallest of the p-values of all pairs of models in the same group."""
    _, n, k = drawn.scores.shape
    sums, group = np.empty((len(drawn.scores), k), np.int64), groups(drawn.means)
    rank_sums_rows(drawn.scores, sums)
    ranges = [np.ptp(sums[:, group == g], axis=1) for g in np.unique(group)]
    widest, number = np.unique(np.max(ranges, axis=0), return_inverse=True)
    # the sums are those of doubled ranks; q is the range over sqrt(k (k + 1) / (12 N))
    q = widest / (2.0 * n) / math.sqrt(k * (k + 1) / (12.0 * n))
    return np.asarray(range_tail(q, k)[number])


def together(means: Vector) -> NDArray[np.int64]:
    """Put all models into one group."""
    return np.zeros(means.size, np.int64)


def by_mean(means: Vector) -> NDArray[np.int64]:
    """Put models with equal means into a group."""
    return np.asarray(np.unique(means, return_inverse=True)[1], dtype=np.int64)


def first_two(means: Vector) -> NDArray[np.int64]:
    """Put the first two models into a group."""
    return np.maximum(np.arange(means.size) - 1, 0)


def differences(drawn: Drawn) -> tuple[Matrix, Vector]:
    """Return the first model's scores less the second's, and sizes up to which those are 0."""
    a, b = drawn.scores[:, :, 0], drawn.scores[:, :, 1]
    return a - b, NEAR * np.abs(drawn.scores[:, :, :2]).max(axis=(1, 2))


def wilcoxon(drawn: Drawn) -> Vector:
    """Return the p-values of Wilcoxon's signed rank test of the first two models."""
    d, near = differences(drawn)
    p = np.empty(len(d))
    keys = sorted_keys(d)
    wilcoxon_rows(keys, (keys >> ONE).view(np.float64), near, p)
    return p


def sign(drawn: Drawn) -> Vector:
    """Return the p-values of the sign test of the first two models, zeros dropped."""
    d, near = differences(drawn)
    above, below = (d > near[:, None]).sum(axis=1), (d < -near[:, None]).sum(axis=1)
    return coin_pvalues(above, below, "two-sided", 1.0)


TESTS: Mapping[str, Callable[[Drawn], Vector]] = {
    "friedman_chi2": friedman_chi2,
    "iman_davenport": iman_davenport,
    "nemenyi": partial(nemenyi, groups=together),
    "nemenyi_familywise": partial(nemenyi, groups=by_mean),
    "nemenyi_pair": partial(nemenyi, groups=first_two),
    "wilcoxon": wilcoxon,
    "sign": sign,
}
