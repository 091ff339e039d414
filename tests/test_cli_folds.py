"""The command for scores by fold prints what the library returns."""

import csv
import io
import json
import re

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import fastcompare as fc

from .commandline import as_json, failure, ok, run, warned

DATA = fc.load_fold_scores()
NAMES = list(DATA.scores)
SIZES = {"n_train": DATA.n_train, "n_test": DATA.n_test}
GIVEN = ("--n-train", "80", "--n-test", "20")
WIDE = "round,a,b,c\n1,.9,.8,.7\n2,.92,.79,.8\n3,.9,.85,.75\n4,.88,.8,.77\n5,.95,.83,.8\n"
TOY = {
    "a": [0.9, 0.92, 0.9, 0.88, 0.95],
    "b": [0.8, 0.79, 0.85, 0.8, 0.83],
    "c": [0.7, 0.8, 0.75, 0.77, 0.8],
}
LONG = "model,round,score\n" + "".join(
    f"{name},{i},{score}\n" for i in range(5) for name, score in ((m, TOY[m][i]) for m in "bac")
)


@pytest.fixture
def wide(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(WIDE)
    return path


@pytest.fixture
def long(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text(LONG)
    return path


def test_the_bundled_scores_are_compared_as_by_the_library():
    found = as_json("folds")
    want = fc.ttest_corrected_pairwise_test(DATA.scores, **SIZES)
    omnibus = fc.rm_anova_test(DATA.scores, **SIZES)
    low, high = want.confidence_interval(simultaneous=True)
    assert [(p["first"], p["second"]) for p in found["pairs"]] == list(want.pairs)
    columns = {
        "difference": want.estimate,
        "standard_error": want.standard_error,
        "effect_size": want.effect_size,
        "t": want.statistic,
        "df": [99] * 10,
        "pvalue": want.pvalue,
        "adjusted_pvalue": want.adjusted_pvalue,
        "ci_low": low,
        "ci_high": high,
        "status": want.status,
    }
    for key, values in columns.items():
        assert_array_equal([p[key] for p in found["pairs"]], values, err_msg=key)
    for model in found["models"]:
        scores = DATA.scores[model["model"]]
        assert model["mean"] == pytest.approx(scores.mean(), rel=1e-14)
        assert model["standard_deviation"] == pytest.approx(scores.std(ddof=1), rel=1e-12)
    assert [m["model"] for m in found["models"]] == NAMES
    assert found["omnibus"]["pvalue"] == omnibus.pvalue
    assert found["summary"] == f"{omnibus.summary()} {want.summary()}"
    assert (found["n"], found["n_dropped"]) == (100, 0)
    assert (found["n_train"], found["n_test"]) == (512.1, 56.9)


def test_options_reach_the_library():
    options = ["--alternative", "greater", "--correction", "bh", "--confidence-level", "0.9"]
    found = as_json("folds", *options, "--simultaneous", "--n-train", "90", "--n-test", "10")
    want = fc.ttest_corrected_pairwise_test(
        DATA.scores, n_train=90, n_test=10, alternative="greater", correction="bh"
    )
    low, high = want.confidence_interval(0.9, simultaneous=True)
    assert_array_equal([p["adjusted_pvalue"] for p in found["pairs"]], want.adjusted_pvalue)
    assert_array_equal([p["ci_low"] for p in found["pairs"]], low)
    assert [p["ci_high"] for p in found["pairs"]] == [None] * 10
    assert np.isinf(high).all()


def test_a_wide_and_a_long_file_say_the_same(wide, long):
    want = fc.ttest_corrected_pairwise_test(TOY, n_train=80, n_test=20)
    found = as_json("folds", wide, *GIVEN)
    assert_array_equal([p["pvalue"] for p in found["pairs"]], want.pvalue)
    told = as_json("folds", long, "--long", *GIVEN)
    assert [m["model"] for m in told["models"]] == ["b", "a", "c"]  # as the file names them
    models = ("--model", "a", "--model", "b", "--model", "c")
    told = as_json("folds", long, "--long", *models, *GIVEN)
    assert (told["pairs"], told["summary"]) == (found["pairs"], found["summary"])


def test_models_are_chosen_by_name(wide, long):
    for arguments in ((wide,), (long, "--long")):
        found = as_json("folds", *arguments, "--model", "c", "--model", "a", *GIVEN)
        want = fc.ttest_corrected(TOY["c"], TOY["a"], n_train=80, n_test=20)
        assert [m["model"] for m in found["models"]] == ["c", "a"]
        assert found["pairs"][0]["pvalue"] == want.pvalue
        assert found["omnibus"] is None  # of two models it says the same


def test_columns_of_long_files_may_have_other_names(long):
    long.write_text(LONG.replace("model,round,score", "who,fold,auc"))
    names = ("--model-column", "who", "--round-column", "fold", "--score-column", "auc")
    assert len(as_json("folds", long, "--long", *names, *GIVEN)["pairs"]) == 3
    message = failure("folds", long, "--long", *GIVEN)
    assert "`--model-column` must be one of 'who', 'fold', 'auc', got 'model'" in message


def test_the_order_of_rows_does_not_matter(long):
    want = as_json("folds", long, "--long", "--model", "a", "--model", "b", *GIVEN)["pairs"]
    head, *rows = LONG.splitlines()
    long.write_text("\n".join([head, *reversed(rows)]) + "\n")
    found = as_json("folds", long, "--long", "--model", "a", "--model", "b", *GIVEN)["pairs"]
    assert found[0]["t"] == pytest.approx(want[0]["t"], rel=1e-12)


@pytest.mark.slow
def test_rounds_that_miss_a_score_are_refused_or_left_out(wide, long):
    wide.write_text(WIDE.replace(".79", ""))
    long.write_text(LONG.replace("b,1,0.79\n", ""))
    kept = {name: np.delete(scores, 1) for name, scores in TOY.items()}
    want = fc.ttest_corrected_pairwise_test(kept, n_train=80, n_test=20)
    for arguments in ((wide,), (long, "--long", "--model", "a", "--model", "b", "--model", "c")):
        message = failure("folds", *arguments, *GIVEN)
        assert "1 missing values (NaN), the first of 'b' in line 3" in message
        result = run("folds", *arguments, *GIVEN, "--nan-policy", "omit", "--format", "json")
        assert re.fullmatch(r"fastcompare: warning: 1 of 5 rounds dropped[^\n]+\n", warned(result))
        found = json.loads(result.stdout)
        assert (found["n"], found["n_dropped"]) == (4, 1)
        assert_array_equal([p["pvalue"] for p in found["pairs"]], want.pvalue)


@pytest.mark.slow
def test_sizes_must_be_given_for_a_file(wide):
    for options in ((), ("--n-train", "80"), ("--n-test", "20")):
        assert "`--n-train` and `--n-test` must be specified" in failure("folds", wide, *options)
    assert "`--n-train` and `--n-test` must be specified" in failure("folds", "--n-test", "20")
    assert "must be above 0" in failure("folds", "--n-train", "0", "--n-test", "20")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LONG + "a,3,0.5\n", "model 'a' has several scores in round '3'"),
        (LONG + ",6,0.5\n", "row 16 of column 'model' is empty: it must name a model"),
        (LONG + "a,,0.5\n", "row 16 of column 'round' is empty: it must name a round"),
        (LONG + "a,7,high\n", "column 'score' must contain plain decimal numbers"),
    ],
)
def test_faults_of_a_long_file_are_named(long, text, message):
    long.write_text(text)
    assert message in failure("folds", long, "--long", *GIVEN)


