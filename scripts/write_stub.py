"""Write what type checkers read: fastcompare/__init__.pyi and fastcompare/results.py.

Both follow from the table of homes in fastcompare/__init__.py.

    python scripts/write_stub.py
"""

from pathlib import Path

import fastcompare as fc

FACE = '''"""Where type checkers find the public names; scripts/write_stub.py writes this file."""

from typing import Any
'''
PRIVATE = """
__version__: str
_HOMES: dict[str, tuple[str, ...]]
_RESULTS: list[str]

def _find(name: str) -> Any: ...
"""
RESULTS = '''"""The classes of all results, for annotations; scripts/write_stub.py writes this file.

>>> from fastcompare.results import DeLongResult
"""

from typing import TYPE_CHECKING, Any

from . import _RESULTS, _find
from ._base.exceptions import no_attribute

if TYPE_CHECKING:
{imports}

__all__ = sorted(_RESULTS)


def __getattr__(name: str) -> Any:
    if name not in _RESULTS:
        raise no_attribute(f"module {{__name__!r}}", name, _RESULTS)
    globals()[name] = found = _find(name)
    return found


def __dir__() -> list[str]:
    return _RESULTS
'''


def import_line(name: str, indent: str = "") -> str:
    """Return the line that imports a name from its home, as ruff breaks it."""
    line = f"{indent}from .{fc._HOME[name]} import {name} as {name}"
    if len(line) <= 100:
        return line
    return f"{indent}from .{fc._HOME[name]} import (\n{indent}    {name} as {name},\n{indent})"


def import_lines(names: list[str], indent: str = "") -> list[str]:
    """Return the lines that import these names, in ruff's order of modules."""
    ordered = sorted(names, key=lambda name: (fc._HOME[name], name))
    return [import_line(name, indent) for name in ordered]


def face() -> str:
    """Return the text of fastcompare/__init__.pyi."""
    modules = [f"from . import {name} as {name}" for name in sorted(fc._MODULES)]
    homes = import_lines([name for name in fc.__all__ if name in fc._HOME])
    return "\n".join([FACE, *modules, *homes, PRIVATE])


def results() -> str:
    """Return the text of fastcompare/results.py."""
    return RESULTS.format(imports="\n".join(import_lines(fc._RESULTS, "    ")))


def main() -> None:
    """Write both files."""
    folder = Path(fc.__file__).parent
    (folder / "__init__.pyi").write_text(face())
    (folder / "results.py").write_text(results())


if __name__ == "__main__":
    main()
