"""Reader studies with a row for each score: which column has the true labels of the cases.

Each has look-alikes, whose columns of two values are no true labels.
"""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_command, by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(23)
N, READERS, AIDS = 60, ("R1", "R2", "R3", "R4"), ("unaided", "with AI")
ILL = np.arange(N) % 3 == 0
ROWS = [(aid, reader, case) for aid in AIDS for reader in READERS for case in range(N)]
AID, READER, CASE = (np.array(x) for x in zip(*ROWS, strict=True))
RATING = (ILL[CASE] * np.where(AID == "with AI", 2.0, 1.2) + RNG.normal(size=CASE.size)).round(2)
KEYS = {"treatment": AID, "reader": READER, "case": CASE}
FAIR = (0.9 * ILL[CASE] + np.random.default_rng(5).normal(size=CASE.size)).round(2)
RIGHT = (RNG.random(CASE.size) < np.where(AID == "with AI", 0.85, 0.7)).astype(int)


def study(score=RATING, **of_cases):
    """Return the rows of a study with columns that are the same in all rows of a case."""
    return {**KEYS, **{name: values[CASE] for name, values in of_cases.items()}, "score": score}


WORDS = np.where(ILL, "cancer", "benign")
SEX = np.array(["f", "m"])[np.arange(N) % 2]
EASY = (np.arange(N) % 2).astype(int)
AUC, MEAN = "mean AUC", "mean score"
CASES = {  # a table, and the quantity that is compared, or the question
    "truth": (study(truth=ILL.astype(int)), AUC),
    "an outcome": (study(diseased=ILL.astype(int)), AUC),
    "any name": (study(zz=ILL.astype(int)), "'zz' the true labels"),
    "words": (study(pathology=WORDS), AUC),
    "beside sex": (study(sex=SEX, biopsy=WORDS), AUC),
    "called readings": (study(score=(RATING > 0.8).astype(int), diseased=ILL.astype(int)), AUC),
    "sex alone": (study(sex=SEX), MEAN),
    "sex that scores tell apart": (study(sex=np.where(ILL, "m", "f")), "'sex' the true labels"),
    "easy cases, as scores do not tell": (study(easy=EASY), MEAN),
    "an outcome that scores do not tell": (study(lesion=EASY), "'lesion' the true labels"),
    "an outcome of lower scores": (study(lesion=1 - ILL), "'lesion' the true labels"),
    "difficult cases of lower scores": (study(difficult=1 - ILL), MEAN),
    "a scanner": (study(scanner_b=EASY), MEAN),
    "benign cases": (study(diagnosis=np.where(ILL, "malignant", "benign")), AUC),
    "an outcome beside a flag": (study(malignant=ILL * 1, visible=1 - EASY), AUC),
    "an outcome, fairly told": (study(score=FAIR, malignant=ILL * 1), AUC),
    "two outcomes": (
        study(cancer=ILL.astype(int), died=np.roll(ILL, 1).astype(int)),
        "'cancer' and 'died' the true labels",
    ),
    "right answers": (study(score=RIGHT), MEAN),
    "right answers beside the truth": (study(score=RIGHT, diseased=ILL.astype(int)), MEAN),
    "a column of three values": (study(stage=np.arange(N) % 3), MEAN),
    "two values within a case": ({**study(), "night": np.arange(CASE.size) // 7 % 2}, MEAN),
}


@pytest.mark.parametrize("name", CASES)
def test_the_truth_of_a_study_is_the_column_of_two_values_that_rows_of_a_case_share(name):
    table, want = CASES[name]
    if want in (AUC, MEAN):
        found, said = by_python(table)
        assert found is not None, said
        assert found["quantity"] == want
        return
    with pytest.raises(fc.FastCompareError, match=want) as question:
        fc.compare(pd.DataFrame(table))
    for way in ways_of_python(str(question.value)):
        assert by_python(table, **way)[0] is not None


def test_a_truth_of_any_name_has_the_auc_of_one_called_truth():
    by_name, by_values = (fc.compare(study(**{n: ILL.astype(int)})) for n in ("truth", "diseased"))
    assert by_name.result.pvalue == by_values.result.pvalue
    assert any("True labels: 'diseased'" in line for line in by_values.decisions)


def test_compare_takes_the_label_of_a_study_and_its_metric():
    table = study(diseased=ILL.astype(int), died=np.roll(ILL, 1).astype(int))
    assert fc.compare(table, label="diseased").quantity == AUC
    assert fc.compare(table, label="diseased", pos_label=0).values["unaided"] < 0.5
    means = fc.compare(table, scoring="mean")
    assert means.quantity == MEAN
    assert "Not used: 'diseased' and 'died' (two values, '0' and '1')." in means.decisions
    assert fc.compare(table, scoring="loss").result.pvalue == means.result.pvalue
    with pytest.raises(fc.FastCompareError, match="scoring='loss'"):
        fc.compare(table, label="diseased", higher_is_better=False)


def test_the_command_that_names_the_columns_of_a_study_uses_its_truth(tmp_path):
    table = study(outcome=ILL.astype(int))
    renamed = {"treatment": "model", "reader": "seed", "case": "patient"}
    path = tmp_path / "seeds.csv"
    pd.DataFrame(table).rename(columns=renamed).to_csv(path, index=False)
    columns = ["--treatment", "model", "--reader", "seed", "--case", "patient", "--score", "score"]
    found, said = by_command([path], *columns)
    assert found is not None, said
    assert found["quantity"] == AUC
    assert by_command([path], *columns, "--metric", "mean")[0]["quantity"] == MEAN
    assert re.search("must be one of", by_command([path], *columns, "--metric", "f1")[1])


def test_the_truth_in_rows_of_a_reader_is_found_beside_another_column():
    of_truth = {"treatment": "unaided", "reader": "truth", "case": np.arange(N), "score": ILL * 1.0}
    both = pd.concat([pd.DataFrame(study()), pd.DataFrame(of_truth)], ignore_index=True)
    both["odd"] = both.case % 2
    assert fc.compare(both).quantity == AUC


def test_times_beside_a_diagnosis_are_compared_by_their_means(tmp_path):
    table = study(score=np.exp(RATING).round(1), malignant=ILL.astype(int))
    found = fc.compare(table, higher_is_better=False)
    assert found.quantity == "mean loss"
    pd.DataFrame(table).to_csv(tmp_path / "times.csv", index=False)
    by_file, said = by_command([tmp_path / "times.csv"], "--lower-is-better")
    assert by_file is not None, said
    assert by_file["result"]["pvalue"] == pytest.approx(found.result.pvalue)


def test_columns_of_other_names_ask_for_the_truth_likewise():
    dice = 0.8 + RATING / 40
    table = pd.DataFrame(study(score=dice, lesion=1 - ILL)).rename(columns={"score": "dice"})
    table = table.rename(columns={"treatment": "device"})
    with pytest.raises(fc.FastCompareError, match="'lesion' the true labels") as question:
        fc.compare(table)
    for way in ways_of_python(str(question.value)):
        assert fc.compare(table, **way).kind == "readers"
    assert fc.compare(table.assign(lesion=ILL[CASE] * 1)).quantity == AUC
