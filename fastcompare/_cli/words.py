"""Messages of the library in the words of the command line: options, columns, lines of files."""

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from .._adapters.tables import FileTable

ALIASES = {  # parameters of the library, and those of commands that give them
    "scores": ("score", "model"),
    "predictions": ("prediction",),
    "probabilities": ("probability",),
    "y_true": ("label",),
    "separator": ("sep",),
    "rng": ("seed",),
    "sample_weight": ("weights",),
    "groups": ("groups", "cluster"),
    "higher_is_better": ("lower_is_better",),
    "tests": ("test",),
    "effects": ("effect",),
    "sizes": ("n",),
    "size": ("n",),
}
ADVICE = {  # in terms of Python, and what the command line has instead
    "pass the `data`, as compare takes them": "name a file, as `fastcompare compare` takes it",
    "contradicts `data`": "contradicts the file",
    "pass y_true == label": "write a column that is 1 for it and 0 else",
    "threshold them first": "give --threshold",
    "by scoring_test": "by `fastcompare probabilities`",
    "use permutation_auc_test": "use `fastcompare auc --method permutation`",
    "use mcnemar_test": "use `fastcompare labels`",
    "use delong_test": "use `fastcompare auc`",
}
QUOTED = re.compile(r"`([^`]+)`")
GIVEN = re.compile(r"(?<![\w'\"])(\w+)=(?:'([^']*)'|([\w.]+))")
OF_MODEL = re.compile(r"\w+\[(['\"])(.*)\1\]")
PYTHON = re.compile("|".join(map(re.escape, ADVICE)))
PLACE = re.compile(r"\b(?:at index|in row) (\d+)\b(?!, \d)")


@dataclass(frozen=True)
class Words:
    """The options of a command by what the library calls them, and the table that was read."""

    options: Mapping[str, str] = field(default_factory=dict)
    label: str | None = None  # the column of labels
    table: FileTable | None = None
    notes: list[str] = field(default_factory=list)  # to say at the end
    whole: bool = True  # whether rows are counted as they are in the file
    usual: frozenset[str] = frozenset()  # options at their defaults, which no error is about

    def told(self, message: str) -> str:
        """Return a message of the library as the command line says it."""
        message = PYTHON.sub(lambda found: ADVICE[found[0]], message)
        message = QUOTED.sub(lambda found: self.named(found[1]), message)
        message = GIVEN.sub(self.option_given, message)
        return PLACE.sub(self.place_in_file, message)

    @property
    def data(self) -> str:
        """What `compare` calls so: the column of labels, or the file where it has none."""
        has_labels = self.table is not None and self.label in self.table.names
        return f"column {self.label!r}" if has_labels else "the file"

    def named(self, name: str) -> str:
        """Return the option or the column that the library calls so, else the name as it is."""
        if self.label is not None and name == "y_true":
            return f"column {self.label!r}"
        is_column = self.table is not None and name in self.table.names
        if name == "data" and not is_column:
            return self.data
        if name in self.options and not (is_column and name in self.usual):
            return f"`{self.options[name]}`"
        if model := OF_MODEL.fullmatch(name):
            return f"column {model[2]!r}"
        if is_column:
            return f"column {name!r}"
        return f"`{GIVEN.sub(self.option_given, name)}`"

    def option_given(self, found: re.Match[str]) -> str:
        """Return an option with its value, of flags alone; unchanged where there is no such one."""
        name, text, word = found.groups()
        if name not in self.options:
            return found[0]
        is_flag = word in ("True", "False")
        return self.options[name] if is_flag else f"{self.options[name]} {text or word}"

    def place_in_file(self, found: re.Match[str]) -> str:
        """Return the line of the file that has a row; unchanged where that is not known."""
        row = int(found[1])
        if self.table is None or not self.whole or row >= self.table.arrow.num_rows:
            return found[0]
        return f"in {self.table.place(row)}"


PLAIN = Words()
NOW: ContextVar[Words] = ContextVar("words", default=PLAIN)  # of the command that runs


def begin(parameters: Iterable[Any], given: Mapping[str, Any]) -> None:
    """Speak of this command's options from now on."""
    parameters = list(parameters)
    usual = {p.name for p in parameters if p.default is not None and given.get(p.name) == p.default}
    options = {param.name: max(param.opts, key=len) for param in parameters}
    options = {name: option for name, option in options.items() if option.startswith("--")}
    for alias, names in ALIASES.items():
        known = [options[name] for name in names if name in options]
        options.update({alias: known[0]} if known and alias not in options else {})
    whole = given.get("nan_policy") != "omit"
    NOW.set(Words(options, given.get("label"), whole=whole, usual=frozenset(usual)))


def remember(table: FileTable) -> FileTable:
    """Return the table, whose columns and rows messages are about from now on."""
    NOW.set(replace(NOW.get(), table=table))
    return table


def in_words(message: str) -> str:
    """Return a message of the library as the command that runs says it."""
    return NOW.get().told(message)


def note(message: str) -> None:
    """Let this be said when the command has succeeded."""
    NOW.get().notes.append(message)
