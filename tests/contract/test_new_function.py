"""CONTRIBUTING's steps to a new function, with `direction_test` in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COPIED = ("fastcompare", "docs", "tests", "changelog.d", "scripts")
TESTS = ("public", "style", "conventions", "read_once", "intervals_agree", "recommend", "release")
FUNCTION = '''"""The direction test: whether one model is ahead in more rows than the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Unpack

from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._inputs.scores import ScoreTable
from ._columns import PairTestOptions, as_pair_test_options
from ._sign import SignTestResult, sign_test


@dataclass(frozen=True, eq=False, kw_only=True)
class DirectionTestResult(SignTestResult):
    """Result of `direction_test`; `estimate` is the median difference."""

    title: ClassVar[str] = "Direction test"


@with_engine_options(as_pair_test_options)
def direction_test(
    scores_a: ScoreTable, scores_b: ArrayLike | None = None, **pairing: Unpack[PairTestOptions]
) -> DirectionTestResult:
    """Direction test: whether paired differences are as often positive as negative.

    Returns
    -------
    DirectionTestResult
        With ``statistic``, ``pvalue``, ``estimate`` and ``confidence_interval(confidence_level)``.

    References
    ----------
    .. [1] W. J. Conover (1999), Practical Nonparametric Statistics, section 3.4.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.direction_test([1, 2, 3, 4, -1, -2, 0, 0]).pvalue, 4)
    0.6875
    """
    return DirectionTestResult.from_fields(**vars(sign_test(scores_a, scores_b, **pairing)))
'''
RULE = """    of_two(
        call="fastcompare.direction_test(scores_a, scores_b)",
        role="instead",
        reason="If only the direction of differences is meaningful.",
        reference=DEMSAR,
    ),
"""
TEST = """import fastcompare as fc


def test_direction_test_is_the_binomial_test():
    assert fc.direction_test([1, 2, 3, -1]).pvalue == 0.625
"""
WALK = {  # a file, the text before which something is put (none: a new file), and what
    "fastcompare/paired/_direction.py": ("", FUNCTION),
    "fastcompare/__init__.pyi": (
        "from .paired._sign import",
        "from .paired._direction import direction_test as direction_test\n",
    ),
    "fastcompare/paired/__init__.py": ("}\n", '    "two signs": "`direction_test`",\n'),
    "fastcompare/advice/rules/datasets.py": ("    of_two(\n", RULE),
    "tests/paired/test_direction.py": ("", TEST),
    "changelog.d/direction.added.md": ("", "`direction_test`, the binomial test of directions.\n"),
}


def run(folder, *arguments):
    """What a Python program in the copy prints, and whether it succeeds."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project: folders that the walk changes, and links to all else."""
    folder = tmp_path_factory.mktemp("project")
    hidden = shutil.ignore_patterns("__pycache__", "_build", ".*")
    for path in ROOT.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, folder / path.name, ignore=hidden)
        elif not path.name.startswith("."):
            (folder / path.name).symlink_to(path)
    return folder


def test_the_walk_names_every_file_that_it_changes():
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Add a hypothesis test")[1]
    section = section.split("\n## ")[0]
    steps = re.findall(r"^\d\. (.*?)(?=^\d\. |\n\n)", section, re.MULTILINE | re.DOTALL)
    assert len(steps) == len(WALK)
    assert [path in step for path, step in zip(WALK, steps, strict=True)] == [True] * len(WALK)


@pytest.mark.slow
def test_the_walk_to_a_new_function_ends_with_tests_that_pass(project):
    for path, (place, text) in WALK.items():
        before = (project / path).read_text("utf-8") if place else ""
        assert place in before
        (project / path).write_text(before.replace(place, text + place, 1) or text, "utf-8")
    succeeds, printed = run(project, "scripts/write_api.py")
    assert succeeds, printed
    files = [str(next((project / "tests").rglob(f"test_{name}.py"))) for name in TESTS]
    direction = str(project / "tests/paired/test_direction.py")
    quick = ("-q", "-x", "-p", "no:cacheprovider", "-m", "", "-k", "direction or every or family")
    succeeds, printed = run(project, "-m", "pytest", *quick, direction, *files)
    assert succeeds, printed
