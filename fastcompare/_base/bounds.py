"""Bounds on costs that the environment of the process can raise."""

import os

from .exceptions import InvalidValueError


def bound_of(variable: str, usual: int) -> int:
    """Return the bound that a variable of the environment gives, else the usual one, or raise."""
    given = os.environ.get(variable, "").strip()
    if not given:
        return usual
    if not (given.isascii() and given.isdecimal() and len(given) < 100):
        raise InvalidValueError(
            f"`{variable}` in the environment must be a whole number in figures, got "
            f"{given[:60]!r}. Write one as in {variable}={usual}, or unset it."
        )
    return int(given)
