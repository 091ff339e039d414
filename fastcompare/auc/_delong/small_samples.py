"""Few cases of a class: when statistics are referred to Student's t, and the hints that follow."""

from typing import Any

import numpy as np

from ..._base.exceptions import hint
from ..._inference.status import FEW_CASES
from ..._inference.unseen import ALPHA, DOUBTFUL

FEW_FOR_T = 3  # cases of a class: of 2 the test by t rejects 10% at 5%, of 3 it holds 5.8%
FEW_FOR_PAIRS = 8  # the same for all pairs: 5 of 100 cases, models that know nothing: 6 to 11%


def has_degrees(reference: str, kind: str, fewest: Any) -> Any:
    """Return whether differences over their errors are compared with Student's t.

    'design' asks how cases came about alone; 'auto' also whether the `fewest` cases of a class are
    few. There the normal reference rejects more than 6% at 5%, and t keeps its level: levels.md.
    """
    if reference in ("auto", "design") and kind in ("clusters", "sampling weights"):
        return True
    return fewest < FEW_CASES if reference == "auto" else reference == "t"


def reference_name(df: Any) -> str:
    """Return the words for a reference with these degrees of freedom."""
    return "the normal approximation" if few_cases(df) == FEW_CASES else "Student's t"


def few_cases(df: Any, k: int = 2) -> int:
    """Return how many cases of a class are enough for tests of k models by such a reference."""
    if (np.asarray(df) == np.inf).all():
        return FEW_CASES
    return FEW_FOR_T if k == 2 else FEW_FOR_PAIRS


def few_cases_hint(df: Any, kind: str = "independent", margin: float = 0.0) -> str:
    """Return the ways out of few cases, to follow the warning of them."""
    ways = ["omit `reference`"] if few_cases(df) == FEW_CASES else []
    if kind == "independent" and not margin:  # all that a permutation can test
        ways.append(hint("use permutation_auc_test"))
    return f": {', or '.join(ways)}" if ways else ""


def more_power(pvalue: float, fewest: float) -> str:
    """Return the sentence that names a test with more power, where few cases leave a doubt."""
    if fewest >= FEW_CASES or not ALPHA < pvalue <= DOUBTFUL:
        return ""
    return " With so few cases permutation_auc_test has more power, if models are exchangeable."
