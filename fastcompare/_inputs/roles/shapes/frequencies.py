"""Tables that count the cases with each combination of labels: Test1, Test2, Disease and Count.

Such a table is as good as its cases, which are written out. It has a row for each combination, and
its columns are labels, of which two at least have the same values, beside the counts.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np

from ...._base.exceptions import InvalidValueError
from ..column import Column
from ..footers import without_total
from ..reading import Named, unused_column_lines
from ..words import ROLES, name_suggests, split_words
from .idle import without_idle_columns

BESIDE_COUNTED = {*ROLES["counted"], *ROLES["frequency"], *ROLES["number"]}
MOST_LABELS = 10  # distinct values of a column
MOST_CASES = 10**6  # that are written out
SMALLEST_SHARE = 0.5  # of all combinations that have a row


def cases_of_frequencies(
    columns: dict[str, Column], named: Named, decimal: str = "."
) -> tuple[dict[str, Column], Named, tuple[str, ...]]:
    """Return the cases of a table of counts, options without weights that are them, and lines.

    Other tables come back as they are, as do those whose counts an option gives another role.
    A last row with their sum is no combination.
    """
    unchanged = columns, named, ()
    varying = without_idle_columns(columns)
    needed = {n: c for n, c in columns.items() if n in varying or is_frequency(n) or is_flag(c)}
    labels = {n: c for n, c in needed.items() if not is_frequency(n)}
    others = [n for n in needed if n not in labels]
    roles = (named.label, named.id, named.groups, named.time, named.event)
    if len(others) != 1 or others[0] in (*roles, *(named.models or ()), *(named.long or ())):
        return unchanged
    combinations, footer_lines = without_total(columns, [*labels], others[0], decimal)
    labels = {name: combinations[name] for name in labels}
    count = combinations[others[0]]
    if not counts_cases(count, len(labels)) or not are_combinations([*labels.values()]):
        return unchanged
    times = np.asarray(count.numbers, np.int64)
    if times.sum() > MOST_CASES:
        raise InvalidValueError(
            f"the counts in {count.name!r} sum to {times.sum():,} cases, more than the "
            f"{MOST_CASES:,} that are written out: pass a table with a row for each case.",
            parameter=count.name,
        )
    rows = np.repeat(np.arange(count.n), times)
    if named.weights == count.name:
        named = replace(named, weights=None)
    line = f"Rows: {rows.size} cases; {count.name!r} counts those of each row."
    lines = (line, *footer_lines, *unused_column_lines(columns, needed, {}))
    return {name: c.take(rows) for name, c in labels.items()}, named, lines


def is_flag(column: Column) -> bool:
    """Return whether all numbers of a column are 0, or all are 1, as of a constant test."""
    return column.is_number and column.is_constant and column.is_whole and column.is_share


def is_frequency(name: str) -> bool:
    """Return whether a name is that of a number of cases: count, n, 'number of patients'."""
    counts = name_suggests(name, "frequency") or name_suggests(name, "counted")
    return counts and {*split_words(name)} <= BESIDE_COUNTED


def counts_cases(count: Column, k: int) -> bool:
    """Return whether whole numbers may count the cases with each combination of k labels.

    Not the numbers of the rows, and not how many of the labels are positive.
    """
    if not count.is_count or count.missing.any() or count.is_bool or not k:
        return False
    return not (count.is_row_number or count.is_ranking) and int(count.present.max()) > k


def are_combinations(labels: Sequence[Column]) -> bool:
    """Return whether each row is another combination of labels, of which half or more are there.

    At least two columns have the same values.
    """
    sizes = [c.distinct.size for c in labels]
    if any(c.is_decimal or c.missing.any() or not c.has_few_values for c in labels):
        return False
    if max(sizes) > MOST_LABELS or labels[0].n < SMALLEST_SHARE * prod(sizes):
        return False
    values = [frozenset(text.casefold() for text in c.label_texts) for c in labels]
    rows = np.stack([c.codes for c in labels], axis=1)
    is_each_once = len(np.unique(rows, axis=0)) == len(rows)
    return is_each_once and len({*values}) < len(values)
