"""What users are told: nothing is specified that they did not specify, and each remedy works."""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from tests.shared.commandline import run

from .doors import by_command, by_python, ways_of_command

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(17)
N = 90
ILL = np.arange(N) % 3 == 0
TABLE = pd.DataFrame(
    {
        "patient": [f"P{i:02d}" for i in range(N)],
        "outcome": np.where(ILL, "complication", "no complication"),
        "surgeon": (ILL * 1.3 + RNG.normal(5, 1, N)).round(2),
        "apache": (ILL * 0.7 + RNG.normal(5, 1, N)).round(2),
    }
)


def test_labels_and_models_of_joined_files_are_not_called_specified(tmp_path):
    for model in ("surgeon", "apache"):
        TABLE[["patient", "outcome", model]].to_csv(tmp_path / f"{model}.csv", index=False)
    paths = [tmp_path / "surgeon.csv", tmp_path / "apache.csv"]
    assert "specified" not in " ".join(by_command(paths)[0]["decisions"])
    assert "as specified" in by_command(paths, "--label", "outcome")[0]["decisions"][1]


def test_models_of_long_tables_and_bundled_data_are_not_called_specified():
    long = TABLE.melt(["patient", "outcome"], var_name="model", value_name="score")
    for found in (fc.compare(long), fc.compare(fc.load_predictions())):
        assert "specified" not in " ".join(found.decisions)
    assert "as specified" in fc.compare(fc.load_predictions(), kind="scores").decisions[0]


@pytest.mark.parametrize("policy", ["raise", "omit"])
def test_a_faulty_cell_is_in_the_same_line_of_the_file(policy, tmp_path):
    table = TABLE.assign(apache=TABLE.apache.astype(str))
    table.loc[5, "apache"], table.loc[9, "apache"] = "n/a", ">60"
    table.to_csv(tmp_path / "cells.csv", index=False)
    said = by_command([tmp_path / "cells.csv"], "--nan-policy", policy)[1]
    assert "'>60' in line 11." in said


def test_sizes_of_rounds_are_an_example_that_works(tmp_path):
    rounds = {"fold": np.arange(1, 11), "rf": RNG.random(10), "svm": RNG.random(10)}
    pd.DataFrame(rounds).to_csv(tmp_path / "c.csv", index=False)
    said = by_command([tmp_path / "c.csv"])[1]
    assert "sizes of training and test sets (for example `--n-train 90 --n-test 10`)" in said
    for way in ways_of_command(said):
        assert by_command([tmp_path / "c.csv"], *way)[0] is not None


def test_reversed_times_are_mended_by_what_the_command_has(tmp_path):
    months = (RNG.random(N) * 40 + 1).round(1)
    table = {"months": months, "died": RNG.integers(0, 2, N), "predicted": months + RNG.random(N)}
    table["risk"] = -months + RNG.normal(0, 3, N)
    pd.DataFrame(table).to_csv(tmp_path / "e.csv", index=False)
    columns = ["--time", "months", "--event", "died"]
    found = run("compare", tmp_path / "e.csv", *columns).stdout
    assert "predicts" not in found
    assert "by -1" in found
    pd.DataFrame({**table, "predicted": -table["predicted"]}).to_csv(tmp_path / "f.csv")
    assert "by -1" not in run("compare", tmp_path / "f.csv", *columns).stdout


WORDS = {"yes": "no", "complication": "no complication", "malignant": "benign", "case": "control"}


@pytest.mark.parametrize("positive", WORDS)
def test_a_column_of_words_has_the_positive_label_that_a_table_has(positive):
    y = np.where(ILL, positive, WORDS[positive])
    alone = fc.compare(y, TABLE[["surgeon", "apache"]])
    in_table = fc.compare(TABLE.assign(outcome=y))
    assert alone.values == in_table.values
    assert alone.decisions[0] == f"True labels: {positive!r} is positive; pos_label= names another."
    other = fc.compare(y, TABLE[["surgeon", "apache"]], pos_label=WORDS[positive])
    assert other.values["surgeon"] == pytest.approx(1 - alone.values["surgeon"])


def test_other_words_are_asked_about():
    y = np.where(ILL, "red", "blue")
    with pytest.raises(ValueError, match="`pos_label='blue'` or `pos_label='red'`"):
        fc.compare(y, TABLE[["surgeon", "apache"]])


def test_attributes_of_the_test_are_said_to_be_in_its_result():
    found = fc.compare(TABLE)
    for name in ("pvalue", "estimate", "statistic", "confidence_interval"):
        with pytest.raises(AttributeError, match=rf"use `\.result\.{name}`"):
            getattr(found, name)
    with pytest.raises(AttributeError, match=r"use `\.result\.pvalue`"):
        _ = found.p_value
    with pytest.raises(AttributeError, match=r"no attribute 'surgeon'$"):
        _ = found.surgeon


QUESTIONS = [f"t{i}" for i in range(50)]
TRIALS = RNG.integers(5, 12, 50)
COUNTS = {  # columns beside those of questions, and whether shares are compared
    "n": ({"n": 10, "a": RNG.binomial(10, 0.4, 50), "b": RNG.binomial(10, 0.3, 50)}, True),
    "several n": (
        {"n": TRIALS, "a": RNG.binomial(TRIALS, 0.5), "b": RNG.binomial(TRIALS, 0.3)},
        True,
    ),
    "ratings": ({"n": 10, "a": RNG.integers(1, 6, 50), "b": RNG.integers(2, 6, 50)}, False),
    "sizes": ({"n": 5000, "a": RNG.integers(0, 9, 50), "b": RNG.integers(0, 9, 50)}, False),
    "above n": ({"n": 4, "a": RNG.integers(0, 9, 50), "b": RNG.integers(0, 9, 50)}, False),
    "ratings beside lengths": (
        {"n": np.arange(50) % 31 + 10, "a": np.arange(50) % 31 % 11, "b": RNG.integers(0, 11, 50)},
        False,
    ),
    "wrong answers": (
        {"n": 10, "a_wrong": RNG.binomial(10, 0.4, 50), "b_wrong": RNG.binomial(10, 0.3, 50)},
        False,
    ),
    "false positives": (
        {"n": TRIALS, "a_fp": RNG.binomial(TRIALS, 0.5), "b_fp": RNG.binomial(TRIALS, 0.3)},
        False,
    ),
    "steps": (
        {"n": 10, "a_steps": RNG.binomial(10, 0.4, 50), "b_steps": RNG.binomial(10, 0.3, 50)},
        False,
    ),
    "none": ({"a": RNG.binomial(10, 0.4, 50), "b": RNG.binomial(10, 0.3, 50)}, False),
}


@pytest.mark.parametrize("name", COUNTS)
def test_counts_of_at_most_n_with_none_and_most_of_n_are_shares(name):
    table, are_shares = COUNTS[name]
    found, said = by_python({"question": QUESTIONS, **table})
    assert found is not None, said
    assert any(re.match("Values: shares of 'n'", x) for x in found["decisions"]) is are_shares
