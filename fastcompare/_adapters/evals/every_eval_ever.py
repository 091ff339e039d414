"""Samples of Every Eval Ever: JSON lines, a row for each answer; evaluations are tasks."""

from collections.abc import Sequence
from typing import Any

from .sheets import TaskAnswers, columns_from_rows, comparable_text
from .sources import Source

KEYS = ("sample_id", "evaluation_name", "score")
HASHES = ("doc_hash", "target_hash", "prompt_hash")  # where lm-evaluation-harness ran
METRIC = "score"
ASKED = ("raw", "reference")  # the question and its answers, which two logs must share


def is_row(row: dict[str, Any]) -> bool:
    """Return whether a row of JSON lines is in this format."""
    return {"evaluation_id", "sample_id", "evaluation"} <= row.keys()


def read(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the answers of each model to each evaluation in the log."""
    columns = columns_from_rows(
        source.path,
        source.rows(KEYS),
        ("sample_id", "evaluation_name", "model_id", "sample_hash", "error"),
        within={"metadata": ("epoch", *HASHES), "evaluation": (METRIC,), "input": ASKED},
        cluster=cluster,
    )
    columns.need("sample_id", "evaluation_name", "model_id")
    return [
        TaskAnswers(
            path=source.path,
            format="Every Eval Ever",
            model=str(model),
            task=str(task),
            ids=columns.at("sample_id", rows),
            values={METRIC: columns.at(METRIC, rows)},
            samples=[label or "" for label in columns.at("epoch", rows)],
            contents={
                **{key: columns.at(key, rows) for key in ("sample_hash", *HASHES[:2])},
                **{key: list(map(comparable_text, columns.at(key, rows))) for key in ASKED},
            },
            prompts=columns.at(HASHES[2], rows),
            clusters=columns.at("cluster", rows) if cluster else None,
            failed=[error is not None for error in columns.at("error", rows)],
        )
        for (model, task), rows in columns.rows_by("model_id", "evaluation_name").items()
    ]
