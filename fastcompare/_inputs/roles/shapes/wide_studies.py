"""Reader studies with a column for each reader and treatment, such as Reader1_aided."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...._base.types import Fields
from ..column import Column, parse_columns
from ..question import ask, option
from ..reading import Named, eligible_columns, is_row_name, quote_names, unused_column_lines
from ..truths import may_be_labels
from ..units import are_clusters
from ..words import is_outcome, name_suggests, split_words
from .studies import positive_cases

READER = re.compile(
    r"(?<![^\W_])(?:(?:readers?|raters?|radiologists?|rad|observers?|obs|pathologists?|physicians?|"
    r"dermatologists?|clinicians?|doctors?|dr|leser|befunder|lecteur|lector|lettore|leitor)"
    r"[\W_]*(?:\d{1,3}|[a-z])|r[\W_]?\d{1,3})(?![^\W_])",
    re.I,
)
ABBREVIATED = re.compile(r"r\W?\d+", re.I)  # r1 may be a run or a model, too
NUMBERED_TREATMENT = re.compile(r"(mod|modality|mode|treatment|condition|arm)[\W_]*\d+", re.I)
AIDS = {"ai", "ki", "ia", "cad", "aid", "aided", "unaided", "assisted", "unassisted", "assistance"}
BESIDE_AIDS = {"with", "without", "w", "wo", "no", "non", "not", "plus", "alone", "only"}
BESIDE_AIDS |= {"mit", "ohne", "con", "sin", "senza", "avec", "sans", "com", "sem"}
NO_TREATMENTS = ("metric", "time", "measure", "amount", "fold", "prediction", "outcome")
NO_READERS = (*NO_TREATMENTS, "model", "trait")  # roles that names of readers do not suggest
NO_SCORES = ("id", "unit", "time", "measure", "amount", "trait", "weight")
MOST_TREATMENTS = 4
ALONE = "alone"  # a treatment that no name has, beside one with an aid


class Reading(NamedTuple):
    """A reader and a treatment, as the name of a column has them."""

    reader: str
    treatment: str
    is_numbered: bool  # as a reader


class Grid(NamedTuple):
    """The columns of each reader and treatment, in the order of the table."""

    readings: Mapping[str, Reading]  # by column
    readers: Sequence[str]
    treatments: Sequence[str]


def wide_study_in(
    columns: Mapping[str, Column], named: Named
) -> tuple[Fields, tuple[str, ...]] | None:
    """Return the columns of a reader study by their usual names, and lines; None for others.

    Raise where columns may be of a reader study or of models.
    """
    if named.models or named.groups or named.long or named.kind not in (None, "readers"):
        return None
    usable = eligible_columns(columns, named)
    grid = grid_of_readings({n: c for n, c in usable.items() if n != named.label})
    if grid is None:
        return None
    others = {n: c for n, c in usable.items() if n not in grid.readings}
    truth = truth_among(others, named)
    if truth is None:
        return None
    is_unclear = (
        not all(map(is_known_treatment, grid.treatments))
        or any(may_be_score(c, usable) for n, c in others.items() if n != truth.name)
        or bool(units_beside(columns, grid))
    )
    if is_unclear and named.kind is None:
        ask_study(grid, usable)
    return read_wide_study(columns, grid, truth, named)


def is_wide_study(columns: Mapping[str, Any], named: Named, decimal: str = ".") -> bool:
    """Return whether a table has a column for each reader and treatment of a study."""
    named = replace(named, kind="readers")
    return wide_study_in(parse_columns(columns, decimal), named) is not None


def grid_of_readings(columns: Mapping[str, Column]) -> Grid | None:
    """Return the grid of two readers or more by two treatments or more; None where none is full."""
    numbers = [n for n, c in columns.items() if c.is_number and not c.is_constant]
    parts = {name: part for name in numbers if (part := reading_in(name)) is not None}
    readers = [*dict.fromkeys(part.reader.casefold() for part in parts.values())]
    treatments = [*dict.fromkeys(part.treatment.casefold() for part in parts.values())]
    cells = {(part.reader.casefold(), part.treatment.casefold()) for part in parts.values()}
    if len(readers) < 2 or not 2 <= len(treatments) <= MOST_TREATMENTS:
        return None
    if not len(parts) == len(cells) == len(readers) * len(treatments):
        return None
    grid = Grid(
        parts,
        [*dict.fromkeys(part.reader for part in parts.values())],
        [*dict.fromkeys(part.treatment for part in parts.values())],
    )
    return grid if may_be_study(grid, [columns[name] for name in parts]) else None


def reading_in(name: str) -> Reading | None:
    """Return the reader and the treatment in a name; None for names of no reading.

    A reader has a number or a letter (Reader1), or any name before or after an aid (Smith_AI).
    """
    if match := READER.search(name):
        rest = f"{name[: match.start()]} {name[match.end() :]}"
        return Reading(match[0], re.sub(r"^[\W_]+|[\W_]+$", "", rest), is_numbered=True)
    parts = re.findall(r"[^\W_]+", name)
    for aid_is_last in (True, False):
        ordered = parts[::-1] if aid_is_last else parts
        size = next((i for i, part in enumerate(ordered) if not is_of_aid(part)), len(ordered))
        aid, reader = ordered[:size], ordered[size:]
        if reader and AIDS & {word for part in aid for word in split_words(part)}:
            aid, reader = (aid[::-1], reader[::-1]) if aid_is_last else (aid, reader)
            return Reading(" ".join(reader), " ".join(aid), is_numbered=False)
    return None


def is_of_aid(part: str) -> bool:
    """Return whether all words of a part of a name are of an aid, or say with or without: noAI."""
    return {*split_words(part)} <= AIDS | BESIDE_AIDS


def is_known_treatment(treatment: str) -> bool:
    """Return whether a treatment is an aid, none, or numbered as a modality: with AI, Mod1, ''."""
    return is_of_aid(treatment) or NUMBERED_TREATMENT.fullmatch(treatment) is not None


def may_be_study(grid: Grid, columns: Sequence[Column]) -> bool:
    """Return whether a full grid may be of readers and treatments, not of models and metrics.

    Readers without a number are under aids. Treatments that are no aids have no words of metrics,
    and the numbers are on one scale.
    """
    if not all(reading.is_numbered for reading in grid.readings.values()):
        words = [name_suggests(reader, role) for reader in grid.readers for role in NO_READERS]
        return "" not in grid.treatments and not any(words)
    if all(map(is_known_treatment, grid.treatments)):
        return any(grid.treatments)
    if any(map(ABBREVIATED.fullmatch, grid.readers)) or "" in grid.treatments:
        return False
    if any(name_suggests(x, role) for x in grid.treatments for role in NO_TREATMENTS):
        return False
    are_words = all(any(word.isalpha() for word in split_words(x)) for x in grid.treatments)
    ranges = [np.ptp(column.present) for column in columns]
    return are_words and bool(max(ranges) <= 2 * min(ranges))


def truth_among(columns: Mapping[str, Column], named: Named) -> Column | None:
    """Return the column of true labels: the only one of two values, or called an outcome."""
    if named.label is not None:
        return columns.get(named.label)
    labels = [c for c in columns.values() if may_be_labels(c)]
    outcomes = [c for c in labels if is_outcome(c.name)]
    possible = outcomes if len(labels) > 1 else labels
    return possible[0] if len(possible) == 1 else None


def may_be_score(column: Column, columns: Mapping[str, Column]) -> bool:
    """Return whether numbers beside readings may be another score, as that of the aid alone."""
    if not column.is_number or column.has_two or column.is_constant or column.is_fold:
        return False
    has_other_role = any(name_suggests(column.name, role) for role in NO_SCORES)
    return not has_other_role and not is_row_name(column, columns.values())


def units_beside(columns: Mapping[str, Column], grid: Grid) -> list[str]:
    """Return the columns of units with several cases each, such as patients."""
    others = [c for n, c in columns.items() if n not in grid.readings]
    return [c.name for c in others if c.is_unit and are_clusters(c)]


def ask_study(grid: Grid, columns: Mapping[str, Column]) -> None:
    """Raise with the question whether columns are readings of readers, or models."""
    ask(
        f"are {quote_names(grid.readings, 4)} readings of {len(grid.readers)} readers under "
        f"{quote_names(x or ALONE for x in grid.treatments)}, or {len(grid.readings)} models?",
        [{"kind": "readers"}, as_models(grid, columns)],
    )


def as_models(grid: Grid, columns: Mapping[str, Column]) -> Fields:
    """Return the option that compares the columns of readings as those of models."""
    return {"kind": "labels" if all(columns[x].has_two for x in grid.readings) else "scores"}


def read_wide_study(
    columns: Mapping[str, Column], grid: Grid, truth: Column, named: Named
) -> tuple[Fields, tuple[str, ...]]:
    """Return the columns of a reader study, a row for each reading, and lines that say so."""
    is_positive, positive_label = positive_cases(truth, named)
    readings = [*grid.readings.values()]
    n, k = truth.n, len(readings)
    data = {
        "truth": np.tile(is_positive, k),
        "score": np.concatenate([np.asarray(columns[x].numbers, float) for x in grid.readings]),
        "treatment": np.repeat([part.treatment or ALONE for part in readings], n).tolist(),
        "reader": np.repeat([part.reader for part in readings], n).tolist(),
        "case": np.tile(np.arange(n), k),
    }
    units = units_beside(columns, grid)
    lines = (
        f"Reader study: {k} columns of {len(grid.readers)} readers ({quote_names(grid.readers)}) "
        f"under {quote_names(x or ALONE for x in grid.treatments)}; each row is a case; true "
        f"labels: {truth.name!r} (positive: {positive_label!r}). "
        f"{option(**as_models(grid, columns))} compares the columns as models.",
        *[f"Cases of one {unit!r} are taken as independent." for unit in units],
        *unused_column_lines(columns, [truth.name, *grid.readings, *named.auxiliary], {}),
    )
    return data, lines
