"""Lint what people read: README, the manual, the other pages and all docstrings, by proselint.

    python scripts/check_prose.py            # everything
    python scripts/check_prose.py PATH ...   # some files

Those of its checks that suit a technical text run on sentences alone: code, tables, links and
references become blanks, and lines keep their numbers. The exit code is 1 if anything is found.
The field's words are in docs/concepts/terms.md; tests/manual/test_readme.py keeps others out of all
pages.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BUILT = ("_build", "api", "which", "families", "gallery.md", "changelog.md")  # pages of docs/
CHECKS = {"weasel_words.very": False} | dict.fromkeys(  # the specific ones first
    (
        *("archaism", "cliches", "hedging", "industrial_language", "malapropisms", "misc.whence"),
        *("misc.metadiscourse", "mixed_metaphors", "mondegreens", "needless_variants", "nonwords"),
        *("oxymorons", "redundancy", "skunked_terms", "spelling", "terms", "uncomparables"),
        *("weasel_words",),
    ),
    True,
)
NOT_PROSE = re.compile(
    r"^```.*?^```"  # blocks of code, and what they print
    r"|^ *(?:>>>|\.\.\. )[^\n]*|^(?: {4}|\|)[^\n]*"  # examples, formulas, tables
    r"|`[^`\n]*`|\]\([^)\n]*\)|https?://\S+"
    r"|^\.\. \[\d+\].*?(?=\n\n|\n\.\. |\Z)",  # references: titles of papers
    re.DOTALL | re.MULTILINE,
)

QUOTES = re.compile(r'^r?"""|"""$')


def without_code(text: str) -> str:
    """Return a text with blanks in place of code, tables, links and references."""
    return NOT_PROSE.sub(lambda found: re.sub(r"\S", " ", found[0]), text)


def docstrings(source: str) -> str:
    """Return the docstrings of a module at their lines, without anything else."""
    lines, kept = source.split("\n"), {}
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            own = range(first.lineno - 1, first.end_lineno or first.lineno)
            kept |= {i: QUOTES.sub("", lines[i].strip()) for i in own}
    return "\n".join(kept.get(i, "") for i in range(len(lines)))


def paths() -> Iterator[Path]:
    """Yield the files that have sentences: pages first, then modules."""
    yield from sorted(ROOT.glob("*.md"))
    docs = ROOT / "docs"
    yield from sorted(p for p in docs.rglob("*.md") if p.relative_to(docs).parts[0] not in BUILT)
    yield from sorted((ROOT / "fastcompare").rglob("*.py"))


def main() -> int:
    """Print what proselint finds in each file."""
    from proselint.checks import __register__
    from proselint.registry import CheckRegistry
    from proselint.tools import LintFile

    CheckRegistry().register_many(__register__)
    config = {"checks": CHECKS, "max_errors": 1000}
    status = 0
    for path in [*map(Path, sys.argv[1:])] or paths():
        text = path.read_text("utf-8")
        prose = without_code(docstrings(text) if path.suffix == ".py" else text)
        for found in LintFile(path.name, prose).lint(config) if prose.strip() else ():
            line, said = found.pos[0], found.check_result
            print(f"{path}:{line}: {said.check_path}: {said.message}")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
