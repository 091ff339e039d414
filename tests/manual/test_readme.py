"""What README.md and docs/functions.md show runs and is printed so, and every function is named."""

import json
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

import fastcompare as fc
from fastcompare._inference.status import STATUSES
from scripts import check_prose, refresh_readme
from tests.shared.commandline import ok

ROOT = Path(__file__).parents[2]
IS_NUMBER = re.compile(r"[\d.]+").fullmatch
README = (ROOT / "README.md").read_text("utf-8")
FUNCTIONS = (ROOT / "docs/functions.md").read_text("utf-8")
FAMILY = r"_(interval|test)$"  # the tables name the measure, and these endings once
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


@pytest.mark.slow
def test_readme_shows_what_is_printed(requires_jit):
    assert len(refresh_readme.PYTHON_AND_OUTPUT.findall(README)) == 1
    assert len(refresh_readme.COMMAND_AND_OUTPUT.findall(README)) == 1
    assert refresh_readme.refresh_outputs(README) == README, (
        "run `python scripts/refresh_readme.py`"
    )
    command = re.search(r"```bash\n.*? && python (-m fastcompare .*)", README)[1]
    verdict = re.search(r"`(\w+ has a .*?)`", README)[1]
    assert f"{verdict}. The AUCs" in refresh_readme.printed(*command.split()).replace("\n", " ")


RNG = np.random.default_rng(3)
CELLS = {  # what a column has of a row that README shows, by its name; models have `SCORES`
    "truth": lambda i: ("cat", "dog", "bird")[i % 3],
    "price": lambda i: f"{300 + i * 7 % 50 + RNG.normal():.2f}",
    "topic": lambda i: ("math", "law", "code")[i % 3],
    "months": lambda i: f"{RNG.exponential(9):.2f}",
    "died": lambda i: i % 3 % 2,
    "diseased": lambda i: i % 3 % 2,
}
SCORES = {  # what a model has, by how README says that models are compared
    "AUC": lambda: f"{RNG.normal():.3f}",
    "accuracy": lambda: RNG.choice(["cat", "dog", "bird"]),
    "mean squared error": lambda: f"{RNG.normal(320, 20):.2f}",
    "mean score": lambda: f"{RNG.uniform(0.7, 0.8):.3f}",
    "average rank": lambda: f"{RNG.uniform(0.7, 0.8):.3f}",
    "concordance": lambda: f"{RNG.normal():.3f}",
}
FILES = re.findall(r"^\| an? (.*?) \| `(.*?)` \| (.*?)(?:, .*?)? \| (?:`(.*?)` )?\|$", README, re.M)


@pytest.mark.parametrize(("row", "head", "measure", "options"), FILES, ids=lambda x: x[:30])
def test_a_file_that_readme_shows_is_compared_as_it_says(row, head, measure, options, tmp_path):
    first, *others = head.split(",")
    n = 10 if first == "fold" else 40
    known = {name: CELLS.get(name) for name in others}
    lines = [
        [f"{first}{i}", *(cell(i) if cell else SCORES[measure]() for cell in known.values())]
        for i in range(n)
    ]
    path = tmp_path / "yours.csv"
    path.write_text("\n".join([head, *(",".join(map(str, line)) for line in lines)]), "utf-8")
    printed = ok("compare", path, *options.split())
    assert all(name in printed for name in others if CELLS.get(name) is None)
    assert f" {measure} " in printed.split("Models compared")[1]


def test_readme_shows_a_file_of_each_kind():
    assert [first.split(",")[0] for _, first, _, _ in FILES] == [
        *("case", "file", "house", "question", "fold", "dataset", "id")
    ]


