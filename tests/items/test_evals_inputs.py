"""What logs must not do: mislead, exhaust memory, or run."""

import json
import os
import struct
import zipfile

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.evaluation_logs import (
    LOGS,
    inspect_header,
    inspect_rows,
    inspect_zip,
    lines,
    lm_eval,
    long_csv,
)


def refused(*paths, match, **options):
    with pytest.raises(fc.FastCompareError, match=match):
        fc.read_evals(*paths, **options)


def write(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_ids_that_are_numbers_here_and_text_there_are_matched_by_value_and_said(tmp_path):
    one = inspect_zip(tmp_path / "a.eval", "a", [(i, 1, "CI"[i % 2], {}) for i in (1, 2, 10)])
    other = inspect_zip(tmp_path / "b.eval", "b", [(str(i), 1, "C", {}) for i in (10, 1, 2)])
    runs = fc.read_evals(one, other)
    assert runs.items.tolist() == [1, 2, 10]
    assert runs.scores[:, :, 0].tolist() == [[0, 1], [1, 1], [1, 1]]
    assert "matched by value" in runs.report()
    other = inspect_zip(tmp_path / "b.eval", "b", [(f"0{i}", 1, "C", {}) for i in (1, 2, 10)])
    refused(one, other, match="misses 3 of 6")


def test_answers_to_one_item_twice_are_an_error_in_read_evals(tmp_path):
    path = lm_eval(tmp_path / "m", [(0, 1.0, "h0"), (1, 0.0, "h1"), (0, 0.0, "h0"), (1, 0.0, "h1")])
    refused(
        path,
        match="2 answers of 'm' are duplicates, with the item and sample of another: items 0, 1",
    )
    path = inspect_zip(
        tmp_path / "a.eval", "a", [(1, 1, "C", {}), (1, 2, "I", {}), (1, 2, "C", {})]
    )
    refused(path, match="item 1")


def test_two_runs_of_a_model_are_told_apart_by_their_files_or_refused_in_read_evals(tmp_path):
    rows = [(0, 1.0, "h0"), (1, 0.0, "h1")]
    for name in ("x", "y"):
        lm_eval(tmp_path / name, rows, model_name="org/m")
    runs = fc.read_evals(tmp_path / "x", tmp_path / "y")
    assert runs.models == ("org/m (x)", "org/m (y)")
    refused(tmp_path, match="both runs of 'org/m'")
    refused(tmp_path / "x", tmp_path / "x", match="given twice")


@pytest.mark.parametrize("field", ["input", "target"])
def test_other_questions_or_targets_under_one_id_are_an_error_in_read_evals(tmp_path, field):
    rows = inspect_rows([(i, 1, "C", {}) for i in range(9)])
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(json.dumps(inspect_header(name) | {"samples": rows}))
        for row in rows[2:6]:
            row[field] = "another"
    paths = [tmp_path / "a.json", tmp_path / "b.json"]
    refused(*paths, match=rf"'{field}' of items 2, 3, 4 \(4 in all\) differs")


def test_clusters_are_one_for_an_item_and_never_missing_in_read_evals(tmp_path):
    rows = [(i, 1, "C", {"passage": i % 2} if i else {}) for i in range(4)]
    a = inspect_zip(tmp_path / "a.eval", "a", rows)
    refused(a, cluster="metadata.passage", match="is not in the logs for item 0")
    refused(a, cluster="metadata..x", match="dotted path")
    a = inspect_zip(tmp_path / "a.eval", "a", [(i, 1, "C", {"passage": i % 2}) for i in range(4)])
    b = inspect_zip(
        tmp_path / "b.eval", "b", [(i, 1, "C", {"passage": str(i % 2)}) for i in range(4)]
    )
    assert fc.read_evals(a, b, cluster="metadata.passage").groups.tolist() == [0, 1, 0, 1]
    b = inspect_zip(tmp_path / "b.eval", "b", [(i, 1, "C", {"passage": "x"}) for i in range(4)])
    refused(a, b, cluster="metadata.passage", match="must be the same for an item")
    rows = [(1, epoch, "CI"[epoch - 1], {"passage": epoch}) for epoch in (1, 2)]
    a = inspect_zip(tmp_path / "a.eval", "a", rows)
    refused(a, cluster="metadata.passage", match="must be the same for an item")
    refused(LOGS / "helm", cluster="x", match="lack metadata")


SCORES = {
    "list": ([1, 0], "not a single number"),
    "word": ("good", "must be a number, got 'good'"),
    "infinite": (float("inf"), "must be finite"),
    "huge": (10**400, "must be finite"),
}


@pytest.mark.parametrize(("value", "message"), SCORES.values(), ids=SCORES)
def test_scores_that_are_no_finite_number_are_an_error_in_read_evals(tmp_path, value, message):
    refused(lines(tmp_path / "a.jsonl", [{"item": 1, "score": value}]), match=message)


def test_grades_and_unscored_answers_in_read_evals(tmp_path):
    values = ["C", "I", "P", "N", "yes", "0.25", True, 3, float("nan"), None]
    path = inspect_zip(tmp_path / "a.eval", "a", [(i, 1, v, {}) for i, v in enumerate(values)])
    runs = fc.read_evals(path, missing="keep")
    want = [1, 0, 0.5, 0, 1, 0.25, 1, 3, np.nan, np.nan]
    np.testing.assert_array_equal(runs.scores[:, 0, 0], want)
    assert runs.metadata["runs"][0].n_unscored == 2


TEXTS = {
    "empty": ("", "is empty"),
    "words": ("hello there", "not a log of a known format"),
    "other columns": ("a,b\n1,2\n", "no 'item' but 'a', 'b'"),
    "other JSON": ('{"a": 1}', "not a log of a known format"),
    "solved ids": ('{"resolved_ids": ["a"]}', "failed or were not run"),
    "broken": ('{"item": 1, "score": 1}\n{"item": 2, "sco', "line 2 .*Was the run stopped"),
    "two values": ('{"item": 1, "score": 1}\n{"item": 2, "score": 1} {}\n', "line 2 must be one"),
    "a byte more": ('{"item": 1, "score": 1}\n{"item": 2, "score": 1},', "line 2 must be one"),
    "no object": ('{"item": 1, "score": 1}\n[2]\n', "line 2 must be one JSON object"),
    "no score": ('{"item": 1, "score": 1}\n{"item": 2}\n', "misses 1 of 2"),
    "same key": ('{"item": 1, "score": 1}\n{"item": 2, "item": 3, "score": 1}\n', "'item' twice"),
    "deep": ('{"item": 1, "score": ' + "[" * 10**6 + "\n{}", "nested too deeply|no log"),
    "deeper row": ('{"item": 1, "score": 1}\n{"item": ' + "[" * 10**6 + "\n", "nested too deeply"),
    "deep document": ("[" * 10**6, "nested too deeply"),
    "long number": (
        '{"item": 1, "score": 1}\n{"item": 2, "score": 1' + "0" * 5000 + "}\n",
        "line 2",
    ),
    "bytes": (b'{"item": 1, "score": 1}\n{"item": "\xff", "score": 1}\n', "line 2: byte 0xff"),
    "no id": ('{"item": null, "score": 1}\n', "row 1 has no 'item'"),
    "bool id": ('{"item": true, "score": 1}\n', "id of row 1"),
    "blank id": ('{"item": "", "score": 1}\n', "id of row 1"),
    "score of a text": ("item,score\na,x\n", "'score' must contain plain decimal numbers"),
    "filter in a list": ('{"doc_id": 1, "metrics": ["a"], "filter": ["x"]}\n', "row 1: 'filter'"),
    "model in an object": ('{"item": 1, "score": 1, "model": {}}\n', "row 1: 'model' must be"),
    "sample in a list": ('{"item": 1, "score": 1, "sample": [1]}\n', "the sample of row 1 must"),
    "trial in a list": (
        '[{"instance_id": 1, "train_trial_index": [1], "stats": []}]',
        "row 1: 'tr",
    ),
    "metrics of a number": (
        '{"doc_id": 1, "metrics": ["a"]}\n{"doc_id": 2, "metrics": 5}\n',
        "'metrics' must be a list of names, got 5",
    ),
    "weight of a text": ('{"item": 1, "score": 1, "weight": "x"}\n', "weight of item 1 must be a"),
    "weight in a list": ('{"item": 1, "score": 1, "weight": [1]}\n', "weight of item 1 must be a"),
    "pickle": (b"\x80\x04\x95\x10", "not a log of a known format"),
}


@pytest.mark.parametrize(("text", "message"), TEXTS.values(), ids=TEXTS)
def test_files_that_cannot_be_trusted_are_refused_in_read_evals(tmp_path, text, message):
    refused(write(tmp_path / "log", text), match=message)


def test_a_mark_and_other_ends_of_lines_change_nothing_in_read_evals(tmp_path):
    rows = b'\xef\xbb\xbf{"item": 1, "score": 1}\r\n\r\n  {"item": 2, "score": 0}\r\n'
    runs = fc.read_evals(write(tmp_path / "a.jsonl", rows))
    assert runs.scores[:, 0, 0].tolist() == [1, 0]


def zipped(path, members, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_zip_files_that_cannot_be_trusted_are_refused_in_read_evals(tmp_path):
    head = json.dumps(inspect_header("a"))
    rows = json.dumps(inspect_rows([(1, 1, "C", {})]))
    path = tmp_path / "a.eval"
    whole = {"header.json": head, "summaries.json": rows}
    refused(zipped(path, {"x": "1"}), match="no header.json")
    refused(zipped(path, {**whole, "../../etc/x": "1"}), match="unsafe name")
    refused(zipped(path, {**whole, "/etc/x": "1"}), match="unsafe name")
    bomb = "[" + " " * (1 << 25) + "]"
    refused(zipped(path, {**whole, "summaries.json": bomb}), match="which is implausible")
    refused(zipped(path, {**whole, "summaries.json": "{}"}), match="must be a list")
    refused(zipped(path, {**whole, "header.json": "[]"}), match="'header.json' must be an object")
    twice = rows.replace('"epoch": 1', '"epoch": 1, "epoch": 2')
    refused(zipped(path, {**whole, "summaries.json": twice}), match="'epoch' twice")
    refused(zipped(path, whole, zipfile.ZIP_LZMA), match="unknown compression 14")
    raw = bytearray(zipped(path, whole, zipfile.ZIP_STORED).read_bytes())
    at = raw.index(b'"epoch": 1')
    raw[at + 9 : at + 10] = b"7"
    refused(write(path, bytes(raw)), match="not what the zip file declares")
    raw = bytearray(zipped(path, whole).read_bytes())
    entry = raw.rindex(b"PK\x01\x02")
    raw[entry + 24 : entry + 28] = struct.pack("<I", 1 << 31)  # the size that it declares
    refused(write(path, bytes(raw)), match="is not read|declares")


def test_what_unpacks_to_too_much_is_refused_in_read_evals(tmp_path, monkeypatch):
    pa = pytest.importorskip("pyarrow")
    from fastcompare._adapters.evals import sources
    from fastcompare._adapters.evals import sources as documents

    row = b'{"item": 1, "score": 1}\n'
    path = write(tmp_path / "a.gz", pa.compress(row * 4, "gzip", asbytes=True))
    monkeypatch.setattr(sources, "UNPACKED_LIMIT", 50)
    refused(path, match="unpacks to more than 50 bytes.* set FASTCOMPARE_MOST_UNPACKED")
    monkeypatch.setattr(documents, "LINE_LIMIT", 50)
    refused(write(tmp_path / "b", row + b'{"item": "' + b"x" * 99 + b'"}'), match="longer than 50")
    monkeypatch.setattr(documents, "BLOCK", 16)
    long = row + b'{"item": "' + b"\xc3\xa9" * 99 + b'"}\n'  # cut within a letter or after one
    refused(write(tmp_path / "b", long), match="line 2 is longer than 50 bytes")
    refused(write(tmp_path / "b", long.replace(b'm": "', b'm": " ')), match="line 2 is longer")
    monkeypatch.setattr(documents, "DOCUMENT_LIMIT", 50)
    refused(write(tmp_path / "c", b"[\n" + b" " * 99 + b"]"), match="more than 50")


def test_paths_that_are_no_logs_in_read_evals(tmp_path):
    (tmp_path / "notes.md").write_text("# notes")
    (tmp_path / "config.json").write_text("{}")
    refused(tmp_path, match="contains no log")
    refused(match="at least one")
    refused(7, match="must be paths")
    with pytest.raises(FileNotFoundError):
        fc.read_evals(tmp_path / "missing")
    os.mkfifo(tmp_path / "pipe")
    refused(tmp_path / "pipe", match="not a regular file")
    long_csv(tmp_path / "a.csv", [("m", 1, 0.5)])
    assert fc.read_evals(tmp_path).models == ("m",)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("missing", "omit", "`missing` must be one of"),
        ("join", "position", "`join` must be one of"),
        ("task", 7, "`task` must be a name"),
        ("metric", "acc", "`metric` must be one of 'score'"),
        ("cluster", 7, "`cluster` must be a dotted path"),
        ("join", "hash", "no hash of the question"),
    ],
)
def test_options_are_checked_in_read_evals(tmp_path, option, value, message):
    path = long_csv(tmp_path / "a.csv", [("m", 1, 0.5)])
    refused(path, match=message, **{option: value})


def test_no_item_in_common_is_an_error_in_read_evals(tmp_path):
    path = long_csv(tmp_path / "a.csv", [("m", 1, 0.5), ("k", 2, 0.5)])
    refused(path, missing="drop", match="no item has a score of every model")


def test_samples_that_another_model_has_not_are_no_gaps_in_read_evals(tmp_path):
    rows = [("m", 1, s, s - 1) for s in (1, 2)] + [("k", 1, 1, 0)]
    path = long_csv(tmp_path / "a.csv", rows, "model,item,sample,score")
    runs = fc.read_evals(path)
    assert np.isnan(runs.scores).tolist() == [[[False, False], [False, True]]]
    np.testing.assert_array_equal(fc.read_evals(path, missing="zero").scores, runs.scores)


def test_a_model_without_any_score_gets_zeros_for_all_samples_in_read_evals(tmp_path):
    a, b = (
        inspect_zip(tmp_path / f"{name}.eval", name, [(1, i, x, {}) for i, x in enumerate(values)])
        for name, values in (("a", "CI"), ("b", (None, None)))
    )
    assert fc.read_evals(a, b, missing="zero").scores.tolist() == [[[1, 0], [0, 0]]]
