"""How a study runs, and where its table goes: every study is one command.

    python -m studies.NAME [--trials N] [--jobs J] [--write]

A study measures cells one by one in processes and prints a Markdown table. With --write the table
also replaces the one between the study's marks in a page of `docs/`:

    <!-- studies.NAME -->
    <!-- end -->

A study of hours stores each cell when it is measured, so that it can be stopped and go on:

    python -m studies.NAME --store FILE
"""

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

Cell, Found = TypeVar("Cell"), TypeVar("Found")

DOCS = Path(__file__).parents[1] / "docs"


def run(
    name: str,
    page: str,
    cells: Sequence[Cell],
    measure: Callable[..., Found],
    show: Callable[[Sequence[Cell], list[Found]], str],
    *,
    trials: int,
    stored: tuple[Callable[[Cell], str], Callable[..., Found]] | None = None,
) -> None:
    """Print, and with --write publish, the table that `show` makes of `measure(cell, trials=)`.

    What is stored has a name for each cell, and is made of its numbers again.
    """
    parser = argparse.ArgumentParser(prog=f"python -m studies.{name}")
    parser.add_argument("--trials", type=int, default=trials)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help=f"put the table into docs/{page}")
    if stored:
        parser.add_argument("--store", type=Path, help="where measured cells are, and will be")
    options = parser.parse_args()
    work = partial(measure, trials=options.trials)
    with ProcessPoolExecutor(options.jobs) as pool:
        if stored and options.store:
            found = list(resumed(cells, pool.map, work, options.store, options.trials, *stored))
        else:
            found = list(pool.map(work, cells))
    table = show(cells, found)
    print(table)
    if options.write:
        publish(name, DOCS / page, table)


def resumed(
    cells: Sequence[Cell],
    over: Callable[..., Iterable[Any]],
    work: Callable[[Cell], Any],
    store: Path,
    trials: int,
    label: Callable[[Cell], str],
    record: Callable[..., Found],
) -> Iterator[Found]:
    """Return what each cell is like: as stored with as many trials or more, or measured now."""
    lines = store.read_text().splitlines() if store.exists() else []
    rows = sorted((row for row in map(json.loads, lines) if row[1] >= trials), key=lambda x: x[1])
    known = {name: numbers for name, _, numbers in rows}  # the last ones have most trials
    left = [cell for cell in cells if label(cell) not in known]
    with store.open("a") as file:
        for cell, found in zip(left, over(work, left), strict=True):
            known[label(cell)] = list(map(float, found))
            print(json.dumps([label(cell), trials, known[label(cell)]]), file=file)
            file.flush()
    return (record(*known[label(cell)]) for cell in cells)


def publish(name: str, page: Path, table: str) -> None:
    """Replace the table between the study's marks in a page."""
    between = re.compile(rf"(<!-- studies\.{name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
    text, replaced = between.subn(lambda marks: f"{marks[1]}{table}{marks[2]}", page.read_text())
    if replaced != 1:
        raise SystemExit(
            f"{page} needs one pair of marks: <!-- studies.{name} --> and <!-- end -->"
        )
    page.write_text(text)


def markdown(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table whose columns line up."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    lines = (" | ".join(map(str.ljust, row, widths)) for row in cells)
    return "\n".join(f"| {line} |" for line in lines)


def percent(share: float) -> str:
    """Return a share as a number of per cent, with one digit."""
    return f"{100.0 * share:.1f}"
