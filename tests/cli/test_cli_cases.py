"""`fastcompare compare` of cases: labels, scores and probabilities, and what files leave open."""

import csv
import io
import json
import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

import fastcompare as fc
from tests.shared.commandline import LABELLED, TOY, as_json, failure, ok, run, warned

DATA = fc.load_predictions()
NAMES = list(DATA.scores)
HEAD, *LINES = TOY.splitlines()
NAMED = ("--label", "y")
RANKED = "y,a,b,c\n" + "".join(
    f"{i % 2},{0.1 + 0.004 * (i * 37 % 200)},{0.9 - 0.004 * (i * 53 % 200)},{i % 7 / 7}\n"
    for i in range(40)
)
KINDS = [(), ("--threshold", "0.5"), ("--kind", "probabilities")]


@pytest.fixture
def file(tmp_path):
    """A function that writes a text and returns its path."""

    def written(text=TOY, name="toy.csv"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


def changed(text, name, change):
    """Return the text with a column whose fields are changed by row, from 0."""
    frame = pd.read_csv(io.StringIO(text))
    frame[name] = [change(j, x) for j, x in enumerate(frame[name])]
    return frame.to_csv(index=False)


def test_json_of_pairs_is_what_the_library_returns():
    found, want = as_json("compare"), fc.delong_pairwise_test(DATA.y_true, DATA.scores)
    for field in ("estimate", "standard_error", "statistic", "pvalue", "adjusted_pvalue", "auc"):
        assert_array_equal(found["result"][field], getattr(want, field), err_msg=field)
    assert [tuple(pair) for pair in found["result"]["pairs"]] == list(want.pairs)
    assert (found["result"]["n_positive"], found["result"]["n_negative"]) == (149, 250)
    ends = np.transpose(want.confidence_interval(simultaneous=True)).tolist()
    known = dict(zip(want.pairs, ends, strict=True))
    for pair in found["pairs"]:
        assert [pair["low"], pair["high"]] == known[pair["model_a"], pair["model_b"]]


def test_text_has_every_model_with_its_interval_and_the_sentence():
    text, want = ok("compare"), fc.delong_pairwise_test(DATA.y_true, DATA.scores)
    for name, auc, low in zip(want.names, want.auc, want.auc_interval().low, strict=True):
        assert re.search(rf"^{name} +{auc:.4f} .* {low:.4f} to", text, re.MULTILINE)
    assert "* significant at the 5% level (Shaffer-adjusted)" in text
    assert " ".join(want.summary().split()) in " ".join(text.split())
    assert text.isascii()
    levels = ok("compare", "--confidence-level", "0.9", "--correction", "by")
    assert "simultaneous 90% CI" in levels
    assert "(BY-adjusted)" in levels
    assert f"{want.auc_interval(0.9).low[0]:.4f} to" in levels


def test_csv_is_one_tidy_table():
    rows = list(csv.DictReader(io.StringIO(ok("compare", "--format", "csv"))))
    want = fc.delong_pairwise_test(DATA.y_true, DATA.scores)
    assert [(row["first"], row["second"]) for row in rows] == list(want.pairs)
    assert_array_equal([float(row["pvalue"]) for row in rows], want.pvalue)
    aucs = dict(zip(want.names, want.auc, strict=True))
    assert all(float(row["auc_first"]) == aucs[row["first"]] for row in rows)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("form", "mark", "least"),
    [("markdown", "| naive_bayes |", 5), ("latex", r"naive\_bayes", 2)],
)
def test_documents_have_all_tables_and_the_sentence(kind, form, mark, least):
    text = ok("compare", *kind, "--format", form)
    assert text.count(mark) >= least  # once as a model, four times in a pair if none is joined
    assert "significant at the 5" in text


def test_probabilities_of_several_models_are_those_of_the_library():
    found = as_json("compare", "--rule", "log", "--clip", "0.01", "--correction", "none")
    want = fc.scoring_pairwise_test(
        DATA.y_true, DATA.scores, rule="log", clip=0.01, correction="none"
    )
    assert_array_equal(found["result"]["pvalue"], want.pvalue)
    assert found["values"]["random_forest"] == pytest.approx(
        fc.log_loss(DATA.y_true, DATA.scores["random_forest"], clip=0.01)
    )
    infinite = run("compare", "--rule", "log", "--format", "json")
    assert re.fullmatch(r"fastcompare: warning: infinite_loss: [^\n]+\n", infinite.stderr)
    assert "--clip" in infinite.stderr
    values = json.loads(infinite.stdout)["values"]
    assert [name for name in NAMES if values[name] is None] == NAMES[1:]


