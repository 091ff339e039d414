"""What `compare` runs for battles of models, and why."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from ..._base.exceptions import FastCompareError
from ..._inference.unseen import ALPHA
from ..._results.remarks import status_remarks
from ...items._bradley_terry import bradley_terry, order_effect_text
from ..data import Analysis, Data, Query, Tests, parameters_of
from .cases import by_model_name

STRENGTHS = "Bradley-Terry strengths, which account for the opponents."
ALL_PAIRS_AT_ONCE = (
    "All pairs are compared directly: the adjustment for multiplicity alone controls "
    "the family-wise error rate."
)


ONE_ORDER = (
    "The same model is shown first in all battles of a pair, so strength cannot be separated from "
    "an advantage of being shown first: show each pair in both orders."
)
ORDER_EFFECT = (
    "Being shown first {effect} (p = {p:.2g}): order_effect=True separates it from strength."
)


def order_note(
    battles: tuple[Any, Any, Any], options: Mapping[str, Any], status: str
) -> tuple[str, ...]:
    """Return a note if the order in which models are shown biases or confounds their strengths.

    It does if all pairs were shown in one order, or if being shown first has a significant effect.
    """
    if status == "one_order":  # the sentence on the status says it
        return ()
    first_models, second_models, _ = battles
    first = np.asarray(first_models).astype(str).tolist()
    second = np.asarray(second_models).astype(str).tolist()
    orders = set(zip(first, second, strict=True))
    if not any((b, a) in orders for a, b in orders if a != b):
        return (ONE_ORDER,)
    if options.get("order_effect"):  # already separated from strength
        return ()
    with suppress(FastCompareError):  # no note if the effect cannot be estimated
        quiet = {"order_effect": True, "on_undefined": "ignore"}
        fit = bradley_terry(*battles, **{**options, **quiet})
        p, effect = fit.order_effect_pvalue, fit.order_effect
        if p is not None and effect is not None and p <= ALPHA:
            return (ORDER_EFFECT.format(effect=order_effect_text(effect, ".2f"), p=p),)
    return ()


def analyse_battles(data: Data, query: Query, tests: Tests | None = None) -> Analysis:
    """Return the strengths of models by their battles, and the tests of all pairs."""
    assert data.battles is not None
    fit = query.run(bradley_terry, *data.battles, **data.options)
    options = {name: x for name, x in query.options.items() if name in parameters_of(bradley_terry)}
    options = {**options, **data.options}
    pairs = query.run(fit.pairwise)
    clusters = ", in clusters" if "groups" in data.options else ""
    strengths = f"{len(fit.names)} models in {fit.n} battles{clusters}: {STRENGTHS}"
    return Analysis(
        omnibus=None,
        result=pairs,
        tests={"bradley_terry": fit, "pairs": pairs},
        reasons=(strengths, *([ALL_PAIRS_AT_ONCE] * (len(fit.names) > 2))),
        values=by_model_name(dict.fromkeys(fit.names), fit.strengths),
        quantity="strength",
        checks=(*status_remarks(fit), *order_note(data.battles, options, fit.status)),
    )
