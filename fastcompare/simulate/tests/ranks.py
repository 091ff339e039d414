"""The tests of `ModelsByDatasets`: from scores to p-values."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Vector
from ..._inference.coins import coin_pvalues
from ..._inference.pvalues import chi2_pvalues, f_pvalues
from ..._inference.studentized_range import range_tail
from ...kernels.ties import ROUNDING
from ...kernels.trials.score_tables import friedman_rows, rank_sums_rows
from ...kernels.trials.signed_ranks import wilcoxon_rows

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


def wilcoxon(drawn: Drawn) -> Vector:
    """Return the p-values of Wilcoxon's signed rank test of the first two models."""
    a, b = drawn.scores[:, :, 0], drawn.scores[:, :, 1]
    p = np.empty(len(a))
    wilcoxon_rows(a - b, ROUNDING * np.maximum(np.abs(a), np.abs(b)), p)
    return p


def sign(drawn: Drawn) -> Vector:
    """Return the p-values of the sign test of the first two models, zeros dropped."""
    a, b = drawn.scores[:, :, 0], drawn.scores[:, :, 1]
    return coin_pvalues((a > b).sum(axis=1), (a < b).sum(axis=1), "two-sided", 1.0)


TESTS: Mapping[str, Callable[[Drawn], Vector]] = {
    "friedman_chi2": friedman_chi2,
    "iman_davenport": iman_davenport,
    "nemenyi": partial(nemenyi, groups=together),
    "nemenyi_familywise": partial(nemenyi, groups=by_mean),
    "nemenyi_pair": partial(nemenyi, groups=first_two),
    "wilcoxon": wilcoxon,
    "sign": sign,
}
