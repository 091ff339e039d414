"""The arguments of commands: the files that they read."""

from typing import Annotated

import typer

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
