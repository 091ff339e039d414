"""Nemenyi's test of all pairs of models by their average ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np

from ..._base.forward import forwards
from ..._base.text import plain
from ..._base.types import Vector
from ..._inference.studentized_range import log_range_tail, range_quantile, range_tail
from ..._inputs.scores import ScoreTable
from .critical import critical_difference
from .rank_pairs import RankPairsResult, RankTests, all_cells, rank_error, rank_pair_fields
from .ranked_table import Ranking, as_ranked_table


def critical_of(result: Any) -> float:
    """Return the critical difference of a result."""
    return critical_difference(len(result.names), result.n, alpha=result.alpha)


@dataclass(frozen=True, eq=False, kw_only=True)
class NemenyiResult(RankPairsResult):
    """Result of `nemenyi_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    critical_difference: float = field(init=False, default=cached_property(critical_of))  # type: ignore[assignment]

    title: ClassVar[str] = "Nemenyi's test of all pairs of models"
    signed: ClassVar[tuple[str, ...]] = ("estimate",)  # a range has no sign

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the p-values, finite where those underflow."""
        return log_range_tail(self.statistic, len(self.names))

    def _quantile(self, level: float) -> float:
        return range_quantile(1.0 - level, len(self.names)) / math.sqrt(2.0)

    def _level_of_each(self, level: float) -> float:
        return level  # the intervals cover together as they are

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the cliques as plain Python values."""
        return {**super().to_dict(), "cliques": plain(self.cliques)}


@forwards(as_ranked_table)
def nemenyi_test(
    scores: ScoreTable,
    **options: Unpack[Ranking],
) -> NemenyiResult:
    """Test which of k models differ, by their average ranks on N data sets.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric: data sets in rows, models in columns; names reach the result. Infinite scores
        are legal, since only the order within a row counts.
    alpha : float, default=0.05
        The chance of any false difference, for `critical_difference`, `cliques` and the summary.

    Returns
    -------
    NemenyiResult
        With ``names`` (k,), ``average_ranks`` (k,), ``pairs`` (P names), and of shape (P,)
        ``estimate`` (difference of average ranks), ``statistic``, ``pvalue``, the same as
        ``adjusted_pvalue``, ``log_pvalue``, ``standard_error``, ``method``, ``status``;
        ``critical_difference``, ``cliques``, tuples of names of models that do not differ,
        ``alpha``, ``n``, ``n_dropped``, ``matrix(field)`` (k, k),
        ``confidence_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    See Also
    --------
    friedman_test : Whether any of the models differ: ask that first.
    friedman_pairwise_test : More power by Shaffer's or Bergmann and Hommel's corrections.
    critical_difference : The critical difference alone.
    control_test : All models against one.

    Notes
    -----
    ``statistic`` is the difference over sqrt(k (k + 1) / (12 N)), and the p-value the chance that
    the range of k independent standard normal variables is as large; it has 12 digits however
    small it is. It holds for all pairs together, and so do the intervals: those reach a critical
    difference to either side. There is no correction for ties. Whether two models differ depends on
    the other models in the table.

    References
    ----------
    .. [1] P. B. Nemenyi (1963), Distribution-free multiple comparisons, Princeton University.
    .. [2] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [3] A. Benavoli, G. Corani, F. Mangili (2016), Journal of Machine Learning Research 17, 1-10
       (on the dependence on other models).

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.nemenyi_test(errors, higher_is_better=False)
    >>> result.pairs, result.pvalue.round(4)
    ((('a', 'b'), ('a', 'c'), ('b', 'c')), array([0.0356, 0.1805, 0.7593]))
    >>> result.matrix("pvalue").round(4)
    array([[1.    , 0.0356, 0.1805],
           [0.0356, 1.    , 0.7593],
           [0.1805, 0.7593, 1.    ]])
    >>> result.cliques
    (('b', 'c'), ('c', 'a'))
    """
    table = as_ranked_table(scores, **options)
    ranks = table.ranks

    # Of sums of doubled ranks: 2 N sqrt(k (k + 1) / (12 N)) is what divides their difference.
    unit = math.sqrt(ranks.n * ranks.k * (ranks.k + 1) / 3.0)
    cells = all_cells(ranks.k)
    q = np.abs(ranks.differences(cells)) / unit
    error = rank_error(ranks.k, ranks.n)
    tests = RankTests(q, range_tail(q, ranks.k), error, "Nemenyi's test")

    return NemenyiResult(
        **rank_pair_fields(table, cells, tests, "none"),
    )
