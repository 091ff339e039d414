"""Intervals for one AUC, as functions of `IntervalInputs` and of the tail beyond a limit.

An interval of the kind of Newcombe (2006), doi:10.1002/sim.2324, contains the u that solve

    (t - u)^2 <= q(u)^2 V(u),  V(u) = u (1 - u) / (m n) [1 + h ((1 - u) / (2 - u) + u / (1 + u))]

with h = (m + n) / 2 - 1: t lies within q standard errors of u, V being the variance under two
exponential curves, one the mirror of the other (his method 5: q is normal). 'score' corrects V by
an estimate from the data. Of f degrees of freedom of DeLong's variance D, 2 t (1 - t) f count: near
1 a variance is known as if from so many, since it depends on the few cases out of order. So

    d(u) = 2 u (1 - u) f,  q(u)^2 = (4 + d(t) D / V(t)) / (4 + d(t)) t_{4 + d(u)}^2

V counts for 4 degrees more: 2 gave wider intervals, 8 covered 2 points less where the rarer class
has the wider scores (docs/evidence/auc_coverage.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers, Vector
from .._inference.infer import ZeroVarianceBound, sum_over_largest
from .._inference.pvalues import normal_quantile, reference_quantile
from .._inference.roots import find_root
from .._inputs.scores import Cases
from ..kernels.clusters import count_classes

Ends = tuple[float, float]
PRIOR = 4.0  # degrees of freedom that V counts for


class SharedPairs(NamedTuple):
    """Sums of weights of the pairs of a concordance, and of products of pairs that share a case.

    `total` is the squared sum of the weights, `squares` the sum of their squares. Two pairs that
    share a case have it on the `same_side` or on the `opposite_side` (the larger of one pair, the
    smaller of the other). By Newcombe's curves, those on the same side have a covariance of
    u (1 - u) times the mean of (1 - u) / (2 - u) and u / (1 + u), others of -4 / 3 u (1 - u) times
    u (1 - u): as Kendall's of three cases in random order at u = 1/2, and 0 at 1. Pairs of two
    classes share cases on the same side only. `full_df` is f of the module's formula.
    """

    total: float
    squares: float
    same_side: float
    opposite_side: float
    full_df: float
    inflation: float = 1.0

    def relative_variance(self, u: float) -> float:
        """Return V(u) / (u (1 - u)), the variance of a concordance of u over the binomial one."""
        same = 0.5 * ((1.0 - u) / (2.0 - u) + u / (1.0 + u))
        opposite = -4.0 / 3.0 * u * (1.0 - u)
        weighted = self.squares + same * self.same_side + opposite * self.opposite_side
        return self.inflation * weighted / self.total

    def effective_df(self, u: float) -> float:
        """Return d(u) = 2 u (1 - u) f, the effective df of the variance of a concordance of u."""
        return 2.0 * u * (1.0 - u) * self.full_df


class IntervalInputs(NamedTuple):
    """An AUC, its standard error, and the effective numbers of cases of both classes.

    They are not whole where cases have weights or come in clusters. `df` belongs to the standard
    error, for 'delong' and 'logit'. Pairs of other cases than those of two classes have `shared`.
    """

    auc: float
    standard_error: float
    m: float
    n: float
    df: float = math.inf
    shared: SharedPairs | None = None

    @property
    def pairs(self) -> SharedPairs:
        """The pairs, `shared` or else the m n pairs of two classes, all with the same weight.

        The degrees of freedom are Satterthwaite's, classes being equally variable; 0 if a class has
        one case. The weight is 1 / sqrt(m n): their squares add up to 1, their squared sum is m n.
        """
        if self.shared is not None:
            return self.shared
        m = self.m
        n = self.n
        full_df = 0.0
        if min(m, n) > 1.0:
            variances = 1.0 / (m * m * (m - 1.0)) + 1.0 / (n * n * (n - 1.0))
            full_df = (1.0 / m + 1.0 / n) ** 2 / variances
        return SharedPairs(m * n, 1.0, m + n - 2.0, 0.0, full_df)

    @property
    def scale(self) -> float:
        """The factor of V: (4 + d(t) D / V(t)) / (4 + d(t)), D being the squared standard error."""
        t, pairs = self.auc, self.pairs
        d = pairs.effective_df(t)
        if d == 0.0 or math.isnan(self.standard_error):
            return 1.0
        observed = self.standard_error**2 / (t * (1.0 - t) * pairs.relative_variance(t))
        return (PRIOR + d * observed) / (PRIOR + d)


def delong(inputs: IntervalInputs, tail: float) -> Ends:
    """Return the symmetric interval of DeLong et al. (1988): AUC -+ quantile times SE.

    NaN for a standard error of 0, which says nothing about precision.
    """
    if inputs.standard_error == 0.0:
        return math.nan, math.nan
    radius = reference_quantile(tail, inputs.df) * inputs.standard_error
    return inputs.auc - radius, inputs.auc + radius


def logit(inputs: IntervalInputs, tail: float) -> Ends:
    """Return the interval that is symmetric for the log odds of the AUC, Pepe (2003), 5.2.

    NaN for an AUC of 0 or 1, whose log odds are infinite.
    """
    auc = inputs.auc
    if auc in (0.0, 1.0):
        return math.nan, math.nan
    centre = math.log(auc / (1.0 - auc))
    radius = reference_quantile(tail, inputs.df) * inputs.standard_error / (auc * (1.0 - auc))
    return expit(centre - radius), expit(centre + radius)


def expit(x: float) -> float:
    """Return 1 / (1 + exp(-x))."""
    return 0.0 if x <= -700.0 else 1.0 / (1.0 + math.exp(-x))  # NaN stays NaN


def newcombe(inputs: IntervalInputs, tail: float) -> Ends:
    """Return the interval by method 5 of Newcombe (2006): V(u) and normal quantiles."""
    z = normal_quantile(tail)
    return newcombe_limits(inputs, z * z, lambda df, tail: 1.0, tail)  # the same q(u) for all df


def score(inputs: IntervalInputs, tail: float) -> Ends:
    """Return Newcombe's interval with the variance and the quantile estimated from the data."""
    from scipy.special import stdtrit

    return newcombe_limits(inputs, inputs.scale, stdtrit, tail)


