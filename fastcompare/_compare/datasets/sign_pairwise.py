"""The sign test for every pair of k models that share data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np

from ..._base.forward import forwards
from ..._base.types import Direction, Integers
from ..._inference.coins import coin_pvalues
from ..._inputs.options import check_choice
from ..._inputs.scores import ScoreTable
from ..paired.columns import Columns
from ..paired.sign import ZEROS, MedianEnds
from .order_pairs import OrderPairsResult, OrderTests, order_pair_fields
from .ordered_table import Ordering, as_ordered_table


@dataclass(frozen=True, eq=False, kw_only=True)
class SignPairwiseResult(OrderPairsResult):
    """Result of `sign_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    n_positive: Integers
    n_negative: Integers
    title: ClassVar[str] = "Sign test of all pairs of models"

    def _pair_ends(self, p: int) -> MedianEnds:
        return MedianEnds(self._columns.difference(p), self.zeros)

    def _difference(self, p: int) -> float:
        return self._pair_ends(p).median()


@forwards(as_ordered_table)
def sign_pairwise_test(
    scores: ScoreTable,
    *,
    zeros: str = "drop",
    alternative: Direction = "two-sided",
    **options: Unpack[Ordering],
) -> SignPairwiseResult:
    """Test for every pair of k models which wins more often, with adjusted p-values.

    Parameters
    ----------
    zeros : {'drop', 'split'}, default='drop'
        As in `sign_test`, for each pair.

    Returns
    -------
    SignPairwiseResult
        With ``names`` (k,), ``pairs`` (P names), and of shape (P,) ``n_positive``, ``n_negative``
        and ``n_zero`` (rows where the first model's score is greater, less and the same),
        ``statistic``, ``estimate`` (the median difference), ``effect_size``, ``pvalue`` (always
        exact), ``adjusted_pvalue``, ``method``, ``status``; ``average_ranks`` (k,), ``cliques``
        (the groups that do not differ); methods ``matrix(field)`` (k, k),
        ``confidence_interval(confidence_level, simultaneous=False)``, ``summary()`` and
        ``to_dict()``.

    See Also
    --------
    sign_test : The test of one pair, with its notes.
    wilcoxon_pairwise_test : More power where differences are symmetric.

    Notes
    -----
    Each pair is tested as by `sign_test`: the positive differences are compared with the heads of
    as many fair coins as there are differences that are not 0.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30.
    .. [2] W. J. Conover (1999), Practical Nonparametric Statistics, section 3.4.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"tree": [.70, .68, .75, .71, .66], "forest": [.75, .72, .81, .74, .66]}
    >>> result = fc.sign_pairwise_test(scores)
    >>> result.n_positive.tolist(), result.n_negative.tolist(), result.pvalue.tolist()
    ([0], [4], [0.125])
    """
    check_choice("zeros", zeros, ZEROS)
    table = as_ordered_table(scores, alternative, **options)
    columns = table.columns

    positive, negative = count_signs(columns)
    n_zero = columns.n - positive - negative
    half = n_zero // 2 if zeros == "split" else np.zeros_like(n_zero)
    counted = positive + negative + 2 * half
    tests = OrderTests(
        statistic=(positive + half).astype(np.float64),
        pvalue=coin_pvalues(positive + half, negative + half, alternative, 1.0),
        effect_size=(positive - negative) / np.where(counted > 0, counted, 1),
        n_zero=n_zero,
        method=np.full(n_zero.shape, "sign test"),
    )

    return SignPairwiseResult(
        **order_pair_fields(table, tests),
        zeros=zeros,
        n_positive=positive,
        n_negative=negative,
    )


def count_signs(columns: Columns) -> tuple[Integers, Integers]:
    """Return how many differences of each pair are positive, and how many negative."""
    positive, negative = np.empty((2, columns.first.size), np.int64)
    for part, d in columns.blocks():
        positive[part] = np.count_nonzero(d > 0.0, axis=1)
        negative[part] = np.count_nonzero(d < 0.0, axis=1)
    return positive, negative
