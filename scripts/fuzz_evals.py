"""Pairs of logs with shuffled, dropped, doubled and exchanged rows: none may be misaligned.

``python -m scripts.fuzz_evals --pairs 100000 --jobs 2`` counts what `read_evals` makes of them. A
score says which question it answers, so two scores in one row of the result must say the same. A
pair is refused exactly where it must be: two answers to an item, other questions under one id,
nothing in common.
"""

import argparse
import json
import random
import tempfile
import warnings
import zipfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np

import fastcompare as fc

FIRST, OFFSET = 2, 1000  # least scores; those of 0 and 1 would be answers, on another scale


class Answer(NamedTuple):
    """A row of a log: an item's id, the question that it stands for there, and the score."""

    id: int | str
    question: int
    score: int


def lm_eval(folder, model, rows):
    """Write the rows as a log of this kind; return its path."""
    log = folder / model / "samples_t_2026-11-22T10-00-00.jsonl"
    log.parent.mkdir(exist_ok=True)
    records = [
        {
            "doc_id": row.id,
            "doc_hash": f"hash {row.question}",
            "target_hash": f"target {row.question % 3}",
            "filtered_resps": ["x"],
            "filter": "none",
            "metrics": ["acc"],
            "acc": row.score,
        }
        for row in rows
    ]
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    return log


def inspect_document(model, rows):
    """Return the header and the samples of a log of Inspect."""
    header = {"status": "success", "eval": {"model": model, "task": "t", "dataset": {}}}
    return header, [
        {
            "id": row.id,
            "epoch": 1,
            "input": f"question {row.question}",
            "target": f"{row.question % 3}",
            "scores": {"s": {"value": row.score}},
        }
        for row in rows
    ]


