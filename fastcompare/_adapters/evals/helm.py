"""Statistics of HELM by instance: one JSON document, the model in ``run_spec.json`` beside it.

The questions are in ``instances.json`` there, where the run kept it.

Each metric appends entries of its own. Entries with a perturbation are other questions, and a
statistic with a ``sub_split`` repeats one without: neither is read. Trials are samples of an item.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .sheets import Column, Row, TaskAnswers, comparable_text, refuse, required_id, value_at_path
from .sources import LINE_LIMIT, Source, check_keys_once, parse_json

SPEC, INSTANCES = "run_spec.json", "instances.json"
MODEL = re.compile(r"(?:^|(?<=[,:]))model(_deployment)?=[^,]*,?")
Key = tuple[Any, Any]  # instance and trial


def is_document(document: Any) -> bool:
    """Return whether a JSON document is in this format."""
    return (
        isinstance(document, list)
        and bool(document)
        and isinstance(document[0], dict)
        and {"instance_id", "stats"} <= document[0].keys()
    )


def read(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the model's answers to each split of the data set, or raise."""
    path = source.path
    if cluster:
        fault = "`cluster` is not supported for HELM, whose logs lack metadata of instances."
        refuse(path, fault, parameter="cluster")
    document = source.document
    check_keys_once(path, source.content, ("instance_id", "train_trial_index"), len(document))
    splits: dict[str, dict[Key, dict[str, Any]]] = defaultdict(dict)
    for number, entry in enumerate(document, 1):
        instance = required_id(path, entry, "instance_id", number)
        trial = required_id(path, {"train_trial_index": 0, **entry}, "train_trial_index", number)
        stats = entry.get("stats")
        if not isinstance(stats, list):
            refuse(path, f"entry {number} has no list 'stats'.")
        if entry.get("perturbation") is None:
            for stat in stats:
                add_stat(path, splits, (instance, trial), stat)
    model, task = read_model_and_task(path)
    questions = read_questions(path)
    sheets = []
    for split, rows in splits.items():
        split_task = task if split == "test" else f"{task},split={split}"
        sheets.append(split_sheet(path, model, split_task, rows, questions))
    return sheets


def add_stat(path: str, splits: dict[str, dict[Key, dict[str, Any]]], key: Key, stat: Any) -> None:
    """Add a statistic to the row of its instance, the `key`, in its split; raise for a second one.

    Nothing is added for a sub-split, a perturbation, or a mean of no values.
    """
    name = value_at_path(stat, ("name",))
    metric = value_at_path(name, ("name",))
    if not isinstance(metric, str):
        refuse(path, f"a statistic of instance {key[0]!r} has no name.")
    if name.get("sub_split") is not None or name.get("perturbation") is not None:
        return
    row = splits[str(name.get("split", "test"))].setdefault(key, {})
    if metric in row:
        refuse(path, f"instance {key[0]!r} has {metric!r} twice.")
    if stat.get("count", 1) != 0:
        row[metric] = stat.get("mean")


def split_sheet(
    path: str, model: str, task: str, rows: dict[Key, dict[str, Any]], questions: dict[Any, Row]
) -> TaskAnswers:
    """Return the model's answers to the instances of one split.

    `rows` are scores by metric of each instance and trial, `questions` the instances by id.
    """
    metrics = dict.fromkeys(metric for row in rows.values() for metric in row)
    values: dict[str, Column] = {
        metric: [row.get(metric) for row in rows.values()] for metric in metrics
    }
    ids = [instance for instance, _ in rows]
    trials = [trial for _, trial in rows]
    contents = {
        name: [comparable_text(questions.get(item, {}).get(name)) for item in ids]
        for name in ("input", "references")
    }
    return TaskAnswers(
        path=path,
        format="HELM",
        model=model,
        task=task,
        ids=ids,
        values=values,
        samples=trials,
        contents=contents,
    )


def read_questions(path: str) -> dict[Any, Row]:
    """Return {id: unperturbed instance} from ``instances.json`` beside a log, {} without it."""
    file = Path(path).resolve().parent / INSTANCES
    document = parse_json(str(file), file.read_bytes()) if file.is_file() else []
    entries = document if isinstance(document, list) else []
    return {
        entry["id"]: entry
        for entry in entries
        if isinstance(entry, dict)
        and isinstance(entry.get("id"), str | int)
        and entry.get("perturbation") is None
    }


def read_model_and_task(path: str) -> tuple[str, str]:
    """Return the model and the task from ``run_spec.json`` beside a log, else the folder's name.

    A run is called "task:key=value,model=..."; its task is this name without the model.
    """
    folder = Path(path).resolve().parent
    spec = folder / SPEC
    name = folder.name
    model = None
    if spec.is_file() and spec.stat().st_size <= LINE_LIMIT:
        document = parse_json(str(spec), spec.read_bytes())
        model = value_at_path(document, ("adapter_spec", "model"))
        name = str(value_at_path(document, ("name",)) or name)
    match = re.search(r"(?:^|[,:-])model=([^,]+)", name)
    task = MODEL.sub("", name).rstrip(",:-")
    return str(model or (match[1] if match else name)), task
