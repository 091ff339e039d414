"""Counts of wins: for each pair of models in a row, in a square, or as a frequency of each row.

Their battles are written out one by one, since the order of battles does not matter.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Fields
from ...battles import FIGHTERS
from ..column import Column, row_name_column
from ..words import is_index, name_suggests, split_words
from .battles import battles_in

MOST_BATTLES = 10**6  # that are written one by one
WINS = {"win", "wins", "won", "preferred", "victories"}
LOSSES = {"loss", "losses", "lost", "defeats"}
TIED = {"tie", "ties", "tied", "draw", "draws", "drawn"}
SIDES = {"a", "b", "1", "2", "first", "second", "left", "right"}
TIMES = {"n", "count", "counts", "votes", "freq", "frequency", "times"}
COUNTING = TIMES | WINS | LOSSES | TIED | SIDES | {"num", "number", "of"}
COMPETITORS = {"model", "models", "system", "player", "team", "engine"}
OPPONENTS = {"opponent", "baseline"}
WINNER_WORDS = COMPETITORS | {"winner"}  # of the header above the names of rows in a square
CORNER_WORDS = WINNER_WORDS | OPPONENTS | {"loser", "vs", "beats"}  # all words of that header
RESULTS = {"score", "result", "points", "outcome"}  # of a battle, for the side that is named
ROLES_OF_NO_COMPETITORS = ("rater", "dataset", "item", "fold")


class PairColumns(NamedTuple):
    """The columns of a table of pairs: both models, and how often each won or they tied."""

    a: Column
    b: Column
    wins_a: Column
    wins_b: Column
    ties: Column | None


class CountedBattles(NamedTuple):
    """Battles of which each was fought as often as the number in its row of `counts` says."""

    first: Sequence[object]
    second: Sequence[object]
    winner: Sequence[object]
    counts: Column


def wins_in(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the battles that a table counts, and a line; None where it counts none."""
    usable = {n: c for n, c in columns.items() if c.present.size}
    return battles_of_pairs(usable) or battles_of_square(usable) or battles_with_frequencies(usable)


