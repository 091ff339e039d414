"""The kind of data and its columns, from the arguments of `compare`, with the reason in a sentence.

scikit-learn's estimators, results of `cross_validate` and searches are scores by round.
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._adapters.frames import is_frame
from .._adapters.scans import Scan
from .._adapters.sklearn import (
    RoundsPlan,
    any_classifier,
    cross_validate_scores,
    cross_validated,
    is_cv_result,
    is_estimator,
    is_search,
    make_splits,
    metric_name,
    plan_of_cv,
    plan_of_indices,
    plan_of_search,
)
from .._inputs.arrays import read_once
from .._inputs.battles import (
    BattleColumns,
    battle_columns,
    columns_beside_battles,
    names_of_fighters,
    with_sides,
)
from .._inputs.labels import as_label_column
from .._inputs.models import as_matrix
from .._inputs.options import check_choice
from .._inputs.plans.searches import as_search
from .._inputs.roles.kinds import (
    as_columns,
    kind_of_table,
    refuse_alone,
    refuse_battles,
    refuse_data,
    refuse_kind,
    refuse_named,
    refuse_remainder,
    refuse_shape,
    several_classes,
)
from .._inputs.roles.reading import Reading, option_name, quote_names
from .._inputs.roles.shapes.quantities import errors_of_quantity
from .._inputs.rounds import as_estimators
from .._inputs.scores import as_names, named_columns
from .._inputs.tables import models_among, refuse_probabilities
from .._inputs.times import holds_times, times_in
from ..datasets import DatasetScores, FoldScores, Predictions
from .checks import DESIGN_OF, check_data, rounds_data
from .data import Arguments, Data
from .kinds import KINDS, kinds_of_form
from .readings import (
    SPECIFIED,
    are_reader_study,
    data_in_table,
    data_of_classes,
    holds_columns,
    holds_unpaired,
    kind_of_cases,
    readers_data,
    reading_of,
    refuse_table_of_labels,
    rows_of_reading,
    unpaired_data,
    with_battles,
    with_positive,
)

if TYPE_CHECKING:
    from ..items._evals import EvalRuns, ItemScores

LOGS = "fastcompare.items._evals"
MOST_CANDIDATES = 5  # candidates of a search
SEED = 0  # of the splits, where no `cv` is given
SIZES = ("n_train", "n_test")


def named_values(data: Any) -> Mapping[str, Any] | None:
    """Return values by name: a mapping as it is, or a list as a mapping; None for anything else.

    A list contains pairs of a name and a value, or results of cross_validate, which are numbered,
    or estimators, which are named by their classes.
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
    names, values = zip(*data, strict=True)
    return dict(zip(as_names("data", list(names)), values, strict=True))


def names_by_class(estimators: Sequence[Any]) -> list[str]:
    """Return the names of estimators' classes, numbered if several have one class."""
    classes = [getattr(e, "__name__", type(e).__name__) for e in estimators]
    return [
        f"{name} {classes[: j + 1].count(name)}" if classes.count(name) > 1 else name
        for j, name in enumerate(classes)
    ]


def rounds_with_sizes(
    arguments: Arguments, plan: RoundsPlan, columns: Mapping[str, Any], why: str, metric: str
) -> Data:
    """Return scores by round with the design and sizes of a plan, or with specified ones."""
    used = ("cv", "scoring", "groups")  # the scores are by these splits, which heed groups
    passed = {name: value for name, value in arguments.options.items() if name not in used}
    passed.setdefault("design", plan.design)
    n_train = float(passed.get("n_train", plan.n_train))
    n_test = float(passed.get("n_test", plan.n_test))
    sizes = (n_train, n_test)
    with_sizes = Arguments(data=arguments.data, passed=passed)
    return check_data(with_sizes, "folds", columns, (why, plan.why), sizes=sizes, metric=metric)


