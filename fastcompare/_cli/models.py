"""Which columns of a file are models: those that are named, else all that may be."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._adapters.tables import FileTable
from .._base.exceptions import InvalidValueError
from .._inputs.options import check_choice
from .terminal import say
from .words import note

INDEX = re.compile(r"|Unnamed: \d+|__index_level_\d+__")  # as pandas and R write their row names
FAR = 10.0  # times the largest value of all others
ENOUGH = 5  # values that all differ, to look like an id
NAMED = 3  # columns that a hint or a note names whole


def chosen_models(
    table: FileTable,
    chosen: list[str] | None,
    others: list[str],
    option: str,
    labels: Sequence[Any] | NDArray[Any] | None = None,
) -> list[str]:
    """Return the chosen columns, or all others that may be models, and say which they are.

    With `labels`, predictions of them are wanted, which need not be numbers.
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
    found = odd_numbers(columns) if labels is None else distinct_words(columns, labels)
    refuse_ids(found, names, option)
    if table.path:  # not the bundled table
        kind = "numeric columns" if labels is None else "columns"
        note(f"the models are all other {kind}: {listed(names, 10)}; {option} chooses.")
    return names


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


def refuse_ids(found: Mapping[str, str], names: list[str], option: str) -> None:
    """Raise if columns look like ids, of which `found` says why."""
    if not found:
        return
    reasons = "; ".join(f"column {name!r} {why}" for name, why in found.items())
    kept = [name for name in names if name not in found]
    rest = kept if 2 <= len(kept) <= NAMED else ["NAME"]
    command = " ".join(f"{option} {shlex.quote(name)}" for name in rest)
    raise InvalidValueError(
        f"{reasons}: that looks like an id, a date or another measurement, not like a model. Name "
        f"the models: {command}{'' if rest is kept else ' for each'}; {option} "
        f"{shlex.quote(next(iter(found)))} tests that, too."
    )


def refuse_clusters(columns: Mapping[str, Any], cluster: str | None, option: str) -> None:
    """Raise if a column has whole numbers beyond 0 and 1, and those of all others are between.

    `cluster` is the option that names clusters, if the data may have some.
    """
    given = {name: finite(values) for name, values in columns.items()}
    known = {name: values for name, values in given.items() if values.size}
    within = [name for name, values in known.items() if is_share(values)]
    beyond = [name for name in known if name not in within]
    if len(within) < 2 or not beyond or not all(is_whole(known[name]) for name in beyond):
        return
    first, values = shlex.quote(beyond[0]), known[beyond[0]]
    models = " ".join(f"{option} {shlex.quote(name)}" for name in within[:NAMED])
    way = f"Pass {cluster} {first}, or name" if cluster else "Name"
    raise InvalidValueError(
        f"column {beyond[0]!r} has whole numbers from {values.min():g} to {values.max():g}, and "
        f"others are all between 0 and 1: that looks like {'clusters or ' if cluster else ''}"
        f"another measurement, not like a model. {way} the models: {models}"
        f"{' and so on' if len(within) > NAMED else ''}."
    )


def is_share(values: NDArray[Any]) -> bool:
    """Return whether all numbers are between 0 and 1."""
    return bool((values >= 0.0).all() and (values <= 1.0).all())


def odd_numbers(columns: Mapping[str, Any]) -> dict[str, str]:
    """Return why columns of numbers do not look like scores beside the others, by name."""
    known = {name: finite(values) for name, values in columns.items()}
    counted = {
        name: f"has {known[name].size} whole numbers that all differ" for name in ids_among(known)
    }
    return counted | far_off({name: known[name] for name in known.keys() - counted.keys()})


def ids_among(known: Mapping[str, NDArray[Any]]) -> list[str]:
    """Return columns of whole numbers that all differ, where those of others are not whole.

    Where all are, those whose numbers follow one another, unless that is so of every column.
    """
    whole = [name for name, values in known.items() if is_whole(values)]
    found = [name for name in whole if all_differ(known[name])]
    if len(whole) == len(known):
        found = [name for name in found if np.ptp(known[name]) == known[name].size - 1]
    return found if len(found) < len(known) else []


def far_off(known: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """Return why columns are no scores whose every value is far larger than any of the others."""
    greatest = {name: np.abs(values).max(initial=0.0) for name, values in known.items()}
    found = {}
    for name, values in known.items():
        most = max((size for other, size in greatest.items() if other != name), default=0.0)
        if values.size and 0.0 < FAR * most < np.abs(values).min():
            found[name] = (
                f"has values from {values.min():g} to {values.max():g}, all more than {FAR:g} "
                "times as large as any of the others"
            )
    return found


def distinct_words(
    columns: Mapping[str, Any], labels: Sequence[Any] | NDArray[Any]
) -> dict[str, str]:
    """Return why columns do not look like predicted labels, by name: no two cases share a value.

    Numbers with decimals are scores, of which more helpful errors are to come.
    """
    few = 2 * len({*labels}) <= len(labels)
    return {
        name: f"has {len(values)} values that all differ"
        for name, values in columns.items()
        if few and len({*values}) == len(values) and is_whole(np.asarray(values))
    }


def finite(values: Any) -> NDArray[Any]:
    """Return the numbers of a column that are not missing."""
    numbers = np.asarray(
        [v for v in values if v is not None] if isinstance(values, list) else values
    )
    return numbers[np.isfinite(numbers)] if numbers.dtype.kind == "f" else numbers


def is_whole(values: NDArray[Any]) -> bool:
    """Return whether all numbers are whole; the first ones tell most columns of scores."""
    parts = (values[:99], values) if values.dtype.kind == "f" else ()
    return all(np.array_equal(part, np.floor(part)) for part in parts)


def all_differ(values: NDArray[Any]) -> bool:
    """Return whether no two numbers are equal, of enough to tell."""
    return values.size >= ENOUGH and np.unique(values).size == values.size


def listed(names: Sequence[str], most: int) -> str:
    """Return the first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more
