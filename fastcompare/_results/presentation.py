"""Copies of results with other fields: level of printed intervals, names, what a caller knows.

`presentation` imports what draws, tabulates or explains results of all kinds, which is above this
floor, when it is asked; nothing else imports upwards.
"""

from collections.abc import Mapping
from importlib import import_module
from itertools import chain
from typing import Any, Literal

from .._inputs.options import as_display_names, check_level, refuse_level

DISPLAY_LEVEL = "_display_level"  # the field of a copy with the level of its printed intervals
SHOWN_INTERVALS = "_shown_intervals"  # intervals that were printed, by level
ALPHA = "alpha"  # the significance level in sentences, which pairs have as a public field


def for_presentation(
    result: Any,
    confidence_level: float | None = None,
    name_a: str | None = None,
    name_b: str | None = None,
) -> Any:
    """Return the result to print: a copy where a level of intervals or names are specified."""
    presented = result
    if confidence_level is not None:
        level = check_level(confidence_level)
        if not has_interval(result):
            refuse_level(result)
        presented = at_level(result, level, {})
    if name_a is not None or name_b is not None:
        presented = replace_fields(presented, {"names": as_display_names(result, name_a, name_b)})
    return presented


def replace_fields(result: Any, values: dict[str, Any]) -> Any:
    """Return a copy of a record with these values."""
    return result.from_fields(**result.__dict__ | values)


def is_result(value: Any) -> bool:
    """Return whether a value is a result."""
    return hasattr(value, "_summary")


def nested_results(result: Any) -> Mapping[str, Any]:
    """Return the fields of a result that are results, or mappings of them."""
    values = result.__dict__.items()
    return {
        name: value for name, value in values if is_result(value) or is_mapping_of_results(value)
    }


def is_mapping_of_results(value: Any) -> bool:
    """Return whether a value is a mapping of results."""
    return isinstance(value, dict) and bool(value) and all(map(is_result, value.values()))


def has_interval(result: Any) -> bool:
    """Return whether a result, or a nested one, has an interval."""
    if result._has_interval:
        return True
    nested = nested_results(result).values()
    results = (value.values() if isinstance(value, dict) else [value] for value in nested)
    return any(map(has_interval, chain.from_iterable(results)))


def at_level(result: Any, level: float, copies_by_id: dict[int, Any]) -> Any:
    """Return a copy of a result whose printed intervals have this level, nested results included.

    `copies_by_id` has the copies made so far, by the id of the original: a result that is nested
    twice is copied once, since some callers compare by identity.
    """
    if id(result) not in copies_by_id:
        copies = {
            name: {key: at_level(each, level, copies_by_id) for key, each in nested.items()}
            if isinstance(nested, dict)
            else at_level(nested, level, copies_by_id)
            for name, nested in nested_results(result).items()
        }
        copies_by_id[id(result)] = replace_fields(result, {**copies, DISPLAY_LEVEL: level})
    return copies_by_id[id(result)]


Presentation = Literal[
    "plots", "_report.formats", "_report.screen", "_report.page", "advice.provenance"
]


def presentation(name: Presentation) -> Any:
    """Return the module that draws, tabulates or explains results of all kinds."""
    return import_module(f"fastcompare.{name}")