def test_a_threshold_is_reached_by_equal_scores(file):
    found = as_json("compare", file(), *NAMED, "--threshold", "0.6")
    y, a, b, c = np.loadtxt(io.StringIO(TOY), delimiter=",", skiprows=1).T
    assert 0.6 in a
    right = {
        name: ((s >= 0.6) == (y == 1)).mean() for name, s in zip("abc", (a, b, c), strict=True)
    }
    assert found["values"] == pytest.approx(right)
    assert "(as specified)" in found["decisions"][2]


def test_columns_can_be_chosen_in_any_order(file):
    found = as_json("compare", file(), *NAMED, "--model", "c", "--model", "a")
    assert found["names"] == ["c", "a"]
    assert [pair["model_a"] for pair in found["pairs"]] == ["c"]
    labels = as_json("compare", file(LABELLED), *NAMED, "--model", "b", "--model", "a")
    assert labels["values"] == {"b": 3 / 6, "a": pytest.approx(5 / 6)}
    assert as_json("compare", file(LABELLED), *NAMED)["names"] == ["a", "b", "note"]


LABELS = {
    "words": (("no", "yes"), "yes"),
    "numbers": (("1", "2"), "2"),
    "decimals": (("0.5", "1.5"), "1.5"),
    "truth values": (("False", "True"), "true"),
}


@pytest.mark.parametrize(("labels", "positive"), LABELS.values(), ids=LABELS)
@pytest.mark.parametrize("kind", KINDS)
def test_positive_labels_of_any_kind(file, labels, positive, kind):
    want = ok("compare", file(), *NAMED, *kind, "--format", "csv")
    text = "\n".join([HEAD, *(labels[int(line[0])] + line[1:] for line in LINES)])
    options = (*NAMED, "--pos-label", positive, *kind, "--format", "csv")
    assert ok("compare", file(text), *options) == want


def test_standard_input_is_read_in_any_encoding(file):
    want = as_json("compare", file(), *NAMED)["result"]
    tabbed = TOY.replace(",", "\t").encode("utf-16")
    options = (*NAMED, "--format", "json", "--sep", "tab", "--encoding", "utf-16")
    for given, more in ((TOY, options[:4]), (tabbed, options)):
        assert json.loads(ok("compare", "-", *more, input=given))["result"] == want


@pytest.mark.parametrize("kind", KINDS)
def test_missing_values_are_refused_by_line_or_left_out(file, kind):
    whole = as_json("compare", file("\n".join([HEAD, *LINES[:9], *LINES[10:]])), *NAMED, *kind)
    for hole in (TOY.replace("0.99", "NA"), TOY.replace("1,0.99", ",0.99")):
        message = failure("compare", file(hole), *NAMED, *kind)
        assert re.search("missing .*, the first in line 1[12]. .* --nan-policy omit", message)
        done = run("compare", file(hole), *NAMED, *kind, "--nan-policy", "omit", "--format", "json")
        found = json.loads(done.stdout)
        assert (found["n_dropped"], found["values"]) == (1, whole["values"])
        assert warned(done).startswith("fastcompare: warning: 1 of 13 cases dropped")


@pytest.mark.parametrize("word", ["", "NA"])
def test_a_missing_label_is_no_class(file, word):
    path = file(LABELLED.replace("cow,cow,cow,cat", f"{word},cow,cow,cat"))
    assert "--nan-policy omit" in failure("compare", path, *NAMED)
    assert as_json("compare", path, *NAMED, "--nan-policy", "omit")["n_dropped"] == 1
    words = np.tile(["no", "yes"], 12).astype(object)
    words[:3] = word
    scores = pd.DataFrame({"label": words, "a": np.arange(24) % 7 / 7, "b": np.arange(24) % 5 / 5})
    path = file(scores.to_csv(index=False))
    asked = ("--label", "label", "--pos-label", "yes")
    assert as_json("compare", path, *asked, "--nan-policy", "omit")["n_dropped"] == 3
    assert "3 missing values (NaN), the first in line 2" in failure("compare", path, *asked)


@pytest.mark.parametrize("text", ["1,1,2\n1,2,1\n1,3,3\n", "1,.5,.4\n1,.2,.1\n1,.3,.35\n"])
def test_one_class_is_undefined_in_a_warning_and_null_in_json(file, text):
    done = run("compare", file(f"y,a,b\n{text}"), *NAMED, "--format", "json")
    assert done.exit_code == 0
    result = json.loads(done.stdout)["result"]
    assert (result["status"], result["pvalue"], result["estimate"]) == ("one_class", None, None)
    assert done.stderr.startswith("fastcompare: warning: one_class")
    shown = run("compare", file(f"y,a,b\n{text}"), *NAMED).stdout
    assert re.search(r"^difference +n/a .* n/a", shown, re.MULTILINE)


