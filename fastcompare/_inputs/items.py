"""Scores of items of one, two or many models: one number an item, or several samples of it.

The score of an item is the mean over its samples; those that are missing are NaN. Samples never
count as items. Rows of weight 0 are dropped before anything else is checked, and items that some
models miss as specified. Squares of scores and their sums must stay in range. Items may belong to
tasks, each with a weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._adapters.frames import check_indexes, frame_columns, is_frame, refuse_lazy
from .._base.exceptions import invalid_value
from .._base.types import Integers, Matrix, Vector
from .arrays import as_column, as_float_array, refuse_illegal, refuse_list_of_columns
from .labels import as_label_column
from .models import check_size, two_columns
from .names import on_other_cases
from .options import as_choice, as_integer, check_choice
from .scores import (
    UNNAMED,
    as_names,
    by_title,
    leave_out,
    model_columns,
    model_name,
    named_columns,
    names_by_number,
    refuse_missing,
)
from .weights import as_weights, check_length, in_range, number_groups

LEAST, MOST = 1e-100, 1e100  # absolute scores whose squares, and their sums, stay in range


def check_range(scores: Matrix) -> None:
    """Raise if the greatest score is so large, or so small, that its square is out of range."""
    low, high = np.fmin.reduce(scores, axis=None), np.fmax.reduce(scores, axis=None)
    check_item_size(max(-float(low), float(high)))


def check_item_size(size: float) -> None:
    """Raise if `size`, the largest absolute score, has a square out of the range of floats."""
    if size > MOST or 0.0 < size < LEAST:
        raise invalid_value(
            "scores",
            f"must all be 0, or the largest absolute value must be between {LEAST:g} and {MOST:g}",
            size,
            ": multiply all by one number, which changes no p-value.",
            show=", got {:g}",
        )


ITEMS = "items in `scores`"
MISSING_PARTS = "score, cluster or stratum"


class ItemLinks(NamedTuple):
    """Weights, clusters, second clusters (`others`) and strata of n items; None if data lack them.

    Clusters and strata are numbers from 0 of which none is left out.
    """

    n: int
    weights: Vector | None = None
    groups: Integers | None = None
    others: Integers | None = None
    strata: Integers | None = None


class Items(NamedTuple):
    """Scores (n, k), means over samples; names, links, items left out; samples (n, K) by model.

    `samples` is None where no model has more than one; scores are NaN only where missing ones are
    kept. `width` is how far two scores can be apart, where that is known beforehand.
    """

    scores: Matrix
    names: tuple[str, ...]
    links: ItemLinks
    n_dropped: int = 0
    samples: tuple[Matrix, ...] | None = None
    width: float | None = None


class Labels(NamedTuple):
    """Labels (n,) of one kind under the parameter's name, and which are missing."""

    name: str
    values: NDArray[Any]
    missing: NDArray[np.bool_] | None


def as_one_model(scores: object, **linking: Any) -> Items:
    """Return the checked scores of a single model; `linking` are options of `link_items`."""
    columns = named_columns("scores", scores) if is_named(scores) else None
    if columns is not None and len(columns) == 1:
        name, values = next(iter(columns.items()))
        return read_items({"scores": values}, (name,), **linking)
    if isinstance(scores, Mapping):
        raise invalid_value(
            "scores",
            "must contain one model",
            end=f", got a mapping of {len(scores)}: pick one, or compare them.",
        )
    return read_items({"scores": scores}, (model_name(scores, UNNAMED[0]),), **linking)


def as_two_models(scores_a: object, scores_b: object = None, **linking: Any) -> Items:
    """Return the checked scores of two models, or one column of their differences.

    `linking` are options of `link_items`.
    """
    pair = two_columns(scores_a, scores_b)
    if pair is not None:
        return read_items(by_title("scores", pair, scores_b is None), pair.names, **linking)
    items = read_items({"scores_a": scores_a}, (UNNAMED[0],), **linking)
    if items.samples is not None:
        raise invalid_value(
            "scores_a",
            "must be 1-d, the differences of two models, if `scores_b` is omitted",
            end=": pass the samples of both models.",
        )
    return items


def as_many_models(scores: object, **linking: Any) -> Items:
    """Return the checked scores of k models, from an array (n, k) or (n, k, K), mapping or frame.

    `linking` are options of `link_items`.
    """
    columns = model_columns("scores", scores)
    if columns is not None:
        titled = {f"scores[{name!r}]": values for name, values in columns.items()}
        return read_items(titled, tuple(columns), **linking)
    refuse_list_of_columns("scores", scores)
    table = as_float_array("scores", scores)
    if table.ndim not in (2, 3) or not table.size:
        raise invalid_value(
            "scores",
            "must be a table with items in rows, models in columns and optionally samples "
            "along a third axis",
            table.shape,
            show=", got shape {!r}",
        )
    names = as_names("scores", names_by_number(table.shape[1]))
    return read_table(scores, table, names, **linking)


