"""What `recommend` says of tables whose rows depend on each other, as `compare` warns."""

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from tests.shared.commandline import run

RNG = np.random.default_rng(3)
N = 120
Y = np.arange(N) % 3 == 0
TABLE = {
    "patient_id": [f"P{i // 3:03d}" for i in range(N)],
    "malignant": Y.astype(int),
    "cnn": (Y * 0.3 + RNG.random(N) * 0.7).round(3),
    "radiomics": (Y * 0.2 + RNG.random(N) * 0.8).round(3),
}
TIMES = {
    "patient_id": TABLE["patient_id"],
    "months": (RNG.random(N) * 40).round(1),
    "died": RNG.integers(0, 2, N),
    "a": TABLE["cnn"],
    "b": TABLE["radiomics"],
}


def test_rows_of_one_patient_are_clusters():
    advice = fc.recommend(pd.DataFrame(TABLE))
    assert (advice.design, advice.n_clusters) == ("clusters", N // 3)
    assert "groups=groups" in advice.tests[0].call
    assert any("groups='patient_id'" in line for line in advice.decisions)
    named = fc.recommend(pd.DataFrame(TABLE), groups="patient_id")
    assert [test.call for test in advice.tests] == [test.call for test in named.tests]


def test_rows_of_one_patient_are_clusters_of_times():
    advice = fc.recommend(pd.DataFrame(TIMES), time="months", event="died")
    assert advice.design == "clusters"


def test_the_command_names_the_clusters(tmp_path):
    pd.DataFrame(TABLE).to_csv(tmp_path / "i.csv", index=False)
    done = run("recommend", tmp_path / "i.csv")
    assert "--cluster patient_id`" in done.stderr
    assert "Design: 'clusters': 40 values of 'patient_id' in 120 rows" in done.stdout


@pytest.mark.parametrize("what", ["one row a patient", "few sites", "independent", "a fold"])
def test_other_rows_stay_as_they_are(what):
    options = {"design": "independent"} if what == "independent" else {}
    table = dict(TABLE)
    if what == "one row a patient":
        table["patient_id"] = [f"P{i}" for i in range(N)]
    if what == "few sites":
        table["patient_id"] = np.tile(["Bonn", "Ulm", "Trier"], N // 3)
    if what == "a fold":
        table["fold"] = np.arange(N) // 24
        del table["patient_id"]
    advice = fc.recommend(pd.DataFrame(table), **options)
    assert advice.design == "independent"
    warned = [line for line in advice.decisions if "not independent" in line]
    assert bool(warned) is (what == "independent")
    assert any("pooled over folds" in line for line in advice.decisions) is (what == "a fold")
