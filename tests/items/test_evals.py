"""Logs of harnesses give the tables that they must: real files, each with its expected content."""

import json
import pickle
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from tests.shared.evaluation_logs import (
    DATE,
    LOGS,
    expected,
    inspect_header,
    inspect_rows,
    lines,
    long_csv,
)

CLUSTERS = {"passage_mc": "passage", "sums": "group", "sums_rep": "group", "yesno": "topic"}


def read(harness, files, **options):
    return fc.read_evals(*(LOGS / harness / file for file in files), **options)


@pytest.mark.parametrize("case", expected("lm_eval")["aligned"], ids=lambda c: c["metric"])
def test_aligned_logs_of_lm_evaluation_harness_in_read_evals(case):
    task = case["files"][0].partition("samples_")[2].removesuffix(f"_{DATE}.jsonl")
    metric = f"{case['metric']},{case['filter']}"
    path = f"doc.{CLUSTERS[task]}"
    runs = read("lm_eval", case["files"], metric=metric, missing="keep", cluster=path)
    assert list(runs.models) == case["models"]
    assert runs.items.tolist() == case["items"]
    assert runs.groups.tolist() == case["cluster"]
    assert set(runs.tasks.tolist()) == {task}
    assert_array_equal(runs.scores[:, :, 0], np.array(case["scores_item_model"], float))
    assert runs.metadata["higher_is_better"] is True


def test_every_log_of_lm_evaluation_harness_gives_its_table_in_read_evals():
    known = expected("lm_eval")
    for file, about in known["files"].items():
        table = known["tables"][file]
        for filter in about["filters"]:
            for j, metric in enumerate(about["metrics"]):
                name = f"{metric},{filter}"
                if metric in about["not_scalar"]:
                    with pytest.raises(fc.InvalidTypeError, match="not a single number"):
                        read("lm_eval", [file], metric=name)
                    continue
                runs = read("lm_eval", [file], metric=name)
                rows = {row[0]: row[2][j] for row in table["rows"] if row[1] == filter}
                assert dict(zip(runs.items.tolist(), runs.scores[:, 0, 0], strict=True)) == rows
                assert runs.models == (about["model"],)
                assert_allclose(runs.means[0], about["means_in_results_json"][f"{metric},{filter}"])


@pytest.mark.parametrize("case", expected("lm_eval")["comparisons"], ids=lambda c: c["files"][1])
def test_questions_that_differ_are_an_error_unless_joined_by_hash_in_read_evals(case):
    options = {"metric": "acc", "missing": "keep"}
    if case["doc_hash_differs"]:
        items = ", ".join(map(str, case["doc_hash_differs"]))
        with pytest.raises(fc.InvalidValueError, match=f"'doc_hash' of items {items} "):
            read("lm_eval", case["files"], **options)
    else:
        runs = read("lm_eval", case["files"], **options)
        both = ~np.isnan(runs.scores[:, :, 0])
        assert both.all(axis=1).sum() == case["common"]
        assert (both[:, 0] & ~both[:, 1]).sum() == case["only_first"]
        told = [note for note in runs.metadata["notes"] if "prompts of" in note]
        differing = case["prompt_hash_differs"]
        assert [f"prompts of {differing} items" in note for note in told] == [True] * bool(
            differing
        )
    by_hash = read("lm_eval", case["files"], join="hash", **options)
    common = ~np.isnan(by_hash.scores).any(axis=(1, 2))
    assert common.sum() == case["common_by_doc_hash"]


@pytest.mark.parametrize("case", expected("inspect")["aligned"], ids=lambda c: c["files"][2])
def test_aligned_logs_of_inspect_in_read_evals(case):
    options = {"metric": case["scorer"], "cluster": "metadata.passage"}
    runs = read("inspect", case["files"], missing="keep", **options)
    scores = np.array(case["scores_item_model_sample"], float)
    assert list(runs.models) == case["models"]
    assert runs.items.tolist() == case["items"]
    assert runs.groups.tolist() == case["passage"]
    assert_array_equal(runs.scores, scores)
    assert_allclose(runs.means, case["mean_of_item_means"])
    counts = [run.n_missing for run in runs.metadata["runs"]]
    per_item = np.isnan(scores).all(axis=2).sum(axis=0)
    assert counts == per_item.tolist()
    assert (per_item * case["samples"]).tolist() == case["missing_per_model"]
    if any(counts):
        with pytest.raises(fc.InvalidValueError, match="misses"):
            read("inspect", case["files"], **options)
        with pytest.warns(fc.DroppedCasesWarning):
            dropped = read("inspect", case["files"], missing="drop", **options)
        whole = ~np.isnan(scores).all(axis=2).any(axis=1)
        assert_array_equal(dropped.scores, scores[whole])
        assert dropped.metadata["n_dropped"] == (~whole).sum()
        zero = read("inspect", case["files"], missing="zero", **options)
        assert_array_equal(zero.scores, np.nan_to_num(scores))


