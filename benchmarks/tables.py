"""Write the tables of speed of README.md and docs/evidence/speed.md, each between its two markers.

    python -m benchmarks.tables [NAME ...]

A table goes to every page that has its markers. Times are ratios within one run, rounded to two
digits, so that the tables hardly change from run to run on one machine.
"""

import argparse
import os
from functools import partial
from pathlib import Path

import numpy as np

import fastcompare as fc

from .cases import scored_cases
from .contenders import bootstraps
from .contenders.baselines import CONTENDERS
from .elsewhere import measured_elsewhere
from .limits import types
from .timing import interleaved

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "evidence/speed.md")
SIZES = (100, 1000, 10**4, 10**5, 10**6)
COLUMNS = {  # contender: how the table calls it
    "argsort": "two `np.argsort`",
    "scikit-learn": "two `roc_auc_score`",
    "midrank (NumPy)": "midranks in NumPy",
    "naive O(mn)": "all pairs in NumPy",
}
BOOTSTRAP_COLUMNS = {
    "index draws": "NumPy's index draws alone",
    "loop over delong_test": "loop over `delong_test`",
    "loop over scikit-learn": "loop over `roc_auc_score`",
}
THREADED = {10**7: 1, 10**8: 8}  # cases, and the fewest threads: one takes 5 and 9 s of 10^8
SAMPLED = 20  # replicates that loops are timed with: all of them would take half a minute
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


def measure_bootstrap(n):
    """Return the same of a bootstrap; a loop's time is that of few replicates, scaled up."""
    labels, scores = scored_cases(n)
    wanted = bootstraps.REPLICATES[n]
    names = ("fastcompare", *BOOTSTRAP_COLUMNS)
    counts = [SAMPLED if name.startswith("loop") else wanted for name in names]
    calls = [
        partial(bootstraps.CONTENDERS[name].replicates, labels, *scores, count)
        for name, count in zip(names, counts, strict=True)
    ]
    times = interleaved(calls, seconds=2.0) * (wanted / np.array(counts))
    relative = np.median(times / times[:, :1], axis=0)
    return float(np.median(times[:, 0])), dict(zip(names, relative.tolist(), strict=True))


def table_row(first, measured, columns):
    """Return a row of a table: its first cells, fastcompare's seconds and the others' ratios."""
    seconds, relative = measured
    cells = [f"{two_digits(relative[name])} ×" if name in relative else "–" for name in columns]
    return [*first, duration(seconds), *cells]


