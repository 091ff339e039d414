"""What a file must give: an answer with these numbers, or a question with these ways to answer."""

from typing import NamedTuple

import numpy as np

TOLERANCE = 1e-9


class Answer(NamedTuple):
    """The numbers (or what `float` makes one), and the models, and a pattern of what it says."""

    numbers: tuple[float, ...]
    models: tuple[str, ...] = ()
    says: str = ""


class Question(NamedTuple):
    """The way to answer that a question must name, and what comes then."""

    way: str  # on the command line
    then: Answer


class Fault(NamedTuple):
    """A pattern of the error of a file that nobody could read otherwise."""

    says: str


def numbers_in(found):
    """Yield all numbers of an answer in JSON."""
    if isinstance(found, dict):
        found = found.values()
    if isinstance(found, float | int) and not isinstance(found, bool):
        yield float(found)
    elif not isinstance(found, str | bool | None):
        for value in found:
            yield from numbers_in(value)


def shortfall(found, want):
    """Return what an answer in JSON lacks of a wanted one, '' if nothing."""
    values = np.array([*numbers_in(found)])
    for number in map(float, want.numbers):
        if not np.any(np.abs(values - number) <= TOLERANCE * max(abs(number), 1e-3)):
            return f"no number {number!r}"
    names = found.get("names") or [row["name"] for row in found["models"]]
    if want.models and {*names} != {*want.models}:
        return f"models {names}, not {want.models}"
    return ""
