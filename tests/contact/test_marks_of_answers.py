"""Marks of right and wrong answers beside the true answers, and labels that look like marks."""

import re

import numpy as np
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(11)
N = 120
CLASSES = RNG.integers(0, 4, N)
LABELS = RNG.integers(0, 2, N)
MARKS = (RNG.random(2 * N) < np.tile([0.7, 0.85], N)).astype(int)
MEANS = f"'gpt' {MARKS[::2].mean():.4g} 'llama' {MARKS[1::2].mean():.4g}"
AS_MARKS = f"Rows: items.*{MEANS}"
WHICH = "marks of right and wrong answers, or labels as those of"


def long(truth, score, name="score", label="target", model="model"):
    """Return a table with a row for each model and case, with the case's truth and a score."""
    models, cases = np.tile(["gpt", "llama"], N), np.repeat([f"c{j:03d}" for j in range(N)], 2)
    return {model: models, "id": cases, label: np.repeat(truth, 2), name: score}


def predicted(truth, other=None):
    """Return predictions of both models, most of which are the true label, else another one."""
    is_right = RNG.random(2 * N) < 0.85
    other = truth[::-1] if other is None else other
    return np.where(is_right, np.repeat(truth, 2), np.repeat(other, 2))


LETTERS = np.array([*"ABCD"])[CLASSES]
GRADES = RNG.choice([0, 1, 2], N, p=[0.5, 0.45, 0.05])
SICK = np.array(["negative", "positive"])[LABELS]
TABLES = {  # a table, and what the answer, or the question, says
    "acc beside indices": (long(CLASSES, MARKS, "acc"), AS_MARKS),
    "exact_match as decimals": (long(CLASSES, MARKS * 1.0, "exact_match"), AS_MARKS),
    "hit beside classes": (long(CLASSES, MARKS, "hit", "y_true"), AS_MARKS),
    "score beside letters": (long(LETTERS, MARKS), AS_MARKS),
    "correct beside letters": (long(LETTERS, MARKS, "correct", "gold"), AS_MARKS),
    "correct beside two labels": (long(LABELS, MARKS, "correct", "label"), AS_MARKS),
    "is_correct beside words": (long(SICK, MARKS > 0, "is_correct", "label"), AS_MARKS),
    "words": (long(LETTERS, np.array(["incorrect", "correct"])[MARKS], "grade"), AS_MARKS),
    "C and I beside a runtime": (
        long(SICK, np.array(["I", "C"])[MARKS]) | {"total_time": RNG.random(2 * N) * 9},
        f"right answers are 'C'.*{MEANS}",
    ),
    "a judge's verdicts": (long(LABELS, predicted(LABELS), "correct", "label", "judge"), WHICH),
    "labels called score": (long(LABELS, predicted(LABELS)), "True labels: 'target'"),
    "letters called score": (long(LETTERS, predicted(LETTERS)), "True labels: 'target'"),
    "two of three grades": (
        long(GRADES, np.minimum(predicted(GRADES, 1 - GRADES), 1) ** 2),
        "True labels: 'target'",
    ),
    "results of a test": (
        long(SICK, predicted(LABELS), "result", "diagnosis", "method"),
        "no label of one equals one of the other",
    ),
    "a screening that is passed": (
        long(SICK, np.array(["pass", "fail"])[predicted(LABELS)], "result", "diagnosis", "test"),
        "in the words of the true labels",
    ),
    "marks in columns": (
        {"id": range(N), "target": CLASSES, "gpt": MARKS[::2], "llama": MARKS[1::2]},
        WHICH,
    ),
    "marks in columns beside an answer": (
        {"id": range(N), "answer": CLASSES, "gpt": MARKS[::2], "llama": MARKS[1::2]},
        r"which are the models\? Specify `models=.'gpt', 'llama'.`",
    ),
    "signs beside an answer of a survey": (
        {"id": range(N), "answer": 1 + CLASSES, "churned": LABELS, "p": RNG.random(N)}
        | {"q": RNG.random(N)},
        "True labels: 'churned'",
    ),
    "an answer beside predictions": (
        {"id": range(N), "answer": CLASSES, "gpt": predicted(CLASSES)[::2]}
        | {"llama": predicted(CLASSES)[1::2]},
        "^(?!.*Rows: items)",
    ),
    "marks in columns beside letters": (
        {"id": range(N), "target": LETTERS, "gpt": MARKS[::2], "llama": MARKS[1::2]},
        "marks of right and wrong answers\\?",
    ),
    "marks of one model beside its scores": (
        {"y": np.array(["no", "yes"])[LABELS], "p": LABELS + RNG.random(N), "q": RNG.random(N)}
        | {"correct": np.array(["no", "yes"])[predicted(LABELS)[::2]]},
        "^(?!.*marks of right)",
    ),
    "two of four classes in columns": (
        {"y": CLASSES, "a": np.minimum(CLASSES, 1), "b": np.minimum(CLASSES, 1) * (LABELS | 1)},
        "True labels: 'y'",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_marks_beside_true_answers_are_no_predicted_labels(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    if found is not None:
        means = [f"{model!r} {value:.4g}" for model, value in found["values"].items()]
        said = " ".join([*found["decisions"], *means])
    assert re.search(says, said), said


@pytest.mark.parametrize("name", [name for name in TABLES if "columns" in name])
def test_ways_of_marks_in_columns_lead_to_answers(name):
    table, _ = TABLES[name]
    for way in ways_of_python(by_python(table)[1]):
        assert by_python(table, **way)[0] is not None, way
