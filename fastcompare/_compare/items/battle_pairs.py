"""All pairs of models whose strengths were estimated from battles."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._inference.clusters import cluster_status, tells_correlations
from ..._inference.corrections.adjust import JOINT, PairClaims
from ..._inference.joint_pvalues import joint_level, joint_pvalues, largest_pair, normal_scores
from ..._inference.max_t import Differences, Largest, differences_of_models
from ..._inference.pvalues import interval_ends, ratios, upper_tail
from ..._inference.rank_sets import RankSets, better_models, joint_rank_sets
from ..._inference.references import log_reference_pvalues, reference_pvalues, reference_quantiles
from ..._results.pairs import PairsResult, adjusted


@dataclass(frozen=True, eq=False, kw_only=True)
class BradleyTerryPairwiseResult(PairsResult):
    """Result of `BradleyTerryResult.pairwise`; arrays over the P = k (k - 1) / 2 pairs."""

    strengths: Vector
    standard_error: Vector
    df: float | Vector
    method: NDArray[np.str_]
    _covariance: Matrix = field(repr=False)
    _differences: Differences = field(repr=False)
    _largest: Largest | None = field(repr=False)
    title: ClassVar[str] = "Strengths of all pairs of models"
    quantity: ClassVar[str] = "strength"
    claim: ClassVar[str] = "is stronger than"

    def _later_adjusted_pvalue(self) -> Vector:
        if self.correction not in JOINT:
            return adjusted(self.pvalue, self.correction)
        step_down, tested = self.correction == "step-down", (self.pvalue, self.alternative)
        family = self._differences, self._largest
        return joint_pvalues(*family, self._z, *tested, step_down=step_down)

    def _later__differences(self) -> Differences:
        return differences_of_models(self._covariance, *self._cells())

    def _later__largest(self) -> Largest | None:
        return largest_pair(self._differences, self.pvalue, self.alternative)

    @property
    def _z(self) -> Vector:
        """The z with the p-value of each statistic."""
        return self.statistic if np.isinf(self.df).all() else normal_scores(self.statistic, self.df)

    def rank_sets(self, alpha: float) -> RankSets:
        """Return the ranks that each model may have, all together at this level."""
        k = len(self.names)
        holm = self.correction not in JOINT and not tells_correlations(float(np.min(self.df)), k)
        return joint_rank_sets(better_models(self._z, self._differences, alpha, k, holm=holm))

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, finite where those underflow."""
        df = np.broadcast_to(self.df, self.pvalue.shape)
        return log_reference_pvalues(self.statistic, self.pvalue, df, self.alternative)

    def _ends(self, level: float) -> tuple[Vector | float, Vector | float]:
        df = np.broadcast_to(self.df, self.estimate.shape)
        quantile = reference_quantiles(upper_tail(level, self.alternative), df)
        return interval_ends(
            self.estimate, self.standard_error, self.alternative, quantile, self.bounds
        )

    def _level_of_each(self, level: float) -> float:
        if self.correction in JOINT or tells_correlations(float(np.min(self.df)), len(self.names)):
            return joint_level(self._largest, level, self.alternative)
        return super()._level_of_each(level)

    def _standing(self) -> Vector:
        return -self.strengths


class PairsTold(NamedTuple):
    """What all pairs have in common."""

    df: float | Vector
    method: str
    status: str
    n_dropped: int


def strength_pairs(
    names: tuple[str, ...],
    strengths: Vector,
    covariance: Matrix,
    claims: PairClaims,
    told: PairsTold,
) -> BradleyTerryPairwiseResult:
    """Return the tests of all differences of strengths."""
    first, second = np.triu_indices(len(names), 1)
    estimate = strengths[first] - strengths[second]
    df = np.broadcast_to(told.df, estimate.shape)
    error = np.where(np.isnan(df), math.nan, errors_of_differences(covariance)[first, second])
    statistic = ratios(estimate, error)
    pvalue = reference_pvalues(statistic, error, df, claims.alternative)
    return BradleyTerryPairwiseResult.made(
        names=names,
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        pvalue=pvalue,
        correction=claims.correction,
        alternative=claims.alternative,
        alpha=claims.alpha,
        status=pair_words(told.status, df),
        method=np.full(estimate.shape, told.method),
        n_dropped=told.n_dropped,
        strengths=strengths,
        df=told.df,
        _covariance=covariance,
        _unvaried=None,
    )


def pair_words(status: str, df: Vector) -> NDArray[np.str_]:
    """Return the status word of each pair: that of all, or of its own degrees of freedom."""
    if status not in ("ok", "few_clusters", "too_few_clusters"):
        return np.full(df.shape, status, "U32")
    return np.array([cluster_status(one) for one in df.tolist()], "U32")


def errors_of_differences(covariance: Matrix) -> Matrix:
    """Return the standard errors (k, k) of the differences of all pairs."""
    variance = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(variance[:, None] + variance - 2.0 * covariance, 0.0)))
