"""Battles of two models and who won, as numbers: from columns, a table, or rows of three."""

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.frames import check_indexes, frame_names, is_frame
from .._base.exceptions import (
    DroppedCasesWarning,
    InvalidValueError,
    invalid_type,
    invalid_value,
    suggestion,
    warn,
)
from .._base.types import Integers, Vector
from .arrays import Column, dimensions, read_once
from .labels import as_label_column, check_comparable, listed_labels
from .models import find_nan
from .names import INDEX
from .options import as_choice, check_choice, check_flag
from .scores import named_columns, refuse_missing
from .weights import as_counts, as_weights, code_points, in_range, number_groups

WIN, LOSS, TIE = 0, 1, 2  # by the first model
TIES = ("davidson", "half")
ERRORS = ("auto", "model", "sandwich", "cr1")
MOST_WORDS = 1 << 12  # kinds of strings that are looked up
MANY = 1 << 14  # strings from which that pays
WORDS = {  # also those of Chatbot Arena's logs
    **{"a": WIN, "model_a": WIN, "b": LOSS, "model_b": LOSS},
    **{"tie": TIE, "tie (bothbad)": TIE, "both_bad": TIE},
}


Lookup = Callable[..., int]  # the kernel that numbers rows of letters; inputs know none


class Battles(NamedTuple):
    """Names of k models, and of n battles both models, the outcome, weights and clusters.

    Models, outcomes and clusters are numbers. `left_out` is the number of rows that miss a value,
    `ties_left` that of ties that were left out since ties do not count.
    """

    names: tuple[str, ...]
    first: Integers
    second: Integers
    outcome: Integers
    weights: Vector | None = None
    groups: Integers | None = None
    left_out: int = 0
    ties_left: int = 0

    def only(self, selected: NDArray[np.bool_]) -> "Battles":
        """Return the battles of the selected rows, with clusters numbered anew."""
        if selected.all():
            return self
        rows = {
            name: None if column is None else column[selected]
            for name, column in self.rows().items()
        }
        if rows["groups"] is not None:
            rows["groups"] = number_groups(rows["groups"]).numbers
        return self._replace(**rows)  # type: ignore[arg-type]

    @property
    def n_groups(self) -> int | None:
        """The number of clusters, None without any."""
        return None if self.groups is None else int(self.groups.max()) + 1

    def rows(self) -> dict[str, NDArray[Any] | None]:
        """Return the fields that have a value a row."""
        return {
            "first": self.first,
            "second": self.second,
            "outcome": self.outcome,
            "weights": self.weights,
            "groups": self.groups,
        }


class Design(NamedTuple):
    """Options: how ties count, whether the order does, the standard errors, the kind of weights.

    `with_frequencies` says that weights are numbers of equal battles.
    """

    ties: str | None
    order: bool
    method: str
    with_frequencies: bool = False


def as_design(
    ties: Any, order_effect: Any, method: Any, weights: object, counts: object, groups: object
) -> Design:
    """Return the checked options, or raise; sampling weights and clusters need the sandwich.

    `counts` are frequency weights, and `weights` sampling weights.
    """
    if ties is not None:
        check_choice("ties", ties, TIES)
    method = as_choice("method", method, ERRORS)
    if weights is not None and counts is not None:
        raise InvalidValueError(
            "`sample_weight` and `frequency_weight` cannot both be specified: pass the first for "
            "sampling weights, the second if rows represent several identical battles.",
            parameter="sample_weight",
        )
    related = weights is not None or groups is not None
    if method == "model" and related:
        raise invalid_value(
            "method='model'",
            "assumes independent battles with equal weights",
            end=": omit `groups` and `sample_weight`, or choose 'sandwich'.",
        )
    if method == "cr1" and groups is None:
        raise invalid_value(
            "method='cr1'",
            "is a cluster-robust sandwich",
            end=": pass `groups`, or choose 'sandwich'.",
        )
    if method == "auto":
        method = "sandwich" if related or ties == "half" else "model"
    return Design(ties, check_flag("order_effect", order_effect), method, counts is not None)


