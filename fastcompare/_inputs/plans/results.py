"""Results that functions take: estimates to pool, and the subgroups of a comparison."""

from collections.abc import Iterable
from typing import Any

from ..._base.documented import Call, call_that_made
from ..._base.exceptions import invalid_type, invalid_value
from ..options import FIELDS_TO_AGREE, OPTIONS_THAT_MAY_DIFFER, check_choice


def as_same_results(results: object) -> list[Any]:
    """Return two results or more of one function, with the same models and options, or raise."""
    if hasattr(results, "estimate") or not isinstance(results, Iterable):
        raise invalid_type(
            "results",
            "must be a list of results, one of each imputed data set",
            type(results).__name__,
            ": pass [result_1, result_2, ...].",
            show=", got {}",
        )
    pooled = list(results)
    if len(pooled) < 2:
        raise invalid_value(
            "results",
            "must contain the results of at least two imputed data sets",
            len(pooled),
            ": impute several times, or use the one result as it is.",
        )
    for at, result in enumerate(pooled):
        check_poolable(at, result)
        check_same(at, result, pooled[0])
    return pooled


def check_poolable(at: int, result: Any) -> None:
    """Raise unless a result has one estimate, its standard error, and either a claim or a level."""
    moments = (getattr(result, name, None) for name in ("estimate", "standard_error"))
    claim = hasattr(result, "margin") or hasattr(result, "confidence_level")
    if not claim or not all(isinstance(value, float) for value in moments):
        raise invalid_type(
            "results",
            "must contain tests of two models, or intervals of one, that have an estimate and "
            "a standard error",
            type(result).__name__,
            f" at index {at}: pool the tests of pairs, or the intervals, one by one.",
            show=", got {}",
            row=at,
        )


def check_same(at: int, result: Any, first: Any) -> None:
    """Raise unless a result is of the same function, claim, level and models as the first one.

    Results that another function made do not know their call: then their classes are compared.
    """
    calls = [call_that_made(each) for each in (first, result)]
    if not all(call.function for call in calls):
        calls = [Call(type(each).__name__) for each in (first, result)]
    facts = [
        {
            "the function": call.function,
            **{
                name: value
                for name, value in call.options.items()
                if name not in OPTIONS_THAT_MAY_DIFFER
            },
            **{name: getattr(each, name) for name in FIELDS_TO_AGREE if hasattr(each, name)},
        }
        for call, each in zip(calls, (first, result), strict=True)
    ]
    for name in dict.fromkeys([*facts[0], *facts[1]]):
        values = [fact.get(name, "its default") for fact in facts]
        if values[0] != values[1]:
            raise invalid_value(
                "results",
                f"must be of the same function, options and models, but {name} is {values[0]} at "
                f"index 0 and {values[1]} at index {at}",
                end=": pool those that agree.",
                row=at,
            )


def check_known_subgroups(known: tuple[str, ...], left_out: tuple[str, ...]) -> None:
    """Raise unless there are two subgroups, without those that are `left_out` as too small.

    Too few cases or clusters of a class give no AUC with a variance.
    """
    if len(known) < 2:
        raise invalid_value(
            "subgroup",
            "must have at least two subgroups with two cases, or clusters, of each class",
            len(known),
            f"; not so {', '.join(left_out)}. Join small subgroups.",
        )


def as_subgroup(name: str, label: object, names: tuple[str, ...]) -> int | None:
    """Return the index of the subgroup with this label, None for no label, or raise."""
    if label is None:
        return None
    check_choice(name, str(label), names)
    return names.index(str(label))
