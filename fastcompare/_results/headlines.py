"""Pairs of models as people read them: the better model first, the surest first, and a headline."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.text import UPWARD, join_names
from .._base.types import Vector

NAMED = 3  # models, or pairs, that a headline names
PRINTED = 12  # models that a sentence for a paper names: all, unless they would fill the page


def surest_first(result: Any) -> list[int]:
    """Return the order in which people read pairs, undefined ones last."""
    adjusted, pvalue = map(np.atleast_1d, (result.adjusted_pvalue, result.pvalue))
    order: list[int] = np.lexsort((pvalue, adjusted)).tolist()
    return order


def second_is_better(result: Any, chosen: Any = slice(None)) -> NDArray[np.bool_]:
    """Return which of these pairs people read with the second model, the better one, first.

    None of a claim with a direction, or about a control; a single pair is as users named it.
    """
    directed = UPWARD.get(result.alternative) is not None
    if directed or len(result.pairs) < 2 or is_with_control(result):
        none: NDArray[np.bool_] = np.zeros(len(result.pairs), bool)[chosen]
        return none
    estimate: Vector = np.atleast_1d(result._estimates(chosen))
    return estimate < 0.0 if result.higher_is_better else estimate > 0.0


def is_with_control(result: Any) -> bool:
    """Return whether models were compared with one of them, and not with each other."""
    return len(result.pairs) < math.comb(len(result.names), 2)


def compare_with_best(
    result: Any, significant: NDArray[np.intp]
) -> tuple[int, NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the best model, the other model of each pair, and the pairs of the best one.

    Those that are not significant, and those that are among the significant ones that were found.
    """
    first, second = result._cells()
    best = int(np.argmin(result._merit_order()))
    others = np.where(first == best, second, first)
    of_best = np.flatnonzero((first == best) | (second == best))
    near = of_best[result.adjusted_pvalue[of_best] > result.alpha]
    return best, others, near, np.intersect1d(of_best, significant)


def pairs_headline(result: Any) -> str:
    """Return which models are better than which, without numbers: of all pairs the best one."""
    if np.isnan(result.pvalue).all():
        return ""
    significant = np.flatnonzero(result.adjusted_pvalue <= result.alpha)
    if not significant.size:
        return f"No difference in {result.quantity} is significant."
    best, others, near, below = compare_with_best(result, significant)
    names = result.names
    leads = all(result._better(p) == names[best] for p in below.tolist())
    if is_with_control(result) or not (leads and below.size):
        if significant.size > NAMED:
            count = f"{significant.size} of {len(result.pairs)} differences"
            return f"{count} in {result.quantity} are significant."
        findings = (
            f"{result._better(p)} {result.claim} {result._worse(p)}" for p in significant.tolist()
        )
        return f"{'; '.join(findings)}."
    worse = join_names([names[j] for j in others[below]], NAMED)
    close_models = join_names([names[j] for j in others[near]], NAMED) if near.size else ""
    more = f"; it does not differ significantly from {close_models}" if close_models else ""
    return f"{names[best]} {result.claim} {worse}{more}."