def is_named(values: object) -> bool:
    """Say whether values have columns with names."""
    return isinstance(values, Mapping) or is_frame(values)


def read_items(titled: Mapping[str, object], names: tuple[str, ...], **linking: Any) -> Items:
    """Return the checked scores of models, which come as {name in errors: scores or samples}."""
    tables = [as_samples(name, values) for name, values in titled.items()]
    n = len(tables[0])
    for name, samples in zip(titled, tables, strict=True):
        if len(samples) != n:
            first = next(iter(titled))
            raise invalid_value(
                name,
                f"must have a score for each of the {n} items in `{first}`",
                len(samples),
                f".{on_other_cases(name)}",
            )
    check_indexes([*titled.items(), *options_with_index(linking)])
    scores = np.stack([mean_of_samples(samples) for samples in tables], axis=1)
    has_samples = any(samples.ndim == 2 for samples in tables)
    all_samples = tuple(samples.reshape(n, -1) for samples in tables) if has_samples else None
    items = Items(scores, names, ItemLinks(n), samples=all_samples)
    return link_items(items, tuple(titled), **linking)


def read_table(scores: object, table: Matrix, names: tuple[str, ...], **linking: Any) -> Items:
    """Return the checked scores of k models in an array (n, k), or (n, k, K) with samples."""
    check_finite_scores("scores", table)
    check_indexes([("scores", scores), *options_with_index(linking)])
    samples = None
    if table.ndim == 3:
        samples = tuple(np.moveaxis(table, 1, 0)) if table.shape[2] > 1 else None
        table = mean_of_samples(table)
    titles = tuple(f"scores[:, {j}]" for j in range(len(names)))
    items = Items(table, names, ItemLinks(len(table)), samples=samples)
    return link_items(items, titles, **linking)


def options_with_index(linking: Mapping[str, object]) -> list[tuple[str, object]]:
    """Return (name, value) of the options that may have an index of rows."""
    return [(name, linking.get(name)) for name in ("groups", "sample_weight", "strata")]


def as_samples(name: str, values: object) -> Vector | Matrix:
    """Return a score an item (n,), or samples (n, K) with NaN for missing ones, or raise."""
    refuse_lazy(name, values)
    if is_frame(values):
        columns = [as_float_array(name, column) for column in frame_columns(values)]
        values = np.stack(columns, axis=1)
    elif is_ragged(values):
        values = pad_samples(name, values)
    table = as_float_array(name, values)
    if table.ndim == 2 and table.shape[1] == 1:
        table = table.ravel()
    if table.ndim not in (1, 2) or not table.size:
        raise invalid_value(
            name,
            "must have a number for each item, shape (n,), or a row of samples, shape (n, K)",
            table.shape,
            show=", got shape {!r}",
        )
    check_finite_scores(name, table)
    return table


def is_ragged(values: Any) -> bool:
    """Say whether rows of samples have different lengths."""
    if not isinstance(values, list | tuple) and str(getattr(values, "dtype", "")) != "object":
        return False
    are_rows = [isinstance(row, list | tuple | np.ndarray) for row in values]
    return any(are_rows) and (not all(are_rows) or len(set(map(len, values))) > 1)


def pad_samples(name: str, values: Any) -> Matrix:
    """Return rows of samples of different lengths as a table with NaN behind the short ones."""
    wrong = [i for i, row in enumerate(values) if not isinstance(row, list | tuple | np.ndarray)]
    if wrong:
        raise invalid_value(
            name,
            "must contain a list of samples for every item",
            list(values)[wrong[0]],
            f" at index {wrong[0]}. An item without samples has an empty list.",
            row=wrong[0],
        )
    lengths = np.array([len(row) for row in values])
    width = max(1, int(lengths.max()))
    table = np.full((lengths.size, width), np.nan)
    is_sample = np.arange(width) < lengths[:, None]
    table[is_sample] = as_float_array(name, list(chain.from_iterable(values)))
    return table


def check_finite_scores(name: str, table: NDArray[np.float64]) -> None:
    """Raise if a score is infinite; NaN may be."""
    with np.errstate(invalid="ignore"):
        extremes = np.fmin.reduce(table, axis=None), np.fmax.reduce(table, axis=None)
    if np.isinf(extremes).any():
        way = ". Drop these items, or mark them as missing (NaN)."
        refuse_illegal(name, "contain finite scores", table, ~np.isinf(table), way)


