"""What a release says of itself agrees: its version and date, and which versions it needs."""

import re
import tomllib
from pathlib import Path

import fastcompare as fc
from scripts import collect_changes

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_the_version_is_written_once_and_told_alike():
    assert PROJECT["dynamic"] == ["version"]  # from fastcompare/__init__.py
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## \[(.+)\](?: - (.+))?$", changes, flags=re.MULTILINE)
    assert sections[0] == ("Unreleased", "")
    version, date = sections[1]
    assert version == fc.__version__
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {version}\ndate-released: {date}\n" in citation


def test_every_requirement_is_a_lower_bound_that_can_be_installed_exactly():
    extras = PROJECT["optional-dependencies"].values()
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]
    others = [line for line in lines if not line.startswith("fastcompare[")]
    assert [line for line in others if not re.fullmatch(r"[\w-]+(\[[\w,]+\])?>=[\d.]+", line)] == []
    names = [line.partition(">=")[0].partition("[")[0] for line in others]
    bounds = {*zip(names, (line.partition(">=")[2] for line in others), strict=True)}
    assert len(bounds) == len(set(names))  # one bound a package, wherever it is asked for


def test_the_error_without_numba_names_the_declared_bound():
    (declared,) = [line for line in PROJECT["dependencies"] if line.startswith("numba")]
    told = (ROOT / "fastcompare/_jit/kernel.py").read_text("utf-8")
    assert re.findall(r"pip install --upgrade '(.+?)'", told) == [declared]


def test_unreleased_changes_are_few_lines_and_fragments_have_a_kind():
    section = collect_changes.unreleased(collect_changes.CHANGELOG.read_text("utf-8"))
    assert section.startswith("## [Unreleased]")
    assert len(section.rstrip().split("\n")) <= collect_changes.MOST_LINES
    assert collect_changes.faults(collect_changes.fragments()) == []


def test_collected_changes_end_their_headings():
    changes = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0] - 2026-11-21\n"
    entries = {Path("x.fixed.md"): "Three.", Path("y.added.md"): "Two."}
    expected = "### Added\n\n- One.\n- Two.\n\n### Fixed\n\n- Three.\n\n## [0.1.0] - 2026-11-21\n"
    assert collect_changes.with_entries(changes, entries).endswith(expected)
    assert collect_changes.with_entries(changes, {}) == changes


def test_faulty_fragments_are_named():
    entries = {Path("a.feature.md"): "New.", Path("b.added.md"): "- dash", Path("c.fixed.md"): "x"}
    assert [fault.partition(":")[0] for fault in collect_changes.faults(entries)] == [
        "a.feature.md",
        "b.added.md",
    ]
