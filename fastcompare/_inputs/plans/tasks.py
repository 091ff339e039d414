"""The tasks of items and their weights."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.exceptions import invalid_value
from ..._base.types import Integers
from ..arrays import as_column
from ..items import ITEMS, ItemLinks, Items, as_item_table
from ..labels import as_label_column
from ..options import as_real, check_choice, check_mapping
from ..scores import named_columns, refuse_missing
from ..weights import check_length

POOLED = "items"


class Tasks(NamedTuple):
    """The task's number of each item, the tasks' labels and weights; None: items count equally."""

    numbers: Integers
    labels: tuple[str, ...]
    weights: NDArray[np.float64] | None


def as_tasks(task: object, task_weight: object, scores: object) -> Tasks | None:
    """Return the checked tasks of the items in `scores`, None without any."""
    if task is None:
        if task_weight is not None:
            raise invalid_value("task_weight", "needs `task`, the task of each item")
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
    """Return the weight of each task, 1 by default; None where items count equally."""
    if task_weight is None:
        return np.ones(len(names))
    if isinstance(task_weight, str):
        check_choice("task_weight", task_weight, (POOLED,))
        return None
    weight_by_task = check_mapping(
        "task_weight", task_weight, "a mapping from tasks to weights, 'items' or None"
    )
    weights = {str(name): as_real("task_weight", value) for name, value in weight_by_task.items()}
    if set(weights) != set(names):
        wrong = sorted(set(weights) ^ set(names))
        raise invalid_value(
            "task_weight",
            f"must have a weight for each of the {len(names)} tasks and no other, but "
            f"{wrong[0]!r} is in only one of the two",
        )
    if not all(0.0 < value < math.inf for value in weights.values()):
        raise invalid_value(
            "task_weight",
            "must contain finite weights above 0",
            min(weights.values()),
            ": drop the items of a task that should not count.",
            show=", got {:g}",
        )
    return np.array([weights[name] for name in names])


def as_items_of_tasks(
    scores: object, tasks: Tasks | None, method: str, *, nan_policy: str, **linking: Any
) -> Items:
    """Return the checked scores of k models, with the tasks as strata, weighted as specified."""
    check_choice("nan_policy", nan_policy, ("raise", "omit", "zero"))
    strata = None if tasks is None else tasks.numbers
    items = as_item_table(scores, nan_policy, strata=strata, **linking)
    if items.links.others is not None and method == "bootstrap":
        raise invalid_value(
            "groups", "must be 1-d with method='bootstrap'", end=": two-way clusters require 't'."
        )
    return items._replace(links=weighted_links(items.links, tasks))


def weighted_links(links: ItemLinks, tasks: Tasks | None) -> ItemLinks:
    """Return the links with weights that make the mean of items the mean of tasks (the strata)."""
    if tasks is None:
        return links
    strata = np.asarray(links.strata)
    if int(strata.max()) + 1 < len(tasks.labels):
        raise invalid_value(
            "task",
            "must have an item of each task with a weight",
            end=": all items of one are dropped. Drop that task, or pass nan_policy='zero'.",
        )
    if tasks.weights is None:
        return links
    weights = np.ones(links.n) if links.weights is None else links.weights
    factors = tasks.weights / np.bincount(strata, weights)  # of the items of each task
    return links._replace(weights=weights * factors[strata])
