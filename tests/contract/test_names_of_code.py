"""Names that a statistician would not write may only become fewer: a limit for each folder."""

import ast
import re
from pathlib import Path

import pytest

import fastcompare as fc

PACKAGE = Path(fc.__file__).parent
VAGUE = re.compile(
    r"_?(told|said|found|known|given|kept|held|won|seen|left|own|whole|apart|alike|together|worth"
    r"|spread|claimed|counted|judged|made|gathered|drawn|shown)s?",
    re.IGNORECASE,
)
MOST = {  # of vague names; folders that are not here have none
    "_base": 3,
    "_inputs": 1,
    "advice": 1,
    "items": 5,
}
FOLDERS = sorted(p.name for p in PACKAGE.iterdir() if p.is_dir() and p.name != "__pycache__")


def vague_names(folder):
    """Return the definitions, parameters and variables whose name, or last word, is vague."""
    names = []
    for path in sorted((PACKAGE / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                name = node.name
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                name = node.id
            else:
                name = node.arg if isinstance(node, ast.arg) else ""
            word = name.rpartition("_")[2] if name.startswith("_") else name
            if VAGUE.fullmatch(word):
                names.append(f"{path.name}: {name}")
    return names


@pytest.mark.parametrize("folder", FOLDERS)
def test_vague_names_become_fewer(folder):
    names = vague_names(folder)
    most = MOST.get(folder, 0)
    assert len(names) <= most, names
    assert len(names) == most, f"lower the limit of {folder} to {len(names)}"