@pytest.mark.slow
def test_models_that_are_not_there_are_named(wide, long):
    for arguments in ((wide,), (long, "--long")):
        message = failure("folds", *arguments, "--model", "a", "--model", "d", *GIVEN)
        assert "`--model` must be one of" in message
        message = failure("folds", *arguments, "--model", "a", "--model", "a", *GIVEN)
        assert "`--model` names 'a' twice" in message
        message = failure("folds", *arguments, "--model", "a", *GIVEN)
        assert "at least 2 models" in message


def test_a_column_of_rounds_that_is_asked_for_must_be_there(wide):
    message = failure("folds", wide, "--round-column", "fold", *GIVEN)
    assert "`--round-column` must be one of" in message


@pytest.mark.slow
def test_a_column_called_as_rounds_are_is_no_model(wide, long):
    want = as_json("folds", wide, *GIVEN)
    wide.write_text(WIDE.replace("round,", "Fold,"))
    assert as_json("folds", wide, *GIVEN) == want
    want = as_json("folds", long, "--long", *GIVEN)
    long.write_text(LONG.replace("round,", "fold,"))
    assert as_json("folds", long, "--long", *GIVEN) == want


def test_a_long_file_is_not_read_as_columns_of_models(long):
    assert "has a row for each model and round: leave one column" in failure("folds", long)
    long.write_text(LONG.replace("round,", "number,"))
    message = failure("folds", long, "--model", "number", "--model", "score")
    assert "`--n-train` and `--n-test` must be specified" in message


