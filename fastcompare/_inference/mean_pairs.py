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
    enough_statistics,
    skewed_reach,
    skewed_statistics,
    skewness_by_moments,
    skewness_of,
    sums_skewness,
)
from .unseen import ALPHA, UnseenFailures, least_unexplained, unseen_failures

NEAR = 1e-4  # of the variances of both: below, V_ii + V_jj - 2 V_ij has less than 11 digits
NEAR_CUBES = 1e-2  # the same of third moments, which cancel more
TOGETHER = 64  # pairs whose differences are taken at once

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


def deviations_skewness(deviations: Scores, design: MeanDesign) -> Skewness:
    """Return the skewness of means; 0 of many items, two-way or stratified clusters."""
    weighted = design.weights is not None and len(design.parts) == 1
    if weighted and design.parts[0].strata is not None:
        weighted = False
    if design.n > MOST or not (design.is_plain or weighted):
        return Skewness()
    part = design.parts[0]
    if weighted or part.total == design.n:
        return skewness_of(design.roots(deviations, part), design.df + 1.0)
    groups = np.asarray(part.groups)
    sums = cluster_totals(deviations, groups, part.total)
    return sums_skewness(sums, cluster_sizes(groups), np.square(deviations).sum(axis=0))


def with_skewness(found: PairMeans, scores: Matrix, design: MeanDesign, cells: Cells) -> PairMeans:
    """Return the same with the skewness of each pair; 0 of answers and where items are many.

    Differences of right and wrong answers keep their level by t: docs/items.md.
    """
    if design.n > MOST or are_answers(scores):
        return found
    first, second = cells
    n, shown = design.df + 1.0, np.full(first.size, math.nan)
    evident, count = np.zeros(first.size, np.bool_), n
    alone = len(design.parts) == 1 and design.is_plain and design.parts[0].total == design.n
    if first.size > TOGETHER and alone and design.parts[0].strata is None:
        by_product = skewness_by_product(scores - design.means(scores), cells, n)
        shown, evident = by_product.shown, by_product.evident
    left = np.flatnonzero(~np.isfinite(shown))
    for some in np.split(left, range(TOGETHER, left.size, TOGETHER)):
        d = scores[:, first[some]] - scores[:, second[some]]
        shown[some], count, evident[some] = deviations_skewness(d - design.means(d), design)
    varies = found.standard_error > 0.0
    skewness = Skewness(np.where(varies, shown, 0.0), count, evident & varies)
    distances, units = cluster_bounds(scores, design, cells)
    return found._replace(skewness=skewness, distances=distances, units=units)


def cluster_bounds(scores: Matrix, design: MeanDesign, cells: Cells) -> tuple[Any, Any]:
    """Return distances and units of unseen clusters, which bound what their skewness costs."""
    if design.weights is not None or not design.is_plain or design.parts[0].total == design.n:
        return (math.inf, math.inf), 0.0
    first, second = cells
    low, high = scores.min(axis=0), scores.max(axis=0)
    scale = ItemScale.of(design.means(scores), low, high, cells)
    units = np.empty(first.size)
    sizes = cluster_sizes(np.asarray(design.parts[0].groups))
    for some in np.split(np.arange(first.size), range(TOGETHER, first.size, TOGETHER)):
        d = scores[:, first[some]] - scores[:, second[some]]
        units[some] = clustered_units(d - design.means(d), sizes, design)
    return scale.distances, units


@np.errstate(all="ignore")
def skewness_by_product(deviations: Matrix, cells: Cells, n: float) -> Skewness:
    """Return the skewness of the pairs' differences d by products; NaN for those that cancel."""
    powers = [deviations**p for p in range(4)]
    second, third = powers[2].sum(axis=0), powers[3].sum(axis=0)
    (i, j), products = cells, powers[1].T @ powers[1]
    both = second[i] + second[j]
    spread = both - 2.0 * products[cells]
    spread[spread < NEAR_CUBES * both] = math.nan
    mixed = powers[2].T @ powers[1]
    cubes = third[i] - third[j] - 3.0 * (mixed[cells] - mixed[j, i])
    sixths = sixth_powers(powers, cells)
    found = skewness_by_moments(cubes / spread**1.5, np.maximum(sixths, 0.0) / spread**3, n)
    return found._replace(shown=np.where(np.isfinite(spread), found.shown, math.nan))


def sixth_powers(powers: list[Matrix], cells: Cells) -> Vector:
    """Return sum (x - y)^6 of pairs of columns by products of their powers, up to the third."""
    (i, j), (_, one, two, three) = cells, powers
    own = np.square(three).sum(axis=0)
    fifth, fourth, cubes = (three * two).T @ one, np.square(two).T @ two, three.T @ three
    unlike = 15.0 * (fourth[i, j] + fourth[j, i]) - 6.0 * (fifth[i, j] + fifth[j, i])
    return np.asarray(own[i] + own[j] + unlike - 20.0 * cubes[i, j])


