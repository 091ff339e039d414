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
from .._inference.infer import ZeroVarianceBound, as_equal
from .._inference.pvalues import normal_quantile, reference_quantile
from .._inference.roots import find_root
from .._inputs.scores import Cases
from ..kernels.clusters import count_classes

Ends = tuple[float, float]
PRIOR = 4.0  # degrees of freedom that V counts for


class SharedPairs(NamedTuple):
    """Pairs of a concordance, by the weights of all and of those which share a case.

    `total` is the square of their weight and `squares` the sum of squared weights; `same_side` that
    of products of two pairs with the same case on the same side, `turned` on different sides. With
    curves as of Newcombe, two on the same side have a covariance of u (1 - u) times the mean of
    (1 - u) / (2 - u) and u / (1 + u). Two turned ones have -1/3 at u = 1/2, as of three cases in
    any order, and 0 at 1. Classes have pairs on the same side only, and all pairs without censoring
    Kendall's variance at u = 1/2.
    """

    total: float
    squares: float
    same_side: float
    turned: float
    freedom: float
    inflation: float = 1.0

    def model(self, u: float) -> float:
        """Return V(u) / (u (1 - u)) of a true concordance of u."""
        same = 0.5 * ((1.0 - u) / (2.0 - u) + u / (1.0 + u))
        turned = -4.0 / 3.0 * u * (1.0 - u)
        weighted = self.squares + same * self.same_side + turned * self.turned
        return self.inflation * weighted / self.total

    def telling(self, u: float) -> float:
        """Return the degrees of freedom of the variance of a concordance of u."""
        return 2.0 * u * (1.0 - u) * self.freedom


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
        """The pairs, of two classes each with the weight 1 / sqrt(m n).

        The degrees of freedom are Satterthwaite's, classes being equally variable; 0 of one case.
        """
        if self.shared is not None:
            return self.shared
        m = self.m
        n = self.n
        freedom = 0.0
        if min(m, n) > 1.0:
            variances = 1.0 / (m * m * (m - 1.0)) + 1.0 / (n * n * (n - 1.0))
            freedom = (1.0 / m + 1.0 / n) ** 2 / variances
        return SharedPairs(m * n, 1.0, m + n - 2.0, 0.0, freedom)

    @property
    def scale(self) -> float:
        """What V is multiplied by: a mean of 1 and of DeLong's variance over it."""
        t, pairs = self.auc, self.pairs
        telling = pairs.telling(t)
        if telling == 0.0 or math.isnan(self.standard_error):
            return 1.0
        observed = self.standard_error**2 / (t * (1.0 - t) * pairs.model(t))
        return (PRIOR + telling * observed) / (PRIOR + telling)


def delong(inputs: IntervalInputs, tail: float) -> Ends:
    """Return the symmetric interval of DeLong et al. (1988)."""
    radius = reference_quantile(tail, inputs.df) * inputs.standard_error
    return inputs.auc - radius, inputs.auc + radius


def logit(inputs: IntervalInputs, tail: float) -> Ends:
    """Return the interval that is symmetric for the log odds of the AUC, Pepe (2003), 5.2."""
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
    """Return method 5 of Newcombe (2006)."""
    z = normal_quantile(tail)
    return newcombe_limits(inputs, z * z, lambda df, tail: 1.0, tail)


def score(inputs: IntervalInputs, tail: float) -> Ends:
    """Return Newcombe's interval with the variance and the quantile estimated from the data."""
    from scipy.special import stdtrit

    return newcombe_limits(inputs, inputs.scale, stdtrit, tail)


