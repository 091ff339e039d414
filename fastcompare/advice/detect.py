"""From what users hand over to its kind and columns, with a sentence on what told the kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._adapters.frames import index_of, is_frame
from .._compare.items.evals import EvalRuns
from .._compare.items.long import ItemScores
from .._inputs.arrays import read_once
from .._inputs.battle_tables import (
    BattleColumns,
    battle_columns,
    names_of_fighters,
    with_sides,
)
from .._inputs.kinds import (
    as_columns,
    check_no_words,
    check_told_kind,
    kind_of_cases,
    kind_of_table,
    refuse_alone,
    refuse_battles,
    refuse_held,
    refuse_kind,
    refuse_long,
    several_classes,
    without_row_names,
)
from .._inputs.labels import as_label_column
from .._inputs.model_columns import models_among, refuse_probabilities, refuse_summaries
from .._inputs.models import as_matrix
from .._inputs.options import check_choice
from .._inputs.rounds import check_sizes
from .._inputs.scores import named_columns
from ..datasets import DatasetScores, FoldScores, Predictions
from .handed import CASE_KINDS, Handed, held
from .held import Held
from .rule import KINDS
from .sklearn_shapes import (
    held_cv_results,
    held_estimators,
    held_search,
    holds_cv_results,
    holds_estimators,
    holds_search,
)

TOLD = "The kind is told: {kind}."
BATTLES = "Rows name two models and how they ended: they are battles."
NO_MODEL = "The column {!r} names the rows, and is no model."


def held_cases(handed: Handed) -> Held:
    """Return labels, scores or probabilities of cases with true labels."""
    labels, a, b = map(read_once, (handed.data, handed.a, handed.b))
    n = as_label_column("data", labels).values.size
    columns = as_columns(a, b, n)
    if b is None:
        refuse_probabilities(columns)
        if named_columns("a", a) is not None:
            columns = models_among(columns, handed.models, labels)
    if handed.kind is None:
        kind, why = kind_of_cases(labels, columns)
    else:
        check_choice("kind", handed.kind, CASE_KINDS)
        check_told_kind(handed.kind, columns)
        kind, why = handed.kind, TOLD.format(kind=handed.kind)
    known = handed
    if "design" not in handed.told and "groups" not in handed.told and several_classes(labels):
        known = replace(handed, given={**handed.given, "design": "multiclass"})
        why += " The true labels have more than two classes."
    return held(known, kind, columns, (why,), y_true=labels)


def held_table(handed: Handed) -> Held:
    """Return a score of each model in each round, on each data set or on each item."""
    refuse_alone(handed.b, 2)
    table = read_once(handed.data)
    every = columns_alone(table)
    columns, aside = without_row_names(every)
    if handed.models is None:
        refuse_long(every)
        refuse_summaries(names_of_rows(table, every, aside))
    refuse_alone(None, len(columns))
    if handed.models is None:
        check_no_words(columns)
    if named_columns("data", table) is not None:
        columns = models_among(columns, handed.models, cases=False)
    if handed.kind is None:
        rounds = bool({"n_train", "n_test", "cv"} & set(handed.told))
        kind, why = kind_of_table(table, rounds=rounds, called=aside)
    else:
        check_choice("kind", handed.kind, ("folds", "datasets", "items"))
        kind, why = handed.kind, TOLD.format(kind=handed.kind)
    reasons = (why, *(NO_MODEL.format(name) for name in aside))
    if kind == "folds":
        return held_rounds(handed, columns, reasons)
    return held(handed, kind, columns, reasons)


def names_of_rows(table: Any, columns: Mapping[str, Any], aside: Sequence[str]) -> list[Any]:
    """Return the labels of the rows of a table, of its index and of its columns of names."""
    index = index_of(table)
    found = [] if index is None else list(index)
    return [*found, *(label for name in aside for label in columns[name])]


def held_rounds(handed: Handed, columns: Mapping[str, Any], why: Sequence[str]) -> Held:
    """Return scores by round with their sizes, which independent rounds need not have."""
    told = {"n_train", "n_test"} & set(handed.told)
    if handed.told.get("design") == "independent" or (handed.asks and not told):
        return held(handed, "folds", columns, why)
    sizes = check_sizes(handed.told.get("n_train"), handed.told.get("n_test"))
    ratio = f"A round trains on {sizes[0]:g} cases and tests on {sizes[1]:g}."
    return held(handed, "folds", columns, (*why, ratio), sizes=sizes)


def columns_alone(table: Any) -> Mapping[str, Any]:
    """Return the columns of a table without true labels, or raise."""
    named = named_columns("data", table)
    if named is not None:
        return named
    values, names = as_matrix("data", table, "rows")
    return dict(zip(names, map(np.ascontiguousarray, values.T), strict=True))


def held_runs(handed: Handed) -> Held:
    """Return the scores of items that `read_evals` found."""
    runs: EvalRuns = handed.data
    own = {"groups": runs.groups, "sample_weight": runs.weights}
    given = {**handed.given, **{name: v for name, v in own.items() if v is not None}}
    known = Handed(data=runs, given=given)
    why = ("read_evals returns scores of items.",)
    higher = runs.metadata["higher_is_better"]
    found = held(known, "items", runs.by_model(), why, higher_is_better=higher)
    if higher is None:
        found = replace(found, called=(str(runs.metadata["metric"]),))
    if len({*runs.tasks.tolist()}) < 2:
        return found
    return replace(found, options={**found.options, "strata": runs.tasks})


def held_items(handed: Handed) -> Held:
    """Return the scores of items of a long table."""
    items: ItemScores = handed.data
    known = Handed(data=items, given={**handed.given, **items.given})
    return held(known, "items", items.scores, ("from_long returns scores of items.",))


def held_predictions(handed: Handed) -> Held:
    """Return the probabilities that ship with the package, as scores unless told otherwise."""
    own: Predictions = handed.data
    kind = handed.kind or "scores"
    known = Handed(data=own.y_true, a=own.scores, kind=kind, given=handed.given)
    return held_cases(known)


def held_folds(handed: Handed) -> Held:
    """Return the scores by round that ship with the package."""
    own: FoldScores = handed.data
    own_rounds = {"n_train": own.n_train, "n_test": own.n_test, "design": "repeated-kfold"}
    known = Handed(data=own.scores, given={**own_rounds, **handed.told})
    return held_rounds(known, own.scores, ("FoldScores are scores by round.",))


def held_datasets(handed: Handed) -> Held:
    """Return the scores of data sets that ship with the package."""
    own: DatasetScores = handed.data
    return held(handed, "datasets", own.scores, ("DatasetScores are scores of data sets.",))


def holds_battles(handed: Handed) -> bool:
    """Return whether the data are battles by their columns or rows, or said to be some."""
    return handed.kind == "battles" or (
        handed.a is None and battle_columns(handed.data) is not None
    )


def held_battles(handed: Handed) -> Held:
    """Return battles: a table, rows, or both models and the outcome as `data`, `a` and `b`."""
    if handed.a is None:
        found = battle_columns(handed.data)
        why = BATTLES
    else:
        found, why = with_sides(BattleColumns(handed.data, handed.a, handed.b)), TOLD
    if found is None or found.outcome is None:
        refuse_battles()
    columns = dict.fromkeys(names_of_fighters(found))
    return held(handed, "battles", columns, (why.format(kind="battles"),), battles=found)


def holds(*types: type) -> Callable[[Handed], bool]:
    """Return the question whether the data are of such a type."""
    return lambda handed: isinstance(handed.data, types)


def is_table(handed: Handed) -> bool:
    """Return whether the data are a table without anything beside it."""
    data = handed.data
    if handed.a is not None:
        return False
    return isinstance(data, Mapping | list | tuple) or is_frame(data) or hasattr(data, "__array__")


FORMS: list[tuple[Callable[[Handed], bool], Callable[[Handed], Held]]] = [
    (holds(EvalRuns), held_runs),
    (holds(ItemScores), held_items),
    (holds(Predictions), held_predictions),
    (holds(FoldScores), held_folds),
    (holds(DatasetScores), held_datasets),
    (holds_search, held_search),
    (holds_estimators, held_estimators),
    (holds_cv_results, held_cv_results),
    (holds_battles, held_battles),
    (is_table, held_table),
    (lambda handed: handed.a is not None, held_cases),
]


def as_held(handed: Handed) -> Held:
    """Return the data in the form of their kind, or raise."""
    if handed.kind is not None:
        check_choice("kind", handed.kind, tuple(KINDS))
    make = next((make for fits, make in FORMS if fits(handed)), None)
    found = refuse_held(handed.data) if make is None else make(handed)
    if handed.kind not in (None, found.kind):
        refuse_kind(str(handed.kind), found.kind, found.decisions[0])
    return found
