"""AUC for more than two classes: one model with an interval, or two models on the same cases."""

import math

from numpy.typing import ArrayLike

from ..._inputs import (
    Alternative,
    ClassScores,
    NanPolicy,
    Undefined,
    as_class_cases,
    check_alternative,
    check_choice,
    check_level,
    check_margin,
    count_jobs,
)
from ..._pvalues import degenerate, normal_pvalue, shifted
from ..._status import announce
from .multiclass_result import (
    MulticlassAUCResult,
    MulticlassAUCTestResult,
    paired_status,
    single_status,
    tables_of,
)
from .multiclass_walks import AVERAGES, TITLES, averages_of

INTERVAL_METHODS = ("delong", "logit")


def multiclass_auc(
    y_true: ArrayLike,
    y_score: ClassScores,
    *,
    classes: ArrayLike | None = None,
    average: str = "hand-till",
    method: str = "delong",
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> MulticlassAUCResult:
    """Return an average AUC over several classes, with its standard error and interval.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of any kind.
    y_score : array-like of shape (n, c), mapping or data frame
        A column of scores for each class; the higher, the likelier that class. The columns of an
        array belong to the sorted labels, or to `classes`; those of a mapping or frame are called
        like the labels. Only the order within a column counts: rows need not sum to 1.
    classes : array-like of shape (c,), optional
        The labels in the order of the columns; also names a class that has no case.
    average : {'hand-till', 'ovo-weighted', 'ovr', 'ovr-weighted'}, default='hand-till'
        'hand-till' is the mean over ordered pairs of classes i, j of the AUC of i against j by
        the score of i; it does not depend on the prevalences. 'ovr' is the mean over classes of the
        AUC of a class against all others. The weighted ones weigh pairs, or classes, by their share
        of the cases.
    method : {'delong', 'logit'}, default='delong'
        The interval: symmetric and cut to [0, 1], or symmetric for the log odds.
    confidence_level : float, default=0.95
        Between 0 and 1.
    nan_policy, on_undefined
        As in `delong_test`.

    Returns
    -------
    MulticlassAUCResult
        With ``estimate``, ``standard_error``, ``confidence_interval()``, ``per_class`` (c,),
        ``per_pair`` (c, c; row i: class i against each other one by the score of i; None for
        one-vs-rest), ``classes``, ``n_per_class``, ``average``, ``status``.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything.

    Warns
    -----
    UndefinedResultWarning
        If a class has no case or one case, or the estimated variance is 0; ``status`` says which.

    See Also
    --------
    multiclass_auc_test : Two models on the same cases.

    Notes
    -----
    The variance generalises DeLong's: each case counts with all AUCs that it takes part in, so that
    the variance is the sum over classes of the sample variance of the cases' values, divided by
    their number. Numbers of cases and weights are fixed, as in a bootstrap stratified by class. For
    two classes whose columns mirror one another the result is that of `roc_auc_interval`.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till (2001), doi:10.1023/A:1010920819831.
    .. [2] T. Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.
    .. [3] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = ["a", "a", "a", "b", "b", "c", "c"]
    >>> p = [[.6, .3, .1], [.4, .5, .1], [.3, .3, .4], [.5, .3, .2], [.1, .6, .3], [.2, .5, .3],
    ...      [.3, .1, .6]]
    >>> result = fc.multiclass_auc(y, p)
    >>> round(result.estimate, 4), round(result.standard_error, 4), result.classes
    (0.7847, 0.164, ('a', 'b', 'c'))
    """
    check_choice("average", average, AVERAGES)
    check_choice("method", method, INTERVAL_METHODS)
    level = check_level(confidence_level)
    cases = as_class_cases(y_true, classes=classes, nan_policy=nan_policy, y_score=y_score)

    averages = averages_of(cases, average)
    estimate, variance = float(averages.estimate[0]), float(averages.covariance[0, 0])

    status = single_status(averages, variance)
    announce(status, on_undefined)

    per_class, per_pair = tables_of(averages, average)
    return MulticlassAUCResult(
        estimate=estimate,
        standard_error=math.sqrt(variance),
        method=method,
        status=status,
        average=average,
        classes=cases.classes,
        n_per_class=averages.counts,
        per_class=per_class,
        per_pair=per_pair,
        confidence_level=level,
        n_dropped=cases.n_dropped,
    )


def multiclass_auc_test(
    y_true: ArrayLike,
    y_score_a: ClassScores,
    y_score_b: ClassScores,
    *,
    classes: ArrayLike | None = None,
    average: str = "hand-till",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    n_jobs: int = 1,
    on_undefined: Undefined = "warn",
) -> MulticlassAUCTestResult:
    """Test whether two classifiers of several classes, on the same cases, have different AUCs.

    Parameters
    ----------
    y_true, classes, average
        As in `multiclass_auc`.
    y_score_a, y_score_b : array-like of shape (n, c), mapping or data frame
        Scores of the same cases by the two models, as in `multiclass_auc`.
    alternative, margin, nan_policy, n_jobs, on_undefined
        As in `delong_test`.

    Returns
    -------
    MulticlassAUCTestResult
        With ``statistic`` (z), ``pvalue``, ``log_pvalue``, ``estimate`` (first minus second),
        ``standard_error``, ``auc`` (2,), ``covariance`` (2, 2), ``average``, ``classes``,
        ``n_per_class``, ``status``, and the methods ``confidence_interval(confidence_level)``,
        ``summary()`` and ``to_dict()``.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything.

    Warns
    -----
    UndefinedResultWarning
        If a class has no case or one case, or the variance is 0; ``status`` says which.

    Notes
    -----
    The variance is that of `multiclass_auc` for the differences of the two models case by case: the
    correlation of the models is accounted for, and nothing cancels. Models that order the cases
    alike in every column have statistic 0 and p-value 1.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till (2001), doi:10.1023/A:1010920819831.
    .. [2] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(3, size=300)
    >>> sharp, blunt = np.eye(3)[y] + rng.normal(size=(2, 300, 3)) * [[[0.8]], [[1.2]]]
    >>> result = fc.multiclass_auc_test(y, sharp, blunt)
    >>> print(result.summary())
    The AUCs are 0.7885 and 0.7090, a difference of 0.0796 (95 % CI 0.0297 to 0.1294;
    paired test of Hand and Till's M, z = 3.129, p = 0.0018).
    """
    margin = check_margin(margin)
    check_alternative(alternative, margin)
    check_choice("average", average, AVERAGES)
    jobs = count_jobs(n_jobs)
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = as_class_cases(y_true, classes=classes, nan_policy=nan_policy, **scores)

    averages = averages_of(cases, average, jobs)
    auc, estimate = averages.estimate, averages.difference
    variance = float(averages.covariance[2, 2])
    standard_error = math.sqrt(variance)
    z, tail = shifted(estimate, standard_error, alternative, margin)
    p = degenerate(z, standard_error) or normal_pvalue(z, tail)
    status = paired_status(averages, variance, estimate or margin)
    announce(status, on_undefined)

    return MulticlassAUCTestResult(
        statistic=z,
        pvalue=p.pvalue,
        log_pvalue=p.log_pvalue,
        estimate=estimate,
        standard_error=standard_error,
        method=f"paired test of {TITLES[average]}",
        status=status,
        alternative=alternative,
        margin=margin,
        auc=auc,
        average=average,
        covariance=averages.covariance[:2, :2],
        classes=cases.classes,
        n_per_class=averages.counts,
        n_dropped=cases.n_dropped,
    )
