"""Questions about a table whose columns' roles are unclear, with options that answer them."""

import shlex
from collections.abc import Sequence
from typing import Any, NoReturn

from ..._base.exceptions import InvalidValueError, hint
from ..._base.types import Fields
from .column import Column

IN_PYTHON = {"weights": "sample_weight"}
TYPED = {"models": "model", "scoring": "metric"}  # options, and how a shell has them
DIRECTIONS = {True: "--higher-is-better", False: "--lower-is-better"}  # flags without a value
EXAMPLE_OF_SIZES = {"n_train": 90, "n_test": 10}  # of rounds, where users know their own
MAX_NAMED = 5  # cells, or columns, that a message names


def option(**named: Any) -> str:
    """Return options as users type them: `label='a'` in Python, `--label a` in a shell."""
    if hint("an option as it is typed") != "--":
        arguments = {IN_PYTHON.get(name, name): value for name, value in named.items()}
        return ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    words = []
    for name, value in named.items():
        if name == "higher_is_better":
            words.append(DIRECTIONS[value])
            continue
        flag = f"--{TYPED.get(name, name).replace('_', '-')}"
        for single in value if isinstance(value, list) else [value]:  # a list repeats the flag
            text = ",".join(map(quote_name, single)) if isinstance(single, tuple) else str(single)
            words.append(f"{flag} {shlex.quote(text)}")
    return " ".join(words)


def quote_name(name: str) -> str:
    """Return a name for a list of names between commas, in quotes where it has a comma."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


class QuestionError(InvalidValueError):
    """A question about a table; each of its `ways` to answer is a mapping of options."""

    def __init__(self, text: str, ways: Sequence[Fields], more: str = "") -> None:
        """Join the text of the question and the options that answer it; `more` ends the message."""
        *earlier, last = [text_of_way(way) for way in ways]
        chosen = " or ".join(filter(None, [", ".join(earlier), last]))
        parameter = next(iter(ways[0]), None)
        super().__init__(f"{text} Specify {chosen}.{more}", parameter=parameter)
        self.text, self.ways, self.more = text, ways, more


def text_of_way(way: Fields) -> str:
    """Return the options of a way to answer, with the words that sizes in it are an example."""
    typed = f"`{option(**way)}`"
    is_example = EXAMPLE_OF_SIZES.items() <= way.items()
    return f"the sizes of training and test sets (for example {typed})" if is_example else typed


def ask(question: str, ways: Sequence[Fields], more: str = "") -> NoReturn:
    """Raise with a question and the ways to answer it."""
    raise QuestionError(question, ways, more)


def refuse_faults(columns: Sequence[Column]) -> None:
    """Raise where columns of numbers have cells that are none, with the first of these cells."""
    faulty = [column for column in columns if column.faults]
    if not faulty:
        return
    cells = [(fault, column.name) for column in faulty for fault in column.faults]
    cells.sort(key=lambda pair: pair[0].row)
    sentences = [f"column {name!r} has {fault.text!r} in row {fault.row}" for fault, name in cells]
    more = f", and {len(sentences) - MAX_NAMED} more" if len(sentences) > MAX_NAMED else ""
    raise InvalidValueError(
        f"numbers and something else: {'; '.join(sentences[:MAX_NAMED])}{more}. Correct these "
        "cells, write NA where a value is missing, or name the models: a column that is not "
        "named is not read.",
        parameter=cells[0][1],
        value=cells[0][0].text,
        row=cells[0][0].row,
    )


def ask_positive(column: Column) -> Any:
    """Raise with the question which of the two labels of a column is positive."""
    first, second = column.label_texts
    ask(
        f"which label of {column.name!r} is the positive class, {first!r} or {second!r}?",
        [{"pos_label": as_value(column, text)} for text in (first, second)],
    )


def as_value(column: Column, text: str) -> Any:
    """Return the value of a column that a text stands for; the text itself where there is none."""
    if column.texts is not None:
        return text
    for value in column.distinct.tolist():
        if text in (f"{value:.15g}", str(value), str(bool(value)), str(bool(value)).lower()):
            return bool(value) if column.is_bool else value
    return text
