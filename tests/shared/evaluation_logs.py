"""Logs of evaluation harnesses for tests: real ones, and small ones that a test writes."""

import json
import zipfile
from pathlib import Path

LOGS = Path(__file__).parents[1] / "golden" / "items" / "logs"
# real logs as the harnesses write them, each folder with the tables they must give
DATE = "2026-11-22T01-16-03.672248"


def expected(harness):
    return json.loads((LOGS / harness / "expected.json").read_text())


def lines(path, rows):
    """Write JSON lines and return their path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def lm_eval(folder, rows, task="sums", **results):
    """Write a sample log of lm-evaluation-harness from rows (doc_id, acc, hash)."""
    path = folder / f"samples_{task}_{DATE}.jsonl"
    if results:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"results_{DATE}.json").write_text(json.dumps(results))
    filled = [
        {
            "doc_id": item,
            "doc": {"q": f"What is {item}?", "passage": str(item)[-1]},
            "target": str(item),
            "resps": [["7"]],
            "filtered_resps": ["7"],
            "filter": "none",
            "metrics": ["acc"],
            "doc_hash": content,
            "target_hash": content,
            "acc": score,
        }
        for item, score, content in rows
    ]
    return lines(path, filled)


def inspect_rows(rows):
    """Return summaries from rows (id, epoch, value, metadata)."""
    return [
        {
            "id": item,
            "epoch": epoch,
            "input": f"Question {item}?",
            "target": f"key {item}",
            "metadata": metadata,
            "scores": {"graded": {"value": value}},
        }
        for item, epoch, value, metadata in rows
    ]


def inspect_header(model, ids=(), status="success"):
    dataset = {"sample_ids": list(ids)}
    return {
        "version": 2,
        "status": status,
        "eval": {"model": model, "task": "reading", "dataset": dataset},
    }


def inspect_zip(path, model, rows, **header):
    """Write a zipped log of Inspect."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(inspect_header(model, **header)))
        archive.writestr("summaries.json", json.dumps(inspect_rows(rows)))
    return path


def long_csv(path, rows, head="model,item,score"):
    """Write a long table as comma-separated text."""
    path.write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path
