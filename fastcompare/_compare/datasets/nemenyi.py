"""Nemenyi's test of all pairs of models by their average ranks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..._base.types import Matrix, Vector
from ..._inference.status import announce
from ..._inference.studentized_range import log_range_tail, range_tail
from ..._inputs.models import as_model_table
from ..._inputs.options import NanPolicy, Undefined, check_alpha, check_undefined
from ..._inputs.scores import ScoreTable
from ..._results.cliques import Cliques, cliques_of
from ..._results.pairs import pairs_of
from ..._results.records import Record
from .critical import critical_difference, rank_error
from .rank_pairs import RankPairsResult
from .ranks import as_ranks


@dataclass(frozen=True, eq=False, kw_only=True)
class NemenyiResult(Record):
    """Result of `nemenyi_test`; matrices (k, k) hold the model of the row less that of the column.

    `cliques` are the largest groups of models of which no two differ at `alpha`, by the models'
    indices, best first.
    """

    names: tuple[str, ...]
    average_ranks: Vector
    estimate: Matrix
    statistic: Matrix
    pvalue: Matrix
    critical_difference: float
    cliques: Cliques
    alpha: float
    n: int
    n_dropped: int
    method: str
    status: str

    title: ClassVar[str] = "Nemenyi's test of all pairs of models"

    @property
    def pvalue_matrix(self) -> Matrix:
        """The p-values (k, k); by the studentised range they need no further correction."""
        return self.pvalue

    @property
    def log_pvalue(self) -> Matrix:
        """The natural logarithms (k, k) of the p-values, finite where those underflow."""
        k = len(self.names)
        return log_range_tail(self.statistic.ravel(), k).reshape(k, k)

    def by_pair(self) -> RankPairsResult:
        """Return the same tests as arrays over the k (k - 1) / 2 pairs, in row order."""
        above = np.triu_indices(len(self.names), 1)
        return RankPairsResult(
            names=self.names,
            pairs=pairs_of(self.names),
            estimate=self.estimate[above],
            statistic=self.statistic[above],
            pvalue=self.pvalue[above],
            adjusted_pvalue=self.pvalue[above],
            correction="none",
            alternative="two-sided",
            average_ranks=self.average_ranks,
            standard_error=rank_error(len(self.names), self.n),
            critical_difference=self.critical_difference,
            alpha=self.alpha,
            n=self.n,
            n_dropped=self.n_dropped,
            method=self.method,
            status=self.status,
        )

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return self.by_pair().summary()


def nemenyi_test(
    scores: ScoreTable,
    *,
    alpha: float = 0.05,
    higher_is_better: bool = True,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> NemenyiResult:
    """Test which of k models differ, by their average ranks on N data sets.

    Parameters
    ----------
    scores : array-like of shape (N, k), mapping or data frame
        One metric: data sets in rows, models in columns; names reach the result. Infinite scores
        are legal, since only the order within a row counts.
    alpha : float, default=0.05
        The chance of any false difference, for `critical_difference`, `cliques` and the summary.
    higher_is_better : bool, default=True
        Whether the highest score gets rank 1; False for errors, times and ranks.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with data sets that miss a score: refuse them, or leave them out for all models
        and say so.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of the result is not defined for these data.

    Returns
    -------
    NemenyiResult
        With ``names`` (k,), ``average_ranks`` (k,), ``pvalue`` (k, k) with 1 on its diagonal,
        ``critical_difference``, ``cliques`` (tuples of indices of models), ``estimate`` (k, k), the
        differences of average ranks, ``statistic`` (k, k), ``alpha``, ``n``, ``n_dropped``,
        ``status``, ``log_pvalue`` (k, k), ``by_pair()``, ``summary()`` and ``to_dict()``.

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
    small it is. There is no correction for ties. Whether two models differ depends on the other
    models in the table.

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
    >>> result.pvalue.round(4)
    array([[1.    , 0.0356, 0.1805],
           [0.0356, 1.    , 0.7593],
           [0.1805, 0.7593, 1.    ]])
    >>> [[result.names[j] for j in clique] for clique in result.cliques]
    [['b', 'c'], ['c', 'a']]
    """
    level = check_alpha(alpha)
    check_undefined(on_undefined)
    table = as_model_table(scores, rows="data sets", nan_policy=nan_policy, finite=False)
    ranks = as_ranks(table.values, higher_is_better, rows=False)

    # Of sums of doubled ranks: 2 N sqrt(k (k + 1) / (12 N)) is what divides their difference.
    unit = math.sqrt(ranks.n * ranks.k * (ranks.k + 1) / 3.0)
    first, second = np.triu_indices(ranks.k, 1)
    q = np.abs(ranks.sums[first] - ranks.sums[second]) / unit
    statistic, pvalue = np.zeros((ranks.k, ranks.k)), np.ones((ranks.k, ranks.k))
    statistic[first, second] = statistic[second, first] = q
    pvalue[first, second] = pvalue[second, first] = range_tail(q, ranks.k)
    average = ranks.average
    status = "ok" if ranks.within else "no_difference"
    announce(status, on_undefined)

    return NemenyiResult(
        names=table.names,
        average_ranks=average,
        estimate=average[:, None] - average,
        statistic=statistic,
        pvalue=pvalue,
        critical_difference=critical_difference(ranks.k, ranks.n, alpha=level),
        cliques=cliques_of(pvalue <= level, average),
        alpha=level,
        n=ranks.n,
        n_dropped=table.n_dropped,
        method="Nemenyi's test",
        status=status,
    )
