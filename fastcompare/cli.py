"""The command line: read a file, call a public function, print what it returns."""

from dataclasses import replace

import typer

import fastcompare as fc

from ._cli_columns import (
    as_label,
    complete,
    predicted,
    read,
    read_cases,
    read_predictions,
    source_of,
)
from ._cli_options import (
    Clip,
    Correction,
    Direction,
    Encoding,
    File,
    Force,
    Format,
    Jobs,
    Label,
    Level,
    Long,
    Method,
    Model,
    ModelColumn,
    NanPolicy,
    Output,
    PosLabel,
    Prediction,
    Probability,
    RoundColumn,
    RoundPolicy,
    RoundsFile,
    Rule,
    Score,
    ScoreColumn,
    Separator,
    Simultaneous,
    TestSize,
    Threshold,
    TrainSize,
    Version,
)
from ._cli_rounds import LongColumns, compare_rounds, read_long, read_wide
from ._tables_auc import AUCComparison
from ._tables_folds import FoldComparison
from ._tables_labels import LabelComparison
from ._tables_probabilities import ProbabilityComparison, known_of
from ._terminal import Commands, check_delivery, deliver
from .datasets import N_TEST, N_TRAIN, fold_scores_file

BUNDLED_THRESHOLD = 0.5

app = typer.Typer(
    cls=Commands, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
)


