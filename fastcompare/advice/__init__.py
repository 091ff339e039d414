"""Which test is right for which data: the table of rules used by `recommend`.

RULES  a row for each test and each kind of data, design and claim
WRONG  the tests that people take by mistake, and how often they err
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .rule import WRONG, Rule, Wrong
    from .rules import RULES

__all__ = ["RULES", "WRONG", "Rule", "Wrong"]


def __getattr__(name: str) -> Any:
    """Return a table or a class of the rules, which a comparison does not need."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import rule, rules

    return rules.RULES if name == "RULES" else getattr(rule, name)
