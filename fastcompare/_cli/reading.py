"""From files to the arguments of `compare`: the roles of their columns, or logs of evaluations."""

import csv
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import fastcompare as fc

from .._adapters.delimited import FileTable
from .._adapters.files import STDIN, read_table
from .._adapters.scans import list_files
from .._adapters.sheets import is_workbook
from .._base.exceptions import InvalidValueError, invalid_value
from .._inputs.battles import battle_columns, names_of_fighters
from .._inputs.names import STUDY_ROLES, is_reader_table
from .._inputs.options import check_choice
from .._inputs.roles.column import parse_column, parse_columns
from .._inputs.roles.decide import read_roles
from .._inputs.roles.files import combine_files
from .._inputs.roles.question import as_value
from .._inputs.roles.reading import Named, Reading, is_design_of_cases
from .._inputs.roles.shapes.studies import truth_beside
from .._inputs.roles.shapes.wide_studies import is_wide_study
from .delivery import FileFormat, InputOptions, LogOptions, QueryOptions
from .terminal import forget_row_order, set_table

BUNDLED_DATA: Mapping[str, Callable[[], Any]] = {
    "folds": fc.load_fold_scores,
    "datasets": fc.load_dataset_scores,
}
STUDY_COLUMNS = ("truth", "score", "treatment", "reader", "case")
NEEDED_STUDY_COLUMNS = ("score", "reader", "case")  # a single treatment needs no column
IMRMC = ".imrmc"  # files of iMRMC, in which a table follows a header
LOG_BEGINS = (b"{", b"[", b"PK\x03\x04")  # JSON and zipped JSON
FILE_OPTIONS = ("label", "id", "cluster", "weights", "long", "time", "event")  # columns
RENAMED_OPTIONS = {"cluster": "groups"}
OPTION_NAMES = ("label", "id", "time", "event", "kind", "pos_label")


class Arguments(NamedTuple):
    """The data, models and options for `compare`; `why` replaces the first of its decisions."""

    data: Any
    models: Any
    options: Mapping[str, Any]
    why: tuple[str, ...] = ()


def read_arguments(
    files: list[str] | None,
    contents: InputOptions,
    logs: LogOptions,
    form: FileFormat,
    *,
    query: QueryOptions | None = None,
    takes_items: bool = False,
) -> Arguments:
    """Return the arguments for files; without files, for data that ship with the package.

    Files are logs of evaluations if one of them is, else a study of iMRMC, or tables. With
    `takes_items`, rows of tables must be independent items.
    """
    from ..advice.kinds import KINDS

    if contents.kind is not None:
        check_choice("--kind", contents.kind, tuple(KINDS))
    if not files:
        refuse_columns(contents)
        data = BUNDLED_DATA.get(contents.kind or "", fc.load_predictions)()
        for name in distinct_models(contents.model or []):
            check_choice("--model", name, data.scores)
        scores = {name: data.scores[name] for name in contents.model or data.scores}
        labels = getattr(data, "y_true", None)
        positive = {}
        if labels is not None and contents.pos_label is not None:
            positive = {"pos_label": as_value(parse_column("y_true", labels), contents.pos_label)}
        return Arguments(replace(data, scores=scores), None, options_of(contents, **positive))
    if any(map(is_log, files)):
        return arguments_of_logs(files, contents, logs)
    paths = all_files(files)
    if len(paths) == 1 and str(paths[0]).endswith(IMRMC):
        from .._inputs.evals.studies import columns_of_file  # which no table needs

        return Arguments(columns_of_file(str(paths[0]), {}), None, {"kind": "readers"})
    tables = [read_table(path, **form.options) for path in paths]
    return arguments_of_tables(tables, contents, columns_named(contents, logs, query, takes_items))


def refuse_columns(contents: InputOptions) -> None:
    """Raise if an option names a column although there is no file."""
    for name in FILE_OPTIONS:
        if getattr(contents, name) is not None:
            option = RENAMED_OPTIONS.get(name, name)
            raise invalid_value(
                f"--{option}", "names a column of a file", end=": name the file, too."
            )


def arguments_of_tables(tables: list[FileTable], contents: InputOptions, named: Named) -> Arguments:
    """Return the arguments of `compare` for the tables of files, combined into one.

    A reader study if columns or options name one; otherwise what the roles of columns say.
    """
    set_table(tables[0])  # messages name its lines until the tables are combined
    combined = combine_files(tables, named)
    table = combined.table
    if len(tables) > 1:
        set_table(table)
        if combined.reading is not None:  # joined by ids, or unpaired: rows of no single file
            forget_row_order()
    notes = dict.fromkeys(each.note for each in tables if each.note)
    is_wide = contents.kind == "readers" and is_wide_study(table.columns(), named, table.decimal)
    study = None if is_wide else study_arguments(table, contents, named)
    if study is not None:
        return study._replace(why=(*notes, *study.why))
    reading = combined.reading or read_roles(table.columns(), named, table.decimal)
    lines = [*notes, combined.line] if combined.line else [*notes]
    named_columns: dict[str, Any] = {}
    if reading.data is not None:  # a table that `compare` reads; other readings have the columns
        linking = {"groups": contents.cluster, "sample_weight": contents.weights}
        named_columns = {name: column for name, column in linking.items() if column is not None}
    if reading.kind == "readers":
        named_columns["scoring"] = named.scoring
    options = options_of(contents, **named_columns)
    return Arguments(reading.with_first_lines(*lines), None, options)


