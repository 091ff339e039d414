"""The arguments and options that commands share."""

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
