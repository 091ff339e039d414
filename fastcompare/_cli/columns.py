"""From a file and the options that name its columns to labels, scores and predictions."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import as_file
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.delimited import MISSING
from .._adapters.files import read_table, read_tables
from .._adapters.tables import FileTable
from .._base.exceptions import InvalidValueError
from .._inputs.cases import as_cases
from .._inputs.model_columns import refuse_summaries
from .._inputs.options import check_choice
from ..datasets import predictions_file
from .groups import FileForm
from .models import chosen_models, is_index
from .terminal import say
from .words import remember

BUNDLED_PREDICTIONS = "Bundled predictions (Breast Cancer Wisconsin)"
BUNDLED_FOLDS = "Bundled accuracies by fold (Breast Cancer Wisconsin)"
BUNDLED_SCORES = "Bundled accuracies of scikit-learn's classifiers"
SEPARATORS = {"tab": "\t", "\\t": "\t"}
BOOLEANS = {"true": True, "false": False}
Values = NDArray[Any] | list[Any]  # of a column: an array, or a list with None where missing
ModelColumns = Mapping[str, Values]
PARSERS: dict[type, Callable[[str], object]] = {
    bool: lambda text: BOOLEANS.get(text.lower(), text),
    int: int,
    float: float,
}


class Complete(NamedTuple):
    """Which cases are positive, a column a model, how many were left out, and their clusters."""

    positive: NDArray[np.bool_]
    columns: Mapping[str, NDArray[Any]]
    n_dropped: int
    groups: Any = None


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
        separator = SEPARATORS.get(form.sep, form.sep)
        return remember(read_table(file, separator=separator, encoding=form.encoding))
    with as_file(bundled()) as path:
        return remember(replace(read_table(path), path=""))


def read_all(files: list[str] | None, form: FileForm) -> FileTable:
    """Return the table in one or several files, by default the bundled predictions."""
    if not files:
        return read(None, form)
    if len(files) == 1:
        return read(files[0], form)
    separator = SEPARATORS.get(form.sep, form.sep)
    return remember(read_tables(files, separator=separator, encoding=form.encoding))


def read_dataset_scores(
    table: FileTable, name: str | None, chosen: list[str] | None
) -> tuple[list[str], ModelColumns]:
    """Return the names of the data sets, and by model the scores in the chosen columns."""
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
    return datasets, {model: table.scores(model) for model in names}


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
    datasets = [str(value) for value in values]
    if twice := [row for row, times in Counter(datasets).items() if times > 1]:
        raise InvalidValueError(
            f"`--id` {name!r} has several rows {twice[0]!r}: each data set must be one row. "
            "Average its scores over folds or rounds first."
        )
    return datasets


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
) -> tuple[Values, ModelColumns]:
    """Return the labels, and by model the numbers in the chosen columns.

    By default in all, but for those `besides`, of clusters and weights.
    """
    others = [name for name in columns_beside(table, label) if name not in besides]
    names = chosen_models(table, chosen, others, option, label=label)
    return label_column(table, label), {name: table.scores(name) for name in names}


def column_of(table: FileTable, option: str, name: str | None, numbers: bool = False) -> Any:
    """Return the column that an option names, or None where none is given."""
    if name is None:
        return None
    check_choice(option, name, table.names)
    return table.scores(name) if numbers else label_column(table, name)


def read_predictions(
    table: FileTable,
    label: str,
    chosen: list[str] | None,
    pos_label: str | None,
    besides: Sequence[str | None] = (),
) -> tuple[Values, ModelColumns]:
    """Return the labels, and by model the labels in the chosen columns, by default in all."""
    if pos_label is not None:
        raise InvalidValueError(
            "`--pos-label` is for scores: predicted labels need none. Leave it out, or give "
            "--threshold."
        )
    others = [name for name in columns_beside(table, label) if name not in besides]
    y_true = label_column(table, label)
    names = chosen_models(table, chosen, others, "--prediction", y_true)
    return y_true, {name: label_column(table, name) for name in names}


def label_column(table: FileTable, name: str) -> Values:
    """Return a column of labels: an empty field or NA is missing, or it would be one more class."""
    values = table.column(name)
    if isinstance(values, list):
        return [None if value in MISSING else value for value in values]
    return values


def predicted(
    y_true: Values,
    scores: ModelColumns,
    threshold: float,
    pos_label: object,
    nan_policy: str,
    groups: Any = None,
) -> Complete:
    """Return the cases that miss nothing, with which of them each model calls positive."""
    if not math.isfinite(threshold):
        raise InvalidValueError(f"`--threshold` must be finite, got {threshold}.")
    found = complete(y_true, scores, pos_label, nan_policy, groups)
    return found._replace(columns={name: s >= threshold for name, s in found.columns.items()})


def complete(
    y_true: Values, scores: ModelColumns, pos_label: object, nan_policy: str, groups: Any = None
) -> Complete:
    """Return the cases that miss nothing."""
    cases = as_cases(y_true, pos_label, nan_policy, groups, table=scores)
    columns = dict(zip(cases.names, cases.scores, strict=True))
    return Complete(cases.labels == 1, columns, cases.n_dropped, cases.groups)


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
