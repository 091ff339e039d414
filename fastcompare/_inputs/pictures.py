"""What pictures take: results, or several of them with names."""

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from .._base.exceptions import InvalidTypeError, InvalidValueError


def refuse_picture(result: Any, wanted: str, known: str) -> NoReturn:
    """Raise since a result has nothing of what a picture shows; `known` says what has."""
    raise InvalidTypeError(
        f"`result` must have {wanted}, got {type(result).__name__}. Pass the result of {known}."
    )


def as_results(result: Any) -> dict[Any, Any] | None:
    """Return several results by their names, or numbers without any; None for one result."""
    several: dict[Any, Any]
    if isinstance(result, Mapping):
        several = {str(name): one for name, one in result.items()}
    elif isinstance(result, list | tuple):
        several = dict(enumerate(result))
    else:
        return None
    if not several:
        raise InvalidValueError("`result` must hold at least one result, got none.")
    return several


def refuse_unpictured(result: Any, pictures: Iterable[str]) -> NoReturn:
    """Raise since no picture shows results of this class; `pictures` are the classes with one."""
    raise InvalidTypeError(
        f"`result` has no picture: got {type(result).__name__}. There are pictures of "
        f"{', '.join(sorted(pictures))}; `print(result)` and `result.to_frame()` show any result."
    )
