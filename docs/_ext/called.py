"""Where a public function is, and the kernels that it may call, each with its line.

Found by following names: those that a function uses, then those that these use, until a kernel.
"""

import functools
import inspect
from collections import deque
from pathlib import Path
from types import CodeType

import fastcompare as fc

ROOT = Path(__file__).resolve().parents[2]
SHOWN = 4  # kernels that are told; sorting alone has ten


def line_of(function):
    """Return the file and line of a function, from the root of the checkout."""
    plain = inspect.unwrap(getattr(function, "py_func", function))
    lines, start = inspect.getsourcelines(plain)
    at = next(i for i, line in enumerate(lines) if line.startswith("def "))
    return f"{Path(inspect.getsourcefile(plain)).resolve().relative_to(ROOT)}:{start + at}"


def kernels_of(name):
    """Return the kernels of a public function, those that are fewest calls away first."""
    waiting, seen, found = deque([getattr(fc, name)]), set(), []
    while waiting:
        thing = waiting.popleft()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if home_of(thing).startswith("fastcompare.kernels"):
            found.append(thing)
        else:
            waiting.extend(part for part in parts_of(thing) if is_ours(part))
    return found


def is_ours(thing):
    """Return whether names in a thing may lead to a kernel."""
    if isinstance(thing, (dict, list, tuple, functools.partial)):
        return True
    return home_of(thing).startswith("fastcompare")


def home_of(thing):
    """Return the module of a function, a kernel or a class."""
    known = inspect.isclass(thing) or callable(thing)
    return str(getattr(thing, "__module__", "")) if known else ""


def parts_of(thing):
    """Return what a function uses, a class defines, or a table holds."""
    if isinstance(thing, functools.partial):
        return [thing.func]
    if isinstance(thing, dict):
        return list(thing.values())
    if isinstance(thing, (list, tuple)):
        return list(thing)
    if inspect.isclass(thing):
        own = (
            getattr(part, "__func__", getattr(part, "fget", part)) for part in vars(thing).values()
        )
        return [part for part in own if inspect.isfunction(part)]
    plain = inspect.unwrap(thing) if callable(thing) else None
    return names_in(plain) if inspect.isfunction(plain) else []


def names_in(function):
    """Return the globals that a function, or one inside it, names."""
    codes, names = [function.__code__], {}
    for code in codes:
        codes.extend(part for part in code.co_consts if isinstance(part, CodeType))
        names |= dict.fromkeys(code.co_names)
    return [function.__globals__[name] for name in names if name in function.__globals__]


def places_of(name):
    """Return where a public function and its kernels are, in words."""
    kernels = kernels_of(name)
    told = [f"`{name}` in `{line_of(getattr(fc, name))}`"]
    if kernels:
        first = ", ".join(f"`{k.__name__}` in `{line_of(k)}`" for k in kernels[:SHOWN])
        rest = len(kernels) - SHOWN
        told.append(f"kernels: {first}" + (f", and {rest} more" if rest > 0 else ""))
    return "; ".join(told)
