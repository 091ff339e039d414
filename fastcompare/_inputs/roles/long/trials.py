"""Long tables that count successes: how many of n samples of a task passed, by each model.

Models may have had different numbers of trials, so that only the shares can be compared.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ..column import Column
from ..reading import FEW_ROWS, Named
from ..words import SUCCESSES, is_of_trials, name_suggests, split_words

SHARES = {"percent", "percentage", "pct", "rate", "share", "proportion", "ratio"}


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
