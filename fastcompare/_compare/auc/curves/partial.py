"""The area under a part of the ROC curve: its interval and paired test."""

from __future__ import annotations

from concurrent.futures import Executor

from numpy.typing import ArrayLike

from ...._inference.status import announce
from ...._inputs.cases import as_cases
from ...._inputs.options import Alternative, NanPolicy, Undefined, check_choice, check_level
from ...._inputs.randomness import RandomState
from ...._inputs.ranges import DEFAULT_RANGE
from ...._inputs.workers import Progress
from ...._resampling.bootstrap import UNSTUDENTIZED, as_claim, as_draws
from .measures import area_measure
from .result import CurveIntervalResult, CurveTestResult, comparison_of, interval_of


def partial_auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: tuple[float, float] = DEFAULT_RANGE,
    tpr: tuple[float, float] | None = None,
    standardized: bool = False,
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    method: str = "percentile",
    stratified: bool = True,
    groups: ArrayLike | None = None,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    keep: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> CurveIntervalResult:
    """Return a partial AUC with a bootstrap interval.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score : array-like of shape (n,)
        The higher the score, the likelier positive.
    fpr, tpr, standardized
        As in `partial_auc`.
    confidence_level : float, default=0.95
        Between 0 and 1.
    method : {'percentile', 'basic', 'bca', 'normal'}, default='percentile'
        As in `bootstrap_auc_test`; for 'bca' the acceleration comes from the jackknife, which
        leaves out one case or cluster after the other, or in large samples 2048 groups of them.
    n_resamples, stratified, groups, rng, n_jobs, executor, progress, keep
        As in `bootstrap_auc_test`.
    pos_label, nan_policy, on_undefined
        As in `delong_test`.

    Returns
    -------
    CurveIntervalResult
        With ``estimate``, ``standard_error`` (of the replicates), ``confidence_interval()``,
        ``n_resamples`` (those that count), ``n_left_out``, ``seed``, ``resampling``,
        ``distribution``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates do not vary.

    References
    ----------
    .. [1] D. K. McClish (1989), doi:10.1177/0272989X8900900307.
    .. [2] X. Robin et al. (2011), pROC, doi:10.1186/1471-2105-12-77.
    .. [3] B. Efron, R. J. Tibshirani (1993), doi:10.1201/9780429246593.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> scores = data.scores["decision_tree"]
    >>> result = fc.partial_auc_interval(data.y_true, scores, fpr=(0, 0.2), rng=0)
    >>> low, high = result.confidence_interval()
    >>> 0 < low < result.estimate < high < 0.2
    True
    """
    measure = area_measure(fpr, tpr, standardized)
    level = check_level(confidence_level)
    check_choice("method", method, UNSTUDENTIZED)
    draws = as_draws(
        n_resamples=n_resamples,
        rng=rng,
        n_jobs=n_jobs,
        executor=executor,
        progress=progress,
        keep=keep,
    )
    cases = as_cases(
        y_true,
        pos_label=pos_label,
        nan_policy=nan_policy,
        groups=groups,
        y_score=y_score,
    )

    result = interval_of(measure, cases, stratified, method, draws, level)
    announce(result.status, on_undefined)
    return result


def partial_auc_test(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
    fpr: tuple[float, float] = DEFAULT_RANGE,
    tpr: tuple[float, float] | None = None,
    standardized: bool = False,
    n_resamples: int = 9999,
    method: str = "percentile",
    stratified: bool = True,
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    rng: RandomState = None,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress = None,
    keep: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> CurveTestResult:
    """Test by resampling cases whether two models have different partial AUCs.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score_a, y_score_b : array-like of shape (n,)
        Scores of the same cases by the two models; the higher, the likelier positive.
    fpr, tpr, standardized
        As in `partial_auc`.
    method : {'percentile', 'basic', 'bca', 'normal'}, default='percentile'
        As in `bootstrap_auc_test`; for 'bca' the acceleration comes from the jackknife, which
        leaves out one case or cluster after the other, or in large samples 2048 groups of them.
    n_resamples, stratified, groups, rng, n_jobs, executor, progress, keep
        As in `bootstrap_auc_test`.
    alternative, margin, pos_label, nan_policy, on_undefined
        As in `delong_test`.

    Returns
    -------
    CurveTestResult
        With ``statistic`` (the estimate, shifted by the margin, over its standard error),
        ``pvalue``, ``estimate`` (a - b), ``standard_error`` (of the replicates), ``values`` (2,),
        ``n_resamples`` (those that count), ``n_left_out``, ``seed``, ``resampling``,
        ``distribution``, ``confidence_interval(confidence_level)``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates do not vary.

    References
    ----------
    .. [1] D. K. McClish (1989), doi:10.1177/0272989X8900900307.
    .. [2] X. Robin et al. (2011), pROC, doi:10.1186/1471-2105-12-77.
    .. [3] B. Efron, R. J. Tibshirani (1993), doi:10.1201/9780429246593.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> a, b = data.scores["random_forest"], data.scores["decision_tree"]
    >>> result = fc.partial_auc_test(data.y_true, a, b, fpr=(0, 0.2), rng=0)
    >>> result.pvalue < 0.05, result.confidence_interval().low > 0
    (True, True)
    """
    measure = area_measure(fpr, tpr, standardized)
    check_choice("method", method, UNSTUDENTIZED)
    claim = as_claim(alternative, margin)
    draws = as_draws(
        n_resamples=n_resamples,
        rng=rng,
        n_jobs=n_jobs,
        executor=executor,
        progress=progress,
        keep=keep,
    )
    cases = as_cases(
        y_true,
        pos_label=pos_label,
        nan_policy=nan_policy,
        groups=groups,
        y_score_a=y_score_a,
        y_score_b=y_score_b,
    )

    result = comparison_of(measure, cases, stratified, method, draws, claim)
    announce(result.status, on_undefined)
    return result
