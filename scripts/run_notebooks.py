"""Run every notebook; the exit code is 1 if a cell fails or prints something else than is stored.

    python scripts/run_notebooks.py             # in a copy outside the checkout: changes nothing
    python scripts/run_notebooks.py --write     # where they lie: stores outputs and pictures
    python scripts/run_notebooks.py delong      # some of them

Numbers may differ by noise; those of cells with the tag "measured" are times, and may be any.
What is stored has no warnings: they name files of the kernel.
"""

import argparse
import math
import re
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

FOLDER = Path(__file__).parents[1] / "notebooks"
SECONDS = 600  # a cell may take
AT_ONCE = 2  # notebooks: their own processes do the work
NUMBER = re.compile(r"(?<![\w.])[-−]?\d[\d,]*(?:\.\d+)*(?:e[-+]?\d+)?")  # and 3.11.7


def without_warnings(outputs: list[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """Return the outputs of a cell without those to standard error."""
    return [output for output in outputs if output.get("name") != "stderr"]


def output_text(cell: nbformat.NotebookNode) -> str:
    """Return the text that a cell printed and displayed; ``(a picture)`` for a picture."""
    text = ""
    for output in without_warnings(cell.outputs):
        if output.output_type == "stream":
            text += output.text
        else:
            picture = "image/png" in output.data
            text += f"\n{'(a picture)' if picture else output.data.get('text/plain', '')}\n"
    return text


def numbers(output: str) -> list[float]:
    """Return the numbers of an output, and the first two of a version's."""
    found = (text.replace("−", "-").replace(",", "") for text in NUMBER.findall(output))
    return [float(".".join(text.split(".")[:2])) for text in found]


def differ(stored: str, found: str, measured: bool) -> bool:
    """Return whether two outputs differ by more than spaces and noise of their numbers."""
    if NUMBER.sub("#", stored).split() != NUMBER.sub("#", found).split():
        return True
    pairs = () if measured else zip(numbers(stored), numbers(found), strict=True)
    return not all(math.isclose(*pair, rel_tol=1e-3, abs_tol=1e-9) for pair in pairs)


def changed_output(stored: nbformat.NotebookNode, found: nbformat.NotebookNode) -> str:
    """Return the first cell whose output differs, with both outputs; '' if none does."""
    for before, after in zip(stored.cells, found.cells, strict=True):
        if before.cell_type == "code":
            measured = "measured" in before.metadata.get("tags", ())
            if differ(output_text(before), output_text(after), measured):
                return (
                    f"cell {before.id}\nstored:\n{output_text(before)}\nnow:\n{output_text(after)}"
                )
    return ""


def run(path: Path, place: Path, write: bool) -> str:
    """Execute a notebook in a folder; return what went wrong, or nothing."""
    stored, notebook = (nbformat.read(path, as_version=4) for _ in range(2))
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,  # printed text comes in pieces, cut where the kernel was asked
        resources={"metadata": {"path": str(place)}},
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        return str(error)
    if not write:
        return changed_output(stored, notebook)
    notebook.metadata = stored.metadata  # without the version of Python
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = without_warnings(cell.outputs)
    nbformat.write(notebook, path)
    return ""


def report(place: Path, write: bool, path: Path) -> bool:
    """Run a notebook, print a line, and return whether it failed."""
    start = time.perf_counter()
    failure = run(path, place, write)
    seconds = time.perf_counter() - start
    print(f"{'FAILED' if failure else 'ok':<7}{path.name} ({seconds:.1f} s)", flush=True)
    if failure:
        print(failure, file=sys.stderr)
    return bool(failure)


def main() -> int:
    """Run all notebooks, or those that are named, and print a line for each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    paths = sorted(FOLDER.glob("*.ipynb"))
    wanted = [path for path in paths if not asked.names or path.stem in asked.names]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(AT_ONCE) as pool:
        copy = shutil.copytree(FOLDER, Path(scratch, "copy"))
        place = FOLDER if asked.write else copy
        return int(any(list(pool.map(partial(report, place, asked.write), wanted))))


if __name__ == "__main__":
    sys.exit(main())
