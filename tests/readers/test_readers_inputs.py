"""Reader studies: the forms of data, and what is refused by name."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fastcompare as fc

RNG = np.random.default_rng(2)
TRUTH = np.repeat([1, 0], (10, 15))
SCORES = RNG.integers(0, 8, (2, 3, 25)) + 2 * TRUTH
TREATMENTS, READERS = ("aided", "alone"), ("r2", "r9", "r10")
CASES = np.arange(100, 125)
WANTED = fc.reader_study(SCORES, truth=TRUTH, on_undefined="ignore")


def rows(scores=SCORES):
    """A long table of the scores, its rows shuffled."""
    i, j, k = (place.ravel() for place in np.indices(scores.shape))
    order = np.random.default_rng(1).permutation(i.size)
    table = {
        "truth": TRUTH[k],
        "score": scores.ravel(),
        "treatment": np.array(TREATMENTS)[i],
        "reader": np.array(READERS)[j],
        "case": CASES[k],
    }
    return {name: values[order] for name, values in table.items()}


def imrmc_rows():
    """The lines of iMRMC: readerID, caseID, modalityID, score, with rows for the truth."""
    lines = [f"truth,{case},truth,{label}" for case, label in zip(CASES, TRUTH, strict=True)]
    table = rows()
    columns = (table[name] for name in ("reader", "case", "treatment", "score"))
    return lines + [",".join(map(str, row)) for row in zip(*columns, strict=True)]


def same(study, treatments=TREATMENTS):
    """Whether a study is that of the array, with names."""
    figures = study.figures.tolist() == WANTED.figures.tolist()
    return figures and study.treatments == treatments and study.components == WANTED.components


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_long_tables_are_read_whatever_their_order_in_reader_study(kind):
    study = fc.reader_study(kind(rows()), on_undefined="ignore")
    assert same(study)
    assert study.readers == READERS  # 2 before 10


def test_columns_may_be_arrays_or_named_in_reader_study():
    assert same(fc.reader_study(**rows(), on_undefined="ignore"))
    renamed = pd.DataFrame(rows()).rename(columns={"score": "conf", "truth": "cancer"})
    renamed["cancer"] = np.where(renamed["cancer"], "yes", "no")
    given = {"score": "conf", "truth": "cancer", "pos_label": "yes", "on_undefined": "ignore"}
    assert same(fc.reader_study(renamed, **given))


def test_mappings_by_treatment_and_reader_are_read_in_reader_study():
    nested = {
        name: dict(zip(READERS, scores, strict=True))
        for name, scores in zip(TREATMENTS, SCORES, strict=True)
    }
    assert same(fc.reader_study(nested, truth=TRUTH, on_undefined="ignore"))


@pytest.mark.parametrize("head", [True, False])
def test_files_are_read_those_of_imrmc_too_in_reader_study(tmp_path, head):
    table = tmp_path / "study.csv"
    pd.DataFrame(rows()).to_csv(table, index=False)
    assert same(fc.reader_study(table, on_undefined="ignore"))
    lines = ["A study of ours", "NR: 3", "N0: 15", "N1: 10", "NM: 2", "", "BEGIN DATA:"]
    lines += ["readerID,caseID,modalityID,score"] * head
    other = tmp_path / "study.imrmc"
    other.write_text("\n".join([*lines, *imrmc_rows()]) + "\n")
    assert same(fc.reader_study(str(other), on_undefined="ignore"))


def test_treatments_are_chosen_and_ordered():
    result = fc.reader_study_test(rows(), treatments=["alone", "aided"], on_undefined="ignore")
    assert result.names == ("alone", "aided")
    assert result.estimate == pytest.approx(WANTED.values[1] - WANTED.values[0], rel=1e-13)
    one = fc.reader_study(rows(), treatments=["alone"], on_undefined="ignore")
    assert one.values.tolist() == [WANTED.values[1]]
    assert np.isnan(one.components["cov1"])


def test_a_study_is_read_once_in_reader_study_test():
    result = fc.reader_study_test(WANTED, random="cases", on_undefined="ignore")
    assert result.estimate == pytest.approx(WANTED.values[0] - WANTED.values[1], rel=1e-13)
    with pytest.raises(fc.InvalidValueError, match="`truth` belongs to the readings"):
        fc.reader_study_test(WANTED, truth=TRUTH)
    with pytest.raises(fc.InvalidValueError, match="`covariance` belongs to the readings"):
        fc.reader_study_test(WANTED, covariance="jackknife")


def spoiled(name, index, value):
    """The long table with another value in a row."""
    table = {key: values.astype(object) for key, values in rows().items()}
    table[name][index] = value
    return {key: values.tolist() for key, values in table.items()}


def without(kept):
    """The long table without some rows."""
    return {name: values[kept] for name, values in rows().items()}


TABLE = rows()
FIRST = {name: values[0] for name, values in TABLE.items()}
NESTED = (TABLE["reader"] != "r9") | (TABLE["treatment"] != "alone")
REFUSED = {
    "two truths": (
        lambda: spoiled("truth", 0, 1 - int(FIRST["truth"])),
        rf"`truth` must be the same.*case {FIRST['case']} has two truths",
    ),
    "twice": (
        lambda: {name: np.append(values, values[0]) for name, values in TABLE.items()},
        rf"reader {FIRST['reader']} has case {FIRST['case']} twice.*index 0 and 150",
    ),
    "nested readers": (lambda: without(NESTED), r"reader r9 has none.*alone.*nested"),
    "a gap": (lambda: without(np.arange(150) > 0), r"1 scores are missing, the first.*split-plot"),
    "NaN": (
        lambda: spoiled("score", 0, np.nan),
        rf"`score` has 1 missing value \(NaN\), the first of reader {FIRST['reader']}",
    ),
    "one class": (
        lambda: rows() | {"truth": np.ones(150, int)},
        "`truth` must have positive and negative cases, got positive ones only",
    ),
    "no reader": (
        lambda: {name: values for name, values in TABLE.items() if name != "reader"},
        "`reader` must be specified.*`data` has truth, score",
    ),
    "no truth": (
        lambda: {name: values for name, values in TABLE.items() if name != "truth"},
        "`truth` must be specified for `metric='auc'`",
    ),
    "a missing label": (lambda: spoiled("reader", 3, None), r"`reader` has 1 missing value\b.*3"),
    "two axes": (lambda: SCORES[0], r"\(treatments, readers, cases\), got \(3, 25\)"),
    "other readers": (
        lambda: {"a": {"x": TRUTH, "y": TRUTH}, "b": {"x": TRUTH, "z": TRUTH}},
        "the same readers under every treatment; reader y",
    ),
    "no cases": (lambda: {name: [] for name in TABLE}, "`score` must be 1-d and not empty"),
    "other lengths": (lambda: TABLE | {"case": CASES}, "`case` must have a value for each of the"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_analysed_is_refused_by_name_in_reader_study(name):
    data, message = REFUSED[name]
    options = {} if isinstance(data(), dict) and "score" in data() else {"truth": TRUTH}
    with pytest.raises(fc.InvalidValueError, match=f"(?s){message}"):
        fc.reader_study(data(), **options)


def test_truth_rows_of_imrmc_agree_and_are_complete_in_reader_study():
    lines = [line.split(",") for line in imrmc_rows()]
    names = ("readerID", "caseID", "modalityID", "score")
    frame = pd.DataFrame(lines, columns=names).astype({"score": float})
    assert same(fc.reader_study(frame, on_undefined="ignore"))
    with pytest.raises(fc.InvalidValueError, match=r"no row of the reader 'truth' has case 100"):
        fc.reader_study(frame.iloc[1:])
    twice = pd.concat([frame, frame.iloc[:1].assign(score=0.0)], ignore_index=True)
    with pytest.raises(fc.InvalidValueError, match="case 100 has two truths"):
        fc.reader_study(twice)


def test_options_are_checked_by_name_in_reader_study_test():
    calls = {
        "`random` must be 'cases' for one reader": {"data": SCORES[:, :1]},
        "`random` must be one of 'readers', 'cases'": {"random": "raeders"},
        "`random` must be 'readers', 'cases' or both": {"random": 3},
        "`covariance` must be one of": {"covariance": "bootstrap"},
        "`metric` must be one of": {"metric": "acu"},
        "`treatments` must be those of `data`": {"treatments": ["aided"]},
        "`treatments` must be a list": {"treatments": "aided"},
        "`score` is a column of a long table": {"score": TRUTH},
        "`truth` must have a label for each of the 25 cases": {"truth": TRUTH[:3]},
    }
    for message, changed in calls.items():
        with pytest.raises(fc.FastCompareError) as caught:
            fc.reader_study_test(**{"data": SCORES, "truth": TRUTH} | changed)
        assert message in str(caught.value)


def test_claims_are_checked_by_the_number_of_treatments_in_reader_study_test():
    with pytest.raises(fc.InvalidValueError, match=r"at least 2 treatments.*reader_study has"):
        fc.reader_study_test(SCORES[:1], truth=TRUTH)
    three = np.concatenate([SCORES, SCORES[:1]])
    for claim in ({"alternative": "less"}, {"alternative": "greater", "margin": 0.1}):
        with pytest.raises(fc.InvalidValueError, match="`alternative` must be 'two-sided' for 3"):
            fc.reader_study_test(three, truth=TRUTH, **claim)
    with pytest.raises(fc.InvalidValueError, match="`margin` must be at least 0 and below 1"):
        fc.reader_study_test(SCORES, truth=TRUTH, alternative="less", margin=1.0)
