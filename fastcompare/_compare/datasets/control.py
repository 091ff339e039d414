"""Tests of all models against one of them, the control."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

from ..._base.forward import forwards
from ..._base.types import Vector
from ..._inference.corrections.adjust import CORRECTIONS
from ..._inference.corrections.words import as_correction
from ..._inference.pvalues import log_normal_pvalues
from ..._inputs.models import as_model
from ..._inputs.scores import ScoreTable
from ..._results.pairs import Cells, control_cells
from .critical import critical_difference
from .rank_pairs import DUNN, RankPairsResult, rank_pair_fields, rank_z
from .ranked_table import Ranking, as_ranked_table


@dataclass(frozen=True, eq=False, kw_only=True)
class ControlTestResult(RankPairsResult):
    """Result of `control_test`; arrays over the k - 1 pairs of the control and another model."""

    control: str
    title: ClassVar[str] = "Models against a control by average ranks"

    @property
    def cliques(self) -> tuple[tuple[str, ...], ...]:
        """No groups: only pairs with the control are tested."""
        return ()

    def _cells(self) -> Cells:
        return control_cells(len(self.names), self.names.index(self.control))

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms of the unadjusted p-values, finite where those underflow."""
        return log_normal_pvalues(self.statistic, self.pvalue, self.alternative)


@forwards(as_ranked_table)
def control_test(
    scores: ScoreTable,
    control: str | int,
    *,
    correction: str = "holm",
    **options: Unpack[Ranking],
) -> ControlTestResult:
    """Test which of k models differ from one of them, by their average ranks on N data sets.

    Parameters
    ----------
    scores
        As in `nemenyi_test`.
    control : str or int
        The name of the model that the others are compared with, or the index of its column. Choose
        it before you see the data.
    correction : str, default='holm'
        'bonferroni-dunn', any method of `adjust_pvalues` that is not made for all pairs, or 'none'.
    alpha : float, default=0.05
        The chance of any false difference (by most corrections), for the summary and
        `critical_difference`.

    Returns
    -------
    ControlTestResult
        With ``names`` (k,), ``average_ranks`` (k,), ``control``, ``pairs`` (control, other), and of
        shape (k - 1,) ``estimate`` (average rank of the control less that of the other model),
        ``statistic`` (z), ``pvalue``, ``adjusted_pvalue``, ``log_pvalue``, ``standard_error``,
        ``method``, ``status``; ``critical_difference`` (only of Bonferroni-Dunn), ``alpha``, ``n``,
        ``n_dropped``, ``matrix(field)`` (k, k), NaN where no control is,
        ``confidence_interval(confidence_level, simultaneous=False)``, ``summary()`` and
        ``to_dict()``.

    See Also
    --------
    nemenyi_test : All pairs.
    critical_difference : That of Bonferroni-Dunn alone.

    Notes
    -----
    z is the difference of average ranks over sqrt(k (k + 1) / (6 N)), without correction for ties.
    k - 1 comparisons leave more power than the k (k - 1) / 2 of all pairs. Intervals are as those
    of `friedman_pairwise_test`; simultaneous ones go by the largest of the k - 1 joint normal z.

    References
    ----------
    .. [1] J. Demšar (2006), Journal of Machine Learning Research 7, 1-30, section 3.2.2.
    .. [2] O. J. Dunn (1961), doi:10.1080/01621459.1961.10482090.

    Examples
    --------
    >>> import fastcompare as fc
    >>> errors = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    >>> result = fc.control_test(errors, "a", higher_is_better=False)
    >>> print(result.summary())
    1 of 2 differences in average rank is significant at the 5 % level after Holm correction: b
    ranks better than a by 1.7500 (adjusted p = 0.0267).
    """
    correction = as_correction("correction", correction, ("none", DUNN, *CORRECTIONS))
    table = as_ranked_table(scores, **options)
    names, ranks = table.models.names, table.ranks
    chosen = as_model("control", control, names)

    cells = control_cells(ranks.k, chosen)
    distance = None
    if correction in (DUNN, "bonferroni"):
        distance = critical_difference(ranks.k, ranks.n, test=DUNN, alpha=table.alpha)

    return ControlTestResult(
        **rank_pair_fields(table, cells, rank_z(ranks, cells), correction),
        critical_difference=distance,
        control=names[chosen],
    )
