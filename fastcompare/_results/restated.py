"""A result as it is told: with another level of its intervals, or other names of its models."""

from collections.abc import Mapping
from typing import Any

from .._inputs.options import check_level
from .._inputs.telling import as_told_names, refuse_level

LEVEL = "_told_level"  # where a copy holds the level that it is told with


def restated(
    result: Any,
    confidence_level: float | None = None,
    name_a: str | None = None,
    name_b: str | None = None,
) -> Any:
    """Return a result to tell: itself, or a copy with this level of intervals and these names."""
    told = result
    if confidence_level is not None:
        level = check_level(confidence_level)
        if not has_interval(result):
            refuse_level(result)
        told = at_level(result, level, {})
    if name_a is not None or name_b is not None:
        told = changed(told, {"names": as_told_names(result, name_a, name_b)})
    return told


def changed(result: Any, values: dict[str, Any]) -> Any:
    """Return a copy of a record with these values."""
    copy = object.__new__(type(result))
    copy.__dict__.update({**result.__dict__, **values})
    return copy


def in_direction(result: Any, higher_is_better: bool) -> Any:
    """Return a result of pairs whose sentence calls lower models better, unless higher ones are."""
    if higher_is_better or not getattr(result, "higher_is_better", False):
        return result
    return changed(
        result, {"higher_is_better": False, "claim": result.claim.replace("higher", "lower")}
    )


def is_told(value: Any) -> bool:
    """Return whether a value is a result, which tells itself."""
    return hasattr(value, "_summary")


def parts_of(result: Any) -> Mapping[str, Any]:
    """Return the results, and mappings of them, that a result holds."""
    held = result.__dict__.items()
    return {name: part for name, part in held if is_told(part) or of_results(part)}


def of_results(value: Any) -> bool:
    """Return whether a value is a mapping of results."""
    return isinstance(value, dict) and bool(value) and all(map(is_told, value.values()))


def has_interval(result: Any) -> bool:
    """Return whether a result, or one that it holds, has an interval."""
    if result._has_interval:
        return True
    parts = parts_of(result).values()
    return any(map(has_interval, (one for part in parts for one in each_of(part))))


def each_of(part: Any) -> list[Any]:
    """Return a result alone, or those of a mapping."""
    return list(part.values()) if isinstance(part, dict) else [part]


def at_level(result: Any, level: float, known: dict[int, Any]) -> Any:
    """Return a copy that is told at this level, with all results that it holds.

    What is held twice is copied once, for some ask whether two of their results are one.
    """
    if id(result) not in known:
        parts = {
            name: {key: at_level(one, level, known) for key, one in part.items()}
            if isinstance(part, dict)
            else at_level(part, level, known)
            for name, part in parts_of(result).items()
        }
        known[id(result)] = changed(result, {**parts, LEVEL: level})
    return known[id(result)]
