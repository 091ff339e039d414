"""The test of all models' probabilities: their mean losses, by a rule."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..._base.types import Matrix, NanPolicy, Undefined
from ..._inference.status import warn_status
from ..._inputs.items import JOINT, as_item_table
from ..._inputs.probabilities import as_probability_table, check_rule
from ..._results.presentation import replace_fields
from ...items._covariance import (
    METHODS,
    MeanOmnibusResult,
    anova,
    omnibus_result,
    raise_to_pair_variances,
)
from ...probabilities._losses import (
    RULES,
    UnseenCaseVariance,
    forecast_losses,
    unseen_case_variance,
)
from ...probabilities._scoring_pairwise import QUANTITIES


def losses_omnibus(
    y_true: ArrayLike,
    table: Mapping[str, Any],
    *,
    rule: str = "brier",
    clip: float | None = None,
    groups: ArrayLike | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> MeanOmnibusResult | None:
    """Return the test that all models have equal mean losses on the same cases.

    `rule` turns probabilities into losses. None if a loss is infinite.
    """
    clip = check_rule(rule, clip, tuple(RULES))
    reading: Any = {"pos_label": pos_label, "nan_policy": nan_policy}
    cases, names = as_probability_table(y_true, table, groups, **reading)
    losses = forecast_losses(rule, cases, clip)
    if np.isinf(losses).any():
        return None
    table = dict(zip(names, map(np.ascontiguousarray, losses), strict=True))
    items = as_item_table(table, nan_policy="raise", policies=JOINT, groups=cases.groups)
    test = anova
    first, second = np.triu_indices(len(names), 1)
    unseen = unseen_case_variance(rule, cases, clip, first, second, "auto")
    if unseen is not None:
        test = partial(anova, floor=partial(with_unseen, unseen))
    title = METHODS["anova"][0] + (
        " with a variance that allows for unobserved rare cases" if unseen else ""
    )
    test_of_all = omnibus_result(items, title, test)
    warn_status(test_of_all.status, on_undefined)
    field_values = {"_quantity": QUANTITIES[rule], "unit": "case", "n_dropped": cases.n_dropped}
    renamed: MeanOmnibusResult = replace_fields(test_of_all, field_values)
    return renamed


def with_unseen(unseen: UnseenCaseVariance, variances: Matrix) -> Matrix:
    """Return variances (k, k) of differences of mean losses, at least those of unseen cases."""
    errors = np.sqrt(variances[np.triu_indices(len(variances), 1)])
    return raise_to_pair_variances(np.square(unseen.error(0.0, errors)), variances)
