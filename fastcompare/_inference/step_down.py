"""Step-down and joint p-values of many differences: all pairs, against a control, Nemenyi's range.

A family that shrinks needs smaller critical values, and the chance of any false rejection stays
below alpha: Romano, Wolf (2005), doi:10.1198/016214504000000539. Statistics are z values; `max_t`
has the distribution of the largest. A t with degrees of freedom of its own becomes the normal z of
its p-value: Hasler, Hothorn (2008), doi:10.1002/bimj.200710466.

Against a control, Dunnett (1955), doi:10.1080/01621459.1955.10501294, for any correlations: the
adjusted p-value is the chance that the least of m p-values of jointly normal differences is as
small as this one. The step down of Dunnett and Tamhane (1991), doi:10.1002/sim.4780100614, leaves
out the differences that were rejected before. It is closed testing by the least p-value: that of
fewer differences is never likelier to be small, and its distribution does not depend on which
others are true. The chance is m p E[1 / S], where S of the m p-values are that small once one of
them, each as often, is drawn to be so (Naiman and Priebe 2001; Owen, Maximov, Chertkov 2019,
Electronic Journal of Statistics 13, 231-254). So it keeps its digits in the tail, and lies between
p and m p.

Nemenyi's test takes the range q of k normal variables: its tail is an integral of positive terms
over the largest variable x, so it keeps its digits however small it is.
"""

import math
from functools import lru_cache, partial

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.typing import NDArray

from .._base.types import Integers, Matrix, Vector
from ..kernels.normals import add_mean_reciprocals, tail_points
from . import max_t
from .pvalues import normal_quantile, normal_tail, student_tail

Flags = NDArray[np.bool_]
LENGTHS = 1 << 21  # differences times directions, where tails are integrated over lengths: .2 s
COUNTS = 1 << 25  # differences times draws, where exceedances are counted
CELLS = 1 << 22  # numbers at a time
SCREENING = 1 << 13, 1 << 15  # directions, enough where no difference is near the critical value


def directed_rejections(differences: max_t.Differences, z: Vector, alpha: float) -> Flags:
    """Return the differences whose sign step-down tests establish at level `alpha`.

    The family contains two claims for each difference, that it is above 0 and that it is below;
    rejecting one does not remove the other.
    """
    both = differences.both_ways()
    rejected = step_down_rejections(both, np.concatenate((z, -z)), alpha)
    return np.asarray(rejected[: z.size] | rejected[z.size :])


def holm_rejections(
    differences: max_t.Differences, z: Vector, alpha: float, *, two_sided: bool
) -> Flags:
    """Return which differences (P,) Holm's tests at level `alpha` of statistics z find above 0.

    With `two_sided`, which are above or below 0: two claims for each. They ignore correlations.
    """
    from scipy.special import ndtr

    defined = np.flatnonzero(differences.varies & ~np.isnan(z))
    statistic = np.abs(z[defined]) if two_sided else z[defined]
    order = np.argsort(-statistic, kind="stable")
    # A rejected claim leaves its opposite in the family.
    claims_left = np.arange((2 if two_sided else 1) * defined.size, 0, -1)[: defined.size]
    rejects = np.logical_and.accumulate(ndtr(-statistic[order]) <= alpha / claims_left)
    rejected = np.zeros(z.shape, bool)
    rejected[defined[order[rejects]]] = True
    return rejected


def step_down_rejections(differences: max_t.Differences, z: Vector, alpha: float) -> Flags:
    """Return which differences one-sided step-down tests at level `alpha` find above 0.

    All beyond the critical value are rejected at once: the next family is smaller, and so is its
    critical value. It is at least that of one difference and at most Bonferroni's: most families
    are decided by these two, without computing it.
    """
    remaining = differences.varies & ~np.isnan(z)
    rejected = np.zeros(z.shape, bool)
    smallest_critical = normal_quantile(alpha)
    while (z[remaining] >= smallest_critical).any():
        beyond = remaining & (z >= normal_quantile(alpha / np.count_nonzero(remaining)))
        if not beyond.any():
            beyond[remaining] = beyond_critical(differences.only(remaining), z[remaining], alpha)
        if not beyond.any():
            break
        rejected |= beyond
        remaining &= ~beyond
    return rejected


