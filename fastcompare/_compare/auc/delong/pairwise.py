"""DeLong's test for every pair of k models that scored the same cases."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...._base.exceptions import InvalidValueError
from ...._inference.corrections.adjust import check_correction
from ...._inference.pvalues import normal_pvalues, ratios
from ...._inference.status import announce, difference_status, sample_status
from ...._inputs.cases import as_cases
from ...._inputs.options import (
    ALTERNATIVES,
    Direction,
    NanPolicy,
    Undefined,
    check_choice,
    count_jobs,
)
from ...._inputs.scores import ScoreTable
from ...._results.pairs import adjusted, pairs_named, pairs_of
from .design import TITLES, Sample, moments_of_cases
from .pairwise_result import DeLongPairwiseResult


def delong_pairwise_test(
    y_true: ArrayLike,
    scores: ScoreTable,
    *,
    alternative: Direction = "two-sided",
    correction: str = "holm",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    method: str = "auto",
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
) -> DeLongPairwiseResult:
    """Test every pair of k models that scored the same cases, with adjusted p-values.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    scores : array-like of shape (n, k), mapping or data frame
        A column of scores for each of at least two models; names reach the result.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims for each pair that the model named first has the greater AUC. Choose the
        order before you see the data.
    correction : str, default='holm'
        Any method of `adjust_pvalues`, or 'none'.
    sample_weight, frequency_weight, groups, pos_label, nan_policy, method, n_jobs, on_undefined
        As in `delong_covariance`.

    Returns
    -------
    DeLongPairwiseResult
        With ``names`` (k,), ``auc`` (k,), ``covariance`` (k, k), ``pairs`` (P names), and of shape
        (P,) ``estimate``, ``standard_error``, ``statistic``, ``pvalue``, ``adjusted_pvalue``,
        ``status``; methods ``confidence_interval(confidence_level, simultaneous=False)``,
        ``auc_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing, has one case or is in one cluster, or a pair's variance is 0 and its
        difference is not.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] S. Holm (1979), https://www.jstor.org/stable/4615733.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.delong_pairwise_test(data.y_true, data.scores)
    >>> len(result.pairs)
    10
    >>> bool((result.adjusted_pvalue >= result.pvalue).all())
    True
    """
    check_choice("alternative", alternative, ALTERNATIVES)
    check_correction(correction, alternative)
    jobs = count_jobs(n_jobs)
    cases = as_cases(
        y_true,
        pos_label=pos_label,
        nan_policy=nan_policy,
        sample_weight=sample_weight,
        frequency_weight=frequency_weight,
        groups=groups,
        table=scores,
    )
    if len(cases.names) < 2:
        raise InvalidValueError("`scores` must hold at least two models, got one.")

    sample = moments_of_cases(cases, method, jobs)
    moments = sample.moments

    first, second = np.triu_indices(len(cases.names), 1)
    estimate = moments.difference[first, second]
    error = np.sqrt(moments.difference_variance[first, second])
    z = ratios(estimate, error)
    pvalue = normal_pvalues(z, error, alternative)
    pairs = pairs_of(cases.names)
    status = pair_statuses(sample)
    for word in dict.fromkeys(status.tolist()):
        announce(word, on_undefined, pairs_named(pairs, status == word))

    return DeLongPairwiseResult(
        names=cases.names,
        auc=moments.auc,
        covariance=moments.covariance,
        pairs=pairs,
        estimate=estimate,
        standard_error=error,
        statistic=z,
        pvalue=pvalue,
        adjusted_pvalue=adjusted(pvalue, correction),
        correction=correction,
        alternative=alternative,
        status=status,
        n_positive=sample.m,
        n_negative=sample.n,
        n_dropped=cases.n_dropped,
        method=TITLES[sample.design.kind],
    )


def pair_statuses(sample: Sample) -> NDArray[np.str_]:
    """Return the status word of every pair."""
    moments, m, n, design = sample
    first, second = np.triu_indices(moments.auc.size, 1)
    words = np.full(first.size, design.status(sample_status(m, n)), dtype="U32")
    for p in np.flatnonzero(moments.difference_variance[first, second] == 0.0):
        i, j = first[p], second[p]
        aucs = moments.auc[[i, j]].tolist()
        words[p] = difference_status(m, n, 0.0, float(moments.difference[i, j]), aucs)
    return words
