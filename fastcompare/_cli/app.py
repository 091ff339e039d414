"""The command line: read a file, call a public function, print what it returns."""

import os
from collections.abc import Iterable
from importlib import import_module
from typing import Annotated

import typer

from .. import __version__
from .delivery import flatten_options
from .terminal import Command, Commands

COMMANDS = {  # the file of each, and what the list of them says
    "compare": ("compare", "Compare models, choosing the tests from the data."),
    "evals": ("evals", "Compare models by logs of evaluation harnesses."),
    "leaderboard": ("evals", "Rank models by scores per item, logs or battles."),
    "recommend": ("recommend", "Recommend tests for a design, with reasons."),
    "simulate": ("recommend", "Simulate the type I error and power of tests."),
    "report": ("recommend", "Write a comparison as a self-contained HTML page."),
    "warmup": ("info", "Compile all kernels ahead of time."),
    "info": ("info", "Show versions, processor, threads and cache."),
}


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        typer.echo(f"fastcompare {__version__}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
]


def fastcompare(context: typer.Context, version: Version = False) -> None:
    """Do these classifiers really differ? Statistical tests for comparing classifiers."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def application(asked: Iterable[str] = ()) -> typer.Typer:
    """Return the command line; of one command that is asked for, without importing the others."""
    app = typer.Typer(
        cls=Commands,
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback(invoke_without_command=True)(fastcompare)
    asked = [*asked] or os.environ.get("COMP_WORDS", "").split()[1:2]  # where a shell completes
    named = [name for name in COMMANDS if name in asked]
    for name in named or COMMANDS:
        file, summary = COMMANDS[name]
        command = getattr(import_module(f".{file}", __package__), name)
        app.command(cls=Command, short_help=summary)(flatten_options(command))
    return app


def __getattr__(name: str) -> typer.Typer:
    if name == "app":
        return application()
    raise AttributeError(name)
