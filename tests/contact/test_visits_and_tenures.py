"""Numbers within units, true values by name, and tenures of customers, beside look-alikes."""

import re

import numpy as np
import pandas as pd
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(61)
PATIENT, VISIT = (part.ravel() for part in np.indices((30, 8)) + 1)
GLUCOSE = RNG.uniform(4, 14, 240).round(1)
SENSORS = {name: (GLUCOSE + RNG.normal(0, 0.6, 240)).round(1) for name in ("dev1", "dev2")}
GRADES = {name: RNG.integers(1, 6, 240) for name in ("gpt", "llama")}


@pytest.mark.parametrize("name", ["lab_glucose", "YSI"])
@pytest.mark.parametrize("visit", ["visit", "number"])
def test_visits_of_patients_are_no_quantity_that_models_predict(visit, name):
    table = {"patient_id": PATIENT, visit: VISIT, name: GLUCOSE, **SENSORS}
    found, said = by_python(table)
    assert found is None
    assert {"label": name} in ways_of_python(said)
    assert visit not in said
    found, said = by_python(table, label=name)
    assert found is not None, said
    assert found["names"] == ["dev1", "dev2"]
    assert "groups='patient_id'" in " ".join(found["checks"])


def test_grades_that_users_repeat_are_no_numbers_within_users():
    found, said = by_python({"user": PATIENT, "question": np.arange(240), **GRADES})
    assert found is not None, said
    assert found["names"] == ["gpt", "llama"]


@pytest.mark.parametrize(
    "name", ["Ist", "Istwert", "Gemessen", "beobachtet", "réel", "medido", "misurato", "measured"]
)
def test_true_values_are_known_by_their_names(name):
    table = {"Datum": pd.date_range("2024-01-01", periods=240).astype(str), name: GLUCOSE}
    found, said = by_python({**table, "Prognose_A": SENSORS["dev1"], "Prognose_B": SENSORS["dev2"]})
    assert found is not None, said
    assert f"True values: {name!r}" in " ".join(found["decisions"])


Y = np.arange(240) % 2
CHURN = np.array(["No", "Yes"])[Y]
SHARES = {name: RNG.uniform(0, 0.5, 240) + 0.4 * Y for name in ("logreg", "xgb")}
RISKS = {name: RNG.normal(size=240).round(3) for name in ("cox", "forest")}
CUSTOMERS = {  # a table, and whether the AUC is the first way to go on
    "probabilities of leaving": ({"tenure": PATIENT, "Churn": CHURN, **SHARES}, True),
    "months as tenure": ({"tenure_months": PATIENT, "churned": Y, **SHARES}, True),
    "risks of leaving": ({"tenure": PATIENT, "Churn": CHURN, **RISKS}, False),
    "months to death": ({"months": PATIENT, "died": Y, **SHARES}, False),
    "overall survival": ({"OS_months": PATIENT, "OS_event": Y, **SHARES}, False),
}


@pytest.mark.parametrize("name", CUSTOMERS)
def test_probabilities_beside_tenures_are_of_classes_first(name):
    table, is_first = CUSTOMERS[name]
    found, said = by_python(table)
    assert found is None
    ways = ways_of_python(said)
    assert ("label" in ways[0]) is is_first, said
    assert re.search("time=.*event=", said)
    assert all(by_python(table, **way)[0] is not None for way in ways)
