"""The command that compares models by whatever files hold.

What files hold, recognized by their columns, in the form that `compare` takes.
"""

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import fastcompare as fc

from .._adapters.delimited import FileTable
from .._adapters.files import STDIN
from .._base.exceptions import InvalidValueError
from .._inputs.battles import battle_columns, names_of_fighters
from .._inputs.evals.studies import ROLES, columns_of_file, is_reader_table
from .._inputs.kinds import kind_of_rows, refuse_measures
from .._inputs.names import labels_among, long_columns, refuse_summaries
from .._inputs.options import check_choice, check_level
from .._report.comparison import Shown
from .._results.records import changed, has_interval, with_level
from ..advice.detect import READ
from .columns import (
    all_files,
    as_label,
    beside_each_other,
    check_pairs,
    chosen_models,
    columns_beside,
    columns_of_models,
    label_column,
    read_all,
    read_joined,
    turned,
    without_repeats,
)
from .delivery import (
    Contents,
    Delivery,
    FileForm,
    LogChoice,
    Query,
    deliver,
)
from .terminal import in_words, note, reordered

if TYPE_CHECKING:
    from ..results import Comparison

BUNDLED: Mapping[str, Callable[[], Any]] = {
    "folds": fc.load_fold_scores,
    "datasets": fc.load_dataset_scores,
}
COLUMNS = ("truth", "score", "treatment", "reader", "case")
NEEDED = ("score", "reader", "case")  # of a reader study; one treatment needs no column
IMRMC = ".imrmc"  # files of iMRMC, in which a table follows a header
LONG = "model", "score"  # columns of a table with a row for each answer
LOG_BEGINS = (b"{", b"[", b"PK\x03\x04")  # JSON and zipped JSON


class Arguments(NamedTuple):
    """The arguments of `compare` that say what the data are, and how their kind was recognized."""

    data: Any
    models: Any
    options: Mapping[str, Any]
    why: str = ""


def arguments_in(
    files: list[str] | None, contents: Contents, logs: LogChoice, form: FileForm
) -> Arguments:
    """Return the data in files, by default those that ship with the package."""
    from ..advice.kinds import KINDS, kinds_of

    if contents.kind is not None:
        check_choice("--kind", contents.kind, tuple(KINDS))
    if not files:
        data = BUNDLED.get(contents.kind or "", fc.load_predictions)()
        for name in contents.model or ():
            check_choice("--model", name, data.scores)
        scores = {name: data.scores[name] for name in contents.model or data.scores}
        return Arguments(replace(data, scores=scores), None, options_of(contents))
    if any(map(is_log, files)):
        return arguments_in_logs(files, contents, logs)
    paths = all_files(files)
    if len(paths) == 1 and str(paths[0]).endswith(IMRMC):
        return Arguments(columns_of_file(str(paths[0]), {}), None, {"kind": "readers"})
    if contents.id is None or len(paths) < 2:
        table = read_all(paths, form)
    else:
        same = [name for name in (contents.label, contents.cluster) if name is not None]
        table = read_joined(paths, form, contents.id, same, logs.missing == "drop")
    study = study_arguments(table, contents)
    if study is not None:
        return study
    if contents.kind == "times" or contents.time or contents.event:
        return time_arguments(table, contents)
    of_cases = contents.kind in kinds_of("cases")
    if contents.label in table.names and (of_cases or contents.kind is None):
        return case_arguments(table, contents, logs.missing == "drop")
    if of_cases or contents.label != Contents().label:
        check_choice("--label", contents.label, table.names)
    return row_arguments(table, contents)


def count_models(arguments: Arguments) -> int:
    """Return how many models there are."""
    is_table = arguments.models is None and isinstance(arguments.data, Mapping)
    battles = battle_columns(arguments.data) if is_table else None
    if battles is not None:
        return len(names_of_fighters(battles))
    models = arguments.models or getattr(arguments.data, "models", arguments.data)
    names = models if isinstance(models, Mapping | tuple) else ()
    return sum(not kind_of_rows(name) for name in names)


