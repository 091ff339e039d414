"""Rank and sign tests of every pair of k models that share data sets, or of a control and each."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from .._base.documented import with_engine_options
from .._base.memory import read_only
from .._base.types import Direction, Fields, Integers, Vector
from .._inference.exact import coin_pvalues
from .._inference.pvalues import claim_ends
from .._inputs.options import as_choice, check_choice
from .._inputs.scores import ScoreTable
from .._results.pairs import (
    ALL_PAIRS,
    Cells,
    Chosen,
    PairsResult,
    named_pairs,
    pair_fields,
    warn_pairs,
)
from ..paired._columns import Columns
from ..paired._sign import SIGN_ZEROS, MedianEnds
from ..paired._wilcoxon import (
    METHODS,
    TITLES,
    ZEROS,
    WalshAverages,
    rank_sums,
    signed_rank_pvalues,
    walsh_averages,
)
from ._ranks import OrderedTable, OrderTestOptions, as_ordered_table


def all_estimates(result: Any) -> Vector:
    """Return the estimates (P,) of all pairs; the array is read-only."""
    return np.asarray(read_only(result._estimates(ALL_PAIRS)))


def order_pair_fields(table: OrderedTable, pvalue: Vector, n_zero: Integers) -> Fields:
    """Return the fields of a result with these p-values (P,), and warn of pairs that never differ.

    `n_zero` (P,) counts the differences of 0.
    """
    models, columns = table.models, table.columns
    pairs = None if table.control is None else named_pairs(models.names, table.cells)
    fields = pair_fields(models.names, pvalue, table.correction, table.alternative, pairs)
    status = np.where(n_zero < columns.n, "ok", "no_difference")
    warn_pairs(fields["pairs"], status, table.on_undefined)
    return {
        **fields,
        "average_ranks": table.average_ranks(),
        "alpha": table.alpha,
        "n": columns.n,
        "n_zero": n_zero,
        "n_dropped": models.n_dropped,
        "status": status,
        "control": table.control,
        "_columns": columns,
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class OrderPairsResult(PairsResult):
    """Tests that only order differences, of all P pairs or of those with a control.

    Estimates and intervals take far longer than p-values, so they are computed on demand.
    """

    estimate: Vector = field(init=False, default=cached_property(all_estimates))  # type: ignore[arg-type]
    effect_size: Vector
    zeros: str
    n: int
    n_zero: Integers
    method: NDArray[np.str_]
    average_ranks: Vector
    control: str | None
    _columns: Columns = field(repr=False)

    critical_difference: ClassVar[None] = None  # each pair has its own
    quantity: ClassVar[str] = "scores"
    _claim: ClassVar[str] = "scores {more} than"
    _row: ClassVar[str] = "row"
    signed: ClassVar[tuple[str, ...]] = ("estimate", "effect_size")  # not sums of ranks
    _picture: ClassVar[str] = "pvalue_matrix"
    _test: ClassVar[str]

    @property
    def title(self) -> str:  # type: ignore[override]
        """The title of the result."""
        tested = "all pairs of models" if self.control is None else "models against a control"
        return f"{self._test} of {tested}"

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """The maximal groups of models of which no two differ at `alpha`, by name, best first.

        Empty where p-values are undefined, or only pairs with a control are tested.
        """
        return super().cliques if self.control is None else ()

    def _cells(self) -> Cells:
        return self._columns.first, self._columns.second

    def _chosen_limits(self, chosen: Chosen, level: float) -> tuple[Vector, Vector]:
        """Return the ends of the intervals of the location shifts of the `chosen` pairs."""
        pairs = map(self._pair_ends, self._places(chosen))
        ends = [claim_ends(self.alternative, level, pair.low, pair.high) for pair in pairs]
        low, high = np.reshape(ends, (-1, 2)).T
        return low, high

    def _estimates(self, chosen: Chosen) -> Vector:
        """Return the estimates of the `chosen` pairs."""
        return np.array([self._difference(p) for p in self._places(chosen)])

    def _places(self, chosen: Chosen) -> list[int]:
        """Return the indices of the chosen pairs."""
        return list(np.arange(len(self.pairs))[chosen].tolist())

    def _pair_ends(self, p: int) -> MedianEnds | WalshAverages:
        """Return the estimate and the interval ends of the pair with this index."""
        raise NotImplementedError

    def _difference(self, p: int) -> float:
        """Return the estimate of the pair with this index: a median or pseudomedian."""
        return self._pair_ends(p).median()

    def _difference_text(self, p: int) -> str:
        return f"{abs(self._difference(p)):.4g}"


@dataclass(frozen=True, eq=False, kw_only=True)
class SignPairwiseResult(OrderPairsResult):
    """Result of `sign_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    n_positive: Integers
    n_negative: Integers
    _test: ClassVar[str] = "Sign test"

    def _pair_ends(self, p: int) -> MedianEnds:
        return MedianEnds(self._columns.difference(p), self.zeros)


@with_engine_options(as_ordered_table)
def sign_pairwise_test(
    scores: ScoreTable,
    *,
    zeros: str = "drop",
    alternative: Direction = "two-sided",
    **options: Unpack[OrderTestOptions],
) -> SignPairwiseResult:
    """Compare k models in pairs, or with a control, by the sign test, with adjusted p-values.

    Parameters
    ----------
    zeros : {'drop', 'split'}, default='drop'
        As in `sign_test`, for each pair.

    Returns
    -------
    SignPairwiseResult
        With ``names`` (k,), ``control``, ``pairs`` (P names), and of shape (P,) ``n_positive``,
        ``n_negative`` and ``n_zero`` (rows in which the first model's score is higher, lower and
        equal), ``statistic``, ``estimate`` (the median difference), ``effect_size``, ``pvalue``
        (always exact), ``adjusted_pvalue``, ``method``, ``status``; ``average_ranks`` (k,),
        ``cliques`` (the maximal groups of models without a significant difference); methods
        ``matrix(field)`` (k, k), ``confidence_interval(confidence_level, simultaneous=False)``,
        ``summary()`` and ``to_dict()``.

    See Also
    --------
    sign_test : The test of one pair, with its notes.
    wilcoxon_pairwise_test : More power where differences are symmetric.

    Notes
    -----
    Each pair is tested as in `sign_test`: under the null hypothesis the number of positive
    differences among the non-zero ones is binomial with probability 1/2.

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
    check_choice("zeros", zeros, SIGN_ZEROS)
    table = as_ordered_table(scores, alternative, **options)
    columns = table.columns

    positive, negative = table.wins()
    n_zero = columns.n - positive - negative
    half = n_zero // 2 if zeros == "split" else np.zeros_like(n_zero)  # zeros added to either side
    n_used = positive + negative + 2 * half
    pvalue = coin_pvalues(positive + half, negative + half, alternative, weight=1.0)

    return SignPairwiseResult(
        **order_pair_fields(table, pvalue, n_zero),
        statistic=(positive + half).astype(np.float64),
        effect_size=(positive - negative) / np.where(n_used > 0, n_used, 1),
        method=np.full(n_zero.shape, "sign test"),
        zeros=zeros,
        n_positive=positive,
        n_negative=negative,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class WilcoxonPairwiseResult(OrderPairsResult):
    """Result of `wilcoxon_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    _test: ClassVar[str] = "Wilcoxon's signed rank test"
    _stated_difference: ClassVar[str] = "Hodges-Lehmann estimate of first minus second"

    def _pair_ends(self, p: int) -> WalshAverages:
        how = "exact" if self.method[p] == TITLES["exact"] else "normal"
        return walsh_averages(self._columns.sized_pair(p), self.zeros, how)


