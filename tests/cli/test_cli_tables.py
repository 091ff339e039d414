"""`fastcompare compare` of tables: scores by round and by data set, wide, long and turned."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

import fastcompare as fc
from tests.shared.commandline import as_json, failure, ok, run, warned

GIVEN = ("--n-train", "80", "--n-test", "20")
SIZES = {"n_train": 80, "n_test": 20}
WIDE = "round,a,b,c\n1,.9,.8,.7\n2,.92,.79,.8\n3,.9,.85,.75\n4,.88,.8,.77\n5,.95,.83,.8\n"
TOY = {
    "a": [0.9, 0.92, 0.9, 0.88, 0.95],
    "b": [0.8, 0.79, 0.85, 0.8, 0.83],
    "c": [0.7, 0.8, 0.75, 0.77, 0.8],
}
LONG = "model,round,score\n" + "".join(
    f"{name},{i},{score}\n" for i in range(5) for name, score in ((m, TOY[m][i]) for m in "bac")
)
RANKS = "set,a,b,c\none,9,7,8\ntwo,8,5,6\nthree,7,6,5\nfour,8,4,6\n"
OF_SETS = ("--kind", "datasets")
BUNDLED = fc.load_dataset_scores()
ALIKE = ("random_forest", "nearest_neighbours", "linear_discriminant")
BOTH = pytest.mark.parametrize("text", [WIDE, LONG], ids=["wide", "long"])


@pytest.fixture
def file(tmp_path):
    """A function that writes a text and returns its path."""

    def written(text, name="table.csv"):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return written


def chosen(*models):
    return [word for model in models for word in ("--model", model)]


def test_bundled_rounds_are_compared_as_by_the_library():
    found, data = as_json("compare", "--kind", "folds"), fc.load_fold_scores()
    sizes = {"n_train": data.n_train, "n_test": data.n_test}
    want = fc.ttest_corrected_pairwise_test(data.scores, **sizes)
    for field in ("estimate", "standard_error", "statistic", "pvalue", "adjusted_pvalue"):
        assert_array_equal(found["result"][field], getattr(want, field), err_msg=field)
    assert found["omnibus"]["pvalue"] == fc.rm_anova_test(data.scores, **sizes).pvalue
    assert found["values"] == pytest.approx({m: s.mean() for m, s in data.scores.items()})
    assert "512.1 training and 56.9 test cases" in " ".join(found["decisions"])
    one = ("--alternative", "greater", "--correction", "bh", "--n-train", "90", "--n-test", "10")
    want = fc.ttest_corrected_pairwise_test(
        data.scores, n_train=90, n_test=10, alternative="greater", correction="bh"
    )
    found = as_json("compare", "--kind", "folds", *one)
    assert_array_equal(found["result"]["adjusted_pvalue"], want.adjusted_pvalue)
    assert {pair["high"] for pair in found["pairs"]} == {None}  # of one side there is no end


@BOTH
def test_wide_and_long_files_are_the_same_table(file, text):
    want = fc.ttest_corrected_pairwise_test(TOY, **SIZES)
    found = as_json("compare", file(text), *GIVEN)
    assert found["names"] == list("abc")
    assert_array_equal(found["result"]["pvalue"], want.pvalue)
    two = as_json("compare", file(text), *chosen("c", "a"), *GIVEN)
    want = fc.ttest_corrected(TOY["c"], TOY["a"], **SIZES)
    assert (two["names"], two["result"]["pvalue"]) == (["c", "a"], want.pvalue)
    assert two["omnibus"] is None  # of two models it says the same


def test_columns_and_rows_of_long_files_may_come_otherwise(file):
    want = as_json("compare", file(LONG), *GIVEN)["result"]
    renamed = LONG.replace("model,round,score", "who,fold,auc")
    assert as_json("compare", file(renamed), *GIVEN)["result"] == want
    named = ("--long", "who,fold,auc")
    assert as_json("compare", file(renamed), *named, *GIVEN)["result"] == want
    wrong = failure("compare", file(renamed), "--long", "model,round,score", *GIVEN)
    assert "`--long` must be one of 'who', 'fold', 'auc', got 'model'" in wrong
    head, *rows = LONG.splitlines()
    turned = file("\n".join([head, *reversed(rows)]))
    found = as_json("compare", turned, *GIVEN)["result"]["statistic"]
    assert found == pytest.approx(want["statistic"], rel=1e-12)
    numbered = file(LONG.replace("a,", "1,").replace("b,", "2,").replace("c,", "3,"))
    assert as_json("compare", numbered, *chosen("2", "1"), *GIVEN)["names"] == ["2", "1"]
    for other in ("Fold", "fold"):
        assert as_json("compare", file(WIDE.replace("round", other)), *GIVEN)["result"] == want


@pytest.mark.parametrize(
    "text", [WIDE.replace(".79", ""), LONG.replace("b,1,0.79\n", "")], ids=["wide", "long"]
)
def test_rounds_that_miss_a_score_are_refused_or_left_out(file, text):
    kept = {name: np.delete(scores, 1) for name, scores in TOY.items()}
    message = failure("compare", file(text), *GIVEN)
    assert "1 missing value (NaN), the first of 'b' in line 3" in message
    done = run("compare", file(text), *GIVEN, "--nan-policy", "omit", "--format", "json")
    assert re.fullmatch(r"fastcompare: warning: 1 of 5 rounds dropped[^\n]+\n", warned(done))
    found = json.loads(done.stdout)
    assert found["n_dropped"] == 1
    want = fc.ttest_corrected_pairwise_test(kept, **SIZES)
    assert_array_equal(found["result"]["pvalue"], want.pvalue)


def test_sizes_must_be_specified_of_a_file(file):
    message = failure("compare", file(WIDE))
    assert "5 rounds" in message
    (design,) = re.findall("`(--design [^`]+)`", message)
    assert as_json("compare", file(WIDE), *design.split())["design"] == "kfold"
    for options in (GIVEN[:2], GIVEN[2:]):
        message = failure("compare", file(WIDE), *options)
        assert "`--n-train` and `--n-test` must be specified" in message
        assert "cv" not in message  # which no option is
    zero = failure("compare", file(WIDE), "--n-train", "0", "--n-test", "20")
    assert "must be above 0" in zero


FAULTS = {
    "twice": ("a,3,0.5\n", "the model 'a' has several scores for one value of 'round', the first"),
    "no model": (",6,0.5\n", "column 'model' is empty in line 17: it must name a model"),
    "no round": ("a,,0.5\n", "column 'round' is empty in line 17: it must name a row"),
    "text": ("a,7,high\n", "column 'score' has 'high' in line 17"),
}


@pytest.mark.parametrize(("line", "message"), FAULTS.values(), ids=FAULTS)
def test_faults_of_long_files_are_named_with_their_line(file, line, message):
    assert message in failure("compare", file(LONG + line), *GIVEN)


@BOTH
def test_models_that_are_not_there_are_named(file, text):
    wrong = {("a", "d"): "must be one of", ("a", "a"): "names 'a' twice", ("a",): "at least two"}
    for models, message in wrong.items():
        assert message in failure("compare", file(text), *chosen(*models), *GIVEN)
    assert "`--id` must be one of" in failure("compare", file(text), "--id", "nobody", *GIVEN)


def test_several_measures_of_models_in_rows_are_a_question_that_works(file):
    rng = np.random.default_rng(0)
    rows = [f"{f},{m},{rng.random():.3f},{rng.random():.3f}" for f in range(10) for m in "ab"]
    for name in ("model", "system"):
        path = file("\n".join([f"fold,{name},accuracy,f1", *rows]))
        message = failure("compare", path, *GIVEN)
        assert "which column has the scores?" in message
        for way in re.findall("`(--long [^`]+)`", message):
            assert as_json("compare", path, *way.split(), *GIVEN)["names"] == ["a", "b"]


def test_models_that_never_differ_have_a_status(file):
    same = as_json("compare", file("a,b\n" + "0.5,0.5\n" * 4), "--kind", "folds", *GIVEN)
    assert same["result"]["status"] == "no_difference"
    done = run("compare", file("a,b\n" + "0.5,0.25\n" * 4), "--kind", "folds", *GIVEN)
    assert re.fullmatch(r"fastcompare: warning: zero_variance: [^\n]+\n", warned(done))
    assert "n/a" in done.stdout


def test_files_with_a_row_for_each_model_are_turned(file):
    rng = np.random.default_rng(0)
    scores = rng.random((3, 8)).round(3)
    models = pd.Index(["svm", "bayes", "tree"], name="model")
    turned = pd.DataFrame(scores, models, [f"f{i}" for i in range(8)])
    for kind, row in ((("--kind", "folds", *GIVEN), "fold"), (OF_SETS, "dataset")):
        path = file(turned.to_csv())
        upright = file(turned.T.rename_axis(row).to_csv(), "upright.csv")
        found, same = (as_json("compare", one, *kind) for one in (path, upright))
        assert found["result"] == same["result"]
        assert "the columns are taken as rows" in found["decisions"][0]
        two = as_json("compare", path, *kind, *chosen("svm", "bayes"))
        assert (
            two["result"] == as_json("compare", upright, *kind, *chosen("svm", "bayes"))["result"]
        )
        summed = as_json("compare", file(turned.assign(mean=0.8).to_csv()), *kind)
        assert "'mean', which summarize" in " ".join(summed["decisions"])
        assert summed["result"] == found["result"]


def test_bundled_data_sets_are_compared_as_by_compare_datasets():
    found, want = as_json("compare", *OF_SETS), fc.compare_datasets(BUNDLED.scores)
    for field in ("estimate", "statistic", "pvalue", "adjusted_pvalue", "critical_difference"):
        assert_array_equal(found["result"][field], getattr(want.posthoc, field), err_msg=field)
    assert found["result"]["cliques"] == [list(clique) for clique in want.posthoc.cliques]
    assert found["omnibus"]["pvalue"] == want.omnibus.pvalue
    ranks = dict(zip(BUNDLED.names, want.omnibus.average_ranks, strict=True))
    assert found["values"] == ranks
    assert [m["name"] for m in found["models"]] == sorted(ranks, key=ranks.get)
    text = ok("compare", *OF_SETS)
    assert re.search(r"^Friedman's test, Iman-Davenport +11\.394  1\.11e-10  7, 105$", text, re.M)
    assert "7 of 28 differences in average rank are significant" in " ".join(text.split())
    assert "adjusted" not in text.partition("first  ")[2]  # Nemenyi's p-values need no correction
    assert "(Holm-adjusted)" in ok("compare", *OF_SETS, "--test", "holm")


def test_options_of_data_sets_reach_the_library(file):
    options = ("--test", "shaffer", "--alpha", "0.1", "--lower-is-better")
    found = as_json("compare", file(RANKS), *OF_SETS, *options)
    scores = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    want = fc.compare_datasets(scores, posthoc="shaffer", alpha=0.1, higher_is_better=False)
    assert_array_equal(found["result"]["adjusted_pvalue"], want.posthoc.adjusted_pvalue)
    assert [m["name"] for m in found["models"]] == ["b", "c", "a"]
    control = as_json("compare", *OF_SETS, "--control", "random_forest")
    direct = fc.control_test(BUNDLED.scores, "random_forest")
    assert_array_equal(control["result"]["pvalue"], direct.pvalue)
    assert {pair["model_a"] for pair in control["pairs"]} == {"random_forest"}
    assert "`--control`" in failure("compare", *OF_SETS, "--control", "iris")


def test_two_models_are_compared_by_wilcoxon_and_equal_ones_in_no_pairs():
    two = as_json("compare", *OF_SETS, *chosen("naive_bayes", "decision_tree"))
    want = fc.wilcoxon_test(BUNDLED.scores["naive_bayes"], BUNDLED.scores["decision_tree"])
    assert (two["result"]["pvalue"], list(two["tests"])) == (want.pvalue, ["wilcoxon_test"])
    alike = as_json("compare", *OF_SETS, *chosen(*ALIKE), "--gate")
    assert alike["pairs"] == []
    assert "pairs are not compared (--gate)" in alike["reasons"][-1]


def test_the_diagram_is_drawn_also_of_models_that_may_be_equal(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "cd.png"
    assert ok("compare", *OF_SETS, *chosen(*ALIKE), "--gate", "-o", path) == ""
    assert path.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_any_column_may_name_the_data_sets(file):
    want = as_json("compare", file(RANKS), *OF_SETS)["result"]
    head, *lines = RANKS.splitlines()
    moved = [",".join([*line.split(",")[1:], line.split(",")[0]]) for line in (head, *lines)]
    numbered = [head, *(f"{i}{line[line.index(',') :]}" for i, line in enumerate(lines, 1))]
    note = [f"{head},note", *(f"{line},x" for line in lines)]
    unnamed = [f",{head}", *(f"{i},{line}" for i, line in enumerate(lines))]
    for rows in (moved, numbered, note, unnamed):
        found = as_json("compare", file("\n".join(rows)), *OF_SETS)
        assert (found["names"], found["result"]) == (["a", "b", "c"], want)
    named = as_json("compare", file("\n".join(moved)), *OF_SETS, "--id", "set")
    assert named["result"] == want


def test_data_sets_that_miss_a_score_or_are_there_twice_are_refused(file):
    holed = file(RANKS.replace("three,7", "three,"))
    assert re.search("missing .* line 4.*--nan-policy omit", failure("compare", holed, *OF_SETS))
    done = run("compare", holed, *OF_SETS, "--nan-policy", "omit", "--format", "json")
    assert re.fullmatch(r"fastcompare: warning: 1 of 4 data sets[^\n]+\n", warned(done))
    assert json.loads(done.stdout)["n_dropped"] == 1
    twice = failure("compare", file(RANKS.replace("two", "one")), *OF_SETS)
    assert "several rows 'one': each data set must be one row" in twice


def test_pvalues_that_are_undefined_are_null_and_have_no_picture(file, tmp_path):
    path = file("set,a,b,c\n" + "".join(f"s{i},1,2,3\n" for i in range(5)))
    options = ("compare", path, *OF_SETS, "--test", "conover")
    found = json.loads(run(*options, "--format", "json").stdout)
    assert found["result"]["pvalue"] == [None] * 3
    pytest.importorskip("matplotlib")
    refused = run(*options, "-o", tmp_path / "cd.png")
    assert refused.exit_code == 2
    assert "must have p-values for all pairs" in refused.stderr
    assert not (tmp_path / "cd.png").exists()
