"""The exact test of all pairs of models by differences of rank sums."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np

from ..._base.forward import forwards
from ..._base.types import Vector
from ..._inference.corrections.adjust import check_correction
from ..._inference.corrections.pairs import check_models
from ..._inputs.exact_ranks import check_few, check_untied
from ..._inputs.scores import ScoreTable
from .rank_pairs import RankPairsResult, RankTests, all_cells, rank_error, rank_pair_fields
from .ranked_table import Ranking, as_ranked_table

LARGEST = 20_000  # N (k - 1), the largest difference: 0.1 s; there z gives p = 0.0126 as 0.0125


@dataclass(frozen=True, eq=False, kw_only=True)
class FriedmanExactPairsResult(RankPairsResult):
    """Result of `friedman_exact_pairs_test`; arrays over the P pairs, in row order."""

    title: ClassVar[str] = "All pairs of models by rank sums, exact"

    def _ends(self, level: float) -> tuple[Vector, Vector]:
        tail = distance_tail(len(self.names), self.n)
        farthest = int(np.flatnonzero(tail > 1.0 - level)[-1])  # rank sums that are not rejected
        return (self.statistic - farthest) / self.n, (self.statistic + farthest) / self.n

    def _joint(self) -> None:
        return None  # Bonferroni's level is exact, the joint normal one is not


@forwards(as_ranked_table)
def friedman_exact_pairs_test(
    scores: ScoreTable,
    *,
    correction: str = "holm",
    **options: Unpack[Ranking],
) -> FriedmanExactPairsResult:
    """Test which of k models differ on N data sets, by exact p-values of rank sum differences.

    Parameters
    ----------
    scores, correction
        As in `friedman_pairwise_test`; no two models may tie on a data set.

    Returns
    -------
    FriedmanExactPairsResult
        As that of `friedman_pairwise_test`, ``statistic`` being the difference of rank sums.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything, for ties within a data
        set, and where N (k - 1) exceeds 20,000.

    See Also
    --------
    friedman_pairwise_test : The normal approximation: ties, and more data sets.

    Notes
    -----
    If all orders of the models are equally likely, the ranks of two of them differ by d with
    probability (k - abs(d)) / (k (k - 1)) on each data set. The p-value is the chance that the sum
    of N such differences is at least as far from 0. An interval holds the shifts that this would
    not reject; simultaneous ones are at Bonferroni's level, as no joint distribution is exact.

    References
    ----------
    .. [1] R. Eisinga, T. Heskes, B. Pelzer, M. Te Grotenhuis (2017),
       doi:10.1186/s12859-017-1486-2.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> fc.friedman_exact_pairs_test(errors, higher_is_better=False).pvalue.round(4)
    array([0.0139, 0.1127, 0.6127])
    """
    correction = check_correction(correction)
    table = as_ranked_table(scores, rows=True, **options)
    ranks = table.ranks
    check_models(ranks.k, correction)
    check_untied(ranks.doubled, table.models.names)
    check_few(ranks.n, ranks.k, LARGEST)

    cells = all_cells(ranks.k)
    differences = ranks.differences(cells) // 2  # without ties, all doubled ranks are even
    tests = RankTests(
        statistic=differences.astype(np.float64),
        pvalue=distance_tail(ranks.k, ranks.n)[np.abs(differences)],
        standard_error=rank_error(ranks.k, ranks.n),
        method="exact distribution of differences of rank sums",
    )

    return FriedmanExactPairsResult(**rank_pair_fields(table, cells, tests, correction))


def distance_tail(k: int, n: int) -> Vector:
    """Return P(abs(D) >= d) for d = 0, ..., n (k - 1), D the difference of two rank sums.

    The n-th power, by squaring, of the distribution on one data set: sums of products of
    probabilities, so tails keep their digits.
    """
    steps = np.abs(np.arange(1 - k, k))
    one = np.where(steps > 0, (k - steps) / (k * (k - 1.0)), 0.0)
    total = np.ones(1)
    with np.errstate(under="ignore"):
        for bit in f"{n:b}":
            total = np.convolve(total, total)
            if bit == "1":
                total = np.convolve(total, one)
    above = np.cumsum(total[::-1])[: n * (k - 1)]  # P(D >= d) from the largest d down to 1
    return np.asarray(np.minimum(np.append(1.0, 2.0 * above[::-1]), 1.0))
