"""What CONTRIBUTING promises of the code, checked by a machine."""

import ast
import inspect
import io
import re
import tokenize
from bisect import bisect_left, bisect_right
from collections import defaultdict, deque
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import fastcompare as fc
from fastcompare._base.documented import ORDER

FAMILIES = (
    "auc",
    "folds",
    "items",
    "labels",
    "paired",
    "probabilities",
    "ranks",
    "raters",
    "readers",
    "survival",
)
ROOT = Path(__file__).parents[2]
FUNCTIONS = [name for name in fc.__all__ if inspect.isfunction(getattr(fc, name))]
MOST_FUNCTION, MOST_FILE, MOST_TEST_FILE, MOST_REPEATED = 30, 400, 400, 11
MOST_ENTRIES = 20  # of a folder
LAYOUT = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
)
UNCOUNTED = {"__init__", "__pycache__"}
FAMILY = r"_(interval|test)$"  # the manual names the measure, and these endings once
TESTS = re.compile(r"_test$|_batch$|^ttest_|^ftest_|^bayes_|^compare_datasets$")


class Source(NamedTuple):
    """A file of the package: its tree, and its lines of code without comments and docstrings."""

    path: Path
    tree: ast.Module
    lines: dict[int, str]
    numbers: list[int]  # of these lines, in order

    def nodes(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """Return the nodes of these kinds."""
        return (node for node in ast.walk(self.tree) if isinstance(node, kinds))

    def functions(self) -> Iterator[ast.FunctionDef]:
        """Return all functions and methods."""
        return (node for node in statements(self.tree) if isinstance(node, ast.FunctionDef))

    def around(self, line: int) -> str:
        """Return the name of the innermost function that holds a line."""
        holding = [f for f in self.functions() if f.lineno <= line <= f.end_lineno]
        return max(holding, key=lambda f: f.lineno).name if holding else self.path.stem

    def count(self, function: ast.FunctionDef) -> int:
        """Return how many lines of code the body of a function has."""
        first, last = function.body[0].lineno, function.end_lineno
        return bisect_right(self.numbers, last) - bisect_left(self.numbers, first)


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Return a tree and all statements in it, as `ast.walk` does, without their expressions."""
    waiting = deque([tree])
    while waiting:
        node = waiting.popleft()
        yield node
        parts = (ast.stmt, ast.excepthandler, ast.match_case)
        waiting.extend(part for part in ast.iter_child_nodes(node) if isinstance(part, parts))


def docstring_lines(node: ast.AST) -> set[int]:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(getattr(first.value, "value", None), str):
        return set(range(first.lineno, first.end_lineno + 1))
    return set()


@cache
def read(path: Path) -> Source:
    text = path.read_text()
    tree, written = ast.parse(text), text.splitlines()
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            code.update(range(token.start[0], token.end[0] + 1))
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in statements(tree):
        if isinstance(node, holders):
            code -= docstring_lines(node)
    numbers = sorted(code)
    return Source(path, tree, {line: written[line - 1].strip() for line in numbers}, numbers)


def package(folder: str = "") -> list[Source]:
    return [read(path) for path in sorted((ROOT / "fastcompare" / folder).rglob("*.py"))]


def test_functions_have_at_most_30_lines_of_code():
    found = {
        function.name
        for source in package()
        for function in source.functions()
        if source.count(function) > MOST_FUNCTION
    }
    assert sorted(found) == []


def test_files_have_at_most_400_lines_of_code():
    found = {source.path.stem for source in package() if len(source.lines) > MOST_FILE}
    assert sorted(found) == []


def test_folders_have_at_most_20_entries():
    every = (ROOT / "fastcompare").rglob("*")
    folders = [path for path in every if path.is_dir() and path.name not in UNCOUNTED]
    sizes = {path: len({p.stem for p in path.iterdir()} - UNCOUNTED) for path in folders}
    assert {path.name: n for path, n in sizes.items() if n > MOST_ENTRIES} == {}


def test_files_of_tests_have_at_most_400_lines():
    paths = (ROOT / "tests").rglob("*.py")
    found = {p.stem for p in paths if len(p.read_text().splitlines()) > MOST_TEST_FILE}
    assert sorted(found) == []


def test_tests_leave_checks_of_arguments_to_inputs():
    found = {
        source.around(node.lineno)
        for family in FAMILIES
        for source in package(family)
        for node in source.nodes(ast.Raise)
        if node.exc is not None and ast.unparse(node.exc).startswith(("Invalid", "invalid_"))
    }
    assert sorted(found) == []


def test_what_an_alternative_means_is_said_in_one_place():
    found = set()
    for source in package():
        place = source.path.relative_to(ROOT / "fastcompare").as_posix()
        if place.startswith("_inference/") or place == "_inputs/options.py":
            continue
        for node in source.nodes(ast.Compare):
            sides = [ast.unparse(side) for side in (node.left, *node.comparators)]
            if any(re.search(r"\balternative$", side) for side in sides):
                found.add(source.around(node.lineno))
    assert sorted(found) == []


def test_shared_options_have_one_order():
    found = set()
    for name in FUNCTIONS:
        parameters = inspect.signature(getattr(fc, name)).parameters.values()
        options = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
        places = [ORDER.index(o) if o in ORDER else -1 for o in options]
        if places != sorted(places):
            found.add(name)
    assert sorted(found) == []


def test_every_test_has_on_undefined():
    tests = [name for name in FUNCTIONS if TESTS.search(name)]
    found = {n for n in tests if "on_undefined" not in inspect.signature(getattr(fc, n)).parameters}
    assert sorted(found) == []


def test_on_undefined_is_checked_before_any_work():
    found = set()
    for name in FUNCTIONS:
        function = getattr(fc, name)
        parameters = inspect.signature(function).parameters
        if "on_undefined" not in parameters:
            continue
        senseless = {p.name: object() for p in parameters.values() if p.default is p.empty}
        try:
            function(**senseless, on_undefined="panic")
        except fc.FastCompareError as error:
            if "`on_undefined`" not in str(error):
                found.add(name)
    assert sorted(found) == []


def test_every_public_name_is_in_the_readme_or_the_manual():
    manual = "".join(path.read_text() for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
    words = set(re.findall(r"\w+", manual))
    found = {name for name in fc.__all__ if not words & {name, re.sub(FAMILY, "", name)}}
    assert not found


def test_no_twelve_lines_are_written_twice():
    places = defaultdict(list)
    for source in package():
        imports = source.nodes(ast.Import, ast.ImportFrom)
        outside = {line for n in imports for line in range(n.lineno, n.end_lineno + 1)}
        lines = [(at, text) for at, text in source.lines.items() if at not in outside]
        for start in range(len(lines) - MOST_REPEATED):
            block = lines[start : start + MOST_REPEATED + 1]
            places[tuple(text for _, text in block)].append((source, block[0][0]))
    repeated = [place for where in places.values() if len(where) > 1 for place in where]
    assert sorted({source.around(line) for source, line in repeated}) == []


def test_docstrings_begin_with_what_comes_back():
    found = {
        function.name
        for source in package()
        for function in source.functions()
        if (ast.get_docstring(function) or "").startswith("Return what")
    }
    assert sorted(found) == []


def test_one_file_asks_a_room_above_its_own():
    """The others import their own files, NumPy, the package's face, or what tables name."""
    found = {
        source.path.relative_to(ROOT / "fastcompare").as_posix()
        for source in package()
        for node in source.nodes(ast.Call)
        if ast.unparse(node.func).split(".")[-1] in ("import_module", "__import__")
    }
    assert sorted(found - {"_results/presentation.py"}) == [
        "__init__.py",
        "_base/lazy.py",
        "_cli/app.py",
        "_config.py",
        "_jit/cache.py",
        "_jit/numpy_sort.py",
        "kernels/__init__.py",
    ]


PROSE = re.compile(r"__doc__|getdoc|str\(error\)|\bmessage\b|summary\(\)")
READERS = {"_base", "_jit", "kernels", "_adapters"}  # the last reads the errors of other packages


def test_only_base_reads_messages_summaries_and_docstrings():
    found = set()
    for source in package():
        if source.path.relative_to(ROOT / "fastcompare").parts[0] in READERS:
            continue
        for node in source.nodes(ast.Compare, ast.Call):
            if isinstance(node, ast.Compare):
                read = [ast.unparse(x) for x in node.comparators if type(node.ops[0]) is ast.In]
            else:
                regex = re.match(r"re\.|.*\.(sub|search|match|findall)$", ast.unparse(node.func))
                read = [ast.unparse(x) for x in node.args] if regex else []
            if any(map(PROSE.search, read)):
                found.add(source.around(node.lineno))
    assert sorted(found) == []


def test_nothing_is_looked_up_by_the_name_of_a_class():
    found = {
        source.around(node.lineno)
        for source in package()
        for node in source.nodes(ast.Subscript, ast.Call)
        if re.fullmatch(r"[\w.]+(\[|\.get\()type\([\w.]+\)\.__name__.*", ast.unparse(node))
    }
    assert sorted(found) == []


def test_only_to_dict_returns_a_dict_of_anything():
    found = {
        function.name
        for source in package()
        for function in source.functions()
        if function.returns is not None
        and ast.unparse(function.returns) == "dict[str, Any]"
        and function.name != "to_dict"
    }
    assert sorted(found) == []
