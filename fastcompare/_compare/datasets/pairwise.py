"""Tests of all pairs of models by their average ranks, with any correction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ..._base.documented import documented
from ..._base.types import NanPolicy, Undefined, Vector
from ..._inference.corrections.adjust import check_correction
from ..._inference.pvalues import log_normal_pvalues, normal_tail
from ..._inference.studentized_range import range_quantile
from ..._inputs.models import as_model_table
from ..._inputs.options import check_alpha, check_undefined
from ..._inputs.scores import ScoreTable
from .rank_pairs import RankPairsResult, all_cells, rank_pair_fields, rank_z
from .ranks import as_ranks


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


@documented
def friedman_pairwise_test(
    scores: ScoreTable,
    *,
    correction: str = "holm",
    alpha: float = 0.05,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> FriedmanPairwiseResult:
    """Test which of k models differ on N data sets, by z statistics of their average ranks.

    Parameters
    ----------
    scores, higher_is_better, nan_policy, on_undefined
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
    nemenyi_test : By the studentised range, with a critical difference.
    friedman_exact_pairs_test : The exact distribution, for few data sets.
    conover_test : By t statistics.
    control_test : All models against one.

    Notes
    -----
    z is the difference of average ranks over sqrt(k (k + 1) / (6 N)), without correction for ties.
    That is its standard error if all orders of the models are equally likely, so an interval holds
    the shifts of average ranks that the test would not reject. Simultaneous ones go by the
    studentised range, as `nemenyi_test`.

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
    ranks better than a by 1.7500 (adjusted p = 0.0400).
    """
    check_correction(correction)
    level = check_alpha(alpha)
    check_undefined(on_undefined)
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy, finite=False)
    ranks = as_ranks(table.values, higher_is_better, rows=False)

    cells = all_cells(ranks.k)

    return FriedmanPairwiseResult(
        **rank_pair_fields(
            table,
            ranks,
            cells,
            rank_z(ranks, cells),
            correction=correction,
            alpha=level,
            on_undefined=on_undefined,
        )
    )
