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
    bool,
    option(
        "Report on standard error how the cases were read and how much memory it took.", "--verbose"
    ),
]
Id = Annotated[str | None, option("Column that names the data sets. Default: the first.")]
PostHoc = Annotated[
    str,
    choice(
        ("nemenyi", "shaffer", "bergmann-hommel", "holm", "conover", "wilcoxon"),
        "post-hoc test, run if Friedman's test rejects.",
    ),
]
Control = Annotated[
    str | None, option("Control model: compare every other model with it instead of all pairs.")
]
Alpha = Annotated[float, option("Significance level, between 0 and 1.")]
LowerIsBetter = Annotated[
    bool, option("Lower scores are better (error rates, losses, times).", "--lower-is-better")
]
Plot = Annotated[
    Path | None,
    option("Write the critical-difference diagram to this file (.png, .svg, .pdf, ...)."),
]
Label = Annotated[str, option("Column of true labels.")]
Score = Annotated[
    list[str] | None,
    option("Column of scores (repeat). Default: other numeric columns.", "--score", "--model"),
]
Prediction = Annotated[
    list[str] | None,
    option("Column of predicted labels (repeat). Default: others.", "--prediction", "--model"),
]
Probability = Annotated[
    list[str] | None,
    option(
        "Column of probabilities of the positive class; repeat for each model. Default: all other "
        "numeric columns.",
        "--probability",
        "--model",
    ),
]
Model = Annotated[
    list[str] | None,
    option("Model to compare; repeat for each. Default: all numeric columns, or all columns."),
]
Long = Annotated[bool, option("The file is in long format: one row per model and round.", "--long")]
ModelColumn = Annotated[str, option("With --long: column of model names.")]
RoundColumn = Annotated[
    str,
    option(
        "Column that identifies the round (fold). Default: one named round, fold, split, repeat or "
        "iteration; a wide file does not need one."
    ),
]
ScoreColumn = Annotated[str, option("With --long: column of scores.")]
TrainSize = Annotated[
    float | None, option("Number of training cases per round (or their mean). Required for folds.")
]
TestSize = Annotated[
    float | None, option("Number of test cases per round (or their mean). Required for folds.")
]
RoundPolicy = Annotated[str, choice(POLICIES, "how to handle rounds with missing scores.")]
Threshold = Annotated[
    float | None,
    option(
        "The columns hold scores: predict the positive class where the score is at least this. "
        "Default for the bundled predictions: 0.5."
    ),
]
Method = Annotated[
    str, choice(("auto", "exact", "midp", "asymptotic"), "version of McNemar's test.")
]
Rule = Annotated[str, choice(("brier", "log", "spherical"), "scoring rule to compare.")]
Clip = Annotated[
    float | None,
    option("Clip probabilities to [clip, 1 - clip] so that the log loss stays finite."),
]
EvalTask = Annotated[
    list[str] | None, option("Task to include (repeat to pool several; 'all' pools all).")
]
ItemMetric = Annotated[str | None, option("Metric or scorer, if the logs contain several.")]
Missing = Annotated[
    str, choice(("raise", "drop", "zero"), "how to handle items for which a model has no score.")
]
Join = Annotated[
    str,
    choice(
        ("id", "hash"),
        "how items are matched across models: by their ids or by a hash of the question.",
    ),
]
EvalDirection = Annotated[
    str,
    choice(
        ALTERNATIVES,
        "alternative hypothesis about first minus second. Default: two-sided; with --margin, "
        "non-inferiority of the first model.",
    ),
]
Margin = Annotated[
    float,
    option(
        "Largest difference that does not matter: the non-inferiority margin of the first model, "
        "or with equivalence the equivalence margin."
    ),
]
Candidate = Annotated[
    str | None, option("Model to judge, as the first of each difference. Default: the first log's.")
]
Baseline = Annotated[
    str | None, option("Compare the candidate with this model only. Default: with all others.")
]
FailIf = Annotated[
    str | None,
    choice(
        ("worse", "not-better", "not-noninferior"),
        "exit with status 3 if that holds for the first model.",
    ),
]
JointCorrection = Annotated[
    str,
    choice(
        (AUTO, *JOINT, "none", *CORRECTIONS, *PAIR_CORRECTIONS),
        "adjustment of p-values for multiple pairs.",
    ),
]
MaxPairs = Annotated[
    int, option("Maximum number of pairs (large numbers are slow and memory-hungry).")
]
PosLabel = Annotated[
    str | None, option("Label of the positive class, if labels are not 0/1, -1/1 or boolean.")
]
Direction = Annotated[str, choice(ALTERNATIVES, "alternative hypothesis about first minus second.")]
ClaimKind = Annotated[
    str,
    choice(
        WITH_EQUIVALENCE,
        "alternative hypothesis about first minus second; equivalence needs two models and "
        "--margin.",
    ),
]
Weights = Annotated[str | None, option("Column of case weights.")]
AUCMethod = Annotated[
    str,
    choice(
        ("delong", "bootstrap", "permutation"),
        "test of AUCs; bootstrap and permutation compare two models.",
    ),
]
LossMethod = Annotated[
    str, choice(("t", "wilcoxon", "permutation", "bootstrap"), "test of the difference in loss.")
]
Resamples = Annotated[int, option("Number of bootstrap or permutation replicates.")]
Correction = Annotated[
    str,
    choice(
        ("auto", "none", *CORRECTIONS, *PAIR_CORRECTIONS),
        "adjustment of p-values for multiple pairs; auto is shaffer for two-sided tests, else "
        "holm.",
    ),
]
Level = Annotated[float, option("Confidence level of the intervals, between 0 and 1.")]
Progress = Annotated[bool, option("Show a progress bar.", "--progress")]
Simultaneous = Annotated[
    bool, option("Simultaneous intervals for all differences.", "--simultaneous")
]
Format = Annotated[
    str | None,
    choice(
        ("text", "json", "csv", "markdown", "latex", "html"),
        "output format. CSV is one row per pair; JSON has everything; HTML is a self-contained "
        "page. Default: from the extension of --output, else text.",
    ),
]
Output = Annotated[
    Path | None,
    option(
        "Write to this file instead of standard output: .txt, .json, .csv, .md, .tex, .html, or "
        "the picture of the result as .png, .svg or .pdf.",
        "--output",
        "-o",
    ),
]
Force = Annotated[bool, option("Overwrite existing output files.", "--force")]
Separator = Annotated[str, option("Field separator of CSV files; 'tab' for tab-separated files.")]
Encoding = Annotated[str, option("Encoding of CSV files.")]
Decimal = Annotated[str, option("Decimal mark in CSV files: '.' or ','.")]
NanPolicy = Annotated[str, choice(POLICIES, "how to handle cases with missing values.")]
Jobs = Annotated[int, option("Number of threads; -1 uses all cores.")]


