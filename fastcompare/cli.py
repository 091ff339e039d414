"""The command line: read a file, call a public function, print what it returns."""

from dataclasses import replace
from typing import Annotated

import typer

import fastcompare as fc

from ._cli_columns import (
    BUNDLED_SCORES,
    as_label,
    complete_rows,
    predicted,
    read,
    read_cases,
    read_dataset_scores,
    read_predictions,
    source_of,
)
from ._cli_options import (
    Alpha,
    Clip,
    Control,
    Correction,
    DatasetFile,
    Direction,
    Encoding,
    File,
    Force,
    Format,
    Id,
    Jobs,
    Label,
    Level,
    LowerIsBetter,
    Method,
    NanPolicy,
    Output,
    Plot,
    PosLabel,
    PostHoc,
    Prediction,
    Probability,
    Rule,
    Score,
    Separator,
    Simultaneous,
    Threshold,
)
from ._cli_plots import check_plot, draw_diagram
from ._scoring_pairs import compare_probabilities
from ._tables_auc import AUCComparison
from ._tables_datasets import DatasetComparison
from ._tables_labels import LabelComparison
from ._tables_probabilities import ProbabilityComparison
from ._terminal import Commands, check_delivery, deliver
from .datasets import dataset_scores_file

BUNDLED_THRESHOLD = 0.5

app = typer.Typer(
    cls=Commands, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False
)


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        typer.echo(f"fastcompare {fc.__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True),
]


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

    result = compare_probabilities(
        y_true,
        columns,
        rule=rule,
        clip=clip,
        alternative=alternative,
        correction=correction,
        pos_label=as_label(y_true, pos_label),
        nan_policy=nan_policy,
    )

    comparison = ProbabilityComparison(result, confidence_level, simultaneous, source_of(file))
    deliver(comparison, format, output)


@app.command()
def datasets(
    file: DatasetFile = None,
    id: Id = None,
    score: Score = None,
    posthoc: PostHoc = "nemenyi",
    control: Control = None,
    alpha: Alpha = 0.05,
    lower_is_better: LowerIsBetter = False,
    plot: Plot = None,
    format: Format = "text",
    output: Output = None,
    force: Force = False,
    sep: Separator = ",",
    encoding: Encoding = "utf-8",
    nan_policy: NanPolicy = "raise",
) -> None:
    """Compare models by one score on each of many data sets: Friedman's test, then pairs.

    Prints each model's average rank (1 is the best), the test of all models together and, only if
    that rejects, each pair's difference of average ranks with its p-value; then a sentence. Models
    that share a letter do not differ significantly. Two models are compared by Wilcoxon's test.
    """
    check_delivery(format, output, force)
    check_plot(plot, force)
    table = read(file, sep, encoding, dataset_scores_file)
    names, scores = read_dataset_scores(table, id, score)

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
    deliver(DatasetComparison(result, source=source, datasets=used), format, output)
