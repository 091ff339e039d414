"""Cohen's kappa: agreement beyond chance, of two models' errors or of their labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from ..._inference.status import announce
from ..._inputs.options import NanPolicy, Undefined, check_level
from ..._inputs.ordering import check_kappa, label_distances
from .measures import cohen_kappa_null_error
from .results import CohenKappaResult, fields_of, floats_of, kappa_test
from .tables import joint_correctness, joint_labels


def cohen_kappa(
    y_true: Any,
    y_pred_a: ArrayLike | None = None,
    y_pred_b: ArrayLike | None = None,
    *,
    on: Literal["correct", "labels"] = "correct",
    weights: Literal["linear", "quadratic"] | None = None,
    classes: Sequence[Any] | None = None,
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> CohenKappaResult:
    """Return Cohen's kappa of two classifiers, and test whether it is 0.

    Kappa is 1 for perfect agreement, and 0 for as much as chance gives.

    Parameters
    ----------
    y_true : array-like of shape (n,), or a table of counts
        As in `disagreement`. For ``on="labels"`` a table (K, K) says how often the first model
        answers the label of the row and the second that of the column.
    y_pred_a, y_pred_b : array-like of shape (n,), optional
        The labels that the two models predict, of the same kind: "1" is not 1.
    on : {'correct', 'labels'}, default='correct'
        Whether the models agree if both are right or both wrong, or if they answer the same.
    weights : {None, 'linear', 'quadratic'}, optional
        For ``on="labels"``: how much two labels differ, by the places between them or the square.
    classes : sequence, optional
        For ``on="labels"``: all labels in their order, if it is not that of numbers. By default all
        that occur in `y_true` or the predictions, sorted; `weights` of strings need it.
    confidence_level, nan_policy, on_undefined
        As in `yule_q`.

    Returns
    -------
    CohenKappaResult
        With ``estimate``, ``standard_error``, ``confidence_interval(confidence_level)``,
        ``statistic``, ``pvalue``, ``log_pvalue`` and ``null_standard_error`` of the two-sided test
        of no agreement beyond chance, ``table``, ``classes``, ``on``, ``weights``, ``n_dropped``,
        ``status``; ``float(result)`` is the estimate.

    Warns
    -----
    UndefinedResultWarning
        If a model is right, wrong, or of the same answer on every case, or if the agreement is
        perfect or the very reverse: there is no interval then.

    References
    ----------
    .. [1] J. Cohen (1960), doi:10.1177/001316446002000104.
    .. [2] J. L. Fleiss, J. Cohen, B. S. Everitt (1969), doi:10.1037/h0028106.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.cohen_kappa([[150, 25], [15, 10]])
    >>> round(result.estimate, 4), round(result.standard_error, 4), result.pvalue < 0.05
    (0.2195, 0.0865, True)
    >>> raters = [[20, 10, 5], [3, 30, 15], [0, 5, 40]]
    >>> round(float(fc.cohen_kappa(raters, on="labels", weights="quadratic")), 4)
    0.6629
    """
    scheme = check_kappa(on, weights, classes)
    level = check_level(confidence_level)
    given = (y_true, y_pred_a, y_pred_b)
    if on == "correct":
        joint = joint_correctness(*given, nan_policy)
    else:
        joint = joint_labels(*given, nan_policy=nan_policy, classes=classes, weights=scheme)
    distances = label_distances(len(joint.table), scheme)

    fields = fields_of("cohen_kappa", joint, level, distances)
    null_error = float(cohen_kappa_null_error(floats_of(joint.table), distances))
    announce(fields["status"], on_undefined)

    return CohenKappaResult(
        **fields,
        **kappa_test(fields["estimate"], null_error),
        on=on,
        weights=scheme,
        classes=joint.classes,
    )