def as_battles(
    model_a: object,
    model_b: object,
    outcome: object,
    design: Design,
    weights: object,
    number_words: Lookup,
    *,
    models: object = None,
    groups: object = None,
    nan_policy: str = "raise",
) -> Battles:
    """Return the checked battles without rows of weight 0, or raise.

    `models` lists names in the order that is wanted; `number_words` is the kernel that numbers
    strings.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    sources = {"model_a": model_a, "model_b": model_b, "outcome": outcome}
    if groups is not None:
        sources["groups"] = groups
    check_indexes(list(sources.items()))
    columns = {name: as_label_column(name, values) for name, values in sources.items()}
    n = check_battle_sizes(columns)
    counts = as_battle_weights(weights, n, design.with_frequencies)
    if counts is not None and not counts.all():
        columns = only_rows(columns, counts > 0.0)
        counts = counts[counts > 0.0]
    columns, complete = complete_rows(columns, nan_policy)
    if complete is not None and counts is not None:
        counts = counts[complete]
    names, first, second = as_fighters(columns, models, number_words)
    clusters = number_groups(columns["groups"].values).numbers if groups is not None else None
    codes = as_outcomes(columns["outcome"].values, number_words)
    left_out = 0 if complete is None else complete.size - first.size
    battles = Battles(names, first, second, codes, counts, clusters, left_out)
    return battles if design.ties else without_ties(battles, design.with_frequencies)


def check_battle_sizes(columns: dict[str, Column]) -> int:
    """Return how many battles there are; raise unless every column has a value for each."""
    n = columns["model_a"].values.size
    for name, (values, _) in columns.items():
        if values.size != n:
            raise invalid_value(
                name, f"must have a value for each of the {n} battles in `model_a`", values.size
            )
    check_any_battle(n)
    return n


def check_any_battle(n: int, why: str = "got none") -> None:
    """Raise if the number of battles is 0; `why` ends the message."""
    if not n:
        raise invalid_value("outcome", f"must contain at least one battle, {why}")


def as_battle_weights(values: object, n: int, is_frequency: bool) -> Vector | None:
    """Return the weights of n battles, None without any; whole numbers if they count equal ones."""
    if values is None:
        return None
    rows = "battles in `model_a`"
    if is_frequency:
        weights = as_counts("frequency_weight", values, n, rows)
    else:
        weights = as_weights("sample_weight", values, n, rows)
    check_any_battle(int(np.count_nonzero(weights)), "all of them have weight 0")
    return weights if is_frequency else in_range(weights)


def only_rows(columns: dict[str, Column], selected: NDArray[np.bool_]) -> dict[str, Column]:
    """Return some rows of all columns."""
    return {
        name: Column(values[selected], None if missing is None else missing[selected])
        for name, (values, missing) in columns.items()
    }


def complete_rows(
    columns: dict[str, Column], nan_policy: str
) -> tuple[dict[str, Column], NDArray[np.bool_] | None]:
    """Return the columns without rows with a missing value, and which rows stay (None: all).

    Raise for missing values if that is the policy.
    """
    flagged = [(name, flags) for name, (_, flags) in columns.items() if flags is not None]
    flagged = [(name, flags) for name, flags in flagged if flags.any()]
    if not flagged:
        return columns, None
    if nan_policy == "raise":
        refuse_missing(*flagged[0])
    complete = ~np.logical_or.reduce([flags for _, flags in flagged])
    n_complete = int(np.count_nonzero(complete))
    check_any_battle(n_complete, "each has a missing value")
    dropped = complete.size - n_complete
    warn(f"{dropped} of {complete.size} battles dropped: missing values.", DroppedCasesWarning)
    return only_rows(columns, complete), complete


def without_ties(battles: Battles, with_frequencies: bool) -> Battles:
    """Return the battles without the ties, or raise if there is no other.

    The number of ties that are left out counts equal battles as often as their frequency says.
    """
    tied = battles.outcome == TIE
    counts = battles.weights if with_frequencies else None
    n_ties = int(np.count_nonzero(tied) if counts is None else counts[tied].sum())
    check_any_battle(int(np.count_nonzero(~tied)), "all are ties, which `ties=None` drops")
    return battles.only(~tied)._replace(ties_left=n_ties)


def as_fighters(
    columns: Mapping[str, Column], models: object, number_words: Lookup
) -> tuple[tuple[str, ...], Integers, Integers]:
    """Return the models' names, and the numbers of both models of each battle; or raise.

    Models are numbered in the order of `models`, or else sorted.
    """
    a, b = columns["model_a"].values, columns["model_b"].values
    check_comparable({"model_a": a, "model_b": b})
    labels_a, codes_a = distinct_and_codes(a, number_words)
    labels_b, codes_b = distinct_and_codes(b, number_words)
    labels, places = np.unique(np.concatenate([labels_a, labels_b]), return_inverse=True)
    names = tuple(str(label) for label in labels.tolist())
    if models is not None:
        names, order = order_of_models(models, names)
        places = order[places]
    first = places[: labels_a.size][codes_a]
    second = places[labels_a.size :][codes_b]
    same = np.flatnonzero(first == second)
    if same.size:
        row = same[0]
        raise invalid_value(
            "model_b",
            "must be another model than `model_a`",
            end=f"; {same.size} battles are of {names[first[row]]!r} with itself, the "
            f"first at index {row}. Drop them.",
            row=row,
        )
    return names, first, second


def distinct_and_codes(values: NDArray[Any], number_words: Lookup) -> tuple[NDArray[Any], Integers]:
    """Return the distinct labels, and the index of each value among them.

    Many strings of few kinds are looked up in a table, which takes a tenth of the time of a sort.
    """
    if values.dtype.kind == "U" and values.dtype.itemsize and values.size >= MANY:
        table = np.full(2 * MOST_WORDS, -1)
        firsts = np.empty(MOST_WORDS, np.int64)
        numbers = np.empty(values.size, np.int64)
        # the kernel fills `firsts` with the row of each distinct string, and `numbers`
        total = number_words(code_points(values), table, firsts, numbers)
        if total > 0:  # else there are too many kinds
            return values[firsts[:total]], numbers
    total, numbers = number_groups(values)
    labels = np.empty(total, values.dtype)
    labels[numbers] = values
    return labels, numbers


def order_of_models(models: Any, occurring: tuple[str, ...]) -> tuple[tuple[str, ...], Integers]:
    """Return the names as listed, and the index in this list of each name that occurs; or raise."""
    is_list = isinstance(models, Sequence | np.ndarray) and dimensions("models", models) > 0
    if isinstance(models, str | bytes) or not is_list:
        raise invalid_type("models", "must be a list of names", models)
    names = tuple(str(name) for name in models)
    places = {name: j for j, name in enumerate(names)}
    if len(places) < len(names):
        twice = next(name for j, name in enumerate(names) if places[name] != j)
        raise invalid_value("models", "must name each model once", end=f", got {twice!r} twice.")
    for name in occurring:
        if name not in places:
            raise invalid_value(
                "models",
                "must name every model of a battle",
                end=f"; {name!r} is missing.{suggestion(name, names)}",
            )
    return names, np.array([places[name] for name in occurring], np.int64)


def check_anchor(anchor: object, names: tuple[str, ...]) -> int | None:
    """Return the place of the model whose strength is 0; None for a mean of 0."""
    if anchor is None:
        return None
    if str(anchor) not in names:
        raise invalid_value(
            "anchor", "must be one of the models", anchor, f".{suggestion(str(anchor), names)}"
        )
    return names.index(str(anchor))


def as_outcomes(values: NDArray[Any], number_words: Lookup) -> Integers:
    """Return WIN, LOSS or TIE of the first model for each battle, by words, bools or numbers."""
    if values.dtype.kind == "b":
        return np.where(values, WIN, LOSS)
    if values.dtype.kind in "iuf":
        wins, lost, tied = (values == number for number in (1.0, 0.0, 0.5))
        if not (wins | lost | tied).all():
            raise unknown_outcomes(np.unique(values).tolist())
        return np.where(wins, WIN, np.where(lost, LOSS, TIE))
    labels, numbers = distinct_and_codes(values, number_words)
    words = labels.tolist()
    if any(label not in WORDS for label in words):
        raise unknown_outcomes(sorted(words))
    return np.array([WORDS[label] for label in words], np.int64)[numbers]


def unknown_outcomes(outcomes: list[Any]) -> InvalidValueError:
    """Return the error of outcomes that are not understood, with how to go on."""
    rule = "must contain 'a', 'b' and 'tie', or 1, 0 and 0.5 (the first model's score)"
    if -1 in outcomes:
        way = "Next to -1, 0 would be a tie, otherwise a loss: pass (outcome + 1) / 2."
    elif not isinstance(outcomes[0], str) and 2 in outcomes:
        way = "If 1 and 2 name the winner, pass 2 - outcome."
    else:
        way = "The winner's name goes in as outcome == model_a."
    listed = listed_labels(outcomes)
    return invalid_value("outcome", rule, listed, f". {way}", show="; got {}")


FIGHTERS = ("model_a", "model_b")
ENDS = ("outcome", "winner")  # what the third column is called, the second in arenas' logs
SIDES = {side: [word for word, code in WORDS.items() if code == side] for side in (WIN, LOSS, TIE)}


class BattleColumns(NamedTuple):
    """The names of both models of each battle, and how it ended."""

    model_a: Any
    model_b: Any
    outcome: Any


def battle_columns(data: Any) -> BattleColumns | None:
    """Return the columns of a table or of rows of battles, None for anything else.

    Raise for a table of battles without one column of outcomes.
    """
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
    """Return the columns of a table of battles; None unless each row names two models.

    Columns of numbers with decimals are scores of models that are called so.
    """
    names = [*map(str, data)] if isinstance(data, Mapping) else frame_names(data)
    if not {*FIGHTERS} <= {*names} or are_scores(data, {*ENDS} & {*names}):
        return None
    result_columns = [name for name in ENDS if name in names]
    if len(result_columns) != 1:
        raise invalid_value(
            "data",
            "has the columns 'model_a' and 'model_b' of battles, and must have a column with "
            "the result",
            end=f": 'outcome' or 'winner'. It has {' and '.join(result_columns) or 'neither'}.",
        )
    named: Any = named_columns("data", data)
    battles = BattleColumns(*(named[name] for name in (*FIGHTERS, *result_columns)))
    if result_columns == ["winner"]:
        check_winner(battles.outcome)
    return with_sides(battles)


def columns_beside_battles(data: Any) -> list[str]:
    """Return the names of the columns of a table that are neither models nor outcomes."""
    if not (isinstance(data, Mapping) or is_frame(data)):
        return []
    names = frame_names(data) if is_frame(data) else [str(name) for name in data]
    return [name for name in names if name not in (*FIGHTERS, *ENDS) and not INDEX.fullmatch(name)]


def are_scores(data: Any, outcome_columns: Set[str]) -> bool:
    """Say whether 'model_a' and 'model_b' hold scores of two models, not names of fighters.

    So it is if both hold numbers, and some have decimals or there is no column of outcomes.
    """
    named: Any = named_columns("data", data)
    columns = [as_label_column(name, read_once(named[name])).values for name in FIGHTERS]
    if any(values.dtype.kind not in "biuf" for values in columns):
        return False
    return not outcome_columns or any((values != np.floor(values)).any() for values in columns)


def check_winner(winner: Any) -> None:
    """Raise where the winner is 0 or 1: a score of the first model, or the place of the winner."""
    values = as_label_column("winner", read_once(winner)).values
    if values.dtype.kind in "biuf" and np.isin(values, (0, 1)).all():
        raise invalid_value(
            "winner",
            "must name the winner, or contain 'model_a', 'model_b' and 'tie'",
            end="; 0 and 1 could be the first model's score or the index of the winner. Call "
            "the column 'outcome' where 1 says that `model_a` won; where 1 says that "
            "`model_b` did, pass 1 - winner as 'outcome'.",
        )


def with_sides(battles: BattleColumns) -> BattleColumns:
    """Return battles whose outcomes are 'a', 'b' or 'tie' if winners are specified by their names.

    Others come back as they are; raise where the words may be names or sides.
    """
    battles = BattleColumns(*map(read_once, battles))
    first, second, (outcome, missing) = map(as_label_column, BattleColumns._fields, battles)
    if outcome.dtype.kind != "U" or not first.values.size == second.values.size == outcome.size:
        return battles
    unknown = np.zeros(outcome.size, bool) if missing is None else missing
    names_first, names_second = outcome == first.values, outcome == second.values
    side = {code: np.isin(outcome, words) for code, words in SIDES.items()}
    all_names = (names_first | names_second | side[TIE] | unknown).all()
    all_sides = (side[WIN] | side[LOSS] | side[TIE] | unknown).all()
    contradict = names_first & side[LOSS] | names_second & side[WIN]
    if all_names and all_sides and contradict.any():
        raise invalid_value(
            "outcome",
            "is ambiguous",
            end=": its words could be names of winners or sides, because models are called "
            "'a' or 'b', too. Pass 1 where `model_a` won, 0 where it lost and 0.5 for "
            "ties.",
        )
    if all_sides or not all_names:
        return battles
    sides = np.where(names_first, "a", np.where(names_second, "b", "tie")).astype(object)
    sides[unknown] = None
    return battles._replace(outcome=sides)


def names_of_fighters(battles: BattleColumns) -> tuple[str, ...]:
    """Return the models of all battles, sorted as `bradley_terry` sorts them."""
    columns = map(as_label_column, FIGHTERS, battles)
    fighters = np.concatenate([column.values[~find_nan(column)] for column in columns])
    return tuple(map(str, np.unique(fighters).tolist()))
