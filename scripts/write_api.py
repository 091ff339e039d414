"""Write tests/api.txt: every public name, signature, field of a result and option of a command.

    python scripts/write_api.py

A line that changes there may break programs of others: CONTRIBUTING says what is allowed when.
"""

import dataclasses
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import typer

import fastcompare as fc
from fastcompare._cli.app import application
from fastcompare._results.records import Record

SNAPSHOT = Path(__file__).parents[1] / "tests/api.txt"


def signature(function: Any) -> str:
    """Return the parameters with their defaults, without types and `self`."""
    parameters = inspect.signature(function).parameters.values()
    shown = [p.replace(annotation=p.empty) for p in parameters if p.name != "self"]
    return str(inspect.Signature(shown))


def members(kind: type) -> Iterator[str]:
    """Return a line for each public field, property and method of a class."""
    fields = {f.name for f in dataclasses.fields(kind)} if dataclasses.is_dataclass(kind) else set()
    for name in sorted({*fields, *dir(kind)} - set(dir(Exception))):
        if not name.startswith("_"):
            method = None if name in fields else getattr(kind, name)
            yield f"    .{name}{signature(method) if callable(method) else ''}"


def face(module: ModuleType, name: str) -> Iterator[str]:
    """Return the lines of a public name: of a function one, of a class its members, too."""
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
    """Return a line for each command and for each argument and option."""
    for name, command in sorted(typer.main.get_command(application()).commands.items()):
        yield f"fastcompare {name}"
        for parameter in sorted(command.params, key=lambda p: p.name):
            yield "    " + " ".join([*parameter.opts, *parameter.secondary_opts])


def text() -> str:
    """Return the text of the snapshot."""
    modules = [fc, *(getattr(fc, name) for name in fc.__all__ if name in fc._MODULES)]
    names = [(module, name) for module in modules for name in getattr(module, "__all__", ())]
    faces = [line for module, name in names for line in face(module, name)]
    return "\n".join([*faces, "every result", *members(Record), *commands(), ""])


def main() -> None:
    """Write the snapshot."""
    SNAPSHOT.write_text(text(), "utf-8")


if __name__ == "__main__":
    main()
