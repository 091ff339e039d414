"""Logs of other questions, damaged logs and models without the metric are told, always."""

import json

import pytest

import fastcompare as fc
from tests.shared.evaluation_logs import DATE, LOGS, lines, lm_eval

ROWS = [(i, float(i % 3 == 0), f"hash {i}") for i in range(12)]
HASHES = ("doc_hash", "target_hash")


def without(path, *keys):
    """Rewrite a log without some keys of its rows."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return lines(path, [{k: v for k, v in row.items() if k not in keys} for row in rows])


def changed(path, **values):
    """Rewrite a log with other values in its third row."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    rows[2].update(values)
    return lines(path, rows)


@pytest.mark.parametrize("field", [{"target": "other"}, {"doc": {"q": "another question"}}])
@pytest.mark.parametrize("both", [False, True])
def test_questions_that_differ_are_an_error_without_hashes_too(tmp_path, field, both):
    a, b = (lm_eval(tmp_path / name, ROWS) for name in "ab")
    without(a, *HASHES)
    without(b, *HASHES)
    assert fc.read_evals(a, b).scores.shape == (12, 2, 1)
    changed(b, **field)
    with pytest.raises(ValueError, match=r"_hash' of item 2 \(1 in all\) differs"):
        fc.read_evals(a, b)


def test_hashes_that_one_log_lacks_are_those_of_the_harness(tmp_path):
    log = next(LOGS.glob("lm_eval/org__alpha/samples_sums_2*.jsonl"))
    bare = tmp_path / "b" / log.name
    bare.parent.mkdir()
    bare.write_text(log.read_text())
    without(bare, *HASHES)
    assert fc.read_evals(log, bare, metric="exact_match,strict-match").scores.shape[1] == 2
    changed(bare, target="-1")
    with pytest.raises(ValueError, match="'target_hash' of item 2"):
        fc.read_evals(log, bare, metric="exact_match,strict-match")


def test_every_eval_ever_compares_questions_where_hashes_are_missing(tmp_path):
    paths = []
    for name in "ab":
        rows = [
            {
                "evaluation_id": "e",
                "evaluation_name": "t",
                "model_id": name,
                "sample_id": i,
                "input": {"raw": f"What is {i}?", "reference": [str(i)]},
                "evaluation": {"score": i % 2},
            }
            for i in range(4)
        ]
        paths.append(lines(tmp_path / f"{name}_samples.jsonl", rows))
    assert fc.read_evals(*paths).scores.shape == (4, 2, 1)
    changed(paths[1], input={"raw": "What is 2?", "reference": ["3"]})
    with pytest.raises(ValueError, match="'reference' of item 2"):
        fc.read_evals(*paths)


def test_helm_compares_the_instances_beside_its_statistics(tmp_path):
    paths = []
    for name in "ab":
        folder = tmp_path / f"qa:model={name}"
        folder.mkdir()
        stats = [
            {
                "instance_id": f"id{i}",
                "stats": [{"name": {"name": "em", "split": "test"}, "count": 1, "mean": i % 2}],
            }
            for i in range(4)
        ]
        (folder / "per_instance_stats.json").write_text(json.dumps(stats))
        asked = [
            {"id": f"id{i}", "input": {"text": f"{name if i == 3 else ''}{i}?"}} for i in range(4)
        ]
        (folder / "instances.json").write_text(json.dumps(asked))
        paths.append(folder)
    with pytest.raises(ValueError, match="'input' of item 'id3'"):
        fc.read_evals(*paths)
    for path in paths:
        (path / "instances.json").unlink()
    assert fc.read_evals(*paths).models == ("a", "b")


@pytest.mark.parametrize("name", ["question", "target", "hash"])
def test_long_tables_compare_what_tells_questions_apart(tmp_path, name):
    table = f"model,item,score,{name}\na,1,1,x\na,2,0,y\nb,1,0,x\nb,2,1,{{}}\n"
    path = tmp_path / "t.csv"
    path.write_text(table.format("y"))
    assert fc.read_evals(path).models == ("a", "b")
    path.write_text(table.format("z"))
    with pytest.raises(ValueError, match=f"'{name}' of item 2"):
        fc.read_evals(path)


DAMAGED = {
    "cut": lambda raw: raw[:20] + b"\n",
    "a bad byte": lambda raw: raw[:3] + b"\xff" + raw[4:],
    "zeros": lambda raw: bytes(200),
    "UTF-16": lambda raw: raw.decode().encode("utf-16"),
    "nothing": lambda raw: b"",
}


