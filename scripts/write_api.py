"""Write what follows from the public functions: stubs, tables of the manual, a snapshot of names.

    python scripts/write_api.py

``fastcompare/results.pyi`` has the classes of all results, which are found where functions and
methods return them, and the stub of a family its functions. ``docs/functions.md`` has the tables
of the families (``CALLS`` of each), ``docs/concepts/conventions.md`` which options a function
takes: reasons are written there by hand, and functions without one are in a row for each choice of
options. ``tests/api.txt`` has every public name, signature, field of a result and option of a
command: a line that changes there may break programs of others, and CONTRIBUTING says what is
allowed when.
"""

import dataclasses
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_type_hints

import typer

import fastcompare as fc
from fastcompare._cli.app import application
from fastcompare._results.records import Record

ROOT = Path(__file__).parents[1]
SNAPSHOT = ROOT / "tests/api.txt"
STUB = ROOT / "fastcompare/results.pyi"
FUNCTIONS = ROOT / "docs/functions.md"
CONVENTIONS = ROOT / "docs/concepts/conventions.md"
OPTIONS = ("sample_weight", "groups", "margin", "nan_policy")  # columns of the table in there
NUMBERS = {"mean_detectable_difference", "mean_power", "mean_sample_size"}  # they take no cases
HEAD = "| functions | weights | groups | margin | nan_policy | why not |\n| --- |"
FAMILIES = sorted(name for name in fc._MODULES if hasattr(getattr(fc, name), "CALLS"))
SHARED = {"RankPairsResult"}  # what several results have in common
WIDTH = 100


def signature(function: Any) -> str:
    """Return the parameters with their defaults, without types and `self`."""
    parameters = inspect.signature(function).parameters.values()
    shown = [p.replace(annotation=p.empty) for p in parameters if p.name != "self"]
    return str(inspect.Signature(shown))


