"""The true labels of reader studies with a column for each reader and treatment."""

import numpy as np
import pandas as pd
import pytest

from .doors import by_python

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
