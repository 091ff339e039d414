"""What is asked where nothing tells the role of a column: each way that it names works as typed."""

import shlex
from collections.abc import Sequence
from typing import Any, NoReturn

from ..._base.exceptions import InvalidValueError, hint
from ..._base.types import Fields
from .column import Column

IN_PYTHON = {"weights": "sample_weight"}
TYPED = {"models": "model", "scoring": "metric"}  # options, and how a shell has them
MAX_NAMED = 5  # cells, or columns, that a message names


def option(**named: Any) -> str:
    """Return options as whoever listens types them: `label='a'`, or `--label a`."""
    if hint("an option as it is typed") != "--":
        arguments = {IN_PYTHON.get(name, name): value for name, value in named.items()}
        return ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    words = []
    for name, value in named.items():
        flag = f"--{TYPED.get(name, name).replace('_', '-')}"
        many = value if isinstance(value, list) else [value]
        text = [
            ",".join(map(quote_name, one)) if isinstance(one, tuple) else str(one) for one in many
        ]
        words += [f"{flag} {shlex.quote(one)}" for one in text]
    return " ".join(words)


def quote_name(name: str) -> str:
    """Return a name as one of several between commas."""
    return '"' + name.replace('"', '""') + '"' if "," in name or '"' in name else name


class QuestionError(InvalidValueError):
    """A question about a table, and the ways to answer it: each a mapping of options."""

    def __init__(self, text: str, ways: Sequence[Fields], more: str = "") -> None:
        every = [f"`{option(**way)}`" for way in ways]
        chosen = " or ".join(filter(None, [", ".join(every[:-1]), every[-1]]))
        parameter = next(iter(ways[0]), None)
        super().__init__(f"{text} Specify {chosen}.{more}", parameter=parameter)
        self.text, self.ways, self.more = text, ways, more


def ask(question: str, ways: Sequence[Fields], more: str = "") -> NoReturn:
    """Raise with a question and the ways to answer it."""
    raise QuestionError(question, ways, more)


def refuse_faults(columns: Sequence[Column]) -> None:
    """Raise with all cells that are no numbers in columns of numbers."""
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
