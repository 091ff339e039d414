"""Details of lighteval: Parquet, a row for each document, the scores in one column of structs.

The model stands in the path: ``details/{model}/{time}/details_{task}_{time}.parquet``.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from .sheets import Column, TaskAnswers, comparable_text, refuse, value_at_path
from .sources import Source, column_names, read_columns

PAIRS = (("__doc__", "__metric__"), ("doc", "metric"))  # the two columns, as versions name them
CONTENTS = ("query", "gold_index")  # must be equal for two models' answers to one document
FIELDS = ("id", "task_name", *CONTENTS)
NAME = re.compile(r"details_(?P<task>.+)_\d{4}-\d\d-\d\d[T ][\d.:-]+\.parquet")


def is_table(names: Sequence[str]) -> bool:
    """Return whether a Parquet file with these columns is in this format."""
    return any({*pair} <= {*names} for pair in PAIRS)


def read(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the model's answers to each task in the file, or raise if a row has no id.

    The path `cluster` begins in a document, with or without the key 'doc' before; its 'metadata',
    as other logs call them, are in the field 'specific'.
    """
    path = source.path
    doc, metric = next(pair for pair in PAIRS if {*pair} <= {*column_names(source)})
    cluster_fields = cluster[1:2] if cluster[:1] == ("doc",) else ("specific", *cluster[:1])
    columns = read_columns(source, (doc, metric), {doc: (*FIELDS, *cluster_fields)})
    tasks: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(columns[doc], 1):
        if not isinstance(row, dict) or row.get("id") is None:
            refuse(path, f"row {number} of {doc!r} has no 'id'.")
        tasks[str(row.get("task_name") or task_from_path(path))].append(number - 1)
    if cluster[:1] == ("metadata",):
        cluster = ("specific", *cluster[1:])
    elif cluster[:1] == ("doc",):
        cluster = cluster[1:]
    answers = []
    for task, rows in tasks.items():
        docs = [columns[doc][i] for i in rows]
        task_answers = TaskAnswers(
            path=path,
            format="lighteval",
            model=model_from_path(path),
            task=task,
            ids=[row["id"] for row in docs],
            values=scores_by_metric([columns[metric][i] for i in rows]),
            contents={key: [comparable_text(row.get(key)) for row in docs] for key in CONTENTS},
            clusters=[value_at_path(row, cluster) for row in docs] if cluster else None,
        )
        answers.append(task_answers)
    return answers


def scores_by_metric(rows: Column) -> dict[str, Column]:
    """Return a column of scores for each metric, from one object of scores a row."""
    scores = [row if isinstance(row, dict) else {} for row in rows]
    return {
        name: [row.get(name) for row in scores]
        for name in dict.fromkeys(name for row in scores for name in row)
    }


def task_from_path(path: str) -> str:
    """Return the task in a file's name, "" if there is none."""
    match = NAME.fullmatch(Path(path).name)
    return match["task"] if match else ""


def model_from_path(path: str) -> str:
    """Return the model in a path ``details/{model}/{time}/...``, else the file's name.

    A model may be two folders, such as ``org/name``.
    """
    folders = Path(path).resolve().parts[:-1]
    if "details" in folders[:-1]:
        start = len(folders) - folders[::-1].index("details")  # behind the last "details"
        return "/".join(folders[start:-1]) or folders[-1]  # where there is no {time}
    return Path(path).stem
