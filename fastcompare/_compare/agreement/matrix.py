"""How alike the errors of every two of k models are, and how diverse all are together."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._inference.status import announce
from ..._inputs.options import NanPolicy, Undefined
from ..._inputs.predictions import LabelTable, as_predictions, correct
from ..labels.joint import joint_counts
from .diversity import diversity
from .matrix_result import AgreementMatrixResult, over_pairs
from .measures import MEASURES, Floats

NAMED = 3  # pairs that a warning names
UNDEFINED = {"correlation": "constant_answers", "yule_q": "empty_cell"}  # where one is NaN


def agreement_matrix(
    y_true: ArrayLike,
    predictions: LabelTable,
    *,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> AgreementMatrixResult:
    """Return how alike every two of k classifiers err, and how diverse all are together.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of any type, of two classes or more.
    predictions : array-like of shape (n, k), mapping or data frame
        A column of predicted labels for each of at least two models; names reach the result.
    nan_policy : {'raise', 'omit'}, default='raise'
        What to do with cases that miss a label: refuse them or leave them out.
    on_undefined : {'warn', 'raise', 'ignore'}, default='warn'
        What to do where a result is not defined.

    Returns
    -------
    AgreementMatrixResult
        With ``names`` (k,), ``accuracy`` (k,), and of shape (k, k) ``disagreement``,
        ``cohen_kappa`` (of being right), ``yule_q``, ``correlation``, ``double_fault``, and the
        counts ``n11``; of all models together ``entropy`` (E), ``kohavi_wolpert_variance``,
        ``interrater_kappa``, ``difficulty`` (theta) and ``generalised_diversity``; methods
        ``standard_error(measure)``, ``confidence_interval(measure, confidence_level)``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If two models have an empty cell in their joint table (no Yule's Q), or a model is right, or
        wrong, on every case (no correlation). Matrices are NaN there; on the diagonal Yule's Q
        always is.

    See Also
    --------
    agreement : One pair, with intervals.

    References
    ----------
    .. [1] L. I. Kuncheva, C. J. Whitaker (2003), doi:10.1023/A:1022859003006.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [1, 1, 1, 1, 1]
    >>> models = {"a": [1, 1, 1, 0, 1], "b": [1, 0, 1, 0, 0], "c": [0, 0, 1, 0, 1]}
    >>> result = fc.agreement_matrix(y, models, on_undefined="ignore")
    >>> result.disagreement.tolist()
    [[0.0, 0.4, 0.4], [0.4, 0.0, 0.4], [0.4, 0.4, 0.0]]
    >>> result.entropy
    0.6
    """
    cases = as_predictions(y_true, nan_policy=nan_policy, table=predictions)
    right = correct(cases)
    n, n11 = right.shape[1], joint_counts(right)

    found = over_pairs(n11, n, len(MEASURES), estimates)
    measures = dict(zip(MEASURES, found, strict=True))
    status = "ok"
    for measure, word in UNDEFINED.items():
        pairs = np.argwhere(np.triu(np.isnan(measures[measure]), 1))
        if pairs.size:
            status = word if status == "ok" else status
            announce(word, on_undefined, pairs_named(cases.names, pairs))

    return AgreementMatrixResult(
        names=cases.names,
        accuracy=np.diag(n11) / n,
        **measures,
        n11=n11,
        **diversity(right)._asdict(),
        n=n,
        n_dropped=cases.n_dropped,
        status=status,
    )


def estimates(table: Floats) -> list[Floats]:
    """Return every measure of each table."""
    return [measure.estimate(table) for measure in MEASURES.values()]


def pairs_named(names: tuple[str, ...], pairs: NDArray[Any]) -> str:
    """Return which pairs a warning is about."""
    named = [f"{names[i]} and {names[j]}" for i, j in pairs[:NAMED]]
    more = f" and {len(pairs) - NAMED} more" if len(pairs) > NAMED else ""
    return f" ({', '.join(named)}{more})"
