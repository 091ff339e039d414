"""Means of scores of items: variance, degrees of freedom, differences of pairs.

An item has weight w_i (all equal by default), W in total, and e_i is its score less the mean. A
design says how items depend on each other, and turns the deviations of k models into one number a
cluster and model, u (G, k). Their covariance is the sum of u_g u_g'. With S_g = sum w e and pi_g =
n_g / n over cluster g:

- CR2 without weights: u_g = S_g / (n sqrt(1 - pi_g)).
- CR2 with weights, an identity working model: u_g = w_g' A_g e_g / W, where A_g is the symmetric
  [(I - H)(I - H)']_gg^(-1/2) and H = 1 w' / W. The block is I less (1 w_g' + w_g 1') / W plus
  q 1 1' with q = w'w / W^2, so A_g w_g = alpha 1 + beta w_g: no matrix is made.
- Strata, which are fixed: S_g is centred inside its stratum, times sqrt(G_t / (G_t - 1)) / W; the
  degrees of freedom are G less the number of strata.
- Two-way clusters: V1 + V2 - V12, each CR1, with the smaller number of clusters less 1.

Bell, McCaffrey (2002); Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004; Cameron,
Gelbach, Miller (2011), doi:10.1198/jbes.2010.07136, for two-way clusters.

Wilson's interval takes p (1 - p) / SE^2 for the number of answers, as many independent ones as
would give the same standard error, and Student's quantile for z: Korn, Graubard (1998), Survey
Methodology 24, 193-201. Independent, equally weighted answers take their number and the normal
quantile. The t interval of .98 covers in 20 to 91% of samples where 95 are meant, this one in 92 to
98: docs/evidence/leaderboards.md.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.memory import row_products
from .._base.text import plain_sum
from .._base.types import Integers, Matrix, Vector
from .._inputs.items import ItemLinks, Items
from .clusters import cluster_df, cluster_sizes
from .infer import ZeroVarianceBound, effective_wilson_ends, sum_over_largest, wilson_ends
from .pvalues import UNBOUNDED, normal_quantile, reference_quantile
from .skewness import Scores

ROUNDING = 2.0**-49  # of the greatest score: a standard error up to here is rounding alone


class VarianceTerm(NamedTuple):
    """A term of a variance, `sign` sum u_g^2 with u_g = `by_sum` sum w e + `by_item` sum e.

    Both sums are over cluster g of `total`; `groups` is None where each item is a cluster. `strata`
    has the stratum of each cluster.
    """

    groups: Integers | None
    total: int
    by_sum: Vector | float
    by_item: Vector | None = None
    strata: Integers | None = None
    sign: float = 1.0


@dataclass(frozen=True, slots=True)
class MeanDesign:
    """What determines the variance of a mean of n items, apart from their scores.

    The variance is the sum of its `terms`; there is none if it is undefined, and `status` says why.
    """

    n: int
    n_clusters: int
    df: float
    weights: Vector | None
    terms: tuple[VarianceTerm, ...]
    status: str = "ok"
    n_strata: int = 1

    @property
    def is_plain(self) -> bool:
        """Whether items have equal weights and are independent or in one kind of clusters.

        In strata they must be independent.
        """
        if len(self.terms) != 1 or self.weights is not None:
            return False
        (term,) = self.terms
        return term.strata is None or term.total == self.n

    def means(self, scores: Scores) -> Scores:
        """Return the mean of each model's scores; for one model a 0-d array."""
        if self.weights is None:
            return np.asarray(scores.mean(axis=0))
        return np.asarray(self.weights @ scores / self.weights.sum())

    def influence(self, deviations: Scores, term: VarianceTerm) -> Scores:
        """Return the clusters' influence u on the means, (G,) or (G, k), for one variance term.

        Sums of their squares are variances, sums of their products covariances. Rows of one or two
        dimensions are multiplied alike as (x.T * factors).T.
        """
        weighted = deviations
        if self.weights is not None:
            weighted = (deviations.T * self.weights).T
        sums = cluster_totals(weighted, term.groups, term.total)
        if term.strata is not None:
            sizes = np.bincount(term.strata)
            sums = sums - (cluster_totals(sums, term.strata, sizes.size).T / sizes).T[term.strata]
        u = (sums.T * term.by_sum).T
        if term.by_item is None:
            return np.asarray(u)
        return np.asarray(
            u + (cluster_totals(deviations, term.groups, term.total).T * term.by_item).T
        )

    def variance(self, deviations: Vector) -> float:
        """Return the variance of a model's mean, from which `deviations` are taken, or NaN."""
        if not self.terms:
            return math.nan
        return plain_sum(
            term.sign * float(np.square(self.influence(deviations, term)).sum())
            for term in self.terms
        )

    def covariance(self, deviations: Matrix) -> Matrix:
        """Return the covariance (k, k) of the means of k models."""
        covariance = np.zeros((deviations.shape[1],) * 2)
        for term in self.terms:
            u = self.influence(deviations, term)
            covariance += term.sign * row_products(u.T)
        return covariance if self.terms else np.full_like(covariance, math.nan)


