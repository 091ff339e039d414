"""Numbers of a quantity, told from numbers of classes: squared errors, or accuracies.

Each table has the options, and a pattern of the lines that say how its columns were read, or of the
question, whose ways must all answer.
"""

import re

import numpy as np
import pytest

import fastcompare as fc

from .doors import by_command, by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(41)
N = 150
ROWS = np.arange(N) + 1
IDS = [f"h{j}" for j in ROWS]
PRICE = RNG.lognormal(12.5, 0.4, N)
DIGITS, CLASSES = RNG.integers(0, 10, N), RNG.integers(0, 60, N)
GRADES, PAIN, COUNTS = RNG.integers(1, 6, N), RNG.integers(0, 11, N), RNG.poisson(20, N)
SHARES = {"cnn_conf": RNG.random(N).round(3), "svm_conf": RNG.random(N).round(3)}

OWN = np.random.default_rng(46)  # of tables that leave the numbers of others as they are
MANY, DRAWN, WORDS = OWN.integers(0, 5000, (2, N)), OWN.random(N), OWN.integers(1, 60, N)

CODES = OWN.choice(OWN.integers(1000, 9999, 50), N)


def houses(digits, rows=ROWS, dtype=int, n=N):
    """Return prices and their predictions, rounded to so many decimals."""
    errors = {"price": 0.0, "forest": 0.1, "boost": 0.13}
    values = {x: (PRICE * RNG.normal(1, sd, N)).round(digits) for x, sd in errors.items()}
    return {"house": rows[:n]} | {x: v[:n].astype(dtype) for x, v in values.items()}


def guess(truth, size, rate, rng=RNG):
    """Return numbers of classes, some of which are drawn anew."""
    return np.where(rng.random(N) < rate, truth, rng.integers(0, size, N))


