"""Scores by treatment, reader and case, in whatever form they come.

A long table has a row for each score, with its treatment, reader and case; so has iMRMC's file, and
in it rows of a reader called 'truth' say which cases are positive. Arrays have three axes.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._adapters.delimited import read_delimited
from ..._adapters.files import decompress, read_bytes, read_table
from ..._adapters.frames import check_indexes
from ..._base.exceptions import (
    invalid_type,
    invalid_value,
    suggestion,
)
from ..._base.text import amount, join_names
from ..._base.types import AnyArray, Fields, Integers, Vector
from ..arrays import as_float_array
from ..labels import as_label_column
from ..names import STUDY_ROLES as ROLES
from ..scores import named_columns
from ..weights import number_groups
from .table import in_order

TRUTH = ("truth", "-1")  # the reader of rows that hold the truth, in iMRMC's files
BEGIN = b"BEGIN DATA:"
HEADER = b"readerID,caseID,modalityID,score\n"
ALGORITHM = "standalone"  # the reader whose scores come without a name
ONLY = "all cases"  # the treatment of a table without one
MAX_NAMED = 3
Standalone = str | Mapping[Any, float] | ArrayLike
RawStudy = ArrayLike | Mapping[str, Any] | str | os.PathLike[str] | None


class Table(NamedTuple):
    """Scores (t, r, n), the truth (n,) of the cases as it came, and the names along the axes."""

    scores: NDArray[np.float64]
    truth: AnyArray | None
    treatments: tuple[str, ...]
    readers: tuple[str, ...]
    cases: tuple[str, ...] | None


def as_table(
    data: Any, columns: Mapping[str, Any], treatments: Any, standalone: str | None = None
) -> Table:
    """Return the scores of all readers, the truth and the names, in whatever form they come.

    `columns` has an argument for each role: a column, its name in `data`, or None. In a long table
    the rows of a reader `standalone` count for the treatment of the others.
    """
    if isinstance(data, str | os.PathLike):
        data = columns_of_file(os.fspath(data), columns)
    nested = is_nested(data)
    table = None if nested or data is None else named_columns("data", data)
    if data is None or table is not None:
        rows = columns_by_role(table, columns)
        return select_treatments(table_of_rows(rows, treatments, standalone), treatments)
    for name, values in columns.items():
        if name != "truth" and values is not None:
            raise invalid_value(
                name,
                "is a column of a long table",
                end=": leave it out where `data` contains scores by treatment, reader and case.",
            )
    scores, names, readers = nested_scores(data) if nested else array_scores(data)
    truth = columns["truth"]
    if truth is not None:
        n = scores.shape[2]
        needed = f"label for each of the {n} cases, the last axis of `data`"
        truth = as_complete_labels("truth", truth, n, needed, remedy="drop these cases")
    table_of_axes = Table(scores, truth, names, readers, cases=None)
    return select_treatments(table_of_axes, treatments)


def default_study(data: Any, truth: Any, treatments: Any = None) -> Table:
    """Return the table of a study whose columns are called as they usually are."""
    return as_table(data, dict.fromkeys(ROLES) | {"truth": truth}, treatments)


def is_nested(data: Any) -> bool:
    """Return whether data are mappings of treatments to mappings of readers."""
    if not isinstance(data, Mapping) or not data:
        return False
    return all(isinstance(by_reader, Mapping) for by_reader in data.values())


def columns_of_file(path: str, columns: Mapping[str, Any]) -> Fields:
    """Return the columns of a table in a file that may be used: by the usual names, or named.

    In iMRMC's files the table begins after the line BEGIN DATA, with or without a header.
    """
    raw = decompress(path, read_bytes(path))
    start = raw.find(BEGIN)
    if start < 0:
        table = read_table(path)
    else:
        body = raw[start + len(BEGIN) :].lstrip()
        body = body if body.lower().startswith(b"readerid") else HEADER + body
        table = read_delimited(path, body, ",", "utf-8")
    used = {name for names in ROLES.values() for name in names}
    used |= {name for name in columns.values() if isinstance(name, str)}
    return {
        name: table.scores(name) if name in ROLES["score"] else table.column(name)
        for name in table.names
        if name in used
    }


def columns_by_role(table: Mapping[str, Any] | None, arguments: Mapping[str, Any]) -> Fields:
    """Return the columns by role: as passed, or from the table by a passed or a usual name.

    Raise unless there are scores, readers and cases.
    """
    columns = {}
    for role, value in arguments.items():
        if isinstance(value, str):
            if table is None or value not in table:
                hint = suggestion(value, table or ())
                raise invalid_value(
                    role, f"must be a column of `data`, which has no {value!r}", end=f".{hint}"
                )
            columns[role] = table[value]
        elif value is not None:
            columns[role] = value
        elif table is not None:
            usual = [name for name in ROLES[role] if name in table]
            if usual:
                columns[role] = table[usual[0]]
    for role in ("score", "reader", "case"):
        if role not in columns:
            has = f" `data` has {join_names(list(table), 12)}." if table else ""
            raise invalid_value(
                role, "must be specified", end=f": a column of values, or its name in `data`.{has}"
            )
    return columns


def table_of_rows(columns: dict[str, Any], treatments: Any, standalone: str | None) -> Table:
    """Return the scores of a long table by treatment, reader and case, from its columns by role.

    Without a column of treatments all scores are of one, and without the truth it may be in rows of
    a reader called so.
    """
    check_indexes(list(columns.items()))
    scores = as_float_array("score", columns.pop("score"))
    if scores.ndim != 1 or not scores.size:
        raise invalid_value(
            "score", "must be 1-d and not empty", scores.shape, show=", got shape {!r}"
        )
    n, remedy = scores.size, "fill them in, or drop these rows"
    needed = f"value for each of the {n} scores"
    labels = {
        role: as_complete_labels(role, values, n, needed, remedy)
        for role, values in columns.items()
    }
    if "truth" not in labels:
        scores, labels = without_truth_rows(scores, labels)
    if "treatment" not in labels:
        labels["treatment"] = np.full(scores.size, ONLY)
    if standalone is not None:
        scores, labels = under_one_treatment(scores, labels, treatments, standalone)
    return crossed_table(scores, labels)


def under_one_treatment(
    scores: Vector, labels: dict[str, AnyArray], treatments: Any, standalone: str
) -> tuple[Vector, dict[str, AnyArray]]:
    """Return the rows of readers under one treatment, and the algorithm's rows under the same.

    That is the treatment in `treatments`, or the only one of the readers; raise for several.
    """
    names = labels["treatment"].astype(str)
    is_algorithm = labels["reader"].astype(str) == standalone
    others = sorted({*names[~is_algorithm].tolist()})
    chosen = [*treatments] if isinstance(treatments, list | tuple) else others
    if len(chosen) != 1:
        refuse_treatments(chosen or [standalone])
    selected = is_algorithm | (names == str(chosen[0]))
    selected_labels = {name: values[selected] for name, values in labels.items()}
    selected_labels["treatment"] = np.full(int(np.count_nonzero(selected)), str(chosen[0]))
    return scores[selected], selected_labels


def as_complete_labels(name: str, values: Any, n: int, needed: str, remedy: str) -> AnyArray:
    """Return n labels, none of them missing, or raise.

    `needed` says in a message what there must be n of, `remedy` what to do about missing ones.
    """
    labels, missing = as_label_column(name, values)
    if labels.size != n:
        raise invalid_value(name, f"must have a {needed}", labels.size)
    if missing is not None:
        raise invalid_value(
            name,
            f"has {amount(int(np.count_nonzero(missing)), 'missing value')}, the first at index "
            f"{np.flatnonzero(missing)[0]}",
            end=f": {remedy}.",
            row=np.flatnonzero(missing)[0],
        )
    return labels


def without_truth_rows(
    scores: Vector, labels: dict[str, AnyArray]
) -> tuple[Vector, dict[str, AnyArray]]:
    """Return the scores and labels of readers, among these the truth from the reader 'truth'.

    As they are where no row has that reader. Its scores are the truth of its cases.
    """
    is_truth = np.isin(labels["reader"].astype(str), TRUTH)
    if not is_truth.any():
        return scores, labels
    if is_truth.all():
        raise invalid_value("reader", "must name a reader besides 'truth'", end=", got none.")
    cases, numbers = np.unique(labels["case"], return_inverse=True)
    truth = np.full(cases.size, np.nan)
    truth[numbers[is_truth]] = scores[is_truth]
    contradicting = np.flatnonzero(is_truth & (truth[numbers] != scores))
    if contradicting.size:
        refuse_two_truths(cases[numbers[contradicting[0]]])
    reader_labels = {name: values[~is_truth] for name, values in labels.items()}
    case_truth = truth[numbers[~is_truth]]
    if np.isnan(case_truth).any():
        first = reader_labels["case"][np.flatnonzero(np.isnan(case_truth))[0]]
        raise invalid_value(
            "truth",
            "must be known of every case",
            end=f"; no row of the reader 'truth' has case {first}.",
        )
    return scores[~is_truth], {**reader_labels, "truth": case_truth}


def refuse_two_truths(case: Any) -> NoReturn:
    """Raise for a case that is positive and negative."""
    raise invalid_value(
        "truth",
        "must be the same in all rows of a case",
        end=f"; case {case} has two truths. Correct them, or number the cases apart.",
    )


def distinct_levels(labels: AnyArray) -> tuple[AnyArray, Integers]:
    """Return the distinct labels, sorted (texts as q2, q10), and for each row the label's index."""
    total, numbers = number_groups(labels)
    levels = np.empty(total, labels.dtype)
    levels[numbers] = labels
    if labels.dtype.kind in "US":
        texts = levels.astype(str).tolist()
        rank_of = {text: rank for rank, text in enumerate(in_order(texts))}
        ranks = np.array([rank_of[text] for text in texts])
    else:
        ranks = np.argsort(np.argsort(levels, kind="stable"), kind="stable")
    ordered = np.empty_like(levels)
    ordered[ranks] = levels
    return ordered, ranks[numbers]


