"""The command line takes p-values by permutation where classes are small, and says so."""

import csv
import io

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from fastcompare._cli import few_cases

from .commandline import TOY, as_json, ok, run, warned

Y, A, B, C = np.array([line.split(",") for line in TOY.splitlines()[1:]], float).T
MODELS = {"a": A, "b": B, "c": C}
PAIRS = [("a", "b"), ("a", "c"), ("b", "c")]


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.csv"
    path.write_text(TOY)
    return path


def permutations(alternative="two-sided"):
    return [
        fc.permutation_auc_test(Y, MODELS[p], MODELS[q], exact=True, alternative=alternative).pvalue
        for p, q in PAIRS
    ]


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_p_values_are_the_exact_ones_and_adjusted_likewise(toy, alternative):
    options = ("--label", "y", "--alternative", alternative, "--correction", "holm")
    found = as_json("auc", toy, *options)
    want = permutations(alternative)
    assert_array_equal([pair["pvalue"] for pair in found["pairs"]], want)
    adjusted = fc.adjust_pvalues(want, method="holm")
    assert_array_equal([pair["adjusted_pvalue"] for pair in found["pairs"]], adjusted)
    assert {pair["method"] for pair in found["pairs"]} == {"Bandos' permutation test (exact)"}
    assert {pair["status"] for pair in found["pairs"]} == {"small_sample"}
    assert found["method"] == "Bandos' permutation test (exact)"
    assert "6 cases of a class: p-values by Bandos' permutation test (exact)" in found["summary"]


def test_intervals_are_by_student_s_t(toy):
    found = as_json("auc", toy, "--label", "y")
    low, high = fc.delong_pairwise_test(Y, MODELS, reference="t").confidence_interval()
    assert_allclose([pair["ci_low"] for pair in found["pairs"]], low, rtol=1e-15)
    assert_allclose([pair["ci_high"] for pair in found["pairs"]], high, rtol=1e-15)
    assert "intervals by Student's t" in found["summary"]


def test_tables_and_csv_name_the_test(toy):
    result = run("auc", toy, "--label", "y")
    assert warned(result) == ""
    assert result.stdout.count("Bandos' permutation test (exact)") == 1  # the sentence
    every = ok("auc", toy, "--label", "y", "--format", "markdown")
    assert every.count("Bandos' permutation test (exact)") == 4  # three rows, too
    rows = list(csv.DictReader(io.StringIO(ok("auc", toy, "--label", "y", "--format", "csv"))))
    assert [row["method"] for row in rows] == ["Bandos' permutation test (exact)"] * 3


def test_enough_cases_keep_delong_s_test():
    assert "permutation" not in ok("auc")
    assert {pair["method"] for pair in as_json("auc")["pairs"]} == {"DeLong's paired test"}


def test_pairs_without_a_variance_get_a_p_value_and_alike_ones_keep_theirs(tmp_path):
    path = tmp_path / "flat.csv"
    path.write_text("y,a,b,c\n" + "".join(f"{i // 5},{i / 2},{i / 2},0\n" for i in range(10)))
    found = as_json("auc", path, "--label", "y")
    pairs = found["pairs"]
    assert [pair["status"] for pair in pairs] == [
        "perfect_separation",
        "zero_variance",
        "zero_variance",
    ]
    want = fc.permutation_auc_test(np.arange(10) // 5, np.arange(10), np.zeros(10)).pvalue
    assert [pair["pvalue"] for pair in pairs] == [1.0, want, want]
    assert "Without a variance, p-values by Bandos' permutation test" in found["summary"]


def test_missing_scores_are_left_out_of_permutations_too(toy):
    toy.write_text(TOY.replace("0.99", "NA"))
    found = as_json("auc", toy, "--label", "y", "--nan-policy", "omit")
    kept = A != 0.99
    want = fc.permutation_auc_test(Y[kept], B[kept], C[kept]).pvalue
    assert found["pairs"][2]["pvalue"] == want
    assert found["n_dropped"] == 1


def test_too_many_exchanges_are_drawn_and_counted(toy, monkeypatch):
    monkeypatch.setattr("fastcompare._compare.auc.permutation.sums.QUICK", 0)
    found = as_json("auc", toy, "--label", "y")
    assert {pair["method"] for pair in found["pairs"]} == {
        "Bandos' permutation test (99999 exchanges)"
    }
    assert_allclose([pair["pvalue"] for pair in found["pairs"]], permutations(), atol=0.01)
    assert as_json("auc", toy, "--label", "y") == found
    monkeypatch.setattr(few_cases, "WORK", 38)  # one case less than there are
    assert "(9999 exchanges)" in as_json("auc", toy, "--label", "y")["method"]