class ItemMean(NamedTuple):
    """A mean with its standard error and degrees of freedom; `status` says why one is NaN."""

    estimate: float
    standard_error: float
    df: float
    status: str


def item_mean(scores: Vector, design: MeanDesign, largest: float) -> ItemMean:
    """Return the mean of a vector of scores or of differences, with its standard error.

    `largest` is the largest absolute score: a standard error within its rounding is set to 0.
    """
    mean = float(design.means(scores))
    variance = design.variance(scores - mean)
    if abs(variance) <= (ROUNDING * largest) ** 2:
        return ItemMean(mean, 0.0, design.df, design.status)
    if variance < 0.0:  # of two-way clusters
        return ItemMean(mean, math.nan, math.nan, "negative_variance")
    return ItemMean(mean, math.sqrt(variance), design.df, design.status)


def cluster_totals(values: Scores, groups: Integers | None, count: int) -> Scores:
    """Return the sums of `values` (n,) or (n, k) over each of `count` clusters.

    `groups` (n,) has each value's cluster; without it each value is a cluster.
    """
    if groups is None:
        return values
    if values.ndim == 1:
        return np.asarray(np.bincount(groups, values, count), np.float64)
    if (groups[1:] < groups[:-1]).any():
        order = np.argsort(groups, kind="stable")
        values, groups = values[order], groups[order]
    starts = np.searchsorted(groups, np.arange(count))
    return np.asarray(np.add.reduceat(values, starts, axis=0), np.float64)


def mean_design(links: ItemLinks) -> MeanDesign:
    """Return the design of the mean of items with these weights, clusters and strata.

    Equal weights count as none.
    """
    if links.weights is not None and (links.weights == links.weights[0]).all():
        links = links._replace(weights=None)
    if links.others is not None:
        return two_way_design(links)
    if links.strata is not None:
        return stratified_design(links)
    sizes = None if links.groups is None else cluster_sizes(links.groups)
    count = links.n if sizes is None else sizes.size
    if count < 2:
        status = "one_case" if links.groups is None or links.n == 1 else "too_few_clusters"
        return MeanDesign(links.n, count, math.nan, links.weights, (), status)
    if links.weights is not None:
        term, df = weighted_cr2(links.weights, links.groups, count)
    elif sizes is None:
        term = VarianceTerm(None, count, 1.0 / math.sqrt(links.n * (links.n - 1.0)))
        df = links.n - 1.0
    else:
        term = VarianceTerm(
            links.groups, count, 1.0 / np.sqrt(links.n * (links.n - sizes.astype(float)))
        )
        df = cluster_df(sizes)
    return MeanDesign(links.n, count, df, links.weights, (term,))


def weighted_cr2(
    weights: Vector, groups: Integers | None, count: int
) -> tuple[VarianceTerm, float]:
    """Return the variance term of CR2 with weights, and its Satterthwaite degrees of freedom."""
    total = float(weights.sum())
    shares = weights / total
    sizes = cluster_totals(np.ones(weights.size), groups, count)
    first = cluster_totals(shares, groups, count)
    second = cluster_totals(shares * shares, groups, count)
    alpha, beta = weighted_cr2_factors(sizes, first, second)
    df = weighted_df(sizes, first, second, alpha, beta)
    return VarianceTerm(groups, count, beta / total, alpha), df


def weighted_cr2_factors(
    sizes: Vector, shares: Vector, square_shares: Vector
) -> tuple[Vector, Vector]:
    """Return alpha and beta of A w = alpha 1 + beta w, with CR2's matrix A of each cluster.

    w are the cluster's shares of all weights, n its size, p their sum (`shares`), s their sum of
    squares (`square_shares`), q the sum of all s. The block maps (1, w) to (1, w) T with
    T = [[1 + q n - p, q p - s], [-n, 1 - p]]: A w is the second column of T^(-1/2), which for two
    rows is adj(T + r I) / (r t), where r^2 = det T = (1 - p)^2 + n (q - s) and t^2 = tr T + 2 r.
    """
    q = square_shares.sum()
    outside = 1.0 - shares  # of the weights
    square_others = np.maximum(q - square_shares, 0.0)
    r = np.sqrt(outside * outside + sizes * square_others)
    t = np.sqrt(2.0 * outside + q * sizes + 2.0 * r)
    scale = r * t
    return (square_shares - q * shares) / scale, (outside + q * sizes + r) / scale


