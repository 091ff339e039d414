"""The command that compiles what the other ones need."""

import typer

import fastcompare as fc

from .terminal import say


def warmup() -> None:
    """Compile what all functions need, once, so that no comparison waits for it.

    Compiled code is kept on the disk, where `fastcompare info` says.
    """
    say("note", "compiling, which takes minutes the first time.")
    typer.echo(f"compiled or loaded in {fc.warmup():.1f} s")
