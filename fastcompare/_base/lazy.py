"""Functions by name that are imported on their first call, for tables of functions."""

from collections.abc import Callable
from importlib import import_module
from inspect import Signature, signature
from typing import Any


class LazyFunction:
    """A function whose module `home` is imported when it is called or its signature is needed.

    `called` is its name in messages, by default `name`.
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


def public_function(name: str) -> LazyFunction:
    """Return the public function of this name."""
    return LazyFunction(__name__.partition(".")[0], name)
