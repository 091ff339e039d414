"""Statistics and p-values from estimates and standard errors, and bounds where nothing varies.

z and t tests of a difference; t' S^-1 t of several contrasts, in the directions in which S varies;
intervals of one proportion.

Of models that score all cases identically the standard error is 0, which says nothing about
precision, but the number of units does. Let k independent units all show the difference t, none of
which is below L. Were the true one x below t, then

    P(k units show t or more) <= ((x - L) / (t - L))^k

by Markov's inequality for the product of their differences less L. For t = 0 and L = -1 that is (1
- margin)^k, which models attain that differ wholly in a share `margin` of the units. An interval
holds the differences that are not refuted so.

The units of AUCs are pairs of a positive and a negative that have no case in common. If all
components are equal, but not all pairs, the mean product over such pairs is at least the product of
means: van der Waerden's bound on permanents (Egorychev 1981, doi:10.1016/0001-8708(81)90044-X).
Without an L signs are left: the chance that k differences, symmetric around x, all lie above it is
2^-k.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import interruptible
from .._base.types import AnyArray, Fields, Matrix, Vector
from .exact import MOST_EXACT_THROWS
from .pvalues import (
    CERTAIN,
    PValue,
    normal_quantile,
    pvalue_by_convention,
    reference_pvalue,
    reference_quantile,
    reference_quantiles,
    statistic_with_margin,
)
from .roots import bisect

LARGE = 500  # contrasts; decomposed in 50 ms
RANK_TOLERANCE = 1e-10  # of correlations: far above rounding, far below any that carries data
FLAT = 1e-12  # of `df`: all dimensions that can vary do so equally if df - h is at most that


def hotelling_f(statistic: float, rank: int, df: float) -> tuple[float, tuple[int, float]]:
    """Return Hotelling's (1931) F of the statistic t' S^-1 t, and its two degrees of freedom.

    S has `df` degrees of freedom. If no direction varies F is the statistic, 0 or NaN.
    """
    f = statistic
    if statistic and rank:
        f = statistic * ((df - rank + 1.0) / (rank * df))
    return f, (rank, df - rank + 1.0)


def trace_f(
    difference: Vector, covariance: Matrix, rank: int, df: float
) -> tuple[float, tuple[float, float]]:
    """Return F = t't / tr S of orthonormal contrasts t with covariance S, and its df (h, h `df`).

    h is (tr S)^2 / tr S^2 (Box 1954, Theorem 3.1) as Huynh and Feldt (1976) estimate it from a
    covariance of `df` degrees of freedom, with Lecoutre's (1991) numerator.
    """
    trace = float(np.trace(covariance))
    shape = trace * trace / float(np.square(covariance).sum())
    denominator = df - shape
    is_positive = denominator > FLAT * df
    h = ((df + 1.0) * shape - 2.0) / denominator if is_positive else math.inf
    h = min(max(h, 1.0), float(rank))
    return float(difference @ difference) / trace, (h, h * df)


def orthonormal_transform(rows: Matrix) -> Matrix:
    """Return the matrix (r, q) whose transpose turns r contrasts into q orthonormal ones.

    `rows` (r, k) are the coefficients of the contrasts, q is their rank.
    """
    gram = rows @ rows.T
    values, vectors = interruptible(len(gram) > LARGE, np.linalg.eigh, gram)
    positive = values > RANK_TOLERANCE * values[-1]
    root: Matrix = vectors[:, positive] / np.sqrt(values[positive])
    return root


class QuadraticForm(NamedTuple):
    """The statistic t' S^-1 t, the rank of S, and a status word.

    'zero_variance' if a contrast differs without varying, 'singular' if a combination does.
    `whitening` turns the contrasts that vary, over the roots of `units`, into uncorrelated ones.
    """

    statistic: float
    rank: int
    status: str
    varies: NDArray[np.bool_]
    units: Matrix
    whitening: Matrix

    def whitened(self, shares: NDArray[np.float64]) -> list[Matrix]:
        """Return `shares`, matrices that add up to S, transformed as S becomes the identity."""
        varying = np.ix_(self.varies, self.varies)
        return [
            self.whitening.T @ (share[varying] / self.units) @ self.whitening for share in shares
        ]


def quadratic_form(
    difference: Vector, covariance: Matrix, noise: Vector | float, near: float
) -> QuadraticForm:
    """Return t' S^-1 t, with its rank and status, for differences t with covariance S.

    Standard errors within `noise` count as 0, and so do differences within `near`.
    """
    error = np.sqrt(np.diag(covariance))
    varies: NDArray[np.bool_] = error > noise
    empty = np.empty((0, 0))
    if (abs(difference[~varies]) > near).any():
        rank = int(varies.sum())
        return QuadraticForm(np.nan, rank, "zero_variance", varies, empty, empty)
    if not varies.any():
        return QuadraticForm(0.0, 0, "identical", varies, empty, empty)
    t = difference[varies] / error[varies]
    varying = np.ix_(varies, varies)
    units = np.outer(error[varies], error[varies])
    shape = covariance[varying] / units
    values, vectors = interruptible(len(shape) > LARGE, np.linalg.eigh, shape)
    positive = values > RANK_TOLERANCE * values[-1]
    projections = vectors.T @ t
    rank = int(positive.sum())
    consistent = (abs(projections[~positive]) <= RANK_TOLERANCE**0.5 * np.linalg.norm(t)).all()
    whitening = vectors[:, positive] / np.sqrt(values[positive])
    statistic = float((projections[positive] ** 2 / values[positive]).sum())
    status = "ok" if consistent else "singular"
    return QuadraticForm(statistic, rank, status, varies, units, whitening)


QUANTILE_TOLERANCE = 1e-9  # relative error of the probability below a quantile
LOG_LEAST = math.log(5e-324)


def wilson(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return Wilson's (1927) interval of x / n: what the score test does not reject."""
    low, high = wilson_ends(x / n, float(n), normal_quantile(tail))
    return float(low), float(high)