@app.callback(invoke_without_command=True)
def fastcompare(context: typer.Context, version: Version = False) -> None:
    """Do these classifiers really differ? Statistical tests for classifiers that share cases."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command()
def auc(
    file: File = None,
    label: Label = "y_true",
    score: Score = None,
    pos_label: PosLabel = None,
    alternative: Direction = "two-sided",
    correction: Correction = "holm",
    confidence_level: Level = 0.95,
    simultaneous: Simultaneous = False,
    format: Format = "text",
    output: Output = None,
    force: Force = False,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    nan_policy: NanPolicy = "raise",
    n_jobs: Jobs = 1,
) -> None:
    """Compare the AUCs of models that scored the same cases, all pairs, by DeLong's test.

    Prints each model's AUC with its standard error and interval, each pair's difference with its
    interval, z, p and adjusted p, and a sentence. Intervals of differences are not adjusted for the
    number of pairs unless --simultaneous is given.
    """
    check_delivery(format, output, force)
    y_true, scores = read_cases(read(file, sep, encoding), label, score, "--score")

    result = fc.delong_pairwise_test(
        y_true,
        scores,
        alternative=alternative,  # type: ignore[arg-type]
        correction=correction,
        pos_label=as_label(y_true, pos_label),
        nan_policy=nan_policy,  # type: ignore[arg-type]
        n_jobs=n_jobs,
    )

    comparison = AUCComparison(result, confidence_level, simultaneous, source_of(file))
    deliver(comparison, format, output)


@app.command()
def labels(
    file: File = None,
    label: Label = "y_true",
    prediction: Prediction = None,
    threshold: Threshold = None,
    pos_label: PosLabel = None,
    method: Method = "auto",
    alternative: Direction = "two-sided",
    correction: Correction = "holm",
    confidence_level: Level = 0.95,
    simultaneous: Simultaneous = False,
    format: Format = "text",
    output: Output = None,
    force: Force = False,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    nan_policy: NanPolicy = "raise",
) -> None:
    """Compare the accuracies of models that labelled the same cases, all pairs, by McNemar's test.

    Prints each model's accuracy with Wilson's interval, each pair's numbers of cases that only the
    first (n10) and only the second (n01) has right, their difference with Tango's interval, p and
    adjusted p, and a sentence. Intervals of differences are not adjusted for the number of pairs
    unless --simultaneous is given.
    """
    check_delivery(format, output, force)
    table = read(file, sep, encoding)
    if file is None and threshold is None:
        threshold = BUNDLED_THRESHOLD
    if threshold is None:
        y_true, predictions, n_dropped = *read_predictions(table, label, prediction, pos_label), 0
    else:
        y_true, scores = read_cases(table, label, prediction, "--prediction")
        positive = as_label(y_true, pos_label)
        y_true, predictions, n_dropped = predicted(y_true, scores, threshold, positive, nan_policy)

    result = fc.mcnemar_pairwise_test(
        y_true,
        predictions,
        method=method,
        alternative=alternative,  # type: ignore[arg-type]
        correction=correction,
        nan_policy=nan_policy,  # type: ignore[arg-type]
    )

    result = replace(result, n_dropped=result.n_dropped + n_dropped)
    comparison = LabelComparison(result, confidence_level, simultaneous, source_of(file))
    deliver(comparison, format, output)


@app.command()
def probabilities(
    file: File = None,
    label: Label = "y_true",
    probability: Probability = None,
    pos_label: PosLabel = None,
    rule: Rule = "brier",
    clip: Clip = None,
    alternative: Direction = "two-sided",
    correction: Correction = "holm",
    confidence_level: Level = 0.95,
    simultaneous: Simultaneous = False,
    format: Format = "text",
    output: Output = None,
    force: Force = False,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    nan_policy: NanPolicy = "raise",
) -> None:
    """Compare models' probabilities for the same cases, all pairs, by the t-test of their losses.

    Prints each model's Brier score, log loss and expected calibration error (10 bins), each pair's
    difference of losses with its interval, t, p and adjusted p, and a sentence. Lower losses are
    better. Intervals of differences are not adjusted for the number of pairs unless --simultaneous
    is given.
    """
    check_delivery(format, output, force)
    y_true, columns = read_cases(read(file, sep, encoding), label, probability, "--probability")
    positive = as_label(y_true, pos_label)
    y_true, columns, n_dropped = complete(y_true, columns, positive, nan_policy)

    result = fc.scoring_pairwise_test(
        y_true,
        columns,
        rule=rule,
        clip=clip if rule == "log" else None,
        alternative=alternative,  # type: ignore[arg-type]
        correction=correction,
    )

    comparison = ProbabilityComparison(
        replace(result, n_dropped=n_dropped),
        confidence_level,
        simultaneous,
        source_of(file),
        labels=y_true,
        known=known_of(y_true, columns, clip),
    )
    deliver(comparison, format, output)


@app.command()
def folds(
    file: RoundsFile = None,
    model: Model = None,
    n_train: TrainSize = None,
    n_test: TestSize = None,
    long: Long = False,
    model_column: ModelColumn = "model",
    round_column: RoundColumn = "round",
    score_column: ScoreColumn = "score",
    alternative: Direction = "two-sided",
    correction: Correction = "holm",
    confidence_level: Level = 0.95,
    simultaneous: Simultaneous = False,
    format: Format = "text",
    output: Output = None,
    force: Force = False,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    nan_policy: RoundPolicy = "raise",
) -> None:
    """Compare models' scores in the same folds or random splits, all pairs, by corrected t-tests.

    Prints each model's mean score and standard deviation over rounds, each pair's difference with
    its interval, t, p and adjusted p, the repeated-measures ANOVA of more than two models, and a
    sentence. All tests have Nadeau and Bengio's correction for rounds that share cases. Intervals
    of differences are not adjusted for the number of pairs unless --simultaneous is given.
    """
    check_delivery(format, output, force)
    table = read(file, sep, encoding, fold_scores_file)
    columns = LongColumns(model_column, round_column, score_column)
    scores = read_long(table, model, columns) if long else read_wide(table, model, round_column)
    sizes = (n_train, n_test)
    if file is None and sizes == (None, None):
        sizes = (N_TRAIN, N_TEST)

    result, deviations = compare_rounds(
        scores,
        sizes,
        alternative=alternative,
        correction=correction,
        nan_policy=nan_policy,
    )

    source = source_of(file, "Bundled accuracies by fold (Breast Cancer Wisconsin)")
    comparison = FoldComparison(result, confidence_level, simultaneous, source, deviations)
    deliver(comparison, format, output)