def with_answers(found: PairMeans, items: Items, design: MeanDesign, cells: Cells) -> PairMeans:
    """Return the same with the variances of pairs of answers to items in clusters, or weighted."""
    scores, links = items.scores, items.links
    dependent = design.weights is not None or links.groups is not None or links.strata is not None
    low, width = float(scores.min()), float(np.ptp(scores))
    if not dependent or design.word != "ok" or items.samples is not None or width == 0.0:
        return found
    high = scores == low + width
    varied = bool((found.standard_error > 0.0).any())
    if not (high | (scores == low)).all() or not (varied or are_whole(scores)):
        return found
    moments = (found.estimate, found.standard_error, float(found.df))
    links = links._replace(weights=design.weights)
    answers = pair_answers(moments, high, links, cells, width)
    word = cluster_status(float(found.df))
    status = np.where(found.status == "zero_variance", word, found.status)
    return found._replace(answers=answers, skewness=Skewness(), status=status)


@np.errstate(divide="ignore", invalid="ignore")
def pair_statistics(found: PairMeans, alternative: str = "two-sided") -> Vector:
    """Return the statistics of all differences."""
    if found.answers is not None:
        return np.asarray(found.answers.statistic(0.0))
    t = ratios(found.estimate, found.standard_error)
    bounds = unseen_failures(found.estimate, found.distances, found.units, "two-sided")
    enough = enough_statistics(bounds, np.broadcast_to(found.df, t.shape), found.allowed)
    return skewed_statistics(t, found.skewness.used, alternative, enough)


def pair_variances(found: PairMeans, statistics: Vector) -> Vector:
    """Return the variances of all differences, at least those that such statistics t imply.

    That is at most the square of a difference (t = 1), which rejects nothing either.
    """
    t = np.maximum(np.abs(statistics), 1.0)
    return np.fmax(np.square(found.standard_error), np.square(found.estimate / t))


@np.errstate(divide="ignore", invalid="ignore")
def pair_reach(found: PairMeans, quantile: Vector, tail: float) -> tuple[Vector, Vector]:
    """Return how many standard errors the ends of intervals lie below and above."""
    error = found.standard_error
    if found.answers is not None:
        low, high = found.answers.low(tail), found.answers.high(tail)
        return (found.estimate - low) / error, (high - found.estimate) / error
    first, second = (
        least_unexplained(x, found.units, tail, found.allowed) / error for x in found.distances
    )
    below, above = skewed_reach(quantile, found.skewness.used, (first, second))
    return np.asarray(below), np.asarray(above)


def pair_failures(
    found: PairMeans, items: Items, design: MeanDesign, cells: Cells, alternative: str = "two-sided"
) -> UnseenFailures | None:
    """Return the failures that would explain differences; None of many items, or missing scores."""
    if design.n > MOST or np.isnan(items.scores).any():
        return None
    if found.answers is not None:
        return found.answers.failures(alternative)
    return item_scale(items, design, cells).failures(found.estimate, alternative)


def doubtful_pairs(found: PairMeans, pvalue: Vector, alternative: str) -> NDArray[np.bool_]:
    """Return which significant differences would not be, did scores hide a little more skewness.

    P-values adjusted for several pairs are as many times larger with it as without.
    """
    if found.answers is not None:
        return np.zeros(pvalue.shape, np.bool_)
    own = student_pvalues(pair_statistics(found, alternative), found.df, alternative)
    p = student_pvalues(suspected_statistics(found, alternative), found.df, alternative)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = p * np.fmax(pvalue / own, 1.0)
    doubted = (found.status == "ok") & (pvalue <= ALPHA) & (p > ALPHA)
    failures = unseen_failures(found.estimate, found.distances, found.units, alternative)
    return np.asarray(doubted & (failures.probability >= IMPROBABLE))


def suspected_statistics(found: PairMeans, alternative: str = "two-sided") -> Vector:
    """Return the statistics of all differences with as much skewness as scores may hide."""
    if found.answers is not None:
        return pair_statistics(found, alternative)
    t = ratios(found.estimate, found.standard_error)
    return skewed_statistics(t, found.skewness.suspected(alternative), alternative)


IMPROBABLE = 0.01  # of unseen clusters: below, a hidden skewness is none, either


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


def common_means(
    scores: Matrix, links: ItemLinks, cells: Cells, *, plain: bool, skewed: bool = False
) -> PairMeans:
    """Return the differences of pairs, each on the items that both of its models answered.

    If `skewed`, those of scores that are no answers have their skewness.
    """
    first, second = cells
    there, links = ~np.isnan(scores), nested(links)
    count = links.n if links.groups is None else int(links.groups.max()) + 1
    rows = np.zeros((first.size, count))
    skewed = skewed and not are_answers(scores[there])
    found, skewness = [], [Skewness()] * first.size
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
        if skewed and error[0] > 0.0:
            skewness[p] = deviations_skewness(d - mean, design)
    estimate, error, df, status, n = map(np.array, zip(*found, strict=True))
    shown = Skewness(*map(np.array, zip(*skewness, strict=True)))
    return PairMeans(estimate, error, df, status, n, None, rows, shown)


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
