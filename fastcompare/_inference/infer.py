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
from .exact import WIDE
from .pvalues import (
    CERTAIN,
    PValue,
    degenerate,
    normal_quantile,
    reference_pvalue,
    reference_quantile,
    reference_quantiles,
    statistic_with_margin,
)
from .roots import bisect

LARGE = 500  # contrasts; decomposed in 50 ms
RANK_TOLERANCE = 1e-10  # of correlations: far above rounding, far below any that carries data
FLAT = 1e-12  # of degrees of freedom: what all dimensions that can vary leave, varying alike


def as_f(statistic: float, rank: int, df: float) -> tuple[float, tuple[int, float]]:
    """Return F of t' S^-1 t, where S has `df` degrees of freedom, with its two (Hotelling 1931)."""
    scaled = statistic and rank  # no direction varies: F is 0, or not known, like the statistic
    f = statistic * ((df - rank + 1.0) / (rank * df)) if scaled else statistic
    return f, (rank, df - rank + 1.0)


def trace_f(
    difference: Vector, covariance: Matrix, rank: int, df: float
) -> tuple[float, tuple[float, float]]:
    """Return t't / tr S of orthonormal contrasts t, with the two degrees of freedom of its F.

    They are h and h `df`, where h is (tr S)^2 / tr S^2 (Box 1954, Theorem 3.1) as Huynh and Feldt
    (1976) estimate it from a covariance of `df` degrees of freedom, with Lecoutre's (1991) top.
    """
    trace = float(np.trace(covariance))
    shape = trace * trace / float(np.square(covariance).sum())
    rest = df - shape
    h = ((df + 1.0) * shape - 2.0) / rest if rest > FLAT * df else math.inf
    h = min(max(h, 1.0), float(rank))
    return float(difference @ difference) / trace, (h, h * df)


def orthonormalizing(rows: Matrix) -> Matrix:
    """Return the matrix (r, q) that turns contrasts with such rows into orthonormal ones."""
    gram = rows @ rows.T
    values, vectors = interruptible(len(gram) > LARGE, np.linalg.eigh, gram)
    positive = values > RANK_TOLERANCE * values[-1]
    root: Matrix = vectors[:, positive] / np.sqrt(values[positive])
    return root


class QuadraticForm(NamedTuple):
    """The statistic, its rank, and a status word; 'zero_variance' if a difference has none.

    `whitening` turns the contrasts that vary, over their `units`, into uncorrelated ones.
    """

    statistic: float
    rank: int
    status: str
    varies: NDArray[np.bool_]
    units: Matrix
    whitening: Matrix

    def whitened(self, shares: NDArray[np.float64]) -> list[Matrix]:
        """Return matrices that add up to S, in the units in which S is the identity."""
        varying = np.ix_(self.varies, self.varies)
        return [
            self.whitening.T @ (share[varying] / self.units) @ self.whitening for share in shares
        ]


def quadratic_form(
    difference: Vector, covariance: Matrix, noise: Vector | float, near: float
) -> QuadraticForm:
    """Return t' S^-1 t; standard errors within `noise` and differences within `near` are 0."""
    error = np.sqrt(np.diag(covariance))
    varies: NDArray[np.bool_] = error > noise
    nothing = np.empty((0, 0))
    if (abs(difference[~varies]) > near).any():
        rank = int(varies.sum())
        return QuadraticForm(np.nan, rank, "zero_variance", varies, nothing, nothing)
    if not varies.any():
        return QuadraticForm(0.0, 0, "identical", varies, nothing, nothing)
    t = difference[varies] / error[varies]
    varying = np.ix_(varies, varies)
    units = np.outer(error[varies], error[varies])
    shape = covariance[varying] / units
    values, vectors = interruptible(len(shape) > LARGE, np.linalg.eigh, shape)
    positive = values > RANK_TOLERANCE * values[-1]
    along = vectors.T @ t
    rank = int(positive.sum())
    consistent = (abs(along[~positive]) <= RANK_TOLERANCE**0.5 * np.linalg.norm(t)).all()
    whitening = vectors[:, positive] / np.sqrt(values[positive])
    statistic = float((along[positive] ** 2 / values[positive]).sum())
    status = "ok" if consistent else "singular"
    return QuadraticForm(statistic, rank, status, varies, units, whitening)


CONFIRMED = 1e-9
LOG_LEAST = math.log(5e-324)


