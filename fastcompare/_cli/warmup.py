"""The command that compiles what the other ones need."""

import typer

import fastcompare as fc

from .arguments import Families
from .options import Progress
from .terminal import say


def warmup(families: Families = None, progress: Progress = False) -> None:
    """Compile what all functions need, once, so that no comparison waits for it.

    Named kinds of data take less. Compiled code is kept on the disk, where `fastcompare info` says.
    """
    say("note", "compiling, which takes minutes the first time.")
    typer.echo(f"compiled or loaded in {fc.warmup(*families or (), progress=progress):.1f} s")
