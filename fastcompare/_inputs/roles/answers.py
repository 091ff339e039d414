"""Right and wrong answers of several models, recognized by their words or column names."""

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from ..._adapters.delimited import Coded
from ..names import are_losses
from .column import Column, right_answer
from .reading import Named, quote_names
from .times import label_codes
from .words import RIGHT, WRONG, is_clear_truth, is_outcome, name_suggests, split_words

CORRECT = frozenset(["correct", "right", "✓", "✔", "✅"])  # of answers; "ok" may be a status
NEITHER = frozenset(  # of graded answers, neither right nor wrong
    [
        *("refused", "refusal", "refuse", "not_attempted", "not attempted", "abstain", "abstained"),
        *("abstention", "skipped", "skip", "unanswered", "no answer", "no_answer", "timeout"),
        *("error", "errored", "invalid", "unknown", "idk", "hedged", "no response", "crash"),
    ]
)
MOST_GRADES = 5
WORDS_OF_ANSWERS = frozenset(["correct", "right", "passed", "solved", "success"])


def answers_in(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], Named, tuple[str, ...]]:
    """Return the table with answers as 1 and 0, options that make rows items, and a line.

    Answers are two columns or more with words such as correct and wrong, or with names such as
    gpt4_correct, where no column may have true labels. Other tables come back as they are.
    """
    columns, notes = graded_answers(columns, named)
    same = columns, named, notes
    if named.kind not in (None, "items") or named.label or named.time or named.event:
        return same
    two = {name: column for name, column in columns.items() if column.has_two}
    answers = {n: c for n, c in two.items() if {*split_words(n)} & WORDS_OF_ANSWERS}
    if len(answers) < 2:
        answers = {n: c for n, c in two.items() if words_of(c) & RIGHT}
        if any(map(is_clear_truth, columns)):
            return same
    if len(answers) < 2 or not are_alike(answers):
        return same
    right = {name: right_answer(column) for name, column in answers.items()}
    others = [c for n, c in columns.items() if n not in answers and c.is_decimal]
    if others or None in right.values():
        return same
    numbers = {
        name: as_zeros_and_ones(column, str(right[name])) for name, column in answers.items()
    }
    right_values = ", ".join(dict.fromkeys(repr(value) for value in right.values()))
    line = f"Values: right and wrong answers of {quote_names(answers)} (right: {right_values})."
    named = replace(named, models=named.models or tuple(answers))
    return {**columns, **numbers}, named.with_kind("items", "with answers"), (*notes, line)


def graded_answers(
    columns: dict[str, Column], named: Named
) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Return columns of answers whose third grades, as refused, are the wrong one; and a line."""
    columns_of_words = {
        n: c for n, c in columns.items() if c.texts is not None and c.has_few_values
    }
    graded = {n: c for n, c in columns_of_words.items() if len(words_of(c) & RIGHT) == 1}
    graded = {n: c for n, c in graded.items() if words_of(c) <= RIGHT | WRONG | NEITHER}
    others = frozenset[str]().union(*map(words_of, graded.values())) & NEITHER
    right = frozenset[str]().union(*map(words_of, graded.values())) & RIGHT
    wrong = sorted({t for c in graded.values() for t in c.label_texts if t.casefold() in WRONG})
    sizes = [c.distinct.size for c in graded.values()]
    if len(graded) < 2 or not others or len(right) != 1 or len(wrong) != 1:
        return columns, ()
    if max(sizes) > MOST_GRADES or any(map(is_clear_truth, columns)) or named.label in graded:
        return columns, ()
    if not right <= CORRECT or not are_alike(graded) or any(map(is_outcome, graded)):
        return columns, ()
    line = f"Grades {quote_names(sorted(others))} of {quote_names(graded)} count as {wrong[0]!r}."
    return {**columns, **{n: without_third(c, wrong[0]) for n, c in graded.items()}}, (line,)


def without_third(column: Column, wrong: str) -> Column:
    """Return a column of answers in which all that is neither right nor wrong is wrong."""
    assert column.texts is not None
    texts = [wrong if text.casefold() in NEITHER else text for text in column.texts.labels]
    labels = sorted({*texts})
    places = np.array([*map(labels.index, texts), -1])
    return replace(column, texts=Coded(labels, places[column.texts.codes]))


def marks_as_numbers(columns: Mapping[str, Column]) -> dict[str, Column]:
    """Return the columns, with right and wrong answers in words replaced by 1 and 0.

    None is replaced beside true labels, where words are predictions, nor in a column of losses.
    """
    marks = {n: c for n, c in columns.items() if c.texts is not None and c.has_two}
    marks = {n: c for n, c in marks.items() if name_suggests(n, "metric") or words_of(c) & RIGHT}
    marks = {n: c for n, c in marks.items() if not are_losses([n])}
    if any(is_clear_truth(n) or (is_outcome(n) and n not in marks) for n in columns):
        return {**columns}
    right = {n: right_answer(c) for n, c in marks.items()}
    numbers = {
        n: as_zeros_and_ones(marks[n], value) for n, value in right.items() if value is not None
    }
    return {**columns, **numbers}


def are_alike(names: Collection[str]) -> bool:
    """Return whether names may be of answers of several models: none is of labels or raters.

    Words of outcomes, predictions or metrics are in all names or in none.
    """
    if any(name_suggests(name, role) for name in names for role in ("truth", "rater")):
        return False
    shared = (sum(name_suggests(name, role) for name in names) for role in ("prediction", "metric"))
    return {sum(map(is_outcome, names)), *shared} <= {0, len(names)}


def words_of(column: Column) -> frozenset[str]:
    """Return the distinct values as texts in lower case."""
    return frozenset(text.casefold() for text in column.label_texts)


def as_zeros_and_ones(column: Column, right: str) -> Column:
    """Return the column with 1 where it has the text `right`, else 0; NaN where missing."""
    code = label_codes(column)[column.label_texts.index(right)]
    values = np.where(column.missing, np.nan, column.codes == code)
    return replace(column, numbers=values, texts=None, is_bool=False)
