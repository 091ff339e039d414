"""Data of a kind, from the roles of columns, or from labels and predictions of each model."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from .._adapters.frames import frame_names, is_frame
from .._base.exceptions import InvalidValueError, invalid_type
from .._inputs.arrays import as_column, dimensions, read_once
from .._inputs.battles import FIGHTERS
from .._inputs.evals.studies import default_study
from .._inputs.labels import as_label_column
from .._inputs.names import STUDY_ROLES, is_reader_table
from .._inputs.options import check_choice
from .._inputs.roles.column import parse_column, parse_columns
from .._inputs.roles.decide import MOST_COUNTED, read_beside_idle, read_counts, read_roles
from .._inputs.roles.items import table_columns
from .._inputs.roles.kinds import (
    ACCURACIES,
    FoundKind,
    are_of_one_model,
    check_kind_against_columns,
    check_same_rows,
    check_unpaired,
    class_tables,
    common_kind,
    has_same_labels,
    infer_kind,
    several_classes,
)
from .._inputs.roles.question import QuestionError
from .._inputs.roles.reading import (
    Named,
    Reading,
    is_design_of_cases,
    option_name,
    quote_names,
)
from .._inputs.roles.relations.labels import positive_labels
from .._inputs.roles.shapes.studies import StudyTruth, truth_beside
from .._inputs.roles.shapes.wide_studies import is_wide_study
from .checks import DESIGN_OF, check_data, rounds_data
from .data import SHARED, Arguments, Data
from .kinds import kinds_of_form

READER_STUDY = "Each row is a score by a reader of a case under a treatment: a reader study."
SIZE_OPTIONS = ("n_train", "n_test", "cv")
TABLE_NAMES = {"sample_weight": "weights"}  # of Python, and what a table calls them


def holds_columns(arguments: Arguments) -> bool:
    """Return whether the data are a table with named columns, and the only data passed."""
    data = arguments.data
    if arguments.a is not None:
        return False
    if not isinstance(data, Mapping):
        return is_frame(data)
    if any(map(is_pair, data.values())):  # each model has labels of its own
        return False
    return {dimensions(f"data[{name!r}]", values) for name, values in data.items()} <= {1}


def reading_of(arguments: Arguments) -> Reading:
    """Return the roles of the columns of a table."""
    if isinstance(arguments.data, Reading):
        return arguments.data
    columns = table_columns("data", arguments.data)
    if columns:
        check_same_rows({name: len(column) for name, column in columns.items()})
    return read_roles(columns, named_of(arguments))


def with_battles(arguments: Arguments, pos_label: Any) -> Arguments:
    """Return the arguments with a table of counted battles (wins of both models) expanded.

    Unchanged if the table is no such one.
    """
    arguments = replace(arguments, named={**arguments.named, "pos_label": pos_label})
    data = arguments.data
    names = frame_names(data) if is_frame(data) else data
    if not {*FIGHTERS} <= {*map(str, names)}:
        return arguments
    columns = table_columns("data", arguments.data)
    if max(map(len, columns.values())) > MOST_COUNTED:  # such a table has a row for each battle
        return arguments
    reading = read_beside_idle(read_counts, parse_columns(columns), named_of(arguments))
    return arguments if reading is None else replace(arguments, data=reading)


def named_of(arguments: Arguments) -> Named:
    """Return the names of columns that were specified, the kind, and whether rounds have sizes."""
    options = arguments.options
    sized = bool({*SIZE_OPTIONS} & {*options}) or options.get("design") in (*SHARED, "5x2cv")
    models = None if arguments.models is None else tuple(arguments.models)
    named = {TABLE_NAMES.get(name, name): value for name, value in arguments.named.items()}
    scoring = options.get("scoring")
    named["scoring"] = scoring if isinstance(scoring, str) else None
    return Named(
        kind=arguments.kind,
        models=models,
        sized=sized,
        for_cases=arguments.for_cases or is_design_of_cases(options.get("design")),
        higher_is_better=arguments.higher_is_better,
        **named,
    )


def are_reader_study(arguments: Arguments) -> bool:
    """Return whether the data are a reader study: as specified, or by their columns."""
    if arguments.kind == "readers" and holds_columns(arguments):
        columns = table_columns("data", arguments.data) or {}
        return is_reader_table(columns) or not is_wide_study(columns, named_of(arguments))
    return arguments.kind == "readers" or (
        arguments.a is None and arguments.kind is None and is_reader_table(arguments.data)
    )


def study_truth(arguments: Arguments) -> StudyTruth:
    """Return the truth in a table of a reader study that has its usual names but for this one."""
    if not holds_columns(arguments):
        return StudyTruth()
    columns = parse_columns(table_columns("data", arguments.data))
    usual = ((role, name) for role, names in STUDY_ROLES.items() for name in names)
    roles = {role: name for role, name in [*usual][::-1] if name in columns}
    try:
        return truth_beside(columns, roles, named_of(arguments))
    except QuestionError:
        if arguments.advice:  # tests of AUCs and of means are the same
            return StudyTruth()
        raise


def readers_data(arguments: Arguments) -> Data:
    """Return a reader study: a long table, or scores by treatment, reader and case with labels."""
    truth = study_truth(arguments)
    data = arguments.data
    if truth.values is not None:
        data = {**(table_columns("data", data) or {}), "truth": truth.values}
    study = default_study(data, arguments.a, arguments.models)
    why = READER_STUDY if arguments.kind is None else SPECIFIED.format(kind="readers")
    metric = {x: value for x, value in arguments.options.items() if x == "scoring"}
    fields: dict[str, Any] = {"study": (data, arguments.a, arguments.models)}
    fields |= {"n_rounds": len(study.readers), "options": metric, "pos_label": truth.positive}
    lines = (why, *truth.lines)
    return check_data(arguments, "readers", dict.fromkeys(study.treatments), lines, **fields)


def data_in_table(arguments: Arguments) -> Data:
    """Return the data in a table, by the roles of its columns."""
    reading = reading_of(arguments)
    columns = {name: x for name, x in reading.options.items() if name != "pos_label"}
    options = {**arguments.passed, **columns}
    if reading.metric == options.get("scoring"):  # the rows of this metric were chosen already
        del options["scoring"]
    with_roles = replace(arguments, passed=options)
    check_several(reading)
    make_data = next(make for fits, make in MAKERS_BY_ROLES if fits(reading))
    data = make_data(with_roles, reading)
    positive = reading.options.get("pos_label")
    described: dict[str, Any] = {"lines": reading.lines, "warnings": reading.warnings}
    described["clusters"] = reading.clusters
    truth = reading.label or data.truth
    return replace(data, pos_label=positive, truth=truth, **described)


def check_several(reading: Reading) -> None:
    """Raise unless there are two models, or a single one for which there is an estimate."""
    cases = reading.truth is not None or reading.times is not None
    least = 1 if (cases or reading.kind == "items") and reading.folds is None else 2
    if len(reading.models) < least:
        only = ", ".join(map(repr, reading.models))
        raise InvalidValueError(
            f"at least two models are needed, found {only or 'none'} alone: "
            f"{' '.join(reading.lines)}",
            parameter="models",
            value=[*reading.models],
        )


def classes_data(arguments: Arguments, reading: Reading) -> Data:
    """Return probabilities (n, c) of c classes; of the kind 'labels' the most probable classes."""
    kind, columns = str(reading.kind), dict(reading.models)
    classes = reading.classes
    assert classes is not None
    why = "Probabilities of several classes: "
    if kind == "labels":
        names = np.asarray(classes)
        columns = {name: names[table.argmax(axis=1)] for name, table in columns.items()}
        why += "the accuracies of the most probable class are compared."
        classes = None
    elif kind == "scores":
        why += "multiclass AUCs are compared."
    else:
        why += "Brier scores are compared."
    with_classes = with_design(arguments, "multiclass")
    more: dict[str, Any] = {"y_true": reading.truth, "classes": classes}
    return check_data(with_classes, kind, columns, (*reading.lines, why), **more)


def with_design(arguments: Arguments, design: str) -> Arguments:
    """Return the arguments with a design, unless it is specified or follows from another option."""
    if {"design", *DESIGN_OF} & {*arguments.options}:
        return arguments
    return arguments.with_options(design=design)


def cases_of_reading(arguments: Arguments, reading: Reading) -> Data:
    """Return labels, scores or probabilities of cases with true labels, as the kind says."""
    kind = reading.kind
    doubts: tuple[str, ...] = ()
    why: tuple[str, ...] = ()
    if kind == "scores" and arguments.kind is None:
        inferred = infer_kind(reading.truth, reading.models)
        doubts, why = inferred.doubts, (inferred.why,)
    elif kind == "labels" and arguments.kind is None:
        why = (ACCURACIES,)
    with_cases = arguments
    if several_classes(reading.truth):
        with_cases = with_design(arguments, "multiclass")
    more: dict[str, Any] = {"y_true": reading.truth, "doubts": doubts}
    more |= {"unpaired": reading.unpaired}
    return check_data(with_cases, str(kind), reading.models, (*reading.lines, *why), **more)


def times_of_reading(arguments: Arguments, reading: Reading) -> Data:
    """Return times, events and scores of risk; 'censored' where many cases are so too early."""
    from ..survival._pairs import early_censoring  # which no other kind needs

    assert reading.times is not None
    time, event = reading.times
    design = "censored" if early_censoring(time, event).early else "uncensored"
    with_times = with_design(arguments, design)
    return check_data(with_times, "times", reading.models, reading.lines, times=(time, event))


def rows_of_reading(arguments: Arguments, reading: Reading) -> Data:
    """Return scores by round, data set or item."""
    if reading.kind == "folds":
        data = rounds_data(arguments, reading.models, reading.lines)
        return replace(data, called=reading.called)
    metric_option: dict[str, Any] = {"metric": reading.metric, "called": reading.called}
    if reading.higher_is_better is not None:
        metric_option["higher_is_better"] = reading.higher_is_better
    return check_data(arguments, str(reading.kind), reading.models, reading.lines, **metric_option)


SPECIFIED = "Kind of data: {kind} (as specified)."
SAME_LABELS = (
    "Both models have the same labels in the same order: if the cases are the same, "
    "compare(labels, first, second) is the test, which has more power."
)
UNPAIRED = "Models: {} (each with labels of its own, so the cases are not the same)."


def holds_unpaired(arguments: Arguments) -> bool:
    """Return whether each model has cases of its own, with their labels.

    They are passed as {'a': (labels, scores), ...}, or as two pairs (labels, scores).
    """
    data, a = arguments.data, arguments.a
    if isinstance(data, tuple):
        return arguments.b is None and is_pair(data) and is_pair(a)
    return (
        a is None and isinstance(data, Mapping) and bool(data) and all(map(is_pair, data.values()))
    )


def is_pair(values: Any) -> bool:
    """Return whether values are a pair of columns."""
    if not isinstance(values, tuple) or len(values) != 2:
        return False
    return all(dimensions("data", column) for column in values)  # a scalar has 0


def data_of_classes(arguments: Arguments, labels: Any, columns: Mapping[str, Any]) -> Data | None:
    """Return data of several classes with a column for each; None if models give one number."""
    if arguments.b is None and arguments.models is None and are_of_one_model(labels, columns):
        columns = {"model": arguments.a}
    of_classes = None if arguments.kind == "probabilities" else class_tables(labels, columns)
    if of_classes is None:
        return None
    classes, tables = of_classes
    kind = arguments.kind or ("scores" if len(tables) <= 2 else "probabilities")
    line = f"Models: {quote_names(tables)} (a column for each of {len(classes)} classes)."
    reading = Reading(kind=kind, models=tables, truth=labels, classes=classes, lines=(line,))
    return classes_data(arguments, reading)


def refuse_table_of_labels(arguments: Arguments) -> None:
    """Raise for a table in place of the true labels, with the call that names its columns."""
    if not is_frame(arguments.data) or len(frame_names(arguments.data)) < 2:
        return
    label = arguments.a if isinstance(arguments.a, str) else "..."
    models = arguments.b if isinstance(arguments.b, list) else ["..."]
    raise invalid_type(
        "data",
        "must be one column, the true labels, where `a` has predictions",
        "a data frame",
        f". The columns of a data frame are named: compare(data, label={label!r}, "
        f"models={models!r}).",
        show=", got {}",
    )


def kind_of_cases(arguments: Arguments, labels: Any, columns: Mapping[str, Any]) -> FoundKind:
    """Return the kind of data of cases, as specified or by their values, and the reason."""
    if arguments.kind is None:
        return infer_kind(labels, columns)
    check_choice("kind", arguments.kind, kinds_of_form("cases"))
    check_kind_against_columns(arguments.kind, columns)
    return FoundKind(arguments.kind, SPECIFIED.format(kind=arguments.kind))


def with_positive(data: Data) -> Data:
    """Return data of cases with the positive one of two words, where lists of words tell it."""
    if data.kind not in ("scores", "probabilities") or data.pos_label is not None:
        return data
    if data.y_true is None or as_column("data", data.y_true).values.dtype.kind in "biuf":
        return data
    column = parse_column("data", data.y_true)  # whose texts are stripped
    positives = positive_labels(column) if column.texts is not None and column.has_two else []
    if len(positives) != 1 or positives[0] not in as_column("data", data.y_true).values.tolist():
        return data
    way = option_name("pos_label")
    line = f"True labels: {positives[0]!r} is positive; {way} names another."
    return replace(data, pos_label=positives[0], decisions=(line, *data.decisions))


def unpaired_data(arguments: Arguments) -> Data:
    """Return labels and predictions of models on different cases."""
    data = arguments.data
    named = data if isinstance(data, Mapping) else {"a": data, "b": arguments.a}
    pairs = {str(name): tuple(map(read_once, pair)) for name, pair in named.items()}
    check_unpaired(pairs)
    kind = arguments.kind or common_kind(
        [infer_kind(y, {name: values}).kind for name, (y, values) in pairs.items()]
    )
    reading = Reading(
        kind=kind,
        models={name: values for name, (_, values) in pairs.items()},
        truth=next(iter(pairs.values()))[0],
        unpaired=tuple(pairs.values()),
        lines=(UNPAIRED.format(quote_names(pairs)),),
        warnings=(SAME_LABELS,) * has_same_labels(pairs),
    )
    data = cases_of_reading(replace(arguments, kind=kind), reading)
    return replace(data, lines=reading.lines, warnings=reading.warnings)


def folds_of_reading(arguments: Arguments, reading: Reading) -> Data:
    """Return the AUC of each model in each fold, with the sizes of the folds."""
    from ..auc._one_model import roc_auc  # which no other kind needs

    labels = as_label_column("data", reading.truth).values
    positive = reading.options.get("pos_label")
    rows = [np.flatnonzero(reading.folds == fold) for fold in np.unique(reading.folds)]
    columns = {
        name: np.array([roc_auc(labels[r], np.asarray(score)[r], pos_label=positive) for r in rows])
        for name, score in reading.models.items()
    }
    n, k = labels.size, len(rows)
    sizes = {"n_train": n - n / k, "n_test": n / k, "design": "kfold"}
    specified = {name: value for name, value in arguments.options.items() if name in sizes}
    line = f"The AUC of each model in each of {k} folds is its score."
    if reading.are_runs:
        sizes = {"design": "independent"}
        line = (
            f"The AUC of each model in each of {k} runs on the same cases is its score: {ON_RUNS}"
        )
    with_sizes = replace(arguments, passed={**sizes, **specified})
    return replace(rounds_data(with_sizes, columns, (*reading.lines, line)), metric="AUC")


ON_RUNS = "the claim is about training again, and about these cases alone (docs/howto/seeds.md)."
# the first whose condition holds makes the data
MAKERS_BY_ROLES: list[tuple[Callable[[Reading], bool], Callable[[Arguments, Reading], Data]]] = [
    (lambda reading: reading.folds is not None, folds_of_reading),
    (lambda reading: reading.classes is not None, classes_data),
    (lambda reading: reading.times is not None, times_of_reading),
    (lambda reading: reading.truth is not None, cases_of_reading),
    (lambda reading: True, rows_of_reading),
]
