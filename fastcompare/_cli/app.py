"""The command line: read a file, call a public function, print what it returns."""

import os
from collections.abc import Iterable
from importlib import import_module

import typer

from .delivery import spread
from .options import Version
from .terminal import Command, Commands

COMMANDS = {  # the file of each, and what the list of them says
    "auc": ("cases", "Compare AUCs of scores of the same cases."),
    "labels": ("cases", "Compare accuracies of labels predicted for the same cases."),
    "probabilities": ("cases", "Compare losses of probabilities of the same cases."),
    "folds": ("tables", "Compare scores in the same folds or random splits."),
    "datasets": ("tables", "Compare one score on each of many data sets."),
    "evals": ("evals", "Compare scores of items in logs of evaluations."),
    "compare": ("compare", "Compare whatever a file holds, by the tests that fit."),
    "recommend": ("recommend", "Say which tests fit, and why."),
    "simulate": ("recommend", "Simulate type I errors and power of tests."),
    "report": ("recommend", "Write a comparison as a page of HTML to send."),
    "warmup": ("info", "Compile once what all functions need."),
    "info": ("info", "Print versions, processor, threads and cache."),
}


def fastcompare(context: typer.Context, version: Version = False) -> None:
    """Do these classifiers really differ? Statistical tests for classifiers that share cases."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def application(asked: Iterable[str] = ()) -> typer.Typer:
    """Return the command line; of one command that is asked for, without importing the others."""
    made = typer.Typer(
        cls=Commands,
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    made.callback(invoke_without_command=True)(fastcompare)
    asked = [*asked] or os.environ.get("COMP_WORDS", "").split()[1:2]  # where a shell completes
    named = [name for name in COMMANDS if name in asked]
    for name in named or COMMANDS:
        file, summary = COMMANDS[name]
        command = getattr(import_module(f".{file}", __package__), name)
        made.command(cls=Command, short_help=summary)(spread(command))
    return made


def __getattr__(name: str) -> typer.Typer:
    if name == "app":
        return application()
    raise AttributeError(name)
