"""The one way from a result to a room above its own: its picture, its tables, its page.

Rooms know only those below them, and the import contract proves it. A result that is asked to draw
itself asks a room above by name, when it is asked and not before; so does its page, which says
what the test assumes. Nothing else looks upward.
"""

from importlib import import_module
from typing import Any, Literal


def room(name: Literal["plots", "_report", "advice.grounds"]) -> Any:
    """Return the module of a room that knows all results."""
    return import_module(f"fastcompare.{name}")
