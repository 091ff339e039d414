"""Public docstrings, messages and sentences of results are written in the words of the field."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import fastcompare as fc
from tests.manual.test_readme import BANNED

PACKAGE = Path(fc.__file__).parent
MODULES = (fc, fc.results, fc.plots, fc.simulate, fc.datasets, fc.advice)
ALSO = re.compile(  # pages have other uses of these
    r"\b(what is held|be it that|stands? for|less (?:that|the|those|its|twice)|names reach|whence"
    r"|comes back|likelier|claims that|judged|go(?:es)? by|this very|without ends)\b"
)


def described(thing):
    """Yield the docstrings of a public function, or of a class and what is public in it."""
    yield inspect.getdoc(thing) or ""
    for name in dir(thing) if inspect.isclass(thing) else ():
        member = inspect.getattr_static(thing, name)
        if not name.startswith("_") and (callable(member) or isinstance(member, property)):
            yield inspect.getdoc(member) or ""


def banned_in(text):
    """Return the words of a text that are not the field's, each with what stands around it."""
    found = [*BANNED.finditer(text), *ALSO.finditer(text)]
    return [" ".join(text[max(0, m.start() - 30) : m.end() + 20].split()) for m in found]


def sentences_of(tree):
    """Yield the texts of a file of three words or more: no docstrings, and no names in braces."""
    nodes = [*ast.walk(tree)]
    parts = {id(part) for n in nodes if isinstance(n, ast.JoinedStr) for part in n.values}
    bodies = [n.body for n in nodes if isinstance(getattr(n, "body", None), list)]
    docs = {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            texts = [part.value for part in node.values if isinstance(part, ast.Constant)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = [] if id(node) in docs | parts else [re.sub(r"\{[^{}]*\}", "", node.value)]
        else:
            continue
        if (text := "…".join(texts)).count(" ") > 1:
            yield text


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_public_docstrings_are_written_in_the_words_of_the_field(module):
    public = [getattr(module, name) for name in getattr(module, "__all__", dir(module))]
    things = [thing for thing in public if inspect.isclass(thing) or inspect.isfunction(thing)]
    assert things
    texts = {text for thing in things for text in described(thing)}
    assert [word for text in sorted(texts) for word in banned_in(text)] == []


@pytest.mark.slow
def test_messages_and_sentences_are_written_in_the_words_of_the_field():
    trees = {path: ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    texts = {text for tree in trees.values() for text in sentences_of(tree)}
    assert len(texts) > 1000
    assert [word for text in sorted(texts) for word in banned_in(text)] == []


def test_the_words_are_found():
    assert banned_in("the test holds its level of 5 %, as told") != []
    assert [*sentences_of(ast.parse("f'so {told} it {n} is'"))] == ["so … it … is"]
    assert [*sentences_of(ast.parse("'''A docstring of a file.'''"))] == []
