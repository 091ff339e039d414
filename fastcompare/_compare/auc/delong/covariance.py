"""AUCs of k models that scored the same cases, and their covariance."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...._base.forward import forwards
from ...._base.text import counted, figure
from ...._base.types import Matrix, Undefined
from ...._inference.status import FEW_CASES, announce, sample_status
from ...._inputs.chunks import Chunks, as_stream, check_chunked, check_in_memory, is_chunked_table
from ...._inputs.options import check_reference, check_undefined, count_jobs
from ...._inputs.scores import ScoreTable
from ...._results.records import Record
from ..streams.delong import Workers, stream_sums
from .design import Counting, as_sample
from .streamed import moments_of_stream


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongCovariance(Record):
    """Result of `delong_covariance`."""

    auc: NDArray[np.float64]
    covariance: NDArray[np.float64]
    names: tuple[str, ...]
    n_positive: int
    n_negative: int
    n_dropped: int
    status: str
    auc_exact: bool = True
    covariance_bound: float | Matrix = 0.0
    title: ClassVar[str] = "AUCs and their DeLong covariance"
    _has_interval: ClassVar[bool] = True  # of each model, in tables

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """The standard errors (k,) of the AUCs."""
        return np.sqrt(np.diag(self.covariance))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        rows = zip(self.names, self.auc, self.standard_error, strict=True)
        told = [f"{name} {figure(auc)} (SE {figure(error)})" for name, auc, error in rows]
        cases = counted(self.n_positive, "positive"), counted(self.n_negative, "negative")
        return f"AUCs on {' and '.join(cases)}: {', '.join(told)}."


@forwards(as_sample)
def delong_covariance(
    y_true: ArrayLike | Chunks,
    scores: ScoreTable | None = None,
    *,
    reference: str = "auto",
    executor: Executor | None = None,
    on_undefined: Undefined = "warn",
    **counting: Unpack[Counting],
) -> DeLongCovariance:
    """Return the AUCs of k models on the same cases and DeLong's estimate of their covariance.

    Parameters
    ----------
    y_true : array-like of shape (n,), or chunks
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, without `scores`,
        chunks of labels and scores as in `delong_test`, of any number of models.
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each of 1 to 1000 models and more; names reach the result.
    reference : {'auto', 'normal', 't'}, default='auto'
        Which covariance clusters have: 'normal' is Obuchowski's, the others are CR2's, as in
        `delong_test`. It makes no difference without `groups`.

    Returns
    -------
    DeLongCovariance
        With ``auc`` (k,), ``covariance`` (k, k), ``standard_error`` (k,), ``names``,
        ``n_positive``, ``n_negative``, ``status``. For chunks ``covariance_bound`` (k, k) says how
        far an entry may be from its value in memory; the AUCs and their variances are exact.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing, has one case or is in one cluster; the covariance is NaN then.
    SmallSampleWarning
        'small_sample' below 30 cases of a class, of sampling weights below 30 effective ones:
        normal intervals by this covariance are too narrow. 'few_clusters' for clusters with few
        degrees of freedom, as in `delong_test`.

    See Also
    --------
    delong_pairwise_test : Takes variances of differences without the cancellation that
        ``S[i, i] + S[j, j] - 2 * S[i, j]`` suffers for similar models.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] N. A. Obuchowski (1997), doi:10.2307/2533958.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0, 0, 1, 1, 1]
    >>> result = fc.delong_covariance(
    ...     y, {"A": [0.1, 0.2, 0.6, 0.7, 0.8], "B": [0.3, 0.6, 0.2, 0.7, 0.9]}
    ... )
    >>> result.auc.round(4).tolist(), result.covariance.round(4).tolist()
    ([1.0, 0.6667], [[0.0, 0.0], [0.0, 0.1111]])
    """
    check_undefined(on_undefined)

    check_reference(reference)
    if is_chunked_table(y_true, scores, **counting):
        return covariance_of_chunks(y_true, scores, executor, on_undefined, **counting)
    check_in_memory(executor)
    cases, (moments, m, n, design) = as_sample(y_true, scores, reference, False, **counting)  # type: ignore[arg-type]

    status = design.status(sample_status(m, n), FEW_CASES)
    announce(status, on_undefined)

    return DeLongCovariance(
        auc=moments.auc,
        covariance=moments.covariance,
        names=cases.names,
        n_positive=m,
        n_negative=n,
        n_dropped=cases.n_dropped,
        status=status,
    )


def covariance_of_chunks(
    y_true: Any,
    scores: Any,
    executor: Executor | None,
    on_undefined: str,
    *,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: str = "raise",
    **others: Any,
) -> DeLongCovariance:
    """Return the covariance of the models in chunks, or in memory-mapped arrays."""
    jobs = count_jobs(n_jobs)
    check_chunked(executor, **others)
    stream = as_stream((y_true, scores), pos_label, nan_policy)
    sums = stream_sums(stream, Workers(jobs, executor))
    auc, covariance, bound = moments_of_stream(sums)
    status = sample_status(sums.m, sums.n)
    announce(status, on_undefined)
    return DeLongCovariance(
        auc=auc,
        covariance=covariance,
        covariance_bound=bound,
        names=stream.names,
        n_positive=sums.m,
        n_negative=sums.n,
        n_dropped=sums.n_dropped,
        status=status,
    )
