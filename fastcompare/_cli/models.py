"""Which columns of a file are models: those that are named, else all that may be."""

import shlex
from collections.abc import Sequence
from functools import partial
from typing import Any

from numpy.typing import NDArray

from .._adapters.tables import FileTable
from .._base.exceptions import InvalidValueError
from .._inputs.model_columns import INDEX, doubtful_numbers, doubtful_words, refuse_doubtful
from .._inputs.options import check_choice
from .terminal import say
from .words import note

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
    if chosen:
        return chosen_columns(chosen, others, option)
    named = without_index(others)
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


def without_index(names: list[str]) -> list[str]:
    """Return the columns but for an index without a name, and say that it is left out."""
    for name in filter(is_index, names):
        note(f"column {name!r} is left out: an index without a name.")
    return [name for name in names if not is_index(name)]


def numeric_names(table: FileTable, names: list[str]) -> list[str]:
    """Return the columns that hold numbers, and say which do not."""
    for name in names:
        if not table.is_numeric(name):
            say(
                "warning",
                f"column {name!r} is left out, it holds no numbers: {table.misfit(name)}.",
            )
    return [name for name in names if table.is_numeric(name)]


def listed(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more
