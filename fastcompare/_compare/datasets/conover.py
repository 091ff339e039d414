"""Conover's test of all pairs of models on many data sets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np

from ..._base.forward import forwards
from ..._base.types import Vector
from ..._inference.corrections.adjust import check_correction
from ..._inference.corrections.pairs import check_models
from ..._inference.pvalues import (
    log_student_pvalues,
    ratios,
    student_pvalues,
    student_quantile,
)
from ..._inputs.scores import ScoreTable
from ..._results.pairs import Joint
from .rank_pairs import RankPairsResult, RankTests, all_cells, rank_pair_fields
from .ranked_table import Ranking, as_ranked_table
from .ranks import Ranks


@dataclass(frozen=True, eq=False, kw_only=True)
class ConoverResult(RankPairsResult):
    """Result of `conover_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    df: int
    title: ClassVar[str] = "Conover's test of all pairs of models"

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, finite where those underflow."""
        return log_student_pvalues(self.statistic, self.pvalue, self.df, self.alternative)

    def _quantile(self, level: float) -> float:
        return student_quantile((1.0 - level) / 2.0, self.df)

    def _joint(self) -> Joint:
        return Joint(np.eye(len(self.names)), self.df)


@forwards(as_ranked_table)
def conover_test(
    scores: ScoreTable,
    *,
    correction: str = "holm",
    **options: Unpack[Ranking],
) -> ConoverResult:
    """Test which of k models differ on N data sets, by t statistics of their rank sums.

    Parameters
    ----------
    scores, correction
        As in `friedman_pairwise_test`.

    Returns
    -------
    ConoverResult
        As that of `friedman_pairwise_test`, ``statistic`` being t with ``df`` degrees of freedom.

    Warns
    -----
    UndefinedResultWarning
        If all data sets rank the models alike: nothing is left to judge differences by.

    See Also
    --------
    friedman_pairwise_test : By z statistics, whatever the differences between data sets.

    Notes
    -----
    t is (R_i - R_j) / sqrt(2 (N A - sum R^2) / ((N - 1)(k - 1))) with R the rank sums and A the sum
    of all squared ranks: ties count, and so does how well data sets agree. That makes the test more
    powerful than z, and liberal unless `friedman_test` has rejected.

    References
    ----------
    .. [1] W. J. Conover (1999), Practical Nonparametric Statistics, section 5.8.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.conover_test(errors, higher_is_better=False)
    >>> result.statistic.round(4), result.pvalue.round(4)
    (array([ 4.9497,  3.5355, -1.4142]), array([0.0026, 0.0123, 0.207 ]))
    """
    correction = check_correction(correction)
    table = as_ranked_table(scores, **options)
    ranks = table.ranks
    check_models(ranks.k, correction)

    df, cells = ranks.df[1], all_cells(ranks.k)
    error, differences = sum_error(ranks, df), ranks.differences(cells)
    t = ratios(differences.astype(np.float64), np.full(differences.shape, error))
    pvalue = student_pvalues(t, df, "two-sided")
    tests = RankTests(t, pvalue, error / (2.0 * ranks.n), "t of rank sums")

    return ConoverResult(**rank_pair_fields(table, cells, tests, correction), df=df)


def sum_error(ranks: Ranks, df: int) -> float:
    """Return the standard error of a difference of two sums of doubled ranks."""
    rest = ranks.n * ranks.squares - sum(total * total for total in ranks.sums.tolist())
    return math.sqrt(2 * rest / df)