def members(kind: type) -> Iterator[str]:
    """Yield a line for each public field, property and method of a class."""
    fields = {f.name for f in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    for name in sorted({*fields, *dir(kind)} - set(dir(Exception))):
        if not name.startswith("_"):
            method = None if name in fields else getattr(kind, name)
            yield f"    .{name}{signature(method) if callable(method) else ''}"


def public_lines(module: ModuleType, name: str) -> Iterator[str]:
    """Yield the line of a public name, and for a class those of its members."""
    found, shown = getattr(module, name), f"{module.__name__}.{name}"
    if inspect.isclass(found):
        called = module is not fc.results and not issubclass(found, Exception)
        yield f"class {shown}{signature(found) if called else ''}"
        shared = set(members(Record)) if issubclass(found, Record) else set()
        yield from (line for line in members(found) if line not in shared)
    elif callable(found):
        yield shown + signature(getattr(found, "py_func", found))
    else:
        yield shown


def commands() -> Iterator[str]:
    """Yield a line for each command, and for each of its arguments and options."""
    for name, command in sorted(typer.main.get_command(application()).commands.items()):
        yield f"fastcompare {name}"
        for parameter in sorted(command.params, key=lambda p: p.name):
            yield "    " + " ".join([*parameter.opts, *parameter.secondary_opts])


def snapshot_text() -> str:
    """Return the text of the snapshot."""
    others = [name for name in fc.__all__ if name in fc._MODULES and name not in FAMILIES]
    modules = [fc, *(getattr(fc, name) for name in others)]
    names = [(module, name) for module in modules for name in getattr(module, "__all__", ())]
    faces = [line for module, name in names for line in public_lines(module, name)]
    families = [f"fastcompare.{f}: {' '.join(getattr(fc, f).__all__)}" for f in FAMILIES]
    return "\n".join([*faces, *families, "every result", *members(Record), *commands(), ""])


def classes_in(hint: Any) -> Iterator[type]:
    """Yield the classes of this package in an annotation."""
    if inspect.isclass(hint) and hint.__module__.startswith("fastcompare"):
        yield hint
    for part in get_args(hint):
        yield from classes_in(part)


def classes_of(found: Any) -> Iterator[type]:
    """Yield the classes that a function returns, or that public members of a class have."""
    hints = get_type_hints(found)
    if not inspect.isclass(found):
        yield from classes_in(hints.get("return"))
        return
    for name in dir(found):
        method = getattr(found, name)
        method = method.fget if isinstance(method, property) else method
        if inspect.isfunction(method) and not name.startswith("_"):
            yield from classes_in(get_type_hints(method).get("return"))
    for name, hint in hints.items():
        if not name.startswith("_"):
            yield from classes_in(hint)


def result_homes() -> dict[str, str]:
    """Return the modules of the classes of results, by name: those of the stub, and new ones."""
    public = (getattr(fc, name) for name in fc.__all__)
    todo = [found for found in public if inspect.isfunction(found)]
    seen: list[Any] = []
    while todo:
        found = todo.pop()
        if found not in seen:
            seen.append(found)
            todo += classes_of(found)
    named = {
        found.__name__: found.__module__ for found in seen if found.__name__.endswith("Result")
    }
    named = {name: home.removeprefix("fastcompare.") for name, home in named.items()}
    return {**named, **fc._RESULTS}


def stub() -> str:
    """Return the text of the table of results."""
    head = "# The classes of all results and their homes, by scripts/write_api.py.\n"
    homes = {name: home for name, home in result_homes().items() if name not in SHARED}
    return "\n".join([head, *import_lines(homes), ""])


def family_stub(family: str) -> str:
    """Return the text of the stub of a family."""
    head = "# The functions of this family and their homes, by scripts/write_api.py.\n"
    names = getattr(fc, family).__all__
    homes = {name: fc._HOME[name].removeprefix(f"{family}.") for name in names}
    return "\n".join([head, *import_lines(homes), "\nCALLS: dict[str, str]", ""])


def import_lines(homes: dict[str, str]) -> Iterator[str]:
    """Yield an import of each name from its home, as an ending ``as name`` makes it public."""
    for name, home in sorted(homes.items(), key=lambda row: (row[1], row[0].lower())):
        line = f"from .{home} import {name} as {name}"
        wide = f"from .{home} import (\n    {name} as {name},\n)"
        yield line if len(line) <= WIDTH else wide


def functions_page() -> str:
    """Return the text of the page of all functions, with the families' tables in it."""
    page = FUNCTIONS.read_text("utf-8")
    for family in FAMILIES:
        rows = [f"| {want} | {call} |" for want, call in getattr(fc, family).CALLS.items()]
        table = "\n".join(["", "| you want | call |", "| --- | --- |", *rows, "", ""])
        before, found, after = page.partition(f"<!-- {family} -->\n")
        _, end, after = after.partition("<!-- / -->")
        if not (found and end):
            raise SystemExit(f"{FUNCTIONS}: no <!-- {family} --> … <!-- / -->")
        page = before + found + table + end + after
    return page


def options_taken(name: str) -> tuple[bool, ...]:
    """Return which of `OPTIONS` a function takes."""
    return tuple(option in inspect.signature(getattr(fc, name)).parameters for option in OPTIONS)


def options_page() -> str:
    """Return the text of the page of conventions, with a row for each reason of lacking options."""
    before, head, after = CONVENTIONS.read_text("utf-8").partition(HEAD)
    rule, *lines = after.split("\n")
    end = next(i for i, line in enumerate(lines) if not line.startswith("|"))
    cells = [line.strip("| ").split(" | ") for line in lines[:end]]
    reasons = {name: row[-1] for row in cells for name in re.findall(r"`(\w+)`", row[0])}
    functions = [name for name in fc.__all__ if inspect.isfunction(getattr(fc, name))]
    for name in functions:
        if any(options_taken(name)) and name not in NUMBERS:
            reasons.setdefault(name, "–")
    rows: dict[tuple[tuple[bool, ...], str], list[str]] = {}
    for name, reason in reasons.items():
        if name in functions and not all(taken := options_taken(name)):
            rows.setdefault((taken, reason), []).append(f"`{name}`")
    table = [
        f"| {' | '.join([', '.join(names), *('yes' if x else '–' for x in taken), reason])} |"
        for (taken, reason), names in rows.items()
    ]
    return before + head + "\n".join([rule, *table, *lines[end:]])


def generated() -> dict[Path, str]:
    """Return the texts of the files that the families' names and tables determine."""
    stubs = {ROOT / f"fastcompare/{f}/__init__.pyi": family_stub(f) for f in FAMILIES}
    return {**stubs, FUNCTIONS: functions_page(), CONVENTIONS: options_page()}


def main() -> None:
    """Write the table of results, then the others, which follow from it."""
    if STUB.read_text("utf-8") != (table := stub()):
        STUB.write_text(table, "utf-8")
        subprocess.run([sys.executable, __file__], check=True)  # which imports it anew
        return
    for path, content in {**generated(), SNAPSHOT: snapshot_text()}.items():
        path.write_text(content, "utf-8")


if __name__ == "__main__":
    main()
