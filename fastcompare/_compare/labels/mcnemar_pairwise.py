"""McNemar's test for every pair of k models, from one product of their correctness.

Notation: of a pair, b cases are right by the first model only, c by the second only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.documented import documented
from ..._base.types import (
    AnyLabels,
    Direction,
    Integers,
    NanPolicy,
    PairCorrection,
    Undefined,
    Vector,
)
from ..._inference.corrections.adjust import as_pair_claims
from ..._inference.corrections.pairs import check_models
from ..._inference.pvalues import TINY, open_side, upper_tail
from ..._inputs.accuracies import check_mcnemar
from ..._inputs.options import check_undefined
from ..._inputs.predictions import LabelTable, as_several_predictions, correct
from ..._results.pairs import Joint, PairsResult
from .differences import tango_ends
from .joint import discordant_counts, joint_counts
from .mcnemar_pvalues import mcnemar_methods, mcnemar_pvalue, mcnemar_pvalues
from .table import Table


@dataclass(frozen=True, eq=False, kw_only=True)
class McNemarPairwiseResult(PairsResult):
    """Result of `mcnemar_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    accuracy: Vector
    n10: Integers
    n01: Integers
    standard_error: Vector
    continuity: bool
    method: NDArray[np.str_]
    n: int

    title: ClassVar[str] = "McNemar's test of all pairs of models"
    quantity: ClassVar[str] = "accuracy"
    claim: ClassVar[str] = "is right more often than"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    def _later_standard_error(self) -> Vector:
        n, b, c = self.n, self.n10, self.n01
        return np.asarray(np.sqrt((n * (b + c) - (b - c) ** 2) / n) / n)

    def _later_status(self) -> NDArray[np.str_]:
        return np.where(self.n10 + self.n01 > 0, "ok", "no_discordant")

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, also of those that underflow."""
        log_p = super().log_pvalue
        for p in np.flatnonzero(self.pvalue < TINY):
            table = Table(0, int(self.n10[p]), int(self.n01[p]), 0)
            less = int(self.continuity)
            log_p[p] = mcnemar_pvalue(table, self.method[p], self.alternative, less)[1].log_pvalue
        return log_p

    def _ends(self, level: float) -> tuple[Vector | float, Vector | float]:
        """Return Tango's intervals, which have a width also where no case tells models apart."""
        tail = upper_tail(level, self.alternative)
        low, high = tango_ends(self.n10 / self.n, self.n01 / self.n, self.n, tail)
        return open_side(self.alternative, low, high, self.bounds)

    def _joint(self) -> Joint:
        """Return the covariance of right answers: p_ij - p_i p_j, with p_ij that both are right."""
        first, second = self._cells()
        both = np.diag(self.accuracy)
        both[first, second] = both[second, first] = self.accuracy[first] - self.n10 / self.n
        return Joint(both - np.outer(self.accuracy, self.accuracy), n=self.n)

    def _standing(self) -> Vector:
        return -self.accuracy


@documented
def mcnemar_pairwise_test(
    y_true: AnyLabels,
    predictions: LabelTable,
    *,
    method: str = "auto",
    continuity: bool = False,
    alternative: Direction = "two-sided",
    correction: PairCorrection = "auto",
    alpha: float = 0.05,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> McNemarPairwiseResult:
    """Test every pair of k models that labelled the same cases, with adjusted p-values.

    Each pair's test is that of `mcnemar_test`.

    Parameters
    ----------
    method : {'auto', 'exact', 'midp', 'asymptotic'}, default='auto'
        As in `mcnemar_test`; 'auto' chooses for each pair.
    continuity : bool, default=False
        Edwards' correction of the asymptotic test, as in `mcnemar_test`.
    alpha : float, default=0.05
        The chance of any false difference (by most corrections), for ``cliques`` and the summary.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do when a part of the result is not defined: here all parts always are.

    Returns
    -------
    McNemarPairwiseResult
        With ``names`` (k,), ``accuracy`` (k,), ``pairs`` (P names), and of shape (P,) ``n10``,
        ``n01``, ``estimate``, ``standard_error``, ``statistic``, ``pvalue``, ``log_pvalue``,
        ``adjusted_pvalue``, ``method``, ``status``; ``matrix(field)`` (k, k), ``cliques`` (the
        groups that do not differ); methods ``confidence_interval(confidence_level,
        simultaneous=False)`` (Tango's), ``summary()`` and ``to_dict()``.

    See Also
    --------
    cochran_q_test : One test of all models.

    References
    ----------
    .. [1] Q. McNemar (1947), doi:10.1007/BF02295996.
    .. [2] M. W. Fagerland, S. Lydersen, P. Laake (2013), doi:10.1186/1471-2288-13-91.
    .. [3] J. P. Shaffer (1986), doi:10.1080/01621459.1986.10478341.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> predicted = {name: scores > 0.5 for name, scores in data.scores.items()}
    >>> result = fc.mcnemar_pairwise_test(data.y_true, predicted)
    >>> len(result.pairs)
    10
    >>> bool((result.adjusted_pvalue >= result.pvalue).all())
    True
    """
    check_undefined(on_undefined)
    claims = as_pair_claims(alternative, correction, alpha)
    check_mcnemar(method, continuity)
    cases = as_several_predictions(y_true, predictions, nan_policy)
    check_models(len(cases.names), claims.correction)

    n, both = cases.truth.size, joint_counts(correct(cases))
    b, c = discordant_counts(both)
    chosen = mcnemar_methods(b + c, method, plain=not continuity)
    statistic, pvalue = mcnemar_pvalues(b, c, chosen, alternative=alternative, less=int(continuity))

    return McNemarPairwiseResult.made(
        names=cases.names,
        pvalue=pvalue,
        correction=claims.correction,
        alternative=alternative,
        accuracy=both.diagonal() / n,
        n10=b,
        n01=c,
        estimate=(b - c) / n,
        statistic=statistic,
        continuity=bool(continuity),
        alpha=claims.alpha,
        method=chosen,
        n=n,
        n_dropped=cases.n_dropped,
    )
