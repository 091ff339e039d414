"""Average precision: its interval and paired test."""

from __future__ import annotations

from concurrent.futures import Executor

from numpy.typing import ArrayLike

from ...._inference.status import announce
from ...._inputs.cases import as_cases
from ...._inputs.options import Alternative, NanPolicy, Undefined, check_choice, check_level
from ...._inputs.randomness import RandomState
from ...._inputs.workers import Progress
from ...._resampling.bootstrap import UNSTUDENTIZED, as_claim, as_draws
from .measures import PRECISION
from .result import CurveIntervalResult, CurveTestResult, comparison_of, interval_of


def average_precision_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
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
    """Return the average precision with a bootstrap interval.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score : array-like of shape (n,)
        The higher the score, the likelier positive.
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

    Notes
    -----
    Precision depends on the prevalence: every replicate has that of the data, unless
    ``stratified=False``. The average precision of few cases is too high on average. So in 500
    binormal samples of 50 + 50 cases 95 % intervals by 'percentile' and 'bca' covered 87 % and
    90 %, of 100 + 100 cases 93 % and 94 %.

    References
    ----------
    .. [1] J. Davis, M. Goadrich (2006), doi:10.1145/1143844.1143874.
    .. [2] B. Efron, R. J. Tibshirani (1993), doi:10.1201/9780429246593.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.average_precision_interval(data.y_true, data.scores["decision_tree"], rng=0)
    >>> low, high = result.confidence_interval()
    >>> 0 < low < result.estimate < high <= 1
    True
    """
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

    result = interval_of(PRECISION, cases, stratified, method, draws, level)
    announce(result.status, on_undefined)
    return result


def average_precision_test(
    y_true: ArrayLike,
    y_score_a: ArrayLike,
    y_score_b: ArrayLike,
    *,
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
    """Test by resampling cases whether two models have different average precisions.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score_a, y_score_b : array-like of shape (n,)
        Scores of the same cases by the two models; the higher, the likelier positive.
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

    Notes
    -----
    The prevalence is that of the data in every replicate, unless ``stratified=False``.

    References
    ----------
    .. [1] J. Davis, M. Goadrich (2006), doi:10.1145/1143844.1143874.
    .. [2] B. Efron, R. J. Tibshirani (1993), doi:10.1201/9780429246593.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> a, b = data.scores["random_forest"], data.scores["decision_tree"]
    >>> result = fc.average_precision_test(data.y_true, a, b, rng=0)
    >>> result.pvalue < 0.05, result.confidence_interval().low > 0
    (True, True)
    """
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

    result = comparison_of(PRECISION, cases, stratified, method, draws, claim)
    announce(result.status, on_undefined)
    return result