def crossed_table(scores: Vector, labels: dict[str, AnyArray]) -> Table:
    """Return the scores of a long table as an array; raise unless every cell has one score."""
    levels, numbers = {}, {}
    for name in ("treatment", "reader", "case"):
        levels[name], numbers[name] = distinct_levels(labels[name])
    shape = tuple(levels[name].size for name in levels)
    t, r, n = shape
    if t * r * n > 64 * scores.size and t * r * n > 1 << 24:  # too many to look for a gap
        refuse_gaps(np.zeros((0, 0, 0), bool), levels, t * r * n - scores.size)
    cells = (numbers["treatment"] * r + numbers["reader"]) * n + numbers["case"]
    counts = np.bincount(cells, minlength=t * r * n)
    names = {name: tuple(map(str, level.tolist())) for name, level in levels.items()}
    if counts.max() > 1:
        refuse_twice(int(np.flatnonzero(counts > 1)[0]), shape, names, cells)
    if counts.min() < 1:
        refuse_gaps(counts.reshape(shape) > 0, levels, int(np.count_nonzero(counts == 0)))
    table = np.empty(t * r * n)
    table[cells] = scores
    truth = None
    if "truth" in labels:
        labels_by_row = labels["truth"]
        truth = np.empty(n, labels_by_row.dtype)
        truth[numbers["case"]] = labels_by_row
        differs = np.flatnonzero(truth[numbers["case"]] != labels_by_row)
        if differs.size:
            refuse_two_truths(levels["case"][numbers["case"][differs[0]]])
    return Table(table.reshape(shape), truth, names["treatment"], names["reader"], names["case"])


