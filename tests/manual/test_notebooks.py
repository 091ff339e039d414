"""Notebooks are stored with what they print; how CI tells noise from news."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
from scripts import run_notebooks  # noqa: E402

NOTEBOOKS = sorted(run_notebooks.FOLDER.glob("*.ipynb"))
GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_stored_as_one_run_left_them(path):
    cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
    assert any(run_notebooks.output_text(cell) for cell in cells)
    outputs = [output for cell in cells for output in cell.outputs]
    assert {output.output_type for output in outputs} <= {
        "stream",
        "display_data",
        "execute_result",
    }
    assert all(output.get("name") != "stderr" for output in outputs)
    printed = [sum(output.output_type == "stream" for output in cell.outputs) for cell in cells]
    assert max(printed) == 1, "printed text is stored in pieces"


def test_published_numbers_in_notebooks_are_those_of_the_tests():
    published = sorted((run_notebooks.FOLDER / "published").iterdir())
    assert len(published) == 3
    for path in published:
        assert path.read_bytes() == (GOLDEN / path.name).read_bytes()


@pytest.mark.parametrize(
    ("found", "measured", "differs"),
    [
        ("AUC 0.9899,  −1,200 cases", False, False),  # spaces
        ("AUC 0.98990001, −1,200 cases", False, False),  # noise
        ("AUC 0.9799, −1,200 cases", False, True),
        ("AUC 0.9799, −1,300 cases", True, False),
        ("area 0.9899, −1,200 cases", True, True),
        ("AUC 0.9899, −1,200 cases, 3.11.7", True, True),
    ],
)
def test_outputs_differ_by_words_and_by_numbers_that_are_not_times(found, measured, differs):
    assert run_notebooks.differ("AUC 0.9899, −1,200 cases", found, measured) is differs
