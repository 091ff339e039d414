"""Execute every notebook from top to bottom; the exit code is 1 if a cell of any of them fails.

    python scripts/run_notebooks.py

Results are checked by the notebooks' own assertions and thrown away: the files stay as they are.
"""

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

ROOT = Path(__file__).parents[1]
SECONDS = 300  # a cell may take
AT_ONCE = 2  # notebooks: their own processes do the work


def run(path: Path) -> str:
    """Execute a notebook in the root of the repository; return what went wrong, or nothing."""
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(ROOT)}}  # where a checkout can be imported uninstalled
    try:
        NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=place).execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        return str(error)
    return ""


def main() -> int:
    """Run all notebooks and print a line for each."""
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return int(any(list(pool.map(report, paths))))


def report(path: Path) -> bool:
    """Run a notebook, print a line, and return whether it failed."""
    start = time.perf_counter()
    failure = run(path)
    seconds = time.perf_counter() - start
    print(f"{'FAILED' if failure else 'ok':<7}{path.name} ({seconds:.1f} s)", flush=True)
    if failure:
        print(failure, file=sys.stderr)
    return bool(failure)


if __name__ == "__main__":
    sys.exit(main())
