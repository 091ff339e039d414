"""Commands at a terminal: errors, warnings and notes by options and lines of files, and help.

The help of each command ends with examples that run.
"""

import os
import shlex
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

import fastcompare as fc

from .._adapters.delimited import FileTable
from .._base.exceptions import HINTS, InvalidValueError, Mark, model_named, translate_marks
from .._base.text import clean
from .flags import SECTIONS
from .former import RENAMED_OPTIONS, replacement_sentence

ALIASES = {  # parameters of the library, and those of commands that give them
    "scores": ("score", "model"),
    "models": ("model",),
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
COMMAND_HINTS = {  # what to do in Python, and what to do on the command line
    "an option as it is typed": "--",
    "pass the `data`, as for compare": "name a file, as for `fastcompare compare`",
    "contradicts `data`": "contradicts the file",
    "`a` must contain": "there must be",
    "Pass column 1, [:, 1], of each model": "Name the second of each model",
    "pass y_true == label": "write a column that is 1 for it and 0 else",
    "threshold them first": "give --threshold",
    "by scoring_test": "by --kind probabilities",
    "use permutation_auc_test": "use --test permutation for two models",
    "pass `cv`, the splitter of the rounds": "give --design kfold for one cross-validation",
    'to_frame(of="{kind}")': "--format json",
    "use delong_test": "use --test delong",
    "pass higher_is_better=False": "give --lower-is-better",
    "pass higher_is_better=True": "give --higher-is-better",
    "multiply such scores by -1 (predicts='time' does so for all models)": (
        "multiply such a column by -1, or give --lower-is-better where all are so"
    ),
    "models=[{names}]": "--model for each of {names}",
    "models=[...] lists them": "--model once for each",
    "Call compare(data), which asks how the rounds were made": (
        "Run `fastcompare compare` on the file, which asks how the rounds were made"
    ),
    "pass a mapping of the columns of the models": "specify `--kind items`",
}
RERUN_HINTS = {  # what to do in Python, and with which options to run the same command again
    (
        "To compare the models within groups (users, queries) only, call fastcompare.{call}."
    ): "To compare the models within groups (users, queries) only: `{command} --test within-auc`."
}


def command_hints() -> dict[str, str]:
    """Return hints in terms of the command that runs, by the hints in terms of Python."""
    command, _ = command_and_notes(without=())
    escaped = command.replace("{", "{{").replace("}", "}}")  # since hints are formats
    rerun_hints = {way: text.replace("{command}", escaped) for way, text in RERUN_HINTS.items()}
    return COMMAND_HINTS | rerun_hints


@dataclass(frozen=True)
class CommandWords:
    """How the command that runs words messages of the library: its options, and the table read."""

    options: Mapping[str, str] = field(default_factory=dict)  # by the parameters of the library
    label: str | None = None  # the column of labels
    table: FileTable | None = None
    notes: list[str] = field(default_factory=list)  # to print when the command has succeeded
    in_file_order: bool = True  # whether rows are numbered as they are in the file
    usual: frozenset[str] = frozenset()  # options at their defaults, which no error is about
    typed: tuple[tuple[str, str], ...] = ()  # parameters that were given, as a shell takes them

    def translate(self, message: str) -> str:
        """Return a message of the library with options, columns and lines of files in it."""
        ways = {"name": self.named, "option": self.option_given, "place": self.place_in_file}
        return translate_marks(message, ways)

    @property
    def data(self) -> str:
        """The words for the parameter `data`: the column of labels, or ``the file``."""
        has_labels = self.table is not None and self.label in self.table.names
        return f"column {self.label!r}" if has_labels else "the file"

    def named(self, mark: Mark) -> str:
        """Return the words for a parameter: its option, its column, or its name as it is."""
        name = str(mark["name"])
        if self.label is not None and name == "y_true":
            return f"column {self.label!r}"
        is_column = self.table is not None and name in self.table.names
        if not is_column and (name == "data" or (name == "scores" and self.label is None)):
            return self.data
        if name in self.options and not (is_column and name in self.usual):
            return f"`{self.options[name]}`"
        if model := model_named(name):
            return f"column {model!r}"
        if is_column:
            return f"column {name!r}"
        return f"`{translate_marks(name, {'option': self.option_given})}`"

    def option_given(self, mark: Mark) -> str:
        """Return the words for ``option=value``: ``--option value``, or ``--option``, a flag.

        Unchanged if the command has no such option.
        """
        name = str(mark["option"])
        if name not in self.options:
            return str(mark["whole"])
        text, word = mark["text"], mark["word"]  # the text between quotes, or else a bare word
        is_flag = word in ("True", "False")
        value = word if text is None else shlex.quote(text)
        return self.options[name] if is_flag else f"{self.options[name]} {value}"

    def place_in_file(self, mark: Mark) -> str:
        """Return the line of the file in place of ``at row 3``; unchanged if it is unknown."""
        row = int(str(mark["row"]))
        if self.table is None or not self.in_file_order or row >= self.table.arrow.num_rows:
            return str(mark["whole"])
        return f"in {self.table.place(row)}"


NO_COMMAND = CommandWords()
CURRENT_COMMAND: ContextVar[CommandWords] = ContextVar("words", default=NO_COMMAND)


def set_command(command: str, parameters: list[Any], values: Mapping[str, Any]) -> None:
    """Let messages name the options of this command, which has these `values`, from now on."""
    name = "compare" if command == "report" else command  # a page shows how to print its result
    typed = (("", f"fastcompare {name}"), *typed_parameters(parameters, values))
    usual = {
        p.name for p in parameters if p.default is not None and values.get(p.name) == p.default
    }
    long_names = {p.name: [opt for opt in p.opts if opt.startswith("--")] for p in parameters}
    options = {name: names[0] for name, names in long_names.items() if names}
    for alias, names in ALIASES.items():
        present = [options[name] for name in names if name in options]
        if present and alias not in options:
            options[alias] = present[0]
    CURRENT_COMMAND.set(
        CommandWords(
            options=options,
            label=values.get("label"),
            usual=frozenset(usual),
            typed=typed,
        )
    )


def typed_parameters(
    parameters: list[Any], arguments: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield the parameters that differ from their defaults, each as it is typed in a shell."""
    for p in parameters:
        value = arguments.get(p.name)
        if value in (None, p.default) or value == ():
            continue
        values = value if isinstance(value, list | tuple) else [value]
        if p.param_type_name == "argument":
            yield p.name, shlex.join(map(str, values))
        elif isinstance(value, bool):
            yield p.name, (p.opts if value else p.secondary_opts)[0]
        else:
            yield p.name, " ".join(f"{p.opts[0]} {shlex.quote(str(item))}" for item in values)


def command_and_notes(without: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Return the command line that runs, without these parameters, and its notes so far."""
    current = CURRENT_COMMAND.get()
    command = " ".join(text for name, text in current.typed if name not in without)
    return command, tuple(current.notes)


def set_table(table: FileTable) -> FileTable:
    """Let messages name the columns and lines of this table from now on; return the table."""
    CURRENT_COMMAND.set(replace(CURRENT_COMMAND.get(), table=table))
    return table


def forget_row_order() -> None:
    """Let messages name no lines of the file from now on, since its rows were reordered."""
    CURRENT_COMMAND.set(replace(CURRENT_COMMAND.get(), in_file_order=False))


def translate_message(message: str) -> str:
    """Return a message of the library in the words of the command that runs."""
    return CURRENT_COMMAND.get().translate(message)


def add_note(message: str) -> None:
    """Add a note, which is printed when the command has succeeded."""
    CURRENT_COMMAND.get().notes.append(message)


WARNINGS = (
    fc.UndefinedResultWarning,
    fc.DroppedCasesWarning,
    fc.SmallSampleWarning,
    fc.DesignWarning,
    fc.EvalWarning,
)


class Commands(TyperGroup):
    """Commands whose errors are one line on stderr and exit code 2."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return a command, or raise for one that `compare` has replaced, with the new call."""
        if args and args[0] in RENAMED_OPTIONS:
            raise InvalidValueError(replacement_sentence(args[0], args[1:]))
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Run a command and leave the process, with status 2 after an error that users can mend."""
        try:
            with one_line_warnings():
                code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except Exception as error:
            message = user_error_message(error)
            if message is None:
                raise
            print_message("error", message)
            discard_unwritten_output()
            code = 2
        sys.exit(code or 0)


def discard_unwritten_output() -> None:
    """Discard output that a full disk did not take.

    Otherwise Python would try to write it again, and exit with status 120.
    """
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def user_error_message(error: Exception) -> str | None:
    """Return the message of an error that users can mend; None if it is a fault of the library."""
    if hasattr(error, "format_message"):  # typer's and click's own, wherever their classes live
        return str(error.format_message())
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename!r}" if error.filename else error.strerror
    expected = isinstance(error, fc.FastCompareError | ImportError | MemoryError | OSError)
    return (str(error) or type(error).__name__) if expected else None


def print_message(kind: str, message: str) -> None:
    """Print ``fastcompare: kind: message`` on stderr as one line, in its encoding."""
    line = f"fastcompare: {kind}: {' '.join(translate_message(message).split())}"
    typer.echo(encodable(clean(line), sys.stderr), err=True)


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Print each warning of this package as one line on stderr, those of equal text once."""
    printed = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        if str(message) not in printed:
            print_message("warning", str(message))
        printed.add(str(message))

    with warnings.catch_warnings():
        for category in WARNINGS:
            warnings.simplefilter("always", category)
        warnings.showwarning = show
        yield


def encodable(text: str, stream: Any) -> str:
    r"""Return the text with characters that the stream cannot encode as ``\xe9`` and the like."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


MOST_UNGROUPED = 12  # options, which need no groups
EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "evals": (
        ("two logs", "new.eval old.eval"),
        (
            "exit status 3 unless the new model is non-inferior at a margin of 0.02",
            "new.eval old.eval --margin 0.02 --fail-if not-noninferior",
        ),
    ),
    "leaderboard": (
        ("two logs", "new.eval old.eval"),
        ("as a picture", "new.eval old.eval --alpha 0.1 -o ranks.png"),
    ),
    "compare": (
        ("scores of cases, true labels in column y", "predictions.csv --label y --kind scores"),
        (
            "exit status 3 if the first model is worse than another",
            "predictions.csv --label y --fail-if worse",
        ),
        (
            "labels by a threshold, as a table and a page",
            "predictions.csv --label y --threshold 0.5 -o a.tex -o a.md",
        ),
        (
            "log losses from a pipe",
            "- --label y --rule log --clip 1e-6 < predictions.csv",
        ),
        ("cross-validation scores, one column per model", "folds.csv --n-train 900 --n-test 100"),
        ("data sets, all models against one", "datasets.csv --control c --test wilcoxon"),
        ("logs of evaluation harnesses, as a page", "new.eval old.eval -o page.html"),
    ),
    "recommend": (
        ("before collecting data", "--kind folds --n-models 3 --n 10"),
        (
            "for a file, with simulated type I errors",
            "folds.csv --n-train 900 --n-test 100 --measure",
        ),
    ),
    "simulate": (
        ("type I errors of all tests for ten folds", "--kind folds --n 10"),
        (
            "power of DeLong's test by sample size",
            "--test delong --auc 0.8 --effect 0.05 --n 100 --n 400",
        ),
    ),
    "report": (
        ("the page is report.html", "folds.csv --n-train 900 --n-test 100"),
        ("scores of cases", "predictions.csv --label y --kind scores -o page.html"),
    ),
    "warmup": (
        ("once, after installation", ""),
        ("for some kinds of data only", "auc items --progress"),
    ),
    "info": (("for a bug report", ""), ("for a program", "--format json")),
}


class Command(TyperCommand):
    """A command whose errors and warnings name its options."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command; print its notes if it succeeds."""
        set_command(self.name or "", self.params, ctx.params)
        token = HINTS.set(command_hints())
        try:
            status = super().invoke(ctx)
        finally:
            HINTS.reset(token)
        for message in CURRENT_COMMAND.get().notes:
            print_message("note", message)
        return status

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options in the groups of `SECTIONS`; few options in a single group."""
        records = {p.name: p.get_help_record(ctx) for p in self.get_params(ctx)}
        rows = {name: record for name, record in records.items() if record is not None}
        listed = {name for names in SECTIONS.values() for name in names}
        groups = {title: [n for n in names if n in rows] for title, names in SECTIONS.items()}
        groups["Output"] += [name for name in rows if name not in listed]  # --help, for example
        if len(rows) <= MOST_UNGROUPED:
            groups = {"Options": list(rows)}
        for title, names in groups.items():
            if names:
                with formatter.section(title):
                    formatter.write_dl([rows[name] for name in names])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples without wrapping their lines."""
        formatter.write("\nExamples:\n")
        for purpose, arguments in EXAMPLES.get(self.name or "", ()):
            formatter.write(f"  # {purpose}\n  {f'fastcompare {self.name} {arguments}'.strip()}\n")
