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
from .item_scale import Cells, ItemScale, effective_items, item_scale
from .means import (
    ROUNDING,
    MeanDesign,
    VarianceTerm,
    are_integers,
    are_zero_or_one,
    cluster_totals,
    mean_design,
)
from .pvalues import ratios, student_pvalues
from .skewness import (
    MOST_ITEMS,
    Scores,
    Skewness,
    floored_skewed_statistics,
    influence_skewness,
    skewed_radii,
    skewed_statistics,
    skewness_by_moments,
    sums_skewness,
)
from .unseen import ALPHA, UnseenFailures, smallest_unexplained_lead, unseen_failures

NEAR = 1e-4  # of V_ii + V_jj: below, V_ii + V_jj - 2 V_ij has less than 11 digits
NEAR_CUBES = 1e-2  # the same for third moments, which cancel more
BLOCK_PAIRS = 64  # pairs whose differences are taken at once

Words = NDArray[np.str_]


class PairMeans(NamedTuple):
    """Differences of means of P pairs, with standard errors, degrees of freedom and status words.

    `n` (P,) are the numbers of items. `covariance` (k, k) is that of the models' means; if pairs
    have different items it is None, and products of `rows` (P, G) are the covariances of the
    differences. `skewness` is for Hall's cubic, whose effect `distances`, `units` and `allowed`
    failures bound (`unseen_failures`).
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


def cr1_design(links: ItemLinks) -> MeanDesign:
    """Return the design with CR1 in place of CR2: factor G / (G - 1) and G - 1 degrees of freedom.

    Strata and two-way clusters have CR1 already.
    """
    design = mean_design(links)
    if not design.terms or links.strata is not None or links.others is not None:
        return design
    total = float(links.n) if design.weights is None else float(design.weights.sum())
    count = design.terms[0].total
    term = VarianceTerm(links.groups, count, math.sqrt(count / (count - 1.0)) / total)
    return replace(design, terms=(term,), df=count - 1.0)


def means_and_covariance(scores: Matrix, design: MeanDesign) -> tuple[Vector, Matrix]:
    """Return the means of the models and their covariance."""
    means = design.means(scores)
    return means, design.covariance(scores - means)


def pair_means(scores: Matrix, design: MeanDesign, cells: Cells) -> tuple[Vector, PairMeans]:
    """Return the means (k,) and the differences of pairs `cells`, all models having all items."""
    means, covariance = means_and_covariance(scores, design)
    first, second = cells
    model_variances = np.diag(covariance)
    variance = model_variances[first] + model_variances[second]
    near = NEAR * variance
    variance -= 2.0 * covariance[first, second]
    estimate = means[first] - means[second]
    close = np.flatnonzero(variance <= near)  # pairs for which that loses digits
    for block in np.split(close, range(BLOCK_PAIRS, close.size, BLOCK_PAIRS)):
        d = scores[:, first[block]] - scores[:, second[block]]
        estimate[block] = design.means(d)
        variance[block] = variances(d - estimate[block], design)
    largest = np.abs(scores).max(axis=0)
    largest_of_pair = np.maximum(largest[first], largest[second])
    error, status = pair_errors(estimate, variance, design, largest_of_pair)
    n = np.full(estimate.shape, design.n)
    return means, PairMeans(estimate, error, design.df, status, n, covariance)


def deviations_skewness(deviations: Scores, design: MeanDesign) -> Skewness:
    """Return the skewness of means; 0 for many items, two-way clusters or clusters in strata."""
    weighted = design.weights is not None and len(design.terms) == 1
    if weighted and design.terms[0].strata is not None:
        weighted = False
    if design.n > MOST_ITEMS or not (design.is_plain or weighted):
        return Skewness()
    term = design.terms[0]
    if weighted or term.total == design.n:
        return influence_skewness(design.influence(deviations, term), design.df + 1.0)
    groups = np.asarray(term.groups)
    sums = cluster_totals(deviations, groups, term.total)
    return sums_skewness(sums, cluster_sizes(groups), np.square(deviations).sum(axis=0))


def with_skewness(pairs: PairMeans, scores: Matrix, design: MeanDesign, cells: Cells) -> PairMeans:
    """Return the pairs with the skewness of each, 0 for right and wrong answers and for many items.

    Differences of answers keep their level by t: docs/evidence/items.md. It comes from products of
    the models' deviations for many pairs of independent items, else from the pairs' differences.
    """
    if design.n > MOST_ITEMS or are_zero_or_one(scores):
        return pairs
    first, second = cells
    n = design.df + 1.0
    sample_skewness = np.full(first.size, math.nan)
    evident = np.zeros(first.size, np.bool_)
    n_units = n
    independent = len(design.terms) == 1 and design.is_plain and design.terms[0].total == design.n
    if first.size > BLOCK_PAIRS and independent and design.terms[0].strata is None:
        by_product = skewness_by_product(scores - design.means(scores), cells, n)
        sample_skewness, evident = by_product.from_sample, by_product.evident
    undefined = np.flatnonzero(~np.isfinite(sample_skewness))
    for block in np.split(undefined, range(BLOCK_PAIRS, undefined.size, BLOCK_PAIRS)):
        d = scores[:, first[block]] - scores[:, second[block]]
        sample_skewness[block], n_units, evident[block] = deviations_skewness(
            d - design.means(d), design
        )
    varies = pairs.standard_error > 0.0
    skewness = Skewness(np.where(varies, sample_skewness, 0.0), n_units, evident & varies)
    distances, units = cluster_bounds(scores, design, cells)
    return pairs._replace(skewness=skewness, distances=distances, units=units)


def cluster_bounds(scores: Matrix, design: MeanDesign, cells: Cells) -> tuple[Any, Any]:
    """Return `distances` and `units` of `PairMeans` for clusters; for others they bound nothing."""
    if design.weights is not None or not design.is_plain or design.terms[0].total == design.n:
        return (math.inf, math.inf), 0.0
    first, second = cells
    low, high = scores.min(axis=0), scores.max(axis=0)
    scale = ItemScale.of(design.means(scores), low, high, cells)
    units = np.empty(first.size)
    sizes = cluster_sizes(np.asarray(design.terms[0].groups))
    for block in np.split(np.arange(first.size), range(BLOCK_PAIRS, first.size, BLOCK_PAIRS)):
        d = scores[:, first[block]] - scores[:, second[block]]
        units[block] = effective_items(d - design.means(d), sizes, design)
    return scale.distances, units


@np.errstate(all="ignore")
def skewness_by_product(deviations: Matrix, cells: Cells, n: float) -> Skewness:
    """Return the skewness of pairs' differences by products of powers of the models' deviations.

    Much faster than from the differences; NaN where the products cancel too much.
    """
    square = np.square(deviations)
    cube = square * deviations  # ** 3 calls pow(), in seven times as long
    second, third = square.sum(axis=0), cube.sum(axis=0)  # moments
    i, j = cells
    products = deviations.T @ deviations
    both = second[i] + second[j]
    squares = both - 2.0 * products[cells]
    squares[squares < NEAR_CUBES * both] = math.nan
    mixed = square.T @ deviations
    cubes = third[i] - third[j] - 3.0 * (mixed[cells] - mixed[j, i])
    sixths = sixth_powers((deviations, square, cube), cells)
    skewness = skewness_by_moments(cubes / squares**1.5, np.maximum(sixths, 0.0) / squares**3, n)
    return skewness._replace(
        from_sample=np.where(np.isfinite(squares), skewness.from_sample, math.nan)
    )


def sixth_powers(powers: tuple[Matrix, Matrix, Matrix], cells: Cells) -> Vector:
    """Return sum (x - y)^6 of pairs of columns x, y, by products of their first three `powers`."""
    i, j = cells
    value, square, cube = powers
    sixth = np.square(cube).sum(axis=0)
    fifth = (cube * square).T @ value  # sum x^5 y
    fourth = np.square(square).T @ square  # sum x^4 y^2
    third = cube.T @ cube  # sum x^3 y^3
    mixed = 15.0 * (fourth[i, j] + fourth[j, i]) - 6.0 * (fifth[i, j] + fifth[j, i])
    return np.asarray(sixth[i] + sixth[j] + mixed - 20.0 * third[i, j])


def with_answer_variances(
    pairs: PairMeans, items: Items, design: MeanDesign, cells: Cells
) -> PairMeans:
    """Return the pairs with `LinkedAnswers` if scores are answers in clusters or with weights."""
    scores, links = items.scores, items.links
    dependent = design.weights is not None or links.groups is not None or links.strata is not None
    low = float(scores.min())
    width = float(np.ptp(scores))
    if not dependent or design.status != "ok" or items.samples is not None or width == 0.0:
        return pairs
    high = scores == low + width
    varied = bool((pairs.standard_error > 0.0).any())
    if not (high | (scores == low)).all() or not (varied or are_integers(scores)):
        return pairs
    moments = (pairs.estimate, pairs.standard_error, float(pairs.df))
    links = links._replace(weights=design.weights)
    answers = pair_answers(moments, high, links, cells, width)
    regular = cluster_status(float(pairs.df))  # the answers' statistic needs no variance
    status = np.where(pairs.status == "zero_variance", regular, pairs.status)
    return pairs._replace(answers=answers, skewness=Skewness(), status=status)


@np.errstate(divide="ignore", invalid="ignore")
def pair_statistics(pairs: PairMeans, alternative: str = "two-sided") -> Vector:
    """Return the t statistics (P,) of all differences, with the corrections of `PairMeans`."""
    if pairs.answers is not None:
        return np.asarray(pairs.answers.statistic(0.0))
    t = ratios(pairs.estimate, pairs.standard_error)
    bounds = unseen_failures(pairs.estimate, pairs.distances, pairs.units, "two-sided")
    used, allowed = pairs.skewness.used, pairs.allowed
    return floored_skewed_statistics(t, used, alternative, bounds, pairs.df, allowed)


def pair_variances(pairs: PairMeans, statistics: Vector) -> Vector:
    """Return the variances (P,) of all differences, at least (difference / t)^2.

    |t| below 1 counts as 1, which rejects nothing either.
    """
    t = np.maximum(np.abs(statistics), 1.0)
    return np.fmax(np.square(pairs.standard_error), np.square(pairs.estimate / t))


@np.errstate(divide="ignore", invalid="ignore")
def pair_radii(pairs: PairMeans, quantile: Vector, tail: float) -> tuple[Vector, Vector]:
    """Return the distances of the ends of P intervals below and above, in standard errors."""
    error = pairs.standard_error
    first, second = (
        smallest_unexplained_lead(x, pairs.units, tail, pairs.allowed) / error
        for x in pairs.distances
    )
    radii = skewed_radii(quantile, pairs.skewness.used, (first, second))
    below, above = (np.where(error > 0.0, radius, quantile) for radius in radii)
    return below, above


def pair_failures(
    pairs: PairMeans, items: Items, design: MeanDesign, cells: Cells, alternative: str = "two-sided"
) -> UnseenFailures | None:
    """Return the unseen failures that would explain the differences of pairs.

    None for many items or missing scores.
    """
    if design.n > MOST_ITEMS or np.isnan(items.scores).any():
        return None
    if pairs.answers is not None:
        return pairs.answers.failures(alternative)
    return item_scale(items, design, cells).failures(pairs.estimate, alternative)


def doubtful_pairs(pairs: PairMeans, pvalue: Vector, alternative: str) -> NDArray[np.bool_]:
    """Return which significant differences a little more skewness would make insignificant.

    `pvalue` is adjusted for several pairs, but the p-value with more skewness is not: otherwise, of
    ten normal models and 20 items, 1% of the significant pairs would have no warning, not 57%.
    """
    if pairs.answers is not None:
        return np.zeros(pvalue.shape, np.bool_)
    p = student_pvalues(suspected_statistics(pairs, alternative), pairs.df, alternative)
    doubted = (pairs.status == "ok") & (pvalue <= ALPHA) & (p > ALPHA)
    failures = unseen_failures(pairs.estimate, pairs.distances, pairs.units, alternative)
    return np.asarray(doubted & (failures.probability >= IMPROBABLE))


def suspected_statistics(pairs: PairMeans, alternative: str = "two-sided") -> Vector:
    """Return the statistics (P,) of all differences with as much skewness as scores may have."""
    if pairs.answers is not None:
        return pair_statistics(pairs, alternative)
    t = ratios(pairs.estimate, pairs.standard_error)
    return skewed_statistics(t, pairs.skewness.suspected(alternative), alternative)


IMPROBABLE = 0.01  # probability of unseen failures below which skewness raises no doubt


def variances(deviations: Matrix, design: MeanDesign) -> Vector:
    """Return the variance of the mean of each column of deviations (n, P)."""
    total = np.zeros(deviations.shape[1])
    for term in design.terms:
        total += term.sign * np.square(design.influence(deviations, term)).sum(axis=0)
    return total if design.terms else np.full_like(total, math.nan)


def pair_errors(
    estimate: Vector, variance: Vector, design: MeanDesign, largest: Vector | float
) -> tuple[Vector, Words]:
    """Return standard errors and status words of P differences.

    A standard error within the rounding of a pair's `largest` score is set to 0.
    """
    error = np.sqrt(np.where(variance >= 0.0, variance, math.nan))
    error[np.abs(variance) <= (ROUNDING * largest) ** 2] = 0.0
    word = cluster_status(design.df) if design.status == "ok" else design.status
    status = np.full(error.shape, word, dtype="U17")  # room for "negative_variance"
    if design.status == "ok":
        status[np.isnan(error)] = "negative_variance"
        status[error == 0.0] = "zero_variance"
        status[(error == 0.0) & (estimate == 0.0)] = "no_difference"
    return error, status


def means_on_common_items(
    scores: Matrix, links: ItemLinks, cells: Cells, *, use_cr1: bool, skewed: bool = False
) -> PairMeans:
    """Return the differences of pairs, each on the items for which both of its models have scores.

    `use_cr1` replaces CR2, and `skewed` adds the skewness unless the scores are answers.
    """
    first, second = cells
    design_of = cr1_design if use_cr1 else mean_design
    has_score = ~np.isnan(scores)
    links = clusters_within_strata(links)
    count = links.n if links.groups is None else int(links.groups.max()) + 1
    influences = np.zeros((first.size, count))
    skewed = skewed and not are_zero_or_one(scores[has_score])
    moments_of_pairs = []
    skewness = [Skewness()] * first.size
    for p, (i, j) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        common = np.flatnonzero(has_score[:, i] & has_score[:, j])
        common_links, places = links_of_items(links, common)
        design = design_of(common_links)
        pair_scores = scores[common][:, [i, j]]
        d = pair_scores[:, 0] - pair_scores[:, 1]
        mean = design.means(d)
        if design.terms:
            influences[p, places] = design.influence(d - mean, design.terms[0])
        variance = np.array([float(np.square(influences[p]).sum()) if design.terms else math.nan])
        error, status = pair_errors(np.array([mean]), variance, design, np.abs(pair_scores).max())
        moments_of_pairs.append((float(mean), error[0], design.df, status[0], common.size))
        if skewed and error[0] > 0.0:
            skewness[p] = deviations_skewness(d - mean, design)
    estimate, error, df, status, n = map(np.array, zip(*moments_of_pairs, strict=True))
    skewness_of_pairs = Skewness(*map(np.array, zip(*skewness, strict=True)))
    return PairMeans(estimate, error, df, status, n, None, influences, skewness_of_pairs)


def clusters_within_strata(links: ItemLinks) -> ItemLinks:
    """Return the links with different numbers for clusters of different strata."""
    if links.strata is None:
        return links
    groups = np.arange(links.n) if links.groups is None else links.groups
    _, numbers = np.unique(links.strata * (int(groups.max()) + 1) + groups, return_inverse=True)
    return links._replace(groups=numbers)


def links_of_items(links: ItemLinks, items: Integers) -> tuple[ItemLinks, Integers]:
    """Return the links of some items, and the numbers of their clusters among all clusters."""
    weights = None if links.weights is None else links.weights[items]
    if links.groups is None:
        return ItemLinks(items.size, weights), items
    places, numbers = np.unique(links.groups[items], return_inverse=True)
    strata = None
    if links.strata is not None:
        _, strata = np.unique(links.strata[items], return_inverse=True)
    return ItemLinks(items.size, weights, numbers, None, strata), places
