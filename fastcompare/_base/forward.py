"""Options that a family of functions shares: written once, shown by each of them.

A function ends in ``**options: Unpack[SomeTypedDict]``, which type checkers and editors read, and
passes them on to an engine. `forwards` shows people the rest: the engine's options with their
defaults in the function's signature, and in its docstring what it does not say itself.
"""

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
HEAD = re.compile(r"^(\w[\w ]*)\n-+\n", re.MULTILINE)
ENTRY = re.compile(r"^(?=\S)", re.MULTILINE)
ORDER = ("Parameters", "Returns", "Warns", "See Also", "Notes", "References", "Examples")


def forwards(engine: Callable[..., Any]) -> Callable[[F], F]:
    """Return a decorator that shows in a function what it passes on to `engine`.

    The function stays the one that was written: nothing stands between it and its callers.
    """
    every = inspect.signature(engine).parameters.values()
    options = [p for p in every if p.kind is p.KEYWORD_ONLY]

    def decorate(function: F) -> F:
        own = inspect.signature(function)
        kept = [p for p in own.parameters.values() if p.kind is not p.VAR_KEYWORD]
        shown = own.replace(parameters=[*kept, *options])
        function.__signature__ = shown  # type: ignore[attr-defined]
        if function.__doc__ and engine.__doc__:  # python -OO has none
            docs = inspect.getdoc(function) or "", inspect.getdoc(engine) or ""
            function.__doc__ = merged(*docs, list(shown.parameters))
        return function

    return decorate


def merged(own: str, shared: str, parameters: Sequence[str]) -> str:
    """Return a docstring with the parameters of both, in this order, and the sections of either.

    Where both have a section, or describe a parameter, the function's own counts.
    """
    first, second = sections(own), sections(shared)
    found = {**second, **first}
    described = {
        name: text
        for section in (second, first)
        for text in ENTRY.split(section.get("Parameters", ""))
        for name in re.findall(r"\w+", text.partition("\n")[0].partition(" :")[0])
    }
    entries = dict.fromkeys(described[name].strip("\n") for name in parameters if name in described)
    found["Parameters"] = "\n".join(entries)
    parts = [f"{name}\n{'-' * len(name)}\n{found[name]}" for name in ORDER if name in found]
    return "\n\n".join([first[""], *parts]) + "\n"


def sections(doc: str) -> dict[str, str]:
    """Return the sections of a docstring by their names, and under "" what comes before."""
    start, *rest = HEAD.split(doc)
    named = zip(rest[::2], rest[1::2], strict=True)
    return {"": start.strip(), **{name: text.strip("\n") for name, text in named}}
