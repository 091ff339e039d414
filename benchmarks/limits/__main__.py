"""Measure what must be fast against its limit, and print a table: it reports and never fails.

    python -m benchmarks.limits [--quick] [auc labels "delong_test, n = 100," ...]

A ratio is the median, over rounds in which both parts take turns, of the rounds' ratios; so it
holds on any machine, busy or not. Seconds are medians. Below the table stands, for rows above
their limit, what was tried and where the time goes. ``--quick`` leaves out 10^7 cases, and files
of cases, whose limits are set for as many, takes fewer rounds, and ends in five minutes. Names are
of files beside this one, or begin names of rows; all by default. Only rows that are measured
prepare their data. ``--list`` prints the names of rows.
"""

import argparse
import textwrap
from functools import partial

from ..timing import BESIDE, hurry
from .advice import advice_rows
from .answers import answer_rows
from .auc import (
    covariance_rows,
    interaction_rows,
    reader_rows,
    shape_rows,
    size_rows,
    within_rows,
)
from .batches import batch_rows, long_batch_rows, thread_rows
from .battles import battle_rows
from .chunk_means import chunk_mean_rows
from .chunks import bootstrap_chunk_rows, chunk_rows
from .curves import benefit_rows, curve_bootstrap_rows, curve_rows, curve_start_rows
from .dask import dask_rows
from .datasets import dataset_rows
from .designs import design_memory_rows, design_rows
from .evals import eval_rows
from .folds import fold_rows
from .items import item_mean_rows, ratio_rows
from .labels import label_rows
from .leaderboards import leaderboard_rows, score_pairs_rows
from .memory import memory_rows
from .posthoc import posthoc_rows
from .probabilities import probability_rows
from .ranks import correction_rows, partial_rows, signed_rank_rows
from .resampling import resampling_rows
from .side import side_rows
from .simulation import simulation_rows
from .single import single_rows
from .start import start_rows
from .times import concordance_rows, horizon_rows
from .types import shared_rows, type_rows
from .unmet import why_unmet

SECTIONS = (
    item_mean_rows,
    ratio_rows,
    size_rows,
    interaction_rows,
    within_rows,
    reader_rows,
    single_rows,
    shape_rows,
    type_rows,
    shared_rows,
    batch_rows,
    long_batch_rows,
    thread_rows,
    covariance_rows,
    design_rows,
    curve_rows,
    benefit_rows,
    resampling_rows,
    curve_bootstrap_rows,
    battle_rows,
    concordance_rows,
    horizon_rows,
    label_rows,
    leaderboard_rows,
    score_pairs_rows,
    answer_rows,
    advice_rows,
    probability_rows,
    fold_rows,
    eval_rows,
    dataset_rows,
    posthoc_rows,
    correction_rows,
    signed_rank_rows,
    partial_rows,
    side_rows,
    simulation_rows,
    memory_rows,
    design_memory_rows,
    curve_start_rows,
    start_rows,
)
FILES = (chunk_rows, chunk_mean_rows, bootstrap_chunk_rows, dask_rows)  # limits for 10^7 cases


def chosen_rows(names, quick):
    """Yield the rows of these files, or whose names begin so, with those beside them; else all.

    A row is measured before the next one is asked for, which may remove the files that it reads.
    """
    is_chosen = False
    for section in SECTIONS if quick else (*SECTIONS, *FILES):
        for row in section(quick):
            if not row.name.startswith(BESIDE):
                is_chosen = (
                    not names or file_of(section) in names or row.name.startswith(tuple(names))
                )
            if is_chosen:
                yield row


def file_of(section):
    """Return the name of the file of a section."""
    return section.__module__.rpartition(".")[2]


def unknown_names(names, quick):
    """Return the names of no file that begin the name of no row."""
    files = {file_of(section) for section in (*SECTIONS, *FILES)}
    rows = [row.name for row in chosen_rows([], quick)]
    return [
        name
        for name in names
        if name not in files and not any(row.startswith(name) for row in rows)
    ]


def main():
    parser = argparse.ArgumentParser(
        "python -m benchmarks.limits", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--quick", action="store_true", help="leave out 10^7 cases, and files")
    parser.add_argument("--list", action="store_true", help="print the names of rows")
    files = ", ".join(sorted({file_of(section) for section in (*SECTIONS, *FILES)}))
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {files}, or of rows")
    options = parser.parse_args()
    rows = partial(chosen_rows, options.names, options.quick)
    if options.list:
        print(*(row.name for row in rows()), sep="\n")
    elif unknown := unknown_names(options.names, options.quick):
        parser.error(f"there are no rows of {', '.join(unknown)}; --list prints their names")
    else:
        if options.quick:
            hurry()
        measure(rows())


def measure(rows):
    """Print what rows measure, and for those above their limit what was tried."""
    print(f"{'what: in units of':<64}{'limit':>7} {'measured':>9} {'':<7} ok")
    above = []
    for row in rows:
        print(row, flush=True)
        above += [] if row.is_met else [row.name]
    for name in above:
        text = f"{name}. {why_unmet(name) or 'Not looked into.'}"
        print(textwrap.fill(text, 96, initial_indent="\n", subsequent_indent="    "))


if __name__ == "__main__":
    main()