def estimators_data(arguments: Arguments) -> Data:
    """Fit estimators on the same splits; return their scores by round. Advice fits none."""
    if is_estimator(arguments.data):
        refuse_shape("one estimator is one model: pass a list of them, or {'name': estimator, ...}")
    named = as_estimators(named_values(arguments.data))
    X, y, groups = arguments.a, arguments.b, arguments.options.get("groups")
    if X is None or y is None:
        refuse_shape("estimators need the cases to fit: compare(estimators, X, y)")
    cv, scoring = arguments.options.get("cv"), arguments.options.get("scoring")
    metric = metric_name(scoring, named)
    splits = None
    if cv is not None:
        splits = make_splits(cv, X, y, groups, classifier=any_classifier(named))
        plan = plan_of_cv(cv, X, y, groups, splits=splits)
    else:
        plan = RoundsPlan("repeated-kfold", 9.0, 1.0, TEN_BY_TEN)
    if arguments.advice:
        why = f"{len(named)} estimators would be fitted on the same splits."
        n_rounds = 100 if splits is None else len(splits)
        return replace(rounds_with_sizes(arguments, plan, named, why, "score"), n_rounds=n_rounds)
    if splits is None:
        from ..folds._estimators import compare_estimators  # which no other data need

        comparison = compare_estimators(
            named, X, y, scoring=scoring, groups=groups, rng=SEED, n_jobs=arguments.n_jobs
        )
        plan = plan._replace(n_train=comparison.n_train, n_test=comparison.n_test)
        columns = dict(zip(comparison.names, comparison.scores.T, strict=True))
    else:
        columns = cross_validated(named, X, y, splits, scoring, arguments.n_jobs)
    why = f"{len(named)} estimators are fitted on the same splits."
    return rounds_with_sizes(arguments, plan, columns, why, metric)


TEN_BY_TEN = (
    "`cv` is not specified, so 10 x 10-fold cross-validation is used, as in "
    "compare_estimators with rng=0."
)


def cv_results_data(arguments: Arguments) -> Data:
    """Return the scores by round in the results of cross_validate of several models."""
    named = named_values(arguments.data)
    if named is None or is_cv_result(arguments.data) or len(named) < 2:
        refuse_shape(
            "one result of cross_validate is one model: pass a list of them, or {'name': "
            "result, ...}"
        )
    scoring = arguments.options.get("scoring")
    columns = {name: cross_validate_scores(name, result, scoring) for name, result in named.items()}
    plan = plan_of_indices(named)
    if plan is None and "cv" in arguments.options:
        plan = plan_of_cv(
            arguments.options["cv"], arguments.a, arguments.b, arguments.options.get("groups")
        )
    if plan is None and not {*SIZES} <= {*arguments.options}:
        refuse_shape(
            "results of cross_validate do not contain the sizes of the folds: call it with "
            "return_indices=True, or pass `cv`, or `n_train` and `n_test`"
        )
    if plan is None:
        n_train, n_test = (float(arguments.options[name]) for name in SIZES)
        plan = RoundsPlan("resampled", n_train, n_test, "`n_train` and `n_test` are specified.")
    why = "Results of cross_validate are scores per fold."
    return rounds_with_sizes(arguments, plan, columns, why, metric_name(scoring or "score", {}))


def search_data(arguments: Arguments) -> Data:
    """Return the scores by round of the best candidates of a fitted search."""
    from ..folds._estimators import SELECTED, best_candidates, candidate_names

    fitted = arguments.data
    search = as_search(fitted, arguments.options.get("scoring"))
    chosen = best_candidates(search.scores)[:MOST_CANDIDATES]
    names = candidate_names(search.params, chosen)
    columns = dict(zip(names, search.scores[:, chosen].T.copy(), strict=True))
    cv, groups = arguments.options.get("cv"), arguments.options.get("groups")
    plan = plan_of_search(fitted, cv, arguments.a, arguments.b, groups)
    why = "A fitted search scored all candidates on the same splits."
    if len(chosen) < len(search.params):
        why += SELECTED.format(k=len(chosen), total=len(search.params))
    return rounds_with_sizes(arguments, plan, columns, why, search.metric)


BATTLES = "Each row names two models and an outcome: the data are battles."


