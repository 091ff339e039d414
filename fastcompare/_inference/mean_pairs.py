"""Differences of the means of pairs of models.

The covariance is one product of cluster sums, sum_g u_g u_g' as of one model, and a pair's variance
is V_ii + V_jj - 2 V_ij. Where that loses digits, the pair's own differences are taken.
"""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers, Matrix, Vector
from .._inputs.items import ItemLinks, Items
from .answers import LinkedAnswers, pair_answers
from .clusters import cluster_sizes, cluster_status
from .item_scale import Cells, ItemScale, clustered_units, item_scale
from .means import ROUNDING, MeanDesign, Part, are_answers, are_whole, cluster_totals, mean_design
from .pvalues import ratios, student_pvalues
from .skewness import (
    MOST,
    Scores,
    Skewness,
    capped_statistics,
    influence_skewness,
    skewed_reach,
    skewed_statistics,
    skewness_by_moments,
    sums_skewness,
)
from .unseen import ALPHA, UnseenFailures, least_unexplained, unseen_failures

NEAR = 1e-4  # of the variances of both: below, V_ii + V_jj - 2 V_ij has less than 11 digits
NEAR_CUBES = 1e-2  # the same of third moments, which cancel more
BLOCK_PAIRS = 64  # pairs whose differences are taken at once

Words = NDArray[np.str_]


class PairMeans(NamedTuple):
    """Differences of means of all pairs (P,), their standard errors, degrees of freedom, words.

    `n` are the items of each pair. The covariance is that of the models (k, k), or else `rows`
    (P, G) have the products of pairs with items of their own. `skewness` is that of Hall's cubic,
    which `distances` and `units` bound, with so many failures `allowed` (`unseen_failures`).
    """

    estimate: Vector
    standard_error: Vector
    df: float | Vector
    status: Words
    n: Integers
    covariance: Matrix | None = None
    rows: Matrix | None = None
    skewness: Skewness = Skewness()
    distances: tuple[Any, Any] = (math.inf, math.inf)
    units: Any = 0.0
    answers: LinkedAnswers | None = None
    allowed: Any = 0.0


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


def means_and_covariance(scores: Matrix, design: MeanDesign) -> tuple[Vector, Matrix]:
    """Return the means of the models and their covariance."""
    means = design.means(scores)
    return means, design.covariance(scores - means)


def pair_means(scores: Matrix, design: MeanDesign, cells: Cells) -> tuple[Vector, PairMeans]:
    """Return the means (k,) and the differences of pairs of models that answered all items."""
    means, covariance = means_and_covariance(scores, design)
    first, second = cells
    model_variances = np.diag(covariance)
    variance = model_variances[first] + model_variances[second]
    near = NEAR * variance
    variance -= 2.0 * covariance[first, second]
    estimate = means[first] - means[second]
    close = np.flatnonzero(variance <= near)
    for some in np.split(close, range(BLOCK_PAIRS, close.size, BLOCK_PAIRS)):
        d = scores[:, first[some]] - scores[:, second[some]]
        estimate[some] = design.means(d)
        variance[some] = variances(d - estimate[some], design)
    largest = np.abs(scores).max(axis=0)
    of_pairs = np.maximum(largest[first], largest[second])
    error, status = pair_errors(estimate, variance, design, of_pairs)
    n = np.full(estimate.shape, design.n)
    return means, PairMeans(estimate, error, design.df, status, n, covariance)


def deviations_skewness(deviations: Scores, design: MeanDesign) -> Skewness:
    """Return the skewness of means; 0 of many items, two-way or stratified clusters."""
    weighted = design.weights is not None and len(design.parts) == 1
    if weighted and design.parts[0].strata is not None:
        weighted = False
    if design.n > MOST or not (design.is_plain or weighted):
        return Skewness()
    part = design.parts[0]
    if weighted or part.total == design.n:
        return influence_skewness(design.roots(deviations, part), design.df + 1.0)
    groups = np.asarray(part.groups)
    sums = cluster_totals(deviations, groups, part.total)
    return sums_skewness(sums, cluster_sizes(groups), np.square(deviations).sum(axis=0))


def with_skewness(pairs: PairMeans, scores: Matrix, design: MeanDesign, cells: Cells) -> PairMeans:
    """Return the same with the skewness of each pair; 0 of answers and where items are many.

    Differences of right and wrong answers keep their level by t: docs/evidence/items.md.
    """
    if design.n > MOST or are_answers(scores):
        return pairs
    first, second = cells
    n = design.df + 1.0
    sample_skewness = np.full(first.size, math.nan)
    evident = np.zeros(first.size, np.bool_)
    count = n
    alone = len(design.parts) == 1 and design.is_plain and design.parts[0].total == design.n
    if first.size > BLOCK_PAIRS and alone and design.parts[0].strata is None:
        by_product = skewness_by_product(scores - design.means(scores), cells, n)
        sample_skewness, evident = by_product.from_sample, by_product.evident
    undefined = np.flatnonzero(~np.isfinite(sample_skewness))
    for some in np.split(undefined, range(BLOCK_PAIRS, undefined.size, BLOCK_PAIRS)):
        d = scores[:, first[some]] - scores[:, second[some]]
        sample_skewness[some], count, evident[some] = deviations_skewness(
            d - design.means(d), design
        )
    varies = pairs.standard_error > 0.0
    skewness = Skewness(np.where(varies, sample_skewness, 0.0), count, evident & varies)
    distances, units = cluster_bounds(scores, design, cells)
    return pairs._replace(skewness=skewness, distances=distances, units=units)


