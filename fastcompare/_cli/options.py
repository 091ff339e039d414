"""The arguments and options that commands share.

The arguments of commands: the files that they read.

The arguments and options of commands for any kind of data, and of those that simulate.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import __version__
from .._inference.corrections.adjust import AUTO, CORRECTIONS, JOINT, PAIR_CORRECTIONS
from .._inputs.options import ALTERNATIVES, WITH_EQUIVALENCE

POLICIES = ("raise", "omit")


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        typer.echo(f"fastcompare {__version__}")
        raise typer.Exit


def option(help_text: str, *names: str) -> Any:
    """Return an option; `names` where they are not the parameter's."""
    return typer.Option(*names, help=help_text)


def choice(choices: Sequence[str], meaning: str) -> Any:
    """Return an option of one of some words, which its help lists and shells complete."""
    *most, last = choices

    def completed(incomplete: str) -> list[str]:
        return [word for word in choices if word.startswith(incomplete)]

    return typer.Option(help=f"{', '.join(most)} or {last}: {meaning}", autocompletion=completed)


Version = Annotated[
    bool, typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)
]
Verbose = Annotated[
    bool, option("Say on standard error how cases were read, and the memory used.", "--verbose")
]
Id = Annotated[str | None, option("The column that names the data sets. Default: the first.")]
PostHoc = Annotated[
    str,
    choice(
        ("nemenyi", "shaffer", "bergmann-hommel", "holm", "conover", "wilcoxon"),
        "how to compare pairs if Friedman's test rejects.",
    ),
]
Control = Annotated[
    str | None, option("The column of a model: compare the others with it, not all pairs.")
]
Alpha = Annotated[float, option("The level of the tests, between 0 and 1.")]
LowerIsBetter = Annotated[
    bool, option("The lowest score is the best: errors, times.", "--lower-is-better")
]
Plot = Annotated[
    Path | None,
    option("Draw the critical-difference diagram to this file: .png, .svg, .pdf and others."),
]
Label = Annotated[str, option("The column of labels.")]
Score = Annotated[
    list[str] | None,
    option("A column of scores; say it once for each model. Default: all other numeric columns."),
]
Prediction = Annotated[
    list[str] | None,
    option("A column of predicted labels; say it once for each model. Default: all other columns."),
]
Probability = Annotated[
    list[str] | None,
    option(
        "A column of probabilities of the positive class; say it once for each model. Default: all "
        "other numeric columns."
    ),
]
Model = Annotated[
    list[str] | None,
    option("A model to compare; say it once for each. Default: all columns of numbers, or all."),
]
Long = Annotated[bool, option("The file has a row for each model and round.", "--long")]
ModelColumn = Annotated[str, option("With --long: the column of models' names.")]
RoundColumn = Annotated[
    str,
    option(
        "The column that says which round a row is; else one called fold, split, repeat or "
        "iteration. A wide file need not have one."
    ),
]
ScoreColumn = Annotated[str, option("With --long: the column of scores.")]
TrainSize = Annotated[
    float | None, option("How many cases a round trains on, or their mean; rounds need it.")
]
TestSize = Annotated[
    float | None, option("How many cases a round tests on, or their mean; rounds need it.")
]
RoundPolicy = Annotated[
    str, choice(POLICIES, "what to do with rounds that miss a score of a model.")
]
Threshold = Annotated[
    float | None,
    option(
        "The columns hold scores, and the label predicted for a case is the positive one where its "
        "score is at least this. For the predictions that come with fastcompare it is 0.5."
    ),
]
Method = Annotated[
    str, choice(("auto", "exact", "midp", "asymptotic"), "McNemar's test of a pair.")
]
Rule = Annotated[str, choice(("brier", "log", "spherical"), "the loss that is tested.")]
Clip = Annotated[
    float | None,
    option("Move probabilities into [clip, 1 - clip] for the log loss, which may be infinite."),
]
EvalTask = Annotated[
    list[str] | None, option("The task; say it once for each that shall be pooled.")
]
ItemMetric = Annotated[str | None, option("The metric or scorer, where logs hold several.")]
Missing = Annotated[
    str, choice(("raise", "drop", "zero"), "what to do with items that a model has no score for.")
]
Join = Annotated[str, choice(("id", "hash"), "what says that two answers are to the same item.")]
EvalDirection = Annotated[
    str,
    choice(
        ALTERNATIVES,
        "first model minus second. Default: two-sided; with --margin the claim that the first is "
        "not worse.",
    ),
]
Margin = Annotated[
    float,
    option(
        "A difference that does not matter: by how much the first of two models may be worse, or "
        "with equivalence how far apart both may be."
    ),
]
FailIf = Annotated[
    str | None,
    choice(
        ("worse", "not-better", "not-noninferior"), "exit with code 3 if the first model is that."
    ),
]
JointCorrection = Annotated[
    str,
    choice(
        (AUTO, *JOINT, "none", *CORRECTIONS, *PAIR_CORRECTIONS),
        "how to adjust p-values for many pairs.",
    ),
]
MaxPairs = Annotated[
    int, option("How many pairs of models to compare at most: many take long, and much room.")
]
PosLabel = Annotated[
    str | None, option("The label of the positive class, where labels are not 0/1, -1/1 or bool.")
]
Direction = Annotated[str, choice(ALTERNATIVES, "first model minus second.")]
ClaimKind = Annotated[
    str,
    choice(WITH_EQUIVALENCE, "first model minus second; equivalence is of two, with --margin."),
]
Weights = Annotated[str | None, option("The column of weights of cases.")]
AUCMethod = Annotated[
    str,
    choice(
        ("delong", "bootstrap", "permutation"),
        "how AUCs are compared; by the last two those of two models.",
    ),
]
LossMethod = Annotated[
    str, choice(("t", "wilcoxon", "permutation", "bootstrap"), "how losses are compared.")
]
Resamples = Annotated[int, option("How many times a bootstrap or permutation test draws.")]
Correction = Annotated[
    str,
    choice(
        ("auto", "none", *CORRECTIONS, *PAIR_CORRECTIONS),
        "how to adjust p-values for many pairs; auto is shaffer if two-sided, else holm.",
    ),
]
Level = Annotated[float, option("The level of the intervals, between 0 and 1.")]
Progress = Annotated[bool, option("Show a bar of what is done.", "--progress")]
Simultaneous = Annotated[
    bool, option("Widen the intervals of differences to cover all together.", "--simultaneous")
]
Format = Annotated[
    str | None,
    choice(
        ("text", "json", "csv", "markdown", "latex", "html"),
        "CSV is one table of the pairs with the values of their models; JSON has everything; HTML "
        "is a page to send. Default: what --output ends in, else text.",
    ),
]
Output = Annotated[
    Path | None,
    option(
        "Write to this file, not to standard output: .txt, .json, .csv, .md, .tex or .html.",
        "--output",
        "-o",
    ),
]
Force = Annotated[bool, option("Replace the output files if there are any.", "--force")]
Separator = Annotated[str, option("What separates the fields of a CSV file; tab is a tabulator.")]
Encoding = Annotated[str, option("How a CSV file is encoded.")]
NanPolicy = Annotated[str, choice(POLICIES, "what to do with cases that miss a label or a score.")]
Jobs = Annotated[int, option("Threads; -1 is all cores.")]


