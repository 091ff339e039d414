"""Samples of Every Eval Ever: JSON lines, a row for each answer; evaluations are tasks."""

from collections.abc import Sequence
from typing import Any

from .sheets import Columns, Sheet, column_along
from .sources import Source

KEYS = ("sample_id", "evaluation_name", "score")
HASHES = ("doc_hash", "target_hash", "prompt_hash")  # where lm-evaluation-harness ran
METRIC = "score"


def is_row(row: dict[str, Any]) -> bool:
    """Return whether a row of JSON lines is one of these."""
    return {"evaluation_id", "sample_id", "evaluation"} <= row.keys()


def read(source: Source, cluster: Sequence[str]) -> list[Sheet]:
    """Return a sheet for each model and evaluation in the log."""
    columns = Columns(source.path)
    for block in source.blocks(KEYS):
        columns.need(block, "sample_id", "evaluation_name", "model_id", "evaluation")
        columns.take(block, "sample_hash", "error")
        for field in ("epoch", *HASHES):
            columns.put(field, column_along(block, ("metadata", field)))
        if cluster:
            columns.put("cluster", column_along(block, cluster))
    return [
        Sheet(
            source.path,
            "Every Eval Ever",
            str(model),
            str(task),
            columns.at("sample_id", rows),
            {METRIC: column_along(columns.at("evaluation", rows), (METRIC,))},
            samples=[label or "" for label in columns.at("epoch", rows)],
            contents={key: columns.at(key, rows) for key in ("sample_hash", *HASHES[:2])},
            prompts=columns.at(HASHES[2], rows),
            clusters=columns.at("cluster", rows) if cluster else None,
            failed=[error is not None for error in columns.at("error", rows)],
        )
        for (model, task), rows in columns.rows_by("model_id", "evaluation_name").items()
    ]