STATUSES = {
    "no_difference": "1,0.5,0.5\n0,0.2,0.2\n1,0.9,0.9\n",
    "one_case": "1,0.5,0.4\n",
}


@pytest.mark.parametrize(("status", "text"), STATUSES.items())
def test_losses_that_cannot_be_compared_have_a_status(file, status, text):
    path = file(f"y,a,b\n{text}")
    found = json.loads(
        run("compare", path, *NAMED, "--kind", "probabilities", "--format", "json").stdout
    )
    assert found["result"]["status"] == status


def test_the_design_and_its_warning_are_those_of_clusters(file):
    text = "\n".join([f"{HEAD},who", *(f"{line},{j // 2}" for j, line in enumerate(LINES))])
    done = run("compare", file(text), *NAMED, "--groups", "who")
    assert "in clusters" in done.stdout
    assert "few_clusters" in done.stderr


def test_codes_for_missing_values_are_noted_whatever_is_compared(file):
    for kind in KINDS[:2]:
        coded = file(changed(RANKED, "a", lambda j, x: -1 if j in (3, 9) else x))
        shown = " ".join(as_json("compare", coded, *NAMED, *kind)["checks"])
        assert "'a' is -1 in 2 rows, otherwise from 0.1" in shown
        plain = as_json("compare", file(RANKED), *NAMED, *kind)
        assert "code for missing" not in " ".join(plain["checks"])


