"""Write into README.md what its commands and its Python print, below each of them.

python scripts/refresh_readme.py
"""

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
SHOWN = re.compile(r"```(bash|python)\n(.*?)```\n\n```text\n(.*?)```\n", flags=re.DOTALL)


def said(kind: str, code: str) -> str:
    """Return what Python code prints, or the last command of a line, which needs no installing."""
    python = ["-c", code] if kind == "python" else code.split("&& python ")[1].split()
    done = subprocess.run(
        [sys.executable, *python],
        env={**os.environ, "COLUMNS": "100"},
        cwd=README.parent,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.rstrip("\n") + "\n"


def refreshed(text: str) -> str:
    """Return README with what is printed now; the tests' own lines stay."""

    def fresh(shown: re.Match[str]) -> str:
        kind, code, before = shown.groups()
        return shown[0] if "pytest" in code else shown[0].replace(before, said(kind, code))

    return SHOWN.sub(fresh, text)


def main() -> None:
    """Refresh README."""
    README.write_text(refreshed(README.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
