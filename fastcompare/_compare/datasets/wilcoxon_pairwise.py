"""Wilcoxon's signed rank test for every pair of k models that share data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np

from ..._base.forward import forwards
from ..._base.types import Direction
from ..._inputs.options import as_choice, check_choice
from ..._inputs.scores import ScoreTable
from ..paired.many_ranks import rank_sums, signed_rank_pvalues
from ..paired.rank_test import averages_of
from ..paired.walsh import WalshAverages
from ..paired.wilcoxon import METHODS, TITLES, ZEROS
from .order_pairs import OrderPairsResult, OrderTests, order_pair_fields
from .ordered_table import Ordering, as_ordered_table


@dataclass(frozen=True, eq=False, kw_only=True)
class WilcoxonPairwiseResult(OrderPairsResult):
    """Result of `wilcoxon_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    title: ClassVar[str] = "Wilcoxon's signed rank test of all pairs of models"

    def _pair_ends(self, p: int) -> WalshAverages:
        how = "exact" if self.method[p] == TITLES["exact"] else "normal"
        return averages_of(self._columns.sized_pair(p), self.zeros, how)

    def _difference(self, p: int) -> float:
        return self._pair_ends(p).median()


@forwards(as_ordered_table)
def wilcoxon_pairwise_test(
    scores: ScoreTable,
    *,
    zeros: str = "wilcox",
    method: str = "auto",
    alternative: Direction = "two-sided",
    **options: Unpack[Ordering],
) -> WilcoxonPairwiseResult:
    """Test every pair of k models by signed ranks of their differences, with adjusted p-values.

    Parameters
    ----------
    zeros, method
        As in `wilcoxon_test`, for each pair.

    Returns
    -------
    WilcoxonPairwiseResult
        With ``names`` (k,), ``pairs`` (P names), and of shape (P,) ``statistic`` (W+),
        ``estimate`` (Hodges-Lehmann), ``effect_size`` (matched-pairs rank-biserial correlation),
        ``pvalue``, ``adjusted_pvalue``, ``n_zero``, ``method``, ``status``; ``average_ranks`` (k,),
        ``cliques`` (the groups that do not differ); methods ``matrix(field)`` (k, k),
        ``confidence_interval(confidence_level, simultaneous=False)``, ``summary()`` and
        ``to_dict()``.

    Raises
    ------
    InvalidValueError
        If 'exact' is asked for more than 3,000 differences.

    See Also
    --------
    wilcoxon_test : The test of one pair, with its notes.
    sign_pairwise_test : Only the signs count.

    Notes
    -----
    Each pair is tested as by `wilcoxon_test`: W+ is the sum of the ranks of positive differences.

    Pairs without ties share their exact distributions; with ties, each pair has its own. Estimates
    and intervals are found when they are asked for, since they take longer than all p-values.

    References
    ----------
    .. [1] F. Wilcoxon (1945), doi:10.2307/3001968.
    .. [2] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [3] A. Benavoli, G. Corani, F. Mangili (2016), Journal of Machine Learning Research 17, 1-10.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {
    ...     "tree": [.70, .68, .75, .71, .66, .73],
    ...     "forest": [.75, .72, .81, .74, .71, .75],
    ...     "boosting": [.76, .71, .83, .73, .74, .77],
    ... }
    >>> result = fc.wilcoxon_pairwise_test(scores)
    >>> result.pvalue.tolist(), result.adjusted_pvalue.tolist()
    ([0.03125, 0.03125, 0.21875], [0.09375, 0.09375, 0.21875])
    """
    check_choice("zeros", zeros, ZEROS)
    method = as_choice("method", method, METHODS)
    table = as_ordered_table(scores, alternative, **options)
    columns = table.columns

    sums = rank_sums(columns, zeros)
    pvalue, exact = signed_rank_pvalues(
        sums, columns, alternative=alternative, method=method, zeros=zeros
    )
    tests = OrderTests(
        statistic=sums.w_plus(zeros),
        pvalue=pvalue,
        effect_size=sums.effect_size(),
        n_zero=sums.n_zero,
        method=np.where(exact, TITLES["exact"], TITLES["normal"]),
    )

    return WilcoxonPairwiseResult(**order_pair_fields(table, tests), zeros=zeros)