def cluster_bounds(scores: Matrix, design: MeanDesign, cells: Cells) -> tuple[Any, Any]:
    """Return distances and units of unseen clusters, which bound what their skewness costs."""
    if design.weights is not None or not design.is_plain or design.parts[0].total == design.n:
        return (math.inf, math.inf), 0.0
    first, second = cells
    low, high = scores.min(axis=0), scores.max(axis=0)
    scale = ItemScale.of(design.means(scores), low, high, cells)
    units = np.empty(first.size)
    sizes = cluster_sizes(np.asarray(design.parts[0].groups))
    for some in np.split(np.arange(first.size), range(BLOCK_PAIRS, first.size, BLOCK_PAIRS)):
        d = scores[:, first[some]] - scores[:, second[some]]
        units[some] = clustered_units(d - design.means(d), sizes, design)
    return scale.distances, units


@np.errstate(all="ignore")
def skewness_by_product(deviations: Matrix, cells: Cells, n: float) -> Skewness:
    """Return the skewness of the pairs' differences d by products; NaN for those that cancel."""
    two = np.square(deviations)
    powers = (deviations, two, two * deviations)  # ** 3 calls pow(), in seven times as long
    second, third = (power.sum(axis=0) for power in powers[1:])
    (i, j), products = cells, deviations.T @ deviations
    both = second[i] + second[j]
    squares = both - 2.0 * products[cells]
    squares[squares < NEAR_CUBES * both] = math.nan
    mixed = two.T @ deviations
    cubes = third[i] - third[j] - 3.0 * (mixed[cells] - mixed[j, i])
    sixths = sixth_powers(powers, cells)
    skewness = skewness_by_moments(cubes / squares**1.5, np.maximum(sixths, 0.0) / squares**3, n)
    return skewness._replace(
        from_sample=np.where(np.isfinite(squares), skewness.from_sample, math.nan)
    )


def sixth_powers(powers: tuple[Matrix, Matrix, Matrix], cells: Cells) -> Vector:
    """Return sum (x - y)^6 of pairs of columns by products of their first three powers."""
    (i, j), (one, two, three) = cells, powers
    sixth = np.square(three).sum(axis=0)
    fifth = (three * two).T @ one
    fourth = np.square(two).T @ two
    cubes = three.T @ three
    unlike = 15.0 * (fourth[i, j] + fourth[j, i]) - 6.0 * (fifth[i, j] + fifth[j, i])
    return np.asarray(sixth[i] + sixth[j] + unlike - 20.0 * cubes[i, j])


def with_answers(pairs: PairMeans, items: Items, design: MeanDesign, cells: Cells) -> PairMeans:
    """Return the same with the variances of pairs of answers to items in clusters, or weighted."""
    scores, links = items.scores, items.links
    dependent = design.weights is not None or links.groups is not None or links.strata is not None
    low = float(scores.min())
    width = float(np.ptp(scores))
    if not dependent or design.word != "ok" or items.samples is not None or width == 0.0:
        return pairs
    high = scores == low + width
    varied = bool((pairs.standard_error > 0.0).any())
    if not (high | (scores == low)).all() or not (varied or are_whole(scores)):
        return pairs
    moments = (pairs.estimate, pairs.standard_error, float(pairs.df))
    links = links._replace(weights=design.weights)
    answers = pair_answers(moments, high, links, cells, width)
    word = cluster_status(float(pairs.df))
    status = np.where(pairs.status == "zero_variance", word, pairs.status)
    return pairs._replace(answers=answers, skewness=Skewness(), status=status)


@np.errstate(divide="ignore", invalid="ignore")
def pair_statistics(pairs: PairMeans, alternative: str = "two-sided") -> Vector:
    """Return the statistics of all differences."""
    if pairs.answers is not None:
        return np.asarray(pairs.answers.statistic(0.0))
    t = ratios(pairs.estimate, pairs.standard_error)
    bounds = unseen_failures(pairs.estimate, pairs.distances, pairs.units, "two-sided")
    used, allowed = pairs.skewness.used, pairs.allowed
    return capped_statistics(t, used, alternative, bounds, pairs.df, allowed)


def pair_variances(pairs: PairMeans, statistics: Vector) -> Vector:
    """Return the variances of all differences, at least those that such statistics t imply.

    That is at most the square of a difference (t = 1), which rejects nothing either.
    """
    t = np.maximum(np.abs(statistics), 1.0)
    return np.fmax(np.square(pairs.standard_error), np.square(pairs.estimate / t))


