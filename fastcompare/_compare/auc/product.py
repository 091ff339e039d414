"""Moments of k models: pair by pair while that is cheap, else by one matrix product."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.memory import reserve
from ..._base.parallel import map_threads
from ..._base.types import Matrix, Vector
from ..._inference.welch import welch_dfs
from ...kernels.pair import standardize, wins
from .components import Components, pairs_of
from .exact import PairMoments, class_variances, difference_df, pair_moments, pair_sums

DIRECT = 8  # models up to which exact sums of all pairs cost less than sorting, see bench_auc
BLOCK_VALUES = 1 << 20  # 8 MiB of doubles at a time
THREADS_FROM = 1 << 21  # placements; of fewer a second thread starts as long as it saves
CANCELLED = 1e-4  # below this share of the variances, their difference has lost four digits

Scaling = tuple[Matrix, Vector]


class Moments(NamedTuple):
    """AUCs (k,), their covariance (k, k), their differences (k, k) and the variances of those.

    A difference over its standard error is Student's t with `df`, normal for infinitely many; on
    the diagonal are those of the AUCs, if known.
    """

    auc: NDArray[np.float64]
    covariance: NDArray[np.float64]
    difference: NDArray[np.float64]
    difference_variance: NDArray[np.float64]
    df: Matrix | float = math.inf


def all_moments(components: Components, n_jobs: int = 1) -> Moments:
    """Return the moments of all models; NaN where a class is missing or has one case."""
    jobs = n_jobs if components.placed.size >= THREADS_FROM else 1
    if components.k <= DIRECT or min(components.m, components.n) < 2:
        return moments_by_pairs(components, jobs)
    return moments_by_product(components, jobs)


def moments_by_pairs(components: Components, n_jobs: int = 1) -> Moments:
    """Return exact moments, each rounded once."""
    pairs = pairs_of(components.k) or [(0, 0)]
    found = map_threads(lambda pair: pair_moments(components, *pair), pairs, n_jobs)
    return gather_pairs(found, components.k)


def gather_pairs(found: Sequence[PairMoments], k: int) -> Moments:
    """Return the moments of k models from those of all pairs, or of the only one and itself."""
    auc, covariance = reserve((k,)), reserve((k, k))
    difference, variance, df = np.zeros((k, k)), np.zeros((k, k)), np.full((k, k), math.inf)
    for (i, j), pair in zip(pairs_of(k) or [(0, 0)], found, strict=True):
        auc[[i, j]] = pair.auc
        covariance[np.ix_([i, j], [i, j])] = pair.covariance
        difference[i, j], difference[j, i] = pair.estimate, -pair.estimate
        variance[i, j] = variance[j, i] = pair.variance
        df[i, j] = df[j, i] = pair.df
    return Moments(auc, covariance, difference, variance, df)


def moments_by_product(components: Components, n_jobs: int = 1) -> Moments:
    """Return moments by one product of components; differences that cancel are done directly."""
    k, m, n = components.k, components.m, components.n
    won = [model_wins(components, model) for model in range(k)]  # a fiftieth of the sorts
    auc = np.array([w / (2 * m * n) for w in won])
    gained = np.array(won, dtype=object if components.is_wide else np.int64)
    difference = np.subtract.outer(gained, gained).astype(np.float64) / (2 * m * n)
    covariance = sum_of_products(components, won, n_jobs)
    own = np.diag(covariance)
    variance = own[:, None] + own - 2.0 * covariance
    np.fill_diagonal(variance, 0.0)
    for i, j in np.argwhere(np.triu(variance < CANCELLED * (own[:, None] + own), 1)):
        variance[i, j] = variance[j, i] = pair_moments(components, i, j).variance
    return Moments(auc, covariance, difference, variance)


def sum_of_products(components: Components, won: list[int], n_jobs: int) -> Matrix:
    """Return the sum of the blocks' products, added up in the order of the blocks.

    As many blocks as threads at a time: the products of all would take more than the placements.
    """
    total = reserve((components.k, components.k))
    total.fill(0.0)
    parts, scaling = parts_of(components), scaling_of(components, won)

    def product(part: slice) -> Matrix:
        block = standardized_block(components, scaling, part, n_jobs if len(parts) == 1 else 1)
        found: Matrix = block @ block.T
        return found

    for first in range(0, len(parts), n_jobs):
        for found in map_threads(product, parts[first : first + n_jobs], n_jobs):
            total += found
    return total


def difference_dfs(components: Components) -> Matrix:
    """Return Satterthwaite's degrees of freedom (k, k) of all differences; NaN on the diagonal."""
    k, m, n = components.k, components.m, components.n
    df = np.full((k, k), math.nan)
    if k > DIRECT and min(m, n) > 1:
        df = welch_dfs(class_variances_of_pairs(components), (n, m))
    for i, j in np.argwhere(np.triu(np.isnan(df), 1)).tolist():
        df[i, j] = df[j, i] = difference_df(components, i, j)
    np.fill_diagonal(df, math.nan)
    return df


