"""Write into README.md what its commands and its Python print, below each of them.

python scripts/refresh_readme.py
"""

import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import fastcompare as fc

README = Path(__file__).parents[1] / "README.md"
PYTHON_AND_OUTPUT = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```\n", flags=re.DOTALL)
COMMAND_AND_OUTPUT = re.compile(r"(```console\n\$ (fastcompare .*?)\n)(.*?)```\n", flags=re.DOTALL)


def printed(*arguments: str, folder: Path = README.parent) -> str:
    """Return what Python prints on standard output, run in a folder with these arguments."""
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "COLUMNS": "100", "PYTHONPATH": str(README.parent)},
        cwd=folder,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return done.stdout.rstrip("\n") + "\n"


def printed_by_code(code: str) -> str:
    """Return what Python code prints, wrapped."""
    return textwrap.fill(printed("-c", code), 80) + "\n"


def printed_by_command(command: str) -> str:
    """Return what a command prints about `yours.csv`: two bundled models of 399 cases."""
    data = fc.load_predictions()
    columns = data.y_true, data.scores["logistic_regression"], data.scores["naive_bayes"]
    rows = [f"c{j:03},{y},{a},{b}" for j, (y, a, b) in enumerate(zip(*columns, strict=True))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "yours.csv").write_text(
            "\n".join(["case,diseased,logistic,bayes", *rows]), "utf-8"
        )
        return printed("-m", *command.split(), folder=folder)


def refresh_outputs(text: str) -> str:
    """Return README with what is printed now."""

    def fresh(shown: re.Match[str]) -> str:
        code, before = shown.groups()
        return shown[0].replace(before, printed_by_code(code))

    text = COMMAND_AND_OUTPUT.sub(
        lambda shown: f"{shown[1]}{printed_by_command(shown[2])}```\n", text
    )
    return PYTHON_AND_OUTPUT.sub(fresh, text)


def main() -> None:
    """Refresh README."""
    README.write_text(refresh_outputs(README.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
