"""What a sentence and a table are asked for: a level of intervals, names of two models."""

from typing import Any

from .._base.exceptions import InvalidTypeError, InvalidValueError


def refuse_level(result: Any) -> None:
    """Raise since a result has no interval whose level could be chosen."""
    raise InvalidValueError(
        f"`confidence_level` is that of intervals, and this result ({result.title}) has none to "
        "choose it for: leave it out."
    )


def as_told_names(result: Any, name_a: object, name_b: object) -> tuple[str, str]:
    """Return the names to call the two models of a result by, or raise where it has not two."""
    if not hasattr(type(result), "_called"):
        raise InvalidValueError(
            f"`name_a` and `name_b` name two models, which this result ({result.title}) does not "
            "compare: name the columns of its data, or the keys, instead."
        )
    first, second = (
        check_told_name(f"name_{letter}", held if name is None else name)
        for letter, name, held in zip("ab", (name_a, name_b), result.names, strict=True)
    )
    if first == second:
        raise InvalidValueError(
            f"`name_a` and `name_b` must differ, got {first!r} for both: leave both out to keep "
            "the names of the data."
        )
    return first, second


def check_told_name(parameter: str, name: object) -> str:
    """Return a name of a model, or raise."""
    if not isinstance(name, str):
        raise InvalidTypeError(
            f"`{parameter}` must be a text that names a model, got {type(name).__name__}."
        )
    if not name.strip():
        raise InvalidValueError(f"`{parameter}` must name a model, got {name!r}: give it a name.")
    return name
