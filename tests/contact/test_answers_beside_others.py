"""Answers to items beside sums, means and words, and metrics of images."""

import re

import numpy as np
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(14)
N = 60
STUDENTS = [f"s{j:03d}" for j in range(N)]
ANSWERS = {f"Q{j}": RNG.integers(0, 2, N) for j in range(1, 7)}
TOTAL = sum(ANSWERS.values())
TWO = {"GPT-4": ANSWERS["Q1"], "Gemini": ANSWERS["Q2"]}
EXAM = {"Item": range(1, N + 1), "Domain": np.tile(["neuro", "cardio"], N // 2), **TWO}
LINES = [f"What is {j} + {j}?" for j in range(N)]


def marked(answers, *, marks=("[FAIL]", "[PASS]")):
    """Return texts of answers after their marks."""
    return [f"{marks[answer]} it is {j}" for j, answer in enumerate(answers)]


PROMPTS = {"question": LINES, "a": marked(ANSWERS["Q1"]), "b": marked(ANSWERS["Q2"])}
SHARES = {f"{m}_{n}": RNG.random(N).round(3) for m in ("AP", "WER") for n in ("unet", "yolo")}
AP, WER = ({n: x for n, x in SHARES.items() if n.startswith(m)} for m in ("AP", "WER"))
IDS = [5000 + 37 * j for j in RNG.permutation(N)]
TABLES = {  # a table, and what the answer, or the question, says
    "a sum": ({"student": STUDENTS, **ANSWERS, "total": TOTAL}, "'total' .the sum or mean of 6"),
    "a percentage": (
        {"student": STUDENTS, **ANSWERS, "pct": (100 * TOTAL / 6).round(2)},
        "Not used: 'pct'.*Rows: items",
    ),
    "a sum of signs beside a truth": (
        {"died": RNG.integers(0, 2, N), **ANSWERS, "points": TOTAL},
        "True labels: 'died'|which column has the true labels",
    ),
    "a sum of signs beside words": (
        {"group": np.tile(["ill", "well"], N // 2), **ANSWERS, "points": TOTAL},
        "^(?!.*sum or mean)",
    ),
    "another number": (
        {"student": STUDENTS, **ANSWERS, "hours": RNG.integers(1, 9, N)},
        "^(?!.*sum or mean)",
    ),
    "a mean of students": (
        {**EXAM, "Students mean": RNG.random(N).round(2)},
        "are 'GPT-4' and 'Gemini' right and wrong answers",
    ),
    "marks in brackets": (PROMPTS, "begins with .PASS.*Rows: items"),
    "errors in brackets": (
        {**PROMPTS, "b": marked(ANSWERS["Q2"], marks=("[ERROR]", "[PASS]"))},
        "begins with .PASS.*Rows: items",
    ),
    "other brackets": (
        {**PROMPTS, "b": marked(ANSWERS["Q2"], marks=("[1]", "[2]"))},
        "^(?!.*begins with .PASS)",
    ),
    "one column of marks": ({n: x for n, x in PROMPTS.items() if n != "b"}, "^(?!.*begins with)"),
    "images": ({"image_id": IDS, **AP}, "Rows: items .metrics of each 'image_id'"),
    "utterances": ({"utt_id": [f"u{j}" for j in IDS], **WER}, "Rows: items .metrics of each"),
    "counts of images": (
        {"image_id": IDS, "manual": RNG.random(N), "yolo": RNG.random(N)},
        "cases with a quantity|what the rows are",
    ),
    "images with two rows": (
        {"image_id": [*IDS[: N // 2], *IDS[: N // 2]], **AP},
        "what the rows are",
    ),
    "orders": ({"order_no": IDS, **AP}, "what the rows are"),
}


@pytest.mark.parametrize("name", TABLES)
def test_answers_are_read_beside_other_columns(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons


def test_marks_in_brackets_are_the_answers():
    found, _ = by_python(PROMPTS)
    assert found["values"] == pytest.approx({"a": TWO["GPT-4"].mean(), "b": TWO["Gemini"].mean()})


def test_ways_of_an_exam_lead_to_answers():
    message = by_python(TABLES["a mean of students"][0])[1]
    first = ways_of_python(message)[0]
    found, _ = by_python(TABLES["a mean of students"][0], **first)
    assert found["values"] == pytest.approx({n: x.mean() for n, x in TWO.items()})