def test_aucs_below_one_half_and_labels_among_scores_are_noted(file):
    y = [int(row[0]) for row in RANKED.splitlines()[1:]]
    text = changed(RANKED, "a", lambda j, x: x - 0.4 * y[j])
    text = changed(changed(text, "b", lambda j, x: x + 0.4 * y[j]), "c", lambda j, x: j % 3 // 2)
    models = [word for name in "abc" for word in ("--model", name)]
    shown = " ".join(as_json("compare", file(text), *NAMED, *models)["checks"])
    assert "AUC of 'a' is below 0.5" in shown
    assert "AUC of 'b'" not in shown
    assert "'c' has two values, as predicted labels have" in shown


@pytest.mark.parametrize("kind", KINDS)
def test_both_columns_of_one_model_are_refused(file, kind):
    text = changed(RANKED, "b", lambda j, _: 1.0 - (0.1 + 0.004 * (j * 37 % 200)))
    message = failure("compare", file(text), *NAMED, *kind)
    assert "there must be one column per model; its columns 'a' and 'b' sum" in message
    assert message.endswith("Name the second of each model.\n")


def test_training_cases_are_left_out_with_a_line(file):
    head, *rows = RANKED.splitlines()
    for words in (("train", "test"), ("validation", "Training")):
        split = [f"{row},{words[j // 20]}" for j, row in enumerate(rows)]
        found = as_json("compare", file("\n".join([f"{head},split", *split])), *NAMED)
        assert found["decisions"][0].startswith("Rows: the 20 of 40 where 'split' is")
    every = file("\n".join([f"{head},split", *(f"{row},train" for row in rows)]))
    assert "says that all rows are of training" in failure("compare", every, *NAMED)
    none = as_json(
        "compare", file("\n".join([f"{head},split", *(f"{r},test" for r in rows)])), *NAMED
    )
    assert "Not used: 'split' (always 'test')." in none["decisions"]


def test_a_line_that_names_the_separator_is_none_of_the_table(file, tmp_path):
    plain = as_json("compare", file(RANKED), *NAMED)
    path = tmp_path / "a.csv"
    path.write_bytes(b"sep=;\r\n" + RANKED.replace(",", ";").replace("\n", "\r\n").encode())
    assert as_json("compare", path, *NAMED)["result"] == plain["result"]
    path.write_text("sep=;\n" + RANKED.replace(",", ";").replace("0.1;", "x;", 1))
    assert "has 'x' in line 3" in failure("compare", path, *NAMED)


IDS = {
    "numbers of rows": range(13),
    "ids": [7 * i % 90 + 10**15 for i in range(13)],
    "ids beyond doubles": [2**62 + i for i in range(13)],
    "some missing": [*range(40, 52), ""],
    "written with decimals": [f"{i}.0" for i in range(13)],
    "ages": range(40, 66, 2),
    "dates": [20260101, 20260102] * 6 + [20260103],
    "an index": range(13),
}


@pytest.mark.parametrize("column", IDS)
def test_columns_like_ids_are_no_models_but_by_name(file, column):
    name = "" if column == "an index" else "visit"
    rows = [f"{value},{line}" for value, line in zip(IDS[column], LINES, strict=True)]
    path = file("\n".join([f"{name},{HEAD}", *rows]))
    assert as_json("compare", path, *NAMED)["names"] == ["a", "b", "c"]
    if name and column != "ids beyond doubles":
        chosen = [*NAMED, "--model", "a", "--model", "visit", "--nan-policy", "omit"]
        assert as_json("compare", path, *chosen)["names"] == ["a", "visit"]


def test_a_column_on_another_scale_is_a_question_whose_ways_work(file):
    ages = [40.5, 51] * 6 + [60]
    rows = [f"{age},{line}" for age, line in zip(ages, LINES, strict=True)]
    path = file("\n".join([f"visit,{HEAD}", *rows]))
    message = failure("compare", path, *NAMED)
    assert "from 40.5 to 60, all more than 10 times as large" in message
    ways = re.findall(r"`(--model [^`]+)`", message)
    assert [as_json("compare", path, *NAMED, *way.split())["names"] for way in ways] == [
        ["a", "b", "c"],
        ["visit", "a", "b", "c"],
    ]


def test_lines_are_those_of_each_of_several_files(file):
    first = file("\n".join([HEAD, *LINES[:8]]), "1.csv")
    second = file("\n".join([HEAD, "", *LINES[8:]]).replace("0.99", "NA"), "2.csv")
    message = failure("compare", first, second, *NAMED)
    assert re.search("the first in line 4 of '.*2.csv'", message)


def test_rows_are_no_lines_where_some_were_left_out(file):
    text = TOY.replace("0.05", "").replace("0.99", "1.5")
    options = [*NAMED, "--nan-policy", "omit", "--kind", "probabilities"]
    assert "1.5 at index 8 " in run("compare", file(text), *options).stderr


def test_named_scores_that_are_no_numbers_are_shown_without_their_escapes(file):
    text = TOY.replace(",0.99,", ',"0,99 \x1b[31m",')
    message = failure("compare", file(text), *NAMED, "--model", "a", "--model", "b")
    assert "has '0,99" in message
    assert "in line 11" in message
    assert "\x1b" not in message


BUNDLED = {
    "label": (["--label", "y_treu"], "`--label` names a column of a file"),
    "id": (["--kind", "datasets", "--id", "data"], "`--id` names a column of a file"),
    "groups": (["--groups", "site"], "`--groups` names a column of a file"),
    "positive label": (["--pos-label", "malignant"], "found 0, 1"),
    "model": (["--kind", "datasets", "--model", "naive_baise"], "Did you mean 'naive_bayes'"),
    "twice": (["--model", "naive_bayes", "--model", "naive_bayes"], "twice"),
    "method": (["--threshold", ".5", "--method", "mid-pp"], "Did you mean 'midp'"),
    "threshold": (["--threshold", "nan"], "`--threshold` must be finite"),
    "rule": (["--rule", "brior"], "`--rule` .* Did you mean 'brier'"),
    "clip": (["--rule", "log", "--clip", "2"], "`--clip`"),
    "test": (["--kind", "datasets", "--test", "nemeny"], "`--test` .* Did you mean 'nemenyi'"),
    "alpha": (["--alpha", "5"], "Did you mean 0.05"),
    "one model": (["--kind", "datasets", "--model", "naive_bayes"], "at least 2 models"),
    "ending": (["-o", "cd.xyz"], "`--output` must end in one of .*, .png, .* 'cd.xyz'"),
    "directory": (["-o", "/missing/cd.png"], "'/missing' is no directory"),
}


@pytest.mark.parametrize(("options", "message"), BUNDLED.values(), ids=BUNDLED)
def test_options_that_do_not_fit_the_bundled_data_are_refused(options, message):
    assert re.search(message, failure("compare", *options))


FAULTS = {
    "classes": (TOY.replace("1,0.99", "7,0.99"), (), "column 'y' has 3 classes"),
    "positive label": (TOY, ("--pos-label", "7"), "must be one of '0', '1', got '7'"),
    "label as a model": (TOY, ("--model", "y"), "`--model` must be one of 'a', 'b', 'c'"),
    "words": ("y,a,b\n" + "1,yes,no\n0,no,no\n" * 5, (), "no column is left that could be one"),
    "labels alone": ("y\n" + "1\n0\n" * 5, (), "no column is left that could be one"),
    "damage": (TOY.replace("0.99", "x"), ("--model", "a"), "column 'a' has 'x' in line 11"),
}


@pytest.mark.parametrize(("text", "options", "message"), FAULTS.values(), ids=FAULTS)
def test_faults_of_files_are_one_line_with_their_place(file, text, options, message):
    assert re.search(message, failure("compare", file(text), *NAMED, *options))


def test_a_permutation_is_named_for_two_models_and_runs(file):
    done = run("compare", file(), *NAMED)
    assert "use --test permutation for two models" in done.stderr
    assert as_json(
        "compare", file(), *NAMED, "--model", "a", "--model", "b", "--test", "permutation"
    )
