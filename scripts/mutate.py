"""Change the code a little, one change at a time, and say which changes no test notices.

    python scripts/mutate.py [--area tails] [--jobs 2]

Run by hand, after tests of an area have changed. `mutations.toml` lists the areas: their tests,
and changes that make a result wrong. Each is made in a copy of the project, where the tests of its
area must then fail. A change to a kernel compiles those that are called anew: a minute each.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
COPIED = ("fastcompare", "tests", "studies", "scripts", "conftest.py", "pyproject.toml")
PASSED, FAILED = 0, 1
SECONDS = 900


class Mutation(NamedTuple):
    """A change of an area's code, `old` to `new` in a file, and the tests that should fail."""

    area: str
    tests: tuple[str, ...]
    file: str
    old: str
    new: str

    def changed(self, root: Path) -> tuple[Path, str, str]:
        """Return the file in a copy of the project, its text and the changed one, or exit."""
        path = root / "fastcompare" / self.file
        text = path.read_text()
        if text.count(self.old) != 1:
            sys.exit(
                f"{self.file} must contain {self.old!r} once: has it {text.count(self.old)} times"
            )
        return path, text, text.replace(self.old, self.new)


def list_mutations(areas: list[str]) -> list[Mutation]:
    """Return the mutations of these areas, of all areas if none is named."""
    table = tomllib.loads((ROOT / "scripts" / "mutations.toml").read_text())
    unknown = set(areas) - set(table)
    if unknown:
        sys.exit(f"--area must be of {', '.join(table)}, got {', '.join(sorted(unknown))}")
    return [
        Mutation(area, tuple(own["tests"]), file, old, new)
        for area, own in table.items()
        if not areas or area in areas
        for file, old, new in own["changes"]
    ]


def copy_project(folder: Path) -> Path:
    """Return a copy of what tests need."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    return folder


def tests_status(root: Path, tests: tuple[str, ...]) -> int:
    """Return the exit status of the tests in a copy."""
    files = [str(Path("tests", name)) for name in tests]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *files]
    settings = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            command,
            cwd=root,
            env=os.environ | settings,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return FAILED  # a loop without an end is noticed, too
    return run.returncode


def is_noticed(mutation: Mutation, root: Path) -> bool:
    """Return whether the tests fail in a copy with this change, which is then taken back."""
    path, text, changed = mutation.changed(root)
    path.write_text(changed)
    try:
        status = tests_status(root, mutation.tests)
    finally:
        path.write_text(text)
    if status not in (PASSED, FAILED):
        sys.exit(f"{mutation.file}, {mutation.new!r}: the tests did not run (status {status})")
    return status == FAILED


def run(mutations: list[Mutation], jobs: int, folder: Path) -> list[Mutation]:
    """Return the changes that no test notices; say of each whether one does."""
    copies: SimpleQueue[Path] = SimpleQueue()
    for job in range(jobs):
        copies.put(copy_project(folder / str(job)))

    def test_mutation(mutation: Mutation) -> bool:
        root = copies.get()
        try:
            noticed = is_noticed(mutation, root)
        finally:
            copies.put(root)
        word = "noticed" if noticed else "LIVED  "
        what = f"{mutation.file}: {mutation.old!r} -> {mutation.new!r}"
        print(f"{word} {mutation.area}: {what}", flush=True)
        return noticed

    first = copies.get()
    for tests in dict.fromkeys(mutation.tests for mutation in mutations):
        if tests_status(first, tests) != PASSED:
            sys.exit(f"{', '.join(tests)} must pass before anything is changed")
    copies.put(first)
    with ThreadPoolExecutor(jobs) as pool:
        found = list(pool.map(test_mutation, mutations))
    return [one for one, noticed in zip(mutations, found, strict=True) if not noticed]


def main() -> None:
    """Run the mutations that are asked for, and exit with 1 if one lived."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--area", action="append", default=[], help="one of mutations.toml")
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    mutations = list_mutations(asked.area)
    with tempfile.TemporaryDirectory() as folder:
        lived = run(mutations, asked.jobs, Path(folder))
    killed = len(mutations) - len(lived)
    print(f"{killed} of {len(mutations)} noticed, {100 * killed / len(mutations):.0f}%")
    sys.exit(bool(lived))


if __name__ == "__main__":
    main()
