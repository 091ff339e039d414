"""The command line: read a file, call a public function, print what it returns."""

from collections.abc import Callable, Sequence
from importlib.resources import as_file
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

import fastcompare as fc

from ._adapters.files import Table, read_table
from ._corrections import CORRECTIONS
from ._exceptions import InvalidValueError
from ._inputs import check_choice
from ._tables import Comparison
from ._terminal import FORMATS, Commands, check_target, deliver, say
from .datasets import predictions_file

SOURCES = {None: "Bundled predictions (Breast Cancer Wisconsin)", "-": "Standard input"}
SEPARATORS = {"tab": "\t", "\\t": "\t"}
BOOLEANS = {"true": True, "false": False}
PARSERS: dict[type, Callable[[str], object]] = {
    bool: lambda text: BOOLEANS.get(text.lower(), text),
    int: int,
    float: float,
}


app = typer.Typer(
    cls=Commands, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
)


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        typer.echo(f"fastcompare {fc.__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True),
]


@app.callback(invoke_without_command=True)
def fastcompare(context: typer.Context, version: Version = False) -> None:
    """Do these classifiers really differ? Statistical tests for classifiers that share cases."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def option(help_text: str, *names: str) -> Any:
    """Return an option; `names` where they are not the parameter's."""
    return typer.Option(*names, help=help_text)


File = Annotated[
    str | None,
    typer.Argument(
        help="A CSV (perhaps .gz) or Parquet file with a row for each case; - is standard input. "
        "Without it, the predictions that come with fastcompare are compared."
    ),
]
Label = Annotated[str, option("The column of labels.")]
Score = Annotated[
    list[str] | None,
    option("A column of scores; say it once for each model. Default: all other numeric columns."),
]
PosLabel = Annotated[
    str | None, option("The label of the positive class, where labels are not 0/1, -1/1 or bool.")
]
Direction = Annotated[str, option("two-sided, less or greater: first model minus second.")]
Correction = Annotated[
    str, option(f"How to adjust p-values for many pairs: {', '.join(CORRECTIONS)}.")
]
Level = Annotated[float, option("The level of the intervals, between 0 and 1.")]
Simultaneous = Annotated[
    bool,
    option("Widen the intervals of differences to cover all together.", "--simultaneous"),
]
Format = Annotated[
    str,
    option(
        "text, json, csv, markdown or latex. CSV is one table of the pairs with the AUCs of their "
        "models; JSON has everything."
    ),
]
Output = Annotated[
    Path | None, option("Write to this file, not to standard output.", "--output", "-o")
]
Force = Annotated[bool, option("Replace the output file if there is one.", "--force")]
Separator = Annotated[str, option("What separates the fields of a CSV file; tab is a tabulator.")]
Encoding = Annotated[str, option("How a CSV file is encoded.")]
NanPolicy = Annotated[
    str, option("raise or omit: what to do with cases that miss a label or a score.")
]
Jobs = Annotated[int, option("Threads; -1 is all cores.")]


@app.command()
def auc(
    file: File = None,
    label: Label = "y_true",
    score: Score = None,
    pos_label: PosLabel = None,
    alternative: Direction = "two-sided",
    correction: Correction = "holm",
    confidence_level: Level = 0.95,
    simultaneous: Simultaneous = False,
    format: Format = "text",
    output: Output = None,
    force: Force = False,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    nan_policy: NanPolicy = "raise",
    n_jobs: Jobs = 1,
) -> None:
    """Compare the AUCs of models that scored the same cases, all pairs, by DeLong's test.

    Prints each model's AUC with its standard error and interval, each pair's difference with its
    interval, z, p and adjusted p, and a sentence. Intervals of differences are not adjusted for the
    number of pairs unless --simultaneous is given.
    """
    check_choice("--format", format, FORMATS)
    check_target(output, force)

    y_true, scores = read_cases(read(file, sep, encoding), label, score)

    result = fc.delong_pairwise_test(
        y_true,
        scores,
        alternative=alternative,  # type: ignore[arg-type]
        correction=correction,
        pos_label=as_label(y_true, pos_label),
        nan_policy=nan_policy,  # type: ignore[arg-type]
        n_jobs=n_jobs,
    )

    comparison = Comparison(result, confidence_level, simultaneous, SOURCES.get(file) or str(file))
    deliver(comparison, format, output)


def read(file: str | None, sep: str, encoding: str) -> Table:
    """Return the table in a file, by default in the bundled one."""
    if file is not None:
        return read_table(file, separator=SEPARATORS.get(sep, sep), encoding=encoding)
    with as_file(predictions_file()) as path:
        return read_table(path)


def read_cases(table: Table, label: str, chosen: list[str] | None) -> tuple[Any, Any]:
    """Return the labels, and the scores by model."""
    check_choice("--label", label, table.names)
    y_true = table.column(label)
    return y_true, {name: table.scores(name) for name in score_names(table, label, chosen)}


def score_names(table: Table, label: str, chosen: list[str] | None) -> list[str]:
    """Return the columns that hold scores: the chosen ones, or all numbers but the labels."""
    others = [name for name in table.names if name != label]
    if not chosen:
        return numeric_names(table, others)
    for name in chosen:
        check_choice("--score", name, others)
        if chosen.count(name) > 1:
            raise InvalidValueError(f"`--score` names {name!r} twice.")
    return chosen


def numeric_names(table: Table, names: list[str]) -> list[str]:
    """Return the columns that hold numbers, and say which do not."""
    for name in names:
        if not table.is_numeric(name):
            say(
                "warning",
                f"column {name!r} is left out, it holds no numbers: {table.misfit(name)}.",
            )
    return [name for name in names if table.is_numeric(name)]


def as_label(labels: Sequence[Any] | NDArray[Any], text: str | None) -> object:
    """Return a label as a value of the labels' kind; as text where it cannot be one."""
    if text is None:
        return None
    kind = type(next((value for value in np.asarray(labels, object) if value is not None), ""))
    try:
        return PARSERS.get(kind, str)(text)
    except ValueError:
        return text
