"""What battles do not tell: `compare` adds it to its checks."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from .._base.exceptions import FastCompareError
from .._compare.items.bradley_terry import bradley_terry
from .._inference.unseen import ALPHA

ONE_ORDER = (
    "The same model is shown first in all battles of a pair, so strength cannot be separated from "
    "an advantage of being shown first: show each pair in both orders."
)
FIRST = (
    "Being shown first adds {effect:.2f} to the log odds (p = {p:.2g}): order_effect=True "
    "separates it from strength."
)


def order_note(
    battles: tuple[Any, Any, Any], options: Mapping[str, Any], status: str
) -> tuple[str, ...]:
    """Return a sentence on the order in which models are shown, unless the status says it."""
    if status == "one_order":
        return ()
    first, second = (np.asarray(side).astype(str).tolist() for side in battles[:2])
    shown = set(zip(first, second, strict=True))
    if not any((b, a) in shown for a, b in shown if a != b):
        return (ONE_ORDER,)
    if options.get("order_effect"):
        return ()
    with suppress(FastCompareError):
        quiet = {"order_effect": True, "on_undefined": "ignore"}
        fit = bradley_terry(*battles, **{**options, **quiet})
        p, effect = fit.order_effect_pvalue, fit.order_effect
        if p is not None and effect is not None and p <= ALPHA:
            return (FIRST.format(effect=effect, p=p),)
    return ()