File = Annotated[
    str | None,
    typer.Argument(
        help="A CSV (perhaps .gz) or Parquet file with a row for each case; - is standard input. "
        "Without it, the predictions that come with fastcompare are compared."
    ),
]
Files = Annotated[
    list[str] | None,
    typer.Argument(
        help="CSV (perhaps .gz) or Parquet files with a row for each case, or folders of Parquet "
        "files: together one table; - is standard input. Large Parquet files are read a piece at a "
        "time. Without any, the predictions that come with fastcompare are compared."
    ),
]
RoundsFile = Annotated[
    str | None,
    typer.Argument(
        help="A CSV (perhaps .gz) or Parquet file with a row for each round and a column for each "
        "model, or with --long a row for each model and round; - is standard input. Without it, "
        "the scores that come with fastcompare are compared."
    ),
]
DatasetFile = Annotated[
    str | None,
    typer.Argument(
        help="A CSV (perhaps .gz) or Parquet file with a row for each data set and a column of "
        "scores for each model; - is standard input. Without it, the accuracies that come with "
        "fastcompare are compared."
    ),
]
Families = Annotated[
    list[str] | None,
    typer.Argument(
        help="The kinds of data to compile for: auc, labels, probabilities, items, folds or "
        "datasets. Without any, all."
    ),
]
Logs = Annotated[
    list[str],
    typer.Argument(
        help="Logs of lm-evaluation-harness, Inspect, HELM, Every Eval Ever, lighteval or "
        "openai/evals, tables with the columns model, item and score, or folders of them."
    ),
]