def wilson(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return the proportions that the score test does not reject (Wilson 1927)."""
    low, high = wilson_ends(x / n, float(n), normal_quantile(tail))
    return float(low), float(high)


def wilson_ends(p: Any, n: Any, z: float) -> tuple[Vector, Vector]:
    """Return Wilson's interval of shares p of n cases, numbers or arrays."""
    return wilson_low(p, n, z), 1.0 - wilson_low(1.0 - p, n, z)


def wilson_low(p: Any, n: Any, z: float) -> Vector:
    """Return the lower end: the product of both roots over the upper one, so 0 stays 0."""
    high = p + z * z / (2.0 * n) + z * np.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    low: Vector = np.divide(p * p, high, out=np.zeros(np.shape(p)), where=np.asarray(p > 0.0))
    return low


def effective_ends(p: Any, error: Any, n: Any, reach: Any) -> tuple[Vector, Vector]:
    """Return Wilson's interval of shares worth as many cases as their standard errors say.

    Of n where all cases are right or all are wrong; NaN where others do not vary.
    """
    constant = (p == 0.0) | (p == 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(constant, n, p * (1.0 - p) / error**2)
    low, high = wilson_ends(p, effective, reach)
    is_defined = (constant | (error > 0.0)) & ~np.isnan(reach)
    return np.where(is_defined, low, math.nan), np.where(is_defined, high, math.nan)


def share_ends(share: Vector, n: Any, level: float) -> tuple[Vector, Vector]:
    """Return Wilson's intervals of shares of n independent cases."""
    return wilson_ends(share, n, reference_quantile(0.5 * (1.0 - level), math.inf))


def clustered_ends(
    share: Vector, n: Any, error: Vector, df: Vector, level: float
) -> tuple[Vector, Vector] | None:
    """Return Wilson's intervals of shares in clusters.

    None where clusters do not vary, but some of their answers are wrong.
    """
    reach = np.where(df > 0.0, reference_quantiles(0.5 * (1.0 - level), df), math.nan)
    low, high = effective_ends(share, error, n, reach)
    return None if np.isnan(low).any() else (low, high)


def clopper_pearson(x: float, n: float, tail: float) -> tuple[float, float]:
    """Return the ends of the exact interval of a proportion; `tail` is left out at each end.

    Of a share of so many cases in effect, too, which need not be whole numbers.
    """
    low = beta_quantile(x, n - x + 1.0, tail) if x else 0.0
    high = 1.0 - beta_quantile(n - x, x + 1.0, tail) if x < n else 1.0
    return low, high


def beta_quantile(a: float, b: float, below: float) -> float:
    """Return the point below which a beta distribution has so much.

    SciPy's inverse is sometimes far off where a is small beside b (1000 and 1e9, in 1.17): what its
    own integral does not confirm is found by bisection of the logarithm.
    """
    from scipy.special import betainc, betaincinv

    if min(a, b) > WIDE:  # where that integral fails, too, and Wilson's end is as good
        return float(wilson_low(a / (a + b), a + b, normal_quantile(below)))
    quantile = float(betaincinv(a, b, below))
    if abs(float(betainc(a, b, quantile)) - below) <= CONFIRMED * below:
        return quantile
    return math.exp(bisect(lambda x: betainc(a, b, math.exp(x)) < below, LOG_LEAST, 0.0)[1])


def jeffreys(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return quantiles of Beta(x + 1/2, n - x + 1/2), with 0 at x = 0 and 1 at x = n."""
    low = beta_quantile(x + 0.5, n - x + 0.5, tail) if x else 0.0
    high = 1.0 - beta_quantile(n - x + 0.5, x + 0.5, tail) if x < n else 1.0
    return low, high


def agresti_coull(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return Wald's interval of (x + z^2 / 2) of (n + z^2), which may leave [0, 1]."""
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
    """How many independent units show the same difference, and the greatest that one can show.

    `units` need not be whole: unequal clusters count as so many of the size of the largest one.
    """

    units: float
    most: float = 1.0
    name: str = "cases"

    def pvalue(self, estimate: float, alternative: str, margin: float) -> PValue:
        """Return the p-value of a claim about the true difference."""
        above = (estimate + margin, self.most + estimate)
        below = (margin - estimate, self.most - estimate)
        sides = {"greater": (above,), "less": (below,)}.get(alternative, (above, below))
        log_p = max(self.log_chance(*side) for side in sides)
        return PValue(math.exp(log_p), log_p) if log_p < 0.0 else CERTAIN

    def ends(self, estimate: float, alpha: float) -> tuple[float, float]:
        """Return the least and the greatest difference with a chance of at least `alpha`."""
        low = self.reach(alpha, self.most + estimate)
        return estimate - low, estimate + self.reach(alpha, self.most - estimate)

    def log_chance(self, distance: float, room: float) -> float:
        """Return the logarithm of the chance of units so far from what is true."""
        if distance <= 0.0:
            return 0.0
        if room == math.inf:
            return -self.units * LOG2
        return self.units * math.log1p(-distance / room) if distance < room else -math.inf

    def reach(self, alpha: float, room: float) -> float:
        """Return how far the true difference may be for a chance of `alpha`."""
        if not self.units:
            return room
        if room == math.inf:
            return math.inf if self.units * LOG2 < -math.log(alpha) else 0.0
        return -room * math.expm1(math.log(alpha) / self.units)

    def __str__(self) -> str:
        """Say what the bound is by, to follow an interval."""
        kind = "signs" if self.most == math.inf else "an exact bound"
        verb = "does" if self.name == "sample" else "do"
        return f"by {kind} of {self.units:.4g} {self.name} that {verb} not vary"


def as_equal(sizes: AnyArray) -> float:
    """Return how many units of the largest size units of these sizes are worth.

    The chance that none of them shows a difference of a share of all is at most that of so many.
    """
    return float(sizes.sum() / sizes.max()) if sizes.size else 0.0


def units_bound(
    n: float, sizes: AnyArray | None, most: float = 1.0, name: str = "cases"
) -> ZeroVarianceBound:
    """Return the bound by n units that do not vary, or by clusters of these sizes."""
    return (
        ZeroVarianceBound(n, most, name)
        if sizes is None
        else ZeroVarianceBound(as_equal(sizes), most, "clusters")
    )


def rarest_bound(
    sizes: Sequence[AnyArray], width: float, clusters: float = math.inf, *, identical: bool
) -> ZeroVarianceBound:
    """Return the bound by the rarest class, of which a case moves a metric of labels most.

    `sizes` are those of the true and of the predicted classes. Nothing is known of models that are
    equally good but not identical (`identical`): then one case may be all.
    """
    if not identical:
        return ZeroVarianceBound(1.0, width, "sample")
    rarest = min(float(size[size > 0].min()) for size in sizes)
    return ZeroVarianceBound(min(rarest, clusters), width, "cases of the rarest class")


class RareDifferenceBound(NamedTuple):
    """The bound by units most of which barely differ: what rare, great differences may be unseen.

    Of k units whose differences are at least -1 in size, let a share x differ by -1. So few as u
    in all are lost with chance P(Bin(k, x) <= u), extended to all u by the incomplete beta function
    (Clopper, Pearson 1934). `losses` and `gains` are the sums of negative and positive differences.
    """

    units: int
    losses: float
    gains: float
    name: str = "cases"

    def pvalue(self, alternative: str, margin: float) -> float:
        """Return the least p-value of a claim with this margin."""
        sides = {"greater": (self.losses,), "less": (self.gains,)}
        return max(self.chance(u, margin) for u in sides.get(alternative, self[1:3]))

    def chance(self, lost: float, margin: float) -> float:
        """Return the chance that no more is lost if it is `margin` of the units on average."""
        from scipy.special import betainc

        return float(betainc(self.units - lost, lost + 1.0, 1.0 - margin))

    def widened(self, low: float, high: float, alpha: float) -> tuple[float, float]:
        """Return the ends of an interval, at least as wide as the bound at each end."""
        below, above = (
            beta_quantile(self.units - u, u + 1.0, alpha) - 1.0 for u in (self.losses, self.gains)
        )
        return min(low, below), max(high, -above)

    def __str__(self) -> str:
        """Say what the bound is by, to follow an interval."""
        return f"by a bound of {self.units} {self.name} that barely differ"


Degrees = int | tuple[float, float]  # of chi-squared, or of F


class Tested(NamedTuple):
    """A test that nothing differs: statistic, degrees of freedom, p-value, status word and name."""

    statistic: float
    df: Degrees
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
    """Return the statistic and p-value of an estimate, with what they came from.

    The statistic is Student's t with `df` degrees of freedom, or normal for infinitely many. Where
    the standard error is 0, `unvaried` judges claims with a margin; rare differences bound those.
    """
    statistic, tail = statistic_with_margin(estimate, standard_error, alternative, margin)
    p = degenerate(statistic, standard_error)
    if p is None:
        p = reference_pvalue(statistic, df, tail)
    return infer_difference(estimate, standard_error, statistic, p, alternative, margin, unvaried)


def test_from_statistic(
    statistic_at: Callable[[float, str], float], df: float, alternative: str, margin: float
) -> tuple[float, PValue]:
    """Return the statistic and p-value of a claim, from the statistic of any null value.

    Equivalence is the weaker one of both claims (Schuirmann 1987).
    """
    nulls = {"greater": -margin, "less": margin, "two-sided": 0.0}
    tails = [alternative] if alternative in nulls else ["greater", "less"]
    tests = []
    for tail in tails:
        statistic = statistic_at(nulls[tail], tail)
        tests.append((reference_pvalue(statistic, df, tail), statistic))
    p, statistic = max(tests)
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
    """Return the fields of a test whose p-value is computed elsewhere.

    For claims with a margin it is that of `unvaried` where the standard error is 0, and at least
    that of rare differences.
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
