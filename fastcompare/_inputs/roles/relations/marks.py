"""Marks of right and wrong answers, beside the true answers, and how they differ from labels."""

from collections.abc import Collection, Mapping, Sequence
from typing import NoReturn

from ...._base.types import Fields
from ...names import RIGHT, WRONG, are_losses
from ..column import Column, right_answer
from ..question import ask
from ..reading import quote_names
from ..words import SUCCESSES, split_words
from . import kappa

CORRECT = frozenset(["correct", "right", "✓", "✔", "✅"])  # of answers; "ok" may be a status
LEAST_AGREEMENT = 0.2  # kappa of true labels and predictions of them
OF_CORRECTNESS = frozenset(  # names of marks, whatever the answers are
    [
        *("correct", "correctly", "correctness", "acc", "accuracy", "exact", "em"),
        *("richtig", "korrekt", "juste", "correcto", "correcta", "acierto", "corretto", "corretta"),
        *("correto", "correta", "certo"),
    ]
)
RIGHT_ANSWERS = "right answers"  # in the note of a column of marks in words
OF_SCORES = SUCCESSES | {"score", "scores", "match"}  # also names of predicted labels


def marks_answers(column: Column, truths: Collection[Column]) -> bool:
    """Return whether two values say that answers are right or wrong, and are no predicted labels.

    By their words or the name, such as acc, unless they agree with the true labels. By names such
    as score only beside labels of several classes with which they do not agree: a hit may be a
    predicted label, too.
    """
    if column.note.startswith(RIGHT_ANSWERS):
        return True
    if not column.has_two or right_answer(column) is None or are_losses([column.name]):
        return False
    words, values = {*split_words(column.name)}, words_of(column)
    agree = any(kappa(column, truth) >= LEAST_AGREEMENT for truth in truths)
    if words & OF_CORRECTNESS:
        return not agree
    named_so = bool(words & OF_SCORES or values & RIGHT)
    if values == {"c", "i"} and named_so:
        return True
    if column.texts is not None and any(values & words_of(truth) for truth in truths):
        return False
    if values & CORRECT and values <= RIGHT | WRONG:
        return True
    are_of_several = bool(truths) and all(truth.distinct.size > 2 for truth in truths)
    return named_so and are_of_several and not agree


def ask_doubtful_marks(column: Column, truths: Collection[Column]) -> None:
    """Raise where values called correct, say, agree with true labels as predictions of these do."""
    if not {*split_words(column.name)} & OF_CORRECTNESS or not column.has_two:
        return
    for truth in truths:
        if right_answer(column) is not None and kappa(column, truth) >= LEAST_AGREEMENT:
            ask_marks([column.name], truth, [{"kind": "items"}, {"kind": "labels"}])


def ask_marks(names: Sequence[str], truth: Column, ways: Sequence[Fields]) -> NoReturn:
    """Raise where values may be marks of answers, or labels that models predicted."""
    question = f"are the values of {quote_names(names)} marks of right and wrong answers"
    has_ways = len(ways) > 1
    ask(f"{question}{', or labels as those of ' * has_ways}{repr(truth.name) * has_ways}?", ways)


def ask_marks_beside_classes(models: Mapping[str, Column], label: Column) -> None:
    """Raise where all models have 0 and 1 beside labels of several classes, with no agreement."""
    if len(models) < 2 or label.has_two or not all(map(has_zeros_and_ones, models.values())):
        return
    if label.distinct.size < 3:
        return
    two = [column for column in models.values() if column.has_two]
    if two and all(kappa(column, label) < LEAST_AGREEMENT for column in two):
        may_be_labels = any(words_of(column) & words_of(label) for column in two)
        ways: list[Fields] = [
            {"kind": "items", "models": [*models]},
            *[{"kind": "labels"}] * may_be_labels,
        ]
        ask_marks([*models], label, ways)


def has_zeros_and_ones(column: Column) -> bool:
    """Return whether all values of a column are 0 or 1, as numbers or texts."""
    return (column.has_two or column.is_constant) and {*column.label_texts} <= {"0", "1"}


def words_of(column: Column) -> frozenset[str]:
    """Return the distinct values as texts in lower case."""
    return frozenset(text.casefold() for text in column.label_texts)