AnyFiles = Annotated[
    list[str] | None,
    typer.Argument(
        help="A CSV (perhaps .gz) or Parquet file: with a row for each case and a column of true "
        "labels, or a row for each round, data set or item; several are one table. Or logs of "
        "evaluations. - is standard input. Without any, the predictions that come with fastcompare "
        "are compared."
    ),
]
Kind = Annotated[
    str | None,
    choice(
        ("scores", "labels", "probabilities", "folds", "datasets", "items", "battles"),
        "what the file holds: of cases the first three, else what its rows are. Default: as its "
        "columns tell.",
    ),
]
RowNames = Annotated[
    str | None, option("The column that names the rows, which is no model's. Default: as called.")
]
ClusterColumn = Annotated[
    str | None,
    option(
        "The column of clusters of rows; of logs the dotted path of the field, "
        "metadata.passage, say."
    ),
]
Design = Annotated[
    str | None,
    choice(
        ("resampled", "repeated-kfold", "kfold", "5x2cv", "independent"),
        "how rounds were split. Default: the first. Other kinds have designs of their own.",
    ),
]
OwnCorrection = Annotated[
    str | None,
    option("How to adjust p-values for many pairs: holm, none and others. Default: the test's."),
]
Gate = Annotated[
    bool, option("Compare pairs only if the test of all models together rejects.", "--gate")
]
EveryPair = Annotated[
    bool, option("The default now, which needs no option: this one ends in 0.4.", "--every-pair")
]
Trust = Annotated[
    bool,
    option(
        "Simulate the level, the power and the smallest detectable difference at this size, which "
        "takes seconds.",
        "--trust",
    ),
]
TrustDifference = Annotated[
    float | None, option("With --trust: a difference that matters, whose power to tell.")
]
Seed = Annotated[int, option("The seed of what is drawn at random.")]
Page = Annotated[Path, option("The page to write.", "--output", "-o")]
AdviceFiles = Annotated[
    list[str] | None,
    typer.Argument(
        help="A file as for `fastcompare compare`, whose kind and sizes decide. Without one, "
        "--kind and the other options do."
    ),
]
ModelCount = Annotated[int | None, option("How many models there are. Default: 2.")]
RowCount = Annotated[
    int | None, option("How many rows there are: cases of the rarer class, rounds, data sets, ...")
]
Paired = Annotated[
    bool | None,
    option("Whether all models have the same rows. Default: --paired.", "--paired/--unpaired"),
]
ClaimAbout = Annotated[
    str | None,
    choice(
        ("these models", "this way of training", "on new data sets"),
        "what the claim is about. Default: what such data can carry.",
    ),
]
Parametric = Annotated[
    bool | None,
    option("Only tests that assume a distribution, or only others.", "--parametric/--free"),
]
Measure = Annotated[
    bool,
    option("Simulate how often the right and the wrong test err at this size.", "--measure"),
]
TrialCount = Annotated[int, option("How many data sets are simulated, for each rate.")]
SimulatedKind = Annotated[
    str, choice(("scores", "labels", "folds", "datasets"), "what is simulated.")
]
SimulatedTests = Annotated[
    list[str] | None,
    option("A test of the kind; say it once for each. Default: all. A wrong one names them all."),
]
Sizes = Annotated[
    list[int] | None,
    option("How many cases, rounds or data sets there are; several give the power by size."),
]
Effects = Annotated[
    list[float] | None,
    option(
        "The true difference: of AUCs or error rates, or of mean scores in standard deviations; 0 "
        "gives the type I error, several the power by effect. Default: 0."
    ),
]
AucLevel = Annotated[float | None, option("The AUC of both models of scores without an effect.")]
Correlation = Annotated[
    float | None, option("Of the scores of two models, or of a model in two rounds.")
]
PositiveCount = Annotated[int | None, option("Positive cases of scores.")]
NegativeCount = Annotated[int | None, option("Negative cases of scores.")]
ErrorRate = Annotated[float | None, option("The error rate of both models of labels.")]