File = Annotated[
    str | None,
    typer.Argument(
        help="CSV (optionally gzipped) or Parquet file with one row per case; - reads standard "
        "input. Default: the predictions bundled with fastcompare."
    ),
]
Files = Annotated[
    list[str] | None,
    typer.Argument(
        help="CSV (optionally gzipped) or Parquet files with one row per case, or folders of "
        "Parquet files, stacked into one table; - reads standard input. Large Parquet files are "
        "read in chunks. Default: the predictions bundled with fastcompare."
    ),
]
RoundsFile = Annotated[
    str | None,
    typer.Argument(
        help="CSV (optionally gzipped) or Parquet file with one row per round and one column per "
        "model, or with --long one row per model and round; - reads standard input. Default: the "
        "cross-validation scores bundled with fastcompare."
    ),
]
DatasetFile = Annotated[
    str | None,
    typer.Argument(
        help="CSV (optionally gzipped) or Parquet file with one row per data set and one column of "
        "scores per model; - reads standard input. Default: the accuracies bundled with "
        "fastcompare."
    ),
]
Families = Annotated[
    list[str] | None,
    typer.Argument(
        help="Kinds of data to compile for: auc, labels, probabilities, items, folds or "
        "datasets. Default: all."
    ),
]
Logs = Annotated[
    list[str],
    typer.Argument(
        help="Logs of lm-evaluation-harness, Inspect, HELM, Every Eval Ever, lighteval or "
        "openai/evals, tables with columns model, item and score, or folders of these."
    ),
]


