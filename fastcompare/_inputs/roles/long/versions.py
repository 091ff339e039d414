"""Tables of two models on different cases, as of an A/B test: each case was scored by one of them.

A column says which model, and no case has rows of both, so that the models are unpaired.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from ..cases import read_cases
from ..column import Column, label_codes
from ..reading import CASES, Named, Reading
from ..relations import is_crossed
from ..units import are_clusters, unit_noun
from ..words import is_index, name_suggests, split_words
from .keys import names_models

MODELS = {"model", "models", "classifier", "algorithm", "wflow"}
VERSIONS = MODELS | {"version", "variant"}
BESIDE_MODELS = {"version", "variant", "id", "name", "names"}  # in a name, as of model_version
A_VERSION = re.compile(r"v(er)?(sion)?[\W_]*\d+([\W_]\d+)*", re.I)
OF_TWO_MODELS = {
    *("control", "treatment", "champion", "challenger", "old", "new", "current", "candidate"),
    *("baseline", "production", "shadow", "incumbent"),
}


def read_versions(columns: Mapping[str, Column], named: Named) -> Reading | None:
    """Return the reading of rows of two models, each with cases and true labels of its own.

    None for any other table. An id must differ in all rows, and nothing may pair them: no column
    has a row of both models, and the true labels of both differ in their order.
    """
    version = version_column(columns, named)
    if version is None or named.kind not in (*CASES, None) or named.groups or named.weights:
        return None
    ids = [n for n, c in columns.items() if names_cases(c)]
    if not ids:
        return None
    others = {n: c for n, c in columns.items() if n != version.name}
    parts = [
        {n: c.take(np.flatnonzero(version.codes == code)) for n, c in others.items()}
        for code in label_codes(version)
    ]
    first, second = (read_cases(part, named) for part in parts)
    if first is None or second is None or not are_of_one_score(first, second):
        return None
    line = (
        f"Models: the values of {version.name!r}. Each row is a case of its own ({ids[0]!r} "
        "differs), so the models are unpaired."
    )
    values = [next(iter(reading.models.values())) for reading in (first, second)]
    return replace(
        first,
        models=dict(zip(version.label_texts, values, strict=True)),
        unpaired=((first.truth, values[0]), (second.truth, values[1])),
        lines=(line, *first.lines),
        warnings=warnings_of_units(others.values(), first.label),
    )


def are_of_one_score(first: Reading, second: Reading) -> bool:
    """Return whether two readings have scores or labels in one column, of different cases."""
    if first.kind not in CASES or first.kind != second.kind or first.classes is not None:
        return False
    if len(first.models) != 1 or [*first.models] != [*second.models]:
        return False
    return not np.array_equal(first.truth, second.truth)  # else the same cases twice


def version_column(columns: Mapping[str, Column], named: Named) -> Column | None:
    """Return the only column that names two models, none of which has a row of another's case."""
    named_so = [c for n, c in columns.items() if n != named.label and may_name_models(c)]
    versions = [c for c in named_so if names_models(c)]
    if len(versions) != 1 or not versions[0].has_two:
        return None
    others = [c for c in columns.values() if c is not versions[0] and not c.is_decimal]
    return None if any(is_crossed(versions[0], c) for c in others) else versions[0]


def may_name_models(column: Column) -> bool:
    """Return whether a column may say which of two models scored a row, and no trait of the case.

    All words of its name are of models, as of model_version. Of one that may be of a virus, a test
    or a car (variant, version, car_model) the values are called so: v1 and v2, or old and new.
    """
    words = {*split_words(column.name)}
    if words & MODELS and words <= MODELS | BESIDE_MODELS:
        return True
    if not (words & MODELS or words <= VERSIONS):
        return False
    texts = [text.casefold() for text in column.label_texts]
    return all(map(A_VERSION.fullmatch, texts)) or OF_TWO_MODELS.issuperset(texts)


def names_cases(column: Column) -> bool:
    """Return whether all rows have an id of their own, which is no number of the row."""
    if column.is_decimal or column.is_date or is_index(column.name):
        return False
    named_so = name_suggests(column.name, "id")
    return named_so and column.all_differ and not column.is_row_number


def warnings_of_units(columns: Iterable[Column], label: str | None) -> tuple[str, ...]:
    """Return a warning of each column of units with several rows, which no test here can take."""
    units = [c for c in columns if c.is_unit and are_clusters(c) and c.name != label]
    return tuple(
        f"{unit.distinct.size} values of {unit.name!r} in {unit.n} rows: rows of one "
        f"{unit_noun(unit.name)} are not independent, so this interval is too narrow and this "
        "p-value too small."
        for unit in units
    )
