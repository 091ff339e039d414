"""Tests of all pairs of models by their average ranks, with any correction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Unpack

from ..._base.forward import forwards
from ..._base.types import Vector
from ..._inference.corrections.adjust import check_correction
from ..._inference.corrections.pairs import check_models
from ..._inference.pvalues import log_normal_pvalues, normal_tail
from ..._inference.studentized_range import range_quantile
from ..._inputs.scores import ScoreTable
from .rank_pairs import RankPairsResult, all_cells, rank_pair_fields, rank_z
from .ranked_table import Ranking, as_ranked_table


@dataclass(frozen=True, eq=False, kw_only=True)
class FriedmanPairwiseResult(RankPairsResult):
    """Result of `friedman_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    title: ClassVar[str] = "All pairs of models by average ranks, z tests"

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, finite where those underflow."""
        return log_normal_pvalues(self.statistic, self.pvalue, self.alternative)

    def _level_of_each(self, level: float) -> float:
        largest = range_quantile(1.0 - level, len(self.names)) / math.sqrt(2.0)
        return 1.0 - 2.0 * normal_tail(largest)


@forwards(as_ranked_table)
def friedman_pairwise_test(
    scores: ScoreTable,
    *,
    correction: str = "holm",
    **options: Unpack[Ranking],
) -> FriedmanPairwiseResult:
    """Test which of k models differ on N data sets, by z statistics of their average ranks.

    Parameters
    ----------
    scores
        As in `nemenyi_test`.
    correction : str, default='holm'
        Any method of `adjust_pvalues`, or 'none'. 'shaffer' and 'bergmann-hommel' are made for all
        pairs of models and never worse than 'holm'.

    Returns
    -------
    FriedmanPairwiseResult
        With ``names`` (k,), ``average_ranks`` (k,), ``pairs`` (P names), and of shape (P,)
        ``estimate`` (difference of average ranks), ``statistic`` (z), ``pvalue``,
        ``adjusted_pvalue``, ``log_pvalue``, ``standard_error``, ``method``, ``status``;
        ``cliques``, tuples of names of models that do not differ, ``alpha``, ``n``, ``n_dropped``,
        ``matrix(field)`` (k, k), ``confidence_interval(confidence_level, simultaneous=False)``,
        ``summary()`` and ``to_dict()``.

    See Also
    --------
    nemenyi_test : By the studentized range, with a critical difference.
    friedman_exact_pairs_test : The exact distribution, for few data sets.
    conover_test : By t statistics.
    control_test : All models against one.

    Notes
    -----
    z is the difference of average ranks over sqrt(k (k + 1) / (6 N)), without correction for ties.
    That is its standard error if all orders of the models are equally likely, so an interval holds
    the shifts of average ranks that the test would not reject. Simultaneous ones go by the
    studentized range, as `nemenyi_test`.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [2] S. García, F. Herrera (2008), Journal of Machine Learning Research 9, 2677-2694.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.friedman_pairwise_test(errors, correction="shaffer", higher_is_better=False)
    >>> result.adjusted_pvalue.round(4)
    array([0.04  , 0.0771, 0.4795])
    >>> print(result.summary())
    1 of 3 differences in average rank is significant at the 5 % level after Shaffer correction: b
    ranks better than a by 1.7500 (adjusted p = 0.0400); it cannot be told from c.
    """
    correction = check_correction(correction)
    table = as_ranked_table(scores, **options)
    check_models(table.ranks.k, correction)

    cells = all_cells(table.ranks.k)
    tests = rank_z(table.ranks, cells)

    return FriedmanPairwiseResult(**rank_pair_fields(table, cells, tests, correction))