def beyond_critical(differences: max_t.Differences, z: Vector, alpha: float) -> Flags:
    """Return which z are at least the critical value of the largest of all differences.

    These must vary. Few simulated directions suffice where no z is near that value.
    """
    for most in (*SCREENING, None):  # at last as many directions as usual
        largest = max_t.largest_statistic(differences, one_sided=True, most_directions=most)
        assert largest is not None  # it is None only if no difference varies
        beyond = z >= largest.point(alpha)
        nearest = z[beyond].min(initial=math.inf), z[~beyond].max(initial=-math.inf)
        if all(largest.is_clear(point, alpha) for point in nearest if math.isfinite(point)):
            break
    return np.asarray(beyond)


def step_down_tails(
    differences: max_t.Differences, z: Vector, *, one_sided: bool = False, df: float = math.inf
) -> Vector:
    """Return the step-down p-values of differences with statistics z.

    For each z: the chance that the largest of this and all smaller ones is at least z, then made
    monotone. NaN where a difference does not vary.
    """
    statistic = z if one_sided else np.abs(z)
    chosen = np.flatnonzero(differences.varies & ~np.isnan(z))
    chosen = chosen[np.argsort(statistic[chosen], kind="stable")]
    tails = np.full(z.shape, math.nan)
    if chosen.size:
        ordered = differences._replace(
            first=differences.first[chosen],
            second=None if differences.second is None else differences.second[chosen],
            scale=differences.scale[chosen],
        )
        family_tails = tails_of_families(ordered, statistic[chosen], one_sided, df)
        # The smallest statistic is a family of one difference: its p-value is exact.
        family_tails[0] = (1.0 if one_sided else 2.0) * single_tail(float(statistic[chosen[0]]), df)
        tails[chosen] = np.maximum.accumulate(family_tails[::-1])[::-1]
    return tails


def single_tail(point: float, df: float) -> float:
    """Return the upper tail of one standardized difference: normal, or Student's t with `df`."""
    return normal_tail(point) if df == math.inf else student_tail(point, df)


