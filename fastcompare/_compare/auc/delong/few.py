"""When cases are few for tests of AUCs: what statistics are compared with, and what is said of it.

Few cases of a class need Student's t. And many cases are effectively few where a model misranks
almost none of them: of two models with equal AUCs near 1, that which misranks few cases far often
looks the better one, for samples that hold none of these.
"""

from typing import Any

import numpy as np

from ...._base.exceptions import hint
from ...._inference.skewness import DOUBTFUL
from ...._inference.status import FEW_CASES
from ..differences import caution

FEW_FOR_T = 3  # cases of a class: of 2 the test by t rejects 10% at 5%, of 3 it holds 5.8%
MISRANKED = "the better model misranks less than one case of the smaller class"
FEW_MISRANKED = 1.0  # cases of the smaller class; of fewer, curves unlike near 1 reject 6 to 20%
FEW_FOR_PAIRS = 8  # the same for all pairs: 5 of 100 cases, models that know nothing: 6 to 11%


def has_degrees(reference: str, kind: str, fewest: Any) -> Any:
    """Return whether differences over their errors are compared with Student's t.

    'design' asks how cases came about alone; 'auto' also whether the `fewest` cases of a class are
    few. There the normal reference rejects more than 6% at 5%, and t holds its level: levels.md.
    """
    if reference in ("auto", "design") and kind in ("clusters", "sampling weights"):
        return True
    return fewest < FEW_CASES if reference == "auto" else reference == "t"


def basis_of(df: Any) -> str:
    """Return the words for a reference with these degrees of freedom."""
    return "the normal approximation" if few_cases(df) == FEW_CASES else "Student's t"


def rests_on_few(pvalue: Any, best: Any, fewest: Any) -> Any:
    """Return whether a claim rests on less than one misranked case of the smaller class.

    On average, by the better model, whose AUC is the `best`.
    """
    return (pvalue < DOUBTFUL) & (fewest * (1.0 - best) < FEW_MISRANKED)


def claim_status(word: str, pvalue: float, best: float, fewest: float) -> str:
    """Return the status word of a claim, 'small_sample' if it rests on few misranked cases."""
    return "small_sample" if word == "ok" and rests_on_few(pvalue, best, fewest) else word


def few_cases(df: Any, k: int = 2) -> int:
    """Return how many cases of a class are enough for tests of k models by such a reference."""
    if (np.asarray(df) == np.inf).all():
        return FEW_CASES
    return FEW_FOR_T if k == 2 else FEW_FOR_PAIRS


def stated_caution(statuses: Any, fewest: float, df: Any, k: int = 2) -> str:
    """Return a sentence about few cases, or few that are misranked, if a status says so."""
    if "small_sample" in statuses and fewest >= few_cases(df, k):
        return f" {MISRANKED[0].upper()}{MISRANKED[1:]}, and its AUC may be lower than it looks."
    return caution(statuses, fewest, basis_of(df))


def few_cases_hint(
    df: Any, kind: str = "independent", margin: float = 0.0, fewest: float = 0.0, k: int = 2
) -> str:
    """Return the ways out of few cases, to follow the warning of them, or what they are few of."""
    if fewest >= few_cases(df, k):
        return f": {MISRANKED}"
    ways = ["omit `reference`"] if few_cases(df) == FEW_CASES else []
    if kind == "independent" and not margin:  # all that a permutation can test
        ways.append(hint("use permutation_auc_test"))
    return f": {', or '.join(ways)}" if ways else ""
