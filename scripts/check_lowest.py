"""Check that every direct requirement of pyproject.toml is installed in its lowest version.

    python scripts/check_lowest.py test

The arguments are the extras that were installed. A bound that is lower than what can be installed
together with the others claims too much, and fails.
"""

import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

PROJECT = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())["project"]


def requirements(lines: list[str]) -> Iterator[Requirement]:
    """Yield the requirements; an extra of this project is replaced by its requirements."""
    for requirement in map(Requirement, lines):
        if requirement.name == PROJECT["name"]:
            for extra in requirement.extras:
                yield from requirements(PROJECT["optional-dependencies"][extra])
        else:
            yield requirement


def main() -> int:
    """Print each requirement and what is installed; return 1 if one of them is not its bound."""
    extras = [f"{PROJECT['name']}[{extra}]" for extra in sys.argv[1:]]
    installed_bounds = {str(r): r for r in requirements([*PROJECT["dependencies"], *extras])}
    higher = 0
    for text, requirement in sorted(installed_bounds.items()):
        (bound,) = requirement.specifier
        installed = version(requirement.name)
        same = Version(installed) == Version(bound.version)
        higher += not same
        print(f"{'ok' if same else 'HIGHER':<7}{text:<40}{installed}")
    return int(higher > 0)


if __name__ == "__main__":
    sys.exit(main())
