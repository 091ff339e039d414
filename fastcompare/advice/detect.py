"""From what users hand over to its kind and columns, with a sentence on what told the kind.

scikit-learn's own shapes as scores by round: estimators, results of cross_validate, searches.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._adapters.frames import index_of, is_frame
from .._adapters.sklearn import (
    RoundsTold,
    any_classifier,
    cross_validated,
    is_cv_result,
    is_estimator,
    is_search,
    metric_of,
    scores_of_result,
    splits_of,
    told_by_cv,
    told_by_indices,
    told_by_search,
)
from .._compare.folds.estimators import (
    SELECTED,
    best_candidates,
    candidate_names,
    compare_estimators,
)
from .._compare.items.evals import EvalRuns, ItemScores
from .._inputs.arrays import read_once
from .._inputs.battles import BattleColumns, battle_columns, names_of_fighters, with_sides
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
    refuse_shape,
    several_classes,
    without_row_names,
)
from .._inputs.labels import as_label_column
from .._inputs.models import as_matrix
from .._inputs.options import check_choice
from .._inputs.rounds import as_estimators, as_search, as_sizes
from .._inputs.scores import as_names, named_columns
from .._inputs.tables import models_among, refuse_probabilities, refuse_repeated, refuse_summaries
from ..datasets import DatasetScores, FoldScores, Predictions
from .held import CASE_KINDS, Handed, Held, held
from .rule import KINDS

TOP = 5  # candidates of a search
SEED = 0  # of the splits, where no `cv` is given
SIZES = ("n_train", "n_test")


def named_values(data: Any) -> Mapping[str, Any] | None:
    """Return a mapping or a list by name; None for others.

    A list holds pairs of a name and a value, or results of cross_validate, which are numbered, or
    estimators, which are called by their classes.
    """
    if isinstance(data, Mapping) and data:
        return dict(zip(as_names("data", list(data)), data.values(), strict=True))
    if not isinstance(data, list | tuple) or not data:
        return None
    if all(map(is_cv_result, data)):
        return {f"model {j}": result for j, result in enumerate(data, 1)}
    if all(map(is_estimator, data)):
        return dict(zip(names_by_class(data), data, strict=True))
    if not all(isinstance(x, tuple) and len(x) == 2 and isinstance(x[0], str) for x in data):
        return None
    return dict(zip(as_names("data", [x[0] for x in data]), (x[1] for x in data), strict=True))


def names_by_class(estimators: Sequence[Any]) -> list[str]:
    """Return the classes of estimators, numbered where there are several of one class."""
    classes = [getattr(e, "__name__", type(e).__name__) for e in estimators]
    return [
        f"{name} {classes[: j + 1].count(name)}" if classes.count(name) > 1 else name
        for j, name in enumerate(classes)
    ]


def holds_estimators(handed: Handed) -> bool:
    """Return whether the data are estimators, or one of them."""
    named = named_values(handed.data)
    one = is_estimator(handed.data)
    return one or (named is not None and any(map(is_estimator, named.values())))


def holds_cv_results(handed: Handed) -> bool:
    """Return whether the data are results of cross_validate, or one of them."""
    named = named_values(handed.data)
    one = is_cv_result(handed.data)
    return one or (named is not None and any(map(is_cv_result, named.values())))


def holds_search(handed: Handed) -> bool:
    """Return whether the data are a fitted search."""
    return is_search(handed.data)


def sized(
    handed: Handed, told: RoundsTold, columns: Mapping[str, Any], why: str, metric: str
) -> Held:
    """Return scores by round with the design and sizes that were told, unless users say others."""
    given = {name: value for name, value in handed.told.items() if name not in ("cv", "scoring")}
    given.pop("groups", None)  # which the splits have heeded
    given.setdefault("design", told.design)
    sizes = (float(given.get("n_train", told.n_train)), float(given.get("n_test", told.n_test)))
    known = Handed(data=handed.data, given=given)
    return held(known, "folds", columns, (why, told.why), sizes=sizes, metric=metric)


def held_estimators(handed: Handed) -> Held:
    """Return the scores of estimators that are fitted here on the same splits."""
    if is_estimator(handed.data):
        refuse_shape("one estimator is one model: pass a list of them, or {'name': estimator, ...}")
    named = as_estimators(named_values(handed.data))
    X, y, groups = handed.a, handed.b, handed.told.get("groups")
    if X is None or y is None:
        refuse_shape("estimators need the cases to fit: compare(estimators, X, y)")
    cv, scoring = handed.told.get("cv"), handed.told.get("scoring")
    why = f"{len(named)} estimators are fitted on the same splits."
    metric = metric_of(scoring, named)
    if handed.asks:
        return held_unfitted(handed, named)
    if cv is None:
        found = compare_estimators(
            named, X, y, scoring=scoring, groups=groups, rng=SEED, n_jobs=handed.n_jobs
        )
        told = RoundsTold("repeated-kfold", found.n_train, found.n_test, TEN_BY_TEN)
        return sized(handed, told, dict(zip(found.names, found.scores.T, strict=True)), why, metric)
    classifier = any_classifier(named)
    splits = splits_of(cv, X, y, groups, classifier=classifier)
    told = told_by_cv(cv, X, y, groups, splits=splits)
    scores = cross_validated(named, X, y, splits, scoring, handed.n_jobs)
    return sized(handed, told, scores, why, metric)


def held_unfitted(handed: Handed, named: Mapping[str, Any]) -> Held:
    """Return estimators that wait for the tests: their rounds, without scores."""
    X, y, groups = handed.a, handed.b, handed.told.get("groups")
    cv = handed.told.get("cv")
    if cv is None:
        told, rounds = RoundsTold("repeated-kfold", 9.0, 1.0, TEN_BY_TEN), 100
    else:
        splits = splits_of(cv, X, y, groups, classifier=any_classifier(named))
        told, rounds = told_by_cv(cv, X, y, groups, splits=splits), len(splits)
    why = f"{len(named)} estimators would be fitted on the same splits."
    return replace(sized(handed, told, named, why, "score"), n_rounds=rounds)


TEN_BY_TEN = (
    "`cv` is not specified, so 10 x 10-fold cross-validation is used, as in "
    "compare_estimators with rng=0."
)


def held_cv_results(handed: Handed) -> Held:
    """Return the scores by round that cross_validate returned for each model."""
    named = named_values(handed.data)
    if named is None or is_cv_result(handed.data) or len(named) < 2:
        refuse_shape(
            "one result of cross_validate is one model: pass a list of them, or {'name': "
            "result, ...}"
        )
    scoring = handed.told.get("scoring")
    columns = {name: scores_of_result(name, result, scoring) for name, result in named.items()}
    told = told_by_indices(named)
    if told is None and "cv" in handed.told:
        told = told_by_cv(handed.told["cv"], handed.a, handed.b, handed.told.get("groups"))
    if told is None and not {*SIZES} <= {*handed.told}:
        refuse_shape(
            "results of cross_validate do not contain the sizes of the folds: call it with "
            "return_indices=True, or pass `cv`, or `n_train` and `n_test`"
        )
    if told is None:
        n_train, n_test = (float(handed.told[name]) for name in SIZES)
        told = RoundsTold("resampled", n_train, n_test, "`n_train` and `n_test` are specified.")
    why = "Results of cross_validate are scores per fold."
    return sized(handed, told, columns, why, metric_of(scoring or "score", {}))


def held_search(handed: Handed) -> Held:
    """Return the scores by round of the best candidates of a fitted search."""
    fitted = handed.data
    found = as_search(fitted, handed.told.get("scoring"))
    chosen = best_candidates(found.scores)[:TOP]
    names = candidate_names(found.params, chosen)
    columns = dict(zip(names, found.scores[:, chosen].T.copy(), strict=True))
    cv, groups = handed.told.get("cv"), handed.told.get("groups")
    told = told_by_search(fitted, cv, handed.a, handed.b, groups)
    why = "A fitted search scored all candidates on the same splits."
    if len(chosen) < len(found.params):
        why += SELECTED.format(k=len(chosen), total=len(found.params))
    return sized(handed, told, columns, why, found.metric)


TOLD = "Kind of data: {kind} (as specified)."
BATTLES = "Each row names two models and an outcome: the data are battles."
NO_MODEL = "Column {!r} identifies the rows and is not a model."


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
        kind, why, doubts = kind_of_cases(labels, columns)
    else:
        check_choice("kind", handed.kind, CASE_KINDS)
        check_told_kind(handed.kind, columns)
        kind, why, doubts = handed.kind, TOLD.format(kind=handed.kind), ()
    known = handed
    if "design" not in handed.told and "groups" not in handed.told and several_classes(labels):
        known = replace(handed, given={**handed.given, "design": "multiclass"})
        why += " There are more than two classes."
    return held(known, kind, columns, (why,), y_true=labels, doubts=doubts)


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
        kind, why, _ = kind_of_table(table, rounds=rounds, called=aside)
    else:
        check_choice("kind", handed.kind, ("folds", "datasets", "items"))
        kind, why = handed.kind, TOLD.format(kind=handed.kind)
    if kind == "datasets":
        for name in aside:
            refuse_repeated(name, every[name])
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
    told = {"n_train", "n_test", "cv"} & set(handed.told)
    if handed.told.get("design") == "independent" or (handed.asks and not told):
        return held(handed, "folds", columns, why)
    sizes = as_sizes(*map(handed.told.get, ("n_train", "n_test", "cv", "design")))
    units = "cases" if "cv" not in handed.told else "parts (by `cv`)"
    ratio = f"Each round has {sizes.n_train:g} training and {sizes.n_test:g} test {units}."
    known = replace(handed, given={**handed.given, "design": sizes.design})
    return held(known, "folds", columns, (*why, ratio), sizes=(sizes.n_train, sizes.n_test))


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
    why = ("read_evals returns scores per item.",)
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
    return held(known, "items", items.scores, ("from_long returns scores per item.",))


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
    return held_rounds(known, own.scores, ("FoldScores are scores per fold.",))


def held_datasets(handed: Handed) -> Held:
    """Return the scores of data sets that ship with the package."""
    own: DatasetScores = handed.data
    return held(handed, "datasets", own.scores, ("DatasetScores are scores per data set.",))


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
