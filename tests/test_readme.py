"""What README.md shows runs, and it names every public function."""

import re
from pathlib import Path

import pytest

import fastcompare as fc

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
FAMILY = r"_(interval|test)$"  # README names the measure, and these endings once


def test_the_python_of_readme_runs(tmp_path, monkeypatch, capsys, requires_jit):
    pytest.importorskip("matplotlib")
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(block, {})
    assert "critical difference" in capsys.readouterr().out
    assert (tmp_path / "diagram.png").stat().st_size > 0


@pytest.mark.parametrize("name", [name for name in fc.__all__ if name.islower()])
def test_readme_names_every_function(name):
    assert name in README or re.sub(FAMILY, "", name) in README