@pytest.mark.slow
def test_the_python_of_the_page_of_functions_runs(tmp_path, monkeypatch, capsys, requires_jit):
    pytest.importorskip("matplotlib")
    blocks = re.findall(r"```python\n(.*?)```", FUNCTIONS, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(block, {})
    assert "critical difference" in capsys.readouterr().out
    assert (tmp_path / "diagram.png").stat().st_size > 0


@pytest.mark.parametrize("name", [name for name in fc.__all__ if name.islower()])
def test_the_tables_name_every_function(name):
    assert name in FUNCTIONS or re.sub(FAMILY, "", name) in FUNCTIONS


def test_readme_counts_the_designs_of_the_promise():
    """At most 6% without a warning; and the power beside a standard test that is right."""
    page = (ROOT / "docs/evidence/promise.md").read_text("utf-8")
    rows, head = [], []
    for line in page.split("## All cells")[1].split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        head = (head or cells) if line.startswith("|") else []  # the first line of a table
        rows.append({name: float(x) for name, x in zip(head, cells, strict=False) if IS_NUMBER(x)})
    silent = [row["silent"] for row in rows if "silent" in row]
    standard = [row for row in rows if row.get("standard", 100.0) <= 6.0 and "its power" in row]
    found = [row for row in standard if row["power"] >= 0.95 * row["its power"]]
    counts = [len(silent), sum(x <= 6.0 for x in silent), len(found), len(standard)]
    said = README[README.index("**Right.**") : README.index("**Fast.**")]
    assert [int(x) for x in re.findall(r"\b\d{3}\b", said)] == counts
    assert f"at most {max(silent):.0f}% in the others" in said
    result = page[page.index("**Result.**") : page.index("## Sixty")]
    assert [int(x) for x in re.findall(r"\b[12]\d\d\b", result)] == [*counts[:2], *counts[:1:-1]]


def test_readme_is_short():
    assert len(README.splitlines()) <= 150


@pytest.mark.parametrize("page", ["README.md", "docs/functions.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(page):
    place = ROOT / page
    for path, anchor in LINK.findall(place.read_text("utf-8")):
        target = place.parent / path if path else place
        assert target.is_file(), path
        titles = re.findall(r"^#+ (.*)", target.read_text("utf-8"), flags=re.MULTILINE)
        anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
        assert not anchor or anchor in anchors, anchor


PLAIN = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "docs/notebooks/index.md")
BUILT = ("gallery.md", "changelog.md")  # made with the manual
PLAIN += tuple(f"docs/{page.name}" for page in ROOT.glob("docs/*.md") if page.name not in BUILT)
PLAIN += tuple(
    page.relative_to(ROOT).as_posix()
    for room in ("howto", "concepts", "evidence")
    for page in ROOT.glob(f"docs/{room}/*.md")
)
PLAIN += tuple(f"notebooks/{page.name}" for page in ROOT.glob("notebooks/*.ipynb"))
BANNED = re.compile(  # what no statistician writes; docs/concepts/terms.md has the field's words
    r"\b(told|shall|all together|as far as|takes room|rough|nobody|alike|what you hold|per cent"
    r"|in silence|(?:holds?|held) (?:its|their) level|takes? for granted|how to go on|the way on"
    r"|(?:is|are) warned of|timid|hangs? together|seldom|[Mm]ade by `python|What to take from"
    r"|keeps? (?:its|their) promise|in place of 5|a share of 5|knows? of)\b|\d %"
)


def text_of(page):
    """A page without released versions; of a notebook, the text between its code."""
    text = (ROOT / page).read_text("utf-8")
    if page.endswith(".ipynb"):
        cells = json.loads(text)["cells"]
        return "".join(line for c in cells if c["cell_type"] == "markdown" for line in c["source"])
    return re.split(r"^## \[\d", text, flags=re.MULTILINE)[0]


@pytest.mark.parametrize("page", PLAIN)
def test_pages_are_written_in_the_words_of_the_field(page):
    assert BANNED.findall(text_of(page)) == []


def test_warnings_are_written_in_the_words_of_the_field():
    assert [word for word, status in STATUSES.items() if BANNED.search(status.meaning)] == []


def test_prose_is_what_is_left_of_pages_and_modules():
    page = "One `name` and [a page](docs/x.md).\n\n```python\nvery = 1\n```\n| a | table |\n"
    assert check_prose.without_code(page).split() == ["One", "and", "[a", "page", "."]
    assert check_prose.without_code(page).count("\n") == page.count("\n")
    module = '"""Says."""\n\n\ndef test():\n    """Return.\n\n    >>> 1\n    """\n    return 1\n'
    prose = check_prose.docstrings(module).split("\n")
    assert (prose[0], prose[4], prose[8]) == ("Says.", "Return.", "")


def test_the_extra_of_the_quick_start_writes_what_it_says():
    """Pages need jinja2 and pictures matplotlib, which README's next line asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    cli, readme = project["optional-dependencies"]["cli"], (ROOT / "README.md").read_text()
    assert '".[cli]"' in readme
    for said, package in (("-o page.html", "jinja2"), ("-o picture.png", "matplotlib")):
        assert said in readme
        assert any(need.startswith(package) for need in cli)
