"""The command line: read a file, call a public function, print what it returns."""

import typer

from .auc import auc
from .datasets import datasets
from .evals import evals
from .folds import folds
from .groups import spread
from .labels import labels
from .options import Version
from .probabilities import probabilities
from .terminal import Commands

app = typer.Typer(
    cls=Commands, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
)


@app.callback(invoke_without_command=True)
def fastcompare(context: typer.Context, version: Version = False) -> None:
    """Do these classifiers really differ? Statistical tests for classifiers that share cases."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for command in (auc, labels, probabilities, folds, datasets, evals):
    app.command()(spread(command))
