"""Cases that several runs of each model scored: the runs are readers, as seeds of a training are.

Each has look-alikes: folds, repetitions of a cross-validation, and rows that no run links.
"""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_command, by_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(7)
N, K = 60, 4
ILL = np.tile(np.arange(N) % 3 == 0, K)
PATIENT = np.tile([f"p{i}" for i in range(N)], K)
SEED = np.repeat(np.arange(K), N)
NEW, OLD = ((ILL * gain + RNG.normal(size=N * K)).round(3) for gain in (1.4, 0.9))
WIDE = {"patient": PATIENT, "seed": SEED, "outcome": ILL.astype(int), "new": NEW, "old": OLD}
WORDS = {**WIDE, "outcome": np.where(ILL, "cancer", "benign")}
LABELS = {**WORDS, **{m: np.where(WIDE[m] > 0.6, "cancer", "benign") for m in ("new", "old")}}


def long(table):
    """Return a table with a row for each model, patient and seed."""
    keys = ["patient", "seed", "outcome"]
    return pd.DataFrame(table).melt(keys, var_name="model", value_name="score")


def renamed(name, table=WIDE):
    """Return the table whose seeds have another name."""
    return {name if old == "seed" else old: values for old, values in table.items()}


STUDY = fc.reader_study_test(
    long(WIDE),
    treatment="model",
    reader="seed",
    case="patient",
    truth="outcome",
    on_undefined="ignore",
)
RUNS = {
    "wide": (WIDE, {}),
    "long": (long(WIDE), {}),
    "long, named": (long(WIDE), {"long": ("model", "patient", "score")}),
    "the label named": (long(WIDE), {"label": "outcome"}),
    "words": (WORDS, {}),
    "runs": (renamed("run"), {}),
    "numbers of cases": ({**WIDE, "patient": np.tile(np.arange(N) * 3, K)}, {}),
    "a column that is not used": ({**WIDE, "age": np.tile(np.arange(N) + 20, K)}, {}),
}


@pytest.mark.parametrize("name", RUNS)
def test_runs_of_each_model_on_the_same_cases_are_readers(name):
    table, options = RUNS[name]
    found = fc.compare(pd.DataFrame(table), **options)
    assert found.kind == "readers"
    assert found.quantity == "mean AUC"
    assert found.result.pvalue == pytest.approx(STUDY.pvalue, rel=1e-9)
    assert any("are the readers" in line for line in found.decisions)


def test_runs_of_predicted_labels_are_compared_by_their_accuracies():
    found = fc.compare(pd.DataFrame(LABELS))
    right = {m: np.mean(LABELS[m] == LABELS["outcome"]) for m in ("new", "old")}
    assert found.kind == "readers"
    assert found.values == pytest.approx(right)


def by_hand(table, rows):
    """Return some rows of a table."""
    return pd.DataFrame(table).iloc[rows]


ONCE = {**WIDE, "patient": [f"p{i}" for i in range(N * K)]}  # each patient in one run
LOOK_ALIKES = {  # a table, options, the kind, and what a check says
    "folds": (renamed("fold", ONCE), {}, "scores", "pooled over folds"),
    "patients of one seed": (ONCE, {}, "scores", "pooled over folds"),
    "repetitions": (renamed("repeat"), {}, "scores", "pooled over folds"),
    "labels of rows": ({**WIDE, "outcome": RNG.random(N * K) < 0.4}, {}, "scores", "folds"),
    "without one row": (by_hand(WIDE, np.arange(1, N * K)), {}, "scores", "unless"),
    "groups": (WIDE, {"groups": "patient"}, "scores", "runs are readers"),
    "a kind": (WIDE, {"kind": "scores"}, "scores", "runs are readers"),
}


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_rows_that_are_no_runs_on_the_same_cases_stay_cases(name):
    table, options, kind, check = LOOK_ALIKES[name]
    found, said = by_python(table, **options)
    assert found is not None, said
    assert found["kind"] == kind
    assert any(check in text for text in found["checks"])


def test_the_options_of_runs_work_when_pasted(tmp_path):
    pd.DataFrame(WIDE).to_csv(tmp_path / "seeds.csv", index=False)
    found, said = by_command([tmp_path / "seeds.csv"])
    assert found is not None, said
    (way,) = {m for x in found["decisions"] for m in re.findall("--groups patient", x)}
    assert by_command([tmp_path / "seeds.csv"], *way.split())[0]["design"] == "clusters"


def test_aucs_of_runs_have_no_sizes_of_folds():
    found = fc.compare(pd.DataFrame(WIDE), kind="folds")
    assert found.design == "independent"
    assert not any("training and" in line for line in found.decisions)
    folds = fc.compare(pd.DataFrame(renamed("fold", ONCE)), kind="folds")
    assert "Each round has 180 training and 60 test cases." in folds.decisions


def test_means_over_runs_say_which_claim_holds():
    right = RNG.integers(0, 2, (2, N * K)).ravel()
    keys = {"model": np.repeat(["a", "b"], N * K), "seed": np.tile(SEED, 2)}
    runs = pd.DataFrame({**keys, "item": np.tile(PATIENT, 2), "right": right})
    claim = "for one about training again, runs are readers"
    assert any(claim in line for line in fc.compare(runs).decisions)
    samples = runs.rename(columns={"seed": "sample"})
    assert not any(claim in line for line in fc.compare(samples).decisions)


POOLED = {  # options that no study of readers takes
    "test": {"test": "permutation"},
    "design": {"design": "independent"},
    "control": {"control": "old"},
    "direction": {"higher_is_better": False},
}


@pytest.mark.parametrize("name", POOLED)
def test_runs_are_pooled_where_options_are_those_of_cases(name):
    found = fc.compare(pd.DataFrame(WIDE), **POOLED[name])
    assert found.kind == "scores"
    assert any("runs are readers" in line for line in (*found.decisions, *found.checks))


def test_options_are_not_ignored_beside_runs(tmp_path):
    with pytest.raises(fc.FastCompareError, match="must be one of"):
        fc.compare(pd.DataFrame(WIDE), control="zzz")
    with pytest.raises(fc.FastCompareError, match="no meaning for kind='labels'"):
        fc.compare(pd.DataFrame(LABELS), higher_is_better=False)
    pd.DataFrame(WIDE).to_csv(tmp_path / "seeds.csv", index=False)
    for options in (["--test", "permutation"], ["--lower-is-better"], ["--control", "old"]):
        assert by_command([tmp_path / "seeds.csv"], *options)[0]["kind"] == "scores"


@pytest.mark.parametrize("options", [{"higher_is_better": True}, {"design": "crossed"}])
def test_options_that_studies_take_leave_runs_readers(options):
    assert fc.compare(pd.DataFrame(WIDE), **options).kind == "readers"