def confuse(rate):
    """Return codes, some of which are others of the same hundred."""
    return np.where(OWN.random(N) < rate, CODES, CODES // 100 * 100 + OWN.integers(0, 100, N))


def equal(truth, rate):
    """Return counts, some of which are one more or less."""
    return np.where(OWN.random(N) < rate, truth, truth + OWN.choice([-1, 1], N))


def near(truth, error, digits=0, low=0, high=10**6, rng=RNG):
    """Return numbers with an error of this size."""
    values = np.clip(truth + rng.normal(0, error, N), low, high).round(digits)
    return values if digits else values.astype(int)


OF_PRICE = {"label": "price"}
MIXED = {"pain": PAIN, "nurse": near(PAIN, 1), "gbm": near(PAIN, 1, 2)}
TABLES = {
    "thousands": (houses(-3, IDS), OF_PRICE, r"'price' \(.* numbers: squared.*accuracies, if"),
    "whole prices, rows by number": (houses(0), OF_PRICE, "150 different numbers: squared errors"),
    "whole prices as decimals": (houses(0, dtype=float), OF_PRICE, "Models: 'forest' and 'boost'"),
    "thirty houses": (houses(-4, n=30), OF_PRICE, "True values: 'price'.*'forest' and 'boost'"),
    "prices with cents": (houses(2, dtype=float), OF_PRICE, "150 different numbers: squared"),
    "rows with long numbers": (
        {**houses(0), "house": RNG.permutation(N) + 183_000},
        OF_PRICE,
        "Models: 'forest' and 'boost'.*Not used: 'house'",
    ),
    "days beside decimals": (
        {
            "patient": ROWS,
            "days": COUNTS // 3,
            "a": near(COUNTS / 3, 2, 1),
            "b": near(COUNTS / 3, 1, 1),
        },
        {"label": "days"},
        "True values: 'days'.*Models: 'a' and 'b'",
    ),
    "whole and decimal predictions": (MIXED, {"label": "pain"}, "Models: 'nurse' and 'gbm'"),
    "fewer than 20 decimals": (
        {"pIC50": 5 + PAIN / 10, "rf": 5 + near(PAIN, 2) / 10, "gnn": 5 + near(PAIN, 3) / 10},
        {"label": "pIC50"},
        "True values: 'pIC50'.*Models: 'rf' and 'gnn'",
    ),
    "specified as numbers": (
        {"essay": IDS, "grade": GRADES, "a": near(GRADES, 1), "b": near(GRADES, 2)},
        {"label": "grade", "kind": "items"},
        "True values: 'grade'",
    ),
    "thousands of classes": (
        {"label": MANY[0], "a": np.where(DRAWN < 0.4, *MANY), "b": np.where(DRAWN < 0.6, *MANY)},
        {},
        "Models: 'a' and 'b' .predicted labels",
    ),
    "a weak model of many classes": (
        {"label": CLASSES, "a": guess(CLASSES, 60, 0.02, OWN), "b": guess(CLASSES, 60, 0.6, OWN)},
        {},
        "Models: 'a' and 'b' .predicted labels",
    ),
    "numbers of words among numbers of classes": (
        {"label": CLASSES, "a": guess(CLASSES, 60, 0.7, OWN), "b": guess(CLASSES, 60, 0.6, OWN)}
        | {"n_words": WORDS},
        {},
        "Models: 'a' and 'b' .predicted labels.*Not used: 'n_words'",
    ),
    "codes called label": (
        {"label": CODES, "a": confuse(0.7), "b": confuse(0.8)},
        {},
        "Models: 'a' and 'b' .predicted labels.*kind='items' compares squared errors",
    ),
    "codes by their name": (
        {"isco_code": CODES, "a": confuse(0.7), "b": confuse(0.8)},
        {"label": "isco_code"},
        "Models: 'a' and 'b' .predicted labels",
    ),
    "grades beside decimals that are not near them": (
        {"label": GRADES, "a": guess(GRADES, 5, 0.8, OWN), "quality": 5 * OWN.random(N).round(3)},
        {},
        "Models: 'a' .predicted labels",
    ),
    # unclear
    "codes of no such name": (
        {"y_true": CODES, "a": confuse(0.7), "b": confuse(0.8)},
        {},
        "'y_true' has .* different whole numbers: a quantity that 'a' and 'b' may predict",
    ),
    "counts called gold": (
        {"gold_count": COUNTS, "a": equal(COUNTS, 0.8), "b": equal(COUNTS, 0.7)},
        {},
        "'gold_count' has .* different whole numbers: a quantity that 'a' and 'b' may predict",
    ),
    "grades that a reader and a model predict": (
        {"kl_true": GRADES, "net": (GRADES + OWN.normal(0, 0.5, N)).clip(1, 5).round(2)}
        | {"reader": np.where(OWN.random(N) < 0.8, GRADES, OWN.integers(1, 6, N))},
        {},
        "'kl_true' has 5 different whole numbers: a quantity that 'net' and 'reader' may predict",
    ),
    "counted objects, mostly right": (
        {"image": IDS, "true_count": COUNTS, "yolo": near(COUNTS, 0.4), "rcnn": near(COUNTS, 0.5)},
        {},
        "'true_count' has .* different whole numbers: a quantity that 'yolo' and 'rcnn' may pred",
    ),
    "numbers by chance": (
        {"id": IDS, "label": CLASSES, "a": RNG.permutation(CLASSES), "b": CLASSES[::-1]},
        {},
        "numbers of classes",
    ),
    "thirds of answers": (
        {"q": IDS, "gold": PAIN % 3 / 2, "a": DIGITS % 3 / 2, "b": GRADES % 3 / 2},
        {},
        "has '0', '0.5' and '1'. Squared errors",
    ),
    # look-alikes
    "digits": (
        {"digit": DIGITS, "cnn": guess(DIGITS, 10, 0.9), "svm": guess(DIGITS, 10, 0.8)},
        {"label": "digit"},
        "True labels: 'digit'.*'cnn' and 'svm' .predicted labels",
    ),
    "sixty classes beside how sure models are": (
        {"id": IDS, "label": CLASSES, "cnn": guess(CLASSES, 60, 0.7), "svm": CLASSES[::-1]}
        | SHARES,
        {},
        "True labels: 'label'.*'cnn' and 'svm' .predicted labels",
    ),
    "numbers of speakers": (
        {"clip": IDS, "true": 1000 + 37 * CLASSES, "a": 1000 + 37 * guess(CLASSES, 60, 0.5)},
        {},
        "True labels: 'true'.*Models: 'a' .predicted labels",
    ),
    "grades": (
        {"essay": IDS, "true": GRADES, "a": near(GRADES, 0.7, 0, 1, 5), "b": near(GRADES, 1)},
        {},
        "True labels: 'true'.*predicted labels.*kind='items' compares squared errors",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_quantities_are_told_from_classes(name):
    table, options, says = TABLES[name]
    found, said = by_python(table, **options)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **{**options, **way})[0] is not None, way


PATIENTS = {"patient": IDS, "pain": PAIN, "a": near(PAIN, 1, 2), "b": near(PAIN, 2, 2)}
TALENT = 80 * RNG.random(N) + 10
HUB = 5 + PRICE / 1e5
GRADED, RIGHT = RNG.choice([0, 0.5, 1], (2, N)), DIGITS % 2
LABELLED = np.where(RNG.random((2, N)) < 0.8, RIGHT, GRADED)
MODELS_AND_GRADES = {"gpt": RIGHT, "llama": GRADED[0], "mistral": GRADED[1]}
TRUTH_AND_GRADES = {"path": RIGHT, "a": LABELLED[0], "b": LABELLED[1]}
ONLY_PRICE = "near 'price'.*true values.*Specify `label='price'` or `kind='items'`.$"
SCORES = 80 * OWN.random(N) + 10
CHANGED = {x: near(SCORES, 3, 1, rng=OWN) for x in ("m1", "m2")}
UNNAMED = {
    "thousands": (houses(-3, IDS), ONLY_PRICE),
    "prices with cents": (houses(2, dtype=float), ONLY_PRICE),
    "pain": (PATIENTS, "near 'pain'.* Specify `label='pain'` or `kind='items'`.$"),
    "the first decides": (
        {"id": IDS, "pIC50": HUB.round(2), "rf": near(HUB, 0.4, 2), "gnn": near(HUB, 0.5, 2)},
        "Specify `label='pIC50'` or `kind='items'`.$",
    ),
    "answers and grades": ({"question": IDS, **MODELS_AND_GRADES}, "items.*Models: 'gpt', 'llama'"),
    "grades from 1 to 5": (
        {"question": ROWS, "gpt": 1 + 4 * RIGHT, "llama": GRADES, "mistral": GRADES[::-1]},
        "Rows: items.*Models: 'gpt', 'llama' and 'mistral'",
    ),
    "answers of two models, and grades": (
        {"question": IDS, "phi": RIGHT[::-1], **MODELS_AND_GRADES},
        "Rows: items.*Models: 'phi', 'gpt', 'llama' and 'mistral'",
    ),
    "rows called id": (
        {"id": IDS, **MODELS_AND_GRADES},
        "`kind='items', models=.'gpt', 'llama', 'mistral'.` or `label='gpt'`",
    ),
    "answers between grades": (
        {"id": IDS, **{x: MODELS_AND_GRADES[x] for x in ("llama", "gpt", "mistral")}},
        "Specify `label='gpt'` or `kind='items'`",
    ),
    "scores beside those of a baseline": (
        {"subject": IDS, "baseline": SCORES.astype(int), **CHANGED},
        "near 'baseline'.*`label='baseline'` or `kind='items'`.$",
    ),
    "scores beside a difficulty": (
        {"item": IDS, "difficulty": SCORES.astype(int), **CHANGED},
        "near 'difficulty'.*`label='difficulty'` or `kind='items'`.$",
    ),
    "scores without ids, of which one model has whole ones": (
        {"gpt": SCORES.astype(int), "claude": CHANGED["m1"], "gemini": CHANGED["m2"]},
        "near 'gpt'.*`label='gpt'` or `kind='items'`.$",
    ),
    # look-alikes
    "risks in percent": (
        {"id": IDS, "age": 40 + CLASSES % 50, "a": near(TALENT, 9, 1), "b": near(TALENT, 9, 1)},
        "`kind='items'`.*such as 'age'|such as 'age'.*`kind='items'`",
    ),
    "points of which one model has whole ones": (
        {"question": IDS, "gpt": near(TALENT, 6), "llama": near(TALENT, 6, 1)}
        | {"mistral": near(TALENT, 6, 1)},
        "Rows: items.*Models: 'gpt', 'llama' and 'mistral'",
    ),
    "log-likelihoods of texts": (
        {"text": IDS, **{x: near(TALENT, 3, 2) for x in ("gpt", "llama", "mistral")}},
        "`kind='items'`",
    ),
    "grades that tell a truth": ({"id": IDS, **TRUTH_AND_GRADES}, "True labels: 'path'"),
    "cases": ({"case": IDS, **TRUTH_AND_GRADES}, "True labels: 'path'"),
    "relevance beside grades": (
        {"query": IDS, "relevant": RIGHT, "bm25": GRADED[0], "dense": GRADED[1]},
        "True labels: 'relevant'",
    ),
    "readings of a truth": (
        {"case": IDS, "cancer": RIGHT, "r1": 1 + GRADES % 5, "r2": GRADES},
        "True labels: 'cancer'",
    ),
}


@pytest.mark.parametrize("name", UNNAMED)
def test_true_values_are_not_compared_as_scores_of_items(name):
    table, says = UNNAMED[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, way


def test_squared_errors_of_whole_numbers_are_those_of_the_models(tmp_path):
    table = houses(-3, IDS)
    columns = [table["house"], *(table[x].tolist() for x in ("price", "forest", "boost"))]
    lines = [",".join(table), *(",".join(map(str, row)) for row in zip(*columns, strict=True))]
    path = tmp_path / "houses.csv"
    path.write_text("\n".join(lines))
    found, said = by_command([path], "--label", "price")
    assert found is not None, said
    errors = [(table[x] - table["price"]) ** 2 for x in ("forest", "boost")]
    assert found["result"]["pvalue"] == pytest.approx(fc.paired_mean_test(*errors).pvalue)


def test_classes_that_models_cannot_score_are_listed():
    table = {"y": ["ill", "Ill?", "well"] * 10, "a": RNG.random(30), "b": RNG.random(30)}
    _, said = by_python(table, label="y")
    assert "3 classes, 'Ill?', 'ill' and 'well'" in said, said


THOUSANDS = (PRICE / 1000).astype(int)
ARRAYS = {
    "thousands": (THOUSANDS, near(THOUSANDS, 20), near(THOUSANDS, 40), True),
    "days": (COUNTS // 3, near(COUNTS / 3, 1, 1), near(COUNTS / 3, 2, 1), True),
    "classes": (CLASSES % 25, guess(CLASSES % 25, 25, 0.7), guess(CLASSES % 25, 25, 0.3), False),
    "digits": (DIGITS, guess(DIGITS, 10, 0.9), guess(DIGITS, 10, 0.8), False),
    "grades": (GRADES, near(GRADES, 0.7, 0, 1, 5), near(GRADES, 1, 0, 1, 5), False),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_whole_numbers_are_quantities_or_classes(name):
    truth, first, second, is_quantity = ARRAYS[name]
    quantity = fc.compare(truth, first, second).quantity
    assert quantity == ("mean squared error" if is_quantity else "accuracy")


def test_two_lists_of_whole_numbers_are_asked_about():
    with pytest.raises(ValueError, match="must be specified"):
        fc.compare(THOUSANDS, near(THOUSANDS, 20))
