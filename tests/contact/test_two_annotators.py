"""Labels of two annotators, with remarks beside them and their kappa in the last row."""

import re

import numpy as np
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(15)
N = 60
FIRST = RNG.integers(0, 2, N)
SECOND = np.where(RNG.random(N) < 0.8, FIRST, 1 - FIRST)
WORDS = np.array(["negative", "positive"])
LABELS = {"reader A": WORDS[FIRST].tolist(), "reader B": WORDS[SECOND].tolist()}
REMARKS = [("", "", "motion", "", "", "", "poor contrast")[j % 7] for j in range(N)]
PATIENTS = [str(j + 1) for j in range(N)]
TABLE = {"patient": PATIENTS, **LABELS, "remark": REMARKS}
LAST_ROW = "the last row, which has a metric"


def below(table, *cells):
    """Return a table with one more row."""
    return {n: [*x, cell] for (n, x), cell in zip(table.items(), cells, strict=True)}


@pytest.mark.parametrize("table", [TABLE, below(TABLE, "kappa", "0,71", "", "")])
def test_way_of_two_annotators_leads_to_their_kappa(table):
    message = by_python(table)[1]
    assert "two annotators" in message
    *_, way = ways_of_python(message)
    found, _ = by_python(table, **way)
    observed = float(np.mean(FIRST == SECOND))
    p, q = FIRST.mean(), SECOND.mean()
    expected = p * q + (1 - p) * (1 - q)
    assert found["result"]["estimate"] == pytest.approx((observed - expected) / (1 - expected))


def test_labels_of_one_annotator_are_true_ones_beside_remarks():
    found, said = by_python(TABLE, label="reader A")
    assert found is not None, said
    assert "Models: 'reader B'" in " ".join(found["decisions"])


def test_other_words_in_most_rows_are_no_remarks():
    filled = {**TABLE, "remark": np.tile(["motion", "poor contrast"], N // 2)}
    assert "in the words of the labels" in by_python(filled, label="reader A")[1]


OTHERS = {  # tables whose last row is none of a metric
    "a patient with a name": below(TABLE, "Kappa", "negative", "positive", ""),
    "an item called accuracy": {
        "item": [*PATIENTS, "accuracy"],
        "a": RNG.integers(0, 2, N + 1),
        "b": RNG.integers(0, 2, N + 1),
    },
    "metrics in rows": {"metric": ["auc", "f1", "kappa", "mcc"], "a": [0.5, 0.6, 0.3, 0.2]}
    | {"b": [0.6, 0.4, 0.1, 0.3]},
    "grades": below(
        {"patient": PATIENTS, "a": [f"g{j}" for j in FIRST], "b": [f"g{j}" for j in SECOND]},
        *("kappa", "g1", "g0"),
    ),
}


@pytest.mark.parametrize("name", OTHERS)
def test_rows_that_are_called_as_metrics_are_kept(name):
    found, said = by_python(OTHERS[name])
    reasons = said if found is None else " ".join(found["decisions"])
    assert not re.search(LAST_ROW, reasons), reasons