def tails_of_families(
    differences: max_t.Differences, statistics: Vector, one_sided: bool, df: float
) -> Vector:
    """Return P(max of the first i + 1 differences >= statistics[i]) for each i; these ascend.

    A mean over directions, as in `max_t`: evenly spread ones if the dimensions are few.
    """
    rank = differences.root.shape[1]
    count = statistics.size
    evenly = rank <= max_t.SEQUENCES
    most = max_t.SPHERE if evenly else max_t.MOST_DRAWS
    draws = min(max((LENGTHS if evenly else COUNTS) // count, max_t.FEWEST_DRAWS), most)
    draws = 2 if rank == 1 else draws  # the directions +1 and -1
    step = max(1, min(max_t.BLOCK, CELLS // count))
    total = np.zeros(count)
    for start in range(0, draws, max_t.BLOCK):
        u = max_t.directions(start, draws, rank)
        for low in range(0, u.shape[1], step):
            cosines = direction_cosines(differences, u[:, low : low + step], one_sided)
            np.maximum.accumulate(cosines, axis=0, out=cosines)  # of each family
            chances = exceedance_chances(
                cosines, statistics[:, None], rank, df, first_direction=start + low, evenly=evenly
            )
            total += chances.sum(axis=1)
    return total / draws


def direction_cosines(differences: max_t.Differences, u: Vector, one_sided: bool) -> Vector:
    """Return the differences (P, n) in each of n directions u, absolute values unless one-sided."""
    models = differences.root @ u
    cosines = models[differences.first]
    if differences.second is not None:
        cosines = cosines - models[differences.second]
    cosines *= differences.scale[:, None]
    return cosines if one_sided else np.abs(cosines, out=cosines)


def exceedance_chances(
    cosines: Vector, statistics: Vector, rank: int, df: float, first_direction: int, evenly: bool
) -> Vector:
    """Return P(m R >= statistic) for cosines m (P, n), statistics (P, 1) and random length R.

    Exactly for evenly spread directions, else 1 or 0 for one draw of R in each direction.
    """
    if not evenly:
        return np.asarray(
            cosines * draw_lengths(cosines.shape[1], rank, df, first_direction) >= statistics
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.abs(statistics / cosines)
    tails = max_t.length_tails(ratios, rank, df)
    of_positive = np.where(cosines > 0.0, tails, 0.0)
    of_others = np.where(cosines < 0.0, 1.0 - tails, 1.0)  # m R >= statistic if R is small enough
    return np.asarray(np.where(statistics > 0.0, of_positive, of_others))


def draw_lengths(count: int, rank: int, df: float, first_direction: int) -> Vector:
    """Return draws (`count`,) of the length R for random directions `first_direction` and on."""
    block, column = divmod(first_direction, max_t.BLOCK)
    z = max_t.standard_normals(block, rank + 1)[:, column : column + count]
    lengths = np.sqrt(np.square(z[:-1]).sum(axis=0))
    return np.asarray(lengths / max_t.draw_scale(z[-1], df))


MOST_DRAWS, FEWEST_DRAWS = 1 << 15, 1 << 11  # a p-value of 5% has an error of .01%
WORK = 1 << 28  # draws times differences squared
TINY = 1e-290  # below, Bonferroni's bound is all that is known


def dunnett_pvalues(
    pvalue: Vector, correlation: Matrix, alternative: str, *, step_down: bool
) -> Vector:
    """Return Dunnett's adjusted p-values of m differences with these correlations (m, m).

    Undefined p-values stay NaN and do not count. With `step_down` the family of each difference has
    only those that are no more significant. P-values may come from t statistics with different
    degrees of freedom: their dependence is that of the normal scores.
    """
    adjusted = np.full(pvalue.shape, np.nan)
    n_defined = np.count_nonzero(~np.isnan(pvalue))
    order = np.argsort(pvalue, kind="stable")[:n_defined]  # NaN come last
    p = pvalue[order]
    m = order.size
    family_start = np.arange(m) if step_down else np.zeros(m, np.int64)
    raised = p * (m - family_start)  # Bonferroni's, which is exact for a family of one
    computed = (p > TINY) & (p < 1.0) & (family_start < m - 1)
    if computed.any():
        raised[computed] = p[computed] * expected_reciprocal_sums(
            p[computed], family_start[computed], correlation[np.ix_(order, order)], alternative
        )
    adjusted[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    return adjusted


def expected_reciprocal_sums(
    p: Vector, family_start: Integers, correlation: Matrix, alternative: str
) -> Vector:
    """Return for each p the sum over its family of E[1 / S], as in the module docstring.

    Each p belongs to its own family, the differences from number `family_start` on.
    """
    two_sided = alternative == "two-sided"
    values, vectors = np.linalg.eigh(correlation)
    z, shares, logs = independent_draws(len(correlation))
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    tail_ends = np.empty((p.size, shares.size))
    points = np.empty(p.size)
    for family, tail in enumerate((0.5 * p if two_sided else p).tolist()):
        points[family] = normal_quantile(tail)
        tail_points(shares, logs, tail, tail_ends[family])
    sums = np.zeros(p.size)
    for j, draws in enumerate(z):  # one at a time: those of all are 5 MB, whose pages come anew
        add_mean_reciprocals(
            root @ draws, correlation, j, family_start, tail_ends, points, two_sided, sums
        )
    return sums


@lru_cache(maxsize=2)  # some 5 MB for 20 models; they take three quarters of a first call
def independent_draws(m: int) -> tuple[Matrix, Vector, Vector]:
    """Return draws (m, m, n), n equally spaced shares of a tail, and the logarithms of these.

    There is one set of n draws of m normal variables for each of m differences, the same in every
    call.
    """
    n = min(max(WORK // m**2, FEWEST_DRAWS), MOST_DRAWS) // m + 1
    z = np.hstack([max_t.standard_normals(block, m) for block in range(-(-n * m // max_t.BLOCK))])
    by_difference = z[:, : n * m].reshape(m, m, n).transpose(1, 0, 2)
    shares = (np.arange(n) + 0.5) / n
    return np.ascontiguousarray(by_difference), shares, np.log(shares)


def normal_scores(t: Vector, df: float | Vector) -> Vector:
    """Return the normal z with the same tail as each t, infinite where that underflows."""
    from scipy.special import ndtri, stdtr

    size = np.abs(t)
    return np.asarray(np.copysign(-ndtri(stdtr(df, -size)), t))


def joint_pvalues(
    differences: max_t.Differences,
    largest: max_t.LargestStatistic | None,
    z: Vector,
    pvalue: Vector,
    alternative: str,
    *,
    step_down: bool,
    df: float = math.inf,
) -> Vector:
    """Return p-values of all pairs, adjusted by the distribution of the largest z, or t with `df`.

    They are kept between the unadjusted ones and Bonferroni's. Where no difference varies they are
    the unadjusted ones; `step_down` adjusts each for those that are no more significant.
    """
    one_sided = alternative != "two-sided"
    signed = -z if alternative == "less" else z
    adjusted = pvalue.copy()
    defined = differences.varies & ~np.isnan(pvalue)
    if largest is None or not defined.any():
        return adjusted
    if step_down:
        family = differences.only(defined)
        tails = step_down_tails(family, signed[defined], one_sided=one_sided, df=df)
    else:
        tails = largest.tails(signed[defined] if one_sided else np.abs(signed[defined]))
    single = pvalue[defined]
    most = np.minimum(np.count_nonzero(defined) * single, 1.0)
    adjusted[defined] = np.clip(tails, single, most)
    return adjusted


def joint_level(largest: max_t.LargestStatistic | None, level: float, alternative: str) -> float:
    """Return the level of each interval such that those of all pairs cover together at `level`.

    That is `level` itself where no difference varies (`largest` is None).
    """
    if largest is None:
        return level
    point = largest.point(1.0 - level)
    df = largest.df
    tail = normal_tail(point) if df == math.inf else student_tail(point, df)
    return 1.0 - (1.0 if alternative != "two-sided" else 2.0) * tail


def largest_of_defined_pairs(
    differences: max_t.Differences, pvalue: Vector, alternative: str, df: float = math.inf
) -> max_t.LargestStatistic | None:
    """Return the distribution of the largest statistic over the pairs whose p-value is not NaN."""
    return largest_statistic_by_claim(differences.only(~np.isnan(pvalue)), alternative, df)


def largest_statistic_by_claim(
    differences: max_t.Differences, alternative: str, df: float = math.inf
) -> max_t.LargestStatistic | None:
    """Return the distribution of the largest statistic, for two-sided tests in absolute value."""
    return max_t.largest_statistic(differences, one_sided=alternative != "two-sided", df=df)


POINTS = 96  # of the integral: within 4e-15 for k <= 10^4, 1e-11 for k = 10^6
DEGREE = 20  # of a polynomial between two edges: within 1e-13 of the integral for k <= 3,000
RANGE_BLOCK = 1024  # ranges that are integrated at a time: 0.8 MB an array
FARTHEST = 80.0  # from here on the tail underflows, for any k
EDGES = (*map(float, range(9)), 10.0, 12.0, 16.0, 24.0, 48.0, FARTHEST)  # log I flattens out


def range_tail(q: Vector, k: int) -> Vector:
    """Return the chances that the range of k standard normal variables exceeds q >= 0 (1-d)."""
    tail = np.zeros(q.shape)
    near = q < FARTHEST
    with np.errstate(under="ignore"):
        tail[near] = np.exp(_log_scaled_of_many(q[near], k) - 0.25 * q[near] ** 2)
    tail[q == 0.0] = 1.0
    return np.minimum(tail, 1.0)


def log_range_tail(q: Vector, k: int) -> Vector:
    """Return the logarithms of `range_tail`, finite where that underflows."""
    blocks = [_log_scaled(q[i : i + RANGE_BLOCK], k) for i in range(0, q.size, RANGE_BLOCK)]
    log_tail = np.concatenate([*blocks, []]) - 0.25 * q**2  # [] for an empty q
    log_tail[q == 0.0] = 0.0
    return np.minimum(log_tail, 0.0)


@lru_cache(maxsize=256)
def range_quantile(upper: float, k: int) -> float:
    """Return the range that k standard normal variables exceed with probability `upper`.

    The secant method on log P, which is concave: from above, it never passes the root.
    """
    from scipy.special import ndtri_exp

    # Bonferroni: each of the k (k - 1) / 2 differences, of variance 2, exceeds it by its share.
    q = -math.sqrt(2.0) * float(ndtri_exp(math.log(upper) - math.log(k * (k - 1))))
    step = 0.01 * q  # downwards
    excess = _log_excess(q, upper, k)
    while abs(step) > 1e-15 * q:
        q -= step
        excess_before, excess = excess, _log_excess(q, upper, k)
        if excess == excess_before:
            break
        step *= excess / (excess_before - excess)
    return max(q, 0.0)


def _log_excess(q: float, upper: float, k: int) -> float:
    """Return log(P(range > q) / upper)."""
    return float(log_range_tail(np.array([q]), k)[0]) - math.log(upper)


def _log_scaled_of_many(q: Vector, k: int) -> Vector:
    """Return `_log_scaled` of q < FARTHEST, by a polynomial between two edges with many q.

    All pairs of 100 models take 4 to 6 ms, the next time 1; by an integral each they take 60 ms.
    """
    log_scaled = np.empty(q.shape)
    panel = np.searchsorted(EDGES, q, "right") - 1
    counts = np.bincount(panel, minlength=len(EDGES))
    in_sparse_panel = counts[panel] <= DEGREE
    if in_sparse_panel.any():
        log_scaled[in_sparse_panel] = _log_scaled(q[in_sparse_panel], k)
    for edge in np.flatnonzero(counts > DEGREE).tolist():
        here = panel == edge
        log_scaled[here] = _polynomial(EDGES[edge : edge + 2], k)(q[here])
    return log_scaled


@lru_cache(maxsize=256)
def _polynomial(edges: tuple[float, ...], k: int) -> Chebyshev:
    """Return the polynomial that interpolates `_log_scaled` between two edges; it is cached."""
    return Chebyshev.interpolate(partial(_log_scaled, k=k), DEGREE, edges)


def _log_scaled(q: Vector, k: int) -> Vector:
    """Return log I(q), the tail of the range being exp(-q^2 / 4) I(q).

    P(range > q) = k integral phi(x) (Phi(x)^m - (Phi(x) - Phi(x - q))^m) dx, m = k - 1. With
    r = Phi(x - q) / Phi(x) the difference is Phi(x)^m (1 - (1 - r)^m), and phi(x) Phi(x - q) is
    exp(-q^2 / 4 - (x - q / 2)^2) erfcx((q - x) / sqrt 2) / sqrt(8 pi): no cancelling, no underflow.
    """
    from scipy.special import erfcx, log_ndtr, ndtri_exp

    m = k - 1
    q = q[:, None]
    # Beyond, the integrand is below 1e-18 of its largest value: on the left for Phi(x)^m or for
    # the density of two ends at q, on the right for that or, of small q, for phi(x).
    low = np.maximum(0.5 * q - 6.5, ndtri_exp(-50.0 / m))
    log_models = 2.0 * math.log(k)
    high = np.maximum(math.sqrt(75.0 + log_models), 0.5 * q + math.sqrt(42.0 + log_models))
    step = (high - low) / POINTS
    x = low + step * np.arange(POINTS + 1)

    log_phi = log_ndtr(x)  # not Phi: its m-th power would keep 10 digits for m = 10^6
    gap = (q - x) * math.sqrt(0.5)
    with np.errstate(under="ignore", divide="ignore", over="ignore"):
        tail = erfcx(gap)
        r = np.minimum(0.5 * tail * np.exp(-gap * gap - log_phi), 1.0)
        share = np.where(r > 0.0, -np.expm1(m * np.log1p(-r)) / np.where(r > 0.0, r, 1.0), m)
        terms = np.exp((m - 1) * log_phi - (x - 0.5 * q) ** 2) * tail * share
    # The trapezoidal rule converges geometrically where both ends vanish (Trefethen, Weideman 2014)
    total = step[:, 0] * terms.sum(axis=1) * (k / math.sqrt(8.0 * math.pi))
    return np.asarray(np.log(total))
