"""Statistics of the ROC and the precision-recall curve: their values, without intervals."""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from ...._inference.status import announce
from ...._inputs.cases import as_cases
from ...._inputs.options import NanPolicy, Undefined
from ...._inputs.ranges import DEFAULT_RANGE
from .measures import PRECISION, area_measure, sensitivity_measure, specificity_measure
from .result import value_of


def partial_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: tuple[float, float] = DEFAULT_RANGE,
    tpr: tuple[float, float] | None = None,
    standardized: bool = False,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> float:
    """Return the area under a part of the ROC curve.

    The curve is linear between its points, also at both ends of the range. The area lies between 0
    and the width of the range, unless it is standardized.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score : array-like of shape (n,)
        The higher the score, the likelier positive.
    fpr : (float, float), default=(0.0, 0.1)
        The range of false positive rates; pROC's ``partial.auc=c(1, 0.9)`` is (0, 0.1).
    tpr : (float, float), optional
        The range of true positive rates, in place of `fpr`: the area to the right of the curve,
        as pROC's ``partial.auc.focus="sensitivity"``.
    standardized : bool, default=False
        Scale the area so that chance has 0.5 and a perfect model 1. A model below chance gets less
        than 0.5, where pROC gives NA.
    pos_label, nan_policy, on_undefined
        As in `delong_test`.

    Returns
    -------
    float
        NaN if there is only one class.

    Warns
    -----
    UndefinedResultWarning
        If there is only one class.

    References
    ----------
    .. [1] D. K. McClish (1989), doi:10.1177/0272989X8900900307.
    .. [2] X. Robin et al. (2011), pROC, doi:10.1186/1471-2105-12-77.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
    >>> b = [.3, .6, .2, .1, .1, .9, .23, .7, .9, .4, .77, .3, .89]
    >>> round(fc.partial_auc(y, b, fpr=(0, 0.2)), 6)
    0.030952
    >>> round(fc.partial_auc(y, b, tpr=(0.8, 1), standardized=True), 6)
    0.727513
    """
    measure = area_measure(fpr, tpr, standardized)
    cases = as_cases(y_true, pos_label=pos_label, nan_policy=nan_policy, y_score=y_score)

    value = value_of(measure, cases)
    announce("one_class" if math.isnan(value) else "ok", on_undefined)
    return value


def sensitivity_at_specificity(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    specificity: float,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> float:
    """Return the sensitivity where the specificity has a given value.

    It is read off the empirical ROC curve, which is linear between its points; where the curve
    rises vertically, the upper end counts.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score : array-like of shape (n,)
        The higher the score, the likelier positive.
    specificity : float
        From 0 to 1: the share of negatives that must be recognised.
    pos_label, nan_policy, on_undefined
        As in `delong_test`.

    Returns
    -------
    float
        NaN if there is only one class.

    Warns
    -----
    UndefinedResultWarning
        If there is only one class.

    References
    ----------
    .. [1] M. S. Pepe (2003), The Statistical Evaluation of Medical Tests, section 5.2.
    .. [2] X. Robin et al. (2011), pROC, doi:10.1186/1471-2105-12-77.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8]
    >>> fc.sensitivity_at_specificity(y, score, specificity=0.75)
    1.0
    >>> fc.sensitivity_at_specificity(y, score, specificity=1)
    0.5
    """
    measure = sensitivity_measure(specificity)
    cases = as_cases(y_true, pos_label=pos_label, nan_policy=nan_policy, y_score=y_score)

    value = value_of(measure, cases)
    announce("one_class" if math.isnan(value) else "ok", on_undefined)
    return value


def specificity_at_sensitivity(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sensitivity: float,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> float:
    """Return the specificity where the sensitivity has a given value.

    It is read off the empirical ROC curve, which is linear between its points; where the curve runs
    horizontally, the end with the higher specificity counts.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score : array-like of shape (n,)
        The higher the score, the likelier positive.
    sensitivity : float
        From 0 to 1: the share of positives that must be found.
    pos_label, nan_policy, on_undefined
        As in `delong_test`.

    Returns
    -------
    float
        NaN if there is only one class.

    Warns
    -----
    UndefinedResultWarning
        If there is only one class.

    References
    ----------
    .. [1] M. S. Pepe (2003), The Statistical Evaluation of Medical Tests, section 5.2.
    .. [2] X. Robin et al. (2011), pROC, doi:10.1186/1471-2105-12-77.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8]
    >>> fc.specificity_at_sensitivity(y, score, sensitivity=0.5)
    1.0
    >>> fc.specificity_at_sensitivity(y, score, sensitivity=1)
    0.75
    """
    measure = specificity_measure(sensitivity)
    cases = as_cases(y_true, pos_label=pos_label, nan_policy=nan_policy, y_score=y_score)

    value = value_of(measure, cases)
    announce("one_class" if math.isnan(value) else "ok", on_undefined)
    return value


def average_precision(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> float:
    """Return the average precision: the area under the precision-recall curve by steps.

    It is the mean over the positives of the precision at their score, as in scikit-learn; tied
    cases are passed at once.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`.
    y_score : array-like of shape (n,)
        The higher the score, the likelier positive.
    pos_label, nan_policy, on_undefined
        As in `delong_test`.

    Returns
    -------
    float
        NaN if there is only one class.

    Warns
    -----
    UndefinedResultWarning
        If there is only one class.

    References
    ----------
    .. [1] J. Davis, M. Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 6)
    0.833333
    """
    cases = as_cases(y_true, pos_label=pos_label, nan_policy=nan_policy, y_score=y_score)

    value = value_of(PRECISION, cases)
    announce("one_class" if math.isnan(value) else "ok", on_undefined)
    return value
