"""The commands that compare models by one kind of data each.

Models of the same cases, by AUCs, labels or probabilities; tables of scores per fold or data set.
"""

import math
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import fastcompare as fc

from .._adapters.delimited import FileTable
from .._base.exceptions import InvalidValueError
from .._inference.status import warn_status
from .._inputs.models import as_model_table
from .._inputs.options import check_choice
from .._inputs.roles.kinds import kind_of_rows, refuse_measures
from .._inputs.tables import labels_among_scores, reversed_models
from .._report.datasets import DatasetComparison
from .._results.records import changed
from ..datasets import N_TEST, N_TRAIN, dataset_scores_file, fold_scores_file
from .columns import (
    BUNDLED_FOLDS,
    BUNDLED_SCORES,
    Large,
    ModelColumns,
    Watched,
    all_files,
    as_label,
    as_large,
    beside_each_other,
    check_count,
    check_pairs,
    chosen_columns,
    chosen_models,
    column_of,
    columns_of_models,
    complete,
    complete_rows,
    label_of,
    numbers_of,
    only_of_two,
    read,
    read_all,
    read_cases,
    read_dataset_scores,
    source_of,
    source_of_files,
    tell_memory,
    turned,
)
from .delivery import (
    MOST_PAIRS,
    Claim,
    Delivery,
    Drawing,
    FileForm,
    check_plot,
    deliver,
    deliver_test,
    draw_diagram,
)
from .terminal import note

TESTS = {
    "delong": "delong_test",
    "bootstrap": "bootstrap_auc_test",
    "permutation": "permutation_auc_test",
}


def auc(
    files: list[str] | None = None,
    label: str = "y_true",
    score: list[str] | None = None,
    pos_label: str | None = None,
    cluster: str | None = None,
    weights: str | None = None,
    method: str = "delong",
    *,
    claim: Claim,
    drawing: Drawing,
    delivery: Delivery,
    form: FileForm,
    nan_policy: str = "raise",
    n_jobs: int = 1,
    verbose: bool = False,
) -> None:
    """Compare the AUCs of models that scored the same cases, pairwise, by DeLong's test.

    Prints each model's AUC with its standard error and confidence interval, each pairwise
    difference with its interval, z, p and adjusted p, and a sentence. Intervals of
    differences are simultaneous unless --correction is none. With fewer than 30 cases of a
    class, Student's t replaces z. Large Parquet files are read in chunks: AUCs are exact, standard
    errors within a bound that --verbose reports.
    """
    check_choice("--method", method, TESTS)
    start, paths = time.monotonic(), all_files(files or [])
    of_two = only_of_two(claim, "" if method == "delong" else method)
    large = None if of_two or cluster or weights else as_large(paths, label, score)
    options: dict[str, Any] = {
        "alternative": claim.alternative,
        "nan_policy": nan_policy,
        "n_jobs": n_jobs,
    }
    test: Any = partial(fc.delong_pairwise_test, correction=claim.correction, **options)
    if large is None:
        table = beside_each_other(read_all(paths, form), (label, cluster, weights))
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
    file: str | None = None,
    label: str = "y_true",
    prediction: list[str] | None = None,
    threshold: float | None = None,
    pos_label: str | None = None,
    cluster: str | None = None,
    method: str = "auto",
    *,
    claim: Claim,
    delivery: Delivery,
    form: FileForm,
    nan_policy: str = "raise",
) -> None:
    """Compare the accuracies of models that labelled the same cases, pairwise, by McNemar's test.

    Prints each model's accuracy with Wilson's interval, and for each pair the numbers of cases that
    only the first (n10) or only the second (n01) got right, the difference with its interval, p and
    adjusted p; then a sentence. Intervals of differences are simultaneous unless --correction
    is none.
    """
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
    y_true, models = read_cases(*columns, predicted=threshold is None)
    if threshold is not None:
        if not math.isfinite(threshold):
            raise InvalidValueError(f"`--threshold` must be finite, got {threshold}.")
        positive = as_label(y_true, pos_label)
        y_true, scores, n_dropped, groups = complete(y_true, models, positive, nan_policy, groups)
        models = {name: score >= threshold for name, score in scores.items()}
    check_count(models, claim, "--prediction", of_two)
    test: Any = fc.mcnemar_test if of_two else fc.mcnemar_pairwise_test
    options = {"method": method, "groups": groups, "nan_policy": nan_policy}

    result = test(y_true, models, **options, **claim.options(of_two))
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
    file: str | None = None,
    label: str = "y_true",
    probability: list[str] | None = None,
    pos_label: str | None = None,
    rule: str = "brier",
    clip: float | None = None,
    cluster: str | None = None,
    method: str = "t",
    *,
    claim: Claim,
    drawing: Drawing,
    delivery: Delivery,
    form: FileForm,
    nan_policy: str = "raise",
) -> None:
    """Compare predicted probabilities for the same cases, pairwise, by a t-test of their losses.

    Prints each model's Brier score, log loss and expected calibration error (10 bins), each
    pairwise difference in loss with its interval, t, p and adjusted p, and a sentence. Lower losses
    are better. Intervals of differences are simultaneous unless --correction is none.
    """
    of_two = only_of_two(claim)
    table = beside_each_other(read(file, form), (label, cluster))
    y_true, columns = read_cases(table, label, probability, "--probability", (cluster,))
    check_count(columns, claim, "--probability", of_two)
    groups = column_of(table, "--groups", cluster)
    positive = as_label(y_true, pos_label)
    truth, columns, n_dropped, groups = complete(y_true, columns, positive, nan_policy, groups)
    test: Any = fc.scoring_test if of_two else fc.scoring_pairwise_test
    options = {"rule": rule, "clip": clip if rule == "log" else None, "method": method}
    options |= {"groups": groups, **drawing.options, **claim.options(of_two)}

    result = changed(test(truth, columns, **options), {"n_dropped": n_dropped})
    scores = {} if of_two else model_scores(truth, columns, clip)
    n_positive = int(np.count_nonzero(truth))
    shown: Any = {"more": scores, "presented": "probabilities"}
    shown["counts"] = {"n_positive": n_positive, "n_negative": truth.size - n_positive}
    deliver_test(result, claim, source_of(file), delivery, **shown)