def battles_of_pairs(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the battles of a table with the wins of both models of a pair in each row, and a line.

    None for other tables. The winner comes first, and each model in half of the ties, since the
    table does not say who began.
    """
    pair = pair_columns(columns)
    if pair is None:
        return None
    a, b = list(pair.a.values()), list(pair.b.values())
    battles = [CountedBattles(a, b, a, pair.wins_a), CountedBattles(b, a, b, pair.wins_b)]
    if pair.ties is not None:
        tied = ["tie"] * len(a)
        ties = np.nan_to_num(np.asarray(pair.ties.numbers, float))
        half = ties // 2
        battles.append(CountedBattles(a, b, tied, replace(pair.ties, numbers=ties - half)))
        battles.append(CountedBattles(b, a, tied, replace(pair.ties, numbers=half)))
    counts = (pair.wins_a, pair.wins_b, pair.ties)
    names = ", ".join(repr(c.name) for c in counts if c is not None)
    return repeat_battles(
        battles,
        f"Battles: {pair.a.name!r} against {pair.b.name!r}, as often as {names} count; their order "
        "is not known.",
    )


def pair_columns(columns: Mapping[str, Column]) -> PairColumns | None:
    """Return the columns of a table whose rows count the battles of a pair; None for others.

    The losses of the first model are the wins of the second. Of two columns of wins, each is of the
    model with which it shares more words of its name.
    """
    models = [c for c in columns.values() if c.texts is not None and not is_index(c.name)]
    if len(models) != 2:
        return None
    a, b = models
    allowed = {*split_words(a.name), *split_words(b.name), *COUNTING}
    counts = [c for c in columns.values() if c.is_count and {*split_words(c.name)} <= allowed]
    ties = [c for c in counts if {*split_words(c.name)} & TIED]
    wins = [c for c in counts if {*split_words(c.name)} & WINS and c not in ties]
    losses = [c for c in counts if {*split_words(c.name)} & LOSSES and c not in ties]
    if len(ties) > 1 or not are_pairs(a, b):
        return None
    tie = ties[0] if ties else None
    if len(wins) == len(losses) == 1:
        return PairColumns(a, b, wins_a=wins[0], wins_b=losses[0], ties=tie)
    if len(wins) != 2 or losses:
        return None
    in_order, crossed = shared_words(models, wins), shared_words(models, wins[::-1])
    wins_a, wins_b = wins if in_order >= crossed else wins[::-1]
    return PairColumns(a, b, wins_a, wins_b, tie)


def shared_words(models: Sequence[Column], counts: Sequence[Column]) -> int:
    """Return how many words the columns of two models share with their columns of wins."""
    pairs = zip(models, counts, strict=True)
    return sum(
        len(({*split_words(model.name)} - COMPETITORS) & {*split_words(count.name)})
        for model, count in pairs
    )


def are_pairs(a: Column, b: Column) -> bool:
    """Return whether two columns name the models of a pair, each pair once.

    They share a model, or have names of opponents.
    """
    if a.missing.any() or b.missing.any():
        return False
    if any(name_suggests(c.name, role) for c in (a, b) for role in ROLES_OF_NO_COMPETITORS):
        return False
    pairs = [*zip(a.values(), b.values(), strict=True)]
    differ = all(first != second for first, second in pairs)
    share_model = bool({*a.label_texts} & {*b.label_texts})
    are_opponents = share_model or are_called_opponents(a.name, b.name)
    return differ and are_opponents and len({frozenset(pair) for pair in pairs}) == len(pairs)


def are_called_opponents(a: str, b: str) -> bool:
    """Return whether names are of two competitors: model_a and model_b, or model and baseline."""
    nouns = [[word for word in split_words(name) if word not in SIDES] for name in (a, b)]
    if any(len(words) != 1 for words in nouns):
        return False
    (noun_a,), (noun_b,) = nouns
    both = {noun_a, noun_b}
    return both <= COMPETITORS | OPPONENTS and (noun_a == noun_b or len(both & OPPONENTS) == 1)


def scored_battles(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return battles whose result is 1, .5 or 0 for one side, as score_a is; None for others."""
    texts = [c for c in columns.values() if c.texts is not None and c.distinct.size < c.n]
    competitors = [c for c in texts if {*split_words(c.name)} & COMPETITORS]
    if len(competitors) != 2 or not are_called_opponents(*(c.name for c in competitors)):
        return None
    sides = [split_words(c.name)[-1] for c in competitors]
    results = [c for c in columns.values() if c.is_number and is_result_of(c, sides)]
    if len(results) != 1 or any(c.missing.any() for c in (*competitors, *results)):
        return None
    (result,), (a, b) = results, competitors
    first, second = (np.array(c.values(), dtype=object) for c in competitors)
    if (first == second).any() or not {*a.label_texts} & {*b.label_texts}:
        return None
    is_of_first = sides[0] in split_words(result.name)
    models_at_1, models_at_0 = (first, second) if is_of_first else (second, first)
    values = np.asarray(result.numbers, float)
    winners = np.where(values == 1, models_at_1, np.where(values == 0, models_at_0, "tie"))
    fields = dict(zip((*FIGHTERS, "winner"), map(list, (first, second, winners)), strict=True))
    scored = a if is_of_first else b
    line = f"Battles: {a.name!r} against {b.name!r}; {scored.name!r} won"
    return fields, f"{line} where {result.name!r} is 1, and lost where it is 0."


def is_result_of(column: Column, sides: Sequence[str]) -> bool:
    """Return whether numbers are results of battles for one side: 1, 0 and perhaps .5.

    A name such as score_a has the word of one side, and words of results.
    """
    words = {*split_words(column.name)}
    of_side = words & {*sides}
    values = {*column.distinct.tolist()}
    of_result = words - of_side - COMPETITORS
    return (
        len(of_side) == 1
        and bool(of_result)
        and of_result <= RESULTS | WINS
        and {0, 1} <= values <= {0, 0.5, 1}
    )


def battles_of_square(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the battles of a square that counts how often a row's model beat a column's.

    Also a line; None for other tables.
    """
    square = square_of_wins(columns)
    if square is None:
        return None
    names, counts = square
    table = np.nan_to_num(counts)
    if table.diagonal().any() or (table == table.T).all():  # of a confusion, or distances
        return None
    pairs = [(i, j) for i, j in np.ndindex(*table.shape) if i != j]
    winners, losers = [names[i] for i, _ in pairs], [names[j] for _, j in pairs]
    wins = Column("wins", numbers=np.array([table[i, j] for i, j in pairs]))
    example = f"{names[0]!r} won {table[0, 1]:g} against {names[1]!r}"
    return repeat_battles(
        [CountedBattles(winners, losers, winners, wins)],
        f"Battles: how often the model of each row won against that of each column: {example}.",
    )


def square_of_wins(columns: Mapping[str, Column]) -> tuple[list[str], NDArray[np.float64]] | None:
    """Return the names and how often each row's model beat each column's (k, k); else None.

    The header above the names of the rows must name winners, since travel times and counts of
    transitions have the same shape.
    """
    rows = row_name_column(columns)
    if rows is None or rows.missing.any():
        return None
    corner = split_words(rows.name)
    if not corner or corner[0] not in WINNER_WORDS or not {*corner} <= CORNER_WORDS:
        return None
    names = [str(name) for name in rows.values()]
    counts = {n: c for n, c in columns.items() if n != rows.name}
    if len(names) < 2 or {*counts} != {*names} or not all(c.is_count for c in counts.values()):
        return None
    table = [np.asarray(counts[name].numbers, float) for name in names]
    return names, np.stack(table, axis=1)


def battles_with_frequencies(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the battles of a table of both models, the winner, and the frequency of each row.

    Also a line; None for other tables.
    """
    frequencies = [c for c in columns.values() if is_row_frequency(c)]
    texts = {n: c for n, c in columns.items() if c not in frequencies and not is_index(n)}
    if len(frequencies) != 1 or any(c.texts is None for c in texts.values()):
        return None
    battles = battles_in(texts) if len(texts) in (2, 3) else None
    if battles is None:
        return None
    fields, line = battles
    first, second, winner = (fields[name] for name in (*FIGHTERS, "winner"))
    if not have_different_outcomes(first, second, winner):
        return None
    line = f"{line} Each row counts as often as {frequencies[0].name!r} says."
    return repeat_battles([CountedBattles(first, second, winner, frequencies[0])], line)


def is_row_frequency(column: Column) -> bool:
    """Return whether a column has frequencies of rows, by its name; no row numbers, no constant."""
    words = {*split_words(column.name)}
    if not words or not words <= TIMES or not column.is_count or column.is_constant:
        return False
    are_consecutive = column.all_differ and int(np.ptp(column.present)) == column.present.size - 1
    return not (are_consecutive or column.missing.any())


def have_different_outcomes(
    first: Sequence[object], second: Sequence[object], winner: Sequence[object]
) -> bool:
    """Return whether each outcome of a pair has one row, and some pair has several outcomes.

    Then each row has a frequency. Where each row is a single battle, some outcome of a pair is
    repeated, or no pair has two rows.
    """
    outcomes = {*zip(first, second, winner, strict=True)}
    pairs = {frozenset(pair) for pair in zip(first, second, strict=True)}
    return len(pairs) < len(outcomes) == len(first)


def repeat_battles(battles: Sequence[CountedBattles], line: str) -> tuple[Fields, str] | None:
    """Return each battle as often as it was counted, and `line`; None for no battle, or over 10^6.

    The battles are columns: both models, and the winner.
    """
    total = sum(float(part.counts.present.sum()) for part in battles)
    if not 0 < total <= MOST_BATTLES:
        return None
    lists: dict[str, list[object]] = {name: [] for name in (*FIGHTERS, "winner")}
    for part in battles:
        times = np.nan_to_num(np.asarray(part.counts.numbers, float)).astype(int).tolist()
        columns = (part.first, part.second, part.winner)
        for name, column in zip(lists, columns, strict=True):
            for value, n in zip(column, times, strict=True):
                lists[name] += [value] * n
    return Fields(lists), line
