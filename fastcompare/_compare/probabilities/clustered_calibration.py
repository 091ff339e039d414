"""Logistic recalibration of cases in clusters: clusters are independent, the cases in one are not.

With log odds x, the scores (y - p) (1, x) of intercept 0 and slope 1 have expectation 0 for
calibrated probabilities, whatever the clusters. With their sums s_g over each cluster and U over
all, U' (sum s_g s_g')^-1 U is chi-squared with 2 degrees of freedom: the generalised score test,
Boos (1992), doi:10.1080/00031305.1992.10475921. It needs no fit. As the null hypothesis centres the
variance, it stays below its level: 2 to 6 % of calibrated models are rejected at 5 % from 10
clusters on, equal or not (0.4 of the variance of latent answers shared; 3,000 trials a cell), none
of 6 or less. Hotelling's F by CR2 rejects up to 10 %.

The covariance of a fitted intercept and slope is a sandwich (Liang and Zeger 1986), H^-1 B H^-1
with H the information and B = sum c_g s_g s_g', c_g = 1 / (1 - n_g / n) as in CR2; Student's t with
Satterthwaite's degrees of freedom of a mean.
"""

import math
from typing import NamedTuple

import numpy as np

from ..._base.types import Integers, Matrix, Vector
from ..._inference.clusters import cluster_df, cluster_sizes, cluster_status
from ..._inference.pvalues import UNDEFINED, PValue, chi2_pvalue
from ..._inference.quadratic import quadratic_form
from ..._inputs.probabilities import Labels
from ...kernels.ties import ROUNDING

FEWEST_DF = 6.0  # chi-squared is at most the number of clusters: of 6 its p-value is .0498


class Tested(NamedTuple):
    """The statistic, its p-value and the status word."""

    statistic: float
    tail: PValue
    status: str


class Clustered(NamedTuple):
    """Labels and their finite log odds, in clusters of these sizes."""

    y: Labels
    x: Vector
    groups: Integers
    sizes: Integers

    @classmethod
    def of(cls, y: Labels, x: Vector, groups: Integers) -> "Clustered":
        """Return cases with the sizes of their clusters."""
        return cls(y, x, groups, cluster_sizes(groups))

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom."""
        return cluster_df(self.sizes)

    @np.errstate(over="ignore", under="ignore")
    def scores(self, intercept: float, slope: float) -> Matrix:
        """Return the sums (2, G) of the scores of intercept and slope at these."""
        residual = self.y - 1.0 / (1.0 + np.exp(-(intercept + slope * self.x)))
        columns = (residual, residual * self.x)
        return np.stack([np.bincount(self.groups, v, self.sizes.size) for v in columns])

    def spread(self, intercept: float, slope: float) -> Matrix:
        """Return B at these."""
        sums, n = self.scores(intercept, slope), self.y.size
        return np.asarray(sums * (n / (n - self.sizes)) @ sums.T)

    def sandwich(self, intercept: float, slope: float, covariance: Matrix) -> Matrix:
        """Return the covariance of a fit from that of independent cases."""
        return np.asarray(covariance @ self.spread(intercept, slope) @ covariance)

    def error_in_the_large(self, intercept: float, error: float) -> float:
        """Return the standard error of an intercept with the slope held at 1, from that."""
        return error * error * math.sqrt(self.spread(intercept, 1.0)[0, 0])

    def tested(self) -> Tested:
        """Return the test of intercept 0 and slope 1."""
        sums = self.scores(0.0, 1.0)
        near = ROUNDING * np.abs(sums).sum(axis=1)
        form = quadratic_form(sums.sum(axis=1), sums @ sums.T, near, float(near.max()))
        if form.rank < 2 or form.status != "ok":
            return Tested(math.nan, UNDEFINED, "too_few_clusters")
        status = cluster_status(self.df, fewest=FEWEST_DF)
        return Tested(form.statistic, chi2_pvalue(form.statistic, 2.0), status)