ROUND = "round"


class LongColumns(NamedTuple):
    """The columns of a file with a row for each model and round."""

    model: str
    round: str
    score: str


def read_wide(table: FileTable, chosen: list[str] | None, columns: LongColumns) -> ModelColumns:
    """Return by model the scores in the chosen columns, by default in all of numbers."""
    if columns.round != ROUND:  # the default need not be there
        check_choice("--round-column", columns.round, table.names)
    if not chosen:
        every = {name: table.column(name) for name in table.names}
        row = with_rounds(table, columns).round
        refuse_measures(every, columns_of_models(table), row, columns.score)
    table = turned(table, chosen, "folds")
    others = [name for name in table.names if name != columns.round]
    models = others if chosen else [name for name in others if kind_of_rows(name) != "folds"]
    names = chosen_models(table, chosen, models, "--model")
    return numbers_of(table, names)


def with_rounds(table: FileTable, columns: LongColumns) -> LongColumns:
    """Return the columns, that of rounds the first that is called so where none is named."""
    if columns.round != ROUND or ROUND in table.names:
        return columns
    called = (name for name in table.names if kind_of_rows(name) == "folds")
    return columns._replace(round=next(called, ROUND))


def read_long(
    table: FileTable, chosen: list[str] | None, columns: LongColumns
) -> dict[str, NDArray[np.float64]]:
    """Return by model its scores, a row for each round of the file; NaN where there is none."""
    columns = with_rounds(table, columns)
    for kind, name in columns._asdict().items():
        check_choice(f"--{kind}-column", name, table.names)
    models = keys_of(table, columns.model, "model")
    rounds = keys_of(table, columns.round, "round")
    scores = np.array(table.scores(columns.score), dtype=np.float64)  # None becomes NaN

    place = {key: i for i, key in enumerate(dict.fromkeys(rounds))}
    known = list(dict.fromkeys(models))
    names = chosen_columns(chosen, known, "--model") if chosen else known
    by_model = {name: np.full(len(place), np.nan) for name in names}
    seen: set[tuple[str, str]] = set()
    for cell, score in zip(zip(models, rounds, strict=True), scores, strict=True):
        if cell in seen:
            raise InvalidValueError(
                f"{table.path!r}: model {cell[0]!r} has several scores in round {cell[1]!r}."
            )
        seen.add(cell)
        if cell[0] in by_model:
            by_model[cell[0]][place[cell[1]]] = score
    return by_model


