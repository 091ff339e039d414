"""The commands that compare models of the same cases: by AUCs, labels or probabilities."""

import math
import time
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

import fastcompare as fc

from .._adapters.delimited import FileTable
from .._base.exceptions import InvalidValueError
from .._inference.status import warn_status
from .._inputs.options import check_choice
from .._inputs.tables import labels_among_scores, reversed_models
from .._results.records import changed
from . import flags
from .columns import (
    Large,
    ModelColumns,
    Watched,
    all_files,
    as_label,
    as_large,
    beside_each_other,
    check_count,
    column_of,
    complete,
    label_of,
    only_of_two,
    read,
    read_all,
    read_cases,
    source_of,
    source_of_files,
    tell_memory,
)
from .delivery import (
    Claim,
    Delivery,
    Drawing,
    FileForm,
    check_delivery,
    deliver_test,
)
from .terminal import note

TESTS = {
    "delong": "delong_test",
    "bootstrap": "bootstrap_auc_test",
    "permutation": "permutation_auc_test",
}


def auc(
    files: flags.Files = None,
    label: flags.Label = "y_true",
    score: flags.Score = None,
    pos_label: flags.PosLabel = None,
    cluster: flags.ClusterColumn = None,
    weights: flags.Weights = None,
    method: flags.AUCMethod = "delong",
    *,
    claim: Claim,
    drawing: Drawing,
    delivery: Delivery,
    form: FileForm,
    nan_policy: flags.NanPolicy = "raise",
    n_jobs: flags.Jobs = 1,
    verbose: flags.Verbose = False,
) -> None:
    """Compare the AUCs of models that scored the same cases, pairwise, by DeLong's test.

    Prints each model's AUC with its standard error and confidence interval, each pairwise
    difference with its interval, z, p and adjusted p, and a sentence. Intervals of differences are
    not adjusted for multiplicity unless --simultaneous is given. With fewer than 30 cases of a
    class, Student's t replaces z. Large Parquet files are read in chunks: AUCs are exact, standard
    errors within a bound that --verbose reports.
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
        table = beside_each_other(read_all(found, form), (label, cluster, weights))
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
    note_doubts(result, {} if large else scores)
    if verbose:
        tell_memory(how, start)
    deliver_test(result, claim, source_of_files(files), delivery)


def note_doubts(result: Any, scores: ModelColumns) -> None:
    """Note which models may have been given as labels, or with their scores in reverse."""
    aucs = dict(zip(result.names, result.auc, strict=True))
    for doubt in (*labels_among_scores(scores), *reversed_models("AUC", aucs)):
        note(doubt)


def how_counted(
    table: FileTable, cluster: str | None, weights: str | None, pos_label: object
) -> Mapping[str, Any]:
    """Return the options that say how cases count: their class, clusters and weights, if any."""
    options = {
        "pos_label": pos_label,
        "groups": column_of(table, "--groups", cluster),
        "sample_weight": column_of(table, "--weights", weights, numbers=True),
    }
    return {name: value for name, value in options.items() if value is not None}


def compared_two(
    y_true: Any, scores: Any, method: str, margin: float, drawing: Drawing, **options: Any
) -> Any:
    """Return the test of two models; those that draw take no weights, permutations no margin."""
    if method == "permutation" and margin:
        raise InvalidValueError(
            "`--margin` cannot be combined with `--method permutation`: models that differ by a "
            "margin are not exchangeable. Use delong or bootstrap."
        )
    if method != "delong":
        if "sample_weight" in options:
            raise InvalidValueError(
                "`--weights` needs `--method delong`: the other methods weigh all cases equally."
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


BUNDLED_THRESHOLD = 0.5


def labels(
    file: flags.File = None,
    label: flags.Label = "y_true",
    prediction: flags.Prediction = None,
    threshold: flags.Threshold = None,
    pos_label: flags.PosLabel = None,
    cluster: flags.ClusterColumn = None,
    method: flags.Method = "auto",
    *,
    claim: Claim,
    delivery: Delivery,
    form: FileForm,
    nan_policy: flags.NanPolicy = "raise",
) -> None:
    """Compare the accuracies of models that labelled the same cases, pairwise, by McNemar's test.

    Prints each model's accuracy with Wilson's interval, and for each pair the numbers of cases that
    only the first (n10) or only the second (n01) got right, the difference with its interval, p and
    adjusted p; then a sentence. Intervals of differences are not adjusted for multiplicity unless
    --simultaneous is given.
    """
    check_delivery(delivery)
    of_two = only_of_two(claim)
    table = beside_each_other(read(file, form), (label, cluster))
    if file is None and threshold is None:
        threshold = BUNDLED_THRESHOLD
    groups, n_dropped = column_of(table, "--groups", cluster), 0
    if threshold is None and pos_label is not None:
        raise InvalidValueError(
            "`--pos-label` is for scores: predicted labels need none. Leave it out, or give "
            "--threshold."
        )
    columns = (table, label, prediction, "--prediction", (cluster,))
    y_true, found = read_cases(*columns, predicted=threshold is None)
    if threshold is not None:
        if not math.isfinite(threshold):
            raise InvalidValueError(f"`--threshold` must be finite, got {threshold}.")
        positive = as_label(y_true, pos_label)
        y_true, scores, n_dropped, groups = complete(y_true, found, positive, nan_policy, groups)
        found = {name: score >= threshold for name, score in scores.items()}
    check_count(found, claim, "--prediction", of_two)
    test: Any = fc.mcnemar_test if of_two else fc.mcnemar_pairwise_test
    options = {"method": method, "groups": groups, "nan_policy": nan_policy}

    result = test(y_true, found, **options, **claim.options(of_two))
    result = changed(result, {"n_dropped": result.n_dropped + n_dropped})
    deliver_test(result, claim, source_of(file), delivery)


def model_scores(y_true: Any, columns: ModelColumns, clip: float | None) -> Mapping[str, Any]:
    """Return the scores of all models; warn of infinite log losses, once for all models."""
    scores = {
        "brier_score": [fc.brier_score(y_true, p) for p in columns.values()],
        "log_loss": [
            fc.log_loss(y_true, p, clip=clip, on_undefined="ignore") for p in columns.values()
        ],
        "calibration_error": [
            fc.calibration_error(y_true, p, n_resamples=1).estimate for p in columns.values()
        ],
    }
    infinite = [
        name for name, loss in zip(columns, scores["log_loss"], strict=True) if np.isinf(loss)
    ]
    if infinite:
        warn_status("infinite_loss", "warn", f" (log loss of {', '.join(infinite)})")
    return scores


def probabilities(
    file: flags.File = None,
    label: flags.Label = "y_true",
    probability: flags.Probability = None,
    pos_label: flags.PosLabel = None,
    rule: flags.Rule = "brier",
    clip: flags.Clip = None,
    cluster: flags.ClusterColumn = None,
    method: flags.LossMethod = "t",
    *,
    claim: Claim,
    drawing: Drawing,
    delivery: Delivery,
    form: FileForm,
    nan_policy: flags.NanPolicy = "raise",
) -> None:
    """Compare predicted probabilities for the same cases, pairwise, by a t-test of their losses.

    Prints each model's Brier score, log loss and expected calibration error (10 bins), each
    pairwise difference in loss with its interval, t, p and adjusted p, and a sentence. Lower losses
    are better. Intervals of differences are not adjusted for multiplicity unless --simultaneous is
    given.
    """
    check_delivery(delivery)
    of_two = only_of_two(claim)
    table = beside_each_other(read(file, form), (label, cluster))
    y_true, columns = read_cases(table, label, probability, "--probability", (cluster,))
    check_count(columns, claim, "--probability", of_two)
    groups = column_of(table, "--groups", cluster)
    cases = complete(y_true, columns, as_label(y_true, pos_label), nan_policy, groups)
    test: Any = fc.scoring_test if of_two else fc.scoring_pairwise_test
    options = {"rule": rule, "clip": clip if rule == "log" else None, "method": method}
    options |= {"groups": cases.groups, **drawing.options, **claim.options(of_two)}

    result = changed(test(cases.positive, cases.columns, **options), {"n_dropped": cases.n_dropped})
    scores = {} if of_two else model_scores(cases.positive, cases.columns, clip)
    n_positive = int(np.count_nonzero(cases.positive))
    shown: Any = {"more": scores, "presented": "probabilities"}
    shown["counts"] = {"n_positive": n_positive, "n_negative": cases.positive.size - n_positive}
    deliver_test(result, claim, source_of(file), delivery, **shown)
