"""A page of each kind of data with its tests: when, formula, assumptions, figures, sources, code.

All of it is read: from the rules of `fastcompare.recommend`, from docstrings, from the tables that
studies write, and from the tests that compare it with stored numbers.
"""

import functools
import inspect
import re
from pathlib import Path

from called import places_of
from measured import measured
from names import link_pages
from questions import DESIGN, HOLD, PAGES, linked, wrong_text

import fastcompare as fc
from fastcompare.advice import RULES
from fastcompare.advice.kinds import KINDS

ROOT = Path(__file__).parents[2]
MEASURED = {
    "scores": (
        "evidence/auc_levels",
        "evidence/auc_coverage",
        "evidence/clusters",
        "evidence/auc_power",
    ),
    "labels": ("evidence/labels", "evidence/clusters"),
    "probabilities": ("evidence/probabilities", "evidence/clusters"),
    "folds": ("evidence/folds",),
    "datasets": ("concepts/choosing",),
    "items": ("evidence/items", "evidence/leaderboards"),
    "battles": ("concepts/choosing",),
    "readers": ("evidence/readers",),
    "times": ("evidence/survival", "evidence/survival_horizons"),
}
TOLD = ("test", "omnibus", "post-hoc", "instead", "question")  # roles that stay with the kind
AUTHOR = re.compile(r"(\w+).*?(\(\d{4}\))")  # the first one of a reference, and its year
GOLDEN = re.compile(r"\b(\w+\.json)\b")


def page(kind):
    """Return the page of a kind of data."""
    rules = {}
    for rule in RULES:
        if kind in rule.kinds and rule.role in TOLD:
            rules.setdefault(rule.test, []).append(rule)
    title, says = HOLD[kind]
    pages = ", ".join(f"[{heading_of(name)}](/{name}.md)" for name in MEASURED[kind])
    parts = [
        f"# {title}: each test",
        f"{says} [Which test to choose](/which/{kind}.md). Simulated levels and coverage at "
        f"several n: {pages}.",
    ]
    return "\n\n".join([*parts, *(section(kind, *item) for item in rules.items())]) + "\n"


def contents():
    """Return the table of `families.md`, which is read outside the built manual, too."""
    lines = ["| your data | tests | levels, coverage, power |", "| --- | --- | --- |"]
    for kind, names in MEASURED.items():
        tests = dict.fromkeys(r.test for r in RULES if kind in r.kinds and r.role in TOLD)
        pages = ", ".join(f"[{heading_of(name)}]({name}.md)" for name in names)
        title = f"[{HOLD[kind][0]}]({PAGES[kind]}.md)"
        lines.append(f"| {title} | {', '.join(f'`{test}`' for test in tests)} | {pages} |")
    return "\n".join(lines)


def heading_of(name):
    """Return the title of a page of the manual."""
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8").partition("\n")[0].lstrip("# ")


def section(kind, name, rules):
    """Return what is known of a test."""
    text = inspect.getdoc(getattr(fc, name))
    parts = [f"## {name}", f"`{name}`: {linked(text.partition(chr(10))[0])}", "**When.**"]
    parts.append("\n".join(dict.fromkeys(f"- {where(kind, r)}: {linked(r.reason)}" for r in rules)))
    formula = in_sphinx(part_of(text, "Notes"))
    parts.append(f"**What is computed.**\n\n```{{eval-rst}}\n{formula}\n```")
    assumed = dict.fromkeys(a for rule in rules for a in rule.assumes)
    parts.append("**Assumptions.** " + linked("; ".join(assumed)) + ".")
    parts.append(measured(name))
    wrong = {rule.wrong: rule.instead for rule in rules if rule.wrong}
    parts += [wrong_text(instead) for instead in wrong.values()]
    parts.append("**Source.** " + "; ".join(sources(text, rules)) + ".")
    parts.append(f"**Where it is.** {places_of(name)}{held(name)}.")
    return "\n\n".join(parts)


def sources(text, rules):
    """Return what a docstring names as its sources, then what only rules name."""
    told = re.split(r"^\.\. \[\d+\] ", part_of(text, "References"), flags=re.MULTILINE)
    found = [" ".join(one.split()).rstrip(".") for one in told if one.strip()]
    for rule in rules:
        first, year = AUTHOR.match(rule.reference).groups()
        if not any(first in one and year in one for one in found):
            found.append(rule.reference)
    return [linked(one) for one in found]


def where(kind, rule):
    """Return for which data a rule counts, in words."""
    units = KINDS[kind].units
    designs = rule.designs or KINDS[kind].designs
    words = "all designs"
    if set(designs) != set(KINDS[kind].designs):
        words = ", or ".join(DESIGN[design].format(rows=units) for design in designs)
    low, high = rule.models
    models = f"{low}" if low == high else f"{low} or more"
    apart = "" if rule.paired or high == 1 else f", different {units} for each model"
    return f"{models} model{'' if high == 1 else 's'}{apart}, {words}"


def part_of(text, title):
    """Return a part of a docstring, without its heading."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)", text, re.S | re.M)
    return found[1].strip() if found else ""


def in_sphinx(text):
    """Return a part of a docstring as `names` has autodoc read it, without marks of references."""
    lines = re.sub(r" ?\[\d+\]_", "", text).splitlines()
    link_pages(None, None, None, None, None, lines)
    return "\n".join(lines)


@functools.cache
def tests_with_numbers():
    """Return the files of tests that read stored numbers: what they call, and these numbers."""
    found = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        if stored := dict.fromkeys(GOLDEN.findall(text)):
            found.append((path, {*re.findall(r"\bfc\.(\w+)", text)}, stored))
    return found


def held(name):
    """Return the tests that call a function and read stored numbers, in words."""
    tests = [
        f"`{path.relative_to(ROOT).as_posix()}` with {', '.join(f'`{n}`' for n in stored)}"
        for path, called, stored in tests_with_numbers()
        if name in called
    ]
    return "; tests that compare it with stored numbers: " * bool(tests) + "; ".join(tests)


def write_pages(app, config):
    """Write the pages, those that changed."""
    there = Path(app.srcdir) / "families"
    there.mkdir(exist_ok=True)
    for kind in HOLD:
        path, text = there / f"{kind}.md", page(kind)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def setup(app):
    """Tell Sphinx what to call, and when."""
    app.connect("config-inited", write_pages, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