def compare_rounds(
    scores: ModelColumns, nan_policy: Any, options: Mapping[str, Any]
) -> tuple[Any, tuple[float, ...]]:
    """Return the tests of all pairs, with that of all models, and the models' deviations."""
    table = as_model_table(scores, rows="rounds", nan_policy=nan_policy)
    result = fc.ttest_corrected_pairwise_test(table.columns, **options)
    if len(table.columns) > 2:  # of two it says what their t-test says
        sizes = {name: options[name] for name in ("n_train", "n_test")}
        result = changed(result, {"omnibus": fc.rm_anova_test(table.columns, **sizes)})
    deviations = tuple(table.values.std(axis=0, ddof=1).tolist())
    return changed(result, {"n_dropped": table.n_dropped}), deviations


def keys_of(table: FileTable, column: str, what: str) -> list[str]:
    """Return a column as texts, or raise where one is missing."""
    values = list(table.column(column))
    for row, value in enumerate(values, 1):
        if value is None or value == "" or value != value:
            raise InvalidValueError(
                f"{table.path!r}: row {row} of column {column!r} is empty: it must name a {what}."
            )
    return list(map(str, values))


def folds(
    file: str | None = None,
    model: list[str] | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    long: bool = False,
    model_column: str = "model",
    round_column: str = ROUND,
    score_column: str = "score",
    *,
    claim: Claim,
    delivery: Delivery,
    form: FileForm,
    nan_policy: str = "raise",
) -> None:
    """Compare cross-validation scores from the same folds, pairwise, by corrected t-tests.

    Prints each model's mean score and standard deviation over rounds, each pairwise difference with
    its interval, t, p and adjusted p, the repeated-measures ANOVA for three or more models, and a
    sentence. All tests use Nadeau and Bengio's correction for overlapping training sets. Intervals
    of differences are simultaneous unless --correction is none.
    """
    table = read(file, form, fold_scores_file)
    columns = LongColumns(model_column, round_column, score_column)
    scores = read_long(table, model, columns) if long else read_wide(table, model, columns)
    if file is None and n_train is n_test is None:
        n_train, n_test = N_TRAIN, N_TEST

    source = source_of(file, BUNDLED_FOLDS)
    of_two = only_of_two(claim)
    check_count(scores, claim, "--model", of_two)
    if n_train is None or n_test is None:
        raise InvalidValueError(
            "`--n-train` and `--n-test` must be specified: the numbers of training and test cases "
            "per round. The correction depends on their ratio, which the scores do not reveal."
        )
    options: Any = {"n_train": n_train, "n_test": n_test, **claim.options(of_two)}
    if of_two:
        result = fc.ttest_corrected(scores, **{**options, "nan_policy": nan_policy})
        deliver_test(result, claim, source, delivery)
    else:
        pairs, deviations = compare_rounds(scores, nan_policy, options)
        more = {"standard_deviation": deviations}
        deliver_test(pairs, claim, source, delivery, more=more)


def datasets(
    file: str | None = None,
    id: str | None = None,
    score: list[str] | None = None,
    posthoc: str = "auto",
    control: str | None = None,
    alpha: float = 0.05,
    lower_is_better: bool = False,
    max_pairs: int = MOST_PAIRS,
    plot: Path | None = None,
    *,
    delivery: Delivery,
    form: FileForm,
    nan_policy: str = "raise",
) -> None:
    """Compare models by one score on each of several data sets: Friedman's test, then post hoc.

    Prints each model's average rank (1 is best), the omnibus test and, only if that rejects, each
    pairwise difference in average rank with its p-value; then a sentence. Models that share a
    letter do not differ significantly. Two models are compared by Wilcoxon's signed-rank test.
    """
    check_plot(plot, delivery.force)
    table = read(file, form, dataset_scores_file)
    names, scores = read_dataset_scores(table, id, score)
    if control is None:
        check_pairs(len(scores), max_pairs, "Choose models by `--score`")

    result = fc.compare_datasets(
        scores,
        alpha=alpha,
        posthoc=posthoc,
        control=control,
        higher_is_better=not lower_is_better,
        nan_policy=nan_policy,  # type: ignore[arg-type]
    )

    draw_diagram(result.posthoc, plot, result.reasons[-1])
    source = source_of(file, BUNDLED_SCORES)
    used = complete_rows(names, scores)
    deliver(DatasetComparison(result, source=source, datasets=used), delivery)