def wilson_ends(p: Any, n: Any, z: float) -> tuple[Vector, Vector]:
    """Return Wilson's interval of shares p of n cases with quantile z; scalars or arrays."""
    return wilson_low(p, n, z), 1.0 - wilson_low(1.0 - p, n, z)


def wilson_low(p: Any, n: Any, z: float) -> Vector:
    """Return the lower end of Wilson's interval.

    As the product of the quadratic's roots over the upper one, so that it is 0 for p = 0.
    """
    high = p + z * z / (2.0 * n) + z * np.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    low: Vector = np.divide(p * p, high, out=np.zeros(np.shape(p)), where=np.asarray(p > 0.0))
    return low


def effective_wilson_ends(p: Any, error: Any, n: Any, reach: Any) -> tuple[Vector, Vector]:
    """Return Wilson's interval of shares p of p (1 - p) / error^2 cases in effect.

    Of n cases where p is 0 or 1; NaN where the standard error of other shares is 0. `reach` is the
    quantile.
    """
    constant = (p == 0.0) | (p == 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(constant, n, p * (1.0 - p) / error**2)
    low, high = wilson_ends(p, effective, reach)
    is_defined = (constant | (error > 0.0)) & ~np.isnan(reach)
    return np.where(is_defined, low, math.nan), np.where(is_defined, high, math.nan)


def proportion_ends(share: Vector, n: Any, level: float) -> tuple[Vector, Vector]:
    """Return Wilson's intervals of shares of n independent cases."""
    return wilson_ends(share, n, reference_quantile(0.5 * (1.0 - level), math.inf))


def clustered_proportion_ends(
    share: Vector, n: Any, error: Vector, df: Vector, level: float
) -> tuple[Vector, Vector] | None:
    """Return Wilson's intervals of shares in clusters, by their standard errors and Student's t.

    None if a share other than 0 or 1 has a standard error of 0.
    """
    reach = np.where(df > 0.0, reference_quantiles(0.5 * (1.0 - level), df), math.nan)
    low, high = effective_wilson_ends(share, error, n, reach)
    return None if np.isnan(low).any() else (low, high)


def clopper_pearson(x: float, n: float, tail: float) -> tuple[float, float]:
    """Return Clopper and Pearson's exact interval of x / n, with `tail` beyond each end.

    x and n need not be whole: numbers of cases in effect.
    """
    low = beta_quantile(x, n - x + 1.0, tail) if x else 0.0
    high = 1.0 - beta_quantile(n - x, x + 1.0, tail) if x < n else 1.0
    return low, high


def beta_quantile(a: float, b: float, below: float) -> float:
    """Return the point below which a Beta(a, b) variable lies with probability `below`.

    SciPy's inverse is sometimes far off where a is small beside b (1000 and 1e9, in 1.17): if its
    own integral does not confirm it, the quantile is found by bisection of the logarithm.
    """
    from scipy.special import betainc, betaincinv

    if min(a, b) > MOST_EXACT_THROWS:  # SciPy's integral fails, too, and Wilson's end is as good
        return float(wilson_low(a / (a + b), a + b, normal_quantile(below)))
    quantile = float(betaincinv(a, b, below))
    if abs(float(betainc(a, b, quantile)) - below) <= QUANTILE_TOLERANCE * below:
        return quantile
    _, logarithm = bisect(lambda x: betainc(a, b, math.exp(x)) < below, LOG_LEAST, 0.0)
    return math.exp(logarithm)


def jeffreys(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return Jeffreys' interval: quantiles of Beta(x + 1/2, n - x + 1/2); 0 at x = 0, 1 at n."""
    low = beta_quantile(x + 0.5, n - x + 0.5, tail) if x else 0.0
    high = 1.0 - beta_quantile(n - x + 0.5, x + 0.5, tail) if x < n else 1.0
    return low, high


def agresti_coull(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return Agresti and Coull's interval: Wald's of x + z^2 / 2 in n + z^2, not clipped."""
    z = normal_quantile(tail)
    total = n + z * z
    p = (x + 0.5 * z * z) / total
    radius = z * math.sqrt(p * (1.0 - p) / total)
    return p - radius, p + radius


INTERVALS: dict[str, Callable[[int, int, float], tuple[float, float]]] = {
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
    "jeffreys": jeffreys,
    "agresti-coull": agresti_coull,
}


LOG2 = math.log(2.0)


class ZeroVarianceBound(NamedTuple):
    """An exact bound for differences that do not vary, as in the module docstring.

    `units` is the number k of independent units, which need not be whole, `most` the greatest
    difference of one unit (-L), `name` what units are called.
    """

    units: float
    most: float = 1.0
    name: str = "cases"

    def pvalue(self, estimate: float, alternative: str, margin: float) -> PValue:
        """Return the p-value of a claim about the true difference, if all units show `estimate`."""
        # of each claim: the distances of the estimate from the margin and from the bound
        above = (estimate + margin, self.most + estimate)
        below = (margin - estimate, self.most - estimate)
        sides = {"greater": (above,), "less": (below,)}.get(alternative, (above, below))
        log_p = max(self.log_chance(*side) for side in sides)
        return PValue(math.exp(log_p), log_p) if log_p < 0.0 else CERTAIN

    def ends(self, estimate: float, alpha: float) -> tuple[float, float]:
        """Return the interval of the true difference, with probability `alpha` beyond each end."""
        low = self.reach(alpha, self.most + estimate)
        return estimate - low, estimate + self.reach(alpha, self.most - estimate)

    def log_chance(self, distance: float, distance_to_bound: float) -> float:
        """Return the log chance that all units lie `distance` above the true difference.

        That is `distance_to_bound` above the lower bound, -most.
        """
        if distance <= 0.0:
            return 0.0
        if distance_to_bound == math.inf:
            return -self.units * LOG2
        if not distance < distance_to_bound:
            return -math.inf
        return self.units * math.log1p(-distance / distance_to_bound)

    def reach(self, alpha: float, distance_to_bound: float) -> float:
        """Return the `distance` at which `log_chance` is log(`alpha`)."""
        if not self.units:
            return distance_to_bound
        if distance_to_bound == math.inf:
            return math.inf if self.units * LOG2 < -math.log(alpha) else 0.0
        return -distance_to_bound * math.expm1(math.log(alpha) / self.units)

    def __str__(self) -> str:
        """Return the source of the bound, as text that follows an interval."""
        kind = "signs" if self.most == math.inf else "an exact bound"
        name, verb = self.name, "do"
        if self.units == 1.0:
            units, of, rest = name.partition(" of ")  # pairs of cases, say
            name = "stratum" if units == "strata" else f"{units.removesuffix('s')}{of}{rest}"
            verb = "does"
        return f"by {kind} of {self.units:.4g} {name} that {verb} not vary"


def sum_over_largest(unit_sizes: AnyArray) -> float:
    """Return sum(sizes) / max(sizes), the effective number of units of unequal sizes; 0 for none.

    The chance that no unit shows a difference that a share of all has is at most that of this
    number of equal units.
    """
    return float(unit_sizes.sum() / unit_sizes.max()) if unit_sizes.size else 0.0


def units_bound(
    n: float,
    cluster_sizes: AnyArray | None,
    largest_difference: float = 1.0,
    unit_name: str = "cases",
) -> ZeroVarianceBound:
    """Return the bound of differences that do not vary over n units, or clusters of these sizes."""
    return (
        ZeroVarianceBound(n, largest_difference, unit_name)
        if cluster_sizes is None
        else ZeroVarianceBound(sum_over_largest(cluster_sizes), largest_difference, "clusters")
    )


def rarest_bound(
    class_sizes: Sequence[AnyArray], width: float, clusters: float = math.inf, *, identical: bool
) -> ZeroVarianceBound:
    """Return the bound of a metric of labels by the cases of the rarest class, which move it most.

    `class_sizes` count the cases of the true and of the predicted classes; `width` is the metric's
    range.
    Models with equal metrics that are not `identical` count as one unit: their differences happen
    to cancel.
    """
    if not identical:
        return ZeroVarianceBound(1.0, width, "sample")
    rarest = min(float(size[size > 0].min()) for size in class_sizes)
    return ZeroVarianceBound(min(rarest, clusters), width, "cases of the rarest class")


class RareDifferenceBound(NamedTuple):
    """A bound for units most of which barely differ: rare, large differences may be unseen.

    If a share x of the population differs by -1, the sum of losses over k units is at most u with
    probability P(Bin(k, x) <= u), extended to all u by the incomplete beta function (Clopper,
    Pearson 1934). `losses` and `gains` are the sums of negative and of positive differences.
    """

    units: int
    losses: float
    gains: float
    name: str = "cases"

    def pvalue(self, alternative: str, margin: float) -> float:
        """Return the smallest p-value that a claim with this margin may have."""
        sums = {"greater": (self.losses,), "less": (self.gains,)}
        both = (self.losses, self.gains)
        return max(self.chance(u, margin) for u in sums.get(alternative, both))

    def chance(self, largest_sum: float, margin: float) -> float:
        """Return P(Bin(units, margin) <= largest_sum), for any number `largest_sum`."""
        from scipy.special import betainc

        return float(betainc(self.units - largest_sum, largest_sum + 1.0, 1.0 - margin))

    def widened(self, low: float, high: float, alpha: float) -> tuple[float, float]:
        """Return an interval widened, where needed, to the bound with `alpha` at each end."""
        least = beta_quantile(self.units - self.losses, self.losses + 1.0, alpha) - 1.0
        greatest = 1.0 - beta_quantile(self.units - self.gains, self.gains + 1.0, alpha)
        return min(low, least), max(high, greatest)

    def sentence(self, alternative: str, margin: float, letter: str) -> str:
        """Return a sentence on the p-value, which allows for more than the statistic `letter`."""
        changes, difference = {
            "greater": ("losses", f"{-margin:g}"),
            "less": ("gains", f"{margin:g}"),
        }.get(alternative, ("differences", f"{-margin:g} or {margin:g}"))
        return (
            f" Most cases are ranked nearly identically, and {letter} does not allow for large "
            f"{changes} that are too rare for this sample to show. p and the interval do: p is the "
            f"probability that {self.units} {self.name} show no larger {changes} if the difference "
            f"is {difference}."
        )


DegreesOfFreedom = int | tuple[float, float]  # of chi-squared, or of F


class OmnibusOutcome(NamedTuple):
    """The outcome of an omnibus test; `way` names the test that was used."""

    statistic: float
    df: DegreesOfFreedom
    p: PValue
    status: str
    way: str = "omnibus test"

    def fields(self) -> Fields:
        """Return the fields of a result."""
        return Fields(**self.p._asdict(), statistic=self.statistic, df=self.df, status=self.status)


class Inference(TypedDict):
    """Fields of a `Result` that follow from an estimate, its standard error and the claim."""

    estimate: float
    standard_error: float
    statistic: float
    pvalue: float
    log_pvalue: float
    alternative: str
    margin: float
    _unvaried: ZeroVarianceBound | RareDifferenceBound | None


def infer(
    estimate: float,
    standard_error: float,
    alternative: str,
    margin: float = 0.0,
    *,
    df: float = math.inf,
    unvaried: ZeroVarianceBound | RareDifferenceBound | None = None,
) -> Inference:
    """Return the fields of a z or t test of an estimate against 0, or against the margin.

    Student's t with `df` degrees of freedom, normal for infinite ones. `unvaried` gives the p-value
    of claims with a margin if the standard error is 0, or bounds it (`RareDifferenceBound`).
    """
    statistic, tail = statistic_with_margin(estimate, standard_error, alternative, margin)
    p = pvalue_by_convention(statistic, standard_error)
    if p is None:
        p = reference_pvalue(statistic, df, tail)
    return infer_difference(estimate, standard_error, statistic, p, alternative, margin, unvaried)


def test_from_statistic(
    statistic_at: Callable[[float, str], float], df: float, alternative: str, margin: float
) -> tuple[float, PValue]:
    """Return the statistic and p-value of a claim from `statistic_at(null, alternative)`.

    Equivalence is the less significant one of two one-sided claims (Schuirmann 1987).
    """
    nulls = {"greater": -margin, "less": margin, "two-sided": 0.0}
    tails = [alternative] if alternative in nulls else ["greater", "less"]
    tests = []
    for tail in tails:
        statistic = statistic_at(nulls[tail], tail)
        tests.append((reference_pvalue(statistic, df, tail), statistic))
    p, statistic = max(tests)  # the larger p-value
    return statistic, p


def infer_difference(
    estimate: float,
    standard_error: float,
    statistic: float,
    p: PValue,
    alternative: str,
    margin: float = 0.0,
    unvaried: ZeroVarianceBound | RareDifferenceBound | None = None,
) -> Inference:
    """Return the fields of a test with this statistic and p-value, which `unvaried` may replace.

    For claims with a margin a `ZeroVarianceBound` gives the p-value if the standard error is 0, a
    `RareDifferenceBound` its least value.
    """
    if isinstance(unvaried, RareDifferenceBound):
        p = p.at_least(unvaried.pvalue(alternative, margin))
    elif standard_error > 0.0 or math.isnan(standard_error):
        unvaried = None
    elif unvaried is not None and margin:
        p = unvaried.pvalue(estimate, alternative, margin)
    return {
        "estimate": estimate,
        "standard_error": standard_error,
        "statistic": statistic,
        "pvalue": p.pvalue,
        "log_pvalue": p.log_pvalue,
        "alternative": alternative,
        "margin": margin,
        "_unvaried": unvaried,
    }
