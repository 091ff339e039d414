"""Cases in groups: inside which alone cases are compared, or which are compared themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.frames import check_indexes
from ..._base.exceptions import invalid_type, invalid_value
from ..._base.types import AnyArray, Integers, Vector
from ..labels import as_label_column
from ..scores import (
    Cases,
    ScoreTable,
    as_cases,
    check_several,
    read_cases,
    titled_pair,
)
from ..weights import number_groups


class GroupedCases(NamedTuple):
    """Cases, the number of the group of each, and the labels of the groups in their order."""

    cases: Cases
    numbers: Integers
    labels: AnyArray


def as_grouped_cases(
    y_true: object,
    groups: object,
    pos_label: object,
    nan_policy: str,
    *,
    table: ScoreTable | None = None,
    **scores: Any,
) -> GroupedCases:
    """Return the checked cases with their groups, or raise where `groups` is None.

    Scores come as keywords, one model each under the name of the parameter, or all in `table`.
    """
    if groups is None:
        raise invalid_type(
            "groups",
            "must be specified",
            end=": the group of each case (user, query, centre), inside which cases are "
            "compared. Without groups use delong_test or roc_auc_interval.",
        )
    cases, extras = read_cases(y_true, pos_label, nan_policy, (None, None, groups), table, scores)
    labels: NDArray[Any] = np.asarray(extras.groups)
    total, numbers = number_groups(labels)
    names = np.empty(total, labels.dtype)
    names[numbers] = labels
    if not scores:
        check_several(cases.scores)
    return GroupedCases(cases, numbers, names)


class Subgroups(NamedTuple):
    """The names of subgroups, the cases of two models in each, the models' names, cases left out.

    Subgroups are in the order of their labels.
    """

    names: tuple[str, ...]
    cases: list[Cases]
    models: tuple[str, str]
    n_dropped: int


def as_subgroups(
    y_true: object, y_score_a: object, y_score_b: object, subgroup: object, **case_options: Any
) -> Subgroups:
    """Return the checked cases of each subgroup, or raise where a cluster is in several.

    `case_options` are options of `as_cases`. A subgroup is left out if all its cases are left
    out or have weight 0.
    """
    scores, models = titled_pair("y_score", y_score_a, y_score_b)
    names, cases, n_dropped = by_subgroup(y_true, scores, subgroup, **case_options)
    return Subgroups(names, cases, models, n_dropped)


def by_subgroup(
    y_true: object, scores: Mapping[str, object], subgroup: object, **case_options: Any
) -> tuple[tuple[str, ...], list[Cases], int]:
    """Return the names of subgroups, the checked cases of each, and how many cases are left out.

    `scores` are those of each model by the name of its parameter.
    """
    labels, missing = as_label_column("subgroup", subgroup)
    if not labels.size:
        raise invalid_value(
            "subgroup",
            "must name the subgroup of each case",
            end=", got none. Pass a column as long as `y_true`.",
        )
    check_indexes([("y_true", y_true), ("subgroup", subgroup)])
    has_subgroup = np.ones(labels.size, bool) if missing is None else ~missing
    total, numbers = number_groups(labels[has_subgroup])
    levels = np.empty(total, labels.dtype)
    levels[numbers] = labels[has_subgroup]
    # the numbers of subgroups come as one more score: cases that miss it are handled as others
    column = np.full(labels.size, np.nan)
    column[has_subgroup] = numbers

    all_cases = as_cases(y_true, **{**case_options, **scores, "subgroup": column})
    subgroup_numbers = all_cases.scores[-1]
    members = [np.flatnonzero(subgroup_numbers == number) for number in range(total)]
    names = [name for name, rows in zip(levels.tolist(), members, strict=True) if rows.size]
    if len(names) < 2:
        advice = "compare the models by delong_test" if len(scores) > 1 else "use roc_auc_interval"
        raise invalid_value(
            "subgroup",
            f"must name at least two subgroups, all cases are in {names}",
            end=f": {advice}.",
        )
    check_nested(all_cases.groups, subgroup_numbers)
    cases = [select_cases(all_cases, rows) for rows in members if rows.size]
    return tuple(map(str, names)), cases, all_cases.n_dropped


def check_nested(groups: NDArray[np.int64] | None, numbers: Vector) -> None:
    """Raise if a cluster has cases in several subgroups, which would not be independent then."""
    if groups is None:
        return
    order = np.lexsort((numbers, groups))
    is_split = (np.diff(groups[order]) == 0) & (np.diff(numbers[order]) != 0.0)
    if is_split.any():
        place = int(np.argmax(is_split))  # of the first of two neighbours in this order
        first, second = sorted(order[place : place + 2].tolist())
        raise invalid_value(
            "groups",
            "must have all cases of a cluster in one subgroup, but the cases at index "
            f"{first} and {second} are in one cluster and in two subgroups, which are "
            "therefore not independent",
            row=first,
        )


def select_cases(cases: Cases, rows: NDArray[np.intp]) -> Cases:
    """Return the cases of these rows, with their clusters numbered anew, without the last score.

    The last score is the number of the subgroup.
    """
    weights, groups = cases.weights, cases.groups
    return replace(
        cases,
        labels=cases.labels[rows],
        scores=[vector[rows] for vector in cases.scores[:-1]],
        names=cases.names[:-1],
        weights=None if weights is None else weights[rows],
        groups=None if groups is None else np.unique(groups[rows], return_inverse=True)[1],
    )
