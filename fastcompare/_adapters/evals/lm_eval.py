"""Sample logs of lm-evaluation-harness: JSON lines, a row for each document and filter.

The model's name stands in the results file beside the log, else it is that of the folder.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from .sheets import Columns, Row, TaskAnswers, columns_from_rows, refuse, value_at_path
from .sources import LINE_LIMIT, Source, parse_json

HASHES = ("doc_hash", "target_hash", "prompt_hash")
FIXED = frozenset(  # keys that are not metrics
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
    | {"doc_hash", "prompt_hash", "target_hash", "prompt", "logit_0", "truth", "exact_match_hash"}
)
NAME = re.compile(r"samples_(?P<task>.+?)(_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+))?\.jsonl.*")


def is_row(row: dict[str, Any]) -> bool:
    """Return whether a row of JSON lines is in this format."""
    return "doc_id" in row and ("filtered_resps" in row or "metrics" in row)


def read(source: Source, cluster: Sequence[str]) -> list[TaskAnswers]:
    """Return the model's answers by each filter in the log."""
    if cluster[:1] == ("metadata",):  # other logs call a document's fields so
        cluster = ("doc", *cluster[1:])
    metrics = row_metrics(source.path, source.first)
    columns = read_columns(source, metrics, cluster)
    other_lists = [
        row_metrics(source.path, {"metrics": names})
        for names in columns["metrics"]
        if names is not None and names != metrics
    ]
    new = dict.fromkeys(name for names in other_lists for name in names if name not in metrics)
    if new:  # later rows have metrics that the first one had not: read them, too
        metrics = [*metrics, *new]
        columns = read_columns(source, metrics, cluster)
    return answers_by_filter(columns, metrics, bool(cluster))


def read_columns(source: Source, metrics: list[str], cluster: Sequence[str]) -> Columns:
    """Return the columns of ids, filters, hashes, metrics and clusters."""
    names = ("doc_id", "filter", *HASHES, "metrics", *metrics)
    rows = with_hashes(source.rows(("doc_id",)))
    columns = columns_from_rows(source.path, rows, names, cluster=cluster)
    columns.need("doc_id")
    return columns


def with_hashes(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows with the hashes of document and target, added to a row that has none.

    They are computed as the harness does, so that they are comparable with those of other logs.
    """
    for row in rows:
        if row.get("doc_hash") is None and "doc" in row:
            row["doc_hash"] = sha256_of_text(json.dumps(row["doc"], indent=2, ensure_ascii=False))
        if row.get("target_hash") is None and "target" in row:
            row["target_hash"] = sha256_of_text(str(row["target"]))
        yield row


def sha256_of_text(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal; lone surrogates are allowed."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def row_metrics(path: str, row: dict[str, Any]) -> list[str]:
    """Return the names of a row's metrics: its list 'metrics', else all keys but the `FIXED`."""
    named = row.get("metrics", [name for name in row if name not in FIXED])
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        refuse(path, f"'metrics' must be a list of names, got {named!r}.")
    return list(dict.fromkeys(named))


def answers_by_filter(columns: Columns, metrics: list[str], clustered: bool) -> list[TaskAnswers]:
    """Return the model's answers by each filter; names of metrics are "metric,filter"."""
    path = columns.path
    match = NAME.fullmatch(Path(path).name)
    task = match["task"] if match else ""
    model, directions = read_model_and_directions(path, match["date"] if match else None, task)
    return [
        TaskAnswers(
            path=path,
            format="lm-evaluation-harness",
            model=model,
            task=task,
            ids=columns.at("doc_id", rows),
            values={f"{metric},{name or 'none'}": columns.at(metric, rows) for metric in metrics},
            contents={key: columns.at(key, rows) for key in HASHES[:2]},
            prompts=columns.at(HASHES[2], rows),
            clusters=columns.at("cluster", rows) if clustered else None,
            higher_is_better={
                f"{metric},{name or 'none'}": up for metric, up in directions.items()
            },
        )
        for (name,), rows in columns.rows_by("filter").items()
    ]


def read_model_and_directions(
    path: str, date: str | None, task: str
) -> tuple[str, dict[str, bool]]:
    """Return the model and {metric: higher is better} from the results file beside a log.

    That is the file with the date of the log, or the only one. Without it the model is called as
    the folder, or as a log with another name than the harness gives.
    """
    folder = Path(path).resolve().parent
    files = sorted(folder.glob("results*.json"))
    same_run = [file for file in files if date and file.name == f"results_{date}.json"]
    chosen = same_run or (files if len(files) == 1 else [])
    fallback = folder.name if NAME.fullmatch(Path(path).name) else Path(path).stem
    if not chosen or chosen[0].stat().st_size > LINE_LIMIT:
        return fallback, {}
    document = parse_json(str(chosen[0]), chosen[0].read_bytes())
    name = value_at_path(document, ("model_name",)) or model_argument(
        value_at_path(document, ("config",))
    )
    directions = value_at_path(document, ("higher_is_better", task))
    model = name if isinstance(name, str) and name else fallback
    by_metric = directions if isinstance(directions, dict) else {}
    return model, {metric: bool(up) for metric, up in by_metric.items()}


def model_argument(config: Any) -> str:
    """Return the model in the arguments of a run, "" if there is none."""
    arguments = value_at_path(config, ("model_args",))
    if isinstance(arguments, dict):
        arguments = ",".join(f"{key}={value}" for key, value in arguments.items())
    match = re.search(r"(?:^|,)(?:pretrained|model)=([^,]+)", str(arguments or ""))
    return match[1] if match else ""
