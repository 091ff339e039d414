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
WON_BY_ROWS = COMPETITORS | {"winner"}  # first word of the corner of a square of wins
RESULTS = {"score", "result", "points", "outcome"}  # of a battle, for the side that is named
SQUARES = WON_BY_ROWS | OPPONENTS | {"loser", "vs", "beats"}
NO_COMPETITORS = ("rater", "dataset", "item", "fold")


class PairColumns(NamedTuple):
    """The columns of a table of pairs: both models, and how often each won or none did."""

    a: Column
    b: Column
    wins: tuple[Column, Column]
    ties: Column | None


def wins_in(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the battles that a table counts, and a line; None where it counts none."""
    rest = {n: c for n, c in columns.items() if c.present.size}
    return battles_of_pairs(rest) or battles_of_square(rest) or battles_with_frequencies(rest)


def battles_of_pairs(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the battles of a table with the wins of both models of a pair in each row."""
    pair = pair_columns(columns)
    if pair is None:
        return None
    a, b = (list(column.values()) for column in pair[:2])
    parts = [(a, b, a, pair.wins[0]), (b, a, b, pair.wins[1])]
    if pair.ties is not None:
        tied = ["tie"] * len(a)
        every = np.nan_to_num(np.asarray(pair.ties.numbers, float))
        half = every // 2
        parts.append((a, b, tied, replace(pair.ties, numbers=every - half)))
        parts.append((b, a, tied, replace(pair.ties, numbers=half)))
    names = ", ".join(repr(c.name) for c in (*pair.wins, pair.ties) if c is not None)
    return repeat_battles(
        parts,
        f"Battles: {pair.a.name!r} against {pair.b.name!r}, as often as {names} count; their order "
        "is not known.",
    )


def pair_columns(columns: Mapping[str, Column]) -> PairColumns | None:
    """Return the columns of a table whose rows count the battles of a pair; None for others."""
    texts = [c for c in columns.values() if c.texts is not None and not is_index(c.name)]
    if len(texts) != 2:
        return None
    called = set[str]().union(*(split_words(c.name) for c in texts)) | COUNTING
    counts = [c for c in columns.values() if c.is_count and {*split_words(c.name)} <= called]
    ties = [c for c in counts if {*split_words(c.name)} & TIED]
    wins = [c for c in counts if {*split_words(c.name)} & WINS and c not in ties]
    lost = [c for c in counts if {*split_words(c.name)} & LOSSES and c not in ties]
    if len(ties) > 1 or not are_pairs(*texts):
        return None
    if len(wins) == len(lost) == 1:
        return PairColumns(texts[0], texts[1], (wins[0], lost[0]), ties[0] if ties else None)
    if len(wins) != 2 or lost:
        return None
    in_order, crossed = (shared_words(texts, each) for each in (wins, wins[::-1]))
    first, second = wins if in_order >= crossed else wins[::-1]
    return PairColumns(texts[0], texts[1], (first, second), ties[0] if ties else None)


def shared_words(models: Sequence[Column], counts: Sequence[Column]) -> int:
    """Return how many words the columns of two models share with their columns of wins."""
    pairs = zip(models, counts, strict=True)
    return sum(
        len(({*split_words(model.name)} - COMPETITORS) & {*split_words(count.name)})
        for model, count in pairs
    )


def are_pairs(a: Column, b: Column) -> bool:
    """Return whether two columns name the models of a pair, each pair once."""
    if a.missing.any() or b.missing.any():
        return False
    if any(name_suggests(c.name, role) for c in (a, b) for role in NO_COMPETITORS):
        return False
    pairs = [*zip(a.values(), b.values(), strict=True)]
    differ = all(first != second for first, second in pairs)
    same = {*a.label_texts} & {*b.label_texts} or are_called_opponents(a.name, b.name)
    return differ and bool(same) and len({frozenset(pair) for pair in pairs}) == len(pairs)


def are_called_opponents(a: str, b: str) -> bool:
    """Return whether names are of two competitors: model_a and model_b, or model and baseline."""
    nouns = [[word for word in split_words(name) if word not in SIDES] for name in (a, b)]
    if any(len(words) != 1 for words in nouns):
        return False
    (first,), (second,) = nouns
    both = {first, second}
    return both <= COMPETITORS | OPPONENTS and (first == second or len(both & OPPONENTS) == 1)


def scored_battles(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return battles whose result is 1, .5 or 0 for one side, as score_a is; None for others."""
    texts = [c for c in columns.values() if c.texts is not None and c.distinct.size < c.n]
    named = [c for c in texts if {*split_words(c.name)} & COMPETITORS]
    if len(named) != 2 or not are_called_opponents(*(c.name for c in named)):
        return None
    sides = [split_words(c.name)[-1] for c in named]
    results = [c for c in columns.values() if c.is_number and is_result_of(c, sides)]
    if len(results) != 1 or any(c.missing.any() for c in (*named, *results)):
        return None
    (result,) = results
    first, second = (np.array(c.values(), dtype=object) for c in named)
    if (first == second).any() or not {*named[0].label_texts} & {*named[1].label_texts}:
        return None
    side = next(i for i, word in enumerate(sides) if word in split_words(result.name))
    better, other = (first, second) if side == 0 else (second, first)
    values = np.asarray(result.numbers, float)
    ends = np.where(values == 1, better, np.where(values == 0, other, "tie"))
    fields = dict(zip((*FIGHTERS, "winner"), map(list, (first, second, ends)), strict=True))
    line = f"Battles: {named[0].name!r} against {named[1].name!r}; {named[side].name!r} won"
    return fields, f"{line} where {result.name!r} is 1, and lost where it is 0."


def is_result_of(column: Column, sides: Sequence[str]) -> bool:
    """Return whether numbers are results of battles for one side: 1, 0 and perhaps .5."""
    words = {*split_words(column.name)}
    of_side = words & {*sides}
    values = {*column.distinct.tolist()}
    called = words - of_side - COMPETITORS
    return (
        len(of_side) == 1
        and bool(called)
        and called <= RESULTS | WINS
        and {0, 1} <= values <= {0, 0.5, 1}
    )


def battles_of_square(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the battles of a square that counts how often a row's model beat a column's."""
    square = square_of_wins(columns)
    if square is None:
        return None
    names, counts = square
    table = np.nan_to_num(counts)
    if table.diagonal().any() or (table == table.T).all():  # of a confusion, or distances
        return None
    pairs = [(i, j) for i, j in np.ndindex(*table.shape) if i != j]
    rows, others = ([names[pair[k]] for pair in pairs] for k in (0, 1))
    wins = Column("wins", numbers=np.array([table[pair] for pair in pairs]))
    first = f"{names[0]!r} won {table[0, 1]:g} against {names[1]!r}"
    return repeat_battles(
        [(rows, others, rows, wins)],
        f"Battles: how often the model of each row won against that of each column: {first}.",
    )


def square_of_wins(columns: Mapping[str, Column]) -> tuple[list[str], NDArray[np.float64]] | None:
    """Return the names and the counts (k, k) of a table whose columns are named as its rows are.

    Travel times and counts of transitions look the same, so its corner must name winners.
    """
    rows = row_name_column(columns)
    if rows is None or rows.missing.any():
        return None
    corner = split_words(rows.name)
    if not {*corner} <= SQUARES or WON_BY_ROWS.isdisjoint(corner[:1]):
        return None
    names = [str(name) for name in rows.values()]
    numbers = {n: c for n, c in columns.items() if n != rows.name}
    if len(names) < 2 or {*numbers} != {*names} or not all(c.is_count for c in numbers.values()):
        return None
    table = [np.asarray(numbers[name].numbers, float) for name in names]
    return names, np.stack(table, axis=1)


def battles_with_frequencies(columns: Mapping[str, Column]) -> tuple[Fields, str] | None:
    """Return the battles of a table of both models, the winner, and the frequency of each row."""
    numbers = [c for c in columns.values() if is_row_frequency(c)]
    rest = {n: c for n, c in columns.items() if c not in numbers and not is_index(n)}
    if len(numbers) != 1 or any(c.texts is None for c in rest.values()):
        return None
    named = battles_in(rest) if len(rest) in (2, 3) else None
    if named is None:
        return None
    fields, line = named
    rows = [fields[name] for name in (*FIGHTERS, "winner")]
    if not have_different_outcomes(*rows):
        return None
    line = f"{line} Each row counts as often as {numbers[0].name!r} says."
    return repeat_battles([(rows[0], rows[1], rows[2], numbers[0])], line)


def is_row_frequency(column: Column) -> bool:
    """Return whether a column has frequencies of rows, by its name; no row numbers, no constant."""
    words = {*split_words(column.name)}
    if not words or not words <= TIMES or not column.is_count or column.is_constant:
        return False
    in_a_row = column.all_differ and int(np.ptp(column.present)) == column.present.size - 1
    return not (in_a_row or column.missing.any())


def have_different_outcomes(
    first: Sequence[object], second: Sequence[object], winner: Sequence[object]
) -> bool:
    """Return whether each outcome of a pair has one row, and some pair has several outcomes.

    Rows are frequencies then. Single battles repeat an outcome of a pair, or have a pair once.
    """
    ends = {*zip(first, second, winner, strict=True)}
    pairs = {frozenset(pair) for pair in zip(first, second, strict=True)}
    return len(pairs) < len(ends) == len(first)


def repeat_battles(
    parts: Sequence[tuple[Sequence[object], Sequence[object], Sequence[object], Column]],
    line: str,
) -> tuple[Fields, str] | None:
    """Return each battle as often as it was counted; None for no battle, or over 10^6."""
    lists: dict[str, list[object]] = {name: [] for name in (*FIGHTERS, "winner")}
    total = sum(float(counts.present.sum()) for *_, counts in parts)
    if not 0 < total <= MOST_BATTLES:
        return None
    for *values, counts in parts:
        times = np.nan_to_num(np.asarray(counts.numbers, float)).astype(int).tolist()
        for name, column in zip(lists, values, strict=True):
            for value, n in zip(column, times, strict=True):
                lists[name] += [value] * n
    return Fields(lists), line