def all_files(files: list[str]) -> list[str]:
    """Return the paths of all files, each Parquet file in a folder one, or raise."""
    if STDIN in files and len(files) > 1:
        raise InvalidValueError(
            "'-' is standard input, which is read alone: give no other file.", parameter="files"
        )
    return list_files(files)


def columns_named(
    contents: InputOptions,
    logs: LogOptions,
    query: QueryOptions | None = None,
    takes_items: bool = False,
) -> Named:
    """Return the columns that options name, by their roles, and whether options describe rounds."""
    sizes_and_design = (contents.n_train, contents.n_test, contents.design)
    long = None if contents.long is None else tuple(next(csv.reader([contents.long])))
    asked = {} if query is None else query.options
    is_asked = any(asked.get(name) is not None for name in ("test", "control"))
    return Named(
        **{name: getattr(contents, name) for name in OPTION_NAMES},
        takes_items=takes_items,
        models=None if contents.model is None else distinct_models(contents.model),
        groups=contents.cluster,
        weights=contents.weights,
        long=long,
        sized=any(value is not None for value in sizes_and_design),
        for_cases=is_asked or is_design_of_cases(contents.design),
        higher_is_better=asked.get("higher_is_better"),
        scoring=logs.metric,
        missing=logs.missing,
        paired=contents.paired,
    )


def distinct_models(models: list[str]) -> tuple[str, ...]:
    """Return the names of models as a tuple, or raise if one is named twice."""
    for name in models:
        if models.count(name) > 1:
            raise invalid_value("--model", f"names {name!r} twice")
    return tuple(models)


def count_models(arguments: Arguments) -> int:
    """Return the number of models in the data, 0 if these do not name their models."""
    data = arguments.data.data if isinstance(arguments.data, Reading) else arguments.data
    battles = battle_columns(data) if isinstance(data, Mapping) else None
    if battles is not None:
        return len(names_of_fighters(battles))
    models = getattr(arguments.data, "models", None) or getattr(arguments.data, "scores", ())
    return len(models) if isinstance(models, Mapping | tuple) else 0


def is_log(file: str) -> bool:
    """Return whether a file or a folder contains logs of an evaluation, and no table."""
    if file == STDIN:
        return False
    if os.path.isdir(file):
        return not any(name.endswith(".parquet") for name in os.listdir(file))
    if not os.path.isfile(file):
        return False
    with open(file, "rb") as opened:
        head = opened.read(1 << 16)
    if not head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(LOG_BEGINS):
        return False
    if is_workbook(head) or file.endswith((".xlsx", ".ods", ".npz")):
        return False
    from .._adapters.evals.formats import is_unknown_table  # which no table needs

    return not is_unknown_table(file)


def options_of(contents: InputOptions, **more: Any) -> Mapping[str, Any]:
    """Return the options of `compare` on the data: kind, sizes of rounds, design, and `more`."""
    names = ("kind", "n_train", "n_test", "design")
    return {**{name: getattr(contents, name) for name in names}, **more}


def arguments_of_logs(files: list[str], contents: InputOptions, logs: LogOptions) -> Arguments:
    """Return the arguments for logs of evaluations: scores of items."""
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


def study_arguments(table: FileTable, contents: InputOptions, options: Named) -> Arguments | None:
    """Return the arguments for a reader study; None if neither columns nor options name one."""
    from ..advice.readings import READER_STUDY, SPECIFIED

    named = {role: getattr(contents, role, None) for role in STUDY_COLUMNS}
    is_specified = contents.kind == "readers" or any(named.values())
    if not is_specified and (contents.kind or not is_reader_table(dict.fromkeys(table.names))):
        return None
    roles = study_roles(table, named)
    columns = {role: study_column(table, role, name) for role, name in roles.items()}
    truth = truth_beside(parse_columns(table.columns(), table.decimal), roles, options)
    if truth.values is not None:
        columns["truth"] = truth.values
    first = SPECIFIED.format(kind="readers") if is_specified else READER_STUDY
    study_options = options_of(
        contents._replace(kind="readers"),
        pos_label=truth.positive,
        models=contents.model,
        scoring=options.scoring,
    )
    return Arguments(columns, None, study_options, why=(first, *truth.lines))


def study_roles(table: FileTable, named: Mapping[str, str | None]) -> dict[str, str]:
    """Return the columns of a reader study by their roles: as named, or by their usual names."""
    roles = {}
    for role, name in named.items():
        if name is not None:
            check_choice(f"--{role}", name, table.names)
        usual_names = (usual for usual in STUDY_ROLES[role] if usual in table.names)
        column_name = name or next(usual_names, None)
        if column_name is not None:
            roles[role] = column_name
        elif role in NEEDED_STUDY_COLUMNS:
            words = " or ".join(map(repr, STUDY_ROLES[role]))
            raise invalid_value(
                f"--{role}", "must be specified", end=f": no column is called {words}."
            )
    return roles


def study_column(table: FileTable, role: str, name: str) -> Any:
    """Return the values of a column of a study; raise for scores that are texts."""
    column = parse_column(name, table.values(name), table.decimal)
    is_text_score = role == "score" and column.numbers is None
    return table.scores(name) if is_text_score else column.values()