def mean_of_samples(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means over the last axis, the samples, that are not missing; vectors unchanged.

    The mean is NaN where all samples are missing.
    """
    if samples.ndim == 1:
        return samples
    present = ~np.isnan(samples)
    if present.all():
        return np.asarray(samples.mean(axis=-1))
    sums = np.where(present, samples, 0.0).sum(axis=-1)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / present.sum(axis=-1))


def link_items(
    items: Items,
    titles: tuple[str, ...],
    *,
    groups: object = None,
    sample_weight: object = None,
    strata: object = None,
    nan_policy: str = "raise",
    keep_missing: bool = False,
    rows: str = ITEMS,
) -> Items:
    """Return the items with their weights, clusters and strata, without items that lack any.

    With `keep_missing` scores may stay missing, but neither clusters nor strata. Errors call the
    items `rows`, and the scores of the models `titles`.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    n, items = items.links.n, in_rows(items)
    labels = [*as_clusters(groups, n, rows), *as_label_columns("strata", [strata], n, rows)]
    weights = None
    if sample_weight is not None:
        weights = as_weights("sample_weight", sample_weight, n, rows)
        is_positive = weights > 0.0
        if not is_positive.any():
            raise invalid_value(
                "sample_weight", "must be above 0 for some item", end=", got 0 for all."
            )
        items, labels, weights = select_items(items, labels, in_range(weights), is_positive)
    missing = find_unlinked(items, titles, labels, nan_policy, keep_missing)
    if missing is not None:
        dropped = leave_out(missing, "items", MISSING_PARTS)
        items, labels, weights = select_items(items, labels, weights, ~missing)
        items = items._replace(n_dropped=dropped)
    check_range(items.scores)
    numbers: dict[str, list[Integers]] = {"groups": [], "strata": []}
    for column in labels:
        numbers[column.name].append(number_groups(column.values).numbers)
    first, second, *_ = [*numbers["groups"], None, None]  # clusters of two kinds at most
    links = ItemLinks(
        n=len(items.scores),
        weights=weights,
        groups=first,
        others=second,
        strata=numbers["strata"][0] if numbers["strata"] else None,
    )
    return items._replace(links=links)


def in_rows(items: Items) -> Items:
    """Return items with scores and samples in C order.

    The rounding of NumPy's sums depends on the order in memory, and so must not on the input.
    """
    scores = np.ascontiguousarray(items.scores)
    samples = items.samples and tuple(map(np.ascontiguousarray, items.samples))
    return items._replace(scores=scores, samples=samples)


def select_items(
    items: Items, labels: list[Labels], weights: Vector | None, mask: NDArray[np.bool_]
) -> tuple[Items, list[Labels], Vector | None]:
    """Return the items where `mask` is true, with their labels and weights."""
    if mask.all():
        return items, labels, weights
    samples = items.samples and tuple(of_model[mask] for of_model in items.samples)
    selected = items._replace(scores=items.scores[mask], samples=samples)
    selected_labels = [
        Labels(name, values[mask], None if missing is None else missing[mask])
        for name, values, missing in labels
    ]
    return selected, selected_labels, None if weights is None else weights[mask]


def find_unlinked(
    items: Items,
    titles: tuple[str, ...],
    labels: Sequence[Labels],
    nan_policy: str,
    keep_missing: bool,
) -> NDArray[np.bool_] | None:
    """Return which items lack a score or label, None if none does; raise if that is the policy."""
    flagged = [(name, missing) for name, _, missing in labels if missing is not None]
    flagged = [(name, flags) for name, flags in flagged if flags.any()]
    lowest = np.minimum.reduce(items.scores, axis=None)
    if lowest != lowest and not keep_missing:
        flags = np.isnan(items.scores)
        if nan_policy == "raise":
            model = int(np.flatnonzero(flags.any(axis=0))[0])
            refuse_missing(titles[model], flags[:, model])
        flagged.append(("scores", np.asarray(flags.any(axis=1))))
    if flagged and nan_policy == "raise":
        refuse_missing(*flagged[0])
    return np.logical_or.reduce([flags for _, flags in flagged]) if flagged else None


def as_clusters(groups: object, n: int, rows: str = ITEMS) -> list[Labels]:
    """Return one or two columns of labels, for clusters of one or two kinds; none without clusters.

    Raise unless each has n labels; errors call the items `rows`.
    """
    if is_named(groups):
        columns = list((named_columns("groups", groups) or {}).values())
    else:
        is_list_of_rows = isinstance(groups, list | tuple) and holds_rows(groups)
        array: Any = as_column("groups", groups).values if is_list_of_rows else groups
        is_two_way = isinstance(array, np.ndarray) and array.ndim == 2
        columns = list(array.T) if is_two_way else [groups]
    if len(columns) not in (1, 2):
        raise invalid_value(
            "groups",
            "must have shape (n,), or (n, 2) for clusters of two kinds",
            end=f", got {len(columns)} columns.",
        )
    return as_label_columns("groups", columns, n, rows)


def holds_rows(values: Sequence[object]) -> bool:
    """Say whether a list begins with a row of values, not with a single one."""
    return len(values) > 0 and isinstance(values[0], list | tuple | np.ndarray)


def as_label_columns(
    name: str, columns: Sequence[object], n: int, rows: str = ITEMS
) -> list[Labels]:
    """Return n labels of each column that is not None, under `name`; or raise.

    Errors call the items `rows`.
    """
    label_columns = []
    for values in columns:
        if values is not None:
            labels, missing = as_label_column(name, values)
            check_length(name, labels.size, n, rows)
            label_columns.append(Labels(name, labels, missing))
    return label_columns


JOINT = ("raise", "omit")  # for what needs all models' scores of every item
POLICIES = (*JOINT, "zero", "pairwise")


class Linking(TypedDict, total=False):
    """Options that say how items depend on each other, and how much each counts."""

    sample_weight: ArrayLike | None
    groups: ArrayLike | None
    strata: ArrayLike | None


def as_item_table(
    scores: object,
    nan_policy: str,
    policies: Sequence[str] = POLICIES,
    *,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    strata: ArrayLike | None = None,
) -> Items:
    """Return the checked scores of at least two models.

    Items that a model misses are refused, left out for all ('omit'), scored 0 ('zero') or kept as
    NaN for those who compare each pair on its common items ('pairwise').
    """
    check_choice("nan_policy", nan_policy, policies)
    linking = Linking(sample_weight=sample_weight, groups=groups, strata=strata)
    if nan_policy in ("raise", "omit"):
        items = as_many_models(scores, nan_policy=nan_policy, **linking)
    else:
        items = as_many_models(scores, keep_missing=True, **linking)
    if nan_policy == "zero":
        items = items._replace(scores=np.nan_to_num(items.scores, nan=0.0))
    check_size("scores", items.scores, "items", 1, 2)
    if items.links.others is not None and items.links.strata is not None:
        raise invalid_value(
            "groups",
            "must be 1-d with strata or tasks",
            end=": the variance of two-way clusters within strata is not implemented. Use one "
            "kind of clusters.",
        )
    if nan_policy == "pairwise" and items.links.others is not None:
        raise invalid_value(
            "groups",
            "must be 1-d with nan_policy='pairwise'",
            end=": two-way clusters are not supported for pairs with different items. Pass "
            "nan_policy='omit'.",
        )
    if nan_policy == "pairwise":
        check_common(items)
    return items


def check_common(items: Items) -> None:
    """Raise if two models have no item in common."""
    answered = (~np.isnan(items.scores)).astype(np.float32)
    n_common = answered.T @ answered  # of each pair of models; rounding leaves no count 0
    silent = np.flatnonzero(np.diag(n_common) == 0)
    if silent.size:
        raise invalid_value(
            "scores",
            f"must have an item that {items.names[silent[0]]!r} answered",
            end=", got none. Drop this model.",
        )
    if not n_common.all():
        i, j = np.argwhere(n_common == 0)[0]
        raise invalid_value(
            "scores",
            f"must have an item that {items.names[i]!r} and {items.names[j]!r} both answered",
            end=", got none. Drop one of them.",
        )


def as_claims_correction(correction: object, method: str) -> str:
    """Return the correction for claims about all pairs: 'auto', 'max-t' or 'holm', or raise."""
    chosen: str = as_choice("correction", correction, ("auto", "max-t", "holm"))
    if method == "bootstrap" and chosen == "holm":
        raise invalid_value(
            "correction",
            "must be 'auto' or 'max-t' with method='bootstrap', which uses the largest "
            "deviation of its replicates",
            end=", got 'holm'. Pass method='t'.",
        )
    return chosen


def as_best(tau: object, k: int) -> int:
    """Return tau, the number of best models, or raise unless it is from 1 to k."""
    number = as_integer("tau", tau)
    if not 1 <= number <= k:
        raise invalid_value(
            "tau", f"must be from 1 to {k}, the number of models", tau, show=", got {}"
        )
    return number
