"""One measure of how alike two models err: disagreement, Yule's Q, correlation, double fault."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from ..._inference.status import announce
from ..._inputs.options import NanPolicy, Undefined, check_level
from .results import AgreementMeasureResult, fields_of
from .tables import joint_correctness


def disagreement(
    y_true: Any,
    y_pred_a: ArrayLike | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
) -> AgreementMeasureResult:
    """Return the share of cases that exactly one of two classifiers gets right.

    Parameters
    ----------
    y_true : array-like of shape (n,), or a table of counts
        Labels of any type, of two classes or more. A table ``[[n11, n10], [n01, n00]]`` (both
        right, only the first, only the second, none), or the result of `contingency_table`, stands
        for all labels.
    y_pred_a, y_pred_b : array-like of shape (n,), optional
        The labels that the two models predict, of the same kind: "1" is not 1.
    confidence_level : float, default=0.95
        Between 0 and 1.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with cases that miss a label: refuse them or leave them out.

    Returns
    -------
    AgreementMeasureResult
        With ``estimate``, ``standard_error``, ``confidence_interval(confidence_level)`` (Wilson's),
        ``table`` (2, 2), ``n_dropped``, ``status``; ``float(result)`` is the estimate.

    See Also
    --------
    agreement : All measures at once, on request by bootstrap.
    agreement_matrix : All pairs of several models.

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.
    .. [2] E. B. Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.disagreement([[150, 25], [15, 10]])
    >>> low, high = result.confidence_interval()
    >>> float(result), round(low, 4), round(high, 4)
    (0.2, 0.1505, 0.2609)
    """
    level = check_level(confidence_level)
    joint = joint_correctness(y_true, y_pred_a, y_pred_b, nan_policy)
    return AgreementMeasureResult(**fields_of("disagreement", joint, level))


def double_fault(
    y_true: Any,
    y_pred_a: ArrayLike | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
) -> AgreementMeasureResult:
    """Return the share of cases that two classifiers both get wrong.

    Parameters
    ----------
    y_true, y_pred_a, y_pred_b, confidence_level, nan_policy
        As in `disagreement`.

    Returns
    -------
    AgreementMeasureResult
        As of `disagreement`, with Wilson's interval.

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.
    .. [2] E. B. Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> import fastcompare as fc
    >>> float(fc.double_fault([1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 1, 0]))
    0.25
    """
    level = check_level(confidence_level)
    joint = joint_correctness(y_true, y_pred_a, y_pred_b, nan_policy)
    return AgreementMeasureResult(**fields_of("double_fault", joint, level))


def yule_q(
    y_true: Any,
    y_pred_a: ArrayLike | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> AgreementMeasureResult:
    """Return Yule's Q of two classifiers: 1 if they err alike, -1 if never together.

    Q = (n11 n00 - n10 n01) / (n11 n00 + n10 n01), and 0 for independent errors.

    Parameters
    ----------
    y_true, y_pred_a, y_pred_b, confidence_level, nan_policy
        As in `disagreement`.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do where the result is not defined.

    Returns
    -------
    AgreementMeasureResult
        As of `disagreement`; the interval is that of the log odds ratio, so it stays in [-1, 1].

    Warns
    -----
    UndefinedResultWarning
        If a cell of the joint table is empty. All is NaN then: the formula would give 1 or -1
        whatever the other counts are, with no standard error.

    References
    ----------
    .. [1] G. U. Yule (1900), doi:10.1098/rsta.1900.0019.
    .. [2] B. Woolf (1955), doi:10.1111/j.1469-1809.1955.tb01348.x.
    .. [3] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.yule_q([[150, 25], [15, 10]])
    >>> low, high = result.confidence_interval()
    >>> float(result), round(low, 4), round(high, 4)
    (0.6, 0.236, 0.8164)
    """
    level = check_level(confidence_level)
    joint = joint_correctness(y_true, y_pred_a, y_pred_b, nan_policy)
    result = AgreementMeasureResult(**fields_of("yule_q", joint, level))
    announce(result.status, on_undefined)
    return result


def error_correlation(
    y_true: Any,
    y_pred_a: ArrayLike | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> AgreementMeasureResult:
    """Return the correlation of two classifiers' errors: phi of being right or wrong.

    Parameters
    ----------
    y_true, y_pred_a, y_pred_b, confidence_level, nan_policy
        As in `disagreement`.
    on_undefined
        As in `yule_q`.

    Returns
    -------
    AgreementMeasureResult
        As of `disagreement`; the interval is symmetric for artanh of the correlation, with the
        standard error of two binary variables: that of normal ones, 1 / sqrt(n - 3), is wrong here.

    Warns
    -----
    UndefinedResultWarning
        If a model is right, or wrong, on every case; if both err on the same cases, or each only
        where the other does not, there is no interval.

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.
    .. [2] Y. M. M. Bishop, S. E. Fienberg, P. W. Holland (1975), Discrete Multivariate Analysis,
       chapter 11, doi:10.1007/978-0-387-72806-3.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.error_correlation([[150, 25], [15, 10]]).estimate, 4)
    0.2238
    """
    level = check_level(confidence_level)
    joint = joint_correctness(y_true, y_pred_a, y_pred_b, nan_policy)
    result = AgreementMeasureResult(**fields_of("correlation", joint, level))
    announce(result.status, on_undefined)
    return result