def refuse_twice(
    cell: int, shape: tuple[int, ...], names: Mapping[str, tuple[str, ...]], cells: Integers
) -> NoReturn:
    """Raise for a reader who scores a case twice under a treatment."""
    i, j, k = np.unravel_index(cell, shape)
    first, second = np.flatnonzero(cells == cell)[:2].tolist()
    raise invalid_value(
        "score",
        "must have one value for each treatment, reader and case",
        end=f"; reader {names['reader'][j]} has case {names['case'][k]} twice under "
        f"treatment {names['treatment'][i]}, at index {first} and {second}. Drop one, "
        "or pass their mean.",
        row=first,
    )


def refuse_gaps(
    has_score: NDArray[np.bool_], levels: Mapping[str, AnyArray], total: int
) -> NoReturn:
    """Raise for readers that differ between treatments, else for `total` cells without a score.

    `has_score` (t, r, n) shows the first of them; it is empty where there are too many cells.
    """
    rule = "must have a score of every reader on every case under every treatment"
    reads = has_score.any(axis=2)
    if has_score.size and not reads.all():
        i, j = np.argwhere(~reads)[0]
        raise invalid_value(
            "data",
            rule,
            end=f"; reader {levels['reader'][j]} has none under treatment "
            f"{levels['treatment'][i]}. Readers that are nested in treatments are not supported: "
            "drop those who do not read under all.",
        )
    where = ""
    if has_score.size:
        i, j, k = np.argwhere(~has_score)[0]
        where = (
            f", the first of reader {levels['reader'][j]} on case {levels['case'][k]} under "
            f"treatment {levels['treatment'][i]}"
        )
    raise invalid_value(
        "data",
        rule,
        end=f"; {total} scores are missing{where}. Incomplete and split-plot designs are not "
        "supported: keep the cases that all readers scored under all treatments.",
    )


