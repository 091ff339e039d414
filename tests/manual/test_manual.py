"""The manual: its Python runs, and every public name has a place in its reference."""

import contextlib
import doctest
import inspect
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fastcompare as fc
from fastcompare.advice import RULES
from fastcompare.advice.kinds import KINDS
from scripts.check_prose import BUILT

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [page for page in DOCS.rglob("*.md") if page.relative_to(DOCS).parts[0] not in BUILT]
BLOCK = re.compile(
    r"(<!-- not run[^\n]*-->\n)?^```(?:python|console)\n(.*?)^```", re.DOTALL | re.MULTILINE
)
FAMILIES = sorted(name for name in fc._MODULES if hasattr(getattr(fc, name), "CALLS"))
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(page):
    """The Python and the commands of a page; what cannot run here is marked, with the reason."""
    return [block for mark, block in BLOCK.findall(page.read_text("utf-8")) if not mark]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:(small_sample|few_clusters):UserWarning")
@pytest.mark.parametrize(
    "page", [*filter(blocks, PAGES)], ids=lambda page: str(page.relative_to(DOCS))
)
def test_the_code_of_a_page_runs_in_its_order(page, tmp_path, monkeypatch, requires_jit):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    names = {"__name__": "__main__"}
    for block in blocks(page):
        if block.startswith(">>>"):
            check_examples(block, names, page.name)
        elif block.startswith("$ "):
            check_commands(block)
        else:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, page.name, "exec"), names)


def check_examples(block, names, page):
    """Run examples with their output, which must be what is printed."""
    test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
    said = io.StringIO()
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    runner.run(test, out=said.write, clear_globs=False)
    names |= test.globs
    assert not runner.failures, said.getvalue()


def check_commands(block):
    """Run commands with what they print below them, errors and notes first."""
    for shown in block.removeprefix("$ ").split("\n$ "):
        command, _, expected = shown.partition("\n")
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, timeout=120, check=False
        )
        printed = done.stderr + done.stdout
        assert doctest.OutputChecker().check_output(expected, printed, FLAGS), printed


def test_every_public_name_is_in_one_family_of_the_reference(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import reference

    reference.check_families()
    monkeypatch.setattr(fc, "__all__", [*fc.__all__, "forgotten_test"])
    with pytest.raises(SystemExit, match="forgotten_test"):
        reference.check_families()
    del sys.modules["reference"]


def test_which_test_has_words_for_every_kind_and_design_of_data(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import questions

    assert set(questions.HOLD) == set(KINDS)
    assert set(questions.DESIGN) >= {design for kind in KINDS for design in KINDS[kind].designs}
    import contents

    assert set(contents.KINDS) == set(KINDS)


@pytest.mark.slow
def test_each_test_that_a_rule_names_has_a_section_with_all_its_parts(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import families

    for kind in KINDS:
        text = families.page(kind)
        own = {r.test for r in RULES if kind in r.kinds and r.role in families.TOLD}
        assert set(re.findall(r"^## (\w+)$", text, re.MULTILINE)) == own
        for part in ("**What is computed.**", "**Measured.**", "**Source.**"):
            assert {part in section for section in text.split("\n## ")[1:]} == {True}
        assert len(
            re.findall(r"\*\*Where it is\.\*\* `\w+` in `fastcompare/.*\.py:\d+`", text)
        ) == len(own)
        assert "eval-rst}\n\n```" not in text
    assert families.contents() in (DOCS / "families.md").read_text()


@pytest.mark.slow
def test_stored_numbers_beside_a_test_are_files_that_its_own_tests_read(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import families

    root = DOCS.parent
    said = {name: families.compared(name) for name in fc.__all__}
    files = {file for text in said.values() for file in re.findall(r"`([^`]+)`", text)}
    assert files
    assert all((root / file).is_file() for file in files)
    assert all(file.startswith("tests/golden/") for file in files if file.endswith(".json"))
    paired = "`tests/auc/test_paired.py` with `tests/golden/proc_delong.json`"
    assert paired in said["delong_test"]  # by way of tests/shared/golden_files.py
    assert "proc_delong" not in said["permutation_auc_test"]  # whose module imports it, too


def test_the_table_of_threads_has_every_function_that_takes_n_jobs():
    text = (DOCS / "embedding.md").read_text("utf-8")
    told = re.search("<!-- threads -->(.*)<!-- /threads -->", text, re.DOTALL)[1]
    takes = {
        name
        for name in fc.__all__
        if inspect.isroutine(getattr(fc, name))
        and "n_jobs" in inspect.signature(getattr(fc, name)).parameters
    }
    first = [row.split("|")[1] for row in told.strip().splitlines()[2:]]
    assert sorted(re.findall(r"`(\w+)`", " ".join(first))) == sorted(takes)


def test_no_page_names_places_of_one_machine():
    found = [page.name for page in PAGES if re.search(r"/(tmp|work|home|root)/", page.read_text())]
    assert not found


LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
DIRECTIVE = re.compile(r"^(?:```+\{|:::|\([\w-]+\)=$)|\{[a-z:]+\}`|^\.\. \w+::", re.MULTILINE)
CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_reads_on_a_code_host_as_in_the_manual(page):
    """Plain Markdown, whose links lead to files and headings that are stored, not built."""
    text = page.read_text("utf-8")
    assert DIRECTIVE.findall(text) == []
    assert text.startswith("# ")
    plain = CODE.sub("", text)
    assert len(plain.split()) > 30
    for path, anchor in LINK.findall(plain):
        if re.match(r"https?:|mailto:", path):
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), path
        inside = target.relative_to(DOCS).parts if target.is_relative_to(DOCS) else ("",)
        assert inside[0] not in BUILT, path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


def anchors(page):
    """Return the anchors of the headings of a page, as code hosts and the manual make them."""
    titles = re.findall(r"^#+ (.*)", CODE.sub("", page.read_text("utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_page_of_a_family_says_which_test_and_what_it_computes(family):
    text = (DOCS / f"{family}.md").read_text("utf-8")
    titles = re.findall(r"^## (.*)", text, flags=re.MULTILINE)
    for title in ("Which (test|measure)", "Formula", "Pitfalls", "Evidence"):
        assert any(re.fullmatch(title, one) for one in titles), title
    assert blocks(DOCS / f"{family}.md")
    assert re.search(r"\]\((evidence/\w+\.md)", text)
    for page in ("which.md", "functions.md"):
        assert f"]({family}.md)" in (DOCS / page).read_text("utf-8"), page


def test_the_page_of_a_family_names_functions_that_there_are():
    for family in FAMILIES:
        text = (DOCS / f"{family}.md").read_text("utf-8")
        named = re.findall(r"\bfc\.(\w+)|`(\w+_test)\b", text)
        unknown = {one or other for one, other in named} - set(fc.__all__)
        assert unknown == set(), family


def test_tables_of_calls_are_those_that_are_recommended(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    import questions

    for name in questions.TABLED:
        text = (DOCS / name).read_text("utf-8")
        assert questions.TABLE.search(text)
        written = questions.with_table(text, questions.calls_table())
        assert text == written, "run `python docs/_ext/questions.py`"
