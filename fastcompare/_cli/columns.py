"""From a file and the options that name its columns to labels, scores and predictions.

Which columns of a file are models: those that are named, else all that may be.

How many models a command compares: two where the claim is about two, and not too many pairs.

Tables in many or large Parquet files, which a command reads a piece at a time.
"""

import os
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import as_file
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._adapters.delimited import MISSING, FileTable, pyarrow
from .._adapters.files import PARQUET, STDIN, read_table
from .._adapters.scans import files_of
from .._base.exceptions import InvalidValueError
from .._base.memory import peak_memory
from .._inputs.names import (
    INDEX,
    MODELS,
    refuse_doubtful,
    refuse_training,
)
from .._inputs.options import check_choice
from .._inputs.scores import as_cases
from .._inputs.tables import (
    doubtful_numbers,
    doubtful_words,
)
from ..datasets import predictions_file
from .delivery import FileForm
from .terminal import note, remember, say

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


BOOLEANS = {"true": True, "false": False}
Values = NDArray[Any] | list[Any]  # of a column: an array, or a list with None where missing
ModelColumns = Mapping[str, Values]
PARSERS: dict[type, Callable[[str], object]] = {
    bool: lambda text: BOOLEANS.get(text.lower(), text),
    int: int,
    float: float,
}


def read(
    file: str | None, form: FileForm, bundled: Callable[[], Traversable] = predictions_file
) -> FileTable:
    """Return the table in a file, by default in the bundled one."""
    if file is not None:
        return remember(read_table(file, **form.options))
    with as_file(bundled()) as path:
        return remember(replace(read_table(path), path=""))


def columns_of_models(table: FileTable) -> list[str]:
    """Return the columns of words that are called as columns are that name models."""
    return [
        name for name in table.names if name.casefold() in MODELS and not table.is_numeric(name)
    ]


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


def all_files(files: list[str]) -> list[str]:
    """Return the files, the Parquet files of folders one by one, or raise."""
    if STDIN in files and len(files) > 1:
        raise InvalidValueError("'-' is standard input, which is read alone: give no other file.")
    return files_of(files)


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


def tell_memory(how: str, start: float) -> None:
    """Say how cases were read, how long that took, and the most memory that was used."""
    most = peak_memory()
    memory = "" if most is None else f", at most {most / 2**30:.2f} GiB of memory"
    say("note", f"{how}: {time.monotonic() - start:.1f} s{memory}.")
