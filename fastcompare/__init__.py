"""Fast, exact statistical comparison of classifiers.

Functions, modules and exceptions are here; the classes of results are in `fastcompare.results`.
Every public name is imported on its first use, so ``import fastcompare`` costs little more than
``import numpy``. The table of names and their homes is what type checkers read: ``__init__.pyi``
and, for the classes of results, ``results.pyi``, which ``scripts/write_api.py`` writes.

The functions of a kind of data are in a family, too: ``from fastcompare import survival``.
"""

import re
import sys
from collections.abc import Callable
from importlib import import_module

__version__ = "0.2.0"


def _homes(stub: str) -> dict[str, str]:
    """Return the modules of the names that a stub imports from this package, by name."""
    text = __spec__.loader.get_data(f"{__path__[0]}/{stub}").decode()  # from a zip file, too
    matches = re.findall(r"^from \.([\w.]*) import \(?\s*(\w+) as", text, re.MULTILINE)
    return {name: home for home, name in matches}


_RESULTS = _homes("results.pyi")
_FACE = _homes("__init__.pyi")
_HOME = {name: home for name, home in _FACE.items() if home}
_MODULES = tuple(name for name, home in _FACE.items() if not home)

__all__ = sorted([*_HOME, *_MODULES])


def _find(name: str) -> object:
    """Return a public function or class, imported from the module where it is defined.

    Its ``__module__`` becomes the public one, so that it is shown as fastcompare.delong_test.
    """
    homes = {**_HOME, **_RESULTS}
    public_object = getattr(import_module(f".{homes[name]}", __name__), name)
    for public, home in homes.items():  # its result may have come along from another file
        loaded = vars(sys.modules.get(f"{__name__}.{home}", object))
        if public in loaded:
            _rename(loaded[public], f"{__name__}.results" if public in _RESULTS else __name__)
    return public_object


def _rename(public_object: object, place: str) -> None:
    """Make a function or class report the public module as its own."""
    if public_object.__module__ != place:
        if place.endswith("results"):  # where the names in a class's annotations are not known
            from typing import get_type_hints  # a third of what importing all this file takes

            public_object.__annotations__ = get_type_hints(public_object)
        public_object.__module__ = place


def _open_family(module: str) -> tuple[list[str], Callable[[str], object], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a family: the public functions in it."""
    family = module.rpartition(".")[2]
    names = sorted(name for name, home in _HOME.items() if home.startswith(f"{family}."))

    def find(name: str) -> object:
        """Return a public function of the family."""
        if name not in names:
            from ._base.exceptions import MissingAttributeError

            raise MissingAttributeError(f"module {module!r}", name, names)
        return __getattr__(name)

    return names, find, names.copy


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in __all__:
        from ._base.exceptions import MissingAttributeError

        public = [f"results.{name}"] if name in _RESULTS else __all__
        raise MissingAttributeError(f"module {__name__!r}", name, public)
    globals()[name] = public_object = _find(name)
    return public_object


def __dir__() -> list[str]:
    return __all__