def class_shares(components: Components) -> NDArray[np.float64]:
    """Return the shares (2, k, k) of positives and of negatives in the variances of differences.

    On the diagonal are those of the AUCs. NaN where a class has one case.
    """
    k, m, n = components.k, components.m, components.n
    shares = np.full((2, k, k), math.nan)
    if min(m, n) < 2:
        return shares
    if k > DIRECT:
        shares = class_variances_of_pairs(components)[::-1].copy()
    unknown, own = np.isnan(shares[0] + shares[1]), {}
    for i, j in np.argwhere(np.triu(unknown, 1)).tolist():
        sums = pair_sums(components, i, j)
        own[i], own[j] = (sums.w_a, sums.aa), (sums.w_b, sums.bb)
        shares[:, i, j] = class_variances(sums.w_a - sums.w_b, sums.dd, m, n)
        shares[:, j, i] = shares[:, i, j]
    for i in np.flatnonzero(np.diag(unknown)).tolist():
        if i not in own:
            sums = pair_sums(components, i, i)
            own[i] = sums.w_a, sums.aa
        shares[:, i, i] = class_variances(*own[i], m, n)
    return shares


def class_variances_of_pairs(components: Components) -> NDArray[np.float64]:
    """Return the shares (2, k, k) of both classes in variances; NaN for those that cancel."""
    won = [model_wins(components, i) for i in range(components.k)]
    covariance = np.zeros((2, components.k, components.k))
    scaling = scaling_of(components, won)
    for part in parts_of(components):
        block = standardized_block(components, scaling, part)
        for label in (0, 1):
            own = block[:, components.labels[part] == label]
            covariance[label] += own @ own.T
    own = np.diagonal(covariance, axis1=1, axis2=2)
    total = own[:, :, None] + own[:, None, :]
    variances = total - 2.0 * covariance
    return np.where(variances < CANCELLED * total, math.nan, variances)


def model_wins(components: Components, model: int) -> int:
    """Return 2 m n AUC of one model, an exact integer."""
    if components.is_wide:
        return pair_sums(components, model, model).w_a
    return int(wins(components.placed[model], components.labels))


def scaling_of(components: Components, won: list[int]) -> Scaling:
    """Return the means (k, 2) of the placements of each class, and the scales (2,) of both."""
    m, n = components.m, components.n
    centre = np.array([(w / n, w / m) for w in won])
    return centre, np.array((class_scale(n, m), class_scale(m, n)))


def standardized_block(
    components: Components, scaling: Scaling, part: slice, n_jobs: int = 1
) -> Matrix:
    """Return components (k, width), scaled so that the products of all blocks are the covariance.

    The blocks are the same for any number of threads, and so is the order of the sums.
    """
    placed, labels, (centre, scale) = components.placed[:, part], components.labels[part], scaling
    block = np.empty(placed.shape)

    def fill(job: int) -> None:
        own = slice(job * components.k // n_jobs, (job + 1) * components.k // n_jobs)
        standardize(np.ascontiguousarray(placed[own]), labels, centre[own], scale, block[own])

    map_threads(fill, range(n_jobs), n_jobs)
    return block


def parts_of(components: Components) -> list[slice]:
    """Return blocks of cases that fill a few MiB for all models."""
    width = max(1024, BLOCK_VALUES // components.k)
    return [slice(start, start + width) for start in range(0, components.labels.size, width)]


def class_scale(own: int, other: int) -> float:
    """Return the factor that turns a centred placement into its share of a standard error."""
    return 1.0 / (2.0 * other * math.sqrt(own * (own - 1.0)))
