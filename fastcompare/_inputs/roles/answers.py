"""Right and wrong answers of several models, in words or by the names of their columns."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from ..names import are_losses
from .column import Column, right_value
from .reading import Named, names_in
from .times import label_codes
from .words import RIGHT, is_clear_truth, is_outcome, speaks_for, split_words

CALLED = frozenset(["correct", "right", "passed", "solved", "success"])


def answers_in(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], Named, tuple[str, ...]]:
    """Return columns of right and wrong answers as 1 and 0, the rows as items, and a line on it.

    Such are two columns or more, where nothing else may be true labels. Words as of `RIGHT` say
    so, others where the names of columns do: gpt4_correct, llama_correct.
    """
    same = columns, named, ()
    if named.kind not in (None, "items") or named.label or named.time or named.event:
        return same
    two = {name: column for name, column in columns.items() if column.has_two}
    answers = {n: c for n, c in two.items() if {*split_words(n)} & CALLED}
    if len(answers) < 2:
        answers = {n: c for n, c in two.items() if words_of(c) & RIGHT}
        if any(map(is_clear_truth, columns)):
            return same
    if len(answers) < 2 or not are_alike(answers):
        return same
    right = {name: right_value(column) for name, column in answers.items()}
    others = [c for n, c in columns.items() if n not in answers and c.is_decimal]
    if others or None in right.values():
        return same
    numbers = {name: as_numbers(column, str(right[name])) for name, column in answers.items()}
    right_values = ", ".join(dict.fromkeys(repr(value) for value in right.values()))
    line = f"Values: right and wrong answers of {names_in(answers)} (right: {right_values})."
    named = replace(named, models=named.models or tuple(answers))
    return {**columns, **numbers}, named.with_kind("items", "with answers"), (line,)


def marks_as_numbers(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return columns of which those of marks in two words, called as scores are, are 1 and 0.

    Beside true labels and outcomes words are predictions; whether an error is right says none.
    """
    marks = {n: c for n, c in columns.items() if c.texts is not None and c.has_two}
    marks = {n: c for n, c in marks.items() if speaks_for(n, "metric") or words_of(c) & RIGHT}
    marks = {n: c for n, c in marks.items() if not are_losses([n])}
    if any(is_clear_truth(n) or (is_outcome(n) and n not in marks) for n in columns):
        return {**columns}
    right = {n: right_value(c) for n, c in marks.items()}
    numbers = {n: as_numbers(marks[n], value) for n, value in right.items() if value is not None}
    return {**columns, **numbers}


def are_alike(names: Collection[str]) -> bool:
    """Return whether names are of several models' answers: none of true labels, or of raters.

    Words that speak for labels or predictions are in all names or in none.
    """
    if any(speaks_for(name, role) for name in names for role in ("truth", "rater")):
        return False
    shared = (sum(speaks_for(name, role) for name in names) for role in ("prediction", "metric"))
    return {sum(map(is_outcome, names)), *shared} <= {0, len(names)}


def words_of(column: Column) -> frozenset[str]:
    """Return the different values as words."""
    return frozenset(text.casefold() for text in column.label_texts)


def as_numbers(column: Column, right: str) -> Column:
    """Return a column of 1 for a right answer and 0 for a wrong one, NaN where missing."""
    code = label_codes(column)[column.label_texts.index(right)]
    values = np.where(column.missing, np.nan, column.codes == code)
    return replace(column, numbers=values, texts=None, is_bool=False)
