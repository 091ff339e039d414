"""Few cases of a class: when statistics are referred to Student's t, and the hints that follow."""

from typing import Any

import numpy as np

from ..._base.exceptions import hint
from ..._inference.status import FEW_CASES
from ..._inference.unseen import ALPHA, DOUBTFUL

FEW_FOR_T = 3  # cases of a class: at the 5% level the t test rejects 10% with 2, 5.8% with 3
FEW_FOR_PAIRS = 8  # for all pairs of models: with 5 of 100 cases and random scores 6 to 11%


def uses_student_t(reference: str, kind: str, fewest: Any) -> Any:
    """Return whether the reference distribution is Student's t; an array for arrays of `fewest`.

    `kind` is that of the design: clusters and sampling weights need t. 'auto' also takes it if the
    smaller class has few cases (`fewest`): the normal reference rejects more than 6% at 5% then.
    """
    if reference in ("auto", "design") and kind in ("clusters", "sampling weights"):
        return True
    return fewest < FEW_CASES if reference == "auto" else reference == "t"


def reference_name(df: Any) -> str:
    """Return the name of the reference distribution with these degrees of freedom."""
    return "the normal approximation" if fewest_reliable_cases(df) == FEW_CASES else "Student's t"


def fewest_reliable_cases(df: Any, k: int = 2) -> int:
    """Return the number of cases of a class below which tests of k models err, for these df."""
    if (np.asarray(df) == np.inf).all():
        return FEW_CASES
    return FEW_FOR_T if k == 2 else FEW_FOR_PAIRS


def few_cases_hint(df: Any, kind: str = "independent", margin: float = 0.0) -> str:
    """Return the end of a warning of few cases: what to do instead."""
    ways = ["omit `reference`"] if fewest_reliable_cases(df) == FEW_CASES else []
    if kind == "independent" and not margin:  # permutations of other designs, or by a margin, fail
        ways.append(hint("use permutation_auc_test"))
    return f": {', or '.join(ways)}" if ways else ""


def more_power_sentence(pvalue: float, fewest: float) -> str:
    """Return a sentence that names a test with more power, if cases are few and p is just over 5%.

    Otherwise an empty string.
    """
    if fewest >= FEW_CASES or not ALPHA < pvalue <= DOUBTFUL:
        return ""
    return " With so few cases permutation_auc_test has more power, if models are exchangeable."