def inspect_zip(folder, model, rows):
    """Write the rows as a log of this kind; return its path."""
    log = folder / f"{model}.eval"
    header, samples = inspect_document(model, rows)
    with zipfile.ZipFile(log, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("summaries.json", json.dumps(samples))
    return log


def inspect_json(folder, model, rows):
    """Write the rows as a log of this kind; return its path."""
    log = folder / f"{model}.json"
    header, samples = inspect_document(model, rows)
    log.write_text(json.dumps(header | {"samples": samples}))
    return log


def every_eval_ever(folder, model, rows):
    """Write the rows as a log of this kind; return its path."""
    log = folder / f"{model}_samples.jsonl"
    records = [
        {
            "evaluation_id": "e",
            "model_id": model,
            "evaluation_name": "t",
            "sample_id": row.id,
            "sample_hash": f"hash {row.question}",
            "evaluation": {"score": row.score},
        }
        for row in rows
    ]
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    return log


def helm(folder, model, rows):
    """Write the rows as a log of this kind; return its path."""
    log = folder / f"run:model={model}" / "per_instance_stats.json"
    log.parent.mkdir(exist_ok=True)
    (log.parent / "run_spec.json").write_text(
        json.dumps({"name": f"t:model={model}", "adapter_spec": {"model": model}})
    )
    stats = [{"name": {"name": "em", "split": "test"}, "count": 1}]
    records = [{"instance_id": row.id, "stats": [{**stats[0], "mean": row.score}]} for row in rows]
    log.write_text(json.dumps(records))
    return log


def long_json(folder, model, rows):
    """Write the rows as a log of this kind; return its path."""
    log = folder / f"{model}.jsonl"
    records = [{"model": model, "item": row.id, "score": row.score} for row in rows]
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    return log


def long_csv(folder, model, rows):
    """Write the rows as a log of this kind; return its path."""
    log = folder / f"{model}.csv"
    body = "".join(f"{model},{row.id},{row.score}\n" for row in rows)
    log.write_text("model,item,score\n" + body)
    return log


CHECKED = ((lm_eval, lm_eval), (inspect_zip, inspect_zip), (inspect_zip, inspect_json))
CHECKED += ((every_eval_ever, every_eval_ever),)
UNCHECKED = ((helm, helm), (long_json, long_json), (long_csv, long_json), (long_csv, long_csv))
IDS = (
    lambda i: i,
    str,
    lambda i: f"{i:03d}",
    lambda i: f"q{i}",
    lambda i: i if i % 2 else str(i),
    lambda i: f"{i} ",
)


def as_number_if_digits(key):
    """Return ``7`` for ``"7"``, but ``"007"`` and anything else as it is."""
    if isinstance(key, str) and key.isdigit() and str(int(key)) == key:
        return int(key)
    return key


def draw_rows(draw, name, offset, n):
    """Return the rows of a log in any order, some dropped, doubled or of another question."""
    rows = [Answer(name(i), i, offset + i) for i in range(n)]
    if draw.random() < 0.5:
        rows = [row for row in rows if draw.random() < 0.8] or rows[:1]
    if draw.random() < 0.2:
        again = draw.choice(rows)
        rows.append(again._replace(id=draw.choice([again.id, as_number_if_digits(again.id)])))
    draw.shuffle(rows)
    return rows


def with_exchanged_ids(draw, rows):
    """Return the rows, two of them with each other's ids."""
    if len(rows) < 2:
        return rows
    i, j = draw.sample(range(len(rows)), 2)
    rows = list(rows)
    rows[i], rows[j] = rows[i]._replace(id=rows[j].id), rows[j]._replace(id=rows[i].id)
    return rows


def questions_by_key(writers, tables):
    """Return for each log a dictionary from key to question; None if a key occurs twice."""
    if writers[0] is long_csv or writers[1] is long_csv:  # it has no types
        tables = [
            [row._replace(id=str(row.id)) for row in rows] if writer is long_csv else rows
            for writer, rows in zip(writers, tables, strict=True)
        ]
        tables = [
            [row._replace(id=as_number_if_digits(row.id)) for row in rows]
            if writer is long_csv
            and all(isinstance(as_number_if_digits(row.id), int) for row in rows)
            else rows
            for writer, rows in zip(writers, tables, strict=True)
        ]
    kinds = {type(row.id) for rows in tables for row in rows}
    as_key = as_number_if_digits if len(kinds) > 1 else (lambda key: key)
    found = []
    for rows in tables:
        keys = [as_key(row.id) for row in rows]
        found.append(
            None
            if len(set(keys)) < len(keys)
            else {key: row.question for key, row in zip(keys, rows, strict=True)}
        )
    return found


def trial(seed, folder):
    """Return what became of one pair of logs: "aligned", "refused", or what is wrong."""
    draw = random.Random(seed)
    checked = draw.random() < 0.6
    writers = draw.choice(CHECKED if checked else UNCHECKED)
    name = draw.choice(IDS)
    other = draw.choice(IDS[:2]) if name in IDS[:2] else name
    n = draw.randint(1, 12)
    tables = [draw_rows(draw, name, FIRST, n), draw_rows(draw, other, FIRST + OFFSET, n)]
    if checked and draw.random() < 0.3:
        tables[1] = with_exchanged_ids(draw, tables[1])
    paths = [write(folder, m, rows) for write, m, rows in zip(writers, "ab", tables, strict=True)]
    first, second = questions_by_key(writers, tables)
    common = [] if first is None or second is None else [k for k in first if k in second]
    sound = bool(common) and all(first[key] == second[key] for key in common)
    try:
        runs = fc.read_evals(*paths, missing="drop")
    except fc.FastCompareError:
        return "refused" if not sound else "refused though sound"
    if not sound:
        return "not refused"
    scores = runs.scores[:, :, 0]
    if {*runs.items.tolist()} != {*common} or len(runs.items) != len(common):
        return "other items"
    want = np.array([FIRST + first[key] for key in runs.items.tolist()])
    fits = np.array_equal(scores[:, 0], want) and np.array_equal(scores[:, 1], want + OFFSET)
    return "aligned" if fits else "misaligned"


def trials(first, count):
    """Return how often each outcome came of some pairs, and the seeds of wrong ones."""
    outcomes, wrong = Counter(), []
    with tempfile.TemporaryDirectory(dir=memory_folder()) as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(first, first + count):
            outcome = trial(seed, Path(name))
            outcomes[outcome] += 1
            if outcome not in ("aligned", "refused"):
                wrong.append(seed)
    return outcomes, wrong


def memory_folder():
    """Return a folder in memory, None where the system has none."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def main():
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    part = 1000
    starts = range(0, given.pairs, part)
    outcomes, wrong = Counter(), []
    with ProcessPoolExecutor(given.jobs) as pool:
        counts = [min(part, given.pairs - start) for start in starts]
        for some, seeds in pool.map(trials, starts, counts):
            outcomes += some
            wrong += seeds
    print(f"{given.pairs} pairs: {dict(outcomes)}; seeds of wrong ones: {wrong[:20]}")


if __name__ == "__main__":
    main()