def is_log(file: str) -> bool:
    """Say whether a file or a folder holds logs of an evaluation, and no table."""
    if file == STDIN:
        return False
    if os.path.isdir(file):
        return not any(name.endswith(".parquet") for name in os.listdir(file))
    if not os.path.isfile(file):
        return False
    with open(file, "rb") as opened:
        return opened.read(64).lstrip().startswith(LOG_BEGINS)


def options_of(contents: Contents, **own: Any) -> Mapping[str, Any]:
    """Return the options that say what the data are."""
    names = ("kind", "n_train", "n_test", "design")
    return {**{name: getattr(contents, name) for name in names}, **own}


def arguments_in_logs(files: list[str], contents: Contents, logs: LogChoice) -> Arguments:
    """Return the scores of items in logs of evaluations."""
    check_choice("--missing", logs.missing, ("raise", "drop", "zero"))
    tasks = logs.task[0] if logs.task and len(logs.task) == 1 else logs.task
    runs = fc.read_evals(
        *files,
        task=tasks,
        metric=logs.metric,
        missing=logs.missing,  # type: ignore[arg-type]
        cluster=contents.cluster,
    )
    return Arguments(runs, None, options_of(contents))


def case_arguments(table: FileTable, contents: Contents, drop: bool) -> Arguments:
    """Return true labels, and what models said of the same cases."""
    table = beside_each_other(table, (contents.label, contents.cluster), contents.id, drop)
    y_true = label_column(table, contents.label)
    others = columns_beside(table, contents.label)
    others = [name for name in others if name not in (contents.id, contents.cluster)]
    numbers = [name for name in others if table.is_numeric(name)]
    few = len(numbers) < min(2, len(others))
    words = contents.kind == "labels" or (contents.kind is None and few)
    truth = y_true if words else None
    check_cases(table, contents.id)
    names = chosen_models(table, contents.model, others, "--model", truth, label=contents.label)
    check_several(names, contents)
    columns = {name: label_column(table, name) for name in names}
    positive = as_label(y_true, contents.pos_label)
    told = {"pos_label": positive, "models": contents.model, **groups(table, contents)}
    return Arguments(y_true, columns, options_of(contents, **told))


def study_arguments(table: FileTable, contents: Contents) -> Arguments | None:
    """Return a reader study by its columns; None where neither they nor options say it is one."""
    named = {role: getattr(contents, role, None) for role in COLUMNS}
    named_so = contents.kind == "readers" or any(named.values())
    if not named_so and (contents.kind or not is_reader_table(dict.fromkeys(table.names))):
        return None
    if contents.label in table.names:
        named["truth"] = contents.label
    elif contents.label != Contents().label:
        check_choice("--label", contents.label, table.names)
    columns = {}
    for role, name in named.items():
        if name is not None:
            check_choice("--label" if role == "truth" else f"--{role}", name, table.names)
        called = name or next((one for one in ROLES[role] if one in table.names), None)
        if called is not None:
            columns[role] = (table.scores if role == "score" else table.column)(called)
        elif role in NEEDED:
            words = " or ".join(map(repr, ROLES[role]))
            raise InvalidValueError(f"`--{role}` must be specified: no column is called {words}.")
    positive = as_label(columns.get("truth", np.zeros(0)), contents.pos_label)
    options = options_of(contents._replace(kind="readers"), pos_label=positive)
    return Arguments(columns, None, {**options, "models": contents.model}, "" if named_so else READ)


def time_arguments(table: FileTable, contents: Contents) -> Arguments:
    """Return times, whether the event was seen, and the models' scores of risk."""
    time, event = contents.time or "time", contents.event or "event"
    check_choice("--time", time, table.names)
    check_choice("--event", event, table.names)
    table = beside_each_other(table, (time, event, contents.cluster), contents.id)
    apart = (time, event, contents.id, contents.cluster)
    others = [name for name in table.names if name not in apart]
    names = chosen_models(table, contents.model, others, "--model", label=event)
    check_several(names, contents)
    columns = {name: table.scores(name) for name in names}
    events = events_in(table, event, contents.pos_label)
    truth = {"time": table.scores(time), "event": events}
    of_times = contents._replace(kind="times")
    return Arguments(truth, columns, options_of(of_times, **groups(table, contents)))


