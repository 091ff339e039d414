"""Means of k models on the same items: their covariance, and the differences of all pairs.

The covariance is one product of cluster sums, sum_g u_g u_g' of `item_means`, and a pair's variance
is V_ii + V_jj - 2 V_ij. Where that loses digits, the pair's own differences are taken.
"""

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers, Matrix, Vector
from .._inputs.items import ItemLinks
from .answer_means import are_answers
from .clusters import cluster_status
from .item_means import ROUNDING, MeanDesign, Part, mean_design
from .skewness import FEW, FEW_ONE_SIDED, MOST, skewed_t, skewness_of

NEAR = 1e-4  # of the variances of both: below, V_ii + V_jj - 2 V_ij has less than 11 digits
TOGETHER = 64  # pairs whose differences are taken at once

Words = NDArray[np.str_]
Cells = tuple[NDArray[np.intp], NDArray[np.intp]]


class PairMeans(NamedTuple):
    """Differences of means of all pairs (P,), their standard errors, degrees of freedom, words.

    `n` are the items of each pair. The covariance is that of the models (k, k), or else `rows`
    (P, G) have the products of pairs with items of their own. `skewness` is that of Hall's cubic.
    """

    estimate: Vector
    standard_error: Vector
    df: float | Vector
    status: Words
    n: Integers
    covariance: Matrix | None = None
    rows: Matrix | None = None
    skewness: Vector | float = 0.0


def plain_design(links: ItemLinks) -> MeanDesign:
    """Return the design with CR1: G / (G - 1) for all clusters and G - 1 degrees of freedom.

    Strata and two-way clusters have it already.
    """
    design = mean_design(links)
    if not design.parts or links.strata is not None or links.others is not None:
        return design
    total = float(links.n) if design.weights is None else float(design.weights.sum())
    count = design.parts[0].total
    part = Part(links.groups, count, math.sqrt(count / (count - 1.0)) / total)
    return replace(design, parts=(part,), df=count - 1.0)


def mean_covariance_of(scores: Matrix, design: MeanDesign) -> tuple[Vector, Matrix]:
    """Return the means of the models and their covariance."""
    means = design.means(scores)
    return means, design.covariance(scores - means)


def pair_means(scores: Matrix, design: MeanDesign, cells: Cells) -> tuple[Vector, PairMeans]:
    """Return the means (k,) and the differences of pairs of models that answered all items."""
    means, covariance = mean_covariance_of(scores, design)
    first, second = cells
    own = np.diag(covariance)
    variance = own[first] + own[second]
    near = NEAR * variance
    variance -= 2.0 * covariance[first, second]
    estimate = means[first] - means[second]
    close = np.flatnonzero(variance <= near)
    for some in np.split(close, range(TOGETHER, close.size, TOGETHER)):
        d = scores[:, first[some]] - scores[:, second[some]]
        estimate[some] = design.means(d)
        variance[some] = variances(d - estimate[some], design)
    largest = np.abs(scores).max(axis=0)
    of_pairs = np.maximum(largest[first], largest[second])
    error, status = errors_of(estimate, variance, design, of_pairs)
    n = np.full(estimate.shape, design.n)
    return means, PairMeans(estimate, error, design.df, status, n, covariance)


def with_skewness(found: PairMeans, scores: Matrix, design: MeanDesign, cells: Cells) -> PairMeans:
    """Return the same with the skewness of each pair; 0 of answers and where items are many.

    Differences of right and wrong answers keep their level by t: docs/items.md. In weights and
    clusters of unequal sizes their spread would pass for skewness.
    """
    if design.n > MOST or not design.is_even:
        return found
    if are_answers(scores[~np.isnan(scores)]):
        return found
    if found.rows is not None:
        skewness = skewness_of(found.rows.T, found.df)
    else:
        some = [np.split(one, range(TOGETHER, one.size, TOGETHER)) for one in cells]
        gaps = (scores[:, i] - scores[:, j] for i, j in zip(*some, strict=True))
        roots = (design.roots(d - design.means(d), design.parts[0]) for d in gaps)
        skewness = np.concatenate([skewness_of(u, design.df) for u in roots])
    return found._replace(skewness=np.where(found.standard_error > 0.0, skewness, 0.0))