def cases_data(arguments: Arguments) -> Data:
    """Return labels, scores or probabilities of cases with true labels."""
    refuse_table_of_labels(arguments)
    labels, a, b, groups = map(
        read_once, (arguments.data, arguments.a, arguments.b, arguments.passed.get("groups"))
    )
    n = as_label_column("data", labels).values.size
    columns = as_columns(a, b, n)
    of_classes = data_of_classes(arguments, labels, columns)
    if of_classes is not None:
        return of_classes
    if b is None:
        refuse_probabilities(columns)
        if named_columns("a", a) is not None:
            all_columns = columns
            columns = models_among(columns, arguments.models, labels)
            refuse_remainder(all_columns, columns, arguments.models)
    errors = errors_of_quantity(labels, columns) if arguments.kind is None else None
    if errors is not None:
        return rows_of_reading(arguments, errors)
    kind, why, doubts = kind_of_cases(arguments, labels, columns)
    with_cases = arguments if groups is None else arguments.with_options(groups=groups)
    if not {"design", "groups"} & {*arguments.options} and several_classes(labels):
        with_cases = arguments.with_options(design="multiclass")
        why += " There are more than two classes."
    return check_data(with_cases, kind, columns, (why,), y_true=labels, doubts=doubts)


def table_data(arguments: Arguments) -> Data:
    """Return a score of each model in each round, on each data set or on each item."""
    refuse_alone(arguments.b, 2)
    table = read_once(arguments.data)
    columns: Any = named_columns("data", table)
    if columns is None:
        values, names = as_matrix("data", table, "rows")
        columns = dict(zip(names, map(np.ascontiguousarray, values.T), strict=True))
    if arguments.kind is None:
        rounds = bool({"n_train", "n_test", "cv"} & set(arguments.options))
        kind, why, _ = kind_of_table(rounds=rounds)
    else:
        check_choice("kind", arguments.kind, kinds_of_form("table"))
        kind, why = arguments.kind, SPECIFIED.format(kind=arguments.kind)
    if kind != "items":  # of which one model has a mean
        refuse_alone(None, len(columns))
    if kind == "folds":
        return rounds_data(arguments, columns, (why,))
    return check_data(arguments, kind, columns, (why,))


def runs_data(arguments: Arguments) -> Data:
    """Return the scores of items that `read_evals` returned, with tasks as strata."""
    runs: EvalRuns = arguments.data
    columns = {"groups": runs.groups, "sample_weight": runs.weights}
    present = {name: column for name, column in columns.items() if column is not None}
    with_runs = Arguments(data=runs, passed={**arguments.passed, **present})
    why = ("The logs contain a score for each item.",)
    higher = runs.metadata["higher_is_better"]
    more = {"higher_is_better": higher, "metric": runs._metric}
    data = check_data(with_runs, "items", runs.by_model(), why, **more)
    if higher is None:  # the name of the metric may tell
        data = replace(data, called=(str(runs.metadata["metric"]),))
    if len({*runs.tasks.tolist()}) < 2:
        return data
    return replace(data, options={**data.options, "strata": runs.tasks})


def items_data(arguments: Arguments) -> Data:
    """Return the scores of items of a long table."""
    items: ItemScores = arguments.data
    with_items = Arguments(data=items, passed={**arguments.passed, **items.given})
    return check_data(with_items, "items", items.scores, ("from_long returns scores per item.",))


BUNDLED = "The predictions that come with fastcompare are scores of cases."


def predictions_data(arguments: Arguments) -> Data:
    """Return the predictions that ship with the package, as scores unless a kind is specified."""
    predictions: Predictions = arguments.data
    kind = arguments.kind or "scores"
    with_predictions = Arguments(
        data=predictions.y_true, a=predictions.scores, kind=kind, passed=arguments.passed
    )
    content = cases_data(with_predictions)
    if arguments.kind is not None:
        return content
    return replace(content, decisions=(BUNDLED, *content.decisions[1:]))  # the first is on the kind


def folds_data(arguments: Arguments) -> Data:
    """Return the scores by round that ship with the package."""
    folds: FoldScores = arguments.data
    own_rounds = {"n_train": folds.n_train, "n_test": folds.n_test, "design": "repeated-kfold"}
    with_rounds = Arguments(data=folds.scores, passed={**own_rounds, **arguments.options})
    return rounds_data(with_rounds, folds.scores, ("FoldScores are scores per fold.",))


