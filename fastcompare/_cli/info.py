"""The commands that show the configuration, and compile the kernels of the others."""

from dataclasses import make_dataclass
from typing import Any

import typer

import fastcompare as fc

from .._inputs.options import count_jobs
from .._results.records import Record
from .delivery import OutputOptions, deliver
from .terminal import print_message


class Configuration(Record):
    """The configuration: a field for each of versions, processor, threads, cache and the like."""

    title = "What runs here"

    def summary(self) -> str:  # type: ignore[override]
        """Return the versions, the threads and the place of compiled kernels in a sentence."""
        config: Any = self
        cached = "are not kept" if config.cache == "none" else f"are kept in {config.cache}"
        return (
            f"fastcompare {config.fastcompare} runs on Python {config.python} with up to "
            f"{config.threads} threads (--n-jobs -1); compiled kernels {cached}; "
            f"used of those that came with the package: {config.bundle}."
        )


def info(delivery: OutputOptions) -> None:
    """Print versions, processor, threads and the place of compiled kernels, for bug reports."""
    settings = {**fc.show_config(), "threads": str(count_jobs(-1))}
    info_class = make_dataclass(
        "Configuration", settings, bases=(Configuration,), frozen=True, eq=False
    )
    deliver(info_class(**settings), delivery)


def warmup(families: list[str] | None = None, progress: bool = False) -> None:
    """Compile what all functions need, once, so that no comparison waits for it.

    Named kinds of data take less. Compiled code is kept on the disk, where `fastcompare info` says.
    """
    print_message("note", "compiling, which takes minutes the first time.")
    typer.echo(f"compiled or loaded in {fc.warmup(*families or (), progress=progress):.1f} s")
