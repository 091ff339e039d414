"""Functions by name, imported on their first call: tables may name all of them, and load none."""

from collections.abc import Callable
from importlib import import_module
from inspect import Signature, signature
from typing import Any


class LazyFunction:
    """A function of a module, which is imported when it is called or its parameters are asked.

    Messages call it by its name, or as it is called there.
    """

    def __init__(self, home: str, name: str, called: str = "") -> None:
        self.home = home
        self.name = name
        self.__name__ = called or name

    @property
    def function(self) -> Callable[..., Any]:
        """The function itself."""
        function: Callable[..., Any] = getattr(import_module(self.home), self.name)
        return function

    @property
    def __signature__(self) -> Signature:
        return signature(self.function)

    def __call__(self, *data: Any, **options: Any) -> Any:
        """Return the result of the function."""
        return self.function(*data, **options)


def public(name: str) -> LazyFunction:
    """Return the public function of this name."""
    return LazyFunction(__name__.partition(".")[0], name)
