"""Trials of people under several conditions, and tables that look like them."""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(16)
PEOPLE, TRIALS = 12, 20
N = PEOPLE * TRIALS
STROOP = {
    "participant": np.repeat(np.arange(101, 101 + PEOPLE), TRIALS),
    "trial": np.tile(np.arange(1, TRIALS + 1), PEOPLE),
    "condition": RNG.permuted(np.tile([["a", "b"]], (PEOPLE, TRIALS // 2)), axis=1).ravel(),
    "correct": RNG.integers(0, 2, N),
    "rt_ms": RNG.integers(300, 900, N),
}
P = RNG.random(N)
OF_PEOPLE = "means of each 'participant'"
TABLES = {  # a table, and what the question, or the answer, says
    "trials": (STROOP, f"{OF_PEOPLE}.*Likewise 'rt_ms'"),
    "trials without numbers": ({n: x for n, x in STROOP.items() if n != "trial"}, OF_PEOPLE),
    "a condition of each person": (
        {**STROOP, "condition": np.repeat(["a", "b"], N // 2)},
        f"^(?!.*{OF_PEOPLE})",
    ),
    "scores of two models": (
        {**{n: x for n, x in STROOP.items() if n not in ("trial", "rt_ms")}, "p1": P, "p2": P**2},
        "True labels: 'correct'",
    ),
    "a row for each person and condition": (
        {"participant": np.repeat(np.arange(30), 2), "condition": np.tile(["a", "b"], 30)}
        | {"model": np.tile(["x", "y"], 30), "accuracy": P[:60]},
        f"^(?!.*{OF_PEOPLE})",
    ),
    "a diagnosis": (
        {"patient": STROOP["participant"], "condition": np.tile(["ill", "well"], N // 2)}
        | {"p1": P, "p2": RNG.random(N)},
        "True labels: 'condition'",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_trials_of_people_are_no_rounds(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons


def test_way_of_trials_compares_the_means_of_people():
    data = pd.DataFrame(STROOP)
    call = re.search(r"`fastcompare\.(compare\(.*?\"\))`", by_python(data)[1])[1]
    found = eval(call, {"compare": fc.compare, "data": data}).to_dict()
    means = data.groupby(["participant", "condition"])["correct"].mean().unstack().mean()
    assert found["values"] == pytest.approx(dict(means))
