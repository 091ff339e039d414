"""Long tables: a row for each model and item, in JSON lines, delimited text or Parquet.

``item`` and ``score`` must be there; ``model``, ``task``, ``metric``, ``sample``, ``group`` and
``weight`` may be. ``question``, ``target`` and ``hash`` must be the same for all models.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..delimited import FileTable, read_delimited
from .sheets import Column, Columns, TaskAnswers, columns_from_rows, comparable_text, refuse
from .sources import Source, column_names, read_columns

NEEDED = ("item", "score")
SAME = ("question", "target", "hash")  # columns that must be equal for one id in all models
OTHERS = ("model", "task", "metric", "sample", "group", "weight", *SAME)
TEXTS = ("item", "model", "task", "metric", "sample", "group", *SAME)  # in which 01 is not 1
DEFAULTS: dict[str, Any] = {"task": "", "metric": "score", "sample": ""}


def is_row(row: dict[str, Any]) -> bool:
    """Return whether a row of JSON lines is in this format."""
    return {*NEEDED} <= row.keys()


def is_table(names: Sequence[str]) -> bool:
    """Return whether a table with these columns is in this format."""
    return {*NEEDED} <= {*names}


def read_rows(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the models' answers in JSON lines."""
    names = (*NEEDED, *(name for name in OTHERS if name != "group"))
    group = cluster or ("group",)
    columns = columns_from_rows(source.path, source.rows(NEEDED), names, cluster=group)
    columns.by_name["group"] = columns["cluster"]
    columns.need("item")
    return answers_by_model(columns)


def read_text(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the models' answers in delimited text.

    `cluster` is a path of keys, as in JSON lines: its last key is the column, else "group".
    """
    group = cluster[-1:] or ("group",)
    table = read_delimited(source.path, source.content, ",", "utf-8", (*TEXTS, *group))
    names = columns_to_read(source.path, table.names, group)
    return answers_by_model(
        table_columns(source.path, {name: text_column(table, name) for name in names}, group)
    )


def read_parquet(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the models' answers in a Parquet file."""
    group = cluster[-1:] or ("group",)
    names = columns_to_read(source.path, column_names(source), group)
    return answers_by_model(table_columns(source.path, read_columns(source, names), group))


def table_columns(path: str, columns: dict[str, Column], group: Sequence[str]) -> Columns:
    """Return the columns of a table, with the column of clusters `group` as 'group'."""
    return Columns(path, len(columns["item"]), {**columns, "group": columns.get(group[0], [])})


def columns_to_read(path: str, names: Sequence[str], group: Sequence[str]) -> list[str]:
    """Return the names of the columns to read, or raise if 'item' or 'score' is missing."""
    if missing := [name for name in NEEDED if name not in names]:
        refuse(
            path,
            f"a table of evaluations needs the columns 'item' and 'score' (and 'model'), it has "
            f"no {missing[0]!r} but {', '.join(map(repr, names[:20]))}.",
        )
    return [name for name in dict.fromkeys((*NEEDED, *OTHERS, *group)) if name in names]


def text_column(table: FileTable, name: str) -> Column:
    """Return a column: 'score' and 'weight' as floats, others as texts, or all as integers.

    Texts are integers if they are written as Python writes integers of at least 0.
    """
    if name in ("score", "weight"):
        scores: Column = np.asarray(table.scores(name), np.float64).tolist()
        return scores
    texts = list(table.column(name))
    are_integers = all(
        text.isascii() and text.isdigit() and str(int(text)) == text for text in texts
    )
    return list(map(int, texts)) if are_integers else texts


def answers_by_model(columns: Columns) -> list[TaskAnswers]:
    """Return the answers of each model, task and metric; in place of a missing name the default.

    The default model is the name of the file.
    """
    for name, value in {"model": Path(columns.path).stem, **DEFAULTS}.items():
        column = columns[name]
        columns.by_name[name] = [value if cell is None else cell for cell in column]
    model_sheets = []
    for (model, task, metric), rows in columns.rows_by("model", "task", "metric").items():
        groups, weights = columns.at("group", rows), columns.at("weight", rows)
        sheet = TaskAnswers(
            path=columns.path,
            format="long table",
            model=str(model),
            task=str(task),
            ids=columns.at("item", rows),
            values={str(metric): columns.at("score", rows)},
            samples=columns.at("sample", rows),
            contents={name: list(map(comparable_text, columns.at(name, rows))) for name in SAME},
            clusters=None if groups.count(None) == len(groups) else groups,
            weights=None if weights.count(None) == len(weights) else weights,
            divided=True,
        )
        model_sheets.append(sheet)
    return model_sheets
