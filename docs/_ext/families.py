"""A page of each kind of data with its tests: when, formula, assumptions, figures, sources, code.

All of it is read: from the rules of `fastcompare.recommend`, from docstrings, from the tables that
studies write, and from the tests that compare it with stored numbers.
"""

import ast
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
STORED = sorted((ROOT / "tests" / "golden").rglob("*.json"))
GOLDEN = {path.name: path for path in STORED if "logs" not in path.parts}  # logs are input
METHOD = re.compile(r'method="[\w-]+"')
FILE = re.compile(r"\b\w+\.json\b")
SHARED = "tests.shared.golden_files"  # what several tests import


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
    always = [a for a in rules[0].assumes if all(a in rule.assumes for rule in rules)]
    parts.append("\n".join(dict.fromkeys(when(kind, rule, always) for rule in rules)))
    formula = in_sphinx(part_of(text, "Notes"))
    parts.append(f"**What is computed.**\n\n```{{eval-rst}}\n{formula}\n```")
    parts.append("**Assumptions.** " + linked("; ".join(always) or "those named above") + ".")
    parts.append(measured(name))
    wrong = {rule.wrong: rule.instead for rule in rules if rule.wrong}
    parts += [wrong_text(instead) for instead in wrong.values()]
    parts.append("**Source.** " + "; ".join(sources(text, rules)) + ".")
    parts.append(f"**Where it is.** {places_of(name)}{compared(name)}.")
    return "\n\n".join(parts)


def when(kind, rule, always):
    """Return for which data a rule counts, why, and what it assumes beyond what all rules do."""
    method = METHOD.search(rule.call)
    data = where(kind, rule) + (f", `{method[0]}`" if method else "")
    own = "; ".join(a for a in rule.assumes if a not in always)
    return linked(f"- {data}: {rule.reason}" + (f" It assumes: {own}." if own else ""))


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
    """Return for each test that reads stored numbers its file, what it calls, and these numbers."""
    shared = parts_of((ROOT / f"{SHARED.replace('.', '/')}.py").read_text("utf-8"))
    shared = {name: (set(), *reached(name, shared)) for name in shared}
    found = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text("utf-8")
        parts = (shared if SHARED in text else {}) | parts_of(text)
        for name in parts:
            called, stored = reached(name, parts)
            if name.startswith("test_") and stored:
                found.append((path, called, stored))
    return found


def parts_of(text):
    """Return by each name that a module defines: the names it uses, what it calls, and reads."""
    parts = {}
    for node in ast.parse(text).body:
        inside = list(ast.walk(node))
        written = [n.value for n in inside if isinstance(n, ast.Constant)]
        part = (
            {getattr(n, "id", getattr(n, "arg", None)) for n in inside},
            {
                n.attr
                for n in inside
                if isinstance(n, ast.Attribute) and ast.unparse(n.value) == "fc"
            },
            {f for one in written if isinstance(one, str) for f in FILE.findall(one)} & {*GOLDEN},
        )
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        named = [node.name] if hasattr(node, "name") else [ast.unparse(n) for n in targets if n]
        parts.update(dict.fromkeys(named, part))
    return parts


def reached(name, parts):
    """Return what a test calls and which stored numbers it reads, by itself or by what it uses."""
    known, called, stored = set(), set(), set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name in parts and name not in known:
            known.add(name)
            uses, calls, reads = parts[name]
            waiting += uses
            called |= calls
            stored |= reads
    return called, stored


def compared(name):
    """Return the tests that call a function and read stored numbers, in words."""
    tests = {}
    for path, called, stored in tests_with_numbers():
        if name in called:
            tests.setdefault(path, set()).update(stored)
    words = [
        f"`{short(path)}` with {', '.join(f'`{short(GOLDEN[n])}`' for n in sorted(stored))}"
        for path, stored in tests.items()
    ]
    return "; tests that compare it with stored numbers: " * bool(words) + "; ".join(words)


def short(path):
    """Return a path from the root of the repository on."""
    return path.relative_to(ROOT).as_posix()


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
