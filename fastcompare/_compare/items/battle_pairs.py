"""All pairs of models whose strengths were estimated from battles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._inference.clusters import tells_correlations
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
    df: Vector
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
        normal = bool(np.isinf(self.df).all())
        return self.statistic if normal else normal_scores(self.statistic, self.df)

    @property
    def _tells(self) -> bool:
        """Whether clusters tell how strengths go together."""
        return tells_correlations(float(np.min(self.df)), len(self.names))

    def rank_sets(self, alpha: float) -> RankSets:
        """Return the ranks that each model may have, all together at this level."""
        k = len(self.names)
        holm = self.correction not in JOINT and not self._tells
        return joint_rank_sets(better_models(self._z, self._differences, alpha, k, holm=holm))

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, finite where those underflow."""
        return log_reference_pvalues(self.statistic, self.pvalue, self.df, self.alternative)

    def _ends(self, level: float) -> tuple[Vector | float, Vector | float]:
        quantile = reference_quantiles(upper_tail(level, self.alternative), self.df)
        return interval_ends(
            self.estimate, self.standard_error, self.alternative, quantile, self.bounds
        )

    def _level_of_each(self, level: float) -> float:
        if self.correction in JOINT or self._tells:
            return joint_level(self._largest, level, self.alternative)
        return super()._level_of_each(level)

    def _standing(self) -> Vector:
        return -self.strengths


class PairsTold(NamedTuple):
    """What all pairs have in common."""

    df: Vector
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
    error = errors_of_differences(covariance)[first, second]
    statistic = ratios(estimate, error)
    pvalue = reference_pvalues(statistic, error, told.df, claims.alternative)
    return BradleyTerryPairwiseResult.made(
        names=names,
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        pvalue=pvalue,
        correction=claims.correction,
        alternative=claims.alternative,
        alpha=claims.alpha,
        status=np.full(estimate.shape, told.status, "U32"),
        method=np.full(estimate.shape, told.method),
        n_dropped=told.n_dropped,
        strengths=strengths,
        df=told.df,
        _covariance=covariance,
        _unvaried=None,
    )


def errors_of_differences(covariance: Matrix) -> Matrix:
    """Return the standard errors (k, k) of the differences of all pairs."""
    variance = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(variance[:, None] + variance - 2.0 * covariance, 0.0)))