def weighted_df(
    sizes: Vector, shares: Vector, square_shares: Vector, alpha: Vector, beta: Vector
) -> float:
    """Return Satterthwaite's degrees of freedom (tr Q)^2 / tr(Q^2) of CR2 with weights.

    Q has the elements p_g' p_h, where p_g = x_g - w m_g with x_g = A_g w_g in its own cluster and
    m_g = 1'x_g. So it is diagonal (b) plus rank two: with a_g = w_g'x_g and b_g = x_g'x_g,
    Q = diag(b) - a m' - m a' + q m m'.
    """
    q = float(square_shares.sum())
    m = alpha * sizes + beta * shares
    a = alpha * shares + beta * square_shares
    b = alpha * alpha * sizes + 2.0 * alpha * beta * shares + beta * beta * square_shares
    low_rank_diagonal = m * (q * m - 2.0 * a)
    aa, am, mm = float(a @ a), float(a @ m), float(m @ m)
    # the sum of squares of all elements of the part of rank two
    low_rank = 2.0 * (aa * mm + am * am) - 4.0 * q * am * mm + q * q * mm * mm
    squares = float(b @ (b + 2.0 * low_rank_diagonal)) + low_rank
    return float((b + low_rank_diagonal).sum()) ** 2 / squares


def stratified_design(links: ItemLinks) -> MeanDesign:
    """Return the design of items in fixed strata; a label in two of them names two clusters."""
    strata = np.asarray(links.strata)
    n_strata = int(strata.max()) + 1
    groups = np.arange(links.n) if links.groups is None else links.groups
    clusters, cluster_of_item = np.unique(
        strata * (int(groups.max()) + 1) + groups, return_inverse=True
    )
    stratum_of_cluster = clusters // (int(groups.max()) + 1)
    counts = np.bincount(stratum_of_cluster)
    if counts.min() < 2:
        status = "one_case" if links.n == 1 else "single_cluster"
        return MeanDesign(links.n, clusters.size, math.nan, links.weights, (), status, n_strata)
    total = float(links.n) if links.weights is None else float(links.weights.sum())
    scale_of_stratum = np.sqrt(counts / (counts - 1.0)) / total
    term = VarianceTerm(
        cluster_of_item,
        clusters.size,
        scale_of_stratum[stratum_of_cluster],
        strata=stratum_of_cluster,
    )
    df = float(clusters.size - n_strata)
    return MeanDesign(links.n, clusters.size, df, links.weights, (term,), n_strata=n_strata)


def two_way_design(links: ItemLinks) -> MeanDesign:
    """Return the design of items in clusters of two kinds at once."""
    rows, columns = np.asarray(links.groups), np.asarray(links.others)
    _, cells = np.unique(rows * (int(columns.max()) + 1) + columns, return_inverse=True)
    ways = (rows, columns, cells)
    counts = [int(numbers.max()) + 1 for numbers in ways]
    fewest = min(counts[:2])  # rows or columns
    if fewest < 2:
        status = "one_case" if links.n == 1 else "too_few_clusters"
        return MeanDesign(links.n, fewest, math.nan, links.weights, (), status)
    total = float(links.n) if links.weights is None else float(links.weights.sum())
    terms = tuple(
        VarianceTerm(numbers, count, math.sqrt(count / (count - 1.0)) / total, sign=sign)
        for numbers, count, sign in zip(ways, counts, (1.0, 1.0, -1.0), strict=True)
    )
    return MeanDesign(links.n, fewest, fewest - 1.0, links.weights, terms)


Ends = tuple[Vector, Vector]


class AnswerCounts(NamedTuple):
    """Number n of answers of each model, whether they are independent, and whose are all equal.

    With weights n is Kish's effective number, an upper bound of the effective number by the
    standard error: if the few wrong answers have small weights, that is too small. With weights of
    1 and 16, independent of answers of which 99% are right, 95% intervals of 300 items by the
    standard error alone miss in 50%.
    """

    n: float
    independent: bool
    constant: NDArray[np.bool_]
    weighted: bool = False


def count_answers(items: Items, design: MeanDesign) -> AnswerCounts | None:
    """Return the numbers of answers if all scores and samples are 0 or 1, else None."""
    tables = (items.scores,) if items.samples is None else items.samples
    if not all(map(are_zero_or_one, tables)):
        return None
    links = items.links
    weights = design.weights
    first = items.scores[0]
    linked = links.groups is not None or links.strata is not None or items.samples is not None
    return AnswerCounts(
        n=links.n if weights is None else float(weights.sum()) ** 2 / float(weights @ weights),
        independent=weights is None and not linked,
        constant=((first == 0.0) | (first == 1.0)) & (items.scores == first).all(axis=0),
        weighted=weights is not None,
    )