def skewed_statistics(t: Vector, skewness: Vector | float, alternative: str) -> Vector:
    """Return the statistic of each pair for Student's t: t itself where scores are not skewed."""
    with np.errstate(invalid="ignore"):  # where t is infinite
        return np.where(np.asarray(skewness) == 0.0, t, skewed_t(t, skewness, alternative))


def against_long_tails(found: PairMeans, alternative: str) -> NDArray[np.bool_]:
    """Return which pairs of few items differ away from their long tail: 6 to 11 % of such err."""
    few = FEW if alternative == "two-sided" else FEW_ONE_SIDED
    known = (found.status == "ok") & (np.asarray(found.df) + 1.0 < few)
    return np.asarray(known & (found.estimate * found.skewness < 0.0))


def variances(deviations: Matrix, design: MeanDesign) -> Vector:
    """Return the variance of each column's mean."""
    found = np.zeros(deviations.shape[1])
    for part in design.parts:
        found += part.sign * np.square(design.roots(deviations, part)).sum(axis=0)
    return found if design.parts else np.full_like(found, math.nan)


def errors_of(
    estimate: Vector, variance: Vector, design: MeanDesign, largest: Vector | float
) -> tuple[Vector, Words]:
    """Return standard errors, 0 within the rounding of a pair's largest score, and status words."""
    error = np.sqrt(np.where(variance >= 0.0, variance, math.nan))
    error[np.abs(variance) <= (ROUNDING * largest) ** 2] = 0.0
    word = cluster_status(design.df) if design.word == "ok" else design.word
    status = np.full(error.shape, word, dtype="U17")
    if design.word == "ok":
        status[np.isnan(error)] = "negative_variance"
        status[error == 0.0] = "zero_variance"
        status[(error == 0.0) & (estimate == 0.0)] = "no_difference"
    return error, status


def common_means(scores: Matrix, links: ItemLinks, cells: Cells, *, plain: bool) -> PairMeans:
    """Return the differences of pairs, each on the items that both of its models answered."""
    first, second = cells
    there, links = ~np.isnan(scores), nested(links)
    count = links.n if links.groups is None else int(links.groups.max()) + 1
    rows = np.zeros((first.size, count))
    found = []
    for p, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        kept = np.flatnonzero(there[:, i] & there[:, j])
        own, places = only_links(links, kept)
        design = (plain_design if plain else mean_design)(own)
        both = scores[kept][:, [i, j]]
        d = both[:, 0] - both[:, 1]
        mean = design.means(d)
        if design.parts:
            rows[p, places] = design.roots(d - mean, design.parts[0])
        variance = np.array([float(np.square(rows[p]).sum()) if design.parts else math.nan])
        error, status = errors_of(np.array([mean]), variance, design, np.abs(both).max())
        found.append((float(mean), error[0], design.df, status[0], kept.size))
    estimate, error, df, status, n = map(np.array, zip(*found, strict=True))
    return PairMeans(estimate, error, df, status, n, rows=rows)


def nested(links: ItemLinks) -> ItemLinks:
    """Return the links with clusters numbered by stratum, where there are strata."""
    if links.strata is None:
        return links
    groups = np.arange(links.n) if links.groups is None else links.groups
    numbers = np.unique(links.strata * (int(groups.max()) + 1) + groups, return_inverse=True)[1]
    return links._replace(groups=numbers)


def only_links(links: ItemLinks, kept: Integers) -> tuple[ItemLinks, Integers]:
    """Return the links of some items, and which of all clusters their own are."""
    weights = None if links.weights is None else links.weights[kept]
    if links.groups is None:
        return ItemLinks(kept.size, weights), kept
    places, numbers = np.unique(links.groups[kept], return_inverse=True)
    strata = None
    if links.strata is not None:
        strata = np.unique(links.strata[kept], return_inverse=True)[1]
    return ItemLinks(kept.size, weights, numbers, None, strata), places
