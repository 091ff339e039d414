"""The classes of all results, for annotations.

>>> from fastcompare.results import DeLongResult
"""

from . import _RESULTS, _find
from ._base.exceptions import MissingAttributeError

__all__ = sorted(_RESULTS)


def __getattr__(name: str) -> object:
    if name not in _RESULTS:
        raise MissingAttributeError(f"module {__name__!r}", name, __all__)
    globals()[name] = result_class = _find(name)
    return result_class


def __dir__() -> list[str]:
    return __all__
