"""From a file and the options that name its columns to labels, scores and predictions.

Which columns of a file are models: those that are named, else all that may be.

How many models a command compares: two where the claim is about two, and not too many pairs.

Tables in many or large Parquet files, which a command reads a piece at a time.
"""

import os
import shlex
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import as_file
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.delimited import MISSING, FileTable, pyarrow
from .._adapters.files import PARQUET, STDIN, join_tables, read_table, stack_tables
from .._adapters.progress import ProgressBar
from .._adapters.scans import Scan, files_of, parquet_file, scan_parquet
from .._base.exceptions import InvalidValueError
from .._base.memory import peak_memory
from .._base.parallel import is_watched
from .._inputs.names import (
    INDEX,
    MODELS,
    names_cases,
    refuse_doubtful,
    refuse_summaries,
    refuse_training,
)
from .._inputs.options import check_choice, is_about_two
from .._inputs.roles.kinds import ROWS_CALLED, kind_of_rows, turned_by
from .._inputs.scores import as_cases
from .._inputs.tables import (
    codes_for_missing,
    doubtful_numbers,
    doubtful_words,
    refuse_probabilities,
)
from ..datasets import predictions_file
from .delivery import Claim, FileForm
from .terminal import note, remember, reordered, say

NAMED = 3  # columns that a hint names


def chosen_models(
    table: FileTable,
    chosen: list[str] | None,
    others: list[str],
    option: str,
    labels: Sequence[Any] | NDArray[Any] | None = None,
    *,
    label: str | None = None,
) -> list[str]:
    """Return the chosen columns, or all others that may be models, and say which they are.

    With `labels`, predictions of them are wanted, which need not be numbers; `label` is the column
    of true labels of scores, if there is one.
    """
    for name in others:
        refuse_training(name, table.words(name))
    if chosen:
        return chosen_columns(chosen, others, option)
    for name in filter(is_index, others):
        note(f"column {name!r} is ignored: an unnamed index.")
    named = [name for name in others if not is_index(name)]
    names = numeric_names(table, named) if labels is None else named
    if not names:
        raise InvalidValueError(
            f"at least two models are needed, and no column{' of numbers' * (labels is None)} is "
            "left that could be one, besides labels and names of rows."
        )
    columns = {name: table.column(name) for name in names}
    if labels is None:
        truth = None if label is None else table.column(label)
        found = doubtful_numbers(columns, truth, cases=label is not None)
    else:
        for name in names:
            refuse_damaged(table, name, table.decimal)  # labels have no decimals
        found = doubtful_words(columns, labels)
    if table.path:  # not the bundled table
        refuse_doubtful(found, names, partial(options_for, option))
        kind = "numeric columns" if labels is None else "columns"
        note(f"the models are all other {kind}: {listed(names, 10)}; {option} chooses.")
    return names


def options_for(option: str, names: Sequence[str]) -> str:
    """Return the options that name these models, or how they are named."""
    if not 2 <= len(names) <= NAMED:
        return f"{option} NAME for each"
    return " ".join(f"{option} {shlex.quote(name)}" for name in names)


def chosen_columns(chosen: list[str], others: list[str], option: str) -> list[str]:
    """Return the chosen columns, or raise if one is missing or named twice."""
    for name in chosen:
        check_choice(option, name, others)
        if chosen.count(name) > 1:
            raise InvalidValueError(f"`{option}` names {name!r} twice.")
    return chosen


def is_index(name: str) -> bool:
    """Return whether a column is called as an index is that had no name."""
    return INDEX.fullmatch(name) is not None


def numeric_names(table: FileTable, names: list[str]) -> list[str]:
    """Return the columns that hold numbers, and say which do not; some numbers are too few."""
    for name in names:
        if not table.is_numeric(name):
            refuse_damaged(table, name)
            say(
                "warning",
                f"column {name!r} is ignored because it is not numeric: {table.misfit(name)}.",
            )
    return [name for name in names if table.is_numeric(name)]


