"""Write the README's table of speed between its two markers.

    python -m benchmarks.tables

Times are ratios within one run, rounded to two digits, so that the table hardly changes from run
to run on one machine.
"""

from functools import partial
from pathlib import Path

import numpy as np

import fastcompare as fc

from .baselines import CONTENDERS
from .cases import scored_cases
from .timing import interleaved

README = Path(__file__).parents[1] / "README.md"
START, END = "<!-- speed -->", "<!-- /speed -->"
SIZES = (100, 1000, 10**4, 10**5, 10**6)
COLUMNS = {  # contender: how the table calls it
    "argsort": "two `np.argsort`",
    "scikit-learn": "two `roc_auc_score`",
    "midrank (NumPy)": "midranks in NumPy",
    "naive O(mn)": "all pairs in NumPy",
}
MACHINE = ("processor", "cores", "system", "python", "numpy", "scipy", "numba", "fastcompare")


def two_digits(value):
    """Return a positive number with two significant digits, never in scientific notation."""
    rounded = float(f"{value:.2g}")
    if rounded >= 10:
        return f"{rounded:,.0f}"
    return f"{rounded:.1f}" if rounded >= 1 else f"{rounded:.2g}"


def duration(seconds):
    """Return a time in the unit that suits it."""
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 0.995:
            return f"{two_digits(seconds * factor)} {unit}"
    return f"{two_digits(seconds * 1e6)} µs"


def measure(n):
    """Return the median seconds of fastcompare, and by contender the median ratio to it."""
    case = scored_cases(n)
    labels, scores = case
    able = {name: c.compare for name, c in CONTENDERS.items() if n <= c.most}
    times = interleaved([partial(call, labels, *scores) for call in able.values()], seconds=2.0)
    relative = np.median(times / times[:, :1], axis=0)
    return float(np.median(times[:, 0])), dict(zip(able, relative.tolist(), strict=True))


def table_row(n):
    """Return a row of the table."""
    seconds, relative = measure(n)
    cells = [f"{two_digits(relative[name])} ×" if name in relative else "–" for name in COLUMNS]
    return [f"{n:,}", duration(seconds), *cells]


def markdown(rows):
    """Return the rows as a Markdown table, numbers to the right."""
    header = ["cases", "`delong_test`", *COLUMNS.values()]
    lines = [header, ["---:"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine():
    """Return what the times were measured on, in a line."""
    config = fc.show_config()
    return ", ".join(f"{name} {config[name]}" for name in MACHINE)


def speed_text(rows):
    """Return all that stands between the markers."""
    return (
        f"{markdown(rows)}\n\n"
        "A comparison of two models by `delong_test`, with all checks and on one thread, and how "
        "many times longer the others take, in the same run: two bare sorts; two AUCs without "
        "a test; DeLong's test as it is usually written, by midranks and by all pairs. Scores are "
        f"continuous, 30 % of the cases positive. Measured on: {machine()}."
    )


def replace_between(text, new):
    """Return a text with the part between the markers replaced, or exit if they are missing."""
    if text.count(START) != 1 or text.count(END) != 1 or text.index(START) > text.index(END):
        raise SystemExit(f"README.md must hold {START} and, after it, {END}, each once.")
    before, after = text.partition(START)[0], text.partition(END)[2]
    return f"{before}{START}\n{new}\n{END}{after}"


def main():
    if not README.exists():
        raise SystemExit("There is no README.md to write the table to.")
    replace_between(README.read_text("utf-8"), "")  # fails before the minute of measuring
    text = speed_text([table_row(n) for n in SIZES])
    README.write_text(replace_between(README.read_text("utf-8"), text), "utf-8")
    print(text)


if __name__ == "__main__":
    main()