def events_in(table: FileTable, name: str, observed: str | None) -> Any:
    """Return the column of events; with a value for those observed, 1 where it is that."""
    events = label_column(table, name)
    if observed is None:
        return events
    seen = as_label(events, observed)
    missing = [value is None or value != value for value in events]
    known = {value for value, absent in zip(events, missing, strict=True) if not absent}
    check_choice("--pos-label", str(seen), sorted(map(str, known)))
    return np.where(missing, np.nan, [value == seen for value in events])


def check_cases(table: FileTable, name: str | None) -> None:
    """Raise where two cases have the same id."""
    if name is not None:
        check_choice("--id", name, table.names)
        hint = (
            f"each case must be one row. If the rows of one {name} belong together, specify "
            f"--groups {shlex.quote(name)} instead."
        )
        known = [value for value in table.column(name) if value is not None and value == value]
        without_repeats(name, known, hint)


def check_several(names: list[str], contents: Contents) -> None:
    """Raise unless there are two models at least."""
    if len(names) < 2:
        found = f"{names[0]!r} alone" if names else "none"
        way = "--model chooses them" if contents.model else "columns of numbers are models"
        raise InvalidValueError(f"at least two models are needed, found {found}: {way}.")


def groups(table: FileTable, contents: Contents) -> Mapping[str, Any]:
    """Return the clusters of the rows, where a column tells them."""
    if contents.cluster is None:
        return {}
    check_choice("--groups", contents.cluster, table.names)
    return {"groups": table.column(contents.cluster)}


def row_arguments(table: FileTable, contents: Contents) -> Arguments:
    """Return battles, or a score of each model in each round, on each data set or on each item."""
    every = {name: table.column(name) for name in table.names}
    if contents.kind == "battles" or battle_columns(every) is not None:
        return Arguments(every, None, options_of(contents, **groups(table, contents)))
    table = table.in_numbers()
    table = turned(table, contents.model, "folds" if has_sizes(contents) else contents.kind)
    row = row_column(table, contents.id)
    if contents.kind is None and not has_sizes(contents):
        refuse_rows(row, contents, labels_among(table.names))
    if row is not None:
        refuse_summaries(table.column(row))
    besides = [name for name in table.names if name != contents.cluster]
    long = None if row is None else long_columns(besides, [row])
    if long is None and row is not None and {*LONG} <= {*table.names}:
        long = LONG[0], row, LONG[1]
    if long is not None and not {*(contents.model or ())} & {*table.names}:
        return long_arguments(every, long, contents)
    refuse_measures(every, columns_of_models(table), row or "")
    others = [name for name in table.names if name not in (row, contents.cluster)]
    names = chosen_models(table, contents.model, others, "--model")
    check_several(names, contents)
    columns = {name: table.scores(name) for name in names}
    if row is not None and kind_of_rows(row):
        columns = {row: table.column(row), **columns}  # which `compare` tells of
    told = {"models": contents.model, **groups(table, contents)}
    return Arguments(columns, None, options_of(contents, **told))


def row_column(table: FileTable, name: str | None) -> str | None:
    """Return the column that names the rows: the one named by --id, or one called so."""
    if name is not None:
        check_choice("--id", name, table.names)
        return name
    return next((name for name in table.names if kind_of_rows(name)), None)


def has_sizes(contents: Contents) -> bool:
    """Return whether rows must be rounds, whose sizes are given."""
    return contents.n_train is not None or contents.n_test is not None


def kind_of(row: str | None, contents: Contents) -> str:
    """Return the kind that options tell, else the name of the column that names the rows."""
    if contents.kind is not None:
        return contents.kind
    return "folds" if has_sizes(contents) else kind_of_rows(row or "")


def refuse_rows(row: str | None, contents: Contents, likely: str) -> None:
    """Raise if nothing tells what the rows of a table without true labels are, or it has them."""
    if likely:
        raise InvalidValueError(
            f"the file has no column {contents.label!r}: is {likely!r} the column of true labels? "
            f"Specify it with --label {shlex.quote(likely)}, or --kind for a table without any."
        )
    if row is None or not kind_of_rows(row):
        raise InvalidValueError(
            f"`--kind` must be specified: the file has no column {contents.label!r} of true labels "
            "(--label names another), so its rows may be rounds (--kind folds, with --n-train and "
            "--n-test), data sets (--kind datasets) or items of an evaluation (--kind items)."
        )


