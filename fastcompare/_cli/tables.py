"""The commands that compare models by tables of scores: per fold, or per data set."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import fastcompare as fc

from .._adapters.delimited import FileTable
from .._base.exceptions import InvalidValueError
from .._inputs.kinds import kind_of_rows, refuse_measures
from .._inputs.models import as_model_table
from .._inputs.options import check_choice
from .._report.datasets import DatasetComparison
from .._results.records import changed
from ..datasets import N_TEST, N_TRAIN, dataset_scores_file, fold_scores_file
from ..results import TTestCorrectedPairwiseResult
from . import flags
from .columns import (
    BUNDLED_FOLDS,
    BUNDLED_SCORES,
    ModelColumns,
    check_count,
    check_pairs,
    chosen_columns,
    chosen_models,
    columns_of_models,
    complete_rows,
    numbers_of,
    only_of_two,
    read,
    read_dataset_scores,
    source_of,
    turned,
)
from .delivery import (
    MOST_PAIRS,
    Claim,
    Delivery,
    FileForm,
    check_delivery,
    check_plot,
    deliver,
    deliver_test,
    draw_diagram,
)


def datasets(
    file: flags.DatasetFile = None,
    id: flags.Id = None,
    score: flags.Score = None,
    posthoc: flags.PostHoc = "nemenyi",
    control: flags.Control = None,
    alpha: flags.Alpha = 0.05,
    lower_is_better: flags.LowerIsBetter = False,
    max_pairs: flags.MaxPairs = MOST_PAIRS,
    plot: flags.Plot = None,
    *,
    delivery: Delivery,
    form: FileForm,
    nan_policy: flags.NanPolicy = "raise",
) -> None:
    """Compare models by one score on each of several data sets: Friedman's test, then post hoc.

    Prints each model's average rank (1 is best), the omnibus test and, only if that rejects, each
    pairwise difference in average rank with its p-value; then a sentence. Models that share a
    letter do not differ significantly. Two models are compared by Wilcoxon's signed-rank test.
    """
    check_delivery(delivery)
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
) -> tuple[TTestCorrectedPairwiseResult, tuple[float, ...]]:
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
    file: flags.RoundsFile = None,
    model: flags.Model = None,
    n_train: flags.TrainSize = None,
    n_test: flags.TestSize = None,
    long: flags.Long = False,
    model_column: flags.ModelColumn = "model",
    round_column: flags.RoundColumn = ROUND,
    score_column: flags.ScoreColumn = "score",
    *,
    claim: Claim,
    delivery: Delivery,
    form: FileForm,
    nan_policy: flags.RoundPolicy = "raise",
) -> None:
    """Compare cross-validation scores from the same folds, pairwise, by corrected t-tests.

    Prints each model's mean score and standard deviation over rounds, each pairwise difference with
    its interval, t, p and adjusted p, the repeated-measures ANOVA for three or more models, and a
    sentence. All tests use Nadeau and Bengio's correction for overlapping training sets. Intervals
    of differences are not adjusted for multiplicity unless --simultaneous is given.
    """
    check_delivery(delivery)
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
