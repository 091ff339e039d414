"""AUCs of k models that scored the same cases, and their covariance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...._base.forward import forwards
from ...._base.types import Undefined
from ...._inference.status import FEW_CASES, announce, sample_status
from ...._inputs.options import check_reference, check_undefined
from ...._inputs.scores import ScoreTable
from ...._results.records import Record
from .design import Counting, as_sample


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
    title: ClassVar[str] = "AUCs and their DeLong covariance"

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """The standard errors (k,) of the AUCs."""
        return np.sqrt(np.diag(self.covariance))

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        rows = zip(self.names, self.auc, self.standard_error, strict=True)
        listed = ", ".join(f"{name} {auc:.4f} (SE {error:.4f})" for name, auc, error in rows)
        return f"AUCs on {self.n_positive} positives and {self.n_negative} negatives: {listed}."


@forwards(as_sample)
def delong_covariance(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    reference: str = "auto",
    on_undefined: Undefined = "warn",
    **counting: Unpack[Counting],
) -> DeLongCovariance:
    """Return the AUCs of k models on the same cases and DeLong's estimate of their covariance.

    Parameters
    ----------
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each of 1 to 1000 models and more; names reach the result.
    reference : {'auto', 'normal', 't'}, default='auto'
        Which covariance clusters have: 'normal' is Obuchowski's, the others are CR2's, as in
        `delong_test`. It makes no difference without `groups`.

    Returns
    -------
    DeLongCovariance
        With ``auc`` (k,), ``covariance`` (k, k), ``standard_error`` (k,), ``names``,
        ``n_positive``, ``n_negative``, ``status``.

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
    cases, (moments, m, n, design) = as_sample(y_true, scores, reference, False, **counting)

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
