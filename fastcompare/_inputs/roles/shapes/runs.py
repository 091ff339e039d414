"""Cases that several runs of each model scored, as with several seeds: the runs are readers.

Rows of one case are no other cases, and rows of one run no other runs. A study of readers takes
both as random; pooled rows would count each case as often as there are runs.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...._base.types import Fields
from ..column import Column
from ..question import option
from ..reading import Named, Reading, quote_names
from ..relations import comparable_texts, indices_of_texts, is_constant_within, is_crossed
from ..units import fold_warning
from ..words import name_suggests, split_words

SEEDS = {"seed", "seeds", "run", "runs"}
OF_SPLITS = {"fold", "folds", "split", "splits", "cv", "partition", "repeat", "bootstrap"}
ROLES_OF_CASES = ("id", "unit", "item")  # that the names of columns of cases suggest


class Runs(NamedTuple):
    """The columns of the runs, and of the cases, of which each has a row of each run."""

    run: str
    case: str


def are_runs(column: Column) -> bool:
    """Return whether a column is called as seeds or runs are, and not as parts of the cases."""
    words = {*split_words(column.name)}
    return column.is_fold and bool(words & SEEDS) and not words & OF_SPLITS


def runs_of_cases(columns: Mapping[str, Column], label: Column, models: list[str]) -> Runs | None:
    """Return the columns of runs and cases where each case has one row of each run, else None.

    The true `label` is the same in all rows of a case.
    """
    others = {n: c for n, c in columns.items() if n not in (label.name, *models)}
    runs = [c for c in others.values() if are_runs(c)]
    if len(runs) != 1:
        return None
    (run,) = runs
    cases = [
        c
        for c in others.values()
        if c is not run
        and not (c.is_decimal or c.is_date)
        and run.distinct.size * c.distinct.size == run.n
        and is_crossed(run, c)
        and is_constant_within(label, c)
    ]
    cases.sort(key=lambda c: not any(name_suggests(c.name, role) for role in ROLES_OF_CASES))
    return Runs(run.name, cases[0].name) if cases else None


def read_runs(reading: Reading, columns: Mapping[str, Column], runs: Runs, named: Named) -> Reading:
    """Return cases with runs as a study whose readers are the runs, and treatments the models.

    As it is, with a warning of the pooled runs, where options say how cases are compared, or
    values are missing.
    """
    if reading.folds is not None:
        return replace(reading, are_runs=True)
    models = {name: columns[name] for name in reading.models}
    label = columns[str(reading.label)]
    has_missing = any(c.missing.any() for c in (label, *models.values()))
    is_named = any(x is not None for x in (named.kind, named.groups, named.weights))
    if is_named or named.no_readers or has_missing or len(models) < 2:
        pooled_folds = fold_warning(columns[runs.run], label.name)
        others = [text for text in reading.warnings if text != pooled_folds]
        return replace(reading, warnings=(pooled_warning(columns[runs.run], runs), *others))
    data = study_of_runs(models, label, columns, runs, answers=reading.kind == "labels")
    return Reading(
        kind="readers",
        models={},
        data=data,
        options=reading.options,
        lines=(*reading.lines, line_on_runs(runs, models, str(reading.kind))),
    )


def study_of_runs(
    models: Mapping[str, Column],
    label: Column,
    columns: Mapping[str, Column],
    runs: Runs,
    *,
    answers: bool,
) -> Fields:
    """Return the columns of a reader study, a row for each model and row of the table.

    Its scores are those of the models, or with `answers` whether predicted labels are right.
    """
    k = len(models)
    score = right_labels if answers else scores_of_rows
    data = {
        "score": np.concatenate([score(column, label) for column in models.values()]),
        "treatment": np.repeat([*models], label.n).tolist(),
        "reader": [*columns[runs.run].values()] * k,
        "case": [*columns[runs.case].values()] * k,
    }
    return data if answers else {"truth": [*label.values()] * k, **data}


def scores_of_rows(column: Column, label: Column) -> np.ndarray:
    """Return the scores of a model in all rows, whatever the true labels."""
    return np.asarray(column.numbers, float)


def right_labels(column: Column, label: Column) -> np.ndarray:
    """Return 1 where a predicted label is the true one, else 0; upper and lower case are equal."""
    texts = [*dict.fromkeys(comparable_texts(column) + comparable_texts(label))]
    right = indices_of_texts(column, texts) == indices_of_texts(label, texts)
    return np.asarray(right, float)


def line_on_runs(runs: Runs, models: Mapping[str, Column], kind: str) -> str:
    """Return the line that runs are the readers of a study, and the option that pools them."""
    answers = " (scores: 1 where the label is right, else 0)" if kind == "labels" else ""
    return (
        f"Reader study: the runs of {runs.run!r} are the readers, {quote_names(models)} the "
        f"treatments, on cases {runs.case!r}{answers}: the claim is about training again, too "
        f"(docs/howto/seeds.md). {option(groups=runs.case)} compares these runs alone."
    )


def pooled_warning(column: Column, runs: Runs) -> str:
    """Return the warning that rows of several runs of each model are pooled."""
    return (
        f"{column.distinct.size} values of {runs.run!r} in rows of each {runs.case!r}: scores of "
        "several runs are pooled, whose scales may differ, and the claim is about these runs "
        "alone; for one about training again, runs are readers (docs/howto/seeds.md)."
    )