def long_arguments(
    columns: Mapping[str, Any], long: tuple[str, str, str], contents: Contents
) -> Arguments:
    """Return the scores in a table with a row for each model and round, data set or item."""
    model, row, score = long
    table = fc.from_long(columns, model=model, item=row, score=score, group=contents.cluster)
    reordered()
    for name in contents.model or ():
        check_choice("--model", name, table.models)
    scores = {name: table.scores[name] for name in contents.model or table.models}
    why = f"The file has a row for each {model} and {row}."
    contents = contents._replace(kind=kind_of(row, contents))
    return Arguments(scores, None, options_of(contents, **table.given), why)


LEVEL = Query().confidence_level


def compare(
    files: list[str] | None = None,
    *,
    contents: Contents,
    logs: LogChoice,
    query: Query,
    trust: bool = False,
    difference: float | None = None,
    seed: int = 0,
    delivery: Delivery,
    form: FileForm,
    nan_policy: str = "raise",
    n_jobs: int = 1,
) -> None:
    """Compare models, choosing the tests from the data, and say why.

    A file with a column of true labels has one row per case; otherwise its rows are folds, data
    sets or items, as a column name or --kind says. Logs of evaluation harnesses are read as by
    `fastcompare evals`. Prints the verdict, how the tests were chosen, the models from best to
    worst, the omnibus test and the pairwise comparisons.
    """
    options = {"nan_policy": nan_policy, "n_jobs": n_jobs}
    comparison = compared(files, contents, logs, query, form, options)
    if trust or difference is not None:
        trusted = comparison.trust(difference=difference, rng=seed, n_jobs=n_jobs)
        deliver(Trusted(comparison, trust=trusted), delivery)
    else:
        deliver(comparison, delivery)


def compared(
    files: list[str] | None,
    contents: Contents,
    logs: LogChoice,
    query: Query,
    form: FileForm,
    options: dict[str, Any],
) -> "Comparison":
    """Return the comparison of the models in files, which says how their kind was recognized."""
    check_level(query.confidence_level)
    check_gate(query)
    arguments = arguments_in(files, contents, logs, form)
    check_pairs(count_models(arguments), query.max_pairs, "Choose models by `--model`")
    result = fc.compare(
        arguments.data, arguments.models, **arguments.options, **query.options, **options
    )
    decisions = (arguments.why, *result.decisions[1:]) if arguments.why else result.decisions
    reasons, checks = (tuple(map(in_words, some)) for some in (result.reasons, result.checks))
    known = {"decisions": decisions, "reasons": reasons, "checks": checks}
    comparison: Comparison = changed(result, known)
    if query.confidence_level == LEVEL:
        return comparison
    if not has_interval(comparison):  # the data decide: pairs are compared where models differ
        note("--confidence-level changes nothing: this result has no interval.")
        return comparison
    at_level: Comparison = with_level(comparison, query.confidence_level)
    return at_level


def check_gate(query: Query) -> None:
    """Raise for options that contradict each other, and say that the older one is not needed."""
    if not query.every_pair:
        return
    if query.gate:
        raise InvalidValueError("`--every-pair` contradicts `--gate`.")
    note("--every-pair is what happens without it, and ends in 0.4; --gate is the contrary.")


@dataclass(frozen=True)
class Trusted(Shown):
    """A comparison, and what it can be trusted with."""

    trust: Any = None

    def sheets(self) -> list[Any]:
        """Return the sheets of both."""
        from .._report.families import sheets_of

        return [*sheets_of(self.record), *sheets_of(self.trust)]

    def summary(self) -> str:
        """Return the sentences of both."""
        return f"{self.record.summary()} {self.trust.summary()}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of both."""
        return {**self.record.to_dict(), "trust": self.trust.to_dict()}

    def __str__(self) -> str:
        return f"{self.record}\n\n{self.trust}"
