"""What a simulation is asked for: whole numbers, and the tests by name or as functions."""

from collections.abc import Callable, Iterable, Mapping
from numbers import Integral

from .._exceptions import InvalidTypeError, InvalidValueError
from .options import check_choice

MOST_TRIALS = 1 << 31
Tests = dict[str, Callable[..., object] | None]


def check_count(name: str, value: object, least: int, most: int = MOST_TRIALS) -> int:
    """Return a whole number from `least` to `most`, or raise."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InvalidTypeError(f"`{name}` must be an integer, got {value!r}.")
    if not least <= value <= most:
        raise InvalidValueError(f"`{name}` must be from {least} to {most}, got {value}.")
    return int(value)


def as_tests(tests: object, known: Iterable[str]) -> Tests:
    """Return the tests by name, with the user's function or None for a test of the design.

    A name, a function, several of them, or a mapping from names to functions; None is all.
    """
    legal = tuple(known)
    if tests is None:
        tests = legal
    if isinstance(tests, str) or callable(tests):
        tests = (tests,)
    if isinstance(tests, Mapping):
        named = list(tests.items())
    elif isinstance(tests, Iterable):
        named = [(name_of(test), test) for test in tests]
    else:
        raise InvalidTypeError(f"`tests` must be names or functions, got {tests!r}.")
    if not named:
        raise InvalidValueError("`tests` must hold at least one test, got none.")
    found: Tests = {}
    for name, test in named:
        if isinstance(test, str):
            check_choice("tests", test, legal)
        elif not callable(test):
            raise InvalidTypeError(f"`tests` must be names or functions, got {test!r}.")
        if str(name) in found:
            raise InvalidValueError(f"`tests` names {str(name)!r} twice: pass a mapping.")
        found[str(name)] = test if callable(test) else None
        if isinstance(test, str) and str(name) != test:
            raise InvalidValueError(f"`tests[{name!r}]` must be a function, got {test!r}.")
    return found


def name_of(test: object) -> str:
    """Return how a test is called."""
    return test if isinstance(test, str) else str(getattr(test, "__name__", test))
