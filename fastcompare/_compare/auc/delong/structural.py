"""DeLong's structural components V10 and V01 of one model."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...._base.documented import documented
from ...._base.types import NanPolicy, Undefined
from ...._inference.status import announce
from ...._inputs.cases import as_cases
from ...._inputs.options import check_undefined
from ..components import Components, as_components


@documented
def structural_components(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    method: str = "auto",
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return DeLong's structural components V10 and V01.

    Parameters
    ----------
    method : {'auto', 'midrank', 'heaviside'}, default='auto'
        How to count; all give the same bits.

    Returns
    -------
    v10 : ndarray of shape (n_positive,)
        For each positive, in the order of the input, the share of negatives that score lower.
    v01 : ndarray of shape (n_negative,)
        For each negative, in the order of the input, the share of positives that score higher.
        Ties count one half. Both have the AUC as their mean.

    Warns
    -----
    UndefinedResultWarning
        If there is only one class; all components are NaN then.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> v10, v01 = fc.structural_components([0, 0, 1, 1, 1], [0.3, 0.6, 0.2, 0.7, 0.9])
    >>> v10.tolist(), v01.round(4).tolist()
    ([0.0, 1.0, 1.0], [0.6667, 0.6667])
    """
    check_undefined(on_undefined)
    cases = as_cases(y_true, pos_label, nan_policy, y_score=y_score)
    components = as_components(cases, method)
    defined = components.m > 0 and components.n > 0
    announce("ok" if defined else "one_class", on_undefined)
    if defined:
        return split(components, 0)
    return np.full(components.m, math.nan), np.full(components.n, math.nan)


def split(components: Components, model: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return V10 and V01 of one model, each in the order of its cases (DeLong et al. 1988)."""
    positive = components.labels.astype(bool)
    row = components.placed[model]
    return row[positive] / (2 * components.n), row[~positive] / (2 * components.m)
