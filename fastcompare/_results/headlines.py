"""Pairs of models as people read them: the better model first, the surest first, and a headline."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.text import UPWARD, listed
from .._base.types import Vector

NAMED = 3  # models, or pairs, that a headline names


def surest_first(result: Any) -> list[int]:
    """Return the order in which people read pairs, undefined ones last."""
    adjusted, pvalue = map(np.atleast_1d, (result.adjusted_pvalue, result.pvalue))
    order: list[int] = np.lexsort((pvalue, adjusted)).tolist()
    return order


def turned_pairs(result: Any, chosen: Any = slice(None)) -> NDArray[np.bool_]:
    """Return which of these pairs people read with the second model, the better one, first.

    None of a claim with a direction, or about a control; a single pair is as users named it.
    """
    directed = UPWARD.get(result.alternative) is not None
    if directed or len(result.pairs) < 2 or of_control(result):
        none: NDArray[np.bool_] = np.zeros(len(result.pairs), bool)[chosen]
        return none
    estimate: Vector = np.atleast_1d(result._estimates(chosen))
    return estimate < 0.0 if result.higher_is_better else estimate > 0.0


def of_control(result: Any) -> bool:
    """Return whether models were compared with one of them, and not with each other."""
    return len(result.pairs) < math.comb(len(result.names), 2)


def beside_best(
    result: Any, found: NDArray[np.intp]
) -> tuple[int, NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return the best model, the other model of each pair, and the pairs of the best one.

    Those that are not significant, and those that are among the significant ones that were found.
    """
    first, second = result._cells()
    best = int(np.argmin(result._standing()))
    others = np.where(first == best, second, first)
    of_best = np.flatnonzero((first == best) | (second == best))
    near = of_best[result.adjusted_pvalue[of_best] > result.alpha]
    return best, others, near, np.intersect1d(of_best, found)


def headline_of_pairs(result: Any) -> str:
    """Return which models are better than which, without numbers: of all pairs the best one."""
    if np.isnan(result.pvalue).all():
        return ""
    found = np.flatnonzero(result.adjusted_pvalue <= result.alpha)
    if not found.size:
        return f"No difference in {result.quantity} is significant."
    best, others, near, below = beside_best(result, found)
    names = result.names
    leads = all(result._better(p) == names[best] for p in below.tolist())
    if of_control(result) or not (leads and below.size):
        if found.size > NAMED:
            count = f"{found.size} of {len(result.pairs)} differences"
            return f"{count} in {result.quantity} are significant."
        told = (f"{result._better(p)} {result.claim} {result._worse(p)}" for p in found.tolist())
        return f"{'; '.join(told)}."
    worse = listed([names[j] for j in others[below]], NAMED)
    alike = listed([names[j] for j in others[near]], NAMED) if near.size else ""
    more = f"; it does not differ significantly from {alike}" if alike else ""
    return f"{names[best]} {result.claim} {worse}{more}."