AnyFiles = Annotated[
    list[str] | None,
    typer.Argument(
        help="CSV (optionally gzipped) or Parquet file with one row per case and a column of true "
        "labels, or one row per round, data set or item; several files are stacked. Or logs of "
        "evaluation harnesses. - reads standard input. Default: the predictions bundled with "
        "fastcompare."
    ),
]
OF_CASES = ("scores", "labels", "probabilities")
Kind = Annotated[
    str | None,
    choice(
        (*OF_CASES, "folds", "datasets", "items", "battles", "times", "readers"),
        "kind of data: the first three have one row per case, the others are named after their "
        "rows. Default: inferred from the columns.",
    ),
]
RowNames = Annotated[
    str | None, option("Column that identifies the rows. Default: inferred from the column names.")
]
ClusterColumn = Annotated[
    str | None,
    option(
        "Column of cluster labels; for logs the dotted path of a field, such as metadata.passage.",
        "--groups",
        "--cluster",
    ),
]
TimeColumn = Annotated[
    str | None, option("Times to an event: column of times. Default, with --event: time.")
]
EventColumn = Annotated[
    str | None,
    option(
        "Times to an event: column of 1 (event) and 0 (censored), or of words or codes of which "
        "--pos-label is the event. Default, with --time: event."
    ),
]
ReaderColumn = Annotated[
    str | None, option("Reader study: column of readers, or seeds. Default: reader or readerID.")
]
TreatmentColumn = Annotated[
    str | None,
    option("Reader study: column of treatments. Default: treatment, test, modality or modalityID."),
]
CaseColumn = Annotated[str | None, option("Reader study: column of cases. Default: case, caseID.")]
RatingColumn = Annotated[
    str | None, option("Reader study: column of scores. Default: score or rating.", "--score")
]
Design = Annotated[
    str | None,
    choice(
        ("resampled", "repeated-kfold", "kfold", "5x2cv", "independent"),
        "how folds were made. Default: resampled.",
    ),
]
OwnCorrection = Annotated[
    str | None,
    option("Adjustment of p-values for multiple pairs (holm, none, ...). Default: the test's own."),
]
Gate = Annotated[bool, option("Compare pairs only if the omnibus test rejects.", "--gate")]
EveryPair = Annotated[
    bool, option("Deprecated (it is the default); will be removed in 0.4.", "--every-pair")
]
Trust = Annotated[
    bool,
    option(
        "Simulate the type I error, the power and the smallest detectable difference for data like "
        "these (takes seconds).",
        "--trust",
    ),
]
TrustDifference = Annotated[
    float | None, option("With --trust: a difference that matters, whose power to report.")
]
Seed = Annotated[int, option("Seed of the random number generator.")]
Page = Annotated[Path, option("File to write the page to.", "--output", "-o")]
AdviceFiles = Annotated[
    list[str] | None,
    typer.Argument(
        help="Data as for `fastcompare compare`. Without any, --kind and the other options "
        "describe them."
    ),
]
ModelCount = Annotated[int | None, option("Number of models. Default: 2.")]
RowCount = Annotated[
    int | None, option("Number of rows: cases of the rarer class, folds, data sets, ...")
]
Paired = Annotated[
    bool | None,
    option(
        "Whether all models were evaluated on the same rows. Default: --paired.",
        "--paired/--unpaired",
    ),
]
ClaimAbout = Annotated[
    str | None,
    choice(
        ("these models", "this way of training", "on new data sets", "other readers and cases"),
        "what the claim is about. Default: what such data can support.",
    ),
]
Parametric = Annotated[
    bool | None,
    option("Only parametric tests, or only distribution-free ones.", "--parametric/--free"),
]
Measure = Annotated[
    bool,
    option(
        "Simulate the type I error of the recommended and of the mistaken test at this size.",
        "--measure",
    ),
]
TrialCount = Annotated[int, option("Number of simulated data sets per rate.")]
SimulatedKind = Annotated[
    str, choice(("scores", "labels", "folds", "datasets"), "kind of data to simulate.")
]
SimulatedTests = Annotated[
    list[str] | None,
    option("Test to simulate; repeat for several. Default: all. An unknown name lists them."),
]
Sizes = Annotated[
    list[int] | None,
    option("Number of cases, rounds or data sets; repeat for power as a function of size."),
]
Effects = Annotated[
    list[float] | None,
    option(
        "True difference in AUC or error rate, or in mean score in standard deviations: 0 gives "
        "the type I error; repeat for power as a function of the effect. Default: 0."
    ),
]
AucLevel = Annotated[float | None, option("AUC of both models under the null hypothesis.")]
Correlation = Annotated[
    float | None, option("Correlation of the scores of two models, or of one model in two rounds.")
]
PositiveCount = Annotated[int | None, option("Number of positive cases (kind scores).")]
NegativeCount = Annotated[int | None, option("Number of negative cases (kind scores).")]
ErrorRate = Annotated[float | None, option("Error rate of both models (kind labels).")]