def nested_scores(data: Any) -> tuple[NDArray[np.float64], tuple[str, ...], tuple[str, ...]]:
    """Return the scores (t, r, n) of mappings by treatment and reader, and the names of both."""
    treatments = tuple(map(str, data))
    readers = tuple(map(str, next(iter(data.values()))))
    columns = []
    for name, by_reader in data.items():
        by_name = {str(reader): values for reader, values in by_reader.items()}
        if {*by_name} != {*readers}:
            odd = sorted({*by_name} ^ {*readers})[0]
            raise invalid_value(
                "data",
                "must have the same readers under every treatment",
                end=f"; reader {odd} is missing under one, or only there. Readers that are nested "
                "in treatments are not supported: drop those who do not read under all.",
            )
        titles = [f"data[{name!r}][{reader!r}]" for reader in readers]
        columns += [
            as_float_array(title, by_name[reader])
            for title, reader in zip(titles, readers, strict=True)
        ]
    sizes = {column.shape for column in columns}
    if len(sizes) != 1 or any(len(size) != 1 for size in sizes):
        raise invalid_value(
            "data",
            "must have one score for each case of every treatment and reader",
            join_names([str(size) for size in sorted(sizes)], MAX_NAMED),
            show=", got shapes {}",
        )
    shape = len(treatments), len(readers), columns[0].size
    return np.array(columns).reshape(shape), treatments, readers


def array_scores(data: Any) -> tuple[NDArray[np.float64], tuple[str, ...], tuple[str, ...]]:
    """Return scores (t, r, n), and treatments and readers called by their numbers; or raise."""
    scores = as_float_array("data", data)
    if scores.ndim != 3 or not scores.size:
        raise invalid_value(
            "data", "must be a long table, or have shape (treatments, readers, cases)", scores.shape
        )
    t, r, _ = scores.shape
    treatments = tuple(f"treatment {i + 1}" for i in range(t))
    return scores, treatments, tuple(f"reader {j + 1}" for j in range(r))


def select_treatments(table: Table, treatments: Any) -> Table:
    """Return the table of these treatments, in this order; of all for None."""
    if treatments is None:
        return table
    if isinstance(treatments, str) or not isinstance(treatments, Sequence):
        raise invalid_type("treatments", "must be a list of names", treatments)
    if not treatments:
        raise invalid_value(
            "treatments",
            "must name at least one treatment",
            end=f", got none: omit it for all of {join_names([*table.treatments], 12)}.",
        )
    names = tuple(map(str, treatments))
    for name in names:
        if name not in table.treatments:
            raise invalid_value(
                "treatments",
                f"must be those of `data`, {join_names([*table.treatments], 12)}",
                name,
                f".{suggestion(name, table.treatments)}",
                show="; got {!r}",
            )
    if len({*names}) < len(names):
        raise invalid_value(
            "treatments", "must name each once", join_names([*names], 12), show=", got {}"
        )
    rows = [table.treatments.index(name) for name in names]
    return table._replace(scores=table.scores[rows], treatments=names)


def refuse_treatments(treatments: Sequence[str]) -> NoReturn:
    """Raise for readers under several treatments beside one algorithm."""
    raise invalid_value(
        "data",
        "must have one treatment of the readers",
        join_names([*treatments], 12),
        f": choose it by treatments=[{treatments[0]!r}].",
        show=", got {}",
    )
