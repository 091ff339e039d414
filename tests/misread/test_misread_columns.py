"""Columns, rows and labels that are something else than they are taken for: an error, or a word."""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from tests.shared.commandline import as_json, failure

Y = np.random.default_rng(0).integers(0, 2, 60)
OTHER = np.where(np.arange(60) % 5, Y, 1 - Y)

SPELLINGS = {
    "case": (np.array(["no", "yes"]), np.array(["No", "Yes"])),
    "blanks": (np.array(["no", "yes"]), np.array(["no", "yes "])),
    "1 and 2": (np.array([0, 1]), np.array([1, 2])),
    "1.0 and 2.0": (np.array([0, 1]), np.array([1.0, 2.0])),
    "nothing in common": (np.array([0, 1]), np.array([5, 7])),
    "words": (np.array(["0", "1"]), np.array(["no", "yes"])),
}
CALLS = {
    "mcnemar_test": lambda y, a, b: fc.mcnemar_test(y, a, b),
    "mcnemar_pairwise_test": lambda y, a, b: fc.mcnemar_pairwise_test(y, {"a": a, "b": b}),
    "an array": lambda y, a, b: fc.cochran_q_test(y, np.stack([a, b], axis=1)),
    "accuracy_interval": lambda y, a, b: fc.accuracy_interval(y, b),
    "compare": lambda y, a, b: fc.compare(y, a, b, kind="labels"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(("known", "written"), SPELLINGS.values(), ids=SPELLINGS)
def test_labels_that_never_meet_the_truth_are_refused_with_both_sets(call, known, written):
    assert call(known[Y], known[OTHER], known[OTHER]) is not None
    if call is CALLS["an array"]:
        known = known.astype(written.dtype)
    with pytest.raises(ValueError, match="written in two ways") as caught:
        call(known[Y], known[OTHER], written[OTHER])
    for value in (known[0], written[1]):
        assert str(value).removesuffix(".0") in str(caught.value)


def test_models_that_are_always_wrong_or_of_one_class_are_none_of_these():
    assert fc.mcnemar_test(Y, 1 - Y, Y).n10 == 0
    assert fc.accuracy_interval([0, 0, 0], [1, 1, 1]).estimate == 0.0
    assert fc.accuracy_interval([0, 1, 0], [2, 2, 2]).estimate == 0.0
    assert fc.cochran_q_test(Y, {"a": Y, "never": np.zeros(60, int)}).n == 60


RNG = np.random.default_rng(1)
SCORES = {name: RNG.normal(size=60).round(3) for name in "ab"}
SHARES = {name: RNG.uniform(0.6, 0.9, 12).round(3) for name in "ab"}
NO_MODELS = {  # beside true labels
    "id": np.arange(60),
    "Question_ID": RNG.permutation(60),
    "timestamp": RNG.normal(size=60),
    "weight": RNG.uniform(size=60),
    "fold": np.arange(60) % 5,
    "seed": np.arange(60) % 2,
    "fit_time": RNG.uniform(size=60),
    "age": RNG.integers(40, 90, 60),
    "label": RNG.integers(0, 2, 60),
    "again": Y,
    "second": 1 - Y,
    "n_train": np.full(60, 90.5),
    "mean_test_score": RNG.normal(size=60),
}
NO_ROWS = {  # beside scores of data sets
    "seed": np.arange(12) % 3,
    "fit_time": RNG.uniform(size=12),
    "weight": RNG.uniform(size=12),
    "n_test": np.full(12, 100),
    "year": np.arange(12) % 4 + 2020,
    "percent": RNG.uniform(60, 90, 12),
}


@pytest.fixture
def answer(tmp_path):
    """Return what `fastcompare compare` says of a table, in JSON."""

    def found(table, *options):
        path = tmp_path / "t.csv"
        pd.DataFrame(table).to_csv(path, index=False)
        return as_json("compare", path, *options)

    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NO_MODELS)
def test_a_doubtful_column_of_cases_is_an_error_or_left_out(answer, name):
    table = pd.DataFrame({**SCORES, name: NO_MODELS[name]})
    with pytest.raises(ValueError, match=f"column '{name}'.* models=\\['a', 'b'\\]"):
        fc.compare(Y, table, kind="scores")
    whole = table.assign(y_true=Y)
    assert fc.compare(whole, kind="scores").names == ("a", "b")
    assert answer(whole, "--kind", "scores")["names"] == ["a", "b"]
    assert fc.compare(Y, table, kind="scores", models=["a", "b"]).names == ("a", "b")
    assert name in fc.compare(Y, table, kind="scores", models=["a", name]).names


@pytest.mark.parametrize("name", NO_ROWS)
def test_a_doubtful_column_of_data_sets_is_left_out_or_asked_about(answer, name):
    names = [f"set {i}" for i in range(12)]
    table = pd.DataFrame({"dataset": names, **SHARES, name: NO_ROWS[name]})
    if name == "percent":
        with pytest.raises(ValueError, match=r"column 'percent'.*`models=\['a', 'b'\]`"):
            fc.compare(table)
    else:
        assert fc.compare(table).names == ("a", "b")
        assert answer(table)["names"] == ["a", "b"]
    assert fc.compare(table, models=["a", "b"]).names == ("a", "b")


def test_columns_that_are_models_are_taken():
    for table in (
        SCORES,
        {"rule": OTHER, "score": SCORES["a"]},
        {"knows all": Y, "other": OTHER},
        {"logit": 9 * SCORES["a"], "p": RNG.uniform(size=60)},
    ):
        assert len(fc.compare(Y, table, kind="scores").names) == 2


@pytest.mark.parametrize("model", ["model", "Method", "algorithm"])
@pytest.mark.parametrize("codes", [[0, 1], ["x", "y"]])
def test_a_long_table_is_read(tmp_path, model, codes):
    rows = [(m, f"set {i}", 0.5 + 0.01 * i * (m == codes[0])) for i in range(12) for m in codes]
    table = pd.DataFrame(rows, columns=[model, "dataset", "accuracy"])
    assert set(fc.compare(table).names) == set(map(str, codes))
    path = tmp_path / "long.csv"
    table.to_csv(path, index=False)
    assert set(as_json("compare", path)["names"]) == set(map(str, codes))


@pytest.mark.parametrize("row", ["mean", "Average", "Avg.", " total", "STD"])
def test_a_row_that_sums_up_the_others_is_left_out(answer, row):
    names = [*(f"set {i}" for i in range(11)), row]
    table = pd.DataFrame({"dataset": names, **SHARES})
    want = fc.compare(table.iloc[:11]).result.pvalue
    for found in (fc.compare(table), fc.compare(table.set_index("dataset"))):
        assert found.result.pvalue == want
        assert f"Not used: the rows {row.strip()!r}" in found.decisions[0]
    assert answer(table)["result"]["pvalue"] == want


def test_the_probabilities_of_all_classes_are_no_models():
    p = RNG.uniform(size=60)
    for both in (np.stack([1 - p, p], axis=1), pd.DataFrame({"0": 1 - p, "1": p})):
        with pytest.raises(ValueError, match=r"2 columns sum to 1 .*`predict_proba`.* column 1"):
            fc.compare(Y, both, kind="scores")
    with pytest.raises(ValueError, match=r"3 columns sum to 1.*multiclass_auc_test"):
        fc.compare(Y, RNG.dirichlet([1, 1, 1], 60), kind="scores")


def test_scores_that_are_called_model_a_and_model_b_are_no_battles():
    named = {"model_a": SCORES["a"], "model_b": SCORES["b"]}
    assert fc.compare(Y, pd.DataFrame(named)).kind == "scores"
    assert fc.compare(pd.DataFrame(named), kind="items").kind == "items"
    assert fc.compare(pd.DataFrame({"item": range(60), **named})).names == ("model_a", "model_b")


@pytest.mark.parametrize("make", [bool, int, float])
def test_a_winner_of_0_and_1_may_be_the_first_or_the_second(make):
    table = pd.DataFrame({"model_a": ["x", "y"] * 9, "model_b": ["y", "x"] * 9})
    winner = (np.arange(18) % 3 > 0).astype(make)
    with pytest.raises(ValueError, match=r"`winner` must name the winner.*1 - winner"):
        fc.compare(table.assign(winner=winner))
    assert fc.compare(table.assign(outcome=winner)).kind == "battles"


def test_of_names_that_say_error_lower_is_better_and_the_answer_says_so():
    losses = {"svm_error": SHARES["a"] / 2, "forest error": SHARES["b"] / 2}
    result = fc.compare(losses, kind="items")
    assert "Lower is better, as the names say ('error')" in result.checks[-1]
    assert "Lower is better, as the names say ('error')" in result.summary()
    assert not result.higher_is_better
    for higher in (False, True):
        other = fc.compare(losses, kind="items", higher_is_better=higher)
        assert other.higher_is_better is higher
        assert "names say" not in " ".join([*other.checks, other.summary()])
    negated = {f"neg_{name}": -values for name, values in losses.items()}
    assert "names say" not in fc.compare(negated, kind="items").summary()


def test_a_subgroup_without_a_positive_case_has_what_is_defined():
    assert fc.brier_score([0, 0], [0.4, 0.2], pos_label=1) == pytest.approx(0.1)
    assert fc.log_loss(["no", "no"], [0.4, 0.2], pos_label="yes") > 0
    with pytest.warns(fc.UndefinedResultWarning, match="one_class"):
        assert np.isnan(fc.delong_test([0, 0], [1, 2], [2, 1], pos_label=1).estimate)
    with pytest.raises(ValueError, match="`pos_label` must be one of the labels"):
        fc.brier_score([0, 2], [0.4, 0.2], pos_label=1)


def test_whole_curves_have_no_difference_to_show(tmp_path):
    result = fc.permutation_auc_test(
        Y, SCORES["a"], SCORES["b"], method="venkatraman", n_resamples=99, rng=0
    )
    for face in (str(result), result.to_markdown(), result.to_latex(), result.to_html()):
        assert "0.0000" not in face
    assert fc.report(result, tmp_path / "page.html").exists()


@pytest.mark.usefixtures("requires_jit")
def test_a_page_repeats_the_call_with_what_was_asked_and_tells_what_was_dropped(tmp_path):
    y, a = np.where(Y, "yes", "no"), SCORES["a"].copy()
    a[:7] = np.nan
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.compare(y, a, SCORES["b"], pos_label="yes", nan_policy="omit")
    page = fc.report(found, tmp_path / "page.html").read_text()
    assert "nan_policy=&#39;omit&#39;" in page
    assert "pos_label=&#39;yes&#39;" in page
    assert "No part of the result is undefined" not in page
    assert "7 cases with missing values were dropped" in page


def test_a_metric_that_is_called_like_clusters_is_none(tmp_path):
    def cluster_purity(y_true, y_pred):
        return (y_true == y_pred).mean()

    result = fc.permutation_metric_test(
        Y, OTHER, 1 - OTHER, metric=cluster_purity, n_resamples=99, rng=0
    )
    assert "groups=" not in fc.report(result, tmp_path / "page.html").read_text()


SHARE = np.linspace(0.01, 0.98, 60)
POINTS = np.arange(60) % 11
CODES = {  # a code, and how the column is otherwise
    "-1 among probabilities": (-1, SHARE, True),
    "99 among probabilities": (99, SHARE, True),
    "-999 among scores": (-999, SCORES["a"], True),
    "-1 among scores": (-1, SCORES["a"], False),
    "9 among larger scores": (9, 100.0 * SHARE, False),
    "99.5": (99.5, SHARE, False),
    "999 among points": (999, POINTS, True),
    "-9 among points": (-9, POINTS, True),
    "-1 among points": (-1, POINTS, False),
    "99 among percentages": (99, 10 * POINTS - 1, False),
    "999 among counts": (999, POINTS**3, False),
    "9 among grades": (9, POINTS % 5, False),
    "-9 among differences": (-9, POINTS - 8, False),
}


@pytest.mark.parametrize(("code", "values", "said"), CODES.values(), ids=CODES)
def test_numbers_that_are_usually_codes_for_missing_values_are_noted(code, values, said):
    models = {"a": np.where(np.arange(60) % 30, values, code), "b": SHARE[::-1]}
    checks = " ".join(fc.compare(Y, models, kind="scores").checks)
    assert (f"'a' is {code} in 2 rows, otherwise from" in checks) is said
    assert ("if this is a code for missing values, replace it by NaN" in checks) is said


def test_99_may_be_a_class_and_minus_1_a_code_in_several_columns():
    truth = np.array([1, 2, 3, 99])[np.arange(60) % 4]
    found = fc.compare(truth, {"a": truth, "b": np.roll(truth, 1)}, kind="labels")
    assert "missing values" not in " ".join(found.checks)
    models = {name: np.where(np.arange(60) % 30, POINTS + j, -1) for j, name in enumerate("ab")}
    checks = " ".join(fc.compare(Y, models).checks)
    assert checks.count("is -1 in 2 rows") == 2


def test_rows_of_one_id_are_not_taken_for_cases_of_their_own(tmp_path):
    path = tmp_path / "a.csv"
    table = pd.DataFrame({"y_true": Y, "patient": np.arange(60) // 4, **SCORES})
    table.to_csv(path, index=False)
    for options in ([], ["--id", "patient"]):
        checks = as_json("compare", path, *options)["checks"]
        assert "15 values of 'patient' in 60 rows" in checks[0]
        assert "--groups patient" in checks[0]
    grouped = as_json("compare", path, "--groups", "patient")
    assert grouped["design"] == "clusters"
    assert "values of 'patient'" not in " ".join(grouped["checks"])


def test_labels_among_scores_are_noted():
    checks = " ".join(fc.compare(Y, {"a": (SHARE > 0.5) * 1.0, "b": SHARE}, kind="scores").checks)
    assert "'a' has two values, as predicted labels have" in checks
    labels = {"a": (SHARE > 0.5) * 1.0, "b": (SHARE > 0.3) * 1.0}
    assert "two values" not in " ".join(fc.compare(Y, labels, kind="scores").checks)


def test_models_below_one_half_are_named():
    checks = " ".join(fc.compare(Y, {"a": Y + SCORES["a"], "b": -Y + SHARE}).checks)
    assert "The AUC of 'b' is below 0.5" in checks
    assert "'a'" not in checks


TURNED = pd.DataFrame(
    RNG.uniform(0.6, 0.9, (3, 8)).round(3),
    index=pd.Index(["forest", "svm", "bayes"], name="classifier"),
    columns=[f"fold_{j}" for j in range(1, 9)],
)
SIZES = {"n_train": 90, "n_test": 10}
BY_SIZES = ("--n-train", "90", "--n-test", "10")


@pytest.mark.parametrize("data", [TURNED, TURNED.reset_index()])
def test_a_table_with_a_row_for_each_model_is_read(data):
    want = fc.compare(TURNED.T, kind="folds", **SIZES)
    assert fc.compare(data, kind="folds", **SIZES).values == want.values
    named = TURNED.set_axis(["iris", "wine", *"abcdef"], axis=1)
    found = fc.compare(named, kind="datasets")
    assert found.values == fc.compare(named.T, kind="datasets").values


WIDE = pd.DataFrame({"patient_id": np.arange(60), "y_true": Y, **SCORES})
LONG = WIDE.melt(["patient_id", "y_true"], var_name="model", value_name="score")
SHUFFLED = pd.concat([LONG[:1], LONG[1:].sample(frac=1.0, random_state=1)])
LONG_FILES = {
    "as it is": (LONG, None),
    "shuffled": (SHUFFLED, None),
    "a row again": (pd.concat([LONG, LONG[:1]]), "'a' has several scores for one value of 'pat"),
    "a row missing": (LONG[:-1], "'b' has 1 missing value .* --nan-policy omit"),
    "another truth": (LONG.assign(y_true=[1 - Y[0], *LONG.y_true[1:]]), "different true labels"),
    "no id": (LONG.drop(columns="patient_id"), "no column tells which rows are the same case"),
    "another number": (LONG.assign(age=40.5), None),
}


@pytest.mark.parametrize("command", ["compare"])
@pytest.mark.parametrize(("table", "error"), LONG_FILES.values(), ids=LONG_FILES)
def test_a_row_for_each_case_and_model_is_read_as_such(tmp_path, command, table, error):
    path, wide = tmp_path / "a.csv", tmp_path / "b.csv"
    table.to_csv(path, index=False)
    if error is not None:
        assert re.search(error, failure(command, path))
        return
    WIDE.drop(columns="patient_id").to_csv(wide, index=False)
    found, same = as_json(command, path), as_json(command, wide)
    pick = "result" if command == "compare" else "pairs"
    assert found[pick] == same[pick]


def test_a_column_called_method_may_be_another_attribute(tmp_path):
    path = tmp_path / "a.csv"
    WIDE.drop(columns="patient_id").assign(method=["MRI", "CT"] * 30).to_csv(path, index=False)
    found = as_json("compare", path)["models"]
    assert [model["name"] for model in found] == ["a", "b"]


def test_two_columns_that_sum_to_1_are_one_model():
    four = {"a_0": 1.0 - SHARE, "a_1": SHARE, "b_0": 1.0 - SHARE**2, "b_1": SHARE**2}
    with pytest.raises(ValueError, match=r"its columns 'a_0' and 'a_1' sum to 1"):
        fc.compare(Y, four, kind="scores")
    assert fc.compare(Y, {"a": SHARE, "b": SHARE**2, "c": np.full(60, 0.5)}, kind="scores")
    halves = {"a": np.full(60, 0.5), "b": np.full(60, 0.5), "c": SHARE}
    assert fc.compare(Y, halves, kind="scores").names == ("a", "b", "c")


@pytest.mark.parametrize("name", ["target", "label", "truth"])
def test_a_file_whose_labels_have_another_name_is_read(tmp_path, name):
    path = tmp_path / "a.csv"
    pd.DataFrame({"case": range(60), name: Y, **SCORES}).to_csv(path, index=False)
    found = as_json("compare", path)
    assert found["decisions"][0].startswith(f"True labels: {name!r}")
    assert found["result"]["pvalue"] == fc.compare(Y, SCORES).result.pvalue
