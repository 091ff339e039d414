"""Logs of Inspect: a zip file of JSON members, or one JSON document.

Of a zip file the header and the summaries are read, never the transcripts; a run that did not end
has its summaries in the journal. Epochs are samples of an item.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain
from typing import Any

from .sheets import (
    Column,
    Row,
    TaskAnswers,
    column_at_path,
    columns_from_rows,
    refuse,
    value_at_path,
)
from .sources import Archive, Source, array_rows, check_keys_once, check_size, parse_json

HEADER, SUMMARIES = "header.json", "summaries.json"
START, JOURNAL = "_journal/start.json", "_journal/summaries/"
KEYS = ("epoch",)
FIELDS = ("id", "epoch", "input", "target", "error", "limit")
SAME = 1000  # characters of an input that are compared: summaries cut it at 5120


def is_document(document: Any) -> bool:
    """Return whether a JSON document is in this format."""
    return isinstance(value_at_path(document, ("eval", "task")), str) and "status" in document


def read(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the model's answers in a log, one model and one task."""
    path = source.path
    header, rows = read_archive(source) if source.is_archive else read_document(source)
    model, task, expected = read_names(path, header)
    columns = columns_from_rows(path, rows, FIELDS, cluster=cluster, scores=scorer_values)
    columns.need("id")
    return [
        TaskAnswers(
            path=path,
            format="Inspect",
            model=model,
            task=task,
            ids=columns["id"],
            values=values_by_scorer(columns["scores"]),
            samples=columns["epoch"],
            contents={key: comparable_contents(columns[key]) for key in ("input", "target")},
            clusters=columns["cluster"] if cluster else None,
            failed=[error is not None for error in columns["error"]],
            limited=columns.size - columns["limit"].count(None),
            expected=expected,
            status=str(header.get("status", "started")),
        )
    ]


def read_document(source: Source) -> tuple[Row, list[Row]]:
    """Return the header of a log in one document, and its samples, or raise if it has none."""
    header = source.document
    rows = header.get("samples")
    if not isinstance(rows, list) or not {*map(type, rows)} <= {dict}:
        refuse(source.path, "this log has no samples: it was written without them.")
    check_keys_once(source.path, source.content, KEYS, len(rows))
    return header, rows


def read_names(path: str, header: Any) -> tuple[str, str, Column]:
    """Return the model, the task and the ids of the data set, or raise where a name is missing."""
    spec = value_at_path(header, ("eval",))
    model, task = value_at_path(spec, ("model",)), value_at_path(spec, ("task",))
    if not isinstance(model, str) or not isinstance(task, str):
        refuse(path, "the header has no model or no task.")
    expected = value_at_path(spec, ("dataset", "sample_ids"))
    return model, task, expected if isinstance(expected, list) else []


def read_archive(source: Source) -> tuple[Row, Iterator[Row]]:
    """Return the header of a zip file, and the summaries of its samples."""
    path = source.path
    with closing(source.open()) as file:
        archive = Archive(path, file)
        head = next((name for name in (HEADER, START) if name in archive.members), None)
        if head is None:
            refuse(path, "this zip file is not an Inspect log: it has no header.json.")
        names = [SUMMARIES]
        if SUMMARIES not in archive.members:
            journal = [name for name in archive.members if name.startswith(JOURNAL)]
            names = sorted(journal, key=lambda name: (len(name), name))  # 2.json before 10.json
        check_size(path, sum(archive.members[name].file_size for name in names))
        header = parse_json(f"{path}:{head}", archive.read(head))
        if not isinstance(header, dict):
            refuse(path, f"{head!r} must be an object.")
        members = [(f"{path}:{name}", archive.read(name)) for name in names]
    rows = (array_rows(member_path, raw, KEYS) for member_path, raw in members)
    return header, chain.from_iterable(rows)


def scorer_values(row: Row) -> Row:
    """Return {scorer: value} of a sample; {} if it was not scored."""
    scores = row.get("scores")
    if type(scores) is not dict:
        return {}
    return {
        name: score.get("value") if type(score) is dict else None for name, score in scores.items()
    }


def comparable_contents(contents: Column) -> Column:
    """Return the beginnings of texts, which must be equal in two logs, and None for others.

    Others are lists of messages, whose ids differ between logs.
    """
    if {*map(type, contents)} == {str} and max(map(len, contents)) <= SAME:
        return contents
    return [beginning_of_text(content) for content in contents]


def beginning_of_text(content: Any) -> str | None:
    """Return a text, of a long one the first 1000 characters with single spaces; None for others.

    Summaries cut long texts, and change their spaces.
    """
    if isinstance(content, list) and all(isinstance(part, str) for part in content):
        content = "\n".join(content)
    if not isinstance(content, str):
        return None
    return content if len(content) <= SAME else " ".join(content[:SAME].split())


def values_by_scorer(rows: Column) -> dict[str, Column]:
    """Return a column of values for each scorer, and for each part of a value that is an object."""
    values: dict[str, Column] = {}
    for scorer in dict.fromkeys(chain.from_iterable(rows)):
        column = [row.get(scorer) for row in rows]
        values[scorer] = column
        objects = [value for value in column if type(value) is dict]
        for key in dict.fromkeys(chain.from_iterable(objects)):
            values[f"{scorer}.{key}"] = column_at_path(column, (key,))
    return values
