"""Scores of k models on the same items, by what happens to items that some models miss."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._base.exceptions import InvalidValueError
from .items import Items, as_many_models
from .models import check_size
from .options import check_choice

JOINT = ("raise", "omit")  # for what needs all models' scores of every item
POLICIES = (*JOINT, "zero", "pairwise")


def as_item_table(
    scores: object, *, nan_policy: str, policies: Sequence[str] = POLICIES, **linking: Any
) -> Items:
    """Return the checked scores of at least two models.

    Items that a model misses are refused, left out for all ('omit'), scored 0 ('zero') or kept as
    NaN for those who compare each pair on its common items ('pairwise').
    """
    check_choice("nan_policy", nan_policy, policies)
    if nan_policy in ("raise", "omit"):
        items = as_many_models(scores, nan_policy=nan_policy, **linking)
    else:
        items = as_many_models(scores, keep_missing=True, **linking)
    if nan_policy == "zero":
        items = items._replace(scores=np.nan_to_num(items.scores, nan=0.0))
    check_size("scores", items.scores, "items", 1, 2)
    if items.links.others is not None and items.links.strata is not None:
        raise InvalidValueError(
            "`groups` must be 1-d with strata or tasks: no variance of clusters of two kinds in "
            "strata is known. Leave out one kind."
        )
    if nan_policy == "pairwise" and items.links.others is not None:
        raise InvalidValueError(
            "`groups` must be 1-d with nan_policy='pairwise': clusters of two kinds have no joint "
            "distribution of pairs with items of their own. Pass nan_policy='omit'."
        )
    if nan_policy == "pairwise":
        check_common(items)
    return items


def check_common(items: Items) -> None:
    """Raise if two models have no item in common."""
    there = (~np.isnan(items.scores)).astype(np.float32)
    both = there.T @ there
    silent = np.flatnonzero(np.diag(both) == 0)
    if silent.size:
        raise InvalidValueError(
            f"`scores` must have an item that {items.names[silent[0]]!r} answered, got none. Leave "
            "it out."
        )
    if not both.all():
        i, j = np.argwhere(both == 0)[0]
        raise InvalidValueError(
            f"`scores` must have an item that {items.names[i]!r} and {items.names[j]!r} both "
            "answered, got none. Leave one of them out."
        )
