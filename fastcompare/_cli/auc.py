"""The command that compares models by the AUCs of their scores."""

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

import fastcompare as fc

from .._adapters.tables import FileTable
from .._base.exceptions import InvalidValueError
from .._inputs.options import check_choice
from .._report.auc import AUCComparison
from .._report.shown_test import ShownTest
from .arguments import Files
from .columns import as_label, column_of, read_all, read_cases, source_of_files
from .delivery import check_delivery, deliver
from .groups import CLAIM, DELIVERY, DRAWING, FORM, Claim, Delivery, Drawing, FileForm
from .kind_options import ClusterColumn
from .large import Large, Watched, all_files, as_large, label_of, tell_memory
from .model_counts import check_count, only_of_two
from .options import (
    AUCMethod,
    Jobs,
    Label,
    NanPolicy,
    PosLabel,
    Score,
    Verbose,
    Weights,
)

TESTS = {
    "delong": "delong_test",
    "bootstrap": "bootstrap_auc_test",
    "permutation": "permutation_auc_test",
}


def auc(
    files: Files = None,
    label: Label = "y_true",
    score: Score = None,
    pos_label: PosLabel = None,
    cluster: ClusterColumn = None,
    weights: Weights = None,
    method: AUCMethod = "delong",
    claim: Claim = CLAIM,
    drawing: Drawing = DRAWING,
    delivery: Delivery = DELIVERY,
    form: FileForm = FORM,
    nan_policy: NanPolicy = "raise",
    n_jobs: Jobs = 1,
    verbose: Verbose = False,
) -> None:
    """Compare the AUCs of models that scored the same cases, all pairs, by DeLong's test.

    Prints each model's AUC with its standard error and interval, each pair's difference with its
    interval, z, p and adjusted p, and a sentence. Intervals of differences are not adjusted for the
    number of pairs unless --simultaneous is given. Below 30 cases of a class z is Student's t.
    Large Parquet files are read a piece at a time: AUCs are exact, and standard errors within a
    bound that --verbose says.
    """
    check_delivery(delivery)
    check_choice("--method", method, TESTS)
    start, found = time.monotonic(), all_files(files or [])
    of_two = only_of_two(claim, "" if method == "delong" else method)
    large = None if of_two or cluster or weights else as_large(found, label, score)
    options: dict[str, Any] = {
        "alternative": claim.alternative,
        "nan_policy": nan_policy,
        "n_jobs": n_jobs,
    }
    test: Any = partial(fc.delong_pairwise_test, correction=claim.correction, **options)
    if large is None:
        table = read_all(found, form)
        y_true, scores = read_cases(table, label, score, "--score", (cluster, weights))
        how = f"{len(y_true)} cases in memory"
        counted = how_counted(table, cluster, weights, as_label(y_true, pos_label))
    models = scores if large is None else large.scan.names
    check_count(models, claim, "--score", of_two)
    if large is not None:
        result, how = compared_in_pieces(test, large, pos_label)
    elif of_two:
        result = compared_two(y_true, scores, method, claim.margin, drawing, **options, **counted)
    else:
        result = test(y_true, scores, **counted)
    if verbose:
        tell_memory(how, start)
    source = source_of_files(files)
    shown = partial(ShownTest, result, claim.confidence_level)
    deliver(shown(source) if of_two else AUCComparison(result, *claim.intervals, source), delivery)


def how_counted(
    table: FileTable, cluster: str | None, weights: str | None, pos_label: object
) -> Mapping[str, Any]:
    """Return the options that say how cases count: their class, clusters and weights, if any."""
    options = {
        "pos_label": pos_label,
        "groups": column_of(table, "--cluster", cluster),
        "sample_weight": column_of(table, "--weights", weights, numbers=True),
    }
    return {name: value for name, value in options.items() if value is not None}


def compared_two(
    y_true: Any, scores: Any, method: str, margin: float, drawing: Drawing, **options: Any
) -> Any:
    """Return the test of two models; those that draw take no weights, permutations no margin."""
    if method == "permutation" and margin:
        raise InvalidValueError(
            "`--margin` is not for `--method permutation`: models that differ by one cannot be "
            "exchanged. Take delong or bootstrap."
        )
    if method != "delong":
        if "sample_weight" in options:
            raise InvalidValueError(
                "`--weights` is for `--method delong`: draws weigh cases alike."
            )
        options |= drawing.options
    if method != "permutation":
        options["margin"] = margin
    return getattr(fc, TESTS[method])(y_true, scores, **options)


def compared_in_pieces(test: partial[Any], large: Large, pos_label: str | None) -> tuple[Any, str]:
    """Return the test of all pairs of cases that are never held together, and how it was done."""
    parts = Watched(large.scan)
    test = partial(test, parts.watched, pos_label=label_of(large, pos_label))
    result = test()
    bound = np.nanmax(result.standard_error_bound / result.standard_error, initial=0.0)
    return result, (
        f"{large.rows} cases in {parts.total} row groups, read {parts.passes} times in "
        f"pieces, standard errors {f'within {bound:.1e} of themselves' if bound else 'exact'}"
    )