def test_every_log_of_inspect_gives_its_table_in_read_evals():
    known = expected("inspect")
    for file, about in known["files"].items():
        if about.get("readable") is False:
            with pytest.raises(fc.InvalidValueError, match="damaged or was not written to its end"):
                read("inspect", [file])
            continue
        table = known["tables"][file]
        for j, scorer in enumerate(table["scorers"]):
            values = {(row[0], row[1]): row[3][j] for row in table["rows"]}
            first = next(iter(values.values()))
            for part in first if isinstance(first, dict) else [None]:
                name = f"{scorer}.{part}" if part else scorer
                runs = read("inspect", [file], metric=name, missing="keep")
                for (item, sample), value in values.items():
                    row = runs.items.tolist().index(item)
                    want = value[part] if part else value
                    got = runs.scores[row, 0, min(sample, runs.scores.shape[2]) - 1]
                    assert got == want or (want is None and np.isnan(got))
                (run,) = runs.metadata["runs"]
                states = [row[2] for row in table["rows"]]
                told = (run.n_errors, run.n_unscored, run.n_limited)
                assert told == tuple(map(states.count, ("error", "unscored", "limit")))
                assert run.status == about["status"]
                assert len(runs.items) == (
                    len(about["item_ids"] or {row[0] for row in table["rows"]})
                )
                results = about["harness_results"].get(part or scorer)
                if results:
                    mean = results.get("accuracy", results.get("mean"))
                    assert_allclose(np.nanmean(runs.means), mean)


def test_unfinished_runs_are_named_in_read_evals():
    files = ["reading_alpha.eval", "reading_zeta_failed.eval"]
    with pytest.raises(fc.InvalidValueError, match=r"misses 18 of 30 .* 2 errors, its status is"):
        read("inspect", files)
    report = read("inspect", files, missing="keep").report()
    assert "'mockllm/zeta' did not finish: its status is 'error'" in report


def test_statistics_of_helm_are_those_of_unperturbed_instances_in_read_evals():
    known = expected("helm")
    case = known["aligned"] if isinstance(known["aligned"], dict) else known["aligned"][0]
    runs = fc.read_evals(LOGS / "helm", metric=case["metric"], missing="keep")
    assert list(runs.models) == case["models"]
    assert runs.items.tolist() == case["items"]
    assert_array_equal(runs.scores, np.array(case["scores_item_model_sample"], float))
    names = ("exact_match", "f1_score", "logprob")
    for folder, about in known["files"].items():
        for j, metric in enumerate(names):
            runs = read(
                "helm", [f"{folder}/per_instance_stats.json"], metric=metric, missing="keep"
            )
            plain = {row[0]: row[3 + j] for row in about["table"] if row[2] is None}
            got = [None if np.isnan(score) else score for score in runs.scores[:, 0, 0]]
            assert dict(zip(runs.items.tolist(), got, strict=True)) == plain


def test_samples_of_every_eval_ever_in_read_evals():
    for file, about in expected("every_eval_ever")["files"].items():
        for task in about["evaluation_name"]:
            rows = [row for row in about["table"] if row[1] == task]
            suspect = about["all_scores_zero"] or 4 in about["rows_per_sample_id"]
            if suspect:
                with pytest.warns(fc.EvalWarning):
                    runs = read("every_eval_ever", [file], task=task)
            else:
                runs = read("every_eval_ever", [file], task=task)
            assert list(runs.models) == about["model_id"]
            place = {item: i for i, item in enumerate(runs.items.tolist())}
            assert {*place} == {row[0] for row in rows}
            assert all(row[2] in runs.scores[place[row[0]], 0] for row in rows)


def test_lm_evaluation_harness_and_every_eval_ever_of_one_run_agree_in_read_evals():
    names = ["first", "vote"]
    for name in names:
        own = fc.read_evals(
            *LOGS.glob(f"lm_eval/*/samples_sums_rep_{DATE[:11]}*"), metric=f"exact_match,{name}"
        )
        other = fc.read_evals(LOGS / "every_eval_ever/sums_rep", task=f"sums_rep/{name}")
        assert_array_equal(own.scores[:, np.argsort(own.models)], other.scores)
        assert list(map(str, own.items)) == other.items.tolist()


def test_two_tasks_or_metrics_are_never_pooled_unless_named_in_read_evals():
    with pytest.raises(fc.InvalidValueError, match=r"`task` must be named.*'passage_mc' .5 models"):
        fc.read_evals(LOGS / "lm_eval")
    with pytest.raises(fc.InvalidValueError, match=r"`metric` must be named.*'acc_norm,none'"):
        fc.read_evals(LOGS / "lm_eval", task="passage_mc")
    with pytest.raises(fc.InvalidValueError, match="with 2 filters"):
        fc.read_evals(LOGS / "lm_eval", task="sums", metric="exact_match")
    with pytest.raises(fc.InvalidValueError, match=r"`task` .* Did you mean 'sums'"):
        fc.read_evals(LOGS / "lm_eval", task="sum")
    both = fc.read_evals(
        LOGS / "every_eval_ever/sums_rep", task=["sums_rep/first", "sums_rep/vote"]
    )
    assert both.scores.shape == (20, 2, 1)
    assert both.tasks.tolist() == ["sums_rep/first"] * 10 + ["sums_rep/vote"] * 10
    assert both.items[0] == "sums_rep/first:0"


