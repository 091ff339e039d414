"""Measure what must be fast against its limit, and print a table: it reports and never fails.

    python -m benchmarks.limits [--quick] [auc labels ...]

A ratio is the median, over rounds in which both parts take turns, of the rounds' ratios; so it
holds on any machine, busy or not. Seconds are medians. Below the table stands, for rows above
their limit, what was tried and where the time goes. ``--quick`` leaves out 10^7 cases, and files
of cases, whose limits are set for as many. Names are of files beside this one, all by default.
"""

import argparse
import textwrap

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


def main():
    parser = argparse.ArgumentParser(
        "python -m benchmarks.limits", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--quick", action="store_true", help="leave out 10^7 cases, and files")
    files = {section: section.__module__.rpartition(".")[2] for section in (*SECTIONS, *FILES)}
    names = sorted(set(files.values()))
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(names)}")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(names)):
        parser.error(f"there are no rows of {', '.join(unknown)}, but of {', '.join(names)}")
    quick, wanted = options.quick, options.names or names
    print(f"{'what: in units of':<64}{'limit':>7} {'measured':>9} {'':<7} ok")
    above = []
    chosen = SECTIONS if quick else (*SECTIONS, *FILES)
    for section in (section for section in chosen if files[section] in wanted):
        for row in section(quick):
            print(row, flush=True)
            above += [] if row.is_met else [row.name]
    for name in above:
        text = f"{name}. {why_unmet(name) or 'Not looked into.'}"
        print(textwrap.fill(text, 96, initial_indent="\n", subsequent_indent="    "))


if __name__ == "__main__":
    main()