def newcombe_limits(
    inputs: IntervalInputs, scale: float, quantile: Callable[[float, float], float], tail: float
) -> Ends:
    """Return the u that solve (t - u)^2 = q(u)^2 V(u); the upper one is 1 - the lower of 1 - AUC.

    q(u)^2 is `scale` times the square of quantile(df, tail), with df = 4 + d(u). The roots of both
    sides are compared, which are nearly linear in u: half of the steps that the squares take.
    """
    pairs = inputs.pairs
    doubled_df = 2.0 * pairs.full_df

    def low_end(auc: float) -> float:
        """Return the u below `auc` that solves auc - u = |q(u)| sqrt(V(u))."""

        def excess(u: float) -> float:
            """Return auc - u - |q(u)| sqrt(V(u)), divided by sqrt(1 - u) if the AUC is 1."""
            complement = 1.0 - u
            q = float(quantile(PRIOR + u * complement * doubled_df, tail))
            factor = scale * q**2 * pairs.relative_variance(u)  # q(u)^2 V(u) / (u (1 - u))
            if auc == 1.0:  # sqrt(1 - u) of both sides cancels, and with it the root u = 1
                return math.sqrt(complement) - math.sqrt(factor * u)
            return auc - u - math.sqrt(factor * u * complement)

        return 0.0 if auc == 0.0 else find_root(excess, 0.0, auc, xtol=1e-15, rtol=1e-14)

    return low_end(inputs.auc), 1.0 - low_end(1.0 - inputs.auc)


INTERVALS = {"score": score, "delong": delong, "logit": logit, "newcombe": newcombe}

# with fewer effective degrees of freedom, some cells of docs/evidence/auc_coverage.md have a
# coverage below 90%
FEWEST_DF = {"delong": 10.0, "logit": 6.0, "bootstrap": 10.0}
SMALLEST_SHARE = 0.3  # of the rarer class, below which Newcombe's method 5 has such cells


def has_coverage(method: str, inputs: IntervalInputs) -> bool:
    """Return whether 95% intervals by a method cover at least 90% for such an AUC.

    Methods without a limit, like 'score', do for any.
    """
    if method == "newcombe":
        return min(inputs.m, inputs.n) >= SMALLEST_SHARE * (inputs.m + inputs.n)
    return inputs.pairs.effective_df(inputs.auc) >= FEWEST_DF.get(method, 0.0)


PAIRS = "pairs of cases"


def unvaried_bound(m: float, n: float) -> ZeroVarianceBound:
    """Return the bound of a difference without variance, for m positives and n negatives.

    The cases are independent, and two models rank all pairs of them equally.
    """
    return ZeroVarianceBound(min(m, n), name=PAIRS)


def unvaried_bound_of_cases(cases: Cases) -> ZeroVarianceBound:
    """Return the bound of a difference without variance, for weighted or clustered cases."""
    return unvaried_bound(*independent_cases(cases))


def independent_cases(cases: Cases) -> tuple[float, float]:
    """Return the effective numbers of independent positives and negatives.

    With unequal weights or clusters, a number is the total weight over the largest weight.
    """
    if cases.groups is not None:
        return independent_clusters(cluster_classes(cases.labels, cases.groups))
    positive = cases.labels == 1
    return effective_size(cases, positive), effective_size(cases, ~positive)


def independent_clusters(cluster_sizes: Integers) -> tuple[float, float]:
    """Return effective numbers of positives and negatives in clusters of `cluster_sizes` (2, I).

    They are at most I / 2: a pair takes its positive from one cluster, its negative from another.
    """
    m, n = (
        min(sum_over_largest(class_sizes[class_sizes > 0]), cluster_sizes.shape[1] / 2)
        for class_sizes in cluster_sizes
    )
    return m, n


def cluster_classes(labels: NDArray[np.uint8], groups: Integers) -> Integers:
    """Return the numbers of positives and negatives (2, I) in each cluster."""
    sizes = np.zeros((2, int(groups.max()) + 1), np.int64)
    count_classes(labels, groups, sizes)
    return sizes


def effective_size(cases: Cases, members: NDArray[np.bool_]) -> float:
    """Return the effective number of cases of a class: total weight over largest weight.

    Of frequencies it is their sum, which is a number of cases.
    """
    if cases.weights is None:
        return float(np.count_nonzero(members))
    weights = cases.weights[members]
    return float(weights.sum()) if cases.weight_kind == "frequency" else sum_over_largest(weights)


def auc_intervals(
    aucs: Vector,
    standard_errors: Vector,
    class_sizes: Sequence[tuple[float, float]],
    level: float,
    dfs: Sequence[float] = (math.inf, math.inf),
    method: str = "score",
) -> tuple[Vector, Vector]:
    """Return the limits (low, high) of several AUCs, from standard errors and numbers (m, n)."""
    rows = zip(aucs.tolist(), standard_errors.tolist(), class_sizes, dfs, strict=True)
    tail = 0.5 * (1.0 - level)
    limits = [
        INTERVALS[method](IntervalInputs(auc, error, m, n, df), tail)
        for auc, error, (m, n), df in rows
    ]
    low, high = np.array(limits).T
    return low, high
