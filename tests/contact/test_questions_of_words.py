"""Messages about tables whose words, margins or cutoffs hide what the models are."""

import re

import numpy as np
import pytest

from .doors import by_command, by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(8)
N = 60
Y = np.arange(N) % 2
SCANS = np.array(["benign", "malignant"])[Y]
RECALL = np.array(["no recall", "recall"])
DAMAGING = np.array(["tolerated", "deleterious"])
CALLS = {name: RECALL[np.where(RNG.random(N) < 0.2, 1 - Y, Y)] for name in ("reader", "ai")}
IDS = {"case": [f"c{i}" for i in range(N)]}
SITE = {"site": np.array(["Bonn", "Ulm"])[RNG.integers(0, 2, N)]}
SEX = {"sex": np.array(["f", "m"])[RNG.integers(0, 2, N)]}


def reasons(table):
    """Return the question about a table, or the lines that say how it was read."""
    found, said = by_python(table)
    return said if found is None else " ".join(found["decisions"])


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (
            {**IDS, "biopsy": SCANS, **CALLS},
            "labels are 'benign' and 'malignant', and 'reader' has",
        ),
        ({**IDS, "biopsy": Y, **CALLS}, "labels are '0' and '1', and 'reader' has 'no recall'"),
        ({"clinvar": SCANS, "ai": CALLS["ai"], "sift": DAMAGING[Y]}, "write all in the same words"),
        ({**IDS, "biopsy": SCANS, **SITE, **SEX}, "besides labels and names of rows"),
        ({**IDS, **SITE, **SEX}, "^(?!.*same words)at least two models are needed"),
        ({"biopsy": SCANS, "a": SCANS, "b": SCANS[::-1]}, "Models: 'a' and 'b'"),
    ],
)
def test_other_words_for_the_classes_are_named(table, says):
    assert re.search(says, reasons(table)), reasons(table)


TOTAL = ",svm correct,svm wrong,Total\nrf correct,312,41,353\nrf wrong,22,75,97"


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        (f"{TOTAL}\nTotal,334,116,450", True),
        (TOTAL, True),
        (",svm correct,svm wrong\nrf correct,312,41\nrf wrong,22,75\nAlle,334,116", True),
        (",svm correct,svm wrong\nrf correct,312,41\nrf wrong,22,75\nrf unsure,34,16", False),
        (",svm correct,svm wrong,svm unsure\nrf correct,312,41,35\nrf wrong,22,75,7", False),
    ],
)
def test_margins_of_counts_are_left_out_if_they_are_sums(tmp_path, text, is_read):
    (tmp_path / "counts.csv").write_text(text + "\n")
    found, said = by_command([str(tmp_path / "counts.csv")])
    reading = said if found is None else " ".join(found["decisions"])
    assert ("Counts of right and wrong answers" in reading) == is_read, reading


LONG = {
    "run": np.repeat([f"RUN{i}" for i in range(10)], 3),
    "algo": np.tile(["glm", "rf", "gam"], 10),
}
VALUES = {name: RNG.random(30).round(3) for name in ("calibration", "validation", "f1")}


def test_cutoffs_and_rates_at_them_are_no_scores_of_models():
    cut = {"cutoff": RNG.integers(300, 600, 30), "sensitivity": 100 * RNG.random(30)}
    table = {
        **LONG,
        **cut,
        "calibration": VALUES["calibration"],
        "validation": VALUES["validation"],
    }
    said = reasons(table)
    assert all(way["long"][-1] in VALUES for way in ways_of_python(said)), said
    assert ways_of_python(said)[0]["long"][-1] == "validation"
    assert all(by_python(table, **way)[0] is not None for way in ways_of_python(said))
    alone = reasons({**LONG, "sensitivity": RNG.random(30), "specificity": RNG.random(30)})
    assert "sensitivity" in alone
    assert "specificity" in alone


def test_false_alarm_rates_beside_sensitivities_are_another_metric():
    names = ("Sens_CNN", "FAR_CNN (/h)", "Sens_SVM", "FAR_SVM (/h)")
    table = {"patient": [f"p{i}" for i in range(12)], "hours": 40 * RNG.random(12)}
    said = reasons(table | {name: RNG.random(12) for name in names})
    assert "columns have 2 metrics of each model ('Sens' and 'FAR')" in said
    near_and_far = {
        f"{place}_{model}": RNG.random(12) for place in ("near", "far") for model in "ab"
    }
    assert "metrics" not in reasons({"patient": table["patient"], **near_and_far})


OF_LANGUAGES = {
    "the truth in another language": (
        ("Não detectável", "Detectável"), ("Negativo", "Positivo"), ("Negativo", "Positivo")
    ),
    "a test in another language": (
        ("negative", "positive"), ("nicht reaktiv", "reaktiv"), ("negative", "positive")
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_LANGUAGES)
def test_each_way_out_of_two_languages_answers(name):
    answers = [Y, *(np.where(RNG.random(N) < 0.2, 1 - Y, Y) for _ in range(2))]
    named = zip(("PCR", "TestA", "TestB"), OF_LANGUAGES[name], answers, strict=True)
    table = {test: np.array(words)[codes] for test, words, codes in named}
    found, said = by_python(table)
    assert found is None
    ways = ways_of_python(said)
    assert len(ways) == 3
    for way in ways:
        found, again = by_python(table, **way)
        assert found is not None, again
    words = OF_LANGUAGES[name][0]
    found, said = by_python(
        {test: np.array(words)[codes] for test, codes in zip(table, answers, strict=True)},
        label="PCR",
    )
    assert found is not None, said
    assert found["names"] == ["TestA", "TestB"]
