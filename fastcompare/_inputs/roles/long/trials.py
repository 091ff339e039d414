"""Long tables of trials: counts of successes among n samples, and trials of people in conditions.

Models may have had different numbers of trials, so that only the shares can be compared. Trials of
a person in two conditions are not the same trials, so that only the person's means are paired.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ...._base.exceptions import InvalidValueError
from ..column import Column
from ..reading import FEW_ROWS, Named, quote_names
from ..words import SUCCESSES, is_of_trials, name_suggests, split_words

CONDITIONS = {"condition", "conditions", "cond", "congruency", "congruence"}  # of experiments
MEASURED = {"correct", "acc", "accuracy", "rt", "rts", "reaction", "latency", "response"}
SHARES = {"percent", "percentage", "pct", "rate", "share", "proportion", "ratio"}


def refuse_trials_of_people(columns: Mapping[str, Column]) -> None:
    """Raise for right and wrong answers, or times, in trials of people under several conditions.

    With the call that compares the means of each person.
    """
    people = [c for n, c in columns.items() if name_suggests(n, "person") and c.is_unit]
    conditions = [c for n, c in columns.items() if {*split_words(n)} & CONDITIONS]
    conditions = [c for c in conditions if c.texts is not None and c.has_few_values]
    if len(people) != 1 or len(conditions) != 1:
        return
    (person,), (condition,) = people, conditions
    if person.missing.any() or condition.missing.any():
        return
    cells = np.zeros((person.distinct.size, condition.distinct.size))
    np.add.at(cells, (person.codes, condition.codes), 1)
    others = {n: c for n, c in columns.items() if c is not person and c is not condition}
    measured = [n for n, c in others.items() if c.is_number and {*split_words(n)} & MEASURED]
    numbers = [n for n, c in others.items() if n not in measured and not c.is_fold]
    if not measured or numbers or cells.min() < 1 or cells.mean() < 2:
        return
    first, *more = measured
    call = f"data.pivot_table({first!r}, {person.name!r}, {condition.name!r})"
    likewise = f" Likewise {quote_names(more)}." if more else ""
    raise InvalidValueError(
        f"the rows are trials of each {person.name!r} under {quote_names(condition.label_texts)} "
        f"({condition.name!r}): these are compared by the means of each {person.name!r}, in Python "
        f'by `fastcompare.compare({call}, kind="items")`, where `data` is the table as a data '
        f"frame.{likewise}",
        parameter=condition.name,
    )


def trials_of(score: str, columns: Mapping[str, Column]) -> str | None:
    """Return the only column of numbers of trials of which `score` counts successes, else None.

    Some counts must be above 1: right and wrong answers are the scores of single trials.
    """
    counts = columns[score]
    words = {*split_words(score)}
    if not (counts.is_count and words & SUCCESSES) or words & SHARES or counts.present.max() < 2:
        return None
    trials = [c for n, c in columns.items() if n != score and is_of_trials(n) and c.is_count]
    if len(trials) != 1 or trials[0].present.min() < 1:
        return None
    successes, n = (np.asarray(c.numbers, float) for c in (counts, trials[0]))
    return trials[0].name if not (successes > n).any() else None


def with_shares(
    columns: Mapping[str, Column], keys: Sequence[str], scores: Sequence[str], named: Named
) -> tuple[Mapping[str, Column], Named, tuple[str, ...]]:
    """Return the columns with shares in place of counts of successes, options and a line on it.

    `keys` are the columns of models and rows of a long table, which comes back as it is if its
    scores count no successes. Rows but rounds are items, or data sets if few are called so.
    """
    free = {n: c for n, c in columns.items() if n not in keys}
    trials = trials_of(scores[0], free) if len(scores) == 1 else None
    if trials is None:
        return columns, named, ()
    (score,) = scores
    shares = np.asarray(columns[score].numbers, float) / np.asarray(columns[trials].numbers, float)
    row = columns[keys[1]]
    are_data_sets = row.distinct.size < FEW_ROWS and name_suggests(row.name, "dataset")
    if not (row.is_fold or named.sized):  # of rounds the sizes or the design are asked for
        kind = "datasets" if are_data_sets else "items"
        named = named.with_kind(kind, f"successes among {trials!r}")
    others = {n: c for n, c in columns.items() if n != trials}
    line = f"Values: shares of {trials!r}, of which {score!r} counts successes."
    return {**others, score: Column(score, numbers=shares)}, named, (line,)
