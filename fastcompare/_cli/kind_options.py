"""The arguments and options of commands for any kind of data, and of those that simulate."""

from pathlib import Path
from typing import Annotated

import typer

from .options import choice, option

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
