"""Which test is right for which data: the table of rules used by `recommend`.

RULES  a row for each test and each kind of data, design and claim
WRONG  the tests that people take by mistake, and how often they err
"""

from .rule import WRONG, Rule, Wrong
from .rules import RULES

__all__ = ["RULES", "WRONG", "Rule", "Wrong"]
