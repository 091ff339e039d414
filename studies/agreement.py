"""Run the same tests here and in other programs, and tell how many digits are equal.

    python -m studies.agreement [--write]

It needs mlxtend, autorank, baycomp, scikit-posthocs, scikit-survival, lifelines and fast-cindex
(pip install), and R with pROC, survival and riskRegression (apt-get install r-base-core r-cran-proc
r-cran-survival r-cran-riskregression); the package and its tests need none of these.
"""

import argparse
import json
import re
import subprocess
import warnings
from importlib.metadata import version
from pathlib import Path

from studies.tables import DOCS, markdown, publish

PAGE = DOCS / "evidence/agreement.md"
PACKAGES = (
    *("SciPy", "statsmodels", "scikit-learn", "mlxtend", "scikit-posthocs", "autorank", "baycomp"),
    *("scikit-survival", "lifelines", "fast-cindex"),
)
R_PACKAGES = ("pROC", "survival", "riskRegression")
TESTS = Path(__file__).parents[1] / "tests"
LOW = 8  # digits below which a reason is asked for
SHARED = {"proc_delong.json": "golden_files import PROC"}  # read once, for tests that import it


def show(checks):
    """Return the table of all checks, those of a function together."""
    rows, unexplained = [], []
    for check in sorted(checks, key=lambda check: (check.function, check.program)):
        digits = str(check.digits)
        if check.digits < LOW:
            unexplained += [] if check.why else [f"{check}: {digits} digits, and no reason why"]
            digits += f": {check.why}"
        rows.append((f"`{check.function}`", check.program, f"`{check.call}`", digits))
    if unexplained:
        raise SystemExit("\n".join(unexplained))
    return markdown(("function", "program", "its call", "equal digits"), rows)


def golden():
    """Return the table of numbers that are stored with the tests, and which tests read them."""
    paths = sorted(TESTS.rglob("test_*.py"))
    tests = {path.relative_to(TESTS).as_posix(): path.read_text("utf-8") for path in paths}
    rows = []
    folders = ("golden", "golden/items", "golden/survival")
    for path in sorted(path for folder in folders for path in TESTS.glob(f"{folder}/*.json")):
        stored = json.loads(path.read_text("utf-8"))
        mark = SHARED.get(path.name, path.name)
        readers = [f"`{name}`" for name, text in tests.items() if mark in text]
        about = stored.get("title") or stored.get("meta", {}).get("title")
        about = about or re.split(r"; |\. ", stored.get("source", ""))[0]
        rows.append((f"`{path.name}`", about or "DeLong's tests of R's pROC", ", ".join(readers)))
    return markdown(("file", "contents", "tests that read it"), rows)


def versions():
    """Return which programs were run."""
    found = [f"{name} {version(name)}" for name in PACKAGES]
    asked = ", ".join(f"format(packageVersion('{name}'))" for name in R_PACKAGES)
    said = subprocess.run(
        ["Rscript", "-e", f"cat(as.character(getRversion()), {asked})"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    numbers = re.findall(r"[\d.]+", said)
    found += [" ".join(one) for one in zip(("R", *R_PACKAGES), numbers, strict=True)]
    return f"Run with {', '.join(found)}; timeROC's numbers are stored, of version 0.4.1."


def main():
    """Print the table, and with --write publish it."""
    from studies.other_programs import (
        agreeing_labels,
        agreeing_rounds,
        agreeing_rows,
        agreeing_scores,
        agreeing_times,
    )

    parser = argparse.ArgumentParser(prog="python -m studies.agreement")
    parser.add_argument("--write", action="store_true", help="put the table into the manual")
    options = parser.parse_args()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = (agreeing_scores, agreeing_labels, agreeing_rounds, agreeing_rows, agreeing_times)
        table = show([check for part in parts for check in part.checks()])
    text = f"{table}\n\n{versions()}"
    print(text)
    if options.write:
        publish("agreement", PAGE, text)
        publish("golden", PAGE, golden())


if __name__ == "__main__":
    main()