def markdown(header, rows):
    """Return the rows as a Markdown table, numbers to the right."""
    lines = [header, ["---:"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def machine():
    """Return what the times were measured on, in a line."""
    config = fc.show_config()
    return ", ".join(f"{name} {config[name]}" for name in MACHINE)


def speed_text():
    """Return the table of `delong_test` and what it means."""
    rows = [table_row([f"{n:,}"], measure(n), COLUMNS) for n in SIZES]
    return (
        f"{markdown(['cases', '`delong_test`', *COLUMNS.values()], rows)}\n\n"
        "The time of `delong_test` for two models, with all checks and on one thread, and how many "
        "times longer the alternatives take in the same run: two bare sorts; two AUCs without "
        "a test; DeLong's test as it is usually written, by midranks and by all pairs. Scores are "
        f"continuous, 30% of the cases positive. Measured on: {machine()}."
    )


def bootstrap_text():
    """Return the table of `bootstrap_auc_test` and what it means."""
    rows = [
        table_row([f"{n:,}", f"{count:,}"], measure_bootstrap(n), BOOTSTRAP_COLUMNS)
        for n, count in bootstraps.REPLICATES.items()
    ]
    header = ["cases", "replicates", "`bootstrap_auc_test`", *BOOTSTRAP_COLUMNS.values()]
    return (
        f"{markdown(header, rows)}\n\n"
        "The time of a bootstrap of the difference of two AUCs, stratified by class, on one "
        "thread, and how many times longer the alternatives take in the same run: drawing the "
        "random indices of all replicates without using them; a Python loop that draws a "
        "replicate and calls `delong_test` or, twice, scikit-learn's `roc_auc_score`. The times of "
        f"the loops are scaled up from {SAMPLED} replicates. Scores and machine as above."
    )


def types_text():
    """Return the table of types of scores and ties, and what it means."""
    header = ["scores", *(f"{n:,} cases" for n in types.SIZES)]
    seconds, columns = [], []
    for n in types.SIZES:
        labels, scores = scored_cases(n)
        kinds = [
            partial(fc.delong_test, labels, *map(kind, scores)) for kind, _ in types.LIMITS.values()
        ]
        times = interleaved([partial(fc.delong_test, labels, *scores), *kinds], seconds=2.0)
        seconds.append(duration(float(np.median(times[:, 0]))))
        columns.append(np.median(times / times[:, :1], axis=0)[1:])
    rows = [["continuous doubles", *seconds]]
    for name, *ratios in zip(types.LIMITS, *columns, strict=True):
        rows.append([name, *(f"{two_digits(float(ratio))} ×" for ratio in ratios)])
    return (
        f"{markdown(header, rows)}\n\n"
        "The time of `delong_test` for two models on one thread, and in units of it that of other "
        f"types and roundings of the same scores in the same run. Measured on: {machine()}."
    )


def threads_text():
    """Return the table of threads within models, and what it means."""
    threads = [2**j for j in range(os.cpu_count().bit_length())]
    rows = []
    for n, fewest in THREADED.items():
        labels, scores = scored_cases(n)
        calls = {
            "`roc_auc_interval`": partial(fc.roc_auc_interval, labels, scores[0]),
            "`delong_test`": partial(fc.delong_test, labels, *scores),
        }
        for name, call in calls.items():
            jobs = [partial(call, n_jobs=each) for each in threads if each >= fewest]
            seconds = interleaved(jobs, rounds=2).min(axis=0).tolist()
            unmeasured = ["–"] * (len(threads) - len(jobs))
            rows.append([f"{n:,}", name, *unmeasured, *map(duration, seconds)])
    header = ["cases", "function", *(f"{each} thread{'s' * (each > 1)}" for each in threads)]
    return (
        f"{markdown(header, rows)}\n\n"
        "The shorter of two calls with so many threads (`n_jobs`), which return the same bits. "
        f"Measured on: {machine()}."
    )


def elsewhere_table():
    """Return the table of tests that other packages have, and what it means."""
    rows = [
        [task, function, duration(seconds), f"{two_digits(times)} ×", peer]
        for task, function, seconds, times, peer in measured_elsewhere()
    ]
    header = ["what", "function", "time", "the other takes", "the other"]
    lines = ["| " + " | ".join(line) + " |" for line in (header, *rows)]
    lines.insert(1, "| --- | --- | ---: | ---: | --- |")
    return (
        "\n".join(lines) + "\n\nThe shortest processor time of calls that alternate in one run. "
        "The others return a p-value or a value; fastcompare's results also have estimates, "
        f"intervals and sentences. Measured on: {machine()}."
    )


TABLES = {  # by the names of the markers
    "speed": speed_text,
    "speed-bootstrap": bootstrap_text,
    "speed-types": types_text,
    "speed-threads": threads_text,
    "speed-elsewhere": elsewhere_table,
}


def replace_between(text, name, new):
    """Return a text with the part between the markers replaced, or exit if they are missing."""
    start, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise SystemExit(f"the page must contain {start} and, after it, {end}, each once.")
    before, after = text.partition(start)[0], text.partition(end)[2]
    return f"{before}{start}\n{new}\n{end}{after}"


def pages_with(name):
    """Return the pages that hold a table."""
    return [page for page in PAGES if f"<!-- {name} -->" in page.read_text("utf-8")]


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tables")
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"of {', '.join(TABLES)}")
    names = parser.parse_args().names or list(TABLES)
    if unknown := set(names) - set(TABLES):
        parser.error(f"there is no table {', '.join(unknown)}")
    for name in names:  # fails before minutes of measuring
        for page in pages_with(name):
            replace_between(page.read_text("utf-8"), name, "")
    for name in names:
        text = TABLES[name]()
        for page in pages_with(name):
            page.write_text(replace_between(page.read_text("utf-8"), name, text), "utf-8")
        print(text)


if __name__ == "__main__":
    main()
