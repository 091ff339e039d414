"""The command line: read a file, call a public function, print what it returns."""

from dataclasses import replace

import typer

import fastcompare as fc

from ..report.auc import AUCComparison
from ..report.labels import LabelComparison
from ..report.probabilities import ProbabilityComparison, known_of
from .columns import as_label, complete, predicted, read, read_cases, read_predictions, source_of
from .datasets import datasets
from .folds import folds
from .options import (
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
    Method,
    NanPolicy,
    Output,
    PosLabel,
    Prediction,
    Probability,
    Rule,
    Score,
    Separator,
    Simultaneous,
    Threshold,
    Version,
)
from .terminal import Commands, check_delivery, deliver

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


app.command()(folds)
app.command()(datasets)