def refuse_damaged(table: FileTable, name: str, mark: str = "") -> None:
    """Raise for a column of words most of which are numbers with this mark: it may be a model's."""
    words = (value for value in table.column(name) if isinstance(value, str))
    values = [value for value in words if value not in MISSING]
    if 2 * sum(mark in value and table.is_number(value) for value in values) > len(values) > 0:
        raise InvalidValueError(
            f"column {name!r} contains numbers and something else: {table.misfit(name)}. Correct "
            "it, write NA where a score is missing, or name the models."
        )


def listed(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more


BUNDLED_PREDICTIONS = "Bundled predictions (Breast Cancer Wisconsin)"
BUNDLED_FOLDS = "Bundled accuracies by fold (Breast Cancer Wisconsin)"
BUNDLED_SCORES = "Bundled accuracies of scikit-learn's classifiers"
BOOLEANS = {"true": True, "false": False}
Values = NDArray[Any] | list[Any]  # of a column: an array, or a list with None where missing
ModelColumns = Mapping[str, Values]
PARSERS: dict[type, Callable[[str], object]] = {
    bool: lambda text: BOOLEANS.get(text.lower(), text),
    int: int,
    float: float,
}


def source_of_files(files: list[str] | None) -> str:
    """Return where the data of one table come from, for people."""
    if not files:
        return source_of(None)
    return source_of(files[0]) + (f" and {len(files) - 1} more" if len(files) > 1 else "")


def source_of(file: str | None, bundled: str = BUNDLED_PREDICTIONS) -> str:
    """Return where the data come from, for people."""
    return {None: bundled, "-": "Standard input"}.get(file) or str(file)


def read(
    file: str | None, form: FileForm, bundled: Callable[[], Traversable] = predictions_file
) -> FileTable:
    """Return the table in a file, by default in the bundled one."""
    if file is not None:
        return remember(read_table(file, **form.options))
    with as_file(bundled()) as path:
        return remember(replace(read_table(path), path=""))


def read_all(files: list[str] | None, form: FileForm) -> FileTable:
    """Return the table in one or several files, by default the bundled predictions."""
    if not files:
        return read(None, form)
    if len(files) == 1:
        return read(files[0], form)
    return remember(stack_tables(tables_in(files, form)))


def tables_in(files: list[str], form: FileForm) -> list[FileTable]:
    """Return the tables in files."""
    return [read_table(file, **form.options) for file in files]


def read_joined(
    files: list[str], form: FileForm, key: str, same: Collection[str], drop: bool
) -> FileTable:
    """Return the table of several files: one after the other, or joined where they share keys.

    Those with the same columns and keys of their own are parts of one table.
    """
    tables = tables_in(files, form)
    if len({frozenset(table.names) for table in tables}) == 1 and key in tables[0].names:
        keys = [str(value) for table in tables for value in table.column(key)]
        if len({*keys}) == len(keys):
            return remember(stack_tables(tables))
    joined, dropped = join_tables(tables, key, same=same, drop=drop)
    lost = f", {dropped} dropped that are not in all" if dropped else ""
    note(f"{joined.arrow.num_rows} rows of {len(files)} files joined by {key!r}{lost}.")
    return remember(joined)


def turned(table: FileTable, chosen: Collection[str] | None, kind: str | None) -> FileTable:
    """Return a table with a column for each model, also where the file has a row for each."""
    every = {name: table.column(name) for name in table.names if not is_index(name)}
    by = turned_by(every)
    rows = [name for name in every if name != by]
    if not by or {*(chosen or ())} & {*rows} or not all(map(table.is_numeric, rows)):
        return table
    if len(rows) < 2 or any(map(kind_of_rows, rows)):
        return table
    refuse_summaries(rows)
    note(f"the file has a row for each {by}: its columns are taken as rows.")
    kind = kind or ("folds" if turned_by(dict.fromkeys(rows, ())) == "" else "")
    called, *_ = ROWS_CALLED.get(kind, ("",))
    scores = np.array([np.array(table.scores(name), np.float64) for name in rows])
    columns = {called: rows, **dict(zip(map(str, every[by]), scores.T, strict=True))}
    return remember(FileTable(table.path, pyarrow().table(columns)))


def columns_of_models(table: FileTable) -> list[str]:
    """Return the columns of words that are called as columns are that name models."""
    return [
        name for name in table.names if name.casefold() in MODELS and not table.is_numeric(name)
    ]


def beside_each_other(
    table: FileTable, besides: Sequence[str | None], key: str | None = None, drop: bool = False
) -> FileTable:
    """Return a table with a column for each model, also where each answer has a row of its own.

    `besides` are columns that are not about models, and `key` names the cases, if it is specified.
    """
    apart = [name for name in besides if name is not None]
    rest = [name for name in table.names if name not in apart and not is_index(name)]
    by = [name for name in columns_of_models(table) if name in rest]
    keys = [name for name in rest if name == key or names_cases(name)]
    others = [name for name in rest if name not in (*by, *keys)]
    scored = len(others) == 1 and table.is_numeric(others[0])
    long = len({*table.column(keys[0])}) < table.arrow.num_rows if keys else scored
    if len(by) != 1 or not long:
        return table
    if len(keys) != 1 or len(others) != 1:
        raise InvalidValueError(
            f"the file has a row for each case and {by[0]}: --id must name the column of the cases "
            f"and one column of scores must be left beside it, found {keys} and {others}."
        )
    columns, models = [*keys, *apart], table.column(by[0])
    parts = []
    for model in dict.fromkeys(models):
        rows = table.arrow.take([row for row, one in enumerate(models) if one == model])
        part = rows.select([*columns, *others]).rename_columns([*columns, str(model)])
        parts.append(FileTable(f"rows of {model}", part, decimal=table.decimal))
    note(f"the file has a row for each {keys[0]} and {by[0]}: models are compared by {others[0]}.")
    joined, _ = join_tables(parts, keys[0], same=apart, drop=drop)
    arrow = joined.arrow if key else joined.arrow.drop_columns(keys)
    reordered()
    return remember(replace(joined, arrow=arrow))


def read_dataset_scores(
    table: FileTable, name: str | None, chosen: list[str] | None
) -> tuple[list[str], ModelColumns]:
    """Return the names of the data sets, and by model the scores in the chosen columns."""
    table = turned(table, chosen, "datasets") if name is None else table
    column = id_column(table) if name is None else name
    others = columns_beside(table, column, "--id")
    datasets = dataset_names(table, column)
    if name is None and table.is_numeric(column):
        say(
            "warning",
            f"column {column!r} is taken for the names of the data sets, though it holds numbers: "
            "give --id to say which column names them.",
        )
    names = chosen_models(table, chosen, others, "--score")
    return datasets, numbers_of(table, names)


def id_column(table: FileTable) -> str:
    """Return the column of names: the first, or words beside an index without a name."""
    first, *others = table.names
    return others[0] if is_index(first) and others and not table.is_numeric(others[0]) else first


def dataset_names(table: FileTable, name: str) -> list[str]:
    """Return the names of the rows, or raise if they are scores or the same twice."""
    values = table.column(name)
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        raise InvalidValueError(
            f"`--id` {name!r} holds numbers with decimals, no names of data sets: give the column "
            "that names them."
        )
    refuse_summaries(values)
    hint = "each data set must be one row. Average its scores over folds or rounds first."
    return without_repeats(name, values, hint)


def without_repeats(name: str, values: Values, hint: str) -> list[str]:
    """Return the names of the rows as texts, or raise with a hint where two have the same."""
    rows = [str(value) for value in values]
    if twice := [row for row, times in Counter(rows).items() if times > 1]:
        raise InvalidValueError(f"`--id` {name!r} has several rows {twice[0]!r}: {hint}")
    return rows


def complete_rows(datasets: list[str], scores: ModelColumns) -> list[str]:
    """Return the names of the data sets that miss no score."""
    table = np.column_stack([np.asarray(column, np.float64) for column in scores.values()])
    return [datasets[row] for row in np.flatnonzero(~np.isnan(table).any(axis=1))]


def read_cases(
    table: FileTable,
    label: str,
    chosen: list[str] | None,
    option: str,
    besides: Sequence[str | None] = (),
    *,
    predicted: bool = False,
) -> tuple[Values, ModelColumns]:
    """Return the labels, and by model the numbers, or `predicted` labels, in the chosen columns.

    By default in all, but for those `besides`, of clusters and weights.
    """
    others = [name for name in columns_beside(table, label) if name not in besides]
    y_true = label_column(table, label)
    truth, scored = (y_true, None) if predicted else (None, label)
    names = chosen_models(table, chosen, others, option, truth, label=scored)
    if predicted:
        return y_true, {name: label_column(table, name) for name in names}
    columns = numbers_of(table, names)
    refuse_probabilities(columns)
    return y_true, columns


def numbers_of(table: FileTable, names: Sequence[str]) -> ModelColumns:
    """Return the columns of these models, and note what may be codes for missing values."""
    columns = {name: table.scores(name) for name in names}
    for doubt in codes_for_missing(columns):
        note(doubt)
    return columns


def column_of(table: FileTable, option: str, name: str | None, numbers: bool = False) -> Any:
    """Return the column that an option names, or None where none is given."""
    if name is None:
        return None
    check_choice(option, name, table.names)
    return table.scores(name) if numbers else label_column(table, name)


def label_column(table: FileTable, name: str) -> Values:
    """Return a column of labels: an empty field or NA is missing, or it would be one more class."""
    values = table.column(name)
    if isinstance(values, list):
        return [None if value in MISSING else value for value in values]
    return values


def complete(
    y_true: Values, scores: ModelColumns, pos_label: object, nan_policy: str, groups: Any = None
) -> tuple[NDArray[np.bool_], Mapping[str, NDArray[Any]], int, Any]:
    """Return which cases are positive, a column a model, how many miss something, and clusters.

    Cases that miss something are left out.
    """
    cases = as_cases(y_true, pos_label, nan_policy, groups, table=scores)
    columns = dict(zip(cases.names, cases.scores, strict=True))
    return cases.labels == 1, columns, cases.n_dropped, cases.groups


def columns_beside(table: FileTable, name: str, option: str = "--label") -> list[str]:
    """Return the columns besides this one, or raise if there is no such column."""
    check_choice(option, name, table.names)
    return [other for other in table.names if other != name]


def as_label(labels: Sequence[Any] | NDArray[Any], text: str | None) -> object:
    """Return a label as a value of the labels' kind; as text where it cannot be one."""
    values = np.asarray(labels, object)
    return parsed(text, type(next((value for value in values if value is not None), "")))


def parsed(text: str | None, kind: type) -> object:
    """Return a label as a value of this kind; as text where it cannot be one."""
    if text is None:
        return None
    try:
        return PARSERS.get(kind, str)(text)
    except ValueError:
        return text


SECONDS, BYTES = 6e-5, 450  # a pair, tested and written as JSON: 1,000 models take 30 s, 217 MB


def only_of_two(claim: Claim, method: str = "") -> str:
    """Return the option that is about two models alone, or ""; `method` is one that is."""
    if is_about_two(claim.alternative, claim.margin):
        return "--margin" if claim.margin else f"--alternative {claim.alternative}"
    return f"--method {method}" if method else ""


def check_count(models: Collection[str], claim: Claim, option: str, of_two: str = "") -> None:
    """Raise unless there are two models where `of_two` is about two, and not too many pairs."""
    k = len(models)
    if of_two and k != 2:
        raise InvalidValueError(
            f"`{of_two}` is about two models, not {k}: name them by `{option}`."
        )
    check_pairs(k, claim.max_pairs, f"Choose models by `{option}`")


def check_pairs(k: int, most: int, instead: str) -> None:
    """Raise with the cost where k models have more than so many pairs."""
    pairs = k * (k - 1) // 2
    if pairs > most:
        raise InvalidValueError(
            f"{k:,} models are {pairs:,} pairs, which take some {SECONDS * pairs:,.0f} s and "
            f"{BYTES * pairs / 1e6:,.0f} MB as JSON. {instead}, or allow them by "
            f"`--max-pairs {pairs}`."
        )


STREAMED_FROM = 1 << 25  # scores: in memory they take about as long, and 1.5 GB
LOOK = 10_000  # rows that tell whether a column looks like ids

KINDS = {"bool": bool, "int": int, "uint": int, "float": float, "double": float, "half": float}


class Large(NamedTuple):
    """Cases in Parquet files, how many there are, and the type of their labels in Arrow's words."""

    scan: Scan
    rows: int
    label_type: str


def all_files(files: list[str]) -> list[str]:
    """Return the files, the Parquet files of folders one by one, or raise."""
    if STDIN in files and len(files) > 1:
        raise InvalidValueError("'-' is standard input, which is read alone: give no other file.")
    return files_of(files)


def as_large(files: list[str], label: str, chosen: list[str] | None) -> Large | None:
    """Return the cases in Parquet files where they are so many that they are read in pieces."""
    if not files or not all(map(is_parquet, files)):
        return None
    known = list(map(parquet_file, files))
    rows = sum(file.metadata.num_rows for file in known)
    schema = known[0].schema_arrow
    if rows * (len(chosen) if chosen else len(schema)) < STREAMED_FROM:
        return None
    table = FileTable(", ".join(files), first_rows(known[0]))
    if columns_of_models(table):  # perhaps a row for each model
        return None
    names = chosen_models(table, chosen, columns_beside(table, label), "--score", label=label)
    scan = scan_parquet(files, label=label, scores=names)
    return Large(scan, rows, str(schema.field(label).type))


def first_rows(file: Any) -> Any:
    """Return rows of a Parquet file that tell what its columns look like."""
    batch = next(file.iter_batches(LOOK), None)
    return (
        file.schema_arrow.empty_table() if batch is None else pyarrow().Table.from_batches([batch])
    )


def is_parquet(file: str) -> bool:
    """Say whether a file begins as Parquet does; one that cannot be read is not."""
    if file == STDIN or not os.path.isfile(file):
        return False
    with open(file, "rb") as opened:
        return opened.read(len(PARQUET)) == PARQUET


class Watched:
    """The parts of a scan, with a bar that says how far each pass has come."""

    def __init__(self, scan: Scan) -> None:
        self.scan, self.passes = scan, 0
        self.total = sum(1 for _ in scan.parts())

    def parts(self) -> Iterator[Any]:
        """Yield the parts, seen by whoever waits."""
        bar = ProgressBar(self.total) if is_watched() else None
        try:
            for done, part in enumerate(self.scan.parts(), 1):
                yield part
                self.passes += done == 1  # not where somebody looks at the first part alone
                if bar is not None:
                    bar(done, f"pass {self.passes}")
        finally:
            if bar is not None:
                bar.close()

    @property
    def watched(self) -> Scan:
        """The scan whose parts are watched."""
        return replace(self.scan, parts=self.parts)


def label_of(large: Large, text: str | None) -> object:
    """Return a label as a value of the kind of the column; as text where it cannot be one."""
    found = (own for word, own in KINDS.items() if large.label_type.startswith(word))
    return parsed(text, next(found, str))


def tell_memory(how: str, start: float) -> None:
    """Say how cases were read, how long that took, and the most memory that was used."""
    most = peak_memory()
    memory = "" if most is None else f", at most {most / 2**30:.2f} GiB of memory"
    say("note", f"{how}: {time.monotonic() - start:.1f} s{memory}.")