def datasets_data(arguments: Arguments) -> Data:
    """Return the scores of data sets that ship with the package."""
    table: DatasetScores = arguments.data
    return check_data(
        arguments, "datasets", table.scores, ("DatasetScores are scores per data set.",)
    )


def are_battles(arguments: Arguments) -> bool:
    """Return whether the data are battles: as specified, or by their columns or rows."""
    return arguments.kind == "battles" or (
        arguments.a is None and battle_columns(arguments.data) is not None
    )


def battles_data(arguments: Arguments) -> Data:
    """Return battles, passed as a table, as rows, or as columns `data`, `a` and `b`."""
    if arguments.a is None:
        battles, why = battle_columns(arguments.data), BATTLES
    else:
        columns = BattleColumns(arguments.data, arguments.a, arguments.b)
        battles, why = with_sides(columns), SPECIFIED
    if battles is None or battles.outcome is None:
        refuse_battles()
    models = dict.fromkeys(names_of_fighters(battles))
    lines = (why.format(kind="battles"), *unused_columns(arguments))
    return check_data(with_columns(arguments), "battles", models, lines, battles=battles)


def with_columns(arguments: Arguments) -> Arguments:
    """Return the arguments with the columns of battles that clusters and weights name."""
    names = {option: arguments.named.get(option) for option in ("groups", "sample_weight")}
    wanted = {option: name for option, name in names.items() if name is not None}
    columns = named_columns("data", arguments.data) if arguments.a is None and wanted else None
    if columns is None:
        return arguments
    for option, name in wanted.items():
        check_choice(option, name, tuple(columns))
    values_by_option = {option: columns[name] for option, name in wanted.items()}
    return replace(arguments, passed={**arguments.passed, **values_by_option})


def unused_columns(arguments: Arguments) -> tuple[str, ...]:
    """Return a line on columns of a table of battles that are not used, or none."""
    named = [name for name in arguments.named.values() if isinstance(name, str)]
    unused = [name for name in columns_beside_battles(arguments.data) if name not in named]
    if arguments.a is not None or not unused:
        return ()
    if arguments.passed.get("groups") is not None or arguments.named.get("groups"):
        return (f"Not used: {quote_names(unused)}.",)
    way = option_name("groups")
    return (
        f"Not used: {quote_names(unused)}. Battles that share a judge, user or question depend on "
        f"each other: {way} names a column of such clusters.",
    )


TIMES = "`data` are times and whether the event was seen; some cases may be censored."


def are_times(arguments: Arguments) -> bool:
    """Return whether the data are times to an event: as specified, or by their form."""
    if arguments.kind is not None:
        return arguments.kind == "times"
    return arguments.a is not None and holds_times(arguments.data)


def times_data(arguments: Arguments) -> Data:
    """Return times, events and scores of risk; 'censored' where many cases are so too early."""
    time, event = map(read_once, times_in(arguments.data))
    if arguments.a is None:
        refuse_shape("times to an event need the models' scores of risk: compare(times, scores)")
    a, b = map(read_once, (arguments.a, arguments.b))
    columns = as_columns(a, b, len(time))
    if b is None and named_columns("a", a) is not None:
        columns = models_among(columns, arguments.models, event)
    why = TIMES if arguments.kind is None else SPECIFIED.format(kind="times")
    with_times = arguments
    if not {"design", *DESIGN_OF} & {*arguments.options}:
        from ..survival._pairs import early_censoring  # which no other data need

        design = "censored" if early_censoring(time, event).early else "uncensored"
        with_times = arguments.with_options(design=design)
    return check_data(with_times, "times", columns, (why,), times=(time, event))


CHUNKS = "The cases are read in chunks."


def scan_data(arguments: Arguments) -> Data:
    """Return cases that are read in chunks, with scores of all models, or items."""
    scan: Scan = arguments.data
    kind = arguments.kind or ("items" if scan.wanted.label is None else "scores")
    columns = dict.fromkeys(scan.names, np.empty(0))
    return check_data(replace(arguments, kind=kind), kind, columns, (CHUNKS,), scan=scan)


