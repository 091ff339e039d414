"""Options that a family of functions shares: written once, shown by each of them.

A function ends in ``**options: Unpack[SomeTypedDict]``, which type checkers and editors read, and
passes them on to an engine. `forwards` shows people the rest: the engine's options with their
defaults in the function's signature, and in its docstring what it does not say itself.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar, cast

from .docstrings import merged
from .documented import ORDER, documented
from .exceptions import suggestion

F = TypeVar("F", bound=Callable[..., Any])


def forwards(engine: Callable[..., Any]) -> Callable[[F], F]:
    """Return a decorator that shows in a function what it passes on to `engine`."""
    every = inspect.signature(engine).parameters
    options = {name: p for name, p in every.items() if p.kind is p.KEYWORD_ONLY}

    def decorate(function: F) -> F:
        own = inspect.signature(function)
        kept = {name: p for name, p in own.parameters.items() if p.kind is not p.VAR_KEYWORD}
        shown = own.replace(parameters=sorted({**kept, **options, **kept}.values(), key=place))
        legal = shown.parameters.keys()

        @wraps(function)
        def forwarding(*args: Any, **given: Any) -> Any:
            if not given.keys() <= legal:  # or else the engine's name would stand in the error
                raise unexpected(function.__name__, given, legal)
            return function(*args, **given)

        forwarding.__signature__ = shown  # type: ignore[attr-defined]
        if function.__doc__ and engine.__doc__:  # python -OO has none
            docs = inspect.getdoc(function) or "", inspect.getdoc(engine) or ""
            forwarding.__doc__ = merged(*docs, list(shown.parameters))
        return cast(F, documented(forwarding))

    return decorate


def place(parameter: inspect.Parameter) -> tuple[int, int]:
    """Return where a parameter stands in a signature: options by the one order that all share."""
    known = parameter.kind is parameter.KEYWORD_ONLY and parameter.name in ORDER
    return parameter.kind, ORDER.index(parameter.name) if known else -1


def unexpected(name: str, given: Iterable[str], legal: Iterable[str]) -> TypeError:
    """Return the error of an option that a function has not, with the one that is most like it."""
    wrong = next(option for option in given if option not in set(legal))
    hint = suggestion(wrong, legal, ".")
    return TypeError(f"{name}() got an unexpected keyword argument {wrong!r}{hint}")
