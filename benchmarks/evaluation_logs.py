"""Logs of evaluation harnesses with 10^4 items, for benchmarks, and the JSON that is in them."""

import json
import zipfile

import numpy as np

N_ITEMS = 10**4


def sample_log(folder, model, seed):
    """Return the path and the JSON of a sample log of lm-evaluation-harness."""
    rng = np.random.default_rng(seed)
    path = folder / model / "samples_t_2026-11-22T10-00-00.jsonl"
    path.parent.mkdir()
    rows = [
        {
            "doc_id": i,
            "doc": {"question": f"Which key opens {i}? " * 5, "choices": ["a", "b", "c", "d"]},
            "target": str(i % 4),
            "arguments": {f"gen_args_{j}": {"arg_0": "Q: " * 9, "arg_1": "a"} for j in range(4)},
            "resps": [[["-3.7288", "False"]]] * 4,
            "filtered_resps": [["-3.7288", "False"]] * 4,
            "filter": "none",
            "metrics": ["acc"],
            "doc_hash": f"{i:064x}",
            "prompt_hash": f"{i + 1:064x}",
            "target_hash": f"{i % 4:064x}",
            "acc": float(rng.integers(2)),
        }
        for i in rng.permutation(N_ITEMS).tolist()
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path, path.read_bytes().splitlines()


def zipped_log(folder, model, seed):
    """Return the path and the JSON of a log of Inspect."""
    rng = np.random.default_rng(seed)
    path = folder / f"{model}.eval"
    dataset = {"sample_ids": [f"q{i}" for i in range(N_ITEMS)]}
    header = {"status": "success", "eval": {"model": model, "task": "t", "dataset": dataset}}
    rows = [
        {
            "id": f"q{i}",
            "epoch": 1,
            "input": f"Question {i}: give the key." * 3,
            "target": f"k{i}",
            "metadata": {"passage": f"p{i % 200}", "subject": "math"},
            "scores": {"graded": {"value": "CI"[rng.integers(2)], "answer": "k", "history": []}},
            "started_at": "2026-11-22T01:36:18.665943+00:00",
            "completed_at": "2026-11-22T01:36:18.674954+00:00",
            "uuid": f"{i:022d}",
            "retries": 0,
            "completed": True,
        }
        for i in rng.permutation(N_ITEMS).tolist()
    ]
    texts = [json.dumps(header), json.dumps(rows)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, text in zip(("header.json", "summaries.json"), texts, strict=True):
            archive.writestr(member, text)
    return path, [text.encode() for text in texts]


WRITERS = {"lm_eval": sample_log, "inspect": zipped_log}


def two_logs(folder, kind):
    """Return the paths of two logs, and all of their JSON."""
    logs = [WRITERS[kind](folder, model, seed) for seed, model in enumerate("ab")]
    return [path for path, _ in logs], [text for _, texts in logs for text in texts]
