"""The true labels of reader studies with a column for each reader and treatment."""

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(25)
N = 80


@pytest.mark.parametrize("label", [1, 1.0, True, "1"])
def test_the_positive_label_of_wide_reader_studies_may_be_a_float(label):
    truth = np.arange(N) % 2
    table = {"case": np.arange(N), "truth": truth.astype(float)}
    for reader in (1, 2, 3):
        for aid in ("AI", "unaided"):
            table[f"Reader{reader}_{aid}"] = (RNG.normal(size=N) + truth).round(2)
    found, said = by_python(pd.DataFrame(table), pos_label=label, kind="readers")
    assert found is not None, said
    plain, _ = by_python(pd.DataFrame(table), kind="readers")
    assert found["models"] == plain["models"]


def test_cases_of_a_reader_study_without_a_true_label_are_refused():
    truth = np.where(np.arange(N) < 9, np.nan, np.arange(N) % 2)
    grid = {f"Reader{i}_{aid}": RNG.random(N) for i in (1, 2, 3) for aid in ("AI", "unaided")}
    table = pd.DataFrame({"case": np.arange(N), "truth": truth, **grid})
    assert "must have the true label of every case" in by_python(table, kind="readers")[1]


def ratings_of_readers():
    """Return a row for each reader and case, with a column for each of two treatments."""
    case, reader = (x.ravel() for x in np.indices((40, 4)))
    truth = (case % 3 == 0).astype(int)
    scores = np.clip(np.round(2.5 + truth + RNG.normal(size=(2, case.size))), 1, 5)
    names = {"reader": [f"R{i}" for i in reader], "case": [f"c{i}" for i in case]}
    return pd.DataFrame({**names, "cancer": truth, "DBT": scores[0], "FFDM": scores[1]})


@pytest.mark.parametrize("more", [{}, {"age": 61 + np.arange(160) // 4}, {"seconds": 30.5}])
def test_columns_of_treatments_beside_readers_are_a_reader_study(more):
    frame = ratings_of_readers()
    found, said = by_python(frame.assign(**more))
    assert found is not None, said
    assert (found["kind"], sorted(found["names"])) == ("readers", ["DBT", "FFDM"])
    rows = frame.melt(["reader", "case", "cancer"], var_name="modality", value_name="rating")
    in_rows, said = by_python(rows)
    assert in_rows is not None, said
    assert found["result"]["pvalue"] == pytest.approx(in_rows["result"]["pvalue"], rel=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.assign(FFDM=d["cancer"] * 0.5 + d.index // 4 / 100),  # one score of each case
        lambda d: d.rename(columns={"cancer": "in_german"}),  # an attribute of prompts
        lambda d: d.drop(index=[3, 9]),
    ],
)
def test_other_columns_beside_readers_are_no_treatments(change):
    found, _ = by_python(change(ratings_of_readers()))
    assert found is None or found["kind"] != "readers"


def answers_of_readers(truth_speaks=0.0, names=("unaided", "aided")):
    """Return 0 and 1 of each reader and case, more often 1 in ill cases if the truth speaks."""
    case, reader = (x.ravel() for x in np.indices((40, 4)))
    ill = case % 2
    table = {"reader": reader, "case": case, "malignant": ill}
    shares = (0.55 + truth_speaks * (ill - 0.5), 0.7 + truth_speaks * (ill - 0.5))
    ones = {n: (RNG.random(160) < p).astype(int) for n, p in zip(names, shares, strict=True)}
    return pd.DataFrame({**table, **ones})


def test_right_answers_of_readers_are_items_by_their_names():
    frame = answers_of_readers(names=("unaided_correct", "aided_correct"))
    found = fc.compare(frame)
    assert found.kind == "items"
    assert found.values["aided_correct"] == pytest.approx(frame["aided_correct"].mean())


@pytest.mark.parametrize("truth_speaks", [0.0, -0.5])
def test_answers_that_do_not_go_with_the_truth_are_asked_about(truth_speaks):
    frame = answers_of_readers(truth_speaks)
    with pytest.raises(fc.FastCompareError, match="right answers, or decisions") as question:
        fc.compare(frame)
    found = [fc.compare(frame, **way) for way in ways_of_python(str(question.value))]
    assert [each.quantity for each in found] == ["mean score", "mean AUC"]
    assert found[0].values["aided"] == pytest.approx(frame["aided"].mean())


@pytest.mark.parametrize(
    ("frame", "options"),
    [
        (answers_of_readers(0.5), {}),  # decisions
        (answers_of_readers(0.5).assign(malignant=lambda d: d["malignant"] == 1), {}),
        (answers_of_readers(0.5, ("first_pass", "second_pass")), {}),
        (answers_of_readers(), {"label": "malignant"}),
        (answers_of_readers().assign(aided=RNG.integers(1, 6, 160)), {}),  # ratings, by chance
    ],
)
def test_decisions_and_ratings_of_readers_are_judged_by_the_truth(frame, options):
    found = fc.compare(frame, **options)
    assert (found.kind, found.quantity) == ("readers", "mean AUC")
