"""Tasks that items belong to, and how much each counts."""

import math
from collections.abc import Mapping
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.types import Integers
from .arrays import as_column
from .cases import refuse_missing
from .items import ITEMS, ItemLinks, Items
from .labels import as_label_column
from .many_items import as_item_table
from .options import as_choice, as_real, check_choice
from .scores import named_columns
from .weights import check_length

POOLED = "items"


class Tasks(NamedTuple):
    """The number of the task of each item, their labels, and what each counts; None: items do."""

    numbers: Integers
    labels: tuple[str, ...]
    weights: NDArray[np.float64] | None


def as_tasks(task: object, task_weight: object, scores: object) -> Tasks | None:
    """Return the checked tasks of the items in `scores`, None without any."""
    if task is None:
        if task_weight is not None:
            raise InvalidValueError("`task_weight` needs `task`, the task of each item.")
        return None
    values, missing = as_label_column("task", task)
    columns = named_columns("scores", scores)
    first = scores if columns is None else next(iter(columns.values()))
    check_length("task", values.size, len(as_column("scores", first).values), ITEMS)
    if missing is not None and missing.any():
        refuse_missing("task", missing)
    labels, numbers = np.unique(values, return_inverse=True)
    names = tuple(map(str, labels.tolist()))
    return Tasks(numbers, names, as_task_weights(task_weight, names))


def as_task_weights(task_weight: object, names: tuple[str, ...]) -> NDArray[np.float64] | None:
    """Return how much each task counts; None where items count alike."""
    if task_weight is None:
        return np.ones(len(names))
    if isinstance(task_weight, str):
        check_choice("task_weight", task_weight, (POOLED,))
        return None
    if not isinstance(task_weight, Mapping):
        raise InvalidTypeError(
            f"`task_weight` must be a mapping from tasks to weights, 'items' or None, got "
            f"{type(task_weight).__name__}."
        )
    given = {str(name): as_real("task_weight", value) for name, value in task_weight.items()}
    if set(given) != set(names):
        wrong = sorted(set(given) ^ set(names))
        raise InvalidValueError(
            f"`task_weight` must have a weight for each of the {len(names)} tasks and no other, "
            f"but {wrong[0]!r} is in one of both only."
        )
    if not all(0.0 < value < math.inf for value in given.values()):
        raise InvalidValueError(
            f"`task_weight` must hold finite weights above 0, got {min(given.values()):g}: leave "
            "out the items of a task that is not to count."
        )
    return np.array([given[name] for name in names])


def as_items_of_tasks(
    scores: object, tasks: Tasks | None, method: str, *, nan_policy: str, **linking: Any
) -> Items:
    """Return the checked scores of k models; tasks are strata, and weigh what they are to."""
    check_choice("nan_policy", nan_policy, ("raise", "omit", "zero"))
    strata = None if tasks is None else tasks.numbers
    items = as_item_table(scores, nan_policy=nan_policy, strata=strata, **linking)
    if items.links.others is not None and method == "bootstrap":
        raise InvalidValueError(
            "`groups` must be 1-d with method='bootstrap': clusters of two kinds are for 't'."
        )
    return items._replace(links=weighted_links(items.links, tasks))


def weighted_links(links: ItemLinks, tasks: Tasks | None) -> ItemLinks:
    """Return the links with the weights that make the mean one over tasks; those are strata."""
    if tasks is None:
        return links
    strata = np.asarray(links.strata)
    if int(strata.max()) + 1 < len(tasks.labels):
        raise InvalidValueError(
            "`task` must have an item of each task that counts: all items of one are left out. "
            "Leave out that task, or pass nan_policy='zero'."
        )
    if tasks.weights is None:
        return links
    own = np.ones(links.n) if links.weights is None else links.weights
    return links._replace(weights=own * (tasks.weights / np.bincount(strata, own))[strata])


def as_claims_correction(correction: object, method: str) -> str:
    """Return how claims on all pairs are judged together, or raise."""
    known: str = as_choice("correction", correction, ("auto", "max-t", "holm"))
    if method == "bootstrap" and known == "holm":
        raise InvalidValueError(
            "`correction` must be 'auto' or 'max-t' with method='bootstrap', which goes by the "
            "largest deviation of its replicates, got 'holm'. Pass method='t'."
        )
    return known


def as_best(tau: object, k: int) -> int:
    """Return how many models are best, or raise."""
    if isinstance(tau, bool) or not isinstance(tau, Integral):
        raise InvalidTypeError(f"`tau` must be an integer, got {tau!r}.")
    if not 1 <= int(tau) <= k:
        raise InvalidValueError(f"`tau` must be from 1 to {k}, the number of models, got {tau}.")
    return int(tau)
