"""Pairs of models as people read them: the better model first, the surest first, and a headline."""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.text import ALPHA, UPWARD, join_names
from .._base.types import Vector

MOST_NAMED = 3  # models, or pairs, that a headline names
MOST_PAIRS = 6  # pairs that a sentence for a paper names: of more, some
MOST_PRINTED = 12  # models that a sentence for a paper names: all, unless they would fill the page


def order_by_pvalue(result: Any) -> list[int]:
    """Return the indices of pairs by increasing adjusted p-value, then p-value; NaN last."""
    adjusted, pvalue = map(np.atleast_1d, (result.adjusted_pvalue, result.pvalue))
    order: list[int] = np.lexsort((pvalue, adjusted)).tolist()
    return order


def swaps_models(result: Any, chosen: Any = slice(None)) -> NDArray[np.bool_]:
    """Return which of the chosen pairs are displayed with their second, better model first.

    None are if the alternative has a direction, if models are compared with a control, or if there
    is a single pair, which keeps the order of the call.
    """
    if is_one_sided(result) or len(result.pairs) < 2 or is_with_control(result):
        no_swaps: NDArray[np.bool_] = np.zeros(len(result.pairs), bool)[chosen]
        return no_swaps
    estimate: Vector = np.atleast_1d(result._estimates(chosen))
    return estimate < 0.0 if result.higher_is_better else estimate > 0.0


def is_one_sided(result: Any) -> bool:
    """Return whether the alternative is 'greater' or 'less'."""
    return UPWARD.get(result.alternative) is not None


def significance(result: Any) -> str:
    """Return ``significant``; of one-sided tests ``significantly greater than 0`` or the margin."""
    upward = UPWARD.get(result.alternative)
    if upward is None:
        return "significant"
    margin = getattr(result, "margin", 0.0)
    claim = f"greater than {-margin:zg}" if upward else f"less than {margin:zg}"
    return f"significantly {claim}"


def is_with_control(result: Any) -> bool:
    """Return whether the models were compared with a control, and not all with each other."""
    return len(result.pairs) < math.comb(len(result.names), 2)


class BestModel(NamedTuple):
    """The index of the best model, and how the pairs (P,) with it come out.

    `others` (P,) has the other model of each pair. Pairs with the best model are `not_significant`,
    where it does not differ from the other one, or among the `significant` pairs.
    """

    best: int
    others: NDArray[np.intp]
    not_significant: NDArray[np.intp]
    significant: NDArray[np.intp]


def compare_with_best(result: Any, significant: NDArray[np.intp]) -> BestModel:
    """Return the best model, and which pairs with it are among the `significant` ones."""
    first, second = result._cells()
    best = int(np.argmin(result._standing()))
    others = np.where(first == best, second, first)
    pairs_of_best = np.flatnonzero((first == best) | (second == best))
    not_significant = pairs_of_best[result.adjusted_pvalue[pairs_of_best] > result.alpha]
    return BestModel(best, others, not_significant, np.intersect1d(pairs_of_best, significant))


def contradicts_pvalue(result: Any, low: Vector, high: Vector) -> NDArray[np.bool_]:
    """Return which simultaneous intervals (P,) contradict the adjusted p-values of their pairs.

    The intervals have the level of the test. No intervals belong to step-down p-values.
    """
    excludes_0 = (low > 0.0) | (high < 0.0)
    rejected: NDArray[np.bool_] = result.adjusted_pvalue <= getattr(result, "alpha", ALPHA)
    contradicted: NDArray[np.bool_] = (excludes_0 != rejected) & ~np.isnan(low + high)
    return contradicted


def pairs_headline(result: Any) -> str:
    """Return a sentence without numbers on which models are better than which.

    Where the best model is better than some others, these alone are named.
    """
    if np.isnan(result.adjusted_pvalue).all():
        return ""
    significant = np.flatnonzero(result.adjusted_pvalue <= result.alpha)
    if not significant.size:
        return f"No difference in {result.quantity} is {significance(result)}."
    best, others, not_significant, significant_of_best = compare_with_best(result, significant)
    names = result.names
    leads = significant_of_best.size and all(
        result._better(p) == names[best] for p in significant_of_best.tolist()
    )
    if is_with_control(result) or is_one_sided(result) or not leads:
        if significant.size > MOST_NAMED:
            count = f"{significant.size} of {len(result.pairs)} differences"
            return f"{count} in {result.quantity} are {significance(result)}."
        findings = (
            f"{result._better(p)} {result.claim} {result._worse(p)}" for p in significant.tolist()
        )
        return f"{'; '.join(findings)}."
    worse = join_names([names[j] for j in others[significant_of_best]], MOST_NAMED)
    if not not_significant.size:
        return f"{names[best]} {result.claim} {worse}."
    close_models = join_names([names[j] for j in others[not_significant]], MOST_NAMED)
    return (
        f"{names[best]} {result.claim} {worse}; it does not differ significantly from "
        f"{close_models}."
    )