def test_models_and_rounds_of_a_long_file_may_be_numbers(long):
    long.write_text(LONG.replace("a,", "1,").replace("b,", "2,").replace("c,", "3,"))
    found = as_json("folds", long, "--long", "--model", "2", "--model", "1", *GIVEN)
    assert [m["model"] for m in found["models"]] == ["2", "1"]


def test_text_names_every_model_and_pair():
    text = ok("folds")
    told = "100 rounds with 512.1 cases to train and 56.9 to test"
    assert told in " ".join(text.split())
    assert text.startswith("Corrected resampled t-tests of all pairs of models\n")
    assert "* significant at the 5% level (Shaffer-adjusted)" in text
    every = ok("folds", "--format", "markdown")
    for name in NAMES:
        assert len(re.findall(rf"^{name} +\d", text, re.MULTILINE)) == 1
    for i, first in enumerate(NAMES):
        for second in NAMES[i + 1 :]:
            assert len(re.findall(rf"^\| {first} \| {second} \| -?0\.\d", every, re.M)) == 1
    sentence = " ".join(text.split())
    assert "The mean scores range from" in sentence
    assert "significant at the 5% level (Shaffer-adjusted)" in sentence
    assert text.isascii()


@pytest.mark.parametrize(
    ("format", "marks"),
    [("markdown", ["| naive_bayes |"] * 5), ("latex", [r"naive\_bayes &"] * 2)],
)
def test_documents_hold_both_tables_and_the_sentence(format, marks):
    text = ok("folds", "--format", format)
    # once as a model, then in four pairs, or in the matrix that LaTeX has room for
    assert text.count(marks[0]) == len(marks)
    assert "significant at the 5" in text


def test_csv_is_one_tidy_table():
    rows = list(csv.DictReader(io.StringIO(ok("folds", "--format", "csv"))))
    found = as_json("folds")
    models = {m["model"]: m["mean"] for m in found["models"]}
    assert len(rows) == 10
    for row, pair in zip(rows, found["pairs"], strict=True):
        assert list(row) == list(pair)
        assert float(row["pvalue"]) == pair["pvalue"]
        assert float(row["mean_first"]) == models[row["first"]]


@pytest.mark.slow
def test_models_that_never_differ_have_a_status(wide):
    wide.write_text("a,b\n" + "0.5,0.5\n" * 4)
    assert as_json("folds", wide, *GIVEN)["pairs"][0]["status"] == "no_difference"
    wide.write_text("a,b\n" + "0.5,0.25\n" * 4)
    result = run("folds", wide, *GIVEN)
    assert re.fullmatch(r"fastcompare: warning: zero_variance: [^\n]+\n", warned(result))
    assert "n/a" in result.stdout
