"""Battles with columns of any names: two of models, and one with the winner of each row."""

from collections.abc import Mapping
from itertools import combinations, cycle

import numpy as np

from ...._base.types import Fields
from ...battles import FIGHTERS, SIDES, TIE
from ..column import Column, cell_texts
from ..words import NEGATIVE, POSITIVE, is_clear_truth, name_suggests, split_words

WINNERS = {"winner", "won", "winning"}  # words of names of columns
LOSERS = {"loser", "lost", "losing"}
PREFERENCES = {"preference", "preferred", "winner", "better"}
DRAWS = frozenset({*SIDES[TIE], "tie", "draw", "both", "neither", "equal", "none", "same"})


def battles_in(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the columns of battles by their usual names, and a line; None for other tables.

    The winner of each row is one of its two models, by its name or by that of its column, or a tie.
    Or the table has a column of winners and one of losers, or of preferences between two models.
    """
    texts = [c for c in columns.values() if c.texts is not None and c.distinct.size < c.n]
    codes = [c for c in columns.values() if c.is_whole and {*split_words(c.name)} & PREFERENCES]
    for winner in [*texts, *codes]:
        if winner.missing.any():
            continue
        for a, b in combinations([c for c in texts if c is not winner], 2):
            won_by = None if are_labels(winner, a, b) else winner_names(a, b, winner)
            if won_by is not None:
                fields = dict(
                    zip((*FIGHTERS, "winner"), (a.values(), b.values(), won_by), strict=True)
                )
                return fields, f"Battles: {a.name!r} against {b.name!r}; winner: {winner.name!r}."
    winners, losers = (
        [c for c in texts if {*split_words(c.name)} & words] for words in (WINNERS, LOSERS)
    )
    if len(winners) == len(losers) == 1 and len(texts) == 2:
        return winner_and_loser(winners[0], losers[0])
    preferences = [c for c in texts if {*split_words(c.name)} & PREFERENCES]
    if len(preferences) == 1 and has_nothing_to_predict(preferences[0], columns):
        return preference_battles(preferences[0])
    return None


def are_labels(winner: Column, a: Column, b: Column) -> bool:
    """Return whether names or values are of true labels and two predictions, and of no battles.

    Where two predictions always differ and one of them is right, the true label looks like the
    winner of a battle.
    """
    if {*split_words(winner.name)} & (WINNERS | PREFERENCES):
        return False
    if any(name_suggests(c.name, role) for c in (a, b) for role in ("prediction", "rater")):
        return True
    models = all(name_suggests(c.name, "model") for c in (a, b))
    labels = {text.casefold() for c in (a, b) for text in c.label_texts}
    return not models and (is_clear_truth(winner.name) or bool(labels & (POSITIVE | NEGATIVE)))


def winner_and_loser(winner: Column, loser: Column) -> tuple[Fields, str] | None:
    """Return battles from columns of winners and losers, and a line; None for other columns.

    If there are more than two models, some model must both win and lose.
    """
    better, worse = (np.array(c.values(), dtype=object) for c in (winner, loser))
    if winner.missing.any() or loser.missing.any() or (better == worse).any():
        return None
    if not {*winner.label_texts} & {*loser.label_texts} and len({*better, *worse}) > 2:
        return None
    fields = dict(zip((*FIGHTERS, "winner"), map(list, (better, worse, better)), strict=True))
    line = f"Battles: winner: {winner.name!r}; loser: {loser.name!r}; their order is not known."
    return fields, line


def has_nothing_to_predict(choice: Column, columns: Mapping[str, Column]) -> bool:
    """Return whether a column of choices is no true label: no other column may predict it.

    Scores, numbers of two values, and texts with one of its values may do so.
    """
    choices = {*choice.label_texts}
    others = [c for c in columns.values() if c is not choice]
    return not any(
        c.is_decimal
        or is_clear_truth(c.name)
        or (c.has_two if c.texts is None else choices & {*c.label_texts})
        for c in others
    )


def preference_battles(choice: Column) -> tuple[Fields, str] | None:
    """Return battles from a column with the better of two models in each row, or a tie.

    None for a column with empty cells, or without exactly two names of models.
    """
    models = [text for text in choice.label_texts if text.casefold() not in DRAWS]
    are_yes_or_no = any(text.casefold() in POSITIVE | NEGATIVE for text in models)
    if len(models) != 2 or are_yes_or_no or choice.missing.any():
        return None
    winners = ["tie" if text.casefold() in DRAWS else text for text in choice.values()]
    turns = cycle(models)  # each model comes first in half of the ties
    first = [next(turns) if winner == "tie" else winner for winner in winners]
    second = [models[1] if model == models[0] else models[0] for model in first]
    fields = dict(zip((*FIGHTERS, "winner"), (first, second, winners), strict=True))
    line = f"Battles: {models[0]!r} against {models[1]!r}; winner: {choice.name!r}"
    return fields, f"{line}; their order is not known."


def winner_names(a: Column, b: Column, winner: Column) -> list[str] | None:
    """Return the winning model of each row, or "tie"; None where some value is neither.

    The column of winners has names of models, or the name or number of the winner's column.
    """
    first, second, winners = (np.array(cell_texts(c), dtype=object) for c in (a, b, winner))
    if a.missing.any() or b.missing.any() or (first == second).any():
        return None
    tied = np.isin(np.char.lower(winners.astype(str)), [*DRAWS])
    first_wins, second_wins = winners == first, winners == second
    if (first_wins | second_wins | tied).all() and first_wins.any() and second_wins.any():
        return list(np.where(tied, "tie", winners))
    names_column = np.isin(winners, [a.name, b.name])
    if (names_column | tied).all() and names_column.any():
        return list(np.where(tied, "tie", np.where(winners == a.name, first, second)))
    return winners_by_place(a, b, winner)


def winners_by_place(a: Column, b: Column, winner: Column) -> list[str] | None:
    """Return the winning model of each row, or "tie"; None unless a code names its column.

    The code is the last word of the column's name: 1 for the model in response_1.
    """
    last_words = [split_words(column.name)[-1:] for column in (a, b)]  # () without words
    if not all(last_words) or last_words[0] == last_words[1]:
        return None
    codes = {text: text.casefold() for text in winner.label_texts}
    ties = DRAWS if winner.texts is not None else frozenset({"0"})
    code_of_column = {text: code for text, code in codes.items() if (code,) in last_words}
    if len(code_of_column) < 2:
        return None
    if not all(text in code_of_column or code in ties for text, code in codes.items()):
        return None
    models = dict(zip((word for (word,) in last_words), (a.values(), b.values()), strict=True))
    return [
        models[code_of_column[text]][row] if text in code_of_column else "tie"
        for row, text in enumerate(cell_texts(winner))
    ]
