"""The columns of a long table that have the scores of models."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...._adapters.delimited import Coded
from ...names import CUTS, DISPERSIONS, HELD_OUT, RATES, TRAINING
from ..column import Column
from ..reading import Named
from ..relations import is_constant_within, is_thresholded
from ..relations.labels import have_common_values
from ..words import (
    ERROR_COUNTS,
    is_clear_truth,
    name_suggests,
    split_words,
    words_and_joined,
)
from .trials import trials_of

WORDS_OF_IDS = [(word,) for word in ("id", "ids", "uid", "uuid", "nr", "no", "idx", "index")]
SPECIFICITIES = {"sp", "spec", "specificity"}  # beside which se is the sensitivity
ROLES_OF_OTHER_NUMBERS = (
    "measure",
    "time",
    "weight",
)  # that names of numbers beside scores suggest


def score_columns(
    columns: Mapping[str, Column], model: str, rows: tuple[str, ...], named: Named
) -> list[str]:
    """Return the columns of scores: numbers that differ between the models of a row.

    Without any, the first column of words that the true labels of the rows have, too; else [].
    """
    keys = row_column(columns, rows)
    others = {
        n: c
        for n, c in columns.items()
        if n not in (model, *rows, named.label, *named.auxiliary) and not c.is_fold
    }
    same_in_row = [n for n, c in others.items() if is_constant_within(c, keys)]
    varying = [n for n in others if n not in same_in_row and not is_clear_truth(n)]
    numbers = [n for n in varying if others[n].is_number or others[n].is_bool]
    numbers = [n for n in numbers if not is_constant_within(others[n], columns[model])]
    numbers = [n for n in numbers if not others[n].is_row_number] or numbers
    numbers = without_error_counts(without_cuts(numbers), columns)
    trials = {trials_of(n, others) for n in numbers}
    numbers = [n for n in numbers if n not in trials]
    numbers = [n for n in numbers if not is_beside_scores(others[n], numbers)] or numbers
    if len(numbers) > 1:
        has_labels = named.label is not None or any(others[n].has_two for n in same_in_row)
        hard = hard_labels({n: others[n] for n in numbers}, has_labels)
        numbers = [n for n in numbers if n not in hard or len(hard) == len(numbers)]
        scores = [
            n for n in numbers if not any(name_suggests(n, r) for r in ROLES_OF_OTHER_NUMBERS)
        ]
        numbers = sorted(scores or numbers, key=lambda n: HELD_OUT.isdisjoint(split_words(n)))
    if not numbers:
        of_rows = [n for n in (*same_in_row, named.label) if n is not None]
        truths = [columns[n] for n in of_rows if columns[n].texts is not None]
        return [n for n in varying if any(have_common_values(others[n], c) for c in truths)][:1]
    return numbers


def is_beside_scores(column: Column, names: Sequence[str]) -> bool:
    """Return whether a name among others says that numbers are ids, seeds, spreads or of training.

    Scores of training are so only beside those of test or validation with the same name.
    """
    words = {*split_words(column.name)}
    is_id = split_words(column.name)[-1:] in WORDS_OF_IDS or name_suggests(column.name, "fold")
    is_rate = words == {"se"} and any({*split_words(name)} & SPECIFICITIES for name in names)
    if (words & DISPERSIONS and not is_rate) or (column.is_whole and is_id):
        return True
    if not words & TRAINING:
        return False
    others = ({*split_words(name)} for name in names)
    return any(other & HELD_OUT and other - HELD_OUT == words - TRAINING for other in others)


def without_cuts(names: Sequence[str]) -> list[str]:
    """Return names without those of cutoffs, and of rates at these; all, if none were left."""
    cuts = [n for n in names if not CUTS.isdisjoint(split_words(n))]
    rates = [n for n in names if cuts and not RATES.isdisjoint(words_and_joined(n))]
    no_cuts = [n for n in names if n not in cuts]
    return [n for n in no_cuts if n not in rates] or no_cuts or [*names]


def without_error_counts(names: Sequence[str], columns: Mapping[str, Column]) -> list[str]:
    """Return names without those of counts of errors, and totals of these, beside metrics."""
    words = {n: {*split_words(n)} for n in names if columns[n].is_count}
    counts = [n for n in words if words[n] & ERROR_COUNTS]
    counts += [n for n in words if counts and "total" in words[n]]
    are_beside_metrics = any(name_suggests(n, "metric") for n in names if n not in counts)
    return [n for n in names if n not in counts] if are_beside_metrics else [*names]


def hard_labels(numbers: Mapping[str, Column], has_labels: bool) -> list[str]:
    """Return the columns of two values that are another column's scores cut at a threshold.

    Without true labels in the table only those called predictions: a hit may then be a score.
    """
    decimals = [c for c in numbers.values() if c.is_decimal]  # these have no two values
    return [
        name
        for name, column in numbers.items()
        if column.has_two
        and (has_labels or name_suggests(name, "prediction"))
        and any(is_thresholded(column, score) for score in decimals)
    ]


def row_column(columns: Mapping[str, Column], rows: tuple[str, ...]) -> Column:
    """Return the column that names the rows of a long table, or of combinations if several do."""
    return columns[rows[0]] if len(rows) == 1 else combine_columns([columns[name] for name in rows])


def combine_columns(columns: Sequence[Column]) -> Column:
    """Return one column whose values are the combinations of values of several columns."""
    codes = columns[0].codes
    for column in columns[1:]:
        combined = codes * max(column.distinct.size, 1) + column.codes
        codes = np.unique(combined, return_inverse=True)[1].reshape(-1)
    labels = list(map(str, range(int(codes.max(initial=-1)) + 1)))
    return Column(" ".join(c.name for c in columns), texts=Coded(labels, codes))