def test_long_tables_of_all_kinds_are_the_same_table_in_read_evals(tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [("x", i, i % 2, "ab"[i // 2 % 2], i + 1.0) for i in range(6)]
    rows += [("y", i, 1, "ab"[i // 2 % 2], i + 1.0) for i in (5, 3, 1, 0, 2, 4)]
    head = "model,item,score,group,weight"
    records = [dict(zip(head.split(","), row, strict=True)) for row in rows]
    columns = {name: [row[name] for row in records] for name in head.split(",")}
    parquet.write_table(pa.table(columns), tmp_path / "c.data")
    paths = [long_csv(tmp_path / "a.txt", rows, head), lines(tmp_path / "b.log", records)]
    (tmp_path / "d.gz").write_bytes(pa.compress(paths[1].read_bytes(), "gzip", asbytes=True))
    tables = [fc.read_evals(p) for p in (*paths, tmp_path / "c.data", tmp_path / "d.gz")]
    for one, other in pairwise(tables):
        assert_array_equal(one.scores, other.scores)
        assert one.items.tolist() == other.items.tolist() == [*range(6)]
        assert one.groups.tolist() == other.groups.tolist() == [*"aabbaa"]
        assert one.weights.tolist() == other.weights.tolist() == [1, 2, 3, 4, 5, 6]
        assert one.models == other.models == ("x", "y")


def test_details_of_lighteval_in_read_evals(tmp_path, monkeypatch):
    monkeypatch.setattr("fastcompare._adapters.evals.sources.ROWS", 2)
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    for model, (doc, metric) in {
        "org/a": ("doc", "metric"),
        "org/b": ("__doc__", "__metric__"),
    }.items():
        folder = tmp_path / "details" / model / "2026-11-22T10-00-00"
        folder.mkdir(parents=True)
        docs = [
            {"id": str(i), "query": f"q{i}", "task_name": "arc", "specific": {"p": i % 2}}
            for i in (2, 0, 1)
        ]
        scores = [{"acc": float(i), "f1": [1, 0]} for i in (2, 0, 1)]
        columns = {doc: docs, metric: scores, "model_response": [{"text": ["long"]}] * 3}
        path = folder / "details_arc_2026-11-22T10-00-00.parquet"
        parquet.write_table(pa.table(columns), path, row_group_size=2)
    by_doc = fc.read_evals(tmp_path, metric="acc", cluster="doc.specific.p")
    runs = fc.read_evals(tmp_path, metric="acc", cluster="metadata.p")
    assert runs.groups.tolist() == by_doc.groups.tolist()
    assert runs.models == ("org/a", "org/b")
    assert runs.items.tolist() == ["0", "1", "2"]
    assert runs.scores[:, 0, 0].tolist() == [0, 1, 2]
    assert runs.groups.tolist() == [0, 1, 0]
    with pytest.raises(fc.InvalidTypeError, match="not a single number"):
        fc.read_evals(tmp_path, metric="f1")


def test_event_logs_of_openai_evals_in_read_evals(tmp_path):
    spec = {"completion_fns": ["gpt-x"], "eval_name": "arith.dev.v0", "run_id": "r1"}
    events = [
        {"run_id": "r1", "event_id": e, "sample_id": f"arith.dev.{i}", "type": kind, "data": data}
        for e, (i, kind, data) in enumerate(
            [
                (1, "sampling", {"prompt": "1+1", "sampled": "2"}),
                (1, "match", {"correct": True, "expected": "2"}),
                (0, "match", {"correct": False, "expected": "0"}),
                (2, "error", {"type": "Timeout"}),
            ]
        )
    ]
    path = lines(
        tmp_path / "x.jsonl", [{"spec": spec}, *events, {"final_report": {"accuracy": 0.5}}]
    )
    runs = fc.read_evals(path, missing="keep")
    assert runs.models == ("gpt-x",)
    assert runs.items.tolist() == ["arith.dev.0", "arith.dev.1", "arith.dev.2"]
    assert_array_equal(runs.scores[:, 0, 0], [0, 1, np.nan])
    assert runs.metadata["runs"][0].n_errors == 1
    assert runs.metadata["runs"][0].status == "success"
    lines(path, [{"spec": spec}, *events])
    assert "did not finish" in fc.read_evals(path, missing="keep").report()


def test_runs_are_records_that_print_and_travel_in_read_evals(tmp_path):
    document = inspect_header("m") | {"samples": inspect_rows([(1, 1, "C", {}), (2, 1, "I", {})])}
    path = tmp_path / "one.json"
    path.write_text(json.dumps(document, indent=1))
    runs = fc.read_evals(path)
    assert runs.summary() == "1 models, 2 items of reading, metric graded. No score was missing."
    copied = pickle.loads(pickle.dumps(runs))
    assert copied.to_dict() == runs.to_dict()
    assert runs.to_dict()["scores"] == [[[1.0]], [[0.0]]]
    assert "graded" in str(runs)