@with_engine_options(as_ordered_table)
def wilcoxon_pairwise_test(
    scores: ScoreTable,
    *,
    zeros: str = "wilcox",
    method: str = "auto",
    alternative: Direction = "two-sided",
    **options: Unpack[OrderTestOptions],
) -> WilcoxonPairwiseResult:
    """Compare k models in pairs, or with a control, by Wilcoxon's signed-rank test, adjusted.

    Parameters
    ----------
    zeros, method
        As in `wilcoxon_test`, for each pair.

    Returns
    -------
    WilcoxonPairwiseResult
        With ``names`` (k,), ``control``, ``pairs`` (P names), and of shape (P,) ``statistic`` (W+),
        ``estimate`` (Hodges-Lehmann), ``effect_size`` (matched-pairs rank-biserial correlation),
        ``pvalue``, ``adjusted_pvalue``, ``n_zero``, ``method``, ``status``; ``average_ranks`` (k,),
        ``cliques`` (the maximal groups of models without a significant difference); methods
        ``matrix(field)`` (k, k), ``confidence_interval(confidence_level, simultaneous=False)``,
        ``summary()`` and ``to_dict()``.

    Raises
    ------
    InvalidValueError
        If 'exact' is specified for more than 3,000 differences.

    See Also
    --------
    wilcoxon_test : The test of one pair, with its notes.
    sign_pairwise_test : Only the signs count.

    Notes
    -----
    Each pair is tested as in `wilcoxon_test`: W+ is the sum of the ranks of positive differences.

    Pairs without ties share an exact distribution; with ties, each pair has its own. Estimates and
    intervals are computed on demand, since they take longer than all p-values.

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

    return WilcoxonPairwiseResult(
        **order_pair_fields(table, pvalue, sums.n_zero),
        statistic=sums.w_plus(zeros),
        effect_size=sums.effect_size(),
        method=np.where(exact, TITLES["exact"], TITLES["normal"]),
        zeros=zeros,
    )