def newcombe_limits(
    inputs: IntervalInputs, scale: float, quantile: Callable[[float, float], float], tail: float
) -> Ends:
    """Return the ends that solve the equation; the upper one mirrors the lower one of 1 - AUC.

    q(u)^2 is the scale times the square of the quantile for so many degrees of freedom.
    """
    pairs = inputs.pairs
    freedom = 2.0 * pairs.freedom

    def low_end(auc: float) -> float:
        """Solve (auc - u)^2 = q(u)^2 V(u) for u below auc."""

        def excess(u: float) -> float:
            rest = 1.0 - u
            q = float(quantile(PRIOR + u * rest * freedom, tail))
            variance = scale * q**2 * pairs.model(u)
            if auc == 1.0:  # the factor 1 - u of both sides cancels, and with it the root u = 1
                return rest - variance * u
            return (auc - u) ** 2 - variance * u * rest

        return 0.0 if auc == 0.0 else find_root(excess, 0.0, auc, xtol=1e-15, rtol=1e-14)

    return low_end(inputs.auc), 1.0 - low_end(1.0 - inputs.auc)


INTERVALS = {"score": score, "delong": delong, "logit": logit, "newcombe": newcombe}

# below so many telling degrees of freedom, cells of docs/evidence/auc_coverage.md have less than
# 90%
LEAST = {"delong": 10.0, "logit": 6.0, "bootstrap": 10.0}
UNEQUAL = 0.3  # the share of the rarer class below which Newcombe's method 5 has such cells


def covers(method: str, inputs: IntervalInputs) -> bool:
    """Return whether 95% intervals by a method cover at least 90% for such an AUC."""
    if method == "newcombe":
        return min(inputs.m, inputs.n) >= UNEQUAL * (inputs.m + inputs.n)
    return inputs.pairs.telling(inputs.auc) >= LEAST.get(method, 0.0)


PAIRS = "pairs of cases"


def unvaried_pairs(m: float, n: float) -> ZeroVarianceBound:
    """Return the bound by m independent positives and n negatives of which no pair differs."""
    return ZeroVarianceBound(min(m, n), name=PAIRS)


def unvaried_cases(cases: Cases) -> ZeroVarianceBound:
    """Return the same of cases that may have weights or be in clusters."""
    return unvaried_pairs(*independent_cases(cases))


def independent_cases(cases: Cases) -> tuple[float, float]:
    """Return the effective numbers of independent positives and negatives.

    Those of unequal weights or clusters count for as many as of the heaviest.
    """
    if cases.groups is not None:
        return independent_clusters(cluster_classes(cases.labels, cases.groups))
    positive = cases.labels == 1
    m, n = (effective_size(cases, members) for members in (positive, ~positive))
    return m, n


def independent_clusters(sizes: Integers) -> tuple[float, float]:
    """Return the same for the positives and negatives (2, I) of clusters.

    Of two clusters one gives the positive of a pair and the other the negative.
    """
    m, n = (
        min(as_equal(class_sizes[class_sizes > 0]), sizes.shape[1] / 2) for class_sizes in sizes
    )
    return m, n


def cluster_classes(labels: NDArray[np.uint8], groups: Integers) -> Integers:
    """Return the numbers of positives and negatives (2, I) in each cluster."""
    sizes = np.zeros((2, int(groups.max()) + 1), np.int64)
    count_classes(labels, groups, sizes)
    return sizes


def effective_size(cases: Cases, members: NDArray[np.bool_]) -> float:
    """Return the effective number of cases of a class, as if of equal weight."""
    if cases.weights is None:
        return float(np.count_nonzero(members))
    weights = cases.weights[members]
    return float(weights.sum()) if cases.weight_kind == "frequency" else as_equal(weights)


def auc_intervals(
    aucs: Vector,
    errors: Vector,
    sizes: Sequence[tuple[float, float]],
    level: float,
    dfs: Sequence[float] = (math.inf, math.inf),
    method: str = "score",
) -> tuple[Vector, Vector]:
    """Return the intervals of AUCs by their standard errors and sizes of classes."""
    rows = zip(aucs.tolist(), errors.tolist(), sizes, dfs, strict=True)
    inputs = [IntervalInputs(auc, error, *size, df) for auc, error, size, df in rows]
    low, high = np.array([INTERVALS[method](each, 0.5 * (1.0 - level)) for each in inputs]).T
    return low, high
