"""Battles as they are held: a table of who met whom and who won, or a row of three for each."""

from collections.abc import Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np

from .._adapters.frames import frame_names, is_frame
from .._base.exceptions import InvalidValueError
from .arrays import read_once
from .battles import LOST, TIED, WON, WORDS
from .labels import as_label_column
from .models import find_nan
from .scores import named_columns

FIGHTERS = ("model_a", "model_b")
ENDS = ("outcome", "winner")  # what the third column is called, the second in arenas' logs
SIDES = {side: [word for word, code in WORDS.items() if code == side] for side in (WON, LOST, TIED)}


class BattleColumns(NamedTuple):
    """The names of both models of each battle, and how it ended."""

    model_a: Any
    model_b: Any
    outcome: Any


def battle_columns(data: Any) -> BattleColumns | None:
    """Return the columns of a table or of rows of battles, None for anything else, or raise."""
    if isinstance(data, Mapping) or is_frame(data):
        return columns_of_table(data)
    rows = data.tolist() if isinstance(data, np.ndarray) and data.ndim == 2 else data
    if isinstance(rows, Sequence) and len(rows) and all(map(is_battle, rows)):
        return with_sides(BattleColumns._make(map(list, zip(*rows, strict=True))))
    return None


def is_battle(row: Any) -> bool:
    """Return whether a row is two names of models and how their battle ended."""
    if not isinstance(row, tuple | list) or len(row) != 3:
        return False
    return isinstance(row[0], str) and isinstance(row[1], str)


def columns_of_table(data: Any) -> BattleColumns | None:
    """Return the columns of a table of battles; None unless it names two models a row.

    Columns of numbers with decimals are scores of models that are called so.
    """
    names = frame_names(data) if is_frame(data) else [str(name) for name in data]
    if not {*FIGHTERS} <= {*names} or are_scores(data, {*ENDS} & {*names}):
        return None
    found = [name for name in ENDS if name in names]
    if len(found) != 1:
        raise InvalidValueError(
            "`data` has the columns 'model_a' and 'model_b' of battles, and must have one that "
            f"says who won: 'outcome' or 'winner'. It has {' and '.join(found) or 'neither'}."
        )
    named: Any = named_columns("data", data)
    battles = BattleColumns(*(named[name] for name in (*FIGHTERS, *found)))
    if found == ["winner"]:
        check_winner(battles.outcome)
    return with_sides(battles)


def are_scores(data: Any, ends: Set[str]) -> bool:
    """Say whether both columns hold numbers, with decimals or with nothing that ends battles."""
    named: Any = named_columns("data", data)
    columns = [as_label_column(name, read_once(named[name])).values for name in FIGHTERS]
    if any(values.dtype.kind not in "biuf" for values in columns):
        return False
    return not ends or any((values != np.floor(values)).any() for values in columns)


def check_winner(winner: Any) -> None:
    """Raise where the winner is 0 or 1: a score of the first model, or the place of the winner."""
    values = as_label_column("winner", read_once(winner)).values
    if values.dtype.kind in "biuf" and np.isin(values, (0, 1)).all():
        raise InvalidValueError(
            "`winner` must name the winner, or hold 'model_a', 'model_b' and 'tie'; 0 and 1 may be "
            "what the first model gets, or which model won. Call the column 'outcome' where 1 says "
            "that `model_a` won; where 1 says that `model_b` did, pass 1 - winner as 'outcome'."
        )


def with_sides(battles: BattleColumns) -> BattleColumns:
    """Return battles that end in 'a', 'b' or 'tie' where winners are told by their names."""
    battles = BattleColumns(*map(read_once, battles))
    first, second, (ends, missing) = map(as_label_column, BattleColumns._fields, battles)
    if ends.dtype.kind != "U" or not first.values.size == second.values.size == ends.size:
        return battles
    lost = np.zeros(ends.size, bool) if missing is None else missing
    won = {WON: ends == first.values, LOST: ends == second.values}
    side = {code: np.isin(ends, words) for code, words in SIDES.items()}
    named = (won[WON] | won[LOST] | side[TIED] | lost).all()
    sided = (side[WON] | side[LOST] | side[TIED] | lost).all()
    if named and sided and (won[WON] & side[LOST] | won[LOST] & side[WON]).any():
        raise InvalidValueError(
            "`outcome` holds words that may be the names of winners or their sides, as models are "
            "called 'a' or 'b', too. Pass 1 where `model_a` won, 0 where it lost and 0.5 for ties."
        )
    if sided or not named:
        return battles
    told = np.where(won[WON], "a", np.where(won[LOST], "b", "tie")).astype(object)
    told[lost] = None
    return battles._replace(outcome=told)


def names_of_fighters(battles: BattleColumns) -> tuple[str, ...]:
    """Return the models of all battles, sorted as `bradley_terry` sorts them."""
    columns = map(as_label_column, FIGHTERS, battles)
    found = np.concatenate([column.values[~find_nan(column)] for column in columns])
    return tuple(map(str, np.unique(found).tolist()))
