"""Battles with columns of any names: two of models, and one with the winner of each row."""

from collections.abc import Mapping
from itertools import combinations, cycle

import numpy as np

from ...._base.types import Fields
from ...battles import FIGHTERS, SIDES, TIE
from ..column import Column, cell_texts
from ..truths import NEGATIVE, POSITIVE
from ..words import is_clear_truth, name_suggests, split_words

WINNERS = {"winner", "won", "winning"}  # words of names of columns
LOSERS = {"loser", "lost", "losing"}
PREFERENCES = {"preference", "preferred", "winner", "better"}
DRAWS = frozenset({*SIDES[TIE], "tie", "draw", "both", "neither", "equal", "none", "same"})


def battles_in(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the columns of battles by their usual names, and a line; None for other tables.

    The winner of each row is one of its two models, by its name or by that of its column, or a tie.
    """
    texts = [c for c in columns.values() if c.texts is not None and c.distinct.size < c.n]
    codes = [c for c in columns.values() if c.is_whole and {*split_words(c.name)} & PREFERENCES]
    for winner in [*texts, *codes]:
        if winner.missing.any():
            continue
        for a, b in combinations([c for c in texts if c is not winner], 2):
            won_by = None if are_labels(winner, a, b) else winner_names(a, b, winner)
            if won_by is not None:
                named = dict(
                    zip((*FIGHTERS, "winner"), (a.values(), b.values(), won_by), strict=True)
                )
                return named, f"Battles: {a.name!r} against {b.name!r}; winner: {winner.name!r}."
    ends = [[c for c in texts if {*split_words(c.name)} & words] for words in (WINNERS, LOSERS)]
    if all(len(named) == 1 for named in ends) and len(texts) == 2:
        return winner_and_loser(*(column for (column,) in ends))
    chosen = [c for c in texts if {*split_words(c.name)} & PREFERENCES]
    if len(chosen) == 1 and has_nothing_to_predict(chosen[0], columns):
        return preference_battles(chosen[0])
    return None


def are_labels(winner: Column, a: Column, b: Column) -> bool:
    """Return whether names or values are of true labels and two predictions, and of no battles.

    Where two models, or readers, never agree and one of them is right, the truth is as a winner.
    """
    if {*split_words(winner.name)} & (WINNERS | PREFERENCES):
        return False
    if any(name_suggests(c.name, role) for c in (a, b) for role in ("prediction", "rater")):
        return True
    models = all(name_suggests(c.name, "model") for c in (a, b))
    labels = {text.casefold() for c in (a, b) for text in c.label_texts}
    return not models and (is_clear_truth(winner.name) or bool(labels & (POSITIVE | NEGATIVE)))


def winner_and_loser(winner: Column, loser: Column) -> tuple[Fields, str] | None:
    """Return battles from columns of winners and losers; None unless a model is in both columns."""
    better, worse = (np.array(c.values(), dtype=object) for c in (winner, loser))
    if winner.missing.any() or loser.missing.any() or (better == worse).any():
        return None
    if not {*winner.label_texts} & {*loser.label_texts} and len({*better, *worse}) > 2:
        return None
    named = dict(zip((*FIGHTERS, "winner"), map(list, (better, worse, better)), strict=True))
    line = f"Battles: winner: {winner.name!r}; loser: {loser.name!r}; their order is not known."
    return named, line


def has_nothing_to_predict(choice: Column, columns: Mapping[str, Column]) -> bool:
    """Return whether no column beside a choice has scores, or its values as predictions have."""
    values = {*choice.label_texts}
    others = [c for c in columns.values() if c is not choice]
    return not any(
        c.is_decimal
        or is_clear_truth(c.name)
        or (c.has_two if c.texts is None else values & {*c.label_texts})
        for c in others
    )


def preference_battles(choice: Column) -> tuple[Fields, str] | None:
    """Return battles from a column with the better of two models in each row, or a tie."""
    models = [text for text in choice.label_texts if text.casefold() not in DRAWS]
    said_yes = any(text.casefold() in POSITIVE | NEGATIVE for text in models)
    if len(models) != 2 or said_yes or choice.missing.any():
        return None
    ends = ["tie" if text.casefold() in DRAWS else text for text in choice.values()]
    turns = cycle(models)
    first = [next(turns) if end == "tie" else end for end in ends]
    second = [models[1] if model == models[0] else models[0] for model in first]
    named = dict(zip((*FIGHTERS, "winner"), (first, second, ends), strict=True))
    line = f"Battles: {models[0]!r} against {models[1]!r}; winner: {choice.name!r}"
    return named, f"{line}; their order is not known."


def winner_names(a: Column, b: Column, winner: Column) -> list[str] | None:
    """Return the name of the winner of each row, or tie; None where another value is there."""
    first, second, ends = (np.array(cell_texts(c), dtype=object) for c in (a, b, winner))
    if a.missing.any() or b.missing.any() or (first == second).any():
        return None
    tied = np.isin(np.char.lower(ends.astype(str)), [*DRAWS])
    wins = ends == first, ends == second
    if (wins[0] | wins[1] | tied).all() and wins[0].any() and wins[1].any():
        return list(np.where(tied, "tie", ends))
    called = np.isin(ends, [a.name, b.name])
    if (called | tied).all() and called.any():
        return list(np.where(tied, "tie", np.where(ends == a.name, first, second)))
    return winners_by_place(a, b, winner)


def winners_by_place(a: Column, b: Column, winner: Column) -> list[str] | None:
    """Return the winner of each row, coded by the last word of a name: 1 of response_1."""
    places = [split_words(column.name)[-1:] for column in (a, b)]
    if not all(places) or places[0] == places[1]:
        return None
    by_text = {text: text.casefold() for text in winner.label_texts}
    ties = DRAWS if winner.texts is not None else frozenset({"0"})
    chosen = {text: place for text, place in by_text.items() if (place,) in places}
    if len(chosen) < 2 or not all(t in chosen or x in ties for t, x in by_text.items()):
        return None
    names = dict(zip((place for (place,) in places), (a.values(), b.values()), strict=True))
    return [
        names[chosen[text]][row] if text in chosen else "tie"
        for row, text in enumerate(cell_texts(winner))
    ]
