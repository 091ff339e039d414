"""AUC for more than two classes: one model, with an interval."""

from __future__ import annotations

import math
from typing import Unpack

from numpy.typing import ArrayLike

from ...._base.forward import forwards
from ...._base.types import NanPolicy, Undefined
from ...._inference.status import announce
from ...._inputs.multiclass import ClassScores, as_class_cases
from ...._inputs.options import as_choice, check_choice, check_level, check_undefined
from ...._resampling.bootstrap import Drawing, IntervalFields, as_draws, interval_fields
from .bootstrap import percentiles
from .result import MulticlassAUCResult, single_status, tables_of
from .walks import AVERAGES, averages_of, blocks_of

METHODS = ("delong", "logit", "bootstrap")


@forwards(as_draws)
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
    **drawing: Unpack[Drawing],
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
    method : {'delong', 'logit', 'bootstrap'}, default='delong'
        The interval: symmetric and cut to [0, 1], symmetric for the log odds, or percentiles of
        `n_resamples` replicates stratified by class.

    Returns
    -------
    MulticlassAUCResult
        With ``estimate``, ``standard_error``, ``confidence_interval()``, ``per_class`` (c,),
        ``per_pair`` (c, c; row i: class i against each other one by the score of i; None for
        one-vs-rest), ``classes``, ``n_per_class``, ``average``, ``status``. The standard error is
        that of the replicates for 'bootstrap'.

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
    check_undefined(on_undefined)
    check_choice("average", average, AVERAGES)
    method = as_choice("method", method, METHODS)
    level = check_level(confidence_level)
    draws = as_draws(**drawing)
    cases = as_class_cases(y_true, classes=classes, nan_policy=nan_policy, y_score=y_score)

    blocks = blocks_of(cases)
    averages = averages_of(blocks, average)
    error = math.sqrt(averages.covariance[0, 0])
    found: IntervalFields = {"estimate": float(averages.estimate[0]), "standard_error": error}
    if method == "bootstrap":
        found = interval_fields(percentiles(blocks, averages, draws), draws)

    status = single_status(averages, found["standard_error"])
    announce(status, on_undefined)

    per_class, per_pair = tables_of(averages, average)
    return MulticlassAUCResult(
        **found,
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
