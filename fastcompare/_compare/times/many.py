"""Concordances of k models on the same cases: their covariance, all pairs, and all at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import forwards
from ..._base.text import counted, figure
from ..._base.types import Matrix, Undefined, Vector
from ..._inference.status import announce
from ..._inputs.options import check_undefined
from ..._inputs.scores import ScoreTable
from ..._results.records import Record
from ..auc.intervals import INTERVALS, Evidence
from .concordance import KINDS, caution, direction_note
from .design import Counting, as_sample


@dataclass(frozen=True, eq=False, kw_only=True)
class ConcordanceCovarianceResult(Record):
    """Result of `concordance_covariance`."""

    names: tuple[str, ...]
    concordance: Vector
    covariance: Matrix
    df: Vector
    n: int
    n_events: int
    tau: float | None
    n_dropped: int
    method: str
    status: str
    _evidence: tuple[Evidence, ...] = field(repr=False)

    title: ClassVar[str] = "Concordances and their covariance"
    _has_interval: ClassVar[bool] = True  # of each model, in tables
    _picture: ClassVar[str] = "forest"

    @property
    def standard_error(self) -> Vector:
        """The standard errors (k,) of the concordances."""
        return np.sqrt(np.diag(self.covariance))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        rows = zip(self.names, self.concordance, self.standard_error, strict=True)
        told = [f"{name} {figure(value)} (SE {figure(error)})" for name, value, error in rows]
        cases = f"{counted(self.n, 'case')} with {counted(self.n_events, 'event')}"
        note = direction_note(self.concordance) + caution(self.status, self.n_events)
        return f"{self.method} on {cases}: {', '.join(told)}.{note}"

    def _own_ends(self, level: float) -> tuple[Vector, Vector]:
        return own_ends(self._evidence, level)


def own_ends(evidence: tuple[Evidence, ...], level: float) -> tuple[Vector, Vector]:
    """Return the score intervals of the models' concordances."""
    interval = INTERVALS[KINDS["score"]]
    ends = [
        interval(found, 0.5 * (1.0 - level)) if found.shared else (np.nan, np.nan)
        for found in evidence
    ]
    low, high = np.transpose(ends)
    return low, high


@forwards(as_sample)
def concordance_covariance(
    time: ArrayLike,
    event: ArrayLike | None,
    scores: ScoreTable,
    *,
    on_undefined: Undefined = "warn",
    **counting: Unpack[Counting],
) -> ConcordanceCovarianceResult:
    """Return the concordances of k models on the same cases, and their covariance.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each model: the higher, the sooner the event; names reach the result.

    Returns
    -------
    ConcordanceCovarianceResult
        With ``names``, ``concordance`` (k,), ``covariance`` (k, k), ``standard_error`` (k,), ``df``
        (k,), ``n``, ``n_events`` (those before `tau`), ``tau``, ``method``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        'no_pairs', 'one_event' or 'too_few_clusters', as in `concordance_test`; the covariance is
        NaN then.
    SmallSampleWarning
        'small_sample', 'few_clusters' or 'heavy_weights', as in `concordance_test`.

    See Also
    --------
    concordance_pairwise_test : Takes variances of differences without the cancellation that
        ``S[i, i] + S[j, j] - 2 * S[i, j]`` suffers for similar models.

    References
    ----------
    .. [1] F. E. Harrell, R. M. Califf, D. B. Pryor, K. L. Lee, R. A. Rosati (1982),
       doi:10.1001/jama.1982.03320430047030.
    .. [2] H. Uno, T. Cai, M. J. Pencina, R. B. D'Agostino, L. J. Wei (2011), doi:10.1002/sim.4154.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 4, 5], [1, 1, 0, 1, 0, 1]
    >>> scores = {"A": [5, 3, 3, 4, 2, 1], "B": [4, 5, 3, 1, 2, 2]}
    >>> result = fc.concordance_covariance(time, event, scores)
    >>> result.concordance.round(4).tolist(), result.standard_error.round(4).tolist()
    ([0.85, 0.7], [0.1, 0.1])
    """
    check_undefined(on_undefined)
    sample = as_sample(time, event, scores, **counting)
    announce(sample.status, on_undefined)
    models = range(sample.k)
    return ConcordanceCovarianceResult(
        names=sample.cases.names,
        concordance=sample.values,
        covariance=sample.covariance,
        df=np.array([sample.spread(model).df for model in models]),
        method=sample.title,
        status=sample.status,
        **sample.fields(),
        _evidence=tuple(sample.evidence(model) for model in models),
    )