@np.errstate(divide="ignore", invalid="ignore")
def pair_reach(pairs: PairMeans, quantile: Vector, tail: float) -> tuple[Vector, Vector]:
    """Return how many standard errors the ends of intervals lie below and above."""
    error = pairs.standard_error
    first, second = (
        least_unexplained(x, pairs.units, tail, pairs.allowed) / error for x in pairs.distances
    )
    reach = skewed_reach(quantile, pairs.skewness.used, (first, second))
    below, above = (np.where(error > 0.0, x, quantile) for x in reach)
    return below, above


def pair_failures(
    pairs: PairMeans, items: Items, design: MeanDesign, cells: Cells, alternative: str = "two-sided"
) -> UnseenFailures | None:
    """Return the failures that would explain differences; None of many items, or missing scores."""
    if design.n > MOST or np.isnan(items.scores).any():
        return None
    if pairs.answers is not None:
        return pairs.answers.failures(alternative)
    return item_scale(items, design, cells).failures(pairs.estimate, alternative)


def doubtful_pairs(pairs: PairMeans, pvalue: Vector, alternative: str) -> NDArray[np.bool_]:
    """Return which significant differences would not be, did scores hide a little more skewness.

    Of several pairs those are doubtful whose adjusted p-value is significant, too. It is not asked
    how large it would be with more skewness: of ten normal models and 20 items 1% of what is found
    would have no warning then, in place of 57%.
    """
    if pairs.answers is not None:
        return np.zeros(pvalue.shape, np.bool_)
    p = student_pvalues(suspected_statistics(pairs, alternative), pairs.df, alternative)
    doubted = (pairs.status == "ok") & (pvalue <= ALPHA) & (p > ALPHA)
    failures = unseen_failures(pairs.estimate, pairs.distances, pairs.units, alternative)
    return np.asarray(doubted & (failures.probability >= IMPROBABLE))


def suspected_statistics(pairs: PairMeans, alternative: str = "two-sided") -> Vector:
    """Return the statistics of all differences with as much skewness as scores may hide."""
    if pairs.answers is not None:
        return pair_statistics(pairs, alternative)
    t = ratios(pairs.estimate, pairs.standard_error)
    return skewed_statistics(t, pairs.skewness.suspected(alternative), alternative)


IMPROBABLE = 0.01  # of unseen clusters: below, a hidden skewness is none, either


def variances(deviations: Matrix, design: MeanDesign) -> Vector:
    """Return the variance of each column's mean."""
    total = np.zeros(deviations.shape[1])
    for part in design.parts:
        total += part.sign * np.square(design.roots(deviations, part)).sum(axis=0)
    return total if design.parts else np.full_like(total, math.nan)


def pair_errors(
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


def common_means(
    scores: Matrix, links: ItemLinks, cells: Cells, *, plain: bool, skewed: bool = False
) -> PairMeans:
    """Return the differences of pairs, each on the items that both of its models answered.

    If `skewed`, those of scores that are no answers have their skewness.
    """
    first, second = cells
    there, links = ~np.isnan(scores), clusters_within_strata(links)
    count = links.n if links.groups is None else int(links.groups.max()) + 1
    rows = np.zeros((first.size, count))
    skewed = skewed and not are_answers(scores[there])
    rows_of_pairs = []
    skewness = [Skewness()] * first.size
    for p, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        common = np.flatnonzero(there[:, i] & there[:, j])
        common_links, places = links_of_items(links, common)
        design = (plain_design if plain else mean_design)(common_links)
        both = scores[common][:, [i, j]]
        d = both[:, 0] - both[:, 1]
        mean = design.means(d)
        if design.parts:
            rows[p, places] = design.roots(d - mean, design.parts[0])
        variance = np.array([float(np.square(rows[p]).sum()) if design.parts else math.nan])
        error, status = pair_errors(np.array([mean]), variance, design, np.abs(both).max())
        rows_of_pairs.append((float(mean), error[0], design.df, status[0], common.size))
        if skewed and error[0] > 0.0:
            skewness[p] = deviations_skewness(d - mean, design)
    estimate, error, df, status, n = map(np.array, zip(*rows_of_pairs, strict=True))
    skewness_of_pairs = Skewness(*map(np.array, zip(*skewness, strict=True)))
    return PairMeans(estimate, error, df, status, n, None, rows, skewness_of_pairs)


def clusters_within_strata(links: ItemLinks) -> ItemLinks:
    """Return the links with clusters numbered by stratum, where there are strata."""
    if links.strata is None:
        return links
    groups = np.arange(links.n) if links.groups is None else links.groups
    numbers = np.unique(links.strata * (int(groups.max()) + 1) + groups, return_inverse=True)[1]
    return links._replace(groups=numbers)


def links_of_items(links: ItemLinks, items: Integers) -> tuple[ItemLinks, Integers]:
    """Return the links of some items, and which of all clusters their own are."""
    weights = None if links.weights is None else links.weights[items]
    if links.groups is None:
        return ItemLinks(items.size, weights), items
    places, numbers = np.unique(links.groups[items], return_inverse=True)
    strata = None
    if links.strata is not None:
        strata = np.unique(links.strata[items], return_inverse=True)[1]
    return ItemLinks(items.size, weights, numbers, None, strata), places