@pytest.mark.parametrize("damage", DAMAGED)
@pytest.mark.parametrize("name", [f"samples_sums_{DATE}.jsonl", "answers.jsonl"])
def test_a_damaged_log_in_a_folder_is_an_error_with_its_name(tmp_path, damage, name):
    for model in "abc":
        lm_eval(tmp_path / model, ROWS)
    log = tmp_path / "b" / f"samples_sums_{DATE}.jsonl"
    raw = DAMAGED[damage](log.read_bytes())
    log.unlink()
    (tmp_path / "b" / name).write_bytes(raw)
    with pytest.raises(ValueError, match=name.replace(".", r"\.")):
        fc.read_evals(tmp_path)


@pytest.mark.parametrize("name", ["run.eval", "per_instance_stats.json", "details_t.parquet"])
def test_files_named_like_logs_are_logs_or_errors(tmp_path, name):
    for model in "ab":
        lm_eval(tmp_path / model, ROWS)
    (tmp_path / name).write_text('{"status": 1}')
    with pytest.raises(ValueError, match=name):
        fc.read_evals(tmp_path)


def test_what_was_skipped_in_a_folder_is_listed(tmp_path):
    for model in "ab":
        lm_eval(tmp_path / model, ROWS)
    (tmp_path / "notes.txt").write_text("two runs\n")
    (tmp_path / "settings.json").write_text('{"seed": 1}')
    runs = fc.read_evals(tmp_path)
    assert [path.rpartition("/")[2] for path in runs.metadata["skipped"]] == [
        "notes.txt",
        "settings.json",
    ]
    assert "settings.json' was skipped: its JSON is not a log of a known format." in runs.report()
    assert runs.to_dict()["metadata"]["skipped"] == runs.metadata["skipped"]


def test_a_model_without_the_metric_is_an_error_where_it_was_named_and_told_in_a_folder(tmp_path):
    for model in "abc":
        lm_eval(tmp_path / model, ROWS)
    log = tmp_path / "b" / f"samples_sums_{DATE}.jsonl"
    log.write_text(log.read_text().replace('"acc"', '"f1"'))
    with pytest.raises(
        ValueError, match=r"b' has no 'acc,none' of 'sums': it contains 'f1,none' of"
    ):
        fc.read_evals(*(tmp_path / m for m in "abc"), metric="acc")
    with pytest.warns(fc.EvalWarning, match="'b' has no 'acc,none'"):
        runs = fc.read_evals(tmp_path, metric="acc")
    assert runs.models == ("a", "c")
    assert runs.metadata["left_out"] == ("b",)
    assert runs.summary().endswith("Left out, without this metric: b.")


def openai_log(path, first, *rows):
    """Write events of openai/evals: the first line, two answers, further rows."""
    names = ("event_id", "sample_id", "type", "data")
    events = [(i, f"t.{i}", "match", {"correct": i == 1, "expected": "x"}) for i in (1, 2)]
    return lines(path, [*first, *(dict(zip(names, row, strict=True)) for row in events), *rows])


@pytest.mark.parametrize("spec", [[], [{"spec": 3}], [{"spec": {"completion_fns": [3]}}]])
def test_events_of_openai_evals_without_their_run_are_an_error_with_the_file(tmp_path, spec):
    openai_log(tmp_path / "a.jsonl", [{"spec": {"completion_fns": ["gpt"], "run_id": "r"}}])
    openai_log(tmp_path / "b.jsonl", spec)
    with pytest.raises(ValueError, match=r"b\.jsonl.*(spec|completion_fns)"):
        fc.read_evals(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    with pytest.raises(ValueError, match=r"b\.jsonl"):
        fc.read_evals(tmp_path)


def test_one_completion_function_may_stand_without_a_list(tmp_path):
    log = openai_log(tmp_path / "a.jsonl", [{"spec": {"completion_fns": "gpt", "run_id": "r"}}])
    assert fc.read_evals(log).models == ("gpt",)


def test_items_named_by_hundreds_of_digits_are_put_in_order(tmp_path):
    ids = ["q" + 500 * "7", "q10", "q02", "q7-"]
    path = lines(tmp_path / "a.jsonl", [{"model": "a", "item": i, "score": 1} for i in ids])
    assert fc.read_evals(path).items.tolist() == ["q02", "q7-", "q10", ids[0]]


def test_names_of_columns_that_are_no_text_are_a_damaged_file(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    docs = [{"id": str(i), "task_name": "t", "query": f"question {i}"} for i in range(3)]
    columns = {"doc": docs, "metric": [{"acc": 1.0}] * 3}
    path = tmp_path / "details_t.parquet"
    parquet.write_table(pa.table(columns), path, compression="none", use_dictionary=False)
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"question", b"quest\xffon"))
    with pytest.raises(ValueError, match=r"details_t\.parquet.*damaged"):
        fc.read_evals(path)
    path.write_bytes(raw.replace(b"query", b"que\xe7y"))
    with pytest.raises(ValueError, match=r"details_t\.parquet.*not a valid"):
        fc.read_evals(path)
