"""Battles under any names: two columns of models, and one with the winner of each row."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from ..._base.types import Fields
from ..battles import FIGHTERS, SIDES, TIE
from .column import Column

DRAWS = frozenset({*SIDES[TIE], "tie", "draw", "both", "neither", "equal", "none", "same"})


def battles_in(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the columns of battles as they are usually called, and a line; None if there are none.

    The winner of each row is one of its two models, by its name or by that of its column, or a tie.
    """
    texts = [c for c in columns.values() if c.texts is not None and c.distinct.size < c.n]
    for winner in texts:
        if winner.missing.any():
            continue
        for a, b in combinations([c for c in texts if c is not winner], 2):
            winner_names = winners(a, b, winner)
            if winner_names is not None:
                named = dict(
                    zip((*FIGHTERS, "winner"), (a.values(), b.values(), winner_names), strict=True)
                )
                return named, f"Battles: {a.name!r} against {b.name!r}; winner: {winner.name!r}."
    return None


def winners(a: Column, b: Column, winner: Column) -> list[str] | None:
    """Return the name of the winner of each row, or tie; None where another value is there."""
    first, second, ends = (np.array(c.values(), dtype=object) for c in (a, b, winner))
    if a.missing.any() or b.missing.any() or (first == second).any():
        return None
    tied = np.isin(np.char.lower(ends.astype(str)), [*DRAWS])
    wins = ends == first, ends == second
    if (wins[0] | wins[1] | tied).all() and wins[0].any() and wins[1].any():
        return list(np.where(tied, "tie", ends))
    called = np.isin(ends, [a.name, b.name])
    if (called | tied).all() and called.any():
        return list(np.where(tied, "tie", np.where(ends == a.name, first, second)))
    return None
