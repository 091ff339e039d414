"""Logs of openai/evals: JSON lines of events between a ``spec`` and a ``final_report``."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .sheets import Column, TaskAnswers, refuse, required_id, value_at_path
from .sources import Source

KEYS = ("sample_id", "correct")
EVENT = ("event_id", "sample_id", "type", "data")
# by type of event, the fields of its data that are scores; () for all
SCORED: dict[str, Sequence[str]] = {"match": ("correct",), "metrics": ()}


@dataclass
class Answer:
    """The scores, target, cluster and failure of one sample, from its events."""

    scores: dict[str, Any] = field(default_factory=dict)
    target: str | None = None
    cluster: Any = None
    failed: bool = False

    def add(self, path: str, row: dict[str, Any], cluster: Sequence[str]) -> None:
        """Add an event of the sample, or raise if the sample has such a score already."""
        data = row.get("data")
        if row["type"] == "error" or not isinstance(data, dict):
            self.failed = True
            return
        for metric in SCORED[row["type"]] or data:
            if metric in self.scores:
                refuse(path, f"sample {row['sample_id']!r} has {metric!r} twice.")
            self.scores[metric] = data.get(metric)
        if "expected" in data:
            self.target = json.dumps(data["expected"])
        self.cluster = value_at_path(row, cluster) if cluster else None


def is_row(row: dict[str, Any]) -> bool:
    """Return whether a row is the first one of a log in this format."""
    return [*row] == ["spec"] or isinstance(row.get("spec"), dict) or row.keys() >= {*EVENT}


def read(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the answers of the log's one run, one model and one task, or raise."""
    path = source.path
    spec: Any = None
    ended = False
    answers: dict[Any, Answer] = defaultdict(Answer)
    for number, row in enumerate(source.rows(KEYS), 1):
        if "spec" in row:
            spec = row["spec"]
        elif "final_report" in row:
            ended = True
        elif row.get("type") in (*SCORED, "error"):
            answers[required_id(path, row, "sample_id", number)].add(path, row, cluster)
    names = dict.fromkeys(metric for answer in answers.values() for metric in answer.scores)
    records = list(answers.values())
    values: dict[str, Column] = {n: [answer.scores.get(n) for answer in records] for n in names}
    models = named_models(path, spec)
    return [
        TaskAnswers(
            path=path,
            format="openai/evals",
            model=",".join(models) or Path(path).stem,
            task=str(spec.get("eval_name") or spec.get("base_eval") or ""),
            ids=list(answers),
            values=values,
            contents={"expected": [answer.target for answer in records]},
            clusters=[answer.cluster for answer in records] if cluster else None,
            failed=[answer.failed for answer in records],
            status="success" if ended else "started",
        )
    ]


def named_models(path: str, spec: Any) -> list[str]:
    """Return the names of models in the `spec` of a run, [] if it names none.

    Raise if the spec is missing or damaged.
    """
    if not isinstance(spec, dict):
        refuse(path, "the line with the run's 'spec' is missing or damaged: copy it again.")
    models = spec.get("completion_fns") or []
    models = [models] if isinstance(models, str) else models
    if not isinstance(models, list) or not all(isinstance(model, str) for model in models):
        refuse(path, f"'completion_fns' must be a list of names, got {models!r}.")
    return models