def holds_logs(name: str) -> Callable[[Arguments], bool]:
    """Return a predicate: whether the data are an instance of this class of `items._evals`.

    It imports nothing: if that module was not imported, no data can be of its classes.
    """

    def is_instance(arguments: Arguments) -> bool:
        log_class = getattr(sys.modules.get(LOGS), name, None)
        return log_class is not None and isinstance(arguments.data, log_class)

    return is_instance


def is_or_contains(fits: Callable[[Any], bool], data: Any) -> bool:
    """Return whether the data, or one of the values in them by name, fit a predicate."""
    return fits(data) or any(map(fits, (named_values(data) or {}).values()))


def is_table(arguments: Arguments) -> bool:
    """Return whether the data are a table, and the only data that were passed."""
    data = arguments.data
    if arguments.a is not None:
        return False
    return isinstance(data, Mapping | list | tuple) or is_frame(data) or hasattr(data, "__array__")


def columns_data(arguments: Arguments) -> Data:
    """Return the data in a table by the roles of its columns."""
    reading = reading_of(arguments)
    if reading.data is None:
        return data_in_table(replace(arguments, data=reading))
    return data_handed_on(replace(arguments, data=reading), reading)


def data_handed_on(arguments: Arguments, reading: Reading) -> Data:
    """Return the data in a table that another form reads, after lines on how it was recognized."""
    named = {x: arguments.named.get(x) for x in ("groups", "sample_weight")}  # others are read
    content = read_data(replace(arguments, data=reading.data, named=named))
    positive = reading.options.get("pos_label", content.pos_label)
    decisions = (*reading.lines, *content.decisions)
    return replace(content, decisions=decisions, pos_label=positive)


MAKERS_BY_TYPE: dict[type, Callable[[Arguments], Data]] = {
    Reading: data_in_table,
    Scan: scan_data,
    Predictions: predictions_data,
    FoldScores: folds_data,
    DatasetScores: datasets_data,
}
Form = tuple[Callable[[Arguments], bool], Callable[[Arguments], Data]]
SPECIAL_FORMS: list[Form] = [
    (holds_logs("EvalRuns"), runs_data),
    (holds_logs("ItemScores"), items_data),
    (lambda arguments: is_or_contains(is_cv_result, arguments.data), cv_results_data),
    (are_reader_study, readers_data),
    (are_battles, battles_data),
]
OTHER_FORMS: list[Form] = [
    (holds_unpaired, unpaired_data),
    (are_times, times_data),
    (is_table, table_data),
    (lambda arguments: arguments.a is not None, cases_data),
]


def read_data(arguments: Arguments, pos_label: Any = None) -> Data:
    """Return the data of `compare`, whatever their form, or raise if it is unknown."""
    if arguments.kind is not None:
        check_choice("kind", arguments.kind, tuple(KINDS))
    are_estimators = is_or_contains(is_estimator, arguments.data)  # a pipeline has steps, too
    if isinstance(arguments.data, Mapping) and arguments.a is None and not are_estimators:
        arguments = replace(arguments, data=read_once(arguments.data))
    has_columns = holds_columns(arguments)
    if has_columns:
        arguments = with_battles(arguments, pos_label)
        has_columns = not isinstance(arguments.data, Reading)
    if isinstance(arguments.data, Reading) and arguments.data.data is not None:
        return data_handed_on(arguments, arguments.data)
    named = {name: column for name, column in arguments.named.items() if column is not None}
    if named and not has_columns:
        refuse_named(named)
    make = MAKERS_BY_TYPE.get(type(arguments.data))
    if are_estimators:
        make = search_data if is_search(arguments.data) else estimators_data
    forms = SPECIAL_FORMS if has_columns else [*SPECIAL_FORMS, *OTHER_FORMS]
    if make is None:
        usual = columns_data if has_columns else None
        make = next((make for fits, make in forms if fits(arguments)), usual)
    content = refuse_data(arguments.data) if make is None else make(arguments)
    if arguments.kind not in (None, content.kind):
        refuse_kind(str(arguments.kind), content.kind, content.decisions[0])
    return content if pos_label is not None else with_positive(content)
