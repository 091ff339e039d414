"""Write the tables of docs/embedding.md: what a program waits for that calls fastcompare.

python -m benchmarks.embedding [--write]
"""

import argparse
import resource
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

import fastcompare as fc

from .cases import correct_table, forecasts, item_scores, predicted_labels, scored_cases
from .limits.start import FIRST
from .tables import duration, machine, markdown, replace_between, two_digits
from .timing import CASES, power, run_fresh, shortest

PAGE = Path(__file__).parents[1] / "docs" / "embedding.md"
ROUNDS = 9
SIZES = (10**2, 10**4, 10**6)


def table_of(head, rows):
    """Return a table with words in its first column, and numbers to the right."""
    return markdown(head, rows).replace("| ---:", "| :---", 1)


def start_text():
    """Return the table of what comes before the first result."""
    rows = [
        [f"`{code}`", seconds_of_process(code)] for code in ("import numpy", "import fastcompare")
    ]
    for call in FIRST:
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds_of_process(CASES + call, 1, FASTCOMPARE_CACHE_DIR=cache)
            warm = seconds_of_process(CASES + call, 3, FASTCOMPARE_CACHE_DIR=cache)
        rows += [[f"`{call}`, nothing compiled yet", cold], [f"`{call}`, compiled before", warm]]
    table = [[what, duration(seconds)] for what, seconds in rows]
    return (
        f"{table_of(['a process that does this and ends', 'processor time'], table)}\n\n"
        "The shortest of several runs, or a single run where nothing is compiled yet; `labels` and "
        "`scores` are 1,000 cases."
    )


def seconds_of_process(code, rounds=ROUNDS, **environment):
    """Return the shortest processor time of fresh processes: other users hardly count."""
    found = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run_fresh(code, **environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def kernel_calls(n):
    """Return `delong_test` and the kernel that it rests on, on arrays that need no conversion."""
    labels, scores = scored_cases(n)
    plain = labels.astype(np.uint8)
    return [
        partial(fc.kernels.delong, plain, *scores),
        partial(fc.delong_test, labels, *scores),
    ]


def calls(n):
    """Return the other functions of the table on n cases."""
    labels, scores = scored_cases(n)
    a, b, groups = item_scores(n)
    return {
        "roc_auc": partial(fc.roc_auc, labels, scores[0]),
        "mcnemar_test": partial(fc.mcnemar_test, *predicted_labels(n)),
        "scoring_test": partial(fc.scoring_test, *forecasts(n)),
        "paired_mean_test": partial(fc.paired_mean_test, a, b),
        "paired_mean_test, in clusters": partial(fc.paired_mean_test, a, b, groups=groups),
        "wilcoxon_test": partial(fc.wilcoxon_test, a, b),
    }


def call_text():
    """Return the table of what a call takes by the number of cases."""
    times = {n: shortest(kernel_calls(n)) for n in SIZES}
    rows = [
        ["`kernels.delong`", *(duration(times[n][0]) for n in SIZES)],
        ["`delong_test`", *(duration(times[n][1]) for n in SIZES)],
        [
            "`delong_test` in units of the kernel",
            *(f"{two_digits(b / a)} ×" for a, b in times.values()),
        ],
    ]
    others = {n: calls(n) for n in SIZES}
    took = {n: shortest([*others[n].values()]) for n in SIZES}
    for at, name in enumerate(others[SIZES[0]]):
        code, comma, rest = name.partition(",")
        rows.append([f"`{code}`{comma}{rest}", *(duration(took[n][at]) for n in SIZES)])
    head = ["call", *(f"n = {power(n)}" for n in SIZES)]
    return (
        f"{table_of(head, rows)}\n\nThe shortest processor time of several calls, on one thread, "
        f"with ordinary arrays. For 1,000 models and 10,000 cases, {pairs_text()} "
        f"Measured on: {machine()}."
    )


def pairs_text():
    """Return how long all pairs of many models take."""
    table = correct_table(1000, 10_000).T
    truth = np.ones(table.shape[0], dtype=np.int64)
    call = partial(fc.mcnemar_pairwise_test, truth, table.astype(np.int64))
    return f"all 499,500 McNemar's tests take {duration(*shortest([call]))}."


TABLES = {
    "embedding-start": start_text,
    "embedding-calls": call_text,
}


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedding")
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    options = parser.parse_args()
    for name, table in TABLES.items():
        text = table()
        print(text, flush=True)
        if options.write:
            PAGE.write_text(replace_between(PAGE.read_text("utf-8"), name, text), "utf-8")


if __name__ == "__main__":
    main()