def are_zero_or_one(scores: Matrix) -> bool:
    """Return whether all scores are 0, 1 or NaN."""
    tables = (scores[:1], scores)  # the first row shows that most continuous scores are not
    return all(((x == 0.0) | (x == 1.0) | np.isnan(x)).all() for x in tables)


def are_integers(values: Vector) -> bool:
    """Return whether all values are whole numbers."""
    return bool((values == np.rint(values)).all())


def mean_limits(
    means: Vector,
    standard_errors: Vector,
    df: float,
    tail: float,
    answer_counts: AnswerCounts | None,
) -> Ends:
    """Return the ends of the intervals of k means, with the probability `tail` beyond each end.

    Wilson's for independent answers, otherwise `limits_in_range` by Student's t.
    """
    if answer_counts is not None and answer_counts.independent:
        return wilson_ends(
            answer_shares(means, answer_counts), answer_counts.n, normal_quantile(tail)
        )
    return limits_in_range(means, standard_errors, reference_quantile(tail, df), answer_counts)


def limits_of_models(
    means: Vector,
    covariance: Matrix | None,
    df: Any,
    answer_counts: AnswerCounts | None,
    level: float,
) -> Ends | None:
    """Return the ends of two-sided intervals of k means; None if models have different items.

    Then there is no covariance, or `df` is an array.
    """
    if covariance is None or np.ndim(df) or not df > 0.0:
        return None
    standard_errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return mean_limits(means, standard_errors, float(df), 0.5 * (1.0 - level), answer_counts)


def limits_in_range(
    means: Vector, standard_errors: Vector, reach: float, answer_counts: AnswerCounts | None
) -> Ends:
    """Return the ends of intervals of `reach` standard errors; for answers Wilson's, within 0 to 1.

    NaN where the standard error is 0, unless all answers are right or all are wrong.
    """
    if answer_counts is None:
        has_variance = standard_errors > ROUNDING * np.abs(means)
        standard_errors = np.where(has_variance, standard_errors, math.nan)
        return means - reach * standard_errors, means + reach * standard_errors
    varying = np.where(standard_errors > ROUNDING, standard_errors, 0.0)
    shares = answer_shares(means, answer_counts)
    if answer_counts.weighted:  # no smaller than of as many independent answers in effect
        varying = np.maximum(
            varying, np.sqrt(np.maximum(shares * (1.0 - shares), 0.0) / answer_counts.n)
        )
    return effective_wilson_ends(shares, varying, answer_counts.n, reach)


def with_wilson_where_constant(
    ends: Ends, means: Vector, tail: float, answer_counts: AnswerCounts | None
) -> Ends:
    """Return the ends, replaced by Wilson's for models all of whose answers are equal.

    NaN for models with other scores whose interval has no width: nothing is known of their errors.
    """
    if answer_counts is None:
        has_width = ends[1] - ends[0] > ROUNDING * np.abs(means)
        return np.where(has_width, ends[0], math.nan), np.where(has_width, ends[1], math.nan)
    wilson = wilson_ends(np.round(means), answer_counts.n, normal_quantile(tail))
    (low, high), (wilson_low, wilson_high) = ends, wilson
    constant = answer_counts.constant
    return np.where(constant, wilson_low, low), np.where(constant, wilson_high, high)


def answer_shares(means: Vector, answer_counts: AnswerCounts) -> Vector:
    """Return the shares of right answers, exactly 0 or 1 for models whose answers are all equal."""
    return np.asarray(np.where(answer_counts.constant, np.round(means), means))


def range_of_means(answer_counts: AnswerCounts | None) -> tuple[float, float]:
    """Return the least and the greatest possible mean: 0 and 1 of answers, else infinite."""
    return UNBOUNDED if answer_counts is None else (0.0, 1.0)


def equal_units_bound(
    links: ItemLinks, most: float, chosen: NDArray[np.bool_] | None = None
) -> ZeroVarianceBound:
    """Return the bound on a mean of the chosen items or clusters whose differences are all equal.

    `most` is the greatest possible difference of one item. Items that are not chosen weigh nothing.
    """
    sizes = np.ones(links.n) if links.weights is None else links.weights
    groups = links.groups
    if chosen is not None:
        sizes = np.where(chosen, sizes, 0.0)
    if groups is None:
        return ZeroVarianceBound(sum_over_largest(sizes), most, "items")
    sizes = cluster_totals(sizes, groups, int(groups.max()) + 1)
    return ZeroVarianceBound(sum_over_largest(sizes), most, "clusters")
